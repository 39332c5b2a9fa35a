#include "property/property.h"

#include <string.h>

const struct ndp_property *ndp_property_find(const char *name) {
    uint32_t count;
    const struct ndp_property *const *all = ndp_property_all(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(all[i]->name, name) == 0) return all[i];
    return NULL;
}

/* The index of a property in ndp_property_all(). */
static uint32_t index_of(const struct ndp_property *property) {
    uint32_t count, at = 0;
    const struct ndp_property *const *all = ndp_property_all(&count);
    while (at < count && all[at] != property) at++;
    return at;
}

struct ndp_property_set ndp_property_set_of(const struct ndp_property *property) {
    struct ndp_property_set set = {0};
    ndp_property_set_add(&set, property);
    return set;
}

struct ndp_property_set ndp_property_set_all(bool by_repetition) {
    struct ndp_property_set set = {0};
    uint32_t count;
    const struct ndp_property *const *all = ndp_property_all(&count);
    for (uint32_t i = 0; i < count; i++)
        if (all[i]->by_repetition == by_repetition) set.bits |= UINT32_C(1) << i;
    return set;
}

void ndp_property_set_add(struct ndp_property_set *set, const struct ndp_property *property) {
    set->bits |= UINT32_C(1) << index_of(property);
}

bool ndp_property_set_has(struct ndp_property_set set, const struct ndp_property *property) {
    return (set.bits & UINT32_C(1) << index_of(property)) != 0;
}

const struct ndp_property *ndp_property_set_next(struct ndp_property_set set, uint32_t *at) {
    uint32_t count;
    const struct ndp_property *const *all = ndp_property_all(&count);
    while (*at < count && (set.bits >> *at & 1) == 0) (*at)++;
    return *at < count ? all[*at] : NULL;
}

enum ndp_status ndp_property_set_named(const struct ndp_descriptor *descriptor, struct ndp_property_set *out,
                                       struct ndp_error *error) {
    struct ndp_property_set set = {0};
    for (uint32_t i = 0; i < descriptor->property_count; i++) {
        const struct ndp_property *property = ndp_property_find(descriptor->properties[i]);
        if (property == NULL)
            return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "unknown property %s", descriptor->properties[i]);
        ndp_property_set_add(&set, property);
    }
    *out = descriptor->property_count > 0 ? set : ndp_property_set_all(false);
    return NDP_OK;
}

uint32_t ndp_property_set_slots(struct ndp_property_set set, enum ndp_value_kind value) {
    const struct ndp_property *property;
    uint32_t slots = 0;
    for (uint32_t at = 0; (property = ndp_property_set_next(set, &at)) != NULL; at++)
        if ((property->values & UINT32_C(1) << value) != 0) slots |= property->needs;
    return slots;
}
