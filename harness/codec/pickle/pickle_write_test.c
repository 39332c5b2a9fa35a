#include "base/byteorder.h"
#include "base/rng.h"
#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_opcodes.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"

/* Reads a pickle and writes it in `protocol` into a buffer that the caller clears. */
static enum ndp_status rewrite(struct ndp_bytes pickle, uint32_t protocol, struct ndp_buffer *out) {
    struct ndp_objects objects;
    struct ndp_pickle read;
    const struct ndp_pickle_form form = {.protocol = protocol};
    struct ndp_source source = ndp_source_memory(pickle);
    ndp_buffer_init(out, 1 << 26);
    NDP_ARENA_SCOPED(arena, 1 << 26);
    ndp_objects_init(&objects, &arena);
    assert_int_equal(ndp_pickle_read(&objects, &source, NULL, &read, NULL), NDP_OK);
    const enum ndp_status status = ndp_pickle_write(&objects, read.root, &form, ndp_write_to_buffer, out, NULL);
    ndp_objects_clear(&objects);
    return status;
}

/* Input; expected: pickle.dumps of CPython 3.11.7 for the same object. */
static const struct {
    const char *pickle;
    size_t pickle_bytes;
    uint32_t protocol;
    const char *written;
    size_t written_bytes;
} rows[] = {
#define ROW(from, protocol, to)                                                                                        \
    { (from), sizeof(from) - 1, (protocol), (to), sizeof(to) - 1 }
    /* clang-format off */
    ROW("].", 0, "(lp0\n."),
    ROW("](K\x01K\x02""e.", 0, "(lp0\nI1\naI2\na."),
    ROW("](K\x01K\x02""e.", 2, "\x80\x02]q\x00(K\x01K\x02""e."),
    ROW("]K\x01""a.", 2, "\x80\x02]q\x00K\x01""a."),
    ROW("}K\x01K\x02s.", 2, "\x80\x02}q\x00K\x01K\x02s."),
    ROW(").", 0, "(t."),
    ROW("K\x01\x85.", 1, "(K\x01tq\x00."),
    ROW("K\x01\x85.", 2, "\x80\x02K\x01\x85q\x00."),
    ROW("(K\x01K\x02K\x03K\x04t.", 2, "\x80\x02(K\x01K\x02K\x03K\x04tq\x00."),
    ROW("\x80\x04\x8f(K\x01\x90.", 2, "\x80\x02""c__builtin__\nset\nq\x00]q\x01K\x01""a\x85q\x02Rq\x03."),
    ROW("\x80\x04\x8f(K\x01\x90.", 4, "\x80\x04\x95\x07\x00\x00\x00\x00\x00\x00\x00\x8f\x94(K\x01\x90."),
    ROW("\x80\x04(K\x01\x91.", 4, "\x80\x04\x95\x06\x00\x00\x00\x00\x00\x00\x00(K\x01\x91\x94."),
    ROW("](c__builtin__\nset\n\x8f(K\x01\x90""e.", 0, "(lp0\nc__builtin__\nset\np1\nag1\n((lp2\nI1\natp3\nRp4\na."),
    ROW("](\x8f(K\x01\x90""c__builtin__\nset\ne.", 2, "\x80\x02]q\x00(c__builtin__\nset\nq\x01]q\x02K\x01""a\x85q\x03Rq\x04h\x01""e."),
    ROW("](ccopyreg\n__newobj__\ncm\nA\n)\x81""e.", 1, "]q\x00(ccopy_reg\n__newobj__\nq\x01h\x01(cm\nA\nq\x02tq\x03Rq\x04""e."),
    ROW("]q\x00h\x00""a.", 2, "\x80\x02]q\x00h\x00""a."),
    ROW("]q\x00h\x00\x85q\x01""a0h\x01.", 2, "\x80\x02]q\x00h\x00\x85q\x01""a0h\x01."),
    ROW("ccollections\nOrderedDict\n)RVa\nK\x01s.", 2, "\x80\x02""ccollections\nOrderedDict\nq\x00)Rq\x01X\x01\x00\x00\x00""aq\x02K\x01s."),
    ROW("c__builtin__\nxrange\n.", 2, "\x80\x02""c__builtin__\nxrange\nq\x00."),
    ROW("c__builtin__\nxrange\n.", 4, "\x80\x04\x95\x16\x00\x00\x00\x00\x00\x00\x00\x8c\x08""builtins\x94\x8c\x05range\x94\x93\x94."),
    ROW("\x80\x04\x8c\x01m\x8c\x03""C.D\x93.", 0, "c__builtin__\ngetattr\np0\n(cm\nC\np1\nVD\np2\ntp3\nRp4\n."),
    ROW("\x80\x04\x8c\x01m\x8c\x03""C.D\x93.", 2, "\x80\x02""c__builtin__\ngetattr\nq\x00""cm\nC\nq\x01X\x01\x00\x00\x00""Dq\x02\x86q\x03Rq\x04."),
    ROW("\x80\x04\x8c\x01m\x8c\x03""C.D\x93\x8c\x01m\x8c\x03""E.D\x93\x86.", 0, "(c__builtin__\ngetattr\np0\n(cm\nC\np1\nVD\np2\ntp3\nRp4\ng0\n(cm\nE\np5\ng2\ntp6\nRp7\ntp8\n."),
    ROW("\x80\x04\x8c\x01m\x8c\x03""C.D\x93\x8c\x01m\x8c\x03""E.D\x93\x86.", 2, "\x80\x02""c__builtin__\ngetattr\nq\x00""cm\nC\nq\x01X\x01\x00\x00\x00""Dq\x02\x86q\x03Rq\x04h\x00""cm\nE\nq\x05h\x02\x86q\x06Rq\x07\x86q\x08."),
    ROW("\x80\x04]\x8c\x01m\x8c\x05""C.D.E\x93""a.", 1, "]q\x00""c__builtin__\ngetattr\nq\x01(h\x01(cm\nC\nq\x02X\x01\x00\x00\x00""Dq\x03tq\x04Rq\x05X\x01\x00\x00\x00""Eq\x06tq\x07Rq\x08""a."),
    ROW("\x80\x04]\x8c\x01m\x8c\x05""C.D.E\x93""a.", 3, "\x80\x03]q\x00""cbuiltins\ngetattr\nq\x01h\x01""cm\nC\nq\x02X\x01\x00\x00\x00""Dq\x03\x86q\x04Rq\x05X\x01\x00\x00\x00""Eq\x06\x86q\x07Rq\x08""a."),
    ROW("\x80\x04\x8c\x01m\x8c\x01""C\x93K\x01\x85}\x8c\x01""aK\x02s\x92.", 0, "ccopy_reg\n__newobj_ex__\np0\n(cm\nC\np1\n(I1\ntp2\n(dp3\nVa\np4\nI2\nstp5\nRp6\n."),
    ROW("\x80\x04\x8c\x01m\x8c\x01""C\x93K\x01\x85}\x8c\x01""aK\x02s\x92.", 1, "ccopy_reg\n__newobj_ex__\nq\x00(cm\nC\nq\x01(K\x01tq\x02}q\x03X\x01\x00\x00\x00""aq\x04K\x02stq\x05Rq\x06."),
    ROW("\x80\x04\x8c\x01m\x8c\x01""C\x93K\x01\x85}\x8c\x01""aK\x02s\x92.", 4, "\x80\x04\x95\x1a\x00\x00\x00\x00\x00\x00\x00\x8c\x01m\x94\x8c\x01""C\x94\x93\x94K\x01\x85\x94}\x94\x8c\x01""a\x94K\x02s\x92\x94."),
    ROW("\x80\x04\x8c\x01m\x8c\x01""C\x93)}\x92.", 4, "\x80\x04\x95\x0e\x00\x00\x00\x00\x00\x00\x00\x8c\x01m\x94\x8c\x01""C\x94\x93\x94)\x81\x94."),
    ROW("\x80\x04U\x01mU\x01""C\x93)\x81.", 4, "\x80\x04\x95\x0e\x00\x00\x00\x00\x00\x00\x00\x8c\x01m\x94\x8c\x01""C\x94\x93\x94)\x81\x94."),
/* clang-format on */
#undef ROW
};

static void pickles_equal_cpythons(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_buffer out;
        const struct ndp_bytes from = {(const uint8_t *)rows[i].pickle, rows[i].pickle_bytes};
        if (rewrite(from, rows[i].protocol, &out) != NDP_OK) fail_msg("row %zu is refused", i);
        if (out.size_bytes != rows[i].written_bytes || memcmp(out.data, rows[i].written, rows[i].written_bytes) != 0)
            fail_msg("row %zu, protocol %u: %.*s", i, rows[i].protocol, (int)out.size_bytes, (const char *)out.data);
        ndp_buffer_clear(&out);
    }
}

/* Protocols up to 2 map these names when read; protocol 4 keeps them. */
static void names_of_python_2_are_kept_from_protocol_4(void **state) {
    static const char *const names[] = {"c__builtin__\nset\n", "cQueue\nQueue\n", "ccPickle\ndumps\n"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        char pickle[64];
        struct ndp_buffer out;
        const int size = snprintf(pickle, sizeof pickle, "\x80\x04%s.", names[i]);
        const struct ndp_bytes from = {(const uint8_t *)pickle, (uint64_t)size};
        for (uint32_t protocol = 0; protocol <= NDP_PICKLE_PROTOCOL_MAX; protocol++) {
            const enum ndp_status status = rewrite(from, protocol, &out);
            assert_int_equal(status, protocol < 3 ? NDP_UNSUPPORTED : NDP_OK);
            ndp_buffer_clear(&out);
        }
    }
}

/* Source: CPython 3.11, Lib/pickle.py, load_inst and load_obj: they look up the class like GLOBAL. */
static void instances_map_names_like_globals(void **state) {
    static const char inst[] = "(i__builtin__\nset\np0\n.", obj[] = "(c__builtin__\nset\nq\x00oq\x01.";
    static const char old[] = "(c__builtin__\nset\no.", late[] = "\x80\x04(c__builtin__\nset\no.";
    struct ndp_buffer out;
    assert_int_equal(rewrite(ndp_bytes_view(old), 0, &out), NDP_OK);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&out), ndp_bytes_view(inst)));
    ndp_buffer_clear(&out);
    assert_int_equal(rewrite(ndp_bytes_view(inst), 1, &out), NDP_OK);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&out), (struct ndp_bytes){(const uint8_t *)obj, sizeof obj - 1}));
    ndp_buffer_clear(&out);
    assert_int_equal(rewrite(ndp_bytes_view(late), 0, &out), NDP_UNSUPPORTED);
    ndp_buffer_clear(&out);
}

/* An object that its own arguments contain was memoized while they were written. Both calls share one tuple of
 * arguments, with or without the opcode: the output reads as the same object and writes the same bytes. */
static void arguments_that_contain_their_object_are_shared(void **state) {
    static const struct ndp_bytes with_opcode = {(const uint8_t *)"cm\nc\n]q\x01"
                                                                  "cm\nc\nh\x01\x85q\x02\x81q\x03"
                                                                  "a0h\x02\x81"
                                                                  "0h\x03.",
                                                 30};
    static const struct ndp_bytes with_keywords = {
        (const uint8_t *)"\x80\x04"
                         "cm\nc\n]q\x01"
                         "cm\nc\nh\x01\x85q\x02}\x8c\x01xK\x01sq\x04\x92q\x03"
                         "a0h\x02h\x04\x92"
                         "0h\x03.",
        43};
    static const char written[] = "ccopy_reg\n__newobj__\nq\x00(cm\nc\nq\x01]q\x02h\x00(h\x01h\x02tq\x03Rq\x04"
                                  "a1h\x03R0h\x04.";
    struct ndp_buffer once, again;
    for (uint32_t i = 0; i < 2 * (NDP_PICKLE_PROTOCOL_MAX + 1); i++) {
        const uint32_t protocol = i / 2;
        assert_int_equal(rewrite(i % 2 ? with_keywords : with_opcode, protocol, &once), NDP_OK);
        assert_int_equal(rewrite(ndp_buffer_view(&once), protocol, &again), NDP_OK);
        if (!ndp_bytes_is_equal(ndp_buffer_view(&once), ndp_buffer_view(&again))) fail_msg("protocol %u", protocol);
        ndp_buffer_clear(&again);
        ndp_buffer_clear(&once);
    }
    assert_int_equal(rewrite(with_opcode, 1, &once), NDP_OK);
    assert_int_equal(once.size_bytes, sizeof written - 1);
    assert_memory_equal(once.data, written, sizeof written - 1);
    ndp_buffer_clear(&once);
}

/* Makes a list of `count` integers, each 7 * i modulo 300, or a dict of them. */
static void make_list(struct ndp_objects *objects, uint64_t count, bool is_dict, struct ndp_object **out) {
    *out = ndp_object_new(objects, is_dict ? NDP_OBJECT_DICT : NDP_OBJECT_LIST);
    assert_non_null(*out);
    for (uint64_t i = 0; i < count; i++) {
        struct ndp_object *item = ndp_object_int(objects, (int64_t)(7 * i % 300));
        assert_non_null(item);
        if (is_dict) assert_true(ndp_object_append(objects, &(*out)->list, ndp_object_int(objects, (int64_t)i)));
        assert_true(ndp_object_append(objects, &(*out)->list, item));
    }
}

/* Lengths and FNV-1a hashes of pickle.dumps([7 * i % 300 for i in range(n)], p) and of the dict of the same items by i,
 * of CPython 3.11.7: batches, and frames of 64 KiB. */
static const struct {
    uint64_t count;
    bool is_dict;
    uint32_t protocol;
    uint64_t size_bytes;
    uint64_t hash;
} batches[] = {
    /* clang-format off */
    {0, false, 0, 6, UINT64_C(0xbb7a227370e91d55)},
    {0, false, 2, 6, UINT64_C(0x3bb203ce97b6123b)},
    {0, false, 4, 5, UINT64_C(0xd1f0e3f833b9660a)},
    {0, true, 0, 6, UINT64_C(0x1aaa92dd074f97dd)},
    {0, true, 2, 6, UINT64_C(0x656684da986dbbdb)},
    {0, true, 4, 5, UINT64_C(0xb95bc3f793d6d46a)},
    {1, false, 0, 10, UINT64_C(0xcb3db0204497c7b9)},
    {1, false, 2, 9, UINT64_C(0x6712a72798f33a8b)},
    {1, false, 4, 17, UINT64_C(0xe30bdd7d6be14a7f)},
    {1, true, 0, 13, UINT64_C(0x44899da298e98b86)},
    {1, true, 2, 11, UINT64_C(0xb0c0320db1786f2e)},
    {1, true, 4, 19, UINT64_C(0xe78c746ee1ad62c4)},
    {2, false, 0, 14, UINT64_C(0xcac18db654bf75ba)},
    {2, false, 2, 12, UINT64_C(0x8a39639216cabbc3)},
    {2, false, 4, 20, UINT64_C(0xf71de5614a5480ee)},
    {2, true, 0, 20, UINT64_C(0x480aba5e49a7793f)},
    {2, true, 2, 16, UINT64_C(0x13c604bcb138595c)},
    {2, true, 4, 24, UINT64_C(0xa819026ffc9e6b81)},
    {999, false, 0, 5621, UINT64_C(0xc259ffe06d19aae9)},
    {999, false, 2, 2150, UINT64_C(0xad7f9970f0676098)},
    {999, false, 4, 2158, UINT64_C(0x302c2b902c5ca5ef)},
    {999, true, 0, 10506, UINT64_C(0x9a1a3c5c50c73a65)},
    {999, true, 2, 4891, UINT64_C(0xbef00d2d4956632b)},
    {999, true, 4, 4899, UINT64_C(0x9557351fb1ba5fd8)},
    {1000, false, 0, 5626, UINT64_C(0x987258e01f191ead)},
    {1000, false, 2, 2152, UINT64_C(0x975e6f7145d264fc)},
    {1000, false, 4, 2160, UINT64_C(0x2363fcb2905ebbb5)},
    {1000, true, 0, 10516, UINT64_C(0xb18ea82eb2270597)},
    {1000, true, 2, 4898, UINT64_C(0xa99ffbacd9523b47)},
    {1000, true, 4, 4906, UINT64_C(0x1ccb2014c146b6f7)},
    {1001, false, 0, 5632, UINT64_C(0x92d7445d59c1d3e0)},
    {1001, false, 2, 2156, UINT64_C(0x454824c7508d8ece)},
    {1001, false, 4, 2164, UINT64_C(0x210df79488567e5b)},
    {1001, true, 0, 10528, UINT64_C(0xc4af3ef188615ea8)},
    {1001, true, 2, 4903, UINT64_C(0x69ccd0baa19c8b86)},
    {1001, true, 4, 4911, UINT64_C(0xb6c36455757cceed)},
    {2000, false, 0, 11266, UINT64_C(0x8b676c504d5f63ed)},
    {2000, false, 2, 4298, UINT64_C(0xc3ce29027ee66f4f)},
    {2000, false, 4, 4306, UINT64_C(0x45ddbdcf43c94290)},
    {2000, true, 0, 22156, UINT64_C(0x15c1e10153d1e983)},
    {2000, true, 2, 10044, UINT64_C(0x7443db496309532e)},
    {2000, true, 4, 10052, UINT64_C(0xad21756a1370e468)},
    {40000, false, 4, 85967, UINT64_C(0x1de6d71426ffb705)},
    {40000, true, 4, 205731, UINT64_C(0xbbb4542b84ac483a)},
    /* clang-format on */
};

static void batches_and_frames_equal_cpythons(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(batches); i++) {
        struct ndp_objects objects;
        struct ndp_object *list = NULL;
        const struct ndp_pickle_form form = {.protocol = batches[i].protocol};
        NDP_ARENA_SCOPED(arena, UINT64_C(1) << 28);
        ndp_objects_init(&objects, &arena);
        NDP_BUFFER_SCOPED(out, 1 << 24);
        make_list(&objects, batches[i].count, batches[i].is_dict, &list);
        assert_int_equal(ndp_pickle_write(&objects, list, &form, ndp_write_to_buffer, &out, NULL), NDP_OK);
        if (out.size_bytes != batches[i].size_bytes ||
            ndp_hash_bytes(out.data, out.size_bytes, NDP_HASH_START) != batches[i].hash)
            fail_msg("%llu items, protocol %u", (unsigned long long)batches[i].count, batches[i].protocol);
        ndp_objects_clear(&objects);
    }
}

/* Length of the first frame of pickle.dumps([bytes(n), bytearray(b"abcd"), "q"], 4) of both picklers of CPython 3.11:
 * it ends before the array, before the name bytearray, or before its argument. */
static void frames_may_end_inside_a_call(void **state) {
    static const struct {
        uint64_t count, frame_bytes;
    } calls[] = {{65501, 65546}, {65502, 65536}, {65515, 65549}, {65516, 65536}, {65526, 65546}, {65527, 65536}};
    static const uint8_t zeros[1 << 16];
    static const struct ndp_pickle_form form = {.protocol = 4};
    for (size_t i = 0; i < NDP_ARRAY_LEN(calls); i++) {
        struct ndp_objects objects;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_objects_init(&objects, &arena);
        NDP_BUFFER_SCOPED(out, 1 << 20);
        struct ndp_object *list = ndp_object_new(&objects, NDP_OBJECT_LIST);
        struct ndp_object *const items[] = {
            ndp_object_bytes(&objects, NDP_OBJECT_BYTES, (struct ndp_bytes){zeros, calls[i].count}),
            ndp_object_bytes(&objects, NDP_OBJECT_BYTEARRAY, ndp_bytes_view("abcd")),
            ndp_object_bytes(&objects, NDP_OBJECT_TEXT, ndp_bytes_view("q"))};
        for (size_t k = 0; k < NDP_ARRAY_LEN(items); k++)
            assert_true(ndp_object_append(&objects, &list->list, items[k]));
        assert_int_equal(ndp_pickle_write(&objects, list, &form, ndp_write_to_buffer, &out, NULL), NDP_OK);
        assert_int_equal(ndp_load_u64le(out.data + 3), calls[i].frame_bytes);
        ndp_objects_clear(&objects);
    }
}

static void depth_is_bounded(void **state) {
    struct ndp_buffer out;
    NDP_BUFFER_SCOPED(text, 1 << 16);
    assert_int_equal(ndp_buffer_add(&text, "N", 1), NDP_OK);
    for (int i = 0; i < 2 * NDP_PICKLE_DEPTH_MAX; i++) assert_int_equal(ndp_buffer_add(&text, "\x85", 1), NDP_OK);
    assert_int_equal(ndp_buffer_add(&text, ".", 1), NDP_OK);
    assert_int_equal(rewrite(ndp_buffer_view(&text), 2, &out), NDP_LIMIT);
    ndp_buffer_clear(&out);
}

/* Appends `around` `times` times after `start`: nested calls, or parts of a name. */
static void add_nested(struct ndp_buffer *text, const char *start, const char *around, uint64_t times,
                       const char *end) {
    assert_int_equal(ndp_buffer_add(text, start, strlen(start)), NDP_OK);
    for (uint64_t i = 0; i < times; i++) assert_int_equal(ndp_buffer_add(text, around, strlen(around)), NDP_OK);
    assert_int_equal(ndp_buffer_add(text, end, strlen(end)), NDP_OK);
}

/* A reader of the output must not see a deeper nesting than the writer allows, so that it can be written again. */
static void depth_is_that_of_a_reader(void **state) {
    static const char *const forms[][3] = {
        {"cm\nC\n", ")\x81", "."},                                     /* NEWOBJ */
        {"cm\nC\n", ")}\x92", "."},                                    /* NEWOBJ_EX */
        {"cm\nC", ".a", "\n."},     {"cm\nC", ".part", "\n\x85\x85."}, /* in two tuples */
        {"N", "\x85", "."},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(forms); i++) {
        for (uint32_t protocol = 0; protocol <= 5; protocol++) {
            uint64_t written = 0, refused = 0;
            for (uint64_t times = 0; times < NDP_PICKLE_DEPTH_MAX + 10;
                 times += times % 500 >= 10 && times % 500 < 485 ? 95 : 1) {
                struct ndp_buffer text, first, second;
                ndp_buffer_init(&text, 1 << 16);
                add_nested(&text, forms[i][0], forms[i][1], times, forms[i][2]);
                const enum ndp_status status = rewrite(ndp_buffer_view(&text), protocol, &first);
                if (status == NDP_OK) {
                    const enum ndp_status again = rewrite(ndp_buffer_view(&first), protocol, &second);
                    if (again != NDP_OK || !ndp_bytes_is_equal(ndp_buffer_view(&first), ndp_buffer_view(&second)))
                        fail_msg("form %zu, %llu times, protocol %u", i, (unsigned long long)times, protocol);
                    ndp_buffer_clear(&second);
                    written++;
                } else {
                    assert_int_equal(status, NDP_LIMIT);
                    refused++;
                }
                ndp_buffer_clear(&first);
                ndp_buffer_clear(&text);
            }
            /* From protocol 4 on a name is one text. */
            const bool is_name = i == 2 || i == 3;
            assert_true(written > 10 && (refused > 0 || (is_name && protocol >= 4)));
        }
    }
}

static void objects_that_a_protocol_lacks_are_refused(void **state) {
    struct ndp_buffer out;
    static const char lines[] = "\x80\x04\x8c\x02m\n\x8c\x01"
                                "C\x93.";
    const struct ndp_bytes text = {(const uint8_t *)lines, sizeof(lines) - 1};
    assert_int_equal(rewrite(text, 3, &out), NDP_UNSUPPORTED);
    ndp_buffer_clear(&out);
    assert_int_equal(rewrite(text, 4, &out), NDP_OK);
    ndp_buffer_clear(&out);
    assert_int_equal(rewrite(text, 6, &out), NDP_UNSUPPORTED);
    ndp_buffer_clear(&out);
}

NDP_SUITE(pickle_write_test, NDP_TEST(pickles_equal_cpythons), NDP_TEST(names_of_python_2_are_kept_from_protocol_4),
          NDP_TEST(instances_map_names_like_globals), NDP_TEST(arguments_that_contain_their_object_are_shared),
          NDP_TEST(batches_and_frames_equal_cpythons), NDP_TEST(frames_may_end_inside_a_call),
          NDP_TEST(depth_is_bounded), NDP_TEST(depth_is_that_of_a_reader),
          NDP_TEST(objects_that_a_protocol_lacks_are_refused));
