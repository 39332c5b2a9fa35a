/* Our table answers as Python does in every block; with one answer turned round it does in none. */
#include "reader/printed.h"

#include "base/suite.h"

static void every_block_is_as_in_python(void **state) {
    (void)state;
    for (uint32_t block = 0; block < FUZZ_PRINTED_BLOCKS; block++)
        if (!fuzz_is_printed_so(block, fuzz_printed_hash(block, FUZZ_PRINTED_ALL)))
            fail_msg("block %u", (unsigned)block);
}

static void one_other_answer_is_seen(void **state) {
    (void)state;
    for (uint32_t block = 0; block < FUZZ_PRINTED_BLOCKS; block++)
        if (fuzz_is_printed_so(block, fuzz_printed_hash(block, block * 7 % 256))) fail_msg("block %u", (unsigned)block);
}

NDP_SUITE(printed_test, cmocka_unit_test(every_block_is_as_in_python), cmocka_unit_test(one_other_answer_is_seen));
