#!/bin/bash
# Sends arrays between this machine and an emulated big-endian one (environment `bigendian`), in both directions, and
# on that machine alone. Fails if a case diverges or too few are compared. Crafted files are left out, because they do not
# depend on the machine. usage: bigendian.sh [SEED [CASES]]
set -u
cd "$(dirname "$0")/.." || exit 1
log=build/bigendian.log
properties=$(printf -- '--property %s ' byte_order memory_order shape dtype values flags memmap cross \
    idempotence strictness)
# shellcheck disable=SC2086
build/ndproof sweep --env bigendian --format npy --format raw --format npz --format pickle $properties \
    --seed "${1:-1}" --cases "${2:-800}" --report build/bigendian.json >$log 2>&1
status=$?
cat $log
# A run this short may miss the floors of other formats and properties.
case $status in 0 | 5) ;; *) exit 1 ;; esac
passed=$(awk '/"property":/ {is_cross = /"cross"/} is_cross && /"pass":/ {sum += $2} END {print sum + 0}' build/bigendian.json)
[ "${passed:-0}" -ge 150 ] || { echo "expected at least 150 arrays compared across machines, got ${passed:-0}"; exit 1; }
