/* arena_fixture.h: cmocka group fixture that provides an arena as the state. */
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
