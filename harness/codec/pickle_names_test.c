/* pickle_names_test.c: names of Python 2 and 3. Expected: Lib/_compat_pickle.py of CPython 3.13 (3.8 agrees):
 * NAME_MAPPING, then IMPORT_MAPPING, and their REVERSE_ counterparts, as Lib/pickle.py asks them. */
#include "codec/pickle_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef void translate(struct ndp_bytes module, struct ndp_bytes name, const char **to_module, const char **to_name);

/* from module and name, to module and name */
static void check_rows(translate *to, const char *const (*rows)[4], size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *module = "unset";
        const char *name = "unset";
        to(ndp_bytes_view(rows[i][0]), ndp_bytes_view(rows[i][1]), &module, &name);
        if (module == NULL) module = rows[i][0];
        if (name == NULL) name = rows[i][1];
        if (strcmp(module, rows[i][2]) != 0 || strcmp(name, rows[i][3]) != 0)
            fail_msg("%s.%s becomes %s.%s", rows[i][0], rows[i][1], module, name);
    }
}

static void names_are_read_as_python_3_has_them(void **state) {
    (void)state;
    static const char *const rows[][4] = {
        {"__builtin__", "xrange", "builtins", "range"},
        {"__builtin__", "long", "builtins", "int"},
        {"__builtin__", "unicode", "builtins", "str"},
        {"__builtin__", "basestring", "builtins", "str"},
        {"__builtin__", "reduce", "functools", "reduce"},
        {"__builtin__", "set", "builtins", "set"},
        {"builtins", "xrange", "builtins", "xrange"},
        {"copy_reg", "_reconstructor", "copyreg", "_reconstructor"},
        {"itertools", "izip", "builtins", "zip"},
        {"itertools", "chain", "itertools", "chain"},
        {"UserDict", "UserDict", "collections", "UserDict"},
        {"UserDict", "IterableUserDict", "collections", "UserDict"},
        {"exceptions", "ValueError", "builtins", "ValueError"},
        {"exceptions", "StandardError", "builtins", "Exception"},
        {"exceptions", "WindowsError", "exceptions", "WindowsError"},
        {"_multiprocessing", "Connection", "multiprocessing.connection", "Connection"},
        {"_multiprocessing", "SemLock", "_multiprocessing", "SemLock"},
        {"cPickle", "loads", "pickle", "loads"},
        {"repr", "Repr", "reprlib", "Repr"},
        {"cStringIO", "StringIO", "io", "StringIO"},
        {"UserDict", "DictMixin", "collections", "DictMixin"},
        {"urllib", "quote", "urllib.parse", "quote"},
        {"urllib", "URLopener", "urllib", "URLopener"},
        {"urllib2", "URLError", "urllib.error", "URLError"},
        {"thread", "allocate_lock", "_thread", "allocate_lock"},
        {"__builtin__", "__main__", "__builtin__", "__main__"}, /* dill's, which its own find_class takes first */
        {"numpy", "dtype", "numpy", "dtype"},
        {"__builtin", "long", "__builtin", "long"},
        {"", "", "", ""},
    };
    check_rows(ndp_name_modern, rows, NDP_ARRAY_LEN(rows));
}

static void names_are_written_as_python_2_had_them(void **state) {
    (void)state;
    static const char *const rows[][4] = {
        {"builtins", "range", "__builtin__", "xrange"},
        {"builtins", "int", "__builtin__", "long"},
        {"builtins", "str", "__builtin__", "unicode"},
        {"builtins", "set", "__builtin__", "set"},
        {"builtins", "zip", "itertools", "izip"},
        {"functools", "reduce", "__builtin__", "reduce"},
        {"functools", "partial", "functools", "partial"},
        {"itertools", "zip_longest", "itertools", "izip_longest"},
        {"itertools", "chain", "itertools", "chain"},
        {"collections", "UserDict", "UserDict", "IterableUserDict"},
        {"collections", "OrderedDict", "collections", "OrderedDict"},
        {"copyreg", "_reconstructor", "copy_reg", "_reconstructor"},
        {"builtins", "ValueError", "exceptions", "ValueError"},
        {"builtins", "Exception", "exceptions", "Exception"},
        {"builtins", "OSError", "exceptions", "OSError"},
        {"builtins", "FileNotFoundError", "exceptions", "OSError"},
        {"builtins", "BlockingIOError", "__builtin__", "BlockingIOError"},
        {"builtins", "ModuleNotFoundError", "exceptions", "ImportError"},
        {"builtins", "RecursionError", "__builtin__", "RecursionError"},
        {"multiprocessing.connection", "Connection", "_multiprocessing", "Connection"},
        {"pickle", "loads", "pickle", "loads"},
        {"reprlib", "Repr", "repr", "Repr"},
        {"io", "StringIO", "io", "StringIO"},
        {"urllib.parse", "quote", "urllib", "quote"},
        {"urllib.parse", "urlsplit", "urlparse", "urlsplit"},
        {"_functools", "partial", "functools", "partial"},
        {"numpy", "dtype", "numpy", "dtype"},
        {"__builtin__", "int", "__builtin__", "int"},
    };
    check_rows(ndp_name_old, rows, NDP_ARRAY_LEN(rows));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read_as_python_3_has_them),
        cmocka_unit_test(names_are_written_as_python_2_had_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
