/* no_target.c: an empty fuzz target for unit tests. The archive provides it only if the program defines no target. */
#include "fuzz.h"

const char fuzz_name[] = "test";
const unsigned fuzz_hashes_per_byte = 0;

int fuzz_one_input(const uint8_t *data, size_t size) {
    (void)data, (void)size;
    return 0;
}
