/* json_locate.c: position of a JSON node in its text.
 *
 * Problem: an error must have a byte offset, but cJSON keeps no positions.
 *
 * Method: cJSON keeps the order of the text, so the n-th node of the tree in document order is the n-th value of the
 * text. A walk over the tree finds the number of the node and its JSON pointer, and a scan of the text finds the offset
 * of this value.
 *
 * Cost: linear in the text, and only for an error. Limits: nesting up to cJSON's own limit; a pointer is truncated to
 * NDP_ERROR_PATH_BYTES.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/json_read.h"
#include "describe/json_scan.h"

/* cJSON's own limit of nesting, for trees that did not come through ndp_json_parse. */
enum { MAX_TREE_DEPTH = CJSON_NESTING_LIMIT + 1 };

struct walk {
    const cJSON *stack[MAX_TREE_DEPTH]; /* from the root down to the current node */
    uint32_t depth;                     /* of the current node */
    uint64_t ordinal;                   /* of the current node */
};

/* Moves to the next node in document order. Returns false after the last. */
static bool walk_next(struct walk *walk) {
    const cJSON *node = walk->stack[walk->depth];
    walk->ordinal++;
    if (node->child != NULL && walk->depth + 1 < MAX_TREE_DEPTH) {
        walk->stack[++walk->depth] = node->child;
        return true;
    }
    for (; walk->depth > 0; walk->depth--) {
        const cJSON *next = walk->stack[walk->depth]->next;
        if (next == NULL) continue;
        walk->stack[walk->depth] = next;
        return true;
    }
    return false;
}

static void add_char(char *path, size_t *at, char c) {
    if (*at + 1 >= NDP_ERROR_PATH_BYTES) return;
    path[(*at)++] = c;
    path[*at] = '\0';
}

static void add_text(char *path, size_t *at, const char *text) {
    for (; *text != '\0'; text++) {
        /* RFC 6901, section 3. */
        if (*text == '~' || *text == '/') {
            add_char(path, at, '~');
            add_char(path, at, *text == '~' ? '0' : '1');
        } else {
            add_char(path, at, *text);
        }
    }
}

static uint32_t index_of(const cJSON *parent, const cJSON *node) {
    uint32_t index = 0;
    for (const cJSON *item = parent->child; item != node; item = item->next) index++;
    return index;
}

static void print_path(const struct walk *walk, char *path) {
    size_t at = 0;
    path[0] = '\0';
    for (uint32_t d = 1; d <= walk->depth; d++) {
        char digits[16];
        add_char(path, &at, '/');
        if (walk->stack[d]->string != NULL) {
            add_text(path, &at, walk->stack[d]->string);
        } else {
            snprintf(digits, sizeof digits, "%u", index_of(walk->stack[d - 1], walk->stack[d]));
            add_text(path, &at, digits);
        }
    }
}

/* The offset of a byte of a string's content (a typestr or hexadecimal digits). Falls back to the string itself if an
 * escape precedes the byte. */
static uint64_t offset_in_string(struct ndp_bytes text, uint64_t at_bytes, uint64_t inner_bytes) {
    if (inner_bytes == NDP_NO_OFFSET || at_bytes >= text.size_bytes || text.data[at_bytes] != '"') return at_bytes;
    if (inner_bytes >= text.size_bytes - at_bytes) return at_bytes;
    if (memchr(text.data + at_bytes, '\\', (size_t)inner_bytes + 1) != NULL) return at_bytes;
    return at_bytes + 1 + inner_bytes;
}

void ndp_json_locate(struct ndp_json_reader *reader, const cJSON *root, struct ndp_bytes text) {
    if (reader->error == NULL || root == NULL) return;
    struct walk walk = {.stack = {root}};
    while (walk.stack[walk.depth] != reader->culprit) {
        if (walk_next(&walk)) continue;
        walk = (struct walk){.stack = {root}}; /* No node was blamed, so the error refers to the whole document. */
        break;
    }
    print_path(&walk, reader->error->path);
    uint64_t at_bytes = text.size_bytes > 0 ? ndp_json_offset(text, walk.ordinal, reader->at_key) : NDP_NO_OFFSET;
    reader->error->offset_bytes = offset_in_string(text, at_bytes, reader->error->offset_bytes);
}

/* Copies the token of `pointer` after its slash, without escapes. Returns the rest of the pointer. */
static const char *take_token(const char *pointer, char *out, size_t out_bytes) {
    size_t at = 0;
    for (pointer++; *pointer != '\0' && *pointer != '/'; pointer++) {
        char c = *pointer;
        if (c == '~' && (pointer[1] == '0' || pointer[1] == '1')) c = *++pointer == '0' ? '~' : '/';
        if (at + 1 < out_bytes) out[at++] = c;
    }
    out[at] = '\0';
    return pointer;
}

const cJSON *ndp_json_resolve(const cJSON *root, const char *pointer) {
    char token[NDP_ERROR_PATH_BYTES];
    while (root != NULL && *pointer == '/') {
        pointer = take_token(pointer, token, sizeof token);
        const cJSON *next = NULL;
        if (cJSON_IsArray(root)) {
            unsigned long index = strtoul(token, NULL, 10);
            next = index <= INT_MAX ? cJSON_GetArrayItem(root, (int)index) : NULL;
        } else {
            next = cJSON_GetObjectItemCaseSensitive(root, token);
        }
        if (next == NULL) break;
        root = next;
    }
    return root;
}
