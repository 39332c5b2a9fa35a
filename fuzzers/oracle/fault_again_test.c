#include "oracle/fault_again.h"

#include <string.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 64 };

static uint64_t hits_of(const struct ndp_fault_row *row) {
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    for (uint64_t pick = 0; pick < PICKS; pick++) fuzz_check_fault_row(row, pick * UINT64_C(0x9e3779b97f4a7c15));
    be_loud(loud);
    return fuzz_hits() - before;
}

/* Every row of NPY is put in as its words say, and every row of any format is known. */
static void the_table_is_what_is_said(void **state) {
    (void)state;
    uint32_t count = 0, of_npy = 0;
    const struct ndp_fault_row *rows = ndp_fault_rows(&count);
    const uint64_t before = fuzz_hits();
    for (uint32_t i = 0; i < count; i++) {
        for (uint64_t round = 0; round < 4; round++) fuzz_check_fault(i + count * round * 77777);
        if (strcmp(rows[i].format, "npy") != 0) continue;
        of_npy++;
        if (hits_of(&rows[i]) != 0) fail_msg("%s", rows[i].name);
    }
    assert_int_equal(fuzz_hits(), before);
    assert_true(of_npy > 140);
}

/* What is put in is known by its name; a row of other words, or of another way, is not that. */
static void a_row_of_other_words_is_seen(void **state) {
    (void)state;
    static const char *const names[] = {"shape-long-ints", "shape-plus",     "tail-tabs", "pad-to", "align",
                                        "length-more",     "length-in-dict", "cut",       "keep",   "extra",
                                        "twice",           "version-4-up"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        struct ndp_fault_row row = *ndp_fault_find(names[i], "npy");
        if (row.text)
            row.tail = " ";
        else
            row.how = row.how == NDP_FAULT_CUT_ITEM ? NDP_FAULT_CUT : NDP_FAULT_CUT_ITEM;
        if (hits_of(&row) == 0) fail_msg("%s", names[i]);
    }
}

/* The shape with a plus, or with nothing, is not the one with an L behind each extent. */
static void a_row_of_another_letter_is_seen(void **state) {
    (void)state;
    static const char *const shapes[] = {"%S", "%P", "%X", "%Z", "%M", "%R", "(%1)"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(shapes); i++) {
        char text[80] = "{'descr': %D, 'fortran_order': %F, 'shape': ";
        struct ndp_fault_row row = *ndp_fault_find("shape-long-ints", "npy");
        strcat(text, shapes[i]);
        strcat(text, ", }");
        row.text = text;
        if (hits_of(&row) == 0) fail_msg("%s", shapes[i]);
    }
}

static void what_is_expected_is_known_by_the_name(void **state) {
    (void)state;
    assert_int_equal(fuzz_fault_expects("tail-nul"), NDP_EXPECT_REFUSE);
    assert_int_equal(fuzz_fault_expects("align"), NDP_EXPECT_ACCEPT);
    assert_int_equal(fuzz_fault_expects("utf8-comment"), NDP_EXPECT_ACCEPT);
    assert_int_equal(fuzz_fault_expects("length-less"), NDP_EXPECT_OPEN);
    assert_int_equal(fuzz_fault_expects("fields-empty"), NDP_EXPECT_OPEN);
}

NDP_SUITE(fault_again_test, cmocka_unit_test(the_table_is_what_is_said), cmocka_unit_test(a_row_of_other_words_is_seen),
          cmocka_unit_test(a_row_of_another_letter_is_seen), cmocka_unit_test(what_is_expected_is_known_by_the_name));
