/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* passes.cu -- primitives that go over entries once, on a grid of devices; twin of grid/passes.c.
 *
 * Lists of numbers are the host's.  A kernel gets copies of those that it reads, and those that it
 * makes are read back, and then summed up over all processes as on hosts. */
#include "grid/nccl/each.cuh"

#include "core/elementwise.h"
#include "core/value_pair.h"
#include "grid/backend.h"
#include "pivot/gaussian.h"

/* -- lists ----------------------------------------------------------------------- */

/* A copy of x[0:n) on the device; NULL of NULL */
static const real_t *on_device(int which, const real_t *x, int64_t n)
{
    return x ? (const real_t *)gsvd_nccl_list(which, x,
                                              (size_t)n * sizeof(real_t))
             : NULL;
}

static real_t *zeros(int which, int64_t n)
{
    return (real_t *)gsvd_nccl_list(which, NULL, (size_t)n * sizeof(real_t));
}

/* -- sums by column, of the entries here, which become x[0:A.cols) ------------------- */

/* Where the sums are, which takes the last list: columns of other processes have 0. */
template <class OP, class F>
static void by_column(mat_t A, OP op, F f, real_t *x)
{
    enum { LAST = LISTS - 1, SOME = 4096 };
    const here_t h = here_of(A);
    double *const sums =
        (double *)gsvd_nccl_list(LAST, NULL, (size_t)A.cols * sizeof(double));
    double read[SOME];

    if (h.r1 > h.r0 && h.c1 > h.c0)
        launch_columns(h, op, f, sums);
    for (int64_t j = 0; j < A.cols; j += SOME) {
        const int64_t some = min_i(A.cols - j, SOME);
        gsvd_nccl_read(read, sums + j, (size_t)some * sizeof(double));
        for (int64_t k = 0; k < some; ++k)
            x[j + k] = (real_t)read[k];
    }
    if (nccl_here()->failed != GSVD_SUCCESS)
        for (int64_t j = 0; j < A.cols; ++j)
            x[j] = 0;
}

/* The largest of f, of all entries and processes, in room for A.cols numbers on the host */
template <class F> static real_t largest_of_all(mat_t A, F f, real_t *room)
{
    real_t most = 0;
    by_column(A, most_t(), f, room);
    for (int64_t j = 0; j < A.cols; ++j)
        most = larger(most, room[j]);
    X(largest_all)(1, &most);
    return most;
}

static gsvd_status_t room_for(const exec_t *ex, int64_t n, real_t **room)
{
    void *work;
    GSVD_TRY(X(kernel_work)(ex, (size_t)max_i(n, 1) * sizeof(real_t), &work));
    *room = (real_t *)work;
    return GSVD_SUCCESS;
}

/* -- copies ---------------------------------------------------------------------- */

gsvd_status_t X(copy_parts)(mat_t A, mat_t B)
{
    const part_t P = X(part_of)(A), Q = X(part_of)(B);
    const int64_t rows = P.r1 - P.r0, cols = P.c1 - P.c0;

    if (rows > 0 && cols > 0)
        NCCL_CUDA(cudaMemcpy2DAsync(
            &Q.data[Q.r0 + Q.c0 * Q.ld], (size_t)Q.ld * sizeof(scalar_t),
            &P.data[P.r0 + P.c0 * P.ld], (size_t)P.ld * sizeof(scalar_t),
            (size_t)rows * sizeof(scalar_t), (size_t)cols,
            cudaMemcpyDeviceToDevice, nccl_here()->stream));
    return GSVD_SUCCESS;
}

gsvd_status_t X(real_diagonal)(mat_t A)
{
    each(A, [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
        if (i == j)
            a = make(re(a), 0);
    });
    return GSVD_SUCCESS;
}

/* -- entries --------------------------------------------------------------------- */

gsvd_status_t X(set_grid)(const exec_t *ex, mat_t A, real_t off, real_t diag)
{
    (void)ex;
    each(A, [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
        a = make(i == j ? diag : off, 0);
    });
    return GSVD_SUCCESS;
}

gsvd_status_t X(zero_lower_grid)(const exec_t *ex, mat_t A)
{
    (void)ex;
    each(A, [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
        if (i > j)
            a = make(0, 0);
    });
    return GSVD_SUCCESS;
}

/* A := 2^e A, or its upper triangle */
static gsvd_status_t scale_part(mat_t A, int e, int upper)
{
    const real_t slack = rounding_of(A);
    if (e != 0)
        each(A,
             [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
                 if (!upper || i <= j)
                     a = make(ldexp_near(re(a), e, slack),
                              ldexp_near(im(a), e, slack));
             });
    return GSVD_SUCCESS;
}

gsvd_status_t X(scale_pow2_grid)(const exec_t *ex, mat_t A, int e)
{
    (void)ex;
    return scale_part(A, e, 0);
}

gsvd_status_t X(scale_pow2_upper_grid)(const exec_t *ex, mat_t A, int e)
{
    (void)ex;
    return scale_part(A, e, 1);
}

gsvd_status_t X(nonzero_grid)(const exec_t *ex, mat_t R)
{
    (void)ex;
    each(R, [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
        if (i == j && abs_max(a) == 0)
            a = make(GSVD_SAFMIN * GSVD_ULP, 0);
    });
    return GSVD_SUCCESS;
}

/* gaussian_fill's entry (i, j) */
gsvd_status_t X(gaussian_grid)(const exec_t *ex, mat_t W, uint64_t seed)
{
    (void)ex;
    each(W, [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
        const int64_t k = REALS_PER_SCALAR == 2 ? i : i / 2;
        double x, y;
        gaussian_pair(seed, ((uint64_t)j << 24) + (uint64_t)k, &x, &y);
        a = REALS_PER_SCALAR == 2 ? make((real_t)x, (real_t)y)
                                  : make((real_t)(i % 2 ? y : x), 0);
    });
    return GSVD_SUCCESS;
}

gsvd_status_t X(normalize_columns_grid)(const exec_t *ex, mat_t A,
                                        const real_t *d, mat_t B)
{
    mat_t from;
    GSVD_TRY(X(beside)(ex, A, B, &from));
    const real_t *const length = on_device(0, d, A.cols);
    const here_t P = here_of(from), Q = here_of(B);
    each(from,
         [=] GRID_FN(int64_t, int64_t j, scalar_t & a, int64_t li, int64_t lj) {
             there(Q, P, li, lj) = over_length(a, length[j]);
         });
    return GSVD_SUCCESS;
}

gsvd_status_t X(scale_columns_grid)(const exec_t *ex, mat_t A, const real_t *d,
                                    mat_t B)
{
    mat_t from;
    GSVD_TRY(X(beside)(ex, A, B, &from));
    const real_t *const factor = on_device(0, d, A.cols);
    const here_t P = here_of(from), Q = here_of(B);
    each(from,
         [=] GRID_FN(int64_t, int64_t j, scalar_t & a, int64_t li, int64_t lj) {
             there(Q, P, li, lj) = scale(factor[j], a);
         });
    return GSVD_SUCCESS;
}

void X(grid_scale_rows)(mat_t x, const real_t *sigma, int e)
{
    const real_t *const factor = on_device(0, sigma, x.rows);
    each(x, [=] GRID_FN(int64_t i, int64_t, scalar_t & a, int64_t, int64_t) {
        a = scale(ldexp_r(factor[i], e), a);
    });
}

/* All three views are placed alike. */
gsvd_status_t X(combine_columns_grid)(const exec_t *ex, const real_t *c,
                                      mat_t A, const real_t *s, mat_t B,
                                      const real_t *a, const real_t *b, mat_t H)
{
    const real_t *const c_ = on_device(0, c, H.rows),
                        *const s_ = on_device(1, s, H.rows),
                        *const a_ = on_device(2, a, H.cols),
                        *const b_ = on_device(3, b, H.cols);
    const here_t P = here_of(H), of_a = here_of(A), of_b = here_of(B);
    const int64_t rows = A.rows;
    (void)ex;
    each(H, [=] GRID_FN(int64_t i, int64_t j, scalar_t & h, int64_t li,
                        int64_t lj) {
        const scalar_t y = there(of_b, P, li, lj);
        h = i < rows ? value_pair_combine(c_[i], there(of_a, P, li, lj), a_[j],
                                          s_[i], y, b_[j])
                     : scale(s_[i], y);
    });
    return GSVD_SUCCESS;
}

/* All three views are placed alike. */
gsvd_status_t X(combine_grid)(const exec_t *ex, const real_t *c, mat_t A,
                              const real_t *s, mat_t B, mat_t H)
{
    const real_t *const c_ = on_device(0, c, A.rows), *const s_ = on_device(
                                                          1, s, H.rows);
    const here_t P = here_of(H), of_a = here_of(A), of_b = here_of(B);
    const int64_t rows = A.rows;
    (void)ex;
    each(H,
         [=] GRID_FN(int64_t i, int64_t, scalar_t & h, int64_t li, int64_t lj) {
             const scalar_t b = scale(s_[i], there(of_b, P, li, lj));
             h = i < rows ? add(scale(c_[i], there(of_a, P, li, lj)), b) : b;
         });
    return GSVD_SUCCESS;
}

/* U and V are placed alike, in both of these. */
gsvd_status_t X(column_dots_grid)(const exec_t *ex, mat_t U, mat_t V, real_t *t)
{
    const here_t P = here_of(V), of_u = here_of(U);
    (void)ex;
    by_column(
        V, plus_t(),
        [=] GRID_FN(int64_t, int64_t, const scalar_t &a, int64_t li,
                    int64_t lj) -> double {
            return (double)re(mul(conj_of(there(of_u, P, li, lj)), a));
        },
        t);
    X(sum_all)(V.cols, t);
    return GSVD_SUCCESS;
}

gsvd_status_t X(signed_mean_grid)(const exec_t *ex, mat_t U, mat_t V,
                                  const real_t *sign)
{
    const real_t *const sign_ = on_device(0, sign, V.cols);
    const here_t P = here_of(V), of_u = here_of(U);
    (void)ex;
    each(V,
         [=] GRID_FN(int64_t, int64_t j, scalar_t & a, int64_t li, int64_t lj) {
             if (sign_[j] != 0)
                 a = scale((real_t)0.5,
                           add(a, scale(sign_[j], there(of_u, P, li, lj))));
         });
    return GSVD_SUCCESS;
}

/* -- norms ----------------------------------------------------------------------- */

/* size[0:A.rows) := the largest part of each row, of all processes, over those of columns where `largest` is
 * not NULL */
static void largest_of_rows(mat_t A, const real_t *largest, real_t *size)
{
    const real_t *const over = on_device(0, largest, A.cols);
    real_t *const list = zeros(1, A.rows);
    each(A, [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
        if (!over)
            raise(&list[i], larger_part(a));
        else if (over[j] > 0)
            raise(&list[i], larger_part(a) / over[j]);
    });
    gsvd_nccl_read(size, list, (size_t)A.rows * sizeof(real_t));
    X(largest_all)(A.rows, size);
}

/* The largest part of each column, of the entries here */
static void largest_of_columns(mat_t A, real_t *largest)
{
    by_column(
        A, most_t(),
        [=] GRID_FN(int64_t, int64_t, const scalar_t &a, int64_t,
                    int64_t) -> double { return (double)larger_part(a); },
        largest);
}

gsvd_status_t X(norms_by_row_grid)(const exec_t *ex, mat_t A, real_t *size,
                                   norms_t *r)
{
    real_t *sum, most[2] = {0, 0}; /* the largest; is one not finite?        */

    GSVD_TRY(room_for(ex, A.cols, &sum));
    largest_of_columns(A, sum);
    for (int64_t j = 0; j < A.cols; ++j) {
        most[0] = larger(most[0], sum[j]);
        most[1] = sum[j] <= GSVD_REAL_MAX ? most[1] : 1;
    }
    by_column(
        A, plus_t(),
        [=] GRID_FN(int64_t, int64_t, const scalar_t &a, int64_t,
                    int64_t) -> double { return (double)abs_of(a); },
        sum);
    X(largest_all)(2, most);
    X(sum_all)(A.cols, sum);
    r->largest = most[0];
    r->finite = most[1] == 0;
    r->norm1 = 0;
    for (int64_t j = 0; j < A.cols; ++j)
        r->norm1 = larger(r->norm1, sum[j]);
    r->least_row = GSVD_REAL_MAX;
    r->rows = 0;
    if (!size)
        return GSVD_SUCCESS;
    largest_of_rows(A, NULL, size);
    for (int64_t i = 0; i < A.rows; ++i) {
        r->rows += size[i] > 0;
        if (size[i] > 0 && size[i] < r->least_row)
            r->least_row = size[i];
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(norms_of_even_grid)(const exec_t *ex, mat_t A, norms_t *r)
{
    real_t *largest;

    if (!gsvd_grid->even_rows) { /* Rows differ, whatever columns do.         */
        r->largest = 1;
        r->least_row = GSVD_EPS;
        return GSVD_SUCCESS;
    }
    GSVD_TRY(room_for(ex, A.rows + A.cols, &largest));
    real_t *const size = largest + A.cols;
    largest_of_columns(A, largest);
    X(largest_all)(A.cols, largest);
    largest_of_rows(A, largest, size);
    r->largest = 0;
    r->least_row = GSVD_REAL_MAX;
    for (int64_t i = 0; i < A.rows; ++i) {
        r->largest = larger(r->largest, size[i]);
        if (size[i] > 0 && size[i] < r->least_row)
            r->least_row = size[i];
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(drop_grid)(const exec_t *ex, mat_t A, const real_t *d)
{
    real_t *size;

    GSVD_TRY(room_for(ex, A.rows, &size));
    if (d)
        largest_of_rows(A, NULL, size);
    const real_t *const row = on_device(0, d ? size : NULL, A.rows),
                        *const column = on_device(1, d, A.cols);
    each(A, [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
        const real_t x = larger_part(a);
        if (x <= DROPPED * (row ? row[i] : 1) &&
            x <= DROPPED * (column ? column[j] : 1))
            a = make(0, 0);
    });
    return GSVD_SUCCESS;
}

gsvd_status_t X(column_norms_grid)(const exec_t *ex, mat_t A, real_t *norm)
{
    void *room;

    (void)ex;
    GSVD_TRY(gsvd_grid_room(ROOM_LISTS,
                            (size_t)max_i(A.cols, 1) * sizeof(real_t), &room));
    real_t *const factor = (real_t *)room;
    largest_of_columns(A, factor);
    X(largest_all)(A.cols, factor);
    for (int64_t j = 0; j < A.cols; ++j)
        factor[j] = square_factor(factor[j]);
    const real_t *const by = on_device(0, factor, A.cols);
    by_column(
        A, plus_t(),
        [=] GRID_FN(int64_t, int64_t j, const scalar_t &a, int64_t,
                    int64_t) -> double {
            const double x = (double)(by[j] * re(a)),
                         y = (double)(by[j] * im(a));
            return x * x + y * y;
        },
        norm);
    X(sum_all)(A.cols, norm);
    for (int64_t j = 0; j < A.cols; ++j)
        norm[j] = sqrt_r(norm[j]) / factor[j];
    return GSVD_SUCCESS;
}

void X(read_diagonal)(mat_t R, int64_t n, real_t *to)
{
    const size_t bytes = (size_t)n * sizeof(scalar_t);
    scalar_t *const list = (scalar_t *)gsvd_nccl_list(0, NULL, bytes);
    each(mat_sub(R, 0, 0, min_i(R.rows, n), min_i(R.cols, n)),
         [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
             if (i == j)
                 list[i] = a;
         });
    gsvd_nccl_read(to, list, bytes);
    X(sum_all)(REALS_PER_SCALAR * n, to);
}

gsvd_status_t X(fix_phase_grid)(const exec_t *ex, mat_t R, mat_t Q)
{
    const int64_t n = min_i(R.rows, R.cols);
    scalar_t *d;

    GSVD_TRY(X(diagonal_grid)(ex, R, &d));
    const scalar_t *const diagonal =
        (const scalar_t *)gsvd_nccl_list(0, d, (size_t)n * sizeof(scalar_t));
    each(Q, [=] GRID_FN(int64_t, int64_t j, scalar_t & a, int64_t, int64_t) {
        if (j < n)
            a = mul(a, direction(diagonal[j]));
    });
    return GSVD_SUCCESS;
}

/* -- between the products of a large step ------------------------------------------ */

gsvd_status_t X(largest_cosine_grid)(const exec_t *ex, mat_t C, real_t *cosine)
{
    real_t *room;
    GSVD_TRY(room_for(ex, C.cols, &room));
    *cosine = largest_of_all(
        C,
        [=] GRID_FN(int64_t i, int64_t j, const scalar_t &a, int64_t, int64_t)
            -> double { return i == j ? 0 : (double)abs_of(a); },
        room);
    return GSVD_SUCCESS;
}

/* C(i,j) is exactly conj C(j,i), and T(i,j) -conj T(j,i): both come of the same numbers. */
gsvd_status_t X(rotation_angles_grid)(const exec_t *ex, mat_t C,
                                      const real_t *d, const real_t *sign,
                                      real_t least, real_t *bound)
{
    const real_t small = small_angle(C.cols);
    real_t *sum;

    GSVD_TRY(room_for(ex, C.cols, &sum));
    const real_t *const length = on_device(0, d, C.cols), *const sign_ =
                                                              on_device(1, sign,
                                                                        C.cols);
    each(C, [=] GRID_FN(int64_t i, int64_t j, scalar_t & c, int64_t, int64_t) {
        const int unequal = unequal_signs(sign_, i, j);
        scalar_t t =
            i == j  ? make(0, 0)
            : i < j ? pair_angle(c, length[i], length[j], unequal, least, small)
                    : turned_angle(pair_angle(conj_of(c), length[j], length[i],
                                              unequal, least, small),
                                   unequal);
        if (!sign_ && abs_of(c) <= DROPPED)
            t = make(0, 0);
        c = t;
    });
    by_column(
        C, plus_t(),
        [=] GRID_FN(int64_t, int64_t, const scalar_t &t, int64_t,
                    int64_t) -> double { return (double)abs_of(t); },
        sum);
    X(sum_all)(C.cols, sum);
    *bound = 0;
    for (int64_t j = 0; j < C.cols; ++j)
        *bound = larger(*bound, sum[j]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(second_order_exp_grid)(const exec_t *ex, mat_t T, mat_t S,
                                       real_t s, mat_t P)
{
    const here_t of_t = here_of(T), of_s = here_of(S), of_p = here_of(P);
    (void)ex;
    each(P, [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t li,
                        int64_t lj) {
        a = exp_entry(i == j, s, there(of_t, of_p, li, lj),
                      there(of_s, of_p, li, lj));
    });
    return GSVD_SUCCESS;
}

gsvd_status_t X(newton_schulz_grid)(const exec_t *ex, mat_t E,
                                    const real_t *sign, real_t *defect)
{
    real_t *room;
    GSVD_TRY(room_for(ex, E.cols, &room));
    const real_t *const sign_ = on_device(0, sign, E.rows);
    *defect = largest_of_all(
        E,
        [=] GRID_FN(int64_t i, int64_t j, const scalar_t &a, int64_t,
                    int64_t) -> double {
            return (double)abs_of(sub(with_sign(sign_, i, a), make(i == j, 0)));
        },
        room);
    each(E, [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
        a = newton_schulz_entry(i == j, with_sign(sign_, i, a));
    });
    return GSVD_SUCCESS;
}

gsvd_status_t X(signed_drift_grid)(const exec_t *ex, mat_t E,
                                   const real_t *sign, const real_t *d,
                                   real_t least, real_t *most)
{
    real_t *room;
    GSVD_TRY(room_for(ex, E.cols, &room));
    const real_t *const sign_ = on_device(0, sign, E.rows), *const length =
                                                                on_device(
                                                                    1, d,
                                                                    E.rows);
    each(E, [=] GRID_FN(int64_t i, int64_t j, scalar_t & a, int64_t, int64_t) {
        a = signed_drift_entry(sign_, i, j, a, least * length[i] * length[j]);
    });
    *most = largest_of_all(
        E,
        [=] GRID_FN(int64_t, int64_t, const scalar_t &a, int64_t,
                    int64_t) -> double { return (double)abs_of(a); },
        room);
    return GSVD_SUCCESS;
}
