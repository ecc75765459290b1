#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# gpu-check.sh [--build DIR] [--quick] [--sanitize] [--only tests|bench|sanitize]
#
# On a machine with a GPU: runs the GPU tests, the benchmarks and, if asked,
# compute-sanitizer's memcheck over the tests, and leaves a record of it under
# bench/results/GPU/.  Fails if a test, a benchmark's ratio or memcheck does.
#
#   --build DIR   a build with CUDA, tests and benchmarks (build/gpu); it may have
#                 been made on another machine: programs are started directly,
#                 with DIR/bundle in front of the library path if it is there
#   --quick       small sizes: GSVD_TEST_QUICK=1 and short benchmarks
#   --only STAGE  this stage alone
#
#   GSVD_JOBS            test processes at a time (4)
#   GSVD_TEST_FILTER     a regular expression: tests with such names only
#   GSVD_TEST_TIMEOUT    seconds for a test (240); memcheck gets twice as many
#   GSVD_STAGE_TIMEOUT   seconds for all tests, and for all under memcheck (3000);
#                        those that it cuts off are "not run", and no failures
#   GSVD_SANITIZE_SIZE   the largest size of a matrix under memcheck (33; 16 in the
#                        records since 2026-11-21); the command's tests, which start
#                        it as a child, and the examples are left out
#   GSVD_BENCH_SIZES     the orders n that are timed (512,1024,2048,4096)
#   GSVD_BENCH_TIMEOUT   seconds for a group of benchmarks (200)
#   OUT                  a directory that gets copies of the record
#
# Needs bash, coreutils, awk, sed and nvidia-smi; no git, no cmake.
set -euo pipefail
export LC_ALL=C
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

usage() {
    sed -n '4,10p' scripts/gpu-check.sh >&2
    exit 2
}

build=build/gpu quick=0 sanitize=0 only=
while (($#)); do
    case $1 in
    --build) build=${2:?} && shift ;;
    --quick) quick=1 ;;
    --sanitize) sanitize=1 ;;
    --only) only=${2:?} && shift ;;
    *) usage ;;
    esac
    shift
done
case $only in
'' | tests | bench) ;;
sanitize) sanitize=1 ;;
*) usage ;;
esac

jobs=${GSVD_JOBS:-4}
test_timeout=${GSVD_TEST_TIMEOUT:-240}
bench_timeout=${GSVD_BENCH_TIMEOUT:-200}
build=$(readlink -f -- "$build")
bench=$build/bench/bench_gsvd

export GSVD_TEST_REQUIRE_GPU=1
export CK_VERBOSITY=normal
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-$((($(nproc) + jobs - 1) / jobs))}
((quick == 0)) || export GSVD_TEST_QUICK=1
for directory in /usr/local/cuda/lib64 "$build/src" "$build/bundle"; do
    [[ ! -d $directory ]] ||
        export LD_LIBRARY_PATH=$directory${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
done

gpu_query() { nvidia-smi --query-gpu="$1" --format=csv,noheader | head -n 1; }
gpu_name=$(gpu_query name)
gpu=$(tr '[:upper:]' '[:lower:]' <<<"$gpu_name" |
    sed -E 's/^nvidia +//; s/[^a-z0-9]+/-/g; s/^-|-$//g')
date=$(date -u +%Y-%m-%dT%H%M%S)
source=$(scripts/source-hash.sh)
results=bench/results/$gpu
record=$results/record-$date.md
lines=$results/$date.jsonl
mkdir -p "$results"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

wanted() { [[ -z $only || $only == "$1" ]]; }
note() { echo "$*" | tee -a "$record"; }

# What there is so far goes to OUT, for a run that is cut off too.
publish() {
    [[ -n ${OUT:-} ]] || return 0
    mkdir -p "$OUT/$gpu"
    cp "$record" "$OUT/$gpu/"
    [[ ! -f $lines ]] || cp "$lines" "$OUT/$gpu/"
    [[ ! -f $work/failures.log ]] ||
        cp "$work/failures.log" "$OUT/$gpu/failures-$date.txt"
}

# ---- the tests --------------------------------------------------------------

# NAME PROGRAM ARGUMENTS... for each test that runs on a GPU: what ctest -L cuda
# would run, the example for device arrays and the LAPACK library's problems that
# are large enough, with the directories of this machine
list_tests() {
    local file=$build/tests/CTestTestfile.cmake there sources
    there=$(sed -nE 's|^# Build directory: (.*)/tests$|\1|p' "$file")
    sources=$(sed -nE 's|^# Source directory: (.*)/tests$|\1|p' "$file")
    find "$build" \( -path "$build/tests/*" -o -path "$build/examples/*" \) \
        -name CTestTestfile.cmake -exec cat {} + |
        sed -nE 's/^add_test\((\[=*\[)?([^] ]+)(\]=*\])? "([^"]+)"(.*)\)$/\2 \4 \5/p' |
        grep -E '^([^ ]+\.cuda|examples\.device|lapack\.device_any\.[sdcz]) ' |
        tr -d '"' |
        sed -e "s|$there/|$build/|g" -e "s|$sources/|$PWD/|g" -e 's/ *$//' |
        awk '{
            key = $1 ~ /^command\.real_18|^gsvd\./ ? 0 : 1
            if (ENVIRON["prefix"] && $1 ~ /\.[sc]\./) key += 2
            print key, $0
        }' |
        sort -s -n -k 1,1 | # the longest first; under memcheck d and z first
        cut -d ' ' -f 2- |
        { grep -E -- "${GSVD_TEST_FILTER:-.}" || true; }
}

# run_test NAME COMMAND...: output, status and seconds in files under $work
run_test() {
    local name=$1 status=0 start=$EPOCHREALTIME
    shift
    # shellcheck disable=SC2086  # the prefix is words
    timeout "$limit" $prefix "$@" >"$work/$name.log" 2>&1 || status=$?
    echo "$status" >"$work/$name.status"
    awk -v a="$start" -v b="$EPOCHREALTIME" \
        'BEGIN {printf "%.1f\n", b - a}' >"$work/$name.seconds"
}

# run_tests TITLE: all of them, $jobs at a time; a table of what they answered
run_tests() {
    local name status result passed=0 failed=0 skipped=0 left=0
    export work prefix limit
    export -f run_test
    list_tests >"$work/tests"
    # shellcheck disable=SC2016  # expanded by the inner shell
    timeout "${GSVD_STAGE_TIMEOUT:-3000}" \
        xargs -r -P "$jobs" -L 1 bash -c 'run_test "$@"' - <"$work/tests" ||
        (($? == 124)) || return 1

    {
        printf '## %s\n\n| test | result | checks | seconds |\n' "$1"
        printf '|---|---|---|---|\n'
    } >>"$record"
    while read -r name _; do
        if [[ ! -f $work/$name.status ]]; then
            printf '| %s | not run | | |\n' "$name" >>"$record"
            left=$((left + 1))
            continue
        fi
        status=$(<"$work/$name.status")
        case $status in
        0) result=passed && passed=$((passed + 1)) ;;
        77) result=skipped && skipped=$((skipped + 1)) ;;
        124) result='failed (time)' && failed=$((failed + 1)) ;;
        *) result="failed ($status)" && failed=$((failed + 1)) ;;
        esac
        printf '| %s | %s | %s | %s |\n' "$name" "$result" \
            "$(sed -nE 's/^[0-9]+%: Checks: ([0-9]+),.*/\1/p' "$work/$name.log" |
                tail -n 1)" "$(<"$work/$name.seconds")" >>"$record"
        if [[ $result == failed* ]]; then
            echo "---- $name: $result" | tee -a "$work/failures.log"
            tail -n 15 "$work/$name.log" | tee -a "$work/failures.log"
        fi
    done <"$work/tests"
    printf '\n' >>"$record"
    note "$1: $passed passed, $failed failed, $skipped skipped, $left not run"
    rm -f "$work"/*.status
    printf '\n' >>"$record"
    failures=$((failures + failed))
    if ((passed == 0)); then
        note "$1: none ran"
        failures=$((failures + 1))
    fi
    publish
}

# ---- the benchmarks ---------------------------------------------------------

# run_program TITLE SHOWN COMMAND...: its output into the record, as that of SHOWN
run_program() {
    local title=$1 shown=$2 status=0
    shift 2
    echo "bench: $title"
    timeout "$bench_timeout" "$@" >"$work/bench" 2>"$work/bench.errors" || status=$?
    {
        printf '### %s\n\n    %s\n\n' "$title" "$shown"
        sed 's/^/    /' "$work/bench" "$work/bench.errors"
        printf '\n'
    } >>"$record"
    cat "$work/bench" "$work/bench.errors"
    case $status in
    0) ;;
    124) note "bench $title: cut off after $bench_timeout s" ;;
    *)
        note "bench $title: failed ($status)"
        failures=$((failures + 1))
        ;;
    esac
    publish
}

# run_bench TITLE ARGUMENTS...
run_bench() {
    local title=$1
    shift
    run_program "$title" "bench_gsvd --backend cuda $*" "$bench" --backend cuda \
        --limit 3 --json "$lines" --source "$source" "$@"
}

run_benches() {
    local sizes=${GSVD_BENCH_SIZES:-512,1024,2048,4096} small=128,256,512,1024 one=4096 few=1024,4096
    local tall=8192,4096,0 taller=16384,2048,16384 tallest=1000000,32,0 reps=5
    if ((quick)); then
        sizes=${GSVD_BENCH_SIZES:-64,200} small=64 one=128 few=128 reps=2
        tall=512,256,0 taller=512,64,512 tallest=10000,32,0
    fi
    printf '## Benchmarks\n\n' >>"$record"
    run_bench 'double, random pairs' --letter d --sizes "$sizes" --reps $reps \
        --step qr,geqp,preprocess --peer
    run_bench 'double, random pairs, the solver' --letter d --sizes "$small" \
        --reps $reps --step solve,gsvd --peer --start
    run_bench 'double, pairs of the thesis' --letter d --kind thesis \
        --sizes "$sizes" --step preprocess,solve,gsvd --reps $reps --peer
    run_bench 'double, QR with its thin Q' --letter d --economy \
        --shape "$tall" --step qr --reps $reps --peer
    run_bench 'double, tall pairs of the thesis, economy' --letter d \
        --kind thesis --economy --shape "$taller" --step preprocess --reps $reps
    run_bench 'double and single, tall pairs of the thesis, economy, their ranks by a tolerance of 1' \
        --letter ds --kind thesis --economy --tolerance 1 --shape "$taller" \
        --step preprocess --reps $reps
    run_bench '32 columns' --letter dscz --shape "$tallest" --step qr,qr_r \
        --reps $reps --peer
    run_bench 'the other precisions' --letter scz --sizes "$few" --reps $reps \
        --step qr,geqp --peer
    run_bench 'the other precisions, QR with its thin Q' --letter scz --economy \
        --shape "$tall" --step qr --reps $reps
    run_bench 'the other precisions, pairs of the thesis' --letter scz \
        --kind thesis --sizes "$one" --step preprocess --reps $reps
    ((quick)) || run_program products bench_products "$build/bench/bench_products"
}

# ---- the record -------------------------------------------------------------

{
    printf '# GPU record, %s\n\n' "$date"
    printf '* device: %s, driver %s\n' "$gpu_name" "$(gpu_query driver_version)"
    [[ ! -x $bench ]] || printf '* versions: %s\n' \
        "$("$bench" --backend cuda --sizes 1 --step qr --reps 1 2>&1 |
            sed -n 's/^# \(libgsvd .*\);.*/\1/p')"
    printf '* sources: %s\n' "$source"
    printf '* settings: quick %s, %s processes at a time\n\n' "$quick" "$jobs"
} >"$record"

if wanted tests; then
    prefix='' limit=$test_timeout run_tests 'GPU tests'
fi
if wanted bench; then
    run_benches
fi
if ((sanitize)) && [[ -z $only || $only == sanitize ]]; then
    checker=$(command -v compute-sanitizer ||
        echo /usr/local/cuda/bin/compute-sanitizer)
    export GSVD_TEST_QUICK=${GSVD_SANITIZE_SIZE:-33}
    GSVD_TEST_FILTER=${GSVD_TEST_FILTER:-^[^. ]+\.([sdcz]\.)?cuda }
    prefix="$checker --tool memcheck --error-exitcode 86 --require-cuda-init no" \
        limit=$((2 * test_timeout)) run_tests 'compute-sanitizer memcheck'
fi
note "record: $record, failures: $failures"

publish
((failures == 0))
