/* route_text.c: short texts for messages: a route as one word, a position as line and column. */
#include <stdio.h>
#include <string.h>

#include "describe/descriptor.h"

void ndp_descriptor_print_route(const struct ndp_route *route, char *out) {
    char protocol[16] = "";
    char offset[32] = "";
    const char *history = ndp_history_words[route->history];
    const char *mark = history[0] != '\0' ? "~" : "";
    bool has_protocol = route->protocol != 0 || strcmp(route->format, "pickle") == 0;
    if (has_protocol) snprintf(protocol, sizeof protocol, "%d", route->protocol);
    if (route->offset_bytes != 0) snprintf(offset, sizeof offset, "+%llu", (unsigned long long)route->offset_bytes);
    if (route->is_transport) {
        snprintf(out, NDP_ROUTE_TEXT_BYTES, "%s%s%s%s%s%s%s%s", route->format, protocol,
                 route->encode[0] != '\0' ? ":" : "", route->encode, route->map_mode[0] != '\0' ? "," : "",
                 route->map_mode, mark, history);
        return;
    }
    snprintf(out, NDP_ROUTE_TEXT_BYTES, "%s%s%s%s%s%s%s%s%s%s%s", route->format, protocol, offset,
             route->encode[0] != '\0' ? ":" : "", route->encode, route->decode[0] != '\0' ? ">" : "", route->decode,
             route->buffers[0] != '\0' ? "/" : "", route->buffers, mark, history);
}

void ndp_descriptor_text_place(struct ndp_bytes text, uint64_t offset_bytes, uint64_t *line, uint64_t *column) {
    uint64_t end_bytes = offset_bytes < text.size_bytes ? offset_bytes : text.size_bytes;
    uint64_t lines = 1;
    uint64_t start_bytes = 0;
    for (uint64_t i = 0; i < end_bytes; i++) {
        if (text.data[i] != '\n') continue;
        lines++;
        start_bytes = i + 1;
    }
    *line = lines;
    *column = end_bytes - start_bytes + 1;
}
