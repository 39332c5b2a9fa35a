/* json_fixture.h: test helpers: JSON texts with ' for ", and allocation failures in cJSON. */
#ifndef NDP_JSON_FIXTURE_H
#define NDP_JSON_FIXTURE_H

#include "describe/json_write.h"

#include "base/arena.h"
#include "base/suite.h"

enum { NDP_JSON_TEXT_BYTES = 1 << 20, NDP_JSON_MOST_CALLS = 5000 };

/* Gives the text with ' replaced by ", in the arena. */
static inline struct ndp_bytes ndp_json_quoted(struct ndp_arena *arena, const char *text) {
    const uint64_t size_bytes = strlen(text);
    uint8_t *copy = ndp_arena_copy(arena, text, size_bytes);
    assert_non_null(copy);
    for (uint64_t i = 0; i < size_bytes; i++)
        if (copy[i] == '\'') copy[i] = '"';
    return (struct ndp_bytes){copy, size_bytes};
}

/* Takes `tree` and checks that it prints as `expected`. */
static inline void ndp_json_check_text(cJSON *tree, const char *expected) {
    NDP_ARENA_SCOPED(arena, NDP_JSON_TEXT_BYTES);
    NDP_BUFFER_SCOPED(printed, NDP_JSON_TEXT_BYTES);
    assert_int_equal(ndp_json_print(&printed, tree), NDP_OK);
    if (!ndp_bytes_is_equal(ndp_buffer_view(&printed), ndp_json_quoted(&arena, expected)))
        fail_msg("%.*s is not %s", (int)printed.size_bytes, (const char *)printed.data, expected);
}

static uint64_t ndp_json_calls_left;

static inline void *ndp_json_malloc(size_t size) {
    if (ndp_json_calls_left == 0) return NULL;
    ndp_json_calls_left--;
    return malloc(size);
}

/* Lets the next `calls` allocations of cJSON succeed and later ones fail. The hooks are process-wide, so no other work
 * may run in the process. */
static inline void ndp_json_allow(uint64_t calls) {
    cJSON_Hooks hooks = {.malloc_fn = ndp_json_malloc, .free_fn = free};
    ndp_json_calls_left = calls;
    cJSON_InitHooks(&hooks);
}

static inline void ndp_json_allow_all(void) {
    cJSON_InitHooks(NULL);
}

/* Makes a tree with 0, 1, ... successful allocations until it succeeds. A failure must return NULL and leak nothing,
 * which sanitizers check. Success must take at least `least` allocations, so that the test is not vacuous. */
typedef cJSON *ndp_json_maker(const void *what);
static inline void ndp_json_starve(ndp_json_maker *make, const void *what, uint64_t least) {
    cJSON *whole = make(what), *tree = NULL;
    uint64_t calls = 0;
    for (; tree == NULL && calls < NDP_JSON_MOST_CALLS; calls++) {
        ndp_json_allow(calls);
        tree = make(what);
    }
    ndp_json_allow_all();
    assert_non_null(tree);
    if (!cJSON_Compare(tree, whole, true))
        fail_msg("with %u allocations the tree is incomplete", (unsigned)(calls - 1));
    assert_true(calls > least);
    cJSON_Delete(tree);
    cJSON_Delete(whole);
}

#endif
