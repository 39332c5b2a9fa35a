#include "cmd/withhold.h"

#include <stdio.h>
#include <string.h>

#include "cmd/run_fuzz_target.h"

static struct ndp_withheld withheld;
static bool is_withholding;
static bool is_trusting; /* the command takes --trust, and has it */

void ndp_withhold_start(const struct ndp_settings *settings, uint64_t options) {
    is_withholding = (options & NDP_OPTION_BIT(TRUST)) != 0 && !settings->is_trusted;
    is_trusting = settings->is_trusted;
}

struct ndp_withheld *ndp_withhold_list(void) {
    return is_withholding ? &withheld : NULL;
}

bool ndp_withhold_fuzz_target(const char *name) {
    static const char *const libraries[] = {"numpy", "joblib", "cloudpickle", "dill"};
    char form[NDP_WORD_BYTES];
    ndp_run_fuzz_target_form(name, form);
    /* "fuzz_joblib" runs the reference, "fuzz_joblib_joblib" the library. A descriptor may contain bytes, too. */
    const char *last = strrchr(name, '_');
    const bool is_plain = last == NULL || last == strchr(name, '_');
    if (!is_withholding || is_plain || !ndp_withheld_format(form) || strcmp(form, "memmap") == 0) return false;
    for (size_t i = 0; i < NDP_ARRAY_LEN(libraries); i++) {
        if (strcmp(last + 1, libraries[i]) != 0) continue;
        ndp_withheld_add(&withheld, libraries[i], form);
        return true;
    }
    return false;
}

void ndp_withhold_end_case(const struct ndp_bench *bench, const struct ndp_descriptor *descriptor) {
    uint64_t outlived = 0;
    if (!is_trusting || descriptor->kind != NDP_CASE_DECODE || !ndp_withheld_format(descriptor->route.format)) return;
    for (uint32_t i = 0; i < bench->count; i++) {
        struct ndp_target *target = bench->targets[i];
        const uint64_t before = target->counts.orphans;
        /* A target that cannot start again fails the next case, with the reason. */
        if (target->ops->refresh(target, NULL) != NDP_OK) continue;
        outlived += target->counts.orphans - before;
    }
    if (outlived > 0) printf("  ended %llu processes that outlived the case\n", (unsigned long long)outlived);
}

enum ndp_exit ndp_withhold_finish(enum ndp_exit code) {
    if (withheld.count == 0) return code;
    printf("NOT RUN without --trust:");
    for (uint32_t i = 0; i < withheld.count; i++) {
        const char *library = withheld.list[i].library, *format = withheld.list[i].format;
        printf("%s %s%s%s", i > 0 ? "," : "", library, strcmp(library, format) != 0 ? " " : "",
               strcmp(library, format) != 0 ? format : "");
    }
    printf(". They may run code that the file contains; --trust gives it to them, inside their protection.\n");
    return code == NDP_EXIT_CLEAN ? NDP_EXIT_VACUOUS : code;
}
