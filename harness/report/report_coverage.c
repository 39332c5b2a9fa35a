#include "report/report_coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void ndp_report_coverage_clear(struct ndp_report_coverage *coverage) {
    for (uint32_t i = 0; i < coverage->count; i++) free(coverage->groups[i].bits);
    free(coverage->groups);
    *coverage = (struct ndp_report_coverage){.groups = NULL};
}

static struct ndp_report_group *find_group(const struct ndp_report_coverage *coverage, const char *name) {
    for (uint32_t i = 0; i < coverage->count; i++)
        if (strcmp(coverage->groups[i].name, name) == 0) return &coverage->groups[i];
    return NULL;
}

static enum ndp_status add_group(struct ndp_report_coverage *coverage, const char *name,
                                 struct ndp_report_group **out) {
    if (coverage->count == NDP_MAX_REPORT_GROUPS) return NDP_LIMIT;
    if (coverage->count == coverage->capacity) {
        const uint32_t capacity = coverage->capacity > 0 ? 2 * coverage->capacity : 64;
        struct ndp_report_group *groups = realloc(coverage->groups, capacity * sizeof *groups);
        if (groups == NULL) return NDP_NOMEM;
        coverage->groups = groups;
        coverage->capacity = capacity;
    }
    *out = &coverage->groups[coverage->count++];
    **out = (struct ndp_report_group){.bits = NULL};
    snprintf((*out)->name, sizeof(*out)->name, "%s", name);
    return NDP_OK;
}

enum ndp_status ndp_report_coverage_set(struct ndp_report_coverage *coverage, const char *name,
                                        const struct ndp_coverage_counts *counts, struct ndp_bytes bits,
                                        uint64_t pair_bits) {
    struct ndp_report_group *group = find_group(coverage, name);
    if (group == NULL) NDP_TRY(add_group(coverage, name, &group));
    const bool is_changed = group->bits == NULL || memcmp(&group->counts, counts, sizeof *counts) != 0;
    if (bits.size_bytes > 0 && is_changed) {
        uint8_t *copy = realloc(group->bits, (size_t)bits.size_bytes);
        if (copy == NULL) return NDP_NOMEM;
        memcpy(copy, bits.data, (size_t)bits.size_bytes);
        group->bits = copy;
        group->bits_bytes = bits.size_bytes;
        group->pair_bits = pair_bits;
    }
    group->counts = *counts;
    return NDP_OK;
}

static void count_bits(struct ndp_report_group *group) {
    group->counts.pairs = group->counts.triples = 0;
    for (uint64_t i = 0; i < 8 * group->bits_bytes; i++) {
        if ((group->bits[i / 8] >> i % 8 & 1) == 0) continue;
        if (i < group->pair_bits)
            group->counts.pairs++;
        else
            group->counts.triples++;
    }
}

static enum ndp_status unite_group(struct ndp_report_group *into, const struct ndp_report_group *from) {
    if (from->counts.pairs == 0 && from->counts.triples == 0) return NDP_OK;
    if (from->bits == NULL || into->bits == NULL || from->bits_bytes != into->bits_bytes ||
        from->pair_bits != into->pair_bits)
        return NDP_INVALID;
    for (uint64_t i = 0; i < into->bits_bytes; i++) into->bits[i] |= from->bits[i];
    count_bits(into);
    return NDP_OK;
}

enum ndp_status ndp_report_coverage_unite(struct ndp_report_coverage *into, const struct ndp_report_coverage *from) {
    for (uint32_t i = 0; i < from->count; i++) {
        const struct ndp_report_group *theirs = &from->groups[i];
        struct ndp_report_group *ours = find_group(into, theirs->name);
        const bool is_empty = ours == NULL || (ours->counts.pairs == 0 && ours->counts.triples == 0);
        const struct ndp_bytes bits = {theirs->bits, theirs->bits_bytes};
        NDP_TRY(is_empty ? ndp_report_coverage_set(into, theirs->name, &theirs->counts, bits, theirs->pair_bits)
                         : unite_group(ours, theirs));
    }
    return NDP_OK;
}

uint64_t ndp_report_coverage_share(const struct ndp_report_coverage *coverage, bool is_of_triples,
                                   const struct ndp_report_group **out) {
    const struct ndp_report_group *lowest = NULL;
    uint64_t least = 0;
    for (uint32_t i = 0; i < coverage->count; i++) {
        const struct ndp_report_group *group = &coverage->groups[i];
        const struct ndp_coverage_counts *counts = &group->counts;
        const uint64_t possible = is_of_triples ? counts->possible_triples : counts->possible_pairs;
        const uint64_t covered = is_of_triples ? counts->triples : counts->pairs;
        const uint64_t share = possible == 0 ? 100 : covered * 100 / possible;
        if (lowest != NULL && share >= least) continue;
        lowest = group;
        least = share;
    }
    if (out != NULL) *out = lowest;
    return least;
}

enum ndp_status ndp_report_coverage_pack(const struct ndp_report_group *group, struct ndp_buffer *out) {
    uLongf size = compressBound((uLong)group->bits_bytes);
    uint8_t *packed = malloc(size);
    if (packed == NULL) return NDP_NOMEM;
    enum ndp_status status = NDP_NOMEM;
    if (compress2(packed, &size, group->bits, (uLong)group->bits_bytes, Z_BEST_COMPRESSION) == Z_OK)
        status = ndp_hex_add(out, (struct ndp_bytes){packed, size});
    free(packed);
    return status;
}

enum ndp_status ndp_report_coverage_unpack(struct ndp_arena *arena, const char *digits, uint64_t size_bytes,
                                           struct ndp_bytes *out) {
    struct ndp_bytes packed = {NULL, 0};
    if (size_bytes > NDP_MAX_COVERAGE_BYTES) return NDP_LIMIT;
    NDP_TRY(ndp_hex_read(arena, digits, &packed, NULL));
    uint8_t *bits = ndp_arena_alloc(arena, size_bytes + 1);
    uLongf size = (uLongf)size_bytes;
    if (bits == NULL) return NDP_NOMEM;
    if (uncompress(bits, &size, packed.data, (uLong)packed.size_bytes) != Z_OK || size != size_bytes)
        return NDP_INVALID;
    *out = (struct ndp_bytes){bits, size_bytes};
    return NDP_OK;
}
