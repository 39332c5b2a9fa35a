/* no_target.c: the fuzz target of a unit test that needs none. The archive brings it only where nothing else is one. */
#include "fuzz.h"

const char fuzz_name[] = "test";
const unsigned fuzz_hashes_per_byte = 0;

int fuzz_one_input(const uint8_t *data, size_t size) {
    (void)data, (void)size;
    return 0;
}
