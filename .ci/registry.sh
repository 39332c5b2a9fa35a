#!/bin/sh
# Prints the C source of a registry: the list of constant structs that other files define, one per name.
# usage: registry KIND ACCESSOR HEADER [NAME...]
set -eu
kind=$1 accessor=$2 header=$3
shift 3
printf '#include "%s"\n\n#include <stddef.h>\n\n' "$header"
for name; do printf 'extern const struct ndp_%s ndp_%s_%s;\n' "$kind" "$kind" "$name"; done
printf 'static const struct ndp_%s *const list[] = {\n' "$kind"
for name; do printf '    &ndp_%s_%s,\n' "$kind" "$name"; done
printf '    NULL};\n\n'
printf 'const struct ndp_%s *const *%s(uint32_t *count) {\n    *count = %d;\n    return list;\n}\n' "$kind" "$accessor" $#
