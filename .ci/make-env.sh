#!/bin/bash
# Makes the environment build/env/NAME if it is missing: from the pinned Python requirements in .ci/env/NAME.txt, again if
# that file or the interpreter (PYTHON) changes; or by the script .ci/env/NAME.sh. usage: make-env.sh NAME
set -eu
cd "$(dirname "$0")/.."
known=$(ls .ci/env | sed 's/\..*//' | xargs)
name=${1:-}
[ -n "$name" ] || { echo "usage: make env NAME=..., of: $known" >&2; exit 2; }
requirements=.ci/env/$name.txt
[ ! -x ".ci/env/$name.sh" ] || exec ".ci/env/$name.sh"
[ -r "$requirements" ] || { echo "unknown environment $name; known: $known" >&2; exit 2; }
PYTHON=${PYTHON:-python3}
venv=build/env/$name
stamp=$venv/.made-from
log=build/env/$name.log
# Comments change nothing.
wanted_by() { { sed 's/[[:space:]]*#.*//; /^$/d' "$requirements"; "$1" -c 'import sys; print(sys.version, sys.base_prefix)'; } 2>/dev/null | cksum; }
is_made_by() { [ -x "$venv/bin/python3" ] && [ "$(wanted_by "$1")" = "$(cat "$stamp" 2>/dev/null)" ]; }
make_by() {
    rm -rf "$venv"
    "$1" -m venv "$venv" >"$log" 2>&1 &&
        "$venv/bin/python3" -m pip install --disable-pip-version-check --retries 1 --timeout 20 --only-binary :all: \
            -r "$requirements" >>"$log" 2>&1 && wanted_by "$1" >"$stamp"
}

# Old releases have no packages for the newest Python, so older interpreters are tried as well.
pythons=()
for python in "$PYTHON" python3.12 python3.11 python3.10; do
    if command -v "$python" >/dev/null && "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        pythons+=("$python")
    fi
done
[ ${#pythons[@]} -gt 0 ] || { echo "set-up: NO PYTHON with venv, neither '$PYTHON' nor another" >&2; exit 1; }
for python in "${pythons[@]}"; do ! is_made_by "$python" || exit 0; done
mkdir -p build/env
echo "set-up: making a Python environment in $venv" >&2
for python in "${pythons[@]}"; do ! make_by "$python" || exit 0; done
tail -n 3 "$log" >&2
echo "set-up: the complete log is $log" >&2
rm -rf "$venv"
exit 1
