/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tikhonov.h -- gsvd tikhonov: regularized solutions, and the choice of lambda. */
#ifndef GSVD_TOOLS_TIKHONOV_H
#define GSVD_TOOLS_TIKHONOV_H

/* argv[0] is "tikhonov".  Returns the exit status. */
int tikhonov(int argc, char **argv);

#endif /* GSVD_TOOLS_TIKHONOV_H */
