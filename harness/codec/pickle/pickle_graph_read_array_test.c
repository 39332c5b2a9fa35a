/* pickle_graph_read_array_test.c: what arrays of each class come out as: elements, attributes, masks, fill values. */
#include "codec/pickle/pickle_graph.h"

#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "codec/pickle/pickle_graph_array_vectors.h"

enum { ARENA_BYTES = 1 << 22, TEXT_BYTES = 1000 };

/* A text that grows. */
struct told {
    char text[TEXT_BYTES];
    size_t length;
};

static void tell(struct told *told, const char *text, uint64_t size_bytes) {
    assert_true(told->length + size_bytes < TEXT_BYTES);
    if (size_bytes > 0) memcpy(told->text + told->length, text, (size_t)size_bytes); /* an empty text may be NULL */
    told->length += (size_t)size_bytes;
    told->text[told->length] = '\0';
}

static void tell_word(struct told *told, const char *word) {
    tell(told, word, strlen(word));
}

static void tell_hex(struct told *told, struct ndp_bytes bytes) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", bytes.data[i]);
        tell(told, digits, 2);
    }
}

static void tell_elements(struct told *told, const struct ndp_node *node) {
    const struct ndp_array *array = &node->model;
    const uint64_t itemsize = array->dtype->itemsize_bytes;
    assert_true(node->kind == NDP_NODE_ARRAY && node->has_model && array->owns_data && array->is_writeable);
    if (ndp_layout_is_f_contiguous(&array->layout, itemsize) && !ndp_layout_is_c_contiguous(&array->layout, itemsize))
        tell_word(told, "F ");
    uint8_t elements[64];
    const uint64_t size_bytes = ndp_layout_count(&array->layout) * itemsize;
    assert_true(size_bytes <= sizeof elements && size_bytes == array->buffer_bytes);
    ndp_array_gather(array, NDP_MEMORY_C, elements);
    tell_hex(told, (struct ndp_bytes){elements, size_bytes});
}

static void tell_value(struct told *told, const struct ndp_graph *graph, uint32_t number) {
    if (number == NDP_GRAPH_NOWHERE) {
        tell_word(told, "nowhere");
        return;
    }
    const struct ndp_node *node = &graph->nodes[number];
    if (node->kind == NDP_NODE_NONE) tell_word(told, "None");
    if (node->kind == NDP_NODE_BOOL) tell_word(told, node->truth ? "True" : "False");
    if (node->kind == NDP_NODE_INT) tell(told, (const char *)node->text.data, node->text.size_bytes);
}

static void tell_root(struct told *told, const struct ndp_graph *graph) {
    const struct ndp_node *root = &graph->nodes[graph->root];
    *told = (struct told){.length = 0};
    if (root->kind == NDP_NODE_OBJECTS) {
        tell_word(told, "objects");
    } else {
        tell(told, (const char *)root->model.class_name.data, root->model.class_name.size_bytes);
        tell_word(told, " ");
        tell_elements(told, root);
    }
    for (uint32_t i = 0; i < root->edge_count; i++) {
        const struct ndp_edge *edge = &root->edges[i];
        tell_word(told, " ");
        if (edge->role == NDP_EDGE_ATTRIBUTE) {
            tell(told, (const char *)edge->name.data, edge->name.size_bytes);
            tell_word(told, "=");
        }
        if (edge->role != NDP_EDGE_MASK) {
            tell_value(told, graph, edge->to);
            continue;
        }
        tell_word(told, "mask(");
        tell_elements(told, &graph->nodes[edge->to]);
        tell_word(told, ")");
    }
    if (root->kind == NDP_NODE_ARRAY && root->fill_value.size_bytes > 0) {
        tell_word(told, " fill=");
        tell_hex(told, root->fill_value);
    }
}

static enum ndp_status decode(struct ndp_arena *arena, const char *hex, struct ndp_graph *out,
                              struct ndp_error *error) {
    struct ndp_bytes bytes;
    assert_int_equal(ndp_hex_read(arena, hex, &bytes, NULL), NDP_OK);
    return ndp_pickle_graph_decode(arena, bytes, out, error);
}

static void arrays_come_out_as_numpy_has_them(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(array_vectors); i++) {
        struct ndp_arena arena;
        struct ndp_graph graph;
        struct told told;
        struct ndp_error error = {.text = ""};
        ndp_arena_init(&arena, ARENA_BYTES);
        if (decode(&arena, array_vectors[i].hex, &graph, &error) != NDP_OK)
            fail_msg("%s: %s", array_vectors[i].what, error.text);
        tell_root(&told, &graph);
        if (strcmp(told.text, array_vectors[i].got) != 0)
            fail_msg("%s: %s is not %s", array_vectors[i].what, told.text, array_vectors[i].got);
        ndp_arena_clear(&arena);
    }
}

static void what_has_no_words_is_refused(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(refused_vectors); i++) {
        struct ndp_arena arena;
        struct ndp_graph graph = {.count = 77};
        struct ndp_error error = {.text = ""};
        ndp_arena_init(&arena, ARENA_BYTES);
        const enum ndp_status status = decode(&arena, refused_vectors[i].hex, &graph, &error);
        if (status != refused_vectors[i].status || strcmp(error.text, refused_vectors[i].text) != 0)
            fail_msg("%s: %s: %s", refused_vectors[i].what, ndp_status_name(status), error.text);
        assert_true(error.offset_bytes != NDP_NO_OFFSET);
        assert_int_equal(graph.count, 77);
        ndp_arena_clear(&arena);
    }
}

/* The graph outlives the bytes that it was read from. */
static void a_graph_has_memory_of_its_own(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(array_vectors); i++) {
        struct ndp_arena arena, input;
        struct ndp_graph graph;
        struct ndp_bytes bytes;
        struct told told;
        ndp_arena_init(&arena, ARENA_BYTES);
        ndp_arena_init(&input, ARENA_BYTES);
        assert_int_equal(ndp_hex_read(&input, array_vectors[i].hex, &bytes, NULL), NDP_OK);
        uint8_t *copy = ndp_arena_copy(&input, bytes.data, bytes.size_bytes);
        assert_non_null(copy);
        assert_int_equal(ndp_pickle_graph_decode(&arena, (struct ndp_bytes){copy, bytes.size_bytes}, &graph, NULL),
                         NDP_OK);
        memset(copy, 0xff, (size_t)bytes.size_bytes);
        tell_root(&told, &graph);
        if (strcmp(told.text, array_vectors[i].got) != 0) fail_msg("%s: %s", array_vectors[i].what, told.text);
        ndp_arena_clear(&input);
        ndp_arena_clear(&arena);
    }
}

static void every_lack_of_memory_is_told(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(array_vectors); i++) {
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t call = 1; status != NDP_OK; call++) {
            struct ndp_arena arena, input;
            struct ndp_graph graph;
            struct ndp_bytes bytes;
            ndp_arena_init(&arena, ARENA_BYTES);
            ndp_arena_init(&input, ARENA_BYTES);
            assert_int_equal(ndp_hex_read(&input, array_vectors[i].hex, &bytes, NULL), NDP_OK);
            ndp_arena_fail_at(&arena, call);
            status = ndp_pickle_graph_decode(&arena, bytes, &graph, NULL);
            if (status != NDP_OK) assert_int_equal(status, NDP_NOMEM);
            if (status == NDP_OK && (arena.fail_at == 0 || call < 10))
                fail_msg("%s, allocation %u: nobody told", array_vectors[i].what, (unsigned)call);
            ndp_arena_clear(&input);
            ndp_arena_clear(&arena);
        }
    }
}

NDP_SUITE(pickle_graph_read_array_test, cmocka_unit_test(arrays_come_out_as_numpy_has_them),
          cmocka_unit_test(what_has_no_words_is_refused), cmocka_unit_test(a_graph_has_memory_of_its_own),
          cmocka_unit_test(every_lack_of_memory_is_told));
