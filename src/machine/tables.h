/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tables.h [1] -- EACH_LETTER(backend_cpu): the addresses of sgsvd_backend_cpu and so on, of the
 * letters that are built: a space's tables of primitives, a machine's numbers. */
#ifndef GSVD_MACHINE_TABLES_H
#define GSVD_MACHINE_TABLES_H

#include <stddef.h>

#include "core/space.h"

#define EACH_LETTER(name)                                                      \
    {                                                                          \
        .s = IF_BUILT(GSVD_HAVE_S, sgsvd_##name),                              \
        .d = IF_BUILT(GSVD_HAVE_D, dgsvd_##name),                              \
        .c = IF_BUILT(GSVD_HAVE_C, cgsvd_##name),                              \
        .z = IF_BUILT(GSVD_HAVE_Z, zgsvd_##name),                              \
    }
#define IF_BUILT(built, name) IF_BUILT_(built, name)
#define IF_BUILT_(built, name) IF_BUILT_##built(name)
#define IF_BUILT_0(name) NULL
#define IF_BUILT_1(name) &(name)

/* Declares the numbers of a machine, X(tuning_NAME), for EACH_LETTER(tuning_NAME). */
#define DECLARE_TUNING(name)                                                   \
    extern const struct tuning sgsvd_tuning_##name, dgsvd_tuning_##name,       \
        cgsvd_tuning_##name, zgsvd_tuning_##name

extern const struct sgsvd_backend_t sgsvd_backend_cpu, sgsvd_backend_cuda;
extern const struct dgsvd_backend_t dgsvd_backend_cpu, dgsvd_backend_cuda;
extern const struct cgsvd_backend_t cgsvd_backend_cpu, cgsvd_backend_cuda;
extern const struct zgsvd_backend_t zgsvd_backend_cpu, zgsvd_backend_cuda;

#endif /* GSVD_MACHINE_TABLES_H */
