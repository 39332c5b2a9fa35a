/* case_claim.c: whether the targets of a case claim what it sends.
 *
 * A target declares the kinds of elements, the dimensions, the sizes and the entry points that it takes, and the
 * libraries that it has. A case outside of these claims is not sent: its verdict is UNSUPPORTED, with the reason.
 */
#include <stdio.h>
#include <string.h>

#include "engine/case.h"
#include "model/graph/array_class.h"

void ndp_case_leave_unsupported(struct ndp_case *item, const char *why) {
    item->result.verdict = NDP_VERDICT_UNSUPPORTED;
    snprintf(item->result.detail, sizeof item->result.detail, "%s", why);
}

bool ndp_case_is_decoder_claimed(const struct ndp_target_info *info, const struct ndp_route *route) {
    const struct ndp_entry *entry = ndp_entry_find(info, route, NDP_END_DECODER);
    return entry != NULL && entry->decodes;
}

/* Whether a target claims the array; fills `why` if it does not. */
static bool is_array_claimed(const struct ndp_target_info *info, const struct ndp_array *model, char *why,
                             size_t why_bytes) {
    for (int kind = 0; kind < NDP_KIND_COUNT; kind++) {
        if (!ndp_dtype_has_kind(model->dtype, (enum ndp_kind)kind)) continue;
        if (memchr(info->kinds, ndp_kind_codes[kind], strnlen(info->kinds, sizeof info->kinds)) != NULL) continue;
        snprintf(why, why_bytes, "%s does not claim kind %c", info->name, ndp_kind_codes[kind]);
        return false;
    }
    if (model->layout.ndim > info->max_ndim) {
        snprintf(why, why_bytes, "%s does not claim %u dimensions", info->name, (unsigned)model->layout.ndim);
        return false;
    }
    if (model->buffer_bytes > info->max_value_bytes) {
        snprintf(why, why_bytes, "%s does not claim values of this size", info->name);
        return false;
    }
    return true;
}

/* Whether a target has the library that defines a class; fills `why` if it does not. */
static bool has_class(const struct ndp_target_info *info, struct ndp_bytes name, char *why, size_t why_bytes) {
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    const char *library = ndp_class_find(name, &class) ? ndp_class_library(class) : "";
    if (library[0] == '\0' || ndp_target_library_version(info, library) != NULL) return true;
    snprintf(why, why_bytes, "%s has no %s", info->name, library);
    return false;
}

bool ndp_case_is_claimed(const struct ndp_batch *batch, struct ndp_case *item, struct ndp_bytes class_name,
                         const struct ndp_array *array) {
    const struct ndp_target_info *const ends[] = {&batch->encoder->info, &batch->decoder->info};
    char why[160];
    for (size_t i = 0; i < NDP_ARRAY_LEN(ends); i++) {
        if (has_class(ends[i], class_name, why, sizeof why) && is_array_claimed(ends[i], array, why, sizeof why))
            continue;
        ndp_case_leave_unsupported(item, why);
        return false;
    }
    return true;
}
