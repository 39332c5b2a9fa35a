/* Runs a program of steps over slots with a plugin.
 *
 * Problem: every case must run the same way in this process and behind the testee protocol, and a bug of the plugin
 * must show as its own.
 *
 * Method: each slot contains nothing, an array of the model, a decoded array, bytes, a graph or a dict. A step reads
 * `from` and fills `to`; a step whose input is missing is skipped. Results are checked before use (decoded.h,
 * held_graph.h). Inputs of the plugin are exact-size copies, so that sanitizers detect reads past their end.
 *
 * Cost: one copy of each encoding. Limits: MAX_ENCODED_BYTES per encoding; NDP_MAX_OUT_OF_BAND buffers.
 */
#include "target/interpret.h"

#include "base/byteorder.h"
#include "base/checked.h"
#include "base/text.h"
#include "describe/json_write.h"
#include "describe/value_json.h"
#include "target/claims.h"
#include "target/decoded.h"
#include "target/dict_schedule.h"
#include "target/held_graph.h"
#include "target/process/heap_meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The maximum that an encoder may write in one case. */
#define MAX_ENCODED_BYTES (UINT64_C(1) << 31)

enum { MAX_DTYPE_TEXT_BYTES = 1 << 26 };

enum content { CONTENT_NOTHING, CONTENT_MODEL, CONTENT_DECODED, CONTENT_BYTES, CONTENT_GRAPH, CONTENT_DICT };

/* The content of a slot. */
struct slot {
    enum content content;
    struct ndp_array model;                        /* MODEL */
    struct ndp_bytes map_original;                 /* MODEL with mode "c": the file's content, which writes must not
                                                    * reach */
    struct ndp_decoded decoded;                    /* DECODED */
    void *token;                                   /* DECODED: the plugin's */
    struct ndp_bytes bytes;                        /* BYTES */
    struct ndp_bytes buffers[NDP_MAX_OUT_OF_BAND]; /* BYTES: the out-of-band buffers */
    uint32_t buffer_count;
    struct ndp_graph graph;    /* GRAPH: live */
    struct ndp_dict_seen dict; /* DICT: the observations; empty before threads used it */
};

struct ndp_interpreter {
    const struct ndp_plugin *plugin;
    struct ndp_case_folder folder;
    struct ndp_buffer encoded;
    struct ndp_buffer dtype_text;
    uint64_t peak_bytes; /* of the last decode step */
    struct slot slots[NDP_SLOT_COUNT];
};

/* The state of one run. */
struct run {
    struct ndp_interpreter *self;
    struct ndp_arena *arena;
    const struct ndp_program *program;
    struct ndp_outcome *out;
};

/* ---- records ---- */

static void refuse_step(struct run *run, enum ndp_slot slot, enum ndp_slot_state state, enum ndp_refusal_class reason,
                        const char *message) {
    struct ndp_slot_record *record = &run->out->slots[slot];
    memset(record, 0, sizeof *record); /* a refusal replaces the record */
    record->state = state;
    record->refusal.reason = reason;
    ndp_text_cut(ndp_refusal_words[reason], record->refusal.type, sizeof record->refusal.type);
    ndp_text_cut(message, record->refusal.message, sizeof record->refusal.message);
}

static void refuse_with(struct run *run, enum ndp_slot slot, enum ndp_plugin_result result,
                        const struct ndp_plugin_refusal *why) {
    enum ndp_refusal_class reason = NDP_REFUSAL_OTHER;
    for (uint32_t i = 0; i < NDP_REFUSAL_COUNT; i++) {
        if (strncmp(why->reason, ndp_refusal_words[i], sizeof why->reason) == 0) reason = (enum ndp_refusal_class)i;
    }
    char message[sizeof why->message + 1] = {0}; /* neither text of a plugin need be NUL-terminated */
    memcpy(message, why->message, sizeof why->message);
    refuse_step(run, slot, result == NDP_PLUGIN_UNSUPPORTED ? NDP_SLOT_UNSUPPORTED : NDP_SLOT_REFUSED, reason, message);
}

static void record_success(struct run *run, enum ndp_slot slot) {
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

static void release_slot(struct ndp_interpreter *self, struct slot *to) {
    if (to->content == CONTENT_DECODED) {
        if (self->plugin->release) self->plugin->release(&to->decoded.array, to->token);
        ndp_case_file_remove(&to->decoded.file);
    }
    if (to->content == CONTENT_GRAPH && to->token) {
        self->plugin->graph->release(to->token);
        ndp_case_file_remove(&to->decoded.file);
    }
    to->content = CONTENT_NOTHING;
}

static struct slot *refill_slot(struct run *run, enum ndp_slot slot) {
    struct slot *to = &run->self->slots[slot];
    release_slot(run->self, to);
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
static enum ndp_status plugin_array_from_model(struct run *run, const struct ndp_array *model,
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
static enum ndp_status misalign_memory(struct run *run, struct ndp_array *model) {
    if (model->misalign_bytes == 0 || !model->buffer) return NDP_OK;
    uint64_t size_bytes;
    if (!ndp_add_u64_fits(model->buffer_bytes, model->misalign_bytes, &size_bytes)) return NDP_LIMIT;
    uint8_t *start = ndp_arena_alloc(run->arena, size_bytes);
    if (!start) return NDP_NOMEM;
    if (model->buffer_bytes > 0) memcpy(start + model->misalign_bytes, model->buffer, (size_t)model->buffer_bytes);
    model->buffer = start + model->misalign_bytes;
    return NDP_OK;
}

static enum ndp_status keep_original(struct run *run, struct slot *to) {
    const struct ndp_array *model = &to->model;
    to->map_original = (struct ndp_bytes){model->buffer, model->buffer_bytes};
    if (!model->map.is_backed || model->map.mode != NDP_MAP_COPY) return NDP_OK;
    to->map_original.data = ndp_arena_copy(run->arena, model->buffer, model->buffer_bytes);
    return to->map_original.data ? NDP_OK : NDP_NOMEM;
}

static enum ndp_status build_array(struct run *run, struct slot *to, struct ndp_error *error) {
    struct ndp_array_value value = *run->program->value;
    value.base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = run->program->base_bytes};
    NDP_TRY(ndp_array_build(run->arena, &value, ndp_host_is_little_endian(), &to->model, error));
    NDP_TRY(misalign_memory(run, &to->model));
    NDP_TRY(keep_original(run, to));
    to->content = CONTENT_MODEL;
    return NDP_OK;
}

static enum ndp_status build_graph(struct run *run, struct slot *to, struct ndp_error *error) {
    NDP_TRY(ndp_held_graph_build(run->arena, run->program->graph, &to->graph, error));
    to->token = NULL;
    to->content = CONTENT_GRAPH;
    return NDP_OK;
}

static enum ndp_status do_build(struct run *run, const struct ndp_step *step) {
    struct slot *to = refill_slot(run, step->to);
    struct ndp_error error = {.status = NDP_OK};
    if (run->program->dict) {
        to->content = CONTENT_DICT;
        to->dict = (struct ndp_dict_seen){.round_count = 0};
        return NDP_OK;
    }
    const bool has_graph = run->program->graph && run->program->graph->count > 0;
    if (!run->program->value && !has_graph) {
        refuse_step(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_INTERNAL, "the case has no value");
        return NDP_OK;
    }
    const enum ndp_status status = has_graph ? build_graph(run, to, &error) : build_array(run, to, &error);
    if (status != NDP_OK)
        refuse_step(run, step->to, NDP_SLOT_REFUSED, reason_of(status),
                    error.text[0] ? error.text : ndp_status_text(status));
    return NDP_OK;
}

/* The sink of an encoder. */
static bool write_encoded(void *sink, const void *bytes, size_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes) == NDP_OK;
}

static bool is_out_of_band(const struct ndp_step *step) {
    return ndp_word_is(step->buffers, "out-of-band");
}

/* Out-of-band buffers of an encoder, copied at exact size into the arena. */
struct buffer_sink {
    struct ndp_arena *arena;
    struct ndp_bytes buffers[NDP_MAX_OUT_OF_BAND];
    uint32_t count;
};

static bool keep_buffer(void *sink, const void *bytes, size_t size_bytes) {
    struct buffer_sink *kept = sink;
    if (kept->count == NDP_MAX_OUT_OF_BAND) return false;
    const uint8_t *copy = ndp_arena_copy(kept->arena, bytes, size_bytes);
    if (!copy) return false;
    kept->buffers[kept->count++] = (struct ndp_bytes){copy, size_bytes};
    return true;
}

/* Calls the encoder for the slot's content; UNSUPPORTED when the plugin has none. */
static enum ndp_status call_encoder(struct run *run, const struct ndp_step *step, struct buffer_sink *buffers,
                                    enum ndp_plugin_result *result, struct ndp_plugin_refusal *why) {
    struct ndp_interpreter *self = run->self;
    const struct slot *from = &self->slots[step->from];
    const bool is_graph = from->content == CONTENT_GRAPH;
    const struct ndp_plugin_graph *graphs = self->plugin->graph;
    if (is_graph && !graphs) return NDP_UNSUPPORTED;
    const struct ndp_plugin_entry *entry =
        ndp_claims_find(is_graph ? graphs->entries : self->plugin->entries, step, true);
    if (!entry || (is_graph ? !graphs->encode : !self->plugin->encode)) return NDP_UNSUPPORTED;
    if (is_graph) {
        *result = graphs->encode(entry, &from->graph, write_encoded, &self->encoded, why);
        return NDP_OK;
    }
    struct ndp_plugin_array array = from->decoded.array;
    if (from->content == CONTENT_MODEL) NDP_TRY(plugin_array_from_model(run, &from->model, &array));
    array.is_mapped = false;
    array.file_position_bytes = step->offset_bytes;
    if (!is_out_of_band(step)) {
        *result = self->plugin->encode(entry, &array, write_encoded, &self->encoded, why);
        return NDP_OK;
    }
    if (!self->plugin->encode_apart) return NDP_UNSUPPORTED;
    *result = self->plugin->encode_apart(entry, &array, write_encoded, &self->encoded, keep_buffer, buffers, why);
    return NDP_OK;
}

static enum ndp_status do_encode(struct run *run, const struct ndp_step *step) {
    struct ndp_interpreter *self = run->self;
    const enum content content = self->slots[step->from].content;
    struct ndp_plugin_refusal why = {.reason = ""};
    enum ndp_plugin_result result = NDP_PLUGIN_DONE;
    if (content == CONTENT_BYTES || content == CONTENT_DICT) return NDP_OK;
    self->encoded.size_bytes = 0;
    struct buffer_sink buffers = {.arena = run->arena};
    const enum ndp_status status = call_encoder(run, step, &buffers, &result, &why);
    if (status == NDP_UNSUPPORTED)
        refuse_step(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED, "the plugin has no such encoder");
    if (status != NDP_OK) return status == NDP_UNSUPPORTED ? NDP_OK : status;
    if (result != NDP_PLUGIN_DONE) {
        refuse_with(run, step->to, result, &why);
        return NDP_OK;
    }
    /* A copy of exact size, so that sanitizers detect reads past its end. */
    const uint8_t *copy = ndp_arena_copy(run->arena, self->encoded.data, self->encoded.size_bytes);
    if (!copy) return NDP_NOMEM;
    struct slot *to = refill_slot(run, step->to);
    to->bytes = (struct ndp_bytes){copy, self->encoded.size_bytes};
    memcpy(to->buffers, buffers.buffers, sizeof to->buffers);
    to->buffer_count = buffers.count;
    to->content = CONTENT_BYTES;
    return NDP_OK;
}

static enum ndp_status do_supply(struct run *run, const struct ndp_step *step) {
    const struct ndp_bytes supplied = run->program->supplied;
    const uint8_t *copy = ndp_arena_copy(run->arena, supplied.data, supplied.size_bytes);
    if (!copy) return NDP_NOMEM;
    struct buffer_sink buffers = {.arena = run->arena};
    for (uint32_t i = 0; i < run->program->supplied_buffer_count; i++) {
        const struct ndp_bytes *buffer = &run->program->supplied_buffers[i];
        if (!keep_buffer(&buffers, buffer->data, (size_t)buffer->size_bytes)) return NDP_NOMEM;
    }
    struct slot *to = refill_slot(run, step->to);
    to->bytes = (struct ndp_bytes){copy, supplied.size_bytes};
    memcpy(to->buffers, buffers.buffers, sizeof to->buffers);
    to->buffer_count = buffers.count;
    to->content = CONTENT_BYTES;
    return NDP_OK;
}

static enum ndp_status plugin_array_from_as(struct run *run, const struct ndp_step *step, struct ndp_plugin_array *as,
                                            bool *has_as) {
    /* raw is the only format without a header. */
    *has_as = run->program->as && ndp_word_is(step->format, "raw");
    if (!*has_as) return NDP_OK;
    /* The bytes are contiguous, regardless of the strides of the source. */
    struct ndp_array *plain = NDP_ARENA_NEW(run->arena, struct ndp_array);
    if (!plain) return NDP_NOMEM;
    *plain = *run->program->as;
    NDP_TRY(ndp_layout_contiguous(&plain->layout, run->program->as->layout.shape, plain->layout.ndim,
                                  plain->dtype->itemsize_bytes, run->program->as_order, 0));
    NDP_TRY(plugin_array_from_model(run, plain, as));
    as->data = NULL;
    as->file_position_bytes = step->offset_bytes;
    return NDP_OK;
}

/* Releases a result of the plugin that fails its check. */
static void refuse_invalid(struct run *run, const struct ndp_step *step, const char *what, const char *why) {
    char message[128];
    snprintf(message, sizeof message, "the decoder returned an invalid %s: %s", what, why);
    release_slot(run->self, &run->self->slots[step->to]);
    refuse_step(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_INTERNAL, message);
}

/* Whether the plugin decodes graphs from files for this entry. */
static bool maps_graphs(const struct ndp_plugin_graph *graphs, const struct ndp_plugin_entry *entry) {
    return graphs->decode_file && strncmp(entry->entry, "mmap:", 5) == 0;
}

static enum ndp_plugin_result call_graph_decoder(struct run *run, const struct ndp_plugin_entry *entry,
                                                 struct ndp_bytes bytes, struct slot *to,
                                                 struct ndp_plugin_refusal *why) {
    const struct ndp_plugin_graph *graphs = run->self->plugin->graph;
    if (!maps_graphs(graphs, entry))
        return graphs->decode(entry, bytes.data, (size_t)bytes.size_bytes, run->arena, &to->graph, why);
    const enum ndp_plugin_result result =
        graphs->decode_file(entry, to->decoded.file.path, run->arena, &to->graph, &to->token, why);
    if (result != NDP_PLUGIN_DONE || !to->token) ndp_case_file_remove(&to->decoded.file);
    return result;
}

static enum ndp_status decode_graph(struct run *run, const struct ndp_step *step) {
    const struct ndp_plugin_graph *graphs = run->self->plugin->graph;
    const struct slot *from = &run->self->slots[step->from];
    const struct ndp_plugin_entry *entry = graphs ? ndp_claims_find(graphs->entries, step, false) : NULL;
    struct ndp_plugin_refusal why = {.reason = ""};
    if (!entry || !graphs->decode) {
        refuse_step(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED, "the plugin has no such decoder");
        return NDP_OK;
    }
    if (from->content != CONTENT_BYTES) return NDP_OK;
    struct slot *to = refill_slot(run, step->to);
    to->graph = (struct ndp_graph){.count = 0};
    to->token = NULL;
    to->decoded.file.path[0] = '\0';
    if (maps_graphs(graphs, entry))
        NDP_TRY(ndp_case_file_make(&run->self->folder, (uint32_t)step->to, from->bytes, &to->decoded.file));
    const enum ndp_plugin_result result = call_graph_decoder(run, entry, from->bytes, to, &why);
    const char *wrong = result == NDP_PLUGIN_DONE ? ndp_held_graph_check(&to->graph) : NULL;
    if (result != NDP_PLUGIN_DONE) {
        refuse_with(run, step->to, result, &why);
        return NDP_OK;
    }
    to->content = CONTENT_GRAPH;
    if (wrong) refuse_invalid(run, step, "graph", wrong);
    return NDP_OK;
}

static enum ndp_plugin_result decode_out_of_band(const struct ndp_plugin *plugin, const struct ndp_plugin_entry *entry,
                                                 const struct slot *from, struct slot *to,
                                                 struct ndp_plugin_refusal *why) {
    struct ndp_plugin_buffer buffers[NDP_MAX_OUT_OF_BAND];
    for (uint32_t i = 0; i < from->buffer_count; i++)
        buffers[i] = (struct ndp_plugin_buffer){from->buffers[i].data, (size_t)from->buffers[i].size_bytes};
    return plugin->decode_apart(entry, from->bytes.data, (size_t)from->bytes.size_bytes, buffers, from->buffer_count,
                                &to->decoded.array, &to->token, why);
}

static bool takes_bytes(const struct ndp_plugin *plugin, const struct ndp_plugin_entry *entry) {
    return ndp_word_is(entry->entry, "memory") || (plugin->takes_bytes && plugin->takes_bytes(entry));
}

static enum ndp_status do_decode(struct run *run, const struct ndp_step *step) {
    struct ndp_interpreter *self = run->self;
    const struct slot *from = &self->slots[step->from];
    const struct ndp_plugin_entry *entry = ndp_claims_find(self->plugin->entries, step, false);
    struct ndp_plugin_refusal why = {.reason = ""};
    struct ndp_plugin_array as = {.ndim = 0};
    if (run->program->graph) return decode_graph(run, step);
    if (!entry || (is_out_of_band(step) ? !self->plugin->decode_apart : !self->plugin->decode)) {
        refuse_step(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED, "the plugin has no such decoder");
        return NDP_OK;
    }
    if (from->content != CONTENT_BYTES) return NDP_OK;
    struct slot *to = refill_slot(run, step->to);
    memset(&to->decoded.array, 0, sizeof to->decoded.array);
    to->token = NULL;
    to->decoded.entry = entry->entry;
    to->decoded.file.path[0] = '\0';
    const bool from_memory = is_out_of_band(step) || takes_bytes(self->plugin, entry);
    if (!from_memory) NDP_TRY(ndp_case_file_make(&self->folder, (uint32_t)step->to, from->bytes, &to->decoded.file));
    bool has_as;
    NDP_TRY(plugin_array_from_as(run, step, &as, &has_as));
    ndp_heap_begin();
    const enum ndp_plugin_result result =
        is_out_of_band(step) ? decode_out_of_band(self->plugin, entry, from, to, &why)
                             : self->plugin->decode(entry, from_memory ? from->bytes.data : NULL,
                                                    from_memory ? (size_t)from->bytes.size_bytes : 0,
                                                    from_memory ? NULL : to->decoded.file.path, has_as ? &as : NULL,
                                                    &to->decoded.array, &to->token, &why);
    self->peak_bytes = ndp_heap_end();
    if (result == NDP_PLUGIN_DONE) {
        to->content = CONTENT_DECODED;
        const char *wrong = ndp_decoded_check(run->arena, &to->decoded);
        if (wrong) refuse_invalid(run, step, "array", wrong);
    } else {
        ndp_case_file_remove(&to->decoded.file);
        refuse_with(run, step->to, result, &why);
    }
    return NDP_OK;
}

static enum ndp_status observe_graph(struct run *run, const struct slot *from, struct ndp_slot_record *record) {
    struct ndp_graph all, *observed = NDP_ARENA_NEW(run->arena, struct ndp_graph);
    if (!observed) return NDP_NOMEM;
    NDP_TRY(ndp_held_graph_observe(run->arena, &from->graph, &all));
    NDP_TRY(ndp_graph_in_order(run->arena, &all, observed));
    record->graph = observed;
    return NDP_OK;
}

static enum ndp_status observe_dict(struct run *run, const struct slot *from, struct ndp_slot_record *record) {
    struct ndp_dict_seen *observed = ndp_arena_copy(run->arena, &from->dict, sizeof *observed);
    if (!observed) return NDP_NOMEM;
    record->dict = observed;
    return NDP_OK;
}

static enum ndp_status do_observe(struct run *run, const struct ndp_step *step) {
    const struct slot *from = &run->self->slots[step->from];
    struct ndp_slot_record *record = &run->out->slots[step->to];
    if (from->content == CONTENT_BYTES) {
        refuse_step(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_INTERNAL, "bytes cannot be observed");
        return NDP_OK;
    }
    const char *hidden = from->content == CONTENT_GRAPH ? ndp_held_graph_hides(&from->graph) : NULL;
    if (hidden != NULL) {
        refuse_step(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED, hidden);
        return NDP_OK;
    }
    if (from->content == CONTENT_MODEL) NDP_TRY(ndp_array_observe(run->arena, &from->model, &record->observation));
    if (from->content == CONTENT_DECODED)
        NDP_TRY(ndp_decoded_observe(run->arena, &from->decoded, &record->observation));
    if (from->content == CONTENT_GRAPH) NDP_TRY(observe_graph(run, from, record));
    if (from->content == CONTENT_DICT) NDP_TRY(observe_dict(run, from, record));
    record->has_observation = from->content == CONTENT_MODEL || from->content == CONTENT_DECODED;
    record_success(run, step->to);
    return NDP_OK;
}

/* The threads work on the dict in place, without another process. */
static enum ndp_status do_transport(struct run *run, const struct ndp_step *step) {
    const struct ndp_plugin_dict *dict = run->self->plugin->dict;
    if (!dict || !run->program->dict || !ndp_word_is(step->format, dict->format) ||
        !ndp_word_is(step->entry, dict->entry)) {
        refuse_step(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED, "the plugin is not a transport");
        return NDP_OK;
    }
    struct slot *to = refill_slot(run, step->to);
    const enum ndp_status status = ndp_dict_schedule_run(run->arena, dict, run->program->dict, &to->dict);
    if (status == NDP_UNSUPPORTED) {
        refuse_step(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED,
                    "the plugin has no dict of these types");
        return NDP_OK;
    }
    if (status == NDP_OK) to->content = CONTENT_DICT;
    return status;
}

static enum ndp_status do_call(struct run *run, const struct ndp_step *step) {
    struct slot *from = &run->self->slots[step->from];
    if (from->content != CONTENT_GRAPH) {
        refuse_step(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED, "the value is not callable");
        return NDP_OK;
    }
    NDP_TRY(ndp_held_graph_call(run->arena, &from->graph));
    record_success(run, step->to);
    return NDP_OK;
}

static enum ndp_status do_poke(struct run *run, const struct ndp_step *step) {
    const struct slot *from = &run->self->slots[step->from];
    struct ndp_array array = from->model;
    if (from->content != CONTENT_MODEL && from->content != CONTENT_DECODED) {
        refuse_step(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED, "only an array can be modified");
        return NDP_OK;
    }
    if (from->content == CONTENT_DECODED) ndp_decoded_view(&from->decoded, &array);
    if (!array.is_writeable || ndp_layout_count(&array.layout) == 0) {
        refuse_step(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_VALUE,
                    array.is_writeable ? "no element to write" : "assignment destination is read-only");
        return NDP_OK;
    }
    uint8_t *element = array.buffer + array.layout.offset_bytes;
    for (uint64_t i = 0; i < array.dtype->itemsize_bytes; i++) element[i] = (uint8_t)~element[i];
    record_success(run, step->to);
    return NDP_OK;
}

static enum ndp_status do_flush(struct run *run, const struct ndp_step *step) {
    const struct slot *from = &run->self->slots[step->from];
    const struct ndp_plugin *plugin = run->self->plugin;
    struct ndp_plugin_refusal why = {.reason = ""};
    enum ndp_plugin_result result = NDP_PLUGIN_DONE;
    const bool is_map = (from->content == CONTENT_MODEL && from->model.map.is_backed) ||
                        (from->content == CONTENT_DECODED && from->decoded.array.is_mapped);
    if (!is_map) {
        refuse_step(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_VALUE, "the array is not a memory map");
        return NDP_OK;
    }
    if (from->content == CONTENT_DECODED && plugin->flush)
        result = plugin->flush(&from->decoded.array, from->token, &why);
    if (result == NDP_PLUGIN_DONE)
        record_success(run, step->to);
    else
        refuse_with(run, step->to, result, &why);
    return NDP_OK;
}

static enum ndp_status do_fetch(struct run *run, const struct ndp_step *step) {
    const struct slot *from = &run->self->slots[step->from];
    struct ndp_slot_record *record = &run->out->slots[step->to];
    const bool has_file = from->content == CONTENT_DECODED && from->decoded.file.path[0];
    if (from->content == CONTENT_BYTES) {
        record->bytes = from->bytes;
        memcpy(record->buffers, from->buffers, sizeof record->buffers);
        record->buffer_count = from->buffer_count;
    } else if (has_file) {
        NDP_TRY(ndp_case_file_read(&from->decoded.file, run->arena, &record->bytes));
    } else if (from->content == CONTENT_MODEL && from->model.map.is_backed) {
        record->bytes = from->map_original;
    } else {
        refuse_step(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_VALUE, "the array has no file");
        return NDP_OK;
    }
    record->has_bytes = true;
    record_success(run, step->to);
    return NDP_OK;
}

static enum ndp_status do_size(struct run *run, const struct ndp_step *step) {
    struct ndp_slot_record *record = &run->out->slots[step->to];
    if (!ndp_heap_is_metered()) {
        refuse_step(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED,
                    "the heap is not measured in this build");
        return NDP_OK;
    }
    record->has_peak = true;
    record->peak_bytes = run->self->peak_bytes;
    record_success(run, step->to);
    return NDP_OK;
}

static enum ndp_status do_step(struct run *run, const struct ndp_step *step) {
    switch (step->op) {
    case NDP_STEP_BUILD:
        return do_build(run, step);
    case NDP_STEP_OBSERVE:
        return do_observe(run, step);
    case NDP_STEP_ENCODE:
        return do_encode(run, step);
    case NDP_STEP_DECODE:
        return do_decode(run, step);
    case NDP_STEP_POKE:
        return do_poke(run, step);
    case NDP_STEP_FLUSH:
        return do_flush(run, step);
    case NDP_STEP_FETCH:
        return do_fetch(run, step);
    case NDP_STEP_SUPPLY:
        return do_supply(run, step);
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

static bool can_start(const struct run *run, const struct ndp_step *step) {
    return step->from == NDP_SLOT_NONE || run->self->slots[step->from].content != CONTENT_NOTHING;
}

void ndp_interpreter_run(struct ndp_interpreter *interpreter, struct ndp_arena *arena,
                         const struct ndp_program *program, struct ndp_outcome *out) {
    struct run run = {interpreter, arena, program, out};
    ndp_outcome_clear(out);
    out->case_id = program->case_id;
    for (uint32_t i = 0; i < program->step_count && out->ended == NDP_VERDICT_PASS; i++) {
        if (!can_start(&run, &program->steps[i])) continue;
        const enum ndp_status status = do_step(&run, &program->steps[i]);
        if (status == NDP_OK) continue;
        out->ended = NDP_VERDICT_FAULT;
        snprintf(out->fault, sizeof out->fault, "step %u: %s", i, ndp_status_text(status));
    }
    for (uint32_t i = 0; i < NDP_SLOT_COUNT; i++) release_slot(interpreter, &interpreter->slots[i]);
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

void ndp_interpreter_free(struct ndp_interpreter *interpreter) {
    if (!interpreter) return;
    ndp_case_folder_remove(&interpreter->folder);
    ndp_buffer_clear(&interpreter->encoded);
    ndp_buffer_clear(&interpreter->dtype_text);
    free(interpreter);
}
