# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# gsvd.bash: completion of the command gsvd in bash.
# shellcheck shell=bash

_gsvd() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local words=''

    COMPREPLY=()
    compopt +o default
    case $before in
    --form) words='lapack x xinv' ;;
    --precision) words='double single' ;;
    --rank) words='norm rows' ;;
    --equilibrate) words='auto on off' ;;
    --solver) words='auto tangent csd tgsja' ;;
    --device) words='any host 0 1' ;;
    --format) words='npy mtx csv npz mat' ;;
    --keep | --tol-a | --tol-b | --skip-columns | --grid) return ;;
    -o | --output)
        compopt -o filenames
        mapfile -t COMPREPLY < <(
            compgen -d -- "$word"
            compgen -f -X '!*.@(npz|mat)' -- "$word"
        )
        return
        ;;
    --plot)
        compopt -o default
        return
        ;;
    *)
        if [[ $word != -* ]]; then
            compopt -o default -o filenames
            [[ $COMP_CWORD -gt 1 ]] || # the problem, or a file
                mapfile -t COMPREPLY < <(
                    compgen -W 'svd hsvd eigh tikhonov' -- "$word"
                    compgen -f -- "$word"
                )
            return
        fi
        words='--header --skip-columns --values --bounds --economy --form --keep
            --precision --real --tol-a --tol-b --rank --equilibrate --solver --sweeps
            --bidiagonal --fast --factor --device --grid --progress --json -o
            --output --format --plot -h --help --version'
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _gsvd gsvd
