/* buffer_format.c: whether the buffer protocol of Python has a format for a dtype, as NumPy writes it.
 *
 * Source: numpy/_core/src/multiarray/buffer.c (1.23 to 2.4), _buffer_format_string. It refuses times, types that a
 * package registers, long doubles in foreign byte order, a field before the end of the last one, and names with a colon
 * or without an encoding in UTF-8. The end of a structure is that of its last field; padding behind it does not count.
 * Recursion is bounded by the depth of a checked dtype.
 */
#include <string.h>

#include "base/text.h"
#include "model/dtype.h"
#include "model/leaf.h"

static bool name_has_format(struct ndp_bytes name) {
    return !ndp_text_has_surrogate(name) && (name.size_bytes == 0 || memchr(name.data, ':', name.size_bytes) == NULL);
}

static bool leaf_has_format(const struct ndp_dtype *leaf, enum ndp_byte_order foreign) {
    if (leaf->kind == NDP_KIND_DATETIME || leaf->kind == NDP_KIND_TIMEDELTA) return false;
    if (leaf->kind == NDP_KIND_REGISTERED) return false;
    return leaf->order != foreign || !ndp_leaf_is_longdouble(leaf);
}

/* Moves *end_bytes from the start of `dtype` to the end of its last field. */
static bool extend(const struct ndp_dtype *dtype, enum ndp_byte_order foreign, uint64_t *end_bytes) {
    const uint64_t start_bytes = *end_bytes;
    if (dtype->kind == NDP_KIND_SUBARRAY) {
        if (!extend(dtype->base, foreign, end_bytes)) return false;
        for (uint32_t i = 0; i < dtype->ndim; i++)
            *end_bytes = start_bytes + (*end_bytes - start_bytes) * (uint64_t)dtype->shape[i];
        return true;
    }
    if (dtype->kind != NDP_KIND_STRUCT) {
        *end_bytes += dtype->itemsize_bytes;
        return leaf_has_format(dtype, foreign);
    }
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        if (*end_bytes > start_bytes + field->offset_bytes) return false;
        *end_bytes = start_bytes + field->offset_bytes;
        if (!extend(field->dtype, foreign, end_bytes) || !name_has_format(field->name)) return false;
    }
    return true;
}

bool ndp_dtype_has_buffer_format(const struct ndp_dtype *dtype, bool host_is_little_endian) {
    uint64_t end_bytes = 0;
    return extend(dtype, host_is_little_endian ? NDP_ORDER_BIG : NDP_ORDER_LITTLE, &end_bytes);
}
