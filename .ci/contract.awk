# Compiles the contract: prints the rows of harness/property/contract.table as C, which the compiler checks again.
# usage: awk -f .ci/contract.awk HEADER... harness/property/contract.table
#
# The headers list the words of fields, promises and features (X-macro lists). An error names the line of the table.

function fail(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text | "cat >&2"
    failed = 1
    exit 1
}

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

function word_of(kind, word) {
    if (!((kind, word) in constant)) fail("no " kind " is called \"" word "\"")
    return constant[kind, word]
}

# "numpy>=2.0<2.3": a library, and the versions from the first to the one before the second.
function library(side, text,    name, since, before) {
    if (match(text, /<.*/)) before = substr(text, RSTART + 1)
    sub(/<.*/, "", text)
    if (match(text, />=.*/)) since = substr(text, RSTART + 2)
    sub(/>=.*/, "", text)
    if (text == "" || text ~ /[<>=]/) fail("\"" side "\" is a library with versions, such as numpy>=2.0<2.3")
    name = ", ." side " = {.name = " quoted(text)
    if (since != "") name = name ", .since = " quoted(since)
    if (before != "") name = name ", .before = " quoted(before)
    return name "}"
}

function features(text,    words, count, i, mask) {
    count = split(text, words, "+")
    for (i = 1; i <= count; i++) mask = mask (i > 1 ? " | " : "") word_of("feature", words[i])
    return mask
}

function protocol(operator, number) {
    if (number !~ /^[1-5]$/) fail("a protocol is a number from 1 to 5")
    return (operator == "<=" ? "" : ", .protocol_min = " number) (operator == ">=" ? "" : ", .protocol_max = " number)
}

function scope(text,    words, count, i, key, value, used, result) {
    count = text == "*" ? 0 : split(text, words, /[ \t]+/)
    for (i = 1; i <= count; i++) {
        match(words[i], /^[a-z]+/)
        key = substr(words[i], 1, RLENGTH)
        value = substr(words[i], RLENGTH + 1)
        if (key in used) fail("\"" key "\" stands twice")
        used[key]
        if (key == "protocol" && match(value, /^(=|<=|>=)/)) {
            result = result protocol(substr(value, 1, RLENGTH), substr(value, RLENGTH + 1))
            continue
        }
        if (value !~ /^=./) fail("\"" words[i] "\" is no word of a scope: KEY=VALUE")
        value = substr(value, 2)
        if (key == "encoder" || key == "decoder") result = result library(key, value)
        else if (key == "with" || key == "without") result = result ", ." key " = " features(value)
        else if (key ~ /^(format|encode|decode|buffers)$/) result = result ", ." key " = " quoted(value)
        else fail("a scope has no \"" key "\"")
    }
    return result
}

BEGIN {
    constant["feature", "as-file"] = "NDP_FEATURE_AS_FILE"
    constant["feature", "graph.members"] = "NDP_GRAPH_VALUE | NDP_GRAPH_MEMBERS"
    constant["feature", "graph.call-names"] = "NDP_GRAPH_VALUE | NDP_GRAPH_MEMBERS | NDP_GRAPH_CALL_NAMES"
    constant["feature", "graph.nul-end"] = "NDP_GRAPH_VALUE | NDP_GRAPH_NUL_END"
    constant["feature", "graph.long-int"] = "NDP_GRAPH_VALUE | NDP_GRAPH_LONG_INT"
    constant["feature", "graph.surrogate"] = "NDP_GRAPH_VALUE | NDP_GRAPH_SURROGATE"
    constant["feature", "registered"] = "NDP_FEATURE_REGISTERED"
    constant["feature", "no-buffer-format"] = "NDP_FEATURE_NO_BUFFER_FORMAT"
    constant["feature", "dlpack-type"] = "NDP_FEATURE_DLPACK_TYPE"
    constant["feature", "uneven-strides"] = "NDP_FEATURE_UNEVEN_STRIDES"
    constant["feature", "NUL-name"] = "NDP_FEATURE_NUL_NAME"
    constant["feature", "empty-name"] = "NDP_FEATURE_EMPTY_NAME"
    constant["feature", "empty-file"] = "NDP_FEATURE_EMPTY_FILE"
    constant["feature", "no-repr"] = "NDP_FEATURE_NO_REPR"
    constant["feature", "private-map"] = "NDP_FEATURE_PRIVATE_MAP"
    constant["feature", "bytes"] = "NDP_FEATURE_BYTES"
    constant["feature", "all-fields-little-endian"] = "NDP_FEATURE_ALL_FIELDS_LITTLE"
    constant["feature", "in-graph"] = "NDP_FEATURE_IN_GRAPH"
    constant["feature", "graph"] = "NDP_GRAPH_VALUE"
    constant["feature", "graph.stand-in"] = "NDP_GRAPH_VALUE | NDP_GRAPH_STAND_IN"
    constant["feature", "dict.races"] = "NDP_DICT_RACES"
    print "/* Made by .ci/contract.awk from harness/property/contract.table. */"
    print "#include \"model/dict.h\"\n#include \"property/contract.h\"\n"
}

# The X-macro lists of the headers.
/^#define NDP_[A-Z_]*LIST\(X\)/ {
    list = $2
    sub(/NDP_/, "", list)
    sub(/_?LIST.*/, "", list)
}
FILENAME ~ /\.h$/ && /^ *X\([A-Z0-9_]+, "/ {
    split($0, part, /[(,"]/)
    if (list == "FIELD" || list == "PROMISE") constant[tolower(list), part[4]] = "NDP_" list "_" part[2]
    if (list == "FEATURE") constant["feature", part[4]] = "(uint64_t)NDP_FEATURE_" part[2]
    if (list == "GRAPH_FEATURE") constant["feature", "graph." part[4]] = "NDP_GRAPH_VALUE | (uint64_t)NDP_GRAPH_" part[2]
}
FILENAME ~ /\.h$/ { next }

/^[ \t]*(#|$)/ { next }
/^section (library|general)$/ {
    if ($2 in sections) fail("section " $2 " stands twice")
    if (section != "") print "};"
    section = $2
    sections[section]
    printf "static const struct ndp_contract_row %s[] = {\n", section
    next
}
{
    if (section == "") fail("a row stands before the first section (library or general)")
    if (split($0, column, / \| /) != 4) fail("a row is FIELD | PROMISE | SCOPE | SOURCE")
    source = trim(column[4])
    if (length(source) < 20) fail("a row names its source: documentation, specification or code, with the version")
    printf "#line %d \"%s\"\n", FNR, FILENAME
    printf "{.field = %s, .promise = %s%s, .source = %s},\n", word_of("field", trim(column[1])),
        word_of("promise", trim(column[2])), scope(trim(column[3])), quoted(source)
}

function accessor(name, rows) {
    printf "\nconst struct ndp_contract_row *%s(uint32_t *count) {\n", name
    printf "    *count = (uint32_t)NDP_ARRAY_LEN(%s);\n    return %s;\n}\n", rows, rows
}
END {
    if (failed) exit 1
    if (!("library" in sections) || !("general" in sections)) fail("a section is missing: library, general")
    print "};\n#line 1 \"contract_rows.c\""
    accessor("ndp_contract_library_rows", "library")
    accessor("ndp_contract_rows", "general")
}
