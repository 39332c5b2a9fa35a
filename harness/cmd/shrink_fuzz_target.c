#include "cmd/shrink_fuzz_target.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "engine/minimise_bytes.h"

/* The output of one run of a fuzz target. */
#define ARENA_BYTES (UINT64_C(64) << 20)

void ndp_shrink_fuzz_target_find(struct ndp_arena *arena, const char *path, const struct ndp_fuzz_target_list *oracles,
                                 const volatile sig_atomic_t *stop, struct ndp_fuzz_target_failure *out) {
    *out = (struct ndp_fuzz_target_failure){.run_count = 0};
    for (uint32_t i = 0; i < oracles->count && out->name[0] == '\0'; i++) {
        struct ndp_error error = {0};
        const char *name = oracles->names[i];
        const enum ndp_status status = ndp_run_fuzz_target(arena, name, path, stop, &out->result, &error);
        if (status != NDP_OK) {
            fprintf(stderr, "ndproof shrink: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
            continue;
        }
        out->run_count++;
        if (out->result.verdict == NDP_VERDICT_PASS || out->result.verdict == NDP_VERDICT_FAULT) continue;
        snprintf(out->name, sizeof out->name, "%s", name);
    }
}

/* The context of the question. */
struct subject {
    const struct ndp_fuzz_target_failure *failure;
    const volatile sig_atomic_t *stop;
    char form[NDP_WORD_BYTES];
};

static enum ndp_status ask_fuzz_target(void *context, struct ndp_bytes candidate, bool *is_kept,
                                       struct ndp_error *error) {
    const struct subject *subject = context;
    const struct ndp_fuzz_target_failure *failure = subject->failure;
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_DECODE, .bytes = candidate};
    struct ndp_fuzz_target_result result;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    memcpy(descriptor.route.format, subject->form, sizeof descriptor.route.format);
    const enum ndp_status status =
        ndp_fuzz_target_case_run(&arena, failure->name, &descriptor, subject->stop, &result, error);
    *is_kept = status == NDP_OK && result.verdict == failure->result.verdict &&
               strcmp(result.signature, failure->result.signature) == 0;
    return status;
}

enum ndp_status ndp_shrink_fuzz_target(const struct ndp_fuzz_target_failure *failure, struct ndp_buffer *bytes,
                                       uint32_t max_runs, const struct ndp_minimise_limits *patience, uint32_t *runs,
                                       struct ndp_error *error) {
    struct subject subject = {.failure = failure, .stop = patience->stop};
    ndp_run_fuzz_target_form(failure->name, subject.form);
    const enum ndp_status status =
        ndp_minimise_bytes(bytes, ask_fuzz_target, &subject, max_runs, patience, runs, error);
    /* A run that the user stopped gives no answer; the search ends with the smallest bytes so far. */
    return status == NDP_GONE && ndp_minimise_is_over(patience) ? NDP_OK : status;
}

void ndp_shrink_fuzz_target_write(const char *path, struct ndp_bytes bytes) {
    char name[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path + 1);
    const int length = snprintf(name, sizeof name, "%.*sminimized-from-%s", folder, path, path + folder);
    if (length <= 0 || (size_t)length >= sizeof name) return;
    FILE *file = fopen(name, "wb");
    bool is_written = file != NULL && fwrite(bytes.data, 1, (size_t)bytes.size_bytes, file) == bytes.size_bytes;
    if (file != NULL) is_written = fclose(file) == 0 && is_written;
    if (is_written) {
        fprintf(stderr, "written: %s\n", name);
    } else {
        fprintf(stderr, "ndproof shrink: cannot write %s: %s\n", name, strerror(errno));
    }
}
