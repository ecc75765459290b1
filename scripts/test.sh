#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test.sh [CTEST_ARGUMENTS]: configures, builds and runs the tests; on Debian and
# Ubuntu it first installs what is missing.  A second run builds what changed.
# Without arguments it leaves out the tests labelled slow.
#
#   GSVD_PRESET              a preset of CMakePresets.json (release)
#   GSVD_JOBS                processes at a time (all cores)
#   GSVD_CUDA_ARCHITECTURES  e.g. 90: compile CUDA code for these only
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

preset=${GSVD_PRESET:-release}
jobs=${GSVD_JOBS:-$(nproc)}
build=build/$preset

# Does a program link against these libraries and see this header?
links() {
    local header=$1
    shift
    printf '#include <%s>\nint main(void) { return 0; }\n' "$header" |
        cc -x c - -o /dev/null "$@" 2>/dev/null
}

missing=()
command -v cc >/dev/null || missing+=(build-essential)
command -v cmake >/dev/null || missing+=(cmake)
command -v ninja >/dev/null || missing+=(ninja-build)
command -v pkg-config >/dev/null || missing+=(pkg-config)
links stddef.h -lopenblas || missing+=(libopenblas-dev)
links lapacke.h -llapacke -llapack -lblas || missing+=(liblapacke-dev)
# shellcheck disable=SC2046  # the flags are words
if ! pkg-config --exists check 2>/dev/null ||
    ! links check.h $(pkg-config --libs check); then
    missing+=(check libsubunit-dev)
fi

install() {
    local root=()
    if ! command -v apt-get >/dev/null; then
        echo "test.sh: missing, install by hand: $*" >&2
        exit 1
    fi
    [[ $(id -u) == 0 ]] || root=(sudo)
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
        --no-install-recommends "$@"
}
if ((${#missing[@]})); then
    install "${missing[@]}"
fi

# CMake 3.25, from PyPI where the distribution's is older
new_enough() {
    printf '3.25\n%s\n' "$("$1" --version | awk 'NR == 1 {print $3}')" |
        sort -V -C
}
cmake=cmake ctest=ctest
if ! new_enough cmake; then
    venv=build/venv
    if [[ ! -x $venv/bin/cmake ]]; then
        python3 -c 'import ensurepip' 2>/dev/null || install python3-venv
        python3 -m venv "$venv"
        "$venv/bin/pip" install -q 'cmake>=3.25,<4'
    fi
    cmake=$venv/bin/cmake ctest=$venv/bin/ctest
fi

options=()
[[ -f $build/CMakeCache.txt ]] || options+=(-G Ninja)
[[ -z ${GSVD_CUDA_ARCHITECTURES:-} ]] ||
    options+=("-DCMAKE_CUDA_ARCHITECTURES=$GSVD_CUDA_ARCHITECTURES")
if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
    export CUDACXX=${CUDACXX:-/usr/local/cuda/bin/nvcc}
fi

"$cmake" --preset "$preset" "${options[@]}"
"$cmake" --build "$build" -j "$jobs"

# the tests share the cores: one BLAS thread for each
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
(($#)) || set -- -LE slow
"$ctest" --test-dir "$build" --output-on-failure -j "$jobs" "$@"
