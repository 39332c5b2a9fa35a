/* Expected: what cloudpickle 3.1.2 and dill 0.4.1 give to types.CodeType under CPython 3.11; shortened, for nothing
 * looks inside but for the constants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "codec/pickle_code.h"
#include "codec/pickle_read.h"

struct scene {
    struct ndp_arena arena;
    struct ndp_objects objects;
};

static void set_up(struct scene *s) {
    ndp_arena_init(&s->arena, 1 << 24);
    ndp_objects_init(&s->objects, &s->arena);
}

static void tear_down(struct scene *s) {
    ndp_objects_clear(&s->objects);
    ndp_arena_clear(&s->arena);
}

static const struct ndp_object *read_text(struct scene *s, const char *text) {
    struct ndp_source source = ndp_source_memory(ndp_bytes_view(text));
    struct ndp_pickle pickle;
    struct ndp_error error = {.status = NDP_OK};
    if (ndp_pickle_read(&s->objects, &source, NULL, &pickle, &error) != NDP_OK) fail_msg("%s: %s", text, error.text);
    return pickle.root;
}

#define CODE_TYPE "ccloudpickle.cloudpickle\n_builtin_type\n(VCodeType\ntR"
#define ARGS      "I1\nI0\n(NVndproof:late\nt(t(Vx\ntVf\n"

/* Code objects in either form; dill's has a table of lines before the rest, or none. */
static const struct {
    const char *pickle;
    bool is_code;
} rows[] = {
    {CODE_TYPE "(" ARGS "tR.", true},
    {"ctypes\nCodeType\n(" ARGS "tR.", true},
    {"cdill._dill\n_create_code\n(" ARGS "tR.", true},
    {"cdill._dill\n_create_code\n(c_codecs\nencode\n(V\\u0004\nVlatin1\ntR" ARGS "tR.", true},
    {CODE_TYPE "(tR.", false},
    {CODE_TYPE "(I1\n(Vndproof:\ntVf\ntR.", false},
    {CODE_TYPE "(I1\n(Vndproof:nobody\ntVf\ntR.", false},
    {CODE_TYPE "(I1\nVndproof:late\ntR.", false}, /* not among constants */
    {"cbuiltins\nint\n(" ARGS "tR.", false},
    {"I1\n.", false},
};

static void code_is_known_by_its_mark_and_kept_whole(void **state) {
    (void)state;
    static const enum ndp_function_form libraries[] = {NDP_FUNCTION_CLOUDPICKLE, NDP_FUNCTION_DILL};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct scene s;
        enum ndp_code code = NDP_CODE_COUNT;
        struct ndp_bytes body = {NULL, 0};
        struct ndp_error error = {.status = NDP_OK};
        set_up(&s);
        const struct ndp_object *slots = read_text(&s, "(dV__qualname__\nVmake.f\nsV__closure__\nNs.");
        const enum ndp_status status =
            ndp_code_take(&s.objects, read_text(&s, rows[i].pickle), slots, &code, &body, &error);
        if ((status == NDP_OK) != rows[i].is_code) fail_msg("%s: %s", rows[i].pickle, error.text);
        if (!rows[i].is_code) assert_int_equal(status, NDP_UNSUPPORTED);
        for (size_t k = 0; rows[i].is_code && k < NDP_ARRAY_LEN(libraries); k++) {
            struct ndp_object *made = NULL;
            const struct ndp_object *kept = NULL;
            assert_int_equal(code, NDP_CODE_LATE);
            assert_int_equal(ndp_code_make(&s.objects, body, libraries[k], &made, &kept, &error), NDP_OK);
            assert_true(ndp_object_is_text(ndp_object_lookup(kept, "__qualname__"), "make.f"));
            assert_null(ndp_object_lookup(kept, "__closure__"));
            /* The table of lines is dill's own and is left out; all else is there. */
            assert_int_equal(made->call->args->list.count, 6);
            assert_true(ndp_object_is_text(made->call->args->list.items[5], "f"));
            assert_int_equal(ndp_code_is_type(made->call->callable, "CodeType"), k == 0);
            assert_int_equal(ndp_function_is_name(made->call->callable, NDP_FUNCTION_DILL, "_create_code"), k == 1);
        }
        tear_down(&s);
    }
}

static void types_go_by_the_name_that_a_library_has(void **state) {
    (void)state;
    struct scene s;
    set_up(&s);
    assert_true(ndp_code_is_type(ndp_code_type(&s.objects, NDP_FUNCTION_DILL, "MethodType"), "MethodType"));
    assert_true(ndp_code_is_type(ndp_code_type(&s.objects, NDP_FUNCTION_CLOUDPICKLE, "MethodType"), "MethodType"));
    assert_false(ndp_code_is_type(ndp_code_type(&s.objects, NDP_FUNCTION_DILL, "MethodType"), "CodeType"));
    assert_false(ndp_code_is_type(ndp_object_none(&s.objects), "CodeType"));
    assert_true(ndp_object_is_global(ndp_code_library_name(&s.objects, NDP_FUNCTION_DILL, "_create_cell"), "dill._dill",
                                     "_create_cell"));
    tear_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_known_by_its_mark_and_kept_whole),
        cmocka_unit_test(types_go_by_the_name_that_a_library_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
