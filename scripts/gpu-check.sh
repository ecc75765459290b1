#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# gpu-check.sh [--build DIR] [--quick] [--sanitize[=TOOLS]]
#              [--only tests|bench|sanitize] [--append RECORD]
#
# On a machine with a GPU: runs the GPU tests, the benchmarks and, if asked,
# compute-sanitizer over the tests, and leaves a record of it under
# bench/results/GPU/.  Whatever is not a pass is a failure of the record: a test
# that fails, is skipped, is cut off or does not run, a benchmark that is cut off
# or whose ratio is wrong, a report of compute-sanitizer.
#
#   --build DIR   a build with CUDA, tests and benchmarks (build/gpu); it may have
#                 been made on another machine: programs are started directly,
#                 with DIR/bundle in front of the library path if it is there
#   --quick       small sizes: GSVD_TEST_QUICK=1 and short benchmarks
#   --sanitize    by all four tools: memcheck,synccheck,initcheck,racecheck; or by
#                 those of the list TOOLS.  plan() below says what each one runs.
#   --only STAGE  this stage alone
#   --append RECORD  one more part of a record of the same sources and the same
#                 kind of GPU, where a machine is lent for minutes at a time:
#                   gpu-check.sh                                       first
#                   gpu-check.sh --only sanitize --append RECORD       then
#                 Its failures add to the record's; a test that an earlier part cut
#                 off, or that failed there, counts by its last result.
#
#   GSVD_JOBS            test processes at a time (4), dealt out to all GPUs
#   GSVD_TEST_FILTER     a regular expression: tests with such names only
#   GSVD_TEST_TIMEOUT    seconds for a test (240); a sanitizer gets twice as many
#   GSVD_STAGE_TIMEOUT   seconds for all tests, and for all under each sanitizer
#                        (3000); those that it cuts off are "not run"
#   GSVD_SANITIZE_SIZE   the largest size of a matrix under the sanitizers (plan()
#                        has one for each tool)
#   GSVD_SANITIZE_ONE_IN  under the sanitizers a test of many cases takes one in so
#                        many (memcheck 3, the others 7)
#   GSVD_SANITIZE_OPTIONS  further options of compute-sanitizer, such as
#                        --kernel-name-exclude; they stand in the record
#   GSVD_SANITIZE_MPS    not empty: their processes share a GPU as the tests' do, by CUDA's
#                        Multi-Process Service, not in turns: on an H200 memcheck, synccheck
#                        and initcheck end in a fifth of the time; racecheck of tridiagonalize
#                        did not end so, and in turns in 2 s
#   GSVD_BENCH_SIZES     the orders n that are timed (512,1024,2048,4096), and
#   GSVD_SVD_SIZES       those of the SVD (the same)
#   GSVD_BENCH_TIMEOUT   seconds for a group of benchmarks (200)
#   GSVD_BENCH_FILTER    a regular expression: groups with such titles only
#   OUT                  a directory that gets copies of the record, and, as they end,
#                        tests' names, statuses and seconds (progress.txt)
#
# Needs bash, coreutils, awk, sed and nvidia-smi; no git, no cmake.
set -euo pipefail
export LC_ALL=C
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

usage() {
    sed -n '4,5p' scripts/gpu-check.sh >&2
    exit 2
}

build=build/gpu quick=0 tools='' only='' append=''
all_tools=memcheck,synccheck,initcheck,racecheck
while (($#)); do
    case $1 in
    --build) build=${2:?} && shift ;;
    --quick) quick=1 ;;
    --sanitize) tools=$all_tools ;;
    --sanitize=*) tools=${1#*=} ;;
    --only) only=${2:?} && shift ;;
    --append) append=${2:?} && shift ;;
    *) usage ;;
    esac
    shift
done
case $only in
'' | tests | bench) ;;
sanitize) tools=${tools:-$all_tools} ;;
*) usage ;;
esac
for tool in ${tools//,/ }; do
    [[ ,$all_tools, == *",$tool,"* ]] || usage
done

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
gpus=$(nvidia-smi --query-gpu=name --format=csv,noheader | wc -l)
gpu=$(tr '[:upper:]' '[:lower:]' <<<"$gpu_name" |
    sed -E 's/^nvidia +//; s/[^a-z0-9]+/-/g; s/^-|-$//g')
date=$(date -u +%Y-%m-%dT%H%M%S)
source=$(scripts/source-hash.sh)
record=bench/results/$gpu/record-$date.md
failures=0
if [[ -n $append ]]; then
    record=$append
    for line in "* device: $gpu_name," "* sources: $source"; do
        if ! grep -qF -- "$line" "$record"; then
            echo "gpu-check: $record has not the line '$line'" >&2
            exit 2
        fi
    done
    # its failures; a part that was cut off has not written them
    failures=$(sed -nE 's/^record: .*, failures: ([0-9]+)$/\1/p' "$record" | tail -n 1)
    failures=${failures:-1}
    sed -i '/^record: .*, failures: [0-9]*$/d' "$record"
fi
[[ -z ${OUT:-} ]] || mkdir -p "$OUT"
results=$(dirname -- "$record")
lines=$(basename -- "$record" .md)
lines=$results/${lines#record-}.jsonl
mkdir -p "$results"
work=$(mktemp -d)
# The tests' processes share a GPU at the same time, not in turns, where CUDA's
# Multi-Process Service starts.
start_mps() {
    command -v nvidia-cuda-mps-control >/dev/null || return 0
    export CUDA_MPS_PIPE_DIRECTORY=$work/mps CUDA_MPS_LOG_DIRECTORY=$work/mps
    mkdir "$work/mps"
    if ! timeout 20 nvidia-cuda-mps-control -d; then
        unset CUDA_MPS_PIPE_DIRECTORY
        return
    fi
    note "The processes share a GPU by CUDA's Multi-Process Service."
    note ''
}

stop_mps() {
    [[ -n ${CUDA_MPS_PIPE_DIRECTORY:-} ]] || return 0
    echo quit | timeout 20 nvidia-cuda-mps-control >/dev/null || true
    unset CUDA_MPS_PIPE_DIRECTORY
}

trap 'stop_mps; rm -rf "$work"' EXIT

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
        awk '{print $1 ~ /^command\.real_18|^(gsvd|batched_small|workspace)\./ ? 0 : 1, $0}' |
        sort -s -n -k 1,1 | # the longest first
        cut -d ' ' -f 2- |
        { grep -E -- "${GSVD_TEST_FILTER:-.}" || true; }
}

# NAME SIZE CASE ONE_IN PROGRAM ARGUMENTS... of the GPU tests, all sizes, all cases.  The larger
# real pair is not in every clone (tests/data/README.md): the record says where it is not.
list_all() {
    local name words file
    list_tests | while read -r name words; do
        for file in $words; do
            if [[ $name == command.real_1850.* && $file == *.mtx && ! -r $file ]]; then
                note "left out, for want of its matrices: $name" >&2
                continue 2
            fi
        done
        echo "$name - - - $words"
    done
}

# plan TOOL: lines of REGEX SIZE CASE [ONE_IN]: which tests the tool runs, up to which
# size of a matrix, which of their cases (-: all), and of a test of many cases one in how
# many, if other than the tool's.  A test is taken as its first line says.  The command's
# tests, which start it as a child, and the examples are left out.  15 at a time, each tool
# is to end within some three minutes: all four are one loan of a machine.
plan() {
    # the programs that launch kernels one by one, each in all its variants; those of
    # whole decompositions launch the same ones
    local steps='primitives|tsqr|qr|twins|pivot_twins|solve'
    case $1 in
    # above 2048 columns a tridiagonal reduction has kernels of its own; block Jacobi
    # has two blocks above 32
    memcheck)
        echo "^($steps|blocks|batched[^.]*)\.[sdcz]\.cuda$ 16 -"
        echo '^[^.]+\.([sz]\.)?cuda$ 16 -'
        echo '^primitives\.[sdcz]\.cuda$ 2111 tridiagonalize'
        echo '^blocks\.[sdcz]\.cuda$ 40 blocks'
        echo '^eigh\.[sdcz]\.cuda$ 70 primitives'
        echo '^eigh\.[sdcz]\.cuda$ 70 eigh'
        echo '^ldl\.[sdcz]\.cuda$ 70 ldl'
        ;;
    # a barrier that some threads miss is in one kernel
    synccheck)
        echo "^($steps)\.[sdcz]\.cuda$ 33 -"
        echo '^primitives\.[sdcz]\.cuda$ 2111 tridiagonalize'
        echo '^blocks\.[sdcz]\.cuda$ 40 blocks'
        echo '^batched_(small|pairs|columns|steps)\.[sdcz]\.cuda$ 20 -'
        echo '^eigh\.[sdcz]\.cuda$ 70 primitives'
        echo '^eigh\.[sdcz]\.cuda$ 70 eigh'
        echo '^ldl\.[sdcz]\.cuda$ 70 ldl'
        ;;
    # what a step leaves unset another one reads: whole decompositions too, of one
    # letter with and one without the solvers of single precision
    initcheck)
        echo "^($steps)\.[sdcz]\.cuda$ 16 -"
        echo '^(preprocess|rows|values)\.[sz]\.cuda$ 16 -'
        echo '^geqp\.[sz]\.cuda$ 16 factors'
        echo '^gsvd\.[sz]\.cuda$ 16 kinds'
        echo '^primitives\.[sz]\.cuda$ 2111 tridiagonalize'
        echo '^blocks\.[sz]\.cuda$ 40 blocks'
        echo '^batched_(small|pairs|columns|steps)\.[sz]\.cuda$ 20 -'
        echo '^eigh\.[sz]\.cuda$ 70 primitives'
        echo '^eigh\.[sz]\.cuda$ 70 eigh' # ldl's test copies what its panel leaves unset
        ;;
    # The slowest by far, hence one case of a program at a time, and of the slowest one
    # real and one complex letter.  A hazard of shared memory is within a block of one
    # kernel: the cases whose kernels have such memory, above their tiles of 64.  Block
    # Jacobi's sweeps to the end do not end: batched_races has its kernels on the host
    racecheck)
        echo '^qr\.[dc]\.cuda$ 33 shapes 60'
        echo '^primitives\.[sc]\.cuda$ 70 qr 60' # panels of matrices up to 500 x 290
        echo '^primitives\.[dc]\.cuda$ 70 pivot 60'
        echo '^tsqr\.[sc]\.cuda$ 33 panel 60'
        echo '^primitives\.[sdcz]\.cuda$ 33 jacobi'
        echo '^primitives\.[sdcz]\.cuda$ 33 large_steps'
        echo '^primitives\.[sdcz]\.cuda$ 2111 tridiagonalize'
        echo '^pivot_twins\.[sdcz]\.cuda$ 33 pivot_twins'
        echo '^batched_(small|pairs|columns)\.[sdcz]\.cuda$ 20 - 60'
        echo '^batched_steps\.[sdcz]\.cuda$ 20 primitives 6' # orders 1 and 65
        echo '^eigh\.[sdcz]\.cuda$ 70 primitives'
        ;;
    esac
}

# NAME[:CASE] SIZE CASE ONE_IN PROGRAM ... for each test that the tool runs
list_planned() {
    local regex size case one name words
    # foreign: errors that CUDA's calls return on purpose, which memcheck reports;
    # context: the memory of the device, where the tool has its own; fork: children,
    # which have no device
    plan "$1" | while read -r regex size case one; do
        list_tests | while read -r name words; do
            if [[ $name =~ $regex && ! $name =~ ^(foreign|context|fork)\. ]]; then
                [[ $case == - ]] || name+=:$case
                echo "$name ${GSVD_SANITIZE_SIZE:-$size} $case ${one:--} $words"
            fi
        done
    done | awk '!seen[$1]++'
}

# run_test NAME SIZE CASE ONE_IN COMMAND...: output, status and seconds in files under $work
run_test() {
    local name=$1 status=0 start=$EPOCHREALTIME
    # CUDA refuses calls in a capture, and returns errors, on purpose.
    [[ $name != batched_graph.* || $prefix != *memcheck* ]] ||
        local prefix="$prefix --report-api-errors no"
    [[ $2 == - ]] || export GSVD_TEST_QUICK=$2
    [[ $3 == - ]] || export CK_RUN_CASE=$3
    [[ $4 == - ]] || export GSVD_TEST_ONE_IN=$4
    # a GPU for each, but for the tests of several of them
    [[ $gpus == 1 || $name == context.* ]] ||
        export CUDA_VISIBLE_DEVICES=$((${slot:-0} % gpus))
    shift 4
    # shellcheck disable=SC2086  # the prefix is words
    # in the stage's own group of processes, which ends with the stage; and by KILL, since
    # Check's programs hand a TERM on to that group
    timeout --foreground -s KILL "$limit" $prefix "$@" >"$work/$name.log" 2>&1 || status=$?
    awk -v a="$start" -v b="$EPOCHREALTIME" \
        'BEGIN {printf "%.1f\n", b - a}' >"$work/$name.seconds"
    echo "$status" >"$work/$name.status"
    [[ -z ${OUT:-} ]] ||
        echo "$name $status $(<"$work/$name.seconds")" >>"$OUT/progress.txt"
}

# result_of NAME: what the test's status and output come to.  A pass has made a
# check, and under compute-sanitizer, whose own status is 0 where a program dies before
# its first kernel, the summary is there and counts no report.
result_of() {
    local status log=$work/$1.log
    if [[ ! -f $work/$1.status ]]; then
        echo 'not run'
        return
    fi
    status=$(<"$work/$1.status")
    if [[ $status == 124 || $status == 137 ]]; then
        echo 'failed (time)'
    elif [[ $status == 77 ]]; then
        echo skipped
    elif [[ $status != 0 ]]; then
        echo "failed ($status)"
    elif [[ $(checks_of "$1") == 0 ]]; then
        echo 'failed (no checks)'
    elif grep -Eq '^[0-9]+%: Checks: .*(Failures|Errors): [1-9]' "$log"; then
        echo 'failed (checks)'
    elif [[ -n $prefix ]] && ! awk '
        /^========= (ERROR|RACECHECK) SUMMARY: / {
            ++summaries
            reports += $4
        }
        /^========= (Error:|Internal Sanitizer Error)/ {++reports}
        END {exit !(summaries > 0 && reports == 0)}' "$log"; then
        echo 'failed (report)'
    else
        echo passed
    fi
}

# the number of checks that Check counted; nothing for a program without it
checks_of() {
    sed -nE 's/^[0-9]+%: Checks: ([0-9]+),.*/\1/p' "$work/$1.log" | tail -n 1
}

# the first reports of compute-sanitizer, and how the output ends
show_failure() {
    echo "---- $1: $2"
    grep -m 20 '^=========' "$work/$1.log" || true
    tail -n 15 "$work/$1.log"
}

# names of the tests that CTest runs alone: they look at the whole device
list_alone() {
    find "$build" -name CTestTestfile.cmake -exec cat {} + | sed -nE \
        's/^set_tests_properties\((\[=*\[)?([^] ]+).* RUN_SERIAL "?(1|ON|TRUE)"?[ )].*/\2/p'
}

# start_tests JOBS: the tests of standard input, so many at a time
start_tests() {
    # shellcheck disable=SC2016  # expanded by the inner shell
    timeout "${GSVD_STAGE_TIMEOUT:-3000}" \
        xargs -r -P "$1" -L 1 --process-slot-var=slot bash -c 'run_test "$@"' - ||
        (($? == 124))
}

# names of the tests that did not pass where the record lists them last under TITLE
list_open() {
    awk -v title="## $1" -F ' *\\| *' '
        /^## / {within = $0 == title}
        within && NF > 4 {last[$2] = $3}
        END {for (name in last) if (last[name] ~ /^(failed|skipped|not run)/) print name}' \
        "$record"
}

# run_tests TITLE: those of $work/tests, $jobs at a time; a table of what they
# answered.  All that is not "passed" is a failure.
run_tests() {
    local name result passed=0 failed=0 skipped=0 left=0
    export work prefix limit gpus
    export -f run_test
    list_alone >"$work/alone"
    awk -v alone="$work/alone" -v rest="$work/rest" '
        BEGIN {while ((getline name <alone) > 0) is[name] = 1}
        is[$1] {print; next}
        {print >rest}' "$work/tests" >"$work/last"
    touch "$work/rest"
    start_tests "$jobs" <"$work/rest"
    start_tests 1 <"$work/last"
    rm "$work/rest"
    list_open "$1" >"$work/open"

    {
        printf '## %s\n\n' "$1"
        [[ -z $prefix ]] || printf '    %s\n\nOne case in %s of a test that has many.\n\n' \
            "${prefix##*/}" "${GSVD_TEST_ONE_IN:-1}"
        printf '| test | result | checks | seconds |\n|---|---|---|---|\n'
    } >>"$record"
    while read -r name _; do
        result=$(result_of "$name")
        ! grep -qxF -- "$name" "$work/open" || failures=$((failures - 1))
        if [[ $result == 'not run' ]]; then
            printf '| %s | not run | | |\n' "$name" >>"$record"
            left=$((left + 1))
            continue
        fi
        case $result in
        passed) passed=$((passed + 1)) ;;
        skipped) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) ;;
        esac
        printf '| %s | %s | %s | %s |\n' "$name" "$result" \
            "$(checks_of "$name")" "$(<"$work/$name.seconds")" >>"$record"
        [[ $result == passed ]] ||
            show_failure "$name" "$result" | tee -a "$work/failures.log"
    done <"$work/tests"
    printf '\n' >>"$record"
    note "$1: $passed passed, $failed failed, $skipped skipped, $left not run"
    rm -f "$work"/*.status
    printf '\n' >>"$record"
    failures=$((failures + failed + skipped + left))
    if ((passed == 0)); then
        note "$1: none ran"
        failures=$((failures + 1))
    fi
    publish
}

# sanitize TOOL: --error-exitcode for programs whose own checks all pass.  initcheck
# is not asked for unused memory (its --track-unused-memory is off): a workspace is as
# large as the largest solver needs.
sanitize() {
    local options='' checker
    checker=$(command -v compute-sanitizer ||
        echo /usr/local/cuda/bin/compute-sanitizer)
    [[ $1 != racecheck ]] || options=' --racecheck-report all'
    export GSVD_TEST_ONE_IN=${GSVD_SANITIZE_ONE_IN:-$([[ $1 == memcheck ]] && echo 3 || echo 7)}
    list_planned "$1" >"$work/tests"
    options+=${GSVD_SANITIZE_OPTIONS:+ $GSVD_SANITIZE_OPTIONS}
    prefix="$checker --tool $1 --error-exitcode 86 --require-cuda-init no$options" \
        limit=$((2 * test_timeout)) run_tests "compute-sanitizer $1"
}

# ---- the benchmarks ---------------------------------------------------------

# run_program TITLE SHOWN COMMAND...: its output into the record, as that of SHOWN
run_program() {
    local title=$1 shown=$2 status=0
    shift 2
    [[ $title =~ ${GSVD_BENCH_FILTER:-.} ]] || return 0
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
    124)
        note "bench $title: cut off after $bench_timeout s"
        failures=$((failures + 1))
        ;;
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

# run_batches TITLE ARGUMENTS...
run_batches() {
    local title=$1
    shift
    run_program "$title" "bench_batched --backend cuda $*" "$build/bench/bench_batched" \
        --backend cuda --limit 3 --json "$lines" --source "$source" "$@"
}

run_benches() {
    local sizes=${GSVD_BENCH_SIZES:-512,1024,2048,4096} small=128,256,512,1024 one=4096 few=1024,4096
    local tall=8192,4096,0 taller=16384,2048,16384 tallest=1000000,32,0 reps=5
    local svd=${GSVD_SVD_SIZES:-512,1024,2048,4096} svd_most=8192 svd_tall=32768,512,0 kind
    local hsvd=1024,2048,4096 eigh=1024,2048,4096,8192 sweeps=2048 paper=512,1024 blocks=1024 pairs=2048,4096
    local batched=32,64,128,256,512 table=2048
    if ((quick)); then
        svd=${GSVD_SVD_SIZES:-64,200} svd_most=300 svd_tall=512,64,0 hsvd=64,200 eigh=64,200 sweeps=64 paper=64 blocks=64 pairs=64
        sizes=${GSVD_BENCH_SIZES:-64,200} small=64 one=128 few=128 reps=2
        tall=512,256,0 taller=512,64,512 tallest=10000,32,0 batched=8,40 table=128
    fi
    printf '## Benchmarks\n\n' >>"$record"
    run_bench 'double, random pairs' --letter d --sizes "$sizes" --reps $reps \
        --step qr,geqp,preprocess --peer
    run_bench 'double, random pairs, the solver' --letter d --sizes "$small" \
        --reps $reps --step solve,gsvd --peer --start
    run_bench 'double, random pairs, large' --letter d --sizes "$pairs" --reps 2 \
        --step solve,gsvd --peer
    run_bench 'double, random pairs, CSD' --letter d --sizes "$few" --reps 2 \
        --step gsvd --solver csd
    run_bench 'double, random pairs, X' --letter d --sizes "$one" --reps 2 \
        --step gsvd --form x
    run_bench 'double, random pairs, values alone' --letter d --sizes "$one" --reps 2 \
        --step gsvd --values
    run_bench 'double, pairs with rows over 1e15' --letter d --kind rows --tolerance 1e-300 \
        --sizes "$few" --reps 2 --step preprocess,gsvd
    for kind in phillips shaw baart heat; do
        run_bench "double, the equation $kind with second differences" --letter d \
            --kind "$kind" --sizes "$few" --reps 2 --step gsvd
    done
    run_bench 'the other precisions, random pairs' --letter scz --sizes "$one" --reps 2 \
        --step gsvd
    run_bench 'double, tall pairs of the thesis, economy, end to end' --letter d \
        --kind thesis --economy --shape "$taller" --step gsvd --reps 2
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
    run_bench 'double, SVD' --letter d --step svd --sizes "$svd" --reps 3 --peer
    run_bench 'double, SVD, large' --letter d --step svd --sizes "$svd_most" --reps 2 \
        --peers gesvdp
    for kind in columns rows geometric phillips; do
        run_bench "double, SVD, $kind" --letter d --step svd --kind "$kind" \
            --sizes "$one" --reps 2 --peers gesvdp,gesvdj
    done
    run_bench 'double, SVD, values alone' --letter d --step svd --values \
        --sizes "$one" --reps 2 --peers gesvd,gesvdj
    run_bench 'double, SVD, values alone, bidiagonal form' --letter d --step svd --values \
        --method bidiagonal --sizes "$one,$svd_most" --reps 2
    run_bench 'double, SVD, tall' --letter d --step svd --shape "$svd_tall" \
        --reps 3 --peer
    run_bench 'double, SVD, sweeps' --letter d --step svd --method jacobi \
        --sizes "$sweeps" --reps 3
    run_bench 'double, HSVD' --letter d --step hsvd --sizes "$hsvd" --reps 2
    run_bench 'double, eigh' --letter d --step eigh --sizes "$eigh" --reps 2 --peers xsyevd
    run_bench 'double, ldl' --letter d --step ldl,ldl_hsvd --sizes "$eigh" --reps 2 --peers sytrf
    run_bench 'single and complex, SVD' --letter scz --step svd --sizes "$one" \
        --reps 2 --peers gesvdp
    run_bench 'primitives of large steps' --letter ds --primitives \
        --sizes "$few" --reps $reps
    if ((quick)); then
        run_batches 'batches' --letter d --case 100,8,8 --case 10,64,64 --reps 2
    else
        run_batches 'batches, double, SVD' --letter d --step svd --case 10000,8,8 \
            --case 10000,16,16 --case 10000,32,32 --case 1000,64,64 --case 1000,128,128 \
            --case 1000,256,256 --case 1000,1000,16 --case 1000,2000,16 --peer --reps 3
        run_batches 'batches, double, SVD, large' --letter d --step svd \
            --case 1000,512,512 --reps 2
        run_batches 'batches, eigh' --letter d --step eigh --case 10000,32,32 \
            --case 1000,128,128 --peer --reps 2
        run_batches 'batches, HSVD and GSVD' --letter dzsc --step hsvd,gsvd --case 10000,8,8 \
            --case 10000,16,16 --case 10000,32,32 --reps 3
        run_batches 'batches, the other precisions, SVD' --letter scz --step svd \
            --case 10000,8,8 --case 10000,16,16 --case 10000,32,32 --reps 3
    fi
    run_program 'papers 000 and 003' \
        "bench_papers --backend cuda --sizes $paper --peers gesvdp,gesvdj,gesvd" \
        "$build/bench/bench_papers" --backend cuda --sizes "$paper" --reps 2 \
        --limit 3 --peers gesvdp,gesvdj,gesvd --json "$lines" --source "$source"
    run_program 'paper 004' \
        "bench_papers --backend cuda --paper 004 --letter s --sizes $table --peers gesvd" \
        "$build/bench/bench_papers" --backend cuda --paper 004 --letter s --sizes "$table" \
        --reps 2 --limit 1 --peers gesvd --json "$lines" --source "$source"
    run_program 'block Jacobi' \
        "bench_papers --backend cuda --sizes $blocks --inner 1,2,8" \
        "$build/bench/bench_papers" --backend cuda --sizes "$blocks" --paper 000 \
        --spectra 1,2 --inner 1,2,8 --reps 2 --limit 1 \
        --json "$lines" --source "$source"
    run_program 'paper 002' "bench_papers --backend cuda --paper 002 --sizes $batched" \
        "$build/bench/bench_papers" --backend cuda --paper 002 --sizes "$batched" \
        --reps 1 --limit 1 --json "$lines" --source "$source"
    ((quick)) || run_program products bench_products "$build/bench/bench_products"
}

# ---- the record -------------------------------------------------------------

if [[ -n $append ]]; then
    printf 'A further part, %s; quick %s, %s processes at a time.\n\n' "$date" \
        "$quick" "$jobs" >>"$record"
else
    {
        printf '# GPU record, %s\n\n' "$date"
        printf '* device: %s, driver %s\n' "$gpu_name" "$(gpu_query driver_version)"
        [[ ! -x $bench ]] || printf '* versions: %s\n' \
            "$("$bench" --backend cuda --sizes 1 --step qr --reps 1 2>&1 |
                sed -n 's/^# \(libgsvd .*\);.*/\1/p')"
        printf '* sources: %s\n' "$source"
        printf '* settings: quick %s, %s processes at a time\n\n' "$quick" "$jobs"
    } >"$record"
fi

if wanted tests; then
    list_all >"$work/tests"
    start_mps
    prefix='' limit=$test_timeout run_tests 'GPU tests'
    stop_mps
fi
if wanted bench; then
    run_benches
fi
if wanted sanitize; then
    [[ -z ${GSVD_SANITIZE_MPS:-} ]] || start_mps
    for tool in ${tools//,/ }; do
        sanitize "$tool"
    done
    stop_mps
fi
note "record: $record, failures: $failures"

publish
((failures == 0))
