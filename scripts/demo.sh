#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh [ORDER [NOISE [EQUATION]]]: Tikhonov regularization of an integral equation of the
# first kind through the GSVD, examples/tikhonov.  Installs what is missing on
# Debian and Ubuntu, builds what it needs (double precision; CUDA if there are a
# GPU and nvcc), runs, prints, and draws build/demo/tikhonov.svg.  A second run
# builds nothing.
#
#   ORDER   of the problem (1000)
#   NOISE   of the data, relative (0.01)
#   EQUATION   phillips, shaw, baart or heat (phillips)
#   GSVD_JOBS   processes at a time (all cores)
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

build=build/demo
mkdir -p "$build"
log=$build/demo.log

# shellcheck source=scripts/install-deps.sh
. scripts/install-deps.sh
need build
find_cmake
find_cuda

options=(-DGSVD_CUDA=OFF)
if nvidia-smi -L >/dev/null 2>&1; then
    if command -v "${CUDACXX:-nvcc}" >/dev/null; then
        options=(-DGSVD_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=native)
    else
        echo 'demo.sh: there is a GPU, but no nvcc: without the CUDA toolkit' \
            'the CPU computes' >&2
    fi
fi
[[ -f $build/CMakeCache.txt ]] || options+=(-G Ninja)

echo "demo.sh: building in $build"
if ! {
    "$cmake" -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DGSVD_PRECISIONS=d \
        -DGSVD_TESTS=OFF -DGSVD_BENCH=OFF -DGSVD_TOOLS=OFF "${options[@]}" &&
        "$cmake" --build "$build" -j "${GSVD_JOBS:-$(nproc)}" \
            --target example_tikhonov
} >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

"$build/examples/tikhonov" "${1:-1000}" "${2:-0.01}" "$PWD/$build/tikhonov.svg" \
    "${3:-phillips}"
