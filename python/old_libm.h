/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* old_libm.h -- for wheels that run on older systems (scripts/python.sh --portable): functions of which
 * glibc has newer versions, which differ in how they set errno alone. */
#if defined(__x86_64__)
__asm__(".symver exp,exp@GLIBC_2.2.5\n"
        ".symver log,log@GLIBC_2.2.5\n"
        ".symver log2,log2@GLIBC_2.2.5\n"
        ".symver pow,pow@GLIBC_2.2.5");
#endif
