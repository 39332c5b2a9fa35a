#include "same_array.h"

#include "fuzz.h"

void fuzz_same_file(const char *how, enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                    struct ndp_npy_array *b) {
    if (want == NDP_OK && got == NDP_OK)
        FUZZ_HOLDS_OF(how, a->consumed_bytes == b->consumed_bytes &&
                               a->header.data_offset_bytes == b->header.data_offset_bytes);
    fuzz_same_array(how, want, a, got, b);
}

void fuzz_same_array(const char *how, enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                     struct ndp_npy_array *b) {
    const struct ndp_npy_header *x = &a->header, *y = &b->header;
    if (FUZZ_HOLDS_OF(how, got == want) && got == NDP_OK &&
        FUZZ_HOLDS_OF(how, ndp_dtype_compare(x->dtype, y->dtype, NULL) == 0 && x->ndim == y->ndim) &&
        FUZZ_HOLDS_OF(how, memcmp(x->shape, y->shape, x->ndim * sizeof x->shape[0]) == 0)) {
        const bool is_c = ndp_layout_is_c_contiguous(&a->layout, x->dtype->itemsize_bytes);
        FUZZ_HOLDS_OF(how, x->size_bytes == y->size_bytes && !memcmp(a->data, b->data, (size_t)x->size_bytes));
        FUZZ_HOLDS_OF(how, x->is_fortran_order == y->is_fortran_order || is_c);
    }
    ndp_npy_array_clear(b);
}
