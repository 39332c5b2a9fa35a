#include "oracle/pickled_again.h"

#include <string.h>

#include "codec/npy/npy_encode.h"
#include "fuzz.h"
#include "oracle/out_of_band.h"
#include "reader/said_pickle.h"
#include "reader/whole.h"

enum { NAME_AT_MOST = 32, OLD_ONE_IN = 8 };

bool fuzz_is_of_release(struct ndp_bytes pickle, bool is_old) {
    static const char old[] = "numpy.core.", now[] = "numpy._core.";
    const char *name = is_old ? old : now;
    const size_t size = strlen(name);
    for (uint64_t at = 0; at < NAME_AT_MOST && at + size <= pickle.size_bytes; at++)
        if (memcmp(pickle.data + at, name, size) == 0) return true;
    return false;
}

static struct ndp_bytes encode(struct ndp_arena *arena, const struct ndp_elements *elements, uint32_t protocol,
                               bool is_old, bool is_readonly) {
    const enum ndp_numpy_release release = is_old ? NDP_NUMPY_1 : NDP_NUMPY_2_3;
    const struct ndp_array_form form = {.protocol = protocol, .is_readonly = is_readonly};
    static struct ndp_buffer made = {.max_bytes = 1 << 26};
    made.size_bytes = 0;
    FUZZ_HOLDS(!ndp_pickle_encode(arena, elements, &form, release, ndp_write_to_buffer, &made, NULL, NULL));
    FUZZ_HOLDS(fuzz_is_of_release(ndp_buffer_view(&made), is_old));
    return (struct ndp_bytes){ndp_arena_copy(arena, made.data, made.size_bytes), made.size_bytes};
}

static void check(struct ndp_arena *arena, const struct ndp_pickle_array *array, struct ndp_bytes pickle,
                  uint32_t protocol, bool is_open) {
    struct ndp_pickle_array again = {0};
    const enum ndp_status status = ndp_pickle_decode_memory(arena, pickle, NULL, &again, NULL);
    if (FUZZ_HOLDS(status == NDP_OK && fuzz_is_as_pickled(pickle, protocol)))
        FUZZ_HOLDS(fuzz_same_pickled(array, &again) && fuzz_is_numpys_type(arena, pickle, array->dtype));
    FUZZ_HOLDS(status || protocol < 5 || again.is_writeable == is_open);
    ndp_pickle_array_clear(&again);
}

void fuzz_pickled_again(struct ndp_arena *arena, const struct ndp_pickle_array *array,
                        const struct ndp_elements *elements, uint32_t protocol) {
    const struct ndp_bytes open = encode(arena, elements, protocol, protocol % 2 == 0, false);
    check(arena, array, open, protocol, true);
    if (protocol < 5) return;
    /* In this protocol NumPy 1 may lose the order of axes. */
    if (array->consumed_bytes % OLD_ONE_IN == 0) {
        const struct ndp_bytes old = encode(arena, elements, protocol, true, false);
        FUZZ_HOLDS(fuzz_is_as_pickled(old, protocol));
    }
    /* What goes by no buffer says nothing of it, and is the same pickle. */
    const struct ndp_bytes closed = encode(arena, elements, protocol, false, true);
    check(arena, array, closed, protocol, ndp_bytes_is_equal(open, closed));
}
