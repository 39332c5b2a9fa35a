#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/script_parts.h"

/* Longer literals make no script that somebody reads. */
enum { MAX_LITERAL_BYTES = 1 << 18 };

const char *ndp_script_text(struct ndp_script *script, const char *format, ...) {
    if (script->status != NDP_OK) return "";
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : ndp_arena_alloc(script->arena, (uint64_t)length + 1);
    if (text == NULL) {
        script->status = NDP_NOMEM;
        return "";
    }
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

static void add_lines(struct ndp_script *script, struct ndp_buffer *buffer, const char *indent, const char *text) {
    while (script->status == NDP_OK && *text != '\0') {
        size_t length = strcspn(text, "\n");
        script->status = ndp_buffer_printf(buffer, "%s%.*s\n", indent, (int)length, text);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
}

void ndp_script_do(struct ndp_script *script, const char *text) {
    add_lines(script, &script->body, script->indent, text);
}

void ndp_script_define(struct ndp_script *script, const char *text) {
    add_lines(script, &script->helpers, "", text);
}

void ndp_script_refuse(struct ndp_script *script, const char *why) {
    if (script->status != NDP_OK) return;
    script->status = ndp_error_set(script->error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "%s", why);
}

/* The text of a buffer in the arena; clears the buffer. */
static const char *keep(struct ndp_script *script, struct ndp_buffer *buffer, enum ndp_status status) {
    const char *text = "";
    if (status == NDP_OK) {
        text = ndp_script_text(script, "%.*s", (int)buffer->size_bytes, (const char *)buffer->data);
    } else if (status == NDP_LIMIT) {
        ndp_script_refuse(script, "the value is too large to be written into a script");
    } else if (script->status == NDP_OK) {
        script->status = status;
    }
    ndp_buffer_clear(buffer);
    return text;
}

static enum ndp_status add_character(struct ndp_buffer *buffer, uint32_t code) {
    if (code == '"' || code == '\\') return ndp_buffer_printf(buffer, "\\%c", (char)code);
    if (code >= 32 && code < 127) return ndp_buffer_printf(buffer, "%c", (char)code);
    if (code < 256) return ndp_buffer_printf(buffer, "\\x%02x", (unsigned)code);
    return ndp_buffer_printf(buffer, code < 65536 ? "\\u%04x" : "\\U%08x", (unsigned)code);
}

/* One byte many times is the most frequent long content. */
static bool is_uniform(struct ndp_bytes bytes) {
    return bytes.size_bytes > 8 && memcmp(bytes.data, bytes.data + 1, (size_t)bytes.size_bytes - 1) == 0;
}

const char *ndp_script_bytes(struct ndp_script *script, struct ndp_bytes bytes) {
    struct ndp_buffer buffer;
    ndp_buffer_init(&buffer, MAX_LITERAL_BYTES);
    enum ndp_status status = ndp_buffer_add(&buffer, "b\"", 2);
    bool is_short = is_uniform(bytes);
    uint64_t count = is_short ? 1 : bytes.size_bytes;
    for (uint64_t i = 0; i < count && status == NDP_OK; i++) status = add_character(&buffer, bytes.data[i]);
    if (status == NDP_OK) status = ndp_buffer_add(&buffer, "\"", 1);
    if (status == NDP_OK && is_short) status = ndp_buffer_printf(&buffer, " * %" PRIu64, bytes.size_bytes);
    return keep(script, &buffer, status);
}

const char *ndp_script_string(struct ndp_script *script, struct ndp_bytes text) {
    struct ndp_buffer buffer;
    ndp_buffer_init(&buffer, MAX_LITERAL_BYTES);
    enum ndp_status status = ndp_buffer_add(&buffer, "\"", 1);
    struct ndp_cursor cursor = ndp_cursor_view(text);
    while (status == NDP_OK && ndp_cursor_left(&cursor) > 0) {
        uint32_t code = 0;
        status = ndp_text_next(&cursor, &code);
        if (status == NDP_OK) status = add_character(&buffer, code);
    }
    if (status == NDP_OK) status = ndp_buffer_add(&buffer, "\"", 1);
    return keep(script, &buffer, status);
}

const char *ndp_script_tuple(struct ndp_script *script, const int64_t *items, uint32_t count) {
    const char *text = "";
    for (uint32_t i = 0; i < count; i++) {
        text = ndp_script_text(script, "%s%s%" PRId64, text, i > 0 ? ", " : "", items[i]);
    }
    return ndp_script_text(script, "(%s%s)", text, count == 1 ? "," : "");
}
