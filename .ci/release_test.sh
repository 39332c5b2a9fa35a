#!/bin/bash
# Tests release.sh in a temporary tree, with a build/ndproof that prints its arguments and ends with the code of its command.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{.ci,build,reports}
cp "$here/release.sh" "$tree/.ci"
cd "$tree"
printf '#!/bin/sh\necho "ran $*"\ncase $1 in export) exit 2 ;; esac\nread -r code <"$1.code" 2>/dev/null || code=0\nexit "$code"\n' >build/ndproof
chmod +x build/ndproof
touch reports/baseline.json last.json

# check CODE LAST: the exit code of release.sh; its output is in $output
check() {
    local code=0
    output=$(.ci/release.sh "$2" 5 2>&1) || code=$?
    [ $code -eq "$1" ] || { echo "expected exit code $1, got $code: $output"; exit 1; }
}
has() { grep -qxF -- "$1" <<<"$output" || { echo "expected '$1' in: $output"; exit 1; }; }
codes() { rm -f ./*.code; for pair; do echo "${pair#*=}" >"${pair%=*}.code"; done; }

codes
check 0 last.json
has 'ran sweep --seconds 5 --report reports/release.json --baseline reports/baseline.json'
has 'ran gate reports/release.json --baseline reports/baseline.json --replay --trust'
has 'ran compare last.json reports/release.json --replay --trust'
check 0 none
has 'NOT COMPARED with the last release (LAST=none)'
! grep -q 'ran compare' <<<"$output"
for missing in '' nowhere.json; do
    check 2 "$missing"
    ! grep -q '^ran' <<<"$output"
done
codes sweep=1 gate=4 compare=5
check 1 last.json
has 'ran compare last.json reports/release.json --replay --trust'
codes sweep=5 gate=4
check 4 last.json
codes compare=1
check 0 last.json
codes compare=3 gate=1
check 3 last.json
codes gate=139
check 3 last.json
codes sweep=6
check 6 last.json
rm reports/baseline.json
check 6 last.json
has 'ran gate reports/release.json --replay --trust'
