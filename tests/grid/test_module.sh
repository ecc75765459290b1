#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_module.sh WHAT LIBRARY PROGRAM WORK [MODULE]: what a program that asks for a grid is told where
# libgsvd finds beside itself
#
#   absent   no module            empty    one that exports nothing of ours
#   other    one of another build real     the module, of a process without MPI_Init
#   mpich    no module, in a process of MPICH's mpirun
set -euo pipefail
export LC_ALL=C
what=$1 library=$2 program=$3 work=$4/$1
rm -rf "${work:?}"
mkdir -p "$work"
cp -L "$library" "$work/libgsvd.so.0"
[[ $what == absent || $what == mpich ]] || cp -L "$5" "$work/libgsvd-openmpi.so.0"
case $what in
absent) words='no grid: libgsvd-openmpi.so.0: cannot open shared object file' ;;
empty) words='no grid: .*undefined symbol: gsvd_grid_module' ;;
mpich) words='no grid: libgsvd-mpich.so.0: cannot open shared object file' ;;
other) words='no grid: libgsvd-openmpi.so.0 is of libgsvd 9.9.9 (another), this is libgsvd 0' ;;
real) words='MPI_Init has not been called.*Open MPI' ;;
esac
[[ $what != mpich ]] || export PMI_RANK=0
answer=$(LD_LIBRARY_PATH=$work "$program")
echo "$answer"
grep -q "^GSVD_NOT_SUPPORTED, no grid: $words" <<<"$answer"
