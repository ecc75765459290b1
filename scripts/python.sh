#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# python.sh: builds the wheels of the package libgsvd from this tree into build/python/wheels,
# and tests each in a fresh virtual environment: python/tests, the examples of docstrings and
# of docs/users/python.md, types by mypy.  For two versions of Python where there are two:
# python3, and the newest from 3.12 on, which takes the wheel of the stable ABI.  JAX is there for the
# first of them, PyTorch, 6 GB with its CUDA, for the other.  Free-threaded Python, from 3.14 on, has a
# wheel of its own where there is one.
# --cuda: the wheel libgsvd-cuda13, too, of libgsvd-cuda in build/release, and that libgsvd opens it.
# --portable: by Debian 11's compiler and C library, which debootstrap gets, so that wheels run on
# systems since glibc 2.28.
# Without PyPI, or without such a Python, it says so and does nothing.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

cuda='' portable=''
for option; do
    case $option in
    --cuda) cuda=$PWD/build/release ;;
    --portable) portable=yes ;;
    *)
        echo "usage: scripts/python.sh [--cuda] [--portable]" >&2
        exit 2
        ;;
    esac
done

work=$PWD/build/python
mkdir -p "$work"
# two kinds of wheels share no build
[[ $(cat "$work/kind" 2>/dev/null) == "$portable" ]] || rm -rf "$work"/*-linux_*
echo "$portable" >"$work/kind"

# works PYTHON: 3.11 or later, which can make virtual environments?
works() {
    "$1" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}
version() { "$1" -c 'import sys; print("%d.%d%s" % (*sys.version_info[:2], sys.abiflags))'; }

# free_threaded: on the path or among pyenv's
free_threaded() {
    local python
    for python in python3.{15,14}t "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[45]*t/bin/python3; do
        if works "$python" && [[ $(version "$python") == *t ]]; then
            echo "$python"
            return
        fi
    done
}

# the newest Python from 3.12 on, on the path or among pyenv's
newest() {
    local minor python
    for minor in 14 13 12; do
        for python in "python3.$minor" \
            "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3."$minor".*/bin/python3; do
            if works "$python"; then
                echo "$python"
                return
            fi
        done
    done
}

pythons=()
works python3 && pythons+=(python3)
other=$(newest)
if [[ -n $other ]] && ! { works python3 && [[ $(version "$other") == "$(version python3)" ]]; }; then
    pythons+=("$other")
fi
if ((${#pythons[@]} == 0)); then
    echo "python: skipped, no Python 3.11 or later with ensurepip"
    exit 0
fi
((${#pythons[@]} == 2)) || echo "python: one version only, ${pythons[0]}"
last=${pythons[-1]}
free=$(free_threaded)
[[ -z $free ]] || pythons+=("$free")

# fresh NAME PYTHON REQUIREMENTS: a new virtual environment
fresh() {
    rm -rf "${work:?}/$1"
    "$2" -m venv "$work/$1"
    "$work/$1/bin/pip" install -q --disable-pip-version-check -r "$3"
}

rm -rf "$work"/{probe,raw,wheels}
"${pythons[0]}" -m venv "$work/probe"
if ! "$work/probe/bin/pip" download -q --no-deps -d "$work/probe" nanobind >"$work/probe.log" 2>&1; then
    echo "python: skipped, PyPI is not reached:"
    tail -n 1 "$work/probe.log"
    exit 0
fi

# shellcheck source=scripts/install-deps.sh
. scripts/install-deps.sh
need build
find_cmake
# shellcheck disable=SC2154  # find_cmake sets it
CMAKE_EXECUTABLE=$(command -v "$cmake")
export CMAKE_EXECUTABLE CMAKE_GENERATOR=Ninja
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1} OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}

triplet=$(uname -m)-linux-gnu
# debian_11 FOLDER: gets its compiler and C library, by which CMake compiles from now on
debian_11() {
    local old=$1 file package
    if [[ ! -d $old ]]; then
        need debootstrap
        rm -rf "$old.new"
        debootstrap --foreign --variant=minbase --include=g++ bullseye "$old.new" >"$old.log"
        for package in libc6 libc6-dev libcrypt1 libcrypt-dev linux-libc-dev libgomp1 gcc-10 g++-10 \
            cpp-10 libgcc-10-dev libstdc++-10-dev libgcc-s1 libstdc++6; do
            dpkg-deb --fsys-tarfile "$old".new/var/cache/apt/archives/"$package"_*.deb |
                tar -x --keep-directory-symlink -C "$old.new"
        done
        # the linker is to stay in this folder
        find "$old.new" -xdev -type l -lname '/*' | while IFS= read -r file; do
            ln -sfrn "$old.new$(readlink "$file")" "$file"
        done
        # the library that auditwheel takes into wheels
        mkdir "$old.new/gomp"
        cp "$old.new/usr/lib/$triplet/libgomp.so.1" "$old.new/gomp"
        mv "$old.new" "$old"
    fi
    # where Debian's Python has half of its headers
    for file in /usr/include/"$triplet"/python3.*; do
        [[ ! -d $file ]] || ln -sfn "$file" "$old/usr/include/$triplet/"
    done
    export CC=$old/usr/bin/$triplet-gcc-10 CXX=$old/usr/bin/$triplet-g++-10
    export CFLAGS="--sysroot=$old -include $PWD/python/old_libm.h"
    export CXXFLAGS=$CFLAGS LDFLAGS="-static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL"
}
by_old=() repair=(repair -w "$work/wheels")
if [[ $portable ]]; then
    debian_11 "$work/debian-11"
    repair+=(--plat "manylinux_2_28_${triplet%%-*}")
    by_old=(env "LD_LIBRARY_PATH=$work/debian-11/gomp")
fi

# cuda_wheel BIN: the wheel libgsvd-cuda13; CUDA is in PyPI's packages
cuda_wheel() {
    rm -rf "$work/raw"
    PATH=$1:$PATH "$1/pip" wheel -q --no-build-isolation --no-deps -w "$work/raw" \
        --config-settings="cmake.define.GSVD_PREBUILT=$cuda" ./python/cuda13
    PATH=$1:$PATH "$1/auditwheel" -v repair -w "$work/wheels" --exclude 'libgsvd.so.*' \
        --exclude 'libcu*.so.*' "$work"/raw/*.whl >"$work/auditwheel.log" 2>&1 || {
        cat "$work/auditwheel.log"
        exit 1
    }
}

# cuda_test PYTHON: libgsvd opens the module, and asks it for devices
cuda_test() {
    local config
    rm -rf "$work/cuda"
    "$1" -m venv "$work/cuda"
    "$work/cuda/bin/pip" install -q --disable-pip-version-check --find-links "$work/wheels" \
        "libgsvd[cuda13]"
    config=$("$work/cuda/bin/python" -c 'import libgsvd; libgsvd.show_config()')
    echo "$config"
    case $config in
    *"CUDA device 0: yes"* | *"CUDA device 0: "*"no CUDA-capable device"* | \
        *"CUDA device 0: "*"driver"*) echo "python: libgsvd opens libgsvd-cuda13" ;;
    *) return 1 ;;
    esac
}

# judge PYTHON WHEEL: the tests of a wheel
judge() {
    local number bin
    number=$(version "$1")
    fresh "test-$number" "$1" python/requirements-test.txt
    bin=$work/test-$number/bin
    if [[ $1 == "${pythons[0]}" ]]; then
        "$bin/pip" install -q --disable-pip-version-check -r python/requirements-jax.txt
    fi
    if [[ $1 == "$last" ]] &&
        ! "$bin/pip" install -q --disable-pip-version-check -r python/requirements-torch.txt; then
        echo "python: no PyTorch, whose tests are skipped"
    fi
    "$bin/pip" install -q --disable-pip-version-check --no-deps --no-index \
        "$work/wheels/${2%-linux_*}"-*.whl
    cd python
    "$bin/python" -m mypy --no-incremental src/libgsvd
    "$bin/python" -m mypy --no-incremental --strict tests/typed_user.py
    "$bin/python" -m pytest -p no:cacheprovider --doctest-modules --doctest-ignore-import-errors \
        --doctest-glob='*.md' tests ../docs/users/python.md --pyargs libgsvd
}

# the library is compiled for the first wheel alone
built=''
numbers=() tests=()
trap 'jobs -p | xargs -r kill' EXIT
for python in "${pythons[@]}"; do
    number=$(version "$python")
    echo "python: $number"
    fresh "build-$number" "$python" python/requirements-build.txt
    bin=$work/build-$number/bin
    rm -rf "$work/raw"
    PATH=$bin:$PATH "$bin/pip" wheel -q --no-build-isolation --no-deps -w "$work/raw" \
        --config-settings="cmake.define.GSVD_PREBUILT=$built" ./python
    wheel=$(basename "$work"/raw/*.whl)
    if [[ -z $built ]]; then
        tag=${wheel#libgsvd-*-}
        built=$work/${tag%.whl}/gsvd
    fi
    # takes libgomp into the wheel, and says for which systems it is
    mkdir -p "$work/wheels"
    PATH=$bin:$PATH "${by_old[@]}" "$bin/auditwheel" -v "${repair[@]}" "$work"/raw/*.whl \
        >"$work/auditwheel.log" 2>&1 || {
        cat "$work/auditwheel.log"
        exit 1
    }

    if [[ $cuda && $python == "${pythons[0]}" ]]; then
        cuda_wheel "$bin"
        cuda_test "$python"
    fi
    # while the next wheel is made
    (judge "$python" "$wheel") >"$work/tests-$number.log" 2>&1 &
    numbers+=("$number") tests+=($!)
done

failed=''
for i in "${!tests[@]}"; do
    wait "${tests[i]}" || failed+=" ${numbers[i]}"
    echo "python: the tests by ${numbers[i]}"
    cat "$work/tests-${numbers[i]}.log"
done
if [[ $failed ]]; then
    echo "python: failed by$failed"
    exit 1
fi
