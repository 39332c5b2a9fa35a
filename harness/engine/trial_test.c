#include "engine/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/minimise.h"
#include "target/plugin.h"
#include "target/registry.h"

#define ARENA_BYTES (UINT64_C(64) << 20)

struct fixture {
    struct ndp_bench bench;
    struct ndp_batch *batch;
    struct ndp_arena arena;
};

static const struct ndp_plugin *reference(void) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_plugins(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(plugins[i]->name, "reference") == 0) return plugins[i];
    }
    return NULL;
}

/* The reference with one fault of its own: the first byte of every decoded array of more than two elements is
 * another. */
static enum ndp_plugin_result decode_wrongly(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                             const char *path, const struct ndp_plugin_array *as,
                                             struct ndp_plugin_array *out, void **token,
                                             struct ndp_plugin_refusal *refusal) {
    enum ndp_plugin_result result = reference()->decode(entry, bytes, size_bytes, path, as, out, token, refusal);
    int64_t count = 1;
    for (uint32_t i = 0; result == NDP_PLUGIN_DONE && i < out->ndim; i++) count *= out->shape[i];
    bool is_spoilt =
        result == NDP_PLUGIN_DONE && count > 2 && out->itemsize_bytes > 0 && out->is_writeable && !out->is_mapped;
    if (is_spoilt) *(uint8_t *)(uintptr_t)out->data ^= 0xff;
    return result;
}

static void open_fixture(struct fixture *fixture, const struct ndp_plugin *plugin) {
    memset(fixture, 0, sizeof *fixture);
    struct ndp_error error = {0};
    assert_int_equal(ndp_target_open_plugin(plugin, &fixture->bench.targets[0], &error), NDP_OK);
    fixture->bench.count = 1;
    snprintf(fixture->bench.targets[0]->info.name, NDP_WORD_BYTES, "one");
    assert_int_equal(ndp_target_open_plugin(reference(), &fixture->bench.oracle, &error), NDP_OK);
    assert_int_equal(ndp_batch_new(&fixture->bench, ARENA_BYTES, &fixture->batch), NDP_OK);
    ndp_arena_init(&fixture->arena, ARENA_BYTES);
}

static void close_fixture(struct fixture *fixture) {
    ndp_batch_free(fixture->batch);
    ndp_target_close(fixture->bench.targets[0]);
    ndp_target_close(fixture->bench.oracle);
    ndp_arena_clear(&fixture->arena);
}

static struct ndp_descriptor read_text(struct fixture *fixture, const char *text) {
    struct ndp_descriptor descriptor;
    struct ndp_error error = {0};
    if (ndp_descriptor_read(&fixture->arena, ndp_bytes_view(text), &ndp_describe_default_limits, &descriptor, &error) !=
        NDP_OK) {
        fail_msg("%s: %s", error.path, error.text);
    }
    return descriptor;
}

#define ROUTE                                                                                                          \
    ",\"route\":{\"format\":\"npy\",\"encode\":\"memory\",\"decode\":\"memory\",\"encoder\":\"one\",\"decoder\":"      \
    "\"one\"}"
#define FIVE                                                                                                           \
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[5],\"data\":{\"pattern\":\"index\"}}" \
    "}}" ROUTE "}"

static void a_right_codec_passes_and_is_compared(void **state) {
    (void)state;
    struct fixture fixture;
    open_fixture(&fixture, reference());
    struct ndp_descriptor descriptor = read_text(&fixture, FIVE);
    const struct ndp_result *result;
    struct ndp_error error = {0};
    assert_int_equal(ndp_trial_run(fixture.batch, &descriptor, 0, &result, &error), NDP_OK);
    assert_int_equal(result->verdict, NDP_VERDICT_PASS);
    assert_int_equal(result->divergence_count, 0);
    assert_true(result->comparisons > 5);
    assert_true(result->has_source && result->has_result);
    close_fixture(&fixture);
}

static void a_wrong_codec_diverges_and_shrinks(void **state) {
    (void)state;
    struct ndp_plugin wrong = *reference();
    wrong.decode = decode_wrongly;
    struct fixture fixture;
    open_fixture(&fixture, &wrong);
    struct ndp_descriptor descriptor = read_text(&fixture, FIVE);
    const struct ndp_result *result;
    struct ndp_error error = {0};
    assert_int_equal(ndp_trial_run(fixture.batch, &descriptor, 0, &result, &error), NDP_OK);
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
    const struct ndp_divergence *found = NULL;
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        if (strcmp(result->divergences[i].property->name, "values") == 0) found = &result->divergences[i];
    }
    assert_non_null(found);
    assert_string_equal(found->judgement.comparison.list[0].path, "[0]");

    char core[NDP_SIGNATURE_BYTES];
    memcpy(core, found->core, sizeof core);
    struct ndp_buffer text;
    ndp_buffer_init(&text, 1 << 20);
    assert_int_equal(ndp_buffer_add(&text, FIVE, strlen(FIVE)), NDP_OK);
    uint32_t runs, hits;
    assert_int_equal(ndp_minimise(fixture.batch, &text, core, 1000, &(struct ndp_patience){0}, &runs, &error), NDP_OK);
    struct ndp_descriptor small;
    assert_int_equal(
        ndp_descriptor_read(&fixture.arena, ndp_buffer_view(&text), &ndp_describe_default_limits, &small, &error),
        NDP_OK);
    /* Three elements are the fewest that show it. */
    assert_int_equal(small.value.array.base.ndim, 1);
    assert_int_equal(small.value.array.base.shape[0], 3);
    assert_int_equal(ndp_confirm(fixture.batch, ndp_buffer_view(&text), core, NDP_CONFIRM_RUNS, &hits, &error), NDP_OK);
    assert_int_equal(hits, NDP_CONFIRM_RUNS);
    ndp_buffer_clear(&text);
    close_fixture(&fixture);
}

static void what_is_not_claimed_is_unsupported(void **state) {
    (void)state;
    struct ndp_plugin narrow = *reference();
    narrow.kinds = "f";
    struct fixture fixture;
    open_fixture(&fixture, &narrow);
    struct ndp_descriptor descriptor = read_text(&fixture, FIVE);
    const struct ndp_result *result;
    struct ndp_error error = {0};
    assert_int_equal(ndp_trial_run(fixture.batch, &descriptor, 0, &result, &error), NDP_OK);
    assert_int_equal(result->verdict, NDP_VERDICT_UNSUPPORTED);
    assert_int_equal(result->comparisons, 0);
    close_fixture(&fixture);
}

static void unknown_names_are_errors(void **state) {
    (void)state;
    struct fixture fixture;
    open_fixture(&fixture, reference());
    struct ndp_error error = {0};
    struct ndp_descriptor descriptor = read_text(&fixture, FIVE);
    snprintf(descriptor.route.decoder, NDP_WORD_BYTES, "nobody");
    ndp_batch_clear(fixture.batch);
    assert_int_equal(ndp_batch_add(fixture.batch, 0, &descriptor, 0, &error), NDP_INVALID);
    descriptor = read_text(&fixture, FIVE);
    descriptor.property_count = 1;
    snprintf(descriptor.properties[0], NDP_WORD_BYTES, "nothing");
    assert_int_equal(ndp_batch_add(fixture.batch, 0, &descriptor, 0, &error), NDP_INVALID);
    close_fixture(&fixture);
}

static void a_spoilt_file_must_be_refused(void **state) {
    (void)state;
    struct fixture fixture;
    open_fixture(&fixture, reference());
    struct ndp_descriptor descriptor = read_text(
        &fixture, "{\"ndproof\":1,\"bytes\":\"934e554d5059\",\"expect\":\"refuse\",\"route\":{\"format\":\"npy\","
                  "\"decode\":\"memory\",\"decoder\":\"one\"},\"properties\":[\"strictness\"]}");
    const struct ndp_result *result;
    struct ndp_error error = {0};
    assert_int_equal(ndp_trial_run(fixture.batch, &descriptor, 0, &result, &error), NDP_OK);
    assert_int_equal(result->verdict, NDP_VERDICT_REJECTS);
    descriptor.expect = NDP_EXPECT_ACCEPT;
    assert_int_equal(ndp_trial_run(fixture.batch, &descriptor, 0, &result, &error), NDP_OK);
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
    close_fixture(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_codec_passes_and_is_compared), cmocka_unit_test(a_wrong_codec_diverges_and_shrinks),
        cmocka_unit_test(what_is_not_claimed_is_unsupported),   cmocka_unit_test(unknown_names_are_errors),
        cmocka_unit_test(a_spoilt_file_must_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
