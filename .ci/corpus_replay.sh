#!/bin/sh
# Replays the corpus through the reference by every route. Fails if a file diverges, or if the reference compares less
# than half of the files; it does not support all of them (exit code 5).
cd "$(dirname "$0")/.." || exit 1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2016
find corpus -mindepth 2 -type f ! -path 'corpus/fuzz/*' ! -path 'corpus/frame/*' ! -path 'corpus/memmap/*' -print0 | sort -z |
    xargs -0 -n 40 sh -c 'build/ndproof replay --target reference "$@"; code=$?; [ $code = 5 ] || exit $code' replay >"$log" 2>&1
code=$?
compared=$(grep -c '^HOLDS ' "$log")
unsupported=$(grep -c '^UNSUPPORTED ' "$log")
echo "$compared files compared, $unsupported not supported by the reference"
[ $code = 0 ] && [ "$compared" -gt "$unsupported" ] && exit 0
cat "$log"
exit 1
