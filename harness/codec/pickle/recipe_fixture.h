/* recipe_fixture.h: test helper that builds live graphs from the JSON nodes of recipes. */
#ifndef NDP_RECIPE_FIXTURE_H
#define NDP_RECIPE_FIXTURE_H

#include "base/byteorder.h"
#include "base/suite.h"
#include "describe/descriptor.h"

enum { NDP_RECIPE_BYTES = 8192 };

/* Builds the live graph of a recipe; arrays and views have a model. */
static inline struct ndp_graph ndp_recipe_fixture_build(struct ndp_arena *arena, const char *nodes) {
    char text[NDP_RECIPE_BYTES];
    struct ndp_descriptor descriptor;
    struct ndp_error error = {.text = ""};
    struct ndp_graph graph;
    const int length = snprintf(text, sizeof text, "{\"ndproof\":1,\"value\":{\"graph\":{\"nodes\":[%s]}}}", nodes);
    const struct ndp_bytes bytes = {(const uint8_t *)text, (uint64_t)length};
    enum ndp_status status = ndp_descriptor_read(arena, bytes, &ndp_describe_default_limits, &descriptor, &error);
    if (status == NDP_OK)
        status = ndp_graph_expect(arena, descriptor.value.graph, ndp_byteorder_host_is_little(), &graph, &error);
    if (status != NDP_OK) fail_msg("%s: %s", nodes, error.text);
    struct ndp_node *live = ndp_arena_copy(arena, graph.nodes, graph.count * sizeof *live);
    assert_non_null(live);
    for (uint32_t i = 0; i < graph.count; i++) {
        if (live[i].kind == NDP_NODE_VIEW) live[i].kind = NDP_NODE_ARRAY;
    }
    graph.nodes = live;
    return graph;
}

#endif
