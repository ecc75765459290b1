# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_memory.sh GSVD LETTERS -- the command within limits of memory: it ends,
# with a result or with a line that says why there is none.  (OpenBLAS by itself
# tries for ever to have its buffers.)
# shellcheck shell=sh
gsvd=$1
letters=$2
# shellcheck source=tests/command/harness.sh
. "$(dirname -- "$0")/harness.sh"

command -v timeout >/dev/null || exit 77
(ulimit -v 4000000) 2>/dev/null || exit 77

awk 'BEGIN {
    x = 1
    print "%%MatrixMarket matrix array real general\n100 100"
    for (i = 0; i < 10000; ++i) {
        x = (x * 16807) % 2147483647
        print x / 2147483647 - 0.5
    }
}' >A.mtx

# within KILOBYTES WORD...: ends in time
within() {
    kilobytes=$1
    shift
    echo "ulimit -v $kilobytes; gsvd $*"
    (
        ulimit -v "$kilobytes"
        exec timeout 100 "$gsvd" "$@"
    ) >out 2>err
    status=$?
    case $status in
    0) prints precision ;;
    124) fail "it did not end" ;;
    *) [ -s err ] || fail "exit status $status without a word" ;;
    esac
}

# the words of a command, with commas
commands='--values,A.mtx,A.mtx svd,--values,A.mtx'
case $letters in *s*) commands="$commands --precision=single,A.mtx,A.mtx" ;; esac
results=0
for threads in 1 2; do
    OPENBLAS_NUM_THREADS=$threads
    OMP_NUM_THREADS=$threads
    export OPENBLAS_NUM_THREADS OMP_NUM_THREADS
    for kilobytes in 50000 80000 110000 140000 170000 200000 260000 320000 \
        4000000; do
        for command in $commands; do
            # shellcheck disable=SC2046
            within "$kilobytes" $(echo "$command" | tr , ' ')
            [ "$status" -eq 0 ] && results=$((results + 1))
        done
    done
    [ "$status" -eq 0 ] || fail "4 GB are not enough"
done
[ "$results" -ge 2 ] || fail "there was no result"

report
