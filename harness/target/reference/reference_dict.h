/* reference_dict.h: a hash table with open addressing behind one lock: the control for dicts. Operations of all threads
 * are sequential. */
#ifndef NDP_REFERENCE_DICT_H
#define NDP_REFERENCE_DICT_H

#include "target/plugin_dict.h"

extern const struct ndp_plugin_dict ndp_reference_dict;

/* The functions of struct ndp_plugin_dict, for planted defects. */
void *ndp_reference_dict_make(const char *key_type, const char *item_type);
void ndp_reference_dict_free(void *context);
void ndp_reference_dict_set(void *context, int64_t key, int64_t item);
bool ndp_reference_dict_get(void *context, int64_t key, int64_t *item);
bool ndp_reference_dict_remove(void *context, int64_t key);
int64_t ndp_reference_dict_length(void *context);
void ndp_reference_dict_each(void *context, ndp_plugin_visit *visit, void *visitor);

#endif
