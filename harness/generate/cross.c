/* cross.c: crossover of two descriptors.
 *
 * Problem: a fuzzer needs descriptors that combine features of two corpus entries, and each result must be valid.
 *
 * Method: a random non-empty subset of the parts of the second (dtype, shape, order, data, memory, map, views, flags
 * and route) replaces the parts of the first. The result is repaired as after a mutation. After MAX_TRIES invalid
 * results the first descriptor is mutated instead.
 */
#include "generate/generate_parts.h"

enum { PARTS = 8, MAX_TRIES = 4 };

/* Copies one part of `from` to `out`. */
static void copy_part(uint64_t part, const struct ndp_base *from, struct ndp_base *out) {
    if (part == 0) out->dtype = from->dtype;
    if (part == 1) out->ndim = from->ndim;
    if (part == 1) out->shape = from->shape;
    if (part == 2) out->order = from->order;
    if (part == 3) out->data = from->data;
    if (part == 4) out->misalign_bytes = from->misalign_bytes;
    if (part == 4) out->is_readonly = from->is_readonly;
    if (part < 5) return;
    out->has_map = from->has_map;
    out->map_mode = from->map_mode;
    out->map_offset_bytes = from->map_offset_bytes;
}

static enum ndp_status cross_values(struct ndp_arena *arena, struct ndp_arena *scratch, struct ndp_choices *choices,
                                    const struct ndp_descriptor *second, struct ndp_descriptor *out) {
    struct ndp_generate_limits limits = ndp_generate_limits_of(&out->value);
    struct ndp_array_value *value = &out->value.array;
    const struct ndp_array_value *other = &second->value.array;
    const uint64_t parts = 1 + ndp_choose(choices, (UINT64_C(1) << PARTS) - 1); /* a non-empty mask */
    for (uint64_t part = 0; part < PARTS - 2; part++)
        if (parts >> part & 1) copy_part(part, &other->base, &value->base);
    if (parts >> (PARTS - 2) & 1) {
        value->views = other->views;
        value->view_count = other->view_count;
    }
    if (parts >> (PARTS - 1) & 1) {
        value->is_readonly = other->is_readonly;
        out->route = second->kind == out->kind ? second->route : out->route;
    }
    NDP_TRY(ndp_generate_repaired_value(arena, scratch, &limits, value));
    return ndp_descriptor_check(scratch, out, NULL);
}

static bool is_array_case(const struct ndp_descriptor *descriptor) {
    return descriptor->value.kind == NDP_VALUE_ARRAY && descriptor->bytes.size_bytes == 0 &&
           descriptor->file[0] == '\0';
}

enum ndp_status ndp_generate_cross(struct ndp_arena *arena, struct ndp_choices *choices,
                                   const struct ndp_descriptor *first, const struct ndp_descriptor *second,
                                   struct ndp_descriptor *out) {
    if (!is_array_case(first) || !is_array_case(second)) return ndp_generate_mutant(arena, choices, first, out);
    struct ndp_arena scratch;
    const struct ndp_generate_limits limits = ndp_generate_limits_of(&first->value);
    ndp_generate_scratch_init(&scratch, &limits);
    enum ndp_status status = NDP_INVALID;
    for (int i = 0; i < MAX_TRIES && status != NDP_OK && status != NDP_NOMEM; i++) {
        struct ndp_descriptor descriptor = *first;
        status = cross_values(arena, &scratch, choices, second, &descriptor);
        if (status == NDP_OK) *out = descriptor;
    }
    ndp_arena_clear(&scratch);
    return status == NDP_OK || status == NDP_NOMEM ? status : ndp_generate_mutant(arena, choices, first, out);
}
