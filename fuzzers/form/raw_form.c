#include "form/raw_form.h"

#include <stdlib.h>

static const char *const types[] = {"|i1", "<f8", ">i2", "<c16", "|V3", "<U2"};

void fuzz_raw_form_of(struct ndp_bytes file, struct fuzz_raw_form *out) {
    const uint64_t size = file.size_bytes;
    const uint8_t *data = file.data;
    if (ndp_dtype_read_typestr(ndp_bytes_view(types[size % NDP_ARRAY_LEN(types)]), &out->dtype, NULL) != NDP_OK)
        abort();
    const uint64_t offset = size > 1 ? (data[0] | (uint64_t)data[1] << 8) % (size + 1) : 0;
    const uint64_t items = (size - offset) / out->dtype.itemsize_bytes, columns = size & 2 ? 1 : 2;
    const uint32_t ndim = items > 0 ? (uint32_t)(size % 3) : 1;
    out->shape[0] = (int64_t)(ndim == 2 ? items / columns : items);
    out->shape[1] = (int64_t)columns;
    const uint64_t count = ndim == 0 ? 1 : ndim == 1 ? items : items / columns * columns;
    struct ndp_base base = {.dtype = &out->dtype, .ndim = ndim, .shape = out->shape};
    base.order = size & 8 ? NDP_MEMORY_F : NDP_MEMORY_C;
    base.data.pattern = NDP_PATTERN_HEX;
    base.data.bytes = (struct ndp_bytes){data + offset, count * out->dtype.itemsize_bytes};
    out->value = (struct ndp_array_value){.base = base};
    out->offset_bytes = offset;
}
