#!/bin/bash
# Sends arrays between this machine and an emulated big-endian one (environment `bigendian`), in both directions, and
# on that machine alone. Fails if a case diverges or too few are compared. Crafted files are left out, because they do not
# depend on the machine. So are the flags and the maps of archives, which numpy.load does not map on any machine. The baseline
# accepts defects of NumPy that every machine shows.
# usage: bigendian.sh [SEED [CASES]]
set -u
cd "$(dirname "$0")/.." || exit 1
log=build/bigendian.log
seed=${1:-1} cases=${2:-800}
everywhere=(byte_order memory_order shape dtype values cross idempotence strictness)
passed=0

# usage: sweep REPORT CASES --format NAME...
sweep() {
    local report=$1 count=$2 status
    shift 2
    build/ndproof sweep --env bigendian "$@" --seed "$seed" --cases "$count" --report "$report" >$log 2>&1
    status=$?
    cat $log
    # A run this short may miss the floors of other formats and properties.
    case $status in 0 | 5) ;; *) exit 1 ;; esac
    passed=$((passed + $(awk '/"property":/ {is_cross = /"cross"/} is_cross && /"pass":/ {sum += $2} END {print sum + 0}' "$report")))
}

mapfile -t properties < <(printf -- '--property\n%s\n' "${everywhere[@]}")
sweep build/bigendian.json "$((cases * 3 / 4))" --format npy --format raw --format pickle \
    "${properties[@]}" --property flags --property memmap --baseline .ci/bigendian_baseline.json
sweep build/bigendian-npz.json "$((cases / 4))" --format npz "${properties[@]}"
[ "$passed" -ge 150 ] || { echo "expected at least 150 arrays compared across machines, got $passed"; exit 1; }
