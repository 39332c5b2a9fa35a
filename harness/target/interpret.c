/* Runs a program of steps over slots with a plugin.
 *
 * Problem: every case must run the same way in this process and behind the testee protocol, and a bug of the plugin
 * must show as its own.
 *
 * Method: each slot contains nothing, an array of the model, a decoded array, bytes, a graph or a dict. A step reads
 * `from` and fills `to`; a step whose input is missing is skipped. Results are checked before use (decoded_array.h,
 * live_graph.h). Inputs of the plugin are exact-size copies, so that sanitizers detect reads past their end.
 *
 * Cost: one copy of each encoding. Limits: MAX_ENCODED_BYTES per encoding; NDP_MAX_OUT_OF_BAND buffers.
 */
#include "target/interpret_steps.h"

#include "base/byteorder.h"
#include "base/checked.h"
#include "base/text.h"
#include "describe/json_write.h"
#include "describe/value_json.h"
#include "target/claims.h"
#include "target/dict_schedule.h"
#include "target/live_graph.h"
#include "target/process/heap_meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The maximum that an encoder may write in one case. */
#define MAX_ENCODED_BYTES (UINT64_C(1) << 31)

enum { MAX_DTYPE_TEXT_BYTES = 1 << 26 };

/* ---- records ---- */

void ndp_interpret_refuse(struct ndp_interpret_run *run, enum ndp_slot slot, enum ndp_slot_state state,
                          enum ndp_refusal_class reason, const char *message) {
    struct ndp_slot_record *record = &run->out->slots[slot];
    memset(record, 0, sizeof *record); /* a refusal replaces the record */
    record->state = state;
    record->refusal.reason = reason;
    ndp_text_cut(ndp_refusal_words[reason], record->refusal.type, sizeof record->refusal.type);
    ndp_text_cut(message, record->refusal.message, sizeof record->refusal.message);
}

void ndp_interpret_refuse_with(struct ndp_interpret_run *run, enum ndp_slot slot, enum ndp_plugin_result result,
                               const struct ndp_plugin_refusal *why) {
    enum ndp_refusal_class reason = NDP_REFUSAL_OTHER;
    for (uint32_t i = 0; i < NDP_REFUSAL_COUNT; i++)
        if (strncmp(why->reason, ndp_refusal_words[i], sizeof why->reason) == 0) reason = (enum ndp_refusal_class)i;
    char message[sizeof why->message + 1] = {0}; /* neither text of a plugin need be NUL-terminated */
    memcpy(message, why->message, sizeof why->message);
    ndp_interpret_refuse(run, slot, result == NDP_PLUGIN_UNSUPPORTED ? NDP_SLOT_UNSUPPORTED : NDP_SLOT_REFUSED, reason,
                         message);
}

static void record_success(struct ndp_interpret_run *run, enum ndp_slot slot) {
    struct ndp_slot_record *record = &run->out->slots[slot];
    if (record->state == NDP_SLOT_ABSENT) record->state = NDP_SLOT_FILLED;
}

static enum ndp_refusal_class reason_of(enum ndp_status status) {
    switch (status) {
    case NDP_LIMIT:
        return NDP_REFUSAL_LIMIT;
    case NDP_NOMEM:
        return NDP_REFUSAL_MEMORY;
    case NDP_UNSUPPORTED:
        return NDP_REFUSAL_UNSUPPORTED;
    case NDP_TRUNCATED:
        return NDP_REFUSAL_TRUNCATED;
    case NDP_IO:
        return NDP_REFUSAL_IO;
    case NDP_INVALID:
        return NDP_REFUSAL_VALUE;
    case NDP_OK:
    case NDP_GONE:
    case NDP_TIMEOUT:
    case NDP_FAULT:
    case NDP_STATUS_COUNT:
        break;
    }
    return NDP_REFUSAL_INTERNAL;
}

/* ---- slots ---- */

void ndp_interpret_release(struct ndp_interpreter *self, struct ndp_interpret_slot *to) {
    if (to->content == NDP_CONTENT_DECODED) {
        if (self->plugin->release) self->plugin->release(&to->decoded.array, to->token);
        ndp_case_file_remove(&to->decoded.file);
    }
    if (to->content == NDP_CONTENT_GRAPH && to->token) {
        self->plugin->graph->release(to->token);
        ndp_case_file_remove(&to->decoded.file);
    }
    to->content = NDP_CONTENT_NOTHING;
}

struct ndp_interpret_slot *ndp_interpret_refill(struct ndp_interpret_run *run, enum ndp_slot slot) {
    struct ndp_interpret_slot *to = &run->self->slots[slot];
    ndp_interpret_release(run->self, to);
    return to;
}

/* Prints the dtype as text that is valid until the next call. */
static enum ndp_status dtype_text(struct ndp_interpreter *self, const struct ndp_dtype *dtype, const char **out) {
    self->dtype_text.size_bytes = 0;
    NDP_TRY(ndp_dtype_print(&self->dtype_text, dtype));
    NDP_TRY(ndp_buffer_add(&self->dtype_text, "", 1));
    *out = (const char *)self->dtype_text.data;
    return NDP_OK;
}

/* Converts an array of the model for a plugin. A plugin that takes trees gets a copy without shared parts, because its
 * output must not depend on sharing. */
enum ndp_status ndp_interpret_plugin_array(struct ndp_interpret_run *run, const struct ndp_array *model,
                                           struct ndp_plugin_array *out) {
    const char *text = NULL;
    const struct ndp_dtype *dtype = NULL;
    if (run->self->plugin->takes_dtype)
        NDP_TRY(ndp_dtype_copy(run->arena, model->dtype, &dtype));
    else
        NDP_TRY(dtype_text(run->self, model->dtype, &text));
    *out = (struct ndp_plugin_array){
        .dtype_json = text,
        .dtype = dtype,
        .itemsize_bytes = model->dtype->itemsize_bytes,
        .ndim = model->layout.ndim,
        .shape = model->layout.shape,
        .strides_bytes = model->layout.strides_bytes,
        .data = model->buffer ? model->buffer + model->layout.offset_bytes : NULL,
        .is_writeable = model->is_writeable,
    };
    return NDP_OK;
}

/* ---- steps ---- */

/* Moves the memory of a misaligned array by its offset, because the arena aligns for every type. */
static enum ndp_status misalign_memory(struct ndp_interpret_run *run, struct ndp_array *model) {
    if (model->misalign_bytes == 0 || !model->buffer) return NDP_OK;
    uint64_t size_bytes;
    if (!ndp_checked_add_u64(model->buffer_bytes, model->misalign_bytes, &size_bytes)) return NDP_LIMIT;
    uint8_t *start = ndp_arena_alloc(run->arena, size_bytes);
    if (!start) return NDP_NOMEM;
    if (model->buffer_bytes > 0) memcpy(start + model->misalign_bytes, model->buffer, (size_t)model->buffer_bytes);
    model->buffer = start + model->misalign_bytes;
    return NDP_OK;
}

static enum ndp_status keep_original(struct ndp_interpret_run *run, struct ndp_interpret_slot *to) {
    const struct ndp_array *model = &to->model;
    to->map_original = (struct ndp_bytes){model->buffer, model->buffer_bytes};
    if (!model->map.is_backed || model->map.mode != NDP_MAP_COPY) return NDP_OK;
    to->map_original.data = ndp_arena_copy(run->arena, model->buffer, model->buffer_bytes);
    return to->map_original.data ? NDP_OK : NDP_NOMEM;
}

static enum ndp_status build_array(struct ndp_interpret_run *run, struct ndp_interpret_slot *to,
                                   struct ndp_error *error) {
    struct ndp_array_value value = *run->program->value;
    value.base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = run->program->base_bytes};
    NDP_TRY(ndp_array_build(run->arena, &value, ndp_byteorder_host_is_little(), &to->model, error));
    NDP_TRY(misalign_memory(run, &to->model));
    NDP_TRY(keep_original(run, to));
    to->content = NDP_CONTENT_MODEL;
    return NDP_OK;
}

static enum ndp_status build_graph(struct ndp_interpret_run *run, struct ndp_interpret_slot *to,
                                   struct ndp_error *error) {
    NDP_TRY(ndp_live_graph_build(run->arena, run->program->graph, &to->graph, error));
    to->token = NULL;
    to->content = NDP_CONTENT_GRAPH;
    return NDP_OK;
}

static enum ndp_status do_build(struct ndp_interpret_run *run, const struct ndp_step *step) {
    struct ndp_interpret_slot *to = ndp_interpret_refill(run, step->to);
    struct ndp_error error = {.status = NDP_OK};
    if (run->program->dict) {
        to->content = NDP_CONTENT_DICT;
        to->dict = (struct ndp_dict_observation){.round_count = 0};
        return NDP_OK;
    }
    const bool has_graph = run->program->graph && run->program->graph->count > 0;
    if (!run->program->value && !has_graph) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_INTERNAL, "the case has no value");
        return NDP_OK;
    }
    const enum ndp_status status = has_graph ? build_graph(run, to, &error) : build_array(run, to, &error);
    if (status != NDP_OK)
        ndp_interpret_refuse(run, step->to, NDP_SLOT_REFUSED, reason_of(status),
                             error.text[0] ? error.text : ndp_status_text(status));
    return NDP_OK;
}

static enum ndp_status observe_graph(struct ndp_interpret_run *run, const struct ndp_interpret_slot *from,
                                     struct ndp_slot_record *record) {
    struct ndp_graph all, *observed = NDP_ARENA_NEW(run->arena, struct ndp_graph);
    if (!observed) return NDP_NOMEM;
    NDP_TRY(ndp_live_graph_observe(run->arena, &from->graph, &all));
    NDP_TRY(ndp_graph_in_order(run->arena, &all, observed));
    record->graph = observed;
    return NDP_OK;
}

static enum ndp_status observe_dict(struct ndp_interpret_run *run, const struct ndp_interpret_slot *from,
                                    struct ndp_slot_record *record) {
    struct ndp_dict_observation *observed = ndp_arena_copy(run->arena, &from->dict, sizeof *observed);
    if (!observed) return NDP_NOMEM;
    record->dict = observed;
    return NDP_OK;
}

static enum ndp_status do_observe(struct ndp_interpret_run *run, const struct ndp_step *step) {
    const struct ndp_interpret_slot *from = &run->self->slots[step->from];
    struct ndp_slot_record *record = &run->out->slots[step->to];
    if (from->content == NDP_CONTENT_BYTES) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_INTERNAL, "bytes cannot be observed");
        return NDP_OK;
    }
    if (from->content == NDP_CONTENT_MODEL) NDP_TRY(ndp_array_observe(run->arena, &from->model, &record->observation));
    if (from->content == NDP_CONTENT_DECODED)
        NDP_TRY(ndp_decoded_array_observe(run->arena, &from->decoded, &record->observation));
    if (from->content == NDP_CONTENT_GRAPH) NDP_TRY(observe_graph(run, from, record));
    if (from->content == NDP_CONTENT_DICT) NDP_TRY(observe_dict(run, from, record));
    record->has_observation = from->content == NDP_CONTENT_MODEL || from->content == NDP_CONTENT_DECODED;
    record_success(run, step->to);
    return NDP_OK;
}

/* The threads work on the dict in place, without another process. */
static enum ndp_status do_transport(struct ndp_interpret_run *run, const struct ndp_step *step) {
    const struct ndp_plugin_dict *dict = run->self->plugin->dict;
    if (!dict || !run->program->dict || !ndp_bytes_word_is(step->format, dict->format) ||
        !ndp_bytes_word_is(step->entry, dict->entry)) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED,
                             "the plugin is not a transport");
        return NDP_OK;
    }
    struct ndp_interpret_slot *to = ndp_interpret_refill(run, step->to);
    const enum ndp_status status = ndp_dict_schedule_run(run->arena, dict, run->program->dict, &to->dict);
    if (status == NDP_UNSUPPORTED) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED,
                             "the plugin has no dict of these types");
        return NDP_OK;
    }
    if (status == NDP_OK) to->content = NDP_CONTENT_DICT;
    return status;
}

static enum ndp_status do_call(struct ndp_interpret_run *run, const struct ndp_step *step) {
    struct ndp_interpret_slot *from = &run->self->slots[step->from];
    if (from->content != NDP_CONTENT_GRAPH) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED, "the value is not callable");
        return NDP_OK;
    }
    NDP_TRY(ndp_live_graph_call(run->arena, &from->graph));
    record_success(run, step->to);
    return NDP_OK;
}

static enum ndp_status do_poke(struct ndp_interpret_run *run, const struct ndp_step *step) {
    const struct ndp_interpret_slot *from = &run->self->slots[step->from];
    struct ndp_array array = from->model;
    if (from->content != NDP_CONTENT_MODEL && from->content != NDP_CONTENT_DECODED) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED,
                             "only an array can be modified");
        return NDP_OK;
    }
    if (from->content == NDP_CONTENT_DECODED) ndp_decoded_array_view(&from->decoded, &array);
    if (!array.is_writeable || ndp_layout_count(&array.layout) == 0) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_VALUE,
                             array.is_writeable ? "no element to write" : "assignment destination is read-only");
        return NDP_OK;
    }
    uint8_t *element = array.buffer + array.layout.offset_bytes;
    for (uint64_t i = 0; i < array.dtype->itemsize_bytes; i++) element[i] = (uint8_t)~element[i];
    record_success(run, step->to);
    return NDP_OK;
}

static enum ndp_status do_flush(struct ndp_interpret_run *run, const struct ndp_step *step) {
    const struct ndp_interpret_slot *from = &run->self->slots[step->from];
    const struct ndp_plugin *plugin = run->self->plugin;
    struct ndp_plugin_refusal why = {.reason = ""};
    enum ndp_plugin_result result = NDP_PLUGIN_DONE;
    const bool is_map = (from->content == NDP_CONTENT_MODEL && from->model.map.is_backed) ||
                        (from->content == NDP_CONTENT_DECODED && from->decoded.array.is_mapped);
    if (!is_map) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_VALUE, "the array is not a memory map");
        return NDP_OK;
    }
    if (from->content == NDP_CONTENT_DECODED && plugin->flush)
        result = plugin->flush(&from->decoded.array, from->token, &why);
    if (result == NDP_PLUGIN_DONE)
        record_success(run, step->to);
    else
        ndp_interpret_refuse_with(run, step->to, result, &why);
    return NDP_OK;
}

static enum ndp_status do_fetch(struct ndp_interpret_run *run, const struct ndp_step *step) {
    const struct ndp_interpret_slot *from = &run->self->slots[step->from];
    struct ndp_slot_record *record = &run->out->slots[step->to];
    const bool has_file = from->content == NDP_CONTENT_DECODED && from->decoded.file.path[0];
    if (from->content == NDP_CONTENT_BYTES) {
        record->bytes = from->bytes;
        memcpy(record->buffers, from->buffers, sizeof record->buffers);
        record->buffer_count = from->buffer_count;
    } else if (has_file) {
        NDP_TRY(ndp_case_file_read(&from->decoded.file, run->arena, &record->bytes));
    } else if (from->content == NDP_CONTENT_MODEL && from->model.map.is_backed) {
        record->bytes = from->map_original;
    } else {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_VALUE, "the array has no file");
        return NDP_OK;
    }
    record->has_bytes = true;
    record_success(run, step->to);
    return NDP_OK;
}

static enum ndp_status do_size(struct ndp_interpret_run *run, const struct ndp_step *step) {
    struct ndp_slot_record *record = &run->out->slots[step->to];
    if (!ndp_heap_meter_is_available()) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED,
                             "the heap is not measured in this build");
        return NDP_OK;
    }
    record->has_peak = true;
    record->peak_bytes = run->self->peak_bytes;
    record_success(run, step->to);
    return NDP_OK;
}

static enum ndp_status do_step(struct ndp_interpret_run *run, const struct ndp_step *step) {
    switch (step->op) {
    case NDP_STEP_BUILD:
        return do_build(run, step);
    case NDP_STEP_OBSERVE:
        return do_observe(run, step);
    case NDP_STEP_ENCODE:
        return ndp_interpret_encode(run, step);
    case NDP_STEP_DECODE:
        return ndp_interpret_decode(run, step);
    case NDP_STEP_POKE:
        return do_poke(run, step);
    case NDP_STEP_FLUSH:
        return do_flush(run, step);
    case NDP_STEP_FETCH:
        return do_fetch(run, step);
    case NDP_STEP_SUPPLY:
        return ndp_interpret_supply(run, step);
    case NDP_STEP_TRANSPORT:
        return do_transport(run, step);
    case NDP_STEP_CALL:
        return do_call(run, step);
    case NDP_STEP_SIZE:
        return do_size(run, step);
    case NDP_STEP_COUNT:
        break;
    }
    return NDP_FAULT;
}

static bool can_start(const struct ndp_interpret_run *run, const struct ndp_step *step) {
    return step->from == NDP_SLOT_NONE || run->self->slots[step->from].content != NDP_CONTENT_NOTHING;
}

void ndp_interpreter_run(struct ndp_interpreter *interpreter, struct ndp_arena *arena,
                         const struct ndp_program *program, struct ndp_outcome *out) {
    struct ndp_interpret_run run = {interpreter, arena, program, out};
    ndp_program_outcome_clear(out);
    out->case_id = program->case_id;
    for (uint32_t i = 0; i < program->step_count && out->ended == NDP_VERDICT_PASS; i++) {
        if (!can_start(&run, &program->steps[i])) continue;
        const enum ndp_status status = do_step(&run, &program->steps[i]);
        if (status == NDP_OK) continue;
        out->ended = NDP_VERDICT_FAULT;
        snprintf(out->fault, sizeof out->fault, "step %u: %s", i, ndp_status_text(status));
    }
    for (uint32_t i = 0; i < NDP_SLOT_COUNT; i++) ndp_interpret_release(interpreter, &interpreter->slots[i]);
}

/* ---- making one ---- */

enum ndp_status ndp_interpreter_new(const struct ndp_plugin *plugin, struct ndp_interpreter **out,
                                    struct ndp_error *error) {
    NDP_TRY(ndp_claims_check(plugin, error));
    struct ndp_interpreter *self = calloc(1, sizeof *self);
    if (!self) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory");
    self->plugin = plugin;
    ndp_buffer_init(&self->encoded, MAX_ENCODED_BYTES);
    ndp_buffer_init(&self->dtype_text, MAX_DTYPE_TEXT_BYTES);
    *out = self;
    return NDP_OK;
}

void ndp_interpreter_rest(struct ndp_interpreter *interpreter) {
    ndp_case_file_remove_folder(&interpreter->folder);
}

void ndp_interpreter_free(struct ndp_interpreter *interpreter) {
    if (!interpreter) return;
    ndp_case_file_remove_folder(&interpreter->folder);
    ndp_buffer_clear(&interpreter->encoded);
    ndp_buffer_clear(&interpreter->dtype_text);
    free(interpreter);
}
