/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* nowhere.c [1] -- a library that is there when a fake module is linked, not when it is
 * opened. */
int gsvd_from_nowhere(void);

int gsvd_from_nowhere(void) { return 0; }
