/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* steps.c -- the primitives of large steps in batches (large_steps.c), matrix by matrix; CPU
 * twin of steps.cu. */
#include "batch/large_steps.h"
#include "batch/problem.h"
#include "core/pair.h"

/* The exponent of A's scale; *left where an entry is not finite */
static int find_scale(const shape_t *p, int *left)
{
    real_t largest = 0;
    int finite = 1;

    for (int64_t j = 0; p->A.data && j < p->A.cols; ++j)
        for (int64_t i = 0; i < p->A.rows; ++i) {
            largest = fmax_r(largest, abs_max(AT(p->A, i, j)));
            finite &= finite_entry(AT(p->A, i, j));
        }
    *left = finite ? LEFT_NOT : LEFT_NOT_FINITE;
    return finite ? scale_exponent(largest, p->rows, p->cols) : 0;
}

/* X := 2^e A, or 0 if A is not finite; length := those of its columns.  1 if they differ too
 * much. */
static int load(const shape_t *p, int e, int finite, mat_t X, real_t *length)
{
    const power_t up = power_of(e);
    real_t shortest = GSVD_REAL_MAX, longest = 0;

    for (int64_t j = 0; j < X.cols; ++j) {
        real_t square = 0;
        for (int64_t i = 0; i < X.rows; ++i) {
            const scalar_t a =
                finite ? times_power(up, entry_of(p, i, j)) : make(0, 0);
            AT(X, i, j) = a;
            square += abs2(a);
        }
        length[j] = square > COLUMN_TINY ? sqrt_r(square) : 0;
        shortest = length[j] < shortest ? length[j] : shortest;
        longest = fmax_r(longest, length[j]);
    }
    return !(longest <= LENGTHS_APART * shortest);
}

/* Are rows of X, whose columns have these lengths, to be sorted?  They are compared once columns are
 * alike. */
static int rows_apart(mat_t X, const real_t *column)
{
    enum { SOME = 64 };
    real_t size[SOME], longest = 0, shortest = GSVD_REAL_MAX;

    for (int64_t first = 0; first < X.rows; first += SOME) {
        const int64_t some = min_i(SOME, X.rows - first);
        for (int64_t i = 0; i < some; ++i)
            size[i] = 0;
        for (int64_t j = 0; j < X.cols; ++j)
            for (int64_t i = 0; i < some && column[j] > 0; ++i)
                size[i] =
                    fmax_r(size[i], abs_max(AT(X, first + i, j)) / column[j]);
        for (int64_t i = 0; i < some; ++i) {
            longest = fmax_r(longest, size[i]);
            shortest = size[i] > 0 && size[i] < shortest ? size[i] : shortest;
        }
    }
    return longest > 0 && X.cols > 1 && rows_are_sorted(longest, shortest);
}

gsvd_status_t X(batch_load_cpu)(const exec_t *ex, const svd_batch_t *b,
                                mats_t X, mats_t V, const steps_batch_t *s)
{
    for (int64_t i = 0; i < X.count; ++i) {
        const shape_t p = shape_of(b, s->first + i);
        int *const left = &s->left[i];
        s->exponent[i] = find_scale(&p, left);
        const int apart =
            load(&p, s->exponent[i], p.A.data && *left == LEFT_NOT,
                 mats_at(X, i), s->column + i * X.cols);
        if (V.data)
            GSVD_TRY(ex->op->copy(ex, mats_at(X, i), mats_at(V, i)));
        if (*left == LEFT_NOT &&
            rows_apart(mats_at(X, i), s->column + i * X.cols))
            *left = LEFT_GRADED;
        else if (*left == LEFT_NOT && apart)
            *left = LEFT_TO_JACOBI;
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(batch_gemm_cpu)(const exec_t *ex, char op, mats_t A, mats_t B,
                                mats_t C)
{
    for (int64_t i = 0; i < C.count; ++i)
        GSVD_TRY(ex->op->gemm(ex, op, 'N', mats_at(A, i), mats_at(B, i),
                              mats_at(C, i)));
    return GSVD_SUCCESS;
}

static void scale_matrix(mat_t A, real_t f)
{
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(A, i, j) = scale(f, AT(A, i, j));
}

gsvd_status_t X(batch_gram_cpu)(const exec_t *ex, real_t alpha, mats_t A,
                                mats_t C)
{
    for (int64_t i = 0; i < C.count; ++i) {
        GSVD_TRY(ex->op->gram(ex, mats_at(A, i), mats_at(C, i)));
        if (alpha != 1)
            scale_matrix(mats_at(C, i), alpha);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(batch_gram_open_cpu)(const exec_t *ex, mats_t X,
                                     const steps_batch_t *s, real_t enough,
                                     mats_t C)
{
    for (int64_t i = 0; i < C.count; ++i)
        if (is_open(s, i, enough))
            GSVD_TRY(ex->op->gram(ex, mats_at(X, i), mats_at(C, i)));
    return GSVD_SUCCESS;
}

gsvd_status_t X(batch_eigenvectors_cpu)(const exec_t *ex, mats_t A,
                                        const steps_batch_t *s)
{
    for (int64_t i = 0; i < A.count; ++i)
        GSVD_TRY(
            ex->op->eigenvectors(ex, mats_at(A, i), s->length + i * A.cols));
    return GSVD_SUCCESS;
}

size_t X(batch_eigenvectors_bytes_cpu)(const exec_t *ex, int64_t n,
                                       int64_t count)
{
    (void)count;
    return ex->op->kernel_bytes(ex, KERNELS_EIGENVECTORS, n, n, n);
}

static void set_identity(mat_t A)
{
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(A, i, j) = make(i == j, 0);
}

/* The largest |E - I| */
static real_t defect_of(mat_t E)
{
    real_t defect = 0;
    for (int64_t j = 0; j < E.cols; ++j)
        for (int64_t i = 0; i < E.rows; ++i)
            defect = larger(defect, abs_of(sub(AT(E, i, j), make(i == j, 0))));
    return defect;
}

gsvd_status_t X(batch_unitary_cpu)(const exec_t *ex, mats_t E, mats_t V,
                                   const steps_batch_t *s)
{
    (void)ex;
    for (int64_t i = 0; i < E.count; ++i) {
        if (s->left[i] == LEFT_NOT && !nearly_unitary(defect_of(mats_at(E, i))))
            s->left[i] = LEFT_TO_JACOBI;
        if (s->left[i] != LEFT_NOT) {
            set_identity(mats_at(E, i));
            set_identity(mats_at(V, i));
        }
    }
    return GSVD_SUCCESS;
}

/* The lengths of the columns of which C is the Gram matrix */
static void find_lengths(mat_t C, real_t *length)
{
    for (int64_t j = 0; j < C.cols; ++j) {
        const real_t square = re(AT(C, j, j));
        length[j] = square > COLUMN_TINY ? sqrt_r(square) : 0;
    }
}

/* C := T; the largest cosine, and that of the pairs without an angle.  E, unless E.data == NULL, :=
 * Hermitian from below its diagonal: T is exact for the H that P has. */
static void find_angles(mat_t C, mat_t E, const real_t *length, real_t least,
                        real_t most, real_t *cosine, real_t *missed)
{
    const real_t small = small_angle(C.cols);

    *cosine = *missed = 0;
    for (int64_t j = 0; j < C.cols; ++j) {
        AT(C, j, j) = make(0, 0);
        for (int64_t i = j + 1; i < C.cols; ++i) {
            const scalar_t h =
                E.data ? unitary_entry(0, AT(E, i, j)) : make(0, 0);
            if (E.data)
                AT(E, j, i) = conj_of(AT(E, i, j));
            const scalar_t c = gram_entry(AT(C, i, j), h, length[i], length[j]);
            real_t of_pair;
            const scalar_t t = step_angle(conj_of(c), length[j], length[i],
                                          least, small, most, &of_pair);
            *cosine = larger(*cosine, of_pair);
            *missed = larger(*missed, abs_of(t) > 0 ? 0 : of_pair);
            AT(C, i, j) = turned_angle(t, 0);
            AT(C, j, i) = t;
        }
    }
}

/* The largest sums over i of |T(i,j)| and of (|T(i,j)| + |H(i,j)|) d_i / d_j */
static void find_sums(mat_t T, mat_t E, const real_t *length, real_t *bound,
                      real_t *u)
{
    *bound = *u = 0;
    for (int64_t j = 0; j < T.cols; ++j) {
        real_t sum = 0, weighted = 0;
        for (int64_t i = 0; i < T.rows; ++i) {
            const real_t size = abs_of(AT(T, i, j));
            const scalar_t h =
                E.data ? unitary_entry(i == j, AT(E, i, j)) : make(0, 0);
            sum += size;
            weighted += (size + abs_of(h)) * length[i];
        }
        *bound = larger(*bound, sum);
        *u = larger(*u, weighted > 0 ? weighted / length[j] : 0);
    }
}

gsvd_status_t X(batch_angles_cpu)(const exec_t *ex, mats_t C, mats_t E,
                                  real_t least, real_t most, real_t enough,
                                  const steps_batch_t *s)
{
    (void)ex;
    for (int64_t i = 0; i < C.count; ++i) {
        real_t *const length = s->length + i * C.cols;
        const real_t angle = s->left[i] == LEFT_NOT ? most : 0;
        const mat_t Ei = E.data ? mats_at(E, i) : (mat_t){0};
        real_t cosine, missed, u;
        if (enough > 0 && !is_open(s, i, enough)) {
            s->bound[i] = 0;
            continue;
        }
        find_lengths(mats_at(C, i), length);
        find_angles(mats_at(C, i), Ei, length, least, angle, &cosine, &missed);
        find_sums(mats_at(C, i), Ei, length, &s->bound[i], &u);
        s->cosine[i] = cosine_after(cosine, missed, s->bound[i], u);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(batch_turns_cpu)(const exec_t *ex, mats_t T, mats_t S, mats_t R,
                                 mats_t E, real_t most, const steps_batch_t *s,
                                 mats_t P)
{
    const scalar_t none = make(0, 0);
    (void)ex;
    for (int64_t k = 0; k < P.count; ++k) {
        const mat_t Tk = mats_at(T, k), Pk = mats_at(P, k);
        const mat_t Sk = S.data ? mats_at(S, k) : Tk;
        const mat_t Rk = R.data ? mats_at(R, k) : Tk;
        const mat_t Ek = E.data ? mats_at(E, k) : Tk;
        const real_t t = step_scale(s->bound[k], most);
        for (int64_t j = 0; j < Pk.cols; ++j)
            for (int64_t i = 0; i < Pk.rows; ++i) {
                const scalar_t h =
                    E.data ? unitary_entry(i == j, AT(Ek, i, j)) : none;
                AT(Pk, i, j) = add(turn_entry(i == j, t, AT(Tk, i, j),
                                              S.data ? AT(Sk, i, j) : none,
                                              R.data ? AT(Rk, i, j) : none),
                                   h);
            }
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(batch_turn_open_cpu)(const exec_t *ex, mats_t T, real_t most,
                                     const steps_batch_t *s, mats_t X, mats_t W)
{
    for (int64_t k = 0; k < X.count; ++k) {
        const mat_t Xk = mats_at(X, k), Wk = mats_at(W, k);
        const real_t t = step_scale(s->bound[k], most);
        if (s->bound[k] == 0)
            continue;
        GSVD_TRY(ex->op->gemm(ex, 'N', 'N', Xk, mats_at(T, k), Wk));
        for (int64_t j = 0; j < Xk.cols; ++j)
            for (int64_t i = 0; i < Xk.rows; ++i)
                AT(Xk, i, j) = add(AT(Xk, i, j), scale(t, AT(Wk, i, j)));
    }
    return GSVD_SUCCESS;
}
