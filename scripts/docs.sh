#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# docs.sh [--check]: the site, as HTML in build/docs/html, by Sphinx: pages of docs/, the C
# reference out of the headers (docs/reference.py), the Python reference out of docstrings, and
# the gallery, whose programs run (python/examples).  A warning is an error.
#
#   --check   also looks at the site: links, and widths and glyphs in Chromium where it is
#             installed (docs/check_site.py); CITATION.cff; the table in README
#
# The package is the wheel of build/python/wheels (scripts/python.sh), else built here.
# Without PyPI or without Python 3.11 it says so and does nothing.
set -euo pipefail
export LC_ALL=C.UTF-8
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

check=0
case ${1-} in
--check) check=1 ;;
'') ;;
*) sed -n '4p' scripts/docs.sh >&2 && exit 2 ;;
esac

if ! python3 -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo 'docs: skipped, no Python 3.11 or later with ensurepip'
    exit 0
fi
docs=$PWD/build/docs bin=$PWD/build/docs/venv/bin
mkdir -p "$docs"
stamp=$(python3 -V && cat docs/requirements.txt)
if [[ ! -f $docs/stamp || $(<"$docs/stamp") != "$stamp" ]]; then
    rm -rf "$docs/venv"
    python3 -m venv "$docs/venv"
    if ! "$bin/pip" download -q --no-deps -d "$docs/probe" furo >"$docs/pip.log" 2>&1; then
        echo 'docs: skipped, PyPI is not reached:'
        tail -n 1 "$docs/pip.log"
        exit 0
    fi
    "$bin/pip" install -q --disable-pip-version-check -r docs/requirements.txt
    echo "$stamp" >"$docs/stamp"
fi

# shellcheck source=scripts/install-deps.sh
. scripts/install-deps.sh
need docs
install=("$bin/pip" install -q --disable-pip-version-check --no-deps --force-reinstall)
if ! "${install[@]}" --no-index --find-links build/python/wheels libgsvd 2>"$docs/wheel.log"; then
    need build
    "${install[@]}" ./python
fi

rm -rf "$docs"/{source,html}
cp -r docs "$docs/source"
cp -r python/examples "$docs/source/examples"
cp CHANGELOG.md CITATION.cff SECURITY.md "$docs/source"
cp -r /usr/share/javascript/katex "$docs/source/_static/katex"
result=$(find bench/results/cpu -name 'compare-*.jsonl' | sort | tail -n 1)
for part in table note; do
    "$bin/python" python/compare.py "--$part" "$result" >"$docs/source/compare-$part.md"
done
"$bin/python" docs/reference.py include "$docs/source/c"
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
"$bin/python" -m sphinx -q -W --keep-going -b html "$docs/source" "$docs/html"
echo "docs.sh: $docs/html/index.html"
((check)) || exit 0

if [[ $(<README.md) != *"$(<"$docs/source/compare-table.md")"* ]]; then
    echo "docs.sh: README.md has not the table of $result (scripts/compare.sh)"
    exit 1
fi
grep -qx "version: $(sed -nE 's/^project\(gsvd VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)" CITATION.cff
"$bin/cffconvert" --validate -i CITATION.cff
"$bin/python" docs/check_site.py "$docs/html"
echo 'docs.sh: checked'
