#include "model/graph/import_path.h"

#include <string.h>

static bool is_letter(uint8_t byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

/* Whether the text is names with dots between them. With `takes_calls` a name may end in "()". */
static bool is_dotted(struct ndp_bytes text, bool takes_calls) {
    uint64_t at = 0;
    while (at < text.size_bytes && is_letter(text.data[at])) {
        while (at < text.size_bytes && (is_letter(text.data[at]) || ndp_bytes_is_digit(text.data[at]))) at++;
        if (takes_calls && at + 1 < text.size_bytes && text.data[at] == '(' && text.data[at + 1] == ')') at += 2;
        if (at == text.size_bytes) return true;
        if (text.data[at++] != '.') return false;
    }
    return false;
}

bool ndp_import_path_is_valid(struct ndp_bytes text) {
    uint64_t colon = 0;
    if (text.size_bytes > NDP_IMPORT_PATH_BYTES) return false;
    while (colon < text.size_bytes && text.data[colon] != ':') colon++;
    if (colon == text.size_bytes) return false;
    const struct ndp_bytes module = {text.data, colon}, name = {text.data + colon + 1, text.size_bytes - colon - 1};
    return is_dotted(module, false) && is_dotted(name, false);
}

bool ndp_import_path_is_kept_name(struct ndp_bytes text) {
    return text.size_bytes <= NDP_IMPORT_PATH_BYTES && is_dotted(text, true);
}

struct ndp_bytes ndp_import_path_package(struct ndp_bytes path) {
    struct ndp_bytes package = {path.data, 0};
    while (package.size_bytes < path.size_bytes && path.data[package.size_bytes] != '.' &&
           path.data[package.size_bytes] != ':')
        package.size_bytes++;
    return package;
}

bool ndp_import_path_is_in(struct ndp_bytes path, const char *module) {
    const uint64_t size_bytes = strlen(module);
    if (path.size_bytes <= size_bytes || path.data[size_bytes] != ':') return false;
    return ndp_bytes_is_word((struct ndp_bytes){path.data, size_bytes}, module);
}
