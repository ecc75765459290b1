/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* plot.c -- draws the values as an SVG picture. */
#include "plot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* pixels */
enum {
    WIDTH = 840,
    HEIGHT = 540,
    LEFT = 108,
    RIGHT = WIDTH - 28,
    TOP = 92,
    BOTTOM = HEIGHT - 66,
    ROW = 34, /* of the infinite and of the zero values                      */
    PAD = 10  /* keeps points off the frame                                  */
};

/* MINUS: of a sign -1, hsvd's and eigh's alone; all that is before INFINITE has a logarithm. */
enum kind { FINITE, MINUS, INFINITE, ZERO, KINDS, NONE };

static const char *const color_of[KINDS] = {
    [FINITE] = "#1f5fa8",
    [MINUS] = "#a21caf",
    [INFINITE] = "#c2410c",
    [ZERO] = "#15803d",
};

/* What a picture says of its problem */
static const struct {
    const char *title, *y, *x, *none;
    const char *legend[KINDS];
} text[PROBLEMS] = {
    [PAIR] = {"Generalized singular values",
              "&#945; / &#946;, logarithmic",
              "number of the value, 1 to k + l",
              "There are no values: k = l = 0.",
              {[FINITE] = "finite",
               [INFINITE] = "infinite (&#946; = 0)",
               [ZERO] = "zero (&#945; = 0)"}},
    [SVD] = {"Singular values",
             "&#963;, logarithmic",
             "number of the value, 1 to min(m, n)",
             "There are no values: the matrix is empty.",
             {[FINITE] = "not zero", [ZERO] = "zero"}},
    [HSVD] = {"Hyperbolic singular values",
              "&#963;, logarithmic",
              "number of the value, 1 to n",
              "There are no values: the matrix is empty.",
              {[FINITE] = "of sign 1",
               [MINUS] = "of sign &#8722;1",
               [ZERO] = "zero"}},
    [EIGH] = {"Eigenvalues",
              "absolute value, logarithmic",
              "number of the value, 1 to n, ascending",
              "There are no values: the matrix is empty.",
              {[FINITE] = "above 0", [MINUS] = "below 0", [ZERO] = "zero"}},
};

typedef struct plot {
    FILE *out;
    const decomposition_t *d;
    int64_t count[KINDS];
    double low, high;   /* exponents of the axis: from 10^low to 10^high     */
    double top, bottom; /* pixels of its ends                                */
    double radius;      /* of a point                                        */
} plot_t;

/* -- values and places -------------------------------------------------------- */

static int64_t values(const plot_t *p) { return value_count(p->d); }

static problem_t problem(const plot_t *p) { return p->d->task->problem; }

/* The kind of value i of one matrix, and the logarithm of one that is not zero. */
static enum kind kind_of_sigma(const plot_t *p, int64_t i, double *exponent)
{
    const double given = p->d->sigma.at[i];
    const double sigma = problem(p) == EIGH ? fabs(given) : given;
    const double sign = problem(p) == HSVD ? p->d->signs.at[i] : given;

    if (!(sigma >= 0))
        return NONE;
    if (sigma == 0)
        return ZERO;
    *exponent = log10(sigma);
    return sign < 0 ? MINUS : FINITE;
}

/* The kind of value i, and the logarithm of a finite one. */
static enum kind kind_of(const plot_t *p, int64_t i, double *exponent)
{
    if (problem(p) != PAIR)
        return kind_of_sigma(p, i, exponent);

    const double alpha = p->d->alpha.at[i], beta = p->d->beta.at[i];

    if (!(alpha >= 0 && beta >= 0) || (alpha == 0 && beta == 0))
        return NONE;
    if (beta == 0)
        return INFINITE;
    if (alpha == 0)
        return ZERO;
    *exponent = log10(alpha) - log10(beta); /* the ratio may overflow */
    return FINITE;
}

static double x_of(const plot_t *p, double number)
{
    const double r = (double)values(p);

    return LEFT + PAD +
           (RIGHT - LEFT - 2 * PAD) * (number - .5) / (r > 1 ? r : 1);
}

static double y_of(const plot_t *p, double exponent)
{
    return p->bottom - PAD -
           (p->bottom - p->top - 2 * PAD) * (exponent - p->low) /
               (p->high - p->low);
}

static double place(const plot_t *p, enum kind kind, double exponent)
{
    return kind == INFINITE ? TOP + ROW / 2.0
           : kind == ZERO   ? BOTTOM - ROW / 2.0
                            : y_of(p, exponent);
}

/* The axis ends at powers of ten; a short one at 1, 2 or 5 times a power.  What
 * rounding moved over such an end needs no longer axis. */
static void set_range(plot_t *p, double low, double high)
{
    static const double mark[] = {0, 0.30102999566398120, 0.69897000433601880,
                                  1};
    const double near = 1e-9;

    if (p->count[FINITE] + p->count[MINUS] == 0)
        low = high = 0;
    p->low = floor(low + near);
    p->high = ceil(high - near);
    if (p->high - p->low <= 2) {
        for (int i = 1; i < 3; ++i)
            if (floor(low + near) + mark[i] <= low + near)
                p->low = floor(low + near) + mark[i];
        for (int i = 2; i > 0; --i)
            if (ceil(high - near) - 1 + mark[i] >= high - near)
                p->high = ceil(high - near) - 1 + mark[i];
    }
    if (p->high - p->low < 0.25) { /* all values are one of the marks */
        p->low = floor(low + near) - (1 - mark[2]);
        p->high = p->low + 1;
    }
}

static plot_t measure(FILE *out, const decomposition_t *d)
{
    plot_t p = {.out = out, .d = d};
    const int64_t r = values(&p);
    double low = INFINITY, high = -INFINITY, e;

    for (int64_t i = 0; i < r; ++i) {
        const enum kind kind = kind_of(&p, i, &e);
        if (kind != NONE)
            ++p.count[kind];
        if (kind < INFINITE) {
            low = e < low ? e : low;
            high = e > high ? e : high;
        }
    }
    set_range(&p, low, high);
    p.top = TOP + (p.count[INFINITE] > 0 ? ROW : 0);
    p.bottom = BOTTOM - (p.count[ZERO] > 0 ? ROW : 0);
    p.radius = r <= 60 ? 4 : r <= 400 ? 2.75 : 1.75;
    return p;
}

/* The least of 1, 2, 5, 10, 20, ... that makes at most most steps of range. */
static int64_t step_for(int64_t range, int64_t most)
{
    for (int64_t ten = 1;; ten *= 10) {
        static const int64_t leading[] = {1, 2, 5};
        for (int i = 0; i < 3; ++i)
            if (range / (leading[i] * ten) <= most)
                return leading[i] * ten;
    }
}

/* -- text --------------------------------------------------------------------- */

/* Bytes of the UTF-8 character at s; 0 if it is none. */
static int utf8_length(const unsigned char *s)
{
    const int length = s[0] < 0x80                   ? 1
                       : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
                       : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
                       : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                                     : 0;

    for (int i = 1; i < length; ++i)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    const bool wrong =
        (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0) ||
        (s[0] == 0xEF && s[1] == 0xBF && s[2] >= 0xBE) ||
        (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] >= 0x90);
    return wrong ? 0 : length;
}

/* The last part of a path, cut to a length that leaves room, as XML. */
static void put_name(FILE *out, const char *path)
{
    enum { MOST = 24 };
    const char *const slash = strrchr(path, '/');
    const unsigned char *s =
        (const unsigned char *)(slash && slash[1] ? slash + 1 : path);

    for (int count = 0; *s; ++count) {
        const int length = utf8_length(s);
        if (count == MOST) {
            fputs("&#8230;", out);
            return;
        }
        if (length == 1 && strchr("<>&\"", *s))
            fprintf(out, "&#%d;", *s);
        else if (length == 0 || *s < 0x20 || *s == 0x7F)
            fputc('?', out);
        else
            fwrite(s, 1, (size_t)length, out);
        s += length > 0 ? length : 1;
    }
}

static void put_matrix(FILE *out, const char *letter, const char *name,
                       int64_t rows, int64_t cols)
{
    fprintf(out, "%s = ", letter);
    put_name(out, name);
    fprintf(out, ", %" PRId64 " &#215; %" PRId64, rows, cols);
}

static void put_title(const plot_t *p, const report_t *r)
{
    FILE *const out = p->out;
    const decomposition_t *const d = p->d;

    fprintf(out,
            "<text x=\"%d\" y=\"32\" font-size=\"17\" font-weight=\"bold\">"
            "%s</text>\n"
            "<text x=\"%d\" y=\"54\" fill=\"#555\">",
            LEFT, text[problem(p)].title, LEFT);
    put_matrix(out, problem(p) == HSVD ? "G" : "A", r->name_a, d->m, d->n);
    if (problem(p) == PAIR) {
        fputs("; ", out);
        put_matrix(out, "B", r->name_b, d->p, d->n);
        fprintf(out, "; k = %" PRId64 ", l = %" PRId64, d->k, d->l);
    }
    if (problem(p) == HSVD) {
        fputs("; J = ", out);
        put_name(out, r->name_b);
    }
    fprintf(out, "%s</text>\n", d->stats.converged ? "" : ", not converged");
}

/* -- the frame ---------------------------------------------------------------- */

static void put_line(const plot_t *p, double y, const char *color)
{
    fprintf(p->out, "<path d=\"M%d %.1fH%d\" stroke=\"%s\" fill=\"none\"/>\n",
            LEFT, y, RIGHT, color);
}

static void put_y_label(const plot_t *p, double y, const char *label)
{
    fprintf(p->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
            LEFT - 10, y + 4.5, label);
}

/* A line at i 10^e, with its number or without. */
static void put_grid(const plot_t *p, int i, int e, bool number)
{
    const double at = e + log10(i), near = 1e-6;
    char label[96];

    if (at < p->low - near || at > p->high + near)
        return;
    put_line(p, y_of(p, at), i == 1 ? "#d9d9d9" : "#f1f1f1");
    if (!number)
        return;
    if (p->high - p->low <= 3 && e >= -3 && e <= 4)
        snprintf(label, sizeof label, "%.4g", i * pow(10, e));
    else
        snprintf(label, sizeof label,
                 "%s10<tspan dy=\"-6\" font-size=\"10\">%s%d</tspan>",
                 i == 1   ? ""
                 : i == 2 ? "2 &#183; "
                          : "5 &#183; ",
                 e < 0 ? "&#8722;" : "", e < 0 ? -e : e);
    put_y_label(p, y_of(p, at), label);
}

static void put_y_axis(const plot_t *p)
{
    const double span = p->high - p->low;
    const int low = (int)floor(p->low), high = (int)ceil(p->high);
    const int step = (int)step_for((int64_t)span, 8);

    for (int e = low; e <= high; ++e) {
        if (e % step == 0)
            put_grid(p, 1, e, true);
        for (int i = 2; i < 10 && span <= 4; ++i)
            put_grid(p, i, e, span <= 2 && (i == 2 || i == 5));
    }
    if (p->count[INFINITE] > 0) {
        put_line(p, p->top, "#888");
        put_y_label(p, place(p, INFINITE, 0), "&#8734;");
    }
    if (p->count[ZERO] > 0) {
        put_line(p, p->bottom, "#888");
        put_y_label(p, place(p, ZERO, 0), "0");
    }
    fprintf(p->out,
            "<text transform=\"translate(20 %.1f) rotate(-90)\" "
            "text-anchor=\"middle\">%s</text>\n",
            (p->top + p->bottom) / 2, text[problem(p)].y);
}

static void put_x_tick(const plot_t *p, int64_t i)
{
    fprintf(p->out,
            "<path d=\"M%.1f %dv6\" stroke=\"#444\" fill=\"none\"/>"
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%" PRId64
            "</text>\n",
            x_of(p, (double)i), BOTTOM, x_of(p, (double)i), BOTTOM + 21, i);
}

static void put_x_axis(const plot_t *p)
{
    const int64_t r = values(p), step = step_for(r, 10);

    if (r > 0 && step > 2)
        put_x_tick(p, 1);
    for (int64_t i = step; i <= r; i += step)
        put_x_tick(p, i);
    fprintf(p->out,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
            (LEFT + RIGHT) / 2, HEIGHT - 18, text[problem(p)].x);
    fprintf(p->out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
            "fill=\"none\" stroke=\"#444\"/>\n",
            LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
}

/* -- the points --------------------------------------------------------------- */

static void put_mark(FILE *out, enum kind kind, double x, double y, double size)
{
    if (kind < INFINITE) /* round ends of a line of no length */
        fprintf(out, "M%.1f %.1fh0", x, y);
    else if (kind == INFINITE)
        fprintf(out, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y - size, size,
                1.8 * size, -2 * size);
    else
        fprintf(out, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y + size, size,
                -1.8 * size, -2 * size);
}

static void begin_marks(const plot_t *p, enum kind kind, double size)
{
    if (kind < INFINITE)
        fprintf(p->out,
                "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" "
                "stroke-linecap=\"round\" d=\"",
                color_of[kind], 2 * size);
    else
        fprintf(p->out, "<path fill=\"%s\" d=\"", color_of[kind]);
}

static void put_points(const plot_t *p, enum kind kind)
{
    if (p->count[kind] == 0)
        return;
    begin_marks(p, kind, p->radius);
    for (int64_t i = 0; i < values(p); ++i) {
        double e = 0;
        if (kind_of(p, i, &e) == kind)
            put_mark(p->out, kind, x_of(p, (double)i + 1), place(p, kind, e),
                     p->radius);
    }
    fputs("\"/>\n", p->out);
}

/* One entry for each kind that there is. */
static void put_legend(const plot_t *p)
{
    const double y = TOP - 16;
    double x = LEFT + 6;

    for (enum kind kind = FINITE; kind < KINDS; ++kind) {
        if (p->count[kind] == 0)
            continue;
        begin_marks(p, kind, 4);
        put_mark(p->out, kind, x, y, 4);
        fprintf(p->out,
                "\"/>\n<text x=\"%.1f\" y=\"%.1f\">%" PRId64 " %s</text>\n",
                x + 12, y + 4.5, p->count[kind], text[problem(p)].legend[kind]);
        x += kind < INFINITE ? 130 : 190;
    }
    if (values(p) == 0)
        fprintf(p->out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" "
                "fill=\"#555\">%s</text>\n",
                (LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2 - 20,
                text[problem(p)].none);
}

void plot_write(FILE *out, const report_t *r)
{
    const plot_t p = measure(out, r->d);

    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans, "
            "Verdana, Helvetica, Arial, sans-serif\" font-size=\"13\">\n"
            "<title>%s</title>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, text[problem(&p)].title, WIDTH,
            HEIGHT);
    put_title(&p, r);
    put_y_axis(&p);
    put_x_axis(&p);
    for (enum kind kind = FINITE; kind < KINDS; ++kind)
        put_points(&p, kind);
    put_legend(&p);
    fputs("</svg>\n", out);
}
