#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# mkl.sh: Intel MKL from PyPI in a virtual environment of its own, build/mkl
# (about 1 GB; nothing of the library or its tests needs it).  Prints the path of
# libmkl_rt; exits 77 if it can be had neither there nor from the network.
#
#   build/host/bench/bench_thesis --mkl "$(scripts/mkl.sh)"
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

venv=build/mkl

find_mkl() { find "$PWD/$venv" -name 'libmkl_rt.so.*' 2>/dev/null | head -n 1; }

if [[ -z $(find_mkl) ]]; then
    {
        python3 -m venv "$venv" && "$venv/bin/pip" install -q mkl
    } >&2 || {
        echo 'mkl.sh: no MKL: PyPI is out of reach or python3-venv missing' >&2
        exit 77
    }
fi
find_mkl | grep .
