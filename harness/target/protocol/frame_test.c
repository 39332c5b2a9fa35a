#include "base/rng.h"
#include "base/suite.h"
#include "target/protocol/frame.h"

/* Frames written by hand from the table in harness/testees/README.md, not by our writer. */
static const uint8_t end_frame[] = {'N', 'D', 'P', '1', 4, 0, 0x02, 0x01, 0x78, 0x56, 0x34, 0x12, 2,   0,  0,
                                    0,   3,   0,   0,   0, 0, 0,    0,    0,    '{',  '}',  'a',  'b', 'c'};
static const uint8_t begin_frame[] = {'N', 'D', 'P', '1', 3, 0, 5, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

enum { LIMIT_BYTES = 4096 };

static void assert_is_end_frame(const struct ndp_frame *frame) {
    assert_int_equal(frame->type, NDP_FRAME_END);
    assert_int_equal(frame->index, 0x0102);
    assert_int_equal(frame->sequence, 0x12345678);
    assert_true(ndp_bytes_is_equal(frame->json, ndp_bytes_view("{}")));
    assert_true(ndp_bytes_is_equal(frame->binary, ndp_bytes_view("abc")));
}

static void writes_the_documented_layout(void **state) {
    uint64_t at;
    NDP_BUFFER_SCOPED(out, LIMIT_BYTES);
    assert_int_equal(ndp_buffer_add(&out, "before", 6), NDP_OK);
    assert_int_equal(ndp_frame_start(&out, NDP_FRAME_END, 0x0102, 0x12345678, &at), NDP_OK);
    assert_int_equal(ndp_buffer_add(&out, "{}", 2), NDP_OK);
    assert_int_equal(ndp_frame_end_json(&out, at), NDP_OK);
    assert_int_equal(ndp_buffer_add(&out, "abc", 3), NDP_OK);
    ndp_frame_end(&out, at);
    assert_int_equal(out.size_bytes, 6 + sizeof end_frame);
    assert_memory_equal(out.data + 6, end_frame, sizeof end_frame);
}

/* Three frames, cut into pieces of every size. */
static void reads_pieces_of_any_size(void **state) {
    uint8_t stream[sizeof end_frame * 2 + sizeof begin_frame];
    memcpy(stream, end_frame, sizeof end_frame);
    memcpy(stream + sizeof end_frame, begin_frame, sizeof begin_frame);
    memcpy(stream + sizeof end_frame + sizeof begin_frame, end_frame, sizeof end_frame);
    for (uint64_t piece = 1; piece <= sizeof stream; piece++) {
        struct ndp_frame_parser parser;
        uint32_t frames = 0;
        ndp_frame_parser_init(&parser, LIMIT_BYTES);
        for (uint64_t at = 0; at < sizeof stream; at += piece) {
            const uint64_t left = sizeof stream - at;
            struct ndp_frame frame;
            bool is_ready;
            assert_int_equal(
                ndp_frame_parser_add(&parser, (struct ndp_bytes){stream + at, piece < left ? piece : left}), NDP_OK);
            for (;;) {
                assert_int_equal(ndp_frame_parser_next(&parser, &frame, &is_ready, NULL), NDP_OK);
                if (!is_ready) break;
                if (frames != 1) assert_is_end_frame(&frame);
                if (frames == 1) {
                    assert_int_equal(frame.type, NDP_FRAME_BEGIN);
                    assert_int_equal(frame.index, 5);
                    assert_int_equal(frame.sequence, 9);
                    assert_int_equal(frame.json.size_bytes + frame.binary.size_bytes, 0);
                }
                frames++;
            }
        }
        assert_int_equal(frames, 3);
        assert_int_equal(ndp_frame_parser_waiting(&parser), 0);
        ndp_frame_parser_clear(&parser);
    }
}

/* offset in end_frame, new byte, status, offset of the error in a stream after one valid frame */
static const struct {
    uint64_t at;
    uint8_t byte;
    enum ndp_status status;
    uint64_t offset_bytes;
} spoilt[] = {
    {0, 'n', NDP_INVALID, 0}, {3, '2', NDP_INVALID, 3},  {4, 0, NDP_INVALID, 4},    {4, 5, NDP_INVALID, 4},
    {5, 1, NDP_INVALID, 5},   {13, 0x10, NDP_LIMIT, 12}, {15, 0xff, NDP_LIMIT, 12}, {17, 0x10, NDP_LIMIT, 12},
    {20, 1, NDP_LIMIT, 12},   {23, 0xff, NDP_LIMIT, 12},
};

static void refuses_a_wrong_header(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(spoilt); i++) {
        struct ndp_frame_parser parser;
        struct ndp_frame frame;
        struct ndp_error error = {.status = NDP_OK};
        uint8_t bytes[sizeof end_frame];
        bool is_ready;
        memcpy(bytes, end_frame, sizeof bytes);
        bytes[spoilt[i].at] = spoilt[i].byte;
        ndp_frame_parser_init(&parser, LIMIT_BYTES);
        assert_int_equal(ndp_frame_parser_add(&parser, (struct ndp_bytes){end_frame, sizeof end_frame}), NDP_OK);
        assert_int_equal(ndp_frame_parser_add(&parser, (struct ndp_bytes){bytes, sizeof bytes}), NDP_OK);
        assert_int_equal(ndp_frame_parser_next(&parser, &frame, &is_ready, &error), NDP_OK);
        assert_true(is_ready);
        /* A second call returns the same error. */
        for (int again = 0; again < 2; again++) {
            assert_int_equal(ndp_frame_parser_next(&parser, &frame, &is_ready, &error), spoilt[i].status);
            assert_int_equal(error.offset_bytes, sizeof end_frame + spoilt[i].offset_bytes);
        }
        ndp_frame_parser_clear(&parser);
    }
}

/* Text on the channel is refused at its first wrong byte, before 24 bytes have arrived. */
static void refuses_text_at_once(void **state) {
    struct ndp_frame_parser parser;
    struct ndp_frame frame;
    struct ndp_error error = {.status = NDP_OK};
    bool is_ready;
    ndp_frame_parser_init(&parser, LIMIT_BYTES);
    assert_int_equal(ndp_frame_parser_add(&parser, ndp_bytes_view("No")), NDP_OK);
    assert_int_equal(ndp_frame_parser_next(&parser, &frame, &is_ready, &error), NDP_INVALID);
    assert_int_equal(error.offset_bytes, 1);
    ndp_frame_parser_clear(&parser);
}

/* The largest allowed frame, and one that is a byte larger. */
static void keeps_to_the_limit(void **state) {
    for (uint64_t over = 0; over < 2; over++) {
        struct ndp_frame_parser parser;
        struct ndp_frame frame;
        bool is_ready = false;
        ndp_frame_parser_init(&parser, sizeof end_frame - over);
        assert_int_equal(ndp_frame_parser_add(&parser, (struct ndp_bytes){end_frame, sizeof end_frame}), NDP_OK);
        assert_int_equal(ndp_frame_parser_next(&parser, &frame, &is_ready, NULL), over ? NDP_LIMIT : NDP_OK);
        if (!over) assert_true(is_ready);
        ndp_frame_parser_clear(&parser);
    }
}

/* A header that promises nearly the maximum costs only what has arrived. */
static void allocates_by_what_arrived(void **state) {
    struct ndp_frame_parser parser;
    struct ndp_frame frame;
    uint8_t header[NDP_FRAME_HEADER_BYTES];
    bool is_ready;
    memcpy(header, end_frame, sizeof header);
    header[19] = 0x70; /* 0x70000003 bytes */
    ndp_frame_parser_init(&parser, UINT64_C(1) << 40);
    assert_int_equal(ndp_frame_parser_add(&parser, (struct ndp_bytes){header, sizeof header}), NDP_OK);
    assert_int_equal(ndp_frame_parser_next(&parser, &frame, &is_ready, NULL), NDP_OK);
    assert_false(is_ready);
    assert_true(parser.capacity_bytes <= 1 << 18);
    ndp_frame_parser_clear(&parser);
}

/* Corrupts one to four bytes of a stream, or cuts it, and feeds it in random pieces. Every parsed frame lies inside the
 * input; sanitizers detect the rest. */
static void survives_mutations(void **state) {
    enum { ROUNDS = 20000 };
    struct ndp_rng rng;
    uint64_t frames = 0, refusals = 0;
    ndp_rng_init(&rng, 20261121);
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t stream[sizeof end_frame + sizeof begin_frame];
        struct ndp_frame_parser parser;
        enum ndp_status status = NDP_OK;
        memcpy(stream, begin_frame, sizeof begin_frame);
        memcpy(stream + sizeof begin_frame, end_frame, sizeof end_frame);
        for (uint64_t i = ndp_rng_next(&rng) % 4; i < 4; i++)
            stream[ndp_rng_next(&rng) % sizeof stream] ^= (uint8_t)(1 << ndp_rng_next(&rng) % 8);
        const uint64_t size = round % 3 ? sizeof stream : ndp_rng_next(&rng) % sizeof stream;
        ndp_frame_parser_init(&parser, LIMIT_BYTES);
        for (uint64_t at = 0; at < size && status == NDP_OK;) {
            uint64_t piece = 1 + ndp_rng_next(&rng) % sizeof stream;
            if (piece > size - at) piece = size - at;
            /* A copy of exact size, so that sanitizers detect reads past its end. */
            uint8_t *copy = malloc((size_t)piece);
            assert_non_null(copy);
            memcpy(copy, stream + at, (size_t)piece);
            assert_int_equal(ndp_frame_parser_add(&parser, (struct ndp_bytes){copy, piece}), NDP_OK);
            free(copy);
            at += piece;
            for (bool is_ready = true; is_ready && status == NDP_OK;) {
                struct ndp_frame frame = {.index = 0};
                is_ready = false;
                status = ndp_frame_parser_next(&parser, &frame, &is_ready, NULL);
                if (!is_ready) continue;
                frames++;
                assert_true(frame.json.data >= parser.data);
                assert_true(frame.binary.data + frame.binary.size_bytes <= parser.data + parser.end_bytes);
            }
        }
        refusals += status != NDP_OK;
        ndp_frame_parser_clear(&parser);
    }
    /* The test is meaningful only with both valid and refused frames. */
    assert_true(frames > ROUNDS / 10);
    assert_true(refusals > ROUNDS / 10);
}

static void names_every_type(void **state) {
    assert_string_equal(ndp_frame_name(NDP_FRAME_HELLO), "HELLO");
    assert_string_equal(ndp_frame_name(NDP_FRAME_END), "END");
    assert_string_equal(ndp_frame_name((enum ndp_frame_type)77), "frame");
}

static void appends_nothing_past_the_maximum(void **state) {
    uint64_t at;
    NDP_BUFFER_SCOPED(out, NDP_FRAME_HEADER_BYTES - 1);
    assert_int_equal(ndp_frame_start(&out, NDP_FRAME_BEGIN, 0, 1, &at), NDP_LIMIT);
    assert_int_equal(out.size_bytes, 0);
}

NDP_SUITE(frame_test, NDP_TEST(writes_the_documented_layout), NDP_TEST(reads_pieces_of_any_size),
          NDP_TEST(refuses_a_wrong_header), NDP_TEST(refuses_text_at_once), NDP_TEST(keeps_to_the_limit),
          NDP_TEST(allocates_by_what_arrived), NDP_TEST(survives_mutations), NDP_TEST(names_every_type),
          NDP_TEST(appends_nothing_past_the_maximum));
