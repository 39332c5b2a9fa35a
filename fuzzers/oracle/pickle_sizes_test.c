/* Expected: of a payload with 65,535 bytes and one with 65,536 CPython 3.11's pickle.dumps writes the first in a frame
 * and the second behind it (Lib/pickle.py, _Framer). */
#include "oracle/pickle_sizes.h"

#include <string.h>

#include "base/byteorder.h"
#include "base/suite.h"
#include "reader/whole.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 14 * 16 * 2 * 3, HEAD_BYTES = 16, CHECKS = 6000 };

static void every_payload_is_written_as_it_is_spelled(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 26};
    const uint64_t before = fuzz_hits();
    for (uint64_t i = 0; i < CHECKS; i++)
        fuzz_check_sizes(&arena, (uint32_t)(i % 6), i * UINT64_C(0x9e3779b97f4a7c15) >> 8);
    assert_int_equal(fuzz_hits(), before);
    ndp_arena_clear(&arena);
}

static void payloads_have_the_sizes_at_which_things_change(void **state) {
    (void)state;
    static const uint64_t wanted[] = {0, 1, 255, 256, 257, 65535, 65536, 65537};
    struct ndp_buffer spelled = {.max_bytes = 1 << 20};
    bool is_there[NDP_ARRAY_LEN(wanted)] = {false};
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        spelled.size_bytes = 0;
        assert_int_equal(fuzz_spell_size(pick, &spelled), NDP_OK);
        const uint8_t *const at = spelled.data + 1;
        const uint64_t said = *at == 'C' ? at[1] : *at == 'B' ? ndp_load_u32le(at + 1) : UINT64_MAX;
        for (size_t i = 0; i < NDP_ARRAY_LEN(wanted); i++) is_there[i] = is_there[i] || said == wanted[i];
        if (said != UINT64_MAX) assert_int_equal(spelled.size_bytes, said + (*at == 'C' ? 2 : 5) + 8);
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(wanted); i++)
        if (!is_there[i]) fail_msg("row %zu", i);
    ndp_buffer_clear(&spelled);
}

/* The protocol, a frame, then B with its length and the bytes, and what ends it, all in the frame or none. */
static void a_large_payload_stands_in_no_frame(void **state) {
    (void)state;
    static uint8_t pickle[HEAD_BYTES + (1 << 16) + 2];
    for (uint32_t size = (1 << 16) - 1; size <= 1 << 16; size++) {
        const uint8_t head[] = {0x80, 4, 0x95, 0, 0, 0, 0, 0, 0, 0, 0, 'B'};
        memcpy(pickle, head, sizeof head);
        ndp_store_u64le(pickle + 3, 5 + (uint64_t)size + 2);
        ndp_store_u32le(pickle + sizeof head, size);
        memcpy(pickle + HEAD_BYTES + size,
               "\x94"
               ".",
               2);
        assert_int_equal(fuzz_is_as_pickled((struct ndp_bytes){pickle, HEAD_BYTES + (uint64_t)size + 2}, 4),
                         size < 1 << 16);
    }
}

/* pickle.dumps(("a" * size, 7), 4) of CPython, where the frame is not full before the number. */
static void a_full_frame_takes_no_other_value(void **state) {
    (void)state;
    static uint8_t pickle[(1 << 16) + 32];
    for (uint32_t content = (1 << 16) - 1; content <= 1 << 16; content++) {
        const uint8_t head[] = {0x80, 4, 0x95, 0, 0, 0, 0, 0, 0, 0, 0, 'X'};
        static const uint8_t behind[] = {0x94, 'K', 7, 0x86, 0x94, '.'};
        const uint32_t size = content - 5 - 1;
        memcpy(pickle, head, sizeof head);
        ndp_store_u64le(pickle + 3, (uint64_t)content + 5);
        ndp_store_u32le(pickle + sizeof head, size);
        memset(pickle + sizeof head + 4, 'a', size);
        memcpy(pickle + sizeof head + 4 + size, behind, sizeof behind);
        const struct ndp_bytes bytes = {pickle, sizeof head + 4 + size + sizeof behind};
        assert_int_equal(fuzz_is_as_pickled(bytes, 4), content < 1 << 16);
    }
}

NDP_SUITE(pickle_sizes_test, cmocka_unit_test(every_payload_is_written_as_it_is_spelled),
          cmocka_unit_test(payloads_have_the_sizes_at_which_things_change),
          cmocka_unit_test(a_large_payload_stands_in_no_frame), cmocka_unit_test(a_full_frame_takes_no_other_value));
