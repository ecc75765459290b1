/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* passes.c -- primitives that go over entries once, on a grid of hosts; moves.c has those that move them. */
#include <string.h>

#include "core/angle.h"
#include "core/elementwise.h"
#include "core/value_pair.h"
#include "grid/call.h"
#include "grid/mpi_types.h"
#include "pivot/gaussian.h"

/* -- copies --------------------------------------------------------------------- */

gsvd_status_t X(copy_parts)(mat_t A, mat_t B)
{
    const part_t P = X(part_of)(A), Q = X(part_of)(B);
    const int64_t rows = P.r1 - P.r0;
    for (int64_t j = 0; rows > 0 && j < P.c1 - P.c0; ++j)
        memcpy(&Q.data[Q.r0 + (Q.c0 + j) * Q.ld],
               &P.data[P.r0 + (P.c0 + j) * P.ld],
               (size_t)rows * sizeof(scalar_t));
    return GSVD_SUCCESS;
}

gsvd_status_t X(real_diagonal)(mat_t A)
{
    const part_t P = X(part_of)(A);
    EACH_ENTRY (P, i, j)
        if (i.at == j.at)
            HERE(P, i, j) = make(re(HERE(P, i, j)), 0);
    return GSVD_SUCCESS;
}

/* -- entries ------------------------------------------------------------------ */

gsvd_status_t X(set_grid)(const exec_t *ex, mat_t A, real_t off, real_t diag)
{
    const part_t P = X(part_of)(A);
    (void)ex;
    EACH_ENTRY (P, i, j)
        HERE(P, i, j) = make(i.at == j.at ? diag : off, 0);
    return GSVD_SUCCESS;
}

gsvd_status_t X(zero_lower_grid)(const exec_t *ex, mat_t A)
{
    const part_t P = X(part_of)(A);
    (void)ex;
    EACH_ENTRY (P, i, j)
        if (i.at > j.at)
            HERE(P, i, j) = make(0, 0);
    return GSVD_SUCCESS;
}

/* An entry of a matrix times 2^e */
static scalar_t times_power(scalar_t a, int e, real_t slack)
{
    return make(ldexp_near(re(a), e, slack), ldexp_near(im(a), e, slack));
}

/* A := 2^e A, or its upper triangle */
static gsvd_status_t scale_part(mat_t A, int e, int upper)
{
    const part_t P = X(part_of)(A);
    const real_t slack = rounding_of(A);
    if (e == 0)
        return GSVD_SUCCESS;
    EACH_ENTRY (P, i, j)
        if (!upper || i.at <= j.at)
            HERE(P, i, j) = times_power(HERE(P, i, j), e, slack);
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
    const part_t P = X(part_of)(R);
    (void)ex;
    EACH_ENTRY (P, i, j)
        if (i.at == j.at && abs_max(HERE(P, i, j)) == 0)
            HERE(P, i, j) = make(GSVD_SAFMIN * GSVD_ULP, 0);
    return GSVD_SUCCESS;
}

/* gaussian_fill's entry (i, j) */
gsvd_status_t X(gaussian_grid)(const exec_t *ex, mat_t W, uint64_t seed)
{
    const part_t P = X(part_of)(W);
    (void)ex;
    EACH_ENTRY (P, i, j) {
        const int64_t k = REALS_PER_SCALAR == 2 ? i.at : i.at / 2;
        double x, y;
        gaussian_pair(seed, ((uint64_t)j.at << 24) + (uint64_t)k, &x, &y);
        HERE(P, i, j) = REALS_PER_SCALAR == 2
                            ? make((real_t)x, (real_t)y)
                            : make((real_t)(i.at % 2 ? y : x), 0);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(normalize_columns_grid)(const exec_t *ex, mat_t A,
                                        const real_t *d, mat_t B)
{
    mat_t from;
    GSVD_TRY(X(beside)(ex, A, B, &from));
    const part_t P = X(part_of)(from), Q = X(part_of)(B);
    EACH_ENTRY (P, i, j)
        THERE(Q, P, i, j) = over_length(HERE(P, i, j), d[j.at]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(scale_columns_grid)(const exec_t *ex, mat_t A, const real_t *d,
                                    mat_t B)
{
    mat_t from;
    GSVD_TRY(X(beside)(ex, A, B, &from));
    const part_t P = X(part_of)(from), Q = X(part_of)(B);
    EACH_ENTRY (P, i, j)
        THERE(Q, P, i, j) = scale(d[j.at], HERE(P, i, j));
    return GSVD_SUCCESS;
}

/* All three views are placed alike. */
gsvd_status_t X(combine_columns_grid)(const exec_t *ex, const real_t *c,
                                      mat_t A, const real_t *s, mat_t B,
                                      const real_t *a, const real_t *b, mat_t H)
{
    const part_t P = X(part_of)(H), of_a = X(part_of)(A), of_b = X(part_of)(B);
    (void)ex;
    EACH_ENTRY (P, i, j) {
        const scalar_t y = THERE(of_b, P, i, j);
        HERE(P, i, j) = i.at < A.rows
                            ? value_pair_combine(c[i.at], THERE(of_a, P, i, j),
                                                 a[j.at], s[i.at], y, b[j.at])
                            : scale(s[i.at], y);
    }
    return GSVD_SUCCESS;
}

/* All three views are placed alike. */
gsvd_status_t X(combine_grid)(const exec_t *ex, const real_t *c, mat_t A,
                              const real_t *s, mat_t B, mat_t H)
{
    const part_t P = X(part_of)(H), of_a = X(part_of)(A), of_b = X(part_of)(B);
    (void)ex;
    EACH_ENTRY (P, i, j) {
        const scalar_t b = scale(s[i.at], THERE(of_b, P, i, j));
        HERE(P, i, j) =
            i.at < A.rows ? add(scale(c[i.at], THERE(of_a, P, i, j)), b) : b;
    }
    return GSVD_SUCCESS;
}

/* U and V are placed alike, in both of these. */
gsvd_status_t X(column_dots_grid)(const exec_t *ex, mat_t U, mat_t V, real_t *t)
{
    const part_t P = X(part_of)(V), of_u = X(part_of)(U);
    (void)ex;
    for (int64_t j = 0; j < V.cols; ++j)
        t[j] = 0;
    EACH_ENTRY (P, i, j)
        t[j.at] += re(mul(conj_of(THERE(of_u, P, i, j)), HERE(P, i, j)));
    X(sum_all)(V.cols, t);
    return GSVD_SUCCESS;
}

gsvd_status_t X(signed_mean_grid)(const exec_t *ex, mat_t U, mat_t V,
                                  const real_t *sign)
{
    const part_t P = X(part_of)(V), of_u = X(part_of)(U);
    (void)ex;
    EACH_ENTRY (P, i, j)
        if (sign[j.at] != 0)
            HERE(P, i, j) = scale(
                (real_t)0.5,
                add(HERE(P, i, j), scale(sign[j.at], THERE(of_u, P, i, j))));
    return GSVD_SUCCESS;
}

void X(grid_scale_rows)(mat_t x, const real_t *sigma, int e)
{
    const part_t P = X(part_of)(x);
    EACH_ENTRY (P, i, j)
        HERE(P, i, j) = scale(ldexp_r(sigma[i.at], e), HERE(P, i, j));
}

/* -- norms -------------------------------------------------------------------- */

/* The norms of A, and with `size` those of its rows; sum: a number for each column */
static void norms_of(mat_t A, real_t *size, real_t *sum, norms_t *r)
{
    const part_t P = X(part_of)(A);
    real_t most[2] = {0, 0}; /* the largest entry; is one not finite?        */

    for (int64_t j = 0; j < A.cols; ++j)
        sum[j] = 0;
    for (int64_t i = 0; size && i < A.rows; ++i)
        size[i] = 0;
    EACH_ENTRY (P, i, j) {
        const scalar_t a = HERE(P, i, j);
        const real_t x = larger_part(a);
        if (!(x <= GSVD_REAL_MAX))
            most[1] = 1;
        most[0] = larger(most[0], x);
        sum[j.at] += abs_of(a);
        if (size)
            size[i.at] = larger(size[i.at], x);
    }
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
        return;
    X(largest_all)(A.rows, size);
    for (int64_t i = 0; i < A.rows; ++i) {
        r->rows += size[i] > 0;
        if (size[i] > 0 && size[i] < r->least_row)
            r->least_row = size[i];
    }
}

gsvd_status_t X(norms_by_row_grid)(const exec_t *ex, mat_t A, real_t *size,
                                   norms_t *r)
{
    void *work;
    GSVD_TRY(
        X(kernel_work)(ex, (size_t)max_i(A.cols, 1) * sizeof(real_t), &work));
    norms_of(A, size, work, r);
    return GSVD_SUCCESS;
}

gsvd_status_t X(norms_of_even_grid)(const exec_t *ex, mat_t A, norms_t *r)
{
    const part_t P = X(part_of)(A);
    void *work;

    if (!gsvd_grid->even_rows) { /* Rows differ, whatever columns do.         */
        r->largest = 1;
        r->least_row = GSVD_EPS;
        return GSVD_SUCCESS;
    }
    GSVD_TRY(
        X(kernel_work)(ex, (size_t)(A.rows + A.cols) * sizeof(real_t), &work));
    real_t *const largest = work, *const size = largest + A.cols;
    for (int64_t k = 0; k < A.rows + A.cols; ++k)
        largest[k] = 0;
    EACH_ENTRY (P, i, j)
        largest[j.at] = larger(largest[j.at], larger_part(HERE(P, i, j)));
    X(largest_all)(A.cols, largest);
    EACH_ENTRY (P, i, j)
        if (largest[j.at] > 0)
            size[i.at] =
                larger(size[i.at], larger_part(HERE(P, i, j)) / largest[j.at]);
    X(largest_all)(A.rows, size);
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
    const part_t P = X(part_of)(A);
    void *work;

    GSVD_TRY(
        X(kernel_work)(ex, (size_t)max_i(A.rows, 1) * sizeof(real_t), &work));
    real_t *const size = work;
    for (int64_t i = 0; i < A.rows; ++i)
        size[i] = d ? 0 : 1;
    if (d) {
        EACH_ENTRY (P, i, j)
            size[i.at] = larger(size[i.at], larger_part(HERE(P, i, j)));
        X(largest_all)(A.rows, size);
    }
    EACH_ENTRY (P, i, j) {
        const real_t x = larger_part(HERE(P, i, j));
        if (x <= DROPPED * size[i.at] && x <= DROPPED * (d ? d[j.at] : 1))
            HERE(P, i, j) = make(0, 0);
    }
    return GSVD_SUCCESS;
}

/* Loops go by so many numbers at a time, which do not wait for each other. */
enum { LANES = 8 };

/* Few columns: those of random vectors, and those whose squares from all processes are at most so many, a
 * message of 32 KiB in double precision */
enum { NARROW = 8, MOST_SQUARES = 2048 };

/* The sum of the squares of f a(i), in sums of a few: equal numbers round alike. */
static double sum_of_squares(int64_t n, const scalar_t *a, real_t f)
{
    enum { FEW = 32 * LANES };
    const real_t *const x = (const real_t *)a;
    const int64_t reals = REALS_PER_SCALAR * n, whole = reals / LANES * LANES;
    double all = 0;

    for (int64_t from = 0; from < whole; from += FEW) {
        const int64_t end = min_i(from + FEW, whole);
        double sum[LANES] = {0};
        for (int64_t i = from; i < end; i += LANES)
            for (int k = 0; k < LANES; ++k)
                sum[k] += (double)(f * x[i + k]) * (double)(f * x[i + k]);
        for (int k = 0; k < LANES; ++k)
            all += sum[k];
    }
    for (int64_t i = whole; i < reals; ++i)
        all += (double)(f * x[i]) * (double)(f * x[i]);
    return all;
}

/* The largest |re| or |im|; of a NaN it may be any number, and the sum of squares is a NaN. */
static real_t largest_part(int64_t n, const scalar_t *a)
{
    const real_t *const x = (const real_t *)a;
    const int64_t reals = REALS_PER_SCALAR * n, whole = reals / LANES * LANES;
    real_t most[LANES] = {0};

    for (int64_t i = 0; i < whole; i += LANES)
        for (int k = 0; k < LANES; ++k)
            most[k] = fabs_r(x[i + k]) > most[k] ? fabs_r(x[i + k]) : most[k];
    for (int64_t i = whole; i < reals; ++i)
        most[0] = fabs_r(x[i]) > most[0] ? fabs_r(x[i]) : most[0];
    for (int k = 1; k < LANES; ++k)
        most[0] = most[k] > most[0] ? most[k] : most[0];
    return most[0];
}

/* The squares of a column of a process, times factor^2 */
typedef struct square {
    real_t sum, factor;
} square_t;

/* Of few columns: all processes get the sums of all, and add them in one order, by the factor of the largest. */
static void few_norms(const part_t *P, int64_t n, square_t *all, real_t *norm)
{
    square_t *const mine = all + n * gsvd_grid->rank;

    for (int64_t j = 0; j < n; ++j)
        mine[j] = (square_t){0, square_factor(0)};
    EACH_COLUMN(*P, j)
    {
        const scalar_t *const x = &P->data[P->r0 + j.local * P->ld];
        const int64_t rows = P->r1 - P->r0;
        const real_t factor = square_factor(largest_part(rows, x));
        mine[j.at] =
            (square_t){(real_t)sum_of_squares(rows, x, factor), factor};
    }
    MPI_Allgather(MPI_IN_PLACE, 0, GRID_REAL, all, (int)(2 * n), GRID_REAL,
                  gsvd_grid->comm);
    for (int64_t j = 0; j < n; ++j) {
        real_t sum = 0, least = all[j].factor;
        for (int64_t k = j; k < n * gsvd_grid->size; k += n)
            least = all[k].factor < least ? all[k].factor : least;
        for (int64_t k = j; k < n * gsvd_grid->size; k += n) {
            const real_t over = least / all[k].factor;
            sum += all[k].sum * over * over;
        }
        norm[j] = sqrt_r(sum) / least;
    }
}

gsvd_status_t X(column_norms_grid)(const exec_t *ex, mat_t A, real_t *norm)
{
    const part_t P = X(part_of)(A);
    const int64_t narrow = max_i(NARROW, MOST_SQUARES / gsvd_grid->size);
    void *work;

    if (A.cols <= narrow) {
        GSVD_TRY(gsvd_grid_room(
            ROOM_LISTS, (size_t)(narrow * gsvd_grid->size) * sizeof(square_t),
            &work));
        few_norms(&P, A.cols, work, norm);
        return GSVD_SUCCESS;
    }
    GSVD_TRY(
        X(kernel_work)(ex, (size_t)max_i(A.cols, 1) * sizeof(real_t), &work));
    real_t *const factor = work;
    for (int64_t j = 0; j < A.cols; ++j)
        factor[j] = norm[j] = 0;
    EACH_COLUMN(P, j)
    factor[j.at] = largest_part(P.r1 - P.r0, &P.data[P.r0 + j.local * P.ld]);
    X(largest_all)(A.cols, factor);
    for (int64_t j = 0; j < A.cols; ++j)
        factor[j] = square_factor(factor[j]);
    EACH_COLUMN(P, j)
    norm[j.at] = (real_t)sum_of_squares(
        P.r1 - P.r0, &P.data[P.r0 + j.local * P.ld], factor[j.at]);
    X(sum_all)(A.cols, norm);
    for (int64_t j = 0; j < A.cols; ++j)
        norm[j] = sqrt_r(norm[j]) / factor[j];
    return GSVD_SUCCESS;
}

/* Of R's diagonal, on all processes; 0 behind it */
void X(read_diagonal)(mat_t R, int64_t n, real_t *to)
{
    const part_t P = X(part_of)(R);
    const int64_t reals = REALS_PER_SCALAR * n;

    for (int64_t k = 0; k < reals; ++k)
        to[k] = 0;
    EACH_ENTRY (P, i, j)
        if (i.at == j.at && i.at < n) {
            to[REALS_PER_SCALAR * i.at] = re(HERE(P, i, j));
            if (REALS_PER_SCALAR == 2)
                to[2 * i.at + 1] = im(HERE(P, i, j));
        }
    X(sum_all)(reals, to);
}

gsvd_status_t X(fix_phase_grid)(const exec_t *ex, mat_t R, mat_t Q)
{
    const int64_t n = min_i(R.rows, R.cols);
    const part_t P = X(part_of)(Q);
    scalar_t *d;

    GSVD_TRY(X(diagonal_grid)(ex, R, &d));
    EACH_ENTRY (P, i, j)
        if (j.at < n)
            HERE(P, i, j) = mul(HERE(P, i, j), direction(d[j.at]));
    return GSVD_SUCCESS;
}

/* -- between the products of a large step ------------------------------------------ */

gsvd_status_t X(largest_cosine_grid)(const exec_t *ex, mat_t C, real_t *cosine)
{
    const part_t P = X(part_of)(C);
    (void)ex;
    *cosine = 0;
    EACH_ENTRY (P, i, j)
        if (i.at != j.at)
            *cosine = larger(*cosine, abs_of(HERE(P, i, j)));
    X(largest_all)(1, cosine);
    return GSVD_SUCCESS;
}

/* C(i,j) is exactly conj C(j,i), and T(i,j) -conj T(j,i): both come of the same numbers. */
gsvd_status_t X(rotation_angles_grid)(const exec_t *ex, mat_t C,
                                      const real_t *d, const real_t *sign,
                                      real_t least, real_t *bound)
{
    const part_t P = X(part_of)(C);
    const real_t small = small_angle(C.cols);
    void *work;

    GSVD_TRY(
        X(kernel_work)(ex, (size_t)max_i(C.cols, 1) * sizeof(real_t), &work));
    real_t *const sum = work;
    for (int64_t j = 0; j < C.cols; ++j)
        sum[j] = 0;
    EACH_ENTRY (P, i, j) {
        const int unequal = unequal_signs(sign, i.at, j.at);
        const scalar_t c = HERE(P, i, j);
        scalar_t t =
            i.at == j.at ? make(0, 0)
            : i.at < j.at
                ? pair_angle(c, d[i.at], d[j.at], unequal, least, small)
                : turned_angle(pair_angle(conj_of(c), d[j.at], d[i.at], unequal,
                                          least, small),
                               unequal);
        if (!sign && abs_of(c) <= DROPPED)
            t = make(0, 0);
        HERE(P, i, j) = t;
        sum[j.at] += abs_of(t);
    }
    X(sum_all)(C.cols, sum);
    *bound = 0;
    for (int64_t j = 0; j < C.cols; ++j)
        *bound = larger(*bound, sum[j]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(second_order_exp_grid)(const exec_t *ex, mat_t T, mat_t S,
                                       real_t s, mat_t P)
{
    const part_t of_t = X(part_of)(T), of_s = X(part_of)(S),
                 of_p = X(part_of)(P);
    (void)ex;
    EACH_ENTRY (of_p, i, j)
        HERE(of_p, i, j) = exp_entry(i.at == j.at, s, THERE(of_t, of_p, i, j),
                                     THERE(of_s, of_p, i, j));
    return GSVD_SUCCESS;
}

gsvd_status_t X(newton_schulz_grid)(const exec_t *ex, mat_t E,
                                    const real_t *sign, real_t *defect)
{
    const part_t P = X(part_of)(E);
    (void)ex;
    *defect = 0;
    EACH_ENTRY (P, i, j) {
        const scalar_t e = with_sign(sign, i.at, HERE(P, i, j));
        *defect = larger(*defect, abs_of(sub(e, make(i.at == j.at, 0))));
        HERE(P, i, j) = newton_schulz_entry(i.at == j.at, e);
    }
    X(largest_all)(1, defect);
    return GSVD_SUCCESS;
}

gsvd_status_t X(signed_drift_grid)(const exec_t *ex, mat_t E,
                                   const real_t *sign, const real_t *d,
                                   real_t least, real_t *most)
{
    const part_t P = X(part_of)(E);
    (void)ex;
    *most = 0;
    EACH_ENTRY (P, i, j) {
        const scalar_t x = signed_drift_entry(sign, i.at, j.at, HERE(P, i, j),
                                              least * d[i.at] * d[j.at]);
        *most = larger(*most, abs_of(x));
        HERE(P, i, j) = x;
    }
    X(largest_all)(1, most);
    return GSVD_SUCCESS;
}
