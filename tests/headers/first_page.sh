#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# first_page.sh HEADER [PROGRAM] -- the program on the first page of gsvd.h; or, with
# that program compiled: does it print what the page says?
set -eu
if [ $# -eq 1 ]; then
    exec sed -n '/^ \*     #include/,/^ \*     }/s/^ \* \{0,5\}//p' "$1"
fi
expected=$(sed -n '/ it prints$/,/^ \* [^ ].*:$/s/^ \*     //p' "$1")
printed=$("$2")
if [ -z "$printed" ] || [ "$printed" != "$expected" ]; then
    printf 'gsvd.h says\n%s\nand its program prints\n%s\n' "$expected" "$printed"
    exit 1
fi
