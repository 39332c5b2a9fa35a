/* graph_judgement_test.c: the properties of graphs on hand-made trips, whole and with one thing spoilt on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/byteorder.h"
#include "property/graph_judgement.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_class, ndp_property_closure, ndp_property_company, ndp_property_identity,
    ndp_property_picklability;

static const struct ndp_property *const all[] = {&ndp_property_class, &ndp_property_closure, &ndp_property_company,
                                                 &ndp_property_identity, &ndp_property_picklability};

/* A list of an array, an array of class `class` with two attributes, a function with a cell, and the function again. */
enum { LIST, PLAIN_ARRAY, CLASS_ARRAY, UNIT, FUNCTION, CELL, NODES };

static struct ndp_edge list_edges[] = {{.role = NDP_EDGE_ITEM, .to = PLAIN_ARRAY},
                                       {.role = NDP_EDGE_ITEM, .to = CLASS_ARRAY},
                                       {.role = NDP_EDGE_ITEM, .to = FUNCTION},
                                       {.role = NDP_EDGE_ITEM, .to = FUNCTION}};
static struct ndp_edge cell_edge = {.role = NDP_EDGE_CELL, .to = CELL};
static struct ndp_edge content_edge = {.role = NDP_EDGE_CONTENT, .to = UNIT};

struct trip {
    struct fixture fixture;
    struct ndp_graph recipe, expected, got;
    struct ndp_node nodes[NODES];
    struct ndp_node *arrived;
    struct ndp_edge attribute;
};

static void start(struct trip *t, const char *class, const char *format) {
    struct fixture *f = &t->fixture;
    memset(t, 0, sizeof *t);
    fixture_init(f, "<i4", format, "dumps", "fresh", 0);
    t->attribute = (struct ndp_edge){.role = NDP_EDGE_ATTRIBUTE, .name = ndp_bytes_view("extra"), .to = UNIT};
    t->nodes[LIST] = (struct ndp_node){.kind = NDP_NODE_LIST, .edges = list_edges, .edge_count = 4};
    t->nodes[PLAIN_ARRAY] = (struct ndp_node){.kind = NDP_NODE_ARRAY, .array = f->value};
    t->nodes[CLASS_ARRAY] = (struct ndp_node){.kind = NDP_NODE_ARRAY, .array = f->value, .edges = &t->attribute};
    t->nodes[CLASS_ARRAY].edge_count = 1;
    t->nodes[CLASS_ARRAY].array.class_name = ndp_bytes_view(class);
    t->nodes[UNIT] = (struct ndp_node){.kind = NDP_NODE_INT, .text = ndp_bytes_view("7")};
    t->nodes[FUNCTION] = (struct ndp_node){.kind = NDP_NODE_FUNCTION, .code = NDP_CODE_CONST, .edges = &cell_edge};
    t->nodes[FUNCTION].edge_count = 1;
    t->nodes[FUNCTION].name = ndp_bytes_view("f");
    t->nodes[CELL] = (struct ndp_node){.kind = NDP_NODE_CELL, .edges = &content_edge, .edge_count = 1};
    t->recipe = (struct ndp_graph){LIST, NODES, t->nodes};
    assert_int_equal(ndp_graph_check(&f->arena, &t->recipe, NULL), NDP_OK);
    assert_int_equal(ndp_graph_expect(&f->arena, &t->recipe, ndp_host_is_little_endian(), &t->expected, NULL), NDP_OK);
    struct ndp_node *source = ndp_arena_copy(&f->arena, t->expected.nodes, NODES * sizeof *source);
    assert_non_null(source);
    source[FUNCTION].result_count = 1;
    source[FUNCTION].results[0] = ndp_bytes_view("7");
    t->arrived = ndp_arena_copy(&f->arena, source, NODES * sizeof *source);
    assert_non_null(t->arrived);
    struct ndp_graph *sent = ndp_arena_copy(&f->arena, &t->expected, sizeof t->expected);
    assert_non_null(sent);
    sent->nodes = source;
    t->got = (struct ndp_graph){LIST, NODES, t->arrived};
    f->trial = (struct ndp_trial){.descriptor = &f->descriptor, .graph = &t->expected, .route = &f->route};
    f->trial.features = ndp_graph_features(&t->recipe);
    f->trial.encoder = f->trial.decoder = &f->target;
    f->trial.encoded = f->trial.decoded = &f->outcome;
    f->trial.arena = &f->arena;
    f->outcome.slots[NDP_SLOT_SOURCE] = (struct ndp_slot_record){.state = NDP_SLOT_FILLED, .graph = sent};
    f->outcome.slots[NDP_SLOT_RESULT] = (struct ndp_slot_record){.state = NDP_SLOT_FILLED, .graph = &t->got};
    f->outcome.slots[NDP_SLOT_ENCODED].state = f->outcome.slots[NDP_SLOT_CALLED].state = NDP_SLOT_FILLED;
    f->outcome.slots[NDP_SLOT_CALLED_ENCODED].state = NDP_SLOT_FILLED;
}

static void a_faithful_trip_passes(void **state) {
    (void)state;
    struct trip t;
    start(&t, "reduce_setstate", "cloudpickle");
    for (size_t i = 0; i < NDP_ARRAY_LEN(all); i++) expect_pass(&t.fixture, all[i]);
    fixture_clear(&t.fixture);
}

static void lose_attribute(struct trip *t) {
    t->arrived[CLASS_ARRAY].edge_count = 0;
}
static void break_object(struct trip *t) {
    t->arrived[CLASS_ARRAY].trouble = ndp_bytes_view("AttributeError: extra");
}
static void split_function(struct trip *t) {
    static struct ndp_edge edges[4];
    struct ndp_node *more = ndp_arena_alloc(&t->fixture.arena, (NODES + 1) * sizeof *more);
    assert_non_null(more);
    memcpy(more, t->arrived, NODES * sizeof *more);
    more[NODES] = more[FUNCTION];
    memcpy(edges, list_edges, sizeof edges);
    edges[3].to = NODES;
    more[LIST].edges = edges;
    t->got = (struct ndp_graph){LIST, NODES + 1, more};
}
static void merge_arrays(struct trip *t) {
    static struct ndp_edge edges[4];
    memcpy(edges, list_edges, sizeof edges);
    edges[0].to = CLASS_ARRAY;
    t->arrived[LIST].edges = edges;
}
static void share_memory(struct trip *t) {
    t->arrived[CLASS_ARRAY].memory_group = t->arrived[PLAIN_ARRAY].memory_group;
}
static void empty_cell(struct trip *t) {
    t->arrived[CELL].edge_count = 0;
}
static void change_result(struct trip *t) {
    t->arrived[FUNCTION].results[0] = ndp_bytes_view("NameError");
}
static void change_element(struct trip *t) {
    static uint8_t ones[24] = {1, 1};
    t->arrived[PLAIN_ARRAY].observation.elements.data = ones;
}
/* Element 0 of the first array has been inverted, and another has changed with it. */
static void write_through(struct trip *t, uint32_t changed, enum ndp_slot after) {
    static uint8_t bytes[24];
    struct ndp_graph *graph = ndp_arena_copy(&t->fixture.arena, &t->got, sizeof t->got);
    struct ndp_node *nodes = ndp_arena_copy(&t->fixture.arena, t->arrived, NODES * sizeof *nodes);
    assert_non_null(graph);
    assert_non_null(nodes);
    memset(bytes, 0x55, sizeof bytes);
    if (changed < NODES) nodes[changed].observation.elements.data = bytes;
    graph->nodes = nodes;
    t->fixture.outcome.slots[NDP_SLOT_POKED].state = NDP_SLOT_FILLED;
    t->fixture.outcome.slots[after] = (struct ndp_slot_record){.state = NDP_SLOT_FILLED, .graph = graph};
}
static void write_to_another(struct trip *t) {
    write_through(t, CLASS_ARRAY, NDP_SLOT_RESULT_AFTER);
}
static void write_to_the_source(struct trip *t) {
    write_through(t, PLAIN_ARRAY, NDP_SLOT_SOURCE_AFTER);
}
static void refuse_after_call(struct trip *t) {
    fixture_refuse(&t->fixture, NDP_SLOT_CALLED_ENCODED);
}
static void refuse_at_all(struct trip *t) {
    fixture_refuse(&t->fixture, NDP_SLOT_ENCODED);
}

static const struct {
    void (*spoil)(struct trip *t);
    const struct ndp_property *property;
    const char *field;
} defects[] = {
    {lose_attribute, &ndp_property_class, "attributes.reduce_setstate"},
    {break_object, &ndp_property_class, "whole.reduce_setstate"},
    {split_function, &ndp_property_closure, "recursion"},
    {merge_arrays, &ndp_property_identity, "distinct"},
    {share_memory, &ndp_property_identity, "aliasing.new"},
    {empty_cell, &ndp_property_closure, "structure.content"},
    {write_to_another, &ndp_property_identity, "written"},
    {write_to_the_source, &ndp_property_identity, "written.source"},
    {change_result, &ndp_property_closure, "results"},
    {change_element, &ndp_property_company, "values"},
    {refuse_after_call, &ndp_property_picklability, "history"},
    {refuse_at_all, &ndp_property_picklability, "accepted.ValueError"},
};

static void each_defect_is_seen_by_its_property(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(defects); i++) {
        struct trip t;
        start(&t, "reduce_setstate", "cloudpickle");
        defects[i].spoil(&t);
        expect_broken(&t.fixture, defects[i].property, defects[i].field);
        fixture_clear(&t.fixture);
    }
}

static void writing_to_one_array_is_no_defect(void **state) {
    (void)state;
    struct trip t;
    start(&t, "reduce_setstate", "cloudpickle");
    write_through(&t, PLAIN_ARRAY, NDP_SLOT_RESULT_AFTER);
    expect_pass(&t.fixture, &ndp_property_identity);
    fixture_clear(&t.fixture);
}

static void a_class_without_pickling_loses_by_design(void **state) {
    (void)state;
    struct trip t;
    start(&t, "plain", "cloudpickle");
    lose_attribute(&t);
    ndp_property_class.judge(&t.fixture.trial, &t.fixture.judgement);
    assert_int_equal(t.fixture.judgement.verdict, NDP_VERDICT_DIVERGES);
    assert_int_equal(t.fixture.judgement.severity, NDP_SEVERITY_DOCUMENTED_LOSS);
    fixture_clear(&t.fixture);
}

static void pickle_may_refuse_functions_by_name(void **state) {
    (void)state;
    struct trip t;
    start(&t, "plain", "pickle");
    refuse_at_all(&t);
    fixture_refuse(&t.fixture, NDP_SLOT_CALLED_ENCODED);
    memset(&t.fixture.outcome.slots[NDP_SLOT_RESULT], 0, sizeof t.fixture.outcome.slots[NDP_SLOT_RESULT]);
    ndp_property_picklability.judge(&t.fixture.trial, &t.fixture.judgement);
    assert_int_equal(t.fixture.judgement.verdict, NDP_VERDICT_REJECTS);
    fixture_clear(&t.fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_faithful_trip_passes),
        cmocka_unit_test(each_defect_is_seen_by_its_property),
        cmocka_unit_test(writing_to_one_array_is_no_defect),
        cmocka_unit_test(a_class_without_pickling_loses_by_design),
        cmocka_unit_test(pickle_may_refuse_functions_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
