/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* orderings.c [1] -- orderings of pairs of blocks, as data. */
#include "jacobi/orderings.h"

#include "jacobi/ordering.h"

/* -- tables ------------------------------------------------------------------- */

/* Algorithm 3.1: of all sequences of steps the first one in the order of the pairs, rows
 * or columns of the upper triangle.  A word is a step, two letters a pair.
 * tests/test_ordering.c searches again. */
enum {
    TABLES = 5,
    FIRST = 2,
    APART = 4,
    LARGEST_TABLE = 18
}; /* 2, 6, ... 18 */

/* clang-format off */
static const char *const rows[][17] = {
    {"ab"},
    {"abcdef", "acbedf", "adbfce", "aebdcf", "afbcde"},
    {"abcdefghij", "acbdegfihj", "adbcehfjgi", "aebfcgdjhi", "afbechdigj", "agbhcidfej", "ahbicjdefg", "aibjcedgfh", "ajbgcfdhei"},
    {"abcdefghijklmn", "acbdegfhikjmln", "adbcehfgiljnkm", "aebfcgdhimjlkn", "afbechdginjklm", "agbicjdkelfmhn", "ahbjcidlekfngm", "aibgckdjenflhm", "ajbhcldiemfkgn", "akbmcednfigjhl", "albncfdmeigkhj", "ambkcndefjglhi", "anblcmdfejgihk"},
    {"abcdefghijklmnopqr", "acbdegfhikjlmonqpr", "adbcehfgiljkmpnroq", "aebfcgdhimjnkolrpq", "afbechdginjmkplqor", "agbhcedfiojpkqlnmr", "ahbgcfdeipjqkrlmno", "aibjckdlemfogqhrnp", "ajbicldkenfpgrhomq", "akblcidmeofngphqjr", "albkcjdnepfqgohmir", "ambncodieqfrgjhklp", "anbmcpdoerfjgkhliq", "aobpcqdreiflgmhjkn", "apbocrdqejfiglhnkm", "aqbrcmdpelfkgnhijo", "arbqcndjekfmgihplo"},
};

static const char *const columns[][17] = {
    {"ab"},
    {"abcdef", "acbedf", "bcdeaf", "adcebf", "bdaecf"},
    {"abcdefghij", "acbdegfihj", "bcadfghiej", "aebfchdigj", "beafdhgicj", "ceagfhbidj", "debgahcifj", "cfdgbheiaj", "dfcgehaibj"},
    {"abcdefghijklmn", "acbdegfhikjmln", "bcadfgehjklmin", "aebfcgdhilkmjn", "beafdgchjlimkn", "ceaibjdkflgmhn", "debiajckglhmfn", "cfdiejakhlbmgn", "dfcigjhkalembn", "ageihjbkclfmdn", "bghicjfkdlamen", "ahgifjekbldmcn", "bhfidjgkelcman"},
    {"abcdefghijklmnopqr", "acbdegfhikjlmonqpr", "bcadfgehjkilnopqmr", "aebfcgdhimjnkplqor", "beafdgchjminlpoqkr", "cedfagbhkmionpjqlr", "decfbgahlmjoipkqnr", "aibjckdlenfogpmqhr", "biajdkclfneomphqgr", "cidjakbmgnlohpeqfr", "dicjbkamlnhofpgqer", "eifjalgmhnkobpcqdr", "fiejblhmkngoapdqcr", "giekhlcmanbodpfqjr", "hifkglemcndojpaqbr", "gjhkelfmdnaocpbqir", "hjgkfldmbncoepiqar"},
};
/* clang-format on */

/* n = 2^doublings (2 o): the least order of at least n that there is */
typedef struct order {
    int64_t n, doublings;
    int table;
} order_t;

static order_t order_of(int64_t n)
{
    order_t least = {0, 0, 0};
    for (int table = 0; table < TABLES; ++table) {
        order_t o = {FIRST + APART * table, 0, table};
        for (; o.n < n; o.n *= 2)
            ++o.doublings;
        if (least.n == 0 || o.n < least.n)
            least = o;
    }
    return least;
}

/* Pair i of a step: algorithm 3.2, from the table up */
static void nearest_pair(const char *const (*table)[17], int by_columns,
                         order_t o, int64_t step, int64_t i, int64_t *p,
                         int64_t *q)
{
    if (o.doublings == 0) {
        const char *const word = table[o.table][step];
        *p = word[2 * i] - 'a';
        *q = word[2 * i + 1] - 'a';
        return;
    }
    if (step == 0) { /* the diagonal blocks of order 2                        */
        *p = 2 * i;
        *q = 2 * i + 1;
        return;
    }
    const order_t half = {o.n / 2, o.doublings - 1, o.table};
    const int first = i % 2 == 0;
    nearest_pair(table, by_columns, half, (step - 1) / 2, i / 2, p, q);
    if (step % 2 == 1) { /* nw, se                                            */
        *p = 2 * *p + !first;
        *q = 2 * *q + !first;
    } else { /* ne, sw by rows, sw, ne by columns                             */
        const int ne = first != by_columns;
        *p = 2 * *p + !ne;
        *q = 2 * *q + ne;
    }
}

/* -- formulas ------------------------------------------------------------------ */

static int64_t even(int64_t n) { return n + n % 2; }

/* -- all ---------------------------------------------------------------------- */

static int is_modulus(ordering_t ordering)
{
    return ordering == ORDERING_MODULUS ||
           ordering == ORDERING_MODIFIED_MODULUS;
}

/* The order that stands for n */
static int64_t full_order(ordering_t ordering, int64_t n)
{
    return is_modulus(ordering)             ? n
           : ordering == ORDERING_BRENT_LUK ? even(n)
                                            : order_of(n).n;
}

int64_t gsvd_ordering_steps(ordering_t ordering, int64_t n)
{
    return is_modulus(ordering) ? n : full_order(ordering, n) - 1;
}

int64_t gsvd_ordering_width(ordering_t ordering, int64_t n)
{
    return full_order(ordering, n) / 2 + is_modulus(ordering);
}

/* The pair, or p = q if there is none */
static void find_pair(ordering_t ordering, int64_t n, int64_t step, int64_t i,
                      int64_t *p, int64_t *q)
{
    const int by_columns =
        ordering == ORDERING_COLUMNS || ordering == ORDERING_COLUMNS_MIRRORED;
    const order_t o = order_of(n);
    *p = *q = 0;
    switch (ordering) {
    case ORDERING_MODIFIED_MODULUS:
        if (n % 2 == 0 && step % 2 == 0 && i == n / 2) {
            *p = step / 2;
            *q = *p + n / 2;
            return;
        } /* fall through */
    case ORDERING_MODULUS:
        if (i < ordering_pairs(n, step))
            ordering_pair(n, step, i, p, q);
        return;
    case ORDERING_BRENT_LUK: round_robin_pair(even(n), step, i, p, q); return;
    case ORDERING_ROWS_MIRRORED:
    case ORDERING_COLUMNS_MIRRORED:
        step = o.n - 2 - step;
        i = o.n / 2 - 1 - i;
        break;
    default: break;
    }
    nearest_pair(by_columns ? columns : rows, by_columns, o, step, i, p, q);
}

int gsvd_ordering_pair(ordering_t ordering, int64_t n, int64_t step, int64_t i,
                       int64_t *p, int64_t *q)
{
    int64_t a, b;
    find_pair(ordering, n, step, i, &a, &b);
    *p = a < b ? a : b;
    *q = a < b ? b : a;
    return *p < *q && *q < n;
}
