/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tf32.cuh -- products in single precision on the tensor cores, in parts.
 *
 * A number of single precision is hi + lo up to 2^-22 of itself, each a TF32 number
 * (11 bits of mantissa), and
 *
 *     a b = a_lo b_hi + a_hi b_lo + a_hi b_hi          up to 2^-22 |a b|
 *
 * (Markidis et al. 2018).  The tensor cores multiply exactly and add with
 * truncation, so that a long sum errs towards 0: by 10^-6 after 128 terms where
 * ordinary single precision has 2 10^-7.  Sums are therefore kept short, and added
 * up in ordinary arithmetic (Ootomo and Yokota 2022).
 */
#ifndef GSVD_CORE_TF32_CUH
#define GSVD_CORE_TF32_CUH

#define TF32_FN static __device__ __forceinline__

/* x rounded to a TF32 number, as a float whose last 13 bits are 0 */
TF32_FN float tf32_round(float x)
{
    unsigned y;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
    return __uint_as_float(y);
}

/* x = hi + lo up to 2^-22 |x| */
TF32_FN void tf32_split(float x, float &hi, float &lo)
{
    hi = tf32_round(x);
    lo = tf32_round(x - hi);
}

/* tf32_split for tf32_mma, which reads 11 bits of a number and so drops the rest of lo.
 * It rounds in integer arithmetic, since the compiler's code for cvt tests for NaN,
 * which lo carries anyway. */
TF32_FN void tf32_halves(float x, float &hi, float &lo)
{
    hi = __uint_as_float((__float_as_uint(x) + 0x1000) & 0xffffe000);
    lo = x - hi;
}

/* d := d + a b for a 16 x 8 a and an 8 x 8 b of TF32 numbers.  With r = lane / 4, q = lane % 4, a
 * lane holds
 *
 *     a(r,q), a(r+8,q), a(r,q+4), a(r+8,q+4)
 *     b(q,r), b(q+4,r)
 *     d(r,2q), d(r,2q+1), d(r+8,2q), d(r+8,2q+1)     */
TF32_FN void tf32_mma(float (&d)[4], const float (&a)[4], const float (&b)[2])
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])),
          "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])),
          "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
}

#endif /* GSVD_CORE_TF32_CUH */
