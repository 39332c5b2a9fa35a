/* What differences are about, asked of an array by Python. */
#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "report/script_fixture.h"

/* The promise: a read-only array of two little-endian integers, of which the second is 1. */
static struct ndp_observation promise(struct making *m, const char *dtype) {
    char text[512];
    struct ndp_observation out = {.ndim = 0};
    snprintf(text, sizeof text,
             "{\"value\":{\"array\":{\"base\":{\"dtype\":%s,\"shape\":[2],\"data\":{\"pattern\":\"index\"}}}}}", dtype);
    making_read(m, text);
    assert_int_equal(ndp_array_build(&m->arena, &m->descriptor.value.array, true, &m->model, NULL), NDP_OK);
    assert_int_equal(ndp_array_observe(&m->arena, &m->model, &out), NDP_OK);
    return out;
}

static void differ(struct making *m, const char *path, const char *expected) {
    ndp_comparison_add(&m->divergence.judgement.comparison, path, expected, "something else");
}

static void every_field_has_its_question(void **state) {
    (void)state;
    static const struct {
        const char *path, *text; /* of the difference */
        const char *said;        /* definitions */
        const char *expected;
    } rows[] = {
        {"flags.writeable", "false", "def look(x): return {\"flags.writeable\": x.flags.writeable}\n",
         "{\"flags.writeable\": False}"},
        {"strides[0]", "-4", "def look(x): return {\"strides[0]\": x.strides[0]}\n", "{\"strides[0]\": -4}"},
        {"ndim", "1", "def look(x): return {\"shape\": x.shape}\n", "{\"shape\": (2,)}"},
        {"shape[0]", "2", "def look(x): return {\"shape\": x.shape}\n", "{\"shape\": (2,)}"},
        {"itemsize", "4", "def look(x): return {\"itemsize\": x.itemsize}\n", "{\"itemsize\": 4}"},
        {"class", "ndarray", "def look(x): return {\"class\": type(x).__name__}\n", "{\"class\": \"ndarray\"}"},
        {"[1]", "1", "def look(x): return {\"values\": x.tobytes()}\n",
         "{\"values\": b\"\\x00\\x00\\x00\\x00\\x01\\x00\\x00\\x00\"}"},
        {"elements", "", "def look(x): return {\"values\": x.tobytes()}\n",
         "{\"values\": b\"\\x00\\x00\\x00\\x00\\x01\\x00\\x00\\x00\"}"},
        {"dtype.order", "<", "def look(x): return {\"dtype\": x.dtype}\n", "{\"dtype\": np.dtype(\"<i4\")}"},
        {"dtype.aligned", "true",
         "def parts(t, of): return [of(t), t.subdtype and parts(t.subdtype[0], of)] + [parts(t[n], of) for n in "
         "t.names or ()]\n"
         "def look(x): return {\"aligned\": parts(x.dtype, lambda t: t.isalignedstruct)}\n",
         "{\"aligned\": parts(np.dtype(\"<i4\"), lambda t: t.isalignedstruct)}"},
        {"dtype.metadata", "",
         "def parts(t, of): return [of(t), t.subdtype and parts(t.subdtype[0], of)] + [parts(t[n], of) for n in "
         "t.names or ()]\n"
         "def look(x): return {\"metadata\": parts(x.dtype, lambda t: dict(t.metadata or {}))}\n",
         "{\"metadata\": parts(np.dtype(\"<i4\"), lambda t: dict(t.metadata or {}))}"},
        {"backing.class", "false", "def look(x): return {\"is a memmap\": isinstance(x, np.memmap)}\n",
         "{\"is a memmap\": False}"},
        {"backing.mode", "r+", "def look(x): return {\"mode\": getattr(x, \"mode\", None)}\n", "{\"mode\": \"r+\"}"},
        {"backing.mode", "none", "def look(x): return {\"mode\": getattr(x, \"mode\", None)}\n", "{\"mode\": None}"},
        {"backing.offset", "none", "def look(x): return {\"offset\": getattr(x, \"offset\", None)}\n",
         "{\"offset\": None}"},
        {"backing.claims", "the case's file",
         "def claims(x):\n"
         "    n = str(getattr(x, \"filename\", None) or \"none\")\n"
         "    return \"the case's file\" if os.path.dirname(n) == os.path.realpath(home.name) else n\n"
         "def look(x): return {\"filename\": claims(x)}\n",
         "{\"filename\": \"the case's file\"}"},
        {"unheard-of", "", "def look(x): return {}\n", "{}"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        making_init(&m);
        const struct ndp_observation right = promise(&m, "\"<i4\"");
        differ(&m, rows[i].path, rows[i].text);
        assert_string_equal(ndp_script_look(&m.script, "", &right, "a"), rows[i].expected);
        assert_string_equal(making_said(&m), rows[i].said);
        assert_int_equal(m.script.status, NDP_OK);
        making_clear(&m);
    }
}

static void a_place_in_a_file_is_looked_up(void **state) {
    (void)state;
    struct making m;
    making_init(&m);
    const struct ndp_observation right = promise(&m, "\"<i4\"");
    differ(&m, "backing.mapped", "true");
    differ(&m, "backing.position", "128");
    assert_string_equal(ndp_script_look(&m.script, "", &right, "a"), "{\"lies in a file\": True, \"position\": 128}");
    const char *said = making_said(&m);
    assert_non_null(strstr(said, "def place(x):\n"));
    assert_null(strstr(strstr(said, "def place(x):\n") + 1, "def place(x):\n"));
    assert_non_null(
        strstr(said, "def look(x): return {\"lies in a file\": place(x) is not None, \"position\": place(x)}"));
    making_clear(&m);
}

/* One question for all elements, all extents and all of a type; each path once. */
static void differences_are_asked_for_together(void **state) {
    (void)state;
    struct making m;
    making_init(&m);
    const struct ndp_observation right = promise(&m, "\"<i4\"");
    differ(&m, "[0]", "0");
    differ(&m, "[1]", "1");
    differ(&m, "ndim", "1");
    differ(&m, "shape[0]", "2");
    differ(&m, "dtype.order", "<");
    differ(&m, "dtype.kind", "i");
    /* Of another place. */
    differ(&m, "peer0: flags.writeable", "true");
    assert_string_equal(
        ndp_script_look(&m.script, "", &right, "a"),
        "{\"values\": b\"\\x00\\x00\\x00\\x00\\x01\\x00\\x00\\x00\", \"shape\": (2,), \"dtype\": np.dtype(\"<i4\")}");
    assert_string_equal(making_said(&m),
                        "def look(x): return {\"values\": x.tobytes(), \"shape\": x.shape, \"dtype\": x.dtype}\n");
    making_clear(&m);
    making_init(&m);
    (void)promise(&m, "\"<i4\"");
    differ(&m, "[0]", "0");
    differ(&m, "peer0: flags.writeable", "true");
    assert_string_equal(ndp_script_look(&m.script, "peer0", &right, "a"), "{\"flags.writeable\": True}");
    making_clear(&m);
}

/* Two readers may give the same values in two byte orders, or other values in the same bytes. */
static void readers_are_compared_in_one_order(void **state) {
    (void)state;
    static const struct {
        const char *type, *asked;
    } rows[] = {
        {"\">i4\"", "[x.astype(x.dtype.newbyteorder(\"<\")).tobytes()]"},
        {"{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\">i2\"},{\"name\":\"b\",\"offset\":1,\"dtype\":"
         "{\"base\":\">i2\",\"shape\":[1]}}],\"itemsize\":4}",
         "[x[\"a\"].astype(x[\"a\"].dtype.newbyteorder(\"<\")).tobytes(), "
         "x[\"b\"].astype(x[\"b\"].dtype.newbyteorder(\"<\")).tobytes()]"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        making_init(&m);
        m.result.has_result = true;
        m.result.result = promise(&m, rows[i].type);
        differ(&m, "peer0: [0]", "0");
        (void)ndp_script_look(&m.script, "peer0", NULL, NULL);
        const char *said = ndp_script_text(&m.script, "def look(x): return {\"values\": %s}\n", rows[i].asked);
        assert_string_equal(making_said(&m), said);
        making_clear(&m);
    }
}

/* Elements that came in another type are told in the promised one. */
static void another_type_is_cast(void **state) {
    (void)state;
    struct making m;
    struct ndp_dtype big;
    making_init(&m);
    const struct ndp_observation right = promise(&m, "\"<i4\"");
    assert_int_equal(ndp_typestr_read(ndp_bytes_view(">i4"), &big, NULL), NDP_OK);
    m.result.has_result = true;
    m.result.result = right;
    m.result.result.dtype = &big;
    differ(&m, "[1]", "1");
    (void)ndp_script_look(&m.script, "", &right, "a");
    assert_string_equal(making_said(&m), "def look(x): return {\"values\": x.astype(np.dtype(\"<i4\")).tobytes()}\n");
    making_clear(&m);
}

/* Padding is nobody's promise, nor what stands behind an x87 long double. */
static void bytes_that_mean_nothing_are_masked(void **state) {
    (void)state;
    static const struct {
        const char *dtype;
        const char *said;
        const char *expected;
    } rows[] = {
        {"{\"fields\":[{\"name\":\"a\",\"dtype\":\"|u1\"},{\"name\":\"b\",\"dtype\":\"|u1\",\"offset\":2}]}",
         "def look(x): return {\"values\": bytes(map(int.__and__, x.tobytes(), "
         "itertools.cycle(b\"\\xff\\x00\\xff\")))}\n",
         "{\"values\": b\"\\x00\\x00\\x01\\x02\\x00\\x03\"}"},
        {"\"<f16\"",
         "def look(x): return {\"values\": bytes(map(int.__and__, x.tobytes(), "
         "itertools.cycle(b\"\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\x00\\x00\\x00\\x00\\x00\")))}\n",
         NULL},
        {"\"|O\"", "def look(x): return {\"values\": repr([x.tolist()])}\n", "{\"values\": look(a)[\"values\"]}"},
        {"{\"fields\":[{\"name\":\"a\",\"dtype\":\"|O\"},{\"name\":\"b\",\"dtype\":\"|u1\"}]}",
         "def look(x): return {\"values\": repr([x[\"a\"].tolist(), x[\"b\"].tobytes()])}\n",
         "{\"values\": look(a)[\"values\"]}"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        making_init(&m);
        const struct ndp_observation right = promise(&m, rows[i].dtype);
        differ(&m, "[1]", "1");
        const char *expected = ndp_script_look(&m.script, "", &right, "a");
        if (rows[i].expected != NULL) assert_string_equal(expected, rows[i].expected);
        assert_string_equal(making_said(&m), rows[i].said);
        making_clear(&m);
    }
}

static void what_is_long_is_taken_from_the_source(void **state) {
    (void)state;
    struct making m;
    making_init(&m);
    struct ndp_observation right = promise(&m, "\"<i4\"");
    static uint8_t elements[1028];
    right.elements = (struct ndp_bytes){elements, sizeof elements};
    differ(&m, "[1]", "1");
    assert_string_equal(ndp_script_look(&m.script, "", &right, "a"), "{\"values\": look(a)[\"values\"]}");
    making_clear(&m);
    making_init(&m);
    right = promise(&m, "\"|O\"");
    differ(&m, "[1]", "1");
    (void)ndp_script_look(&m.script, "", &right, NULL);
    expect_refused(&m, "the elements are too many to be written down");
    making_clear(&m);
    making_init(&m);
    differ(&m, "[1]", "1");
    (void)ndp_script_look(&m.script, "", NULL, "a");
    expect_refused(&m, "nothing says of what type the elements are");
    making_clear(&m);
}

static void a_path_may_begin_with_a_place(void **state) {
    (void)state;
    static const struct {
        const char *path, *where, *rest;
    } rows[] = {
        {"flags.writeable", "", "flags.writeable"},
        {"peer0: ndim", "peer0", "ndim"},
        {"mmap:r+: [1,2].a", "mmap:r+", "[1,2].a"},
        {": ndim", "", "ndim"},
        {"[0]: x", "", "[0]: x"},
        {"", "", ""},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        const char *rest = NULL;
        making_init(&m);
        assert_string_equal(ndp_script_where(&m.script, rows[i].path, &rest), rows[i].where);
        assert_string_equal(rest, rows[i].rest);
        making_clear(&m);
    }
}

NDP_SUITE(script_check_test, cmocka_unit_test(every_field_has_its_question),
          cmocka_unit_test(a_place_in_a_file_is_looked_up), cmocka_unit_test(differences_are_asked_for_together),
          cmocka_unit_test(readers_are_compared_in_one_order), cmocka_unit_test(another_type_is_cast),
          cmocka_unit_test(bytes_that_mean_nothing_are_masked), cmocka_unit_test(what_is_long_is_taken_from_the_source),
          cmocka_unit_test(a_path_may_begin_with_a_place));
