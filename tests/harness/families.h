/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* families.h -- one table of families of problems for all routines: structure x spectrum x scaling
 * x order x shape x way.  A problem is named STRUCTURE:NUMBER; the number has the other choices
 * as its digits and is the seed, so that the name alone says which problem it is.  Another
 * family, order or way is another row of its table in families.c. */
#ifndef GSVD_TESTS_HARNESS_FAMILIES_H
#define GSVD_TESTS_HARNESS_FAMILIES_H

#include "harness/harness.h"

typedef enum structure {
    DENSE,     /* U diag(spectrum) V^H, or random entries                    */
    TRIANGLE,  /* R of its QR                                                */
    KAHAN_S,   /* Kahan's triangle                                           */
    HILBERT,   /* 1 / (i + j + 1)                                            */
    PARALLEL,  /* columns t apart from one of them                           */
    OPPOSITE,  /* pairs of columns t apart; of a signature, of opposite sign */
    RANK_ONE,  /* a matrix of rank one and noise of size t                   */
    ZEROS,     /* dense, with rows and columns of zeros                      */
    SPARSE_S,  /* one entry in three                                         */
    EQUATIONS, /* integral equations; the pair's B a derivative              */
    STRUCTURES
} structure_t;

/* Values of DENSE, TRIANGLE, ZEROS; elsewhere the digit chooses t or the equation. */
typedef enum spectrum {
    RANDOM_S,   /* normal random entries                                    */
    TENTH,      /* 1 to 1/10                                                */
    GEOMETRIC,  /* 1 to 1e-12, single 1e-5, geometrically                   */
    CLUSTERS,   /* 1 and 1/8                                                */
    MANY_EQUAL, /* one in ten is not 1                                      */
    TWO_LEVELS, /* 1 and sqrt(eps)                                          */
    DEFICIENT,  /* one in three is 0                                        */
    INTEGERS,   /* entries are integers from -3 to 3                        */
    SPECTRA
} spectrum_t;

typedef enum scaling {
    UNSCALED,
    COLUMNS,     /* 2^+-12, single 2^+-4; of pairs A's and B's apart         */
    ROWS,        /* 2^+-40, single 2^+-12                                    */
    BOTH,        /* 2^+-8, single 2^+-3 each                                 */
    FAR_COLUMNS, /* as far as gsvd.h's narrowest limit allows, 1e138, 1e15   */
    COMMON,      /* A's and B's columns alike, 2^+-50, single 2^+-16         */
    SPAN, /* columns 10^+-200, single 10^+-18.7, A's and B's alike: to gsvd.h's limits */
    LARGE, /* the whole next to overflow, ...                           */
    SMALL, /* ... or underflow                                          */
    SCALINGS
} scaling_t;

/* How it is solved: options of the handle, and from which order on its machine takes large
 * steps and blocks; 0: where it does itself */
typedef struct way {
    const char *name;
    int svd, solver, pivot, panel;
    int large_steps, block_jacobi;
} way_t;

extern const way_t way[];
extern const int ways;

typedef struct problem {
    structure_t structure;
    spectrum_t spectrum;
    scaling_t scaling;
    int way;
    int64_t order, m, n, p; /* A is m x n, B p x n                           */
    int64_t number;
    int signature; /* 1: SPAN's columns are those of hsvd's limit, 1e290, 1e24 */
} problem_t;

extern const char *const structure_name[STRUCTURES];
extern const char *const spectrum_name[SPECTRA];
extern const char *const scaling_name[SCALINGS];

/* Problem `number` of a structure: any number has one. */
problem_t problem_of(structure_t structure, int64_t number);
/* That of a name; 0: there is none of that name. */
int named_problem(const char *name, problem_t *c);
/* One of them for a seed and a count, as small as most are or of at least 100 columns, at
 * most `most` */
problem_t drawn_problem(uint64_t seed, int64_t count, int large, int64_t most);
/* STRUCTURE:NUMBER, and what that is; valid until the next call */
const char *problem_name(const problem_t *c);
const char *problem_text(const problem_t *c);

/* The i-th A of so many rows, and the i-th pair; where *clean is 1, B has full column rank and is
 * well conditioned but for scaling. */
mat_t problem_matrix(const problem_t *c, int64_t rows, uint64_t i);
sample_t problem_pair(const problem_t *c, uint64_t i, int *clean);

/* The condition of A once its columns, or its rows, have length 1; infinite above
 * 1e13, as far as double precision can tell */
double condition_by_columns(mat_t A);
double condition_by_rows(mat_t A);

/* Sets the options of a way, and the machine of `handle`; reset_options and leave_way undo
 * it. */
void take_way(const way_t *w);
void leave_way(void);

#endif /* GSVD_TESTS_HARNESS_FAMILIES_H */
