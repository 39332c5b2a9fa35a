/* graph_defect.h: what planted defects of graphs and dicts are made with: the reference, whose graph is changed after
 * it was decoded, or whose dict does one operation otherwise. */
#ifndef NDP_GRAPH_DEFECT_H
#define NDP_GRAPH_DEFECT_H

#include "planted/planted.h"
#include "target/plugin_graph.h"
#include "target/reference/reference_dict.h"
#include "target/reference/reference_graph.h"
#include "target/reference/reference_pickle.h"

/* A decoded graph that may be changed in every respect: nodes, edges and array memory are of `arena`. */
struct ndp_graph_defect {
    struct ndp_arena *arena;
    struct ndp_node nodes[NDP_MAX_NODES];
    uint32_t root;
    uint32_t count;
};

typedef void ndp_graph_change(struct ndp_graph_defect *defect);

/* The reference's decoder with one change; the arguments of struct ndp_plugin_graph but for the last. */
enum ndp_plugin_result ndp_graph_defect_decode(const struct ndp_plugin_entry *entry, const void *bytes,
                                               size_t size_bytes, struct ndp_arena *arena, struct ndp_graph *out,
                                               struct ndp_plugin_refusal *refusal, ndp_graph_change *change);

/* Takes edge number `index` away; lets it lead elsewhere. Without memory nothing is changed. */
void ndp_graph_defect_drop(struct ndp_graph_defect *defect, uint32_t node, uint32_t index);
void ndp_graph_defect_aim(struct ndp_graph_defect *defect, uint32_t node, uint32_t index, uint32_t to);

/* Takes what functions say of themselves under that name away (ndp_function_description). */
void ndp_graph_defect_undescribe(struct ndp_graph_defect *defect, const char *name);

/* Gives the number of a second node that is like `node`, or `node` itself when there is no room. */
uint32_t ndp_graph_defect_double(struct ndp_graph_defect *defect, uint32_t node);

/* Puts the array into memory of its own. */
void ndp_graph_defect_own(struct ndp_graph_defect *defect, uint32_t node);

/* Turns the place of the elements around: what lay in F order is taken for C order, byte by byte. */
void ndp_graph_defect_reorder(struct ndp_graph_defect *defect, uint32_t node);

/* Whether an edge of a node before `node`, or an earlier one of its own, leads to where edge `index` leads. */
bool ndp_graph_defect_is_met_again(const struct ndp_graph_defect *defect, uint32_t node, uint32_t index);

/* Every edge to a node of `kind` that was met before leads to a node of its own that is like it. */
void ndp_graph_defect_split(struct ndp_graph_defect *defect, enum ndp_node_kind kind);

extern const struct ndp_plugin_entry ndp_no_entries[];

#define NDP_PLANT_COMPANY(file, broken, sentence, ...)                                                                 \
    extern const struct ndp_planted ndp_planted_##file;                                                                \
    const struct ndp_planted ndp_planted_##file = {.name = #file,                                                      \
                                                   .property = (broken),                                               \
                                                   .defect = (sentence),                                               \
                                                   .plugin = {.abi = NDP_PLUGIN_ABI,                                   \
                                                              .name = #file,                                           \
                                                              .version = "0",                                          \
                                                              .kinds = "biufcSUVMmRA",                                 \
                                                              .max_ndim = NDP_MAX_NDIM,                                \
                                                              .entries = ndp_no_entries,                               \
                                                              __VA_ARGS__}}

/* A planted defect whose only mistake is a change of the graph that was decoded by one of `list`. */
#define NDP_PLANT_GRAPH_OF(file, broken, sentence, change, list)                                                       \
    static enum ndp_plugin_result decode(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,   \
                                         struct ndp_arena *arena, struct ndp_graph *out,                               \
                                         struct ndp_plugin_refusal *refusal) {                                         \
        return ndp_graph_defect_decode(entry, bytes, size_bytes, arena, out, refusal, change);                         \
    }                                                                                                                  \
    static const struct ndp_plugin_graph graph = {                                                                     \
        .entries = (list), .encode = ndp_reference_graph_encode, .decode = decode};                                    \
    NDP_PLANT_COMPANY(file, broken, sentence, .graph = &graph)

/* The same of every format, the control format first; of pickles alone; of joblib's dumps alone. */
#define NDP_PLANT_GRAPH(file, broken, sentence, change)                                                                \
    NDP_PLANT_GRAPH_OF(file, broken, sentence, change, ndp_reference_graph_entries)
#define NDP_PLANT_PICKLED_GRAPH(file, broken, sentence, change)                                                        \
    NDP_PLANT_GRAPH_OF(file, broken, sentence, change, ndp_reference_pickle_entries)
#define NDP_PLANT_DUMPED_GRAPH(file, broken, sentence, change)                                                         \
    NDP_PLANT_GRAPH_OF(file, broken, sentence, change, ndp_reference_graph_dump_entries)

/* A planted defect of a dict that does one operation otherwise; the others are the reference's. */
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
    NDP_PLANT_COMPANY(file, broken, sentence, .dict = &dict)

#endif
