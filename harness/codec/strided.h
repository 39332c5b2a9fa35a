/* strided.h: the elements of an array with any strides, in logical order.
 *
 * Adjacent axes that form one run are merged, so that most arrays consist of a few runs. Items are copied unchanged,
 * with their padding.
 */
#ifndef NDP_STRIDED_H
#define NDP_STRIDED_H

#include "model/layout.h"

/* An array to encode. Borrows everything. Element 0 is at `data + layout->offset_bytes`. */
struct ndp_elements {
    const struct ndp_dtype *dtype; /* with resolved byte order */
    const struct ndp_layout *layout;
    const uint8_t *data; /* may be NULL if there is no byte to read */
};

/* A walk over the elements in C or F order. Copy the struct to save a position. */
struct ndp_walk {
    const uint8_t *at;
    uint64_t itemsize_bytes;
    uint64_t left_elems;
    uint32_t ndim;
    int64_t shape[NDP_MAX_NDIM]; /* slowest first, after merging */
    int64_t strides_bytes[NDP_MAX_NDIM];
    int64_t index[NDP_MAX_NDIM];
};

/* Starts at the first element. The layout must have been checked for overflow. */
void ndp_strided_walk_init(struct ndp_walk *walk, const struct ndp_elements *elements, enum ndp_memory_order order);

/* Reports whether the remaining elements are contiguous, and fills `*run` with them. */
bool ndp_strided_walk_is_contiguous(const struct ndp_walk *walk, struct ndp_bytes *run);

/* Copies at most `room_elems` elements to `to` and advances. Returns their number, 0 only at the end. */
uint64_t ndp_strided_walk_copy(struct ndp_walk *walk, uint8_t *to, uint64_t room_elems);

/* Passes all elements to `write` in as few pieces as possible. Errors: those of `write`; NOMEM. */
typedef enum ndp_status ndp_write_bytes(void *sink, const void *bytes, uint64_t size_bytes);
enum ndp_status ndp_strided_walk_write(struct ndp_walk *walk, ndp_write_bytes *write, void *sink) NDP_MUST_USE;

#endif
