/* What a script says, line by line; that it runs, and how it ends, is tested against real libraries
 * (cmd/test_script.py). */
#include "report/script.h"

#include <stdio.h>
#include <string.h>

#include "base/suite.h"

#define ROUTE(encoder)                                                                                                 \
    "\"route\":{\"format\":\"npy\",\"encode\":\"memory\",\"decode\":\"mmap:r\",\"encoder\":\"" encoder                 \
    "\",\"decoder\":\"numpy\"}"
#define ARRAY                                                                                                          \
    "\"value\":{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[2,1],\"data\":{\"pattern\":\"index\"}},"             \
    "\"views\":[{\"transpose\":[1,0]}]}}"

/* A divergence in one place. */
struct fixture {
    struct ndp_arena arena;
    struct ndp_descriptor descriptor;
    struct ndp_divergence divergence;
    struct ndp_result result;
    struct ndp_target_info python;
    struct ndp_target_info c;
    struct ndp_script_case about;
    struct ndp_buffer text;
};

static void init(struct fixture *f, const char *descriptor, const char *path, const char *expected) {
    memset(f, 0, sizeof *f);
    ndp_arena_init(&f->arena, UINT64_C(1) << 26);
    ndp_buffer_init(&f->text, 1 << 20);
    assert_int_equal(
        ndp_descriptor_read(&f->arena, ndp_bytes_view(descriptor), &ndp_describe_default_limits, &f->descriptor, NULL),
        NDP_OK);
    snprintf(f->python.language, sizeof f->python.language, "CPython 3.11.2");
    snprintf(f->python.implementation, sizeof f->python.implementation, "numpy");
    snprintf(f->c.language, sizeof f->c.language, "C");
    snprintf(f->c.implementation, sizeof f->c.implementation, "reference");
    f->divergence.verdict = NDP_VERDICT_DIVERGES;
    snprintf(f->divergence.outlier, sizeof f->divergence.outlier, "numpy");
    snprintf(f->divergence.signature, sizeof f->divergence.signature, "the signature");
    ndp_comparison_add(&f->divergence.judgement.comparison, path, expected, "something else");
    f->about = (struct ndp_script_case){&f->descriptor, &f->divergence, &f->result, &f->python, &f->python, NULL};
}

static void clear(struct fixture *f) {
    ndp_buffer_clear(&f->text);
    ndp_arena_clear(&f->arena);
}

static uint32_t count_lines(const struct ndp_buffer *text) {
    uint32_t count = 0;
    for (uint64_t i = 0; i < text->size_bytes; i++) count += text->data[i] == '\n';
    return count;
}

static bool holds(const struct fixture *f, const char *text) {
    const size_t length = strlen(text);
    for (uint64_t i = 0; i + length <= f->text.size_bytes; i++) {
        if (memcmp(f->text.data + i, text, length) == 0) return true;
    }
    return false;
}

static void test_lines(void **state) {
    (void)state;
    struct fixture f;
    init(&f, "{\"ndproof\":1," ARRAY "," ROUTE("numpy") "}", "flags.writeable", "false");
    struct ndp_error error = {0};
    assert_int_equal(ndp_script_print(&f.arena, &f.about, &f.text, &error), NDP_OK);
    static const char expected[] =
        "# the signature\n"
        "# The process lives, and answers in time.\n"
        "import io, os, sys, tempfile, numpy as np\n"
        "def look(x): return {\"flags.writeable\": x.flags.writeable}\n"
        "home = tempfile.TemporaryDirectory(); os.chdir(home.name)\n"
        "a = np.ndarray((2, 1), np.dtype(\">i4\"), bytearray(b\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01\"), 0, None, "
        "\"C\").transpose([1, 0])\n"
        "f = io.BytesIO(); np.save(f, a); d1 = f.getvalue()\n"
        "with open(\"e0.npy\", \"wb\") as f: f.write(d1)\n"
        "got = look(np.load(\"e0.npy\", mmap_mode=\"r\"))\n"
        "expected = {\"flags.writeable\": False}\n"
        "print(\"expected:\", expected)\n"
        "print(\"got:     \", got)\n"
        "sys.exit(int(got != expected))\n";
    assert_int_equal(f.text.size_bytes, sizeof expected - 1);
    assert_memory_equal(f.text.data, expected, sizeof expected - 1);
    clear(&f);
}

/* What another implementation encoded is written down. */
static void test_bytes_of_another(void **state) {
    (void)state;
    struct fixture f;
    init(&f, "{\"ndproof\":1," ARRAY "," ROUTE("reference") "}", "ndim", "2");
    struct ndp_error error = {0};
    f.about.encoder = &f.c;
    f.result.encoded = ndp_bytes_view("a\"\x93\n");
    assert_int_equal(ndp_script_print(&f.arena, &f.about, &f.text, &error), NDP_OK);
    assert_int_equal(ndp_buffer_add(&f.text, "", 1), NDP_OK);
    assert_non_null(strstr((const char *)f.text.data, "d1 = b\"a\\\"\\x93\\x0a\"\n"));
    clear(&f);
}

/* Through a middle that a script can do the work of, both legs are gone; what the middle got is sent on. */
static void test_relay(void **state) {
    (void)state;
    struct fixture f;
    struct ndp_descriptor first;
    struct ndp_error error = {0};
    init(&f, "{\"ndproof\":1," ARRAY "," ROUTE("numpy") "}", "flags.writeable", "false");
    const struct ndp_script_case before = {&first, &f.divergence, &f.result, &f.python, &f.python, NULL};
    first = f.descriptor;
    f.descriptor.route.protocol = 2;
    snprintf(f.descriptor.route.format, NDP_WORD_BYTES, "pickle");
    snprintf(f.descriptor.route.encode, NDP_WORD_BYTES, "c");
    snprintf(f.descriptor.route.decode, NDP_WORD_BYTES, "python");
    f.about.before = &before;
    assert_int_equal(ndp_script_print(&f.arena, &f.about, &f.text, &error), NDP_OK);
    assert_int_equal(ndp_buffer_add(&f.text, "", 1), NDP_OK);
    assert_non_null(strstr((const char *)f.text.data, "f = io.BytesIO(); np.save(f, a); d1 = f.getvalue()\n"
                                                      "with open(\"e0.npy\", \"wb\") as f: f.write(d1)\n"
                                                      "m = np.load(\"e0.npy\", mmap_mode=\"r\")\n"
                                                      "d2 = pickle.dumps(m, 2)\n"
                                                      "got = look(pickle._Unpickler(io.BytesIO(d2)).load())\n"));
    clear(&f);
}

static void expect_refusal(struct fixture *f, const char *why) {
    struct ndp_error error = {0};
    assert_int_equal(ndp_script_print(&f->arena, &f->about, &f->text, &error), NDP_UNSUPPORTED);
    assert_non_null(strstr(error.text, why));
    assert_int_equal(f->text.size_bytes, 0);
    clear(f);
}

static void test_refused(void **state) {
    (void)state;
    struct fixture f;
    const char *whole = "{\"ndproof\":1," ARRAY "," ROUTE("numpy") "}";
    init(&f, whole, "ndim", "2");
    f.about.encoder = f.about.decoder = &f.c;
    expect_refusal(&f, "no Python library");
    init(&f, whole, "ndim", "2");
    f.about.encoder = &f.c;
    snprintf(f.divergence.outlier, sizeof f.divergence.outlier, "reference");
    expect_refusal(&f, "no Python library");
    init(&f, whole, "partial", "no array");
    expect_refusal(&f, "partial");
    init(&f, whole, "ndim", "2");
    snprintf(f.descriptor.route.decode, NDP_WORD_BYTES, "unheard-of");
    expect_refusal(&f, "decoding");
    init(&f, whole, "ndim", "2");
    snprintf(f.descriptor.route.encode, NDP_WORD_BYTES, "unheard-of");
    expect_refusal(&f, "encoding");
}

static void test_memory_ends(void **state) {
    (void)state;
    for (uint64_t call = 1;; call++) {
        struct fixture f;
        struct ndp_error error = {0};
        init(&f, "{\"ndproof\":1," ARRAY "," ROUTE("numpy") "}", "flags.writeable", "false");
        ndp_arena_fail_at(&f.arena, call);
        enum ndp_status status = ndp_script_print(&f.arena, &f.about, &f.text, &error);
        bool is_over = f.arena.fail_at != 0;
        assert_int_equal(status, is_over ? NDP_OK : NDP_NOMEM);
        if (!is_over) assert_int_equal(f.text.size_bytes, 0);
        clear(&f);
        if (is_over) break;
    }
}

/* All operations in each pair of types, by 8 threads: as long as a script about a dict becomes. */
static void test_dicts_fit(void **state) {
    (void)state;
    static const char *const keys[] = {"int64", "float64", "unicode", "tuple"};
    static const char *const items[] = {"int64", "float64", "array"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(keys) * NDP_ARRAY_LEN(items); i++) {
        static const char thread[] = "[[\"set\",300,800],[\"read\",0,300],[\"delete\",0,100],[\"iterate\",0,0]]";
        char text[2048];
        snprintf(text, sizeof text,
                 "{\"ndproof\":1,\"value\":{\"dict\":{\"key\":\"%s\",\"item\":\"%s\",\"initial\":300,\"rounds\":16,"
                 "\"threads\":[%s,%s,%s,%s,%s,%s,%s,%s]}},\"route\":{\"transport\":\"typed.Dict\",\"backend\":"
                 "\"threads\",\"encoder\":\"numba\",\"decoder\":\"numba\"}}",
                 keys[i / NDP_ARRAY_LEN(items)], items[i % NDP_ARRAY_LEN(items)], thread, thread, thread, thread,
                 thread, thread, thread, thread);
        struct fixture f;
        init(&f, text, "process", "lives");
        assert_int_equal(ndp_script_print(&f.arena, &f.about, &f.text, NULL), NDP_OK);
        assert_int_equal(count_lines(&f.text), NDP_SCRIPT_MAX_LINES);
        assert_true(holds(&f, "import os, signal, sys, threading, numba.typed, numpy as np\n"));
        assert_true(holds(&f, "[(0, 300, 800, 5), (1, 0, 300, 6), (2, 0, 100, 7), (3, 0, 0, 8)]"));
        clear(&f);
    }
}

NDP_SUITE(script_test, cmocka_unit_test(test_lines), cmocka_unit_test(test_dicts_fit),
          cmocka_unit_test(test_bytes_of_another), cmocka_unit_test(test_relay), cmocka_unit_test(test_refused),
          cmocka_unit_test(test_memory_ends));
