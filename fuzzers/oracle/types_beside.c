#include "oracle/types_beside.h"

#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_codec.h"
#include "fuzz.h"
#include "reader/said_pickle.h"

enum { ONE_IN = 2, FIELDS = 3, ITEM_BYTES = 1 << 16 };

static struct ndp_dtype other_than(const struct ndp_dtype *dtype, uint64_t how) {
    struct ndp_dtype other = *dtype;
    const bool is_time = dtype->kind == NDP_KIND_DATETIME || dtype->kind == NDP_KIND_TIMEDELTA;
    if (how % 3 == 1 && is_time && dtype->unit != NDP_UNIT_GENERIC && dtype->unit_multiple < INT32_MAX)
        other.unit_multiple++;
    else if (how % 3 == 2 && dtype->order != NDP_ORDER_NONE)
        other.order = dtype->order == NDP_ORDER_BIG ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
    else
        other.metadata = ndp_bytes_view(dtype->metadata.size_bytes > 0 ? "" : "{\"~\":0}");
    return other;
}

/* Behind each other; before each other; each on the second half of the one before it; all in one place. */
static uint64_t place(uint64_t i, const struct ndp_dtype *dtype, uint64_t how) {
    const uint64_t size = dtype->itemsize_bytes,
                   places[] = {i * size, i * size, (FIELDS - 1 - i) * size, i * size / 2, 0};
    return places[how % NDP_ARRAY_LEN(places)];
}

bool fuzz_check_types_beside(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t pick) {
    static const char *const names[FIELDS] = {"a", "b", "c"};
    static const enum ndp_numpy_release releases[] = {NDP_NUMPY_1, NDP_NUMPY_2_0, NDP_NUMPY_2_3};
    static const int64_t shape[] = {0};
    static uint8_t nothing[1];
    if (pick % ONE_IN != 0 || dtype->itemsize_bytes > ITEM_BYTES || ndp_dtype_has_object(dtype)) return false;
    pick /= ONE_IN;
    const struct ndp_dtype same = *dtype, other = other_than(dtype, pick / 2);
    const struct ndp_dtype *types[FIELDS] = {dtype, &other, &same};
    struct ndp_field fields[FIELDS];
    if (pick % 2 == 0) types[0] = &other, types[1] = dtype;
    for (uint32_t i = 0; i < FIELDS; i++)
        fields[i] = (struct ndp_field){
            .name = ndp_bytes_view(names[i]), .offset_bytes = place(i, dtype, pick / 216), .dtype = types[i]};
    fields[0].has_title = pick / 6 % 2 == 0; /* an empty one */
    const struct ndp_dtype made = {.kind = NDP_KIND_STRUCT,
                                   .itemsize_bytes = FIELDS * dtype->itemsize_bytes,
                                   .fields = fields,
                                   .field_count = FIELDS};
    struct ndp_layout layout;
    if (ndp_dtype_check(&made, NULL) != NDP_OK ||
        ndp_layout_contiguous(&layout, shape, 1, made.itemsize_bytes, NDP_MEMORY_C, 0) != NDP_OK)
        return false;
    const struct ndp_elements elements = {&made, &layout, nothing};
    const struct ndp_array_form form = {.protocol = (uint32_t)(pick / 12 % 6)};
    struct ndp_buffer bytes = {.max_bytes = UINT64_MAX};
    struct ndp_pickle_array again = {0};
    if (FUZZ_HOLDS(ndp_pickle_encode(arena, &elements, &form, releases[pick / 72 % NDP_ARRAY_LEN(releases)],
                                     ndp_write_to_buffer, &bytes, NULL, NULL) == NDP_OK) &&
        FUZZ_HOLDS(ndp_pickle_decode_memory(arena, ndp_buffer_view(&bytes), NULL, &again, NULL) == NDP_OK))
        FUZZ_HOLDS(ndp_dtype_compare(&made, again.dtype, NULL) == 0 &&
                   fuzz_is_numpys_form(arena, ndp_buffer_view(&bytes), form.protocol, &made));
    ndp_pickle_array_clear(&again);
    ndp_buffer_clear(&bytes);
    return true;
}
