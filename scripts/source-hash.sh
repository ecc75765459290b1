#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# source-hash.sh: one hash of what is built and measured: names and contents of
# the files under src, include, tests and bench, without what is written after a
# run (bench/results, bench/notes.md) and what editors leave behind.  Equal
# sources give equal hashes wherever they lie; needs no git.
set -euo pipefail
export LC_ALL=C
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

find src include tests bench \
    -path bench/results -prune -o -path bench/notes.md -prune -o \
    -name __pycache__ -prune -o \
    -type f ! -name '.*' ! -name '*~' ! -name '#*#' ! -name '*.sw[a-p]' \
    ! -name '*.orig' ! -name '*.rej' ! -name '*.pyc' -print0 |
    sort -z | xargs -0 -r sha256sum | sha256sum | cut -d ' ' -f 1
