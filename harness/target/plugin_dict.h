/* plugin_dict.h: puts a dict that threads share under test, as one C or C++ file.
 *
 * A plugin with such a dict sets the member `dict` of struct ndp_plugin. ndproof starts threads that all work on one
 * dict; the results must be those of some sequential order of all operations. Like plugin.h, this header needs no other
 * part of ndproof.
 */
#ifndef NDP_PLUGIN_DICT_H
#define NDP_PLUGIN_DICT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Receives one entry during an iteration. It does not modify the dict. */
typedef void ndp_plugin_visit(void *context, int64_t key, int64_t item);

struct ndp_plugin_dict {
    const char *format; /* the name in contract rows and routes: "typed.Dict" */
    const char *entry;  /* the variant: "locked" */

    /* Creates an empty dict, which the caller frees with `free`; NULL for types that the plugin does not support
     * (UNSUPPORTED, no failure). The functions below pass keys and items as numbers; the dict stores them in the form
     * of the types: "int64", "float64" (a key: half of the number), "unicode" (a key: its digits), "tuple" (a key: the
     * number and its negative), "array" (an item: the number twice; report an item with different halves as -1). */
    void *(*make)(const char *key_type, const char *item_type);
    /* Frees the dict after all threads have ended. */
    void (*free)(void *dict);

    /* Any thread may call the following functions at any time. They cannot report errors: an item that is lost for lack
     * of memory is a divergence. */
    void (*set)(void *dict, int64_t key, int64_t item);  /* inserts or replaces */
    bool (*get)(void *dict, int64_t key, int64_t *item); /* whether it exists; fills *item only then */
    bool (*remove)(void *dict, int64_t key);             /* whether it existed */
    int64_t (*length)(void *dict);
    void (*each)(void *dict, ndp_plugin_visit *visit, void *context); /* calls visit(context, ...) once per entry */
};

#ifdef __cplusplus
}
#endif

#endif
