/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* solver.h -- lists of solvers: the ways to one result, one of which is taken.
 *
 * A list stands beside its choice.  A solver is wanted or not, by the policy of the call and the
 * numbers of the machine.  It applies to a task or not, by the task's shape and place.  The first
 * solver that is wanted and applies is taken.  Tests force a solver by its name (policy.force).
 */
#ifndef GSVD_CORE_SOLVER_H
#define GSVD_CORE_SOLVER_H

#include <stdio.h>
#include <string.h>

#include "core/exec.h"
#include "core/notes.h"

/* What is asked.  The list says what the members mean to it; others are 0.  While work is measured,
 * views have sizes and no data. */
#define task_t X(task_t)
typedef struct task_t {
    mat_t A, B, C;      /* what is given, and what comes of it                */
    mat_t V, T, W;      /* a block reflector, and room                        */
    int64_t k;          /* reflectors, terms of each sum, rows, ...           */
    char side, op, opb; /* as LAPACK has them                                 */
    int how;            /* one of a list's own enum                           */
    int sure;           /* So many kinds of solvers have failed already.      */
    real_t alpha, beta, tol;
    scalar_t *tau;
    const scalar_t *given_tau;
    real_t *values;
    int *perm;
    int64_t *count; /* a result, or a counter                                */
    int *yes;       /* the answer: found, solved, unitary                    */
    outcome_t *out;
    const void *problem; /* of an upper floor                                */
    void *work;          /* its arrays                                       */
} task_t;

typedef int solver_test_op(const exec_t *ex, const task_t *t);
typedef size_t solver_bytes_op(const exec_t *ex, const task_t *t);
typedef gsvd_status_t solver_run_op(const exec_t *ex, const task_t *t);

/* NULL stands for: always wanted, applies to every task, takes no work. */
#define solver_t X(solver_t)
typedef struct solver_t {
    const char *name; /* in words: a plan's text has it                      */
    solver_test_op *wanted, *applies;
    solver_bytes_op *bytes; /* the work for tasks of at most this size       */
    solver_run_op *run;
} solver_t;

#define solvers_t X(solvers_t)
typedef struct solvers_t {
    const char *name;
    const solver_t *first;
    int count;
} solvers_t;

#define SOLVERS(name, table)                                                   \
    {                                                                          \
        name, table, (int)(sizeof(table) / sizeof(table)[0])                   \
    }

/* A matrix of which only the size is known */
GSVD_FN mat_t mat_of_size(int64_t m, int64_t n)
{
    return mat_view(NULL, m, n, max_i(m, 1));
}

static inline int solver_applies(const solver_t *s, const exec_t *ex,
                                 const task_t *t)
{
    return !s->applies || s->applies(ex, t);
}

/* The solver of this list that a test forces, or NULL */
static inline const solver_t *forced_solver(const solvers_t *list,
                                            const exec_t *ex)
{
    const forced_t *const f = ex->policy.force;
    for (int i = 0; i < FORCED && f[i].list; ++i)
        for (int k = 0; k < list->count; ++k)
            if (strcmp(f[i].list, list->name) == 0 &&
                strcmp(f[i].solver, list->first[k].name) == 0)
                return &list->first[k];
    return NULL;
}

/* The first solver behind `after` that is wanted and applies, or NULL.  after == NULL: of all */
static inline const solver_t *next_solver(const solvers_t *list,
                                          const exec_t *ex, const task_t *t,
                                          const solver_t *after)
{
    for (const solver_t *s = after ? after + 1 : list->first;
         s < list->first + list->count; ++s)
        if ((!s->wanted || s->wanted(ex, t)) && solver_applies(s, ex, t))
            return s;
    return NULL;
}

/* The solver that is taken, or NULL: none applies. */
static inline const solver_t *choose_solver(const solvers_t *list,
                                            const exec_t *ex, const task_t *t)
{
    const solver_t *const forced = forced_solver(list, ex);
    return forced && solver_applies(forced, ex, t)
               ? forced
               : next_solver(list, ex, t, NULL);
}

/* The task by the solver that is taken; some solver of the list applies to every task. */
static inline gsvd_status_t run_solver(const solvers_t *list, const exec_t *ex,
                                       const task_t *t)
{
    return choose_solver(list, ex, t)->run(ex, t);
}

/* The task by the solver that is taken, and by those behind it until one says *yes: one that gives up
 * leaves the task as it was. */
static inline gsvd_status_t run_in_turn(const solvers_t *list, const exec_t *ex,
                                        const task_t *t)
{
    const solver_t *s = choose_solver(list, ex, t);
    for (*t->yes = 0; !*t->yes; s = next_solver(list, ex, t, s)) {
        t->out->sweeps = 0; /* One that gave up does not count.              */
        GSVD_TRY(s->run(ex, t));
    }
    return GSVD_SUCCESS;
}

/* May it be chosen for a task of at most this size? */
static inline int solver_is_open(const solvers_t *list, const solver_t *s,
                                 const exec_t *ex, const task_t *t)
{
    return !s->wanted || s->wanted(ex, t) || s == forced_solver(list, ex);
}

/* text := the names of the solvers that may be chosen, the first one first */
static inline void solver_names(const solvers_t *list, const exec_t *ex,
                                const task_t *t, char *text, size_t size)
{
    text[0] = 0;
    for (const solver_t *s = list->first; s < list->first + list->count; ++s) {
        const size_t used = strlen(text);
        if (solver_is_open(list, s, ex, t) && solver_applies(s, ex, t))
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", or " : "",
                     s->name);
    }
}

/* A step of the plan begins: a matrix of that size is solved by the solvers of these names */
static inline void note_solvers(const solvers_t *list, const exec_t *ex,
                                const task_t *t, const char *names)
{
    const mat_t M = t->A.cols > 0 ? t->A : t->C;
    if (M.cols > 0)
        gsvd_note_begin(ex->h, "%s, %lld x %lld: %s", list->name,
                        (long long)M.rows, (long long)M.cols, names);
    else
        gsvd_note_begin(ex->h, "%s: %s", list->name, names);
}

/* The most bytes that a solver takes that may be chosen for a task of at most this size */
static inline size_t solvers_bytes(const solvers_t *list, const exec_t *ex,
                                   const task_t *t)
{
    char names[NOTE_TEXT];
    size_t most = 0;

    for (const solver_t *s = list->first; s < list->first + list->count; ++s) {
        const int open = s->bytes && solver_is_open(list, s, ex, t);
        const size_t bytes = open ? s->bytes(ex, t) : 0;
        most = bytes > most ? bytes : most;
    }
    if (ex->h->notes) {
        solver_names(list, ex, t, names, sizeof names);
        note_solvers(list, ex, t, names);
        (void)gsvd_note_end(ex->h, most, 0, 1);
    }
    return most;
}

/* The bytes that the solver takes that is chosen for this very task; what it notes while it counts
 * them are parts of the step, which takes so many seconds beside them. */
static inline size_t chosen_bytes(const solvers_t *list, const exec_t *ex,
                                  const task_t *t, double seconds)
{
    const solver_t *const s = choose_solver(list, ex, t);
    note_solvers(list, ex, t, s->name);
    return gsvd_note_end(ex->h, s->bytes ? s->bytes(ex, t) : 0, seconds, 1);
}

#endif /* GSVD_CORE_SOLVER_H */
