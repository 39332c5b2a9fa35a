#include "target/target.h"
#include "model/array_class.h"

#include <string.h>

#define SECOND_NS UINT64_C(1000000000)

const struct ndp_target_limits ndp_target_default_limits = {
    .case_deadline_ns = 20 * SECOND_NS,
    .start_deadline_ns = 60 * SECOND_NS,
    .memory_bytes = UINT64_C(2) << 30,
    .frame_bytes = UINT64_C(1) << 30,
};

void ndp_target_close(struct ndp_target *target) {
    if (target) target->ops->close(target);
}

const char *ndp_target_library_version(const struct ndp_target_info *info, const char *library) {
    for (uint32_t i = 0; i < info->library_count; i++) {
        if (ndp_word_is(info->libraries[i].name, library)) return info->libraries[i].version;
    }
    return NULL;
}

bool ndp_target_lacks_class(const struct ndp_target_info *info, enum ndp_array_class class) {
    const char *library = ndp_class_library(class);
    if (info->library_count < 2) return false;
    if (library[0] == '\0' || ndp_target_library_version(info, library) != NULL) return false;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        if (info->entries[i].takes_graphs) return true;
    }
    return false;
}

/* Encoder and decoder of one entry point may be separate rows. */
static bool is_row(const struct ndp_entry *row, const char *format, const char *entry, const char *buffers,
                   int32_t protocol) {
    return row->protocol == protocol && ndp_word_is(row->format, format) && ndp_word_is(row->entry, entry) &&
           ndp_word_is(row->buffers, buffers);
}

bool ndp_target_takes_graphs(const struct ndp_target_info *info, const char *format, const char *entry,
                             const char *buffers, int32_t protocol) {
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *row = &info->entries[i];
        if (row->takes_graphs && is_row(row, format, entry, buffers, protocol)) return true;
    }
    return false;
}

bool ndp_target_takes_arrays(const struct ndp_target_info *info, const char *format, const char *entry) {
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *row = &info->entries[i];
        if (ndp_word_is(row->format, format) && ndp_word_is(row->entry, entry)) return !row->takes_no_arrays;
    }
    return true;
}

bool ndp_target_takes_dicts(const struct ndp_target_info *info, const char *format, const char *entry) {
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *row = &info->entries[i];
        if (row->takes_dicts && ndp_word_is(row->format, format) && ndp_word_is(row->entry, entry)) return true;
    }
    return false;
}

bool ndp_target_has_entry(const struct ndp_target_info *info, const char *format, const char *entry,
                          const char *buffers, int32_t protocol, bool to_encode) {
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *row = &info->entries[i];
        if ((to_encode ? row->encodes : row->decodes) && is_row(row, format, entry, buffers, protocol)) return true;
    }
    return false;
}
