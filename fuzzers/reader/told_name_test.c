/* Expected: the modules that dill 0.4.1 and cloudpickle 3.1.2 name; Lib/_compat_pickle.py of CPython 3.11. */
#include "reader/told_name.h"

#include "base/checked.h"
#include "base/suite.h"

static void a_name_is_at_home_in_its_modules(void **state) {
    (void)state;
    static const struct {
        const char *module;
        enum fuzz_home home;
        bool is_old, is_there;
    } rows[] = {
        {"dill._dill", FUZZ_DILL, false, true},
        {"dill.dill", FUZZ_DILL, false, true},
        {"my.dill._dill", FUZZ_DILL, false, true},
        {"Dill._dill", FUZZ_DILL, false, false},
        {"mydill._dill", FUZZ_DILL, false, false},
        {"dill", FUZZ_DILL, false, false},
        {"", FUZZ_DILL, false, false},
        {"cloudpickle", FUZZ_CLOUDPICKLE, false, true},
        {"a.cloudpickle", FUZZ_CLOUDPICKLE, false, true},
        {"a.types", FUZZ_TYPES, false, false},
        {"builtins", FUZZ_BUILTINS, false, true},
        {"__builtin__", FUZZ_BUILTINS, true, true},
        {"__builtin__", FUZZ_BUILTINS, false, false},
        {"types", FUZZ_FUNCTOOLS, false, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct fuzz_told told = {.kind = FUZZ_TOLD_GLOBAL, .is_old = rows[i].is_old};
        told.bytes = ndp_bytes_view(rows[i].module);
        told.name = ndp_bytes_view("set");
        if (fuzz_is_told_name(&told, rows[i].home, "set") != rows[i].is_there) fail_msg("row %zu", i);
        assert_false(fuzz_is_told_name(&told, rows[i].home, "sets"));
        told.kind = FUZZ_TOLD_TEXT;
        assert_false(fuzz_is_told_name(&told, rows[i].home, "set"));
    }
    assert_false(fuzz_is_told_name(NULL, FUZZ_DILL, "set"));
}

NDP_SUITE(told_name_test, cmocka_unit_test(a_name_is_at_home_in_its_modules));
