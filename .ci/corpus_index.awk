# Compiles the corpus index: prints the files of corpus/index.json that `ndproof replay` and the contract look up, as C.
# usage: awk -f .ci/corpus_index.awk corpus/index.json
#
# The index has one file per line, in the form that .ci/corpus.py check requires: no text contains quotes or backslashes.

function fail(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text | "cat >&2"
    failed = 1
    exit 1
}

# The text or the number behind the first `key` of an object; "" if it has none.
function member(object, key) {
    if (!match(object, "\"" key "\": (\"[^\"]*\"|[0-9]+)")) return ""
    object = substr(object, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
    gsub(/"/, "", object)
    return object
}

function expectation(object,    word) {
    word = member(object, "expect")
    if (word !~ /^(accept|refuse|open)$/) fail("\"expect\" is accept, refuse or open, not \"" word "\"")
    return "NDP_EXPECT_" toupper(word)
}

BEGIN {
    print "/* Made by .ci/corpus_index.awk from corpus/index.json. */"
    print "#include \"property/corpus_index.h\"\n"
}
/^\{"path": "(joblib|npy|npz|pickle)\/(accept|open|refuse)\// {
    file = $0
    libraries = ""
    if (match(file, /, "libraries": \[/)) {
        libraries = substr(file, RSTART + RLENGTH)
        file = substr(file, 1, RSTART - 1)
    }
    path[++count] = member(file, "path")
    if (count > 1 && path[count] <= path[count - 1]) fail("the files are not in the order of their paths")
    number = 0
    rows = split(libraries, row, /\}/)
    for (i = 1; i <= rows; i++) {
        if (row[i] !~ /"decode": / || member(row[i], "values") == "graph") continue
        if (number++ == 0) printf "static const struct ndp_corpus_library libraries_%d[] = {\n", count
        printf "    {\"%s\", %s},\n", member(row[i], "decode"), expectation(row[i])
    }
    if (number > 0) print "};"
    entry[count] = sprintf("    {\"%s\", \"%s\", %d, %s, %s, %d},", path[count], member(file, "buffers"),
        member(file, "protocol"), expectation(file), number > 0 ? "libraries_" count : "NULL", number)
}
END {
    if (failed) exit 1
    if (count == 0) fail("the index lists no file")
    print "static const struct ndp_corpus_file files[] = {"
    for (i = 1; i <= count; i++) print entry[i]
    print "};\n\nconst struct ndp_corpus_file *ndp_corpus_index_files(uint32_t *count) {"
    print "    *count = (uint32_t)NDP_ARRAY_LEN(files);\n    return files;\n}"
}
