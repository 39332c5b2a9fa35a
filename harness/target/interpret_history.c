/* interpret_history.c: the call histories of a plugin: what happens before and around its encoder and decoder.
 *
 * Problem. A codec may keep something from one call to the next: a buffer, a position, the address of an array. One
 * call for each value never shows it.
 *
 * Method. The twin of an array has the same type, shape and strides, and every bit of its memory inverted. REUSED
 * encodes the twin first. FAILED lets the sink of the twin's encodings refuse after a few bytes, and cuts the input of
 * a decoder. FREED encodes the twin in one block of memory, and then the value in the same block. THREADS encodes twins
 * in other threads, and returns one that differs from that of a call alone.
 *
 * Cost. Two to four calls instead of one; THREADS makes up to TURNS calls per thread, fewer of large
 * arrays.
 *
 * Limits. A graph has no twin: its history uses the graph itself. A decoder reads the same bytes as its history.
 */
#include "target/interpret_history.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 32, FEWEST_TURNS = 2, BYTES_OF_TURNS = 1 << 21, OTHERS = 2, MAX_ENCODED_BYTES = 1 << 30 };

/* ---- sinks ---- */

/* A sink that refuses to take more than `room_bytes`. */
struct full_sink {
    size_t room_bytes;
};

static bool write_until_full(void *context, const void *bytes, size_t size_bytes) {
    struct full_sink *sink = context;
    (void)bytes;
    if (size_bytes > sink->room_bytes) return false;
    sink->room_bytes -= size_bytes;
    return true;
}

static bool write_anywhere(void *context, const void *bytes, size_t size_bytes) {
    (void)context;
    (void)bytes;
    (void)size_bytes;
    return true;
}

static bool write_buffer(void *context, const void *bytes, size_t size_bytes) {
    return ndp_buffer_add(context, bytes, size_bytes) == NDP_OK;
}

/* ---- calls ---- */

static enum ndp_plugin_result encode(const struct ndp_history_call *call, const struct ndp_plugin_array *array,
                                     ndp_plugin_write *write, void *sink) {
    struct ndp_plugin_refusal why = {.reason = ""};
    if (call->graph) return call->plugin->graph->encode(call->entry, call->graph, write, sink, &why);
    if (!call->is_out_of_band) return call->plugin->encode(call->entry, array, write, sink, &why);
    return call->plugin->encode_apart(call->entry, array, write, sink, write_anywhere, NULL, &why);
}

/* Encodes into sinks that become full at different places. */
static void encode_and_fail(const struct ndp_history_call *call, const struct ndp_plugin_array *array) {
    static const size_t rooms[] = {0, 16, 160};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rooms); i++) {
        struct full_sink sink = {rooms[i]};
        (void)encode(call, array, write_until_full, &sink);
    }
}

/* ---- memory ---- */

/* The memory of an array, as a block that its elements lie in. */
struct block {
    const uint8_t *from;
    uint8_t *copy; /* heap */
    size_t size_bytes;
};

static void fill(const struct block *block, bool is_twin) {
    for (size_t i = 0; i < block->size_bytes; i++)
        block->copy[i] = (uint8_t)(is_twin ? ~block->from[i] : block->from[i]);
}

/* Makes *out an array in a copy of the memory of the call's array. False without memory or elements. */
static bool copy_array(const struct ndp_history_call *call, struct block *block, struct ndp_plugin_array *out) {
    *out = call->array;
    if (call->graph || call->memory.size_bytes == 0 || !call->array.data) return false;
    block->from = call->memory.data;
    block->size_bytes = (size_t)call->memory.size_bytes;
    block->copy = malloc(block->size_bytes);
    if (!block->copy) return false;
    out->data = block->copy + ((const uint8_t *)call->array.data - block->from);
    return true;
}

/* ---- threads ---- */

struct other {
    const struct ndp_history_call *call;
    struct ndp_plugin_array array;
    struct block block;
    pthread_t thread;
    bool is_started;
};

/* The calls of each thread. */
static uint64_t turns_of(const struct ndp_history_call *call) {
    const uint64_t size = call->memory.size_bytes, turns = size > 0 ? BYTES_OF_TURNS / size : TURNS;
    return turns > TURNS ? TURNS : turns < FEWEST_TURNS ? FEWEST_TURNS : turns;
}

static void *work(void *context) {
    struct other *other = context;
    const uint64_t turns = turns_of(other->call);
    for (uint64_t i = 0; i < turns; i++) (void)encode(other->call, &other->array, write_anywhere, NULL);
    return NULL;
}

static void start(const struct ndp_history_call *call, struct other *other) {
    *other = (struct other){.call = call};
    if (copy_array(call, &other->block, &other->array)) fill(&other->block, true);
    other->is_started = pthread_create(&other->thread, NULL, work, other) == 0;
}

/* Encodes several times; an encoding that differs from the one in `out` replaces it. */
static enum ndp_plugin_result encode_often(const struct ndp_history_call *call, struct ndp_buffer *out) {
    enum ndp_plugin_result result = NDP_PLUGIN_DONE;
    const uint64_t turns = turns_of(call);
    struct ndp_buffer again;
    ndp_buffer_init(&again, MAX_ENCODED_BYTES);
    for (uint64_t i = 0; i < turns && result == NDP_PLUGIN_DONE; i++) {
        again.size_bytes = 0;
        result = encode(call, &call->array, write_buffer, &again);
        if (ndp_bytes_is_equal(ndp_buffer_view(&again), ndp_buffer_view(out))) continue;
        out->size_bytes = 0;
        if (ndp_buffer_add(out, again.data, again.size_bytes) != NDP_OK) result = NDP_PLUGIN_UNSUPPORTED;
        break;
    }
    ndp_buffer_clear(&again);
    return result;
}

static enum ndp_plugin_result encode_with_threads(const struct ndp_history_call *call, struct ndp_buffer *out) {
    struct other others[OTHERS];
    enum ndp_plugin_result result = encode(call, &call->array, write_buffer, out);
    for (uint32_t i = 0; i < OTHERS; i++) start(call, &others[i]);
    if (result == NDP_PLUGIN_DONE) result = encode_often(call, out);
    for (uint32_t i = 0; i < OTHERS; i++) {
        if (others[i].is_started) (void)pthread_join(others[i].thread, NULL);
        free(others[i].block.copy);
    }
    return result;
}

/* ---- histories ---- */

bool ndp_history_encode(enum ndp_history history, const struct ndp_history_call *call, struct ndp_buffer *encoded,
                        enum ndp_plugin_result *result) {
    struct block block = {.copy = NULL};
    struct ndp_plugin_array twin;
    if (history == NDP_HISTORY_THREADS) {
        /* Buffers of other threads have no sink of their own. */
        if (call->is_out_of_band) return false;
        *result = encode_with_threads(call, encoded);
        return true;
    }
    const bool has_copy = copy_array(call, &block, &twin);
    if (has_copy) fill(&block, true);
    if (history == NDP_HISTORY_FAILED)
        encode_and_fail(call, &twin);
    else
        (void)encode(call, &twin, write_anywhere, NULL);
    const bool takes_place = history == NDP_HISTORY_FREED && has_copy && !call->is_out_of_band;
    if (takes_place) {
        fill(&block, false);
        *result = encode(call, &twin, write_buffer, encoded);
    }
    free(block.copy);
    return takes_place;
}
