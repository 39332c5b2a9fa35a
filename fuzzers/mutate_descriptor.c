/* mutate_descriptor.c: text that is a descriptor becomes one that is a typed change or a few away; other text becomes
 * a descriptor that is drawn from its bytes. What comes out is always one that can be built. */
#include "mutate.h"

#include "describe/fault.h"

enum { MAX_CHANGES = 4, NEW_ONE_IN = 24, DECODES_ONE_IN = 3 };

static bool read(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_descriptor *out) {
    return ndp_descriptor_read(arena, text, &ndp_describe_default_limits, out, NULL) == NDP_OK &&
           ndp_descriptor_check(arena, out, NULL) == NDP_OK;
}

static enum ndp_status draw(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_descriptor *out) {
    static const char *const formats[] = {"npy", "raw"};
    const struct ndp_generate_limits limits = {0};
    *out = (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP};
    if (ndp_choose_rarely(choices, DECODES_ONE_IN))
        return ndp_generate_fault(arena, choices, formats[ndp_choose(choices, 2)], &limits, out);
    return ndp_generate_value(arena, choices, &limits, &out->value);
}

enum ndp_status fuzz_mutate_descriptor(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                       struct ndp_buffer *out) {
    struct ndp_descriptor descriptor;
    if (!read(arena, text, &descriptor)) {
        struct ndp_choices drawn;
        ndp_choices_init_bytes(&drawn, text);
        NDP_TRY(draw(arena, &drawn, &descriptor));
    } else if (ndp_choose_rarely(choices, NEW_ONE_IN)) {
        NDP_TRY(draw(arena, choices, &descriptor));
    } else {
        for (uint64_t left = 1 + ndp_choose(choices, MAX_CHANGES); left > 0; left--) {
            struct ndp_descriptor next;
            NDP_TRY(ndp_mutate(arena, choices, &descriptor, &next));
            descriptor = next;
        }
    }
    return ndp_descriptor_print(out, &descriptor);
}

enum ndp_status fuzz_cross_descriptor(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes first,
                                      struct ndp_bytes second, struct ndp_buffer *out) {
    struct ndp_descriptor parents[2], child;
    if (!read(arena, first, &parents[0]) || !read(arena, second, &parents[1]))
        return fuzz_mutate_descriptor(arena, choices, first, out);
    NDP_TRY(ndp_cross(arena, choices, &parents[0], &parents[1], &child));
    return ndp_descriptor_print(out, &child);
}
