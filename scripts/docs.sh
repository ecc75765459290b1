#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# docs.sh: the API reference and the pages of docs/ as HTML in build/docs/html, by
# Doxygen, which it installs if it is missing (Debian, Ubuntu).  A warning of
# Doxygen's is an error: all of the public header has to have a comment.  So is a
# page that it took apart: `'S'` in single back-quotes ends at the second quote, and
# the rest of its table comes out as text; write ``'S'``.
set -euo pipefail
export LC_ALL=C.UTF-8
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

# shellcheck source=scripts/install-deps.sh
. scripts/install-deps.sh
need docs

GSVD_VERSION=$(sed -nE 's/^project\(gsvd VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
GSVD_DOCS=build/docs
export GSVD_VERSION GSVD_DOCS
rm -rf "$GSVD_DOCS"
mkdir -p "$GSVD_DOCS"
doxygen docs/Doxyfile

# broken FILES...: lines that show a command of Doxygen's, a tag, or the mark of a
# code span as text.  The header's comments stand verbatim and name no such thing, but
# for the ends of lines in the program on its first page.
broken() {
    grep -nE '\\[a-z]+|&lt;/?(td|tr|table|code)|&lsquo;|`' "$@" | grep -v '\\n"'
}
if broken "$GSVD_DOCS"/html/*.html; then
    echo 'docs.sh: Doxygen took a page apart' >&2
    exit 1
fi
echo "docs.sh: $GSVD_DOCS/html/index.html"
