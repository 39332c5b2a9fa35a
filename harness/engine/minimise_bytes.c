/* minimise_bytes.c: minimises bytes whose format is unknown.
 *
 * Problem. The input of a decoder that crashes has thousands of bytes, of which a few matter. Their format is unknown:
 * the input may be broken on purpose.
 *
 * Method. Delta debugging (Zeller and Hildebrandt, IEEE TSE 28(2), 2002) in its greedy form. Runs of bytes are removed,
 * from the end to the start: first halves, then quarters, down to single bytes. Then runs that are not zero become
 * zero, in the same order. Both repeat until a whole round changes nothing.
 *
 * Cost. About twice the number of remaining bytes per round, and at most `max_runs` questions. Each question copies the
 * bytes.
 *
 * Limits. The result is a local minimum: a format with lengths and checksums keeps bytes that could only be removed
 * together with a change elsewhere.
 */
#include "engine/minimise_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "engine/case.h"

enum { CHANCE_RUNS = 6 };
#define MAX_TEXT_BYTES (UINT64_C(64) << 20)
#define ARENA_BYTES    (UINT64_C(1) << 30)

struct search {
    struct ndp_buffer *bytes;
    uint8_t *candidate; /* room for the bytes */
    ndp_minimise_bytes_question *ask;
    void *context;
    const struct ndp_minimise_limits *patience;
    uint32_t max_runs;
    uint32_t runs;
    bool has_progress; /* in this round */
    struct ndp_error *error;
};

static bool is_over(const struct search *search) {
    return search->runs >= search->max_runs || ndp_minimise_is_over(search->patience);
}

/* Asks about the candidate and takes it if it is kept. */
static enum ndp_status try_candidate(struct search *search, uint64_t size_bytes, bool *is_kept) {
    search->runs++;
    NDP_TRY(search->ask(search->context, (struct ndp_bytes){search->candidate, size_bytes}, is_kept, search->error));
    if (!*is_kept) return NDP_OK;
    memcpy(search->bytes->data, search->candidate, (size_t)size_bytes);
    search->bytes->size_bytes = size_bytes;
    search->has_progress = true;
    return NDP_OK;
}

static enum ndp_status try_without(struct search *search, uint64_t start, uint64_t end) {
    const struct ndp_buffer *bytes = search->bytes;
    const uint64_t left = bytes->size_bytes - (end - start);
    bool is_kept = false;
    if (left == 0) return NDP_OK;
    memcpy(search->candidate, bytes->data, (size_t)start);
    memcpy(search->candidate + start, bytes->data + end, (size_t)(bytes->size_bytes - end));
    return try_candidate(search, left, &is_kept);
}

static enum ndp_status try_zeros(struct search *search, uint64_t start, uint64_t end) {
    const struct ndp_buffer *bytes = search->bytes;
    bool is_kept = false, is_zero = true;
    for (uint64_t i = start; i < end && is_zero; i++) is_zero = bytes->data[i] == 0;
    if (is_zero) return NDP_OK;
    memcpy(search->candidate, bytes->data, (size_t)bytes->size_bytes);
    memset(search->candidate + start, 0, (size_t)(end - start));
    return try_candidate(search, bytes->size_bytes, &is_kept);
}

/* Tries a change of every run of bytes, in runs of half the bytes, a quarter, and so on. A run before a removed one
 * keeps its place, because the runs are tried from the end. */
static enum ndp_status try_runs(struct search *search, uint64_t longest,
                                enum ndp_status (*change)(struct search *search, uint64_t start, uint64_t end)) {
    for (uint64_t run = longest; run > 0; run /= 2) {
        for (uint64_t end = search->bytes->size_bytes; end > 0 && !is_over(search);) {
            const uint64_t start = end > run ? end - run : 0;
            NDP_TRY(change(search, start, end));
            end = start;
        }
    }
    return NDP_OK;
}

static enum ndp_status run_search(struct search *search) {
    do {
        search->has_progress = false;
        NDP_TRY(try_runs(search, (search->bytes->size_bytes + 1) / 2, try_without));
        NDP_TRY(try_runs(search, search->bytes->size_bytes, try_zeros));
    } while (search->has_progress && !is_over(search));
    return NDP_OK;
}

enum ndp_status ndp_minimise_bytes(struct ndp_buffer *bytes, ndp_minimise_bytes_question *ask, void *context,
                                   uint32_t max_runs, const struct ndp_minimise_limits *patience, uint32_t *runs,
                                   struct ndp_error *error) {
    struct search search = {.bytes = bytes,
                            .candidate = malloc((size_t)bytes->size_bytes + 1),
                            .ask = ask,
                            .context = context,
                            .patience = patience,
                            .max_runs = max_runs,
                            .error = error};
    if (search.candidate == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory for the bytes");
    const enum ndp_status status = run_search(&search);
    free(search.candidate);
    *runs = search.runs;
    return status;
}

/* ---- decode cases ---- */

/* The context of the question. */
struct subject {
    struct ndp_batch *batch;
    const struct ndp_signature *wanted;
    struct ndp_descriptor descriptor;
};

/* Whether the case of these bytes shows a divergence with the core; a hazard, every time. */
static enum ndp_status ask_batch(void *context, struct ndp_bytes candidate, bool *is_kept, struct ndp_error *error) {
    struct subject *subject = context;
    const struct ndp_result *result;
    const uint32_t times = subject->wanted->is_hazard ? CHANCE_RUNS : 1;
    subject->descriptor.bytes = candidate;
    *is_kept = true;
    for (uint32_t i = 0; i < times && *is_kept; i++) {
        NDP_TRY(
            ndp_batch_run_one(subject->batch, 0, &subject->descriptor, (struct ndp_property_set){0}, &result, error));
        *is_kept = ndp_result_find(result, subject->wanted) != NULL;
    }
    return NDP_OK;
}

/* Fills `bytes` with the input of a decode case without a fault; leaves it empty for other cases. */
static enum ndp_status find_input(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                                  struct ndp_buffer *bytes, struct ndp_error *error) {
    struct ndp_bytes input = descriptor->bytes;
    if (descriptor->kind != NDP_CASE_DECODE || descriptor->fault.name[0] != '\0') return NDP_OK;
    if (input.data == NULL && descriptor->file[0] != '\0') {
        ndp_batch_clear(batch);
        NDP_TRY(ndp_case_read_file(batch, descriptor->file, &input, error));
    }
    return ndp_buffer_add(bytes, input.data, input.size_bytes);
}

static bool is_changed(const struct ndp_buffer *bytes, uint64_t size_bytes, uint64_t nonzero_bytes) {
    uint64_t nonzero = 0;
    for (uint64_t i = 0; i < bytes->size_bytes; i++) nonzero += bytes->data[i] != 0;
    return bytes->size_bytes < size_bytes || nonzero < nonzero_bytes;
}

static enum ndp_status minimise_input(struct subject *subject, struct ndp_buffer *bytes, struct ndp_buffer *text,
                                      uint32_t max_runs, const struct ndp_minimise_limits *patience, uint32_t *runs,
                                      struct ndp_error *error) {
    const uint64_t size_bytes = bytes->size_bytes;
    uint64_t nonzero = 0;
    for (uint64_t i = 0; i < size_bytes; i++) nonzero += bytes->data[i] != 0;
    /* Changed bytes are no longer those of the file, whose expectation is unknown. */
    subject->descriptor.file[0] = '\0';
    subject->descriptor.expect = NDP_EXPECT_OPEN;
    NDP_TRY(ndp_minimise_bytes(bytes, ask_batch, subject, max_runs, patience, runs, error));
    if (!is_changed(bytes, size_bytes, nonzero)) return NDP_OK;
    subject->descriptor.bytes = ndp_buffer_view(bytes);
    text->size_bytes = 0;
    return ndp_descriptor_print(text, &subject->descriptor);
}

enum ndp_status ndp_minimise_case_bytes(struct ndp_batch *batch, struct ndp_buffer *text,
                                        const struct ndp_signature *wanted, uint32_t max_runs,
                                        const struct ndp_minimise_limits *patience, uint32_t *runs,
                                        struct ndp_error *error) {
    struct subject subject = {.batch = batch, .wanted = wanted};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_BUFFER_SCOPED(bytes, MAX_TEXT_BYTES);
    *runs = 0;
    enum ndp_status status =
        ndp_descriptor_read(&arena, ndp_buffer_view(text), &ndp_describe_default_limits, &subject.descriptor, error);
    if (status == NDP_OK) status = find_input(batch, &subject.descriptor, &bytes, error);
    if (status == NDP_OK && bytes.size_bytes > 0)
        status = minimise_input(&subject, &bytes, text, max_runs, patience, runs, error);
    return status;
}
