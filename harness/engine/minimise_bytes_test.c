/* minimise_bytes_test.c: bytes are minimised by questions, and as the input of decode cases. */
#include "engine/minimise_bytes.h"

#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/spy_fixture.h"

static const struct ndp_minimise_limits all_time = {.stop = NULL};

/* Asks whether the bytes contain all letters of `letters`, in this order. */
struct wish {
    const char *letters;
    uint32_t asked;
    enum ndp_status fails; /* at the third question */
};

static enum ndp_status contains(void *context, struct ndp_bytes candidate, bool *is_kept, struct ndp_error *error) {
    struct wish *wish = context;
    const char *wanted = wish->letters;
    wish->asked++;
    if (wish->fails != NDP_OK && wish->asked == 3) return ndp_error_set(error, wish->fails, 0, "third");
    for (uint64_t i = 0; i < candidate.size_bytes && *wanted != '\0'; i++)
        if (candidate.data[i] == (uint8_t)*wanted) wanted++;
    *is_kept = *wanted == '\0';
    return NDP_OK;
}

static void fill(struct ndp_buffer *bytes, uint64_t size_bytes, const char *letters) {
    uint8_t *room = NULL;
    const uint64_t count = strlen(letters);
    bytes->size_bytes = 0;
    assert_int_equal(ndp_buffer_extend(bytes, size_bytes, &room), NDP_OK);
    memset(room, '.', (size_t)size_bytes);
    for (uint64_t i = 0; i < count; i++) room[(i + 1) * size_bytes / (count + 1)] = (uint8_t)letters[i];
}

/* Nothing but the needed bytes remains, whatever their distance. */
static void needed_bytes_remain(void **state) {
    static const char *const letters[] = {"x", "xy", "abcdefg", "xx"};
    static const uint64_t sizes[] = {7, 8, 100, 4096, 100000};
    NDP_BUFFER_SCOPED(bytes, 1 << 20);
    for (size_t i = 0; i < NDP_ARRAY_LEN(letters); i++) {
        for (size_t k = i == 2 ? 2 : 0; k < NDP_ARRAY_LEN(sizes); k++) {
            struct wish wish = {.letters = letters[i]};
            uint32_t runs = 0;
            fill(&bytes, sizes[k], letters[i]);
            assert_int_equal(ndp_minimise_bytes(&bytes, contains, &wish, 5000, &all_time, &runs, NULL), NDP_OK);
            assert_int_equal(bytes.size_bytes, strlen(letters[i]));
            assert_memory_equal(bytes.data, letters[i], strlen(letters[i]));
            assert_int_equal(runs, wish.asked);
            assert_true(runs < 400);
        }
    }
}

/* Bytes that cannot be removed become zero. */
static enum ndp_status is_long_with_x(void *context, struct ndp_bytes candidate, bool *is_kept,
                                      struct ndp_error *error) {
    (void)error;
    *is_kept = candidate.size_bytes >= *(uint64_t *)context && candidate.data[1] == 'x';
    return NDP_OK;
}

static void unneeded_bytes_become_zero(void **state) {
    uint64_t least = 9;
    uint32_t runs = 0;
    NDP_BUFFER_SCOPED(bytes, 1 << 20);
    assert_int_equal(ndp_buffer_add(&bytes, "axbcdefghijklmnop", 17), NDP_OK);
    assert_int_equal(ndp_minimise_bytes(&bytes, is_long_with_x, &least, 1000, &all_time, &runs, NULL), NDP_OK);
    assert_int_equal(bytes.size_bytes, 9);
    assert_memory_equal(bytes.data, "\0x\0\0\0\0\0\0\0", 9);
}

static void limits_and_errors_end_the_search(void **state) {
    static const volatile sig_atomic_t stopped = 1;
    const struct ndp_minimise_limits stop = {.stop = &stopped};
    struct ndp_error error = {0};
    NDP_BUFFER_SCOPED(bytes, 1 << 20);
    for (uint32_t most = 0; most < 30; most++) {
        struct wish wish = {.letters = "xyz"};
        uint32_t runs = 99;
        bool is_kept = false;
        fill(&bytes, 64, wish.letters);
        assert_int_equal(ndp_minimise_bytes(&bytes, contains, &wish, most, &all_time, &runs, &error), NDP_OK);
        assert_true(runs <= most && wish.asked == runs);
        assert_int_equal(contains(&wish, ndp_buffer_view(&bytes), &is_kept, NULL), NDP_OK);
        assert_true(is_kept);
    }
    struct wish wish = {.letters = "x", .fails = NDP_GONE};
    uint32_t runs = 99;
    fill(&bytes, 64, "x");
    assert_int_equal(ndp_minimise_bytes(&bytes, contains, &wish, 100, &stop, &runs, &error), NDP_OK);
    assert_int_equal(runs, 0);
    assert_int_equal(bytes.size_bytes, 64);
    assert_int_equal(ndp_minimise_bytes(&bytes, contains, &wish, 100, &all_time, &runs, &error), NDP_GONE);
}

/* The decoder dies of the two bytes "!?", wherever they are. */
static void crash_at_pattern(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    (void)spy;
    const struct ndp_bytes bytes = program->supplied;
    for (uint64_t i = 0; i + 1 < bytes.size_bytes; i++) {
        if (bytes.data[i] != '!' || bytes.data[i + 1] != '?') continue;
        outcome->ended = NDP_VERDICT_CRASH;
        outcome->death.signal = 11;
    }
}

static void minimise_text(struct fixture *fixture, struct ndp_buffer *text, const struct ndp_signature *wanted,
                          const char *expected) {
    struct ndp_error error = {0};
    uint32_t runs = 0;
    if (ndp_minimise(fixture->batch, text, wanted, 1000, &all_time, &runs, &error) != NDP_OK)
        fail_msg("%s", error.text);
    assert_true(runs > 0 && runs < 1000);
    assert_int_equal(ndp_buffer_add(text, "", 1), NDP_OK);
    text->size_bytes--;
    assert_string_equal((const char *)text->data, expected);
}

/* A crash input keeps the bytes that crash the target, on the simplest entry point. */
static void crash_inputs_are_minimised(void **state) {
    struct spy spy;
    NDP_BUFFER_SCOPED(text, 1 << 20);
    FIXTURE(fixture, reference_plugin(), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    spy.spoil = crash_at_pattern;
    assert_int_equal(ndp_buffer_printf(&text, "{\"ndproof\":1,\"bytes\":\""), NDP_OK);
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(ndp_buffer_printf(&text, "%02x", i % 251), NDP_OK);
    assert_int_equal(ndp_buffer_printf(&text, "213f"), NDP_OK);
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(ndp_buffer_printf(&text, "%02x", i % 241), NDP_OK);
    assert_int_equal(ndp_buffer_printf(&text, "\",\"route\":{\"format\":\"npy\",\"decode\":\"file\",\"encoder\":"
                                              "\"one\",\"decoder\":\"one\"}}"),
                     NDP_OK);
    assert_int_equal(ndp_buffer_add(&text, "", 1), NDP_OK);
    text.size_bytes--;
    const struct ndp_result *result = fixture_run(&fixture, (const char *)text.data);
    assert_int_equal(result->divergence_count, 1);
    const struct ndp_signature wanted = result->divergences[0].signature;
    assert_string_equal(core_text(&wanted), "CRASH|-|npy|process|signal 11 ");
    static const char expected[] = "{\"ndproof\":1,\"bytes\":\"213f\",\"route\":{\"format\":\"npy\",\"decode\":"
                                   "\"memory\",\"encoder\":\"one\",\"decoder\":\"one\"}}";
    minimise_text(&fixture, &text, &wanted, expected);
    /* A second call changes nothing. */
    minimise_text(&fixture, &text, &wanted, expected);
}

/* A planted decoder that ignores the magic accepts bytes that must be refused. The header needs its length and the
 * shape its elements, so no byte can go, but the elements become zero. */
static void planted_decoders_keep_their_divergence(void **state) {
    static const char header[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }";
    NDP_BUFFER_SCOPED(text, 1 << 20);
    FIXTURE(fixture, planted_named("magic_ignored"), NULL);
    assert_int_equal(ndp_buffer_printf(&text, "{\"ndproof\":1,\"bytes\":\"924e554d505901007600"), NDP_OK);
    for (size_t i = 0; i < 118; i++)
        assert_int_equal(ndp_buffer_printf(&text, "%02x",
                                           i < sizeof header - 1 ? header[i]
                                           : i < 117             ? ' '
                                                                 : '\n'),
                         NDP_OK);
    for (size_t i = 0; i < 96; i++) assert_int_equal(ndp_buffer_printf(&text, "%02zx", i), NDP_OK);
    assert_int_equal(ndp_buffer_add(&text,
                                    "\",\"route\":{\"format\":\"npy\",\"decode\":\"memory\",\"encoder\":\"one\","
                                    "\"decoder\":\"one\"},\"properties\":[\"strictness\"]}",
                                    sizeof "\",\"route\":{\"format\":\"npy\",\"decode\":\"memory\",\"encoder\":\"one\","
                                           "\"decoder\":\"one\"},\"properties\":[\"strictness\"]}"),
                     NDP_OK);
    text.size_bytes--;
    const struct ndp_result *result = fixture_run(&fixture, (const char *)text.data);
    assert_int_equal(result->divergence_count, 1);
    const struct ndp_signature wanted = result->divergences[0].signature;
    struct ndp_error error = {0};
    uint32_t runs = 0;
    if (ndp_minimise(fixture.batch, &text, &wanted, 2000, &all_time, &runs, &error) != NDP_OK)
        fail_msg("%s", error.text);
    assert_int_equal(ndp_buffer_add(&text, "", 1), NDP_OK);
    assert_non_null(ndp_result_find(fixture_run(&fixture, (const char *)text.data), &wanted));
    const struct ndp_descriptor small = fixture_read(&fixture, (const char *)text.data);
    assert_int_equal(small.bytes.size_bytes, 224);
    assert_int_not_equal(small.bytes.data[0], 0x93);
    for (uint32_t i = 128; i < 224; i++) assert_int_equal(small.bytes.data[i], 0);
    assert_int_equal(small.expect, NDP_EXPECT_OPEN);
}

NDP_SUITE(minimise_bytes_test, NDP_TEST(needed_bytes_remain), NDP_TEST(unneeded_bytes_become_zero),
          NDP_TEST(limits_and_errors_end_the_search), NDP_TEST(crash_inputs_are_minimised),
          NDP_TEST(planted_decoders_keep_their_divergence));
