/* pickle_make_fixture.h: test helpers that make objects from recipes. Recipes use ' for ". */
#ifndef NDP_PICKLE_MAKE_FIXTURE_H
#define NDP_PICKLE_MAKE_FIXTURE_H

#include "codec/pickle/pickle_graph.h"
#include "codec/pickle/recipe_fixture.h"

#include <string.h>

#define NDP_MAKE_ARENA_BYTES (UINT64_C(1) << 24)

/* A graph and its objects; clear it with ndp_pickle_make_fixture_clear. */
struct ndp_pickle_make_fixture {
    struct ndp_arena arena;
    struct ndp_objects objects;
    struct ndp_graph graph;
    struct ndp_object *root; /* NULL after an error */
    struct ndp_error error;
    enum ndp_status status;
};

/* Makes the objects of a live graph in made->arena. */
static inline void ndp_pickle_make_fixture_run(struct ndp_pickle_make_fixture *made, enum ndp_numpy_release release) {
    const struct ndp_graph_form form = {.protocol = 4, .release = release};
    ndp_objects_init(&made->objects, &made->arena);
    struct ndp_pickle_maker maker = {.objects = &made->objects, .release = release, .error = &made->error};
    made->status = ndp_pickle_graph_make(&maker, &made->graph, &form, &made->root);
    assert_int_equal(made->status == NDP_OK, made->root != NULL);
}

static inline void ndp_pickle_make_fixture_recipe(struct ndp_pickle_make_fixture *made, const char *nodes,
                                                  enum ndp_numpy_release release) {
    char text[NDP_RECIPE_BYTES / 2];
    *made = (struct ndp_pickle_make_fixture){.root = NULL};
    assert_true(strlen(nodes) < sizeof text);
    for (size_t i = 0; i <= strlen(nodes); i++) text[i] = nodes[i] == '\'' ? '"' : nodes[i];
    ndp_arena_init(&made->arena, NDP_MAKE_ARENA_BYTES);
    made->graph = ndp_recipe_fixture_build(&made->arena, text);
    ndp_pickle_make_fixture_run(made, release);
}

static inline void ndp_pickle_make_fixture_clear(struct ndp_pickle_make_fixture *made) {
    ndp_objects_clear(&made->objects);
    ndp_arena_clear(&made->arena);
}

/* Repeats with the n-th allocation failing, which must return NOMEM and no object. Returns the number of allocations.
 */
static inline uint64_t ndp_pickle_make_fixture_fail_allocations(const char *nodes, enum ndp_numpy_release release) {
    for (uint64_t call = 1;; call++) {
        struct ndp_pickle_make_fixture made;
        ndp_pickle_make_fixture_recipe(&made, nodes, release);
        assert_int_equal(made.status, NDP_OK);
        ndp_objects_clear(&made.objects);
        made.root = NULL;
        ndp_arena_fail_at(&made.arena, call);
        ndp_pickle_make_fixture_run(&made, release);
        const bool has_failed = made.arena.fail_at == 0;
        if (has_failed && made.status != NDP_NOMEM)
            fail_msg("%s, allocation %u: no failure reported", nodes, (unsigned)call);
        ndp_pickle_make_fixture_clear(&made);
        if (!has_failed) return call - 1;
    }
}

static inline struct ndp_object *ndp_pickle_make_fixture_item(const struct ndp_object *list, uint64_t index) {
    assert_true(index < list->list.count);
    return list->list.items[index];
}

#endif
