/* mutate_frame.c: changes frames of the testee protocol: headers, tokens of the JSON part, bytes of the binary part,
 * order. Lengths are mostly corrected afterwards. */
#include "mutate/mutate.h"

#include <string.h>

#include "base/byteorder.h"
#include "form/tokens.h"
#include "target/protocol/frame.h"

enum {
    MAX_FRAMES = 16,
    MAX_CHANGES = 3,
    FRAME_LIMIT = 1 << 20,
    AT_JSON = 12,
    AT_BINARY = 16,
    MOST_BELOW = 512,
    NEAR_LIMIT = 64,
    WIDE_ONE_IN = 4
};

struct frames {
    struct ndp_frame list[MAX_FRAMES];
    uint32_t count;
};

/* Fills the complete frames at the start of the bytes; false if there are none. They borrow `parser`. */
static bool split_frames(struct ndp_frame_parser *parser, struct ndp_bytes bytes, struct frames *out) {
    bool is_ready = true;
    out->count = 0;
    if (ndp_frame_parser_add(parser, bytes) != NDP_OK) return false;
    while (is_ready && out->count < MAX_FRAMES) {
        if (ndp_frame_parser_next(parser, &out->list[out->count], &is_ready, NULL) != NDP_OK) break;
        if (is_ready) out->count++;
    }
    return out->count > 0;
}

static enum ndp_status change_json(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *json) {
    static const char *const list[] = {"{",
                                       "}",
                                       "[",
                                       "]",
                                       ",",
                                       ":",
                                       "null",
                                       "true",
                                       "false",
                                       "0",
                                       "-1",
                                       "1e3",
                                       "\"slots\"",
                                       "\"source\"",
                                       "\"result\"",
                                       "\"encoded\"",
                                       "\"observation\"",
                                       "\"elements\"",
                                       "\"refused\"",
                                       "\"unsupported\"",
                                       "\"bytes\"",
                                       "\"buffers\"",
                                       "\"flags\"",
                                       "\"shape\"",
                                       "\"strides\"",
                                       "\"dtype\"",
                                       "\"<f8\"",
                                       "\"class\"",
                                       "\"backing\"",
                                       "\"peak\"",
                                       "\"programs\"",
                                       "\"cases\"",
                                       "\"build\"",
                                       "\"observe\"",
                                       "\"decode\"",
                                       "\"value\"",
                                       "\"entries\"",
                                       "\"format\"",
                                       "\"protocol\"",
                                       "[0,8]",
                                       "[8,0]",
                                       "{}",
                                       "\"18446744073709551615\""};
    const struct fuzz_words words = {list, NDP_ARRAY_LEN(list)};
    struct fuzz_tokens *tokens = NDP_ARENA_NEW(arena, struct fuzz_tokens);
    struct ndp_buffer text = {.max_bytes = FRAME_LIMIT};
    if (!tokens) return NDP_NOMEM;
    fuzz_tokens_split(*json, tokens);
    NDP_TRY(fuzz_tokens_change(arena, choices, &words, tokens));
    const enum ndp_status status = fuzz_tokens_join(tokens, &text);
    const uint8_t *copy = status == NDP_OK ? ndp_arena_copy(arena, text.data, text.size_bytes) : NULL;
    if (copy) *json = (struct ndp_bytes){copy, text.size_bytes};
    ndp_buffer_clear(&text);
    return status == NDP_OK && !copy ? NDP_NOMEM : status;
}

/* Mostly a small number; sometimes one that uses all bytes of its field. */
static uint32_t some_number(struct ndp_choices *choices) {
    static const uint32_t wide[] = {0xff, 0x100, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000001, UINT32_MAX};
    if (!ndp_choose_rarely(choices, WIDE_ONE_IN)) return (uint32_t)ndp_choose(choices, 4);
    return wide[ndp_choose(choices, NDP_ARRAY_LEN(wide))];
}

static enum ndp_status change_frames(struct ndp_arena *arena, struct ndp_choices *choices, struct frames *frames) {
    const uint64_t at = ndp_choose(choices, frames->count), other = ndp_choose(choices, frames->count);
    struct ndp_frame *frame = &frames->list[at];
    const struct ndp_frame kept = *frame;
    switch (ndp_choose(choices, 10)) {
    case 0:
        frame->index = (uint16_t)some_number(choices);
        return NDP_OK;
    case 1:
        frame->sequence = some_number(choices);
        return NDP_OK;
    case 2:
        frame->type = (enum ndp_frame_type)(1 + ndp_choose(choices, 5));
        return NDP_OK;
    case 3:
        if (frames->count < MAX_FRAMES) frames->list[frames->count++] = kept;
        return NDP_OK;
    case 4:
        *frame = frames->list[other];
        frames->list[other] = kept;
        return NDP_OK;
    case 5:
        if (frame->binary.size_bytes > 0) frame->binary.size_bytes = ndp_choose(choices, frame->binary.size_bytes);
        return NDP_OK;
    default:
        return change_json(arena, choices, &frame->json);
    }
}

/* Corrupts a header: a bit, or a size near the limit or near the maximum of its field, which overflows when something
 * is added. The offsets are those of testees/README.md. */
static void corrupt_header(struct ndp_choices *choices, uint8_t *header) {
    const uint64_t said = FRAME_LIMIT - NDP_FRAME_HEADER_BYTES - ndp_load_u32le(header + AT_JSON);
    switch (ndp_choose(choices, 4)) {
    case 3:
        ndp_store_u64le(header + AT_BINARY, said + ndp_choose(choices, NEAR_LIMIT) - NEAR_LIMIT / 2);
        break;
    case 0:
        header[ndp_choose(choices, NDP_FRAME_HEADER_BYTES)] ^= (uint8_t)(1u << ndp_choose(choices, 8));
        break;
    case 1:
        ndp_store_u32le(header + AT_JSON, UINT32_MAX - (uint32_t)ndp_choose(choices, MOST_BELOW));
        break;
    default:
        ndp_store_u64le(header + AT_BINARY, UINT64_MAX - ndp_choose(choices, MOST_BELOW));
        break;
    }
}

static enum ndp_status join_frames(struct ndp_choices *choices, const struct frames *frames, struct ndp_buffer *out) {
    for (uint32_t i = 0; i < frames->count; i++) {
        const struct ndp_frame *frame = &frames->list[i];
        uint64_t at;
        NDP_TRY(ndp_frame_start(out, frame->type, frame->index, frame->sequence, &at));
        NDP_TRY(ndp_buffer_add(out, frame->json.data, frame->json.size_bytes));
        NDP_TRY(ndp_frame_end_json(out, at));
        NDP_TRY(ndp_buffer_add(out, frame->binary.data, frame->binary.size_bytes));
        ndp_frame_end(out, at);
        if (ndp_choose_rarely(choices, 24)) corrupt_header(choices, out->data + at);
    }
    return NDP_OK;
}

enum ndp_status fuzz_mutate_frame(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                  struct ndp_buffer *out) {
    struct ndp_frame_parser parser;
    struct frames frames;
    ndp_frame_parser_init(&parser, FRAME_LIMIT);
    enum ndp_status status = split_frames(&parser, text, &frames) ? NDP_OK : NDP_INVALID;
    for (uint64_t left = 1 + ndp_choose(choices, MAX_CHANGES); left > 0 && status == NDP_OK; left--)
        status = change_frames(arena, choices, &frames);
    if (status == NDP_OK) status = join_frames(choices, &frames, out);
    ndp_frame_parser_clear(&parser);
    return status;
}

enum ndp_status fuzz_cross_frame(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes first,
                                 struct ndp_bytes second, struct ndp_buffer *out) {
    struct ndp_frame_parser parsers[2];
    struct frames frames[2];
    (void)arena;
    for (int i = 0; i < 2; i++) ndp_frame_parser_init(&parsers[i], FRAME_LIMIT);
    const bool is_split = split_frames(&parsers[0], first, &frames[0]) && split_frames(&parsers[1], second, &frames[1]);
    enum ndp_status status = is_split ? NDP_OK : NDP_INVALID;
    if (is_split) {
        struct ndp_frame *into = &frames[0].list[ndp_choose(choices, frames[0].count)];
        const struct ndp_frame *from = &frames[1].list[ndp_choose(choices, frames[1].count)];
        switch (ndp_choose(choices, 3)) {
        case 0:
            into->json = from->json;
            break;
        case 1:
            into->binary = from->binary;
            break;
        default:
            *into = *from;
            break;
        }
        status = join_frames(choices, &frames[0], out);
    }
    for (int i = 0; i < 2; i++) ndp_frame_parser_clear(&parsers[i]);
    return status;
}
