#include "cmd/library_list.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "property/version_compare.h"

enum { LINE_BYTES = 512 };

/* ---- names ---- */

/* Copies the name at the beginning of `text` in its canonical spelling. Returns its length; 0 if there is none, or if
 * it does not fit. */
static size_t read_name(const char *text, char out[NDP_WORD_BYTES]) {
    size_t size = 0;
    while (isalnum((unsigned char)text[size]) ||
           (size > 0 && text[size] != '\0' && strchr("-_.", text[size]) != NULL)) {
        if (size + 1 == NDP_WORD_BYTES) return 0;
        const char letter = text[size];
        out[size++] = letter == '-' || letter == '.' ? '_' : (char)tolower((unsigned char)letter);
    }
    out[size] = '\0';
    return size;
}

bool ndp_library_list_is(const char *canonical, const char *name) {
    char spelled[NDP_WORD_BYTES];
    return read_name(name, spelled) > 0 && strcmp(spelled, canonical) == 0;
}

const struct ndp_listed_library *ndp_library_list_find(const struct ndp_library_list *list, const char *name) {
    char wanted[NDP_WORD_BYTES];
    const size_t size = read_name(name, wanted);
    for (uint32_t i = 0; i < list->count && size > 0; i++)
        if (strcmp(list->items[i].name, wanted) == 0) return &list->items[i];
    return NULL;
}

/* ---- markers ---- */

static bool holds(const char *operator, int order) {
    const bool has_equal = strchr(operator, '=') != NULL;
    if (operator[0] == '!') return order != 0;
    if (operator[0] == '<') return order < 0 || (has_equal && order == 0);
    if (operator[0] == '>') return order > 0 || (has_equal && order == 0);
    return order == 0;
}

/* The comparison of `python` is of major and minor version only, as in PEP 508. */
static void cut_version(const char *python, char out[16]) {
    size_t dots = 0, size = 0;
    for (; python[size] != '\0' && size < 15; size++) {
        dots += python[size] == '.';
        if (dots == 2) break;
        out[size] = python[size];
    }
    out[size] = '\0';
}

/* Whether one comparison of a marker admits the version. */
static bool is_part_admitting(const char *part, const char *python) {
    char operator[3], version[16], own[16];
    if (sscanf(part, " python_version %2[<>=!] %*1[\"']%15[0-9.]", operator, version) != 2) return true;
    cut_version(python, own);
    return own[0] == '\0' || holds(operator, ndp_version_compare(own, version));
}

static bool is_admitting(char *marker, const char *python) {
    if (strstr(marker, " or ") != NULL) return true;
    for (char *part = marker; part != NULL;) {
        char *next = strstr(part, " and ");
        if (next != NULL) *next = '\0';
        if (!is_part_admitting(part, python)) return false;
        part = next != NULL ? next + strlen(" and ") : NULL;
    }
    return true;
}

/* ---- lines ---- */

/* Finds or adds a library; NULL if there is no room. A library may have one line for each version of Python. */
static struct ndp_listed_library *find_or_add(struct ndp_library_list *list, const char *name) {
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
    if (list->count == NDP_MAX_LISTED_LIBRARIES) return NULL;
    struct ndp_listed_library *library = &list->items[list->count++];
    memcpy(library->name, name, NDP_WORD_BYTES);
    return library;
}

static void cut_comment(char *line) {
    char *comment = line[0] == '#' ? line : strstr(line, " #");
    if (comment != NULL) *comment = '\0';
}

static enum ndp_status read_line(char *line, const char *python, bool is_tested, struct ndp_library_list *list,
                                 uint32_t number, struct ndp_error *error) {
    char name[NDP_WORD_BYTES];
    cut_comment(line);
    char *text = line + strspn(line, " \t");
    if (text[0] == '\0' || text[0] == '-') return NDP_OK;
    const size_t size = read_name(text, name);
    if (size == 0 || (text[size] != '\0' && strchr(" \t=<>!~;[@", text[size]) == NULL))
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "line %u: expected a requirement", (unsigned)number);
    char *marker = strchr(text, ';');
    struct ndp_listed_library *library = find_or_add(list, name);
    if (library == NULL)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "line %u: more than %d libraries", (unsigned)number,
                             (int)NDP_MAX_LISTED_LIBRARIES);
    library->is_tested = library->is_tested || is_tested;
    library->is_for_python = library->is_for_python || marker == NULL || is_admitting(marker + 1, python);
    return NDP_OK;
}

enum ndp_status ndp_library_list_read(struct ndp_bytes text, const char *python, struct ndp_library_list *out,
                                      struct ndp_error *error) {
    struct ndp_library_list list = {.count = 0};
    const uint8_t *at = text.data, *end = text.data + text.size_bytes;
    bool is_tested = true;
    for (uint32_t number = 1; at < end; number++) {
        const uint8_t *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t size = (size_t)((stop != NULL ? stop : end) - at);
        char line[LINE_BYTES];
        if (size >= sizeof line)
            return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "line %u: it is too long", (unsigned)number);
        memcpy(line, at, size);
        line[size] = '\0';
        line[strcspn(line, "\r")] = '\0';
        is_tested = is_tested && strncmp(line, "# ----", strlen("# ----")) != 0;
        NDP_TRY(read_line(line, python, is_tested, &list, number, error));
        at += size + (stop != NULL);
    }
    *out = list;
    return NDP_OK;
}
