/* unicode_printable_test.c: characters that repr() does not escape. Expected: str.isprintable() of CPython 3.11. */
#include "base/rng.h"
#include "base/suite.h"
#include "codec/npy/py_repr.h"

/* One hash over all results. Source: str.isprintable() of chr(0) to chr(0x10ffff), one byte each, CPython 3.11. */
static void every_code_point_is_printable_or_not_as_in_python(void **state) {
    uint64_t hash = NDP_HASH_START;
    uint32_t count = 0;
    for (uint32_t code_point = 0; code_point <= 0x10ffff; code_point++) {
        const uint8_t answer = ndp_py_repr_is_printable(code_point) ? 1 : 0;
        hash = ndp_hash_bytes(&answer, 1, hash);
        count += answer;
    }
    assert_int_equal(count, 144516);
    assert_true(hash == UINT64_C(0xbef272e932b35f59));
}

/* Both ends of ranges, including the first and the last. */
static void the_ends_of_ranges_are_those_of_python(void **state) {
    static const struct {
        uint32_t code_point;
        bool is_printable;
    } rows[] = {
        {0x00, false},     {0x1f, false},       {0x20, true},    {0x7e, true},    {0x7f, false},    {0x80, false},
        {0xa0, false},     {0xa1, true},        {0xac, true},    {0xad, false},   {0xae, true},     {0x377, true},
        {0x378, false},    {0x37a, true},       {0x200a, false}, {0x2010, true},  {0x2028, false},  {0x2030, true},
        {0x3000, false},   {0x3001, true},      {0xd7fb, true},  {0xd800, false}, {0xdfff, false},  {0xe000, false},
        {0xf8ff, false},   {0xf900, true},      {0xfeff, false}, {0xfffd, true},  {0xffff, false},  {0x10000, true},
        {0x1f600, true},   {0xe0001, false},    {0xe0100, true}, {0xe01ef, true}, {0xe01f0, false}, {0x10ffff, false},
        {0x110000, false}, {UINT32_MAX, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (ndp_py_repr_is_printable(rows[i].code_point) != rows[i].is_printable)
            fail_msg("U+%04X", rows[i].code_point);
    }
}

NDP_SUITE(unicode_printable_test, NDP_TEST(every_code_point_is_printable_or_not_as_in_python),
          NDP_TEST(the_ends_of_ranges_are_those_of_python));
