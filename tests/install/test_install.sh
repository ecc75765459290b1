#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_install.sh WHAT DIR ...: one test of an install tree DIR/prefix.
#
#   tree DIR BUILD             makes it: installs BUILD
#   build DIR SOURCE OPTIONS   makes it: builds SOURCE so, and installs that
#   find_package DIR KIND VERSION    C and C++ through the CMake package
#   pkg_config DIR KIND VERSION      C, C++ and LAPACK's symbols through pkg-config
#   version DIR KIND VERSION   the right version is found, others are refused
#   moved DIR KIND VERSION     a tree that was moved works, both ways
#   deb DIR BUILD CUDA         the Debian packages: what they need and hold, programs
#                              built against them; CUDA is ON or OFF
#
# KIND is shared or static.  CMAKE, CC, CXX and NVCC name the programs; without
# CXX the programs in C++ are left out.
set -euo pipefail
export LC_ALL=C

what=$1 dir=$2
shift 2
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
cmake=${CMAKE:-cmake}
unset DESTDIR LD_LIBRARY_PATH PKG_CONFIG_PATH CFLAGS CXXFLAGS LDFLAGS
[[ -z ${NVCC:-} ]] || export CUDACXX=$NVCC

fail() {
    echo "test_install: $*" >&2
    exit 1
}

languages=(c)
[[ -z ${CXX:-} ]] || languages+=(cxx)

# configure LANGUAGE PREFIX WORK [VERSION]
configure() {
    rm -rf "$3"
    "$cmake" -S "$here/$1" -B "$3" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$2" -DWANTED="${4:-}" \
        -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
}

# by_cmake PREFIX WORK
by_cmake() {
    local language
    for language in "${languages[@]}"; do
        configure "$language" "$1" "$2/$language"
        "$cmake" --build "$2/$language"
        "$2/$language/consumer"
        [[ ! -x $2/$language/consumer_lapack ]] ||
            "$2/$language/consumer_lapack"
    done
}

# by_pkg_config PREFIX WORK KIND
by_pkg_config() {
    local file flags=() private=()
    file=$(find "$1" -name gsvd.pc)
    [[ -n $file ]] || fail 'there is no gsvd.pc'
    export PKG_CONFIG_PATH=${file%/*}
    [[ $3 == shared ]] || private=(--static)
    read -ra flags <<<"$(pkg-config "${private[@]}" --cflags --libs gsvd)"
    flags+=("-Wl,-rpath,$(pkg-config --variable=libdir gsvd)")
    # the CUDA libraries of a static one have no other way to be found
    [[ $3 == shared ]] ||
        for flag in "${flags[@]}"; do
            [[ $flag != -L* ]] || flags+=("-Wl,-rpath,${flag#-L}")
        done
    mkdir -p "$2"
    "$CC" -std=c11 "$here/c/main.c" -o "$2/c" "${flags[@]}"
    "$2/c"
    [[ -z ${CXX:-} ]] || {
        "$CXX" -std=c++17 "$here/cxx/main.cpp" -o "$2/cxx" "${flags[@]}"
        "$2/cxx"
    }
    [[ -n $(find "$1" -name 'libgsvd_lapack.so*') ]] || return 0
    read -ra flags <<<"$(pkg-config --libs gsvd_lapack)"
    flags+=("-Wl,-rpath,$(pkg-config --variable=libdir gsvd_lapack)")
    "$CC" -std=c11 "$here/c/lapack.c" -o "$2/lapack" "${flags[@]}"
    "$2/lapack"
}

# nothing that is installed may name where it was installed to
names_no_prefix() {
    local found
    found=$(grep -rlF --include='*.cmake' --include='*.pc' -- "$1" "$1" || true)
    [[ -z $found ]] || fail "the prefix stands in $found"
}

# accepted VERSION, refused VERSION
accepted() { configure c "$dir/prefix" "$dir/version" "$1" >"$dir/log" 2>&1; }
refused() {
    ! accepted "$1" || fail "version $1 was asked for, and accepted"
    grep -q 'considered but not accepted' "$dir/log" ||
        fail "version $1 was refused, but why? $(<"$dir/log")"
}

# Debian's form: PACKAGE ROOT, the file and what is in it
debian_form() {
    local name file
    name=$(dpkg-deb --field "$1" Package)
    for file in copyright changelog.gz changelog.Debian.gz; do
        [[ -s $2/usr/share/doc/$name/$file ]] || fail "$name has no $file"
    done
    zgrep -q "^libgsvd ($(dpkg-deb --field "$1" Version))" \
        "$2/usr/share/doc/$name/changelog.Debian.gz" || fail "$name: changelog"
    find "$2" -type f | while IFS= read -r file; do
        ! readelf -d "$file" 2>/dev/null | grep -E '\((RPATH|RUNPATH)\)' ||
            fail "$name: ${file#"$2"} says where its libraries are"
        ! readelf -S "$file" 2>/dev/null | grep -q '\.symtab' ||
            fail "$name: ${file#"$2"} is not stripped"
    done
    ! dpkg-deb --contents "$1" | grep -Ev '^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x|l)' ||
        fail "$name: permissions"
    # libraries are in the folder of their machine, and the loader's cache learns
    # of them
    [[ -z $(find "$2" -name '*.so.[0-9]*') ]] || {
        compgen -G "$2/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/libgsvd*.so.0" \
            >/dev/null || fail "$name: no multiarch folder"
        dpkg-deb --info "$1" triggers | grep -qx 'activate-noawait ldconfig' ||
            fail "$name does not trigger ldconfig"
        ! dpkg-deb --info "$1" postinst 2>/dev/null || fail "$name has a postinst"
    }
}

# a build is kept: a second run builds what changed
[[ $what == build ]] || rm -rf "${dir:?}/$what"
mkdir -p "$dir"
case $what in
tree)
    rm -rf "$dir/prefix"
    "$cmake" --install "$1" --prefix "$dir/prefix"
    ;;
build)
    source=$1
    shift
    rm -rf "$dir/prefix"
    "$cmake" -S "$source" -B "$dir/build" "$@" \
        -DCMAKE_INSTALL_PREFIX="$dir/prefix"
    "$cmake" --build "$dir/build" --parallel 2
    "$cmake" --install "$dir/build"
    ;;
find_package) by_cmake "$dir/prefix" "$dir/$what" ;;
pkg_config) by_pkg_config "$dir/prefix" "$dir/$what" "$1" ;;
version)
    IFS=. read -r major minor patch <<<"$2"
    for version in "$2" "$major.$minor"; do
        accepted "$version" || {
            cat "$dir/log"
            fail "version $version was refused"
        }
    done
    refused 99
    refused "$major.$((minor + 1))"
    refused "$major.$minor.$((patch + 1))"
    [[ $minor == 0 ]] || refused "$major.$((minor - 1))"
    ;;
moved)
    names_no_prefix "$dir/prefix"
    mkdir -p "$dir/moved"
    cp -a "$dir/prefix" "$dir/moved/elsewhere"
    mv "$dir/prefix" "$dir/prefix.away"
    trap 'mv "$dir/prefix.away" "$dir/prefix"' EXIT
    by_cmake "$dir/moved/elsewhere" "$dir/moved/cmake"
    by_pkg_config "$dir/moved/elsewhere" "$dir/moved/pkg" "$1"
    ;;
deb)
    for tool in dpkg-deb dpkg-shlibdeps; do
        command -v "$tool" >/dev/null || exit 77
    done
    # the umask of whoever builds them is not in them
    (umask 077 && "${CPACK:-cpack}" -G DEB --config "$1/CPackConfig.cmake" -B "$dir/deb")
    runtime=$(find "$dir/deb" -maxdepth 1 -name 'libgsvd[0-9]*.deb')
    cuda=$(find "$dir/deb" -maxdepth 1 -name 'libgsvd-cuda[0-9]*.deb')
    packages=("$dir"/deb/*.deb)
    for package in "${packages[@]}"; do
        dpkg-deb --extract "$package" "$dir/deb/one"
        debian_form "$package" "$dir/deb/one"
        rm -r "$dir/deb/one"
        dpkg-deb --extract "$package" "$dir/deb/all"
    done
    names_no_prefix "$dir/deb/all"
    # what ldconfig would find
    LD_LIBRARY_PATH=$(dirname "$(find "$dir/deb/all" -name libgsvd.so.0)")
    export LD_LIBRARY_PATH
    by_cmake "$dir/deb/all/usr" "$dir/deb/cmake"
    by_pkg_config "$dir/deb/all/usr" "$dir/deb/pkg" shared
    [[ ! -e $dir/deb/all/usr/bin/gsvd ]] || "$dir/deb/all/usr/bin/gsvd" --version
    if command -v lintian >/dev/null; then
        lintian --allow-root --fail-on error "${packages[@]}"
    fi
    field() { dpkg-deb --field "$1" "$2"; }
    field "$runtime" Depends | grep -q liblapack || fail 'does not depend on LAPACK'
    # of CUDA is one package, which the other recommends
    for package in "${packages[@]}"; do
        [[ $package == "$cuda" ]] || ! dpkg-deb --info "$package" | grep -E 'cudart|cublas|cusolver' ||
            fail "$package wants CUDA"
    done
    [[ $2 == ON ]] || {
        [[ -z $cuda$(field "$runtime" Recommends) ]] || fail 'a build without CUDA has some'
        exit 0
    }
    [[ $(field "$runtime" Recommends) == "$(field "$cuda" Package)" ]] ||
        fail "$runtime does not recommend $cuda"
    field "$cuda" Depends | grep -qF "libgsvd0 (= $(field "$runtime" Version))" ||
        fail "$cuda goes with any libgsvd: $(field "$cuda" Depends)"
    for package in cuda-cudart libcublas libcusolver libcusparse libnvjitlink; do
        field "$cuda" Recommends | grep -Eq "$package-[0-9]+-[0-9]+" ||
            fail "does not recommend $package: $(field "$cuda" Recommends)"
    done
    ;;
*) fail "what is $what?" ;;
esac
