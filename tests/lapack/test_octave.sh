#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_octave.sh LIBRARY -- GNU Octave's own tests of gsvd with LIBRARY
# preloaded.
#
# Some of these tests are marked as known bugs of Octave's: they bound errors by
# few units in the last place, 43 to 46 of all 46 pass with LAPACK, by which kernels
# the BLAS takes, and the next ones fail for want of their variables.  No error may
# be more than twice such a bound, and all other tests must pass.
set -u

library=$1

command -v octave-cli >/dev/null || {
    echo 'octave-cli is not installed'
    exit 77
}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

cat >"$dir/run.m" <<'END'
tests = fullfile (__octave_config_info__ ("octtestsdir"),
                  "libinterp/corefcn/gsvd.cc-tst");
if (! exist (tests, "file"))
    exit (77);
endif
[passed, count, xfail, bugs] = test (tests, "quiet", getenv ("LOG"));
printf ("%d %d %d\n", passed, bugs, count);

A = randn (30, 20);
B = randn (25, 20);
[U, V, X, C, S] = gsvd (A, B);
r = [norm(U*C*X' - A), norm(V*S*X' - B), norm(C'*C + S'*S - eye (20))];
exit (! all (r < 1e-12));
END

# run NAME: the counts of one run go to NAME
run() {
    LOG=$dir/$1.log octave-cli --no-init-file "$dir/run.m" >"$dir/$1"
}

run plain || exit
LD_DEBUG=bindings LD_DEBUG_OUTPUT=$dir/bindings LD_PRELOAD=$library run ours ||
    exit
read -r passed bugs all <"$dir/ours"
read -r with_lapack _ <"$dir/plain"
echo "$passed passed, $bugs known bugs, of $all; with LAPACK $with_lapack passed"

grep -h "to $library .*dggsvd3_" "$dir"/bindings.* |
    grep -v 'liblapacke.* to ' || {
    echo "FAILED: Octave does not call $library"
    exit 1
}
worst=$(sed -n 's/.*[AR][be][sl] err \([^ ]*\) exceeds tol \([^ ]*\) by.*/\1 \2/p' \
    "$dir/ours.log" | awk '$1 / $2 > most { most = $1 / $2 } END { print most + 0 }')
echo "errors at most $worst times Octave's bounds"
if [ "$((passed + bugs))" -ne "$all" ] ||
    awk -v worst="$worst" 'BEGIN { exit !(worst > 2) }'; then
    cat "$dir/ours.log"
    exit 1
fi
