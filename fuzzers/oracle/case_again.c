#include "oracle/case_again.h"

#include <string.h>

#include "base/rng.h"
#include "describe/dict_json.h"
#include "fuzz.h"
#include "generate/generate.h"
#include "model/graph.h"
#include "oracle/fault_again.h"
#include "oracle/json_strict.h"
#include "oracle/same_descriptor.h"

enum { ONE_IN = 8, FAULTS = 4, BAD_ONE_IN = 3, PICKS = 64, LARGEST_ITEM = INT32_MAX };
#define ROOM_BYTES (UINT64_C(1) << 24)

#define DRAW(choices, list) ((list)[ndp_choose((choices), NDP_ARRAY_LEN(list))])

static const uint64_t sizes[] = {0, 1, UINT64_C(9007199254740991), UINT64_C(9007199254740992), UINT64_MAX};
static const int64_t numbers[] = {
    0, 1, -1, INT64_C(9007199254740991), INT64_C(-9007199254740992), INT64_MAX, INT64_MIN, INT64_MIN + 1};

/* A word of any length, of all its letters. */
static void draw_word(struct ndp_choices *choices, char *out) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+:-@";
    const uint64_t size = ndp_choose(choices, NDP_WORD_BYTES), start = ndp_choose(choices, sizeof letters - 1);
    memset(out, 0, NDP_WORD_BYTES);
    for (uint64_t i = 0; i < size; i++) out[i] = letters[(start + i) % (sizeof letters - 1)];
}

static int32_t draw_protocol(struct ndp_choices *choices) {
    static const int32_t protocols[] = {0, 1, 5, 255};
    return DRAW(choices, protocols);
}

static void draw_transport(struct ndp_choices *choices, struct ndp_route *out) {
    static const int64_t limits[] = {0, -1, 1, INT64_C(9007199254740991), INT64_C(9007199254740992), INT64_MAX};
    static const char *const modes[] = {"", "r", "r+", "c", "none"};
    const char *mode = DRAW(choices, modes);
    out->is_transport = true;
    if (out->format[0] == '\0') out->format[0] = 'a';
    memcpy(out->decode, out->encode, sizeof out->decode);
    memcpy(out->map_mode, mode, strlen(mode));
    out->max_nbytes = DRAW(choices, limits);
}

static void draw_route(struct ndp_choices *choices, struct ndp_route *out) {
    draw_word(choices, out->format);
    draw_word(choices, out->encode);
    draw_word(choices, out->decode);
    draw_word(choices, out->buffers);
    draw_word(choices, out->encoder);
    draw_word(choices, out->decoder);
    out->protocol = draw_protocol(choices);
    out->offset_bytes = DRAW(choices, sizes);
    if (ndp_choose(choices, 2) == 0) {
        draw_transport(choices, out);
        return;
    }
    out->level = (int32_t)ndp_choose(choices, 10);
}

static void draw_properties(struct ndp_choices *choices, struct ndp_descriptor *out) {
    static const uint32_t counts[] = {0, 1, 2, NDP_MAX_PROPERTIES};
    out->property_count = DRAW(choices, counts);
    for (uint32_t i = 0; i < out->property_count; i++) {
        draw_word(choices, out->properties[i]);
        out->properties[i][0] = (char)('a' + i % 26);
        out->properties[i][1] = i < 26 ? '\0' : '1';
        out->properties[i][2] = '\0';
    }
}

/* Bytes, or a file, or a value with a fault. */
static void draw_decode(struct ndp_choices *choices, struct ndp_descriptor *out) {
    static const char *const files[] = {"a", "a/b", "...", "a../b", ".a/..b"};
    static const uint8_t bytes[] = {0, 0xff};
    const char *file = DRAW(choices, files);
    out->kind = NDP_CASE_DECODE;
    out->expect = (enum ndp_expect)ndp_choose(choices, 3);
    if (ndp_choose(choices, 2) == 0) {
        draw_word(choices, out->fault.name);
        if (out->fault.name[0] != '\0') out->fault.argument = DRAW(choices, sizes);
    }
    if (ndp_choose(choices, 2) == 0)
        memcpy(out->file, file, strlen(file) + 1);
    else if (ndp_choose(choices, 2) == 0)
        out->bytes = (struct ndp_bytes){bytes, sizeof bytes};
}

/* Each with numbers of its own, whether or not it applies to anything. */
static bool draw_views(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_array_value *out) {
    struct ndp_view *views = NDP_ARENA_ITEMS(arena, struct ndp_view, 3);
    struct ndp_slice *slice = NDP_ARENA_NEW(arena, struct ndp_slice);
    int64_t *shape = NDP_ARENA_ITEMS(arena, int64_t, 1), *strides = NDP_ARENA_ITEMS(arena, int64_t, 1);
    if (!views || !slice || !shape || !strides) return false;
    shape[0] = (int64_t)(DRAW(choices, sizes) & INT64_MAX);
    strides[0] = DRAW(choices, numbers);
    *slice =
        (struct ndp_slice){DRAW(choices, numbers), DRAW(choices, numbers), (int64_t)(DRAW(choices, sizes) & INT64_MAX)};
    if (slice->step == 0) slice->step = INT64_MIN;
    views[0] = (struct ndp_view){.op = NDP_VIEW_STRIDED,
                                 .ndim = 1,
                                 .shape = shape,
                                 .strides_bytes = strides,
                                 .offset_bytes = DRAW(choices, numbers)};
    views[1] = (struct ndp_view){.op = NDP_VIEW_SLICE, .ndim = 1, .slices = slice};
    views[2] = (struct ndp_view){.op = NDP_VIEW_NEWAXIS, .axis = NDP_MAX_NDIM - 1};
    out->views = views;
    out->view_count = 3;
    return true;
}

/* An array without elements of the largest item: a field behind another. */
static bool draw_array(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_array_value *out) {
    struct ndp_dtype *types = NDP_ARENA_ITEMS(arena, struct ndp_dtype, 2);
    struct ndp_field *field = NDP_ARENA_NEW(arena, struct ndp_field);
    int64_t *shape = NDP_ARENA_ITEMS(arena, int64_t, 1);
    if (!types || !field || !shape) return false;
    const uint64_t offset = ndp_choose(choices, 2) == 0 ? 0 : LARGEST_ITEM - ndp_choose(choices, 2);
    shape[0] = 0;
    types[0] = (struct ndp_dtype){.kind = NDP_KIND_VOID, .itemsize_bytes = LARGEST_ITEM - offset};
    types[1] =
        (struct ndp_dtype){.kind = NDP_KIND_STRUCT, .itemsize_bytes = LARGEST_ITEM, .fields = field, .field_count = 1};
    *field = (struct ndp_field){.name = ndp_bytes_view("\f\b"), .offset_bytes = offset, .dtype = &types[0]};
    *out = (struct ndp_array_value){.base = {.dtype = &types[1], .ndim = 1, .shape = shape},
                                    .class_name = ndp_bytes_view("ndarray")};
    out->base.has_map = ndp_choose(choices, 2) == 0;
    out->base.data.pattern = NDP_PATTERN_RANDOM;
    out->base.data.seed = DRAW(choices, sizes);
    if (out->base.has_map) {
        out->base.map_mode = (enum ndp_map_mode)ndp_choose(choices, NDP_MAP_MODE_COUNT);
        out->base.map_offset_bytes = DRAW(choices, sizes);
    } else {
        out->base.misalign_bytes = 15;
    }
    return draw_views(arena, choices, out);
}

static bool draw_value(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_value *out) {
    switch (ndp_choose(choices, 4)) {
    case 1:
        *out = (struct ndp_value){.kind = NDP_VALUE_DICT, .array = out->array};
        return ndp_generate_dict(arena, choices, out) == NDP_OK;
    case 2:
        *out = (struct ndp_value){.kind = NDP_VALUE_ARRAY};
        return draw_array(arena, choices, &out->array);
    default:
        return true;
    }
}

/* One thing that no descriptor may say. */
static void spoil(struct ndp_choices *choices, struct ndp_descriptor *out) {
    static const char *const files[] = {"..", "../a", "a/..", "a/../b", "/a", "a/b/../../../c"};
    static const struct ndp_edge edge = {.role = NDP_EDGE_ITEM, .to = 1};
    static const struct ndp_node node = {.kind = NDP_NODE_LIST, .edges = &edge, .edge_count = 1};
    static const struct ndp_graph beyond = {0, 1, &node};
    const char *file = DRAW(choices, files);
    struct ndp_route *route = &out->route;
    switch (ndp_choose(choices, 7)) {
    case 6:
        out->value = (struct ndp_value){.kind = NDP_VALUE_GRAPH, .graph = &beyond};
        return;
    case 0:
        route->protocol = 256;
        return;
    case 1:
        if (route->is_transport) route->max_nbytes = -2;
        if (!route->is_transport) route->level = 10;
        return;
    case 2:
        route->encoder[0] = ' ';
        return;
    case 3:
        out->property_count = 2;
        memcpy(out->properties[0], "a", sizeof "a");
        memcpy(out->properties[1], "a", sizeof "a");
        return;
    case 4:
        out->property_count = 1;
        out->properties[0][0] = '\0';
        return;
    default:
        out->kind = NDP_CASE_DECODE;
        memcpy(out->file, file, strlen(file) + 1);
        return;
    }
}

bool fuzz_draw_case(struct ndp_arena *arena, const struct ndp_descriptor *from, uint64_t seed,
                    struct ndp_descriptor *out, bool *is_bad) {
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, seed);
    *out = (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP, .value = from->value};
    if (ndp_choose(&choices, 3) == 0) draw_decode(&choices, out);
    draw_route(&choices, &out->route);
    draw_properties(&choices, out);
    if (!draw_value(arena, &choices, &out->value)) return false;
    *is_bad = ndp_choose(&choices, BAD_ONE_IN) == 0;
    if (*is_bad) spoil(&choices, out);
    return true;
}

/* A few of the ways to contradict what it says: what is around a value stands in few inputs. */
static void check_strict(struct ndp_bytes text, bool has_graph, uint64_t pick) {
    for (uint64_t i = 0; i < PICKS; i++) {
        fuzz_check_json_keys(text, has_graph, pick + i);
        fuzz_check_json_values(text, has_graph, pick + i);
    }
}

static void check_faults(uint64_t pick) {
    for (uint32_t i = 0; i < FAULTS; i++) fuzz_check_fault(pick + i);
    fuzz_valid(FAULTS);
}

void fuzz_check_case(const struct ndp_descriptor *from, struct ndp_bytes text) {
    const uint64_t seed = ndp_hash_bytes(text.data, text.size_bytes, NDP_HASH_START);
    struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
    struct ndp_buffer printed = {.max_bytes = UINT64_MAX};
    struct ndp_descriptor drawn, again;
    bool is_bad;
    if (seed % ONE_IN == 1) check_faults(seed / ONE_IN);
    if (seed % ONE_IN != 0) return;
    if (fuzz_draw_case(&arena, from, seed / ONE_IN, &drawn, &is_bad) &&
        FUZZ_HOLDS(ndp_descriptor_print(&printed, &drawn) == NDP_OK)) {
        const enum ndp_status status =
            ndp_descriptor_read(&arena, ndp_buffer_view(&printed), &ndp_describe_default_limits, &again, NULL);
        FUZZ_HOLDS_OF(is_bad ? "bad" : "good", (status == NDP_OK) == !is_bad);
        if (status == NDP_OK && !is_bad) {
            FUZZ_HOLDS(fuzz_is_same_descriptor(&drawn, &again));
            check_strict(ndp_buffer_view(&printed), drawn.value.graph != NULL, seed / ONE_IN);
        }
    }
    ndp_buffer_clear(&printed);
    ndp_arena_clear(&arena);
}
