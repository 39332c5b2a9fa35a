/* pickle_graph_read_array_test.c: elements, attributes, masks and fill values of unpickled arrays of each class. */
#include "base/suite.h"
#include "codec/pickle/pickle_graph.h"
#include "codec/pickle/pickle_graph_array_vectors.h"

enum { ARENA_BYTES = 1 << 22, TEXT_BYTES = 1000 };

/* A growing text. */
struct printer {
    char text[TEXT_BYTES];
    size_t length;
};

static void print(struct printer *printer, const char *text, uint64_t size_bytes) {
    assert_true(printer->length + size_bytes < TEXT_BYTES);
    if (size_bytes > 0)
        memcpy(printer->text + printer->length, text, (size_t)size_bytes); /* an empty text may be NULL */
    printer->length += (size_t)size_bytes;
    printer->text[printer->length] = '\0';
}

static void print_word(struct printer *printer, const char *word) {
    print(printer, word, strlen(word));
}

static void print_hex(struct printer *printer, struct ndp_bytes bytes) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", bytes.data[i]);
        print(printer, digits, 2);
    }
}

static void print_elements(struct printer *printer, const struct ndp_node *node) {
    const struct ndp_array *array = &node->model;
    const uint64_t itemsize = array->dtype->itemsize_bytes;
    assert_true(node->kind == NDP_NODE_ARRAY && node->has_model && array->owns_data && array->is_writeable);
    if (ndp_layout_is_f_contiguous(&array->layout, itemsize) && !ndp_layout_is_c_contiguous(&array->layout, itemsize))
        print_word(printer, "F ");
    uint8_t elements[64];
    const uint64_t size_bytes = ndp_layout_count(&array->layout) * itemsize;
    assert_true(size_bytes <= sizeof elements && size_bytes == array->buffer_bytes);
    ndp_array_gather(array, NDP_MEMORY_C, elements);
    print_hex(printer, (struct ndp_bytes){elements, size_bytes});
}

static void print_value(struct printer *printer, const struct ndp_graph *graph, uint32_t number) {
    if (number == NDP_GRAPH_UNSET) {
        print_word(printer, "unset");
        return;
    }
    const struct ndp_node *node = &graph->nodes[number];
    if (node->kind == NDP_NODE_NONE) print_word(printer, "None");
    if (node->kind == NDP_NODE_BOOL) print_word(printer, node->truth ? "True" : "False");
    if (node->kind == NDP_NODE_INT) print(printer, (const char *)node->text.data, node->text.size_bytes);
}

static void print_root(struct printer *printer, const struct ndp_graph *graph) {
    const struct ndp_node *root = &graph->nodes[graph->root];
    *printer = (struct printer){.length = 0};
    if (root->kind == NDP_NODE_OBJECTS) {
        print_word(printer, "objects");
    } else {
        print(printer, (const char *)root->model.class_name.data, root->model.class_name.size_bytes);
        print_word(printer, " ");
        print_elements(printer, root);
    }
    for (uint32_t i = 0; i < root->edge_count; i++) {
        const struct ndp_edge *edge = &root->edges[i];
        print_word(printer, " ");
        if (edge->role == NDP_EDGE_ATTRIBUTE) {
            print(printer, (const char *)edge->name.data, edge->name.size_bytes);
            print_word(printer, "=");
        }
        if (edge->role != NDP_EDGE_MASK) {
            print_value(printer, graph, edge->to);
            continue;
        }
        print_word(printer, "mask(");
        print_elements(printer, &graph->nodes[edge->to]);
        print_word(printer, ")");
    }
    if (root->kind == NDP_NODE_ARRAY && root->fill_value.size_bytes > 0) {
        print_word(printer, " fill=");
        print_hex(printer, root->fill_value);
    }
}

static enum ndp_status decode_hex(struct ndp_arena *arena, const char *hex, struct ndp_graph *out,
                                  struct ndp_error *error) {
    struct ndp_bytes bytes;
    assert_int_equal(ndp_hex_read(arena, hex, &bytes, NULL), NDP_OK);
    return ndp_pickle_graph_decode(arena, bytes, out, error);
}

static void arrays_equal_numpys(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(array_vectors); i++) {
        struct ndp_graph graph;
        struct printer printer;
        struct ndp_error error = {.text = ""};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        if (decode_hex(&arena, array_vectors[i].hex, &graph, &error) != NDP_OK)
            fail_msg("%s: %s", array_vectors[i].what, error.text);
        print_root(&printer, &graph);
        if (strcmp(printer.text, array_vectors[i].got) != 0)
            fail_msg("%s: %s is not %s", array_vectors[i].what, printer.text, array_vectors[i].got);
    }
}

static void unrepresentable_arrays_are_refused(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(refused_vectors); i++) {
        struct ndp_graph graph = {.count = 77};
        struct ndp_error error = {.text = ""};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        const enum ndp_status status = decode_hex(&arena, refused_vectors[i].hex, &graph, &error);
        if (status != refused_vectors[i].status || strcmp(error.text, refused_vectors[i].text) != 0)
            fail_msg("%s: %s: %s", refused_vectors[i].what, ndp_status_name(status), error.text);
        assert_true(error.offset_bytes != NDP_NO_OFFSET);
        assert_int_equal(graph.count, 77);
    }
}

/* The graph outlives the bytes of the pickle. */
static void a_graph_outlives_its_pickle(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(array_vectors); i++) {
        struct ndp_graph graph;
        struct ndp_bytes bytes;
        struct printer printer;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        NDP_ARENA_SCOPED(input, ARENA_BYTES);
        assert_int_equal(ndp_hex_read(&input, array_vectors[i].hex, &bytes, NULL), NDP_OK);
        uint8_t *copy = ndp_arena_copy(&input, bytes.data, bytes.size_bytes);
        assert_non_null(copy);
        assert_int_equal(ndp_pickle_graph_decode(&arena, (struct ndp_bytes){copy, bytes.size_bytes}, &graph, NULL),
                         NDP_OK);
        memset(copy, 0xff, (size_t)bytes.size_bytes);
        print_root(&printer, &graph);
        if (strcmp(printer.text, array_vectors[i].got) != 0) fail_msg("%s: %s", array_vectors[i].what, printer.text);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(array_vectors); i++) {
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t call = 1; status != NDP_OK; call++) {
            struct ndp_graph graph;
            struct ndp_bytes bytes;
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            NDP_ARENA_SCOPED(input, ARENA_BYTES);
            assert_int_equal(ndp_hex_read(&input, array_vectors[i].hex, &bytes, NULL), NDP_OK);
            ndp_arena_fail_at(&arena, call);
            status = ndp_pickle_graph_decode(&arena, bytes, &graph, NULL);
            if (status != NDP_OK) assert_int_equal(status, NDP_NOMEM);
            if (status == NDP_OK && (arena.fail_at == 0 || call < 10))
                fail_msg("%s, allocation %u: no failure reported", array_vectors[i].what, (unsigned)call);
        }
    }
}

NDP_SUITE(pickle_graph_read_array_test, NDP_TEST(arrays_equal_numpys), NDP_TEST(unrepresentable_arrays_are_refused),
          NDP_TEST(a_graph_outlives_its_pickle), NDP_TEST(every_failing_allocation_is_reported));
