/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh_columns.cuh -- the eigenvectors of a small matrix while the columns of U Sigma and V are in
 * registers (columns.cuh): steps 1 and 5 to 7 of eigh.h for problems without open columns, none of
 * which leans.  All others are left to eigh.h.
 *
 * A lane has a row of A = (V + U J) / 2, which is not stored before it has passed its test. */
#ifndef GSVD_BATCH_EIGH_COLUMNS_CUH
#define GSVD_BATCH_EIGH_COLUMNS_CUH

#include "batch/columns.cuh"
#include "batch/eigh_test.h"
#include "batch/problem.h"

/* What the lanes of a team tell each other, in the memory of rotations.  f: A's column j is
 * v_j / 2 + f_j times U Sigma's; w: the eigenvalue of each column; then x, of each vector */
enum { EIGH_F, EIGH_W, EIGH_X, EIGH_TOLD = EIGH_X + EIGH_VECTORS };
typedef real_t eigh_told_t[LANES];

/* Another lane's number */
static __device__ __forceinline__ scalar_t lane_of(scalar_t a, int lane)
{
    const real_t x = __shfl_sync(ALL_LANES, re(a), lane);
    return make(x, REALS_PER_SCALAR == 2 ? __shfl_sync(ALL_LANES, im(a), lane)
                                         : 0);
}

template <int NC> static __device__ __forceinline__ real_t sum_of_team(real_t x)
{
#pragma unroll
    for (int step = NC / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(ALL_LANES, x, step);
    return x;
}

/* Bit p: the column whose value is number p by size is that of a negative eigenvalue. */
template <int NC>
static __device__ __forceinline__ unsigned negative_places(int is_negative,
                                                           int place)
{
    unsigned places = is_negative ? 1u << place : 0;
#pragma unroll
    for (int step = NC / 2; step > 0; step /= 2)
        places |= __shfl_xor_sync(ALL_LANES, places, step);
    return places;
}

/* Entry j of the lane's row of A */
template <int NC>
static __device__ __forceinline__ scalar_t entry_of_mean(
    const scalar_t (&a)[NC], const scalar_t (&v)[NC], const real_t *f, int j)
{
    return add(scale((real_t)0.5, v[j]), scale(f[j], a[j]));
}

/* A vector of the test, as a lane has it: its entry for column `lane`, and the lane's entries of A x and
 * of what is left, at first A W x, w by 2^-e */
typedef struct eigh_vector {
    real_t x;
    scalar_t y, left;
} eigh_vector_t;

/* Numbers of H that a lane reads at a time */
template <int NC> struct eigh_read {
    enum {
        WANTED = 16 / REALS_PER_SCALAR,
        AT_ONCE = NC < WANTED ? NC : WANTED
    };
};

/* left := left - H z, z = A x by 2^-e; H: of order n, which all problems of the warp have that are there */
template <int NC>
static __device__ __forceinline__ void
subtract_products(const problem_t *q, mat_t H, int e,
                  eigh_vector_t (&vector)[EIGH_VECTORS])
{
    enum { AT_ONCE = eigh_read<NC>::AT_ONCE };
    const int first = threadIdx.x % LANES - q->lane, row = q->lane;
    const power_t down = power_of(-e);

#pragma unroll 1
    for (int k0 = 0; k0 < H.cols; k0 += AT_ONCE) {
        scalar_t h[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k)
            h[k] =
                row < q->n && k0 + k < q->n ? AT(H, row, k0 + k) : make(0, 0);
#pragma unroll
        for (int v = 0; v < EIGH_VECTORS; ++v) {
            const scalar_t z = times_power(down, vector[v].y);
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) {
                const scalar_t other = lane_of(z, first + (k0 + k) % NC);
                vector[v].left = sub(vector[v].left, mul(h[k], other));
            }
        }
    }
}

/* Does the vector pass the test?  most: the largest |w| */
template <int NC>
static __device__ __forceinline__ int
passes(const scalar_t (&a)[NC], const scalar_t (&v)[NC], const real_t *f,
       const problem_t *q, const eigh_vector_t *vector, int e, real_t most)
{
    const scalar_t back = sum_of_mine<NC>(q, [&](int j) {
        return dot_add(entry_of_mean<NC>(a, v, f, j), vector->y, make(0, 0));
    });
    const scalar_t lean =
        q->lane < q->n ? sub(back, make(vector->x, 0)) : make(0, 0);
    const real_t size = sqrt_r(sum_of_team<NC>(vector->x * vector->x));
    const real_t of_lean = sqrt_r(sum_of_team<NC>(abs2(lean)));
    const real_t of_left = sqrt_r(sum_of_team<NC>(abs2(vector->left)));
    return of_lean <= eigh_most_lean(q->n) * size &&
           of_left <= eigh_most_left(q->n) * ldexp_r(most, -e) * size;
}

/* Q := A, by the places of its columns, and w: of column `lane` */
template <int NC>
static __device__ __forceinline__ void
store_eigh(const eigh_batch_t *b, int64_t i, const problem_t *q,
           const scalar_t (&a)[NC], const scalar_t (&v)[NC], const real_t *f,
           const int *place, real_t w)
{
    const mat_t Q = matrix_of(&b->Q, i, b->n, b->n);
    if (q->lane < q->n) {
#pragma unroll
        for (int j = 0; j < NC; ++j)
            if (j < q->n)
                AT(Q, q->lane, place[j]) =
                    add(entry_of_mean<NC>(a, v, f, j), make(0, 0));
        reals_of_batch(b->w, i)[place[q->lane]] = w;
    }
    if (q->lane == 0) {
        b->info[i] = 0;
        eigh_ends(b->sigma + i * b->n);
    }
}

/* Ends problem i, if `some` and if it can: stores Q and w, and tells so by sigma.  over: 1 over the
 * lengths of the columns of U Sigma, of the team; value: Sigma's of column `lane`; places: of all by
 * size, and where it ends the problem those by eigenvalue.  All lanes of the warp come to this. */
template <int NC>
static __device__ __forceinline__ int
end_eigh(const eigh_batch_t *b, int64_t i, const problem_t *q,
         const scalar_t (&a)[NC], const scalar_t (&v)[NC], const real_t *over,
         real_t value, int *places, int some)
{
    const int first = threadIdx.x % LANES - q->lane, n = q->n;
    const int there = q->lane < n;
    eigh_told_t *const told = (eigh_told_t *)&q->told->turn[0][0][0][0];
    real_t *const f = told[EIGH_F] + first, *const w = told[EIGH_W] + first;

    static_assert(sizeof q->told->turn >= EIGH_TOLD * sizeof(eigh_told_t), "");
    const scalar_t inner = sum_of_mine<NC>(
        q, [&](int j) { return dot_add(a[j], v[j], make(0, 0)); }); /* 1 */
    const real_t dot = re(inner) * over[q->lane];
    const int lean = there && !(1 - fabs_r(dot) <= eigh_little_lean(n));
    const int leans = votes_of<NC>(lean, q->lane) != 0;
    some = some && !leans;
    if (!__any_sync(ALL_LANES, some))
        return 0;

    const int is_negative = there && dot < 0; /* 5, 6 */
    const int place = places[q->lane];
    const unsigned negative = negative_places<NC>(is_negative, place);
    const int below = __popc(negative & ((1u << place) - 1));
    const int own = is_negative ? below : n - 1 - (place - below);
    const real_t most = most_of<NC>(there ? value : 0);
    const int e = most > 0 ? exponent_r(most) : 0;
    const real_t own_value = is_negative ? -value : value;
    __syncwarp();
    f[q->lane] = !there        ? 0
                 : is_negative ? (real_t)-0.5 * over[q->lane]
                               : (real_t)0.5 * over[q->lane];
    w[q->lane] = there ? ldexp_r(own_value, -e) : 0;
    for (int k = 0; k < EIGH_VECTORS; ++k)
        told[EIGH_X + k][first + q->lane] =
            there ? probe_entry(own + k * n) : 0;
    __syncwarp();

    const mat_t H = mat_view(b->H + i * b->n * b->n, b->n, b->n, b->n);
    eigh_vector_t vector[EIGH_VECTORS]; /* 7 */
    int good = 1;
#pragma unroll
    for (int k = 0; k < EIGH_VECTORS; ++k) {
        vector[k].x = told[EIGH_X + k][first + q->lane];
        vector[k].y = vector[k].left = make(0, 0);
    }
#pragma unroll
    for (int j = 0; j < NC; ++j) {
        const scalar_t m = entry_of_mean<NC>(a, v, f, j);
        const scalar_t weighted = scale(w[j], m);
#pragma unroll
        for (int k = 0; k < EIGH_VECTORS; ++k) {
            const real_t x = told[EIGH_X + k][first + j];
            vector[k].y = add(vector[k].y, scale(x, m));
            vector[k].left = add(vector[k].left, scale(x, weighted));
        }
    }
    subtract_products<NC>(q, H, e, vector);
#pragma unroll
    for (int k = 0; k < EIGH_VECTORS; ++k)
        good &= passes<NC>(a, v, f, q, &vector[k], e, most);
    if (!some || !good)
        return 0;
    places[q->lane] = own;
    __syncwarp(mask_of<NC>(q->lane));
    store_eigh<NC>(b, i, q, a, v, f, places, own_value);
    return 1;
}

#endif /* GSVD_BATCH_EIGH_COLUMNS_CUH */
