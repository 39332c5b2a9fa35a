#include "oracle/graph_mapped.h"

#include "codec/joblib/joblib_graph.h"
#include "fuzz.h"
#include "oracle/same_graph.h"

enum { PROTOCOL = 4 }; /* in which nothing is said of permissions, which a map has of its mode */

/* Whether what is mapped is a part of the file, where the graph says. */
static bool lies_in(const struct ndp_map *map, uint64_t file_bytes, const struct ndp_graph *graph) {
    if (map->is_open && map->size_bytes > file_bytes) return false;
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_array *array = &graph->nodes[i].model;
        if (graph->nodes[i].kind != NDP_NODE_ARRAY || !array->map.is_backed) continue;
        if (!map->is_open || array->buffer != map->data || array->map.offset_bytes > file_bytes ||
            array->layout.offset_bytes != (int64_t)array->map.offset_bytes)
            return false;
    }
    return true;
}

bool fuzz_graph_is_mapped(struct ndp_arena *arena, struct ndp_bytes dump, enum ndp_map_mode mode,
                          const struct ndp_graph *graph) {
    const char *path = fuzz_path(dump.data, (size_t)dump.size_bytes);
    struct ndp_map map = {0};
    struct ndp_graph read, mapped;
    if (ndp_joblib_graph_decode_file(arena, path, NULL, &read, NULL) != NDP_OK) return false;
    if (ndp_joblib_graph_decode_mapped(arena, path, mode, NULL, &map, &mapped, NULL) != NDP_OK) return false;
    const bool is_same = fuzz_is_same_graph(arena, PROTOCOL, graph, &read) &&
                         fuzz_is_same_graph(arena, PROTOCOL, graph, &mapped) && lies_in(&map, dump.size_bytes, &mapped);
    ndp_map_close(&map);
    return is_same;
}
