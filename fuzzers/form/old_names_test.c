/* What CPython 3.11 gives: pickle.loads(b"c<module>\n<name>\n."), and pickle.dumps of it in protocol 2. */
#include "form/old_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/suite.h"

typedef struct fuzz_global translate(struct fuzz_global global);

static void check(translate *to, const char *const (*rows)[4], size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct fuzz_global got = to((struct fuzz_global){ndp_bytes_view(rows[i][0]), ndp_bytes_view(rows[i][1])});
        if (!ndp_bytes_is_word(got.module, rows[i][2]) || !ndp_bytes_is_word(got.name, rows[i][3]))
            fail_msg("%s.%s", rows[i][0], rows[i][1]);
    }
}

static void names_are_read(void **state) {
    (void)state;
    static const char *const rows[][4] = {
        {"__builtin__", "xrange", "builtins", "range"},
        {"__builtin__", "set", "builtins", "set"},
        {"copy_reg", "any", "copyreg", "any"},
        {"itertools", "izip", "builtins", "zip"},
        {"itertools", "chain", "itertools", "chain"},
        {"exceptions", "StandardError", "builtins", "Exception"},
        {"UserDict", "DictMixin", "collections", "DictMixin"},
        {"builtins", "xrange", "builtins", "xrange"},
        {"__builtin__", "__main__", "__builtin__", "__main__"},
    };
    check(fuzz_name_read, rows, NDP_ARRAY_LEN(rows));
}

static void names_are_written(void **state) {
    (void)state;
    static const char *const rows[][4] = {
        {"builtins", "range", "__builtin__", "xrange"},
        {"builtins", "set", "__builtin__", "set"},
        {"builtins", "OSError", "exceptions", "OSError"},
        {"collections", "OrderedDict", "collections", "OrderedDict"},
        {"_functools", "partial", "functools", "partial"},
        {"builtins", "ModuleNotFoundError", "exceptions", "ImportError"},
        {"io", "StringIO", "io", "StringIO"},
    };
    check(fuzz_name_written, rows, NDP_ARRAY_LEN(rows));
}

/* Of what is picked each is called otherwise where it is read or written; with 64 picks some come of either table. */
static void what_is_picked_has_another_name(void **state) {
    (void)state;
    uint32_t read = 0, written = 0;
    for (uint64_t pick = 0; pick < 1024; pick += 16) {
        const struct fuzz_global global = fuzz_name_pick(pick);
        const bool is_read = !ndp_bytes_is_equal(global.module, fuzz_name_read(global).module) ||
                             !ndp_bytes_is_equal(global.name, fuzz_name_read(global).name);
        const bool is_written = !ndp_bytes_is_equal(global.module, fuzz_name_written(global).module) ||
                                !ndp_bytes_is_equal(global.name, fuzz_name_written(global).name);
        assert_true(is_read || is_written);
        read += is_read;
        written += is_written;
    }
    assert_true(read > 16 && written > 16);
}

NDP_SUITE(old_names_test, cmocka_unit_test(names_are_read), cmocka_unit_test(names_are_written),
          cmocka_unit_test(what_is_picked_has_another_name));
