#include "form/place.h"

#include <stdlib.h>

static const char *const types[] = {"|i1", "<f8", ">i2", "<c16", "|V3", "<U2"};

void fuzz_place_of(struct ndp_bytes file, struct fuzz_place *out) {
    const uint64_t size = file.size_bytes;
    const uint8_t *data = file.data;
    if (ndp_typestr_read(ndp_bytes_view(types[size % NDP_ARRAY_LEN(types)]), &out->dtype, NULL) != NDP_OK) abort();
    const uint64_t offset = size > 1 ? (data[0] | (uint64_t)data[1] << 8) % (size + 2) : 0;
    const uint64_t room = offset < size ? size - offset : 0, count = room / out->dtype.itemsize_bytes;
    out->shape[0] = (int64_t)(count / 2 + (size & 1));
    out->shape[1] = size & 2 ? 1 : 2;
    out->form = (struct ndp_raw_form){.dtype = &out->dtype,
                                      .shape = out->shape,
                                      .ndim = (uint32_t)(size % 3),
                                      .order = size & 8 ? NDP_MEMORY_F : NDP_MEMORY_C,
                                      .offset_bytes = offset};
}
