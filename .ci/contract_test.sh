#!/bin/sh
# Tests .ci/contract.awk: a wrong row of the table is reported with its line and a reason, and nothing is compiled.
set -eu
cd "$(dirname "$0")/.."
table=$(mktemp)
trap 'rm -f "$table"' EXIT
failed=0
compile() { awk -f .ci/contract.awk harness/property/contract.h harness/model/array.h harness/model/graph/graph_features.h "$table"; }

# refuses REASON ROW: compiles the row in line 3, after a valid row, and expects REASON.
refuses() {
    printf 'section library\nvalues | same | * | a source with its version\n%s\nsection general\n' "$2" >"$table"
    if said=$(compile 2>&1 >/dev/null); then
        echo "expected an error ($1), but the row compiled: $2"
        failed=1
    fi
    [ "$said" = "$table:3: $1" ] || { echo "expected \"$1\" in line 3, got: $said"; failed=1; }
}

source='a source with its version'
refuses 'a row is FIELD | PROMISE | SCOPE | SOURCE' 'values | same | *'
refuses 'no field is called "value"' "value | same | * | $source"
refuses 'no promise is called "kept"' "values | kept | * | $source"
refuses 'no feature is called "graph.methods"' "values | same | with=graph.methods | $source"
refuses 'a scope has no "codec"' "values | same | codec=npy | $source"
refuses '"format" stands twice' "values | same | format=npy format=npz | $source"
refuses '"npy" is no word of a scope: KEY=VALUE' "values | same | npy | $source"
refuses '"encoder" is a library with versions, such as numpy>=2.0<2.3' "values | same | encoder=>=2.0 | $source"
refuses 'a protocol is a number from 1 to 5' "values | same | protocol<=6 | $source"
refuses 'a row names its source: documentation, specification or code, with the version' 'values | same | * | code'
refuses 'section library stands twice' 'section library'

expected='{.field = NDP_FIELD_VALUES, .promise = NDP_PROMISE_MAY_REFUSE, .format = "np*", .protocol_min = 2, .encoder = {.name = "numpy", .since = "2.0", .before = "2.3"}, .with = NDP_GRAPH_VALUE | (uint64_t)NDP_GRAPH_METHOD, .without = (uint64_t)NDP_FEATURE_C_CONTIGUOUS | NDP_FEATURE_AS_FILE, .source = "the \"source\" with its version"},'
printf '# a comment\n\nsection library\nsection general\n%s\n' \
    'values | may refuse | format=np* protocol>=2 encoder=numpy>=2.0<2.3 with=graph.method without=C+as-file | the "source" with its version' >"$table"
compile | grep -qxF "$expected" || { echo "expected: $expected"; compile; failed=1; }
exit $failed
