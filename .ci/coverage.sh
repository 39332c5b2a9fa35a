#!/bin/bash
# Replays the committed corpus through a build with coverage (the command, the fuzz targets, the unit tests named corpus_*)
# and prints the share of lines and branches of harness/codec that it reaches. The goal is 95 % of lines and 85 % of
# branches. build/coverage/FILE.gcov lists the count of each line (##### is never).
# usage: coverage.sh BUILD-FOLDER [UNIT-TEST-PROGRAM...]
#
# With unit tests, two more columns show the coverage of the tests and the corpus together. Targets with a testee are left
# out, so that the result does not depend on the installed libraries.
set -u
cd "$(dirname "$0")/.." || exit 1
built=$1
shift
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
out=$PWD/build/coverage
rm -rf "$out"
mkdir -p "$out"
case $built in *clang*) gcov='llvm-cov gcov' ;; *) gcov=gcov ;; esac
command -v ${gcov% *} >/dev/null || { echo "${gcov% *} is not installed"; exit 1; }
find "$built" -name '*.gcda' -delete

run_corpus() {
    find corpus -mindepth 2 -type f ! -path 'corpus/fuzz/*' ! -path 'corpus/frame/*' ! -path 'corpus/memmap/*' ! -name objects.json -print0 |
        xargs -0 -n 40 "$built/ndproof" replay --target reference
    .ci/fuzz.py replay --reference $(for source in fuzzers/fuzz_*.c; do echo "$built/${source%.c}"; done)
    # shellcheck disable=SC2046
    "$built/harness/codec/tests" $("$built/harness/codec/tests" --list | grep '^corpus_') || echo 'corpus tests fail' >&2
}

# Prints `FILE LINES REACHED BRANCHES TAKEN` of every file, as percentages of counts.
measure() {
    local source
    for source in harness/codec/*.c harness/codec/*/*.c; do
        case $source in *_test.c | *_bench.c) continue ;; esac
        (cd "$out" && cp "$OLDPWD/$built/${source%.c}".gc* . 2>/dev/null && ln -sfn "$OLDPWD/harness" harness &&
            $gcov -b "$(basename "$source" .c).gcno" 2>/dev/null) |
            awk -v want="$source" '
                function share(text) { sub(/.*:/, "", text); sub(/%.*/, "", text); return text + 0 }
                /^File / { mine = index($0, "'"'"'" want "'"'"'") > 0 }
                mine && /^Lines executed/ { lines = $NF; reached = share($0) }
                mine && /^Taken at least once/ { branches = $NF; taken = share($0) }
                END { print want, lines + 0, reached + 0, branches + 0, taken + 0 }'
    done
}

run_corpus >"$out/replay.log" 2>&1
measure >"$out/corpus"
cp "$out/corpus" "$out/all"
if [ $# -gt 0 ]; then
    for test; do CMOCKA_MESSAGE_OUTPUT=tap "$test" >>"$out/units.log" 2>&1; done
    measure >"$out/all"
fi
rm -f "$out"/*.gc[dn]* "$out/harness"
paste -d' ' "$out/corpus" "$out/all" | awk -v both=$# '
    function row(name, lines, reached, branches, taken, r2, t2) {
        printf "%-40s %6d %6.1f %% %8d %6.1f %%", name, lines, reached, branches, taken
        if (both) printf " %11.1f %% %6.1f %%", r2, t2
        print ""
    }
    function of(sum, whole) { return whole ? 100 * sum / whole : 100 }
    BEGIN {
        printf "%-40s %6s %8s %8s %8s", "from the corpus alone", "lines", "reached", "branches", "taken"
        if (both) printf " %22s", "with the unit tests"
        print ""
    }
    { row($1, $2, $3, $4, $5, $8, $10) }
    { lines += $2; reached += $2 * $3 / 100; branches += $4; taken += $4 * $5 / 100; r2 += $2 * $8 / 100; t2 += $4 * $10 / 100 }
    END {
        row("all", lines, of(reached, lines), branches, of(taken, branches), of(r2, lines), of(t2, branches))
        exit lines == 0
    }'
