/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* status.h [1] -- every call returns a status; one macro passes it on. */
#ifndef GSVD_CORE_STATUS_H
#define GSVD_CORE_STATUS_H

#include "gsvd.h"

#define GSVD_TRY(call)                                                         \
    do {                                                                       \
        const gsvd_status_t status_ = (call);                                  \
        if (status_ != GSVD_SUCCESS)                                           \
            return status_;                                                    \
    } while (0)

#if defined __cplusplus
extern "C" {
#endif

/* Keeps a text for gsvd_last_error and returns status. */
gsvd_status_t gsvd_fail(gsvd_handle_t h, gsvd_status_t status,
                        const char *format, ...)
#if defined __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The text of gsvd_last_error(NULL) in this thread; returns status. */
gsvd_status_t gsvd_create_failed(gsvd_status_t status, const char *text);

/* *info := the number that stands for status, unless the call that ends with it
 * has set one that says more; info may be NULL.  Returns status. */
gsvd_status_t gsvd_report(gsvd_status_t status, int *info);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_STATUS_H */
