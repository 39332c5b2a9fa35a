#include "drawn.h"

#include "codec/npy_encode.h"
#include "codec/pickle_codec.h"
#include "model/array.h"

static enum ndp_status draw_array(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_array *out) {
    const struct ndp_generate_limits limits = {.without_objects = true};
    struct ndp_value value = {.kind = NDP_VALUE_ARRAY};
    NDP_TRY(ndp_generate_value(arena, choices, &limits, &value));
    if (value.kind != NDP_VALUE_ARRAY) return NDP_UNSUPPORTED;
    NDP_TRY(ndp_array_build(arena, &value.array, true, out, NULL));
    return ndp_dtype_has_object(out->dtype) ? NDP_UNSUPPORTED : NDP_OK;
}

static enum ndp_numpy_release draw_release(struct ndp_choices *choices) {
    static const enum ndp_numpy_release releases[] = {NDP_NUMPY_1, NDP_NUMPY_2_0, NDP_NUMPY_2_3};
    return releases[ndp_choose(choices, NDP_ARRAY_LEN(releases))];
}

enum ndp_status fuzz_draw_pickle(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_buffer *out) {
    struct ndp_array array;
    NDP_TRY(draw_array(arena, choices, &array));
    const struct ndp_elements elements = {array.dtype, &array.layout, array.buffer};
    const struct ndp_array_form form = {.protocol = (uint32_t)ndp_choose(choices, 6),
                                        .is_readonly = ndp_choose_rarely(choices, 4)};
    return ndp_pickle_encode(arena, &elements, &form, draw_release(choices), ndp_write_to_buffer, out, NULL, NULL);
}
