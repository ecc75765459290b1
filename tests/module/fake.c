/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* fake.c [1] -- modules that libgsvd is to refuse; see CMakeLists.txt. */
#include "gsvd.h"

int gsvd_from_nowhere(void);
GSVD_API int gsvd_fake(void);

#if defined FAKE_CALL
int gsvd_fake(void) { return gsvd_from_nowhere(); }
#else
int gsvd_fake(void) { return 0; }
#endif

#if defined FAKE_MODULE
typedef struct fake_module {
    const char *build;
    const void *space;
} fake_module_t;

GSVD_API extern const fake_module_t gsvd_cuda_module;
const fake_module_t gsvd_cuda_module = {.build = "0.0.7 (fake)"};
#endif
