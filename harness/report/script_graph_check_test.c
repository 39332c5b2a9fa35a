/* What differences are about, asked of a graph that arrived as `x`. */
#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "report/script_fixture.h"

#define ARRAY(class) "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]},\"class\":{\"name\":\"" class "\"}}}"
#define INT          "{\"int\":\"7\"}"
#define FUNCTION                                                                                                       \
    "{\"function\":{\"code\":\"add\",\"name\":\"f\",\"cells\":[2],\"defaults\":[3],\"kwdefaults\":{\"k\":3}}}"

/* What is asked when the graph differs so, behind what is defined. */
static const char *look(struct making *m, const char *nodes, const char *path, const char *got) {
    char text[1024];
    making_init(m);
    snprintf(text, sizeof text, "{\"value\":{\"graph\":{\"root\":0,\"nodes\":[%s]}}}", nodes);
    making_read(m, text);
    ndp_comparison_add(&m->divergence.judgement.comparison, path, "something", got);
    ndp_script_look_at_graph(&m->script, m->descriptor.value.graph);
    const char *said = making_said(m);
    const char *last = strstr(said, "def look(x)");
    return last != NULL ? last : said;
}

static void every_difference_has_its_question(void **state) {
    (void)state;
    static const struct {
        const char *nodes, *path, *got, *asked;
    } rows[] = {
        {"{\"list\":[1]}," INT, "nodes[1]", "None", "def look(x): return {\"nodes[1]\": tell(lambda: x[0])}\n"},
        {"{\"list\":[1]}," INT, "nodes[0].items[0]", "None",
         "def look(x): return {\"nodes[0].items[0]\": tell(lambda: x[0])}\n"},
        {"{\"dict\":[[1,2]]}," INT ",{\"list\":[]}", "nodes[2]", "None",
         "def look(x): return {\"nodes[2]\": tell(lambda: list(x.values())[0])}\n"},
        {"{\"list\":[1,1]}," ARRAY("ndarray"), "nodes[1]", "two objects",
         "def look(x): return {\"nodes[1]\": x[0] is x[1]}\n"},
        {"{\"list\":[1,2]}," ARRAY("ndarray") "," ARRAY("ndarray"), "nodes[1]", "one object",
         "def look(x): return {\"nodes[1]\": len(set(map(id, (x, x[0], x[1], ))))}\n"},
        {"{\"list\":[1,2]}," ARRAY("ndarray") ",{\"view\":{\"of\":1}}", "nodes[1] and nodes[2]", "apart",
         "def look(x): return {\"nodes[1] and nodes[2]\": np.shares_memory(x[0], x[1]) and "
         "x[1].__array_interface__[\"data\"][0] - x[0].__array_interface__[\"data\"][0]}\n"},
        {"{\"list\":[1]}," ARRAY("ndarray"), "nodes[1]: [0]", "1",
         "def look(x): return {\"nodes[1]\": (type(x[0]).__name__, x[0].shape, x[0].dtype.newbyteorder(\"<\").str, "
         "x[0].astype(x[0].dtype.newbyteorder(\"<\")).tobytes())}\n"},
        {"{\"list\":[1]}," ARRAY("plain"), "nodes[1].whole", "",
         "def look(x): return {\"nodes[1].whole\": tell(lambda: x[0][(slice(0, 1),) * x[0].ndim + "
         "(...,)].copy().size)}\n"},
        {"{\"list\":[1]}," ARRAY("MaskedArray"), "nodes[1].whole", "",
         "def look(x): return {\"nodes[1].whole\": tell(lambda: x[0].hardmask and x[0][(slice(0, 1),) * x[0].ndim + "
         "(...,)].copy().size)}\n"},
        {"{\"list\":[1]}," ARRAY("MaskedArray"), "nodes[1].hard_mask", "",
         "def look(x): return {\"nodes[1].hard_mask\": tell(lambda: repr(x[0].hardmask))}\n"},
        {"{\"list\":[1]}," FUNCTION ",{\"cell\":3}," INT, "nodes[1].results[0]", "1",
         "def look(x): return {\"nodes[1].results[0]\": tell(lambda: repr(x[0](2)))}\n"},
        {"{\"list\":[1]}," FUNCTION ",{\"cell\":3}," INT, "nodes[1].code", "call",
         "def look(x): return {\"nodes[1].code\": tell(lambda: repr(x[0](2)))}\n"},
        {"{\"list\":[1]}," FUNCTION ",{\"cell\":3}," INT, "nodes[1].cells[0]", "",
         "def look(x): return {\"nodes[1].cells[0]\": tell(lambda: x[0].__closure__[0])}\n"},
        {"{\"list\":[1]}," FUNCTION ",{\"cell\":3}," INT, "nodes[1].kwdefaults.k", "",
         "def look(x): return {\"nodes[1].kwdefaults.k\": tell(lambda: x[0].__kwdefaults__[\"k\"])}\n"},
        {"{\"list\":[1]}," FUNCTION ",{\"cell\":3}," INT, "nodes[2].content[0]", "",
         "def look(x): return {\"nodes[2].content[0]\": tell(lambda: x[0].__closure__[0].cell_contents)}\n"},
        {"{\"list\":[1]},{\"vectorize\":{\"function\":2}},{\"function\":{\"code\":\"identity\",\"name\":\"f\"}}",
         "nodes[1].otypes", "", "def look(x): return {\"nodes[1].otypes\": tell(lambda: repr(x[0].otypes))}\n"},
        {"{\"list\":[1]},{\"vectorize\":{\"function\":2}},{\"function\":{\"code\":\"identity\",\"name\":\"f\"}}",
         "nodes[1].results[0]", "",
         "def look(x): return {\"nodes[1].results[0]\": tell(lambda: repr(x[0](np.array([2, 3]))))}\n"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        const char *asked = look(&m, rows[i].nodes, rows[i].path, rows[i].got);
        if (m.script.status != NDP_OK) fail_msg("%s: %s", rows[i].path, m.error.text);
        assert_string_equal(asked, rows[i].asked);
        making_clear(&m);
    }
}

/* The same question twice is one; what tells values is defined once. */
static void a_question_is_asked_once(void **state) {
    (void)state;
    struct making m;
    making_init(&m);
    making_read(&m, "{\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"list\":[1]}," INT "]}}}");
    for (int i = 0; i < 2; i++) ndp_comparison_add(&m.divergence.judgement.comparison, "nodes[1]", "7", "8");
    ndp_comparison_add(&m.divergence.judgement.comparison, "nodes[0]", "list", "tuple");
    ndp_script_look_at_graph(&m.script, m.descriptor.value.graph);
    const char *said = making_said(&m);
    assert_memory_equal(said, "def tell(get):\n", strlen("def tell(get):\n"));
    assert_null(strstr(said + 1, "def tell(get):\n"));
    assert_non_null(
        strstr(said, "def look(x): return {\"nodes[1]\": tell(lambda: x[0]), \"nodes[0]\": tell(lambda: x)}\n"));
    making_clear(&m);
}

static void what_cannot_be_asked_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *nodes, *path, *got, *why;
    } rows[] = {
        {"{\"list\":[]}", "result", "", "no script knows how to ask for this difference"},
        {"{\"list\":[]}", "nodes[1]", "", "no script knows how to ask for this difference"},
        {"{\"list\":[]}", "nodes[0", "", "no script knows how to ask for this difference"},
        {"{\"list\":[1]}," ARRAY("ndarray"), "nodes[1]", "two objects", "one way alone leads to the object"},
        {"{\"dict\":[[1,2]]}," INT "," INT, "nodes[1]", "", "no way leads to the object that differs"},
        {"{\"list\":[1]}," ARRAY("ndarray"), "nodes[1] and nodes[99]", "", "no way leads to the object that differs"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        (void)look(&m, rows[i].nodes, rows[i].path, rows[i].got);
        expect_refused(&m, rows[i].why);
        making_clear(&m);
    }
}

static void lack_of_memory_is_remembered(void **state) {
    (void)state;
    bool is_over = false;
    for (uint64_t call = 1; !is_over; call++) {
        struct making m;
        making_init(&m);
        making_read(&m, "{\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"list\":[1,1]}," INT "]}}}");
        ndp_comparison_add(&m.divergence.judgement.comparison, "nodes[1]", "7", "8");
        ndp_arena_fail_at(&m.arena, call);
        ndp_script_look_at_graph(&m.script, m.descriptor.value.graph);
        is_over = m.arena.fail_at != 0;
        assert_int_equal(m.script.status, is_over ? NDP_OK : NDP_NOMEM);
        making_clear(&m);
    }
}

NDP_SUITE(script_graph_check_test, cmocka_unit_test(every_difference_has_its_question),
          cmocka_unit_test(a_question_is_asked_once), cmocka_unit_test(what_cannot_be_asked_is_refused),
          cmocka_unit_test(lack_of_memory_is_remembered));
