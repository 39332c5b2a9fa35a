/* generate_instance_test.c: generated instances can be built, read back with the same meaning, and shrunk to the end;
 * every class whose library is there comes up, and no other. */
#include "base/suite.h"
#include "generate/generate.h"
#include "generate/instance_recipes.h"
#include "model/graph/graph.h"
#include "model/graph/graph_features.h"
#include "model/graph/import_path.h"

enum { CASES = 2000, SHRUNK = 60, ARENA_BYTES = 1 << 24 };

static const char *const imports[] = {
#define IMPORT(import, library, arguments, keep) import,
    NDP_INSTANCE_LIST(IMPORT)
#undef IMPORT
};

/* `context` is the only library, or NULL for all. */
static bool has_library(const void *context, const char *library) {
    return context == NULL || strcmp(context, library) == 0;
}

static void generate_case(struct ndp_arena *arena, uint64_t index, const char *library, bool for_objects,
                          struct ndp_descriptor *out) {
    struct ndp_choices choices;
    ndp_arena_init(arena, ARENA_BYTES);
    ndp_choices_init_seed(&choices, ndp_rng_mix(1, index));
    *out = (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP};
    const struct ndp_generate_instances wanted = {
        .has_library = has_library, .context = library, .for_objects_only = for_objects};
    assert_int_equal(ndp_generate_instance(arena, &choices, &wanted, &out->value), NDP_OK);
}

static void mark_imports(const struct ndp_graph *graph, bool *is_seen) {
    for (uint32_t i = 0; i < graph->count; i++)
        for (size_t k = 0; graph->nodes[i].kind == NDP_NODE_INSTANCE && k < NDP_ARRAY_LEN(imports); k++)
            is_seen[k] |= ndp_bytes_is_word(graph->nodes[i].import, imports[k]);
}

static void instances_are_valid_and_read_back(void **state) {
    bool is_seen[NDP_ARRAY_LEN(imports)] = {false};
    uint64_t features = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor generated, repeated;
        struct ndp_error error = {.text = ""};
        NDP_BUFFER_SCOPED(first, ARENA_BYTES);
        NDP_BUFFER_SCOPED(second, ARENA_BYTES);
        generate_case(&arena, i, NULL, i % 2 == 1, &generated);
        if (ndp_descriptor_check(&arena, &generated, &error) != NDP_OK)
            fail_msg("case %u: %s", (unsigned)i, error.text);
        features |= ndp_graph_features(generated.value.graph);
        mark_imports(generated.value.graph, is_seen);
        assert_int_equal(ndp_descriptor_print(&first, &generated), NDP_OK);
        const struct ndp_bytes text = ndp_buffer_view(&first);
        if (ndp_descriptor_read(&arena, text, &ndp_describe_default_limits, &repeated, &error) != NDP_OK)
            fail_msg("%.*s: %s", (int)text.size_bytes, (const char *)text.data, error.text);
        assert_int_equal(ndp_descriptor_print(&second, &repeated), NDP_OK);
        assert_true(ndp_bytes_is_equal(text, ndp_buffer_view(&second)));
        ndp_arena_clear(&arena);
    }
    for (size_t k = 0; k < NDP_ARRAY_LEN(imports); k++)
        if (!is_seen[k]) fail_msg("no case has %s", imports[k]);
    assert_true((features & NDP_GRAPH_INSTANCE) != 0 && (features & NDP_GRAPH_ALIKE) != 0);
}

static void a_missing_library_has_no_instances(void **state) {
    for (uint64_t i = 0; i < 200; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor generated;
        generate_case(&arena, i, "scipy", false, &generated);
        const struct ndp_graph *graph = generated.value.graph;
        for (uint32_t k = 0; k < graph->count; k++) {
            if (graph->nodes[k].kind != NDP_NODE_INSTANCE) continue;
            const struct ndp_bytes package = ndp_import_path_package(graph->nodes[k].import);
            assert_true(ndp_bytes_is_word(package, "scipy") || ndp_bytes_is_word(package, "numpy_testee"));
        }
        ndp_arena_clear(&arena);
    }
}

static void a_module_is_the_root(void **state) {
    const struct ndp_generate_instances wanted = {.has_library = has_library, .module = "scipy.sparse"};
    const struct ndp_generate_instances missing = {.has_library = has_library, .module = "no.such"};
    for (uint64_t i = 0; i < 100; i++) {
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        struct ndp_choices choices;
        struct ndp_value value;
        ndp_choices_init_seed(&choices, i);
        assert_int_equal(ndp_generate_instance(&arena, &choices, &wanted, &value), NDP_OK);
        const struct ndp_node *root = &value.graph->nodes[value.graph->root];
        assert_int_equal(root->kind, NDP_NODE_INSTANCE);
        assert_true(ndp_import_path_is_in(root->import, "scipy.sparse"));
        assert_int_equal(ndp_generate_instance(&arena, &choices, &missing, &value), NDP_INVALID);
    }
}

static void shrinking_ends_at_one_node(void **state) {
    for (uint64_t i = 0; i < SHRUNK; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor at;
        bool is_done = false;
        generate_case(&arena, i, NULL, false, &at);
        for (uint32_t steps = 0; !is_done; steps++) {
            struct ndp_descriptor next;
            assert_true(steps < 400);
            assert_int_equal(ndp_shrink_step(&arena, &at, 0, &next, &is_done), NDP_OK);
            if (!is_done) at = next;
        }
        assert_int_equal(at.value.graph->count, 1);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(generate_instance_test, NDP_TEST(instances_are_valid_and_read_back),
          NDP_TEST(a_missing_library_has_no_instances), NDP_TEST(a_module_is_the_root),
          NDP_TEST(shrinking_ends_at_one_node));
