/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.h -- the eigenvectors of one matrix of a batch out of its SVD, H = U S V^H, by a team: text for
 * C and CUDA, with the steps of gsvd/signed_svd.c.
 *
 *     1  t_j = Re u_j^H v_j, J_j its sign; j is open where |t_j| < 3/4
 *     2  null columns, J_j = 0;  3  blocks, by pivots of (I + V^H U) / 2;  4  the trace
 *     5  A := (V + U J) / 2, and s := J s
 *     6  Q and w: A's columns and s, in order
 *     7  the test of eigh_test.h; where columns lean or fail it, Gram and Schmidt, twice, the largest
 *        values first, and the test again
 *
 * Where an SVD's solver has the columns of U and V at hand, and none is open or leans, it does all of
 * that itself (eigh_columns.cuh). */
#ifndef GSVD_BATCH_EIGH_H
#define GSVD_BATCH_EIGH_H

#include <math.h>

#include "batch/batch.h"
#include "batch/eigh_test.h"
#include "small/team.h"

enum {
    EIGH_ROUNDS = 5, /* of 3 and 4                                          */
    EIGH_AHEAD = 4 /* entries that a thread reads before it writes one       */
};

#define EIGH_OPEN ((real_t)0.75)
#define EIGH_NEAR (GSVD_SINGLE ? (real_t)1e-3 : (real_t)1e-8)
#define EIGH_WIDEN 100
#define EIGH_NOT_SHORT ((real_t)0.1)

/* Problem i.  t, J: of its columns; J is 0 for a null one.  scaled: eigenvalues by a power of two; x:
 * eigh_scalars */
#define eigh_one_t X(eigh_one_t)
typedef struct eigh_one_t {
    int64_t n;
    mat_t A, V, U, H, Q; /* A: Q, or nearer memory                           */
    real_t *s, *t, *J, *scaled, *w;
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
    P.A = P.Q = eigh_matrix(&b->Q, i, n);
    P.V = mat_view(b->V + i * n * n, n, n, n);
    P.U = mat_view(b->U + i * n * n, n, n, n);
    P.H = mat_view(b->H + i * n * n, n, n, n);
    P.s = b->sigma + i * n;
    P.t = b->reals + EIGH_REALS * i * n;
    P.J = P.t + n;
    P.scaled = P.J + n;
    P.w = reals_of_batch(b->w, i);
    P.x = b->scalars + i * eigh_scalars(n);
    return P;
}

/* A and x, t, J, scaled of a problem in memory that is nearer than the batch's */
GSVD_FN size_t eigh_near_bytes(int64_t n)
{
    return (size_t)(n * n + eigh_scalars(n)) * sizeof(scalar_t) +
           (size_t)(EIGH_REALS * n) * sizeof(real_t);
}

TEAM_FN void eigh_bring_near(eigh_one_t *P, scalar_t *near)
{
    const int64_t n = P->n;
    P->A = mat_view(near, n, n, n);
    P->x = near + n * n;
    P->t = (real_t *)(P->x + eigh_scalars(n));
    P->J = P->t + n;
    P->scaled = P->J + n;
}

/* A and H := the Hermitian matrix of A's triangle.  Below or above the diagonal, what is given is not
 * written, as other threads read it. */
TEAM_FN void eigh_load_one(team_t t, const eigh_batch_t *b, int64_t i)
{
    eigh_one_t P = eigh_problem(b, i);
    P.A = eigh_matrix(&b->A, i, P.n);
    for (int64_t c = team_squad(t); c < P.n; c += team_squads(t))
        for (int64_t r0 = team_lane(t); r0 < P.n; r0 += EIGH_AHEAD * LANES) {
            scalar_t a[EIGH_AHEAD];
            for (int k = 0; k < EIGH_AHEAD; ++k) {
                const int64_t r = min_i(r0 + k * LANES, P.n - 1);
                const int given = b->uplo == 'U' ? r < c : r > c;
                a[k] = r == c  ? make(re(AT(P.A, r, r)), 0)
                       : given ? AT(P.A, r, c)
                               : conj_of(AT(P.A, c, r));
            }
            for (int k = 0; k < EIGH_AHEAD; ++k) {
                const int64_t r = r0 + k * LANES;
                const int given = b->uplo == 'U' ? r < c : r > c;
                if (r < P.n)
                    AT(P.H, r, c) = a[k];
                if (r < P.n && !given)
                    AT(P.A, r, c) = a[k];
            }
        }
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

/* 5: column j of A, by a squad */
TEAM_FN void eigh_mean(team_t t, const eigh_one_t *P, int j, real_t J)
{
    const int n = (int)P->n;
    const scalar_t *const U = &AT(P->U, 0, j), *const V = &AT(P->V, 0, j);
    scalar_t *const A = &AT(P->A, 0, j);
    for (int i0 = team_lane(t); i0 < n; i0 += EIGH_AHEAD * LANES) {
        scalar_t u[EIGH_AHEAD], v[EIGH_AHEAD];
        for (int k = 0; k < EIGH_AHEAD; ++k) {
            const int i = least_of(i0 + k * LANES, n - 1);
            u[k] = U[i];
            v[k] = V[i];
        }
        for (int k = 0; k < EIGH_AHEAD && i0 + k * LANES < n; ++k)
            A[i0 + k * LANES] =
                J == 0 ? v[k] : scale((real_t)0.5, add(v[k], scale(J, u[k])));
    }
}

/* 1, and 5, while a column is at hand: is one open, so that its J may change? */
TEAM_FN int eigh_dots(team_t t, const eigh_one_t *P)
{
    const int n = (int)P->n;
    int open = 0;
    for (int j = team_squad(t); j < n; j += team_squads(t)) {
        const real_t dot = re(eigh_inner(t, P, j, j));
        const real_t J = P->s[j] == 0 ? 0 : dot < 0 ? -1 : 1;
        if (team_lane(t) == 0) {
            P->t[j] = dot;
            P->J[j] = J;
        }
        eigh_mean(t, P, j, J);
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
TEAM_FN real_t eigh_missing(team_t t, const eigh_one_t *P)
{
    const int n = (int)P->n;
    real_t sum = 0;
    for (int j = team_lane(t); j < n; j += LANES)
        sum += P->J[j] == 0 ? 0 : P->J[j] - P->t[j];
    return fabs_r(squad_sum(t, sum));
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
        if (eigh_missing(t, P) < 1)
            break;
        near *= EIGH_WIDEN;
    }
}

/* 5: s.  Do columns of A lean? */
TEAM_FN int eigh_leans(team_t t, const eigh_one_t *P)
{
    const real_t little = eigh_little_lean(P->n);
    int lean = 0;
    for (int64_t j = team_rank(t); j < P->n; j += team_size(t)) {
        const real_t J = P->J[j];
        lean |= !(J != 0 && 1 - fabs_r(P->t[j]) <= little);
        P->s[j] = J < 0 ? -P->s[j] : P->s[j];
    }
    return team_any(t, lean);
}

/* A := orthonormal columns, by descending |s|: what is left of columns that depend on each other, as
 * zeros' may, turns none of larger values. */
TEAM_STEP void eigh_orthonormalize(team_t t, const eigh_one_t *P)
{
    const int n = (int)P->n;

    for (int k = 0; k < n; ++k) {
        scalar_t *const u = &AT(P->A, 0, k);
        for (int twice = 0; twice < 2; ++twice) {
            for (int j = team_squad(t); j < k; j += team_squads(t)) {
                const scalar_t c = column_dot(t, 0, n, &AT(P->A, 0, j), u);
                if (team_lane(t) == 0)
                    P->x[j] = c;
            }
            team_sync(t);
            for (int i = team_rank(t); i < n; i += team_size(t))
                for (int j = 0; j < k; ++j)
                    u[i] = sub(u[i], mul(AT(P->A, i, j), P->x[j]));
            team_sync(t);
        }
        const real_t length = column_norm(t, 0, n, u);
        team_sync(t);
        for (int i = team_rank(t); i < n && length > 0; i += team_size(t))
            u[i] = scale(1 / length, u[i]);
        team_sync(t);
    }
}

/* Sums over a group's columns k of A(i,k) x(k), which a thread has of a row */
typedef struct part_of_row {
    int i, group, from, to;
} part_of_row_t;

/* Threads of a row: each has some of its columns. */
TEAM_FN int eigh_groups(team_t t, int n)
{
    return most_of(1, least_of(EIGH_GROUPS, team_size(t) / n));
}

/* Part `at` of the rows in so many groups */
TEAM_FN part_of_row_t eigh_part(int at, int n, int groups)
{
    const part_of_row_t p = {at % n, at / n, at / n * n / groups,
                             (at / n + 1) * n / groups};
    return p;
}

/* The sum of what the groups have found for number i, the numbers of each of them `apart` */
TEAM_FN scalar_t eigh_sum(const scalar_t *of_group, int i, int groups,
                          int apart)
{
    scalar_t sum = of_group[i];
    for (int g = 1; g < groups; ++g)
        sum = add(sum, of_group[i + g * apart]);
    return sum;
}

/* 7: of two vectors at once.  They are in the places of t and J. */
TEAM_FN void eigh_multiply(team_t t, const eigh_one_t *P, int e)
{
    const int n = (int)P->n, groups = eigh_groups(t, n);
    const int apart = 2 * EIGH_VECTORS * n; /* numbers of a group            */
    real_t *const x = P->t, *const other = P->J, *const w = P->scaled;
    scalar_t *const y = P->x, *const z = y + 2 * n;
    scalar_t *const left = z + 2 * n, *const lean = left + 2 * n;
    scalar_t *const sums = lean + 2 * n;

    for (int k = team_rank(t); k < n; k += team_size(t)) {
        x[k] = probe_entry(k);
        other[k] = probe_entry(k + n);
        w[k] = ldexp_r(P->s[k], -e);
    }
    team_sync(t);
    for (int at = team_rank(t); at < groups * n; at += team_size(t)) {
        const part_of_row_t p = eigh_part(at, n, groups);
        scalar_t sum[] = {make(0, 0), make(0, 0)};
        scalar_t weighted[] = {make(0, 0), make(0, 0)};
        const scalar_t *row = &AT(P->A, p.i, p.from);
        for (int k = p.from; k < p.to; ++k, row += P->A.ld) {
            const scalar_t q = *row, r = scale(w[k], q);
            sum[0] = add(sum[0], scale(x[k], q));
            sum[1] = add(sum[1], scale(other[k], q));
            weighted[0] = add(weighted[0], scale(x[k], r));
            weighted[1] = add(weighted[1], scale(other[k], r));
        }
        for (int v = 0; v < EIGH_VECTORS; ++v) {
            sums[p.i + v * n + p.group * apart] = sum[v];
            sums[p.i + (EIGH_VECTORS + v) * n + p.group * apart] = weighted[v];
        }
    }
    team_sync(t);
    for (int i = team_rank(t); i < EIGH_VECTORS * n; i += team_size(t)) {
        y[i] = eigh_sum(sums, i, groups, apart);
        z[i] = times_power(y[i], -e);
        left[i] = eigh_sum(sums, i + EIGH_VECTORS * n, groups, apart);
    }
    team_sync(t);
    for (int k = team_squad(t); k < n; k += team_squads(t)) {
        const scalar_t *const q = &AT(P->A, 0, k);
        const scalar_t a = column_dot(t, 0, n, q, y);
        const scalar_t b = column_dot(t, 0, n, q, y + n);
        if (team_lane(t) == 0) {
            lean[k] = sub(a, make(x[k], 0));
            lean[k + n] = sub(b, make(other[k], 0));
        }
    }
    for (int at = team_rank(t); at < groups * n; at += team_size(t)) {
        const part_of_row_t p = eigh_part(at, n, groups);
        scalar_t sum[] = {make(0, 0), make(0, 0)};
        const scalar_t *row = &AT(P->H, p.i, p.from);
        for (int k = p.from; k < p.to; ++k, row += P->H.ld) {
            const scalar_t h = *row;
            sum[0] = add(sum[0], mul(h, z[k]));
            sum[1] = add(sum[1], mul(h, z[k + n]));
        }
        for (int v = 0; v < EIGH_VECTORS; ++v)
            sums[p.i + v * n + p.group * apart] = sum[v];
    }
    team_sync(t);
    for (int i = team_rank(t); i < EIGH_VECTORS * n; i += team_size(t))
        left[i] = sub(left[i], eigh_sum(sums, i, groups, apart));
    team_sync(t);
}

/* 7: what is left and how columns lean, of each vector; each squad looks at some of these. */
TEAM_FN int eigh_passes(team_t t, const eigh_one_t *P)
{
    const int n = (int)P->n;
    const real_t most = fabs_r(P->s[0]);
    const int e = most > 0 ? exponent_r(most) : 0;
    const real_t of_left = eigh_most_left(n) * ldexp_r(most, -e);
    const real_t of_lean = eigh_most_lean(n);
    int bad = 0;

    eigh_multiply(t, P, e);
    for (int look = team_squad(t); look < 2 * EIGH_VECTORS;
         look += team_squads(t)) {
        const int v = look % EIGH_VECTORS, leans = look >= EIGH_VECTORS;
        const real_t *const x = v == 0 ? P->t : P->J;
        const scalar_t *const y = P->x + (4 + look) * n;
        real_t size = 0;
        for (int k = team_lane(t); k < n; k += LANES)
            size += x[k] * x[k];
        size = sqrt_r(squad_sum(t, size));
        bad |= !(column_norm(t, 0, n, y) <= (leans ? of_lean : of_left) * size);
    }
    return !team_any(t, bad);
}

/* Columns of negative values before column j */
TEAM_FN int eigh_below(team_t t, const eigh_one_t *P, int j)
{
    real_t count = 0;
    for (int k = team_lane(t); k < j; k += LANES)
        count += P->s[k] < 0;
    return (int)squad_sum(t, count);
}

/* to := from, n numbers, by a squad */
TEAM_FN void eigh_copy(team_t t, int n, const scalar_t *from, scalar_t *to)
{
    for (int i0 = team_lane(t); i0 < n; i0 += EIGH_AHEAD * LANES) {
        scalar_t a[EIGH_AHEAD];
        for (int k = 0; k < EIGH_AHEAD; ++k)
            a[k] = from[least_of(i0 + k * LANES, n - 1)];
        for (int k = 0; k < EIGH_AHEAD && i0 + k * LANES < n; ++k)
            to[i0 + k * LANES] = a[k];
    }
}

/* 6; by way of V where A is Q */
TEAM_FN void eigh_store(team_t t, const eigh_one_t *P)
{
    const int n = (int)P->n, in_place = P->A.data == P->Q.data;
    const mat_t to = in_place ? P->V : P->Q;
    for (int j = team_squad(t); j < n; j += team_squads(t)) {
        const real_t w = P->s[j];
        const int below = eigh_below(t, P, j);
        const int place = w < 0 ? below : n - 1 - (j - below);
        eigh_copy(t, n, &AT(P->A, 0, j), &AT(to, 0, place));
        if (team_lane(t) == 0)
            P->w[place] = w;
    }
    if (!in_place)
        return;
    team_sync(t);
    for (int j = team_squad(t); j < n; j += team_squads(t))
        eigh_copy(t, n, &AT(P->V, 0, j), &AT(P->Q, 0, j));
}

/* The entries of H are not finite. */
TEAM_FN void eigh_refuse(team_t t, const eigh_one_t *P)
{
    const real_t none = (real_t)NAN;
    for (int64_t j = team_squad(t); j < P->n; j += team_squads(t))
        for (int64_t i = team_lane(t); i < P->n; i += LANES)
            AT(P->Q, i, j) = make(none, REALS_PER_SCALAR == 2 ? none : 0);
    for (int64_t j = team_rank(t); j < P->n; j += team_size(t))
        P->w[j] = none;
}

/* The results of problem i, from those of its SVD; info 1: they fail the test.  near: eigh_near_bytes
 * of memory, or NULL */
TEAM_FN void eigh_signs_one(team_t t, const eigh_batch_t *b, int64_t i,
                            scalar_t *near)
{
    const int info = b->info[i];
    eigh_one_t P = eigh_problem(b, i);

    if (P.n == 0 || eigh_has_ended(P.s))
        return;
    if (info < 0) {
        eigh_refuse(t, &P);
        return;
    }
    if (near)
        eigh_bring_near(&P, near);
    if (eigh_dots(t, &P)) {
        eigh_null(t, &P);
        eigh_blocks(t, &P);
        for (int j = team_squad(t); j < (int)P.n; j += team_squads(t))
            eigh_mean(t, &P, j, P.J[j]);
    }
    const real_t missing = eigh_missing(t, &P);
    team_sync(t);
    int good = !eigh_leans(t, &P) && (info != 0 || eigh_passes(t, &P));
    if (!good) {
        eigh_orthonormalize(t, &P);
        good = info != 0 || eigh_passes(t, &P);
    }
    eigh_store(t, &P);
    if (team_rank(t) == 0 && info == 0 && !(good && missing < 1))
        b->info[i] = 1;
    team_sync(t);
}

#endif /* GSVD_BATCH_EIGH_H */
