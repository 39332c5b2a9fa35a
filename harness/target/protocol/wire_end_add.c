/* wire_end_add.c: writes BEGIN and END frames, for a testee in C. */
#include "target/protocol/wire.h"

#include "describe/dtype_json.h"
#include "describe/graph_json.h"
#include "describe/json_write.h"
#include "target/protocol/wire_json.h"

#include <string.h>

#define MAX_PIECES_BYTES (UINT64_C(1) << 24)

/* The pieces of the binary part, in the order of the JSON part. */
struct pieces {
    struct ndp_buffer list; /* of struct ndp_bytes */
    uint64_t size_bytes;
};

static enum ndp_status add_piece(struct ndp_buffer *out, struct pieces *pieces, struct ndp_bytes piece) {
    NDP_TRY(ndp_buffer_add(&pieces->list, &piece, sizeof piece));
    return ndp_wire_json_add_piece(out, piece, &pieces->size_bytes);
}

static enum ndp_status add_pieces(struct ndp_buffer *out, const struct pieces *pieces) {
    struct ndp_bytes piece;
    for (uint64_t at = 0; at < pieces->list.size_bytes; at += sizeof piece) {
        memcpy(&piece, pieces->list.data + at, sizeof piece);
        NDP_TRY(ndp_buffer_add(out, piece.data, piece.size_bytes));
    }
    return NDP_OK;
}

static enum ndp_status add_flags(struct ndp_buffer *out, uint32_t flags) {
    char letters[NDP_FLAG_COUNT + 1];
    size_t at = 0;
#define ADD_FLAG(name, letter, word)                                                                                   \
    if (flags & NDP_FLAG_##name) letters[at++] = letter;
    NDP_FLAG_LIST(ADD_FLAG)
#undef ADD_FLAG
    letters[at] = '\0';
    return ndp_wire_json_add_string(out, letters);
}

static enum ndp_status add_backing(struct ndp_buffer *out, const struct ndp_backing *backing) {
    NDP_TRY(ndp_wire_json_add(out, backing->is_map_class ? ",\"backing\":{\"class\":true"
                                                         : ",\"backing\":{\"class\":false"));
    NDP_TRY(ndp_wire_json_add(out, backing->is_mapped ? ",\"mapped\":true" : ",\"mapped\":false"));
    NDP_TRY(ndp_wire_json_add(out, ",\"claims\":"));
    NDP_TRY(ndp_wire_json_add_string(out, ndp_wire_claims_words[backing->claims]));
    if (backing->has_mode) {
        NDP_TRY(ndp_wire_json_add(out, ",\"mode\":"));
        NDP_TRY(ndp_wire_json_add_string(out, ndp_map_mode_words[backing->mode]));
    }
    if (backing->has_offset) {
        NDP_TRY(ndp_wire_json_add(out, ",\"offset\":"));
        NDP_TRY(ndp_wire_json_add_u64(out, backing->offset_bytes));
    }
    if (backing->has_position) {
        NDP_TRY(ndp_wire_json_add(out, ",\"position\":"));
        NDP_TRY(ndp_wire_json_add_u64(out, backing->position_bytes));
    }
    return ndp_wire_json_add(out, "}");
}

static enum ndp_status add_observation(struct ndp_buffer *out, struct pieces *pieces,
                                       const struct ndp_observation *seen) {
    NDP_TRY(ndp_wire_json_add(out, "{\"class\":"));
    NDP_TRY(ndp_json_add_text(out, seen->class_name));
    NDP_TRY(ndp_wire_json_add(out, ",\"dtype\":"));
    NDP_TRY(ndp_dtype_print(out, seen->dtype));
    NDP_TRY(ndp_wire_json_add(out, ",\"shape\":"));
    NDP_TRY(ndp_wire_json_add_extents(out, seen->shape, seen->ndim));
    NDP_TRY(ndp_wire_json_add(out, ",\"strides\":"));
    NDP_TRY(ndp_wire_json_add_extents(out, seen->strides_bytes, seen->ndim));
    NDP_TRY(ndp_wire_json_add(out, ",\"flags\":"));
    NDP_TRY(add_flags(out, seen->flags));
    NDP_TRY(ndp_wire_json_add(out, ",\"elements\":"));
    NDP_TRY(add_piece(out, pieces, seen->elements));
    const struct ndp_backing *backing = &seen->backing;
    if (backing->is_map_class || backing->is_mapped || backing->claims != NDP_BACKING_NONE || backing->has_mode ||
        backing->has_offset)
        NDP_TRY(add_backing(out, backing));
    return ndp_wire_json_add(out, "}");
}

/* The shared state of printing an array inside a graph. */
struct member_printer {
    struct pieces *pieces;
    enum ndp_status status;
};

static cJSON *print_member(void *context, const struct ndp_node *node) {
    struct member_printer *printer = context;
    cJSON *raw = NULL;
    NDP_BUFFER_SCOPED(text, UINT32_MAX);
    enum ndp_status status = add_observation(&text, printer->pieces, &node->observation);
    if (status == NDP_OK) status = ndp_buffer_add(&text, "", 1);
    if (status == NDP_OK) raw = cJSON_CreateRaw((const char *)text.data);
    if (status != NDP_OK) printer->status = status;
    return raw;
}

static enum ndp_status add_graph(struct ndp_buffer *out, struct pieces *pieces, const struct ndp_graph *graph) {
    struct member_printer printer = {pieces, NDP_NOMEM};
    NDP_TRY(ndp_wire_json_add(out, "{\"graph\":"));
    cJSON *tree = ndp_graph_observed_to_json(graph, print_member, &printer);
    if (tree == NULL) return printer.status;
    NDP_TRY(ndp_json_print(out, tree));
    return ndp_wire_json_add(out, "}");
}

static enum ndp_status add_dict(struct ndp_buffer *out, struct pieces *pieces,
                                const struct ndp_dict_observation *seen) {
    NDP_TRY(ndp_wire_json_add(out, "{\"dict\":{\"rounds\":["));
    for (uint32_t i = 0; i < seen->round_count; i++) {
        if (i > 0) NDP_TRY(ndp_wire_json_add(out, ","));
        NDP_TRY(add_piece(out, pieces, seen->rounds[i]));
    }
    NDP_TRY(ndp_wire_json_add(out, "],\"error\":"));
    NDP_TRY(ndp_wire_json_add_string(out, seen->error));
    return ndp_wire_json_add(out, "}}");
}

static enum ndp_status add_seen(struct ndp_buffer *out, struct pieces *pieces, const struct ndp_slot_record *record) {
    if (record->graph) return add_graph(out, pieces, record->graph);
    return record->dict ? add_dict(out, pieces, record->dict) : add_observation(out, pieces, &record->observation);
}

static enum ndp_status add_bytes(struct ndp_buffer *out, struct pieces *pieces, const struct ndp_slot_record *record) {
    NDP_TRY(ndp_wire_json_add(out, "\"bytes\":"));
    NDP_TRY(add_piece(out, pieces, record->bytes));
    if (record->buffer_count == 0) return NDP_OK;
    NDP_TRY(ndp_wire_json_add(out, ",\"buffers\":["));
    for (uint32_t i = 0; i < record->buffer_count; i++) {
        if (i > 0) NDP_TRY(ndp_wire_json_add(out, ","));
        NDP_TRY(add_piece(out, pieces, record->buffers[i]));
    }
    return ndp_wire_json_add(out, "]");
}

static enum ndp_status add_refusal(struct ndp_buffer *out, const struct ndp_slot_record *record) {
    NDP_TRY(ndp_wire_json_add(out, record->state == NDP_SLOT_REFUSED ? "\"refused\":{\"reason\":"
                                                                     : "\"unsupported\":{\"reason\":"));
    NDP_TRY(ndp_wire_json_add_string(out, ndp_refusal_words[record->refusal.reason]));
    NDP_TRY(ndp_wire_json_add(out, ",\"type\":"));
    NDP_TRY(ndp_wire_json_add_string(out, record->refusal.type));
    NDP_TRY(ndp_wire_json_add(out, ",\"message\":"));
    NDP_TRY(ndp_wire_json_add_string(out, record->refusal.message));
    return ndp_wire_json_add(out, "}");
}

static enum ndp_status add_record(struct ndp_buffer *out, struct pieces *pieces, enum ndp_slot slot,
                                  const struct ndp_slot_record *record) {
    const char *comma = "";
    NDP_TRY(ndp_wire_json_add_string(out, ndp_slot_words[slot]));
    NDP_TRY(ndp_wire_json_add(out, ":{"));
    if (record->state == NDP_SLOT_REFUSED || record->state == NDP_SLOT_UNSUPPORTED) {
        NDP_TRY(add_refusal(out, record));
        return ndp_wire_json_add(out, "}");
    }
    if (record->has_observation || record->graph || record->dict) {
        NDP_TRY(ndp_wire_json_add(out, "\"observation\":"));
        NDP_TRY(add_seen(out, pieces, record));
        comma = ",";
    }
    if (record->has_bytes) {
        NDP_TRY(ndp_wire_json_add(out, comma));
        NDP_TRY(add_bytes(out, pieces, record));
        comma = ",";
    }
    if (record->has_peak) {
        NDP_TRY(ndp_wire_json_add(out, comma));
        NDP_TRY(ndp_wire_json_add(out, "\"peak\":"));
        NDP_TRY(ndp_wire_json_add_u64(out, record->peak_bytes));
    }
    return ndp_wire_json_add(out, "}");
}

static enum ndp_status add_end(struct ndp_buffer *out, uint32_t sequence, uint16_t index,
                               const struct ndp_outcome *outcome, struct pieces *pieces) {
    uint64_t at_bytes;
    const char *comma = "";
    NDP_TRY(ndp_frame_start(out, NDP_FRAME_END, index, sequence, &at_bytes));
    NDP_TRY(ndp_wire_json_add(out, "{\"slots\":{"));
    for (uint32_t slot = NDP_SLOT_NONE + 1; slot < NDP_SLOT_COUNT; slot++) {
        if (outcome->slots[slot].state == NDP_SLOT_ABSENT) continue;
        NDP_TRY(ndp_wire_json_add(out, comma));
        NDP_TRY(add_record(out, pieces, (enum ndp_slot)slot, &outcome->slots[slot]));
        comma = ",";
    }
    NDP_TRY(ndp_wire_json_add(out, "}}"));
    NDP_TRY(ndp_frame_end_json(out, at_bytes));
    NDP_TRY(add_pieces(out, pieces));
    ndp_frame_end(out, at_bytes);
    return NDP_OK;
}

enum ndp_status ndp_wire_add_end(struct ndp_buffer *out, uint32_t sequence, uint16_t index,
                                 const struct ndp_outcome *outcome) {
    const uint64_t before_bytes = out->size_bytes;
    struct pieces pieces = {.size_bytes = 0};
    ndp_buffer_init(&pieces.list, MAX_PIECES_BYTES);
    const enum ndp_status status = add_end(out, sequence, index, outcome, &pieces);
    ndp_buffer_clear(&pieces.list);
    if (status != NDP_OK) out->size_bytes = before_bytes;
    return status;
}

enum ndp_status ndp_wire_add_begin(struct ndp_buffer *out, uint32_t sequence, uint16_t index) {
    uint64_t at_bytes;
    return ndp_frame_start(out, NDP_FRAME_BEGIN, index, sequence, &at_bytes);
}
