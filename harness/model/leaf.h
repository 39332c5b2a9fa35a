/* leaf.h: stores, compares and prints one leaf in its own byte order.
 *
 * A leaf is a sequence of units of one size, and byte order applies to each unit: a number is one unit, a complex
 * number two, a text one per code point. All functions take resolved leaves (no NATIVE), borrow their bytes, and need
 * no alignment. A long double has the x87 format: ten bytes and six bytes of padding.
 */
#ifndef NDP_LEAF_H
#define NDP_LEAF_H

#include "model/dtype.h"

/* The size of a unit; 1 for BYTES and VOID. */
uint64_t ndp_leaf_unit_bytes(const struct ndp_dtype *leaf);

/* Whether the leaf is a real or complex long double. */
bool ndp_leaf_is_longdouble(const struct ndp_dtype *leaf);

/* Stores the low `unit_bytes` (1, 2, 4 or 8) bytes of `value`. */
void ndp_leaf_store_unit(uint8_t *at, uint64_t unit_bytes, uint64_t value, enum ndp_byte_order order);

/* Stores the number k converted to the dtype: integers modulo their range, f2 and f4 modulo their exact range (2^11,
 * 2^24), complex as (k, k + 1), S and U as the last decimal digits, V as the bytes k + 1, k + 2, ... */
void ndp_leaf_store_index(const struct ndp_dtype *leaf, uint64_t k, uint8_t *at);

/* Stores boundary value number k of the dtype, cyclically: NaN payloads, signalling NaNs, -0, infinities, subnormals,
 * smallest and largest integers, NaT, bytes of a bool other than 0 and 1, embedded NULs, surrogates and U+10FFFF, x87
 * encodings that arithmetic cannot produce. */
void ndp_leaf_store_special(const struct ndp_dtype *leaf, uint64_t k, uint8_t *at);

/* Whether two leaves of the same kind have equal values, regardless of byte order. `mask`: enum ndp_value_mask of
 * model/equality.h. Sizes differ only for BYTES and TEXT with trailing NULs masked. */
bool ndp_leaf_is_equal(const struct ndp_dtype *a, const uint8_t *x, const struct ndp_dtype *b, const uint8_t *y,
                       uint32_t mask);

/* Fills `mask`, a byte for each byte of one item: 0xff in the value of a leaf, 0 in padding and in the last six bytes
 * of a long double. */
void ndp_leaf_mask(const struct ndp_dtype *item, uint8_t *mask);

/* Copies one item and clears the last six bytes of each long double, even if they overlap another leaf. */
void ndp_leaf_copy_kept(const struct ndp_dtype *item, const uint8_t *from, uint8_t *to);

/* Prints a leaf for messages, truncated to `out_bytes` including the NUL. */
void ndp_leaf_print(const struct ndp_dtype *leaf, const uint8_t *at, char *out, size_t out_bytes);

#endif
