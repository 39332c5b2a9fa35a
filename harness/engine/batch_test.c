#include "base/suite.h"
#include "engine/batch.h"
#include "engine/bench_fixture.h"
#include "engine/find.h"
#include "engine/minimise.h"

/* The reference with one defect: it changes the first byte of every decoded array of more than two elements. */
static enum ndp_plugin_result decode_wrongly(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                             const char *path, const struct ndp_plugin_array *as,
                                             struct ndp_plugin_array *out, void **token,
                                             struct ndp_plugin_refusal *refusal) {
    enum ndp_plugin_result result = reference_plugin()->decode(entry, bytes, size_bytes, path, as, out, token, refusal);
    int64_t count = 1;
    for (uint32_t i = 0; result == NDP_PLUGIN_DONE && i < out->ndim; i++) count *= out->shape[i];
    bool is_spoilt =
        result == NDP_PLUGIN_DONE && count > 2 && out->itemsize_bytes > 0 && out->is_writeable && !out->is_mapped;
    if (is_spoilt) *(uint8_t *)(uintptr_t)out->data ^= 0xff;
    return result;
}

#define FIVE INTEGERS("[5]", "")

static void a_correct_codec_passes(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    struct ndp_descriptor descriptor = fixture_read(&fixture, FIVE);
    const struct ndp_result *result;
    struct ndp_error error = {0};
    assert_int_equal(ndp_batch_run_one(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error),
                     NDP_OK);
    assert_int_equal(result->verdict, NDP_VERDICT_PASS);
    assert_int_equal(result->divergence_count, 0);
    assert_true(result->comparisons > 5);
    assert_true(result->has_source && result->has_result);
    assert_int_equal(fixture.bench.targets[0]->counts.cases, 1);
}

/* The promise of a case is known before it runs. */
static void a_case_is_predicted(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    const struct ndp_descriptor descriptor = fixture_read(&fixture, FIVE);
    struct ndp_result *result;
    struct ndp_error error = {0};
    assert_int_equal(ndp_batch_predict(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error),
                     NDP_OK);
    assert_true(result->has_promised && !result->has_result);
    assert_int_equal(result->promised.shape[0], 5);
    assert_int_equal(result->promised.elements.size_bytes, 5 * result->promised.dtype->itemsize_bytes);
    assert_int_equal(fixture.bench.targets[0]->counts.cases, 0);
}

/* The bytes between two targets are known only to the encoder. */
static void a_predicted_case_is_encoded(void **state) {
    struct ndp_plugin other = *reference_plugin();
    other.name = "two";
    FIXTURE(fixture, reference_plugin(), &other);
    const struct ndp_descriptor descriptor = fixture_read(&fixture, INTEGERS_TO("[5]", "two", ""));
    struct ndp_result *result;
    struct ndp_error error = {0};
    assert_int_equal(ndp_batch_predict(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error),
                     NDP_OK);
    assert_int_equal(result->encoded.size_bytes, 0);
    assert_int_equal(ndp_batch_encode(fixture.batch, &error), NDP_OK);
    assert_memory_equal(result->encoded.data, "\x93NUMPY", 6);
    assert_int_equal(fixture.bench.targets[1]->counts.cases, 0);
}

static void a_wrong_codec_diverges_and_is_minimised(void **state) {
    struct ndp_plugin wrong = *reference_plugin();
    wrong.decode = decode_wrongly;
    FIXTURE(fixture, &wrong, NULL);
    struct ndp_descriptor descriptor = fixture_read(&fixture, FIVE);
    const struct ndp_result *result;
    struct ndp_error error = {0};
    assert_int_equal(ndp_batch_run_one(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error),
                     NDP_OK);
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
    const struct ndp_divergence *found = NULL;
    for (uint32_t i = 0; i < result->divergence_count; i++)
        if (strcmp(result->divergences[i].property->name, "values") == 0) found = &result->divergences[i];
    assert_non_null(found);
    assert_string_equal(found->judgement.comparison.list[0].path, "[0]");

    const struct ndp_signature core = found->signature;
    NDP_BUFFER_SCOPED(text, 1 << 20);
    assert_int_equal(ndp_buffer_add(&text, FIVE, strlen(FIVE)), NDP_OK);
    uint32_t runs, hits;
    assert_int_equal(ndp_minimise(fixture.batch, &text, &core, 1000, &(struct ndp_minimise_limits){0}, &runs, &error),
                     NDP_OK);
    struct ndp_descriptor small;
    assert_int_equal(
        ndp_descriptor_read(&fixture.arena, ndp_buffer_view(&text), &ndp_describe_default_limits, &small, &error),
        NDP_OK);
    /* Three elements are the fewest that show the defect. */
    assert_int_equal(small.value.array.base.ndim, 1);
    assert_int_equal(small.value.array.base.shape[0], 3);
    assert_int_equal(ndp_find_confirm(fixture.batch, ndp_buffer_view(&text), &core, NDP_CONFIRM_RUNS, &hits, &error),
                     NDP_OK);
    assert_int_equal(hits, NDP_CONFIRM_RUNS);
}

static void an_unclaimed_value_is_unsupported(void **state) {
    struct ndp_plugin narrow = *reference_plugin();
    narrow.kinds = "f";
    FIXTURE(fixture, &narrow, NULL);
    struct ndp_descriptor descriptor = fixture_read(&fixture, FIVE);
    const struct ndp_result *result;
    struct ndp_error error = {0};
    assert_int_equal(ndp_batch_run_one(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error),
                     NDP_OK);
    assert_int_equal(result->verdict, NDP_VERDICT_UNSUPPORTED);
    assert_int_equal(result->comparisons, 0);
}

static void unknown_names_are_errors(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    struct ndp_error error = {0};
    struct ndp_descriptor descriptor = fixture_read(&fixture, FIVE);
    snprintf(descriptor.route.decoder, NDP_WORD_BYTES, "nobody");
    ndp_batch_clear(fixture.batch);
    assert_int_equal(ndp_batch_add(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &error), NDP_INVALID);
    descriptor = fixture_read(&fixture, FIVE);
    descriptor.property_count = 1;
    snprintf(descriptor.properties[0], NDP_WORD_BYTES, "nothing");
    assert_int_equal(ndp_batch_add(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &error), NDP_INVALID);
}

static void a_corrupted_file_must_be_refused(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    struct ndp_descriptor descriptor = fixture_read(
        &fixture, "{\"ndproof\":1,\"bytes\":\"934e554d5059\",\"expect\":\"refuse\",\"route\":{\"format\":\"npy\","
                  "\"decode\":\"memory\",\"decoder\":\"one\"},\"properties\":[\"strictness\"]}");
    const struct ndp_result *result;
    struct ndp_error error = {0};
    assert_int_equal(ndp_batch_run_one(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error),
                     NDP_OK);
    assert_int_equal(result->verdict, NDP_VERDICT_REJECTS);
    descriptor.expect = NDP_EXPECT_ACCEPT;
    assert_int_equal(ndp_batch_run_one(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error),
                     NDP_OK);
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
}

/* Runs up to `most` batches of one case; returns the number that started. */
static uint32_t run_until_no_room(struct fixture *fixture, uint32_t most) {
    const struct ndp_descriptor descriptor = fixture_read(fixture, FIVE);
    const struct ndp_result *result;
    struct ndp_error error = {0};
    for (uint32_t i = 0; i < most; i++) {
        const enum ndp_status status =
            ndp_batch_run_one(fixture->batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error);
        if (status != NDP_OK) assert_int_equal(status, NDP_IO);
        if (status != NDP_OK) return i;
    }
    return most;
}

static void free_space_is_checked_every_few_cases(void **state) {
    const char *parent = getenv("TMPDIR");
    char before[4096] = "";
    if (parent) snprintf(before, sizeof before, "%s", parent);
    FIXTURE(fixture, reference_plugin(), NULL);
    assert_int_equal(run_until_no_room(&fixture, 1), 1);
    assert_int_equal(setenv("TMPDIR", "/ndproof-there-is-no-such-folder", 1), 0);
    assert_int_equal(run_until_no_room(&fixture, 99), 15);
    /* A failed check is repeated. */
    assert_int_equal(run_until_no_room(&fixture, 99), 0);
    assert_int_equal(parent ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR"), 0);
    assert_int_equal(run_until_no_room(&fixture, 20), 20);
}

NDP_SUITE(batch_test, NDP_TEST(free_space_is_checked_every_few_cases), NDP_TEST(a_correct_codec_passes),
          NDP_TEST(a_case_is_predicted), NDP_TEST(a_predicted_case_is_encoded),
          NDP_TEST(a_wrong_codec_diverges_and_is_minimised), NDP_TEST(an_unclaimed_value_is_unsupported),
          NDP_TEST(unknown_names_are_errors), NDP_TEST(a_corrupted_file_must_be_refused));
