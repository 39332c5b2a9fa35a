/* strided.c: walk over the elements of a strided array in C or F order.
 *
 * Problem: an encoder needs the elements of any view as one sequence, at the speed of memcpy if they are contiguous.
 *
 * Method: axes of length 1 are dropped, and an axis is merged into the next faster one if its stride continues it. The
 * walk then copies runs along the fastest axis and carries into the slower ones. Arrays that are not a single run are
 * gathered in chunks of CHUNK_BYTES.
 *
 * Cost: one copy of the elements, one carry per run. Limits: strides must have been checked for overflow.
 */
#include "codec/strided.h"

#include <stdlib.h>
#include <string.h>

#include "base/portion.h"

enum { CHUNK_BYTES = NDP_PORTION_BYTES(1 << 18) };

/* Reports whether an axis with this stride continues the last kept, faster axis. */
static bool can_merge(const struct ndp_walk *walk, int64_t stride) {
    const uint32_t last = walk->ndim - 1;
    int64_t end = 0;
    if (walk->ndim == 0 || __builtin_mul_overflow(walk->shape[last], walk->strides_bytes[last], &end)) return false;
    return stride == end;
}

static void reverse_list(int64_t *list, uint32_t count) {
    for (uint32_t i = 0; i < count / 2; i++) {
        const int64_t kept = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = kept;
    }
}

void ndp_strided_walk_init(struct ndp_walk *walk, const struct ndp_elements *elements, enum ndp_memory_order order) {
    const struct ndp_layout *layout = elements->layout;
    *walk =
        (struct ndp_walk){.itemsize_bytes = elements->dtype->itemsize_bytes, .left_elems = ndp_layout_count(layout)};
    if (walk->left_elems == 0 || walk->itemsize_bytes == 0) return;
    walk->at = elements->data + layout->offset_bytes;
    /* From the fastest axis, because merging compares with the faster neighbour. */
    for (uint32_t i = 0; i < layout->ndim; i++) {
        const uint32_t axis = order == NDP_MEMORY_C ? layout->ndim - 1 - i : i;
        const int64_t extent = layout->shape[axis];
        const int64_t stride = layout->strides_bytes[axis];
        if (extent == 1) continue;
        if (can_merge(walk, stride)) {
            walk->shape[walk->ndim - 1] *= extent;
        } else {
            walk->shape[walk->ndim] = extent;
            walk->strides_bytes[walk->ndim++] = stride;
        }
    }
    reverse_list(walk->shape, walk->ndim);
    reverse_list(walk->strides_bytes, walk->ndim);
}

bool ndp_strided_walk_is_contiguous(const struct ndp_walk *walk, struct ndp_bytes *run) {
    if (walk->at == NULL) {
        *run = (struct ndp_bytes){NULL, 0};
        return true;
    }
    if (walk->ndim > 1) return false;
    if (walk->ndim == 1 && walk->strides_bytes[0] != (int64_t)walk->itemsize_bytes) return false;
    *run = (struct ndp_bytes){walk->at, walk->left_elems * walk->itemsize_bytes};
    return true;
}

#define COPY_FIXED(size)                                                                                               \
    for (uint64_t i = 0; i < count; i++, to += (size), from += stride) memcpy(to, from, (size))

/* `from` must not advance past the last element, because that address may be outside of the memory. */
static void copy_run(uint8_t *to, const uint8_t *from, int64_t stride, uint64_t itemsize, uint64_t count) {
    if (stride == (int64_t)itemsize) {
        memcpy(to, from, (size_t)(count * itemsize));
        return;
    }
    count--;
    switch (itemsize) {
    case 1:
        COPY_FIXED(1);
        break;
    case 2:
        COPY_FIXED(2);
        break;
    case 4:
        COPY_FIXED(4);
        break;
    case 8:
        COPY_FIXED(8);
        break;
    case 16:
        COPY_FIXED(16);
        break;
    default:
        COPY_FIXED(itemsize);
        break;
    }
    memcpy(to, from, (size_t)itemsize);
}

/* Advances by `steps` on the fastest axis and carries into slower axes. */
static void walk_advance(struct ndp_walk *walk, uint64_t steps) {
    walk->left_elems -= steps;
    if (walk->left_elems == 0) return;
    uint32_t axis = walk->ndim - 1;
    walk->index[axis] += (int64_t)steps;
    int64_t move = 0;
    if (walk->index[axis] < walk->shape[axis]) {
        walk->at += (int64_t)steps * walk->strides_bytes[axis];
        return;
    }
    move = -(walk->index[axis] - (int64_t)steps) * walk->strides_bytes[axis];
    walk->index[axis] = 0;
    while (axis-- > 0) {
        if (++walk->index[axis] < walk->shape[axis]) {
            move += walk->strides_bytes[axis];
            break;
        }
        move -= (walk->shape[axis] - 1) * walk->strides_bytes[axis];
        walk->index[axis] = 0;
    }
    walk->at += move;
}

uint64_t ndp_strided_walk_copy(struct ndp_walk *walk, uint8_t *to, uint64_t room_elems) {
    uint64_t done = 0;
    if (walk->at == NULL) {
        const uint64_t all = walk->left_elems < room_elems ? walk->left_elems : room_elems;
        walk->left_elems -= all;
        return all;
    }
    while (done < room_elems && walk->left_elems > 0) {
        const uint32_t axis = walk->ndim - 1;
        uint64_t count = walk->ndim == 0 ? 1 : (uint64_t)(walk->shape[axis] - walk->index[axis]);
        if (count > room_elems - done) count = room_elems - done;
        copy_run(to, walk->at, walk->ndim == 0 ? 0 : walk->strides_bytes[axis], walk->itemsize_bytes, count);
        to += count * walk->itemsize_bytes;
        done += count;
        if (walk->ndim == 0) {
            walk->left_elems = 0;
        } else {
            walk_advance(walk, count);
        }
    }
    return done;
}

enum ndp_status ndp_strided_walk_write(struct ndp_walk *walk, ndp_write_bytes *write, void *sink) {
    struct ndp_bytes run;
    if (ndp_strided_walk_is_contiguous(walk, &run))
        return run.size_bytes == 0 ? NDP_OK : write(sink, run.data, run.size_bytes);
    uint64_t room_elems = CHUNK_BYTES / walk->itemsize_bytes;
    if (room_elems == 0) room_elems = 1;
    if (room_elems > walk->left_elems) room_elems = walk->left_elems;
    uint8_t *chunk = malloc((size_t)(room_elems * walk->itemsize_bytes));
    if (chunk == NULL) return NDP_NOMEM;
    enum ndp_status status = NDP_OK;
    while (status == NDP_OK && walk->left_elems > 0) {
        const uint64_t count = ndp_strided_walk_copy(walk, chunk, room_elems);
        status = write(sink, chunk, count * walk->itemsize_bytes);
    }
    free(chunk);
    return status;
}
