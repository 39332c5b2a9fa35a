#include "base/suite.h"
#include "model/dtype_path.h"
#include "model/dtype_samples.h"

/* One line per visited leaf. */
struct log {
    char text[512];
    size_t length;
    size_t stop_after;
    size_t leaves;
};

static bool note(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    struct log *log = context;
    (void)leaf;
    log->length += (size_t)snprintf(log->text + log->length, sizeof log->text - log->length, "%s@%lu ", path,
                                    (unsigned long)offset_bytes);
    return ++log->leaves != log->stop_after;
}

static void leaves_come_in_field_order_with_paths_and_offsets(void **state) {
    struct log log = {.length = 0};
    ndp_dtype_visit(&sample_pack, note, &log);
    assert_string_equal(log.text, "a@1 b[0,0]@5 b[0,1]@7 b[0,2]@9 b[1,0]@11 b[1,1]@13 b[1,2]@15 c.x@28 c.y@21 ");
}

static void a_leaf_alone_has_no_path(void **state) {
    struct log log = {.length = 0};
    ndp_dtype_visit(&sample_f8, note, &log);
    assert_string_equal(log.text, "@0 ");
}

static void a_visitor_ends_the_walk(void **state) {
    struct log log = {.stop_after = 2};
    ndp_dtype_visit(&sample_pack, note, &log);
    assert_int_equal(log.leaves, 2);
}

static void a_sub_array_without_a_byte_has_no_leaves(void **state) {
    const struct ndp_dtype empty = {.kind = NDP_KIND_STRUCT};
    const struct ndp_dtype endless = SUBARRAY(0, &empty, INT32_MAX, INT32_MAX);
    struct log log = {.length = 0};
    ndp_dtype_visit(&endless, note, &log);
    assert_int_equal(log.leaves, 0);
}

static void names_that_a_terminal_cannot_show_are_escaped(void **state) {
    struct ndp_dtype_path path = {.length = 0};
    ndp_dtype_path_add_name(&path, (struct ndp_bytes){(const uint8_t *)"a\0\n\xc3\xa9", 5});
    assert_string_equal(path.text, "a\\x00\\x0a\\xc3\\xa9");
}

static void a_path_is_cut_at_its_capacity(void **state) {
    struct ndp_dtype_path path = {.length = 0};
    uint8_t name[300];
    memset(name, 'n', sizeof name);
    ndp_dtype_path_add_name(&path, (struct ndp_bytes){name, sizeof name});
    ndp_dtype_path_add_index(&path, I64(2), 1, 1);
    assert_int_equal(path.length, sizeof path.text - 1);
    assert_int_equal(strlen(path.text), path.length);
}

NDP_SUITE(dtype_visit_test, NDP_TEST(leaves_come_in_field_order_with_paths_and_offsets),
          NDP_TEST(a_leaf_alone_has_no_path), NDP_TEST(a_visitor_ends_the_walk),
          NDP_TEST(a_sub_array_without_a_byte_has_no_leaves), NDP_TEST(names_that_a_terminal_cannot_show_are_escaped),
          NDP_TEST(a_path_is_cut_at_its_capacity));
