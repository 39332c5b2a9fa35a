#!/bin/sh
# Formats every C file in place; --check only says which differ. Versions of clang-format disagree, so that
# only one counts: the one of .ci/requirements.txt, which Debian 12 has as well.
cd "$(dirname "$0")/.." || exit 1
for tool in build/venv/bin/clang-format clang-format-14 clang-format; do
    "$tool" --version 2>/dev/null | grep -q 'version 14\.' && break
    tool=
done
[ "${1:-}" = --available ] && { [ -n "$tool" ]; exit; }
[ -n "$tool" ] || { echo "clang-format 14 is missing: make setup" >&2; exit 1; }
[ "${1:-}" = --check ] && how='--dry-run -Werror' || how=-i
find harness fuzzers \( -name '*.[ch]' -o -name '*.cc' \) 2>/dev/null | sort | xargs "$tool" $how
