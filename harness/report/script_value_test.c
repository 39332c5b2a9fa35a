/* Pieces of Python that make arrays. Expected: NumPy 2.4 makes of each row the array that its descriptor says, with
 * that type, shape, strides, flags and elements. */
#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "report/script_fixture.h"

#define ARRAY(base)       "{\"value\":{\"array\":{\"base\":{" base "}}}}"
#define VIEWS(base, rest) "{\"value\":{\"array\":{\"base\":{" base "},\"views\":[" rest "]}}}"
#define MORE(base, rest)  "{\"value\":{\"array\":{\"base\":{" base "}," rest "}}}"
#define ABC               "\"dtype\":\"|u1\",\"shape\":[3],\"data\":{\"hex\":\"010203\"}"
#define ZEROS             "\"dtype\":\"<i4\",\"shape\":[2,3]"

static const struct {
    const char *text;
    const char *said;
} rows[] = {
    {ARRAY(ZEROS), "a = np.zeros((2, 3), np.dtype(\"<i4\"), \"C\")\n"},
    {ARRAY(ABC), "a = np.ndarray((3,), np.dtype(\"|u1\"), bytearray(b\"\\x01\\x02\\x03\"), 0, None, \"C\")\n"},
    {ARRAY(ABC ",\"readonly\":true"),
     "a = np.ndarray((3,), np.dtype(\"|u1\"), b\"\\x01\\x02\\x03\", 0, None, \"C\")\n"},
    {ARRAY("\"dtype\":\">f8\",\"shape\":[2,1],\"order\":\"F\""), "a = np.zeros((2, 1), np.dtype(\">f8\"), \"F\")\n"},
    {ARRAY("\"dtype\":\"|S0\",\"shape\":[2]"),
     "a = np.ndarray((2,), np.dtype(\"|S0\"), bytearray(bytes(0)), 0, None, \"C\")\n"},
    {ARRAY(ABC ",\"misalign\":5"),
     "m = np.zeros(131, \"u1\"); s = -m.ctypes.data % 64 + 5\n"
     "m[s:s + 3] = np.frombuffer(b\"\\x01\\x02\\x03\", \"u1\"); m.flags.writeable = True\n"
     "a = np.ndarray((3,), np.dtype(\"|u1\"), m, s, None, \"C\")\n"},
    {ARRAY("\"dtype\":\"|O\",\"shape\":[2],\"data\":{\"pattern\":\"index\"}"),
     "t = np.ndarray((2,), np.dtype(\"<i8\"), "
     "b\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\", 0, None, \"C\")\n"
     "a = np.zeros((2,), np.dtype(\"|O\"), \"C\"); a[...] = t\n"},
    {ARRAY("\"dtype\":{\"fields\":[{\"name\":\"a\",\"dtype\":\"<i2\"},{\"name\":\"b\",\"title\":\"t\",\"dtype\":"
           "\">f4\",\"offset\":4}],\"itemsize\":12},\"shape\":[1]"),
     "a = np.zeros((1,), np.dtype({\"names\": [\"a\", \"b\"], \"formats\": [np.dtype(\"<i2\"), np.dtype(\">f4\")], "
     "\"offsets\": [0, 4], \"titles\": [None, \"t\"], \"itemsize\": 12}), \"C\")\n"},
    {ARRAY("\"dtype\":{\"base\":\"<i2\",\"shape\":[2,3]},\"shape\":[1]"),
     "a = np.ndarray((1,), np.dtype((np.dtype(\"<i2\"), (2, 3))), bytearray(bytes(12)), 0, None, \"C\")\n"},
    {ARRAY(ABC ",\"memmap\":{\"mode\":\"r\",\"offset\":7}"),
     "with open(\"a.map\", \"wb\") as f: f.write(b\"\\xee\" * 7 + b\"\\x01\\x02\\x03\")\n"
     "a = np.memmap(\"a.map\", np.dtype(\"|u1\"), \"r\", 7, (3,), \"C\")\n"},
    {ARRAY(ABC ",\"memmap\":{\"mode\":\"w+\"}"),
     "a = np.memmap(\"a.map\", np.dtype(\"|u1\"), \"w+\", 0, (3,), \"C\")\n"
     "with open(\"a.map\", \"r+b\") as f: f.write(b\"\\xee\" * 0 + b\"\\x01\\x02\\x03\")\n"},
    {VIEWS(ABC, "{\"slice\":[[2,-1,3]]}"),
     "a = np.ndarray((3,), np.dtype(\"|u1\"), bytearray(b\"\\x01\\x02\\x03\"), 0, None, \"C\")[2::-1, ...]\n"},
    {VIEWS(ABC, "{\"slice\":[[0,2,2]]},{\"newaxis\":1}"),
     "a = np.ndarray((3,), np.dtype(\"|u1\"), bytearray(b\"\\x01\\x02\\x03\"), 0, None, \"C\")[0:4:2, "
     "...][(slice(None),) * 1 + (None, ...)]\n"},
    {VIEWS(ABC, "{\"slice\":[[1,1,0]]}"),
     "a = np.ndarray((3,), np.dtype(\"|u1\"), bytearray(b\"\\x01\\x02\\x03\"), 0, None, \"C\")[1:1, ...]\n"},
    {VIEWS(ZEROS, "{\"transpose\":[1,0]},{\"reshape\":[6],\"order\":\"F\"}"),
     "a = np.zeros((2, 3), np.dtype(\"<i4\"), \"C\").transpose([1, 0]).reshape((6,), order=\"F\")\n"},
    {VIEWS(ABC, "{\"broadcast\":[2,3]}"), "a = np.broadcast_to(np.ndarray((3,), np.dtype(\"|u1\"), "
                                          "bytearray(b\"\\x01\\x02\\x03\"), 0, None, \"C\"), (2, 3), subok=True)\n"},
    {VIEWS(ZEROS, "{\"as_dtype\":\"|u1\"}"),
     "a = np.zeros((2, 3), np.dtype(\"<i4\"), \"C\").view(np.dtype(\"|u1\"))\n"},
    {VIEWS("\"dtype\":\"<c8\",\"shape\":[2]", "{\"real\":true}"),
     "a = np.zeros((2,), np.dtype(\"<c8\"), \"C\").real\n"},
    {VIEWS(ABC, "{\"strided\":[2,2],\"strides\":[1,1]}"),
     "a = np.lib.stride_tricks.as_strided(np.ndarray((3,), np.dtype(\"|u1\"), bytearray(b\"\\x01\\x02\\x03\"), 0, "
     "None, \"C\"), (2, 2), (1, 1), subok=True)\n"},
    {VIEWS(ABC, "{\"strided\":[2],\"strides\":[1],\"offset\":1}"),
     "a = np.ndarray((3,), np.dtype(\"|u1\"), bytearray(b\"\\x01\\x02\\x03\"), 0, None, \"C\"); w = type(\"W\", (), "
     "{\"base\": a})()\n"
     "w.__array_interface__ = {\"version\": 3, \"shape\": a.shape, \"strides\": a.strides, \"typestr\": \"|V%d\" % "
     "a.itemsize, \"data\": (a.__array_interface__[\"data\"][0] + 1, not a.flags.writeable)}\n"
     "t = np.asarray(w).view(a.dtype).view(type(a)); t.__array_finalize__(a)\n"
     "a = np.lib.stride_tricks.as_strided(t, (2,), (1,), subok=True)\n"},
    {MORE(ZEROS, "\"class\":{\"name\":\"matrix\"}"),
     "a = np.zeros((2, 3), np.dtype(\"<i4\"), \"C\").view(np.matrix)\n"},
    {MORE(ZEROS, "\"writeable\":false"), "a = np.zeros((2, 3), np.dtype(\"<i4\"), \"C\")\n"
                                         "a.flags.writeable = False\n"},
};

static void arrays_are_made_as_they_are_described(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        making_init(&m);
        making_read(&m, rows[i].text);
        ndp_script_build(&m.script, &m.descriptor.value.array, "a");
        if (m.script.status != NDP_OK) fail_msg("%s: %s", rows[i].text, m.error.text);
        assert_string_equal(making_said(&m), rows[i].said);
        making_clear(&m);
    }
}

/* Lines that become too long are cut at a view. */
static void many_views_are_made_one_after_the_other(void **state) {
    (void)state;
    struct making m;
    char text[1024] = "";
    making_init(&m);
    for (int i = 0; i < 12; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s{\"transpose\":[1,0]}", i > 0 ? "," : "");
    char whole[2048];
    snprintf(whole, sizeof whole, "{\"value\":{\"array\":{\"base\":{" ZEROS "},\"views\":[%s]}}}", text);
    making_read(&m, whole);
    ndp_script_build(&m.script, &m.descriptor.value.array, "a");
    const char *said = making_said(&m);
    uint32_t views = 0, lines = 0;
    for (const char *at = said; (at = strstr(at, ".transpose([1, 0])")) != NULL; at++) views++;
    for (const char *at = said; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
        assert_true(at[1] == '\0' || strncmp(at + 1, "a = a.", 6) == 0);
    }
    assert_int_equal(views, 12);
    assert_int_equal(lines, 2);
    making_clear(&m);
}

static void a_structure_with_all_there_is_has_its_words(void **state) {
    (void)state;
    static const struct {
        const char *dtype;
        const char *word;
    } types[] = {
        {"\"<M8[25s]\"", "np.dtype(\"<M8[25s]\")"},
        {"\"<U2\"", "np.dtype(\"<U2\")"},
        {"{\"fields\":[{\"name\":\"a\\\"\",\"dtype\":\"|u1\"},{\"name\":\"b\",\"dtype\":\"<i4\"}],\"aligned\":true}",
         "np.dtype({\"names\": [\"a\\\"\", \"b\"], \"formats\": [np.dtype(\"|u1\"), np.dtype(\"<i4\")], \"offsets\": "
         "[0, 4], \"itemsize\": 8}, align=True)"},
        {"{\"type\":\"<i2\",\"metadata\":{\"k\":1}}", "np.dtype(\"<i2\", metadata=json.loads(\"{\\\"k\\\":1}\"))"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(types); i++) {
        struct making m;
        char text[512];
        making_init(&m);
        snprintf(text, sizeof text, ARRAY("\"dtype\":%s,\"shape\":[1]"), types[i].dtype);
        making_read(&m, text);
        assert_string_equal(ndp_script_dtype(&m.script, m.descriptor.value.array.base.dtype), types[i].word);
        making_clear(&m);
    }
}

/* Neither has Python a word for it, nor does anything half-made get out when memory ends. */
static void what_cannot_be_made_is_refused(void **state) {
    (void)state;
    struct making m;
    making_init(&m);
    making_read(&m, ARRAY("\"dtype\":\"|O\",\"shape\":[2],\"misalign\":1"));
    ndp_script_build(&m.script, &m.descriptor.value.array, "a");
    expect_refused(&m, "objects in memory that is not aligned");
    making_clear(&m);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        bool is_over = false;
        for (uint64_t call = 1; !is_over; call++) {
            making_init(&m);
            making_read(&m, rows[i].text);
            ndp_arena_fail_at(&m.arena, call);
            ndp_script_build(&m.script, &m.descriptor.value.array, "a");
            is_over = m.arena.fail_at != 0;
            assert_int_equal(m.script.status, is_over ? NDP_OK : NDP_NOMEM);
            making_clear(&m);
        }
    }
}

NDP_SUITE(script_value_test, cmocka_unit_test(arrays_are_made_as_they_are_described),
          cmocka_unit_test(many_views_are_made_one_after_the_other),
          cmocka_unit_test(a_structure_with_all_there_is_has_its_words),
          cmocka_unit_test(what_cannot_be_made_is_refused));
