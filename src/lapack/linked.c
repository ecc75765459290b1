/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* linked.c [1] -- libgsvd as the linker found it. */
#include "lapack/lapack.h"

#define ENTRIES(letter)                                                        \
    .letter = {letter##gsvd, letter##gsvd_preprocess, letter##gsvd_solve}

const library_t *gsvd_lapack_library(void)
{
    static const library_t library = {
        .create = gsvd_create,
        .destroy = gsvd_destroy,
        .get_device = gsvd_get_device,
        .get_stats = gsvd_get_stats,
        .set_option = gsvd_set_option,
        .run = gsvd_run,
#if GSVD_HAVE_S
        ENTRIES(s),
#endif
#if GSVD_HAVE_D
        ENTRIES(d),
#endif
#if GSVD_HAVE_C
        ENTRIES(c),
#endif
#if GSVD_HAVE_Z
        ENTRIES(z),
#endif
    };
    return &library;
}
