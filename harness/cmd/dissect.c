#include "cmd/dissect.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/dissect_joblib.h"
#include "cmd/dissect_npy.h"
#include "cmd/dissect_npz.h"
#include "cmd/dissect_pickle.h"
#include "cmd/draw.h"

enum { INDENT = 2, MAX_ROWS = 16 };

enum ndp_status ndp_dissect(FILE *out, struct ndp_arena *arena, const char *format, struct ndp_bytes bytes) {
    const bool is_known = strcmp(format, "npy") == 0 || strcmp(format, "npz") == 0 || strcmp(format, "pickle") == 0 ||
                          strcmp(format, "joblib") == 0;
    fprintf(out, "%" PRIu64 " bytes%s%s\n", bytes.size_bytes, is_known ? ", read as " : "", is_known ? format : "");
    if (bytes.size_bytes == 0) return NDP_OK;
    if (strcmp(format, "npy") == 0) return ndp_dissect_npy(out, INDENT, arena, bytes, bytes.size_bytes);
    if (strcmp(format, "npz") == 0) return ndp_dissect_npz(out, INDENT, arena, bytes);
    if (strcmp(format, "pickle") == 0) return ndp_dissect_pickle(out, INDENT, arena, bytes, 0);
    if (strcmp(format, "joblib") == 0) return ndp_dissect_joblib(out, INDENT, arena, bytes);
    ndp_draw_bytes(out, bytes, MAX_ROWS);
    return NDP_OK;
}
