#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# docs.sh: the API reference and the pages of docs/ as HTML in build/docs/html, by
# Doxygen, which it installs if it is missing (Debian, Ubuntu).  A warning of
# Doxygen's is an error: all of the public header has to have a comment.
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
echo "docs.sh: $GSVD_DOCS/html/index.html"
