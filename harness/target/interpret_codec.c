/* interpret_codec.c: the steps that call a plugin's encoders and decoders. Inputs are exact-size copies, so that
 * sanitizers detect reads past their end; results are checked before use. */
#include "target/interpret_steps.h"

#include "base/text.h"
#include "target/claims.h"
#include "target/interpret_history.h"
#include "target/live_graph.h"
#include "target/process/heap_meter.h"

#include <stdio.h>
#include <string.h>

/* The sink of an encoder. */
static bool write_encoded(void *sink, const void *bytes, size_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes) == NDP_OK;
}

static bool is_out_of_band(const struct ndp_step *step) {
    return ndp_bytes_word_is(step->buffers, "out-of-band");
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

/* Makes the calls of the step's history; true when the call of the step was one of them. */
static bool has_called(const struct ndp_step *step, const struct ndp_history_call *call, struct ndp_buffer *encoded,
                       enum ndp_plugin_result *result) {
    return step->history != NDP_HISTORY_NONE && ndp_history_encode(step->history, call, encoded, result);
}

/* Calls the encoder for the slot's content; UNSUPPORTED when the plugin has none. */
static enum ndp_status call_encoder(struct ndp_interpret_run *run, const struct ndp_step *step,
                                    struct buffer_sink *buffers, enum ndp_plugin_result *result,
                                    struct ndp_plugin_refusal *why) {
    struct ndp_interpreter *self = run->self;
    const struct ndp_interpret_slot *from = &self->slots[step->from];
    const bool is_graph = from->content == NDP_CONTENT_GRAPH;
    const struct ndp_plugin_graph *graphs = self->plugin->graph;
    if (is_graph && !graphs) return NDP_UNSUPPORTED;
    const struct ndp_plugin_entry *entry =
        ndp_claims_find(is_graph ? graphs->entries : self->plugin->entries, step, true);
    if (!entry || (is_graph ? !graphs->encode : !self->plugin->encode)) return NDP_UNSUPPORTED;
    struct ndp_history_call call = {
        .plugin = self->plugin, .entry = entry, .is_out_of_band = !is_graph && is_out_of_band(step)};
    if (is_graph) {
        call.graph = &from->graph;
        if (has_called(step, &call, &self->encoded, result)) return NDP_OK;
        *result = graphs->encode(entry, &from->graph, write_encoded, &self->encoded, why);
        return NDP_OK;
    }
    struct ndp_plugin_array array = from->decoded.array;
    if (from->content == NDP_CONTENT_MODEL) NDP_TRY(ndp_interpret_plugin_array(run, &from->model, &array));
    array.is_mapped = false;
    array.file_position_bytes = step->offset_bytes;
    call.array = array;
    if (from->content == NDP_CONTENT_MODEL)
        call.memory = (struct ndp_bytes){from->model.buffer, from->model.buffer_bytes};
    if (!is_out_of_band(step)) {
        if (has_called(step, &call, &self->encoded, result)) return NDP_OK;
        *result = self->plugin->encode(entry, &array, write_encoded, &self->encoded, why);
        return NDP_OK;
    }
    if (!self->plugin->encode_apart) return NDP_UNSUPPORTED;
    if (has_called(step, &call, &self->encoded, result)) return NDP_OK;
    *result = self->plugin->encode_apart(entry, &array, write_encoded, &self->encoded, keep_buffer, buffers, why);
    return NDP_OK;
}

enum ndp_status ndp_interpret_encode(struct ndp_interpret_run *run, const struct ndp_step *step) {
    struct ndp_interpreter *self = run->self;
    const enum ndp_interpret_content content = self->slots[step->from].content;
    struct ndp_plugin_refusal why = {.reason = ""};
    enum ndp_plugin_result result = NDP_PLUGIN_DONE;
    if (content == NDP_CONTENT_BYTES || content == NDP_CONTENT_DICT) return NDP_OK;
    self->encoded.size_bytes = 0;
    struct buffer_sink buffers = {.arena = run->arena};
    const enum ndp_status status = call_encoder(run, step, &buffers, &result, &why);
    if (status == NDP_UNSUPPORTED)
        ndp_interpret_refuse(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED,
                             "the plugin has no such encoder");
    if (status != NDP_OK) return status == NDP_UNSUPPORTED ? NDP_OK : status;
    if (result != NDP_PLUGIN_DONE) {
        ndp_interpret_refuse_with(run, step->to, result, &why);
        return NDP_OK;
    }
    /* A copy of exact size, so that sanitizers detect reads past its end. */
    const uint8_t *copy = ndp_arena_copy(run->arena, self->encoded.data, self->encoded.size_bytes);
    if (!copy) return NDP_NOMEM;
    struct ndp_interpret_slot *to = ndp_interpret_refill(run, step->to);
    to->bytes = (struct ndp_bytes){copy, self->encoded.size_bytes};
    memcpy(to->buffers, buffers.buffers, sizeof to->buffers);
    to->buffer_count = buffers.count;
    to->content = NDP_CONTENT_BYTES;
    return NDP_OK;
}

enum ndp_status ndp_interpret_supply(struct ndp_interpret_run *run, const struct ndp_step *step) {
    const struct ndp_bytes supplied = run->program->supplied;
    const uint8_t *copy = ndp_arena_copy(run->arena, supplied.data, supplied.size_bytes);
    if (!copy) return NDP_NOMEM;
    struct buffer_sink buffers = {.arena = run->arena};
    for (uint32_t i = 0; i < run->program->supplied_buffer_count; i++) {
        const struct ndp_bytes *buffer = &run->program->supplied_buffers[i];
        if (!keep_buffer(&buffers, buffer->data, (size_t)buffer->size_bytes)) return NDP_NOMEM;
    }
    struct ndp_interpret_slot *to = ndp_interpret_refill(run, step->to);
    to->bytes = (struct ndp_bytes){copy, supplied.size_bytes};
    memcpy(to->buffers, buffers.buffers, sizeof to->buffers);
    to->buffer_count = buffers.count;
    to->content = NDP_CONTENT_BYTES;
    return NDP_OK;
}

static enum ndp_status plugin_array_from_as(struct ndp_interpret_run *run, const struct ndp_step *step,
                                            struct ndp_plugin_array *as, bool *has_as) {
    /* raw is the only format without a header. */
    *has_as = run->program->as && ndp_bytes_word_is(step->format, "raw");
    if (!*has_as) return NDP_OK;
    /* The bytes are contiguous, regardless of the strides of the source. */
    struct ndp_array *plain = NDP_ARENA_NEW(run->arena, struct ndp_array);
    if (!plain) return NDP_NOMEM;
    *plain = *run->program->as;
    NDP_TRY(ndp_layout_contiguous(&plain->layout, run->program->as->layout.shape, plain->layout.ndim,
                                  plain->dtype->itemsize_bytes, run->program->as_order, 0));
    NDP_TRY(ndp_interpret_plugin_array(run, plain, as));
    as->data = NULL;
    as->file_position_bytes = step->offset_bytes;
    return NDP_OK;
}

/* Releases a result of the plugin that fails its check. */
static void refuse_invalid(struct ndp_interpret_run *run, const struct ndp_step *step, const char *what,
                           const char *why) {
    char message[128];
    snprintf(message, sizeof message, "the decoder returned an invalid %s: %s", what, why);
    ndp_interpret_release(run->self, &run->self->slots[step->to]);
    ndp_interpret_refuse(run, step->to, NDP_SLOT_REFUSED, NDP_REFUSAL_INTERNAL, message);
}

/* Whether the plugin decodes graphs from files for this entry. */
static bool maps_graphs(const struct ndp_plugin_graph *graphs, const struct ndp_plugin_entry *entry) {
    return graphs->decode_file && strncmp(entry->entry, "mmap:", 5) == 0;
}

static enum ndp_plugin_result call_graph_decoder(struct ndp_interpret_run *run, const struct ndp_plugin_entry *entry,
                                                 struct ndp_bytes bytes, struct ndp_interpret_slot *to,
                                                 struct ndp_plugin_refusal *why) {
    const struct ndp_plugin_graph *graphs = run->self->plugin->graph;
    if (!maps_graphs(graphs, entry))
        return graphs->decode(entry, bytes.data, (size_t)bytes.size_bytes, run->arena, &to->graph, why);
    const enum ndp_plugin_result result =
        graphs->decode_file(entry, to->decoded.file.path, run->arena, &to->graph, &to->token, why);
    if (result != NDP_PLUGIN_DONE || !to->token) ndp_case_file_remove(&to->decoded.file);
    return result;
}

static enum ndp_status decode_graph(struct ndp_interpret_run *run, const struct ndp_step *step) {
    const struct ndp_plugin_graph *graphs = run->self->plugin->graph;
    const struct ndp_interpret_slot *from = &run->self->slots[step->from];
    const struct ndp_plugin_entry *entry = graphs ? ndp_claims_find(graphs->entries, step, false) : NULL;
    struct ndp_plugin_refusal why = {.reason = ""};
    if (!entry || !graphs->decode) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED,
                             "the plugin has no such decoder");
        return NDP_OK;
    }
    if (from->content != NDP_CONTENT_BYTES) return NDP_OK;
    struct ndp_interpret_slot *to = ndp_interpret_refill(run, step->to);
    to->graph = (struct ndp_graph){.count = 0};
    to->token = NULL;
    to->decoded.file.path[0] = '\0';
    if (maps_graphs(graphs, entry))
        NDP_TRY(ndp_case_file_make(&run->self->folder, (uint32_t)step->to, from->bytes, &to->decoded.file));
    const enum ndp_plugin_result result = call_graph_decoder(run, entry, from->bytes, to, &why);
    const char *wrong = result == NDP_PLUGIN_DONE ? ndp_live_graph_check(&to->graph) : NULL;
    if (result != NDP_PLUGIN_DONE) {
        ndp_interpret_refuse_with(run, step->to, result, &why);
        return NDP_OK;
    }
    to->content = NDP_CONTENT_GRAPH;
    if (wrong) refuse_invalid(run, step, "graph", wrong);
    return NDP_OK;
}

static enum ndp_plugin_result decode_out_of_band(const struct ndp_plugin *plugin, const struct ndp_plugin_entry *entry,
                                                 const struct ndp_interpret_slot *from, struct ndp_interpret_slot *to,
                                                 struct ndp_plugin_refusal *why) {
    struct ndp_plugin_buffer buffers[NDP_MAX_OUT_OF_BAND];
    for (uint32_t i = 0; i < from->buffer_count; i++)
        buffers[i] = (struct ndp_plugin_buffer){from->buffers[i].data, (size_t)from->buffers[i].size_bytes};
    return plugin->decode_apart(entry, from->bytes.data, (size_t)from->bytes.size_bytes, buffers, from->buffer_count,
                                &to->decoded.array, &to->token, why);
}

/* Makes the calls of a decoder before that of the step: with half of the bytes for FAILED, otherwise with all. */
static enum ndp_status decode_before(struct ndp_interpret_run *run, const struct ndp_step *step,
                                     const struct ndp_plugin_entry *entry, bool from_memory,
                                     const struct ndp_plugin_array *as) {
    const struct ndp_plugin *plugin = run->self->plugin;
    struct ndp_bytes bytes = run->self->slots[step->from].bytes;
    struct ndp_plugin_array first = {.ndim = 0};
    struct ndp_plugin_refusal why = {.reason = ""};
    struct ndp_case_file file = {.path = ""};
    void *token = NULL;
    if (step->history == NDP_HISTORY_FAILED) bytes.size_bytes /= 2;
    /* A copy of exact size, so that sanitizers detect reads past its end. */
    bytes.data = ndp_arena_copy(run->arena, bytes.data, bytes.size_bytes);
    if (!bytes.data) return NDP_NOMEM;
    if (!from_memory) NDP_TRY(ndp_case_file_make(&run->self->folder, NDP_SLOT_COUNT, bytes, &file));
    const enum ndp_plugin_result result =
        plugin->decode(entry, from_memory ? bytes.data : NULL, from_memory ? (size_t)bytes.size_bytes : 0,
                       from_memory ? NULL : file.path, as, &first, &token, &why);
    if (result == NDP_PLUGIN_DONE && plugin->release) plugin->release(&first, token);
    ndp_case_file_remove(&file);
    return NDP_OK;
}

static bool takes_bytes(const struct ndp_plugin *plugin, const struct ndp_plugin_entry *entry) {
    return ndp_bytes_word_is(entry->entry, "memory") || (plugin->takes_bytes && plugin->takes_bytes(entry));
}

enum ndp_status ndp_interpret_decode(struct ndp_interpret_run *run, const struct ndp_step *step) {
    struct ndp_interpreter *self = run->self;
    const struct ndp_interpret_slot *from = &self->slots[step->from];
    const struct ndp_plugin_entry *entry = ndp_claims_find(self->plugin->entries, step, false);
    struct ndp_plugin_refusal why = {.reason = ""};
    struct ndp_plugin_array as = {.ndim = 0};
    if (run->program->graph) return decode_graph(run, step);
    if (!entry || (is_out_of_band(step) ? !self->plugin->decode_apart : !self->plugin->decode)) {
        ndp_interpret_refuse(run, step->to, NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED,
                             "the plugin has no such decoder");
        return NDP_OK;
    }
    if (from->content != NDP_CONTENT_BYTES) return NDP_OK;
    struct ndp_interpret_slot *to = ndp_interpret_refill(run, step->to);
    memset(&to->decoded.array, 0, sizeof to->decoded.array);
    to->token = NULL;
    to->decoded.entry = entry->entry;
    to->decoded.file.path[0] = '\0';
    const bool from_memory = is_out_of_band(step) || takes_bytes(self->plugin, entry);
    if (!from_memory) NDP_TRY(ndp_case_file_make(&self->folder, (uint32_t)step->to, from->bytes, &to->decoded.file));
    bool has_as;
    NDP_TRY(plugin_array_from_as(run, step, &as, &has_as));
    if (step->history != NDP_HISTORY_NONE && !is_out_of_band(step))
        NDP_TRY(decode_before(run, step, entry, from_memory, has_as ? &as : NULL));
    /* Counting every block of memory takes a tenth of a small case. */
    const bool is_measured = step + 1 < run->program->steps + run->program->step_count && step[1].op == NDP_STEP_SIZE;
    if (is_measured) ndp_heap_meter_begin();
    const enum ndp_plugin_result result =
        is_out_of_band(step) ? decode_out_of_band(self->plugin, entry, from, to, &why)
                             : self->plugin->decode(entry, from_memory ? from->bytes.data : NULL,
                                                    from_memory ? (size_t)from->bytes.size_bytes : 0,
                                                    from_memory ? NULL : to->decoded.file.path, has_as ? &as : NULL,
                                                    &to->decoded.array, &to->token, &why);
    if (is_measured) self->peak_bytes = ndp_heap_meter_end();
    if (result == NDP_PLUGIN_DONE) {
        to->content = NDP_CONTENT_DECODED;
        const char *wrong = ndp_decoded_array_check(run->arena, &to->decoded);
        if (wrong) refuse_invalid(run, step, "array", wrong);
    } else {
        ndp_case_file_remove(&to->decoded.file);
        ndp_interpret_refuse_with(run, step->to, result, &why);
    }
    return NDP_OK;
}
