/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pack_qr.c -- the columns of a pack over their lengths, in order; QR by Householder's
 * reflectors; what Jacobi begins with. */
#include "batch/lanes.h"
#include "core/pair.h"

/* The exponent of a column of zeros */
enum { ZERO_EXPONENT = -100000 };

/* largest := of |re|, |im|; zero := 0, or NaN if an entry is NaN or infinite */
PART void lanes_extremes(int64_t rows, const real_t *x, real_t *largest,
                         real_t *zero)
{
    real_t most[LANES], sum[LANES];
    for (int l = 0; l < LANES; ++l)
        most[l] = sum[l] = 0;
    for (int64_t i = 0; i < rows * REALS_PER_SCALAR; ++i)
#pragma omp simd
        for (int l = 0; l < LANES; ++l) {
            const real_t y = fabs_r(x[i * LANES + l]);
            most[l] = y > most[l] ? y : most[l];
            sum[l] += 0 * y;
        }
#pragma omp simd
    for (int l = 0; l < LANES; ++l) {
        largest[l] = most[l];
        zero[l] += sum[l];
    }
}

/* Do rows of lane l, whose entries are finite, differ once its columns are made alike? */
static int even_rows_differ(const pack_t *w, int l)
{
    real_t size[PACK_COLS], longest = 0, most = 0, least = GSVD_REAL_MAX;

    for (int64_t j = 0; j < w->N; ++j) {
        size[j] = 0;
        for (int64_t i = 0; i < w->M * REALS_PER_SCALAR; ++i)
            size[j] =
                fmax_r(size[j], fabs_r(w->X[j * w->next + i * LANES + l]));
        longest = fmax_r(longest, size[j]);
    }
    for (int64_t i = 0; i < w->M; ++i) {
        real_t row = 0;
        for (int64_t j = 0; j < w->N; ++j)
            for (int part = 0; part < REALS_PER_SCALAR && size[j] > 0; ++part)
                row = fmax_r(
                    row,
                    ldexp_r(
                        fabs_r(
                            w->X[j * w->next + i * ENTRY + part * LANES + l]),
                        exponent_r(longest) - exponent_r(size[j])));
        most = fmax_r(most, row);
        least = row > 0 && row < least ? row : least;
    }
    return rows_are_sorted(most, least);
}

CLONES
void X(pack_rows_apart)(const pack_t *w, int *apart, int *uneven)
{
    _Alignas(64) real_t longest[LANES], shortest[LANES], zero[LANES];
    for (int l = 0; l < LANES; ++l) {
        longest[l] = zero[l] = 0;
        shortest[l] = GSVD_REAL_MAX;
    }
    for (int64_t i = 0; i < w->M; ++i) {
        _Alignas(64) real_t size[LANES] = {0};
        for (int64_t j = 0; j < w->N; ++j)
            for (int part = 0; part < REALS_PER_SCALAR; ++part) {
                const real_t *const x =
                    w->X + j * w->next + i * ENTRY + part * LANES;
#pragma omp simd
                for (int l = 0; l < LANES; ++l) {
                    const real_t y = fabs_r(x[l]);
                    size[l] = y > size[l] ? y : size[l];
                    zero[l] += 0 * y;
                }
            }
#pragma omp simd
        for (int l = 0; l < LANES; ++l) {
            const real_t y = size[l] > 0 ? size[l] : GSVD_REAL_MAX;
            longest[l] = size[l] > longest[l] ? size[l] : longest[l];
            shortest[l] = y < shortest[l] ? y : shortest[l];
        }
    }
    for (int l = 0; l < LANES; ++l) {
        uneven[l] = zero[l] == 0 && rows_are_sorted(longest[l], shortest[l]);
        apart[l] = uneven[l] && even_rows_differ(w, l);
    }
}

/* x := good ? f (f x) : 0 */
PART void scale_twice(int64_t rows, const real_t *f, const real_t *good,
                      real_t *x)
{
    for (int64_t i = 0; i < rows * REALS_PER_SCALAR; ++i)
#pragma omp simd
        for (int l = 0; l < LANES; ++l) {
            const real_t y = x[i * LANES + l];
            x[i * LANES + l] = good[l] > 0 ? f[l] * (f[l] * y) : 0;
        }
}

/* Twice the exponent and the mantissa of the square of a length, as one number */
static real_t key_of(real_t square, lane_int_t e)
{
    if (!(square > 0))
        return ZERO_EXPONENT;
    const int k = exponent_r(square);
    return (real_t)(2 * e + k) + ldexp_r(square, -k) / 2;
}

CLONES
void X(pack_scale)(pack_t *w, lane_int_t not_finite, column_reals_t key)
{
    _Alignas(64) real_t zero[LANES], good[LANES], f[LANES], square[LANES];

    for (int l = 0; l < LANES; ++l)
        zero[l] = 0;
    for (int64_t j = 0; j < w->N; ++j)
        lanes_extremes(w->M, w->X + j * w->next, key[j], zero);
    for (int l = 0; l < LANES; ++l) {
        if (zero[l] != 0 && w->info[l] == 0)
            w->info[l] = not_finite;
        good[l] = w->info[l] == 0;
    }
    for (int64_t j = 0; j < w->N; ++j) {
        for (int l = 0; l < LANES; ++l) {
            /* an even one, whose root is a power of two */
            const int some = good[l] > 0 && key[j][l] > 0;
            const int half = some ? exponent_r(key[j][l]) / 2 : 0;
            w->e[j][l] = some ? 2 * half : ZERO_EXPONENT;
            f[l] = ldexp_r(1, -half);
        }
        scale_twice(w->M, f, good, w->X + j * w->next);
        lanes_square(w->M, w->X + j * w->next, square);
        for (int l = 0; l < LANES; ++l)
            key[j][l] = key_of(square[l], w->e[j][l]);
    }
}

CLONES
void X(pack_order)(int64_t n, real_t first[][LANES], real_t second[][LANES],
                   column_ints_t place)
{
    for (int64_t j = 0; j < n; ++j) {
        lane_int_t before[LANES] = {0};
        for (int64_t k = 0; k < n; ++k)
#pragma omp simd
            for (int l = 0; l < LANES; ++l) {
                const int like = first[k][l] == first[j][l];
                const int more = k < j ? second[k][l] >= second[j][l]
                                       : second[k][l] > second[j][l];
                before[l] += first[k][l] > first[j][l] || (like && more);
            }
        for (int l = 0; l < LANES; ++l)
            place[before[l]][l] = j;
    }
}

/* Column k of C := column place[k] of B, of so many entries each, in each lane */
PART void permute(const pack_t *w, int64_t entries, const real_t *B, real_t *C)
{
    for (int64_t k = 0; k < w->N; ++k) {
        lane_int_t from[LANES];
        real_t *const to = C + k * w->next;
        for (int l = 0; l < LANES; ++l)
            from[l] = w->place[k][l] * (lane_int_t)w->next + l;
        for (int64_t i = 0; i < entries * ENTRY; i += LANES)
#pragma omp simd
            for (int l = 0; l < LANES; ++l)
                to[i + l] = B[from[l] + i];
    }
}

static void permute_exponents(pack_t *w)
{
    column_ints_t old;
    for (int64_t j = 0; j < w->N; ++j)
        for (int l = 0; l < LANES; ++l)
            old[j][l] = w->e[j][l];
    for (int64_t k = 0; k < w->N; ++k)
        for (int l = 0; l < LANES; ++l)
            w->e[k][l] = old[w->place[k][l]][l];
}

CLONES
void X(pack_permute)(pack_t *w)
{
    permute(w, w->M, w->X, w->T);
    permute_exponents(w);
}

/* Sums of squares below this lose digits: their vectors count as zeros. */
#define SQUARE_ZERO (GSVD_SAFMIN / GSVD_ULP / GSVD_ULP)

/* Finds the reflector I - tau v v^H with v = (1; x(1:)) that takes x to beta e_1; x(0) := beta.
 * tau = 0 if all of x but its first entry counts as zero. */
PART void make_reflector(int64_t rows, real_t *x, real_t *tau)
{
    _Alignas(64) real_t factor[ENTRY], rest[LANES];

    lanes_square(rows - 1, x + ENTRY, rest);
    for (int l = 0; l < LANES; ++l) {
        const real_t a = x[l], b = LAST ? x[IMAG + l] : 0;
        const real_t square = a * a + b * b + rest[l];
        const int on = rest[l] > 0 && square > SQUARE_ZERO;
        const real_t root = sqrt_r(on ? square : 1);
        const real_t beta = a > 0 ? -root : root;
        const real_t d = a - beta, over = 1 / (d * d + b * b);
        factor[l] = on ? d * over : 0; /* 1 / (alpha - beta)                 */
        tau[l] = on ? (beta - a) / beta : 0;
        x[l] = on ? beta : a;
        if (LAST) {
            factor[IMAG + l] = on ? -b * over : 0;
            tau[IMAG + l] = on ? -b / beta : 0;
            x[IMAG + l] = on ? 0 : b;
        }
    }
    const entry_t f = *entries(factor);
    for (int64_t i = 1; i < rows; ++i) {
        entry_t v = {0};
        entry_add(&f, entries(x) + i, &v);
        entries_of(x)[i] = v;
    }
}

enum { AT_ONCE = 4 }; /* columns that a reflector meets at once            */

/* c_k := (I - tau v v^H) c_k with v = (1; v[1:]), for `count` columns c_k that are `next` entries
 * apart.  The caller may give conj(tau) as tau. */
PART void reflect_some(int64_t rows, const entry_t *v, const entry_t *tau,
                       entry_t *c, int64_t next, const int count)
{
    entry_t s[AT_ONCE] = {0};

    for (int64_t from = 1; from < rows; from += PIECE) {
        const int64_t to = from + PIECE < rows ? from + PIECE : rows;
        entry_t some[AT_ONCE] = {0};
        for (int64_t i = from; i < to; ++i) {
            const entry_t x = v[i];
#pragma GCC unroll 4
            for (int k = 0; k < count; ++k)
                entry_dot(&x, &c[k * next + i], &some[k]);
        }
#pragma GCC unroll 4
        for (int k = 0; k < count; ++k)
            for (int part = 0; part < REALS_PER_SCALAR; ++part)
                s[k].part[part] += some[k].part[part];
    }
    for (int k = 0; k < count; ++k) {
        /* the 1 of v comes last: the sum is small without it */
        entry_t f = {0};
        for (int part = 0; part < REALS_PER_SCALAR; ++part)
            s[k].part[part] += c[k * next].part[part];
        entry_add(tau, &s[k], &f);
        for (int part = 0; part < REALS_PER_SCALAR; ++part) {
            s[k].part[part] = -f.part[part];
            c[k * next].part[part] += s[k].part[part];
        }
    }
    for (int64_t i = 1; i < rows; ++i) {
        const entry_t x = v[i];
#pragma GCC unroll 4
        for (int k = 0; k < count; ++k)
            entry_add(&s[k], &x, &c[k * next + i]);
    }
}

/* Rows j, ... of columns first, ... of C := I - tau v v^H, the reflector of column j of T, or its
 * inverse, times them */
PART void reflect(const pack_t *w, int64_t j, int inverse, real_t *C,
                  int64_t first)
{
    const entry_t *const v = entries(w->T + j * w->next + j * ENTRY);
    const int64_t next = w->next / ENTRY;
    entry_t tau = *entries(w->tau[j]);
    int64_t k = first;

    for (int part = 1; part < REALS_PER_SCALAR && inverse; ++part)
        tau.part[part] = -tau.part[part];
    entry_t *const c = entries_of(C + j * ENTRY);
    for (; k + AT_ONCE <= w->N; k += AT_ONCE)
        reflect_some(w->M - j, v, &tau, c + k * next, next, AT_ONCE);
    for (; k < w->N; ++k)
        reflect_some(w->M - j, v, &tau, c + k * next, next, 1);
}

CLONES
void X(pack_qr)(pack_t *w)
{
    for (int64_t j = 0; j < w->N; ++j) {
        make_reflector(w->M - j, w->T + j * w->next + j * ENTRY, w->tau[j]);
        reflect(w, j, 1, w->T, j + 1);
    }
}

CLONES
void X(pack_apply_q)(const pack_t *w, real_t *C)
{
    for (int64_t k = 0; k < w->N; ++k)
        for (int64_t i = w->N * ENTRY; i < w->M * ENTRY; ++i)
            C[k * w->next + i] = 0;
    for (int64_t j = w->N - 1; j >= 0; --j)
        reflect(w, j, 0, C, 0);
}

/* X(i,j) := conj(R(j,i)) 2^(e_i - e_j) for i >= j, else 0.  R's row j may be far shorter than 2^e_j:
 * then powers of two beyond LANES_FAR count as well. */
PART void start_graded(pack_t *w)
{
    for (int64_t j = 0; j < w->N; ++j)
        for (int64_t i = 0; i < w->N; ++i) {
            const real_t *const r = w->T + i * w->next + j * ENTRY;
            real_t *const x = w->X + j * w->next + i * ENTRY;
            lane_int_t far = 0;
#pragma omp simd reduction(| : far)
            for (int l = 0; l < LANES; ++l) {
                const lane_int_t e = w->e[i][l] - w->e[j][l];
                const real_t s = lanes_power(e);
                far |= e > LANES_FAR || e < -LANES_FAR;
                x[l] = i < j ? 0 : s * r[l];
                if (LAST)
                    x[IMAG + l] = i < j ? 0 : -s * r[IMAG + l];
            }
            for (int l = 0; l < LANES && far && i > j; ++l) {
                const int e = (int)(w->e[i][l] - w->e[j][l]);
                x[l] = ldexp_r(r[l], e);
                if (LAST)
                    x[IMAG + l] = ldexp_r(-r[IMAG + l], e);
            }
        }
}

/* X := R(:, place), and a lane that has no result := 0 */
PART void start_signed(pack_t *w)
{
    for (int64_t k = 0; k < w->N; ++k) {
        lane_int_t from[LANES];
        for (int l = 0; l < LANES; ++l)
            from[l] = w->place[k][l] * (lane_int_t)w->next + l;
        for (int64_t i = 0; i < w->N; ++i)
            for (int part = 0; part < REALS_PER_SCALAR; ++part) {
                const int64_t at = i * ENTRY + part * LANES;
                real_t *const to = w->X + k * w->next + at;
#pragma omp simd
                for (int l = 0; l < LANES; ++l) {
                    const real_t r = w->T[from[l] + at];
                    const int in_r = i <= w->place[k][l];
                    to[l] = in_r && w->info[l] == 0 ? r : 0;
                }
            }
    }
    permute_exponents(w);
}

CLONES
void X(pack_start)(pack_t *w)
{
    if (w->with_signs)
        start_signed(w);
    else
        start_graded(w);
    for (int64_t j = 0; j < w->N; ++j) {
        for (int l = 0; l < LANES; ++l)
            w->factor2[j][l] = w->over_factor2[j][l] = 1;
        for (int64_t i = 0; i < w->N * ENTRY && w->with_z; ++i)
            w->Z[j * w->next + i] = i >= j * ENTRY && i < j * ENTRY + LANES;
    }
}

CLONES
int X(pack_depends)(const pack_t *w, int bits, int *which)
{
    const real_t part = ldexp_r(1, -2 * bits);
    int some = 0;

    for (int l = 0; l < LANES; ++l)
        which[l] = 0;
    for (int64_t j = 0; j < w->N; ++j) {
        _Alignas(64) real_t square[LANES], diagonal[LANES];
        lanes_square(j + 1, w->T + j * w->next, square);
        lanes_square(1, w->T + j * w->next + j * ENTRY, diagonal);
        for (int l = 0; l < LANES; ++l)
            which[l] |= diagonal[l] < part * square[l];
    }
    for (int l = 0; l < LANES; ++l)
        some |= which[l];
    return some;
}

CLONES
void X(pack_refuse_dependent)(pack_t *w, real_t tol)
{
    for (int64_t j = 0; j < w->N; ++j) {
        _Alignas(64) real_t square[LANES], diagonal[LANES];
        lanes_square(j + 1, w->T + j * w->next, square);
        lanes_square(1, w->T + j * w->next + j * ENTRY, diagonal);
        for (int l = 0; l < LANES; ++l)
            if (w->info[l] == 0 && !(diagonal[l] > tol * tol * square[l]))
                w->info[l] = (lane_int_t)(3 + j);
    }
}
