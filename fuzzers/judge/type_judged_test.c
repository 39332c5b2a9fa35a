#include "judge/type_judged.h"

#include "base/suite.h"
#include "describe/dtype_json.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 4096 };

static const char *const texts[] = {
    "\"<f8\"",
    "\"|u1\"",
    "\"<M8\"",
    "\"<m8[25us]\"",
    "\"<U3\"",
    "\"|O\"",
    "{\"base\":\">i2\",\"shape\":[2,3]}",
    "{\"base\":\"<f8\",\"shape\":[2147483647,0,2147483647]}",
    "{\"base\":\"|u1\",\"shape\":[2147483647,2147483647,2,0,2147483647]}",
    "{\"base\":{\"fields\":[]},\"shape\":[65536,1,32767]}",
    "{\"fields\":[],\"itemsize\":3}",
    "{\"fields\":[{\"name\":\"a\",\"dtype\":\"<f8\"},{\"name\":\"b\",\"title\":\"t\",\"dtype\":\"|S3\"}]}",
    ("{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"|O\"},{\"name\":\"b\",\"offset\":8,\"dtype\":\"|V0\"},"
     "{\"name\":\"c\",\"offset\":8,\"dtype\":\"<i4\"}],\"itemsize\":20}"),
    ("{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"|i1\"},{\"name\":\"b\",\"offset\":16,\"dtype\":"
     "{\"base\":\"<c32\",\"shape\":[2]}}],\"itemsize\":80,\"aligned\":true}"),
};

static const struct ndp_dtype *parse(struct ndp_arena *arena, const char *text) {
    const struct ndp_dtype *dtype = NULL;
    ndp_arena_init(arena, 1 << 22);
    if (ndp_dtype_parse(arena, ndp_bytes_view(text), &ndp_describe_default_limits, &dtype, NULL) != NDP_OK)
        fail_msg("%s", text);
    return dtype;
}

/* Of a check that is right nothing is found, whatever is changed. */
static void both_judge_alike(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        const uint64_t before = fuzz_hits();
        for (uint64_t pick = 0; pick < PICKS; pick++) {
            struct ndp_arena arena;
            fuzz_check_type_judged(&arena, parse(&arena, texts[i]), pick);
            ndp_arena_clear(&arena);
        }
        if (fuzz_hits() != before) fail_msg("type %s", texts[i]);
    }
}

/* What numpy.dtype of NumPy 2.4 says of them. */
static void what_numpy_refuses_is_no_type(void **state) {
    (void)state;
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1},
                                  object = {NDP_KIND_OBJECT, .itemsize_bytes = 8};
    static const struct ndp_field fields[] = {{.name = {(const uint8_t *)"a", 1}, .dtype = &object},
                                              {.name = {(const uint8_t *)"b", 1}, .offset_bytes = 8, .dtype = &byte},
                                              {.name = {(const uint8_t *)"c", 1}, .offset_bytes = 7, .dtype = &byte},
                                              {.name = {(const uint8_t *)"b", 1}, .offset_bytes = 9, .dtype = &byte}};
    static const struct {
        struct ndp_dtype dtype;
        bool is_good;
    } rows[] = {
        {{.kind = NDP_KIND_STRUCT, .itemsize_bytes = 9, .fields = fields, .field_count = 2}, true},
        {{.kind = NDP_KIND_STRUCT, .itemsize_bytes = 8, .fields = fields, .field_count = 2}, false},
        {{.kind = NDP_KIND_STRUCT, .itemsize_bytes = 9, .fields = fields, .field_count = 3}, false},
        {{.kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = fields + 3, .field_count = 1}, false},
        {{.kind = NDP_KIND_STRUCT, .itemsize_bytes = 10, .fields = fields + 1, .field_count = 3}, false},
        {{.kind = NDP_KIND_STRUCT, .itemsize_bytes = 9, .fields = fields, .field_count = 2, .is_aligned = true}, false},
        {{.kind = NDP_KIND_STRUCT, .itemsize_bytes = 16, .fields = fields, .field_count = 2, .is_aligned = true}, true},
        {{.kind = NDP_KIND_INT, .itemsize_bytes = 3, .order = NDP_ORDER_LITTLE}, false},
        {{.kind = NDP_KIND_INT, .itemsize_bytes = 4}, false},
        {{.kind = NDP_KIND_TEXT, .itemsize_bytes = 0, .order = NDP_ORDER_LITTLE}, true},
        {{.kind = NDP_KIND_FLOAT, .itemsize_bytes = 16, .order = NDP_ORDER_BIG}, true}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (fuzz_is_type(&rows[i].dtype, false) != rows[i].is_good) fail_msg("row %zu", i);
}

NDP_SUITE(type_judged_test, cmocka_unit_test(both_judge_alike), cmocka_unit_test(what_numpy_refuses_is_no_type));
