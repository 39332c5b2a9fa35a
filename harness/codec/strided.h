/* strided.h: the elements of an array that lies anywhere in memory, in logical order.
 *
 * Axes that lie behind one another count as one, so that most arrays are a handful of runs. Every item is copied
 * as it lies, padding included.
 */
#ifndef NDP_STRIDED_H
#define NDP_STRIDED_H

#include "model/layout.h"

/* An array to encode: all borrowed. Element 0 is at `data + layout->offset_bytes`. */
struct ndp_elements {
    const struct ndp_dtype *dtype; /* resolved */
    const struct ndp_layout *layout;
    const uint8_t *data; /* may be NULL when there is no byte to read */
};

/* A walk over the elements in C or F order. Plain state: copy it to remember a place. */
struct ndp_walk {
    const uint8_t *at;
    uint64_t itemsize_bytes;
    uint64_t left_elems;
    uint32_t ndim;
    int64_t shape[NDP_MAX_NDIM]; /* slowest first; axes that could be merged are */
    int64_t strides_bytes[NDP_MAX_NDIM];
    int64_t index[NDP_MAX_NDIM];
};

/* Starts at the first element. The layout must be checked: sizes fit. */
void ndp_walk_init(struct ndp_walk *walk, const struct ndp_elements *elements, enum ndp_memory_order order);

/* Whether the elements that are left lie behind one another; `*run` then is them. */
bool ndp_walk_is_contiguous(const struct ndp_walk *walk, struct ndp_bytes *run);

/* Copies at most `room_elems` elements to `to` and moves past them; gives how many. 0 only at the end. */
uint64_t ndp_walk_copy(struct ndp_walk *walk, uint8_t *to, uint64_t room_elems);

/* Hands all elements to `write` in as few pieces as it takes. Errors: what `write` gives; NOMEM. */
typedef enum ndp_status ndp_write_bytes(void *sink, const void *bytes, uint64_t size_bytes);
enum ndp_status ndp_walk_write(struct ndp_walk *walk, ndp_write_bytes *write, void *sink) NDP_MUST_USE;

#endif
