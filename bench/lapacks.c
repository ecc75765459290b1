/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* lapacks.c [1] -- several LAPACKs in one process; see lapacks.h. */
#include "lapacks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef RTLD_DEEPBIND /* glibc's                                             */
#define RTLD_DEEPBIND 0
#endif

static const char *const debian[] = {
    "/usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3",
    "/usr/lib/aarch64-linux-gnu/lapack/liblapack.so.3",
};
enum { DEBIAN = sizeof debian / sizeof *debian };

void *bench_lapack_symbol(const lapack_t *one, const char *name)
{
    return dlsym(one->library, name);
}

static lapack_t *add(lapacks_t *all, const char *name, void *library)
{
    lapack_t *one = &all->of[all->count];
    if (!library)
        return NULL;
    *one = (lapack_t){.name = name, .library = library};
    ++all->count;
    return one;
}

static void *open_path(const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!library)
        fprintf(stderr, "%s\n", dlerror());
    return library;
}

static void describe_lapack(lapack_t *one, const char *how)
{
    void (*ilaver)(int *, int *, int *);
    int major = 0, minor = 0, patch = 0;
    *(void **)&ilaver = bench_lapack_symbol(one, "ilaver_");
    if (ilaver)
        ilaver(&major, &minor, &patch);
    snprintf(one->version, sizeof one->version, "%s %d.%d.%d%s", one->name,
             major, minor, patch, how);
}

static void open_reference(lapacks_t *all, const char *path)
{
    for (int i = 0; i < DEBIAN && !path; ++i)
        if (access(debian[i], R_OK) == 0)
            path = debian[i];
    lapack_t *one =
        add(all, "LAPACK", path ? open_path(path) : dlopen(NULL, RTLD_LAZY));
    if (one)
        describe_lapack(one, path ? " (reference)" : " (linked)");
}

static void open_openblas(lapacks_t *all)
{
    const char *(*config)(void);
    int (*threads)(void);
    lapack_t *one = add(all, "OpenBLAS",
                        dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL));
    if (!one)
        return;
    if (!bench_lapack_symbol(one, "dggsvp3_")) { /* built without LAPACK     */
        --all->count;
        return;
    }
    *(void **)&config = bench_lapack_symbol(one, "openblas_get_config");
    *(void **)&threads = bench_lapack_symbol(one, "openblas_get_num_threads");
    if (config)
        snprintf(one->version, sizeof one->version, "%s", config());
    if (threads)
        all->threads = threads();
}

/* GNU's OpenMP, of which this process may hold a copy already */
static void open_mkl(lapacks_t *all, const char *path)
{
    enum { LP64 = 0, GNU = 3 };
    int (*layer)(int);
    void (*set_threads)(int);
    void (*version)(char *, int);
    lapack_t *one = add(all, "MKL", open_path(path));
    if (!one)
        return;
    *(void **)&layer = bench_lapack_symbol(one, "MKL_Set_Interface_Layer");
    if (layer)
        layer(LP64);
    *(void **)&layer = bench_lapack_symbol(one, "MKL_Set_Threading_Layer");
    if (layer)
        layer(GNU);
    *(void **)&set_threads = bench_lapack_symbol(one, "MKL_Set_Num_Threads");
    if (set_threads)
        set_threads(all->threads);
    *(void **)&version = bench_lapack_symbol(one, "MKL_Get_Version_String");
    snprintf(one->version, sizeof one->version, "MKL");
    if (version) {
        version(one->version, (int)sizeof one->version - 1);
        one->version[strcspn(one->version, "\n")] = 0;
        for (size_t n = strlen(one->version); n && one->version[n - 1] == ' ';)
            one->version[--n] = 0;
    }
}

int bench_lapacks_open(lapacks_t *all, const char *reference, const char *mkl)
{
    memset(all, 0, sizeof *all);
    all->threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    open_reference(all, reference);
    if (all->count == 0)
        return 0;
    open_openblas(all);
    if (!mkl)
        return 1;
    const int before = all->count;
    open_mkl(all, mkl);
    return all->count > before;
}
