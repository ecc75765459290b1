#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh [OPTION...]: measures what docs/comparison.md and README show beside LAPACK, NumPy and
# gsvd4py, for some minutes, on a machine at rest: python/compare.py with these options, by the newest
# environment of scripts/python.sh, whose wheel must be of these sources.  The result file takes the
# older one's place in bench/results/cpu; README's table and docs/compare.svg are made of it.
# scripts/docs.sh has been here, for Matplotlib.
set -euo pipefail
export LC_ALL=C.UTF-8
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

environment=$(find build/python -maxdepth 1 -name 'test-*[0-9]' 2>/dev/null | sort -V | tail -n 1) || true
draw=build/docs/venv/bin/python
if [[ ! -x $environment/bin/python || ! -x $draw ]]; then
    echo 'compare.sh: first scripts/python.sh and scripts/docs.sh' >&2
    exit 2
fi
installed=$(find "$environment" -name 'libgsvd-*.dist-info' -printf '%Ts')
if ((installed < $(git log -1 --format=%ct -- include src python/src python/CMakeLists.txt))); then
    echo 'compare.sh: the wheel is older than the sources: scripts/python.sh' >&2
    exit 2
fi

result=bench/results/cpu/compare-$(date -u +%F).jsonl
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
"$environment/bin/python" python/compare.py "$@" build/compare.jsonl
rm -f bench/results/cpu/compare-*.jsonl
mv build/compare.jsonl "$result"
"$draw" python/compare.py --figure docs/compare.svg "$result"
"$draw" python/compare.py --table "$result" >build/compare-table.md
# the table takes the place of the lines from its head on
awk -v table=build/compare-table.md '
    /^\| n \| libgsvd, ms / { while ((getline row < table) > 0) print row; inside = 1 }
    inside && !/^\|/ { inside = 0 }
    !inside' README.md >build/README.md
cp build/README.md README.md
git status --short README.md docs/compare.svg bench/results/cpu
