#include "property/contract.h"

#include <string.h>

#include "base/byteorder.h"

static bool is_empty(const char *word) {
    return word == NULL || word[0] == '\0';
}

const char *ndp_contract_field_word(enum ndp_contract_field field) {
    switch (field) {
#define NDP_CONTRACT_FIELD_WORD(name, word)                                                                            \
    case NDP_FIELD_##name:                                                                                             \
        return word;
        NDP_FIELD_LIST(NDP_CONTRACT_FIELD_WORD)
#undef NDP_CONTRACT_FIELD_WORD
    case NDP_FIELD_COUNT:
        break;
    }
    return "?";
}

const char *ndp_promise_word(enum ndp_promise promise) {
    switch (promise) {
#define NDP_PROMISE_WORD(name, word, text)                                                                             \
    case NDP_PROMISE_##name:                                                                                           \
        return word;
        NDP_PROMISE_LIST(NDP_PROMISE_WORD)
#undef NDP_PROMISE_WORD
    case NDP_PROMISE_COUNT:
        break;
    }
    return "?";
}

const char *ndp_promise_meaning(enum ndp_promise promise) {
    switch (promise) {
#define NDP_PROMISE_TEXT(name, word, text)                                                                             \
    case NDP_PROMISE_##name:                                                                                           \
        return text;
        NDP_PROMISE_LIST(NDP_PROMISE_TEXT)
#undef NDP_PROMISE_TEXT
    case NDP_PROMISE_COUNT:
        break;
    }
    return "?";
}

const char *ndp_severity_word(enum ndp_severity severity) {
    switch (severity) {
#define NDP_SEVERITY_WORD(name, word)                                                                                  \
    case NDP_SEVERITY_##name:                                                                                          \
        return word;
        NDP_SEVERITY_LIST(NDP_SEVERITY_WORD)
#undef NDP_SEVERITY_WORD
    case NDP_SEVERITY_COUNT:
        break;
    }
    return "?";
}

/* What stands behind the numbers of a version, in the order of the versions. Source: PEP 440. */
enum stage { STAGE_DEV, STAGE_ALPHA, STAGE_BETA, STAGE_CANDIDATE, STAGE_RELEASE, STAGE_POST };

enum { VERSION_NUMBERS = 6 };

struct version {
    uint64_t numbers[VERSION_NUMBERS];
    enum stage stage;
    uint64_t stage_number;
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Reads digits at *at and moves past them. Saturates, so that no length of digits overflows. */
static uint64_t read_number(const char **at) {
    uint64_t number = 0;
    for (; is_digit(**at); (*at)++) {
        if (number < UINT64_MAX / 16) number = number * 10 + (uint64_t)(**at - '0');
    }
    return number;
}

static enum stage read_stage(const char **at) {
    static const struct {
        const char *word;
        enum stage stage;
    } words[] = {{"dev", STAGE_DEV},   {"alpha", STAGE_ALPHA}, {"beta", STAGE_BETA}, {"rc", STAGE_CANDIDATE},
                 {"post", STAGE_POST}, {"a", STAGE_ALPHA},     {"b", STAGE_BETA},    {"c", STAGE_CANDIDATE}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        size_t length = strlen(words[i].word);
        if (strncmp(*at, words[i].word, length) != 0) continue;
        *at += length;
        return words[i].stage;
    }
    return STAGE_RELEASE;
}

static struct version read_version(const char *text) {
    struct version version = {.stage = STAGE_RELEASE};
    const char *at = text;
    for (uint32_t i = 0; is_digit(*at); i++) {
        uint64_t number = read_number(&at);
        if (i < VERSION_NUMBERS) version.numbers[i] = number;
        if (*at == '.' && is_digit(at[1])) at++;
    }
    while (*at == '.' || *at == '-' || *at == '_') at++;
    version.stage = read_stage(&at);
    if (*at == '.') at++;
    version.stage_number = read_number(&at);
    return version;
}

static int compare_u64(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

int ndp_version_compare(const char *a, const char *b) {
    struct version left = read_version(a);
    struct version right = read_version(b);
    for (uint32_t i = 0; i < VERSION_NUMBERS; i++) {
        int order = compare_u64(left.numbers[i], right.numbers[i]);
        if (order != 0) return order;
    }
    if (left.stage != right.stage) return left.stage < right.stage ? -1 : 1;
    return compare_u64(left.stage_number, right.stage_number);
}

/* One side of a route: the library behind its entry. */
struct side {
    const char *library;
    const char *version;
    const char *numpy_version; /* of NumPy beside it */
};

static struct side numpy_of(const struct ndp_target_info *info) {
    const char *version = ndp_target_library_version(info, "numpy");
    if (version == NULL) version = info->version;
    return (struct side){.library = "numpy", .version = version, .numpy_version = version};
}

/* Who carries arrays there: NumPy, or what has none and does it by itself. */
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

/* A row about joblib's files that names NumPy speaks of the NumPy that is there with joblib. */
static bool library_fits(const struct ndp_contract_row *row, const struct ndp_contract_library *library,
                         const struct side *side) {
    if (is_empty(library->name)) return true;
    const char *version = side->version;
    if (!ndp_word_is(library->name, side->library)) {
        if (!ndp_word_is(library->name, "numpy") || is_empty(row->format) || !ndp_word_is(row->format, "joblib"))
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

/* Most rows are of other formats. */
static bool may_fit(const struct ndp_contract_row *row, const struct ndp_route *route) {
    const char first = is_empty(row->format) ? '*' : row->format[0];
    return first == '*' || first == route->format[0];
}

/* Whether a row is of the way, whatever is sent on it. */
static bool way_fits(const struct ndp_contract_row *row, const struct ndp_route *route, const struct side *encoder,
                     const struct side *decoder) {
    if (route->protocol < row->protocol_min) return false;
    if (row->protocol_max != 0 && route->protocol > row->protocol_max) return false;
    if (!pattern_fits(row->format, route->format) || !pattern_fits(row->buffers, route->buffers)) return false;
    if (!pattern_fits(row->encode, route->encode) || !pattern_fits(row->decode, route->decode)) return false;
    return library_fits(row, &row->encoder, encoder) && library_fits(row, &row->decoder, decoder);
}

/* Whether it is of such a value. */
static bool value_fits(const struct ndp_contract_row *row, uint64_t features) {
    /* The two kinds of features share their bits. */
    bool is_graph = (features & NDP_GRAPH_VALUE) != 0;
    bool is_of_graphs = (row->with & NDP_GRAPH_VALUE) != 0;
    if (is_of_graphs != is_graph && (row->with | row->without) != 0) return false;
    return (features & row->with) == row->with && (features & row->without) == 0;
}

/* Libraries that send arrays by NumPy's own pickling, and how: what holds for that pickle holds for them. A protocol
 * of 0 is the route's own. */
static const struct carrier {
    const char *format;
    int32_t protocol;
} carriers[] = {
    {"cloudpickle", 0},     /* a subclass of CPython's pickler */
    {"dill", 4},            /* _dill.py, save_numpy_array: ndarray.__reduce__, which knows no protocol */
    {"multiprocess", 4},    /* pickles with dill */
    {"multiprocessing", 0}, /* ForkingPickler, CPython's own */
    {"joblib.Parallel", 5}, /* _memmapping_reducer.py: dumps(array, HIGHEST_PROTOCOL) */
};

/* The pickle that carries arrays on `route`, by NumPy on both sides; false when the route is its own. */
static bool find_carrier(const struct ndp_route *route, struct ndp_route *out) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(carriers); i++) {
        if (!ndp_word_is(route->format, carriers[i].format)) continue;
        *out = (struct ndp_route){.format = "pickle", .encode = "c", .decode = "c"};
        out->protocol = carriers[i].protocol != 0 ? carriers[i].protocol : route->protocol;
        if (out->protocol == 5) memcpy(out->buffers, "in-band", sizeof "in-band");
        return true;
    }
    return false;
}

/* Objects in an NPY file, alone or in an archive, are a pickle of NumPy's: what holds for that pickle holds for them.
 * Source: numpy/lib/_format_impl.py, write_array: protocol 4 since 2.0, 3 since 1.17, 2 before. */
static bool find_objects_pickle(const struct ndp_route *route, const struct ndp_target_info *encoder, uint64_t features,
                                struct ndp_route *out) {
    const uint64_t in_graph = (features & NDP_GRAPH_VALUE) != 0 ? NDP_GRAPH_VALUE : NDP_FEATURE_IN_GRAPH;
    const bool is_npy = ndp_word_is(route->format, "npy") || ndp_word_is(route->format, "npz");
    if (!is_npy || (features & in_graph) == 0) return false;
    const bool is_numpy = ndp_word_is(encoder->implementation, "numpy");
    const char *version = is_numpy ? numpy_of(encoder).version : "2.0";
    *out = (struct ndp_route){.format = "pickle", .encode = "c", .decode = "c"};
    out->protocol = ndp_version_compare(version, "2.0") >= 0 ? 4 : ndp_version_compare(version, "1.17") >= 0 ? 3 : 2;
    return true;
}

static bool is_all_little(const struct ndp_dtype *dtype) {
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        if (dtype->fields[i].dtype->order != NDP_ORDER_LITTLE) return false;
    }
    return dtype->kind == NDP_KIND_STRUCT && dtype->field_count > 0;
}

/* The features as rows name them, which speak of foreign fields as big-endian ones. */
static uint64_t features_for(const struct ndp_target_info *decoder, uint64_t features) {
    const uint64_t big = (uint32_t)NDP_FEATURE_ALL_FIELDS_BIG, little = NDP_FEATURE_ALL_FIELDS_LITTLE;
    if (decoder->is_little_endian || (features & NDP_GRAPH_VALUE) != 0) return features;
    const uint64_t others = features & ~(big | little);
    return others | ((features & big) != 0 ? little : 0) | ((features & little) != 0 ? big : 0);
}

uint64_t ndp_contract_features(const struct ndp_array *model, const struct ndp_route *route) {
    const uint64_t default_max_nbytes = UINT64_C(1) << 20; /* joblib.Parallel documentation */
    uint64_t features = ndp_array_features(model);
    if (is_all_little(model->dtype)) features |= NDP_FEATURE_ALL_FIELDS_LITTLE;
    bool is_plain = ndp_bytes_is_word(model->class_name, "ndarray") || ndp_bytes_is_word(model->class_name, "memmap");
    bool is_process = strncmp(route->encode, "loky", 4) == 0 || strncmp(route->encode, "multiprocessing", 15) == 0;
    if (!ndp_word_is(route->format, "joblib.Parallel") || !is_process || !is_plain) return features;
    if (model->map.is_backed) return features | NDP_FEATURE_AS_FILE;
    uint64_t nbytes = ndp_layout_count(&model->layout) * model->dtype->itemsize_bytes;
    uint64_t limit = route->max_nbytes > 0 ? (uint64_t)route->max_nbytes : default_max_nbytes;
    bool is_mapped = route->max_nbytes >= 0 && !ndp_word_is(route->map_mode, "none");
    if (is_mapped && nbytes > limit && (features & (uint32_t)NDP_FEATURE_OBJECT) == 0) features |= NDP_FEATURE_AS_FILE;
    return features;
}

/* Adds the rows of a table that are of the way, in their order. */
static void add_rows(const struct ndp_contract_row *rows, uint32_t count, const struct ndp_route *route,
                     struct side from, struct side to, struct ndp_contract_way *out) {
    for (uint32_t i = 0; i < count && out->count < NDP_CONTRACT_WAY_ROWS; i++)
        if (may_fit(&rows[i], route) && way_fits(&rows[i], route, &from, &to)) out->rows[out->count++] = &rows[i];
}

/* Looks through both tables for what `route` may promise between the two; `is_graph` when a graph is sent. */
static void find_way(const struct ndp_route *route, const struct ndp_target_info *encoder,
                     const struct ndp_target_info *decoder, bool is_graph, struct ndp_contract_way *out) {
    uint32_t count = 0;
    struct ndp_route carrier;
    const struct ndp_contract_row *rows = ndp_contract_library_rows(&count);
    struct side from = side_of(encoder, route, NDP_END_ENCODER);
    struct side to = side_of(decoder, route, NDP_END_DECODER);
    out->count = 0;
    add_rows(rows, count, route, from, to, out);
    rows = ndp_contract_rows(&count);
    /* Only arrays are carried: what else is in a graph is the library's own to send. */
    if (!is_graph && find_carrier(route, &carrier)) {
        const struct side carried = carrier_of(encoder);
        /* dill's protocol is that of NumPy's __reduce__, which knows none. Who has no NumPy writes the route's own, and
         * as every release of NumPy reads it (harness/target/reference/reference_graph.c). */
        if (strcmp(carried.library, "numpy") != 0) {
            carrier.protocol = route->protocol;
            memcpy(carrier.encode, "python", sizeof "python");
        }
        add_rows(rows, count, &carrier, carried, carrier_of(decoder), out);
    } else {
        add_rows(rows, count, route, from, to, out);
    }
}

/* Where the way is kept, if it is. */
static struct ndp_contract_way *place_of(struct ndp_contract_memory *memory, const struct ndp_route *route,
                                         bool is_graph) {
    const char *const words[] = {route->format, route->encode, route->decode, route->buffers};
    uint32_t hash = (uint32_t)route->protocol * 2 + is_graph;
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        for (const char *at = words[i]; *at != '\0'; at++) hash = hash * 31 + (uint8_t)*at;
        hash *= 31;
    }
    return &memory->ways[(hash ^ hash >> 16) % NDP_CONTRACT_WAYS];
}

static bool is_way(const struct ndp_contract_way *way, const struct ndp_route *route,
                   const struct ndp_target_info *encoder, const struct ndp_target_info *decoder, bool is_graph) {
    return way->encoder == encoder && way->decoder == decoder && way->is_graph == is_graph &&
           way->protocol == route->protocol && ndp_word_is(way->format, route->format) &&
           ndp_word_is(way->encode, route->encode) && ndp_word_is(way->decode, route->decode) &&
           ndp_word_is(way->buffers, route->buffers);
}

static const struct ndp_contract_way *recall(struct ndp_contract_memory *memory, const struct ndp_route *route,
                                             const struct ndp_target_info *encoder,
                                             const struct ndp_target_info *decoder, bool is_graph) {
    struct ndp_contract_way *way = place_of(memory, route, is_graph);
    if (is_way(way, route, encoder, decoder, is_graph)) return way;
    way->encoder = encoder;
    way->decoder = decoder;
    way->is_graph = is_graph;
    way->protocol = route->protocol;
    memcpy(way->format, route->format, sizeof way->format);
    memcpy(way->encode, route->encode, sizeof way->encode);
    memcpy(way->decode, route->decode, sizeof way->decode);
    memcpy(way->buffers, route->buffers, sizeof way->buffers);
    find_way(route, encoder, decoder, is_graph, way);
    return way;
}

/* `wanted` is a mask of fields: the first row of each that fits. */
static void fill(struct ndp_contract_memory *memory, uint32_t wanted, const struct ndp_route *told,
                 const struct ndp_target_info *encoder, const struct ndp_target_info *decoder, uint64_t array_features,
                 struct ndp_contract *out) {
    const uint64_t features = features_for(decoder, array_features);
    const bool is_graph = (features & NDP_GRAPH_VALUE) != 0;
    struct ndp_route pickle;
    const struct ndp_route *route = find_objects_pickle(told, encoder, features, &pickle) ? &pickle : told;
    struct ndp_contract_way alone;
    const struct ndp_contract_way *way = &alone;
    if (memory != NULL)
        way = recall(memory, route, encoder, decoder, is_graph);
    else
        find_way(route, encoder, decoder, is_graph, &alone);
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < way->count; i++) {
        const enum ndp_contract_field field = way->rows[i]->field;
        if ((wanted >> field & 1) == 0 || out->rows[field] != NULL || !value_fits(way->rows[i], features)) continue;
        out->rows[field] = way->rows[i];
        wanted &= ~(UINT32_C(1) << field);
        if (wanted == 0) return;
    }
}

void ndp_contract_recall(struct ndp_contract_memory *memory, const struct ndp_route *told,
                         const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                         uint64_t array_features, struct ndp_contract *out) {
    fill(memory, UINT32_MAX, told, encoder, decoder, array_features, out);
}

void ndp_contract_fill(const struct ndp_route *told, const struct ndp_target_info *encoder,
                       const struct ndp_target_info *decoder, uint64_t array_features, struct ndp_contract *out) {
    fill(NULL, UINT32_MAX, told, encoder, decoder, array_features, out);
}

const struct ndp_contract_row *ndp_contract_recall_field(struct ndp_contract_memory *memory,
                                                         enum ndp_contract_field field, const struct ndp_route *route,
                                                         const struct ndp_target_info *encoder,
                                                         const struct ndp_target_info *decoder, uint64_t features) {
    struct ndp_contract contract;
    fill(memory, UINT32_C(1) << field, route, encoder, decoder, features, &contract);
    return contract.rows[field];
}

const struct ndp_contract_row *ndp_contract_find(enum ndp_contract_field field, const struct ndp_route *route,
                                                 const struct ndp_target_info *encoder,
                                                 const struct ndp_target_info *decoder, uint64_t features) {
    return ndp_contract_recall_field(NULL, field, route, encoder, decoder, features);
}

/* The bytes of one item whose leaves change their byte order. */
struct swap {
    uint8_t *item;
    enum ndp_byte_order to;
};

static bool swap_leaf(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    struct swap *swap = context;
    (void)path;
    if (leaf->order == NDP_ORDER_NONE || leaf->order == swap->to) return true;
    uint64_t unit_bytes = leaf->itemsize_bytes;
    if (leaf->kind == NDP_KIND_COMPLEX) unit_bytes /= 2;
    if (leaf->kind == NDP_KIND_TEXT) unit_bytes = 4;
    for (uint64_t at = 0; at < leaf->itemsize_bytes; at += unit_bytes) {
        uint8_t *unit = swap->item + offset_bytes + at;
        for (uint64_t i = 0; i < unit_bytes / 2; i++) {
            uint8_t low = unit[i];
            unit[i] = unit[unit_bytes - 1 - i];
            unit[unit_bytes - 1 - i] = low;
        }
    }
    return true;
}

/* Gives the observation other byte orders: the dtype and the elements together, so that the values stay. */
static enum ndp_status make_native(struct ndp_arena *arena, bool is_little_endian, struct ndp_observation *out) {
    enum ndp_byte_order order = is_little_endian ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
    const struct ndp_dtype *dtype = NULL;
    NDP_TRY(ndp_dtype_with_order(arena, out->dtype, order, &dtype));
    uint64_t itemsize_bytes = out->dtype->itemsize_bytes;
    if (itemsize_bytes != 0 && out->elements.size_bytes != 0) {
        uint8_t *copy = ndp_arena_copy(arena, out->elements.data, out->elements.size_bytes);
        if (copy == NULL) return NDP_NOMEM;
        for (uint64_t at = 0; at + itemsize_bytes <= out->elements.size_bytes; at += itemsize_bytes) {
            struct swap swap = {.item = copy + at, .to = order};
            ndp_dtype_visit(out->dtype, swap_leaf, &swap);
        }
        out->elements.data = copy;
    }
    out->dtype = dtype;
    return NDP_OK;
}

/* The layout that the result must have. PERMUTED keeps the strides: under the permutation they are contiguous. */
static enum ndp_status lay_out(enum ndp_promise promise, const struct ndp_array *model, uint64_t features,
                               struct ndp_layout *out) {
    enum ndp_memory_order order = NDP_MEMORY_C;
    bool is_c = (features & NDP_FEATURE_C_CONTIGUOUS) != 0;
    bool is_f = (features & NDP_FEATURE_F_CONTIGUOUS) != 0;
    bool is_kept = promise == NDP_PROMISE_SAME || promise == NDP_PROMISE_LOST;
    if (promise == NDP_PROMISE_PERMUTED && !is_c && !is_f) is_kept = (features & NDP_FEATURE_PERMUTED) != 0;
    if (is_kept) {
        *out = model->layout;
        out->offset_bytes = 0;
        return NDP_OK;
    }
    if (promise != NDP_PROMISE_C_ORDER && is_f && !is_c) order = NDP_MEMORY_F;
    return ndp_layout_contiguous(out, model->layout.shape, model->layout.ndim, model->dtype->itemsize_bytes, order, 0);
}

static void set_flag(struct ndp_observation *out, enum ndp_flag flag, bool is_set) {
    out->flags = is_set ? out->flags | (uint32_t)flag : out->flags & ~(uint32_t)flag;
}

static enum ndp_status apply_order(struct ndp_arena *arena, enum ndp_promise promise, const struct ndp_array *model,
                                   uint64_t features, struct ndp_layout *layout, struct ndp_observation *out) {
    NDP_TRY(lay_out(promise, model, features, layout));
    int64_t *strides_bytes = ndp_arena_copy(arena, layout->strides_bytes, layout->ndim * sizeof(int64_t));
    if (strides_bytes == NULL) return NDP_NOMEM;
    out->strides_bytes = strides_bytes;
    if (promise == NDP_PROMISE_SAME) return NDP_OK; /* an array without bytes has flags that its strides do not tell */
    set_flag(out, NDP_FLAG_C_CONTIGUOUS, ndp_layout_is_c_contiguous(layout, model->dtype->itemsize_bytes));
    set_flag(out, NDP_FLAG_F_CONTIGUOUS, ndp_layout_is_f_contiguous(layout, model->dtype->itemsize_bytes));
    return NDP_OK;
}

/* The mode of a map, from an entry such as "mmap:r+" or the settings of a transport. */
static bool map_mode_of(const struct ndp_route *route, enum ndp_map_mode *out) {
    const char *word = route->decode + 5;
    if (route->is_transport) word = route->map_mode[0] != '\0' ? route->map_mode : "r";
    if (!route->is_transport && strncmp(route->decode, "mmap:", 5) != 0) return false;
    return ndp_map_mode_find(word, out);
}

static void apply_flags(enum ndp_promise writeable, enum ndp_promise alignment, const struct ndp_route *route,
                        const struct ndp_target_info *decoder, const struct ndp_array *model, struct ndp_layout layout,
                        struct ndp_observation *out) {
    enum ndp_map_mode mode = NDP_MAP_COPY;
    if (writeable == NDP_PROMISE_TRUE) set_flag(out, NDP_FLAG_WRITEABLE, true);
    if (writeable == NDP_PROMISE_FALSE) set_flag(out, NDP_FLAG_WRITEABLE, false);
    if (writeable == NDP_PROMISE_MODE) {
        set_flag(out, NDP_FLAG_WRITEABLE, !map_mode_of(route, &mode) || mode != NDP_MAP_READ);
    }
    if (alignment == NDP_PROMISE_TRUE) set_flag(out, NDP_FLAG_ALIGNED, true);
    if (alignment == NDP_PROMISE_FALSE) set_flag(out, NDP_FLAG_ALIGNED, false);
    if (alignment == NDP_PROMISE_PLACE) {
        /* A map starts on a page, so what the place in the file is modulo the alignment, the address is too. */
        uint64_t alignment_bytes = ndp_dtype_alignment_on(model->dtype, decoder->longdouble_alignment_bytes);
        layout.offset_bytes = alignment_bytes == 0 ? 0 : (int64_t)(route->offset_bytes % alignment_bytes);
        set_flag(out, NDP_FLAG_ALIGNED, ndp_layout_is_aligned(&layout, alignment_bytes));
    }
}

static void apply_backing(enum ndp_promise promise, const struct ndp_route *route, struct ndp_observation *out) {
    struct ndp_backing backing = {.is_map_class = ndp_bytes_is_word(out->class_name, "memmap")};
    if (promise == NDP_PROMISE_SHARED) {
        out->backing.is_map_class = true;
        if (out->backing.mode == NDP_MAP_WRITE) out->backing.mode = NDP_MAP_READ_WRITE;
        return;
    }
    if (promise == NDP_PROMISE_OWN_MAP) {
        backing.is_map_class = true;
        backing.claims = NDP_BACKING_OTHER;
        backing.has_mode = map_mode_of(route, &backing.mode);
        if (backing.mode == NDP_MAP_WRITE) backing.mode = NDP_MAP_READ_WRITE;
        out->backing = backing;
        return;
    }
    if (promise != NDP_PROMISE_MAPPED && promise != NDP_PROMISE_DETACHED) return;
    if (promise == NDP_PROMISE_MAPPED) {
        backing.is_map_class = true;
        backing.claims = NDP_BACKING_CASE;
        backing.is_mapped = true;
        backing.has_mode = map_mode_of(route, &backing.mode);
        /* An NPY file says itself where its data begin; only a raw file has the place in the route. */
        backing.has_offset = backing.has_position = ndp_word_is(route->format, "raw");
        backing.offset_bytes = backing.has_offset ? route->offset_bytes : 0;
        backing.position_bytes = backing.offset_bytes;
    }
    out->backing = backing;
}

enum ndp_status ndp_contract_apply(struct ndp_arena *arena, const struct ndp_array *model,
                                   const struct ndp_route *route, const struct ndp_target_info *decoder,
                                   uint64_t features, const struct ndp_contract *contract,
                                   struct ndp_observation *out) {
    enum ndp_promise promises[NDP_FIELD_COUNT];
    for (uint32_t i = 0; i < NDP_FIELD_COUNT; i++) promises[i] = contract->rows[i]->promise;
    struct ndp_observation expected;
    struct ndp_layout layout;
    NDP_TRY(ndp_array_observe(arena, model, &expected));
    if (promises[NDP_FIELD_BYTE_ORDER] == NDP_PROMISE_NATIVE) {
        NDP_TRY(make_native(arena, decoder->is_little_endian, &expected));
    }
    NDP_TRY(apply_order(arena, promises[NDP_FIELD_MEMORY_ORDER], model, features, &layout, &expected));
    apply_flags(promises[NDP_FIELD_WRITEABLE], promises[NDP_FIELD_ALIGNMENT], route, decoder, model, layout, &expected);
    if (promises[NDP_FIELD_CLASS] == NDP_PROMISE_NDARRAY) expected.class_name = ndp_bytes_view("ndarray");
    if (promises[NDP_FIELD_CLASS] == NDP_PROMISE_MEMMAP) expected.class_name = ndp_bytes_view("memmap");
    apply_backing(promises[NDP_FIELD_BACKING], route, &expected);
    *out = expected;
    return NDP_OK;
}

enum ndp_status ndp_contract_expect(struct ndp_arena *arena, const struct ndp_array *model,
                                    const struct ndp_route *route, const struct ndp_target_info *encoder,
                                    const struct ndp_target_info *decoder, struct ndp_observation *out) {
    const uint64_t features = ndp_contract_features(model, route);
    struct ndp_contract contract;
    ndp_contract_fill(route, encoder, decoder, features, &contract);
    return ndp_contract_apply(arena, model, route, decoder, features, &contract, out);
}
