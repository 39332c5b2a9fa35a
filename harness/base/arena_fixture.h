/* arena_fixture.h: for tests: an arena as the state of a group of tests. */
#ifndef NDP_ARENA_FIXTURE_H
#define NDP_ARENA_FIXTURE_H

#include "base/arena.h"

static inline int make_arena(void **state) {
    static struct ndp_arena arena;
    ndp_arena_init(&arena, 1 << 20);
    *state = &arena;
    return 0;
}

static inline int clear_arena(void **state) {
    ndp_arena_clear(*state);
    return 0;
}

#endif
