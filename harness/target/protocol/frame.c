#include "target/protocol/frame.h"

#include "base/byteorder.h"
#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

/* Offsets in the header. */
enum { AT_TYPE = 4, AT_RESERVED = 5, AT_INDEX = 6, AT_SEQUENCE = 8, AT_JSON = 12, AT_BINARY = 16 };

/* A parser that has received little allocates little, and one small frame needs no large block. */
enum { FIRST_ROOM_BYTES = 1 << 11, SMALLEST_ROOM_BYTES = 1 << 16, LITTLE_BYTES = 1 << 14 };

static const uint8_t magic[4] = {'N', 'D', 'P', '1'};

const char *ndp_frame_name(enum ndp_frame_type type) {
    switch (type) {
#define NAME_CASE(name, number, text)                                                                                  \
    case NDP_FRAME_##name:                                                                                             \
        return text;
        NDP_FRAME_LIST(NAME_CASE)
    }
    return "frame";
}

static bool type_is_known(uint8_t number) {
#define NUMBER_IS(name, value, text)                                                                                   \
    if (number == (value)) return true;
    NDP_FRAME_LIST(NUMBER_IS)
    return false;
}

enum ndp_status ndp_frame_start(struct ndp_buffer *out, enum ndp_frame_type type, uint16_t index, uint32_t sequence,
                                uint64_t *at_bytes) {
    const uint64_t at = out->size_bytes;
    uint8_t *header;
    NDP_TRY(ndp_buffer_extend(out, NDP_FRAME_HEADER_BYTES, &header));
    memcpy(header, magic, sizeof magic);
    header[AT_TYPE] = (uint8_t)type;
    ndp_store_u16le(header + AT_INDEX, index);
    ndp_store_u32le(header + AT_SEQUENCE, sequence);
    *at_bytes = at;
    return NDP_OK;
}

enum ndp_status ndp_frame_end_json(struct ndp_buffer *out, uint64_t at_bytes) {
    const uint64_t json_bytes = out->size_bytes - at_bytes - NDP_FRAME_HEADER_BYTES;
    if (json_bytes > UINT32_MAX) return NDP_LIMIT;
    ndp_store_u32le(out->data + at_bytes + AT_JSON, (uint32_t)json_bytes);
    return NDP_OK;
}

void ndp_frame_end(struct ndp_buffer *out, uint64_t at_bytes) {
    uint8_t *header = out->data + at_bytes;
    const uint64_t parts_bytes = out->size_bytes - at_bytes - NDP_FRAME_HEADER_BYTES;
    ndp_store_u64le(header + AT_BINARY, parts_bytes - ndp_load_u32le(header + AT_JSON));
}

void ndp_frame_parser_init(struct ndp_frame_parser *parser, uint64_t max_frame_bytes) {
    *parser = (struct ndp_frame_parser){.max_bytes = max_frame_bytes};
}

void ndp_frame_parser_clear(struct ndp_frame_parser *parser) {
    free(parser->data);
    ndp_frame_parser_init(parser, parser->max_bytes);
}

/* Moves the unconsumed bytes to the front, so that consumed ones do not make the buffer grow. */
static void compact(struct ndp_frame_parser *parser) {
    if (parser->start_bytes == 0) return;
    const uint64_t left_bytes = parser->end_bytes - parser->start_bytes;
    if (left_bytes > 0) memmove(parser->data, parser->data + parser->start_bytes, (size_t)left_bytes);
    parser->start_bytes = 0;
    parser->end_bytes = left_bytes;
}

enum ndp_status ndp_frame_parser_room(struct ndp_frame_parser *parser, uint8_t **room, uint64_t *room_bytes) {
    compact(parser);
    const bool is_little = parser->consumed_bytes + parser->end_bytes < LITTLE_BYTES;
    const uint64_t smallest_bytes = is_little ? FIRST_ROOM_BYTES : SMALLEST_ROOM_BYTES;
    if (parser->capacity_bytes - parser->end_bytes < smallest_bytes) {
        /* Growing by what has arrived, never by what a header promises, bounds the cost of a false length. */
        uint64_t capacity_bytes;
        if (!ndp_checked_mul_u64(parser->end_bytes, 2, &capacity_bytes)) return NDP_NOMEM;
        if (capacity_bytes < 2 * smallest_bytes) capacity_bytes = 2 * smallest_bytes;
        if (capacity_bytes > SIZE_MAX) return NDP_NOMEM;
        uint8_t *data = realloc(parser->data, (size_t)capacity_bytes);
        if (!data) return NDP_NOMEM;
        parser->data = data;
        parser->capacity_bytes = capacity_bytes;
    }
    *room = parser->data + parser->end_bytes;
    *room_bytes = parser->capacity_bytes - parser->end_bytes;
    return NDP_OK;
}

void ndp_frame_parser_filled(struct ndp_frame_parser *parser, uint64_t size_bytes) {
    parser->end_bytes += size_bytes;
}

enum ndp_status ndp_frame_parser_add(struct ndp_frame_parser *parser, struct ndp_bytes bytes) {
    while (bytes.size_bytes > 0) {
        uint8_t *room;
        uint64_t room_bytes;
        NDP_TRY(ndp_frame_parser_room(parser, &room, &room_bytes));
        const uint64_t piece_bytes = bytes.size_bytes < room_bytes ? bytes.size_bytes : room_bytes;
        memcpy(room, bytes.data, (size_t)piece_bytes);
        ndp_frame_parser_filled(parser, piece_bytes);
        bytes.data += piece_bytes;
        bytes.size_bytes -= piece_bytes;
    }
    return NDP_OK;
}

/* Checks the part of a header that has arrived, so that stray text is refused at its first wrong byte. */
static enum ndp_status check_start(const uint8_t *header, uint64_t size_bytes, uint64_t offset_bytes,
                                   struct ndp_error *error) {
    const uint64_t magic_bytes = size_bytes < sizeof magic ? size_bytes : sizeof magic;
    for (uint64_t i = 0; i < magic_bytes; i++) {
        if (header[i] != magic[i])
            return ndp_error_set(error, NDP_INVALID, offset_bytes + i, "no frame: byte 0x%02x in the magic", header[i]);
    }
    if (size_bytes > AT_TYPE && !type_is_known(header[AT_TYPE]))
        return ndp_error_set(error, NDP_INVALID, offset_bytes + AT_TYPE, "unknown frame type %u", header[AT_TYPE]);
    if (size_bytes > AT_RESERVED && header[AT_RESERVED] != 0)
        return ndp_error_set(error, NDP_INVALID, offset_bytes + AT_RESERVED, "reserved byte is %u, expected 0",
                             header[AT_RESERVED]);
    return NDP_OK;
}

enum ndp_status ndp_frame_parser_next(struct ndp_frame_parser *parser, struct ndp_frame *out, bool *is_ready,
                                      struct ndp_error *error) {
    const uint64_t left_bytes = parser->end_bytes - parser->start_bytes;
    const uint8_t *header = left_bytes > 0 ? parser->data + parser->start_bytes : NULL;
    NDP_TRY(check_start(header, left_bytes, parser->consumed_bytes, error));
    *is_ready = false;
    if (left_bytes < NDP_FRAME_HEADER_BYTES) return NDP_OK;

    const uint64_t json_bytes = ndp_load_u32le(header + AT_JSON);
    const uint64_t binary_bytes = ndp_load_u64le(header + AT_BINARY);
    uint64_t size_bytes;
    if (!ndp_checked_add_u64(NDP_FRAME_HEADER_BYTES + json_bytes, binary_bytes, &size_bytes) ||
        size_bytes > parser->max_bytes)
        return ndp_error_set(error, NDP_LIMIT, parser->consumed_bytes + AT_JSON,
                             "%s of %llu + %llu bytes is over the limit of %llu",
                             ndp_frame_name((enum ndp_frame_type)header[AT_TYPE]), (unsigned long long)json_bytes,
                             (unsigned long long)binary_bytes, (unsigned long long)parser->max_bytes);
    if (left_bytes < size_bytes) return NDP_OK;

    *out = (struct ndp_frame){
        .type = (enum ndp_frame_type)header[AT_TYPE],
        .index = ndp_load_u16le(header + AT_INDEX),
        .sequence = ndp_load_u32le(header + AT_SEQUENCE),
        .json = {header + NDP_FRAME_HEADER_BYTES, json_bytes},
        .binary = {header + NDP_FRAME_HEADER_BYTES + json_bytes, binary_bytes},
    };
    parser->start_bytes += size_bytes;
    parser->consumed_bytes += size_bytes;
    *is_ready = true;
    return NDP_OK;
}

uint64_t ndp_frame_parser_waiting(const struct ndp_frame_parser *parser) {
    return parser->end_bytes - parser->start_bytes;
}
