/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ldl_panel.c -- one panel of L D L^H: candidates, pivots, exchange; CPU twin of ldl_panel.cu. */
#include "pivot/ldl.h"

enum { C = LDL_CANDIDATES, B = LDL_PIVOTS };

/* -- candidates ------------------------------------------------------------------ */

/* The want-th largest number */
static unsigned nth_largest(int64_t m, const unsigned *size, int64_t want)
{
    unsigned found = 0, known = 0;

    for (int shift = 24; shift >= 0; shift -= 8) {
        int64_t count[256] = {0}, above = 0;
        for (int64_t i = 0; i < m; ++i)
            if ((size[i] & known) == found)
                ++count[size[i] >> shift & 255];
        int digit = 255;
        while (above + count[digit] < want)
            above += count[digit--];
        want -= above;
        found |= (unsigned)digit << shift;
        known |= 255u << shift;
    }
    return found;
}

/* size[j] := the largest of column j, row[j] := its row */
static void find_largest(mat_t A, unsigned *size, int *row)
{
    for (int64_t j = 0; j < A.cols; ++j) {
        const scalar_t *const a = &AT(A, 0, j);
        unsigned most = 0;
        int at = 0;
        for (int64_t i = 0; i < A.rows; ++i) {
            const unsigned x = size_bits(a[i]);
            if (x > most) {
                most = x;
                at = (int)i;
            }
        }
        size[j] = most;
        row[j] = at;
    }
}

enum { FREE, TAKEN, WANTED };

static void take(ldl_panel_t *p, int *state, int64_t j)
{
    state[j] = TAKEN;
    p->candidate[p->candidates++] = (int)j;
}

/* Takes columns of size above `least`, then those of that size, until there are `most`. */
static void take_largest(int64_t m, const unsigned *size, unsigned least,
                         int64_t most, int *state, ldl_panel_t *p)
{
    for (int equal = 0; equal < 2; ++equal)
        for (int64_t j = 0; j < m && p->candidates < most; ++j)
            if (state[j] != TAKEN &&
                (equal ? size[j] == least : size[j] > least))
                take(p, state, j);
}

gsvd_status_t X(ldl_candidates_cpu)(const exec_t *ex, mat_t A, ldl_panel_t *p)
{
    const int64_t m = A.cols, first = min_i(m, B), all = min_i(m, C);
    void *work;

    p->candidates = 0;
    if (m <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, 3 * (size_t)m * sizeof(int), &work));
    unsigned *const size = work;
    int *const row = (int *)work + m, *const state = row + m;
    find_largest(A, size, row);
    for (int64_t j = 0; j < m; ++j)
        state[j] = FREE;
    take_largest(m, size, nth_largest(m, size, first), first, state, p);
    for (int64_t k = 0; k < first; ++k) {
        const int r = row[p->candidate[k]];
        if (state[r] == FREE)
            state[r] = WANTED;
    }
    for (int64_t j = 0; j < m && p->candidates < all; ++j)
        if (state[j] == WANTED)
            take(p, state, j);
    take_largest(m, size, nth_largest(m, size, all), all, state, p);
    return GSVD_SUCCESS;
}

/* -- pivots ------------------------------------------------------------------------ */

/* The rest of A(C,C), its lower triangle, and its largest entries, of which the first ones count */
#define rest_t X(ldl_rest_t)
typedef struct rest_t {
    scalar_t a[C][C]; /* by columns                                          */
    scalar_t u[C], v[C]; /* the columns of a pivot                           */
    int live[C], count;
    unsigned off, diagonal; /* size_bits of the largest                       */
    int row, col, at;
} rest_t;

static void look(rest_t *x, int r, int c)
{
    const unsigned size = size_bits(x->a[c][r]);
    unsigned *const most = r == c ? &x->diagonal : &x->off;
    if (size <= *most)
        return;
    *most = size;
    if (r == c)
        x->at = r;
    else {
        x->row = r;
        x->col = c;
    }
}

static void look_at_all(rest_t *x)
{
    x->off = x->diagonal = 0;
    for (int j = 0; j < x->count; ++j)
        for (int i = j; i < x->count; ++i)
            look(x, x->live[i], x->live[j]);
}

static void drop(rest_t *x, int r)
{
    int k = 0;
    while (x->live[k] != r)
        ++k;
    for (--x->count; k < x->count; ++k)
        x->live[k] = x->live[k + 1];
}

/* to := column r of the rest, both sides of the diagonal */
static void gather(const rest_t *x, int r, scalar_t *to)
{
    for (int k = 0; k < x->count; ++k) {
        const int i = x->live[k];
        to[i] = i >= r ? x->a[r][i] : conj_of(x->a[i][r]);
    }
}

/* Notes that row r is the pivot's, of this kind. */
static void note_pivot(ldl_panel_t *p, int r, ldl_place_t kind, real_t d,
                       scalar_t e)
{
    p->place[p->pivots] = r;
    p->kind[p->pivots] = kind;
    p->d[p->pivots] = d;
    p->e[p->pivots] = e;
    for (int i = 0; i < C; ++i)
        p->factor[C * p->pivots + i] = make(0, 0);
    ++p->pivots;
}

/* Takes the pivot of rows r and s, or of r alone where s < 0, out of the rest. */
static void eliminate(rest_t *x, int r, int s, ldl_panel_t *p)
{
    const scalar_t none = make(0, 0);
    const int two = s >= 0;
    scalar_t *const l = p->factor + C * p->pivots;

    gather(x, r, x->u);
    for (int i = 0; i < C; ++i)
        x->v[i] = none;
    if (two)
        gather(x, s, x->v);
    const real_t a = re(x->u[r]), c = two ? re(x->v[s]) : 0;
    const scalar_t b = two ? x->u[s] : none;
    const ldl_inverse_t E = ldl_inverse(a, b, c);
    note_pivot(p, r, two ? LDL_FIRST : LDL_ONE, a, b);
    drop(x, r);
    if (two) {
        note_pivot(p, s, LDL_SECOND, c, none);
        drop(x, s);
    }
    for (int k = 0; k < x->count; ++k) {
        const int i = x->live[k];
        scalar_t y;
        ldl_divide(E, x->u[i], x->v[i], &l[i], &y);
        if (two)
            l[C + i] = y;
    }
    for (int q = 0; q < x->count; ++q) {
        const int j = x->live[q];
        scalar_t *const to = x->a[j];
        const scalar_t u = conj_of(x->u[j]), v = conj_of(x->v[j]);
        for (int k = q; k < x->count; ++k) {
            const int i = x->live[k];
            to[i] =
                ldl_eliminate(to[i], l[i], u, two ? l[C + i] : none, v, two);
        }
        to[j] = make(re(to[j]), 0);
    }
}

/* R := L11^H, then I */
static void set_triangle(ldl_panel_t *p)
{
    for (int s = 0; s < B; ++s)
        for (int t = 0; t < B; ++t) {
            const int inside = s < p->pivots && t < s;
            p->R[t + s * B] = t == s   ? make(1, 0)
                              : inside ? conj_of(p->factor[p->place[s] + t * C])
                                       : make(0, 0);
        }
}

/* Pivots go to the front; columns that stood there and are none go where pivots came from. */
static void set_moves(ldl_panel_t *p)
{
    int in_front[B] = {0}, left = 0;
    const int n = p->pivots;

    for (int s = 0; s < n; ++s) {
        p->from[s] = p->candidate[p->place[s]];
        p->to[s] = s;
        if (p->from[s] < n)
            in_front[p->from[s]] = 1;
    }
    p->moves = n;
    for (int s = 0; s < n; ++s) {
        if (in_front[s])
            continue;
        while (p->from[left] < n)
            ++left;
        p->from[p->moves] = s;
        p->to[p->moves++] = p->from[left++];
    }
}

size_t X(ldl_bytes)(int64_t n)
{
    const size_t integers = 3 * (size_t)n * sizeof(int);
    const size_t sums = 2 * (size_t)n * sizeof(real_t);
    const size_t numbers = integers > sums ? integers : sums;
    return numbers > sizeof(rest_t) ? numbers : sizeof(rest_t);
}

gsvd_status_t X(ldl_pivots_cpu)(const exec_t *ex, mat_t A, real_t tol,
                                ldl_panel_t *p)
{
    void *work;

    GSVD_TRY(X(kernel_work)(ex, sizeof(rest_t), &work));
    rest_t *const x = work;
    x->count = p->candidates;
    for (int j = 0; j < x->count; ++j) {
        x->live[j] = j;
        for (int i = j; i < x->count; ++i)
            x->a[j][i] = AT(A, p->candidate[i], p->candidate[j]);
    }
    for (p->pivots = 0; p->pivots < B;) {
        look_at_all(x);
        const int two = ldl_is_pair(x->diagonal, x->off);
        const unsigned most = x->off > x->diagonal ? x->off : x->diagonal;
        if (!(real_of_bits(most) > tol) || p->pivots + 1 + two > B)
            break;
        eliminate(x, two ? x->col : x->at, two ? x->row : -1, p);
    }
    set_triangle(p);
    set_moves(p);
    return GSVD_SUCCESS;
}

/* -- exchange, L ------------------------------------------------------------------ */

/* Exchanges entries of x, `step` apart. */
static void move_entries(const ldl_panel_t *p, scalar_t *x, int64_t step)
{
    scalar_t kept[2 * B];
    for (int k = 0; k < p->moves; ++k)
        kept[k] = x[p->from[k] * step];
    for (int k = 0; k < p->moves; ++k)
        x[p->to[k] * step] = kept[k];
}

gsvd_status_t X(ldl_exchange_cpu)(const exec_t *ex, mat_t A, mat_t L, int *perm,
                                  const ldl_panel_t *p)
{
    int kept[2 * B];

    (void)ex;
    for (int64_t i = 0; i < A.rows; ++i)
        move_entries(p, A.data + i, A.ld);
    for (int64_t j = 0; j < A.cols; ++j)
        move_entries(p, &AT(A, 0, j), 1);
    for (int64_t j = 0; j < L.cols; ++j)
        move_entries(p, &AT(L, 0, j), 1);
    for (int k = 0; k < p->moves; ++k)
        kept[k] = perm[p->from[k]];
    for (int k = 0; k < p->moves; ++k)
        perm[p->to[k]] = kept[k];
    return GSVD_SUCCESS;
}

static void note(unsigned *largest, scalar_t x)
{
    const unsigned size = size_bits(x);
    *largest = size > *largest ? size : *largest;
}

/* Column t of L, and t + 1 of a pivot of order 2 */
static void divide(mat_t W, mat_t L, ldl_panel_t *p, int64_t t)
{
    const int two = p->kind[t] == LDL_FIRST;
    const ldl_inverse_t E =
        ldl_inverse(p->d[t], p->e[t], two ? p->d[t + 1] : 0);

    for (int64_t i = 0; i < L.rows; ++i) {
        scalar_t x = make(i == t, 0), y = make(i == t + 1, 0);
        if (i > t + two && i < p->pivots) {
            x = p->factor[p->place[i] + t * C];
            y = p->factor[p->place[i] + (t + two) * C];
        } else if (i > t + two)
            ldl_divide(E, AT(W, i, t), two ? AT(W, i, t + 1) : make(0, 0), &x,
                       &y);
        AT(L, i, t) = x;
        if (two)
            AT(L, i, t + 1) = y;
        if (i > t + two) {
            note(&p->largest[t], x);
            if (two)
                note(&p->largest[t + 1], y);
        }
    }
}

gsvd_status_t X(ldl_divide_cpu)(const exec_t *ex, mat_t W, mat_t L,
                                ldl_panel_t *p)
{
    (void)ex;
    for (int t = 0; t < B; ++t)
        p->largest[t] = 0;
    for (int64_t t = 0; t < L.cols; ++t)
        if (t >= p->pivots)
            for (int64_t i = 0; i < L.rows; ++i)
                AT(L, i, t) = make(0, 0);
        else if (p->kind[t] != LDL_SECOND)
            divide(W, L, p, t);
    return GSVD_SUCCESS;
}

gsvd_status_t X(ldl_accepted_cpu)(const exec_t *ex, const ldl_panel_t *p,
                                  real_t *d, scalar_t *e, int64_t *accepted)
{
    (void)ex;
    *accepted = ldl_accept(p);
    for (int t = 0; t < *accepted; ++t) {
        d[t] = p->d[t];
        e[t] = p->e[t];
    }
    return GSVD_SUCCESS;
}
