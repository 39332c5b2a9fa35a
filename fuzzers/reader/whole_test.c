/* What is whole is said by Unicode 15, table 3-7; by CPython 3.11's pickle.dumps and pickletools; by zlib. */
#include "reader/whole.h"

#include "base/byteorder.h"
#include "base/checked.h"
#include "base/suite.h"
#include "fuzz.h"

#define BYTES(text)                                                                                                    \
    { (const uint8_t *)(text), sizeof(text) - 1 }

static void text_is_strict_utf8(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes text;
        bool is_whole;
    } rows[] = {
        {BYTES(""), true},
        {BYTES("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), true},
        {BYTES("\xed\x9f\xbf\xee\x80\x80"), true},
        {BYTES("\xed\xa0\x80"), false}, /* U+D800 */
        {BYTES("a\xed\xbf\xbf"), false},
        {BYTES("\xc0\x80"), false},
        {BYTES("\xf4\x90\x80\x80"), false},
        {BYTES("\xc3"), false},
        {BYTES("\xff"), false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (fuzz_is_utf8(rows[i].text) != rows[i].is_whole) fail_msg("row %zu", i);
    }
}

static void frames_hold_whole_opcodes(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes pickle;
        bool is_whole;
    } rows[] = {
        {BYTES("\x80\x04\x95\x06\0\0\0\0\0\0\0\x8c\x02no\x94."), true}, /* dumps("no", 4) */
        {BYTES("\x80\x04K\x01."), true},                                /* dumps(1, 4) */
        {BYTES("\x80\x04\x95\x07\0\0\0\0\0\0\0\x8c\x02no\x94."), false},
        {BYTES("\x80\x04\x95\x03\0\0\0\0\0\0\0\x8c\x02no\x94."), false},
        {BYTES("\x80\x04\x95\x04\0\0\0\0\0\0\0\x8c\x02no\x94."), true},
        {BYTES("\x95\x0b\0\0\0\0\0\0\0\x95\x01\0\0\0\0\0\0\0N."), false},
        {BYTES("\x95\xff\xff\xff\xff\xff\xff\xff\xffN."), false},
        {BYTES("\x80\x04\x95\x09\0\0\0\0\0\0\0\x95\x02\0\0\0\0\0\0\0N."), true}, /* pickle._Unframer takes it */
        {BYTES("N\xfe."), false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (fuzz_whole_pickle(rows[i].pickle).are_frames != rows[i].is_whole) fail_msg("row %zu", i);
    }
}

static void one_value_is_left(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes pickle;
        bool is_whole;
    } rows[] = {
        {BYTES("N."), true},         {BYTES("\x80\x05N."), true}, {BYTES("\x80\x06N."), false},
        {BYTES("."), false},         {BYTES("NN."), false},       {BYTES("(N."), false},
        {BYTES("(NNt."), true},      {BYTES("(NNd."), true},      {BYTES("(Nd."), false},
        {BYTES("}(NNu."), true},     {BYTES("}(Nu."), false},     {BYTES("(NNu."), false},
        {BYTES("](NNe."), true},     {BYTES("N(a."), false}, /* what stands under the mark is out of reach */
        {BYTES("N(1."), true},       {BYTES("N(N1."), true},      {BYTES("N(0."), true},
        {BYTES("NN0."), true},       {BYTES("t."), false},        {BYTES("N\x86."), false},
        {BYTES("NN\x86."), true},    {BYTES("(cm\nn\no."), true}, {BYTES("(o."), false},
        {BYTES("(Nim\nn\n."), true}, {BYTES("N2\x86."), true},    {BYTES("\x8f(N\x90."), true},
        {BYTES("(N\x91."), true},    {BYTES("Pid\n."), false},    {BYTES("N"), false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (fuzz_whole_pickle(rows[i].pickle).is_stack != rows[i].is_whole) fail_msg("row %zu", i);
    }
}

/* zlib.compress(b"abc"), and what joblib 0.9 puts before it. */
#define PACKED "x\x9cKLJ\x06\0\x02M\x01'"

static void streams_go_to_their_checksum(void **state) {
    (void)state;
    static const struct ndp_compress_limits three = {.output_bytes = 3, .memory_bytes = 1 << 18};
    static const struct {
        struct ndp_bytes bytes;
        bool is_whole;
    } rows[] = {
        {BYTES("N."), true},
        {BYTES(PACKED), true},
        {BYTES("x\x9cKLJ\x06\0\x02M\x01("), false},
        {BYTES("x\x9cKLJ\x06\0\x02M\x01"), false},
        {BYTES("ZF0x3                " PACKED), true},
        {BYTES("ZF0x3                 " PACKED), true},
        {BYTES("ZF0x2                " PACKED), false},
        {BYTES("ZF0x4                " PACKED), false},
        {BYTES("ZF0x3L               " PACKED), true},
        {BYTES("ZF0x3LL              " PACKED), false},
        {BYTES("ZF0x3 L              " PACKED), false},
        {BYTES("ZF 0x3               " PACKED), false},
        {BYTES("ZF3                  " PACKED), false},
        {BYTES("ZF0x3_               " PACKED), false},
        {BYTES("ZF0x3"), false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (fuzz_has_whole_stream(rows[i].bytes, &three) != rows[i].is_whole) fail_msg("row %zu", i);
    }
    static const struct ndp_compress_limits two = {.output_bytes = 2, .memory_bytes = 1 << 18};
    static const struct ndp_compress_limits little = {.output_bytes = 3, .memory_bytes = (1 << 18) - 1};
    /* lzma.compress(b"abc", lzma.FORMAT_ALONE, preset=0): a dictionary of 256 KiB. */
    const struct ndp_bytes alone = BYTES(
        "\x5d\x00\x00\x04\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00\x30\x98\x88\xa4\x4a\x8e\x9f\xff\xf6\x63\x80\x00");
    assert_true(fuzz_has_whole_stream(alone, &three));
    assert_false(fuzz_has_whole_stream(alone, &little));
    const struct ndp_bytes packed = BYTES(PACKED);
    assert_false(fuzz_has_whole_stream(packed, &two));
}

static void add(struct ndp_buffer *made, struct ndp_bytes bytes) {
    assert_int_equal(ndp_buffer_add(made, bytes.data, bytes.size_bytes), NDP_OK);
}

/* Whether "\x80\x04", `before`, BINBYTES of so many and `behind` are as they are written in protocol 4. */
static bool is_as_pickled(struct ndp_bytes before, uint32_t count, struct ndp_bytes behind) {
    static const uint8_t zeros[1 << 16];
    struct ndp_buffer made = {.max_bytes = 1 << 18};
    uint8_t head[] = {'B', 0, 0, 0, 0};
    ndp_store_u32le(head + 1, count);
    add(&made, ndp_bytes_view("\x80\x04")), add(&made, before), add(&made, (struct ndp_bytes){head, sizeof head});
    add(&made, (struct ndp_bytes){zeros, count}), add(&made, behind);
    const bool answer = fuzz_is_as_pickled(ndp_buffer_view(&made), 4);
    ndp_buffer_clear(&made);
    return answer;
}

/* pickle.dumps([b"\0" * count], 4) and of [b"\0" * count, 1], and what is a byte more or less. */
static void frames_are_where_picklers_have_them(void **state) {
    (void)state;
    static const struct row {
        struct ndp_bytes before, behind;
        uint32_t count;
        bool is_so;
    } rows[] = {
        {BYTES("]\x94"),
         BYTES("\x94"
               "a."),
         1 << 16, true},
        {BYTES("\x95\2\0\0\0\0\0\0\0]\x94"),
         BYTES("\x94"
               "a."),
         1 << 16, false},
        {BYTES("]\x94"),
         BYTES("\x95\3\0\0\0\0\0\0\0\x94"
               "a."),
         1 << 16, false},
        {BYTES("]\x94("), BYTES("\x95\5\0\0\0\0\0\0\0\x94K\1e."), 1 << 16, true},
        {BYTES("]\x94("), BYTES("\x94K\1e."), 1 << 16, false},
        {BYTES("\x95\x09\0\1\0\0\0\0\0]\x94"),
         BYTES("\x94"
               "a."),
         65535, true},
        {BYTES("]\x94"),
         BYTES("\x94"
               "a."),
         65535, false},
        {BYTES("\x95\0\0\1\0\0\0\0\0]\x94("), BYTES("\x94\x95\4\0\0\0\0\0\0\0K\1e."), 65527, true},
        {BYTES("\x95\xff\xff\0\0\0\0\0\0]\x94("), BYTES("\x94\x95\4\0\0\0\0\0\0\0K\1e."), 65526, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (is_as_pickled(rows[i].before, rows[i].count, rows[i].behind) != rows[i].is_so) fail_msg("row %zu", i);
    assert_true(fuzz_is_as_pickled((struct ndp_bytes)BYTES("\x80\x04]\x94."), 4));
    assert_false(fuzz_is_as_pickled((struct ndp_bytes)BYTES("\x80\x04]\x94Na."), 4));
    assert_false(fuzz_is_as_pickled((struct ndp_bytes)BYTES("\x80\x04\x80\x04N."), 4));
}

/* What pickle.loads and pickle._loads of CPython 3.11 give one number for, and no leniency of one of them. */
static void numbers_are_such_to_every_reader(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes pickle;
        bool is_so;
    } rows[] = {
        {BYTES("F1.5\n."), true},    {BYTES("F-.5e-300\n."), true}, {BYTES("F1e+16\n."), true},
        {BYTES("F-inf\n."), true},   {BYTES("FNaN\n."), true},      {BYTES("F\n."), false},
        {BYTES("F.\n."), false},     {BYTES("Fe5\n."), false},      {BYTES("F 1.5\n."), false},
        {BYTES("F0x1p3\n."), false}, {BYTES("F1e400\n."), false},   {BYTES("F1_0\n."), false},
        {BYTES("I-12\n."), true},    {BYTES("I01\n."), true},       {BYTES("I00\n."), true},
        {BYTES("I012\n."), false},   {BYTES("I0x1\n."), false},     {BYTES("I\n."), false},
        {BYTES("I1L\n."), false},    {BYTES("L1L\n."), true},       {BYTES("L-1\n."), true},
        {BYTES("L1LL\n."), false},   {BYTES("LL\n."), false},       {BYTES("Np1\n."), true},
        {BYTES("Np-1\n."), false},   {BYTES("Np\n."), false},       {BYTES("Np0\ng0\n0."), true},
        {BYTES("F1.5\0\n."), false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (fuzz_whole_pickle(rows[i].pickle).is_stack != rows[i].is_so) fail_msg("row %zu", i);
}

NDP_SUITE(whole_test, cmocka_unit_test(text_is_strict_utf8), cmocka_unit_test(frames_hold_whole_opcodes),
          cmocka_unit_test(frames_are_where_picklers_have_them), cmocka_unit_test(one_value_is_left),
          cmocka_unit_test(numbers_are_such_to_every_reader), cmocka_unit_test(streams_go_to_their_checksum));
