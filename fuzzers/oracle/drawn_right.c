#include "oracle/drawn_right.h"

#include "base/checked.h"
#include "fuzz.h"
#include "generate/generate.h"
#include "generate/shrink_parts.h"
#include "model/array.h"
#include "oracle/same_descriptor.h"

enum { STEPS = 4 };
/* Those from CHANGED on begin with a value. */
enum draw { VALUE, GRAPH, FAULT, CHANGED, CROSSED, SMALLER, REDUCED, DRAW_COUNT };
#define ROOM_BYTES (UINT64_C(1) << 26)

static struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
/* What is built to be checked, one at a time: of several large ones the next would have no room. */
static struct ndp_arena built = {.limit_bytes = ROOM_BYTES};

static void check_built(const char *what, const struct ndp_descriptor *drawn) {
    static struct ndp_buffer text = {.max_bytes = UINT64_MAX}, again = {.max_bytes = UINT64_MAX};
    struct ndp_descriptor read;
    text.size_bytes = again.size_bytes = 0;
    FUZZ_HOLDS_OF(what, ndp_descriptor_check(&built, drawn, NULL) == NDP_OK);
    if (!FUZZ_HOLDS_OF(what, ndp_descriptor_print(&text, drawn) == NDP_OK)) return;
    const struct ndp_bytes bytes = ndp_buffer_view(&text);
    if (!FUZZ_HOLDS_OF(what, ndp_descriptor_read(&built, bytes, &ndp_describe_default_limits, &read, NULL) == NDP_OK))
        return;
    FUZZ_HOLDS_OF(what, fuzz_is_same_descriptor(drawn, &read));
    if (FUZZ_HOLDS_OF(what, ndp_descriptor_print(&again, &read) == NDP_OK))
        FUZZ_HOLDS_OF(what, ndp_bytes_is_equal(bytes, ndp_buffer_view(&again)));
}

/* Can be built, and is what its text says. */
static void check(const char *what, const struct ndp_descriptor *drawn) {
    check_built(what, drawn);
    ndp_arena_reset(&built);
}

/* The bytes of the elements, by multiplying. */
static uint64_t size_of(const struct ndp_base *base) {
    uint64_t size = base->dtype->itemsize_bytes;
    for (uint32_t i = 0; i < base->ndim; i++)
        if (!ndp_mul_u64_fits(size, (uint64_t)base->shape[i], &size)) size = UINT64_MAX;
    return size;
}

static void check_within(const struct ndp_generate_limits *limits, const struct ndp_array_value *value) {
    const struct ndp_base *base = &value->base;
    const uint64_t most = limits->value_bytes > 0 ? limits->value_bytes : 4096;
    FUZZ_HOLDS(base->dtype->itemsize_bytes > most || size_of(base) <= most);
    FUZZ_HOLDS(base->ndim <= (limits->max_ndim > 0 ? limits->max_ndim : NDP_MAX_NDIM));
    FUZZ_HOLDS(!limits->without_maps || !base->has_map);
    FUZZ_HOLDS(!limits->without_objects || !ndp_dtype_has_object(base->dtype));
}

static void check_value(struct ndp_bytes bytes, uint64_t pick) {
    const struct ndp_generate_limits limits = {
        .value_bytes = pick % 2 > 0 ? 0 : UINT64_C(64) << pick / 2 % 8,
        .max_ndim = pick / 16 % 2 > 0 ? 0 : 1 + (uint32_t)(pick / 32 % 8),
        .without_objects = pick / 256 % 2 > 0,
        .without_maps = pick / 512 % 2 > 0,
        .between_processes = pick / 1024 % 4 == 0,
    };
    struct ndp_descriptor drawn[2] = {{.kind = NDP_CASE_ROUND_TRIP}, {.kind = NDP_CASE_ROUND_TRIP}};
    struct ndp_buffer texts[2] = {{.max_bytes = UINT64_MAX}, {.max_bytes = UINT64_MAX}};
    bool is_drawn = true;
    for (uint32_t i = 0; i < 2; i++) {
        struct ndp_choices choices;
        ndp_choices_init_bytes(&choices, bytes);
        is_drawn &= FUZZ_HOLDS(ndp_generate_value(&arena, &choices, &limits, &drawn[i].value) == NDP_OK) &&
                    FUZZ_HOLDS(ndp_descriptor_print(&texts[i], &drawn[i]) == NDP_OK);
    }
    FUZZ_HOLDS(!is_drawn || ndp_bytes_is_equal(ndp_buffer_view(&texts[0]), ndp_buffer_view(&texts[1])));
    if (is_drawn) check("a value", &drawn[0]);
    if (is_drawn && drawn[0].value.kind == NDP_VALUE_ARRAY) check_within(&limits, &drawn[0].value.array);
    for (uint32_t i = 0; i < 2; i++) ndp_buffer_clear(&texts[i]);
}

static void check_graph(struct ndp_bytes bytes, bool is_of_objects) {
    struct ndp_descriptor drawn = {.kind = NDP_CASE_ROUND_TRIP};
    struct ndp_choices choices;
    ndp_choices_init_bytes(&choices, bytes);
    const enum ndp_status status = is_of_objects ? ndp_generate_objects(&arena, &choices, &drawn.value)
                                                 : ndp_generate_graph(&arena, &choices, &drawn.value);
    if (FUZZ_HOLDS(status == NDP_OK)) check("a graph", &drawn);
}

static void check_fault(struct ndp_bytes bytes, uint64_t pick) {
    static const char *const formats[] = {"npy", "raw"};
    const struct ndp_generate_limits limits = {.without_objects = true};
    struct ndp_descriptor drawn = {.kind = NDP_CASE_ROUND_TRIP};
    struct ndp_choices choices;
    ndp_choices_init_bytes(&choices, bytes);
    const char *format = formats[pick % NDP_ARRAY_LEN(formats)];
    if (FUZZ_HOLDS(ndp_generate_fault(&arena, &choices, format, &limits, &drawn) == NDP_OK)) check("a fault", &drawn);
}

static void check_changed(const struct ndp_descriptor *from, struct ndp_bytes bytes, bool is_crossed) {
    struct ndp_descriptor other = {.kind = NDP_CASE_ROUND_TRIP}, to;
    const struct ndp_generate_limits limits = {0};
    struct ndp_choices choices;
    ndp_choices_init_bytes(&choices, bytes);
    if (!is_crossed) {
        if (FUZZ_HOLDS(ndp_mutate(&arena, &choices, from, &to) == NDP_OK)) check("what is changed", &to);
    } else if (FUZZ_HOLDS(ndp_generate_value(&arena, &choices, &limits, &other.value) == NDP_OK)) {
        if (FUZZ_HOLDS(ndp_cross(&arena, &choices, from, &other, &to) == NDP_OK)) check("what is crossed", &to);
    }
}

/* Some neighbours in a row, from the pick-th on. */
static void check_smaller(const struct ndp_descriptor *from, uint64_t pick) {
    const struct ndp_measure bound = ndp_descriptor_measure(from);
    bool is_done = false;
    for (uint32_t i = 0; i < STEPS && !is_done; i++) {
        struct ndp_descriptor to;
        const uint32_t step = (uint32_t)(pick % 64) + i;
        if (!FUZZ_HOLDS(ndp_shrink_step(&arena, from, step, &to, &is_done) == NDP_OK) || is_done) return;
        const struct ndp_measure measure = ndp_descriptor_measure(&to);
        FUZZ_HOLDS(ndp_measure_is_less(&measure, &bound) && !ndp_measure_is_less(&bound, &measure));
        check("what is smaller", &to);
    }
}

static void check_reduced(const struct ndp_descriptor *from, uint64_t pick) {
    struct ndp_descriptor to = *from;
    const uint64_t most = UINT64_C(1) << pick % 13;
    bool is_changed = false;
    if (from->value.kind != NDP_VALUE_ARRAY || from->fault.name[0] != '\0' || from->value.array.base.dtype == NULL)
        return;
    if (!FUZZ_HOLDS(ndp_value_reduce(&arena, most, &to.value.array, &is_changed) == NDP_OK)) return;
    const struct ndp_base *base = &to.value.array.base;
    FUZZ_HOLDS(base->dtype->itemsize_bytes > most || size_of(base) <= most);
    FUZZ_HOLDS(is_changed || size_of(&from->value.array.base) == size_of(base));
    check("what is reduced", &to);
}

void fuzz_check_draws(const struct ndp_descriptor *from, struct ndp_bytes bytes, uint64_t pick) {
    const bool has_own_bytes = from && (from->bytes.size_bytes > 0 || from->file[0] != '\0');
    const uint64_t how = pick % (from && !has_own_bytes ? DRAW_COUNT : CHANGED);
    pick /= 16;
    switch ((enum draw)how) {
    case VALUE:
        check_value(bytes, pick);
        break;
    case GRAPH:
        check_graph(bytes, pick % 2 > 0);
        break;
    case FAULT:
        check_fault(bytes, pick);
        break;
    case CHANGED:
    case CROSSED:
        check_changed(from, bytes, how == CROSSED);
        break;
    case SMALLER:
        check_smaller(from, pick);
        break;
    case REDUCED:
        check_reduced(from, pick);
        break;
    case DRAW_COUNT:
        break;
    }
    ndp_arena_reset(&arena);
}
