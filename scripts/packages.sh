#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# packages.sh [--debian]: what packaging/ has, built and tested as far as this machine can, on
# the library of build/release or, where that is not built, of a build of its own.  What the
# machine lacks is named and left out.
#
#   --debian   builds Debian's packages from their source, looks at them with lintian and runs
#              their tests on what is in them; without, it takes no time for that
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

work=$PWD/build/packages
prefix=$work/prefix
version=$(sed -nE 's/^project\(gsvd VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
failed=()

left_out() { echo "packages: $1: left out, $2"; }

# check NAME COMMAND...: the command, which ends at its first error, prints what it finds
check() {
    local name=$1 code
    shift
    set +e # an if would take it from the command, too
    (set -e; "$@") >"$work/log" 2>&1
    code=$?
    set -e
    if ((code == 0)); then
        echo "packages: $name: ok"
    else
        cat "$work/log"
        echo "packages: $name: FAILED"
        failed+=("$name")
    fi
}

# says FILE REGEX: the version that the file says is ours
says() {
    local found
    found=$(sed -nE "s/$2/\\1/p" "packaging/$1" | head -n 1)
    if [[ $found != "$version" ]]; then
        echo "packaging/$1: version '$found', CMakeLists.txt has $version"
        return 1
    fi
}

versions() {
    local wrong=0
    says debian/changelog '^libgsvd \(([0-9.]+)-.*' || wrong=1
    says octave/DESCRIPTION '^Version: (.*)' || wrong=1
    says conda/recipe.yaml '^  version: "(.*)"' || wrong=1
    says spack/packages/libgsvd/package.py '^    version\("(.*)"\)' || wrong=1
    says vcpkg/ports/libgsvd/vcpkg.json '^  "version-semver": "(.*)",' || wrong=1
    says julia/Project.toml '^version = "(.*)"' || wrong=1
    local numbers=${version%.*}
    grep -q "(symver)GSVD_$numbers " packaging/debian/libgsvd0.symbols || wrong=1
    return $wrong
}

# the installed library, and the cache of its build
install_library() {
    build=build/release
    if [[ ! -e $build/src/libgsvd.so ]]; then
        build=$work/library
        local launch=()
        ! command -v ccache >/dev/null || launch=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)
        # shellcheck disable=SC2154  # find_cmake sets it
        "$cmake" -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release "${launch[@]}" \
            -DGSVD_CUDA=OFF -DGSVD_GRID=OFF -DGSVD_TESTS=OFF -DGSVD_BENCH=OFF -DGSVD_EXAMPLES=OFF
        "$cmake" --build "$build"
    fi
    for component in runtime dev; do
        "$cmake" --install "$build" --prefix "$prefix" --component "$component"
    done >/dev/null
    export CACHE=$build/CMakeCache.txt
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name gsvd.pc)")
    LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
    export PKG_CONFIG_PATH LD_LIBRARY_PATH
}

# ---- Octave ---------------------------------------------------------------------

octave_package() {
    local folder=$work/octave/gsvd-$version
    rm -rf "$work/octave"
    mkdir -p "$folder"
    cp -r packaging/octave/. "$folder"
    cp LICENSE "$folder/COPYING"
    tar -C "$work/octave" -czf "$work/octave/gsvd.tar.gz" "gsvd-$version"
    octave-cli --no-init-file --eval "
        warning ('off', 'Octave:shadowed-function');
        pkg ('prefix', '$work/octave/pkg', '$work/octave/arch');
        pkg ('local_list', '$work/octave/list');
        pkg install -local $work/octave/gsvd.tar.gz
        pkg load gsvd
        [passed, count] = test (which ('gsvd'));
        printf ('%d of %d\n', passed, count);
        exit (passed < count || count == 0);"
}

# ---- what looks at files --------------------------------------------------------

virtual_environment() {
    [[ -x $work/venv/bin/python ]] && cmp -s packaging/requirements.txt "$work/venv/requirements" && return
    rm -rf "$work/venv"
    python3 -m venv "$work/venv" &&
        "$work/venv/bin/pip" install -q --disable-pip-version-check -r packaging/requirements.txt &&
        cp packaging/requirements.txt "$work/venv/requirements"
}

# what of the packages is looked at in Python
looked_at() { PYTHONWARNINGS=ignore "$work/venv/bin/python" packaging/check.py "$1" "$prefix"; }

vcpkg_port() {
    rm -rf "$work/vcpkg"
    "$cmake" -DWORK="$work/vcpkg" -DFEATURES=tools -P packaging/vcpkg/run_port.cmake
}

julia_package() {
    julia --project=packaging/julia -e 'using Pkg; Pkg.test()'
}

# ---- Debian ---------------------------------------------------------------------

debian_packages() {
    local top=$work/debian/libgsvd-$version root=$work/debian/root name
    rm -rf "$work/debian"
    mkdir -p "$top" "$root"
    git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -C "$top" -xf -
    tar -C "$work/debian" -czf "$work/debian/libgsvd_$version.orig.tar.gz" "libgsvd-$version"
    cp -r packaging/debian "$top/debian"
    (
        cd "$top"
        # a cache of the compiler's, if there is one
        PATH=/usr/lib/ccache:$PATH CCACHE_BASEDIR=$top CCACHE_NOHASHDIR=1 \
            DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" dpkg-buildpackage -us -uc
    )
    # no bug of Debian's asks for the package, which an upload would close
    lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs \
        --allow-root "$work"/debian/*.changes
    for name in "$work"/debian/*.deb; do
        dpkg-deb -x "$name" "$root"
    done
    # the tests on what the packages have, which are not installed for that
    PKG_CONFIG_PATH=$(dirname "$(find "$root" -name gsvd.pc)")
    LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
    export PKG_CONFIG_PATH LD_LIBRARY_PATH PATH=$root/usr/bin:$PATH
    local tests
    read -ra tests < <(sed -n 's/^Tests: //p' packaging/debian/tests/control)
    for name in "${tests[@]}"; do
        (cd "$top" && AUTOPKGTEST_TMP=$(mktemp -d -p "$work/debian") "debian/tests/$name")
    done
}

# ---- all of them ----------------------------------------------------------------

mkdir -p "$work"
rm -rf "$prefix"
check versions versions

# shellcheck source=scripts/install-deps.sh
. scripts/install-deps.sh
need build
find_cmake
install_library

(need octave) >"$work/log" 2>&1 || true
if command -v octave-cli mkoctfile >/dev/null; then
    check Octave octave_package
else
    left_out Octave 'octave-dev is not installed'
fi
if virtual_environment >"$work/log" 2>&1; then
    for name in cffi conda container debian julia spack vcpkg; do
        check "$name" looked_at "$name"
    done
    check hadolint "$work/venv/bin/hadolint" packaging/Containerfile
else
    left_out 'cffi, conda, container, Julia, Spack, vcpkg' "PyPI is not reached: $(tail -n 1 "$work/log")"
fi
check 'vcpkg port' vcpkg_port
if command -v julia >/dev/null; then
    check 'Julia tests' julia_package
else
    left_out 'Julia tests' 'julia is not installed'
fi
if [[ ${1:-} == --debian ]]; then
    (need debian) >"$work/log" 2>&1 || true
    check 'Debian packages' debian_packages
else
    left_out 'Debian packages' '--debian builds them'
fi

if ((${#failed[@]})); then
    printf 'packages: %s\n' "${failed[@]}"
    exit 1
fi
