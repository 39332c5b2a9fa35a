#include "runtime/skip_reasons.h"

#include "fuzz.h"

enum { MAX_REASONS = 64, REASON_BYTES = 100, TOLD = 8 };

/* The last entry collects the reasons without an entry. */
static struct {
    char text[REASON_BYTES];
    uint64_t count;
} reasons[MAX_REASONS + 1];
static uint32_t reason_count;

static void tell(void) {
    for (int told = 0; told < TOLD; told++) {
        uint32_t most = 0;
        for (uint32_t i = 1; i <= MAX_REASONS; i++)
            if (reasons[i].count > reasons[most].count) most = i;
        if (reasons[most].count == 0) return;
        fprintf(stderr, "ndproof: fuzz_%s: not executed %llu times: %s\n", fuzz_name,
                (unsigned long long)reasons[most].count, reasons[most].text);
        reasons[most].count = 0;
    }
}

void fuzz_skip_reason(const char *reason) {
    char text[REASON_BYTES];
    snprintf(text, sizeof text, "%s", reason);
    uint32_t at = 0;
    while (at < reason_count && strcmp(reasons[at].text, text) != 0) at++;
    if (reason_count == 0) FUZZ_CHECK(atexit(tell) == 0);
    if (at == reason_count && at < MAX_REASONS) memcpy(reasons[reason_count++].text, text, sizeof text);
    if (at == MAX_REASONS) snprintf(reasons[at].text, sizeof reasons[at].text, "other reasons");
    reasons[at].count++;
}
