/* mutate_memmap.c: changes a mapped file: its size, which determines dtype, shape and order (raw_form.h), the offset
 * of the elements, and the elements. Sizes and offsets near multiples of a page or an item are more frequent. */
#include "mutate/mutate.h"

#include <string.h>

#include "form/raw_form.h"

enum { PAGE_BYTES = 4096, MAX_FILE_BYTES = 3 * PAGE_BYTES, MAX_CHANGES = 3 };

/* Selects a number near a multiple of a page or an item. */
static uint64_t pick_near(struct ndp_choices *choices, uint64_t most) {
    static const uint64_t steps[] = {1, 2, 8, 16, 64, 512, PAGE_BYTES};
    const uint64_t step = steps[ndp_choose(choices, NDP_ARRAY_LEN(steps))];
    const uint64_t at = ndp_choose(choices, most / step + 1) * step + ndp_choose(choices, 3);
    return at > 0 ? at - 1 : 0;
}

static enum ndp_status change_size(struct ndp_choices *choices, struct ndp_buffer *file) {
    const uint64_t small = ndp_choose(choices, 4) == 0 ? MAX_FILE_BYTES : 256;
    uint64_t size =
        ndp_choose(choices, 3) == 0 ? file->size_bytes + ndp_choose(choices, 13) : pick_near(choices, small);
    if (size >= 6 && ndp_choose(choices, 4) == 0) size -= ndp_choose(choices, 6);
    if (size < file->size_bytes) file->size_bytes = size;
    while (file->size_bytes < size) {
        const uint8_t byte = (uint8_t)(file->size_bytes * 37 + 1);
        NDP_TRY(ndp_buffer_add(file, &byte, 1));
    }
    return NDP_OK;
}

/* Writes the offset of the elements into the first two bytes, modulo the size. */
static void change_offset(struct ndp_choices *choices, struct ndp_buffer *file) {
    struct fuzz_raw_form place;
    const uint64_t size = file->size_bytes, how = ndp_choose(choices, 8);
    if (size < 2) return;
    fuzz_raw_form_of(ndp_buffer_view(file), &place);
    const uint64_t item = place.dtype.itemsize_bytes;
    uint64_t at = pick_near(choices, size);
    if (how == 0) at = size - size % item;
    if (how == 1) at = size + ndp_choose(choices, 2);
    if (how == 2) at = item * ndp_choose(choices, size / item + 1);
    if (how == 3) at = ndp_choose(choices, 3);
    if (at > size + 1 || at > UINT16_MAX) at = 0;
    file->data[0] = (uint8_t)at;
    file->data[1] = (uint8_t)(at >> 8);
}

/* Fills an item with equal bytes, or changes one byte. */
static void change_item(struct ndp_choices *choices, struct ndp_buffer *file) {
    static const uint8_t corners[] = {0, 1, 0x7f, 0x80, 0xf0, 0xff};
    if (file->size_bytes <= 2) return;
    const uint8_t byte = corners[ndp_choose(choices, sizeof corners)];
    const uint64_t at = 2 + ndp_choose(choices, file->size_bytes - 2);
    uint64_t count = ndp_choose(choices, 2) == 0 ? 1 : 8;
    if (count > file->size_bytes - at) count = file->size_bytes - at;
    memset(file->data + at, byte, (size_t)count);
}

enum ndp_status fuzz_mutate_memmap(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                   struct ndp_buffer *out) {
    (void)arena;
    NDP_TRY(ndp_buffer_add(out, text.data, text.size_bytes));
    for (uint64_t left = 1 + ndp_choose(choices, MAX_CHANGES); left > 0; left--) {
        const uint64_t how = ndp_choose(choices, 4);
        if (how == 0) NDP_TRY(change_size(choices, out));
        if (how == 1 || how == 2) change_offset(choices, out);
        if (how == 3) change_item(choices, out);
    }
    return NDP_OK;
}

/* The first bytes of one input before the rest of the other. */
enum ndp_status fuzz_cross_memmap(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes first,
                                  struct ndp_bytes second, struct ndp_buffer *out) {
    (void)arena;
    const uint64_t head = ndp_choose(choices, first.size_bytes + 1), tail = ndp_choose(choices, second.size_bytes + 1);
    NDP_TRY(ndp_buffer_add(out, first.data, head));
    NDP_TRY(ndp_buffer_add(out, second.data + (second.size_bytes - tail), tail));
    return NDP_OK;
}
