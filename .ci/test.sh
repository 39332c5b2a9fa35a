#!/bin/bash
# Runs steps and unit tests side by side, prints only failures and tests that cannot run here, and ends with
# `N passed, N failed`. Fails when a test fails, and when none ran.
# usage: [LOGS=FOLDER] test.sh [STEP...] -- [PROGRAM...]      PROGRAM: of unit tests (harness/base/suite_main.c)
#
# A step adds jobs. Every job has a log, and a folder for its temporary files, which must be empty when it ends. The jobs
# that took longest in the last run start first.
set -u
cd "$(dirname "$0")/.." || exit 1
[ -n "${ADDRESSES_FIXED:-}" ] || exec env ADDRESSES_FIXED=yes .ci/addresses.sh .ci/test.sh "$@"
logs=${LOGS:-build/test-logs}
times=build/test-times
python=build/venv/bin/python
rm -rf "$logs" && mkdir -p "$logs"
# Cases write many small files, which is several times as fast in a folder in memory.
scratch=$(mktemp -d /dev/shm/ndproof-XXXXXX 2>/dev/null || mktemp -d)
trap 'rm -rf "$scratch"' EXIT

skip() { printf '  NOT RUN  %s: %s\n' "$1" "$2"; }
has_program() { [ -x build/ndproof ] || { skip "$1" "build/ndproof does not exist (run make)"; return 1; }; }
has_python() { [ -x $python ] || { skip "$1" "build/venv does not exist (run make setup)"; return 1; }; }

# job NAME COMMAND...: NAME is KIND/...; KIND is step (one test, judged by the exit code), unit (TAP) or pytest.
jobs=()
job() { jobs+=("$(printf '%q ' "$@")"); }

step_order() { job step/folder-order .ci/order.sh; }

step_openings() { ! command -v python3 >/dev/null || job step/openings .ci/openings.py; }

step_format() {
    if .ci/format.sh --available; then job step/format .ci/format.sh --check; else skip format "no clang-format 14"; fi
}

# Tests of scripts. The comment "Needs:" of a test names optional programs that it uses.
step_scripts() {
    local test needed
    ! command -v python3 >/dev/null || job step/corpus.py .ci/corpus.py selftest
    for test in .ci/*[-_]test .ci/*[-_]test.*; do
        [ -f "$test" ] || continue
        for needed in $(sed -n 's/^# Needs: //p' "$test"); do
            command -v "$needed" >/dev/null || { skip "$(basename "$test")" "$needed is not installed"; continue 2; }
        done
        job "step/$(basename "$test")" "$test"
    done
}

step_selftest() { ! has_program selftest || job step/selftest build/ndproof selftest; }

# Replays every corpus file through the reference by every route, and through the fuzz targets under the sanitizers.
step_corpus() {
    local fuzzer name lack
    ! command -v python3 >/dev/null || job step/corpus-index .ci/corpus.py check
    [ -d corpus ] || { skip corpus "it is empty"; return; }
    ! has_program corpus || job step/corpus-replay .ci/corpus_replay.sh
    for fuzzer in fuzzers/fuzz_*.c; do
        name=$(basename "$fuzzer" .c)
        lack=$(.ci/fuzz.py lack "$name")
        [ -z "$lack" ] || { skip "corpus-$name" "$lack"; continue; }
        job "step/corpus-$name" .ci/fuzz.py replay "$(ls -t build/*-asan/fuzzers/"$name" | head -n 1)"
    done
}

# Validates the report of a short run with an independent validator.
step_schema() {
    ! has_program schema || ! has_python schema || job step/report-schema $python .ci/validate.py reports/schema.json \
        build/test-report.json build/ndproof sweep --seed 1 --cases 300 --report build/test-report.json
}

step_python() {
    local file
    has_python python || return
    for file in $(find harness -name 'test_*.py' -o -name '*_test.py' | sort); do
        job "pytest/$(basename "$file" .py)" $python -m pytest -q -p no:cacheprovider --basetemp "$PWD/$logs/$(basename "$file" .py)" "$file"
    done
}

# Builds the examples of target/plugin.h and runs them as targets.
step_plugin() {
    local example name
    for example in harness/target/example/*.c harness/target/example/*.cc; do
        name=$(basename "${example%.*}")
        ! has_program plugin || job "step/plugin-$name" sh -c "make -s PLUGIN=$example build/cc-plain/with-$name/ndproof &&
            build/cc-plain/with-$name/ndproof list targets | grep -w -- $name"
    done
}

# Sends arrays to an emulated big-endian machine and back.
step_bigendian() {
    [ -x build/s390x/ndproof ] || { skip bigendian 'there is no emulated machine (make env NAME=bigendian says why)'; return; }
    ! has_program bigendian || job step/bigendian-sweep .ci/bigendian.sh
}

# Each suite is a job, so that a crash does not hide results of other suites.
units() {
    local program suite run
    for program; do
        run=("$program")
        case $program in build/s390x/*) run=(build/env/bigendian/bin/run "$program") ;; esac
        for suite in $("${run[@]}" --list); do
            case $program in
            build/s390x/*) job "unit/s390x/$suite" "${run[@]}" --emulated "$suite" ;;
            *) job "unit/$(echo "$program" | cut -d/ -f2)/$suite" "$program" "$suite" ;;
            esac
        done
    done
}

# The time limit of a job is far above the longest job, even on a busy machine.
patience=2700
run_job() {
    local name=$1 log=$logs/$1 begun=$EPOCHREALTIME status left
    shift
    mkdir -p "$(dirname "$log")"
    TMPDIR=$(mktemp -d "$scratch/XXXXXX")
    export TMPDIR CMOCKA_MESSAGE_OUTPUT=tap
    timeout $patience "$@" >"$log.log" 2>&1 </dev/null
    status=$?
    [ $status -ne 124 ] || echo "ended after $patience seconds" >>"$log.log"
    left=$(ls -A "$TMPDIR")
    [ -z "$left" ] || { echo "left behind: $left" >>"$log.log"; status=125; }
    rm -rf "$TMPDIR"
    echo "$status $name $(((${EPOCHREALTIME/./} - ${begun/./}) / 1000))" >>"$logs/results"
}

# tally: prints failures and adds up the counts of the logs.
passed=0 failed=0
tally() {
    local status name good bad skipped test
    while read -r status name _; do
        skipped=0
        case $name in
        step/*) good=$((status == 0)) bad=0 ;;
        unit/*)
            good=$(grep -cE '^ok' "$logs/$name.log") bad=$(grep -E '^not ok' "$logs/$name.log" | grep -vc '# SKIP')
            while read -r test; do skip "$name" "$test" && skipped=1; done < <(grep -ahoP '# SKIP \K.*' "$logs/$name.log")
            ;;
        *)
            good=$(tail -n 1 "$logs/$name.log" | grep -oE '[0-9]+ passed' | cut -d' ' -f1)
            bad=$(tail -n 1 "$logs/$name.log" | grep -oE '[0-9]+ (failed|error)' | awk '{n += $1} END {print n + 0}')
            grep -aE '^SKIPPED' "$logs/$name.log" | sed "s|^|  NOT RUN  $name: |"
            ;;
        esac
        # A run without tests, or with a nonzero exit code and no failed test, counts as a failure.
        [ "$status" -eq 0 ] && [ $((${good:-0} + bad + skipped)) -gt 0 ] || [ "$bad" -gt 0 ] || bad=1
        passed=$((passed + ${good:-0})) failed=$((failed + bad))
        [ "$bad" -eq 0 ] || { echo "  FAILED   $name"; grep -avE '^ok' "$logs/$name.log" | tail -n 60 | sed 's/^/    /'; }
    done < <(sort -k2 "$logs/results")
}

while [ $# -gt 0 ] && [ "$1" != -- ]; do
    "step_$1"
    shift
done
[ $# -eq 0 ] || shift
units "$@"
: >"$logs/results"
touch $times
export -f run_job
export logs scratch patience
# Jobs without a recorded time start first, in their order.
printf '%s\n' "${jobs[@]}" | awk 'FILENAME != "-" {time[$2] = $3; next} {printf "%d\t%s\n", $1 in time ? time[$1] : 1e9 - FNR, $0}' $times - |
    sort -rn | cut -f 2- | tr '\n' '\0' | xargs -0 -P "$(nproc)" -I{} bash -c 'run_job {}'
cat $times "$logs/results" | awk '{time[$2] = $0} END {for (name in time) print time[name]}' >$times.new && mv $times.new $times
tally
[ "$(wc -l <"$logs/results")" -eq ${#jobs[@]} ] || { echo "expected ${#jobs[@]} results of jobs, got $(wc -l <"$logs/results")"; failed=$((failed + 1)); }
echo "$passed passed, $failed failed" | tee "$logs/tally"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
