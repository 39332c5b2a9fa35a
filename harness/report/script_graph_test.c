/* Graphs of objects as Python. Expected: CPython 3.11 with NumPy 2.4 makes of each row the objects that its descriptor
 * names, and the expression beside it is true of them; cmd/test_script.py runs whole scripts. */
#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "report/script_fixture.h"

#define ARRAY(class) "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]},\"class\":{\"name\":\"" class "\"}}"
#define INT          "{\"int\":\"7\"}"
#define FUNCTION     "{\"function\":{\"code\":\"identity\",\"name\":\"f\"}}"

static const struct ndp_graph *read_graph(struct making *m, const char *nodes) {
    char text[1024];
    making_init(m);
    snprintf(text, sizeof text, "{\"value\":{\"graph\":{\"root\":0,\"nodes\":[%s]}}}", nodes);
    making_read(m, text);
    return m->descriptor.value.graph;
}

/* Texts begin behind what is defined for functions alone. */
static const char *build(struct making *m, const char *nodes) {
    const struct ndp_graph *graph = read_graph(m, nodes);
    ndp_script_build_graph(&m->script, graph);
    const char *said = making_said(m);
    const char *behind = strstr(said, "; return f\n");
    return behind != NULL ? behind + strlen("; return f\n") : said;
}

static const struct {
    const char *nodes;
    const char *said;
} rows[] = {
    {"{\"list\":[1,2,3,4,5,6]},{\"none\":true},{\"bool\":true}," INT ",{\"float\":\"3ff8000000000000\"},"
     "{\"text\":\"e\\u0301\"},{\"bytes\":\"00ff\"}",
     "n0 = []\n"
     "n1 = None\n"
     "n2 = True\n"
     "n3 = 7\n"
     "n4 = struct.unpack(\">d\", b\"?\\xf8\\x00\\x00\\x00\\x00\\x00\\x00\")[0]\n"
     "n5 = \"e\\u0301\"\n"
     "n6 = b\"\\x00\\xff\"\n"
     "n0.extend([n1, n2, n3, n4, n5, n6, ])\n"
     "a = n0\n"},
    {"{\"list\":[0]}", "n0 = []\n"
                       "n0.extend([n0, ])\n"
                       "a = n0\n"},
    {"{\"tuple\":[1,1]},{\"list\":[0]}", "n1 = []\n"
                                         "n0 = (n1, n1, )\n"
                                         "n1.extend([n0, ])\n"
                                         "a = n0\n"},
    {"{\"dict\":[[1,2]]}," INT ",{\"text\":\"v\"}", "n0 = {}\n"
                                                    "n1 = 7\n"
                                                    "n2 = \"v\"\n"
                                                    "n0.update([(n1, n2), ])\n"
                                                    "a = n0\n"},
    {"{\"objects\":{\"shape\":[2],\"items\":[1,0]}}," INT, "n0 = np.empty((2,), object)\n"
                                                           "n1 = 7\n"
                                                           "for i, v in enumerate([n1, n0, ]): n0.reshape(-1)[i] = v\n"
                                                           "a = n0\n"},
    {"{\"objects\":{\"shape\":[2,2],\"items\":[1,0,0,0],\"order\":\"F\"}}," INT,
     "n0 = np.empty((2, 2), object, order=\"F\")\n"
     "n1 = 7\n"
     "for i, v in zip(np.ndindex(n0.shape), [n1, n0, n0, n0, ]): n0[i] = v\n"
     "a = n0\n"},
    {ARRAY("ndarray") "}", "n0 = np.zeros((2,), np.dtype(\"|u1\"), \"C\")\n"
                           "a = n0\n"},
    {"{\"list\":[1,2]}," ARRAY("plain") "},{\"view\":{\"of\":1,\"views\":[{\"slice\":[[0,1,1]]}]}}",
     "KIT = '''import functools, numpy as np\n"
     "class plain(np.ndarray): pass\n"
     "'''\n"
     "with open(\"kit.py\", \"w\") as f: f.write(KIT)\n"
     "sys.path.insert(0, home.name); os.environ[\"PYTHONPATH\"] = home.name; import kit\n"
     "n0 = []\n"
     "n1 = np.zeros((2,), np.dtype(\"|u1\"), \"C\").view(kit.plain)\n"
     "n2 = n1.view(np.ndarray)[0:1, ...]\n"
     "n0.extend([n1, n2, ])\n"
     "a = n0\n"},
    {ARRAY("plain") ",\"attributes\":{\"note\":1}}," INT,
     "KIT = '''import functools, numpy as np\n"
     "class plain(np.ndarray): pass\n"
     "'''\n"
     "with open(\"kit.py\", \"w\") as f: f.write(KIT)\n"
     "sys.path.insert(0, home.name); os.environ[\"PYTHONPATH\"] = home.name; import kit\n"
     "n0 = np.zeros((2,), np.dtype(\"|u1\"), \"C\").view(kit.plain)\n"
     "n1 = 7\n"
     "setattr(n0, \"note\", n1)\n"
     "a = n0\n"},
    {ARRAY("MaskedArray") ",\"mask\":1,\"fill_value\":\"07\",\"hard_mask\":true},{\"array\":{\"base\":{\"dtype\":"
                          "\"|b1\",\"shape\":[2]}}}",
     "n1 = np.zeros((2,), np.dtype(\"|b1\"), \"C\")\n"
     "t = np.zeros((2,), np.dtype(\"|u1\"), \"C\")\n"
     "n0 = np.ma.MaskedArray(t, n1, copy=False, keep_mask=False, fill_value=np.frombuffer(b\"\\x07\", "
     "t.dtype.newbyteorder(\"<\"))[0])\n"
     "n0.harden_mask()\n"
     "a = n0\n"},
    {"{\"function\":{\"code\":\"add\",\"name\":\"f\",\"cells\":[1],\"defaults\":[2],\"kwdefaults\":{\"k\":2}}},"
     "{\"cell\":2}," INT,
     "n1 = types.CellType()\n"
     "n2 = 7\n"
     "n0 = func(\"f\", \"def make(c0):\\n"
     " def made(x, d0, *, k):\\n"
     "  return x + c0 + d0 + k\\n"
     "  if 0: c0\\n"
     " return made\", {\"__name__\": \"dynamic\", \"__builtins__\": builtins}, [n1, ])\n"
     "n0.__defaults__ = (n2, )\n"
     "n0.__kwdefaults__ = {\"k\": n2, }\n"
     "n1.cell_contents = n2\n"
     "a = n0\n"},
    {"{\"function\":{\"code\":\"counter\",\"name\":\"f\",\"cells\":[1]}},{\"cell\":2}," INT,
     "n1 = types.CellType()\n"
     "n2 = 7\n"
     "n0 = func(\"f\", \"def make(c0):\\n"
     " def made(x):\\n"
     "  nonlocal c0; c0 = c0 + 1; return c0\\n"
     "  if 0: c0\\n"
     " return made\", {\"__name__\": \"dynamic\", \"__builtins__\": builtins}, [n1, ])\n"
     "n1.cell_contents = n2\n"
     "a = n0\n"},
    {"{\"function\":{\"code\":\"late\",\"name\":\"f\",\"globals\":1}},{\"globals\":{\"late\":2}}," INT,
     "n1 = {\"__name__\": \"dynamic\", \"__builtins__\": builtins}\n"
     "n2 = 7\n"
     "n0 = func(\"f\", \"def make():\\n"
     " def made(x):\\n"
     "  return x + late\\n"
     "  if 0: 0\\n"
     " return made\", n1, [])\n"
     "n1.update({\"late\": n2, })\n"
     "a = n0\n"},
    {"{\"function\":{\"code\":\"add\",\"name\":\"add\",\"importable\":true}}",
     "KIT = '''import functools, numpy as np\n"
     "def add(x): return x\n"
     "'''\n"
     "with open(\"kit.py\", \"w\") as f: f.write(KIT)\n"
     "sys.path.insert(0, home.name); os.environ[\"PYTHONPATH\"] = home.name; import kit\n"
     "n0 = kit.add\n"
     "a = n0\n"},
    {"{\"partial\":{\"function\":1,\"args\":[2],\"keywords\":{\"k\":2}}}," FUNCTION "," INT,
     "n1 = func(\"f\", \"def make():\\n"
     " def made(x):\\n"
     "  return x\\n"
     "  if 0: 0\\n"
     " return made\", {\"__name__\": \"dynamic\", \"__builtins__\": builtins}, [])\n"
     "n2 = 7\n"
     "n0 = functools.partial(n1, n2, **{\"k\": n2, })\n"
     "a = n0\n"},
    {"{\"method\":{\"function\":1,\"self\":2}}," FUNCTION "," INT,
     "n1 = func(\"f\", \"def make():\\n"
     " def made(x):\\n"
     "  return x\\n"
     "  if 0: 0\\n"
     " return made\", {\"__name__\": \"dynamic\", \"__builtins__\": builtins}, [])\n"
     "n2 = 7\n"
     "n0 = types.MethodType(n1, n2)\n"
     "a = n0\n"},
    {"{\"vectorize\":{\"function\":1,\"otypes\":\"d\",\"excluded\":[0,2],\"calls\":1}}," FUNCTION,
     "n1 = func(\"f\", \"def make():\\n"
     " def made(x):\\n"
     "  return x\\n"
     "  if 0: 0\\n"
     " return made\", {\"__name__\": \"dynamic\", \"__builtins__\": builtins}, [])\n"
     "n0 = np.vectorize(n1, otypes=\"d\", excluded={0, 2})\n"
     "with contextlib.suppress(Exception): n0(np.array([2, 3]))\n"
     "a = n0\n"},
    {"{\"frompyfunc\":{\"function\":1}}," FUNCTION,
     "n1 = func(\"f\", \"def make():\\n"
     " def made(x):\\n"
     "  return x\\n"
     "  if 0: 0\\n"
     " return made\", {\"__name__\": \"dynamic\", \"__builtins__\": builtins}, [])\n"
     "n0 = np.frompyfunc(n1, 1, 1)\n"
     "a = n0\n"},
};

static void nodes_are_made_after_what_they_need(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        const char *said = build(&m, rows[i].nodes);
        if (m.script.status != NDP_OK) fail_msg("%s: %s", rows[i].nodes, m.error.text);
        assert_string_equal(said, rows[i].said);
        making_clear(&m);
    }
}

/* A class is in a module, once, with what it stands on. */
static void classes_are_in_a_module(void **state) {
    (void)state;
    static const struct {
        const char *class, *attributes;
        const char *pieces[2];
    } classes[] = {
        {"finalize_none", "", {"class finalize_none(np.ndarray):\n"}},
        {"finalize_getattr", "", {"class finalize_getattr(np.ndarray):\n"}},
        {"reduce_setstate",
         ",\"attributes\":{\"extra\":1}",
         {"class finalize_getattr(np.ndarray):\n", "class reduce_setstate(finalize_getattr):\n"}},
        {"reduce_pair",
         ",\"attributes\":{\"extra\":1}",
         {"class finalize_getattr(np.ndarray):\n", "class reduce_pair(finalize_getattr):\n"}},
        {"reduce_only",
         ",\"attributes\":{\"extra\":1}",
         {"def rebuild(kind, array, own): ", "class reduce_only(finalize_getattr):\n"}},
        {"reduce_ex",
         ",\"attributes\":{\"extra\":1}",
         {"def rebuild(kind, array, own): ", "class reduce_ex(finalize_getattr):\n"}},
        {"slots", "", {"class slots(np.ndarray):\n", "__slots__"}},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(classes); i++) {
        struct making m;
        char nodes[1024];
        const char *base = "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]},\"class\":{\"name\":\"";
        snprintf(nodes, sizeof nodes, "{\"list\":[2,3,1]}," INT ",%s%s\"}}%s},%s%s\"}}%s}", base, classes[i].class,
                 classes[i].attributes, base, classes[i].class, classes[i].attributes);
        const char *said = build(&m, nodes);
        assert_int_equal(m.script.status, NDP_OK);
        for (int k = 0; k < 2 && classes[i].pieces[k] != NULL; k++) {
            const char *at = strstr(said, classes[i].pieces[k]);
            if (at == NULL) fail_msg("no %s in %s", classes[i].pieces[k], said);
            if (k == 0) assert_null(strstr(at + 1, classes[i].pieces[k]));
        }
        assert_non_null(strstr(said, "with open(\"kit.py\", \"w\") as f: f.write(KIT)\n"));
        making_clear(&m);
    }
}

/* What a function does, by its code (model/graph.h). */
static void codes_have_their_bodies(void **state) {
    (void)state;
    static const struct {
        const char *code, *more, *body;
    } codes[] = {
        {"const", ",\"cells\":[1,1]", "return 0 + c0 + c1\\n"},
        {"add", ",\"cells\":[1]", "return x + c0\\n"},
        {"counter", ",\"cells\":[1]", "nonlocal c0; c0 = c0 + 1; return c0\\n"},
        {"recurse", ",\"cells\":[3,1]", "return x if x <= 0 else c0(x - 1) + 1 + c1\\n"},
        {"mutual", ",\"cells\":[3]", "return x if x <= 0 else 2 * c0(x - 1) + 1\\n"},
        {"call", ",\"cells\":[3]", "return c0(x)\\n"},
        {"nested", ",\"cells\":[1]", "return (lambda: x + c0)()\\n"},
        {"identity", "", "return x\\n"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(codes); i++) {
        struct making m;
        char nodes[512];
        snprintf(nodes, sizeof nodes,
                 "{\"function\":{\"code\":\"%s\",\"name\":\"f\"%s}},{\"cell\":2}," INT ",{\"cell\":0}", codes[i].code,
                 codes[i].more);
        const char *said = build(&m, nodes);
        if (m.script.status != NDP_OK) fail_msg("%s: %s", nodes, m.error.text);
        if (strstr(said, codes[i].body) == NULL) fail_msg("no %s in %s", codes[i].body, said);
        making_clear(&m);
    }
}

static void all_that_can_be_called_is_called(void **state) {
    (void)state;
    struct making m;
    const struct ndp_graph *graph = read_graph(&m, "{\"list\":[1,2]}," FUNCTION ",{\"vectorize\":{\"function\":1}}");
    ndp_script_call_graph(&m.script, graph);
    assert_string_equal(making_said(&m), "with contextlib.suppress(Exception): n1(2)\n"
                                         "with contextlib.suppress(Exception): n2(np.array([2, 3]))\n");
    making_clear(&m);
}

static void lack_of_memory_is_remembered(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        bool is_over = false;
        for (uint64_t call = 1; !is_over; call++) {
            struct making m;
            const struct ndp_graph *graph = read_graph(&m, rows[i].nodes);
            ndp_arena_fail_at(&m.arena, call);
            ndp_script_build_graph(&m.script, graph);
            is_over = m.arena.fail_at != 0;
            assert_int_equal(m.script.status, is_over ? NDP_OK : NDP_NOMEM);
            making_clear(&m);
        }
    }
}

NDP_SUITE(script_graph_test, cmocka_unit_test(nodes_are_made_after_what_they_need),
          cmocka_unit_test(classes_are_in_a_module), cmocka_unit_test(codes_have_their_bodies),
          cmocka_unit_test(all_that_can_be_called_is_called), cmocka_unit_test(lack_of_memory_is_remembered));
