#!/bin/bash
# Decides on a release: a long sweep with the baseline, the gate, and the comparison with the report of the last release.
# Gate and comparison always replay stored cases that the sweep did not generate. A failure does not stop the others.
# usage: release.sh LAST SECONDS     LAST: the report of the last release; `none` if that release has no report
# Exit codes are those of ndproof; if several apply, the order of the gate decides.
set -u
cd "$(dirname "$0")/.." || exit 2
last=${1:-} seconds=${2:-1800}
report=reports/release.json
baseline=()
[ ! -f reports/baseline.json ] || baseline=(--baseline reports/baseline.json)
if [ "$last" != none ] && [ ! -r "$last" ]; then
    echo "release-check: expected LAST=FILE to name the report of the last release, got '$last'; LAST=none if it has none" >&2
    exit 2
fi

codes=
run() {
    local code
    echo "== build/ndproof $*"
    build/ndproof "$@"
    code=$?
    [ $code -le 6 ] || code=3
    # The gate knows the baseline and judges new causes; the comparison lists them.
    [ "$1" != compare ] || [ $code -ne 1 ] || code=0
    codes+=" $code "
}

rm -f $report
run sweep --seconds "$seconds" --report $report "${baseline[@]}"
run gate $report "${baseline[@]}" --replay --trust
[ "$last" = none ] || run compare "$last" $report --replay --trust
if build/ndproof export --help >/dev/null 2>&1; then
    build/ndproof export $report --html reports/release.html && echo "page: reports/release.html"
fi
[ "$last" != none ] || echo "NOT COMPARED with the last release (LAST=none)"
for code in 3 2 1 4 5 6; do
    case $codes in *" $code "*) echo "release-check: exit code $code"; exit $code ;; esac
done
echo "release-check: clean"
