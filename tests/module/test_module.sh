#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_module.sh WHAT LIBRARIES FAKES PROGRAM COMMAND FORKS [LAPACK...]: one test of how a
# shared libgsvd does with and without libgsvd-cuda.
#
#   needs      none of the libraries and programs needs CUDA; the module does
#   late       it is opened where a device is asked for, and not before
#   absent     there is no module
#   garbage, other, empty, unresolved, unloadable
#              there is one that cannot be used: of FAKES/WHAT
#   hidden     there is the right one, but none of CUDA's libraries, which a namespace
#              hides
#   beside     the one beside libgsvd is taken, whatever the loader would find
#   fork       a child that is born while another thread opens it gets a handle
#   relative   libgsvd by a relative path: none is taken from the folder of the process
#
# LIBRARIES is the folder of libgsvd and its module, PROGRAM is asks_for_device, COMMAND
# is gsvd, FORKS is forks.
set -euo pipefail
export LC_ALL=C
unset LD_LIBRARY_PATH LD_PRELOAD GSVD_DEVICE

arguments=("$@")
what=$1 libraries=$2 fakes=$3 program=$4 command=$5 forks=$6
shift 6
library=$(basename "$libraries"/libgsvd.so.?)
module=$(basename "$libraries"/libgsvd-cuda.so.?)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

fail() {
    echo "test_module: $what: $*" >&2
    exit 1
}

# put FOLDER [FILE]: libgsvd, and FILE as its module
put() {
    mkdir -p "$1"
    cp "$libraries/$library" "$1"
    [[ $# -lt 2 ]] || cp "$2" "$1/$module"
}

# on FOLDER COMMAND...: with the libgsvd of that folder
on() {
    local folder=$1
    shift
    LD_LIBRARY_PATH=$folder "$@"
}

# without FOLDER REASON: asked for a device, libgsvd says REASON; else it computes on
# the host, and so does the command
without() {
    local reason=$2 answer
    answer=$(on "$1" "$program" 0)
    grep -qx GSVD_NOT_SUPPORTED <<<"$answer" || fail "device 0: $answer"
    sed -n 2p <<<"$answer" | grep -Eq "$reason" || fail "no '$reason' in '$answer'"
    answer=$(on "$1" "$program" any)
    [[ $(head -n 1 <<<"$answer") == host ]] || fail "any: $answer"
    sed -n 2p <<<"$answer" | grep -Eq "$reason" || fail "no '$reason' in '$answer'"
    [[ $(on "$1" "$program" host) == host ]] || fail 'host'
    printf '1,0\n0,1\n' >"$tree/I.csv"
    on "$1" "$command" "$tree/I.csv" "$tree/I.csv" | grep -q 0.7071 ||
        fail 'the command'
    answer=$(on "$1" "$command" --device 0 "$tree/I.csv" "$tree/I.csv" 2>&1) &&
        fail 'the command on device 0 works'
    grep -Eq "device 0 cannot be used: .*$reason" <<<"$answer" ||
        fail "the command: $answer"
}

# where the module has one of CUDA's libraries from; nothing: it has none
cuda_folder() {
    ldd "$libraries/$module" | sed -nE 's|^\s*libcu.* => (/.*)/[^/]+ .*|\1|p' | head -n 1
}

# an installed module would be found where there is to be none
case $what in
absent | relative)
    ! PATH=$PATH:/sbin ldconfig -p | grep -q "$module" || exit 77
    ;;
esac

cuda='lib(cuda|cublas|cusolver|cusparse|nv)'
case $what in
needs)
    for file in "$libraries/$library" "$command" "$program" "$@"; do
        ! readelf -d "$file" | grep -E "NEEDED.*$cuda" || fail "$file needs CUDA"
        ! ldd "$file" | grep -E "$cuda|$module" || fail "$file needs CUDA"
        ! nm -D "$file" | grep ' U .*@GSVD_PRIVATE' || fail "$file calls internals"
    done
    for file in cudart cublas cusolver; do
        readelf -d "$libraries/$module" | grep -q "NEEDED.*lib$file" || fail "the module: $file"
    done
    ;;
late)
    [[ $(on "$libraries" "$program" host) == host ]] ||
        fail "for the host: $(on "$libraries" "$program" host)"
    for where in any 0; do
        on "$libraries" "$program" "$where" | grep -q "/$module" ||
            fail "$where does not open the module"
    done
    ;;
absent)
    put "$tree/lib"
    without "$tree/lib" "$module: cannot open shared object file"
    ;;
garbage)
    put "$tree/lib" "$0"
    without "$tree/lib" "$module: (invalid ELF header|file too short)"
    ;;
other)
    put "$tree/lib" "$fakes/$what/$module"
    without "$tree/lib" "$module is of libgsvd 0\.0\.7 \(fake\), this is libgsvd [0-9]"
    ;;
empty)
    put "$tree/lib" "$fakes/$what/$module"
    without "$tree/lib" 'undefined symbol: gsvd_cuda_module'
    ;;
unresolved)
    put "$tree/lib" "$fakes/$what/$module"
    without "$tree/lib" 'undefined symbol: gsvd_from_nowhere'
    ;;
unloadable)
    put "$tree/lib" "$fakes/$what/$module"
    without "$tree/lib" 'libgsvd_nowhere.so: cannot open shared object file'
    ;;
hidden)
    unshare -rm true 2>/dev/null || exit 77
    outer=$(readlink /proc/self/ns/mnt) unshare -rm bash "$0" inside "${arguments[@]:1}"
    ;;
inside)
    # what is mounted here is to be seen by nobody else
    [[ ${outer:?} != "$(readlink /proc/self/ns/mnt)" ]] || fail 'no namespace of its own'
    while folder=$(cuda_folder) && [[ -n $folder ]]; do
        case $folder in
        /lib* | /usr/lib* | "$libraries") exit 77 ;; # with what else the system needs
        esac
        mount -t tmpfs none "$folder" || exit 77
    done
    without "$libraries" 'libcu[a-z]*\.so\.[0-9]+: cannot open shared object file'
    ;;
beside)
    # what is beside libgsvd, though the loader would find another one first
    put "$tree/lib" "$fakes/empty/$module"
    put "$tree/bare"
    mkdir "$tree/found"
    cp "$fakes/other/$module" "$tree/found"
    without "$tree/found:$tree/lib" 'undefined symbol: gsvd_cuda_module'
    without "$tree/bare:$tree/found" '0\.0\.7'
    ;;
fork)
    put "$tree/lib" "$fakes/slow/$module"
    without "$tree/lib" '0\.0\.7 \(slow\)'
    on "$tree/lib" "$forks" || fail 'children'
    ;;
relative)
    put "$tree/lib"
    mkdir "$tree/elsewhere"
    cp "$fakes/other/$module" "$tree/elsewhere"
    cd "$tree/lib"
    answer=$(LD_PRELOAD=./$library "$program" 0 "$tree/elsewhere")
    grep -q 'cannot open shared object file' <<<"$answer" || fail "$answer"
    # and that file would have been taken from where it may be
    cp "$tree/elsewhere/$module" .
    answer=$(LD_PRELOAD=$PWD/$library "$program" 0 "$tree/elsewhere")
    grep -q '0\.0\.7' <<<"$answer" || fail "$answer"
    ;;
*) fail 'what is that?' ;;
esac
