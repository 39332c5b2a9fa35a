#!/bin/bash
# Fuzzing reaches a plugin: builds the decoder of harness/target/example/defective/ into a fuzz target under libFuzzer,
# fuzzes it once for each of its four defects from the committed corpus, and fails unless each defect is found and its
# artifact replays. Builds in a copy of build/clang-fuzz, which is built first where it is missing.
# Needs: clang
set -u
cd "$(dirname "$0")/.." || exit 1
[ -n "${ADDRESSES_FIXED:-}" ] || exec env ADDRESSES_FIXED=yes .ci/addresses.sh "$0" "$@"
plugin=harness/target/example/defective/defective_npy.c
TMPDIR=$(mktemp -d /dev/shm/ndproof-fuzz-XXXXXX 2>/dev/null || mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
work=$TMPDIR/tree
failed=0

fail() { echo "$1"; failed=1; }

make --no-print-directory build/clang-fuzz/fuzzers/fuzz_npy || exit 1
[ -x build/ndproof ] || { echo 'there is no build/ndproof: make'; exit 1; }
mkdir -p "$work/build/cc-plain"
for part in .ci .clang-format Makefile corpus fuzzers harness reports; do ln -s "$PWD/$part" "$work/$part"; done
cp -a build/clang-fuzz build/generated "$work/build/"
cp -L build/ndproof "$work/build/cc-plain/ndproof"
cd "$work" || exit 1
make --no-print-directory PLUGIN=$plugin build/clang-fuzz/fuzzers/fuzz_npy || exit 1
.ci/fuzz.py seeds fuzz_npy build/seeds/fuzz_npy

# find_defect DEFECT TEXT SECONDS: fuzzes with this defect until it crashes, or for so many seconds. A report of TEXT must
# be printed, and `ndproof replay` must report an artifact, too.
find_defect() {
    local defect=$1 text=$2 log=build/$1.log artifact
    mkdir -p "build/$defect"
    NDP_DEFECT=$defect ASAN_OPTIONS=$SANITIZER_OPTIONS build/clang-fuzz/fuzzers/fuzz_npy -seed=1 -max_total_time="$3" \
        -max_len=4096 -timeout=20 -artifact_prefix="build/$defect/fuzz_npy-" -dict=fuzzers/fuzz_npy.dict \
        "build/$defect.found" build/seeds/fuzz_npy >"$log" 2>&1
    grep -aq "$text" "$log" || { fail "$defect: nothing was found that says: $text"; tail -n 5 "$log"; return; }
    for artifact in "build/$defect"/fuzz_npy-*; do
        case $artifact in *.signature) continue ;; esac
        NDP_DEFECT=$defect build/cc-plain/ndproof replay "$artifact" >"$log.replay" 2>&1
        grep -aqE '^(DIVERGES|.*CRASH)' "$log.replay" && { echo "$defect: found, and $(basename "$artifact") replays"; return; }
    done
    fail "$defect: no artifact replays"
    tail -n 5 "$log.replay"
}
for defect in read free size value; do mkdir -p "build/$defect.found"; done
find_defect read 'heap-buffer-overflow\|use-after-poison' 10
find_defect free 'heap-use-after-free' 10
find_defect size 'heap-buffer-overflow' 20
find_defect value 'DIVERGES|strictness|npy|dtype.order|defective_npy' 4
exit $failed
