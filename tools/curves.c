/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* curves.c -- draws points and curves over logarithmic axes as an SVG picture. */
#include "curves.h"

#include <math.h>

/* pixels */
enum {
    WIDTH = 720,
    HEIGHT = 500,
    LEFT = 92,
    RIGHT = WIDTH - 28,
    TOP = 104,
    BOTTOM = HEIGHT - 66,
    PAD = 12 /* keeps points off the frame                                   */
};

/* The places of an axis: a number, or its logarithm, from low to high */
typedef struct axis {
    double low, high, from, to; /* from, to: pixels                          */
    bool log;
} axis_t;

static double place(const axis_t *a, double at)
{
    return a->from + (a->to - a->from) * (at - a->low) / (a->high - a->low);
}

static double on_axis(const axis_t *a, double value)
{
    return a->log ? log10(value) : value;
}

static bool get(const curves_t *c, const series_t *s, int64_t i, double *x,
                double *y)
{
    *x = s->x ? s->x[i] : (double)i + 1;
    *y = s->y[i];
    return *y > 0 && isfinite(*y) && isfinite(*x) && (!c->log_x || *x > 0);
}

static void include(axis_t *a, double value)
{
    const double at = on_axis(a, value);

    a->low = fmin(a->low, at);
    a->high = fmax(a->high, at);
}

/* An axis of a decade, or of a number, at least */
static void widen(axis_t *a)
{
    if (!(a->low <= a->high))
        a->low = a->high = 0;
    const double more = fmax(0, (1 - (a->high - a->low)) / 2);
    a->low -= more;
    a->high += more;
}

static void measure(const curves_t *c, axis_t *x, axis_t *y)
{
    double u, v;

    *x = (axis_t){INFINITY, -INFINITY, LEFT + PAD, RIGHT - PAD, c->log_x};
    *y = (axis_t){INFINITY, -INFINITY, BOTTOM - PAD, TOP + PAD, true};
    for (int k = 0; k < c->count; ++k)
        for (int64_t i = 0; i < c->series[k].count; ++i)
            if (get(c, &c->series[k], i, &u, &v)) {
                include(x, u);
                include(y, v);
            }
    widen(x);
    widen(y);
}

/* 1, 2, 5, 10, ...: at most eight steps */
static double step_of(const axis_t *a)
{
    static const double leading[] = {1, 2, 5};

    for (double ten = 1;; ten *= 10)
        for (int i = 0; i < 3; ++i)
            if ((a->high - a->low) / (leading[i] * ten) <= 8)
                return leading[i] * ten;
}

static void put_label(FILE *out, const axis_t *a, double at)
{
    if (a->log)
        fprintf(out, "10<tspan dy=\"-6\" font-size=\"10\">%s%g</tspan>",
                at < 0 ? "&#8722;" : "", fabs(at));
    else
        fprintf(out, "%g", at);
    fputs("</text>\n", out);
}

static void put_axes(FILE *out, const curves_t *c, const axis_t *x,
                     const axis_t *y)
{
    const double sx = step_of(x), sy = step_of(y);

    for (double at = sx * ceil(x->low / sx); at <= x->high; at += sx) {
        fprintf(out,
                "<path d=\"M%.1f %dV%d\" stroke=\"#e2e2e2\" fill=\"none\"/>"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
                place(x, at), TOP, BOTTOM, place(x, at), BOTTOM + 21);
        put_label(out, x, at);
    }
    for (double at = sy * ceil(y->low / sy); at <= y->high; at += sy) {
        fprintf(out,
                "<path d=\"M%d %.1fH%d\" stroke=\"#e2e2e2\" fill=\"none\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                LEFT, place(y, at), RIGHT, LEFT - 8, place(y, at) + 4.5);
        put_label(out, y, at);
    }
    fprintf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
            "stroke=\"#444\"/>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
            "<text transform=\"translate(22 %d) rotate(-90)\" "
            "text-anchor=\"middle\">%s</text>\n",
            LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, (LEFT + RIGHT) / 2,
            HEIGHT - 20, c->x, (TOP + BOTTOM) / 2, c->y);
}

static void put_series(FILE *out, const curves_t *c, const series_t *s,
                       const axis_t *x, const axis_t *y)
{
    bool joined = false;
    double u, v;

    fprintf(out,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" "
            "stroke-linecap=\"round\" stroke-linejoin=\"round\" d=\"",
            s->color,
            s->line          ? "2"
            : s->count > 200 ? "3.5"
                             : "5.5");
    for (int64_t i = 0; i < s->count; ++i) {
        if (!get(c, s, i, &u, &v)) {
            joined = false;
            continue;
        }
        fprintf(out, "%s%.1f %.1f%s", joined ? "L" : "M",
                place(x, on_axis(x, u)), place(y, on_axis(y, v)),
                s->line ? "" : "h0");
        joined = s->line;
    }
    fputs("\"/>\n", out);
}

static void put_legend(FILE *out, const curves_t *c)
{
    for (int k = 0; k < c->count; ++k) {
        const double x = LEFT + 8 + 190 * k, y = TOP - 16;
        fprintf(out,
                "<path d=\"M%.0f %.0fh%d\" stroke=\"%s\" stroke-width=\"%d\" "
                "stroke-linecap=\"round\"/><text x=\"%.0f\" y=\"%.1f\">%s"
                "</text>\n",
                x, y, c->series[k].line ? 12 : 0, c->series[k].color,
                c->series[k].line ? 2 : 6, x + 18, y + 4.5, c->series[k].name);
    }
}

static void put_mark(FILE *out, const curves_t *c, const axis_t *x,
                     const axis_t *y)
{
    if (!c->mark || !(c->mark_y > 0) || (c->log_x && !(c->mark_x > 0)))
        return;
    const double u = place(x, on_axis(x, c->mark_x));
    const double v = place(y, on_axis(y, c->mark_y));
    const bool left = u > (LEFT + RIGHT) / 2.0;
    fprintf(out,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"none\" "
            "stroke=\"#c2410c\" stroke-width=\"2.5\"/>"
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" "
            "fill=\"#c2410c\">%s</text>\n",
            u, v, u + (left ? -14 : 14), v - 12 < TOP + 14 ? v + 24 : v - 12,
            left ? "end" : "start", c->mark);
}

void curves_write(FILE *out, const curves_t *c)
{
    axis_t x, y;

    measure(c, &x, &y);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans, "
            "Verdana, Helvetica, Arial, sans-serif\" font-size=\"13\">\n"
            "<title>%s</title>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
            "<text x=\"%d\" y=\"32\" font-size=\"17\" font-weight=\"bold\">%s"
            "</text>\n<text x=\"%d\" y=\"56\" fill=\"#555\">%s</text>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, c->title, WIDTH, HEIGHT, LEFT,
            c->title, LEFT, c->subtitle);
    put_axes(out, c, &x, &y);
    for (int k = 0; k < c->count; ++k)
        put_series(out, c, &c->series[k], &x, &y);
    put_legend(out, c);
    put_mark(out, c, &x, &y);
    fputs("</svg>\n", out);
}
