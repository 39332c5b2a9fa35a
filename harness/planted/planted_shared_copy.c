#include "planted/defect.h"

#include <string.h>

static enum ndp_plugin_result decode(NDP_DECODE_ARGUMENTS) {
    static const struct ndp_plugin_entry other = {"npy", "mmap:r+", false, true};
    const struct ndp_plugin_entry raw = {"raw", other.entry, false, true};
    const bool is_hit = strcmp(entry->entry, "mmap:c") == 0;
    const struct ndp_plugin_entry *taken = !is_hit ? entry : strcmp(entry->format, "raw") == 0 ? &raw : &other;
    return ndp_defect_decode(taken, bytes, size_bytes, path, as, out, token, refusal, NULL);
}
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(shared_copy, "memmap", "Mode c maps shared pages: writes reach the file.", encode, decode);
