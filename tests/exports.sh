#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# exports.sh KIND LIBRARY LETTERS: a shared library exports what it should, no more
# and no less, and prints what differs.
#
#   KIND      gsvd: the functions of include/*.h, with a version; and, with
#             another one, what libgsvd-cuda.so beside it calls, where there is one;
#             cuda, openmpi, mpich, nccl: the one symbol of libgsvd-cuda, -openmpi, -mpich, -nccl;
#             lapack, lapack_eig: LAPACK's names, without one, as LAPACK has them, and of
#             the latter the function of gsvd_lapack_eig.h
#   LETTERS   that were built, e.g. sdcz
set -euo pipefail
export LC_ALL=C

kind=$1 library=$2 letters=$3
include=$(dirname -- "${BASH_SOURCE[0]}")/../include
module=$(dirname -- "$library")/libgsvd-cuda.so

# without comments, on one line
declared() {
    cat "$include"/gsvd*.h | tr '\n' ' ' | sed 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/||g' |
        grep -oE 'GSVD_API [^(;]*\(' | grep -oE '[A-Za-z0-9_]+\($' | tr -d '('
}

# the functions of a libgsvd that a module calls
called_by() {
    nm -D --undefined-only --with-symbol-versions "$1" |
        sed -n 's/^ *U \(.*\)@\(GSVD_PRIVATE\)$/\1@@\2/p'
}

# of names, those that are certain: with fewer letters than all the module may call less
# than there is for it
certain() {
    if [[ -e $module && ${#letters} -lt 4 ]]; then
        grep -v '@@GSVD_PRIVATE$'
    else
        cat
    fi
}

expected() {
    local i
    case $kind in
    gsvd)
        declared | grep -E "^[$letters]?gsvd(_|\$)" | grep -v '^gsvd_lapack_eig_' | sed 's/$/@@GSVD_0.1/'
        [[ ! -e $module ]] || called_by "$module"
        ;;
    cuda) echo gsvd_cuda_module ;;
    openmpi | mpich | nccl) echo gsvd_grid_module ;;
    lapack)
        for ((i = 0; i < ${#letters}; ++i)); do
            printf "${letters:i:1}%s_\n" ggsvd ggsvd3 ggsvp ggsvp3 tgsja
        done
        ;;
    lapack_eig)
        declared | grep '^gsvd_lapack_eig_'
        for ((i = 0; i < ${#letters}; ++i)); do
            kind=sy
            [[ ${letters:i:1} == [sd] ]] || kind=he
            printf "${letters:i:1}%s_\n" ${kind}evd ${kind}evr gesdd gesvd
        done
        ;;
    esac
}

# A is the type of a version's own name
exported() {
    nm -D --defined-only --with-symbol-versions "$library" |
        awk '$2 != "A" {print $3}'
}

wanted=$(expected | certain | sort -u)
[[ -n $wanted ]] || {
    echo 'exports: nothing is expected'
    exit 1
}
diff <(echo "$wanted") <(exported | certain | sort) |
    sed -n 's/^</exports: missing:/p; s/^>/exports: too many:/p'
