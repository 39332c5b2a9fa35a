/* fault_apply_test.c: every row of describe/fault.h applied to correct bytes, and the decoder's result. */
#include "base/suite.h"
#include "codec/fault_apply.h"
#include "codec/npy/npy_decode.h"
#include "codec/npy/npy_encode.h"

static const struct ndp_dtype leaf = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};
static const uint8_t memory[24] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                   13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};

/* numpy.save of an '<i4' array of shape (2, 3). */
static void right_bytes(struct ndp_buffer *out) {
    struct ndp_layout layout = {.ndim = 2, .shape = {2, 3}, .strides_bytes = {12, 4}};
    const struct ndp_elements elements = {&leaf, &layout, memory};
    assert_int_equal(ndp_npy_encode_buffer(&elements, 0, out, NULL), NDP_OK);
}

static void apply_row(const char *name, uint64_t argument, struct ndp_bytes right, struct ndp_buffer *out) {
    struct ndp_fault fault = {.argument = argument};
    struct ndp_error error = {0};
    (void)snprintf(fault.name, sizeof(fault.name), "%s", name);
    if (ndp_fault_apply(&fault, "npy", right, 4, 24, out, &error) != NDP_OK) fail_msg("%s: %s", name, error.text);
}

/* Expected texts, written by hand from the rows; "..." is padding. */
static void templates_are_filled_in(void **state) {
    static const struct {
        const char *name;
        uint64_t argument;
        const char *start;
    } rows[] = {
        {"keys-reversed", 0, "{'shape': (2, 3), 'fortran_order': False, 'descr': '<i4'}   "},
        {"spaces-none", 0, "{'descr':'<i4','fortran_order':False,'shape':(2, 3)} \n"},
        {"lead-spaces", 0, "   {'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }   "},
    };
    NDP_BUFFER_SCOPED(right, 1 << 20);
    right_bytes(&right);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        NDP_BUFFER_SCOPED(out, 1 << 24);
        apply_row(rows[i].name, rows[i].argument, ndp_buffer_view(&right), &out);
        assert_memory_equal(out.data + 10, rows[i].start, strlen(rows[i].start));
        assert_int_equal(out.size_bytes % 64, 24);
        assert_int_equal(out.data[out.size_bytes - 25], '\n');
        assert_memory_equal(out.data + out.size_bytes - 24, memory, 24);
        assert_int_equal(out.data[8] + 256 * out.data[9], out.size_bytes - 24 - 10);
    }
}

static void sizes_are_those_of_the_rows(void **state) {
    static const struct {
        const char *name;
        uint64_t argument;
        uint64_t size_bytes;
        uint8_t at;
        uint8_t byte;
    } rows[] = {
        {"keep", 17, 17, 0, 0x93},           {"keep", 152 + 5, 5, 0, 0x93},   {"cut", 0, 151, 0, 0x93},
        {"cut", 23, 128, 0, 0x93},           {"cut-item", 0, 148, 0, 0x93},   {"extra", 3, 155, 152, 0xA5},
        {"twice", 0, 304, 152, 0x93},        {"magic", 5, 152, 5, 0xA6},      {"version-1.x", 0x0101, 152, 7, 1},
        {"version-4-up", 0x0500, 152, 6, 5}, {"length-less", 1, 152, 8, 117}, {"length-more", 64, 152, 8, 182},
        {"length-0", 0, 152, 8, 0},          {"major-2", 0, 152, 6, 2},       {"pad-to", 2000, 2034, 8, 2000 % 256},
    };
    NDP_BUFFER_SCOPED(right, 1 << 20);
    right_bytes(&right);
    assert_int_equal(right.size_bytes, 152);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        NDP_BUFFER_SCOPED(out, 1 << 24);
        apply_row(rows[i].name, rows[i].argument, ndp_buffer_view(&right), &out);
        if (out.size_bytes != rows[i].size_bytes || out.data[rows[i].at] != rows[i].byte)
            fail_msg("%s: %llu bytes, byte %d is %d", rows[i].name, (unsigned long long)out.size_bytes, rows[i].at,
                     out.data[rows[i].at]);
    }
}

static bool is_same_array(const struct ndp_npy_array *array) {
    return ndp_dtype_compare(array->header.dtype, &leaf, NULL) == 0 && array->header.ndim == 2 &&
           array->header.shape[0] == 2 && array->header.shape[1] == 3 && array->header.size_bytes == 24 &&
           memcmp(array->data, memory, 24) == 0;
}

/* ACCEPT gives the same array, REFUSE none. The strict decoder may return UNSUPPORTED for REFUSE. */
static void the_decoder_does_as_the_rows_expect(void **state) {
    static const struct ndp_array model = {.dtype = &leaf,
                                           .layout = {.ndim = 2, .shape = {2, 3}, .strides_bytes = {12, 4}}};
    uint32_t count = 0;
    uint32_t tried = 0;
    const struct ndp_fault_row *table = ndp_fault_rows(&count);
    NDP_BUFFER_SCOPED(right, 1 << 20);
    right_bytes(&right);
    for (uint32_t i = 0; i < count; i++) {
        const struct ndp_fault_row *row = &table[i];
        if (strcmp(row->format, "npy") != 0 || !ndp_fault_fits(row, &model)) continue;
        const uint64_t arguments[] = {
            row->argument_min, row->argument_min + (row->argument_max - row->argument_min) / 3, row->argument_max};
        for (size_t k = 0; k < NDP_ARRAY_LEN(arguments); k++) {
            NDP_BUFFER_SCOPED(out, 1 << 24);
            NDP_NPY_ARRAY_SCOPED(array);
            struct ndp_error error = {0};
            NDP_ARENA_SCOPED(arena, 1 << 26);
            apply_row(row->name, arguments[k], ndp_buffer_view(&right), &out);
            const enum ndp_status status = ndp_npy_decode_memory(&arena, ndp_buffer_view(&out), NULL, &array, &error);
            const bool is_right = row->expect == NDP_EXPECT_ACCEPT   ? status == NDP_OK && is_same_array(&array)
                                  : row->expect == NDP_EXPECT_REFUSE ? status != NDP_OK
                                                                     : true;
            if (!is_right)
                fail_msg("%s(%llu): %s %s", row->name, (unsigned long long)arguments[k], ndp_status_name(status),
                         error.text);
            tried++;
        }
    }
    assert_true(tried > 200);
}

static void raw_bytes_are_truncated_and_extended(void **state) {
    static const struct {
        struct ndp_fault fault;
        uint64_t size_bytes;
    } rows[] = {{{"cut", 0}, 23},   {{"cut", 23}, 0}, {{"cut-item", 0}, 20},
                {{"extra", 2}, 26}, {{"keep", 7}, 7}, {{"", 0}, 24}};
    const struct ndp_bytes right = {memory, sizeof(memory)};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        NDP_BUFFER_SCOPED(out, 100);
        assert_int_equal(ndp_fault_apply(&rows[i].fault, "raw", right, 4, 24, &out, NULL), NDP_OK);
        assert_int_equal(out.size_bytes, rows[i].size_bytes);
    }
}

static void faults_that_do_not_apply_are_refused(void **state) {
    struct ndp_error error = {0};
    const struct ndp_bytes right = {memory, sizeof(memory)};
    const struct ndp_fault unknown = {.name = "no-such-fault"};
    const struct ndp_fault cut = {.name = "cut"};
    const struct ndp_fault keys = {.name = "keys-reversed"};
    NDP_BUFFER_SCOPED(out, 100);
    assert_int_equal(ndp_fault_apply(&unknown, "npy", right, 4, 24, &out, &error), NDP_INVALID);
    assert_int_equal(ndp_fault_apply(&cut, "raw", right, 0, 0, &out, &error), NDP_INVALID);
    assert_int_equal(ndp_fault_apply(&cut, "raw", right, 4, 25, &out, &error), NDP_INVALID);
    assert_int_equal(ndp_fault_apply(&keys, "npy", right, 4, 24, &out, &error), NDP_INVALID);
    assert_int_equal(out.size_bytes, 0);
}

NDP_SUITE(fault_apply_test, NDP_TEST(templates_are_filled_in), NDP_TEST(sizes_are_those_of_the_rows),
          NDP_TEST(the_decoder_does_as_the_rows_expect), NDP_TEST(raw_bytes_are_truncated_and_extended),
          NDP_TEST(faults_that_do_not_apply_are_refused));
