# shellcheck shell=bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# install-deps.sh: read by the other scripts, with . ; does nothing by itself.
#
#   need WHAT...     installs what is missing on Debian and Ubuntu, of the groups
#                    build, tests, grid, nccl, docs, reference, lapack-test, octave, debian,
#                    debootstrap
#   reference        where Debian keeps the reference BLAS and LAPACK
#   find_cmake       sets cmake and ctest, 3.25 or later: from PyPI, into
#                    build/venv, where the distribution's is older
#   nccl_root        with nccl, from PyPI into build/nccl: CMake's GSVD_NCCL_ROOT
#   find_cuda        exports CUDACXX if nvcc is installed where CUDA puts it
#
# The working directory is the top of the sources.

# does a program link against these libraries and see this header?
links() {
    local header=$1
    shift
    printf '#include <%s>\nint main(void) { return 0; }\n' "$header" |
        cc -x c - -o /dev/null "$@" 2>/dev/null
}

# has COMMAND PACKAGE, linked PACKAGE HEADER LIBRARIES...: add to missing
has() { command -v "$1" >/dev/null || missing+=("$2"); }
linked() { links "${@:2}" || missing+=("$1"); }

install_packages() {
    local root=()
    if ! command -v apt-get >/dev/null; then
        echo "missing, install by hand: $*" >&2
        exit 1
    fi
    [[ $(id -u) == 0 ]] || root=(sudo)
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
        --no-install-recommends "$@"
}

reference=/usr/lib/$(uname -m)-linux-gnu/blas:/usr/lib/$(uname -m)-linux-gnu/lapack

# NCCL, cuBLASMp and cuSOLVERMp, 350 MB, of CUDA 13; without what they depend on, which CUDA has
nccl_root=
need_nccl() {
    local venv=build/nccl found
    found=$(echo "$venv"/lib/python3*/site-packages/nvidia)
    if [[ ! -e $found/cu13/include/cusolverMp.h ]]; then
        python3 -c 'import ensurepip' 2>/dev/null || install_packages python3-venv
        python3 -m venv "$venv"
        "$venv/bin/pip" install -q --no-deps 'nvidia-nccl-cu13==2.30.7' \
            'nvidia-cublasmp-cu13==0.10.0.3695' 'nvidia-cusolvermp-cu13==0.9.1.9318.post1'
        found=$(echo "$venv"/lib/python3*/site-packages/nvidia)
    fi
    # shellcheck disable=SC2034  # for the script that reads this
    nccl_root=$PWD/$found
}

need() {
    local missing=() group
    for group; do
        case $group in
        build)
            has cc build-essential
            has cmake cmake
            has ninja ninja-build
            linked libopenblas-dev stddef.h -lopenblas
            linked liblapack-dev stddef.h -llapack -lblas
            ;;
        grid)
            has mpirun openmpi-bin
            pkg-config --exists ompi-c 2>/dev/null || missing+=(libopenmpi-dev)
            pkg-config --exists scalapack-openmpi 2>/dev/null ||
                missing+=(libscalapack-openmpi-dev)
            has mpirun.mpich mpich
            pkg-config --exists mpich 2>/dev/null || missing+=(libmpich-dev)
            pkg-config --exists scalapack-mpich 2>/dev/null ||
                missing+=(libscalapack-mpich-dev)
            ;;
        nccl) need_nccl ;;
        tests)
            has pkg-config pkg-config
            has gfortran gfortran
            linked liblapacke-dev lapacke.h -llapacke -llapack -lblas
            # shellcheck disable=SC2046  # the flags are words
            if ! pkg-config --exists check 2>/dev/null ||
                ! links check.h $(pkg-config --libs check); then
                missing+=(check libsubunit-dev)
            fi
            ;;
        reference)
            [[ -d ${reference%%:*} ]] || missing+=(libblas3)
            [[ -d ${reference##*:} ]] || missing+=(liblapack3)
            ;;
        lapack-test)
            [[ -x ${reference##*:}/xeigtstd ]] || missing+=(liblapack-test)
            ;;
        docs)
            has node nodejs
            [[ -d /usr/share/javascript/katex ]] || missing+=(libjs-katex)
            ;;
        debootstrap)
            has debootstrap debootstrap
            ;;
        octave)
            has octave-cli octave
            has mkoctfile octave-dev
            has pkg-config pkg-config
            ;;
        debian)
            has dpkg-buildpackage dpkg-dev
            has dh debhelper
            has lintian lintian
            has pkg-config pkg-config
            ;;
        esac
    done
    if ((${#missing[@]})); then
        install_packages "${missing[@]}"
    fi
}

new_enough() {
    printf '3.25\n%s\n' "$("$1" --version | awk 'NR == 1 {print $3}')" |
        sort -V -C
}

# shellcheck disable=SC2034  # for the script that reads this
find_cmake() {
    local venv=build/venv
    cmake=cmake ctest=ctest
    if new_enough cmake; then
        return
    fi
    if [[ ! -x $venv/bin/cmake ]]; then
        python3 -c 'import ensurepip' 2>/dev/null ||
            install_packages python3-venv
        python3 -m venv "$venv"
        "$venv/bin/pip" install -q 'cmake>=3.25,<4'
    fi
    cmake=$venv/bin/cmake ctest=$venv/bin/ctest
}

find_cuda() {
    if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
        export CUDACXX=${CUDACXX:-/usr/local/cuda/bin/nvcc}
    fi
}
