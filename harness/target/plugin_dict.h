/* plugin_dict.h: put a dict that threads share under test, as one C or C++ file.
 *
 * A plugin that has such a dict points at one of these in its struct ndp_plugin. Threads are started and stopped for
 * it, all work on one dict, and what is there afterwards must be what some order of all operations gives. This header
 * stands alone, as plugin.h does.
 */
#ifndef NDP_PLUGIN_DICT_H
#define NDP_PLUGIN_DICT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void ndp_plugin_visit(void *context, int64_t key, int64_t item);

struct ndp_plugin_dict {
    const char *format; /* "typed.Dict": what rows of the contract know it by */
    const char *entry;

    /* Gives an empty dict, or NULL. Keys and items are numbers here; kept they are as the types say: "int64", "float64"
     * (a key: half of the number), "unicode" (a key: its digits), "tuple" (a key: the number and its negative), "array"
     * (an item: the number twice; one whose halves differ is told as -1). */
    void *(*make)(const char *key_type, const char *item_type);
    void (*free)(void *dict);

    /* All of these may be called by any thread at any time. */
    void (*set)(void *dict, int64_t key, int64_t item);
    bool (*get)(void *dict, int64_t key, int64_t *item);
    bool (*remove)(void *dict, int64_t key); /* whether it was there */
    int64_t (*length)(void *dict);
    void (*each)(void *dict, ndp_plugin_visit *visit, void *context); /* every entry once */
};

#ifdef __cplusplus
}
#endif

#endif
