#include "planted/defect.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/temporary.h"

static void leak_file(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    (void)defect;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/ndproof-leaked-XXXXXX", ndp_temporary_parent());
    const int file = mkstemp(path);
    if (file >= 0) (void)close(file);
}
NDP_DECODE_WITH(decode, leak_file)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(leaked_file, "leaks", "Every array creates a temporary file that stays.", encode, decode);
