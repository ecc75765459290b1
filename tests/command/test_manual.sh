#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_manual.sh GSVD TOOLS -- help, the manual page and the completions know the
# same options, and are in order.  TOOLS is the folder of the command's sources.
gsvd=$1
tools=$2
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"

run 0 "$gsvd" --help
options=$(grep -oE -e '--[a-z][a-z-]*' out | sort -u)
[ "$(echo "$options" | wc -l)" -ge 16 ] || fail "the options are $options"
for option in $options; do
    [ "$option" != --gsvd ] || continue
    # a manual page spells - as \-
    sed 's/\\-/-/g' "$tools/gsvd.1" | grep -qF -e "$option" ||
        fail "$option is not in gsvd.1"
    for shell in gsvd.bash _gsvd; do
        grep -qF -e "$option" "$tools/completion/$shell" ||
            fail "$option is not in $shell"
    done
done
completed=$(grep -ohE -e '--[a-z][a-z-]*' "$tools/completion/_gsvd" \
    "$tools/completion/gsvd.bash" | sort -u)
for option in $completed; do
    echo "$options" | grep -qxF -e "$option" || fail "$option is not in help"
done

# tool COMMAND...: no output, if the tool is there
tool() {
    command -v "$1" >/dev/null 2>&1 || return 0
    echo "$*"
    "$@" >out 2>&1 || fail "$1"
    [ ! -s out ] || fail "$(cat out)"
}
tool mandoc -T lint "$tools/gsvd.1"
tool groff -man -Tutf8 -ww -z "$tools/gsvd.1"
tool bash -n "$tools/completion/gsvd.bash"
tool zsh -n "$tools/completion/_gsvd"

# completed WORDS... EXPECTED: what bash offers for the last of the words
completed() {
    command -v bash >/dev/null 2>&1 || return 0
    bash -c '
        source "$1"
        compopt() { :; }
        expected=${*: -1}
        COMP_WORDS=("${@:2:$#-2}")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _gsvd
        [[ ${COMPREPLY[*]} == "$expected" ]]' \
        bash "$tools/completion/gsvd.bash" "$@" || fail "completion of $*"
}
completed gsvd --for '--form --format'
completed gsvd --form '' 'lapack x xinv'
completed gsvd --json --solver t 'tangent tgsja'
completed gsvd --gr '--grid'
completed gsvd --rank '' 'norm rows'
completed gsvd --equilibrate o 'on off'
completed gsvd --version '--version'
completed gsvd sv svd
completed gsvd hsvd --sw --sweeps
touch svd.mtx svg.mtx
completed gsvd svd. svd.mtx
completed gsvd svd sv ''

report
