#include "oracle/same_array.h"

#include "codec/npy/npy_encode.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/protected.h"

/* In C order, whatever the order of axes in memory is. */
static void walk(const struct ndp_elements *elements, ndp_write_bytes *write, void *sink) {
    struct ndp_walk walk;
    ndp_walk_init(&walk, elements, NDP_MEMORY_C);
    FUZZ_CHECK(ndp_walk_write(&walk, write, sink) == NDP_OK);
}

bool fuzz_same_elements(const struct ndp_elements *a, const struct ndp_elements *b) {
    static struct ndp_buffer first = {.max_bytes = 1 << 26};
    first.size_bytes = 0;
    walk(a, ndp_write_to_buffer, &first);
    struct fuzz_expected second = {ndp_buffer_view(&first), false};
    walk(b, fuzz_write_expected, &second);
    return fuzz_is_expected(&second);
}

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
        const uint64_t itemsize = x->dtype->itemsize_bytes;
        const bool is_c = ndp_layout_is_c_contiguous(&a->layout, itemsize);
        FUZZ_HOLDS_OF(how, is_c == ndp_layout_is_c_contiguous(&b->layout, itemsize));
        FUZZ_HOLDS_OF(how, x->size_bytes == y->size_bytes && !memcmp(a->data, b->data, (size_t)x->size_bytes));
        FUZZ_HOLDS_OF(how, x->is_fortran_order == y->is_fortran_order || is_c);
    }
    ndp_npy_array_clear(b);
}

enum ndp_map_mode fuzz_mode_of(uint64_t hash) {
    /* Writing takes a page. */
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    return modes[hash % NDP_ARRAY_LEN(modes)];
}

void fuzz_same_map(enum ndp_map_mode mode, enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                   struct ndp_npy_array *b) {
    const uint64_t size = got == NDP_OK && b->map.is_open ? b->header.size_bytes : 0;
    if (size > 0 && mode == NDP_MAP_READ) FUZZ_HOLDS(fuzz_is_protected(b->data));
    if (size > 0 && mode != NDP_MAP_READ) {
        uint8_t *last = &b->data[size - 1], now = 0;
        const uint8_t kept = *last;
        *last ^= 0xff;
        FUZZ_HOLDS(pread(fuzz_fd(), &now, 1, (off_t)(b->header.data_offset_bytes + size - 1)) == 1);
        FUZZ_HOLDS_OF(ndp_map_mode_words[mode], (now == kept) == (mode == NDP_MAP_COPY));
        *last = kept;
    }
    fuzz_same_file("map", want, a, got, b);
}
