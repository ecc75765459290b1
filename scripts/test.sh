#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test.sh [CTEST_ARGUMENTS]: configures, builds and runs the tests; on Debian and
# Ubuntu it first installs what is missing.  A second run builds what changed.
# Without arguments it leaves out the tests labelled slow.
#
#   GSVD_PRESET              a preset of CMakePresets.json (release)
#   GSVD_JOBS                processes at a time (all cores)
#   GSVD_CUDA_ARCHITECTURES  e.g. "80;90": compile CUDA code for these only (the
#                            machine's own GPU, or 90 if it has none)
#   GSVD_CUDA_FAST           ON: slower kernels in less time (CMakeLists.txt)
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

preset=${GSVD_PRESET:-release}
jobs=${GSVD_JOBS:-$(nproc)}
build=build/$preset

# shellcheck source=scripts/install-deps.sh
. scripts/install-deps.sh
need build tests
find_cmake
find_cuda

options=()
[[ -f $build/CMakeCache.txt ]] || options+=(-G Ninja)
if [[ -n ${GSVD_CUDA_ARCHITECTURES:-} ]]; then
    options+=("-DCMAKE_CUDA_ARCHITECTURES=$GSVD_CUDA_ARCHITECTURES")
elif nvidia-smi -L >/dev/null 2>&1; then
    export CUDAARCHS=${CUDAARCHS:-native}
else
    export CUDAARCHS=${CUDAARCHS:-90}
fi
options+=("-DGSVD_CUDA_FAST=${GSVD_CUDA_FAST:-OFF}")

"$cmake" --preset "$preset" "${options[@]}"
"$cmake" --build "$build" -j "$jobs"

# the tests share the cores: one BLAS thread for each
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
(($#)) || set -- -LE slow
"$ctest" --test-dir "$build" --output-on-failure --no-tests=error -j "$jobs" "$@"
