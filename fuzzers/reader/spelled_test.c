/* What is spelled so is said by CPython 3.11's pickle.dumps. */
#include "reader/spelled.h"

#include "base/byteorder.h"
#include "base/suite.h"
#include "fuzz.h"
#include "reader/whole.h"

#define BYTES(text)                                                                                                    \
    { (const uint8_t *)(text), sizeof(text) - 1 }

static void opcodes_are_those_of_the_protocol(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes pickle;
        uint32_t protocol;
        bool is_so;
    } rows[] = {
        {BYTES("(lp0\nI1\naI-2\na."), 0, true}, /* dumps([1, -2], 0) */
        {BYTES("]q\0(K\x01J\xfe\xff\xff\xff"
               "e."),
         1, true},
        {BYTES("\x80\x02]q\0(K\x01J\xfe\xff\xff\xff"
               "e."),
         2, true},
        {BYTES("(lp0\nI1\naI-2\na."), 1, false},
        {BYTES("]q\0(K\x01J\xfe\xff\xff\xff"
               "e."),
         2, false},
        {BYTES("\x80\x02]q\0(K\x01J\xfe\xff\xff\xff"
               "e."),
         3, false},
        {BYTES("\x80\x02]q\1(K\x01J\xfe\xff\xff\xff"
               "e."),
         2, false}, /* the memo begins with 0 */
        {BYTES("\x80\x02]q\0(K\x01"
               "e."),
         2, false}, /* dumps([1], 2) appends */
        {BYTES("\x80\x02]q\0K\x01"
               "a."),
         2, true},
        {BYTES("\x80\x02M\x00\x01."), 2, true}, /* 256 */
        {BYTES("\x80\x02M\xff\x00."), 2, false},
        {BYTES("\x80\x02J\x00\x00\x01\x00."), 2, true},
        {BYTES("\x80\x02J\xff\xff\x00\x00."), 2, false},
        {BYTES("\x80\x02\x8a\x05\x00\x00\x00\x80\x00."), 2, true}, /* 2 ** 31 */
        {BYTES("\x80\x02\x8a\x06\x00\x00\x00\x80\x00\x00."), 2, false},
        {BYTES("\x80\x02\x8a\x04\x00\x00\x00\x80."), 2, false},
        {BYTES("L2147483648L\n."), 1, true},
        {BYTES("I2147483648\n."), 0, false},
        {BYTES("I01\n."), 1, true},
        {BYTES("I1\n."), 1, false},
        {BYTES("\x80\x04\x95\x05\0\0\0\0\0\0\0\x8c\x01"
               "a\x94."),
         4, true},
        {BYTES("\x80\x04\x95\x08\0\0\0\0\0\0\0X\x01\0\0\0"
               "a\x94."),
         4, false},
        {BYTES("\x80\x02K\1K\2\x86q\0."), 2, true},
        {BYTES("\x80\x02(K\1K\2tq\0."), 2, false},
        {BYTES("(K\1K\2tq\0."), 1, true},
        {BYTES("(lI1\na."), 0, false}, /* a list is in the memo before its items */
        {BYTES("(t."), 0, true},       /* dumps((), 0) */
        {BYTES("\x80\x02K\1K\2\x86."), 2, false},
        {BYTES("\x80\x03X\1\0\0\0a."), 3, false},
        {BYTES("\x80\2cm\nf\nq\0)Rq\1."), 2, true},
        {BYTES("\x80\2cm\nf\nq\0)R."), 2, false},
        {BYTES("\x80\2cm\nf\n)Rq\0."), 2, false},
        {BYTES("\x80\x02}q\0cm\nf\nq\1h\0N\x86R0."), 2, true}, /* a function that sets a state */
        {BYTES("\x80\x02}cm\nf\nq\0h\0N\x86R0."), 2, false},
        {BYTES("F8.002\n."), 0, true}, /* repr() of it */
        {BYTES("F8.002000000000001\n."), 0, false},
        {BYTES("F-0.0\n."), 0, true},
        {BYTES("F1e+100\n."), 0, true},
        {BYTES("F1.0000000000000001e+100\n."), 0, false},
        {BYTES("F5e-324\n."), 0, true},
        {BYTES("F4.9e-324\n."), 0, false},
        {BYTES("F1000000.0\n."), 0, true},
        {BYTES("Finf\n."), 0, true},
        {BYTES("F0.30000000000000004\n."), 0, true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (fuzz_is_as_pickled(rows[i].pickle, rows[i].protocol) != rows[i].is_so) fail_msg("row %zu", i);
}

enum { FRAMED = 11 };

/* In protocol 4 a container of 0, 0... in such batches. */
static bool is_so(const char *empty, uint8_t end, uint32_t each, uint32_t count, const uint32_t *batches) {
    static struct ndp_buffer made = {.max_bytes = 1 << 20};
    made.size_bytes = 0;
    assert_int_equal(ndp_buffer_add(&made, "\x80\x04\x95\0\0\0\0\0\0\0\0", FRAMED) | ndp_buffer_add(&made, empty, 1),
                     NDP_OK);
    assert_int_equal(ndp_buffer_add(&made, "\x94", 1), NDP_OK);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(ndp_buffer_add(&made, "(", 1), NDP_OK);
        for (uint32_t k = 0; k < batches[i] * each; k++) assert_int_equal(ndp_buffer_add(&made, "K\0", 2), NDP_OK);
        assert_int_equal(ndp_buffer_add(&made, &end, 1), NDP_OK);
    }
    assert_int_equal(ndp_buffer_add(&made, ".", 1), NDP_OK);
    ndp_store_u64le(made.data + FRAMED - 8, made.size_bytes - FRAMED);
    const bool answer = fuzz_is_as_pickled(ndp_buffer_view(&made), 4);
    ndp_buffer_clear(&made);
    return answer;
}

/* dict.fromkeys(range(1000)) has an empty batch behind the first, and so has a set, but no list. */
static void batches_are_of_a_thousand(void **state) {
    (void)state;
    static const uint32_t whole[] = {1000, 0}, one_more[] = {1000, 1}, short_first[] = {999, 1}, large[] = {1001};
    assert_true(is_so("}", 'u', 2, 2, whole) && is_so("}", 'u', 2, 2, one_more) && is_so("}", 'u', 2, 1, short_first));
    assert_true(is_so("\x8f", 0x90, 1, 2, whole) && is_so("\x8f", 0x90, 1, 1, short_first));
    assert_true(is_so("]", 'e', 1, 1, whole) && is_so("]", 'e', 1, 2, one_more));
    assert_false(is_so("}", 'u', 2, 1, whole) || is_so("}", 'u', 2, 2, short_first) || is_so("}", 'u', 2, 1, large));
    assert_false(is_so("\x8f", 0x90, 1, 1, whole) || is_so("\x8f", 0x90, 1, 1, large));
    assert_false(is_so("]", 'e', 1, 2, whole) || is_so("]", 'e', 1, 2, short_first) || is_so("]", 'e', 1, 1, large));
}

NDP_SUITE(spelled_test, cmocka_unit_test(opcodes_are_those_of_the_protocol),
          cmocka_unit_test(batches_are_of_a_thousand));
