/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tables.h [1] -- GSVD_TABLES(cpu), GSVD_TABLES(cuda): a space's tables of primitives,
 * of the letters that are built. */
#ifndef GSVD_BACKEND_TABLES_H
#define GSVD_BACKEND_TABLES_H

#include <stddef.h>

#include "core/space.h"

#define GSVD_TABLES(space)                                                     \
    {                                                                          \
        .s = GSVD_TABLE(GSVD_HAVE_S, sgsvd_backend_##space),                   \
        .d = GSVD_TABLE(GSVD_HAVE_D, dgsvd_backend_##space),                   \
        .c = GSVD_TABLE(GSVD_HAVE_C, cgsvd_backend_##space),                   \
        .z = GSVD_TABLE(GSVD_HAVE_Z, zgsvd_backend_##space),                   \
    }
#define GSVD_TABLE(built, table) GSVD_TABLE_(built, table)
#define GSVD_TABLE_(built, table) GSVD_TABLE_##built(table)
#define GSVD_TABLE_0(table) NULL
#define GSVD_TABLE_1(table) &(table)

extern const struct sgsvd_backend_t sgsvd_backend_cpu, sgsvd_backend_cuda;
extern const struct dgsvd_backend_t dgsvd_backend_cpu, dgsvd_backend_cuda;
extern const struct cgsvd_backend_t cgsvd_backend_cpu, cgsvd_backend_cuda;
extern const struct zgsvd_backend_t zgsvd_backend_cpu, zgsvd_backend_cuda;

#endif /* GSVD_BACKEND_TABLES_H */
