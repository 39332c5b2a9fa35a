/* pickle_plain.h: the one pickle that nearly all small arrays are: protocol 5, in band, numbers in C order, not more
 * than three axes and 16 KiB. Its bytes are known in advance but for a few, so that no objects are made for it.
 *
 * What is read here is exactly what is written here, byte by byte; everything else is for pickle_write.h and
 * pickle_read.h, which write and read the same.
 * Source: as pickle_array.h; the bytes are those of pickle.dumps(array, 5) with NumPy 1.26.4 and 2.3.5.
 */
#ifndef NDP_PICKLE_PLAIN_H
#define NDP_PICKLE_PLAIN_H

#include "codec/pickle/pickle_codec.h"

/* Whether the array is one of these. Then *out is its pickle without the elements, which stand `elements_at` in it. */
enum { NDP_PLAIN_ROOM_BYTES = 256, NDP_PLAIN_ELEMENTS_BYTES = 1 << 14 };
struct ndp_plain_pickle {
    uint8_t head[NDP_PLAIN_ROOM_BYTES]; /* up to the elements */
    size_t head_bytes;
    struct ndp_bytes elements;          /* borrowed */
    uint8_t tail[NDP_PLAIN_ROOM_BYTES]; /* behind them */
    size_t tail_bytes;
};
bool ndp_pickle_plain_make(const struct ndp_elements *elements, const struct ndp_array_form *form,
                           enum ndp_numpy_release release, struct ndp_plain_pickle *out);

/* What such a pickle says. */
struct ndp_plain_array {
    struct ndp_dtype dtype;
    uint32_t ndim;
    int64_t shape[3];
    struct ndp_bytes elements; /* borrowed */
    uint64_t consumed_bytes;
};

/* Whether `bytes` begin with one of these, which then is *out. */
bool ndp_pickle_plain_read(struct ndp_bytes bytes, struct ndp_plain_array *out);

#endif
