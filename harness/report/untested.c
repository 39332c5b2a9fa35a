#include "report/untested.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"

NDP_WORDS(ndp_untested_word, enum ndp_untested_kind, NDP_UNTESTED_LIST, "?")

bool ndp_untested_is_same_library(const char *a, const char *b) {
    static const char ends[] = "-#@";
    const size_t length = strcspn(a, ends);
    return strcspn(b, ends) == length && strncmp(a, b, length) == 0;
}

/* A name without an environment permits the library in every environment. */
static bool is_library_permitted(const char *name, const char *allowed) {
    if (strcmp(name, allowed) == 0) return true;
    return strpbrk(allowed, "-#@") == NULL && ndp_untested_is_same_library(name, allowed);
}

bool ndp_untested_is_permitted(const struct ndp_untested *item, const char *allowed) {
    switch (item->kind) {
    case NDP_UNTESTED_TARGET:
    case NDP_UNTESTED_LIBRARY:
        return is_library_permitted(item->name, allowed);
    case NDP_UNTESTED_BASELINE:
        return strcmp(item->name, allowed) == 0 ||
               (item->needs[0] != '\0' && is_library_permitted(item->needs, allowed));
    case NDP_UNTESTED_SHARD:
        return strncmp(allowed, "shard ", 6) == 0 && strcmp(item->name, allowed + 6) == 0;
    case NDP_UNTESTED_FORMAT:
    case NDP_UNTESTED_ROUTE:
    case NDP_UNTESTED_PROPERTY:
    case NDP_UNTESTED_FUZZ_TARGET:
    case NDP_UNTESTED_KIND_COUNT:
        break;
    }
    return strcmp(item->name, allowed) == 0;
}

static void permit(const struct ndp_untested_list *list, struct ndp_untested *item) {
    for (uint32_t i = 0; i < list->allowed_count; i++)
        item->is_allowed = item->is_allowed || ndp_untested_is_permitted(item, list->allowed[i]);
}

static enum ndp_status grow(struct ndp_untested_list *list) {
    if (list->count < list->capacity) return NDP_OK;
    const uint32_t capacity = list->capacity > 0 ? 2 * list->capacity : 16;
    struct ndp_untested *items = realloc(list->items, capacity * sizeof *items);
    if (items == NULL) return NDP_NOMEM;
    list->items = items;
    list->capacity = capacity;
    return NDP_OK;
}

enum ndp_status ndp_untested_add(struct ndp_untested_list *list, const struct ndp_untested *item) {
    if (ndp_untested_find(list, item->kind, item->name) != NULL || list->count == NDP_MAX_UNTESTED) return NDP_OK;
    NDP_TRY(grow(list));
    list->items[list->count] = *item;
    permit(list, &list->items[list->count++]);
    return NDP_OK;
}

void ndp_untested_allow(struct ndp_untested_list *list, const char *const *names, uint32_t count) {
    list->allowed = names;
    list->allowed_count = count;
    for (uint32_t i = 0; i < list->count; i++) permit(list, &list->items[i]);
}

const struct ndp_untested *ndp_untested_find(const struct ndp_untested_list *list, enum ndp_untested_kind kind,
                                             const char *name) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].kind == kind && strcmp(list->items[i].name, name) == 0) return &list->items[i];
    return NULL;
}

void ndp_untested_remove(struct ndp_untested_list *list, enum ndp_untested_kind kind) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].kind != kind) list->items[kept++] = list->items[i];
    list->count = kept;
}

void ndp_untested_clear(struct ndp_untested_list *list) {
    free(list->items);
    *list = (struct ndp_untested_list){0};
}
