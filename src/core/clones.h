/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* clones.h -- functions that are compiled for several instruction sets; the one that the processor has
 * is taken when the library is loaded. */
#ifndef GSVD_CORE_CLONES_H
#define GSVD_CORE_CLONES_H

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ &&            \
    !defined GSVD_NO_CLONES
#define CLONES                                                                 \
    __attribute__((target_clones("default", "arch=haswell", "avx512f")))
#else
#define CLONES
#endif

/* A part of a function with clones, of which each clone needs its own */
#if defined __GNUC__
#define PART static inline __attribute__((always_inline))
#else
#define PART static inline
#endif

#endif /* GSVD_CORE_CLONES_H */
