#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test-cores.sh: the accuracy tests on the host by the kernels that OpenBLAS has for each of
# the processors that this one can stand for, but its own, by which scripts/test.sh has run
# them, and by the reference BLAS and LAPACK.  Pairs in all sizes, since errors of theirs that
# only some kernels show need many; the others in their quick form.  Of cases that letters share
# each kind of kernels has others (GSVD_TEST_TURN).
#
#   GSVD_PRESET    a preset of CMakePresets.json that was built (release)
#   GSVD_JOBS      processes at a time (all cores)
#   GSVD_CPUINFO   what the processor has (/proc/cpuinfo)
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

build=build/${GSVD_PRESET:-release}
jobs=${GSVD_JOBS:-$(nproc)}
# shellcheck source=scripts/install-deps.sh
. scripts/install-deps.sh
need reference
find_cmake
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

failed=0 turn=0
# accuracy REGEX [VARIABLE=VALUE...]
accuracy() {
    local tests=$1
    shift
    env "$@" "$ctest" --test-dir "$build" --output-on-failure --no-tests=error \
        -j "$jobs" -R "$tests" || failed=1
}

# by NAME [VARIABLE=VALUE...]
by() {
    echo "==== accuracy by $1"
    shift
    turn=$((turn + 1))
    export GSVD_TEST_TURN=$turn
    accuracy '^pairs_accuracy\.[sdcz]\.cpu$' "$@"
    accuracy '^(svd|hsvd|eigh|batched)_accuracy\.(rest\.)?[sdcz]\.cpu$' GSVD_TEST_QUICK=1 "$@"
}

# has FLAG...: the processor has them all
flags=" $(sed -n '/^flags/ {s/^[^:]*://p; q}' "${GSVD_CPUINFO:-/proc/cpuinfo}") "
has_flags() {
    local flag
    for flag; do [[ $flags == *" $flag "* ]] || return 1; done
}

# The kernels that are taken, with OPENBLAS_CORETYPE=$1 if it is given; nothing if the BLAS
# is another one
core() {
    env ${1:+OPENBLAS_CORETYPE="$1"} OPENBLAS_VERBOSE=2 \
        "$build/tests/tests_untyped" arena cpu 2>&1 | sed -n 's/^Core: //p'
}

own=$(core)
while read -r name needed; do
    # shellcheck disable=SC2086  # the flags are words
    if [[ $name == "$own" ]] || ! has_flags $needed || [[ $(core "$name") != "$name" ]]; then
        echo "==== accuracy by $name: left out"
        continue
    fi
    by "$name" OPENBLAS_CORETYPE="$name"
done <<'CORES'
Prescott pni
Nehalem sse4_2
Sandybridge avx
Haswell avx2 fma
Zen avx2 fma
SkylakeX avx512f avx512cd avx512bw avx512dq avx512vl
CORES
by 'the reference BLAS' LD_LIBRARY_PATH="$reference"
exit "$failed"
