#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_scripts.sh ci|cores|lint|cpu_check|gpu_check SOURCE: do the scripts that judge the sources
# tell a failure from a pass?  They run in a small tree of their own, over programs
# that answer what the test tells them to.
# shellcheck disable=SC2016  # what is quoted is expanded by those programs
set -euo pipefail
export LC_ALL=C
# the run that this test is a part of has settings of its own
unset "${!GSVD_@}"

what=$1 source=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cp -r "$source/scripts" "$source/.ci" "$tree"
mkdir "$tree"/{src,include,tests,bench,bin}
cd "$tree"

fail() {
    echo "test_scripts: $*" >&2
    exit 1
}

# program FILE: an executable of standard input
program() {
    mkdir -p "$(dirname "$1")"
    { echo '#!/usr/bin/env bash' && cat; } >"$1"
    chmod +x "$1"
}

# answers STATUS REGEX LINE COMMAND...: the command ends with 0 or not (STATUS 0, 1),
# REGEX matches its output, and LINE, where there is one, its last line
answers() {
    local expected=$1 regex=$2 last=$3 status=0
    shift 3
    "$@" >output 2>&1 || status=1
    if [[ $status != "$expected" ]] || ! grep -Eq -- "$regex" output ||
        { [[ -n $last ]] && ! tail -n 1 output | grep -Exq -- "$last"; }; then
        cat output
        fail "status $status, expected $expected, '$regex' and last '$last': $*"
    fi
}

# ---- .ci/run ------------------------------------------------------------------

ci() {
    # PLAIN, CORES, SANITIZED, PYTHON, DOCS and PACKAGES are what the test runs do
    program scripts/test.sh <<<'
        if [[ ${GSVD_PRESET-} == sanitize ]]; then eval "$SANITIZED"; fi
        if [[ -z ${GSVD_PRESET-} ]]; then eval "$PLAIN"; fi'
    program scripts/test-cores.sh <<<'eval "$CORES"'
    program scripts/lint.sh <<<'eval "$LINT"'
    program scripts/python.sh <<<'eval "$PYTHON"'
    program scripts/docs.sh <<<'[[ $1 == --check ]] && eval "$DOCS"'
    program scripts/packages.sh <<<'eval "$PACKAGES"'
    # what is to be installed is, as far as this test goes
    echo 'need() { :; }' >>scripts/install-deps.sh
    local good='echo "100% tests passed, 0 tests failed out of 7"'
    local bad='echo "71% tests passed, 2 tests failed out of 7"; exit 8'
    local skip='echo "3/7 Test: x ...***Skipped 0.1 sec"'
    export PLAIN=$good CORES=$good SANITIZED=$good LINT=: PYTHON=: DOCS=: PACKAGES=:

    answers 0 . '21 passed, 0 failed' .ci/run
    PLAIN="$skip; $good" answers 0 '^1 skipped$' '20 passed, 0 failed' .ci/run
    PLAIN=$bad answers 1 . '19 passed, 2 failed' .ci/run
    # many runs of one stage, and one of them fails
    CORES="$good; $bad" answers 1 . '26 passed, 2 failed' .ci/run
    # a failed build, in either run; the others tell what they find all the same
    PLAIN='exit 1' answers 1 . '14 passed, 1 failed' .ci/run
    SANITIZED='exit 1' LINT='exit 1' answers 1 . '14 passed, 2 failed' .ci/run
    # killed after its tests had passed
    PLAIN="$good; exit 1" answers 1 . '21 passed, 1 failed' .ci/run
    LINT='echo found; exit 1' answers 1 '^found$' '21 passed, 1 failed' .ci/run
    # the end names what failed
    CORES='printf "\t 3 - x.d.cpu (Failed)\n%0100d\n" 0; '"$bad" answers 1 . '19 passed, 2 failed' .ci/run
    sed '1,/^==== stages/d' output | grep -q '^.* 3 - x.d.cpu (Failed)$' || fail 'the failed test is not named'
    DOCS='exit 1' answers 1 . '21 passed, 1 failed' .ci/run
    PACKAGES='exit 1' answers 1 . '21 passed, 1 failed' .ci/run
    # pytest's line
    PYTHON='echo "= 5 passed, 2 skipped in 3.14s ="' \
        answers 0 '^2 skipped$' '26 passed, 0 failed' .ci/run
    PYTHON='echo "= 1 failed, 5 passed in 3.14s ="; exit 1' \
        answers 1 . '26 passed, 1 failed' .ci/run
    SANITIZED='echo "No tests were found!!!"' \
        answers 1 'no test was found' '14 passed, 1 failed' .ci/run
}

# ---- test-cores.sh ------------------------------------------------------------

cores() {
    # a BLAS for Haswell that knows Prescott and SkylakeX, on a processor without AVX-512
    program build/release/tests/tests_untyped <<<'
        case ${OPENBLAS_CORETYPE-Haswell} in
        Prescott | Haswell | SkylakeX) echo "Core: ${OPENBLAS_CORETYPE-Haswell}" ;;
        *) echo "Core not found: $OPENBLAS_CORETYPE" ;;
        esac'
    program bin/ctest <<<'
        echo "by ${OPENBLAS_CORETYPE-${LD_LIBRARY_PATH:+reference}}, quick ${GSVD_TEST_QUICK-no}: $*"
        [[ ${OPENBLAS_CORETYPE-} != "${BROKEN-}" ]]'
    program bin/cmake <<<'echo "cmake version 3.27.1"'
    echo 'need() { :; }' >>scripts/install-deps.sh
    printf 'flags\t\t: fpu pni sse4_2 avx avx2 fma\n' >cpuinfo
    export GSVD_CPUINFO=cpuinfo PATH=$PWD/bin:$PATH
    unset OPENBLAS_CORETYPE LD_LIBRARY_PATH
    BROKEN=none answers 0 '^by Prescott, quick no: .*pairs_accuracy' '' scripts/test-cores.sh
    local name
    for name in Nehalem Haswell SkylakeX; do
        grep -qx "==== accuracy by $name: left out" output || fail "$name is not left out"
    done
    [[ $(grep -c '^by Prescott, ' output) == 2 ]] || fail 'not twice by Prescott'
    grep -q '^by reference, quick 1: .*hsvd' output || fail 'not by the reference BLAS'
    BROKEN=Prescott answers 1 '^by reference' '' scripts/test-cores.sh
}

# ---- lint.sh ------------------------------------------------------------------

lint() {
    mkdir -p src/core src/jacobi
    printf '#include <sys/wait.h>\n#include "core/a.h"\n' >src/core/a.c
    touch src/jacobi/b.h
    answers 1 'floors: ok' '' scripts/lint.sh
    local line
    for line in '"jacobi/b.h"' '<jacobi/b.h>' '<../jacobi/b.h>' '"../jacobi/b.h"'; do
        echo "#include $line" >src/core/c.c
        answers 1 'floors: FAILED' '' scripts/lint.sh
        grep -qF "src/core/c.c:1:#include $line" output || fail "$line is not seen"
    done
    rm src/core/c.c
    # a folder may stand on a higher floor, and on another of its own floor not at all
    mkdir -p src/qr src/pivot src/urv
    touch src/pivot/p.h
    echo '#include "pivot/p.h"' >src/urv/d.c
    answers 1 'floors: ok' '' scripts/lint.sh
    for line in qr/e.c:pivot/p.h urv/d.c:jacobi/b.h core/c.c:qr/p.h; do
        echo "#include \"${line#*:}\"" >"src/${line%:*}"
        answers 1 'floors: FAILED' '' scripts/lint.sh
        rm "src/${line%:*}"
    done
    # circles of two folders and of three, whatever their floors are
    mkdir -p src/one src/two src/three
    echo '#include "two/a.h"' >src/one/a.h
    echo '#include "three/a.h"' >src/two/a.h
    answers 1 'circles: ok' '' scripts/lint.sh
    for line in two three; do
        echo '#include <../one/a.h>' >"src/$line/b.c"
        answers 1 'circles: FAILED' '' scripts/lint.sh
        grep -q "$line" output || fail "the circle of $line is not named"
        rm "src/$line/b.c"
    done
    rm -r src/one src/two src/three
    answers 1 'exported symbols: FAILED: no build' '' scripts/lint.sh
    GSVD_LIBRARY=nothing.so answers 1 'exported symbols: FAILED' '' scripts/lint.sh
    program bin/clang-tidy <<<:
    program bin/cmake <<<'exit 1'
    PATH=$PWD/bin:$PATH answers 1 'static checks: FAILED' '' scripts/lint.sh
}

# ---- cpu-check.sh -------------------------------------------------------------

cpu_check() {
    program build/bench/bench_gsvd <<<'echo "timed $*"; eval "$BENCH"'
    program build/bench/bench_batched <<<:
    export BENCH=''
    answers 0 '^timed .*--step svd' 'record: .*, failures: 0' \
        scripts/cpu-check.sh --build build --quick
    grep -q '^    timed .*--json bench/results/cpu/.*[.]jsonl' bench/results/cpu/record-*.md ||
        fail 'the record has not what the program says'
    BENCH='[[ $* != *hsvd* ]]' answers 1 '^bench HSVD: failed' 'record: .*, failures: 1' \
        scripts/cpu-check.sh --build build --quick
    answers 1 'cpu-check.sh .--build DIR' '' scripts/cpu-check.sh --fast
}

# ---- gpu-check.sh -------------------------------------------------------------

# cuda_test NAME PROGRAM [ARGUMENT]: a line of CTest's file, of a build made elsewhere
cuda_test() {
    echo "add_test([=[$1]=] \"/there/build/tests/$2\" ${3:+\"$3\" }\"cuda\")" \
        >>build/tests/CTestTestfile.cmake
}

gpu_check() {
    mkdir -p build/tests
    printf '# %s directory: /there%s/tests\n' Source '' Build /build \
        >build/tests/CTestTestfile.cmake
    cuda_test qr.d.cuda test_qr_d
    cuda_test primitives.s.cuda test_primitives_s
    # QR: the end of the one, and what it does under a sanitizer
    program build/tests/test_qr_d <<<'
        echo "100%: Checks: ${CHECKS-3}, Failures: ${BAD-0}, Errors: 0"
        eval "$QR"'
    # a case that the slowest tool takes less of
    program build/tests/test_primitives_s <<<'
        [[ ${CK_RUN_CASE-} != qr || $GSVD_TEST_ONE_IN == 60 ]] || exit
        echo "100%: Checks: 5, Failures: 0, Errors: 0"
        [[ -z ${DONE-} ]] || { sleep 0.3 && touch "$DONE"; }'
    program build/bench/bench_gsvd <<<'eval "$BENCH"'
    program build/bench/bench_products <<<:
    program build/bench/bench_papers <<<:
    program build/bench/bench_batched <<<:
    program bin/nvidia-smi <<<'echo "NVIDIA Stub"'
    program bin/compute-sanitizer <<<'
        while [[ $1 != /* ]]; do [[ $1 != --tool ]] || tool=$2; shift; done
        "$@" || exit
        case $tool in
        racecheck) echo "========= RACECHECK SUMMARY: $RACES hazards displayed" ;;
        *) echo "========= ERROR SUMMARY: $REPORTS errors" ;;
        esac'
    export PATH=$PWD/bin:$PATH OUT=$PWD/out QR='' BENCH='' REPORTS=0 RACES=0
    export GSVD_BENCH_TIMEOUT=2 GSVD_TEST_TIMEOUT=2
    local run=(scripts/gpu-check.sh --build build) record

    answers 0 'GPU tests: 2 passed, 0 failed, 0 skipped, 0 not run' \
        'record: .*, failures: 0' "${run[@]}" --only tests
    grep -q '^qr.d.cuda 0 ' out/progress.txt || fail 'OUT has no progress'
    QR='exit 77' answers 1 '1 passed, 0 failed, 1 skipped, 0 not run' \
        'record: .*, failures: 1' "${run[@]}" --only tests
    QR='exit 3' answers 1 'qr.d.cuda: failed \(3\)' '' "${run[@]}" --only tests
    QR='exec sleep 20' answers 1 'qr.d.cuda: failed \(time\)' '' \
        "${run[@]}" --only tests
    CHECKS=0 answers 1 'qr.d.cuda: failed \(no checks\)' '' "${run[@]}" --only tests
    QR='exec sleep 20' GSVD_STAGE_TIMEOUT=0.5 answers 1 \
        '1 passed, 0 failed, 0 skipped, 1 not run' 'record: .*, failures: 1' \
        "${run[@]}" --only tests

    # the pair that is not in every clone, and one that is
    cuda_test command.real_1850.cuda test_qr_d /there/tests/data/a.mtx
    answers 0 'GPU tests: 2 passed, 0 failed' '' "${run[@]}" --only tests
    grep -q '^left out.*: command.real_1850.cuda$' output || fail 'nothing said'
    mkdir tests/data && touch tests/data/a.mtx
    answers 0 'GPU tests: 3 passed, 0 failed' '' "${run[@]}" --only tests
    rm -r tests/data
    # RUN_SERIAL: after the others, which take their time
    echo 'set_tests_properties([=[qr.d.cuda]=] PROPERTIES  RUN_SERIAL "TRUE" TIMEOUT "1")' \
        >>build/tests/CTestTestfile.cmake
    export DONE=$tree/done
    QR='[[ -e $DONE ]]' answers 0 'GPU tests: 2 passed' '' "${run[@]}" --only tests

    answers 0 . 'record: .*, failures: 0' "${run[@]}" --only bench
    BENCH='[[ $* != *--economy* ]] || exec sleep 20' answers 1 'cut off after 2 s' \
        'record: .*, failures: [1-9].*' "${run[@]}" --only bench
    BENCH='exit 1' answers 1 'failed \(1\)' '' "${run[@]}" --only bench
    BENCH='exit 1' GSVD_BENCH_FILTER='^products$' answers 0 'bench: products' \
        'record: .*, failures: 0' "${run[@]}" --only bench

    answers 0 'sanitizer racecheck: [1-9][0-9]* passed, 0 failed, 0 skipped, 0 not run' \
        'record: .*, failures: 0' "${run[@]}" --only sanitize
    record=$(sed -n 's/^record: \(.*\),.*/\1/p' output)
    grep -q '^| primitives.s.cuda:qr | passed | 5 |' "$record" || fail 'no case'
    [[ $(grep -c '^compute-sanitizer .* 0 failed' "$record") == 4 ]] || fail 'not all'
    cmp "$record" "out/stub/$(basename "$record")" || fail 'OUT has another record'
    REPORTS=2 answers 1 'sanitizer memcheck: 0 passed, 3 failed' '' \
        "${run[@]}" --only sanitize --sanitize=memcheck
    RACES=1 answers 1 'qr.d.cuda:shapes: failed \(report\)' '' \
        "${run[@]}" --sanitize=racecheck --only sanitize
    QR='exit 86' answers 1 'failed \(86\)' '' "${run[@]}" --sanitize=initcheck
    # a program that fails, or dies, under a tool that ends with 0
    BAD=1 answers 1 'qr.d.cuda: failed \(checks\)' '' \
        "${run[@]}" --sanitize=memcheck --only sanitize
    QR='echo "========= Error: process did not terminate successfully"' \
        answers 1 'qr.d.cuda: failed \(report\)' '' \
        "${run[@]}" --sanitize=memcheck --only sanitize
    program bin/compute-sanitizer <<<'true' # it dies without a word
    answers 1 '0 passed, 3 failed' '' "${run[@]}" --sanitize=memcheck --only sanitize
    answers 1 '^# gpu-check.sh' '' "${run[@]}" --sanitize=typo

    # a record of two parts: the failures of both, and of a part that was cut off
    QR='exit 3' answers 1 . '' "${run[@]}" --only tests
    record=$(sed -n 's/^record: \(.*\),.*/\1/p' output)
    answers 1 . "record: $record, failures: 1" "${run[@]}" --only bench --append "$record"
    [[ $(grep -c '^record: ' "$record") == 1 ]] || fail 'not one last line'
    grep -q '^## GPU tests' "$record" || fail 'the first part is lost'
    sed -i '/^record: /d' "$record"
    answers 1 . "record: $record, failures: 1" "${run[@]}" --only bench --append "$record"
    touch src/new.c
    answers 1 'has not the line .\* sources' '' "${run[@]}" --only bench --append "$record"
}

"$what"
