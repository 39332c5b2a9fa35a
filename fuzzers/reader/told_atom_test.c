/* What an opcode pushes is said by CPython 3.11's pickle.loads (of strings of Python 2 with encoding="bytes"). */
#include "reader/told_atom.h"

#include <stdio.h>

#include "base/checked.h"
#include "base/suite.h"

#define BYTES(text)                                                                                                    \
    { (const uint8_t *)(text), sizeof(text) - 1 }

static void integers_are_known_in_every_spelling(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes op;
        int64_t number;
    } rows[] = {
        {BYTES("K\xff"), 255},
        {BYTES("M\xff\xff"), 65535},
        {BYTES("J\xff\xff\xff\xff"), -1},
        {BYTES("J\x00\x00\x00\x80"), -2147483647 - 1},
        {BYTES("\x8a\x00"), 0},
        {BYTES("\x8a\x02\x00\x80"), -32768},
        {BYTES("\x8a\x05\x00\x00\x00\x80\x00"), INT64_C(2147483648)},
        {BYTES("\x8b\x01\x00\x00\x00\x80"), -128},
        {BYTES("I-128\n"), -128},
        {BYTES("L2147483648L\n"), INT64_C(2147483648)},
        {BYTES("L1152921504606846978L\n"), INT64_C(1152921504606846978)},
        {BYTES("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"), INT64_MAX},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct fuzz_told atom = {.kind = FUZZ_TOLD_NONE}, decimal = {.kind = FUZZ_TOLD_NONE};
        char line[32];
        const int size = snprintf(line, sizeof line, "I%lld\n", (long long)rows[i].number);
        const struct ndp_bytes other = {(const uint8_t *)line, (uint64_t)size};
        if (!fuzz_read_atom(rows[i].op, &atom) || atom.kind != FUZZ_TOLD_NUMBER || atom.number != rows[i].number ||
            !fuzz_read_atom(other, &decimal) || decimal.bits != atom.bits)
            fail_msg("row %zu", i);
    }
}

static void other_atoms_are_of_their_kind(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes op, same;
        enum fuzz_told_kind kind;
    } rows[] = {
        {BYTES("\x88"), BYTES("I01\n"), FUZZ_TOLD_TRUTH},
        {BYTES("\x89"), BYTES("I00\n"), FUZZ_TOLD_TRUTH},
        {BYTES("G?\xf8\0\0\0\0\0\0"), BYTES("F1.5\n"), FUZZ_TOLD_REAL},
        {BYTES("X\x03\0\0\0\xe2\x82\xac"), BYTES("V\\u20ac\n"), FUZZ_TOLD_TEXT},
        {BYTES("\x8c\x02\xc3\xa9"), BYTES("V\xe9\n"), FUZZ_TOLD_TEXT},
        {BYTES("\x8d\x04\0\0\0\0\0\0\0\xf0\x9f\x98\x80"), BYTES("V\\U0001f600\n"), FUZZ_TOLD_TEXT},
        {BYTES("C\x02\0\xff"), BYTES("B\x02\0\0\0\0\xff"), FUZZ_TOLD_BYTES},
        {BYTES("U\x02\n\xe9"), BYTES("S'\\n\\351'\n"), FUZZ_TOLD_STRING},
        {BYTES("U\x02\n8"), BYTES("S\"\\128\"\n"), FUZZ_TOLD_STRING},
        {BYTES("T\x01\0\0\0'"), BYTES("S'\\x27'\n"), FUZZ_TOLD_STRING},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct fuzz_told atom = {.kind = FUZZ_TOLD_NONE}, same = {.kind = FUZZ_TOLD_NONE};
        if (!fuzz_is_atom(rows[i].op.data[0]) || !fuzz_read_atom(rows[i].op, &atom) || atom.kind != rows[i].kind ||
            !fuzz_read_atom(rows[i].same, &same) || same.kind != atom.kind || same.bits != atom.bits)
            fail_msg("row %zu", i);
    }
}

static void what_makes_others_is_no_atom(void **state) {
    (void)state;
    for (const char *op = "(.012abcdeghijlopqrstuQPR]})\x81\x85\x8f\x91\x93\x94\x95\x97"; *op; op++)
        if (fuzz_is_atom((uint8_t)*op)) fail_msg("%02x", (uint8_t)*op);
    assert_false(fuzz_is_atom(0));
}

NDP_SUITE(told_atom_test, cmocka_unit_test(integers_are_known_in_every_spelling),
          cmocka_unit_test(other_atoms_are_of_their_kind), cmocka_unit_test(what_makes_others_is_no_atom));
