#include "property/property.h"

#include <string.h>

const struct ndp_property *ndp_property_find(const char *name) {
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(all[i]->name, name) == 0) return all[i];
    }
    return NULL;
}
