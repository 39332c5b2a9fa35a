#include "codec/pickle_names.h"

#include <string.h>

struct row {
    const char *old_module;
    const char *old_name; /* NULL: all of the module, by their own names */
    const char *module;
    const char *name;
    bool is_both_ways; /* written, too */
};

/* Rows of one name come before those of their module. */
static const struct row rows[] = {
    {"__builtin__", "xrange", "builtins", "range", true},
    {"__builtin__", "reduce", "functools", "reduce", true},
    {"__builtin__", "intern", "sys", "intern", true},
    {"__builtin__", "unichr", "builtins", "chr", true},
    {"__builtin__", "unicode", "builtins", "str", true},
    {"__builtin__", "long", "builtins", "int", true},
    {"itertools", "izip", "builtins", "zip", true},
    {"itertools", "imap", "builtins", "map", true},
    {"itertools", "ifilter", "builtins", "filter", true},
    {"itertools", "ifilterfalse", "itertools", "filterfalse", true},
    {"itertools", "izip_longest", "itertools", "zip_longest", true},
    {"UserDict", "IterableUserDict", "collections", "UserDict", true},
    {"UserList", "UserList", "collections", "UserList", true},
    {"UserString", "UserString", "collections", "UserString", true},
    {"UserDict", "UserDict", "collections", "UserDict", false},
    {"exceptions", "StandardError", "builtins", "Exception", false},
    {"__builtin__", NULL, "builtins", NULL, true},
    {"copy_reg", NULL, "copyreg", NULL, true},
    {"Queue", NULL, "queue", NULL, true},
    {"SocketServer", NULL, "socketserver", NULL, true},
    {"ConfigParser", NULL, "configparser", NULL, true},
    {"repr", NULL, "reprlib", NULL, true},
    {"cPickle", NULL, "pickle", NULL, false},
    {"_multiprocessing", NULL, "multiprocessing.context", NULL, false},
    {"exceptions", NULL, "builtins", NULL, false},
};

static bool is_same(struct ndp_bytes bytes, const char *text) {
    return text != NULL && strlen(text) == bytes.size_bytes && memcmp(bytes.data, text, (size_t)bytes.size_bytes) == 0;
}

void ndp_name_modern(struct ndp_bytes module, struct ndp_bytes name, const char **modern_module,
                     const char **modern_name) {
    *modern_module = NULL;
    *modern_name = NULL;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (!is_same(module, rows[i].old_module)) continue;
        if (rows[i].old_name != NULL && !is_same(name, rows[i].old_name)) continue;
        *modern_module = rows[i].module;
        *modern_name = rows[i].name;
        return;
    }
}

void ndp_name_old(struct ndp_bytes module, struct ndp_bytes name, const char **old_module, const char **old_name) {
    *old_module = NULL;
    *old_name = NULL;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (!rows[i].is_both_ways || !is_same(module, rows[i].module)) continue;
        if (rows[i].name != NULL && !is_same(name, rows[i].name)) continue;
        *old_module = rows[i].old_module;
        *old_name = rows[i].old_name;
        return;
    }
}
