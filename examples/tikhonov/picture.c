/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* picture.c -- the error against lambda and the solutions, as an SVG. */
#include "picture.h"

#include <math.h>
#include <stdio.h>

#define BLUE "#0072b2"
#define RED "#d55e00"
#define GREEN "#007a5a"

/* A frame of the picture and the ranges of its axes. */
typedef struct panel {
    double left, top, width, height;
    double x0, x1, y0, y1;
} panel_t;

static double at_x(const panel_t *panel, double x)
{
    return panel->left +
           panel->width * (x - panel->x0) / (panel->x1 - panel->x0);
}

static double at_y(const panel_t *panel, double y)
{
    return panel->top +
           panel->height * (panel->y1 - y) / (panel->y1 - panel->y0);
}

static void frame(FILE *out, const panel_t *panel, const char *clip,
                  const char *title, const char *x, const char *y)
{
    const double middle = panel->left + panel->width / 2;
    const double bottom = panel->top + panel->height;

    fprintf(out,
            "<clipPath id=\"%s\"><rect x=\"%g\" y=\"%g\" width=\"%g\" "
            "height=\"%g\"/></clipPath>\n",
            clip, panel->left, panel->top, panel->width, panel->height);
    fprintf(out,
            "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\" font-size=\"16\" "
            "font-weight=\"bold\">%s</text>\n",
            middle, panel->top - 14, title);
    fprintf(out, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%s</text>\n",
            middle, bottom + 42, x);
    fprintf(out,
            "<text transform=\"translate(%g %g) rotate(-90)\" "
            "text-anchor=\"middle\">%s</text>\n",
            panel->left - 56, panel->top + panel->height / 2, y);
}

/* Over the ends of the lines of the grid. */
static void border(FILE *out, const panel_t *panel)
{
    fprintf(out,
            "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" "
            "stroke=\"#333\"/>\n",
            panel->left, panel->top, panel->width, panel->height);
}

/* power: the label is 10 to the value */
static void tick_x(FILE *out, const panel_t *panel, double value, int power)
{
    const double x = at_x(panel, value), bottom = panel->top + panel->height;

    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%g\" x2=\"%.1f\" y2=\"%g\" "
            "stroke=\"#ddd\"/>\n"
            "<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">",
            x, panel->top, x, bottom, x, bottom + 20);
    fprintf(out,
            power ? "10<tspan dy=\"-6\" font-size=\"10\">%g</tspan>" : "%g",
            value);
    fprintf(out, "</text>\n");
}

static void tick_y(FILE *out, const panel_t *panel, double value,
                   const char *label)
{
    const double y = at_y(panel, value);

    fprintf(out,
            "<line x1=\"%g\" y1=\"%.1f\" x2=\"%g\" y2=\"%.1f\" "
            "stroke=\"#ddd\"/>\n"
            "<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
            panel->left, y, panel->left + panel->width, y, panel->left - 8,
            y + 5, label);
}

static void begin_curve(FILE *out, const char *clip, const char *stroke)
{
    fprintf(out,
            "<polyline clip-path=\"url(#%s)\" fill=\"none\" "
            "stroke-linejoin=\"round\" %s points=\"",
            clip, stroke);
}

static void curve(FILE *out, const panel_t *panel, const char *clip,
                  const char *stroke, int n, const double *x, const double *y)
{
    begin_curve(out, clip, stroke);
    for (int i = 0; i < n; ++i)
        fprintf(out, "%.1f,%.1f ", at_x(panel, x[i]), at_y(panel, y[i]));
    fprintf(out, "\"/>\n");
}

static void legend_box(FILE *out, double x, double y, double width, int lines)
{
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" "
            "rx=\"4\" fill=\"#fff\" fill-opacity=\"0.92\"/>\n",
            x, y, width, 22 * lines + 8);
}

/* A line of the legend: a mark and words. */
static void legend(FILE *out, double x, double y, const char *mark,
                   const char *words)
{
    fprintf(out, "<g transform=\"translate(%.1f %.1f)\">%s</g>\n", x, y - 4.5,
            mark);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x + 22, y, words);
}

static void error_panel(FILE *out, const outcome_t *outcome)
{
    static const char dot[] =
        "<circle r=\"6\" fill=\"" RED "\" stroke=\"#fff\" "
        "stroke-width=\"1.5\"/>";
    static const char diamond[] =
        "<path d=\"M0-8L7 0L0 8L-7 0Z\" fill=\"#fff\" stroke=\"" GREEN "\" "
        "stroke-width=\"2.5\"/>";
    const point_t *const first = outcome->curve;
    const point_t *const best = first + outcome->best;
    const point_t *const morozov = first + outcome->morozov;
    panel_t panel = {.left = 84, .top = 50, .width = 370, .height = 300};
    char words[80];
    double highest = best->error;

    for (int i = 0; i < outcome->points; ++i)
        highest = fmax(highest, first[i].error);
    panel.x0 = log10(first[0].lambda);
    panel.x1 = log10(first[outcome->points - 1].lambda);
    panel.y0 = floor(log10(best->error));
    panel.y1 = fmax(log10(highest) + 0.1, panel.y0 + 1);

    frame(out, &panel, "left", "Error against the regularization parameter",
          "\xce\xbb", "relative error of the solution");
    for (double d = ceil(panel.x0 - 1e-9); d <= panel.x1 + 1e-9; ++d)
        tick_x(out, &panel, d, 1);
    for (double d = panel.y0; d <= panel.y1; ++d) {
        static const int steps[] = {1, 2, 5};
        for (int i = 0; i < 3; ++i) {
            const double value = d + log10(steps[i]);
            snprintf(words, sizeof words, "%g%%", 100 * steps[i] * pow(10, d));
            if (value <= panel.y1)
                tick_y(out, &panel, value, words);
        }
    }
    begin_curve(out, "left", "stroke=\"" BLUE "\" stroke-width=\"2.5\"");
    for (int i = 0; i < outcome->points; ++i)
        fprintf(out, "%.1f,%.1f ", at_x(&panel, log10(first[i].lambda)),
                at_y(&panel, log10(first[i].error)));
    fprintf(out, "\"/>\n");

    border(out, &panel);

    const point_t *const marked[] = {morozov, best};
    const char *const mark[] = {diamond, dot};
    for (int i = 0; i < 2; ++i)
        fprintf(out, "<g transform=\"translate(%.1f %.1f)\">%s</g>\n",
                at_x(&panel, log10(marked[i]->lambda)),
                at_y(&panel, log10(marked[i]->error)), mark[i]);

    const double x = panel.left + 122, y = panel.top + 26;
    legend_box(out, x - 18, y - 20, 256, 2);
    snprintf(words, sizeof words, "best: \xce\xbb = %.2g, error %.2g%%",
             best->lambda, 100 * best->error);
    legend(out, x, y, dot, words);
    snprintf(words, sizeof words, "Morozov: \xce\xbb = %.2g, error %.2g%%",
             morozov->lambda, 100 * morozov->error);
    legend(out, x, y + 22, diamond, words);
}

static void solution_panel(FILE *out, const problem_t *problem,
                           const outcome_t *outcome)
{
    panel_t panel = {.left = 534, .top = 50, .width = 370, .height = 300};
    const int n = problem->n;
    double low = 0, high = 0;
    char words[80];

    for (int i = 0; i < n; ++i) {
        low = fmin(low, fmin(problem->exact[i], outcome->x_best[i]));
        high = fmax(high, fmax(problem->exact[i], outcome->x_best[i]));
    }
    panel.x0 = problem->t0;
    panel.x1 = problem->t1;
    panel.y0 = low - 0.25 * (high - low);
    panel.y1 = high + 0.75 * (high - low);

    frame(out, &panel, "right", "The solution", "t", "x(t)");
    const double step = problem->t1 - problem->t0 > 4   ? 2
                        : problem->t1 - problem->t0 > 1 ? 0.5
                                                        : 0.2;
    for (int i = (int)ceil(panel.x0 / step); i * step <= panel.x1; ++i)
        tick_x(out, &panel, i * step, 0);
    for (int i = (int)ceil(2 * panel.y0); i <= 2 * panel.y1; ++i) {
        snprintf(words, sizeof words, "%g", i * 0.5);
        tick_y(out, &panel, i * 0.5, words);
    }
    curve(out, &panel, "right", "stroke=\"#999\" stroke-width=\"1.2\"", n,
          problem->t, outcome->x_rough);
    curve(out, &panel, "right", "stroke=\"#000\" stroke-width=\"5\"", n,
          problem->t, problem->exact);
    curve(out, &panel, "right", "stroke=\"" RED "\" stroke-width=\"2\"", n,
          problem->t, outcome->x_best);

    border(out, &panel);

    const double x = panel.left + 24, y = panel.top + 26;
    legend_box(out, x - 18, y - 20, 204, 3);
    legend(out, x, y,
           "<path d=\"M-12 0H14\" stroke=\"#000\" stroke-width=\"5\"/>",
           "exact");
    snprintf(words, sizeof words, "best, \xce\xbb = %.2g",
             outcome->curve[outcome->best].lambda);
    legend(out, x, y + 22,
           "<path d=\"M-12 0H14\" stroke=\"" RED "\" stroke-width=\"2\"/>",
           words);
    snprintf(words, sizeof words, "too small, \xce\xbb = %.2g",
             outcome->curve[outcome->rough].lambda);
    legend(out, x, y + 44,
           "<path d=\"M-12 0H14\" stroke=\"#999\" stroke-width=\"1.2\"/>",
           words);
}

int picture_write(const char *file, const problem_t *problem,
                  const outcome_t *outcome)
{
    FILE *const out = fopen(file, "w");

    if (!out)
        return 0;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 930 440\" "
            "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" "
            "font-size=\"14\" fill=\"#222\">\n"
            "<title>Tikhonov regularization through the GSVD: %s</title>\n"
            "<rect width=\"930\" height=\"440\" fill=\"#fff\"/>\n",
            problem->title);
    error_panel(out, outcome);
    solution_panel(out, problem, outcome);
    fprintf(out,
            "<text x=\"465\" y=\"424\" text-anchor=\"middle\" font-size=\"12\" "
            "fill=\"#555\">%s, %d unknowns, %g%% "
            "noise; all solutions from one GSVD of (A, second "
            "derivative)</text>\n</svg>\n",
            problem->title, problem->n, 100 * problem->noise);
    const int failed = ferror(out);
    return fclose(out) == 0 && !failed;
}
