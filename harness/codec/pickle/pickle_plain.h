/* pickle_plain.h: fast path for small arrays: protocol 5, in band, numbers in C order, at most three dimensions and 16
 * KiB.
 *
 * Nearly all bytes of such a pickle are constant, so that no objects are needed. The reader accepts exactly the bytes
 * that the writer produces; pickle_write.h and pickle_read.h handle every other pickle and agree on these. Source: as
 * pickle_array.h; the bytes are those of pickle.dumps(array, 5) with NumPy 1.26.4 and 2.3.5.
 */
#ifndef NDP_PICKLE_PLAIN_H
#define NDP_PICKLE_PLAIN_H

#include "codec/pickle/pickle_codec.h"

/* Whether the array qualifies; then *out is its pickle in three parts: head, elements, tail. */
enum { NDP_PLAIN_ROOM_BYTES = 256, NDP_PLAIN_ELEMENTS_BYTES = 1 << 14 };
struct ndp_plain_pickle {
    uint8_t head[NDP_PLAIN_ROOM_BYTES]; /* bytes before the elements */
    size_t head_bytes;
    struct ndp_bytes elements;          /* borrowed */
    uint8_t tail[NDP_PLAIN_ROOM_BYTES]; /* bytes after the elements */
    size_t tail_bytes;
};
bool ndp_pickle_plain_make(const struct ndp_elements *elements, const struct ndp_array_form *form,
                           enum ndp_numpy_release release, struct ndp_plain_pickle *out);

/* The content of such a pickle. */
struct ndp_plain_array {
    struct ndp_dtype dtype;
    uint32_t ndim;
    int64_t shape[3];
    struct ndp_bytes elements; /* borrowed */
    uint64_t consumed_bytes;
};

/* Whether `bytes` begin with such a pickle; fills *out. */
bool ndp_pickle_plain_read(struct ndp_bytes bytes, struct ndp_plain_array *out);

#endif
