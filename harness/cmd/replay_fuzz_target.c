#include "cmd/replay_fuzz_target.h"

#include <string.h>

/* Prints the report of fuzz target `fuzzer` and gives its result; ERROR, with the reason in `error`, if it could not
 * run or failed internally. */
static struct ndp_replay_fuzz_target print_report(const char *fuzzer, enum ndp_status status,
                                                  const struct ndp_fuzz_target_result *word, struct ndp_error *error) {
    if (status != NDP_OK) return (struct ndp_replay_fuzz_target){.result = NDP_REPLAY_ERROR};
    if (word->verdict == NDP_VERDICT_PASS) return (struct ndp_replay_fuzz_target){.result = NDP_REPLAY_HOLDS};
    if (word->verdict == NDP_VERDICT_FAULT) {
        (void)ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "%s reports: %s", fuzzer, word->signature);
        return (struct ndp_replay_fuzz_target){.result = NDP_REPLAY_ERROR, .is_fault = true};
    }
    printf("  %s reports: %s\n", fuzzer, word->signature);
    if (word->verdict == NDP_VERDICT_CRASH)
        printf("  its output:\n%.*s\n", (int)word->printed.size_bytes, (const char *)word->printed.data);
    return (struct ndp_replay_fuzz_target){.result = NDP_REPLAY_DIVERGES,
                                           .is_fatal = word->verdict != NDP_VERDICT_DIVERGES};
}

struct ndp_replay_fuzz_target ndp_replay_fuzz_target_file(struct ndp_arena *arena, const char *path,
                                                          const struct ndp_fuzz_target_list *oracles) {
    struct ndp_replay_fuzz_target all = {.result = oracles->is_artifact ? NDP_REPLAY_ERROR : NDP_REPLAY_HOLDS};
    if (oracles->is_artifact && oracles->count == 0)
        printf("  cannot run: no fuzz target binary found; run make all\n");
    for (uint32_t i = 0; i < oracles->count; i++) {
        struct ndp_error error = {0};
        struct ndp_fuzz_target_result word;
        const enum ndp_status status = ndp_run_fuzz_target(arena, oracles->names[i], path, NULL, &word, &error);
        const struct ndp_replay_fuzz_target one = print_report(oracles->names[i], status, &word, &error);
        if (one.result == NDP_REPLAY_ERROR)
            printf("  cannot run: %s\n", error.text);
        else if (one.result == NDP_REPLAY_DIVERGES || (all.result == NDP_REPLAY_ERROR && !oracles->is_absent))
            all.result = one.result;
        all.is_fatal |= one.is_fatal;
        all.is_fault |= one.is_fault;
    }
    if (all.is_fault && all.result == NDP_REPLAY_HOLDS) all.result = NDP_REPLAY_ERROR;
    return all;
}

bool ndp_replay_fuzz_target_only(const struct ndp_fuzz_target_list *oracles, struct ndp_loaded *loaded) {
    char form[NDP_WORD_BYTES];
    if (!oracles->is_named) return false;
    ndp_run_fuzz_target_form(oracles->names[0], form);
    if (strcmp(form, "descriptor") == 0) return false;
    if (strcmp(form, "frame") == 0 || strcmp(form, "memmap") == 0) return true;
    struct ndp_route *route = &loaded->cases[0].descriptor.route;
    if (loaded->cases[0].descriptor.bytes.size_bytes > 0) memcpy(route->format, form, sizeof route->format);
    return false;
}

enum ndp_replay_result ndp_replay_fuzz_target_finding(struct ndp_arena *arena, const char *fuzzer,
                                                      const struct ndp_loaded_case *item) {
    struct ndp_fuzz_target_result word;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    const enum ndp_status status = ndp_fuzz_target_case_run(arena, fuzzer, &item->descriptor, NULL, &word, &error);
    const struct ndp_replay_fuzz_target report = print_report(fuzzer, status, &word, &error);
    if (report.result == NDP_REPLAY_ERROR)
        printf("  cannot run: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
    if (report.result == NDP_REPLAY_HOLDS) return NDP_REPLAY_FIXED;
    if (report.result != NDP_REPLAY_DIVERGES) return report.result;
    return strcmp(word.signature, item->signature) == 0 ? NDP_REPLAY_DIVERGES : NDP_REPLAY_CHANGED;
}
