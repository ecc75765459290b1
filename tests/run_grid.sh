#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# run_grid.sh RANKS SECONDS PROGRAM argument...: under mpirun, with more processes than cores if need
# be; a process that waits for ever is ended after so many seconds.  77: there is no mpirun.  Of Open
# MPI, or of the MPI that GSVD_TEST_MPI names.
set -euo pipefail
ranks=$1 seconds=$2
shift 2
mpi=${GSVD_TEST_MPI:-openmpi} # or mpich
run=mpirun
! command -v "mpirun.$mpi" >/dev/null || run=mpirun.$mpi
command -v "$run" >/dev/null || {
    echo "no $run"
    exit 77
}
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
[[ $mpi == mpich ]] || run+=' --oversubscribe'
# shellcheck disable=SC2086 # a command and its option
exec timeout -k 10 "$seconds" $run -n "$ranks" "$@"
