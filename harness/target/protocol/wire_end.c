/* Reads END frames, for ndproof.
 *
 * Problem: a testee may be wrong or malicious, so an answer must be checked completely before any of it is compared.
 *
 * Method: the program determines which records each slot may and must contain. Every length, offset and shape is
 * checked against the binary part. Pieces that several slots share are copied once (a ring of recent pieces finds
 * them), so an answer takes no more memory than its frame.
 *
 * Cost: linear in the frame. Limits: those of ndp_wire_json_limits.
 */
#include "target/protocol/wire.h"

#include "base/checked.h"
#include "base/words.h"
#include "describe/dtype_json.h"
#include "describe/graph_json.h"
#include "target/protocol/wire_json.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CLASS_NAME_BYTES = 256, SHARED_PIECES = 8 };

/* The records that the answer to a program may contain: masks of slots. */
struct allowed {
    uint32_t any;
    uint32_t observation;
    uint32_t bytes;
    uint32_t peak;
};

static struct allowed allowed_by(const struct ndp_program *program) {
    struct allowed allowed = {0};
    for (uint32_t i = 0; i < program->step_count; i++) {
        const struct ndp_step *step = &program->steps[i];
        const uint32_t slot = UINT32_C(1) << step->to;
        allowed.any |= slot;
        if (step->op == NDP_STEP_OBSERVE) allowed.observation |= slot;
        if (step->op == NDP_STEP_FETCH) allowed.bytes |= slot;
        if (step->op == NDP_STEP_SIZE) allowed.peak |= slot;
    }
    return allowed;
}

/* The state of reading one END. `shared` is a ring of recent pieces: slots with the same value name the same piece,
 * which is then copied once. */
struct end_reader {
    struct ndp_json_reader json;
    struct ndp_bytes binary;
    struct {
        const uint8_t *data;
        struct ndp_bytes copy;
    } shared[SHARED_PIECES];
    uint32_t kept;
    const struct ndp_target_info *info;
    bool wants_graph;
    bool wants_dict;
};

static enum ndp_status read_observation(struct end_reader *reader, const cJSON *object, struct ndp_observation *out);

static enum ndp_status keep_bytes(struct end_reader *reader, const cJSON *item, struct ndp_bytes *out) {
    struct ndp_bytes piece;
    NDP_TRY(ndp_wire_json_piece(&reader->json, item, reader->binary, &piece));
    for (uint32_t i = 0; i < SHARED_PIECES && i < reader->kept; i++) {
        *out = reader->shared[i].copy;
        if (reader->shared[i].data == piece.data && out->size_bytes == piece.size_bytes) return NDP_OK;
    }
    const uint8_t *copy = ndp_arena_copy(reader->json.arena, piece.data, piece.size_bytes);
    if (!copy) return ndp_json_blame(&reader->json, item, NDP_NOMEM, "out of memory");
    *out = (struct ndp_bytes){copy, piece.size_bytes};
    const uint32_t place = reader->kept++ % SHARED_PIECES;
    reader->shared[place].data = piece.data;
    reader->shared[place].copy = *out;
    return NDP_OK;
}

static enum ndp_status read_flags(struct end_reader *reader, const cJSON *item, uint32_t *out) {
    static const char letters[] = {NDP_FLAG_LIST(NDP_WORD_ITEM)};
    uint32_t flags = 0;
    if (!cJSON_IsString(item)) return ndp_json_blame(&reader->json, item, NDP_INVALID, "expected a string");
    for (const char *at = item->valuestring; *at; at++) {
        const char *letter = memchr(letters, *at, sizeof letters);
        const uint32_t flag = letter ? UINT32_C(1) << (letter - letters) : 0;
        if (flag == 0 || flags & flag)
            return ndp_json_blame(&reader->json, item, NDP_INVALID, "invalid flags \"%.12s\"", item->valuestring);
        flags |= flag;
    }
    *out = flags;
    return NDP_OK;
}

static enum ndp_status read_place(struct end_reader *reader, const cJSON *item, bool *has, uint64_t *out) {
    *has = item != NULL;
    if (!item) return NDP_OK;
    return ndp_json_at(&reader->json, item, ndp_json_u64(item, out, reader->json.error));
}

static enum ndp_status read_backing(struct end_reader *reader, const cJSON *object, struct ndp_backing *out) {
    static const char *const keys[] = {"class", "claims", "mapped", "mode", "offset", "position"};
    enum { CLASS, CLAIMS, MAPPED, MODE, OFFSET, POSITION };
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    struct ndp_json_reader *json = &reader->json;
    struct ndp_backing backing = {0};
    uint32_t claims, mode = 0;
    NDP_TRY(ndp_json_members(json, object, keys, NDP_ARRAY_LEN(keys), member));
    for (uint32_t i = CLASS; i <= MAPPED; i++) NDP_TRY(ndp_wire_json_required(json, object, member[i], keys[i]));
    NDP_TRY(ndp_json_at(json, member[CLASS], ndp_json_bool(member[CLASS], &backing.is_map_class, json->error)));
    NDP_TRY(ndp_json_at(json, member[MAPPED], ndp_json_bool(member[MAPPED], &backing.is_mapped, json->error)));
    NDP_TRY(ndp_wire_json_word(json, member[CLAIMS], ndp_wire_claims_words, NDP_WIRE_CLAIMS, &claims));
    backing.has_mode = member[MODE] != NULL;
    if (member[MODE]) NDP_TRY(ndp_wire_json_word(json, member[MODE], ndp_map_mode_words, NDP_MAP_MODE_COUNT, &mode));
    NDP_TRY(read_place(reader, member[OFFSET], &backing.has_offset, &backing.offset_bytes));
    NDP_TRY(read_place(reader, member[POSITION], &backing.has_position, &backing.position_bytes));
    if (backing.has_position && !backing.is_mapped)
        return ndp_json_blame(json, member[POSITION], NDP_INVALID, "\"position\" without a mapping");
    backing.claims = (enum ndp_backing_file)claims;
    backing.mode = (enum ndp_map_mode)mode;
    *out = backing;
    return NDP_OK;
}

static enum ndp_status read_class(struct end_reader *reader, const cJSON *item, struct ndp_bytes *out) {
    NDP_TRY(ndp_json_at(&reader->json, item, ndp_json_text(reader->json.arena, item, out, reader->json.error)));
    if (out->size_bytes == 0 || out->size_bytes > MAX_CLASS_NAME_BYTES)
        return ndp_json_blame(&reader->json, item, NDP_INVALID, "the class name has %llu bytes, which is too long",
                              (unsigned long long)out->size_bytes);
    return NDP_OK;
}

static enum ndp_status read_elements(struct end_reader *reader, const cJSON *item, struct ndp_observation *out) {
    uint64_t count_elems, size_bytes;
    if (!ndp_checked_extents_fit(out->shape, out->ndim, out->dtype->itemsize_bytes, &count_elems, &size_bytes))
        return ndp_json_blame(&reader->json, item, NDP_INVALID, "invalid shape");
    NDP_TRY(keep_bytes(reader, item, &out->elements));
    if (out->elements.size_bytes != size_bytes)
        return ndp_json_blame(&reader->json, item, NDP_INVALID,
                              "%llu elements of %llu bytes do not match %llu bytes of data",
                              (unsigned long long)count_elems, (unsigned long long)out->dtype->itemsize_bytes,
                              (unsigned long long)out->elements.size_bytes);
    return NDP_OK;
}

static enum ndp_status read_observation(struct end_reader *reader, const cJSON *object, struct ndp_observation *out) {
    static const char *const keys[] = {"class", "dtype", "shape", "strides", "flags", "elements", "backing"};
    enum { CLASS, DTYPE, SHAPE, STRIDES, FLAGS, ELEMENTS, BACKING };
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    struct ndp_json_reader *json = &reader->json;
    struct ndp_observation seen = {0};
    uint32_t strides;
    NDP_TRY(ndp_json_members(json, object, keys, NDP_ARRAY_LEN(keys), member));
    for (uint32_t i = CLASS; i <= ELEMENTS; i++) NDP_TRY(ndp_wire_json_required(json, object, member[i], keys[i]));
    NDP_TRY(read_class(reader, member[CLASS], &seen.class_name));
    NDP_TRY(ndp_dtype_read_json(json, member[DTYPE], &seen.dtype));
    NDP_TRY(ndp_dtype_resolve(json->arena, seen.dtype, reader->info->is_little_endian, &seen.dtype));
    NDP_TRY(ndp_json_extents(json, member[SHAPE], 0, NDP_MAX_NDIM, &seen.shape, &seen.ndim));
    NDP_TRY(ndp_json_extents(json, member[STRIDES], INT64_MIN, NDP_MAX_NDIM, &seen.strides_bytes, &strides));
    if (strides != seen.ndim)
        return ndp_json_blame(json, member[STRIDES], NDP_INVALID, "%u strides for %u dimensions", strides, seen.ndim);
    NDP_TRY(read_flags(reader, member[FLAGS], &seen.flags));
    NDP_TRY(read_elements(reader, member[ELEMENTS], &seen));
    if (member[BACKING]) NDP_TRY(read_backing(reader, member[BACKING], &seen.backing));
    *out = seen;
    return NDP_OK;
}

static enum ndp_status read_refusal(struct end_reader *reader, const cJSON *object, struct ndp_refusal *out) {
    static const char *const keys[] = {"reason", "type", "message"};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    uint32_t reason;
    NDP_TRY(ndp_json_members(&reader->json, object, keys, NDP_ARRAY_LEN(keys), member));
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(keys); i++)
        NDP_TRY(ndp_wire_json_required(&reader->json, object, member[i], keys[i]));
    NDP_TRY(ndp_wire_json_word(&reader->json, member[0], ndp_refusal_words, NDP_REFUSAL_COUNT, &reason));
    NDP_TRY(ndp_wire_json_cut_text(&reader->json, member[1], out->type, sizeof out->type));
    NDP_TRY(ndp_wire_json_cut_text(&reader->json, member[2], out->message, sizeof out->message));
    out->reason = (enum ndp_refusal_class)reason;
    return NDP_OK;
}

static enum ndp_status keep_buffers(struct end_reader *reader, const cJSON *array, struct ndp_slot_record *out) {
    struct ndp_bytes pieces[NDP_MAX_OUT_OF_BAND];
    uint32_t count;
    NDP_TRY(ndp_wire_json_pieces(&reader->json, array, reader->binary, NDP_MAX_OUT_OF_BAND, pieces, &count));
    const cJSON *item = array->child;
    for (uint32_t i = 0; i < count; i++, item = item->next) NDP_TRY(keep_bytes(reader, item, &out->buffers[i]));
    out->buffer_count = count;
    return NDP_OK;
}

static enum ndp_status read_bytes(struct end_reader *reader, const cJSON *bytes, const cJSON *buffers,
                                  struct ndp_slot_record *out) {
    NDP_TRY(keep_bytes(reader, bytes, &out->bytes));
    if (buffers) NDP_TRY(keep_buffers(reader, buffers, out));
    out->has_bytes = true;
    return NDP_OK;
}

/* Reads an array inside a graph. */
static enum ndp_status read_member(void *context, const cJSON *object, struct ndp_node *node) {
    NDP_TRY(read_observation(context, object, &node->observation));
    node->has_observation = true;
    return NDP_OK;
}

static bool is_graph(const cJSON *observation) {
    return cJSON_IsObject(observation) && cJSON_GetObjectItemCaseSensitive(observation, "graph") != NULL;
}

static enum ndp_status read_graph(struct end_reader *reader, const cJSON *observation, struct ndp_slot_record *out) {
    static const char *const keys[] = {"graph"};
    const cJSON *object;
    struct ndp_graph *graph = NDP_ARENA_NEW(reader->json.arena, struct ndp_graph);
    if (!graph) return ndp_json_blame(&reader->json, observation, NDP_NOMEM, "out of memory");
    NDP_TRY(ndp_json_members(&reader->json, observation, keys, 1, &object));
    const struct ndp_graph_members members = {.observed = read_member, .context = reader};
    NDP_TRY(ndp_graph_read_json(&reader->json, object, &members, graph));
    out->graph = graph;
    return NDP_OK;
}

static enum ndp_status read_seen(struct end_reader *reader, const cJSON *observation, struct ndp_slot_record *out) {
    if (is_graph(observation) != reader->wants_graph) {
        return ndp_json_blame(&reader->json, observation, NDP_INVALID,
                              "a graph case must report graphs, an array case arrays");
    }
    if (reader->wants_graph) return read_graph(reader, observation, out);
    NDP_TRY(read_observation(reader, observation, &out->observation));
    out->has_observation = true;
    return NDP_OK;
}

static enum ndp_status read_dict(struct end_reader *reader, const cJSON *observation, struct ndp_slot_record *out) {
    static const char *const keys[] = {"rounds", "error"};
    struct ndp_json_reader *json = &reader->json;
    const cJSON *dict = cJSON_GetObjectItemCaseSensitive(observation, "dict");
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    struct ndp_dict_observation *seen = NDP_ARENA_NEW(json->arena, struct ndp_dict_observation);
    if (!seen) return ndp_json_blame(json, dict, NDP_NOMEM, "out of memory");
    memset(seen, 0, sizeof *seen);
    NDP_TRY(ndp_json_members(json, dict, keys, NDP_ARRAY_LEN(keys), member));
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(keys); i++) NDP_TRY(ndp_wire_json_required(json, dict, member[i], keys[i]));
    NDP_TRY(
        ndp_wire_json_pieces(json, member[0], reader->binary, NDP_DICT_MAX_ROUNDS, seen->rounds, &seen->round_count));
    const cJSON *item = member[0]->child;
    for (uint32_t i = 0; i < seen->round_count; i++, item = item->next)
        NDP_TRY(keep_bytes(reader, item, &seen->rounds[i]));
    NDP_TRY(ndp_wire_json_cut_text(json, member[1], seen->error, sizeof seen->error));
    out->dict = seen;
    return NDP_OK;
}

static bool is_dict(const cJSON *observation) {
    return cJSON_IsObject(observation) && cJSON_GetObjectItemCaseSensitive(observation, "dict") != NULL;
}

static enum ndp_status read_record(struct end_reader *reader, const cJSON *object, const struct allowed *allowed,
                                   enum ndp_slot slot, struct ndp_slot_record *out) {
    static const char *const keys[] = {"observation", "bytes", "buffers", "peak", "refused", "unsupported"};
    enum { OBSERVATION, BYTES, BUFFERS, PEAK, REFUSED, UNSUPPORTED };
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    struct ndp_json_reader *json = &reader->json;
    const uint32_t bit = UINT32_C(1) << slot;
    NDP_TRY(ndp_json_members(json, object, keys, NDP_ARRAY_LEN(keys), member));
    if ((member[OBSERVATION] && !(allowed->observation & bit)) || (member[BYTES] && !(allowed->bytes & bit)) ||
        (member[PEAK] && !(allowed->peak & bit)) || (member[BUFFERS] && !member[BYTES]))
        return ndp_json_blame(json, object, NDP_INVALID, "no step of the program reports this");
    const cJSON *refusal = member[REFUSED] ? member[REFUSED] : member[UNSUPPORTED];
    if (refusal && (refusal != object->child || refusal->next))
        return ndp_json_blame(json, object, NDP_INVALID, "a refusal together with another record");
    out->state = NDP_SLOT_FILLED;
    if (reader->wants_dict && member[OBSERVATION] && is_dict(member[OBSERVATION])) {
        NDP_TRY(read_dict(reader, member[OBSERVATION], out));
    } else if (member[OBSERVATION]) {
        NDP_TRY(read_seen(reader, member[OBSERVATION], out));
    }
    if (member[BYTES]) NDP_TRY(read_bytes(reader, member[BYTES], member[BUFFERS], out));
    NDP_TRY(read_place(reader, member[PEAK], &out->has_peak, &out->peak_bytes));
    if (!refusal) return NDP_OK;
    out->state = member[REFUSED] ? NDP_SLOT_REFUSED : NDP_SLOT_UNSUPPORTED;
    return read_refusal(reader, refusal, &out->refusal);
}

static enum ndp_status read_slots(struct end_reader *reader, const cJSON *slots, const struct ndp_program *program,
                                  struct ndp_outcome *out) {
    const struct allowed allowed = allowed_by(program);
    if (!cJSON_IsObject(slots)) return ndp_json_blame(&reader->json, slots, NDP_INVALID, "expected an object");
    for (const cJSON *item = slots->child; item; item = item->next) {
        uint32_t slot = 0;
        while (slot < NDP_SLOT_COUNT && strcmp(item->string, ndp_slot_words[slot]) != 0) slot++;
        if (slot == NDP_SLOT_NONE || slot == NDP_SLOT_COUNT || !(allowed.any & UINT32_C(1) << slot))
            return ndp_json_blame(&reader->json, item, NDP_INVALID, "slot \"%.32s\" does not occur in the program",
                                  item->string);
        if (out->slots[slot].state != NDP_SLOT_ABSENT)
            return ndp_json_blame(&reader->json, item, NDP_INVALID, "duplicate slot \"%s\"", ndp_slot_words[slot]);
        NDP_TRY(read_record(reader, item, &allowed, (enum ndp_slot)slot, &out->slots[slot]));
    }
    return NDP_OK;
}

/* Whether the record of `step` is present. A refusal of the same slot counts. */
static bool is_filed(const struct ndp_step *step, const struct ndp_slot_record *record, bool tells_peak) {
    if (record->state == NDP_SLOT_REFUSED || record->state == NDP_SLOT_UNSUPPORTED) return true;
    if (step->op == NDP_STEP_OBSERVE) return record->has_observation || record->graph != NULL || record->dict != NULL;
    if (step->op == NDP_STEP_FETCH) return record->has_bytes;
    if (step->op == NDP_STEP_POKE || step->op == NDP_STEP_FLUSH || step->op == NDP_STEP_CALL)
        return record->state == NDP_SLOT_FILLED;
    return step->op != NDP_STEP_SIZE || !tells_peak || record->has_peak;
}

static bool files_a_record(enum ndp_step_op op) {
    return op == NDP_STEP_OBSERVE || op == NDP_STEP_FETCH || op == NDP_STEP_POKE || op == NDP_STEP_FLUSH ||
           op == NDP_STEP_CALL || op == NDP_STEP_SIZE;
}

/* Follows the program and checks that nothing was omitted: a step whose input was filled must have reported its record
 * or a refusal. A slot with a refusal counts as not filled, since the step that fills it may have refused. Supplied
 * bytes are always filled, so a decoder cannot avoid its record by a refusal in their slot. */
static enum ndp_status check_complete(struct end_reader *reader, const cJSON *slots, const struct ndp_program *program,
                                      const struct ndp_outcome *outcome) {
    uint32_t held = UINT32_C(1) << NDP_SLOT_NONE;
    for (uint32_t i = 0; i < program->step_count; i++) {
        const struct ndp_step *step = &program->steps[i];
        const struct ndp_slot_record *record = &outcome->slots[step->to];
        if (!(held & UINT32_C(1) << step->from)) continue;
        if (step->op == NDP_STEP_SUPPLY && record->state != NDP_SLOT_ABSENT && record->state != NDP_SLOT_FILLED)
            return ndp_json_blame(&reader->json, slots, NDP_INVALID, "supplied bytes cannot be refused");
        if (!files_a_record(step->op)) {
            if (record->state == NDP_SLOT_ABSENT || record->state == NDP_SLOT_FILLED) held |= UINT32_C(1) << step->to;
        } else if (!is_filed(step, record, reader->info->tells_peak)) {
            return ndp_json_blame(&reader->json, slots, NDP_INVALID, "step %u reported nothing for slot \"%s\"", i,
                                  ndp_slot_words[step->to]);
        }
    }
    return NDP_OK;
}

/* The testee ran the case in a child process that died. */
static enum ndp_status read_death(struct end_reader *reader, const cJSON *object, struct ndp_outcome *out) {
    static const char *const keys[] = {"signal", "exit", "timeout"};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    struct ndp_json_reader *json = &reader->json;
    uint32_t number = 0;
    NDP_TRY(ndp_json_members(json, object, keys, NDP_ARRAY_LEN(keys), member));
    const cJSON *how = member[0] ? member[0] : member[1];
    if (how) NDP_TRY(ndp_json_at(json, how, ndp_json_u32(how, 255, &number, json->error)));
    out->ended = member[2] ? NDP_VERDICT_TIMEOUT : NDP_VERDICT_CRASH;
    if (member[0]) out->death.signal = (int)number;
    if (!member[0]) out->death.exit_code = (int)number;
    return NDP_OK;
}

static enum ndp_status read_tree(struct end_reader *reader, const cJSON *tree, const struct ndp_program *program,
                                 struct ndp_outcome *out) {
    static const char *const keys[] = {"slots", "died"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(&reader->json, tree, keys, NDP_ARRAY_LEN(keys), members));
    const cJSON *slots = members[0];
    NDP_TRY(ndp_wire_json_required(&reader->json, tree, slots, keys[0]));
    NDP_TRY(read_slots(reader, slots, program, out));
    if (members[1]) return read_death(reader, members[1], out);
    return check_complete(reader, slots, program, out);
}

enum ndp_status ndp_wire_read_end(struct ndp_arena *arena, const struct ndp_frame *frame,
                                  const struct ndp_target_info *info, const struct ndp_program *program,
                                  struct ndp_outcome *out, struct ndp_error *error) {
    cJSON *tree;
    NDP_TRY(ndp_json_parse(frame->json, &ndp_wire_json_limits, &tree, error));
    struct end_reader reader = {.json = {.arena = arena, .limits = &ndp_wire_json_limits, .error = error},
                                .binary = frame->binary,
                                .info = info,
                                .wants_graph = program->graph != NULL,
                                .wants_dict = program->dict != NULL};
    struct ndp_outcome outcome = {.case_id = program->case_id, .ended = NDP_VERDICT_PASS};
    const enum ndp_status status = read_tree(&reader, tree, program, &outcome);
    if (status == NDP_OK) *out = outcome;
    if (status != NDP_OK) ndp_json_locate(&reader.json, tree, frame->json);
    cJSON_Delete(tree);
    return status;
}
