/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* numbers.h -- for the files that have the numbers of one machine.  A machine NAME has them in
 * NAME.c as X(tuning_NAME); tuning.h says what they mean.  Of a GPU, gpus.c has a row. */
#ifndef GSVD_MACHINE_NUMBERS_H
#define GSVD_MACHINE_NUMBERS_H

#include "core/handle.h"
#include "pivot/pivot.h"
#include "tuning.h"

#endif /* GSVD_MACHINE_NUMBERS_H */
