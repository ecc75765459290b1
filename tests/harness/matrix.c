/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c -- padded matrices on the host and in the backend's memory. */
#include "core/blas.h"
#include "harness/harness.h"
#include "lapacke.h"

/* PAD rows below each column, GUARD elements before the first and after the
 * last; all of them NaN with every bit set. */
enum { PAD = 3, GUARD = 8 };

static int64_t elements(mat_t A) { return A.ld * A.cols + 2 * GUARD; }

mat_t new_mat(int64_t rows, int64_t cols)
{
    mat_t A = mat_view(NULL, rows, cols, rows + PAD);
    A.data = (scalar_t *)grab((size_t)elements(A) * sizeof *A.data) + GUARD;
    return A;
}

static int untouched(const scalar_t *x, int64_t n)
{
    const unsigned char *byte = (const unsigned char *)x;
    for (size_t i = 0; i < (size_t)n * sizeof *x; ++i)
        if (byte[i] != 0xff)
            return 0;
    return 1;
}

void ck_assert_padding(mat_t A)
{
    ck_assert_msg(untouched(A.data - GUARD, GUARD), "wrote before the matrix");
    for (int64_t j = 0; j < A.cols; ++j)
        ck_assert_msg(untouched(&AT(A, A.rows, j), PAD),
                      "wrote below column %ld of %ld x %ld", (long)j,
                      (long)A.rows, (long)A.cols);
    ck_assert_msg(untouched(A.data + A.ld * A.cols, GUARD),
                  "wrote behind the matrix");
}

mat_t to_backend(mat_t A)
{
    const size_t bytes = (size_t)elements(A) * sizeof *A.data;
    scalar_t *p = grab_backend(bytes);
    put(p, A.data - GUARD, bytes);
    return mat_view(p + GUARD, A.rows, A.cols, A.ld);
}

mat_t from_backend(mat_t dA)
{
    mat_t A = new_mat(dA.rows, dA.cols);
    ck_assert_int_eq(A.ld, dA.ld);
    get(A.data - GUARD, dA.data - GUARD, (size_t)elements(A) * sizeof *A.data);
    ck_assert_padding(A);
    return A;
}

real_t *to_backend_real(const real_t *x, int64_t n)
{
    real_t *p = grab_backend((size_t)n * sizeof *x);
    put(p, x, (size_t)n * sizeof *x);
    return p;
}

int *to_backend_int(const int *x, int64_t n)
{
    int *p = grab_backend((size_t)n * sizeof *x);
    put(p, x, (size_t)n * sizeof *x);
    return p;
}

real_t *from_backend_real(const real_t *dx, int64_t n)
{
    real_t *x = grab((size_t)n * sizeof *x);
    get(x, dx, (size_t)n * sizeof *x);
    return x;
}

int *from_backend_int(const int *dx, int64_t n)
{
    int *x = grab((size_t)n * sizeof *x);
    get(x, dx, (size_t)n * sizeof *x);
    return x;
}

real_t *random_reals(int64_t n, uint64_t *seed)
{
    real_t *x = grab((size_t)n * sizeof *x);
    for (int64_t i = 0; i < n; ++i)
        x[i] = (real_t)random_unit(seed);
    return x;
}

mat_t random_mat(int64_t rows, int64_t cols, uint64_t *seed)
{
    mat_t A = new_mat(rows, cols);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = random_uniform_scalar(seed);
    return A;
}

mat_t normal_mat(int64_t rows, int64_t cols, uint64_t *seed)
{
    mat_t A = new_mat(rows, cols);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = random_normal_scalar(seed);
    return A;
}

void scale_row(mat_t A, int64_t i, double factor)
{
    for (int64_t j = 0; j < A.cols; ++j)
        AT(A, i, j) = scale((real_t)factor, AT(A, i, j));
}

void scale_column(mat_t A, int64_t j, double factor)
{
    for (int64_t i = 0; i < A.rows; ++i)
        AT(A, i, j) = scale((real_t)factor, AT(A, i, j));
}

mat_t disturbed(mat_t A, double part, uint64_t *seed)
{
    const mat_t C = copy_mat(A);
    for (int64_t i = 0; i < A.rows; ++i) {
        real_t size = 0;
        for (int64_t j = 0; j < A.cols; ++j)
            size = fmax_r(size, abs_max(AT(A, i, j)));
        for (int64_t j = 0; j < A.cols; ++j)
            AT(C, i, j) = add(AT(A, i, j), scale((real_t)part * size,
                                                 random_uniform_scalar(seed)));
    }
    return C;
}

void leave_rows(mat_t A, int64_t left, uint64_t *seed)
{
    for (int64_t i = 0; i < A.rows; ++i)
        if (random_below(seed, A.rows - i) < left)
            --left;
        else
            scale_row(A, i, 0);
}

int64_t *random_order(int64_t n, uint64_t *seed)
{
    int64_t *const order = grab((size_t)(n + 1) * sizeof *order);
    for (int64_t i = 0; i < n; ++i) {
        const int64_t k = random_below(seed, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    return order;
}

void fill(mat_t A, scalar_t value)
{
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = value;
}

mat_t zero_mat(int64_t rows, int64_t cols)
{
    const mat_t A = new_mat(rows, cols);
    fill(A, make(0, 0));
    return A;
}

mat_t adjoint(mat_t A)
{
    const mat_t H = new_mat(A.cols, A.rows);
    EACH_ENTRY (A, i, j)
        AT(H, j, i) = conj_of(AT(A, i, j));
    return H;
}

mat_t ldexp_mat(mat_t A, int e)
{
    const mat_t B = copy_mat(A);
    EACH_ENTRY (A, i, j)
        AT(B, i, j) =
            make(ldexp_r(re(AT(A, i, j)), e), ldexp_r(im(AT(A, i, j)), e));
    return B;
}

mat_t identity_mat(int64_t rows, int64_t cols)
{
    mat_t A = zero_mat(rows, cols);
    for (int64_t i = 0; i < min_i(rows, cols); ++i)
        AT(A, i, i) = make(1, 0);
    return A;
}

static mat_t copy_with(mat_t A, int64_t behind)
{
    const mat_t B = mat_cols(new_mat(A.rows, A.cols + behind), 0, A.cols);
    EACH_ENTRY (A, i, j)
        AT(B, i, j) = AT(A, i, j);
    return B;
}

mat_t copy_mat(mat_t A) { return copy_with(A, 0); }

mat_t upper_part(mat_t A)
{
    const mat_t R = copy_mat(A);
    EACH_ENTRY (R, i, j)
        if (i > j)
            AT(R, i, j) = make(0, 0);
    return R;
}

mat_t copy_for_lapack(mat_t A) { return copy_with(A, 3); }

void gemm(char opa, char opb, real_t alpha, mat_t A, mat_t B, real_t beta,
          mat_t C)
{
    const int m = (int)C.rows, n = (int)C.cols;
    const int k = (int)(opa == 'N' ? A.cols : A.rows);
    const int lda = (int)A.ld, ldb = (int)B.ld, ldc = (int)C.ld;
    const scalar_t a = make(alpha, 0), b = make(beta, 0);
    const char ta = blas_op(opa), tb = blas_op(opb);

    BLAS_(gemm)
    (&ta, &tb, &m, &n, &k, &a, A.data, &lda, B.data, &ldb, &b, C.data, &ldc, 1,
     1);
}

mat_t product(char opa, char opb, mat_t A, mat_t B)
{
    mat_t C =
        new_mat(opa == 'N' ? A.rows : A.cols, opb == 'N' ? B.cols : B.rows);
    fill(C, make(0, 0));
    gemm(opa, opb, 1, A, B, 0, C);
    return C;
}

mat_t lapack_qr(mat_t A)
{
    const lapack_int m = (lapack_int)A.rows, n = (lapack_int)A.cols;
    const mat_t tau = new_mat(n, 1), work = new_mat(64 * n, 1);
    ck_assert_int_eq(LAPACK_WORK(geqrf)(LAPACK_COL_MAJOR, m, n, A.data,
                                        (lapack_int)A.ld, tau.data, work.data,
                                        64 * n),
                     0);
    return tau;
}

void lapack_form_q(mat_t A, mat_t tau)
{
    const lapack_int m = (lapack_int)A.rows, n = (lapack_int)A.cols;
    const mat_t work = new_mat(64 * n, 1);
    ck_assert_int_eq(
        LAPACK_WORK(ORGQR)(LAPACK_COL_MAJOR, m, n, (lapack_int)tau.rows, A.data,
                           (lapack_int)A.ld, tau.data, work.data, 64 * n),
        0);
}

real_t norm1(mat_t A)
{
    real_t norm = 0;
    for (int64_t j = 0; j < A.cols; ++j) {
        real_t sum = 0;
        for (int64_t i = 0; i < A.rows; ++i)
            sum += abs_of(AT(A, i, j));
        if (!(sum <= norm))
            norm = sum;
    }
    return norm;
}

double longest(mat_t A)
{
    double most = 0;
    for (int64_t j = 0; j < A.cols; ++j) {
        double sum = 0;
        for (int64_t i = 0; i < A.rows; ++i)
            sum += pow((double)re(AT(A, i, j)), 2) +
                   pow((double)im(AT(A, i, j)), 2);
        most = fmax(most, sqrt(sum));
    }
    return most;
}

int all_finite(mat_t A)
{
    EACH_ENTRY (A, i, j)
        if (!isfinite(re(AT(A, i, j))) || !isfinite(im(AT(A, i, j))))
            return 0;
    return 1;
}

double distance(mat_t A, mat_t B)
{
    double largest = 0;
    ck_assert_int_eq(A.rows, B.rows);
    ck_assert_int_eq(A.cols, B.cols);
    EACH_ENTRY (A, i, j) {
        const double d = abs_of(sub(AT(A, i, j), AT(B, i, j)));
        if (!(d <= largest))
            largest = d;
    }
    return largest;
}

double defect(mat_t A)
{
    mat_t D = identity_mat(A.cols, A.cols);
    gemm('C', 'N', -1, A, A, 1, D);
    return norm1(D) / (double)max_i(1, A.rows) / GSVD_ULP;
}

mat_t times_diagonal(mat_t A, const real_t *d)
{
    const mat_t AD = copy_mat(A);
    EACH_ENTRY (A, i, j)
        AT(AD, i, j) = scale(d[j], AT(A, i, j));
    return AD;
}

double as_ratio(mat_t E, mat_t A)
{
    const double left = norm1(E);
    return left == 0
               ? 0
               : left / ((double)max_i(A.rows, A.cols) * norm1(A) * GSVD_ULP);
}

double svd_residual(mat_t A, mat_t U, const real_t *sigma, mat_t V)
{
    const int64_t r = min_i(A.rows, A.cols);
    const mat_t E = copy_mat(A);
    gemm('N', 'C', -1, times_diagonal(mat_cols(U, 0, r), sigma),
         mat_cols(V, 0, r), 1, E);
    return as_ratio(E, A);
}

double eigen_residual(mat_t A, mat_t Q, const real_t *w)
{
    const mat_t E = times_diagonal(Q, w);
    gemm('N', 'N', 1, A, Q, -1, E);
    return as_ratio(E, A);
}

mat_t of_triangle(char uplo, mat_t A)
{
    const mat_t H = new_mat(A.rows, A.cols);
    EACH_ENTRY (H, i, j) {
        const int given = uplo == 'U' ? i <= j : i >= j;
        const scalar_t a = given ? AT(A, i, j) : conj_of(AT(A, j, i));
        AT(H, i, j) = i == j ? make(re(a), 0) : a;
    }
    return H;
}

mat_t hermitian_part(mat_t A)
{
    const mat_t H = new_mat(A.rows, A.cols);
    EACH_ENTRY (H, i, j)
        AT(H, i, j) =
            scale((real_t)0.5, add(AT(A, i, j), conj_of(AT(A, j, i))));
    return H;
}

mat_t of_eigenvalues(int64_t n, const double *w, uint64_t *seed)
{
    const mat_t Q = random_unitary(n, seed), QW = copy_mat(Q);
    for (int64_t j = 0; j < n; ++j)
        scale_column(QW, j, w[j]);
    return hermitian_part(product('N', 'C', QW, Q));
}

void ck_assert_same(mat_t A, mat_t B)
{
    ck_assert_int_eq(A.rows, B.rows);
    ck_assert_int_eq(A.cols, B.cols);
    EACH_ENTRY (A, i, j)
        ck_assert_msg(memcmp(&AT(A, i, j), &AT(B, i, j), sizeof(scalar_t)) == 0,
                      "(%ld,%ld) of %ld x %ld: (%g,%g) instead of (%g,%g)",
                      (long)i, (long)j, (long)A.rows, (long)A.cols,
                      (double)re(AT(A, i, j)), (double)im(AT(A, i, j)),
                      (double)re(AT(B, i, j)), (double)im(AT(B, i, j)));
}

void ck_assert_near(mat_t A, mat_t B, double ulps, double one)
{
    const double d = distance(A, B) / one / GSVD_ULP;
    ck_assert_msg(d <= ulps, "%g ulp, not %g", d, ulps);
}

double random_walk(int64_t k) { return LIMIT * sqrt((double)max_i(k, 1)); }
