#!/bin/bash
# Fuzzes the decoder of harness/target/example/defective/ under libFuzzer, once for each of its four defects, from the
# committed corpus. Fails unless each defect is found and its artifact replays. Builds the clang-fuzz flavour.
# Needs: clang
set -u
cd "$(dirname "$0")/.." || exit 1
[ -n "${ADDRESSES_FIXED:-}" ] || exec env ADDRESSES_FIXED=yes .ci/addresses.sh "$0" "$@"
plugin=harness/target/example/defective/defective_npy.c
fuzzer=build/clang-fuzz/with-defective_npy/fuzzers/fuzz_npy
ndproof=build/cc-plain/with-defective_npy/ndproof
TMPDIR=$(mktemp -d /dev/shm/ndproof-fuzz-XXXXXX 2>/dev/null || mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
failed=0

fail() { echo "$1"; failed=1; }

make --no-print-directory CC=cc PLUGIN=$plugin $fuzzer $ndproof || exit 1
.ci/fuzz.py seeds fuzz_npy "$TMPDIR/seeds"

# find_defect DEFECT TEXT SECONDS: fuzzes until the defect ends the process, or for SECONDS. The output must contain TEXT,
# and `ndproof replay` must reproduce an artifact.
find_defect() {
    local defect=$1 text=$2 seconds=$3 folder=$TMPDIR/$1 artifact
    mkdir -p "$folder/found"
    NDP_DEFECT=$defect ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 $fuzzer -seed=1 -max_total_time="$seconds" \
        -max_len=4096 -timeout=20 -artifact_prefix="$folder/fuzz_npy-" -dict=fuzzers/fuzz_npy.dict \
        "$folder/found" "$TMPDIR/seeds" >"$folder/log" 2>&1
    grep -aq "$text" "$folder/log" || {
        fail "$defect: expected a report that contains $text, found none in $seconds s"
        tail -n 5 "$folder/log"
        return
    }
    for artifact in "$folder"/fuzz_npy-*; do
        case $artifact in *.signature) continue ;; esac
        NDP_DEFECT=$defect $ndproof replay "$artifact" >"$folder/replay" 2>&1
        grep -aqE '^(DIVERGES|.*CRASH)' "$folder/replay" && { echo "$defect: found, and $(basename "$artifact") replays"; return; }
    done
    fail "$defect: expected an artifact that ndproof replay reproduces, found none"
    tail -n 5 "$folder/replay"
}
find_defect read 'heap-buffer-overflow\|use-after-poison' 10
find_defect free 'heap-use-after-free' 10
find_defect size 'heap-buffer-overflow' 20
find_defect value 'DIVERGES|strictness|npy|dtype.order|defective_npy' 4
exit $failed
