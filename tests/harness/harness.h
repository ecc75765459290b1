/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* harness.h -- typed tools of the tests: padded matrices, pairs with known
 * properties, calls through every door, LAPACK's ratios. */
#ifndef GSVD_TESTS_HARNESS_H
#define GSVD_TESTS_HARNESS_H

#include "harness/plain.h"
#include "harness/random.h"
#include "primitives.h"

#define LETTER_TEXT_(letter) #letter
#define LETTER_TEXT(letter) LETTER_TEXT_(letter)

/* the precision of this program, 's', 'd', 'c' or 'z' */
static inline gsvd_type_t letter(void)
{
    return (gsvd_type_t)LETTER_TEXT(GSVD_LETTER)[0];
}

/* LAPACKE's routine for it, of lapacke.h; LAPACK_WORK: the one that is given its work */
#define LAPACK(name) GSVD_PASTE(LAPACKE_, GSVD_PASTE(GSVD_LETTER, name))
#define LAPACK_WORK(name) LAPACK(GSVD_PASTE(name, _work))

/* the primitives of the handle under test */
static inline const backend_t *table(void) { return X(backend)(handle); }

/* the numbers of a handle's machine */
static inline const tuning_t *numbers_of(gsvd_handle_t h)
{
    return h->machine->tuning.GSVD_LETTER;
}

/* A large product was split, where the machine's numbers want that, and only there. */
#define ck_assert_split(h)                                                     \
    ck_assert_int_eq(has_split(h), numbers_of(h)->split_rate > 0)

/* exec.c: an exec of a handle, in its own queue, with work, with its options as they
 * are now and, of `handle`, give_room's room.  Until the next for this handle. */
const exec_t *on(gsvd_handle_t h);

/* ... copies of the table and of the tuning, which a test changes and `handle` has until the table is
 * given back */
backend_t *take_table(void);
tuning_t *take_tuning(void);
void give_table_back(void);

/* in_double.c: 1 if argv[2] is "in_double".  From then on `handle`, in single precision,
 * takes large steps in double from 32 columns on. */
int in_double_asked(void);

/* ---- matrix.c: padded matrices ------------------------------------------ */

/* A host matrix of the pool: ld > rows, room before and behind it, everything
 * filled with NaN. */
mat_t new_mat(int64_t rows, int64_t cols);
mat_t random_mat(int64_t rows, int64_t cols, uint64_t *seed); /* uniform     */
mat_t normal_mat(int64_t rows, int64_t cols, uint64_t *seed);
mat_t identity_mat(int64_t rows, int64_t cols);
mat_t copy_mat(mat_t A);
mat_t upper_part(mat_t A); /* A with zeros below the diagonal             */
/* With columns behind it: xGEMV of OpenBLAS 0.3.21 reads up to three more than there are. */
mat_t copy_for_lapack(mat_t A);
void fill(mat_t A, scalar_t value);
mat_t zero_mat(int64_t rows, int64_t cols);
mat_t adjoint(mat_t A); /* A^H, a copy                                        */
mat_t ldexp_mat(mat_t A, int e); /* 2^e A, a copy                        */
void scale_row(mat_t A, int64_t i, double factor);
void scale_column(mat_t A, int64_t j, double factor);
/* A, a copy with errors of up to `part` of each row's largest entry */
mat_t disturbed(mat_t A, double part, uint64_t *seed);
/* All rows but so many, anywhere, become 0. */
void leave_rows(mat_t A, int64_t left, uint64_t *seed);
/* 0 .. n-1 in random order, of the pool */
int64_t *random_order(int64_t n, uint64_t *seed);

/* for all entries A(i,j), column by column */
#define EACH_ENTRY(A, i, j)                                                    \
    for (int64_t j = 0; j < (A).cols; ++j)                                     \
        for (int64_t i = 0; i < (A).rows; ++i)

/* The padding of a matrix of new_mat is as new_mat left it. */
void ck_assert_padding(mat_t A);

/* Host matrix to backend memory of the same layout, padding and all, and back.
 * from_backend checks the padding. */
mat_t to_backend(mat_t A);
mat_t from_backend(mat_t dA);

real_t *to_backend_real(const real_t *x, int64_t n);
int *to_backend_int(const int *x, int64_t n);
real_t *from_backend_real(const real_t *dx, int64_t n);
int *from_backend_int(const int *dx, int64_t n);

/* n numbers in (0, 1) */
real_t *random_reals(int64_t n, uint64_t *seed);

/* C := alpha op(A) op(B) + beta C, op 'N' or 'C' */
void gemm(char opa, char opb, real_t alpha, mat_t A, mat_t B, real_t beta,
          mat_t C);
mat_t product(char opa, char opb, mat_t A, mat_t B); /* op(A) op(B)          */
/* LAPACK's QR of A, in place, and the tau of its columns */
mat_t lapack_qr(mat_t A);
/* A's columns of Q, of the reflectors with these tau, which begin in A's first columns; in place */
void lapack_form_q(mat_t A, mat_t tau);
real_t norm1(mat_t A);
/* the largest |A(:,j)|, of numbers whose squares are in range */
double longest(mat_t A);
int all_finite(mat_t A);
/* largest absolute difference of entries; NaN if there is one */
double distance(mat_t A, mat_t B);
/* norm1(I - A^H A) / (max(1,rows) ulp) */
double defect(mat_t A);
mat_t times_diagonal(mat_t A, const real_t *d); /* A diag(d), a copy         */
/* norm1(E) / (max(m,n) norm1(A) ulp), A m x n; 0 if E is 0 */
double as_ratio(mat_t E, mat_t A);
/* ... of A - U diag(sigma) V^H, from the first min(m,n) columns of U and V */
double svd_residual(mat_t A, mat_t U, const real_t *sigma, mat_t V);
/* ... of A Q - Q diag(w) */
double eigen_residual(mat_t A, mat_t Q, const real_t *w);
/* The Hermitian matrix of a triangle; (A + A^H) / 2; that of Q diag(w) Q^H, Q random */
mat_t of_triangle(char uplo, mat_t A);
mat_t hermitian_part(mat_t A);
mat_t of_eigenvalues(int64_t n, const double *w, uint64_t *seed);
/* bit for bit */
void ck_assert_same(mat_t A, mat_t B);
/* each entry of A is that of B up to some ulp of `one` */
void ck_assert_near(mat_t A, mat_t B, double ulps, double one);
/* LIMIT sqrt(k): the ulp that rounding at random makes of k operations in a row */
double random_walk(int64_t k);

/* ---- make_pair.c: pairs with known properties --------------------------- */

/* A of this rank, A P = Q R, which norm pivoting factors in one order: the pivot is by
 * far the longest of the columns that remain, each time, and |r_ii| falls from 1 to
 * `least`, evenly.  order, of n: column order[k] of A is column k of A P, for k < rank. */
mat_t pivoted_mat(int64_t m, int64_t n, int64_t rank, double least, int *order,
                  uint64_t *seed);

/* n x n, unitary up to rounding */
mat_t random_unitary(int64_t n, uint64_t *seed);

typedef enum family {
    NORMAL,       /* normal random entries                                    */
    UNIFORM,      /* in (-1, 1)                                               */
    RANKS,        /* ranks k, l; values spread over (0, 1)                    */
    REPEATED,     /* ranks k, l; few different values                         */
    EXTREME,      /* ranks k, l; values 0, 1 and next to them                 */
    THESIS,       /* ranks k, l by the thesis, section 3.1                    */
    INTEGER,      /* small integers, many zeros                               */
    SAME_COLUMNS, /* all columns of A equal, all of B equal                   */
    ZERO_A,
    ZERO_B,
    ZERO_BOTH,
    IDENTITY_B,  /* the ordinary singular values of A                        */
    ILL_B,       /* B with condition 1/ulp                                   */
    ILL_BOTH,    /* A with condition 1/sqrt(ulp) too                         */
    GRADED_ROWS, /* row i of A and of B times 10^-u                          */
    GRADED_COLUMNS, /* column j of A and of B times the same 10^u            */
    SPARSE,     /* zero rows, zero columns, some entries                    */
    TRIANGULAR, /* both upper triangular already                            */
    FAMILIES
} family_t;

extern const char *const family_name[FAMILIES];

/* A case: shape, family, ranks where the family takes them, decimal exponents
 * of a factor of A and of B. */
typedef struct recipe {
    int m, n, p;
    family_t family;
    int k, l, ea, eb;
} recipe_t;

typedef struct sample {
    mat_t A, B;
    int64_t k, l;  /* the ranks, or -1 where they are not prescribed         */
    real_t *alpha; /* the l nontrivial values before the factors fa and fb,  */
    real_t *beta;  /* alpha descending, or NULL                              */
    double fa, fb; /* the factors 10^ea, 10^eb                               */
} sample_t;

sample_t make_pair(const recipe_t *c, uint64_t seed);
/* in words, until the next call */
const char *text_of(const recipe_t *c, const char *what);

/* exponents up to 150 in double precision, where single goes up to 18 */
int decimal(int exponent);

/* ---- shapes.c: the tables ----------------------------------------------- */

typedef struct shape {
    int m, n, p;
} shape_t;

extern const shape_t shape[];
extern const int shapes; /* the small and middle ones come first              */
extern const recipe_t kind[];
extern const int kinds;

static inline recipe_t recipe_of_shape(int i, family_t family)
{
    return (recipe_t){shape[i].m, shape[i].n, shape[i].p, family, -1, -1, 0, 0};
}

/* too large for this run: a size above GSVD_TEST_QUICK, or above 70 if that is
 * 1; never if it is not set */
int too_large(int64_t m, int64_t n, int64_t p);

/* With GSVD_TEST_QUICK above 1, that is under compute-sanitizer, a hundred times
 * slower: does case i of many that are alike stay out?  One in so many stays. */
static inline int left_out(int i, int one_in)
{
    return quick > 1 && i % one_in != 0;
}

/* The same of many small cases on a device, where a call takes milliseconds */
static inline int left_out_there(int i, int one_in)
{
    return on_device && i % one_in != 0;
}

/* ---- call.c: the decomposition through one of the doors ----------------- */

typedef enum door {
    HOST, /* [sdcz]gsvd                                                      */
    GPU   /* [sdcz]gsvd_gpu                                                  */
} door_t;

static inline int doors(void) { return on_device ? 2 : 1; }

static inline gsvd_place_t place_of(door_t door)
{
    return door == GPU ? GSVD_PLACE_DEVICE : GSVD_PLACE_HOST;
}

/* problem_of_type of this program's precision, for a door */
static inline gsvd_problem_t new_problem(gsvd_routine_t routine, door_t door,
                                         const char *jobs, int64_t m, int64_t n,
                                         int64_t p)
{
    return problem_of_type(letter(), routine, place_of(door), jobs, m, n, p);
}

static inline gsvd_array_t as_array(mat_t A)
{
    return (gsvd_array_t){.data = A.data, .ld = A.ld};
}

/* A where the door wants it, and back: checks the padding; nothing of NULL */
mat_t place(door_t door, mat_t A);
mat_t take_back(door_t door, mat_t A);

typedef struct result {
    gsvd_status_t status;
    int info;
    int64_t k, l;
    mat_t A, B, U, V, Q;  /* as on exit; data == NULL where not wanted       */
    real_t *alpha, *beta; /* n of each                                       */
} result_t;

/* Bit for bit */
void ck_assert_same_result(const result_t *x, const result_t *y);

/* Decomposes copies of A and B; checks the padding of everything. */
result_t decompose(door_t door, char jobu, char jobv, char jobq, mat_t A,
                   mat_t B);

/* [sdcz]gsvd_preprocess, [sdcz]gsvd_solve and their _gpu alike; the latter
 * changes copies of A, B, U, V, Q. */
result_t preprocess(door_t door, char jobu, char jobv, char jobq, mat_t A,
                    mat_t B, real_t tola, real_t tolb);
result_t solve(door_t door, char jobu, char jobv, char jobq, const result_t *t);

/* ---- ratios.c: LAPACK's six numbers ------------------------------------- */

typedef struct ratios {
    double r[6];
} ratios_t;

/* TESTING/EIG/dgsvts3.f: residuals of A and B, departures of U, V, Q from
 * unitarity, order of alpha.  All factors in full. */
ratios_t six_ratios(mat_t A, mat_t B, const result_t *r);

/* norm1(A - U D1 (0 R) Q^H) / (max(m,n) norm1(A) ulp) from what columns there
 * are, and likewise for B; Q may hold X if form is GSVD_FORM_X. */
double residual_A(mat_t A, const result_t *r, gsvd_form_t form);
double residual_B(mat_t B, const result_t *r, gsvd_form_t form);

/* (0 R) as the exit of A and B holds it: k + l rows, n columns */
mat_t get_R(const result_t *r);

/* k, l in range, alpha and beta as gsvd.h promises. */
void ck_assert_values(const result_t *r, int64_t m, int64_t n, int64_t p);

/* each below LIMIT, and the values; what says which case it is */
void ck_assert_ratios(mat_t A, mat_t B, const result_t *r, const char *what);

/* The largest chordal distance of (alpha[i] / fa, beta[i] / fb) to (c[i], s[i])
 * for i in [0, n). */
double chordal(int64_t n, const real_t *alpha, const real_t *beta, double fa,
               double fb, const real_t *c, const real_t *s);

/* The first over the r-th singular value of (A; B).  Each rounding error of
 * the pair moves a generalized value, in the chordal metric, by no more than
 * that times as much. */
double stacked_condition(mat_t A, mat_t B, int64_t r);
/* ... and the largest size in ulp times that, of a pair of this rank before its factors: what
 * rounding does to its values */
double rounding_of_values(const recipe_t *c, int64_t rank, uint64_t seed);

/* LAPACK's default tolerance of a rank */
real_t default_tolerance(mat_t A);
/* The ranks that xGGSVP3 finds */
void lapack_ranks(mat_t A, mat_t B, real_t tola, real_t tolb, int64_t *k,
                  int64_t *l);
/* By xGESVD */
real_t *lapack_singular_values(mat_t A);
void sort_descending(double *x, int64_t n);

enum { LIMIT = 20 };

#define ck_assert_ratio(value)                                                 \
    do {                                                                       \
        const double value_ = (value);                                         \
        ck_assert_msg(value_ < LIMIT, "%s = %g", #value, value_);              \
    } while (0)

#endif /* GSVD_TESTS_HARNESS_H */
