/* plan.c: turns a route into the programs that its targets run.
 *
 * Problem. Properties compare different things: the result with the source, entry points with each other, a second trip
 * with the first, a file before and after a write. One case must collect all observations that its properties need, in
 * as few exchanges with a testee as possible, and a replayed case must repeat exactly the same steps.
 *
 * Method. A property declares the slots that it reads. A program is a list of steps (BUILD, ENCODE, DECODE, OBSERVE,
 * ...) that fill slots; a step is added only if some property needs its slot. One target runs everything in one
 * program. A pair of targets gets two: the encoder builds and encodes, and its bytes are supplied to the decoder. Peers
 * (other entry points of the format) and the second format are chosen by position in the target's list of claims, so
 * they depend on the route alone, and neighbouring routes get different ones. Variants are never chosen, so that a
 * library with more of them has the same cases otherwise.
 *
 * Cost. Up to NDP_MAX_STEPS steps per program. Choosing peers walks over the claims of the target.
 *
 * Limits. A case compares with four other decoders, one other encoder, one other transport and one second format. Only
 * one target alone sends a changed source again: a pair's decoder gets the bytes of the first encoding only.
 */
#include "engine/plan.h"

#include <string.h>

void ndp_plan_peers(const struct ndp_route *route, const struct ndp_target_info *encoder,
                    const struct ndp_target_info *decoder, struct ndp_peers *out) {
    *out = (struct ndp_peers){0};
    uint32_t decoders = 0, turn = 0;
    for (uint32_t i = 0; i < decoder->entry_count && decoders < NDP_ARRAY_LEN(out->decode); i++) {
        const struct ndp_entry *entry = &decoder->entries[i];
        if (!entry->decodes || !ndp_entry_is_on(entry, route, NDP_END_DECODER)) continue;
        const bool is_own = ndp_bytes_word_is(entry->entry, route->decode);
        if (entry->is_variant && !is_own) continue;
        if (is_own) {
            turn = decoders;
            continue;
        }
        out->decode[decoders++] = entry->entry;
    }
    const char *others[NDP_MAX_ENTRIES];
    uint32_t encoders = 0;
    for (uint32_t i = 0; i < encoder->entry_count; i++) {
        const struct ndp_entry *entry = &encoder->entries[i];
        if (!entry->encodes || entry->is_variant || !ndp_entry_is_on(entry, route, NDP_END_ENCODER) ||
            ndp_bytes_word_is(entry->entry, route->encode))
            continue;
        others[encoders++] = entry->entry;
    }
    if (encoders > 0) out->encode = others[turn % encoders];
}

static const char *transport_kind(const char *entry) {
    const char *colon = strrchr(entry, ':');
    return colon != NULL ? colon : "";
}

void ndp_plan_transport_peer(const struct ndp_route *route, const struct ndp_target_info *info, struct ndp_peers *out) {
    const char *before = NULL, *after = NULL;
    bool is_past = false;
    *out = (struct ndp_peers){0};
    if (ndp_bytes_word_is(transport_kind(route->encode), ":process")) return;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (!entry->transports || !ndp_entry_is_on(entry, route, NDP_END_ENCODER)) continue;
        if (ndp_bytes_word_is(entry->entry, route->encode)) {
            is_past = true;
            continue;
        }
        if (!ndp_bytes_word_is(transport_kind(entry->entry), transport_kind(route->encode))) continue;
        if (entry->takes_settings && route->max_nbytes != -1) continue;
        if (is_past && after == NULL) after = entry->entry;
        if (!is_past && before == NULL) before = entry->entry;
    }
    out->transport = after != NULL ? after : before;
}

/* Whether an entry point may encode the second trip. Excluded: raw data, which do not describe their layout, and local
 * or expensive entry points, and those for instances of one module. An NPY file can contain only graphs that are object
 * arrays, so both formats are NPY or neither is. */
static bool can_encode_second(const struct ndp_entry *entry, const struct ndp_route *route, enum ndp_value_kind kind) {
    const bool is_npy = ndp_bytes_word_is(entry->format, "npy") || ndp_bytes_word_is(entry->format, "npz");
    const bool was_npy = ndp_bytes_word_is(route->format, "npy") || ndp_bytes_word_is(route->format, "npz");
    if (!entry->encodes || entry->is_local || entry->is_variant || entry->cost > 1 || entry->instances_of[0] != '\0' ||
        ndp_bytes_word_is(entry->format, "raw"))
        return false;
    if (kind == NDP_VALUE_GRAPH && (!entry->takes_graphs || is_npy != was_npy)) return false;
    if (kind == NDP_VALUE_ARRAY && (entry->takes_no_arrays || entry->takes_dicts)) return false;
    return !ndp_bytes_word_is(entry->format, route->format) || entry->protocol != route->protocol ||
           !ndp_bytes_word_is(entry->buffers, route->buffers);
}

/* The first entry point that decodes what `entry` encodes, or NULL. */
static const char *find_decoder(const struct ndp_target_info *info, const struct ndp_route *second) {
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (entry->decodes && !entry->is_local && !entry->is_variant && ndp_entry_is_on(entry, second, NDP_END_DECODER))
            return entry->entry;
    }
    return NULL;
}

/* Fills *out with the second route that begins with `entry`; false if nothing decodes it. */
static bool fill_second(const struct ndp_route *route, const struct ndp_target_info *info,
                        const struct ndp_entry *entry, struct ndp_route *out) {
    struct ndp_route second = {.protocol = entry->protocol};
    memcpy(second.format, entry->format, sizeof second.format);
    memcpy(second.buffers, entry->buffers, sizeof second.buffers);
    memcpy(second.encode, entry->entry, sizeof second.encode);
    memcpy(second.encoder, route->decoder, sizeof second.encoder);
    memcpy(second.decoder, route->decoder, sizeof second.decoder);
    const char *decode = find_decoder(info, &second);
    if (decode == NULL) return false;
    strncpy(second.decode, decode, sizeof second.decode - 1);
    *out = second;
    return true;
}

/* The number of entry points for this end of the route that the target claims before the one that the route names. */
static uint32_t entries_before(const struct ndp_target_info *info, const struct ndp_route *route, enum ndp_end end) {
    const struct ndp_entry *named = ndp_entry_find(info, route, end);
    uint32_t count = 0;
    for (const struct ndp_entry *entry = info->entries; named != NULL && entry < named; entry++)
        count += ndp_entry_is_on(entry, route, end);
    return count;
}

void ndp_plan_second(const struct ndp_route *route, const struct ndp_target_info *info, enum ndp_value_kind kind,
                     struct ndp_peers *out) {
    struct ndp_route seconds[NDP_MAX_ENTRIES];
    const char *formats[NDP_MAX_ENTRIES];
    uint32_t count = 0, format_count = 0;
    /* A map of a file is a value of its own kind; cases whose source is a map cover how it travels. */
    if (strncmp(route->decode, "mmap:", 5) == 0) return;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (!can_encode_second(entry, route, kind) || !fill_second(route, info, entry, &seconds[count])) continue;
        if (count == 0 || !ndp_bytes_word_is(seconds[count - 1].format, entry->format))
            formats[format_count++] = entry->format;
        count++;
    }
    if (count == 0) return;
    /* Neighbouring routes get different second formats. The format is chosen first, so formats with many entry points
     * are not chosen more often. */
    const uint32_t encoders = entries_before(info, route, NDP_END_ENCODER);
    const uint32_t decoders = entries_before(info, route, NDP_END_DECODER);
    const uint32_t turn = encoders + decoders + (uint32_t)route->protocol;
    const char *format = formats[turn % format_count];
    uint32_t left = (turn / format_count + decoders) % count;
    for (uint32_t i = 0;; i = (i + 1) % count) {
        if (!ndp_bytes_word_is(seconds[i].format, format) || left-- > 0) continue;
        out->second = seconds[i];
        out->has_second = true;
        return;
    }
}

/* A program under construction: steps are added until one does not fit. */
struct writer {
    const struct ndp_route *route;
    struct ndp_program *program;
    bool is_full;
};

static void add_step(struct writer *w, enum ndp_step_op op, enum ndp_slot from, enum ndp_slot to, const char *entry) {
    if (w->program->step_count == NDP_MAX_STEPS) {
        w->is_full = true;
        return;
    }
    struct ndp_step *step = &w->program->steps[w->program->step_count++];
    *step = (struct ndp_step){.op = op, .from = from, .to = to};
    if (entry == NULL) return;
    memcpy(step->format, w->route->format, sizeof step->format);
    memcpy(step->buffers, w->route->buffers, sizeof step->buffers);
    strncpy(step->entry, entry, sizeof step->entry - 1);
    step->protocol = w->route->protocol;
    step->offset_bytes = w->route->offset_bytes;
    if (op == NDP_STEP_ENCODE) step->level = w->route->level;
    /* The first trip has the history; the steps that it is compared with have none. */
    if (to == NDP_SLOT_ENCODED || to == NDP_SLOT_RESULT) step->history = w->route->history;
    if (op != NDP_STEP_TRANSPORT) return;
    step->max_nbytes = w->route->max_nbytes;
    memcpy(step->map_mode, w->route->map_mode, sizeof step->map_mode);
}

static bool is_wanted(uint32_t slots, enum ndp_slot slot) {
    return (slots & (1u << slot)) != 0;
}

static void add_decode(struct writer *w, enum ndp_slot from, enum ndp_slot to, const char *entry) {
    add_step(w, NDP_STEP_DECODE, from, to, entry);
    add_step(w, NDP_STEP_OBSERVE, to, to, NULL);
}

static void add_encoder_half(struct writer *w, const struct ndp_peers *peers, uint32_t slots) {
    add_step(w, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
    add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE, NULL);
    add_step(w, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_ENCODED, w->route->encode);
    if (is_wanted(slots, NDP_SLOT_ENCODED)) add_step(w, NDP_STEP_FETCH, NDP_SLOT_ENCODED, NDP_SLOT_ENCODED, NULL);
    if (is_wanted(slots, NDP_SLOT_PEER_ENCODED) && peers->encode != NULL) {
        add_step(w, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_PEER_ENCODED, peers->encode);
        add_step(w, NDP_STEP_FETCH, NDP_SLOT_PEER_ENCODED, NDP_SLOT_PEER_ENCODED, NULL);
    }
}

/* Encodes slot `from` in the second format into `encoded`, and decodes that into `result`. */
static void add_second(struct writer *w, const struct ndp_route *second, enum ndp_slot from, enum ndp_slot encoded,
                       enum ndp_slot result) {
    struct writer other = {.route = second, .program = w->program, .is_full = w->is_full};
    add_step(&other, NDP_STEP_ENCODE, from, encoded, second->encode);
    add_decode(&other, encoded, result, second->decode);
    w->is_full = other.is_full;
}

static void add_transcode(struct writer *w, const struct ndp_peers *peers, uint32_t slots) {
    if (!peers->has_second || !is_wanted(slots, NDP_SLOT_TRANSCODED)) return;
    add_second(w, &peers->second, NDP_SLOT_RESULT, NDP_SLOT_TRANSCODED, NDP_SLOT_TRANSCODED_RESULT);
    add_second(w, &peers->second, NDP_SLOT_SOURCE, NDP_SLOT_DIRECT, NDP_SLOT_DIRECT_RESULT);
}

static void add_decoder_half(struct writer *w, const struct ndp_peers *peers, uint32_t slots, bool can_encode,
                             bool with_peak) {
    add_step(w, NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, w->route->decode);
    /* Measured even if the decoder refuses: refusing takes memory, too. */
    if (with_peak) add_step(w, NDP_STEP_SIZE, NDP_SLOT_ENCODED, NDP_SLOT_PEAK, NULL);
    add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, NULL);
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(peers->decode) && peers->decode[i] != NULL; i++) {
        enum ndp_slot slot = (enum ndp_slot)(NDP_SLOT_PEER0 + i);
        if (is_wanted(slots, slot)) add_decode(w, NDP_SLOT_ENCODED, slot, peers->decode[i]);
    }
    if (can_encode && (is_wanted(slots, NDP_SLOT_REENCODED) || is_wanted(slots, NDP_SLOT_AGAIN))) {
        add_step(w, NDP_STEP_ENCODE, NDP_SLOT_RESULT, NDP_SLOT_REENCODED, w->route->encode);
        if (is_wanted(slots, NDP_SLOT_REENCODED))
            add_step(w, NDP_STEP_FETCH, NDP_SLOT_REENCODED, NDP_SLOT_REENCODED, NULL);
        if (is_wanted(slots, NDP_SLOT_AGAIN)) add_decode(w, NDP_SLOT_REENCODED, NDP_SLOT_AGAIN, w->route->decode);
    }
    if (can_encode) add_transcode(w, peers, slots);
    if (is_wanted(slots, NDP_SLOT_POKED)) {
        add_step(w, NDP_STEP_POKE, NDP_SLOT_RESULT, NDP_SLOT_POKED, NULL);
        if (is_wanted(slots, NDP_SLOT_RESULT_AFTER))
            add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT_AFTER, NULL);
        if (is_wanted(slots, NDP_SLOT_FILE_AFTER)) {
            add_step(w, NDP_STEP_FLUSH, NDP_SLOT_RESULT, NDP_SLOT_FLUSHED, NULL);
            add_step(w, NDP_STEP_FETCH, NDP_SLOT_RESULT, NDP_SLOT_FILE_AFTER, NULL);
        }
    }
}

/* Calls the functions of the source, then sends it again. */
static void add_called(struct writer *w, uint32_t slots, bool is_transport, bool can_decode) {
    if (!is_wanted(slots, NDP_SLOT_CALLED_ENCODED) && !is_wanted(slots, NDP_SLOT_CALLED_RESULT)) return;
    add_step(w, NDP_STEP_CALL, NDP_SLOT_SOURCE, NDP_SLOT_CALLED, NULL);
    if (is_transport) {
        add_step(w, NDP_STEP_TRANSPORT, NDP_SLOT_SOURCE, NDP_SLOT_CALLED_RESULT, w->route->encode);
        add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_CALLED_RESULT, NDP_SLOT_CALLED_RESULT, NULL);
        return;
    }
    add_step(w, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_CALLED_ENCODED, w->route->encode);
    add_step(w, NDP_STEP_FETCH, NDP_SLOT_CALLED_ENCODED, NDP_SLOT_CALLED_ENCODED, NULL);
    if (can_decode) add_decode(w, NDP_SLOT_CALLED_ENCODED, NDP_SLOT_CALLED_RESULT, w->route->decode);
}

/* Changes the source, then sends it again. These steps come last, because all other steps need the source as it was. */
static void add_touched(struct writer *w, uint32_t slots, bool is_transport) {
    if (!is_wanted(slots, NDP_SLOT_TOUCHED_RESULT)) return;
    add_step(w, NDP_STEP_POKE, NDP_SLOT_SOURCE, NDP_SLOT_TOUCHED, NULL);
    add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_TOUCHED_SOURCE, NULL);
    if (is_transport) {
        add_step(w, NDP_STEP_TRANSPORT, NDP_SLOT_SOURCE, NDP_SLOT_TOUCHED_RESULT, w->route->encode);
        add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_TOUCHED_RESULT, NDP_SLOT_TOUCHED_RESULT, NULL);
        return;
    }
    add_step(w, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_TOUCHED_ENCODED, w->route->encode);
    add_step(w, NDP_STEP_FETCH, NDP_SLOT_TOUCHED_ENCODED, NDP_SLOT_TOUCHED_ENCODED, NULL);
    add_decode(w, NDP_SLOT_TOUCHED_ENCODED, NDP_SLOT_TOUCHED_RESULT, w->route->decode);
}

static void add_source_after(struct writer *w, uint32_t slots) {
    if (is_wanted(slots, NDP_SLOT_SOURCE_AFTER))
        add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE_AFTER, NULL);
}

static void add_transport(struct writer *w, const struct ndp_peers *peers, uint32_t slots) {
    add_step(w, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
    add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE, NULL);
    add_step(w, NDP_STEP_TRANSPORT, NDP_SLOT_SOURCE, NDP_SLOT_RESULT, w->route->encode);
    add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, NULL);
    if (is_wanted(slots, NDP_SLOT_PEER0) && peers->transport != NULL) {
        add_step(w, NDP_STEP_TRANSPORT, NDP_SLOT_SOURCE, NDP_SLOT_PEER0, peers->transport);
        add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_PEER0, NDP_SLOT_PEER0, NULL);
    }
    if (is_wanted(slots, NDP_SLOT_POKED)) {
        add_step(w, NDP_STEP_POKE, NDP_SLOT_RESULT, NDP_SLOT_POKED, NULL);
        if (is_wanted(slots, NDP_SLOT_RESULT_AFTER))
            add_step(w, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT_AFTER, NULL);
    }
    add_called(w, slots, true, true);
    add_source_after(w, slots);
    add_touched(w, slots, true);
}

enum ndp_status ndp_plan_round_trip(const struct ndp_route *route, bool is_transport, const struct ndp_peers *peers,
                                    uint32_t slots, struct ndp_program *encoder_half,
                                    struct ndp_program *decoder_half) {
    struct writer encoder = {.route = route, .program = encoder_half};
    if (is_transport) {
        add_transport(&encoder, peers, slots);
        return encoder.is_full ? NDP_LIMIT : NDP_OK;
    }
    if (decoder_half == NULL) {
        add_encoder_half(&encoder, peers, slots);
        add_decoder_half(&encoder, peers, slots, true, false);
        add_called(&encoder, slots, false, true);
        add_source_after(&encoder, slots);
        add_touched(&encoder, slots, false);
        return encoder.is_full ? NDP_LIMIT : NDP_OK;
    }
    add_encoder_half(&encoder, peers, slots | 1u << NDP_SLOT_ENCODED);
    add_called(&encoder, slots, false, false);
    add_source_after(&encoder, slots);
    struct writer decoder = {.route = route, .program = decoder_half};
    add_step(&decoder, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, NULL);
    add_decoder_half(&decoder, peers, slots, false, false);
    return encoder.is_full || decoder.is_full ? NDP_LIMIT : NDP_OK;
}

enum ndp_status ndp_plan_decode(const struct ndp_route *route, const struct ndp_peers *peers, uint32_t slots,
                                bool with_peak, struct ndp_program *out) {
    struct writer w = {.route = route, .program = out};
    add_step(&w, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, NULL);
    add_decoder_half(&w, peers, slots, false, with_peak);
    return w.is_full ? NDP_LIMIT : NDP_OK;
}

enum ndp_status ndp_plan_dict(const struct ndp_route *route, struct ndp_program *out) {
    struct writer w = {.route = route, .program = out};
    add_step(&w, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
    add_step(&w, NDP_STEP_TRANSPORT, NDP_SLOT_SOURCE, NDP_SLOT_RESULT, route->encode);
    add_step(&w, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, NULL);
    return w.is_full ? NDP_LIMIT : NDP_OK;
}
