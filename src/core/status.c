/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* status.c [1] -- status names and error texts. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/handle.h"

const char *gsvd_status_name(gsvd_status_t status)
{
    switch (status) {
    case GSVD_SUCCESS: return "GSVD_SUCCESS";
    case GSVD_NOT_CONVERGED: return "GSVD_NOT_CONVERGED";
    case GSVD_OVERFLOW: return "GSVD_OVERFLOW";
    case GSVD_INVALID_HANDLE: return "GSVD_INVALID_HANDLE";
    case GSVD_INVALID_ARGUMENT: return "GSVD_INVALID_ARGUMENT";
    case GSVD_WORKSPACE_TOO_SMALL: return "GSVD_WORKSPACE_TOO_SMALL";
    case GSVD_OUT_OF_MEMORY: return "GSVD_OUT_OF_MEMORY";
    case GSVD_NOT_SUPPORTED: return "GSVD_NOT_SUPPORTED";
    case GSVD_DEVICE_FAILED: return "GSVD_DEVICE_FAILED";
    case GSVD_INTERNAL_ERROR: return "GSVD_INTERNAL_ERROR";
    }
    return "unknown status";
}

/* the text of gsvd_create's error, since there is no handle to keep it */
static _Thread_local char create_error[sizeof((gsvd_handle_t)0)->error];

const char *gsvd_last_error(gsvd_handle_t h)
{
    return h ? h->error : create_error;
}

gsvd_status_t gsvd_create_failed(gsvd_status_t status, const char *text)
{
    snprintf(create_error, sizeof create_error, "%s", text);
    return status;
}

gsvd_status_t gsvd_report(gsvd_status_t status, int *info)
{
    if (!info || *info != 0 || status == GSVD_SUCCESS)
        return status;
    *info = status == GSVD_NOT_CONVERGED ? 1 : -1000 - (int)status;
    return status;
}

gsvd_status_t gsvd_fail(gsvd_handle_t h, gsvd_status_t status,
                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(h->error, sizeof h->error, format, args);
    va_end(args);
    return status;
}
