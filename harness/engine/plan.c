#include "engine/plan.h"

#include <string.h>

static bool is_same_way(const struct ndp_entry *entry, const struct ndp_route *route) {
    return ndp_word_is(entry->format, route->format) && entry->protocol == route->protocol &&
           ndp_word_is(entry->buffers, route->buffers);
}

void ndp_plan_peers(const struct ndp_route *route, const struct ndp_target_info *encoder,
                    const struct ndp_target_info *decoder, struct ndp_peers *out) {
    *out = (struct ndp_peers){0};
    uint32_t decoders = 0, turn = 0;
    for (uint32_t i = 0; i < decoder->entry_count && decoders < NDP_ARRAY_LEN(out->decode); i++) {
        const struct ndp_entry *entry = &decoder->entries[i];
        if (!entry->decodes || !is_same_way(entry, route)) continue;
        if (ndp_word_is(entry->entry, route->decode)) {
            turn = decoders;
            continue;
        }
        out->decode[decoders++] = entry->entry;
    }
    const char *others[NDP_MAX_ENTRIES];
    uint32_t encoders = 0;
    for (uint32_t i = 0; i < encoder->entry_count; i++) {
        const struct ndp_entry *entry = &encoder->entries[i];
        if (!entry->encodes || !is_same_way(entry, route) || ndp_word_is(entry->entry, route->encode)) continue;
        others[encoders++] = entry->entry;
    }
    if (encoders > 0) out->encode = others[turn % encoders];
}

static const char *way_of(const char *entry) {
    const char *colon = strrchr(entry, ':');
    return colon != NULL ? colon : "";
}

void ndp_plan_transport_peer(const struct ndp_route *route, const struct ndp_target_info *info, struct ndp_peers *out) {
    const char *before = NULL, *after = NULL;
    bool is_past = false;
    *out = (struct ndp_peers){0};
    if (ndp_word_is(way_of(route->encode), ":process")) return;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (!entry->transports || !is_same_way(entry, route)) continue;
        if (ndp_word_is(entry->entry, route->encode)) {
            is_past = true;
            continue;
        }
        if (!ndp_word_is(way_of(entry->entry), way_of(route->encode))) continue;
        if (entry->takes_settings && route->max_nbytes != -1) continue;
        if (is_past && after == NULL) after = entry->entry;
        if (!is_past && before == NULL) before = entry->entry;
    }
    out->transport = after != NULL ? after : before;
}

/* A program under construction: steps are added until one does not fit. */
struct writer {
    const struct ndp_route *route;
    struct ndp_program *program;
    bool is_full;
};

static void add(struct writer *w, enum ndp_step_op op, enum ndp_slot from, enum ndp_slot to, const char *entry) {
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
    if (op != NDP_STEP_TRANSPORT) return;
    step->max_nbytes = w->route->max_nbytes;
    memcpy(step->map_mode, w->route->map_mode, sizeof step->map_mode);
}

static bool wants(uint32_t slots, enum ndp_slot slot) {
    return (slots & (1u << slot)) != 0;
}

static void add_decode(struct writer *w, enum ndp_slot from, enum ndp_slot to, const char *entry) {
    add(w, NDP_STEP_DECODE, from, to, entry);
    add(w, NDP_STEP_OBSERVE, to, to, NULL);
}

static void add_encoder_half(struct writer *w, const struct ndp_peers *peers, uint32_t slots) {
    add(w, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
    add(w, NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE, NULL);
    add(w, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_ENCODED, w->route->encode);
    if (wants(slots, NDP_SLOT_ENCODED)) add(w, NDP_STEP_FETCH, NDP_SLOT_ENCODED, NDP_SLOT_ENCODED, NULL);
    if (wants(slots, NDP_SLOT_PEER_ENCODED) && peers->encode != NULL) {
        add(w, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_PEER_ENCODED, peers->encode);
        add(w, NDP_STEP_FETCH, NDP_SLOT_PEER_ENCODED, NDP_SLOT_PEER_ENCODED, NULL);
    }
}

static void add_decoder_half(struct writer *w, const struct ndp_peers *peers, uint32_t slots, bool can_encode,
                             bool with_peak) {
    add(w, NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, w->route->decode);
    /* The encoding is there even when the decoder refuses it, and a refusal has its price, too. */
    if (with_peak) add(w, NDP_STEP_SIZE, NDP_SLOT_ENCODED, NDP_SLOT_PEAK, NULL);
    add(w, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, NULL);
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(peers->decode) && peers->decode[i] != NULL; i++) {
        enum ndp_slot slot = (enum ndp_slot)(NDP_SLOT_PEER0 + i);
        if (wants(slots, slot)) add_decode(w, NDP_SLOT_ENCODED, slot, peers->decode[i]);
    }
    if (can_encode && (wants(slots, NDP_SLOT_REENCODED) || wants(slots, NDP_SLOT_AGAIN))) {
        add(w, NDP_STEP_ENCODE, NDP_SLOT_RESULT, NDP_SLOT_REENCODED, w->route->encode);
        if (wants(slots, NDP_SLOT_REENCODED)) add(w, NDP_STEP_FETCH, NDP_SLOT_REENCODED, NDP_SLOT_REENCODED, NULL);
        if (wants(slots, NDP_SLOT_AGAIN)) add_decode(w, NDP_SLOT_REENCODED, NDP_SLOT_AGAIN, w->route->decode);
    }
    if (wants(slots, NDP_SLOT_POKED)) {
        add(w, NDP_STEP_POKE, NDP_SLOT_RESULT, NDP_SLOT_POKED, NULL);
        if (wants(slots, NDP_SLOT_RESULT_AFTER)) add(w, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT_AFTER, NULL);
        if (wants(slots, NDP_SLOT_FILE_AFTER)) {
            add(w, NDP_STEP_FLUSH, NDP_SLOT_RESULT, NDP_SLOT_FLUSHED, NULL);
            add(w, NDP_STEP_FETCH, NDP_SLOT_RESULT, NDP_SLOT_FILE_AFTER, NULL);
        }
    }
}

/* Whether what is called before it is sent fares as what never was. */
static void add_called(struct writer *w, uint32_t slots, bool is_transport, bool can_decode) {
    if (!wants(slots, NDP_SLOT_CALLED_ENCODED) && !wants(slots, NDP_SLOT_CALLED_RESULT)) return;
    add(w, NDP_STEP_CALL, NDP_SLOT_SOURCE, NDP_SLOT_CALLED, NULL);
    if (is_transport) {
        add(w, NDP_STEP_TRANSPORT, NDP_SLOT_SOURCE, NDP_SLOT_CALLED_RESULT, w->route->encode);
        add(w, NDP_STEP_OBSERVE, NDP_SLOT_CALLED_RESULT, NDP_SLOT_CALLED_RESULT, NULL);
        return;
    }
    add(w, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_CALLED_ENCODED, w->route->encode);
    add(w, NDP_STEP_FETCH, NDP_SLOT_CALLED_ENCODED, NDP_SLOT_CALLED_ENCODED, NULL);
    if (can_decode) add_decode(w, NDP_SLOT_CALLED_ENCODED, NDP_SLOT_CALLED_RESULT, w->route->decode);
}

static void add_source_after(struct writer *w, uint32_t slots) {
    if (wants(slots, NDP_SLOT_SOURCE_AFTER)) add(w, NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE_AFTER, NULL);
}

static void add_transport(struct writer *w, const struct ndp_peers *peers, uint32_t slots) {
    add(w, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
    add(w, NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE, NULL);
    add(w, NDP_STEP_TRANSPORT, NDP_SLOT_SOURCE, NDP_SLOT_RESULT, w->route->encode);
    add(w, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, NULL);
    if (wants(slots, NDP_SLOT_PEER0) && peers->transport != NULL) {
        add(w, NDP_STEP_TRANSPORT, NDP_SLOT_SOURCE, NDP_SLOT_PEER0, peers->transport);
        add(w, NDP_STEP_OBSERVE, NDP_SLOT_PEER0, NDP_SLOT_PEER0, NULL);
    }
    if (wants(slots, NDP_SLOT_POKED)) {
        add(w, NDP_STEP_POKE, NDP_SLOT_RESULT, NDP_SLOT_POKED, NULL);
        if (wants(slots, NDP_SLOT_RESULT_AFTER)) add(w, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT_AFTER, NULL);
    }
    add_called(w, slots, true, true);
    add_source_after(w, slots);
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
        return encoder.is_full ? NDP_LIMIT : NDP_OK;
    }
    add_encoder_half(&encoder, peers, slots | 1u << NDP_SLOT_ENCODED);
    add_called(&encoder, slots, false, false);
    add_source_after(&encoder, slots);
    struct writer decoder = {.route = route, .program = decoder_half};
    add(&decoder, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, NULL);
    add_decoder_half(&decoder, peers, slots, false, false);
    return encoder.is_full || decoder.is_full ? NDP_LIMIT : NDP_OK;
}

enum ndp_status ndp_plan_relay(const struct ndp_route legs[2], uint32_t slots, struct ndp_program *encoder,
                               struct ndp_program *middle, struct ndp_program *decoder) {
    const struct ndp_peers no_peers = {.encode = NULL};
    struct writer first = {.route = &legs[0], .program = encoder};
    struct writer second = {.route = &legs[0], .program = middle};
    struct writer third = {.route = &legs[1], .program = decoder};
    add_encoder_half(&first, &no_peers, 1u << NDP_SLOT_ENCODED);
    add(&second, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, NULL);
    add_decode(&second, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, legs[0].decode);
    second.route = &legs[1];
    add(&second, NDP_STEP_ENCODE, NDP_SLOT_RESULT, NDP_SLOT_REENCODED, legs[1].encode);
    add(&second, NDP_STEP_FETCH, NDP_SLOT_REENCODED, NDP_SLOT_REENCODED, NULL);
    add(&third, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, NULL);
    add_decoder_half(&third, &no_peers, slots & NDP_RELAY_SLOTS, false, false);
    return first.is_full || second.is_full || third.is_full ? NDP_LIMIT : NDP_OK;
}

enum ndp_status ndp_plan_decode(const struct ndp_route *route, const struct ndp_peers *peers, uint32_t slots,
                                bool with_peak, struct ndp_program *out) {
    struct writer w = {.route = route, .program = out};
    add(&w, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, NULL);
    add_decoder_half(&w, peers, slots, false, with_peak);
    return w.is_full ? NDP_LIMIT : NDP_OK;
}

enum ndp_status ndp_plan_dict(const struct ndp_route *route, struct ndp_program *out) {
    struct writer w = {.route = route, .program = out};
    add(&w, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
    add(&w, NDP_STEP_TRANSPORT, NDP_SLOT_SOURCE, NDP_SLOT_RESULT, route->encode);
    add(&w, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, NULL);
    return w.is_full ? NDP_LIMIT : NDP_OK;
}
