/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* call.c -- the call of libgsvd.  In C, since liboctave has a header gsvd.h and a class gsvd. */
#include "call.h"

#include <gsvd.h>

static gsvd_handle_t h;

int call_gsvd(char type, const int64_t size[3], char job, void *const array[7],
              int64_t rank[2], const char **text)
{
    const char factors = job == 'N' ? 'N' : 'Q';
    const gsvd_problem_t problem = {
        .size = sizeof problem,
        .routine = GSVD_ROUTINE_GSVD,
        .type = (gsvd_type_t)type,
        .job = {job, job == 'U' ? 'V' : job, factors},
        .m = size[0],
        .n = size[1],
        .p = size[2],
        .A = {.data = array[0]},
        .B = {.data = array[1]},
        .alpha = {.data = array[2]},
        .beta = {.data = array[3]},
        .U = {.data = array[4]},
        .V = {.data = array[5]},
        .Q = {.data = array[6]},
        .k_out = &rank[0],
        .l_out = &rank[1]};
    gsvd_status_t status;

    if (!h && (status = gsvd_create(&h, GSVD_ANY)) != GSVD_SUCCESS) {
        *text = gsvd_last_error(NULL);
        return status;
    }
    status = gsvd_set_option(h, GSVD_FORM, GSVD_FORM_X);
    if (status == GSVD_SUCCESS)
        status = gsvd_run(h, &problem);
    *text = gsvd_last_error(h);
    return status;
}

int call_found_factors(int status)
{
    return status == GSVD_SUCCESS || status == GSVD_NOT_CONVERGED;
}
