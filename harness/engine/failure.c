/* failure.c: normalises error texts, and names the direction of a refusal.
 *
 * Problem. The same defect shows with thousands of values, and its error texts contain their names, sizes and
 * addresses.
 *
 * Method. A text is read once. A quoted part, <...> included, becomes "?"; words of a quoted part are names, and become
 * "?" wherever they occur later in the text. A word with a digit becomes "#". Equal marks that follow each other become
 * one. The text is cut, because libraries append values to the end of a message. The part behind a name and a colon is
 * left out, because it explains that name ("Can't pickle ?: it's not found as ?").
 *
 * Limits. Messages of a library that differ only in an unquoted name without digits are two failures.
 */
#include "engine/failure.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NAMES = 16 };

struct names {
    struct ndp_bytes list[MAX_NAMES];
    uint32_t count;
};

static bool is_word_char(char c) {
    return isalnum((unsigned char)c) != 0 || c == '_';
}

static void keep_name(struct names *names, const char *text, size_t length) {
    if (length > 0 && names->count < MAX_NAMES)
        names->list[names->count++] = (struct ndp_bytes){(const uint8_t *)text, length};
}

/* Keeps the content of a quotation, those of quotations in it, and its words. */
static void keep_names(struct names *names, const char *text, size_t length) {
    size_t open = 0;
    for (size_t at = 0; at < length; at++) {
        if (strchr("'\"`", text[at]) == NULL) continue;
        if (open > 0) keep_name(names, text + open, at - open);
        open = open > 0 ? 0 : at + 1;
    }
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && is_word_char(text[end])) end++;
        keep_name(names, text + at, end - at);
        at = end > at ? end : at + 1;
    }
}

/* The length of the longest name at `text`; 0 if there is none. */
static size_t name_length(const struct names *names, const char *text) {
    size_t longest = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        const size_t length = (size_t)names->list[i].size_bytes;
        if (strncmp(text, (const char *)names->list[i].data, length) != 0 || is_word_char(text[length])) continue;
        if (length > longest) longest = length;
    }
    return longest;
}

/* The length of the quoted part at `text` with its quotes; 0 if none begins there. An apostrophe in a word, as in
 * "can't", begins none. A part without its end, which was cut, reaches to the end. */
static size_t quoted_length(const char *text, bool follows_word) {
    if (follows_word || strchr("'\"`<", *text) == NULL) return 0;
    if (*text != '<') {
        const char *end = strchr(text + 1, *text);
        return end != NULL ? (size_t)(end - text) + 1 : strlen(text);
    }
    /* Angle brackets nest: <ufunc '<lambda> (vectorized)'>. */
    int depth = 0;
    for (const char *at = text; *at != '\0'; at++) {
        depth += (*at == '<') - (*at == '>');
        if (depth == 0) return (size_t)(at - text) + 1;
    }
    return strlen(text);
}

/* The length of the word at `text`: characters up to a space or a quote, without punctuation at its end. A closing
 * bracket belongs to a word that has an opening one. */
static size_t word_length(const char *text) {
    if (strchr("([{", *text) != NULL) return 1;
    size_t length = strcspn(text, " \t\n'\"`<");
    const bool has_bracket = memchr(text, '[', length) != NULL || memchr(text, '(', length) != NULL;
    while (length > 1 && strchr(has_bracket ? ".,:;" : ".,:;)]}", text[length - 1]) != NULL) length--;
    return length;
}

static void add_mark(char *out, size_t *at, char mark) {
    size_t end = *at;
    while (end > 0 && strchr(" ,([{", out[end - 1]) != NULL) end--;
    if (end > 0 && out[end - 1] == mark) {
        *at = end;
    } else if (*at + 1 < NDP_FAILURE_TEXT_BYTES) {
        out[(*at)++] = mark;
    }
}

static bool has_digit(const char *word, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (isdigit((unsigned char)word[i]) != 0) return true;
    return false;
}

static void add_text(char *out, size_t *at, const char *text, size_t length) {
    for (size_t i = 0; i < length && *at + 1 < NDP_FAILURE_TEXT_BYTES; i++) {
        const char c = text[i] == '|' || (unsigned char)text[i] < ' ' ? ' ' : text[i];
        if (c == ' ' && (*at == 0 || out[*at - 1] == ' ')) continue;
        out[(*at)++] = c;
    }
}

void ndp_failure_normalise(const char *text, char out[NDP_FAILURE_TEXT_BYTES]) {
    struct names names = {.count = 0};
    size_t at = 0;
    for (const char *from = text; *from != '\0' && at + 1 < NDP_FAILURE_TEXT_BYTES;) {
        const bool follows_word = from > text && is_word_char(from[-1]);
        const size_t name = follows_word ? 0 : name_length(&names, from);
        const size_t quoted = name > 0 ? 0 : quoted_length(from, follows_word);
        const size_t word = quoted + name > 0 ? 0 : word_length(from);
        const size_t length = quoted + name + word > 0 ? quoted + name + word : 1;
        if (quoted > 0) keep_names(&names, from, quoted);
        if (quoted + name > 0 || has_digit(from, word)) {
            add_mark(out, &at, quoted + name > 0 ? '?' : '#');
        } else {
            add_text(out, &at, from, length);
        }
        from += length;
        if (at >= 2 && out[at - 2] == '?' && out[at - 1] == ':' && strncmp(from, " ", 1) == 0) {
            at--;
            break;
        }
    }
    const bool is_cut = at + 1 == NDP_FAILURE_TEXT_BYTES;
    while (is_cut && at > NDP_FAILURE_TEXT_BYTES / 2 && out[at - 1] != ' ') at--;
    while (at > 0 && out[at - 1] == ' ') at--;
    out[at] = '\0';
}

void ndp_failure_fill(const struct ndp_judgement *judgement, const char *error, const char *clause,
                      char out[NDP_FAILURE_BYTES]) {
    const struct ndp_difference *first = &judgement->comparison.list[0];
    const char *operation = judgement->operation != NULL ? judgement->operation : "";
    const char *side = strcmp(operation, "encode") == 0      ? "encoder"
                       : strcmp(operation, "transport") == 0 ? "transport"
                                                             : "decoder";
    const bool accepts = strcmp(first->expected, "refused") == 0 && strcmp(first->got, "accepted") == 0;
    const bool refuses = strcmp(first->expected, "accepted") == 0 && strcmp(first->got, "accepted") != 0;
    const char *got = strchr(first->got, ':') != NULL ? first->got : "";
    /* Nothing says which of two entry points is wrong: the error of the one that refuses names the failure. */
    const bool is_disagreement = accepts && clause[0] == '\0' && error != NULL;
    const char *text = accepts && !is_disagreement ? clause : error != NULL ? error : got;
    char normal[NDP_FAILURE_TEXT_BYTES];
    out[0] = '\0';
    if (judgement->comparison.count == 0 || (!accepts && !refuses)) return;
    ndp_failure_normalise(text, normal);
    snprintf(out, NDP_FAILURE_BYTES, "%s %s%s%s", side, accepts && !is_disagreement ? "accepts" : "refuses",
             normal[0] != '\0' ? ": " : "", normal);
}

void ndp_failure_direction(const char *failure, char out[NDP_WORD_BYTES]) {
    const char *end = strstr(failure, ": ");
    snprintf(out, NDP_WORD_BYTES, "%.*s", end != NULL ? (int)(end - failure) : (int)strlen(failure), failure);
}

/* ---- elements ---- */

static bool are_swapped(struct ndp_bytes a, struct ndp_bytes b, uint64_t item_bytes) {
    for (uint64_t at = 0; at + item_bytes <= a.size_bytes; at += item_bytes)
        for (uint64_t i = 0; i < item_bytes; i++)
            if (a.data[at + i] != b.data[at + item_bytes - 1 - i]) return false;
    return true;
}

const char *ndp_failure_symptom(const struct ndp_observation *expected, const struct ndp_observation *got) {
    const struct ndp_bytes a = expected->elements, b = got->elements;
    const uint64_t item_bytes = expected->dtype != NULL ? expected->dtype->itemsize_bytes : 0;
    const bool is_same_size =
        got->dtype != NULL && got->dtype->itemsize_bytes == item_bytes && a.size_bytes == b.size_bytes;
    if (item_bytes < 2 || a.size_bytes == 0 || !is_same_size || ndp_bytes_is_equal(a, b)) return "";
    return are_swapped(a, b, item_bytes) ? "byte-swapped" : "";
}
