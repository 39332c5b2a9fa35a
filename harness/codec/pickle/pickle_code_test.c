/* Expected: what cloudpickle 3.1.2 and dill 0.4.1 give to types.CodeType under CPython 3.11; shortened, for nothing
 * looks inside but for the constants. */
#include <string.h>

#include "base/suite.h"
#include "codec/pickle/pickle_code.h"
#include "codec/pickle/pickle_read.h"

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
#define TABLE     "c_codecs\nencode\n(V\\u0004\nVlatin1\ntR"

/* Code objects in either form; dill's has a table of lines before the rest, or none. */
static const struct {
    const char *pickle;
    bool is_code;
    bool is_opaque; /* of no template */
    uint64_t arguments;
} rows[] = {
    {CODE_TYPE "(" ARGS "tR.", true, false, 6},
    {"ctypes\nCodeType\n(" ARGS "tR.", true, false, 6},
    {"cdill._dill\n_create_code\n(" ARGS "tR.", true, false, 6},
    {"cdill._dill\n_create_code\n(" TABLE ARGS "tR.", true, false, 6},
    {CODE_TYPE "(tR.", false, false, 0},
    {CODE_TYPE "(I1\n(Vndproof:\ntVf\ntR.", true, true, 3},
    {CODE_TYPE "(I1\n(Vndproof:nobody\ntVf\ntR.", true, true, 3},
    {CODE_TYPE "(I1\nVndproof:late\nVf\ntR.", true, true, 3}, /* not among constants */
    /* The count of arguments comes first; dill takes one table, and only when no count is there. */
    {CODE_TYPE "(Vx\n" ARGS "tR.", false, false, 0},
    {CODE_TYPE "(" TABLE ARGS "tR.", false, false, 0},
    {"cdill._dill\n_create_code\n(" TABLE "tR.", false, false, 0},
    {"cdill._dill\n_create_code\n(" TABLE TABLE ARGS "tR.", false, false, 0},
    {"cbuiltins\nint\n(" ARGS "tR.", false, false, 0},
    {"I1\n.", false, false, 0},
};

static void code_is_known_by_its_mark_and_kept_whole(void **state) {
    (void)state;
    static const enum ndp_function_form libraries[] = {NDP_FUNCTION_CLOUDPICKLE, NDP_FUNCTION_DILL};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct scene s;
        struct ndp_taken_code taken = {.code = NDP_CODE_COUNT};
        struct ndp_error error = {.status = NDP_OK};
        set_up(&s);
        const struct ndp_object *slots = read_text(&s, "(dV__qualname__\nVmake.f\nsV__closure__\nNs.");
        const enum ndp_status status =
            ndp_code_take(&s.objects, NULL, read_text(&s, rows[i].pickle), slots, &taken, &error);
        if ((status == NDP_OK) != rows[i].is_code) fail_msg("%s: %s", rows[i].pickle, error.text);
        if (!rows[i].is_code) assert_int_equal(status, NDP_UNSUPPORTED);
        if (rows[i].is_code) assert_int_equal(taken.is_opaque, rows[i].is_opaque);
        if (rows[i].is_code && !rows[i].is_opaque) assert_int_equal(taken.code, NDP_CODE_LATE);
        for (size_t k = 0; rows[i].is_code && k < NDP_ARRAY_LEN(libraries); k++) {
            struct ndp_object *made = NULL;
            const struct ndp_object *kept = NULL;
            assert_int_equal(ndp_code_make(&s.objects, taken.body, libraries[k], &made, &kept, &error), NDP_OK);
            assert_true(ndp_object_is_text(ndp_object_lookup(kept, "__qualname__"), "make.f"));
            assert_null(ndp_object_lookup(kept, "__closure__"));
            /* The table of lines is dill's own and is left out; all else is there. */
            assert_int_equal(made->call->args->list.count, rows[i].arguments);
            assert_true(ndp_object_is_text(made->call->args->list.items[rows[i].arguments - 1], "f"));
            assert_int_equal(ndp_code_is_type(made->call->callable, "CodeType"), k == 0);
            assert_int_equal(ndp_function_is_name(made->call->callable, NDP_FUNCTION_DILL, "_create_code"), k == 1);
        }
        tear_down(&s);
    }
}

/* A code object among the constants of another is left to nobody's library. */
static void code_inside_of_code_is_called_by_its_type(void **state) {
    (void)state;
    struct scene s;
    struct ndp_taken_code taken;
    struct ndp_object *made = NULL;
    const struct ndp_object *kept = NULL;
    set_up(&s);
    const struct ndp_object *code =
        read_text(&s, "cdill._dill\n_create_code\n(I1\n(cdill._dill\n_create_code\n(c_codecs\nencode\n(V\\u0004\n"
                      "Vlatin1\ntRI7\nVg\ntRtVf\ntR.");
    assert_int_equal(ndp_code_take(&s.objects, NULL, code, NULL, &taken, NULL), NDP_OK);
    assert_int_equal(ndp_code_make(&s.objects, taken.body, NDP_FUNCTION_CLOUDPICKLE, &made, &kept, NULL), NDP_OK);
    const struct ndp_object *constants = made->call->args->list.items[1];
    const struct ndp_object *inner = constants->list.items[0];
    assert_true(ndp_object_is_global(inner->call->callable, "types", "CodeType"));
    assert_int_equal(inner->call->args->list.count, 2);
    assert_int_equal(ndp_object_integer(inner->call->args->list.items[0]), 7);
    tear_down(&s);
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

NDP_SUITE(pickle_code_test, cmocka_unit_test(code_is_known_by_its_mark_and_kept_whole),
          cmocka_unit_test(code_inside_of_code_is_called_by_its_type),
          cmocka_unit_test(types_go_by_the_name_that_a_library_has));
