/* What is said of what was read: the same of the same, something else of anything that differs, nothing unasked. */
#include "oracle/read_as.h"

#include <string.h>

#include "base/suite.h"
#include "fuzz.h"

const char fuzz_name[] = "read_as_test";
const unsigned fuzz_hashes_per_byte = 0;

static void (*say)(void);

int fuzz_one_input(const uint8_t *data, size_t size) {
    (void)data, (void)size;
    say();
    return 0;
}

enum { SAID = 0xff00, NOTHING = 0xff00 };

static uint64_t said(void (*by)(void)) {
    static const uint8_t input[] = "any";
    say = by;
    assert_int_equal(LLVMFuzzerTestOneInput(input, sizeof input), 0);
    return fuzz_row() & SAID;
}

static struct ndp_dtype dtype = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
static uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static struct ndp_npy_array array;
static struct ndp_pickle_array pickled;
static struct ndp_node nodes[2];
static struct ndp_edge edge;
static struct ndp_graph graph = {.count = 2, .nodes = nodes};
static struct ndp_observation observation;
static struct ndp_value value;

static void say_array(void) {
    fuzz_says_array(&array);
}

static void say_pickled(void) {
    fuzz_says_pickled(&pickled);
}

static void say_graph(void) {
    fuzz_says_graph(&graph);
}

static void say_observation(void) {
    fuzz_says_observation(&observation);
}

static void say_value(void) {
    static struct ndp_arena arena = {.limit_bytes = 1 << 20};
    fuzz_says_value(&arena, &value);
    ndp_arena_reset(&arena);
}

static void say_bytes(void) {
    fuzz_says_bytes((struct ndp_bytes){data, sizeof data});
}

static struct ndp_error error;

static void say_error(void) {
    fuzz_says_error(NDP_INVALID, &error);
}

static void say_refusal(void) {
    struct ndp_error *refusal = fuzz_refusal();
    if (refusal) *refusal = error;
    fuzz_says_refusal(NDP_INVALID);
}

static void say_nothing_of_what_is_taken(void) {
    fuzz_says_error(NDP_OK, &error);
    fuzz_says_refusal(NDP_OK);
}

static const struct ndp_layout layout = {.ndim = 2, .shape = {2, 2}, .strides_bytes = {4, 2}};

static int set_up(void **state) {
    static const int64_t shape[] = {2, 2}, strides_bytes[] = {4, 2};
    (void)state;
    array = (struct ndp_npy_array){.header = {.dtype = &dtype, .size_bytes = 8}, .layout = layout, .data = data};
    pickled = (struct ndp_pickle_array){.dtype = &dtype, .layout = layout, .data = data, .size_bytes = 8};
    edge = (struct ndp_edge){.role = NDP_EDGE_ITEM, .to = 1};
    nodes[0] = (struct ndp_node){.kind = NDP_NODE_LIST, .edges = &edge, .edge_count = 1};
    nodes[1] = (struct ndp_node){.kind = NDP_NODE_ARRAY, .has_model = true};
    nodes[1].model = (struct ndp_array){.dtype = &dtype, .layout = layout, .buffer = data, .buffer_bytes = 8};
    observation = (struct ndp_observation){.dtype = &dtype, .ndim = 2, .shape = shape, .strides_bytes = strides_bytes};
    observation.elements = (struct ndp_bytes){data, 8};
    error = (struct ndp_error){.offset_bytes = 3, .path = "/value", .text = "wrong"};
    value = (struct ndp_value){.kind = NDP_VALUE_ARRAY, .array.base = {.dtype = &dtype, .ndim = 2, .shape = shape}};
    return 0;
}

/* Runs first: nobody has asked. */
static void nothing_is_said_unasked(void **state) {
    void (*const all[])(void) = {say_array, say_pickled, say_graph, say_observation,
                                 say_value, say_bytes,   say_error, say_refusal};
    (void)set_up(state);
    for (size_t i = 0; i < NDP_ARRAY_LEN(all); i++) assert_int_equal(said(all[i]), NOTHING);
}

/* Two digits tell most changes apart, and these. */
#define TOLD(by, what, other)                                                                                          \
    do {                                                                                                               \
        (void)set_up(state);                                                                                           \
        const uint64_t before = said(by);                                                                              \
        assert_int_equal(before, said(by));                                                                            \
        assert_int_not_equal(before, NOTHING);                                                                         \
        (what) = (other);                                                                                              \
        assert_int_not_equal(before, said(by));                                                                        \
    } while (0)

static void whatever_differs_is_told(void **state) {
    fuzz_tell_all();
    TOLD(say_array, array.layout.shape[0], 1);
    TOLD(say_array, array.layout.strides_bytes[1], 4);
    TOLD(say_array, array.header.size_bytes, 7);
    TOLD(say_array, array.consumed_bytes, 1);
    TOLD(say_array, array.header.is_fortran_order, true);
    TOLD(say_pickled, pickled.is_writeable, true);
    TOLD(say_pickled, pickled.layout.offset_bytes, 2);
    TOLD(say_graph, graph.root, 1);
    TOLD(say_graph, edge.to, 0);
    TOLD(say_graph, edge.name, ndp_bytes_view("a"));
    TOLD(say_graph, nodes[0].kind, NDP_NODE_TUPLE);
    TOLD(say_graph, nodes[1].text, ndp_bytes_view("a"));
    TOLD(say_graph, nodes[1].model.is_writeable, true);
    graph.root = 0;
    TOLD(say_observation, observation.flags, NDP_FLAG_WRITEABLE);
    TOLD(say_observation, observation.class_name, ndp_bytes_view("matrix"));
    TOLD(say_value, value.array.base.order, NDP_MEMORY_F);
    TOLD(say_value, value.array.is_readonly, true);
    TOLD(say_error, error.offset_bytes, 4);
    TOLD(say_error, error.path[5], '\0');
    TOLD(say_refusal, error.offset_bytes, NDP_NO_OFFSET);
    const uint64_t place = said(say_error);
    error.text[0] = '\0';
    assert_int_equal(place, said(say_error));
    assert_int_equal(said(say_nothing_of_what_is_taken), NOTHING);
    TOLD(say_bytes, data[7], 0);
    data[7] = 8;
    TOLD(say_array, dtype.order, NDP_ORDER_BIG);
    dtype.order = NDP_ORDER_LITTLE;
}

NDP_SUITE(read_as_test, cmocka_unit_test(nothing_is_said_unasked), cmocka_unit_test(whatever_differs_is_told));
