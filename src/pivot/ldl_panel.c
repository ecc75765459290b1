/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ldl_panel.c -- one panel of L D L^H: candidates, pivots, exchange; CPU twin of ldl_panel.cu. */
#include <string.h>

#include "core/clones.h"
#define GSVD_FN PART /* of functions with clones */
#include "pivot/ldl.h"

enum {
    C = LDL_CANDIDATES,
    B = LDL_PIVOTS,
    LAST =
        REALS_PER_SCALAR - 1 /* the part that is imaginary, if there is one */
};

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

/* The j-th entry of a column as its parts, for the vector unit */
PART scalar_t entry(const real_t *x, int64_t j)
{
    return make(x[REALS_PER_SCALAR * j], x[REALS_PER_SCALAR * j + LAST]);
}

/* ... of entries from, ..., to - 1 */
PART unsigned largest_size(const real_t *x, int64_t from, int64_t to)
{
    unsigned most = 0;
#pragma omp simd reduction(max : most)
    for (int64_t i = from; i < to; ++i) {
        const unsigned size = size_bits(entry(x, i));
        most = size > most ? size : most;
    }
    return most;
}

/* size[j] := the largest of column j */
CLONES
static void find_largest(mat_t A, unsigned *size)
{
    for (int64_t j = 0; j < A.cols; ++j)
        size[j] = largest_size((const real_t *)&AT(A, 0, j), 0, A.rows);
}

/* The first row of column j with that size */
CLONES
static int row_of(mat_t A, int64_t j, unsigned size)
{
    const real_t *const a = (const real_t *)&AT(A, 0, j);
    const int rows = (int)A.rows;
    int first = rows;
#pragma omp simd reduction(min : first)
    for (int i = 0; i < rows; ++i) {
        const int at = size_bits(entry(a, i)) == size ? i : rows;
        first = at < first ? at : first;
    }
    return first;
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
    GSVD_TRY(X(kernel_work)(ex, 2 * (size_t)m * sizeof(int), &work));
    unsigned *const size = work;
    int *const state = (int *)work + m;
    find_largest(A, size);
    for (int64_t j = 0; j < m; ++j)
        state[j] = FREE;
    take_largest(m, size, nth_largest(m, size, first), first, state, p);
    for (int64_t k = 0; k < first; ++k) {
        const int j = p->candidate[k], r = row_of(A, j, size[j]);
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

enum { DOWN = C + 8 /* from a column to the next, in other sets of a cache */ };

/* Real and imaginary parts apart, for the vector unit */
#define planes_t X(ldl_planes_t)
typedef struct planes_t {
    real_t x[REALS_PER_SCALAR][C];
} planes_t;

/* The rest of A(C,C), its lower triangle by columns: rows and columns of pivots are 0. */
#define rest_t X(ldl_rest_t)
typedef struct rest_t {
    real_t a[REALS_PER_SCALAR][C * DOWN];
    planes_t u, v, l, y;            /* the columns of a pivot, and of L      */
    unsigned off[C], diagonal[C];   /* of each column: the largest size_bits */
    int live[C], count, candidates; /* columns that are no pivots, of all    */
} rest_t;

PART scalar_t load(const real_t *x, const real_t *y, int i)
{
    return make(x[i], REALS_PER_SCALAR > 1 ? y[i] : 0);
}

PART void store(real_t *x, real_t *y, int i, scalar_t a)
{
    x[i] = re(a);
    if (REALS_PER_SCALAR > 1)
        y[i] = im(a);
}

static void drop(rest_t *x, int r)
{
    int k = 0;
    while (x->live[k] != r)
        ++k;
    for (--x->count; k < x->count; ++k)
        x->live[k] = x->live[k + 1];
}

/* to := column r of the rest, both sides of the diagonal; leaves it there */
static void gather(rest_t *x, int r, planes_t *to)
{
    real_t *const a = x->a[0], *const b = x->a[LAST];
    for (int i = 0; i < x->candidates; ++i) {
        const scalar_t z = i >= r ? load(a, b, i + DOWN * r)
                                  : conj_of(load(a, b, r + DOWN * i));
        store(to->x[0], to->x[LAST], i, z);
    }
}

/* Rows and columns := 0, and those of the pivot's columns */
static void clear(rest_t *x, int r)
{
    const scalar_t none = make(0, 0);
    real_t *const a = x->a[0], *const b = x->a[LAST];
    for (int i = 0; i < x->candidates; ++i)
        store(a, b, i < r ? r + DOWN * i : i + DOWN * r, none);
    store(x->u.x[0], x->u.x[LAST], r, none);
    store(x->v.x[0], x->v.x[LAST], r, none);
    x->off[r] = x->diagonal[r] = 0;
    drop(x, r);
}

/* Notes that row r is the pivot's, of this kind, and its column of L. */
static void note_pivot(ldl_panel_t *p, int r, ldl_place_t kind, real_t d,
                       scalar_t e)
{
    p->place[p->pivots] = r;
    p->kind[p->pivots] = kind;
    p->d[p->pivots] = d;
    p->e[p->pivots] = e;
    ++p->pivots;
}

/* l, y := the pivot's columns of L */
PART void divide_columns(rest_t *x, ldl_inverse_t E)
{
    for (int i = 0; i < C; ++i) {
        scalar_t l, y;
        ldl_divide(E, load(x->u.x[0], x->u.x[LAST], i),
                   load(x->v.x[0], x->v.x[LAST], i), &l, &y);
        store(x->l.x[0], x->l.x[LAST], i, l);
        store(x->y.x[0], x->y.x[LAST], i, y);
    }
}

/* The largest sizes of column j */
PART void look(rest_t *x, int j)
{
    const real_t *const a = x->a[0] + DOWN * j, *const b =
                                                    x->a[LAST] + DOWN * j;
    const int n = x->candidates;
    unsigned most = 0;
    x->diagonal[j] = size_bits(load(a, b, j));
#pragma omp simd reduction(max : most)
    for (int i = j + 1; i < n; ++i) {
        const unsigned size = size_bits(load(a, b, i));
        most = size > most ? size : most;
    }
    x->off[j] = most;
}

CLONES
static void look_at_all(rest_t *x)
{
    for (int j = 0; j < x->count; ++j)
        look(x, j);
}

/* What the pivot leaves of column j */
PART void subtract(rest_t *x, int j, int two)
{
    const int n = x->candidates;
    real_t *const a = x->a[0] + DOWN * j, *const b = x->a[LAST] + DOWN * j;
    const real_t *const l = x->l.x[0], *const m = x->l.x[LAST];
    const real_t *const y = x->y.x[0], *const z = x->y.x[LAST];
    const scalar_t u = conj_of(load(x->u.x[0], x->u.x[LAST], j));
    const scalar_t v = conj_of(load(x->v.x[0], x->v.x[LAST], j));

#pragma omp simd
    for (int i = j; i < n; ++i) {
        const scalar_t left = ldl_eliminate(load(a, b, i), load(l, m, i), u,
                                            load(y, z, i), v, two);
        store(a, b, i, left);
    }
    store(a, b, j, make(a[j], 0));
    look(x, j);
}

CLONES
static void subtract_all(rest_t *x, ldl_inverse_t E, int two)
{
    divide_columns(x, E);
    for (int k = 0; k < x->count; ++k)
        if (two)
            subtract(x, x->live[k], 1);
        else
            subtract(x, x->live[k], 0);
}

/* The first row of column j with that size */
CLONES
static int find_row(const rest_t *x, int j, unsigned size)
{
    const real_t *const a = x->a[0] + DOWN * j, *const b =
                                                    x->a[LAST] + DOWN * j;
    int first = C;
#pragma omp simd reduction(min : first)
    for (int i = j + 1; i < x->candidates; ++i) {
        const int at = size_bits(load(a, b, i)) == size ? i : C;
        first = at < first ? at : first;
    }
    return first;
}

/* The first column with the largest size */
static int find_column(const rest_t *x, const unsigned *size)
{
    int at = x->live[0];
    for (int k = 1; k < x->count; ++k)
        if (size[x->live[k]] > size[at])
            at = x->live[k];
    return at;
}

/* Takes the pivot of rows r and s, or of r alone where s < 0, out of the rest. */
static void eliminate(rest_t *x, int r, int s, ldl_panel_t *p)
{
    const int two = s >= 0;
    scalar_t *const l = p->factor + C * p->pivots;
    const planes_t *const u = &x->u, *const v = &x->v;

    gather(x, r, &x->u);
    if (two)
        gather(x, s, &x->v);
    else
        memset(&x->v, 0, sizeof x->v);
    const real_t a = u->x[0][r], c = two ? v->x[0][s] : 0;
    const scalar_t b = two ? load(u->x[0], u->x[LAST], s) : make(0, 0);
    note_pivot(p, r, two ? LDL_FIRST : LDL_ONE, a, b);
    clear(x, r);
    if (two) {
        note_pivot(p, s, LDL_SECOND, c, make(0, 0));
        clear(x, s);
    }
    subtract_all(x, ldl_inverse(a, b, c), two);
    for (int i = 0; i < C; ++i) {
        l[i] = load(x->l.x[0], x->l.x[LAST], i);
        if (two)
            l[C + i] = load(x->y.x[0], x->y.x[LAST], i);
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

gsvd_status_t X(ldl_pivots_cpu)(const exec_t *ex, mat_t A, real_t tol,
                                ldl_panel_t *p)
{
    void *work;

    GSVD_TRY(X(kernel_work)(ex, sizeof(rest_t), &work));
    rest_t *const x = work;
    x->candidates = x->count = p->candidates;
    memset(&x->u, 0, sizeof x->u);
    for (int j = 0; j < x->count; ++j) {
        x->live[j] = j;
        for (int i = j; i < x->count; ++i)
            store(x->a[0], x->a[LAST], i + DOWN * j,
                  AT(A, p->candidate[i], p->candidate[j]));
    }
    look_at_all(x);
    for (p->pivots = 0; p->pivots < B && x->count > 0;) {
        const int column = find_column(x, x->off);
        const int at = find_column(x, x->diagonal);
        const unsigned off = x->off[column], diagonal = x->diagonal[at];
        const int two = ldl_is_pair(diagonal, off);
        const unsigned most = off > diagonal ? off : diagonal;
        if (!(real_of_bits(most) > tol) || p->pivots + 1 + two > B)
            break;
        eliminate(x, two ? column : at, two ? find_row(x, column, off) : -1, p);
    }
    set_triangle(p);
    set_moves(p);
    return GSVD_SUCCESS;
}

/* -- exchange, L ------------------------------------------------------------------ */

/* The move that fills this place */
static int move_to(const ldl_panel_t *p, int place)
{
    int k = 0;
    while (p->to[k] != place)
        ++k;
    return k;
}

/* The moves are cycles: of each, one column waits in `kept`. */
static void move_columns(const ldl_panel_t *p, mat_t A, scalar_t *kept)
{
    const size_t bytes = (size_t)A.rows * sizeof *A.data;
    int done[2 * B] = {0};

    for (int first = 0; first < p->moves; ++first) {
        int k = first;
        if (done[k] || p->from[k] == p->to[k])
            continue;
        memcpy(kept, &AT(A, 0, p->to[k]), bytes);
        for (; p->from[k] != p->to[first]; k = move_to(p, p->from[k])) {
            memcpy(&AT(A, 0, p->to[k]), &AT(A, 0, p->from[k]), bytes);
            done[k] = 1;
        }
        memcpy(&AT(A, 0, p->to[k]), kept, bytes);
        done[k] = 1;
    }
}

static void move_rows(const ldl_panel_t *p, mat_t A)
{
    scalar_t kept[2 * B];
    for (int64_t j = 0; j < A.cols; ++j) {
        scalar_t *const x = &AT(A, 0, j);
        for (int k = 0; k < p->moves; ++k)
            kept[k] = x[p->from[k]];
        for (int k = 0; k < p->moves; ++k)
            x[p->to[k]] = kept[k];
    }
}

gsvd_status_t X(ldl_exchange_cpu)(const exec_t *ex, mat_t A, mat_t L, int *perm,
                                  const ldl_panel_t *p)
{
    int kept[2 * B];
    void *work;

    GSVD_TRY(X(kernel_work)(ex, (size_t)A.rows * sizeof(scalar_t), &work));
    move_columns(p, A, work);
    move_rows(p, A);
    move_rows(p, L);
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

/* Row i of the pivot in column t, as far as the panel has it */
static void set_row(mat_t L, ldl_panel_t *p, int64_t t, int two, int64_t i)
{
    scalar_t x = make(i == t, 0), y = make(i == t + 1, 0);
    if (i > t + two) {
        x = p->factor[p->place[i] + t * C];
        y = p->factor[p->place[i] + (t + two) * C];
        note(&p->largest[t], x);
        if (two)
            note(&p->largest[t + 1], y);
    }
    AT(L, i, t) = x;
    if (two)
        AT(L, i, t + 1) = y;
}

PART void put_entry(real_t *x, int64_t i, scalar_t a)
{
    x[REALS_PER_SCALAR * i] = re(a);
    if (REALS_PER_SCALAR > 1)
        x[REALS_PER_SCALAR * i + LAST] = im(a);
}

/* Rows from ... of column t of L, and of t + 1 of a pivot of order 2 */
CLONES
static void divide_rows(mat_t W, mat_t L, ldl_panel_t *p, ldl_inverse_t E,
                        int64_t t, int two, int64_t from)
{
    const int64_t rows = L.rows, s = t + two;
    const real_t *const u = (const real_t *)&AT(W, 0, t);
    const real_t *const v = (const real_t *)&AT(W, 0, s);
    real_t *const x = (real_t *)&AT(L, 0, t);
    real_t *const y = (real_t *)&AT(L, 0, s);
    scalar_t l, m;

    if (two)
#pragma omp simd private(l, m)
        for (int64_t i = from; i < rows; ++i) {
            ldl_divide(E, entry(u, i), entry(v, i), &l, &m);
            put_entry(x, i, l);
            put_entry(y, i, m);
        }
    else
#pragma omp simd private(l, m)
        for (int64_t i = from; i < rows; ++i) {
            ldl_divide(E, entry(u, i), make(0, 0), &l, &m);
            put_entry(x, i, l);
        }
    for (int64_t k = t; k <= s; ++k) {
        const unsigned most =
            largest_size((const real_t *)&AT(L, 0, k), from, rows);
        p->largest[k] = most > p->largest[k] ? most : p->largest[k];
    }
}

/* Column t of L, and t + 1 of a pivot of order 2 */
static void divide(mat_t W, mat_t L, ldl_panel_t *p, int64_t t)
{
    const int two = p->kind[t] == LDL_FIRST;

    for (int64_t i = 0; i < p->pivots; ++i)
        set_row(L, p, t, two, i);
    divide_rows(W, L, p, ldl_inverse(p->d[t], p->e[t], two ? p->d[t + 1] : 0),
                t, two, p->pivots);
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

size_t X(ldl_bytes)(int64_t n)
{
    const size_t sums = 2 * (size_t)n * sizeof(real_t);
    const size_t column = (size_t)n * sizeof(scalar_t);
    const size_t integers = 2 * (size_t)n * sizeof(int);
    return max_size(max_size(sums, column), max_size(integers, sizeof(rest_t)));
}
