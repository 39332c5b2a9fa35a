/* shrink_detail.c: small steps: memory, data, flags, route, fault, and the bytes of a decode case. */
#include "generate/shrink_parts.h"

#include <string.h>

static bool has_value(const struct ndp_descriptor *from) {
    return from->value.array.base.dtype != NULL;
}

enum { BASE_CHANGES = 15 };

static uint32_t count_base(const struct ndp_descriptor *from) {
    return has_value(from) ? BASE_CHANGES : 0;
}

static enum ndp_status make_base(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    struct ndp_array_value *value = &out->value.array;
    struct ndp_base *base = &value->base;
    (void)shrink;
    if (index == 0) base->has_map = false;
    if (index <= 1) base->map_offset_bytes = 0;
    if (index == 2) base->map_offset_bytes = base->map_offset_bytes > 64 ? 64 : 1;
    if (index == 3) base->map_mode = NDP_MAP_READ;
    if (index == 4) base->map_mode = NDP_MAP_READ_WRITE;
    if (index == 5) base->order = NDP_MEMORY_C;
    if (index == 6) base->misalign_bytes = 0;
    if (index == 7) base->misalign_bytes = 1;
    if (index == 8) base->is_readonly = false;
    if (index == 9) value->is_readonly = false;
    if (index == 10) value->class_name = ndp_bytes_view("ndarray");
    if (index == 11) base->data = (struct ndp_data){.pattern = NDP_PATTERN_ZEROS};
    if (index == 12) base->data = (struct ndp_data){.pattern = NDP_PATTERN_INDEX};
    if (index == 13) base->data.seed = 0;
    if (index == 14) base->data.seed /= 2;
    return NDP_OK;
}

static uint32_t count_fault(const struct ndp_descriptor *from) {
    (void)from;
    return 6;
}

static enum ndp_status make_fault(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    (void)shrink;
    uint64_t *argument = &out->fault.argument;
    const struct ndp_fault_row *row = ndp_fault_find(out->fault.name, out->route.format);
    uint64_t lowest = row != NULL ? row->argument_min : 0;
    if (index == 0) out->route.offset_bytes = 0;
    if (index == 1) out->route.offset_bytes /= 2;
    if (index == 2) *argument = lowest;
    if (index == 3) *argument = lowest + (*argument - lowest) / 2;
    if (index == 4) *argument -= (*argument - lowest) / 4;
    if (index != 5) return NDP_OK;
    if (*argument == 0) return NDP_INVALID;
    --*argument;
    return NDP_OK;
}

/* First removes runs of bytes (halves, quarters, ..., sixteenths), then removes or zeroes single bytes. Only the first
 * and last bytes of a long input are tried singly. */
enum { BYTE_RUNS = 30, BYTE_SINGLES = 64 };

static uint32_t count_bytes(const struct ndp_descriptor *from) {
    return from->bytes.size_bytes > 0 ? BYTE_RUNS + 2 * BYTE_SINGLES : 0;
}

static enum ndp_status cut_bytes(struct ndp_arena *arena, struct ndp_bytes *bytes, uint64_t first, uint64_t count) {
    uint64_t left = bytes->size_bytes - count;
    if (count == 0 || left == 0 || first + count > bytes->size_bytes) return NDP_INVALID;
    uint8_t *kept = ndp_arena_alloc(arena, left);
    if (kept == NULL) return NDP_NOMEM;
    memcpy(kept, bytes->data, (size_t)first);
    memcpy(kept + first, bytes->data + first + count, (size_t)(left - first));
    *bytes = (struct ndp_bytes){kept, left};
    return NDP_OK;
}

static enum ndp_status make_bytes(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    struct ndp_bytes *bytes = &out->bytes;
    out->expect = NDP_EXPECT_OPEN;
    out->file[0] = '\0'; /* changed bytes are no longer those of the file */
    if (index < BYTE_RUNS) {
        uint32_t parts = 2;
        while (index + 2 >= 2 * parts) parts *= 2;
        uint64_t run = bytes->size_bytes / parts;
        uint32_t number = parts - 1 - (index + 2 - parts); /* the end is removed first */
        return cut_bytes(shrink->arena, bytes, run * number, run);
    }
    index -= BYTE_RUNS;
    bool is_cut = index < BYTE_SINGLES;
    uint64_t at = index % BYTE_SINGLES;
    if (at >= BYTE_SINGLES / 2) at = bytes->size_bytes - 1 - (at - BYTE_SINGLES / 2);
    if (at >= bytes->size_bytes) return NDP_INVALID;
    if (is_cut) return cut_bytes(shrink->arena, bytes, at, 1);
    uint8_t *copy = ndp_arena_copy(shrink->arena, bytes->data, bytes->size_bytes);
    if (copy == NULL) return NDP_NOMEM;
    copy[at] = 0;
    bytes->data = copy;
    return NDP_OK;
}

const struct ndp_shrink_family ndp_shrink_detail_families[] = {
    {count_base, make_base}, {count_fault, make_fault}, {count_bytes, make_bytes}, {NULL, NULL}};
