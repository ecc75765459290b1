#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# cpu-check.sh [--build DIR] [--quick]
#
# Runs the benchmarks of a CPU beside LAPACK, by one thread and by two, and leaves a record
# under bench/results/cpu/, as gpu-check.sh does of a GPU: record-DATE.md, and the same lines
# as JSON.  To be run on a machine at rest: the record has the load before and after.  Ends
# with 1 if a benchmark fails, which a wrong result does.
#
#   --build DIR  a build in Release (build/release)
#   --quick      small sizes, to try the script
set -euo pipefail
export LC_ALL=C
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

build=build/release quick=0
while (($#)); do
    case $1 in
    --build) build=${2:?} && shift ;;
    --quick) quick=1 ;;
    *) sed -n '4p' scripts/cpu-check.sh >&2 && exit 2 ;;
    esac
    shift
done

date=$(date -u +%Y-%m-%dT%H%M%S)
source=$(scripts/source-hash.sh)
record=bench/results/cpu/record-$date.md
lines=bench/results/cpu/$date.jsonl
failures=0
mkdir -p bench/results/cpu
work=$(mktemp)
trap 'rm -f "$work"' EXIT

load() { cut -d ' ' -f 1-3 /proc/loadavg; }

# run THREADS TITLE PROGRAM ARGUMENTS...: its output into the record
run() {
    local threads=$1 title=$2 program=$3 status=0
    shift 3
    echo "bench: $title, threads: $threads"
    OMP_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=$threads \
        "$build/bench/$program" --json "$lines" --source "$source" "$@" \
        >"$work" 2>&1 || status=$?
    {
        printf '### %s; threads: %s\n\n    %s\n\n' "$title" "$threads" "$program $*"
        sed 's/^/    /' "$work"
        printf '\n'
    } >>"$record"
    cat "$work"
    if ((status != 0)); then
        echo "bench $title: failed ($status)" | tee -a "$record"
        failures=$((failures + 1))
    fi
}

svd=400,800 small=10,20,50,100 one=400 pair=100,800 order=400 wide=1000 many=10000 pairs=2000
if ((quick)); then
    svd=40,80 small=10,20 one=40 pair=20,80 order=40 wide=60 many=100 pairs=50
fi

{
    printf '# CPU record, %s\n\n' "$date"
    printf '* processor: %s, %s cores; load before: %s\n' \
        "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(load)"
    printf '* sources: %s\n* settings: quick %s\n\n' "$source" "$quick"
} >"$record"

for threads in 1 2; do
    run $threads SVD bench_gsvd --step svd --sizes $svd --peers gesdd,gesvj,gejsv \
        --reps 3 --limit 10
    run $threads 'SVD, small orders' bench_gsvd --step svd --sizes $small \
        --peers gesdd,gesvj --reps 20 --limit 1
    run $threads 'SVD, values alone' bench_gsvd --step svd --sizes $svd --values \
        --peers gesdd,gesvj --reps 3 --limit 10
    run $threads 'GSVD, random pairs, and LAPACK' bench_gsvd --step gsvd --sizes $pair \
        --peers xggsvd3 --reps 3 --limit 5
    run $threads 'GSVD, random pairs, and QR with CSD' bench_gsvd --step gsvd --sizes $pair \
        --peers qr_csd --reps 3 --limit 10
    run $threads 'GSVD, values alone, and QR with CSD' bench_gsvd --step gsvd --values \
        --sizes $pair --peers qr_csd --reps 3 --limit 10
    run $threads 'GSVD, tall pairs of the thesis, and QR with CSD' bench_gsvd --step gsvd \
        --kind thesis --shape $((4 * order)),$order,$((4 * order)) \
        --shape $((8 * order)),$order,$((8 * order)) --peers qr_csd --reps 2 --limit 10
    run $threads 'batches, SVD' bench_batched --step svd --letter d --case $many,16,16 \
        --peer --reps 3 --limit 5
    run $threads 'batches, GSVD' bench_batched --step gsvd --letter z --case $pairs,8,8 \
        --peer --reps 3 --limit 5
done
for kind in columns geometric; do
    run 1 "SVD, $kind" bench_gsvd --step svd --kind $kind --sizes $one \
        --peers gesvj,gejsv --reps 3 --limit 10
done
for kind in random phillips shaw baart heat; do
    run 1 "GSVD, $kind" bench_gsvd --step gsvd --kind $kind --sizes $one,$wide --reps 3 \
        --limit 5
done
run 1 'the other precisions' bench_gsvd --step svd,gsvd --letter scz --sizes $one --reps 3 \
    --limit 5
run 1 'HSVD' bench_gsvd --step hsvd --letter dz --sizes $one --reps 3 --limit 5

printf '\nload after: %s\n' "$(load)" >>"$record"
echo "record: $record, failures: $failures" | tee -a "$record"
((failures == 0))
