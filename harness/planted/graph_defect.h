/* graph_defect.h: tools for planted defects of graphs and dicts. They change a graph that the reference decoded, or one
 * operation of the reference's dict. */
#ifndef NDP_GRAPH_DEFECT_H
#define NDP_GRAPH_DEFECT_H

#include "planted/planted.h"
#include "target/plugin_graph.h"
#include "target/reference/reference_dict.h"
#include "target/reference/reference_graph.h"
#include "target/reference/reference_pickle.h"

/* A decoded graph, which a defect may change completely. `arena` owns nodes, edges and array memory. */
struct ndp_graph_defect {
    struct ndp_arena *arena;
    struct ndp_node nodes[NDP_MAX_NODES];
    uint32_t root;
    uint32_t count;
};

typedef void ndp_graph_defect_change(struct ndp_graph_defect *defect);

/* The reference's decoder with one change. The other arguments are those of struct ndp_plugin_graph. */
enum ndp_plugin_result ndp_graph_defect_decode(const struct ndp_plugin_entry *entry, const void *bytes,
                                               size_t size_bytes, struct ndp_arena *arena, struct ndp_graph *out,
                                               struct ndp_plugin_refusal *refusal, ndp_graph_defect_change *change);

/* Removes the edge `index`, or redirects it to node `to`. Changes nothing when memory runs out. */
void ndp_graph_defect_drop_edge(struct ndp_graph_defect *defect, uint32_t node, uint32_t index);
void ndp_graph_defect_redirect_edge(struct ndp_graph_defect *defect, uint32_t node, uint32_t index, uint32_t to);

/* Removes the attribute `name` from all function descriptions (ndp_graph_words_description). */
void ndp_graph_defect_drop_description(struct ndp_graph_defect *defect, const char *name);

/* Duplicates a node and returns the number of the duplicate, or `node` when there is no room. */
uint32_t ndp_graph_defect_duplicate_node(struct ndp_graph_defect *defect, uint32_t node);

/* Replaces the array's memory by its own copy. */
void ndp_graph_defect_own_memory(struct ndp_graph_defect *defect, uint32_t node);

/* Reads the elements of an F-ordered array as if they were in C order. */
void ndp_graph_defect_reorder(struct ndp_graph_defect *defect, uint32_t node);

/* Whether an earlier edge of `node`, or an edge of a node before it, has the same destination as the edge `index`. */
bool ndp_graph_defect_is_repeated(const struct ndp_graph_defect *defect, uint32_t node, uint32_t index);

/* Redirects every edge to a node of `kind`, except the first one, to a duplicate of that node. */
void ndp_graph_defect_split_shared(struct ndp_graph_defect *defect, enum ndp_node_kind kind);

extern const struct ndp_plugin_entry ndp_graph_defect_no_entries[];

#define NDP_PLANT_OBJECTS(file, broken, sentence, ...)                                                                 \
    extern const struct ndp_planted ndp_planted_##file;                                                                \
    const struct ndp_planted ndp_planted_##file = {.name = #file,                                                      \
                                                   .property = (broken),                                               \
                                                   .defect = (sentence),                                               \
                                                   .plugin = {.abi = NDP_PLUGIN_ABI,                                   \
                                                              .name = #file,                                           \
                                                              .version = "0",                                          \
                                                              .kinds = "biufcSUVMmRA",                                 \
                                                              .max_ndim = NDP_MAX_NDIM,                                \
                                                              .entries = ndp_graph_defect_no_entries,                  \
                                                              __VA_ARGS__}}

/* A planted defect that changes the graph which an entry of `list` decoded. */
#define NDP_PLANT_GRAPH_OF(file, broken, sentence, change, list)                                                       \
    static enum ndp_plugin_result decode(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,   \
                                         struct ndp_arena *arena, struct ndp_graph *out,                               \
                                         struct ndp_plugin_refusal *refusal) {                                         \
        return ndp_graph_defect_decode(entry, bytes, size_bytes, arena, out, refusal, change);                         \
    }                                                                                                                  \
    static const struct ndp_plugin_graph graph = {.entries = (list),                                                   \
                                                  .encode = ndp_reference_graph_encode,                                \
                                                  .decode = decode,                                                    \
                                                  .takes_instances = ndp_reference_graph_takes_instances};             \
    NDP_PLANT_OBJECTS(file, broken, sentence, .graph = &graph)

/* The same for every format (the control format first), for pickles only, and for joblib dumps only. */
#define NDP_PLANT_GRAPH(file, broken, sentence, change)                                                                \
    NDP_PLANT_GRAPH_OF(file, broken, sentence, change, ndp_reference_graph_entries)
#define NDP_PLANT_PICKLED_GRAPH(file, broken, sentence, change)                                                        \
    NDP_PLANT_GRAPH_OF(file, broken, sentence, change, ndp_reference_pickle_entries)
#define NDP_PLANT_DUMPED_GRAPH(file, broken, sentence, change)                                                         \
    NDP_PLANT_GRAPH_OF(file, broken, sentence, change, ndp_reference_graph_dump_entries)

/* A planted defect in one operation of a dict. The other operations are the reference's. */
#define NDP_PLANT_DICT(file, broken, sentence, set_function, get_function, length_function, each_function)             \
    static const struct ndp_plugin_dict dict = {.format = "dict",                                                      \
                                                .entry = "locked",                                                     \
                                                .make = ndp_reference_dict_make,                                       \
                                                .free = ndp_reference_dict_free,                                       \
                                                .set = (set_function),                                                 \
                                                .get = (get_function),                                                 \
                                                .remove = ndp_reference_dict_remove,                                   \
                                                .length = (length_function),                                           \
                                                .each = (each_function)};                                              \
    NDP_PLANT_OBJECTS(file, broken, sentence, .dict = &dict)

#endif
