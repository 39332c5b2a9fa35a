/* BATCH frames: written by ndproof, read by a testee in C.
 *
 * Problem: a batch contains many cases, most of which run the same steps on large values.
 *
 * Method: each distinct list of steps is written once, and cases refer to it by number. Array data go into the binary
 * part, in the order in which the JSON part mentions them. The reader checks every length against the frame before it
 * allocates.
 *
 * Cost: linear, except that a case with new steps is compared with all earlier lists. Limits: NDP_MAX_BATCH cases,
 * NDP_MAX_STEPS steps.
 */
#include "target/protocol/wire.h"

#include "base/words.h"
#include "describe/graph_json.h"
#include "describe/json_write.h"
#include "describe/value_json.h"
#include "target/protocol/wire_graph.h"
#include "target/protocol/wire_json.h"

#include <string.h>

static const char *const op_words[] = {NDP_STEP_LIST(NDP_WORD_ITEM)};

/* Members of a step after "to", in wire order. */
enum {
    STEP_FORMAT = 3,
    STEP_ENTRY,
    STEP_BUFFERS,
    STEP_PROTOCOL,
    STEP_OFFSET,
    STEP_MAX_NBYTES,
    STEP_MAP_MODE,
    STEP_LEVEL,
    STEP_HISTORY,
    STEP_FIELDS
};

static bool step_is_equal(const struct ndp_step *a, const struct ndp_step *b) {
    return a->op == b->op && a->from == b->from && a->to == b->to && a->protocol == b->protocol &&
           a->offset_bytes == b->offset_bytes && strcmp(a->format, b->format) == 0 && strcmp(a->entry, b->entry) == 0 &&
           strcmp(a->buffers, b->buffers) == 0 && a->max_nbytes == b->max_nbytes &&
           strcmp(a->map_mode, b->map_mode) == 0 && a->level == b->level && a->history == b->history;
}

static bool steps_are_equal(const struct ndp_program *a, const struct ndp_program *b) {
    if (a->step_count != b->step_count) return false;
    for (uint32_t i = 0; i < a->step_count; i++)
        if (!step_is_equal(&a->steps[i], &b->steps[i])) return false;
    return true;
}

static uint32_t fields_used(const struct ndp_step *step) {
    if (step->history != NDP_HISTORY_NONE) return STEP_FIELDS;
    if (step->level != 0) return STEP_HISTORY;
    if (step->map_mode[0]) return STEP_LEVEL;
    if (step->max_nbytes != 0) return STEP_MAP_MODE;
    if (step->offset_bytes != 0) return STEP_MAX_NBYTES;
    if (step->protocol != 0) return STEP_OFFSET;
    if (step->buffers[0]) return STEP_PROTOCOL;
    if (step->entry[0]) return STEP_BUFFERS;
    return step->format[0] ? STEP_ENTRY : STEP_FORMAT;
}

static enum ndp_status add_step(struct ndp_buffer *out, const struct ndp_step *step) {
    const char *words[] = {
        op_words[step->op], ndp_slot_words[step->from], ndp_slot_words[step->to], step->format, step->entry,
        step->buffers};
    const uint32_t fields = fields_used(step);
    for (uint32_t i = 0; i < fields; i++) {
        NDP_TRY(ndp_wire_json_add(out, i == 0 ? "[" : ","));
        if (i < NDP_ARRAY_LEN(words)) NDP_TRY(ndp_wire_json_add_string(out, words[i]));
        if (i == STEP_PROTOCOL) NDP_TRY(ndp_wire_json_add_i64(out, step->protocol));
        if (i == STEP_OFFSET) NDP_TRY(ndp_wire_json_add_u64(out, step->offset_bytes));
        if (i == STEP_MAX_NBYTES) NDP_TRY(ndp_wire_json_add_i64(out, step->max_nbytes));
        if (i == STEP_MAP_MODE) NDP_TRY(ndp_wire_json_add_string(out, step->map_mode));
        if (i == STEP_LEVEL) NDP_TRY(ndp_wire_json_add_i64(out, step->level));
        if (i == STEP_HISTORY) NDP_TRY(ndp_wire_json_add_string(out, ndp_history_words[step->history]));
    }
    return ndp_wire_json_add(out, "]");
}

static enum ndp_status add_steps(struct ndp_buffer *out, const struct ndp_program *program) {
    NDP_TRY(ndp_wire_json_add(out, "["));
    for (uint32_t i = 0; i < program->step_count; i++) {
        if (i > 0) NDP_TRY(ndp_wire_json_add(out, ","));
        NDP_TRY(add_step(out, &program->steps[i]));
    }
    return ndp_wire_json_add(out, "]");
}

/* Writes each distinct step list once; numbers[i] is the list of programs[i]. */
static enum ndp_status add_programs(struct ndp_buffer *out, const struct ndp_program *programs, uint32_t count,
                                    uint16_t *numbers) {
    uint32_t firsts[NDP_MAX_BATCH]; /* the first program with each list */
    uint32_t lists = 0;
    NDP_TRY(ndp_wire_json_add(out, "{\"programs\":["));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = lists;
        /* Neighbouring cases usually share their list, so the search starts with the newest. */
        while (number > 0 && !steps_are_equal(&programs[firsts[number - 1]], &programs[i])) number--;
        if (number == 0) {
            if (lists > 0) NDP_TRY(ndp_wire_json_add(out, ","));
            NDP_TRY(add_steps(out, &programs[i]));
            firsts[lists++] = i;
            number = lists;
        }
        numbers[i] = (uint16_t)(number - 1);
    }
    return ndp_wire_json_add(out, "]");
}

static enum ndp_status add_as(struct ndp_buffer *out, const struct ndp_program *program) {
    NDP_TRY(ndp_wire_json_add(out, ",\"as\":{\"dtype\":"));
    NDP_TRY(ndp_dtype_print(out, program->as->dtype));
    NDP_TRY(ndp_wire_json_add(out, ",\"shape\":"));
    NDP_TRY(ndp_wire_json_add_extents(out, program->as->layout.shape, program->as->layout.ndim));
    NDP_TRY(ndp_wire_json_add(out, ",\"order\":"));
    NDP_TRY(ndp_wire_json_add_string(out, ndp_value_memory_order_word(program->as_order)));
    return ndp_wire_json_add(out, "}");
}

static bool has_op(const struct ndp_program *program, enum ndp_step_op op) {
    for (uint32_t i = 0; i < program->step_count; i++)
        if (program->steps[i].op == op) return true;
    return false;
}

static bool builds_graph(const struct ndp_program *program) {
    return program->graph != NULL && has_op(program, NDP_STEP_BUILD);
}

static enum ndp_status add_supplied(struct ndp_buffer *out, const struct ndp_program *program, uint64_t *binary_bytes) {
    NDP_TRY(ndp_wire_json_add(out, ",\"supplied\":"));
    NDP_TRY(ndp_wire_json_add_piece(out, program->supplied, binary_bytes));
    if (program->supplied_buffer_count == 0) return NDP_OK;
    NDP_TRY(ndp_wire_json_add(out, ",\"supplied_buffers\":["));
    for (uint32_t i = 0; i < program->supplied_buffer_count; i++) {
        if (i > 0) NDP_TRY(ndp_wire_json_add(out, ","));
        NDP_TRY(ndp_wire_json_add_piece(out, program->supplied_buffers[i], binary_bytes));
    }
    return ndp_wire_json_add(out, "]");
}

static enum ndp_status add_case(struct ndp_buffer *out, const struct ndp_program *program, uint16_t number,
                                uint64_t *binary_bytes) {
    NDP_TRY(ndp_wire_json_add(out, "{\"id\":"));
    NDP_TRY(ndp_wire_json_add_u64(out, program->case_id));
    NDP_TRY(ndp_wire_json_add(out, ",\"program\":"));
    NDP_TRY(ndp_wire_json_add_u64(out, number));
    if (program->value) {
        const struct ndp_value value = {.kind = NDP_VALUE_ARRAY, .array = *program->value};
        NDP_TRY(ndp_wire_json_add(out, ",\"value\":"));
        NDP_TRY(ndp_json_print(out, ndp_value_to_json(&value, false)));
        NDP_TRY(ndp_wire_json_add(out, ",\"data\":"));
        NDP_TRY(ndp_wire_json_add_piece(out, program->base_bytes, binary_bytes));
    }
    if (builds_graph(program)) NDP_TRY(ndp_wire_graph_add(out, program->graph, binary_bytes));
    if (program->dict) {
        const struct ndp_value value = {.kind = NDP_VALUE_DICT, .dict = program->dict};
        NDP_TRY(ndp_wire_json_add(out, ",\"value\":"));
        NDP_TRY(ndp_json_print(out, ndp_value_to_json(&value, false)));
    }
    if (has_op(program, NDP_STEP_SUPPLY)) NDP_TRY(add_supplied(out, program, binary_bytes));
    if (program->as) NDP_TRY(add_as(out, program));
    if (program->allows_objects) NDP_TRY(ndp_wire_json_add(out, ",\"objects\":true"));
    if (program->graph && !builds_graph(program)) {
        NDP_TRY(ndp_wire_json_add(out, ",\"graph\":true"));
        NDP_TRY(ndp_wire_graph_add_kept(out, program->graph));
    }
    return ndp_wire_json_add(out, "}");
}

/* Appends the pieces in the order in which add_case counted them. */
static enum ndp_status add_binary(struct ndp_buffer *out, const struct ndp_program *program) {
    if (program->value) NDP_TRY(ndp_buffer_add(out, program->base_bytes.data, program->base_bytes.size_bytes));
    for (uint32_t i = 0; builds_graph(program) && i < program->graph->count; i++) {
        const struct ndp_node *node = &program->graph->nodes[i];
        if (node->kind == NDP_NODE_ARRAY) NDP_TRY(ndp_buffer_add(out, node->data.data, node->data.size_bytes));
    }
    if (!has_op(program, NDP_STEP_SUPPLY)) return NDP_OK;
    NDP_TRY(ndp_buffer_add(out, program->supplied.data, program->supplied.size_bytes));
    for (uint32_t i = 0; i < program->supplied_buffer_count; i++)
        NDP_TRY(ndp_buffer_add(out, program->supplied_buffers[i].data, program->supplied_buffers[i].size_bytes));
    return NDP_OK;
}

static enum ndp_status add_batch(struct ndp_buffer *out, uint32_t sequence, const struct ndp_program *programs,
                                 uint32_t count) {
    uint16_t numbers[NDP_MAX_BATCH];
    uint64_t at_bytes, binary_bytes = 0;
    if (count > NDP_MAX_BATCH) return NDP_LIMIT;
    NDP_TRY(ndp_frame_start(out, NDP_FRAME_BATCH, 0, sequence, &at_bytes));
    NDP_TRY(add_programs(out, programs, count, numbers));
    NDP_TRY(ndp_wire_json_add(out, ",\"cases\":["));
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) NDP_TRY(ndp_wire_json_add(out, ","));
        NDP_TRY(add_case(out, &programs[i], numbers[i], &binary_bytes));
    }
    NDP_TRY(ndp_wire_json_add(out, "]}"));
    NDP_TRY(ndp_frame_end_json(out, at_bytes));
    for (uint32_t i = 0; i < count; i++) NDP_TRY(add_binary(out, &programs[i]));
    ndp_frame_end(out, at_bytes);
    return NDP_OK;
}

enum ndp_status ndp_wire_add_batch(struct ndp_buffer *out, uint32_t sequence, const struct ndp_program *programs,
                                   uint32_t count) {
    const uint64_t before_bytes = out->size_bytes;
    const enum ndp_status status = add_batch(out, sequence, programs, count);
    if (status != NDP_OK) out->size_bytes = before_bytes;
    return status;
}

/* ---- reading: the side of a testee in C ---- */

static enum ndp_status read_step(struct ndp_json_reader *reader, const cJSON *array, struct ndp_step *out) {
    const int fields = cJSON_IsArray(array) ? cJSON_GetArraySize(array) : 0;
    if (fields < STEP_FORMAT || fields > STEP_FIELDS)
        return ndp_json_blame(reader, array, NDP_INVALID, "expected a step: a list of 3 to %d items", STEP_FIELDS);
    const cJSON *item[STEP_FIELDS] = {NULL};
    int i = 0;
    for (const cJSON *child = array->child; child; child = child->next) item[i++] = child;

    struct ndp_step step = {0};
    uint32_t op, from, to;
    int64_t protocol = 0;
    NDP_TRY(ndp_wire_json_word(reader, item[0], op_words, NDP_ARRAY_LEN(op_words), &op));
    NDP_TRY(ndp_wire_json_word(reader, item[1], ndp_slot_words, NDP_SLOT_COUNT, &from));
    NDP_TRY(ndp_wire_json_word(reader, item[2], ndp_slot_words, NDP_SLOT_COUNT, &to));
    char *words[] = {step.format, step.entry, step.buffers};
    for (uint32_t k = 0; k < NDP_ARRAY_LEN(words); k++) {
        const cJSON *word = item[STEP_FORMAT + k];
        if (word) NDP_TRY(ndp_json_at(reader, word, ndp_json_word(word, words[k], reader->error)));
    }
    if (item[STEP_PROTOCOL])
        NDP_TRY(ndp_json_at(reader, item[STEP_PROTOCOL], ndp_json_i64(item[STEP_PROTOCOL], &protocol, reader->error)));
    if (protocol < INT32_MIN || protocol > INT32_MAX)
        return ndp_json_blame(reader, item[STEP_PROTOCOL], NDP_INVALID, "invalid protocol number");
    if (item[STEP_OFFSET])
        NDP_TRY(
            ndp_json_at(reader, item[STEP_OFFSET], ndp_json_u64(item[STEP_OFFSET], &step.offset_bytes, reader->error)));
    if (item[STEP_MAX_NBYTES])
        NDP_TRY(ndp_json_at(reader, item[STEP_MAX_NBYTES],
                            ndp_json_i64(item[STEP_MAX_NBYTES], &step.max_nbytes, reader->error)));
    if (item[STEP_MAP_MODE])
        NDP_TRY(ndp_wire_json_text(reader, item[STEP_MAP_MODE], step.map_mode, sizeof step.map_mode));
    uint32_t level = 0;
    if (item[STEP_LEVEL])
        NDP_TRY(ndp_json_at(reader, item[STEP_LEVEL], ndp_json_u32(item[STEP_LEVEL], 9, &level, reader->error)));
    step.level = (int32_t)level;
    uint32_t history = NDP_HISTORY_NONE;
    if (item[STEP_HISTORY])
        NDP_TRY(ndp_wire_json_word(reader, item[STEP_HISTORY], ndp_history_words, NDP_HISTORY_COUNT, &history));
    step.history = (enum ndp_history)history;
    step.op = (enum ndp_step_op)op;
    step.from = (enum ndp_slot)from;
    step.to = (enum ndp_slot)to;
    step.protocol = (int32_t)protocol;
    *out = step;
    return NDP_OK;
}

static enum ndp_status read_steps(struct ndp_json_reader *reader, const cJSON *list, struct ndp_program *out) {
    if (!cJSON_IsArray(list)) return ndp_json_blame(reader, list, NDP_INVALID, "expected a list of steps");
    for (const cJSON *item = list->child; item; item = item->next) {
        if (out->step_count == NDP_MAX_STEPS)
            return ndp_json_blame(reader, item, NDP_LIMIT, "more than %d steps", NDP_MAX_STEPS);
        NDP_TRY(read_step(reader, item, &out->steps[out->step_count]));
        out->step_count++;
    }
    return NDP_OK;
}

static enum ndp_status read_as(struct ndp_json_reader *reader, const cJSON *object, struct ndp_program *out) {
    static const char *const keys[] = {"dtype", "shape", "order"};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    const int64_t *shape;
    uint32_t ndim;
    NDP_TRY(ndp_json_members(reader, object, keys, NDP_ARRAY_LEN(keys), member));
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(keys); i++)
        NDP_TRY(ndp_wire_json_required(reader, object, member[i], keys[i]));
    struct ndp_array *as = NDP_ARENA_NEW(reader->arena, struct ndp_array);
    if (!as) return ndp_json_blame(reader, object, NDP_NOMEM, "out of memory");
    NDP_TRY(ndp_dtype_read_json(reader, member[0], &as->dtype));
    NDP_TRY(ndp_json_extents(reader, member[1], 0, NDP_MAX_NDIM, &shape, &ndim));
    NDP_TRY(ndp_value_memory_order_read_json(reader, member[2], &out->as_order));
    if (ndp_layout_contiguous(&as->layout, shape, ndim, as->dtype->itemsize_bytes, out->as_order, 0) != NDP_OK)
        return ndp_json_blame(reader, member[1], NDP_LIMIT, "the array is too large");
    out->as = as;
    return NDP_OK;
}

/* The shared state of reading array data inside a graph. */
struct data_reader {
    struct ndp_json_reader *json;
    struct ndp_bytes binary;
};

static enum ndp_status read_data(void *context, const cJSON *place, struct ndp_node *node) {
    const struct data_reader *reader = context;
    NDP_TRY(ndp_wire_json_piece(reader->json, place, reader->binary, &node->data));
    node->array.base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = node->data};
    return NDP_OK;
}

static enum ndp_status read_graph(struct ndp_json_reader *reader, const cJSON *object, struct ndp_bytes binary,
                                  struct ndp_program *out) {
    struct data_reader data = {reader, binary};
    const struct ndp_graph_members members = {.data = read_data, .context = &data};
    struct ndp_graph *graph = NDP_ARENA_NEW(reader->arena, struct ndp_graph);
    if (!graph) return ndp_json_blame(reader, object, NDP_NOMEM, "out of memory");
    NDP_TRY(ndp_graph_read_json(reader, object, &members, graph));
    NDP_TRY(ndp_json_at(reader, object, ndp_graph_check(reader->arena, graph, reader->error)));
    out->graph = graph;
    return NDP_OK;
}

static enum ndp_status read_value(struct ndp_json_reader *reader, const cJSON *object, const cJSON *data,
                                  struct ndp_bytes binary, struct ndp_program *out) {
    const cJSON *graph = cJSON_GetObjectItemCaseSensitive(object, "graph");
    struct ndp_value *value = NDP_ARENA_NEW(reader->arena, struct ndp_value);
    if (!value) return ndp_json_blame(reader, object, NDP_NOMEM, "out of memory");
    if (cJSON_IsObject(object) && graph) return read_graph(reader, graph, binary, out);
    NDP_TRY(ndp_value_read_json(reader, object, value));
    if (value->kind == NDP_VALUE_DICT) {
        out->dict = value->dict;
        return NDP_OK;
    }
    NDP_TRY(ndp_wire_json_piece(reader, data, binary, &out->base_bytes));
    out->value = &value->array;
    return NDP_OK;
}

static enum ndp_status read_case(struct ndp_json_reader *reader, const cJSON *object, struct ndp_bytes binary,
                                 const struct ndp_program *lists, uint32_t list_count, struct ndp_program *out) {
    static const char *const keys[] = {"id", "program", "value", "data", "supplied", "supplied_buffers",
                                       "as", "objects", "graph", "keep"};
    /* KEEP has no meaning here, because an instance is the record of a call, which contains the names. */
    enum { ID, PROGRAM, VALUE, DATA, SUPPLIED, SUPPLIED_BUFFERS, AS, OBJECTS, GRAPH, KEEP };
    /* A graph case without a value to build is still marked as one. */
    static const struct ndp_graph no_graph = {.count = 0};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    uint64_t case_id;
    uint32_t number;
    bool is_graph = false;
    NDP_TRY(ndp_json_members(reader, object, keys, NDP_ARRAY_LEN(keys), member));
    for (uint32_t i = ID; i <= PROGRAM; i++) NDP_TRY(ndp_wire_json_required(reader, object, member[i], keys[i]));
    NDP_TRY(ndp_json_at(reader, member[ID], ndp_json_u64(member[ID], &case_id, reader->error)));
    NDP_TRY(ndp_json_at(reader, member[PROGRAM], ndp_json_u32(member[PROGRAM], UINT16_MAX, &number, reader->error)));
    if (number >= list_count) return ndp_json_blame(reader, member[PROGRAM], NDP_INVALID, "program index out of range");
    *out = lists[number];
    out->case_id = case_id;
    if (member[GRAPH])
        NDP_TRY(ndp_json_at(reader, member[GRAPH], ndp_json_bool(member[GRAPH], &is_graph, reader->error)));
    if (is_graph) out->graph = &no_graph;
    if (member[VALUE]) NDP_TRY(read_value(reader, member[VALUE], member[DATA], binary, out));
    if (member[SUPPLIED]) NDP_TRY(ndp_wire_json_piece(reader, member[SUPPLIED], binary, &out->supplied));
    if (member[SUPPLIED_BUFFERS])
        NDP_TRY(ndp_wire_json_pieces(reader, member[SUPPLIED_BUFFERS], binary, NDP_MAX_OUT_OF_BAND,
                                     out->supplied_buffers, &out->supplied_buffer_count));
    if (member[OBJECTS])
        NDP_TRY(
            ndp_json_at(reader, member[OBJECTS], ndp_json_bool(member[OBJECTS], &out->allows_objects, reader->error)));
    return member[AS] ? read_as(reader, member[AS], out) : NDP_OK;
}

static enum ndp_status list_size(struct ndp_json_reader *reader, const cJSON *array, uint32_t *count) {
    if (!cJSON_IsArray(array)) return ndp_json_blame(reader, array, NDP_INVALID, "expected a list");
    const int size = cJSON_GetArraySize(array);
    if (size < 0 || size > NDP_MAX_BATCH)
        return ndp_json_blame(reader, array, NDP_LIMIT, "more than %d entries", NDP_MAX_BATCH);
    *count = (uint32_t)size;
    return NDP_OK;
}

static enum ndp_status read_tree(struct ndp_json_reader *reader, const cJSON *tree, struct ndp_bytes binary,
                                 struct ndp_program **programs, uint32_t *count) {
    static const char *const keys[] = {"programs", "cases"};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    uint32_t list_count, case_count, at = 0;
    NDP_TRY(ndp_json_members(reader, tree, keys, NDP_ARRAY_LEN(keys), member));
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(keys); i++)
        NDP_TRY(ndp_wire_json_required(reader, tree, member[i], keys[i]));
    NDP_TRY(list_size(reader, member[0], &list_count));
    NDP_TRY(list_size(reader, member[1], &case_count));
    struct ndp_program *lists = NDP_ARENA_ITEMS(reader->arena, struct ndp_program, list_count);
    struct ndp_program *cases = NDP_ARENA_ITEMS(reader->arena, struct ndp_program, case_count);
    if (!lists || !cases) return ndp_json_blame(reader, tree, NDP_NOMEM, "out of memory");
    for (const cJSON *item = member[0]->child; item; item = item->next) NDP_TRY(read_steps(reader, item, &lists[at++]));
    at = 0;
    for (const cJSON *item = member[1]->child; item; item = item->next)
        NDP_TRY(read_case(reader, item, binary, lists, list_count, &cases[at++]));
    *programs = cases;
    *count = case_count;
    return NDP_OK;
}

enum ndp_status ndp_wire_read_batch(struct ndp_arena *arena, const struct ndp_frame *frame,
                                    struct ndp_program **programs, uint32_t *count, struct ndp_error *error) {
    cJSON *tree;
    NDP_TRY(ndp_json_parse(frame->json, &ndp_wire_json_limits, &tree, error));
    struct ndp_json_reader reader = {.arena = arena, .limits = &ndp_wire_json_limits, .error = error};
    const enum ndp_status status = read_tree(&reader, tree, frame->binary, programs, count);
    if (status != NDP_OK) ndp_json_locate(&reader, tree, frame->json);
    cJSON_Delete(tree);
    return status;
}
