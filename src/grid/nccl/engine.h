/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* engine.h -- views as cuBLASMp and cuSOLVERMp have them, and their work.
 *
 * Both want a view to begin with a block of the first process.  One that does is a matrix of its own, from
 * its first entry on; another one is copied to such a matrix, and back. */
#ifndef GSVD_GRID_NCCL_ENGINE_H
#define GSVD_GRID_NCCL_ENGINE_H

#include "grid/backend.h"
#include "grid/layout.h"
#include "grid/nccl/device.h"

#define ENGINE_TYPE                                                            \
    (REALS_PER_SCALAR == 1 ? GSVD_SINGLE ? CUDA_R_32F : CUDA_R_64F             \
     : GSVD_SINGLE         ? CUDA_C_32F                                        \
                           : CUDA_C_64F)
#define ENGINE_COMPUTE (GSVD_SINGLE ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F)
#define ENGINE_TURNED (REALS_PER_SCALAR == 1 ? CUBLAS_OP_T : CUBLAS_OP_C)

typedef enum use { USE_READ = 1, USE_WRITTEN = 2, USE_BOTH = 3 } use_t;

#define engaged_t X(engaged_t)
typedef struct engaged {
    mat_t view, place; /* place: where it is for the engine                  */
    use_t use;
    scalar_t *data;
    cublasMpMatrixDescriptor_t blas;
    cusolverMpMatrixDescriptor_t solver;
} engaged_t;

/* Brings operands to their places, and what was written back.  The status of the first may differ between
 * processes: ENGINE_RUN agrees on it, and the second one, which always follows, passes it on. */
gsvd_status_t X(engage)(const exec_t *ex, engaged_t *x, int count);
gsvd_status_t X(release)(const exec_t *ex, engaged_t *x, int count,
                         gsvd_status_t status);

/* A call with the work that its query asks for, unless `status` says that operands have no place.  QUERY ends
 * with &db, &hb, and CALL uses dw, db, hw, hb. */
#define ENGINE_RUN(status, name, QUERY, CALL)                                  \
    do {                                                                       \
        size_t db = 0, hb = 0;                                                 \
        void *dw = NULL, *hw = NULL;                                           \
        const int asked = (status) == GSVD_SUCCESS ? (int)(QUERY) : 0;         \
        (status) =                                                             \
            gsvd_engine_work((status), (name), asked, db, hb, &dw, &hw);       \
        if ((status) == GSVD_SUCCESS)                                          \
            gsvd_engine_result((name), (int)(CALL));                           \
    } while (0)

#endif /* GSVD_GRID_NCCL_ENGINE_H */
