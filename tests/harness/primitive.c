/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* primitive.c -- runs the rows of tables of primitives. */
#include "harness/primitive.h"

/* Rows below each column, and elements before the first one.  In the first layout vectors have
 * exactly their size, so that sanitizers see where they end; the second begins off the
 * alignment of vector instructions; in the third columns of 4 i entries are aligned. */
static const struct {
    int pad, before;
} layout[] = {{3, 8}, {0, 9}, {4, 8}};
enum { LAYOUTS = sizeof layout / sizeof *layout, BEHIND = 8 };

enum { ROWS_MOST = 100, SHAPES_MOST = 100 };
static const primitive_t *row_of[ROWS_MOST];
static TTest test_of[ROWS_MOST];
static int rows_known;

enum { SLOTS = 11, VECTORS = 3, INTS = 8, SIGNS = 10 };
static const struct slot {
    char name;
    size_t place, size;
} slot[SLOTS] = {
#define MATRIX(x)                                                              \
    {                                                                          \
#x[0], offsetof(operands_t, x), sizeof(scalar_t)                       \
    }
#define VECTOR(x)                                                              \
    {                                                                          \
#x[0], offsetof(operands_t, x), sizeof *((operands_t *)0)->x           \
    }
    MATRIX(A), MATRIX(B), MATRIX(C), VECTOR(a), VECTOR(b), VECTOR(c),
    VECTOR(d), VECTOR(g), VECTOR(i), VECTOR(j), VECTOR(J),
};

/* An operand in memory: `all` elements, of which rows x cols are its own; a vector is a
 * column. */
typedef struct block {
    char *data;
    size_t bytes;
    int64_t rows, cols, ld, before, all;
} block_t;

/* The operands of one call and their memory */
typedef struct image {
    operands_t x;
    block_t block[SLOTS];
} image_t;

gsvd_handle_t twin(void)
{
    static gsvd_handle_t host; /* until the process ends                      */
    if (!host)
        ck_assert_int_eq(gsvd_create(&host, GSVD_HOST), GSVD_SUCCESS);
    return host;
}

int descending(const void *a, const void *b)
{
    const real_t x = *(const real_t *)a, y = *(const real_t *)b;
    return (x < y) - (x > y);
}

static real_t *sorted_lengths(mat_t G)
{
    real_t *const x = grab((size_t)G.cols * sizeof *x);
    CALL_TWIN(column_norms, G, x);
    qsort(x, (size_t)G.cols, sizeof *x, descending);
    return x;
}

void ck_assert_lengths(mat_t G, mat_t H, int64_t plus)
{
    for (int sign = 0; sign < 2; ++sign) {
        const int64_t first = sign ? plus : 0;
        const int64_t cols = sign ? G.cols - plus : plus;
        const real_t *const x = sorted_lengths(mat_cols(G, first, cols));
        const real_t *const y = sorted_lengths(mat_cols(H, first, cols));
        for (int64_t j = 0; j < cols; ++j)
            ck_assert_msg(fabs((double)x[j] - y[j]) <=
                              random_walk(G.rows) * GSVD_ULP * (double)x[0],
                          "%ld: %g, %g", (long)j, (double)x[j], (double)y[j]);
    }
}

static void set_views(image_t *image)
{
    for (int s = 0; s < SLOTS; ++s) {
        const block_t *const b = &image->block[s];
        char *const place = (char *)&image->x + slot[s].place;
        void *const p =
            b->data ? b->data + (size_t)b->before * slot[s].size : NULL;
        const mat_t A = mat_view(p, b->rows, b->cols, max_i(b->ld, 1));
        if (s < VECTORS)
            memcpy(place, &A, sizeof A);
        else
            memcpy(place, &p, sizeof p);
    }
}

static int64_t size_named(char name, const operands_t *x)
{
    return name == 'm'   ? x->m
           : name == 'n' ? x->n
           : name == 'p' ? x->p
           : name == 'r' ? min_i(x->m, x->n)
                         : x->m / 2;
}

static void fill_operand(operands_t *x, int s, int64_t n)
{
    mat_t *const A[] = {&x->A, &x->B, &x->C};
    real_t *const a[] = {x->a, x->b, x->c, x->d, x->g};
    if (s < VECTORS)
        EACH_ENTRY (*A[s], i, j)
            AT(*A[s], i, j) = random_uniform_scalar(&x->seed);
    for (int64_t k = 0; s >= VECTORS && k < n; ++k)
        if (s < INTS)
            a[s - VECTORS][k] = (real_t)random_unit(&x->seed);
        else if (s == SIGNS)
            x->J[k] = random_below(&x->seed, 2) ? 1 : -1;
        else {
            int *const perm = s == INTS ? x->i : x->j;
            const int64_t other = random_below(&x->seed, k + 1);
            perm[k] = perm[other];
            perm[other] = (int)k;
        }
}

/* Reserves the row's operands, NaN, and fills those that are named before ">". */
static void make_operands(const char *text, int style, image_t *image)
{
    int fills = 1;
    for (; *text; ++text) {
        int s = 0;
        while (s < SLOTS && slot[s].name != *text)
            ++s;
        fills = fills && *text != '>';
        if (s == SLOTS)
            continue;
        const int guarded = s < VECTORS || style > 0;
        block_t *const b = &image->block[s];
        b->rows = size_named(*++text, &image->x);
        b->cols = s < VECTORS ? size_named(*++text, &image->x) : 1;
        b->ld = b->rows + (s < VECTORS ? layout[style].pad : 0);
        b->before = guarded ? layout[style].before : 0;
        b->all = b->before + b->ld * b->cols + (guarded ? BEHIND : 0);
        b->bytes = (size_t)b->all * slot[s].size;
        b->data = grab(b->bytes);
        for (size_t at = 0; s < INTS && at < b->bytes; at += sizeof(real_t))
            b->data[at] = (char)s; /* NaNs of its own                         */
        set_views(image);
        if (fills)
            fill_operand(&image->x, s, b->rows);
    }
}

/* On the host, or in the backend's memory */
static image_t copy_of(const image_t *image, int in_backend)
{
    image_t copy = *image;
    for (int s = 0; s < SLOTS; ++s) {
        block_t *const b = &copy.block[s];
        if (!b->data)
            continue;
        b->data = in_backend ? grab_backend(b->bytes) : grab(b->bytes);
        if (in_backend)
            put(b->data, image->block[s].data, b->bytes);
        else
            memcpy(b->data, image->block[s].data, b->bytes);
    }
    set_views(&copy);
    return copy;
}

/* What a row's results are compared with */
typedef struct comparison {
    const primitive_t *row;
    const operands_t *in;
    const char *with;
    int style;
    const tolerance_t *first;
    int by_rows; /* Is norms.least_row a result?                              */
} comparison_t;

static const tolerance_t *tolerance_of(const comparison_t *c, char name)
{
    for (int k = 0; k < 4; ++k)
        if (c->first && c->first[k].to && c->first[k].name == name)
            return &c->first[k];
    for (int k = 0; k < 2; ++k)
        if (c->row->near[k].to && c->row->near[k].name == name)
            return &c->row->near[k];
    return NULL;
}

static int is_nan(scalar_t x) { return isnan(re(x)) || isnan(im(x)); }

/* x, an entry (i,j) of an operand, is y; or near to that; or nothing is said of it. */
static void compare_entry(const comparison_t *c, char name, int64_t i,
                          int64_t j, scalar_t x, scalar_t y)
{
    const operands_t *const in = c->in;
    const tolerance_t *const t = tolerance_of(c, name);
    if (!t && c->row->open && strchr(c->row->open, name))
        return;
    if (is_nan(x) || is_nan(y) ? is_nan(x) && is_nan(y)
                               : re(x) == re(y) && im(x) == im(y))
        return;
    if (t && (double)abs_of(sub(x, y)) <=
                 (t->ulps + t->root * sqrt((double)max_i(in->m, 1)) +
                  t->rows * (double)in->m) *
                     GSVD_ULP * (t->size ? t->size(in) : 1) *
                     (t->to == RELATIVE ? (double)abs_of(y) : 1))
        return;
    ck_abort_msg("%s of %ld x %ld x %ld, variant %d, layout %d: %c(%ld,%ld) is "
                 "(%.17g,%.17g), not (%.17g,%.17g) as by %s",
                 c->row->name, (long)in->m, (long)in->n, (long)in->p, in->which,
                 c->style, name, (long)i, (long)j, (double)re(x), (double)im(x),
                 (double)re(y), (double)im(y), c->with);
}

static scalar_t entry(const char *p, int s)
{
    real_t x = 0;
    int number = 0;
    scalar_t z;
    if (s < VECTORS) {
        memcpy(&z, p, sizeof z);
        return z;
    }
    if (s < INTS)
        memcpy(&x, p, sizeof x);
    else
        memcpy(&number, p, sizeof number);
    return make(s < INTS ? x : (real_t)number, 0);
}

/* Entries that are not the same bits have a tolerance, or are open; around them nothing
 * differs. */
static void compare_block(const comparison_t *c, int s, const block_t *x,
                          const block_t *y)
{
    for (int64_t k = 0; k < x->all; ++k) {
        const size_t at = (size_t)k * slot[s].size;
        if (memcmp(x->data + at, y->data + at, slot[s].size) == 0)
            continue;
        const int64_t own = k - x->before;
        const int64_t i = own < 0 ? -1 : own % x->ld;
        const int64_t j = own < 0 ? -1 : own / x->ld;
        const char name = slot[s].name;
        ck_assert_msg(i >= 0 && i < x->rows && j < x->cols,
                      "%s, layout %d, wrote around %c: (%ld,%ld)", c->row->name,
                      c->style, name, (long)i, (long)j);
        ck_assert_msg(tolerance_of(c, name) ||
                          (c->row->open && strchr(c->row->open, name)),
                      "%s, variant %d, layout %d: %c(%ld,%ld) is not as by %s",
                      c->row->name, c->in->which, c->style, name, (long)i,
                      (long)j, c->with);
        compare_entry(c, name, i, j, entry(x->data + at, s),
                      entry(y->data + at, s));
    }
}

static void compare(const comparison_t *c, const image_t *x, const image_t *y)
{
    const norms_t *const a = &x->x.norms, *const b = &y->x.norms;
    for (int s = 0; s < SLOTS; ++s)
        if (x->block[s].data)
            compare_block(c, s, &x->block[s], &y->block[s]);
    compare_entry(c, 'x', 0, 0, make(x->x.number, 0), make(y->x.number, 0));
    ck_assert_int_eq(x->x.count, y->x.count);
    ck_assert_int_eq(a->finite, b->finite);
    if (b->finite != 1)
        return;
    compare_entry(c, '1', 0, 0, make(a->norm1, 0), make(b->norm1, 0));
    ck_assert(a->largest == b->largest);
    ck_assert(!c->by_rows || a->least_row == b->least_row);
    ck_assert(!c->by_rows || a->rows == b->rows);
}

static void run_case(const primitive_t *row, int at, int which, int style)
{
    image_t in = {.x = {.m = row->shape[at].m,
                        .n = row->shape[at].n,
                        .p = row->shape[at].p,
                        .which = which,
                        .by = row->by,
                        .seed = (uint64_t)(1 + at + 1000 * which),
                        .number = -1,
                        .count = -2,
                        .norms = {-1, -1, -1, -1, -1}}};
    make_operands(row->operands, style, &in);
    if (row->prepare)
        row->prepare(&in.x);

    image_t there = copy_of(&in, 1), x = copy_of(&in, 0), y = copy_of(&in, 0);
    ck_assert_ok(row->call(table(), on(handle), &there.x));
    for (int s = 0; s < SLOTS; ++s)
        if (x.block[s].data)
            get(x.block[s].data, there.block[s].data, x.block[s].bytes);
    x.x.number = there.x.number;
    x.x.count = there.x.count;
    x.x.norms = there.x.norms;

    comparison_t c = {row, &in.x, "the reference", style, NULL, 0};
    if (row->expect)
        row->expect(&y.x);
    c.by_rows = y.x.norms.least_row >= 0;
    compare(&c, &x, &y);
    if (row->check)
        row->check(&in.x, &x.x);
    if (on_device) {
        y = copy_of(&in, 0);
        ck_assert_ok(row->call(&X(backend_cpu), on(twin()), &y.x));
        c.with = "the CPU twin";
        c.first = row->twin;
        compare(&c, &x, &y);
    }
    release_pool();
}

/* Shape i % SHAPES_MOST of row i / SHAPES_MOST in all variants and layouts; a large shape in one
 * of them, and under compute-sanitizer, a hundred times slower, in the first */
static void run_row(int i)
{
    const primitive_t *const row = row_of[i / SHAPES_MOST];
    const int at = i % SHAPES_MOST;
    const shape_t s = row->shape[at];
    const int large = (int64_t)s.m * s.n > 10000;
    if (row->limited && too_large(s.m, s.n, s.p))
        return;
    for (int which = 0; which < (int)max_i(row->variants, 1); ++which)
        for (int style = 0; style < LAYOUTS; ++style)
            if (quick > 1 ? style == 0
                          : !large || style == (at + which) % LAYOUTS)
                run_case(row, at, which, style);
}

void add_rows(TCase *t, const primitive_t *row, int rows)
{
    for (int k = 0; k < rows; ++k, ++rows_known) {
        const int first = rows_known * SHAPES_MOST;
        if (rows_known == ROWS_MOST || row[k].shapes > SHAPES_MOST)
            abort();
        row_of[rows_known] = &row[k];
        test_of[rows_known] = (TTest){row[k].name, run_row, __FILE__, __LINE__};
        tcase_add_loop_test(t, &test_of[rows_known], first,
                            first + row[k].shapes);
    }
}
