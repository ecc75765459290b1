#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_data.sh TIKHONOV_DATA -- ones that are blurred, in 24 points for 20, come back from noise; and
# what is no problem is refused.
set -e
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# numbers A|L|b: a blurring matrix, first differences, or ones blurred, with noise
numbers() {
    awk -v what="$1" 'BEGIN {
        for (i = 0; i < (what == "L" ? 19 : 24); ++i) {
            sum = .004 * ((i * i * 7919 % 101) / 101 - .5)
            for (j = 0; j < 20; ++j) {
                a = exp(-(i - j - 2) * (i - j - 2) / 9)
                sum += a
                if (what != "b")
                    printf "%s%.17g", j ? (i % 2 ? ", " : " ") : "",
                        what == "A" ? a : (j == i + 1) - (j == i)
            }
            print (what == "b" ? sum : "")
        } }'
}
numbers A >A.txt
numbers L >L.txt
numbers b >b.txt
"$program" A.txt L.txt b.txt >x.txt
awk '{d = $1 - 1; if (d * d > 1e-4) bad = 1} END {exit bad || NR != 20}' x.txt

echo 'one two' >words.txt
printf '1 2\n3 4 5\n6\n' >ragged.txt
: >empty.txt
for files in 'A.txt L.txt words.txt' 'A.txt L.txt empty.txt' 'A.txt L.txt ragged.txt' 'A.txt b.txt b.txt' \
    'A.txt L.txt L.txt' 'A.txt L.txt absent.txt'; do
    # shellcheck disable=SC2086 # the names are words
    if "$program" $files >none.txt 2>error.txt || ! grep -q '^tikhonov_data: .*txt: ' error.txt; then
        echo "$files: $(cat error.txt)" >&2
        exit 1
    fi
done
