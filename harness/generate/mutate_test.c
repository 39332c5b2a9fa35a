/* mutate_test.c: mutants are valid, different, and of every kind. */
#include "base/suite.h"
#include "generate/dtype_edit.h"
#include "generate/generate_parts.h"
#include "model/graph/graph.h"

enum { ARENA_BYTES = 1 << 26, CHAINS = 400, CHAIN_LENGTH = 20 };

static void text_of(const struct ndp_descriptor *descriptor, struct ndp_buffer *text) {
    ndp_buffer_init(text, 1 << 24);
    assert_int_equal(ndp_descriptor_print(text, descriptor), NDP_OK);
}

static bool texts_differ(const struct ndp_descriptor *a, const struct ndp_descriptor *b) {
    struct ndp_buffer left, right;
    text_of(a, &left);
    text_of(b, &right);
    bool differ = !ndp_bytes_is_equal(ndp_buffer_view(&left), ndp_buffer_view(&right));
    ndp_buffer_clear(&left);
    ndp_buffer_clear(&right);
    return differ;
}

/* Chains of mutations, because the corpus of a fuzzer contains mutants. */
static void mutate_repeatedly(struct ndp_descriptor *from, uint64_t seed, struct ndp_arena *arena, uint32_t *changed) {
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, seed);
    for (uint32_t i = 0; i < CHAIN_LENGTH; i++) {
        struct ndp_error error = {0};
        struct ndp_descriptor mutant;
        NDP_ARENA_SCOPED(scratch, ARENA_BYTES);
        assert_int_equal(ndp_generate_mutant(arena, &choices, from, &mutant), NDP_OK);
        if (ndp_descriptor_check(&scratch, &mutant, &error) != NDP_OK) fail_msg("%s %s", error.path, error.text);
        *changed += texts_differ(from, &mutant);
        *from = mutant;
    }
}

static void every_mutant_is_valid_and_most_differ(void **state) {
    uint32_t changed = 0;
    for (uint64_t seed = 0; seed < CHAINS; seed++) {
        struct ndp_choices choices;
        struct ndp_descriptor descriptor = {0};
        const struct ndp_generate_limits limits = {0};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        if (seed % 3 == 0) {
            assert_int_equal(ndp_generate_fault(&arena, &choices, "npy", &limits, &descriptor), NDP_OK);
        } else {
            assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &descriptor.value), NDP_OK);
        }
        mutate_repeatedly(&descriptor, seed, &arena, &changed);
    }
    assert_true(changed >= CHAINS * CHAIN_LENGTH * 85 / 100);
}

static void graphs_stay_valid(void **state) {
    uint32_t changed = 0;
    for (uint64_t seed = 0; seed < CHAINS; seed++) {
        struct ndp_choices choices;
        struct ndp_descriptor descriptor = {0};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_graph(&arena, &choices, &descriptor.value), NDP_OK);
        mutate_repeatedly(&descriptor, seed, &arena, &changed);
    }
    assert_true(changed >= CHAINS * CHAIN_LENGTH * 60 / 100);
}

static const struct ndp_dtype big_pair_leaf = {.kind = NDP_KIND_INT, .itemsize_bytes = 4, .order = NDP_ORDER_BIG};
static const struct ndp_field big_pair_fields[] = {
    {.name = {(const uint8_t *)"a", 1}, .dtype = &big_pair_leaf},
    {.name = {(const uint8_t *)"b", 1}, .offset_bytes = 4, .dtype = &big_pair_leaf},
};
static const struct ndp_dtype big_pair = {
    .kind = NDP_KIND_STRUCT, .itemsize_bytes = 8, .fields = big_pair_fields, .field_count = 2};
static const int64_t pair_shape[] = {2, 3};

static void every_part_changes(void **state) {
    static const uint32_t axes[] = {1, 0};
    const struct ndp_view view = {.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = axes};
    struct ndp_descriptor from = {0};
    from.value.array.base = (struct ndp_base){.dtype = &big_pair, .ndim = 2, .shape = pair_shape};
    from.value.array.views = &view;
    from.value.array.view_count = 1;
    uint32_t dtype = 0, field_gone = 0, shape = 0, more_views = 0, fewer_views = 0, map = 0, order = 0, data = 0,
             readonly = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct ndp_choices choices;
        struct ndp_descriptor to;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_mutant(&arena, &choices, &from, &to), NDP_OK);
        const struct ndp_base *base = &to.value.array.base;
        dtype += base->dtype != &big_pair;
        field_gone += base->dtype->kind == NDP_KIND_STRUCT && base->dtype->field_count == 1;
        shape += base->shape != pair_shape;
        more_views += to.value.array.view_count > 1;
        fewer_views += to.value.array.view_count == 0;
        map += base->has_map;
        order += base->order == NDP_MEMORY_F;
        data += base->data.pattern != NDP_PATTERN_ZEROS;
        readonly += to.value.array.is_readonly;
    }
    assert_true(dtype > 100 && field_gone > 10 && shape > 100 && more_views > 50 && fewer_views > 20);
    assert_true(map > 20 && order > 20 && data > 50 && readonly > 20);
}

/* A list of a plain and a masked array: the plain one changes, the class of the other stays. */
static void arrays_change_inside_of_graphs(void **state) {
    struct ndp_node nodes[3] = {{.kind = NDP_NODE_LIST}, {.kind = NDP_NODE_ARRAY}, {.kind = NDP_NODE_ARRAY}};
    const struct ndp_edge items[] = {{.role = NDP_EDGE_ITEM, .to = 1}, {.role = NDP_EDGE_ITEM, .to = 2}};
    nodes[0].edges = items;
    nodes[0].edge_count = 2;
    for (int i = 1; i < 3; i++)
        nodes[i].array.base = (struct ndp_base){.dtype = &big_pair_leaf, .ndim = 2, .shape = pair_shape};
    nodes[1].array.class_name = ndp_bytes_view("ndarray");
    nodes[2].array.class_name = ndp_bytes_view("MaskedArray");
    const struct ndp_graph graph = {0, 3, nodes};
    struct ndp_descriptor from = {0};
    from.value = (struct ndp_value){.kind = NDP_VALUE_GRAPH, .graph = &graph};
    uint32_t dtype = 0, shape = 0, views = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct ndp_choices choices;
        struct ndp_descriptor to;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_mutant(&arena, &choices, &from, &to), NDP_OK);
        const struct ndp_graph *after = to.value.graph;
        const bool is_inside = after->count == 3 && after->nodes[0].edges == items &&
                               after->nodes[2].array.base.shape == pair_shape &&
                               after->nodes[2].array.base.dtype == &big_pair_leaf;
        const struct ndp_array_value *array = &after->nodes[after->count > 1 ? 1 : 0].array;
        dtype += is_inside && array->base.dtype != &big_pair_leaf;
        shape += is_inside && array->base.shape != pair_shape;
        views += is_inside && array->view_count > 0;
        assert_true(!is_inside || !ndp_dtype_has_object(array->base.dtype));
    }
    assert_true(dtype > 10 && shape > 10 && views > 5);
}

static void bytes_stay_bytes(void **state) {
    const uint8_t bytes[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    struct ndp_descriptor from = {.kind = NDP_CASE_DECODE, .bytes = {bytes, sizeof bytes}};
    bool shorter = false, longer = false, same = false;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct ndp_choices choices;
        struct ndp_descriptor to;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_mutant(&arena, &choices, &from, &to), NDP_OK);
        assert_int_equal(to.expect, NDP_EXPECT_OPEN);
        assert_true(to.bytes.size_bytes > 0);
        if (to.bytes.size_bytes < sizeof bytes) shorter = true;
        if (to.bytes.size_bytes > sizeof bytes) longer = true;
        if (to.bytes.size_bytes == sizeof bytes) same = true;
    }
    assert_true(shorter && longer && same);
}

/* Reports whether only the multiple of the unit, or only the unit, differs. */
static bool is_small_step(const struct ndp_descriptor *from, const struct ndp_descriptor *to, bool *is_of_multiple) {
    const struct ndp_dtype *before = from->value.array.base.dtype, *after = to->value.array.base.dtype;
    if (after->kind != before->kind || after->order != before->order) return false;
    *is_of_multiple = after->unit == before->unit;
    return texts_differ(from, to) && (*is_of_multiple ? after->unit_multiple != before->unit_multiple
                                                      : after->unit_multiple == before->unit_multiple);
}

/* A step to each of seven multiples or fourteen units is as likely as many steps that replace the whole dtype. */
static void parameters_change_separately(void **state) {
    enum { MUTANTS = 4000, ONE_IN = 25 };
    static const struct ndp_dtype time = {.kind = NDP_KIND_DATETIME,
                                          .order = NDP_ORDER_BIG,
                                          .itemsize_bytes = 8,
                                          .unit = NDP_UNIT_MILLI,
                                          .unit_multiple = 2};
    struct ndp_descriptor from = {0};
    uint32_t multiples = 0, units = 0;
    from.value.array.base = (struct ndp_base){.dtype = &time, .ndim = 2, .shape = pair_shape};
    for (uint32_t seed = 0; seed < MUTANTS; seed++) {
        struct ndp_choices choices;
        struct ndp_descriptor to;
        bool is_of_multiple;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_mutant(&arena, &choices, &from, &to), NDP_OK);
        if (is_small_step(&from, &to, &is_of_multiple)) *(is_of_multiple ? &multiples : &units) += 1;
    }
    assert_in_range(multiples, MUTANTS / ONE_IN, MUTANTS / 5);
    assert_in_range(units, MUTANTS / ONE_IN, MUTANTS / 5);
}

static void every_failing_allocation_is_reported(void **state) {
    struct ndp_descriptor from = {0};
    from.value.array.base = (struct ndp_base){.dtype = &big_pair, .ndim = 2, .shape = pair_shape};
    for (uint32_t seed = 0; seed < 100; seed++) {
        for (uint64_t call = 1;; call++) {
            struct ndp_choices choices;
            struct ndp_descriptor to = {.kind = NDP_CASE_DECODE};
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            ndp_arena_fail_at(&arena, call);
            ndp_choices_init_seed(&choices, seed);
            enum ndp_status status = ndp_generate_mutant(&arena, &choices, &from, &to);
            bool was_reached = arena.allocations + 1 >= call && status != NDP_OK;
            if (status == NDP_OK) break;
            assert_int_equal(status, NDP_NOMEM);
            assert_true(was_reached);
            assert_int_equal(to.kind, NDP_CASE_DECODE);
        }
    }
}

NDP_SUITE(mutate_test, NDP_TEST(every_mutant_is_valid_and_most_differ), NDP_TEST(graphs_stay_valid),
          NDP_TEST(arrays_change_inside_of_graphs), NDP_TEST(every_part_changes), NDP_TEST(bytes_stay_bytes),
          NDP_TEST(parameters_change_separately), NDP_TEST(every_failing_allocation_is_reported));
