#include "planted/defect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 4096, ITEM_BYTES = 8 };
#define MOST_BYTES (UINT64_C(1) << 32)

/* The product of the extents that follow "'shape':" in the header. */
static uint64_t declared_elems(const char *header) {
    uint64_t product = 1;
    const char *at = strstr(header, "'shape': (");
    while (at != NULL && *at != ')' && *at != '\0') {
        char *end;
        const uint64_t extent = strtoull(at, &end, 10);
        if (end == at) {
            at++;
            continue;
        }
        at = end;
        product = extent > 0 && product > MOST_BYTES / extent ? MOST_BYTES : product * extent;
    }
    return product;
}

/* Reads the first bytes of the input, which is in memory or a file. */
static void read_header(char *header, const void *bytes, size_t size_bytes, const char *path) {
    FILE *file = bytes == NULL && path != NULL ? fopen(path, "rb") : NULL;
    if (bytes != NULL) memcpy(header, bytes, size_bytes < HEADER_BYTES ? size_bytes : HEADER_BYTES);
    if (file == NULL) return;
    if (fread(header, 1, HEADER_BYTES, file) == 0) header[0] = '\0';
    (void)fclose(file);
}

static enum ndp_plugin_result decode(NDP_DECODE_ARGUMENTS) {
    char header[HEADER_BYTES + 1] = "";
    read_header(header, bytes, size_bytes, path);
    for (uint32_t i = 0; i < HEADER_BYTES; i++) header[i] = header[i] == '\0' ? ' ' : header[i];
    const uint64_t elements = strcmp(entry->format, "npy") == 0 ? declared_elems(header) : 0;
    volatile char *room = malloc((size_t)(elements > MOST_BYTES / ITEM_BYTES ? MOST_BYTES : elements * ITEM_BYTES));
    if (room != NULL) room[0] = 0; /* keeps the compiler from removing the allocation */
    const enum ndp_plugin_result result =
        ndp_defect_decode(entry, bytes, size_bytes, path, as, out, token, refusal, NULL);
    free((void *)(uintptr_t)room);
    return result;
}
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(reserve_by_header, "strictness",
          "Memory of the size that the header declares is allocated before the data are read.", encode, decode);
