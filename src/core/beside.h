/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* beside.h [1] -- opens a module of ours: the file of that name beside the library that is running,
 * or else what the loader finds, as it finds any library.  No variable of ours and no folder of the
 * process is used.  A library that was itself found by a relative path does not look beside it, since
 * the process may have changed its folder since.  The module stays open.
 *
 * The file that includes this defines _GNU_SOURCE first, for dladdr. */
#ifndef GSVD_CORE_BESIDE_H
#define GSVD_CORE_BESIDE_H

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* here: an address in the library; NULL: dlerror says why. */
static inline void *open_beside(const void *here, const char *name)
{
    char path[4096];
    Dl_info of;
    const int flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;

    if (!dladdr(here, &of) || of.dli_fname[0] != '/')
        return dlopen(name, flags);
    const int folder = (int)(strrchr(of.dli_fname, '/') - of.dli_fname);
    const int length =
        snprintf(path, sizeof path, "%.*s/%s", folder, of.dli_fname, name);
    const int is_there =
        (size_t)length < sizeof path && access(path, F_OK) == 0;
    return dlopen(is_there ? path : name, flags);
}

#endif /* GSVD_CORE_BESIDE_H */
