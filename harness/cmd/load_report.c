#include "cmd/load_report.h"

#include "cmd/load_case.h"

#define REPORT_BYTES (UINT64_C(1) << 30)

bool ndp_load_report(const char *path, struct ndp_report *out) {
    NDP_ARENA_SCOPED(arena, 2 * REPORT_BYTES);
    struct ndp_bytes text = {0};
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    enum ndp_status status = ndp_load_case_file(&arena, path, REPORT_BYTES, &text, &error);
    if (status == NDP_OK) status = ndp_report_read(text, out, &error);
    if (status != NDP_OK) ndp_load_case_print_error(path, text, &error);
    return status == NDP_OK;
}
