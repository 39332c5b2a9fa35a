/* shrink.c: enumerates the simpler neighbours of a descriptor.
 *
 * Problem: find smaller descriptors that are likely to show the same divergence, large steps first.
 *
 * Method: families of candidates (shrink_parts.h) are tried in a fixed order: whole value and views, well-known
 * layouts, dtype, shape, details; or graphs. A candidate is repaired, must be smaller by ndp_shrink_measure, and
 * must pass ndp_descriptor_check. A neighbour is identified by its number and no state is kept between calls, so that
 * shrinking is resumable and deterministic on every machine.
 *
 * Cost: step n repeats the candidates before it. There are about a hundred per descriptor, and most fail the cheap
 * comparison of measures.
 */
#include "generate/generate.h"
#include "generate/shrink_parts.h"
#include "model/dict.h"

static const struct ndp_shrink_family *const family_lists[] = {ndp_shrink_value_families, ndp_shrink_idiom_families,
                                                               ndp_shrink_dtype_families, ndp_shrink_shape_families,
                                                               ndp_shrink_detail_families};
static const struct ndp_shrink_family *const graph_lists[] = {ndp_shrink_graph_families};

bool ndp_shrink_extent(int64_t extent, uint32_t index, int64_t *smaller) {
    const int64_t tries[NDP_SHRINK_EXTENTS] = {0,         1, 2, extent / 2, extent - extent / 4, extent - extent / 8,
                                               extent - 1};
    if (tries[index] < 0 || tries[index] >= extent) return false;
    for (uint32_t i = 0; i < index; i++)
        if (tries[i] == tries[index]) return false;
    *smaller = tries[index];
    return true;
}

/* Makes one candidate. Errors: INVALID if it is not a valid, smaller descriptor; NOMEM. */
static enum ndp_status make_candidate(const struct ndp_shrink *shrink, const struct ndp_shrink_family *family,
                                      uint32_t index, const struct ndp_measure *bound, struct ndp_descriptor *out) {
    struct ndp_descriptor candidate = *shrink->from;
    struct ndp_generate_limits limits = ndp_generate_limits_of(&shrink->from->value);
    NDP_TRY(family->make(shrink, index, &candidate));
    if (candidate.value.kind == NDP_VALUE_ARRAY && candidate.value.array.base.dtype != NULL)
        NDP_TRY(ndp_generate_repaired_value(shrink->arena, shrink->scratch, &limits, &candidate.value.array));
    const struct ndp_measure measure = ndp_shrink_measure(&candidate);
    if (!ndp_shrink_measure_is_less(&measure, bound)) return NDP_INVALID;
    NDP_TRY(ndp_descriptor_check(shrink->scratch, &candidate, NULL));
    *out = candidate;
    return NDP_OK;
}

/* Identifies a candidate. */
struct place {
    const struct ndp_shrink_family *family;
    uint32_t index;
};

static enum ndp_status find_step(struct ndp_arena *trial, struct ndp_arena *scratch, const struct ndp_descriptor *from,
                                 uint32_t step, struct place *place, bool *found) {
    const struct ndp_measure bound = ndp_shrink_measure(from);
    const struct ndp_shrink shrink = {trial, scratch, from};
    const bool is_graph = from->value.kind == NDP_VALUE_GRAPH;
    const struct ndp_shrink_family *const *lists = is_graph ? graph_lists : family_lists;
    const size_t list_count = is_graph ? NDP_ARRAY_LEN(graph_lists) : NDP_ARRAY_LEN(family_lists);
    *found = false;
    for (size_t list = 0; list < list_count; list++) {
        for (const struct ndp_shrink_family *family = lists[list]; family->count != NULL; family++) {
            uint32_t count = family->count(from);
            for (uint32_t i = 0; i < count; i++) {
                struct ndp_descriptor candidate;
                enum ndp_status status = make_candidate(&shrink, family, i, &bound, &candidate);
                ndp_arena_clear(trial);
                ndp_arena_clear(scratch);
                if (status == NDP_NOMEM) return status;
                if (status != NDP_OK || step-- > 0) continue;
                *place = (struct place){family, i};
                *found = true;
                return NDP_OK;
            }
        }
    }
    return NDP_OK;
}

enum ndp_status ndp_shrink_step(struct ndp_arena *arena, const struct ndp_descriptor *from, uint32_t step,
                                struct ndp_descriptor *out, bool *is_done) {
    if (from->value.kind == NDP_VALUE_DICT) return ndp_shrink_dict_step(arena, from, step, out, is_done);
    const struct ndp_measure bound = ndp_shrink_measure(from);
    const struct ndp_generate_limits limits = ndp_generate_limits_of(&from->value);
    struct ndp_arena trial, scratch;
    struct place place = {0};
    bool found = false;
    ndp_generate_scratch_init(&trial, &limits);
    ndp_generate_scratch_init(&scratch, &limits);
    enum ndp_status status = find_step(&trial, &scratch, from, step, &place, &found);
    if (status == NDP_OK && found) {
        /* Repeats the candidate in the caller's memory. */
        const struct ndp_shrink shrink = {arena, &scratch, from};
        status = make_candidate(&shrink, place.family, place.index, &bound, out);
    }
    ndp_arena_clear(&trial);
    ndp_arena_clear(&scratch);
    if (status == NDP_OK) *is_done = !found;
    return status;
}
