#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# complete.sh LIBRARY: a shared library names each library that it calls, so that a
# program which links to no other can open it with RTLD_NOW.  Prints what is undefined.
set -euo pipefail
export LC_ALL=C
unset LD_PRELOAD LD_LIBRARY_PATH

answer=$(ldd -r "$1" 2>&1) || {
    echo "$answer"
    exit 1
}
if grep -iE 'undefined|not found' <<<"$answer"; then
    echo "complete: $1 names no library that has these" >&2
    exit 1
fi
