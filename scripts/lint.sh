#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# lint.sh: layout, static checks and the guards of the design.  Prints every
# finding and fails if there is one.  A tool that is not installed is named and
# left out; the guards need none.
#
#   GSVD_LIBRARY   a built libgsvd.so whose symbols are looked at (the one of
#                  build/release); without one that check fails
set -euo pipefail
export LC_ALL=C
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

failed=()

# check NAME COMMAND...: the command prints what it finds
check() {
    local name=$1
    shift
    if "$@"; then
        echo "lint: $name: ok"
    else
        echo "lint: $name: FAILED"
        failed+=("$name")
    fi
}

# Prints standard input; fails if there is any.
nothing() { ! grep .; }

# match REGEX: where it stands in the files that standard input names
match() { xargs -r grep -nE "$1" /dev/null || true; }

sources() { # sources DIRECTORIES... -- PATTERNS...
    local dirs=() names=()
    while [[ $1 != -- ]]; do
        [[ ! -d $1 ]] || dirs+=("$1")
        shift
    done
    shift
    for pattern; do names+=(-o -name "$pattern"); done
    find "${dirs[@]}" -type f \( "${names[@]:1}" \) | sort
}

# ---- tools ------------------------------------------------------------------

# include/gsvd.h is laid out by hand: its arguments stand in groups
layout() {
    sources src tests tools bench examples python packaging -- '*.[ch]' '*.cu' '*.cuh' '*.cpp' '*.cc' |
        while IFS= read -r file; do
            "$clang_format" "$file" | cmp -s - "$file" ||
                echo "$file: clang-format -i would change it"
        done | nothing
}

# a file is checked in z, in d too where the text depends on real or complex (complex_in_core), and
# for one MPI
static_checks() {
    local build=build/lint files all other=''
    if ! "$cmake" -S . -B "$build" -DGSVD_CUDA=OFF -DGSVD_PRECISIONS='d;z' \
        -DGSVD_TESTS=OFF -DGSVD_TOOLS=OFF -DGSVD_COPIES_BY_WORD=OFF \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null ||
        # the one header that is made by the build
        ! "$cmake" --build "$build" --target gsvd_build >/dev/null; then
        echo "no build: $build cannot be configured"
        return 1
    fi
    all=$(<"$build/compile_commands.json")
    [[ $all != *gsvd_openmpi* ]] || other=gsvd_mpich
    # without an option of gcc's alone
    awk -v RS='\n},\n' -v other="$other" '
        (!/LETTER=d / || /\/src\/(core|lapack)\//) && (other == "" || !index($0, other)) {
            gsub(/ -fno-tree-loop-vectorize/, "")
            printf "%s%s", between, $0
            between = "\n},\n"
        }' <<<"$all" >"$build/compile_commands.json"
    files=$(sources src bench -- '*.c' | compiled "$build")
    if [[ -z $files ]]; then
        echo "no build: $build compiles none of the sources"
        return 1
    fi
    echo "$files" |
        xargs -r -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet 2>/dev/null
}

# of the files on standard input, those that the build compiles
compiled() {
    while IFS= read -r file; do
        ! grep -qF "/$file\"" "$1/compile_commands.json" || echo "$file"
    done
}

spelling() {
    sources src include tests tools bench examples docs scripts python packaging -- '*.[ch]' \
        '*.cu' '*.cuh' '*.cpp' '*.md' '*.py' '*.sh' '*.txt' |
        grep -v '^bench/results/' |
        xargs -r codespell -L 'te,fro,ba,nd,ans,nin,dout' README.md CONTRIBUTING.md \
            CHANGELOG.md SECURITY.md CITATION.cff
}

# ---- guards -----------------------------------------------------------------

# every kernel file has the CPU's version of the same beside it, but for the parts of
# panel.cu, whose twin is panel.c, and a kernel that does nothing
twins() {
    sources src -- '*.cu' | while IFS= read -r file; do
        case $file in
        src/qr/panel/cholesky_wide.cu | src/qr/panel/householder*.cu) continue ;;
        src/jacobi/tridiagonal_panel.cu) continue ;; # a part of tridiagonal.cu
        src/jacobi/bidiagonal_band.cu) continue ;; # its twin is in band.c
        src/batch/blocks.cu | src/batch/tall.cu) continue ;; # parts of svd.cu
        src/batch/gsvd_columns.cu) continue ;; # a part of gsvd.cu
        src/machine/device_code.cu) continue ;;
        src/grid/nccl/*.cu) continue ;; # their twins are src/grid/passes.c, entries.c and move_mpi.c
        esac
        [[ -f ${file%.cu}.c ]] || echo "$file: no ${file%.cu}.c"
    done | nothing
}

# what depends on real or complex is in src/core; a test may ask for the value; LAPACK's lists of arguments
# differ (lapack)
complex_in_core() {
    {
        sources src tools bench examples -- '*.[ch]' '*.cu' '*.cuh' |
            grep -v -e '^src/core/' -e '^src/lapack/' | match 'GSVD_COMPLEX\b'
        sources tests -- '*.[ch]' '*.cu' | grep -v -e 'test_scalar\.c$' -e '^tests/lapack/' |
            match '^\s*#\s*(el)?if.*GSVD_COMPLEX\b'
    } | nothing
}

# NVIDIA's headers: src/core, src/machine, the grid of GPUs and CUDA sources; and the example of a
# program that has its matrices on a GPU
vendor_headers() {
    sources src include tools examples -- '*.[ch]' |
        grep -v -e '^src/core/' -e '^src/machine/' -e '^src/grid/nccl/device\.h$' \
            -e '^examples/\(device\|plan\)\.c$' |
        match '#\s*include\s*[<"](cuda|cublas|cusolver|cuComplex)' | nothing
}

# how much shared memory a kernel may have belongs to the process: one function sets it,
# to one number for a kernel (core/launch.h)
process_wide_state() {
    {
        sources src -- '*.[ch]' '*.cu' '*.cuh' |
            grep -v '^src/machine/launch_cuda\.c$' |
            match 'cuda(FuncSet|DeviceSet(Limit|CacheConfig))|__constant__'
    } | nothing
}

# a build without CUDA links other files; it does not compile other lines, but for the loops that tests
# make of kernels (each.cuh)
no_cuda_conditions() {
    sources src tools -- '*.[ch]' '*.cu' '*.cuh' |
        grep -v -e '^src/core/' -e '^src/machine/' -e '^src/grid/nccl/each\.cuh$' |
        match '^\s*#\s*(el)?if.*(CUDA|NVCC)' | nothing
}

# the programs in the README and in docs/gpu.md are the examples, from the first #include on
readme_programs() {
    local file page
    while read -r page file; do
        awk -v file="($file)" 'index($0, file) {here = 1}
            here && /^```$/ {exit}
            program
            here && /^```c$/ {program = 1}' "$page" |
            cmp -s - <(sed -n '/^#include/,$p' "$file") ||
            echo "$page: the program is not $file"
    done <<<$'README.md examples/host.c\ndocs/gpu.md examples/device.c' | nothing
}

# the typed headers are what the script writes from the others
typed_header() {
    local name
    for name in gsvd gsvd_filter gsvd_grid; do
        scripts/typed-header.sh "$name" | diff "include/${name}_typed.h" - ||
            echo "run scripts/typed-header.sh $name >include/${name}_typed.h"
    done | nothing
}

# what a file of this floor may include, beside the public header
floor_of() {
    case $1 in
    core) echo 'core' ;;
    qr) echo 'core|qr' ;;
    pivot) echo 'core|qr|pivot' ;;
    urv | jacobi | small) echo "core|qr|pivot|$1" ;;
    filter) echo 'core|filter' ;;
    batch) echo 'core|qr|pivot|jacobi|small|batch' ;;
    machine) echo 'core|qr|pivot|urv|jacobi|small|batch|machine' ;;
    gsvd) echo 'core|qr|pivot|urv|jacobi|small|batch|machine|gsvd' ;;
    door) echo 'core|qr|pivot|urv|jacobi|small|batch|machine|gsvd|door' ;;
    *) echo '.*' ;;
    esac
}

# the folders of src, as alternatives of a regular expression
folders() { basename -a src/*/ | paste -sd '|'; }

# "..." with any folder, <...> with one of ours: both find src/
floors() {
    local floor all
    all=$(folders)
    for floor in src/*/; do
        floor=$(basename "$floor")
        sources "src/$floor" -- '*.[ch]' '*.cu' '*.cuh' |
            match "#\s*include\s*(\"[^\"/]+/|<([^>]*/)?($all)/|<\.)" |
            grep -vE "include\s*[<\"]($(floor_of "$floor"))/" || true
    done | nothing
}

# primitives.h shows every floor all primitives: a floor names none that a floor above it
# states (ops.h), and core does without.
upward_names() {
    local floor above names
    {
        sources src/core -- '*.[ch]' '*.cu' '*.cuh' |
            match '#\s*include\s*"primitives\.h"'
        for floor in src/*/; do
            floor=$(basename "$floor")
            for above in src/*/ops.h; do
                [[ ! $(basename "${above%/ops.h}") =~ ^($(floor_of "$floor"))$ ]] ||
                    continue
                names=$(grep -oE '\bM\([a-z0-9_]+\)' "$above" | sed 's/M(//; s/)//' |
                    paste -sd '|')
                sources "src/$floor" -- '*.[ch]' '*.cu' '*.cuh' |
                    match "op->($names)\b|\bX\(($names)_(cpu|cuda)\)|\b($names)_op\b"
            done
        done
    } | nothing
}

# No folder includes another that includes it, be it through others: tsort names the
# folders of a circle.
circles() {
    local from all
    all=$(folders)
    for from in src/*/; do
        from=$(basename "$from")
        sources "src/$from" -- '*.[ch]' '*.cu' '*.cuh' | xargs -r sed -nE \
            "s,^\\s*#\\s*include\\s*[\"<](\\.\\./)*($all)/.*,$from \\2,p"
    done | awk '$1 != $2' | sort -u | tsort 2>&1 >/dev/null | nothing
}

# the functions of the public headers, of the letters that the library has
exported_symbols() {
    local letters
    letters=$(nm -D --defined-only "$library" |
        sed -nE 's/^.* ([sdcz])gsvd(@.*)?$/\1/p' | tr -d '\n')
    tests/exports.sh gsvd "$library" "$letters"
}

# ---- all of them ------------------------------------------------------------

cmake=cmake
[[ ! -x build/venv/bin/cmake ]] || cmake=build/venv/bin/cmake
clang_format=$(command -v clang-format-14 || command -v clang-format || true)
if [[ -n $clang_format && $("$clang_format" --version) == *' 14.'* ]]; then
    check layout layout
else
    echo 'lint: layout: left out, clang-format 14 is not installed'
fi
if command -v clang-tidy >/dev/null; then
    check 'static checks' static_checks
else
    echo 'lint: static checks: left out, clang-tidy is not installed'
fi
if command -v shellcheck >/dev/null; then
    check scripts shellcheck scripts/*.sh tests/*.sh tests/{grid,install,module,scripts}/*.sh \
        packaging/debian/tests/{program,command} .ci/run
else
    echo 'lint: scripts: left out, shellcheck is not installed'
fi
if command -v codespell >/dev/null; then
    check spelling spelling
else
    echo 'lint: spelling: left out, codespell is not installed'
fi

check twins twins
check 'GSVD_COMPLEX' complex_in_core
check 'vendor headers' vendor_headers
check 'conditions on CUDA' no_cuda_conditions
check 'process-wide state' process_wide_state
check floors floors
check 'primitives of upper floors' upward_names
check circles circles
check 'programs in README' readme_programs
check 'typed header' typed_header

library=${GSVD_LIBRARY:-$(find build/release -name 'libgsvd.so' -print -quit \
    2>/dev/null || true)}
if [[ -n $library ]]; then
    check 'exported symbols' exported_symbols
else
    echo 'lint: exported symbols: FAILED: no build; make build/release' \
        'or name a libgsvd.so in GSVD_LIBRARY'
    failed+=('exported symbols')
fi

if ((${#failed[@]})); then
    printf 'lint: %s\n' "${failed[@]}"
    exit 1
fi
