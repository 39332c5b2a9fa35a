/* contract_find.c: finds the promise for a field: the first row that fits the route and the features of the value.
 *
 * Problem. Every case needs about 30 promises, and the table has hundreds of rows.
 *
 * Method. The rows that fit a route and two targets do not depend on the value (contract_candidates.c). A cache keeps
 * them in a hash table with one place per hash; a collision replaces the older entry. A value then needs one pass over
 * these rows.
 *
 * Cost. One hash and one pass over at most NDP_CONTRACT_CANDIDATES rows per value.
 */
#include <string.h>

#include "property/contract_candidates.h"
#include "property/version_compare.h"

/* An NPY file, alone or in an archive, contains objects as NumPy's pickle: fills *out with the route of that pickle.
 * Returns false if the value needs none. Source: numpy/lib/_format_impl.py, write_array: protocol 4 since 2.0, 3 since
 * 1.17, 2 before. */
static bool find_objects_pickle(const struct ndp_route *route, const struct ndp_target_info *encoder, uint64_t features,
                                struct ndp_route *out) {
    const uint64_t in_graph = (features & NDP_GRAPH_VALUE) != 0 ? NDP_GRAPH_VALUE : NDP_FEATURE_IN_GRAPH;
    const bool is_npy = ndp_bytes_word_is(route->format, "npy") || ndp_bytes_word_is(route->format, "npz");
    if (!is_npy || (features & in_graph) == 0) return false;
    if ((features & NDP_GRAPH_VALUE) != 0 && (features & NDP_GRAPH_MEMBERS) != 0) return false;
    const bool is_numpy = ndp_bytes_word_is(encoder->implementation, "numpy");
    const char *version = is_numpy ? ndp_target_library_version(encoder, "numpy") : "2.0";
    if (version == NULL) version = encoder->version;
    *out = (struct ndp_route){.format = "pickle", .encode = "c", .decode = "c"};
    out->protocol = ndp_version_compare(version, "2.0") >= 0 ? 4 : ndp_version_compare(version, "1.17") >= 0 ? 3 : 2;
    return true;
}

/* Swaps the two features of structures in foreign byte order for a big-endian decoder: rows are written for a
 * little-endian one. */
static uint64_t features_for(const struct ndp_target_info *decoder, uint64_t features) {
    const uint64_t big = (uint32_t)NDP_FEATURE_ALL_FIELDS_BIG, little = NDP_FEATURE_ALL_FIELDS_LITTLE;
    if (decoder->is_little_endian || (features & NDP_GRAPH_VALUE) != 0) return features;
    const uint64_t others = features & ~(big | little);
    return others | ((features & big) != 0 ? little : 0) | ((features & little) != 0 ? big : 0);
}

static bool value_fits(const struct ndp_contract_row *row, uint64_t features) {
    /* The two kinds of features share their bits. */
    bool is_graph = (features & NDP_GRAPH_VALUE) != 0;
    bool is_of_graphs = (row->with & NDP_GRAPH_VALUE) != 0;
    if (is_of_graphs != is_graph && (row->with | row->without) != 0) return false;
    /* A feature of graphs includes that there is a graph, which is no reason to exclude a row of graphs. */
    const uint64_t without = is_of_graphs ? row->without & ~NDP_GRAPH_VALUE : row->without;
    return (features & row->with) == row->with && (features & without) == 0;
}

static struct ndp_contract_candidates *place_of(struct ndp_contract_cache *memory, const struct ndp_route *route,
                                                bool is_graph) {
    const char *const words[] = {route->format, route->encode, route->decode, route->buffers};
    uint32_t hash = (uint32_t)route->protocol * 2 + is_graph;
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        for (const char *at = words[i]; *at != '\0'; at++) hash = hash * 31 + (uint8_t)*at;
        hash *= 31;
    }
    return &memory->places[(hash ^ hash >> 16) % NDP_CONTRACT_PLACES];
}

static bool is_candidate_for(const struct ndp_contract_candidates *found, const struct ndp_route *route,
                             const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                             bool is_graph) {
    return found->encoder == encoder && found->decoder == decoder && found->is_graph == is_graph &&
           found->protocol == route->protocol && ndp_bytes_word_is(found->format, route->format) &&
           ndp_bytes_word_is(found->encode, route->encode) && ndp_bytes_word_is(found->decode, route->decode) &&
           ndp_bytes_word_is(found->buffers, route->buffers);
}

static const struct ndp_contract_candidates *find_cached(struct ndp_contract_cache *memory,
                                                         const struct ndp_route *route,
                                                         const struct ndp_target_info *encoder,
                                                         const struct ndp_target_info *decoder, bool is_graph) {
    struct ndp_contract_candidates *place = place_of(memory, route, is_graph);
    if (is_candidate_for(place, route, encoder, decoder, is_graph)) return place;
    place->encoder = encoder;
    place->decoder = decoder;
    place->is_graph = is_graph;
    place->protocol = route->protocol;
    memcpy(place->format, route->format, sizeof place->format);
    memcpy(place->encode, route->encode, sizeof place->encode);
    memcpy(place->decode, route->decode, sizeof place->decode);
    memcpy(place->buffers, route->buffers, sizeof place->buffers);
    ndp_contract_candidates_find(route, encoder, decoder, is_graph, place);
    return place;
}

/* Fills out->rows for the fields of the mask `wanted`: the first row of each that fits. */
static void fill_rows(struct ndp_contract_cache *memory, uint64_t wanted, const struct ndp_route *route,
                      const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                      uint64_t array_features, struct ndp_contract *out) {
    const uint64_t features = features_for(decoder, array_features);
    const bool is_graph = (features & NDP_GRAPH_VALUE) != 0;
    struct ndp_route pickle;
    if (find_objects_pickle(route, encoder, features, &pickle)) route = &pickle;
    struct ndp_contract_candidates local;
    const struct ndp_contract_candidates *found = &local;
    if (memory != NULL)
        found = find_cached(memory, route, encoder, decoder, is_graph);
    else
        ndp_contract_candidates_find(route, encoder, decoder, is_graph, &local);
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < found->count && wanted != 0; i++) {
        const enum ndp_contract_field field = found->rows[i]->field;
        if ((wanted >> field & 1) == 0 || !value_fits(found->rows[i], features)) continue;
        out->rows[field] = found->rows[i];
        wanted &= ~(UINT64_C(1) << field);
    }
}

void ndp_contract_fill_cached(struct ndp_contract_cache *memory, const struct ndp_route *route,
                              const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                              uint64_t array_features, struct ndp_contract *out) {
    fill_rows(memory, UINT64_MAX, route, encoder, decoder, array_features, out);
}

void ndp_contract_fill(const struct ndp_route *route, const struct ndp_target_info *encoder,
                       const struct ndp_target_info *decoder, uint64_t array_features, struct ndp_contract *out) {
    fill_rows(NULL, UINT64_MAX, route, encoder, decoder, array_features, out);
}

const struct ndp_contract_row *ndp_contract_find_cached(struct ndp_contract_cache *memory,
                                                        enum ndp_contract_field field, const struct ndp_route *route,
                                                        const struct ndp_target_info *encoder,
                                                        const struct ndp_target_info *decoder, uint64_t features) {
    struct ndp_contract contract;
    fill_rows(memory, UINT64_C(1) << field, route, encoder, decoder, features, &contract);
    return contract.rows[field];
}

const struct ndp_contract_row *ndp_contract_find(enum ndp_contract_field field, const struct ndp_route *route,
                                                 const struct ndp_target_info *encoder,
                                                 const struct ndp_target_info *decoder, uint64_t features) {
    return ndp_contract_find_cached(NULL, field, route, encoder, decoder, features);
}
