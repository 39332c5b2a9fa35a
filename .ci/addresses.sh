#!/bin/bash
# Runs a command without address randomisation if the system uses more random bits than ASan of gcc 13 and clang 16
# supports: otherwise a quarter of the programs end at their start (LLVM issue 57653). Only root may read the number.
# usage: addresses.sh COMMAND...      BITS_FILE: the file that contains the number
file=${BITS_FILE:-/proc/sys/vm/mmap_rnd_bits}
[ -e "$file" ] || exec "$@"
bits=$(cat "$file" 2>/dev/null) || bits=unknown
case $bits in [0-9] | 1[0-9] | 2[0-8]) exec "$@" ;; esac
! setarch "$(uname -m)" -R true 2>/dev/null || exec setarch "$(uname -m)" -R "$@"
[ "$bits" = unknown ] || echo "*** addresses are random in $bits bits, and setarch -R is refused: programs with sanitizers" \
    "may end at their start; as root: sysctl vm.mmap_rnd_bits=28 ***" >&2
exec "$@"
