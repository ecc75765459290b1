# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# harness.sh -- for the tests in sh: a directory to work in, and checks of what a
# command prints, where and with which exit status.
# shellcheck shell=sh
set -u

failures=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run STATUS COMMAND...: into out and err
run() {
    expected=$1
    shift
    echo "$*"
    "$@" >out 2>err
    status=$?
    [ "$status" -eq "$expected" ] || {
        fail "exit status $status, expected $expected"
        sed 's/^/    /' err
    }
}

prints() {
    grep -qF -e "$1" out || fail "no '$1' on stdout"
}

# refuses STATUS MESSAGE COMMAND...: just that line, and nothing on stdout
refuses() {
    code=$1
    message=$2
    shift 2
    run "$code" "$@"
    [ ! -s out ] || fail "stdout is not empty"
    printf '%s\n' "$message" >wanted
    # a sanitizer tells of the memory that it refuses
    sed '/AddressSanitizer failed to allocate/d' err >told && mv told err
    cmp -s wanted err || fail "stderr is '$(cat err)', not '$message'"
}

# json CONDITION: on the object d in out, in Python; nothing without Python
json() {
    command -v python3 >/dev/null 2>&1 || return 0
    python3 -c '
import json, math, sys
def constant(name): raise ValueError(name)
d = json.load(open("out"), parse_constant=constant)
def close(x, y):
    return len(x) == len(y) and all(abs(a - b) < 1e-14 for a, b in zip(x, y))
sys.exit(0 if eval("(" + sys.argv[1] + ")") else 1)
' "$1" || fail "not so: $1 in $(cat out)"
}

# has LETTER: is the library built with this precision?
has() {
    case ${letters:?} in
    *"$1"*) true ;;
    *) false ;;
    esac
}

# random SEED ROWS COLUMNS real|complex >FILE
random() {
    awk -v seed="$1" -v m="$2" -v n="$3" -v field="$4" 'BEGIN {
        srand(seed)
        print "%%MatrixMarket matrix array", field, "general"
        print m, n
        for (i = 0; i < m * n; ++i)
            print rand() - .5, field == "complex" ? rand() - .5 : "" }'
}

# holds DIR FILE...: just these
holds() {
    where=$1
    shift
    wanted=$(printf '%s\n' "$@" | sort | tr '\n' ' ')
    got=$(find "$where" -mindepth 1 -printf '%P\n' | sort | tr '\n' ' ')
    [ "$got" = "$wanted" ] || fail "$where holds $got, not $wanted"
}

# Ends the test.
report() {
    if [ "$failures" -gt 0 ]; then
        echo "$failures failures"
        exit 1
    fi
    exit 0
}
