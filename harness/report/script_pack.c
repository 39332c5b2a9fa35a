/* script_pack.c: statements of a script on fewer lines. No statement of a script spans lines. */
#include <string.h>

#include "report/script_parts.h"

enum { MAX_PACKED_COLUMNS = 160 };

/* Whether a line is one statement that others may stand beside. */
static bool is_simple(struct ndp_bytes line) {
    static const char *const heads[] = {
        "if ", "else:", "for ", "while ", "with ", "try:", "except ", "finally", "def ", "class ", "@", "#"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(heads); i++) {
        const size_t length = strlen(heads[i]);
        if (line.size_bytes >= length && memcmp(line.data, heads[i], length) == 0) return false;
    }
    return line.size_bytes > 0 && line.data[line.size_bytes - 1] != ':';
}

enum ndp_status ndp_script_pack(const struct ndp_buffer *body, struct ndp_buffer *out) {
    uint64_t width = 0, indent_before = 0;
    bool may_join = false;
    for (uint64_t at = 0; at < body->size_bytes;) {
        const uint8_t *end = memchr(body->data + at, '\n', (size_t)(body->size_bytes - at));
        const uint64_t length = end != NULL ? (uint64_t)(end - (body->data + at)) : body->size_bytes - at;
        uint64_t indent = 0;
        while (indent < length && body->data[at + indent] == ' ') indent++;
        const struct ndp_bytes line = {body->data + at + indent, length - indent};
        const bool is_one = is_simple(line);
        const bool joins = may_join && is_one && indent == indent_before && width + length < MAX_PACKED_COLUMNS;
        if (joins) {
            out->size_bytes--; /* the end of the line before */
            NDP_TRY(ndp_buffer_printf(out, "; "));
        } else {
            NDP_TRY(ndp_buffer_add(out, body->data + at, indent));
        }
        NDP_TRY(ndp_buffer_add(out, line.data, line.size_bytes));
        NDP_TRY(ndp_buffer_printf(out, "\n"));
        width = (joins ? width : 0) + length;
        indent_before = indent;
        may_join = is_one;
        at += length + 1;
    }
    return NDP_OK;
}
