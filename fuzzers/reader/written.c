#include "reader/written.h"

#include <string.h>

enum { ALIGN_BYTES = 64, GROWTH_DIGITS = 21, SHORT_PREFIX_BYTES = 10, LONG_PREFIX_BYTES = 12 };

/* What stands behind the type. */
static enum ndp_status add_tail(struct ndp_buffer *out, const struct ndp_npy_header *header) {
    NDP_TRY(ndp_buffer_printf(out, ", 'fortran_order': %s, 'shape': (", header->is_fortran_order ? "True" : "False"));
    for (uint32_t k = 0; k < header->ndim; k++)
        NDP_TRY(ndp_buffer_printf(out, k > 0 ? ", %lld" : "%lld", (long long)header->shape[k]));
    return ndp_buffer_printf(out, header->ndim == 1 ? ",), }" : "), }");
}

static bool begins(struct ndp_bytes text, const char *word) {
    return text.size_bytes >= strlen(word) && memcmp(text.data, word, strlen(word)) == 0;
}

/* The spaces that another number of the axis, of up to 21 digits, would take. */
static uint64_t spare_bytes(const struct ndp_npy_header *header) {
    uint64_t spare = GROWTH_DIGITS;
    if (header->ndim == 0) return 0;
    int64_t extent = header->shape[header->is_fortran_order ? header->ndim - 1 : 0];
    for (spare--; extent > 9; extent /= 10) spare--;
    return spare;
}

static uint64_t padded_bytes(uint64_t size_bytes) {
    return (size_bytes / ALIGN_BYTES + 1) * ALIGN_BYTES;
}

/* Whether the version is the first that has room for a text of so many bytes, newline included, and its characters. */
static bool is_version(struct ndp_bytes text, uint64_t size_bytes, uint8_t major) {
    bool is_beyond_latin1 = false;
    for (uint64_t i = 0; i < text.size_bytes; i++) is_beyond_latin1 |= text.data[i] > 0xc3;
    if (major == 3) return is_beyond_latin1;
    const bool fits = padded_bytes(SHORT_PREFIX_BYTES + size_bytes) - SHORT_PREFIX_BYTES <= UINT16_MAX;
    return major == (fits ? 1 : 2);
}

/* Not one of ASCII or latin-1 that repr() leaves as it is. */
static bool is_escaped(uint64_t value) {
    return value < 0x20 || (value >= 0x7f && value <= 0xa0) || value == 0xad || value > 0xff;
}

/* Goes past what follows a backslash: a letter where there is one, and as few small digits as say the character. */
static bool skip_escape(struct ndp_bytes text, uint64_t *at) {
    static const char digits[] = "0123456789abcdef";
    uint64_t value = 0;
    const uint8_t letter = *at < text.size_bytes ? text.data[*at] : 0;
    const uint64_t count = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    ++*at;
    if (count == 0) return letter != 0 && strchr("\\'nrt", letter) != NULL;
    for (const uint64_t end = *at + count; *at < end; ++*at) {
        const char *digit = *at < text.size_bytes && text.data[*at] > 0 ? strchr(digits, text.data[*at]) : NULL;
        if (!digit) return false;
        value = value << 4 | (uint64_t)(digit - digits);
    }
    if (letter == 'x') return is_escaped(value) && !(value != 0 && value < 0x20 && strchr("\t\n\r", (int)value));
    return letter == 'u' ? value > 0xff : value > 0xffff;
}

/* Goes past a string. Source: CPython 3.11, Objects/unicodeobject.c, unicode_repr; which characters beyond latin-1 are
 * printed is not known here. */
static bool skip_string(struct ndp_bytes text, bool is_latin1, uint64_t *at) {
    const uint8_t quote = text.data[(*at)++];
    bool has_single = false, has_double = false;
    while (*at < text.size_bytes && text.data[*at] != quote) {
        const uint8_t c = text.data[(*at)++];
        has_single |= c == '\'' || (c == '\\' && *at < text.size_bytes && text.data[*at] == '\'');
        has_double |= c == '"';
        if (c == '\\' ? !skip_escape(text, at) : is_escaped(c) && (c < 0x80 || is_latin1)) return false;
    }
    if (*at >= text.size_bytes) return false;
    ++*at;
    return quote == '"' ? has_single && !has_double : !has_single || has_double;
}

static bool are_strings(struct ndp_bytes text, bool is_latin1) {
    for (uint64_t at = 0; at < text.size_bytes;) {
        if (text.data[at] != '\'' && text.data[at] != '"')
            at++;
        else if (!skip_string(text, is_latin1, &at))
            return false;
    }
    return true;
}

bool fuzz_is_written(struct ndp_bytes file, const struct ndp_npy_header *header) {
    const uint64_t start = header->major == 1 ? SHORT_PREFIX_BYTES : LONG_PREFIX_BYTES;
    uint64_t end = header->data_offset_bytes - 1;
    struct ndp_buffer tail = {.max_bytes = 1 << 12};
    if (end <= start || end >= file.size_bytes + 1 || file.data[end] != '\n') return false;
    while (end > start && file.data[end - 1] == ' ') end--;
    const struct ndp_bytes text = {file.data + start, end - start};
    const uint64_t size = text.size_bytes + spare_bytes(header) + 1;
    const bool has_tail =
        add_tail(&tail, header) == NDP_OK && text.size_bytes > tail.size_bytes &&
        memcmp(text.data + text.size_bytes - tail.size_bytes, tail.data, (size_t)tail.size_bytes) == 0;
    ndp_buffer_clear(&tail);
    return has_tail && begins(text, "{'descr': ") && header->data_offset_bytes == padded_bytes(start + size) &&
           is_version(text, size, header->major) && are_strings(text, header->major != 3);
}

/* Goes past a number without a zero before it, at least so large. */
static bool skip_number(struct ndp_bytes text, uint64_t *at, uint64_t least) {
    const uint64_t start = *at;
    uint64_t number = 0;
    for (; *at < text.size_bytes && text.data[*at] >= '0' && text.data[*at] <= '9'; ++*at)
        number = number > UINT32_MAX ? number : number * 10 + (text.data[*at] - UINT64_C(48));
    return *at > start && number >= least && (text.data[start] != '0' || *at == start + 1);
}

static bool is_type(struct ndp_bytes text) {
    const bool has_sign = text.size_bytes > 0 && memchr("<>|", text.data[0], 3) != NULL;
    uint64_t at = has_sign ? 1 : 0;
    if (at == text.size_bytes || !memchr("biufcSUVmM", text.data[at], 10)) return false;
    if (!has_sign && (!memchr("biu", text.data[at], 3) || text.size_bytes != 2 || text.data[1] != '1')) return false;
    at++;
    if (!skip_number(text, &at, 0)) return false;
    if (at == text.size_bytes) return true;
    if (text.data[at++] != '[' || text.data[text.size_bytes - 1] != ']') return false;
    return text.data[at] > '9' || skip_number(text, &at, 2);
}

static uint64_t behind_spaces(struct ndp_bytes text, uint64_t at) {
    while (at < text.size_bytes && memchr(" \t\r\n", text.data[at], 4)) at++;
    return at;
}

/* Whether what stands at `at`, behind a key, is the text of a type that a writer spells, or no one text at all. */
static bool is_type_at(struct ndp_bytes header, uint64_t at) {
    at = behind_spaces(header, at);
    if (at == header.size_bytes || header.data[at] != ':') return true;
    at = behind_spaces(header, at + 1);
    if (at == header.size_bytes || (header.data[at] != '\'' && header.data[at] != '"')) return true;
    const uint8_t *text = header.data + at + 1;
    const uint8_t *end = memchr(text, header.data[at], (size_t)(header.size_bytes - at - 1));
    if (!end || end + 1 == header.data + header.size_bytes || end[1] != ',') return true;
    return is_type((struct ndp_bytes){text, (uint64_t)(end - text)});
}

/* Whether a literal may go on in another one behind it, which makes any key of the two. */
static bool goes_on(struct ndp_bytes text) {
    for (uint64_t at = 0; at < text.size_bytes; at++) {
        if (text.data[at] == '#') return true; /* what is said behind it may stand between two */
        if (text.data[at] != '\'' && text.data[at] != '"') continue;
        uint64_t next = behind_spaces(text, at + 1);
        while (next < text.size_bytes && memchr("bBfFrRuU", text.data[next], 8)) next++;
        if (next < text.size_bytes && (text.data[next] == '\'' || text.data[next] == '"')) return true;
    }
    return false;
}

/* Whether a dict stands in the header's own, which has keys of its own. */
static bool has_dict_inside(struct ndp_bytes text) {
    const uint8_t *first = memchr(text.data, '{', (size_t)text.size_bytes);
    return first && memchr(first + 1, '{', (size_t)(text.data + text.size_bytes - first - 1)) != NULL;
}

bool fuzz_is_written_type(struct ndp_bytes file, const struct ndp_npy_header *header) {
    static const char *const keys[] = {"'descr'", "\"descr\""};
    const struct ndp_bytes text = {file.data, header->data_offset_bytes};
    const uint64_t size = strlen(keys[0]);
    bool is_so = true; /* of equal keys the last counts */
    /* What is escaped may be any key, or the end of none. */
    if (header->dtype->kind == NDP_KIND_STRUCT || memchr(text.data, '\\', (size_t)text.size_bytes) || goes_on(text) ||
        has_dict_inside(text))
        return true;
    for (uint64_t at = 0; at + size < text.size_bytes; at++)
        if (memcmp(text.data + at, keys[0], size) == 0 || memcmp(text.data + at, keys[1], size) == 0)
            is_so = is_type_at(text, at + size);
    return is_so;
}
