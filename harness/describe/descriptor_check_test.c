#include "base/suite.h"
#include "describe/fault.h"
#include "model/dict.h"
#include "model/graph/graph.h"

enum { ARENA_BYTES = 1 << 24 };

static void check_status(const struct ndp_descriptor *descriptor, enum ndp_status expected) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(ndp_descriptor_check(&arena, descriptor, NULL), expected);
}

static void a_fault_that_does_not_fit_is_refused(void **state) {
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    static const int64_t shape[] = {2, 3};
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_DECODE, .route.format = "npy"};
    descriptor.value.array.base = (struct ndp_base){.dtype = &byte, .ndim = 2, .shape = shape};
    strcpy(descriptor.fault.name, "cut-item");
    check_status(&descriptor, NDP_OK);
    strcpy(descriptor.fault.name, "order-other"); /* 2 x 3 has a single order */
    check_status(&descriptor, NDP_INVALID);
    strcpy(descriptor.fault.name, "no-such-fault");
    check_status(&descriptor, NDP_INVALID);
    strcpy(descriptor.fault.name, "magic");
    descriptor.fault.argument = 6; /* the magic has six bytes, 0 to 5 */
    check_status(&descriptor, NDP_INVALID);
    descriptor.fault.argument = 5;
    check_status(&descriptor, NDP_OK);
}

/* File names are relative to the corpus. Only names that lead out of it are refused. */
static void files_stay_in_the_corpus(void **state) {
    static const struct {
        const char *file;
        enum ndp_status status;
    } rows[] = {
        {"npy/accept/a.npy", NDP_OK},
        {"a..b", NDP_OK},
        {"..a/b", NDP_OK},
        {"a/...", NDP_OK},
        {"./a", NDP_OK},
        {"/etc/passwd", NDP_INVALID},
        {"..", NDP_INVALID},
        {"../a", NDP_INVALID},
        {"a/..", NDP_INVALID},
        {"a/../b", NDP_INVALID},
        {"a//../b", NDP_INVALID},
        {"a/b/..", NDP_INVALID},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_descriptor descriptor = {.kind = NDP_CASE_DECODE};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        memcpy(descriptor.file, rows[i].file, strlen(rows[i].file) + 1);
        if (ndp_descriptor_check(&arena, &descriptor, NULL) != rows[i].status) fail_msg("%s", rows[i].file);
    }
}

static void values_are_of_a_kind_that_can_be_built(void **state) {
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    static const struct ndp_dtype wrong = {.kind = NDP_KIND_UINT, .itemsize_bytes = 3};
    static const struct ndp_dtype bare = {.kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 1, .base = &byte};
    static const struct ndp_field field = {.name = {(const uint8_t *)"a", 1}, .dtype = &bare};
    static const struct ndp_dtype with_bare = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 1, .fields = &field, .field_count = 1};
    static const struct ndp_view as_bare = {.op = NDP_VIEW_AS_DTYPE, .dtype = &with_bare};
    static const uint32_t axes[] = {1};
    static const struct ndp_view transpose = {.op = NDP_VIEW_TRANSPOSE, .ndim = 1, .axes = axes};
    static const struct ndp_view as_wrong = {.op = NDP_VIEW_AS_DTYPE, .dtype = &wrong};
    static const int64_t shape[] = {2};
    static const int64_t huge[] = {INT64_MAX};
    static const struct ndp_dict_value dict = {.rounds = 1, .thread_count = 1};
    static const struct ndp_dict_value no_threads = {.rounds = 1};
    static const struct ndp_graph no_nodes = {.count = 0};
    const struct ndp_base base = {.dtype = &byte, .ndim = 1, .shape = shape};
    struct ndp_node byte_node = {.kind = NDP_NODE_ARRAY, .array = {.base = base}}, bare_node = byte_node;
    bare_node.array.base.dtype = &with_bare;
    const struct ndp_graph of_bytes = {.count = 1, .nodes = &byte_node}, of_bare = {.count = 1, .nodes = &bare_node};
    const struct {
        struct ndp_value value;
        enum ndp_status status;
    } rows[] = {
        {{.array = {.base = base}}, NDP_OK},
        {{.array = {.base = {.ndim = 1, .shape = shape}}}, NDP_INVALID},
        {{.array = {.base = {.dtype = &wrong, .ndim = 1, .shape = shape}}}, NDP_INVALID},
        {{.array = {.base = {.dtype = &byte, .ndim = 1, .shape = huge}}}, NDP_LIMIT},
        {{.array = {.base = base, .views = &transpose, .view_count = 1}}, NDP_INVALID},
        {{.array = {.base = base, .views = &as_wrong, .view_count = 1}}, NDP_INVALID},
        {{.array = {.base = {.dtype = &with_bare, .ndim = 1, .shape = shape}}}, NDP_INVALID},
        {{.array = {.base = base, .views = &as_bare, .view_count = 1}}, NDP_INVALID},
        {{.array = {.base = base, .view_count = NDP_MAX_VIEWS + 1}}, NDP_LIMIT},
        {{.kind = NDP_VALUE_GRAPH, .graph = &of_bytes}, NDP_OK},
        {{.kind = NDP_VALUE_GRAPH, .graph = &of_bare}, NDP_INVALID},
        {{.kind = NDP_VALUE_DICT, .dict = &dict}, NDP_OK},
        {{.kind = NDP_VALUE_DICT, .dict = &no_threads}, NDP_INVALID},
        {{.kind = NDP_VALUE_GRAPH, .graph = &no_nodes}, NDP_INVALID},
        {{.kind = NDP_VALUE_KIND_COUNT}, NDP_INVALID},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_descriptor descriptor = {.value = rows[i].value};
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        const enum ndp_status status = ndp_descriptor_check(&arena, &descriptor, &error);
        if (status != rows[i].status) fail_msg("row %zu: %s, %s", i, ndp_status_name(status), error.text);
        if (status != NDP_OK) assert_true(error.text[0] != '\0');
    }
    const struct ndp_descriptor corrupted = {.kind = NDP_CASE_DECODE, .value = {.kind = NDP_VALUE_DICT, .dict = &dict}};
    check_status(&corrupted, NDP_INVALID);
}

NDP_SUITE(descriptor_check_test, NDP_TEST(a_fault_that_does_not_fit_is_refused), NDP_TEST(files_stay_in_the_corpus),
          NDP_TEST(values_are_of_a_kind_that_can_be_built));
