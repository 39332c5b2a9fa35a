/* shrink_fixture.h: test helpers: the candidates of shrink families as texts. In these texts ' stands for ". */
#ifndef NDP_SHRINK_FIXTURE_H
#define NDP_SHRINK_FIXTURE_H

#include "generate/shrink_parts.h"

#include "base/suite.h"
#include "describe/json_fixture.h"

enum { NDP_SHRINK_ARENA_BYTES = 1 << 26, NDP_SHRINK_TEXT_BYTES = 1 << 16, NDP_SHRINK_MOST_CANDIDATES = 40 };

/* Expected candidates in order, and other candidates that must not come between them: one, all or none (NULL). */
#define NDP_ALL_OTHERS ""
struct ndp_shrink_row {
    const char *from;
    const char *candidates[NDP_SHRINK_MOST_CANDIDATES];
    const char *never;
};

/* An array that has only a base, and one with a base and further members. */
#define NDP_BASE_CASE(base)         "{'ndproof':1,'value':{'array':{'base':{" base "}}}}"
#define NDP_ARRAY_CASE(base, other) "{'ndproof':1,'value':{'array':{'base':{" base "}," other "}}}"
#define NDP_GRAPH_CASE(nodes)       "{'ndproof':1,'value':{'graph':{'root':0,'nodes':[" nodes "]}}}"

static inline void ndp_shrink_read(struct ndp_arena *arena, const char *text, struct ndp_descriptor *out) {
    struct ndp_error error = {.text = ""};
    const enum ndp_status status =
        ndp_descriptor_read(arena, ndp_json_quoted(arena, text), &ndp_describe_default_limits, out, &error);
    if (status != NDP_OK) fail_msg("%s: %s %s", text, error.path, error.text);
}

/* Gives the canonical text in the arena. */
static inline struct ndp_bytes ndp_shrink_print(struct ndp_arena *arena, const struct ndp_descriptor *descriptor) {
    NDP_BUFFER_SCOPED(buffer, NDP_SHRINK_TEXT_BYTES);
    assert_int_equal(ndp_descriptor_print(&buffer, descriptor), NDP_OK);
    uint8_t *copy = ndp_arena_copy(arena, buffer.data, buffer.size_bytes);
    assert_non_null(copy);
    return (struct ndp_bytes){copy, buffer.size_bytes};
}

/* Compares one candidate with the next expected one. Returns the number of expected candidates found so far. */
static inline size_t ndp_shrink_take(struct ndp_arena *arena, const struct ndp_shrink_row *row, size_t come,
                                     struct ndp_bytes made) {
    const char *wanted = come < NDP_SHRINK_MOST_CANDIDATES ? row->candidates[come] : NULL;
    if (row->never != NULL && ndp_bytes_is_equal(made, ndp_json_quoted(arena, row->never)))
        fail_msg("%s: %s comes", row->from, row->never);
    if (wanted != NULL && ndp_bytes_is_equal(made, ndp_json_quoted(arena, wanted))) return come + 1;
    if (row->never != NULL && row->never[0] == '\0')
        fail_msg("%s: %.*s", row->from, (int)made.size_bytes, (const char *)made.data);
    return come;
}

/* Makes and compares every candidate of `families`. The original must not change. */
static inline void ndp_shrink_check_row(const struct ndp_shrink_family *families, const struct ndp_shrink_row *row) {
    struct ndp_descriptor from;
    size_t come = 0;
    NDP_ARENA_SCOPED(arena, NDP_SHRINK_ARENA_BYTES);
    NDP_ARENA_SCOPED(scratch, NDP_SHRINK_ARENA_BYTES);
    ndp_shrink_read(&arena, row->from, &from);
    const struct ndp_bytes before = ndp_shrink_print(&arena, &from);
    const struct ndp_shrink shrink = {&arena, &scratch, &from};
    for (const struct ndp_shrink_family *family = families; family->count != NULL; family++) {
        const uint32_t count = family->count(&from);
        for (uint32_t i = 0; i < count; i++) {
            struct ndp_descriptor out = from;
            const enum ndp_status status = family->make(&shrink, i, &out);
            ndp_arena_clear(&scratch);
            if (status != NDP_OK) assert_int_equal(status, NDP_INVALID);
            if (status != NDP_OK) continue;
            const struct ndp_bytes made = ndp_shrink_print(&arena, &out);
            if (!ndp_bytes_is_equal(made, before)) come = ndp_shrink_take(&arena, row, come, made);
        }
    }
    if (come < NDP_SHRINK_MOST_CANDIDATES && row->candidates[come] != NULL)
        fail_msg("%s: candidate %s is missing", row->from, row->candidates[come]);
    assert_true(ndp_bytes_is_equal(ndp_shrink_print(&arena, &from), before));
}

/* Makes candidate `index` with the n-th allocation failing, for every n, in the arena or in scratch. Returns the number
 * of allocations. */
static inline uint64_t ndp_shrink_starve(const struct ndp_shrink_family *family, uint32_t index,
                                         const struct ndp_descriptor *from, bool is_scratch) {
    for (uint64_t call = 1;; call++) {
        struct ndp_arena arenas[2];
        struct ndp_descriptor out = *from;
        ndp_arena_init(&arenas[0], NDP_SHRINK_ARENA_BYTES);
        ndp_arena_init(&arenas[1], NDP_SHRINK_ARENA_BYTES);
        ndp_arena_fail_at(&arenas[is_scratch], call);
        const struct ndp_shrink shrink = {&arenas[0], &arenas[1], from};
        const enum ndp_status status = family->make(&shrink, index, &out);
        const bool has_failed = arenas[is_scratch].fail_at == 0;
        ndp_arena_clear(&arenas[1]);
        ndp_arena_clear(&arenas[0]);
        if (!has_failed) return call - 1;
        if (status != NDP_NOMEM)
            fail_msg("candidate %u: failure of allocation %u was not reported", index, (unsigned)call);
    }
}

/* Checks that every allocation failure is reported for every candidate. At least `least` allocations must occur, so
 * that the test is not vacuous. */
static inline void ndp_shrink_check_memory(const struct ndp_shrink_family *families, const char *text, uint64_t least) {
    struct ndp_descriptor from;
    uint64_t allocations = 0;
    NDP_ARENA_SCOPED(arena, NDP_SHRINK_ARENA_BYTES);
    ndp_shrink_read(&arena, text, &from);
    for (const struct ndp_shrink_family *family = families; family->count != NULL; family++) {
        const uint32_t count = family->count(&from);
        for (uint32_t i = 0; i < count; i++)
            allocations += ndp_shrink_starve(family, i, &from, false) + ndp_shrink_starve(family, i, &from, true);
    }
    assert_true(allocations >= least);
}

#endif
