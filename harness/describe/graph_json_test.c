/* graph_json_test.c: recipes of graphs as JSON: accepted ones, and errors of the others. Expected:
 * harness/testees/README.md. */
#include "base/suite.h"
#include "describe/descriptor.h"
#include "model/graph/graph.h"

enum { ARENA_BYTES = 1 << 20, TEXT_BYTES = 4096 };

#define ARRAY(class) "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2]},\"class\":{\"name\":\"" class "\"}}"
#define MASK(shape)  "{\"array\":{\"base\":{\"dtype\":\"|b1\",\"shape\":[" shape "]}}}"
#define SCALAR(dtype, hex)                                                                                             \
    "{\"array\":{\"base\":{\"dtype\":\"" dtype "\",\"shape\":[],\"data\":{\"hex\":\"" hex                              \
    "\"}},\"class\":{\"name\":\"scalar\"}}"
#define INT "{\"int\":\"5\"}"

static const struct {
    const char *nodes;
    const char *wrong; /* part of the error's text; NULL if the recipe is valid */
} rows[] = {
    {"{\"list\":[0,0]}", NULL},
    {"{\"list\":[1]}", "node 1 does not exist"},
    {"{\"list\":[1]},{\"other\":\"module.Class\"}", "expected a node of a graph"},
    {"{\"int\":\"05\"}", "decimal digits"},
    {"{\"float\":\"3ff0\"}", "eight bytes"},
    {"{\"cell\":null}", "root is not an object"},
    {"{\"objects\":{\"shape\":[2],\"items\":[0]}}", "number of items differs from the shape"},
    {"{\"objects\":{\"shape\":[1],\"items\":[0],\"order\":\"K\"}}", "expected \"C\" or \"F\""},

    {"{\"objects\":{\"shape\":[1],\"items\":[1],\"dtype\":{\"string\":{}}}},{\"text\":\"a\"}", NULL},
    {"{\"objects\":{\"shape\":[1],\"items\":[2],\"dtype\":{\"string\":{\"na_object\":2,\"coerce\":false}}}},{\"text\":"
     "\"a\"},{\"none\":true}",
     NULL},
    {"{\"objects\":{\"shape\":[1],\"items\":[1],\"dtype\":{\"string\":{\"na_object\":1}}}},{\"float\":"
     "\"7ff8000000000000\"}",
     NULL},
    {"{\"objects\":{\"shape\":[1],\"items\":[1],\"dtype\":{\"string\":{\"na_object\":1}}}},{\"float\":"
     "\"3ff0000000000000\"}",
     "na_object is neither None, a NaN nor a text"},
    {"{\"objects\":{\"shape\":[1],\"items\":[1],\"dtype\":{\"string\":{\"na_object\":1}}}},{\"text\":\"a\"}", NULL},
    {"{\"objects\":{\"shape\":[1],\"items\":[2],\"dtype\":{\"string\":{\"na_object\":1}}}},{\"text\":\"a\"},"
     "{\"text\":\"a\"}",
     "item equals na_object and is another node"},
    {"{\"objects\":{\"shape\":[0],\"items\":[],\"dtype\":{\"string\":{\"na_object\":1}}}},{\"text\":{\"codepoints\":["
     "55296]}}",
     "na_object is no text in UTF-8"},
    {"{\"objects\":{\"shape\":[0],\"items\":[],\"dtype\":{\"string\":{\"na_object\":1}}}},{\"bytes\":\"61\"}",
     "edge to a node of the wrong kind"},
    {"{\"objects\":{\"shape\":[1],\"items\":[1],\"dtype\":{\"string\":{}}}},{\"none\":true}",
     "item of an array of strings is no text in UTF-8"},
    {"{\"objects\":{\"shape\":[1],\"items\":[1],\"dtype\":{\"string\":{}}}},{\"text\":{\"codepoints\":[55296]}}",
     "item of an array of strings is no text in UTF-8"},
    {"{\"objects\":{\"shape\":[1],\"items\":[1],\"dtype\":{}}},{\"text\":\"a\"}", "missing \"string\""},
    {"{\"objects\":{\"shape\":[1],\"items\":[1],\"dtype\":{\"string\":{\"coerce\":1}}}},{\"text\":\"a\"}",
     "expected true or false"},

    {ARRAY("plain") "}", NULL},
    {ARRAY("ndarray") ",\"attributes\":{\"extra\":1}}," INT, "does not have this attribute"},
    {ARRAY("reduce_pair") ",\"attributes\":{\"extra\":0}}", NULL},
    {ARRAY("reduce_pair") ",\"attributes\":{\"note\":0}}", "promised attribute of the class is missing"},
    {ARRAY("reduce_only") ",\"attributes\":{\"extra\":0}}", "attribute of a rebuilt class is the object itself"},
    {ARRAY("proxy") ",\"attributes\":{\"wrapped\":1}}," INT, "target of a proxy is not an array"},
    {ARRAY("proxy") ",\"attributes\":{\"wrapped\":1}},{\"view\":{\"of\":0}}", NULL},
    {ARRAY("Quantity") ",\"attributes\":{\"unit\":1}},{\"text\":\"m\"}", NULL},
    {ARRAY("Quantity") ",\"attributes\":{\"unit\":1}}," INT, "unit is not text"},
    {ARRAY("Quantity") ",\"attributes\":{\"unit\":1,\"note\":2}},{\"text\":\"m\"}," INT,
     "does not have this attribute"},
    {ARRAY("no_such_class") "}", "unknown class"},
    {ARRAY("scalar") "}", "a scalar must have no dimensions"},
    {SCALAR("=f8", "0000000000000000") "}", NULL},
    {SCALAR(">f8", "0000000000000000") "}", "a scalar must be in native byte order"},
    {SCALAR("|S2", "0061") "}", NULL},
    {SCALAR("|b1", "02") "}", "must be 0 or 1"},
    {SCALAR("|S2", "6100") "}", "must not be empty or end in NUL"},
    {SCALAR("|V0", "") "}", "no scalar has elements of this dtype"},
    {"{\"list\":[1]},{\"view\":{\"of\":2}}," SCALAR("|V1", "00") "}", "view of a scalar"},
    {ARRAY("proxy") ",\"attributes\":{\"wrapped\":1}}," SCALAR("|V1", "00") "}", "target of a proxy is not an array"},
    {SCALAR("|V1", "00") ",\"attributes\":{\"extra\":1}}," INT, "does not have this attribute"},

    {ARRAY("MaskedArray") ",\"mask\":1,\"fill_value\":\"0000000000000000\",\"hard_mask\":true}," MASK("2"), NULL},
    {ARRAY("MaskedArray") "}", NULL},
    {ARRAY("MaskedArray") ",\"mask\":1}," MASK("3"), "shape of the mask differs"},
    {ARRAY("MaskedArray") ",\"mask\":1}," ARRAY("ndarray") "}", "mask is not bool"},
    {ARRAY("MaskedArray") ",\"fill_value\":\"00\"}", "size of the fill value differs"},
    {ARRAY("plain") ",\"hard_mask\":true}", "mask of a class other than MaskedArray"},

    {"{\"class\":{\"import\":\"a.b:C\",\"args\":[1],\"keywords\":{\"k\":1},\"keep\":[\"x\",\"y()\",\"a.b()\"]}}," INT,
     NULL},
    {"{\"class\":{\"import\":\"a:C.make\"}}", NULL},
    {"{\"class\":{\"keep\":[\"x\"]}}", "missing \"import\""},
    {"{\"class\":{\"import\":\"a.b.C\"}}", "expected an import path"},
    {"{\"class\":{\"import\":\"a.b:\"}}", "expected an import path"},
    {"{\"class\":{\"import\":\"os:system('x')\"}}", "expected an import path"},
    {"{\"class\":{\"import\":\"a:C\",\"keep\":[\"x(\"]}}", "expected an attribute"},
    {"{\"class\":{\"import\":\"a:C\",\"keep\":[\"x\",\"x\"]}}", "duplicate name"},
    {"{\"class\":{\"import\":\"a:C\",\"keep\":{\"x\":0}}}", "expected a list of names"},
    {"{\"class\":{\"import\":\"a:C\",\"args\":[7]}}", "node 7 does not exist"},

    {"{\"function\":{\"code\":\"identity\",\"name\":\"<lambda>\"}}", NULL},
    {"{\"function\":{\"code\":\"identity\",\"name\":\"a b\"}}", "name of a function is invalid"},
    {"{\"function\":{\"code\":\"call\",\"name\":\"f\"}}", "needs a cell"},
    {"{\"function\":{\"code\":\"late\",\"name\":\"f\"}}", "needs globals"},
    {"{\"function\":{\"code\":\"add\",\"name\":\"add\",\"importable\":true}}", NULL},
    {"{\"function\":{\"code\":\"call\",\"name\":\"decorated\",\"importable\":true}}", NULL},
    {"{\"function\":{\"code\":\"identity\",\"name\":\"decorated\",\"importable\":true}}", NULL},
    {"{\"function\":{\"code\":\"add\",\"name\":\"f\",\"importable\":true}}", "no module has this function"},
    {"{\"function\":{\"code\":\"add\",\"name\":\"add\",\"importable\":true,\"defaults\":[1]}}," INT,
     "function of a module has extra edges"},
    {"{\"list\":[1,2]},{\"function\":{\"code\":\"add\",\"name\":\"add\",\"importable\":true}},"
     "{\"function\":{\"code\":\"add\",\"name\":\"add\",\"importable\":true}}",
     "duplicate function of a module"},
    {"{\"partial\":{\"function\":1,\"args\":[2],\"keywords\":{\"k\":2}}},"
     "{\"function\":{\"code\":\"add\",\"name\":\"f\"}}," INT,
     NULL},
    {"{\"vectorize\":{\"function\":1,\"otypes\":\"d\",\"excluded\":[0],\"calls\":2}},"
     "{\"function\":{\"code\":\"add\",\"name\":\"f\"}}",
     NULL},
    {"{\"frompyfunc\":{\"name\":\"f\"}}", "unknown key"},
    {"{\"vectorize\":{\"function\":1}}," INT, "node of the wrong kind"},
};

static void recipes_are_accepted_or_refused_with_a_reason(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_descriptor descriptor;
        struct ndp_error error = {.text = ""};
        char text[TEXT_BYTES];
        snprintf(text, sizeof text, "{\"ndproof\":1,\"value\":{\"graph\":{\"nodes\":[%s]}}}", rows[i].nodes);
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        enum ndp_status status = ndp_descriptor_read(&arena, (struct ndp_bytes){(const uint8_t *)text, strlen(text)},
                                                     &ndp_describe_default_limits, &descriptor, &error);
        if (status == NDP_OK) status = ndp_descriptor_check(&arena, &descriptor, &error);
        if (rows[i].wrong == NULL && status != NDP_OK) fail_msg("%s: %s", rows[i].nodes, error.text);
        if (rows[i].wrong != NULL && status != NDP_INVALID) fail_msg("%s is taken", rows[i].nodes);
        if (rows[i].wrong != NULL && strstr(error.text, rows[i].wrong) == NULL)
            fail_msg("%s: %s", rows[i].nodes, error.text);
    }
}

/* The printer reproduces a canonical recipe. */
static void canonical_recipes_print_unchanged(void **state) {
    static const char text[] =
        "{\"ndproof\":1,\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"list\":[1,3]},"
        "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1]},\"class\":{\"name\":\"MaskedArray\"}},\"mask\":2,"
        "\"fill_value\":\"07\",\"hard_mask\":true},{\"array\":{\"base\":{\"dtype\":\"|b1\",\"shape\":[1]}}},"
        "{\"partial\":{\"function\":4,\"args\":[5],\"keywords\":{\"k\":5}}},"
        "{\"function\":{\"code\":\"nested\",\"name\":\"<lambda>\"}},{\"int\":\"-1\"}]}}}";
    struct ndp_descriptor descriptor;
    struct ndp_error error = {.text = ""};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_BUFFER_SCOPED(out, ARENA_BYTES);
    enum ndp_status status = ndp_descriptor_read(&arena, (struct ndp_bytes){(const uint8_t *)text, sizeof text - 1},
                                                 &ndp_describe_default_limits, &descriptor, &error);
    if (status != NDP_OK) fail_msg("%s", error.text);
    assert_int_equal(ndp_descriptor_print(&out, &descriptor), NDP_OK);
    const struct ndp_bytes printed = ndp_buffer_view(&out);
    if (printed.size_bytes != sizeof text - 1 || memcmp(printed.data, text, sizeof text - 1) != 0)
        fail_msg("%.*s", (int)printed.size_bytes, (const char *)printed.data);
}

NDP_SUITE(graph_json_test, NDP_TEST(recipes_are_accepted_or_refused_with_a_reason),
          NDP_TEST(canonical_recipes_print_unchanged));
