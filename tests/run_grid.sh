#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# run_grid.sh RANKS SECONDS PROGRAM argument...: under mpirun, with more processes than cores if need
# be; a process that waits for ever is ended after so many seconds.  77: there is no mpirun.
set -euo pipefail
ranks=$1 seconds=$2
shift 2
command -v mpirun >/dev/null || {
    echo 'no mpirun'
    exit 77
}
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
exec timeout -k 10 "$seconds" mpirun -n "$ranks" --oversubscribe "$@"
