/* defect_test.c: the list of planted defects. `ndproof selftest` checks that each is caught. */
#include "base/suite.h"
#include "planted/defect.h"
#include "planted/planted.h"
#include "target/registry.h"
#include "target/target.h"

static void every_defect_has_a_name_and_a_sentence(void **state) {
    uint32_t count = 0;
    const struct ndp_planted *const *list = ndp_planted_list(&count);
    assert_true(count >= 20);
    for (uint32_t i = 0; i < count; i++) {
        struct ndp_target *target = NULL;
        assert_true(strlen(list[i]->name) > 0 && strlen(list[i]->name) < NDP_WORD_BYTES);
        assert_true(list[i]->defect[strlen(list[i]->defect) - 1] == '.');
        assert_string_equal(list[i]->name, list[i]->plugin.name);
        assert_int_equal(ndp_target_open_plugin(&list[i]->plugin, &target, NULL), NDP_OK);
        ndp_target_close(target);
        for (uint32_t k = 0; k < i; k++) assert_string_not_equal(list[i]->name, list[k]->name);
    }
}

/* Every property needs a planted defect. */
static void every_property_has_a_defect(void **state) {
    static const char *const properties[] = {"values",      "byte_order", "memory_order", "shape",
                                             "dtype",       "flags",      "memmap",       "entry_points",
                                             "idempotence", "strictness", "cross",        "staleness"};
    uint32_t count = 0;
    const struct ndp_planted *const *list = ndp_planted_list(&count);
    for (size_t i = 0; i < NDP_ARRAY_LEN(properties); i++) {
        uint32_t found = 0;
        for (uint32_t k = 0; k < count; k++) found += strcmp(list[k]->property, properties[i]) == 0;
        if (found == 0) fail_msg("no defect for %s", properties[i]);
    }
}

static bool append(void *sink, const void *bytes, size_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes) == NDP_OK;
}

static void reverse_shape(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    assert_non_null(ndp_defect_copy(defect));
    defect->shape[0] = 3;
    defect->shape[1] = 2;
    ndp_defect_set_order(defect, false);
    ndp_defect_set_type(defect, ">i2");
    ndp_defect_swap(defect);
}

/* The encoder's change and its inverse in the decoder cancel out. Source: numpy.save of the changed array. */
static void a_change_reaches_the_bytes_and_the_array(void **state) {
    static const struct ndp_plugin_entry entry = {"npy", "memory", true, true};
    const uint8_t data[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const int64_t shape[] = {2, 3};
    const int64_t strides[] = {2, 4};
    const struct ndp_plugin_array array = {.dtype_json = "\"<i2\"",
                                           .itemsize_bytes = 2,
                                           .ndim = 2,
                                           .shape = shape,
                                           .strides_bytes = strides,
                                           .data = data,
                                           .is_writeable = true};
    struct ndp_plugin_refusal refusal;
    NDP_BUFFER_SCOPED(bytes, 4096);
    assert_int_equal(ndp_defect_encode(&entry, &array, append, &bytes, &refusal, reverse_shape, NULL), NDP_PLUGIN_DONE);
    assert_int_equal(bytes.size_bytes, 140);
    static const char text[] = "{'descr': '>i2', 'fortran_order': False, 'shape': (3, 2), }";
    static const uint8_t swapped[12] = {1, 0, 5, 4, 9, 8, 3, 2, 7, 6, 11, 10};
    assert_memory_equal(bytes.data + 10, text, sizeof(text) - 1);
    assert_memory_equal(bytes.data + 128, swapped, 12);

    struct ndp_plugin_array out = {0};
    void *token = NULL;
    assert_int_equal(ndp_defect_decode(&entry, bytes.data, (size_t)bytes.size_bytes, NULL, NULL, &out, &token, &refusal,
                                       reverse_shape),
                     NDP_PLUGIN_DONE);
    assert_string_equal(out.dtype_json, "\">i2\"");
    assert_int_equal(out.shape[0], 3);
    assert_int_equal(((const uint8_t *)out.data)[0], 0);
    assert_int_equal(((const uint8_t *)out.data)[2], 4);
    ndp_defect_release(&out, token);
    assert_int_equal(ndp_defect_decode(&entry, bytes.data, 139, NULL, NULL, &out, &token, &refusal, NULL),
                     NDP_PLUGIN_REFUSED);
    assert_string_equal(refusal.reason, "truncated");
}

NDP_SUITE(defect_test, NDP_TEST(every_defect_has_a_name_and_a_sentence), NDP_TEST(every_property_has_a_defect),
          NDP_TEST(a_change_reaches_the_bytes_and_the_array));
