/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.h -- a pair of matrices out of a call's arguments, and its workspace. */
#ifndef GSVD_GSVD_PAIR_H
#define GSVD_GSVD_PAIR_H

#include "gsvd/pipeline.h"

/* A pair of views of the arguments, with their tolerances, and without ranks */
pair_t X(pair_of)(const args_t *a);

/* What Q is to hold, by the policy */
void X(set_form)(const exec_t *ex, pair_t *P);

/* Takes what a pair keeps from preprocessing to its end where columns may be scaled; P says
 * what is asked for. */
void X(equilibrate_carve)(arena_t *a, const exec_t *ex, pair_t *P);

/* ... and where assembly asks for P1, or for V's reflectors */
void X(later_carve)(arena_t *a, const exec_t *ex, pair_t *P);

gsvd_status_t X(measure_gsvd)(const exec_t *ex, const args_t *a, need_t *need);
gsvd_status_t X(measure_preprocess)(const exec_t *ex, const args_t *a,
                                    need_t *need);
gsvd_status_t X(measure_solve)(const exec_t *ex, const args_t *a, need_t *need);

#endif /* GSVD_GSVD_PAIR_H */
