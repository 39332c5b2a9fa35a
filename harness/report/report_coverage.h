/* report_coverage.h: the pairs and triples of feature values that each group of routes covered
 * (generate/pair_coverage.h).
 */
#ifndef NDP_REPORT_COVERAGE_H
#define NDP_REPORT_COVERAGE_H

#include "engine/routes.h"
#include "generate/pair_coverage.h"

enum { NDP_MAX_REPORT_GROUPS = 1 << 16, NDP_MAX_COVERAGE_BYTES = 1 << 26 };

struct ndp_report_group {
    char name[NDP_GROUP_NAME_BYTES];
    struct ndp_coverage_counts counts;
    uint8_t *bits; /* owned; NULL if only the counts are known */
    uint64_t bits_bytes;
    uint64_t pair_bits; /* the first bits are pairs, the others triples */
};

struct ndp_report_coverage {
    struct ndp_report_group *groups; /* owned; by number */
    uint32_t count;
    uint32_t capacity;
};

void ndp_report_coverage_clear(struct ndp_report_coverage *coverage);

/* Sets, or adds after the last, the group of that name. Copies `bits`, which may be empty. Errors: NOMEM; LIMIT (more
 * than NDP_MAX_REPORT_GROUPS). */
enum ndp_status ndp_report_coverage_set(struct ndp_report_coverage *coverage, const char *group,
                                        const struct ndp_coverage_counts *counts, struct ndp_bytes bits,
                                        uint64_t pair_bits) NDP_MUST_USE;

/* Adds the groups, and the pairs and triples, of another run. Errors: NOMEM, LIMIT; INVALID (a group that covered
 * something lacks its bits, or both runs have another number of them). */
enum ndp_status ndp_report_coverage_unite(struct ndp_report_coverage *into,
                                          const struct ndp_report_coverage *from) NDP_MUST_USE;

/* The lowest share of the possible pairs (or triples) that a group covered, in percent, rounded down; 0 without groups.
 * *group (NULL: not wanted) is that group, or NULL. Borrows. */
uint64_t ndp_report_coverage_share(const struct ndp_report_coverage *coverage, bool is_of_triples,
                                   const struct ndp_report_group **group);

/* Appends the bits, compressed by zlib, in hexadecimal digits. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_report_coverage_pack(const struct ndp_report_group *group, struct ndp_buffer *out) NDP_MUST_USE;

/* Fills *out (arena) from such digits. Errors: INVALID (no such digits, or not `size_bytes`), LIMIT (size_bytes above
 * NDP_MAX_COVERAGE_BYTES), NOMEM. */
enum ndp_status ndp_report_coverage_unpack(struct ndp_arena *arena, const char *digits, uint64_t size_bytes,
                                           struct ndp_bytes *out) NDP_MUST_USE;

#endif
