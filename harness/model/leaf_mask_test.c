/* leaf_mask_test.c: significant bytes of an item. Expected: offsets and padding of numpy.dtype(..., align=True) of
 * NumPy 2.x; the six padding bytes of an x87 long double by the System V ABI for x86-64, 3.1.2. */
#include "base/suite.h"
#include "model/dtype_samples.h"
#include "model/leaf.h"

enum { MOST_BYTES = 64 };

static const struct ndp_dtype complex_longdouble = LEAF(COMPLEX, LITTLE, 32);

/* # marks a significant byte. */
static const struct {
    const struct ndp_dtype *item;
    const char *counted;
} rows[] = NDP_ROWS({&sample_u1, "#"}, {&sample_U2, "########"}, {&sample_S0, ""}, {&sample_f8, "########"},
                    {&sample_f16, "##########......"}, {&sample_bigf16, "......##########"},
                    {&complex_longdouble, "##########......##########......"}, {&sample_sub, "####"},
                    {&sample_native, "#########"}, {&sample_aligned, "#.......########"});

static void only_values_are_masked(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint8_t mask[MOST_BYTES];
        char counted[MOST_BYTES + 1] = "";
        memset(mask, 0x55, sizeof mask);
        assert_int_equal(rows[i].item->itemsize_bytes, strlen(rows[i].counted));
        ndp_leaf_mask(rows[i].item, mask);
        for (uint64_t k = 0; k < rows[i].item->itemsize_bytes; k++)
            counted[k] = (char)(mask[k] == 0xff ? '#' : mask[k] == 0 ? '.' : '?');
        if (strcmp(counted, rows[i].counted) != 0) fail_msg("row %u: %s", (unsigned)i, counted);
        assert_int_equal(mask[rows[i].item->itemsize_bytes], 0x55);
    }
}

NDP_SUITE(leaf_mask_test, NDP_TEST(only_values_are_masked));
