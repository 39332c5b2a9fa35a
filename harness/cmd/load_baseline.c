#include "cmd/load_baseline.h"

#include <stdio.h>
#include <time.h>

#include "cmd/load_case.h"

#define BASELINE_BYTES (UINT64_C(64) << 20)

bool ndp_load_baseline(struct ndp_arena *arena, const char *path, struct ndp_baseline *out) {
    struct ndp_bytes text = {0};
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    if (ndp_load_case_file(arena, path, BASELINE_BYTES, &text, &error) == NDP_OK &&
        ndp_baseline_read(arena, path, text, out, &error) == NDP_OK)
        return true;
    ndp_load_case_print_error(path, text, &error);
    return false;
}

void ndp_load_baseline_today(char out[NDP_DAY_BYTES]) {
    const time_t now = time(NULL);
    struct tm day;
    out[0] = '\0';
    if (gmtime_r(&now, &day) != NULL && strftime(out, NDP_DAY_BYTES, "%Y-%m-%d", &day) == 0) out[0] = '\0';
}
