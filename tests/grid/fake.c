/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* fake.c [1] -- a module that cannot be used: FAKE_MODULE of another build, else of no symbol. */
#include "grid/module.h"

#if defined FAKE_MODULE
const grid_module_t gsvd_grid_module = {.build = "9.9.9 (another)"};
#else
GSVD_API int nothing_of_ours;
int nothing_of_ours;
#endif
