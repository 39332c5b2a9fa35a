#!/bin/bash
# Runs every bench, C programs and Python scripts, one after the other: a bench wants the machine for itself.
# usage: bench PROGRAM|SCRIPT...
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || { echo 'there is no bench' >&2; exit 1; }
status=0
for bench; do
    printf '\n== %s\n' "$(basename "$bench")"
    case $bench in
    *.py)
        [ -x build/venv/bin/python ] || { echo 'NOT RUN: there is no build/venv (make setup says why)'; continue; }
        build/venv/bin/python "$bench" || status=1
        ;;
    *) "$bench" || status=1 ;;
    esac
done
exit $status
