/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.h -- the eigenvectors of one matrix of a batch out of its SVD, H = U S V^H, by a team: text for
 * C and CUDA, with the steps of gsvd/signed_svd.c.
 *
 *     1  t_j = Re u_j^H v_j, J_j its sign; j is open where |t_j| < 3/4
 *     2  null columns, J_j = 0;  3  blocks, by pivots of (I + V^H U) / 2;  4  the trace
 *     5  V := (V + U J) / 2
 *     6  the order of w = J s
 *     7  the test: V^H V x - x and H V x - V W x; where columns lean or fail it, Gram and Schmidt,
 *        twice, the largest values first, and the test again
 */
#ifndef GSVD_BATCH_EIGH_H
#define GSVD_BATCH_EIGH_H

#include <math.h>

#include "batch/batch.h"
#include "batch/probe.h"
#include "small/team.h"

enum { EIGH_ROUNDS = 5, EIGH_VECTORS = 2 }; /* of 3 and 4; of 7              */

#define EIGH_OPEN ((real_t)0.75)
#define EIGH_NEAR (GSVD_SINGLE ? (real_t)1e-3 : (real_t)1e-8)
#define EIGH_WIDEN 100
#define EIGH_NOT_SHORT ((real_t)0.1)
#define EIGH_LITTLE_LEAN(n) (8 * sqrt_r((real_t)(n)) * GSVD_EPS)

/* Problem i.  t, J: of its columns; J is 0 for a null one.  x: 3 n numbers */
#define eigh_one_t X(eigh_one_t)
typedef struct eigh_one_t {
    int64_t n;
    mat_t A, V, U, H; /* A: room                                             */
    real_t *s, *t, *J, *w;
    scalar_t *x;
} eigh_one_t;

TEAM_FN mat_t eigh_matrix(const batch_mat_t *A, int64_t i, int64_t n)
{
    scalar_t *const data = A->each ? A->each[i] : A->data + i * A->stride;
    return mat_view(data, n, n, A->each_ld ? A->each_ld[i] : A->ld);
}

TEAM_FN eigh_one_t eigh_problem(const eigh_batch_t *b, int64_t i)
{
    const int64_t n = b->n;
    eigh_one_t P;
    P.n = n;
    P.A = eigh_matrix(&b->A, i, n);
    P.V = eigh_matrix(&b->V, i, n);
    P.U = mat_view(b->U + i * n * n, n, n, n);
    P.H = mat_view(b->H + i * n * n, n, n, n);
    P.s = b->sigma + i * n;
    P.t = b->reals + 2 * i * n;
    P.J = P.t + n;
    P.w = reals_of_batch(b->w, i);
    P.x = b->scalars + 3 * i * n;
    return P;
}

/* A and H := the Hermitian matrix of A's triangle */
TEAM_FN void eigh_load_one(team_t t, const eigh_batch_t *b, int64_t i)
{
    const eigh_one_t P = eigh_problem(b, i);
    for (int64_t c = team_squad(t); c < P.n; c += team_squads(t))
        for (int64_t r = team_lane(t); r < P.n; r += LANES) {
            const int given = b->uplo == 'U' ? r <= c : r >= c;
            const scalar_t a = given ? AT(P.A, r, c) : conj_of(AT(P.A, c, r));
            AT(P.H, r, c) = r == c ? make(re(a), 0) : a;
        }
    team_sync(t);
    for (int64_t c = team_squad(t); c < P.n; c += team_squads(t))
        for (int64_t r = team_lane(t); r < P.n; r += LANES)
            AT(P.A, r, c) = AT(P.H, r, c);
    team_sync(t);
}

TEAM_FN int eigh_is_open(const eigh_one_t *P, int64_t j)
{
    return P->J[j] != 0 && !(fabs_r(P->t[j]) >= EIGH_OPEN);
}

/* u_i^H v_j */
TEAM_FN scalar_t eigh_inner(team_t t, const eigh_one_t *P, int64_t i, int64_t j)
{
    return column_dot(t, 0, (int)P->n, &AT(P->U, 0, i), &AT(P->V, 0, j));
}

/* 1: is a column open? */
TEAM_FN int eigh_dots(team_t t, const eigh_one_t *P)
{
    int open = 0;
    for (int64_t j = team_squad(t); j < P->n; j += team_squads(t)) {
        const real_t dot = re(eigh_inner(t, P, j, j));
        if (team_lane(t) == 0) {
            P->t[j] = dot;
            P->J[j] = P->s[j] == 0 ? 0 : dot < 0 ? -1 : 1;
        }
        open |= P->s[j] != 0 && !(fabs_r(dot) >= EIGH_OPEN);
    }
    return team_any(t, open);
}

/* 2 */
TEAM_STEP void eigh_null(team_t t, const eigh_one_t *P)
{
    int64_t first = P->n;
    int open = 0;
    while (first > 0 &&
           P->s[first - 1] <= 4 * (real_t)P->n * GSVD_EPS * P->s[0])
        open |= eigh_is_open(P, --first);
    if (!open)
        return;
    team_sync(t);
    for (int64_t j = first + team_squad(t); j < P->n; j += team_squads(t)) {
        real_t square = 0;
        for (int64_t i = first; i < P->n; ++i)
            square += abs2(
                sub(conj_of(eigh_inner(t, P, j, i)), eigh_inner(t, P, i, j)));
        if (team_lane(t) == 0 && !(sqrt_r(square) <= EIGH_NOT_SHORT))
            P->J[j] = 0;
    }
    team_sync(t);
}

/* 3, of the columns [lo, lo + b): J := 1 for the pivots of P, -1 for the others, and 0 stays */
TEAM_STEP void eigh_pivots(team_t t, const eigh_one_t *P, int64_t lo, int64_t b)
{
    const mat_t M = mat_sub(P->A, 0, 0, b, b);
    real_t *const J = P->J + lo;
    real_t trace = 0;

    for (int64_t j = team_squad(t); j < b; j += team_squads(t))
        for (int64_t i = 0; i < b; ++i) {
            const scalar_t one = make(i == j ? (real_t)0.5 : 0, 0);
            const scalar_t sum = add(conj_of(eigh_inner(t, P, lo + j, lo + i)),
                                     eigh_inner(t, P, lo + i, lo + j));
            if (team_lane(t) == 0)
                AT(M, i, j) = add(one, scale((real_t)0.25, conj_of(sum)));
        }
    for (int64_t j = 0; j < b; ++j)
        trace += P->t[lo + j];
    team_sync(t);
    for (int64_t j = team_rank(t); j < b; j += team_size(t))
        J[j] = J[j] == 0 ? 0 : -1;
    team_sync(t);
    for (int64_t step = 0; (real_t)step + (real_t)0.5 < ((real_t)b + trace) / 2;
         ++step) {
        int64_t k = -1;
        for (int64_t j = 0; j < b; ++j)
            if (J[j] < 0 && (k < 0 || re(AT(M, j, j)) > re(AT(M, k, k))))
                k = j;
        if (k < 0)
            break;
        const real_t d = re(AT(M, k, k));
        team_sync(t);
        if (team_rank(t) == 0)
            J[k] = 1;
        team_sync(t);
        for (int64_t j = team_squad(t); j < b && d > 0; j += team_squads(t)) {
            const scalar_t c = scale(1 / d, conj_of(AT(M, j, k)));
            for (int64_t i = team_lane(t); i < b && J[j] < 0; i += LANES)
                AT(M, i, j) = sub(AT(M, i, j), mul(AT(M, i, k), c));
        }
        team_sync(t);
    }
}

/* 4 */
TEAM_FN real_t eigh_missing(const eigh_one_t *P)
{
    real_t sum = 0;
    for (int64_t j = 0; j < P->n; ++j)
        sum += P->J[j] == 0 ? 0 : P->J[j] - P->t[j];
    return fabs_r(sum);
}

/* All blocks; every thread finds the same ones. */
TEAM_STEP void eigh_blocks(team_t t, const eigh_one_t *P)
{
    const real_t *const s = P->s;
    real_t near = EIGH_NEAR;

    for (int round = 0; round < EIGH_ROUNDS; ++round) {
        for (int64_t j = 0; j < P->n;) {
            int64_t lo = j, hi = j + 1;
            if (!eigh_is_open(P, j)) {
                ++j;
                continue;
            }
            while (lo > 0 && s[lo - 1] * (1 - near) <= s[j])
                --lo;
            for (int64_t k = j; k < P->n; ++k) { /* Open ones widen it.      */
                if (k >= hi && !(s[hi - 1] * (1 - near) <= s[k]))
                    break;
                if (!eigh_is_open(P, k))
                    continue;
                hi = k >= hi ? k + 1 : hi;
                while (hi < P->n && s[hi] >= s[k] * (1 - near))
                    ++hi;
            }
            team_sync(t);
            eigh_pivots(t, P, lo, hi - lo);
            j = hi;
        }
        team_sync(t);
        if (eigh_missing(P) < 1)
            break;
        near *= EIGH_WIDEN;
    }
}

/* 5, and w in the place of t.  Do columns lean? */
TEAM_FN int eigh_means(team_t t, const eigh_one_t *P)
{
    int loose = 0;
    for (int64_t j = team_squad(t); j < P->n; j += team_squads(t)) {
        const real_t J = P->J[j];
        loose |= !(J != 0 && 1 - fabs_r(P->t[j]) <= EIGH_LITTLE_LEAN(P->n));
        for (int64_t i = team_lane(t); i < P->n && J != 0; i += LANES)
            AT(P->V, i, j) = scale(
                (real_t)0.5, add(AT(P->V, i, j), scale(J, AT(P->U, i, j))));
    }
    loose = team_any(t, loose);
    for (int64_t j = team_rank(t); j < P->n; j += team_size(t))
        P->t[j] = P->J[j] < 0 ? -P->s[j] : P->s[j];
    team_sync(t);
    return loose;
}

/* 6: U and w := V and t in ascending order */
TEAM_FN void eigh_sort(team_t t, const eigh_one_t *P)
{
    int64_t below = 0;
    for (int64_t j = 0; j < P->n; ++j) { /* s descends.                      */
        const int is_below = P->t[j] < 0;
        const int64_t place = is_below ? below : P->n - 1 - (j - below);
        below += is_below;
        if (j % team_squads(t) != team_squad(t))
            continue;
        for (int64_t i = team_lane(t); i < P->n; i += LANES)
            AT(P->U, i, place) = AT(P->V, i, j);
        if (team_lane(t) == 0)
            P->w[place] = P->t[j];
    }
    team_sync(t);
}

/* U := orthonormal columns, by descending |w|: what is left of columns that depend on each other, as
 * zeros' may, turns none of larger values. */
TEAM_STEP void eigh_orthonormalize(team_t t, const eigh_one_t *P)
{
    const int64_t n = P->n;
    int64_t lo = 0, hi = n; /* the columns that are left                     */

    while (lo < hi) {
        const int is_first = fabs_r(P->w[lo]) > fabs_r(P->w[hi - 1]);
        const int64_t k = is_first ? lo : hi - 1;
        const int64_t done = n - (hi - lo), gap = hi - lo;
        scalar_t *const u = &AT(P->U, 0, k);
        for (int twice = 0; twice < 2; ++twice) {
            for (int64_t d = team_squad(t); d < done; d += team_squads(t)) {
                const int64_t j = d < lo ? d : d + gap;
                const scalar_t c = column_dot(t, 0, (int)n, &AT(P->U, 0, j), u);
                if (team_lane(t) == 0)
                    P->x[d] = c;
            }
            team_sync(t);
            for (int64_t i = team_rank(t); i < n; i += team_size(t)) {
                for (int64_t j = 0; j < lo; ++j)
                    u[i] = sub(u[i], mul(AT(P->U, i, j), P->x[j]));
                for (int64_t j = hi; j < n; ++j)
                    u[i] = sub(u[i], mul(AT(P->U, i, j), P->x[j - gap]));
            }
            team_sync(t);
        }
        const real_t length = column_norm(t, 0, (int)n, u);
        team_sync(t);
        for (int64_t i = team_rank(t); i < n && length > 0; i += team_size(t))
            u[i] = scale(1 / length, u[i]);
        team_sync(t);
        lo += is_first;
        hi -= !is_first;
    }
}

/* 7: of one vector; is it rounding? */
TEAM_FN int eigh_test_vector(team_t t, const eigh_one_t *P, int64_t seed)
{
    const int64_t n = P->n;
    const real_t most = fmax_r(fabs_r(P->w[0]), fabs_r(P->w[n - 1]));
    const int e = most > 0 ? exponent_r(most) : 0;
    scalar_t *const y = P->x, *const left = y + n, *const lean = left + n;
    real_t size = 0, square = 0, defect = 0;

    for (int64_t i = team_rank(t); i < n; i += team_size(t)) {
        scalar_t sum = make(0, 0), weighted = make(0, 0);
        for (int64_t k = 0; k < n; ++k) {
            const real_t x = probe_entry(k + seed);
            const scalar_t q = scale(x, AT(P->U, i, k));
            sum = add(sum, q);
            weighted = add(weighted, scale(ldexp_r(P->w[k], -e), q));
        }
        y[i] = sum;
        left[i] = weighted;
    }
    team_sync(t);
    for (int64_t i = team_rank(t); i < n; i += team_size(t)) {
        scalar_t sum = make(0, 0);
        for (int64_t k = 0; k < n; ++k)
            sum = add(sum, mul(times_power(AT(P->H, i, k), -e), y[k]));
        left[i] = sub(left[i], sum);
    }
    for (int64_t k = team_squad(t); k < n; k += team_squads(t)) {
        const scalar_t x = column_dot(t, 0, (int)n, &AT(P->U, 0, k), y);
        if (team_lane(t) == 0)
            lean[k] = sub(x, make(probe_entry(k + seed), 0));
    }
    team_sync(t);
    for (int64_t i = 0; i < n; ++i) {
        const real_t x = probe_entry(i + seed);
        size += x * x;
        square += abs2(left[i]);
        defect += abs2(lean[i]);
    }
    team_sync(t);
    return sqrt_r(square) <= 10 * sqrt_r((real_t)(n + 16)) * GSVD_EPS *
                                 sqrt_r(size) * ldexp_r(most, -e) &&
           sqrt_r(defect) <=
               (2 * sqrt_r((real_t)n) + 20) * GSVD_EPS * sqrt_r(size) * 2;
}

/* 7 */
TEAM_FN int eigh_passes(team_t t, const eigh_one_t *P)
{
    int good = 1;
    for (int k = 0; k < EIGH_VECTORS && good; ++k)
        good = eigh_test_vector(t, P, k * P->n);
    return good;
}

/* The results of problem i, from those of its SVD; info 1: they fail the test. */
TEAM_FN void eigh_signs_one(team_t t, const eigh_batch_t *b, int64_t i)
{
    const eigh_one_t P = eigh_problem(b, i);
    const int info = b->info[i];

    if (P.n == 0)
        return;
    if (info < 0) { /* V is NaN already.                                     */
        for (int64_t j = team_rank(t); j < P.n; j += team_size(t))
            P.w[j] = (real_t)NAN;
        return;
    }
    if (eigh_dots(t, &P)) {
        eigh_null(t, &P);
        eigh_blocks(t, &P);
    }
    const real_t missing = eigh_missing(&P);
    team_sync(t);
    const int loose = eigh_means(t, &P);
    eigh_sort(t, &P);
    int good = !loose && (info != 0 || eigh_passes(t, &P));
    if (!good) {
        eigh_orthonormalize(t, &P);
        good = info != 0 || eigh_passes(t, &P);
    }
    for (int64_t c = team_squad(t); c < P.n; c += team_squads(t))
        for (int64_t r = team_lane(t); r < P.n; r += LANES)
            AT(P.V, r, c) = AT(P.U, r, c);
    if (team_rank(t) == 0 && info == 0 && !(good && missing < 1))
        b->info[i] = 1;
    team_sync(t);
}

#endif /* GSVD_BATCH_EIGH_H */
