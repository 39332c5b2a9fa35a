/* place_again.h: what becomes of a file whose arrays are written to, and what came out of one, written and read again
 * far into another. */
#ifndef NDP_FUZZ_PLACE_AGAIN_H
#define NDP_FUZZ_PLACE_AGAIN_H

#include "codec/raw/raw.h"

/* The file of fuzz_fd() holds what `data` does, but for the array's elements as they now are. */
void fuzz_check_file(const struct ndp_npy_array *whole, uint64_t offset, const uint8_t *data, size_t size);

/* A file that the elements are mapped to behind filler holds these bytes and no more; what is large is not tried. */
void fuzz_check_mapped(const struct ndp_elements *elements, uint64_t offset, struct ndp_bytes want);

/* For one input in several, by `pick`: an array of the form is written behind as much filler as a place near a page,
 * 2^16 or 2^20 needs, now and then by a map, and behind a hole, up to 2^32, in the file of fuzz_fd(); its elements are
 * there, whoever reads the file has them, and a map, which knows when the file no longer does; a sink without room for
 * the last byte is told. The file is left with its first `size_bytes` bytes. */
void fuzz_place_again(const struct ndp_raw_form *form, const struct ndp_npy_array *array, uint64_t size_bytes,
                      uint64_t pick);

#endif
