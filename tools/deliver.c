/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* deliver.c -- the files and the report of a decomposition. */
#include "deliver.h"

#include "plot.h"

static bool write_files(stage_t *s, const options_t *o, const report_t *r)
{
    if (o->directory && !output_write(s, o->directory, o->format, r))
        return false;
    if (!o->plot)
        return true;
    FILE *const out = stage_open(s, NULL, o->plot);
    if (!out)
        return false;
    plot_write(out, r);
    return stage_close(s, true);
}

static int print(const options_t *o, const report_t *r)
{
    const gsvd_stats_t *const stats = &r->d->stats;

    (o->json ? report_json : report_text)(stdout, r);
    if (!stats->converged)
        fprintf(stderr, "gsvd: warning: %s did not converge in %d sweeps\n",
                solver_name(stats), stats->sweeps);
    return output_flushed(stats->converged ? DONE : NOT_CONVERGED);
}

int deliver(const options_t *o, const report_t *r, write_rest_op *rest,
            void *with)
{
    stage_t stage;
    int code = FAILED;

    if (!o->directory && !o->plot)
        return print(o, r);
    stage_begin(&stage);
    if (write_files(&stage, o, r) && (!rest || rest(&stage, with)))
        code = print(o, r);
    if (code == FAILED) {
        stage_discard(&stage);
        return FAILED;
    }
    return stage_commit(&stage) ? code : FAILED;
}
