#!/bin/bash
# Runs benches (C programs and Python scripts) one at a time, so that they do not disturb each other.
# usage: bench PROGRAM|SCRIPT...
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || { echo 'expected the paths of benches, got none' >&2; exit 1; }
status=0
for bench; do
    printf '\n== %s\n' "$(basename "$bench")"
    case $bench in
    *.py)
        [ -x build/venv/bin/python ] || { echo 'NOT RUN: build/venv does not exist (run make setup)'; continue; }
        build/venv/bin/python "$bench" || status=1
        ;;
    *) "$bench" || status=1 ;;
    esac
done
exit $status
