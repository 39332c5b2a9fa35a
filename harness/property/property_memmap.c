/* property_memmap.c: the file, offset and mode of a memory map are true, and writes follow its mode.
 *
 * POKE inverts element 0 through the result, then the map is flushed. Mode r+ must change exactly that item in the
 * file, c only the array, and r must refuse. Bytes that belong to no leaf (padding) are not compared.
 */
#include "property/judgement.h"

#include <string.h>

#include "model/leaf.h"

/* A copy of `before` with the leaves of the item at `at_bytes` inverted and its padding taken from `after`. NULL
 * without memory, or if the item lies outside. */
static const uint8_t *inverted(const struct ndp_trial *trial, struct ndp_bytes before, struct ndp_bytes after,
                               uint64_t at_bytes) {
    uint64_t itemsize_bytes = trial->model->dtype->itemsize_bytes;
    if (at_bytes > before.size_bytes || itemsize_bytes > before.size_bytes - at_bytes) return NULL;
    uint8_t *copy = ndp_arena_copy(trial->arena, before.data, before.size_bytes);
    uint8_t *mask = ndp_arena_alloc(trial->arena, itemsize_bytes);
    if (copy == NULL || mask == NULL) return NULL;
    ndp_leaf_mask(trial->model->dtype, mask);
    for (uint64_t i = 0; i < itemsize_bytes; i++) {
        if (mask[i] != 0) copy[at_bytes + i] = (uint8_t)~copy[at_bytes + i];
        if (mask[i] == 0 && at_bytes + i < after.size_bytes) copy[at_bytes + i] = after.data[at_bytes + i];
    }
    return copy;
}

/* Compares bytes after the write with those before it, with or without the change. */
static void judge_after(const struct ndp_trial *trial, const char *name, bool is_changed, struct ndp_bytes before,
                        struct ndp_bytes after, uint64_t at_bytes, struct ndp_judgement *out) {
    struct ndp_bytes expected = before;
    if (is_changed) expected.data = inverted(trial, before, after, at_bytes);
    if (expected.data == NULL) return;
    struct ndp_comparison comparison;
    ndp_equality_clear(&comparison);
    ndp_equality_compare_bytes(name, expected, after, &comparison);
    ndp_judgement_add(trial, ndp_judgement_row(trial, NDP_FIELD_BACKING), name, "", &comparison, out);
}

/* Fills the offset of the data in the encoded file: encoders write the data last. */
static bool place_of_data(const struct ndp_trial *trial, uint64_t *out) {
    const struct ndp_slot_record *encoded = ndp_judgement_slot(trial, NDP_SLOT_ENCODED);
    uint64_t size_bytes = trial->promised.elements.size_bytes;
    if (strcmp(trial->route->format, "raw") == 0) {
        *out = trial->route->offset_bytes;
        return true;
    }
    if (encoded == NULL || !encoded->has_bytes || encoded->bytes.size_bytes < size_bytes) return false;
    /* A joblib file ends in the STOP opcode of its pickle. */
    uint64_t behind_bytes = strcmp(trial->route->format, "joblib") == 0 ? 1 : 0;
    if (encoded->bytes.size_bytes - size_bytes < behind_bytes) return false;
    *out = encoded->bytes.size_bytes - size_bytes - behind_bytes;
    return true;
}

static void judge_writes(const struct ndp_trial *trial, const struct ndp_observation *result, enum ndp_map_mode mode,
                         uint64_t data_at_bytes, struct ndp_judgement *out) {
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_WRITEABLE);
    bool is_poked = ndp_judgement_is_filled(trial, NDP_SLOT_POKED);
    if (!is_poked && !ndp_judgement_is_refused(trial, NDP_SLOT_POKED)) return;
    bool must_poke = mode != NDP_MAP_READ;
    ndp_judgement_add_check(trial, row, "poked", is_poked == must_poke, must_poke ? "written" : "refused",
                            is_poked ? "written" : "refused", out);
    const struct ndp_slot_record *after = ndp_judgement_slot(trial, NDP_SLOT_RESULT_AFTER);
    if (after != NULL && after->has_observation)
        judge_after(trial, "result_after", is_poked, result->elements, after->observation.elements, 0, out);
    const struct ndp_slot_record *file = ndp_judgement_slot(trial, NDP_SLOT_FILE_AFTER);
    const struct ndp_slot_record *encoded = ndp_judgement_slot(trial, NDP_SLOT_ENCODED);
    if (file == NULL || encoded == NULL || !file->has_bytes || !encoded->has_bytes) return;
    bool is_through = is_poked && mode != NDP_MAP_COPY && mode != NDP_MAP_READ;
    judge_after(trial, "file_after", is_through, encoded->bytes, file->bytes, data_at_bytes, out);
}

static void judge_memmap(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    if (trial->model == NULL) return;
    const struct ndp_observation *result = ndp_judgement_result(trial, out);
    if (result == NULL) return;
    struct ndp_observation promised = trial->promised;
    uint64_t data_at_bytes = 0;
    const enum ndp_promise promise = ndp_judgement_row(trial, NDP_FIELD_BACKING)->promise;
    bool is_map = promise == NDP_PROMISE_MAPPED;
    bool is_anywhere = promise == NDP_PROMISE_SHARED || promise == NDP_PROMISE_OWN_MAP;
    bool is_placed = is_map && place_of_data(trial, &data_at_bytes);
    if (is_placed) {
        promised.backing.has_offset = promised.backing.has_position = true;
        promised.backing.offset_bytes = promised.backing.position_bytes = data_at_bytes;
    } else if (is_map || is_anywhere) {
        promised.backing.has_offset = result->backing.has_offset;
        promised.backing.offset_bytes = result->backing.offset_bytes;
    }
    bool is_empty = promised.elements.size_bytes == 0;
    if (is_anywhere) {
        promised.backing.has_position = result->backing.has_position;
        promised.backing.position_bytes = result->backing.position_bytes;
    }
    if (is_map && (is_empty || !is_placed)) {
        /* An array without elements has no address, in the mapping or elsewhere. */
        promised.backing.is_mapped = is_empty ? result->backing.is_mapped : true;
        promised.backing.has_position = result->backing.has_position;
        promised.backing.position_bytes = result->backing.position_bytes;
    }
    ndp_judgement_compare_promised(trial, NDP_FIELD_BIT(CLASS) | NDP_FIELD_BIT(BACKING), &promised, result, out);
    /* If the route loses fields, a write inverts other bytes than the leaves of the source. */
    bool is_lossy = ndp_judgement_row(trial, NDP_FIELD_DTYPE)->promise == NDP_PROMISE_LOST;
    if (is_placed && !is_empty && !is_lossy) judge_writes(trial, result, promised.backing.mode, data_at_bytes, out);
}

const struct ndp_property ndp_property_memmap = {
    .name = "memmap",
    .statement =
        "A memory map has the right file, offset and mode and writes as its mode requires; a detached array does "
        "not claim to be a map.",
    .needs = NDP_SLOT_BIT(ENCODED) | NDP_SLOT_BIT(RESULT) | NDP_SLOT_BIT(POKED) | NDP_SLOT_BIT(FILE_AFTER) |
             NDP_SLOT_BIT(RESULT_AFTER),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge_memmap,
};
