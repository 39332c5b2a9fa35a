/* bench_fixture.h: a bench of one or two targets in this process, "one" and "two", with the reference as oracle. */
#ifndef NDP_BENCH_FIXTURE_H
#define NDP_BENCH_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "engine/batch.h"
#include "planted/plugins_fixture.h"

#define ARENA_BYTES (UINT64_C(64) << 20)

struct fixture {
    struct ndp_bench bench;
    struct ndp_batch *batch;
    struct ndp_arena arena;
};

/* `two` may be NULL. */
static inline void fixture_open(struct fixture *fixture, const struct ndp_plugin *one, const struct ndp_plugin *two) {
    static const char *const names[] = {"one", "two"};
    const struct ndp_plugin *const plugins[] = {one, two};
    struct ndp_error error = {0};
    memset(fixture, 0, sizeof *fixture);
    fixture->bench.count = two != NULL ? 2 : 1;
    for (uint32_t i = 0; i < fixture->bench.count; i++) {
        assert_int_equal(ndp_target_open_plugin(plugins[i], &fixture->bench.targets[i], &error), NDP_OK);
        snprintf(fixture->bench.targets[i]->info.name, NDP_WORD_BYTES, "%s", names[i]);
    }
    assert_int_equal(ndp_target_open_plugin(reference_plugin(), &fixture->bench.oracle, &error), NDP_OK);
    assert_int_equal(ndp_batch_new(&fixture->bench, ARENA_BYTES, &fixture->batch), NDP_OK);
    ndp_arena_init(&fixture->arena, ARENA_BYTES);
}

static inline void fixture_close(struct fixture *fixture) {
    ndp_batch_free(fixture->batch);
    for (uint32_t i = 0; i < fixture->bench.count; i++) ndp_target_close(fixture->bench.targets[i]);
    ndp_target_close(fixture->bench.oracle);
    ndp_arena_clear(&fixture->arena);
}

/* Declares and opens a fixture that is closed at the end of its block. */
#define FIXTURE(name, one, two)                                                                                        \
    struct fixture name __attribute__((cleanup(fixture_close)));                                                       \
    fixture_open(&name, one, two)

/* Memory from the fixture. */
static inline struct ndp_descriptor fixture_read(struct fixture *fixture, const char *text) {
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_ROUND_TRIP};
    struct ndp_error error = {0};
    if (ndp_descriptor_read(&fixture->arena, ndp_bytes_view(text), &ndp_describe_default_limits, &descriptor, &error) !=
        NDP_OK)
        fail_msg("%s: %s", error.path, error.text);
    return descriptor;
}

/* Runs one case with the properties that its text names. */
static inline const struct ndp_result *fixture_run(struct fixture *fixture, const char *text) {
    struct ndp_descriptor descriptor = fixture_read(fixture, text);
    const struct ndp_result *result = NULL;
    struct ndp_error error = {0};
    if (ndp_batch_run_one(fixture->batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error) != NDP_OK)
        fail_msg("%s", error.text);
    return result;
}

/* The set of one property. */
static inline struct ndp_property_set property_named(const char *name) {
    const struct ndp_property *property = ndp_property_find(name);
    if (property == NULL) fail_msg("no property %s", name);
    return ndp_property_set_of(property);
}

/* The signature or its core as text, valid until the next call. */
static inline const char *core_text(const struct ndp_signature *signature) {
    static char text[NDP_SIGNATURE_BYTES];
    ndp_signature_print_core(signature, text);
    return text;
}

static inline const char *signature_text(const struct ndp_signature *signature) {
    static char text[NDP_SIGNATURE_BYTES];
    ndp_signature_print(signature, text);
    return text;
}

/* A signature with this core. */
static inline struct ndp_signature signature_with(const char *core) {
    struct ndp_signature signature;
    char text[NDP_SIGNATURE_BYTES];
    snprintf(text, sizeof text, "%s|library", core);
    if (ndp_signature_parse(text, &signature) != NDP_OK) fail_msg("%s is not a core", core);
    return signature;
}

/* Big-endian integers 0, 1, 2, ... sent from "one" to `decoder` as npy in memory. */
#define INTEGERS(shape, rest) INTEGERS_TO(shape, "one", rest)
#define INTEGERS_TO(shape, decoder, rest)                                                                              \
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":" shape                                \
    ",\"data\":{\"pattern\":\"index\"}}}},\"route\":{\"format\":\"npy\",\"encode\":\"memory\",\"decode\":"             \
    "\"memory\",\"encoder\":\"one\",\"decoder\":\"" decoder "\"}" rest "}"

#endif
