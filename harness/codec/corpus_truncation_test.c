/* corpus_truncation_test.c: decodes every file of the corpus with every decoder of its format: completely, through
 * every entry point with the same result, and truncated at every byte. Each decoded value is encoded in every possible
 * form and decoded again. */
#include "base/suite.h"
#include "codec/corpus_forms.h"

enum { CUTS_MAX = 300 }; /* per file: all cuts of a small file; both ends and samples in between of a large one */

/* Decodes the first `size_bytes` bytes in an exact-size block. */
static enum ndp_status decode_prefix(decode *entry, const char *path, struct ndp_bytes bytes, uint64_t size_bytes,
                                     subject_use *use, uint64_t *consumed_bytes) {
    struct run run = {.path = path, .use = use, .context = &run};
    uint8_t *exact = malloc(size_bytes == 0 ? 1 : (size_t)size_bytes);
    assert_non_null(exact);
    if (size_bytes > 0) memcpy(exact, bytes.data, (size_t)size_bytes);
    run.bytes = (struct ndp_bytes){exact, size_bytes};
    ndp_arena_init(&run.arena, UINT64_C(1) << 28);
    const enum ndp_status status = entry(&run);
    *consumed_bytes = run.consumed_bytes;
    ndp_arena_clear(&run.arena);
    free(exact);
    return status;
}

/* A truncated stream of a graph is refused. A changed one is refused or another graph. */
static void change_stream(struct ndp_arena *arena, const struct made *made) {
    for (uint64_t at = 0; at < made->bytes.size_bytes && at < CUTS_MAX; at++) {
        struct ndp_graph graph;
        uint8_t *byte = &made->bytes.data[at], before = *byte;
        const enum ndp_status cut =
            ndp_graph_stream_read(arena, (struct ndp_bytes){made->bytes.data, at}, &graph, NULL);
        assert_true(cut == NDP_TRUNCATED || cut == NDP_INVALID);
        static const uint8_t changes[] = {1, 2, 0x80, 0xff};
        for (size_t i = 0; i < NDP_ARRAY_LEN(changes); i++) {
            *byte = before ^ changes[i];
            const enum ndp_status status = ndp_graph_stream_read(arena, ndp_buffer_view(&made->bytes), &graph, NULL);
            assert_true(status != NDP_NOMEM && status != NDP_FAULT);
        }
        *byte = before;
    }
}

static void into_every_form(void *context, const struct subject *subject) {
    const struct run *run = context;
    for (size_t i = 0; i < NDP_ARRAY_LEN(forms); i++) {
        for (uint32_t k = 0; form_takes(&forms[i], subject) && k < forms[i].count; k++) {
            struct ndp_error error = {.status = NDP_OK};
            struct made made;
            NDP_ARENA_SCOPED(arena, UINT64_C(1) << 28);
            made_init(&made);
            enum ndp_status status = forms[i].make(&arena, subject, k, &made, &error);
            const bool is_made = status == NDP_OK;
            if (is_made) status = forms[i].again(&arena, subject, &made, &error);
            if (is_made ? status != NDP_OK : !is_refused(status))
                fail_msg("%s, as %s %u, %s: %s", run->path, forms[i].name, k, is_made ? "back" : "made", error.text);
            if (is_made && forms[i].make == make_stream) change_stream(&arena, &made);
            made_clear(&made);
        }
    }
}

static void decode_completely(const struct entry_point *entry, const char *path, struct ndp_bytes bytes) {
    uint64_t ignored;
    const bool is_large = bytes.size_bytes > NDP_CORPUS_FILE_BYTES / 16; /* or may grow to be */
    const enum ndp_status status = decode_prefix(entry->decode, path, bytes, bytes.size_bytes,
                                                 is_large || entry->same != NULL ? NULL : into_every_form, &ignored);
    if (entry->has_expectation && (status == NDP_OK) != (strstr(path, "/accept/") != NULL))
        fail_msg("%s, %s: %s", path, entry->name, ndp_status_name(status));
    if (entry->same == NULL) return;
    const enum ndp_status same = decode_prefix(entry->same, path, bytes, bytes.size_bytes, NULL, &ignored);
    if (status != same)
        fail_msg("%s, %s: %s, but %s through another entry point", path, entry->name, ndp_status_name(status),
                 ndp_status_name(same));
}

static void every_entry_point_gives_the_same_result(void **state) {
    const uint32_t accepted = each_file("accept", decode_completely);
    if (accepted == 0) skip();
    assert_true(accepted > 200);
    assert_true(each_file("refuse", decode_completely) > 200);
    assert_true(each_file("open", decode_completely) > 50);
}

/* Returns the next cut after `at` of a file of `size_bytes`. */
static uint64_t next_cut(uint64_t at, uint64_t size_bytes) {
    const uint64_t end = CUTS_MAX / 3;
    if (size_bytes <= CUTS_MAX || at < end || at + end >= size_bytes) return at + 1;
    const uint64_t step = (size_bytes - 2 * end) / (CUTS_MAX - 2 * end) + 1;
    return at + step + end < size_bytes ? at + step : size_bytes - end;
}

static void decode_cuts(const struct entry_point *entry, const char *path, struct ndp_bytes bytes) {
    uint64_t consumed, ignored;
    if (entry->is_by_name) return;
    /* Graph decoders do not report the end of their pickle. */
    decode *const measure = entry->decode == pickle_graph   ? objects_memory
                            : entry->decode == joblib_graph ? dump_memory
                                                            : entry->decode;
    const enum ndp_status all = decode_prefix(entry->decode, path, bytes, bytes.size_bytes, NULL, &ignored);
    (void)decode_prefix(measure, path, bytes, bytes.size_bytes, NULL, &consumed);
    const uint64_t needed = all != NDP_OK ? 0 : consumed > 0 ? consumed : bytes.size_bytes;
    for (uint64_t size = 0; size < bytes.size_bytes; size = next_cut(size, bytes.size_bytes)) {
        const enum ndp_status status = decode_prefix(entry->decode, path, bytes, size, NULL, &ignored);
        if (status == NDP_OK && size < needed)
            fail_msg("%s, %s: accepted with %llu bytes", path, entry->name, (unsigned long long)size);
        if (status == NDP_NOMEM || status == NDP_FAULT || status == NDP_IO)
            fail_msg("%s, %s: %s with %llu bytes", path, entry->name, ndp_status_name(status),
                     (unsigned long long)size);
    }
}

static void every_cut_is_refused(void **state) {
    const uint32_t accepted = each_file("accept", decode_cuts);
    if (accepted == 0) skip();
    assert_true(each_file("refuse", decode_cuts) > 200);
    assert_true(each_file("open", decode_cuts) > 50);
}

NDP_SUITE(corpus_truncation_test, NDP_TEST(every_entry_point_gives_the_same_result), NDP_TEST(every_cut_is_refused));
