#!/bin/bash
# An experiment that measures feedback from a testee. A defect deep in a Python testee
# (harness/testees/python/deep_defect_testee.py: seven conditions at once) is searched for with feedback, then by blind
# generation on the same route with ten times as many cases. Both start from the same plain descriptor. Blind cases are
# independent, so each processor generates a share of them from its own seed.
# Prints both numbers of cases for each seed. Exit code 1: feedback did not find the defect, or blind generation did.
# Needs sys.monitoring (Python 3.12) with NumPy: build/env/fuzz, or NDP_FUZZ_PYTHON.
# usage: feedback.sh [libfuzzer|afl] [SEED...]     CASES: maximum with feedback; PROGRAM: the fuzz target
set -u
cd "$(dirname "$0")/.." || exit 1
TMPDIR=$(mktemp -d /dev/shm/ndproof-fuzz-XXXXXX 2>/dev/null || mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
fact() { python3 -c "import sys; sys.path.insert(0, '.ci'); import fuzz; print($1)"; }
sanitizers=$(fact fuzz.SANITIZERS)
engine=libfuzzer
case ${1:-} in libfuzzer | afl) engine=$1 && shift ;; esac
[ $# -gt 0 ] || set -- 1
export NDP_FUZZ_TESTEE=$PWD/harness/testees/python/deep_defect_testee.py UBSAN_OPTIONS=print_stacktrace=1
most=${CASES:-200000}
"$(fact "fuzz.library_python()")" -c 'import sys, numpy; sys.monitoring' 2>/dev/null ||
    { echo 'NOT RUN: Python 3.12 with NumPy is missing (make env NAME=fuzz PYTHON=python3.12)'; exit 3; }
status=0

libfuzzer() { # libfuzzer SEED CASES FOLDER NAME=VALUE...
    local seed=$1 cases=$2 folder=$3
    shift 3
    ASAN_OPTIONS=$sanitizers exec env "$@" "${turns[@]}" "${PROGRAM:-build/clang-fuzz/fuzzers/fuzz_descriptor_numpy}" -runs="$cases" -seed="$seed" \
        -len_control=0 -entropic=0 -max_len=4096 -detect_leaks=0 -timeout=60 -artifact_prefix="$folder/" "$folder/found" "$folder/seeds"
}

afl() { # the same under AFL++
    local seed=$1 cases=$2 folder=$3
    shift 3
    AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_DISABLE_TRIM=1 AFL_FAST_CAL=1 \
        AFL_FORKSRV_INIT_TMOUT=60000 AFL_CUSTOM_MUTATOR_ONLY=1 AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/${MUTATORS:?}/fuzz_descriptor_numpy.so AFL_DEBUG_CHILD=1 \
        ASAN_OPTIONS=$sanitizers:abort_on_error=1:symbolize=0 NDP_FUZZ_ARTIFACTS=$folder/fuzz_ NDP_FUZZ_STATS=$folder/stats \
        exec env "$@" "${turns[@]}" afl-fuzz -m none -t 10000 -s "$seed" -E "$cases" -i "$folder/seeds" -o "$folder/found" -- \
        "${PROGRAM:-build/afl/fuzzers/fuzz_descriptor_numpy}"
}

# search PART SEED CASES NAME=VALUE...: searches on processor PART; prints the number of cases until the defect was found,
# or nothing. Fails if the search ended before CASES cases.
search() {
    local seed=$2 cases=$3 folder=$TMPDIR/search-$1 child turns
    read -ra turns < <(fact "' '.join(fuzz.Target('fuzz_descriptor_numpy').prefix($1))")
    shift 3
    rm -rf "$folder" && mkdir -p "$folder/found" "$folder/seeds"
    echo '{"ndproof":1,"value":{"array":{"base":{"dtype":"<f8","shape":[3]}}},"route":{"format":"npy","encode":"memory","decode":"memory","encoder":"numpy","decoder":"numpy"}}' >"$folder/seeds/one"
    : >"$folder/log" # the loop below reads it before the search opens it
    $engine "$seed" "$cases" "$folder" NDP_FUZZ_FRONTIER="$folder/frontier" "$@" >"$folder/log" 2>&1 &
    child=$!
    while kill -0 $child 2>/dev/null; do
        grep -aq 'Assertion failure: .*process|signal 4' "$folder/log" && { kill $child; break; }
        sleep 1
    done
    wait $child 2>/dev/null
    # A search that could not start is a failure, not a miss.
    grep -aqE 'process\|signal 4|DONE  |aborted programmatically|limit was reached' "$folder/log" || { tail -n 5 "$folder/log" >&2; return 1; }
    grep -a -A 3 'Assertion failure: .*process|signal 4' "$folder/log" | sed -n 's/^after \([0-9]*\) executions$/\1/p' | head -n 1
}

# search_blind SEED CASES: the same, in parallel on all processors.
search_blind() {
    local parts part children=() status=0
    parts=$(nproc)
    for ((part = 0; part < parts; part++)); do
        search "$part" $(($1 * parts + part)) $((($2 + parts - 1) / parts)) NDP_FUZZ_BLIND=1 NDP_FUZZ_COUNTERS=none >"$TMPDIR/blind-$part" &
        children+=($!)
    done
    for part in "${children[@]}"; do wait "$part" || status=1; done
    cat "$TMPDIR"/blind-* | sort -n | head -n 1
    return $status
}

for seed; do
    with=$(search 0 "$seed" "$most") || { echo "$engine, seed $seed: the search with feedback ended before $most cases"; status=1; continue; }
    [ -n "$with" ] || { echo "$engine, seed $seed: not found in $most cases with feedback"; status=1; continue; }
    echo "$engine, seed $seed: found after $with cases with feedback"
    blind=$(search_blind "$seed" $((10 * with))) ||
        { echo "$engine, seed $seed: blind generation ended before $((10 * with)) cases"; status=1; continue; }
    echo "$engine, seed $seed: blind generation in $((10 * with)) cases: ${blind:-not found}"
    [ -z "$blind" ] || status=1
done
exit $status
