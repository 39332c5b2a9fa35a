/* contract_candidates.c: the rows that apply to a route, for any value.
 *
 * A row fits if the format, entry points, buffers, protocol and the libraries of both sides fit. Some libraries send an
 * array as a pickle that NumPy writes and reads; the general rows of such a route are those of that pickle.
 */
#include "property/contract_candidates.h"

#include <string.h>

#include "property/version_compare.h"

static bool is_empty(const char *word) {
    return word == NULL || word[0] == '\0';
}

/* The library behind the entry point on one side of a route. */
struct side {
    const char *library;
    const char *version;
    const char *numpy_version; /* of the NumPy in the same environment */
};

static struct side numpy_of(const struct ndp_target_info *info) {
    const char *version = ndp_target_library_version(info, "numpy");
    if (version == NULL) version = info->version;
    return (struct side){.library = "numpy", .version = version, .numpy_version = version};
}

/* The library that pickles arrays on one side: NumPy, or an implementation without NumPy itself. */
static struct side carrier_of(const struct ndp_target_info *info) {
    struct side side = numpy_of(info);
    const bool has_numpy =
        strcmp(info->implementation, "numpy") == 0 || ndp_target_library_version(info, "numpy") != NULL;
    if (!has_numpy) side.library = info->implementation;
    return side;
}

static struct side side_of(const struct ndp_target_info *info, const struct ndp_route *route, enum ndp_end end) {
    struct side side = numpy_of(info);
    side.library = ndp_entry_library(info, route, end);
    const char *version = ndp_target_library_version(info, side.library);
    side.version = version != NULL ? version : info->version;
    return side;
}

/* In a row for joblib's files, numpy is the NumPy in joblib's environment. */
static bool library_fits(const struct ndp_contract_row *row, const struct ndp_contract_library *library,
                         const struct side *side) {
    if (is_empty(library->name)) return true;
    const char *version = side->version;
    if (!ndp_bytes_word_is(library->name, side->library)) {
        if (!ndp_bytes_word_is(library->name, "numpy") || is_empty(row->format) ||
            !ndp_bytes_word_is(row->format, "joblib"))
            return false;
        version = side->numpy_version;
    }
    if (!is_empty(library->since) && ndp_version_compare(version, library->since) < 0) return false;
    return is_empty(library->before) || ndp_version_compare(version, library->before) < 0;
}

static bool pattern_fits(const char *pattern, const char *word) {
    if (is_empty(pattern)) return true;
    for (; *pattern == *word && *pattern != '\0'; pattern++) word++;
    return pattern[0] == '*' ? pattern[1] == '\0' : *pattern == *word;
}

/* A quick test: most rows are for other formats. */
static bool format_may_fit(const struct ndp_contract_row *row, const struct ndp_route *route) {
    const char first = is_empty(row->format) ? '*' : row->format[0];
    return first == '*' || first == route->format[0];
}

static bool route_fits(const struct ndp_contract_row *row, const struct ndp_route *route, const struct side *encoder,
                       const struct side *decoder) {
    if (route->protocol < row->protocol_min) return false;
    if (row->protocol_max != 0 && route->protocol > row->protocol_max) return false;
    if (!pattern_fits(row->format, route->format) || !pattern_fits(row->buffers, route->buffers)) return false;
    if (!pattern_fits(row->encode, route->encode) || !pattern_fits(row->decode, route->decode)) return false;
    return library_fits(row, &row->encoder, encoder) && library_fits(row, &row->decoder, decoder);
}

/* Formats that contain an array as NumPy's pickle: the promises for that pickle apply to them. Protocol 0 stands for
 * the protocol of the route. */
static const struct carrier {
    const char *format;
    int32_t protocol;
} carriers[] = {
    {"cloudpickle", 0},     /* a subclass of CPython's pickler */
    {"dill", 4},            /* _dill.py, save_numpy_array: ndarray.__reduce__, which takes no protocol */
    {"multiprocess", 4},    /* pickles with dill */
    {"multiprocessing", 0}, /* ForkingPickler, CPython's own */
    {"joblib.Parallel", 5}, /* _memmapping_reducer.py: dumps(array, HIGHEST_PROTOCOL) */
};

/* Fills *out with the route of the pickle that carries an array on `route`. Returns false if there is none. */
static bool find_carrier(const struct ndp_route *route, struct ndp_route *out) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(carriers); i++) {
        if (!ndp_bytes_word_is(route->format, carriers[i].format)) continue;
        *out = (struct ndp_route){.format = "pickle", .encode = "c", .decode = "c"};
        out->protocol = carriers[i].protocol != 0 ? carriers[i].protocol : route->protocol;
        if (out->protocol == 5) memcpy(out->buffers, "in-band", sizeof "in-band");
        return true;
    }
    return false;
}

/* Fills *out with the route of joblib's file that carries a result of joblib.Memory. Returns false if `route` is not
 * one, or returns the result of the function itself. Source: joblib/_store_backends.py, dump_item and load_item. */
static bool find_stored(const struct ndp_route *route, struct ndp_route *out) {
    if (!ndp_bytes_word_is(route->format, "joblib.Memory") || ndp_bytes_word_is(route->encode, "call")) return false;
    const bool is_mapped = strncmp(route->encode, "mmap:", 5) == 0;
    *out = (struct ndp_route){.format = "joblib", .encode = "file", .decode = "file", .protocol = route->protocol};
    if (is_mapped) memcpy(out->decode, route->encode, sizeof out->decode);
    return true;
}

/* Appends the rows of a table that fit the route, in their order. */
static void add_rows(const struct ndp_contract_row *rows, uint32_t count, const struct ndp_route *route,
                     struct side from, struct side to, struct ndp_contract_candidates *out) {
    for (uint32_t i = 0; i < count && out->count < NDP_CONTRACT_CANDIDATES; i++)
        if (format_may_fit(&rows[i], route) && route_fits(&rows[i], route, &from, &to))
            out->rows[out->count++] = &rows[i];
}

void ndp_contract_candidates_find(const struct ndp_route *route, const struct ndp_target_info *encoder,
                                  const struct ndp_target_info *decoder, bool is_graph,
                                  struct ndp_contract_candidates *out) {
    uint32_t count = 0;
    struct ndp_route carrier;
    struct side from = side_of(encoder, route, NDP_END_ENCODER);
    struct side to = side_of(decoder, route, NDP_END_DECODER);
    const struct ndp_contract_row *rows = ndp_contract_library_rows(&count);
    out->count = 0;
    add_rows(rows, count, route, from, to, out);
    if (find_stored(route, &carrier)) {
        add_rows(rows, count, &carrier, from, to, out);
        rows = ndp_contract_rows(&count);
        add_rows(rows, count, &carrier, from, to, out);
        return;
    }
    rows = ndp_contract_rows(&count);
    if (is_graph || !find_carrier(route, &carrier)) {
        add_rows(rows, count, route, from, to, out);
        return;
    }
    from = carrier_of(encoder);
    /* An encoder without NumPy writes the protocol of the route, in the form that every release of NumPy reads
     * (harness/target/reference/reference_graph.c). dill's fixed protocol comes from NumPy's __reduce__. */
    if (strcmp(from.library, "numpy") != 0) {
        carrier.protocol = route->protocol;
        memcpy(carrier.encode, "python", sizeof "python");
    }
    add_rows(rows, count, &carrier, from, carrier_of(decoder), out);
}
