/* pickle_maker.c: memoizes names and globals that are one object in Python. */
#include <string.h>

#include "codec/pickle/pickle_dtype.h"

/* Number of memoized names per kind; later names are made anew, which only costs bytes. */
enum { KEPT_MAX = 128 };

static void memoize(struct ndp_pickle_maker *maker, struct ndp_object_list *list, struct ndp_object **object) {
    if (list->count < KEPT_MAX && *object != NULL && !ndp_object_append(maker->objects, list, *object)) *object = NULL;
}

struct ndp_object *ndp_pickle_maker_name(struct ndp_pickle_maker *maker, struct ndp_bytes name) {
    struct ndp_object_list *words = &maker->words;
    for (uint64_t i = 0; i < words->count; i++)
        if (ndp_bytes_is_equal(words->items[i]->bytes, name)) return words->items[i];
    struct ndp_object *word = ndp_object_bytes(maker->objects, NDP_OBJECT_TEXT, name);
    memoize(maker, words, &word);
    return word;
}

struct ndp_object *ndp_pickle_maker_global(struct ndp_pickle_maker *maker, const char *module, const char *name) {
    struct ndp_object_list *globals = &maker->globals;
    for (uint64_t i = 0; i < globals->count; i++)
        if (ndp_object_is_global(globals->items[i], module, name)) return globals->items[i];
    struct ndp_object *first = ndp_pickle_maker_name(maker, ndp_bytes_view(module));
    /* A type implemented in C has its own text object for its name. */
    struct ndp_object *second = ndp_object_text(maker->objects, name);
    struct ndp_object *global =
        first == NULL || second == NULL ? NULL : ndp_object_global(maker->objects, first, second);
    memoize(maker, globals, &global);
    return global;
}

struct ndp_object *ndp_pickle_maker_numpy_global(struct ndp_pickle_maker *maker, const char *name) {
    return ndp_pickle_maker_global(maker, "numpy", name);
}
