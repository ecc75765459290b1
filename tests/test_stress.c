/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_stress.c -- random shapes, families, ranks, scales, solvers, jobs, forms,
 * doors, until the time is up; prints the worst of each ratio.
 *
 *     tests_<letter> stress cpu|cuda [seconds [seed [largest size]]]
 *
 * Each case has its number; a failure prints seed and number, and the same
 * arguments with a fifth one, that number, repeat this case alone. */
#include <stdio.h>
#include <time.h>

#include "harness/harness.h"
#include "lapacke.h"

enum { MEASURES = 9 };
static const char *const measure_name[MEASURES] = {
    "A", "B", "U", "V", "Q", "order", "values", "economy", "X form",
};
static double worst[MEASURES];
static char worst_case[MEASURES][256];
static char current[256];
static long failures;

static void note(int measure, double ratio)
{
    if (!(ratio <= worst[measure])) {
        worst[measure] = ratio;
        memcpy(worst_case[measure], current, sizeof current);
    }
    if (!(ratio < LIMIT)) {
        ++failures;
        printf("FAIL %s %.3g: %s\n", measure_name[measure], ratio, current);
        fflush(stdout);
    }
}

static void complain(const char *what)
{
    ++failures;
    printf("FAIL %s: %s\n", what, current);
    fflush(stdout);
}

/* sizes: mostly small, edges of blocks more often than others */
static int draw_size(uint64_t *seed, int largest)
{
    static const int edge[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129};
    int size;
    switch (random_below(seed, 4)) {
    case 0: size = (int)random_below(seed, 12); break;
    case 1: size = edge[random_below(seed, sizeof edge / sizeof *edge)]; break;
    case 2:
        size = (int)random_below(seed, largest < 100 ? largest + 1 : 100);
        break;
    default: /* few large ones                                               */
        size = (int)(largest * pow(random_unit(seed), 3));
    }
    return size < largest ? size : largest;
}

static int draw_exponent(uint64_t *seed)
{
    return random_below(seed, 3) ? 0 : (int)random_below(seed, 301) - 150;
}

static recipe_t draw(uint64_t *seed, int largest)
{
    recipe_t c = {.k = -1, .l = -1};
    c.m = draw_size(seed, largest);
    c.n = draw_size(seed, largest);
    c.p = draw_size(seed, largest);
    c.family = (family_t)random_below(seed, FAMILIES);
    c.ea = draw_exponent(seed);
    c.eb = draw_exponent(seed);
    if (c.family == RANKS || c.family == REPEATED || c.family == EXTREME ||
        c.family == THESIS) {
        const int l = c.p < c.n ? c.p : c.n;
        c.l = (int)random_below(seed, l + 1);
        if (random_below(seed, 2))
            c.l = l;
        const int k = c.m < c.n - c.l ? c.m : c.n - c.l;
        c.k = (int)random_below(seed, k + 1);
        if (random_below(seed, 2))
            c.k = k;
    }
    return c;
}

static int prescribed(const recipe_t *c)
{
    return c->family == RANKS || c->family == REPEATED || c->family == EXTREME;
}

/* Ranks that this factor of a tolerance decides are as right one way as the other. */
#define NEARBY 2

/* Are the prescribed ranks found with tolerances that are a little larger than LAPACK's?
 * Then what decided was rounding next to the tolerance, which the order of pivots makes more
 * or less of. */
static int found_nearby(int door, const sample_t *P, real_t tola, real_t tolb)
{
    gsvd_set_option(handle, GSVD_TOL_A, NEARBY * tola);
    gsvd_set_option(handle, GSVD_TOL_B, NEARBY * tolb);
    const result_t r = decompose(door, 'N', 'N', 'N', P->A, P->B);
    return r.k == P->k && r.l == P->l;
}

/* A rank that is not the prescribed one is a fault if LAPACK finds that one:
 * rounding above LAPACK's tolerances is in the definition of the ranks. */
static void check_ranks(int door, const sample_t *P, const result_t *r)
{
    const real_t tola = default_tolerance(P->A), tolb = default_tolerance(P->B);
    int64_t k, l;
    char text[80];

    if (P->k < 0 || (r->k == P->k && r->l == P->l))
        return;
    lapack_ranks(P->A, P->B, tola, tolb, &k, &l);
    if (k != P->k || l != P->l || found_nearby(door, P, tola, tolb))
        return;
    snprintf(text, sizeof text, "ranks %ld %ld, LAPACK's %ld %ld", (long)r->k,
             (long)r->l, (long)k, (long)l);
    complain(text);
}

static int check_numbers(const result_t *r, const recipe_t *c)
{
    if (r->status == GSVD_SUCCESS && r->info == 0 && r->k >= 0 && r->l >= 0 &&
        r->k <= c->m && r->l <= c->p && r->k + r->l <= c->n)
        return 1;
    complain(gsvd_status_name(r->status));
    return 0;
}

static void one_case(uint64_t seed, uint64_t number, int largest)
{
    uint64_t s = seed * 1000003 + number;
    const recipe_t c = draw(&s, largest);
    const int solver = (int)random_below(&s, 2);
    const door_t door = (door_t)random_below(&s, doors());
    const int way = (int)random_below(&s, 4);
    const int sizes = c.m + c.n + c.p;

    snprintf(current, sizeof current,
             "seed %lu case %lu: m %d n %d p %d %s k %d l %d 1e%d 1e%d %s %s "
             "way %d",
             (unsigned long)seed, (unsigned long)number, c.m, c.n, c.p,
             family_name[c.family], c.k, c.l, decimal(c.ea), decimal(c.eb),
             solver ? "TGSJA" : "JACOBI", door ? "gpu" : "host", way);
    if (solver && sizes > 400)
        return; /* minutes                                                    */
    reset_options();
    gsvd_set_option(handle, GSVD_SOLVER, solver);
    const sample_t P = make_pair(&c, number + 1);

    if (way == 1 || way == 2) {
        const gsvd_form_t form = way == 1 ? GSVD_FORM_LAPACK : GSVD_FORM_X;
        const int measure = way == 1 ? 7 : 8;
        gsvd_set_option(handle, GSVD_FORM, (int)form);
        const result_t r = decompose(door, 'S', 'S', 'S', P.A, P.B);
        if (check_numbers(&r, &c)) {
            note(measure, residual_A(P.A, &r, form));
            note(measure, residual_B(P.B, &r, form));
            note(measure, defect(r.U));
            note(measure, defect(r.V));
            if (form == GSVD_FORM_LAPACK)
                note(measure, defect(r.Q));
        }
    } else if (way == 3 && prescribed(&c)) {
        const result_t r = decompose(door, 'N', 'N', 'N', P.A, P.B);
        if (check_numbers(&r, &c) && r.k == P.k && r.l == P.l)
            note(6, chordal(P.l, r.alpha + r.k, r.beta + r.k, P.fa, P.fb,
                            P.alpha, P.beta) /
                        rounding_of_values(&c, c.k + c.l, number + 1));
    } else {
        const result_t r = decompose(door, 'U', 'V', 'Q', P.A, P.B);
        if (check_numbers(&r, &c)) {
            const ratios_t x = six_ratios(P.A, P.B, &r);
            for (int i = 0; i < 6; ++i)
                note(i, x.r[i]);
            check_ranks(door, &P, &r);
        }
    }
    release_pool();
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds = 10;
static uint64_t first_seed = 1, only;
static int largest_size = 200;

START_TEST(random_cases)
{
    const double end = now() + seconds;
    uint64_t number;
    if (only)
        one_case(first_seed, only, largest_size);
    for (number = 1; !only && now() < end; ++number)
        one_case(first_seed, number, largest_size);
    printf("%lu cases, seed %lu, sizes up to %d, %s\n",
           (unsigned long)number - 1, (unsigned long)first_seed, largest_size,
           LETTER_TEXT(GSVD_LETTER));
    for (int i = 0; i < MEASURES; ++i)
        printf("%-8s %8.3f  %s\n", measure_name[i], worst[i], worst_case[i]);
    fflush(stdout);
    ck_assert_int_eq(failures, 0);
}
END_TEST

Suite *make_suite(void)
{
    if (arguments > 2)
        seconds = atof(argument[2]);
    if (arguments > 3)
        first_seed = strtoull(argument[3], NULL, 10);
    if (arguments > 4)
        largest_size = atoi(argument[4]);
    if (arguments > 5)
        only = strtoull(argument[5], NULL, 10);
    Suite *s = suite_create("stress");
    TCase *t = add_tcase(s, "stress");
    tcase_add_test(t, random_cases);
    return s;
}
