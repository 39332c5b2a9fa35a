#include "base/checked.h"
#include "base/suite.h"
#include "model/layout.h"

struct reshape_case {
    uint32_t ndim;
    int64_t shape[6];
    int64_t strides_bytes[6];
    uint32_t new_ndim;
    int64_t new_shape[8];
    enum ndp_memory_order order;
    bool fits;
    int64_t new_strides_bytes[8];
};

/* Random views of int32 arrays: numpy.shares_memory(a, a.reshape(new_shape, order=order)), and the strides of the
 * result. NumPy 1.26.4 and 2.4.6 agree. */
static const struct reshape_case cases[] = {
    {3, {2, 1, 3}, {8, 72, 24}, 1, {6}, NDP_MEMORY_C, false, {0}},
    {3, {2, 3, 4}, {0, 4, 12}, 2, {8, 3}, NDP_MEMORY_C, false, {0}},
    {3, {2, 1, 6}, {-4, 96, 8}, 2, {4, 3}, NDP_MEMORY_F, false, {0}},
    {1, {6}, {-4}, 2, {3, 2}, NDP_MEMORY_F, true, {-4, -12}},
    {3, {4, 3, 6}, {4, 16, -48}, 3, {9, 2, 4}, NDP_MEMORY_C, false, {0}},
    {4, {2, 2, 3, 3}, {0, 4, 24, 8}, 3, {2, 2, 9}, NDP_MEMORY_C, true, {0, 4, 8}},
    {3, {3, 4, 4}, {64, 4, 16}, 2, {16, 3}, NDP_MEMORY_F, false, {0}},
    {3, {2, 1, 4}, {4, 8, 8}, 2, {4, 2}, NDP_MEMORY_F, true, {4, 16}},
    {4, {2, 4, 4, 2}, {0, 8, 32, 4}, 3, {16, 4, 1}, NDP_MEMORY_F, false, {0}},
    {3, {1, 6, 2}, {48, 8, 4}, 2, {12, 1}, NDP_MEMORY_F, false, {0}},
    {3, {3, 4, 3}, {4, 12, 48}, 3, {4, 3, 3}, NDP_MEMORY_F, true, {4, 16, 48}},
    {1, {4}, {-4}, 2, {2, 2}, NDP_MEMORY_F, true, {-4, -8}},
    {2, {2, 2}, {4, 8}, 2, {2, 2}, NDP_MEMORY_C, true, {4, 8}},
    {4, {3, 2, 6, 4}, {-96, 576, 4, -24}, 2, {18, 8}, NDP_MEMORY_C, false, {0}},
    {4, {2, 6, 3, 3}, {0, -24, 8, 144}, 2, {18, 6}, NDP_MEMORY_C, false, {0}},
    {2, {6, 1}, {4, -24}, 1, {6}, NDP_MEMORY_F, true, {4}},
    {4, {2, 2, 4, 3}, {192, 4, -8, -32}, 3, {8, 2, 3}, NDP_MEMORY_C, false, {0}},
    {4, {2, 3, 1, 2}, {4, 8, 24, 24}, 2, {3, 4}, NDP_MEMORY_C, false, {0}},
    {3, {6, 3, 4}, {48, 4, 12}, 3, {24, 1, 3}, NDP_MEMORY_C, false, {0}},
    {4, {3, 3, 6, 2}, {144, 48, 8, 4}, 4, {2, 9, 3, 2}, NDP_MEMORY_F, false, {0}},
    {4, {2, 4, 3, 1}, {4, 24, 8, 96}, 3, {4, 2, 3}, NDP_MEMORY_F, false, {0}},
    {3, {6, 4, 2}, {32, 4, 16}, 3, {2, 4, 6}, NDP_MEMORY_C, false, {0}},
    {4, {3, 4, 3, 1}, {4, -36, -12, 4}, 3, {12, 1, 3}, NDP_MEMORY_C, false, {0}},
    {4, {1, 4, 3, 4}, {4, 48, 4, 12}, 3, {3, 2, 8}, NDP_MEMORY_C, false, {0}},
    {2, {6, 2}, {-4, 48}, 3, {4, 1, 3}, NDP_MEMORY_F, false, {0}},
    {1, {4}, {-4}, 2, {2, 2}, NDP_MEMORY_C, true, {-8, -4}},
    {3, {1, 4, 3}, {32, 4, 16}, 2, {1, 12}, NDP_MEMORY_F, true, {4, 4}},
    {2, {3, 4}, {8, 24}, 3, {2, 2, 3}, NDP_MEMORY_F, true, {8, 16, 32}},
    {4, {2, 3, 1, 2}, {12, 4, 48, 96}, 3, {3, 2, 2}, NDP_MEMORY_C, true, {8, 4, 96}},
    {2, {6, 4}, {-16, 4}, 2, {6, 4}, NDP_MEMORY_C, true, {-16, 4}},
    {1, {4}, {4}, 2, {2, 2}, NDP_MEMORY_F, true, {4, 8}},
    {2, {4, 1}, {-4, 16}, 1, {4}, NDP_MEMORY_C, true, {-4}},
    {2, {1, 4}, {4, 4}, 3, {2, 1, 2}, NDP_MEMORY_F, true, {4, 8, 8}},
    {2, {3, 3}, {4, 12}, 2, {9, 1}, NDP_MEMORY_F, true, {4, 36}},
    {3, {3, 4, 1}, {4, 12, 24}, 3, {4, 1, 3}, NDP_MEMORY_F, true, {4, 16, 16}},
    {2, {2, 2}, {0, 4}, 3, {2, 2, 1}, NDP_MEMORY_C, true, {0, 4, 4}},
    {2, {1, 4}, {16, 4}, 3, {1, 2, 2}, NDP_MEMORY_F, true, {4, 4, 8}},
    {1, {6}, {4}, 3, {1, 2, 3}, NDP_MEMORY_F, true, {4, 4, 8}},
    {1, {6}, {4}, 2, {2, 3}, NDP_MEMORY_F, true, {4, 8}},
    {3, {1, 6, 1}, {16, 16, 8}, 2, {2, 3}, NDP_MEMORY_F, true, {16, 32}},
    {2, {1, 4}, {16, -4}, 2, {2, 2}, NDP_MEMORY_C, true, {-8, -4}},
    {1, {4}, {4}, 2, {2, 2}, NDP_MEMORY_C, true, {8, 4}},
    {4, {6, 1, 3, 1}, {4, 4, 24, 4}, 2, {6, 3}, NDP_MEMORY_C, true, {4, 24}},
    {3, {2, 2, 4}, {0, 16, 4}, 4, {2, 1, 2, 4}, NDP_MEMORY_F, true, {0, 16, 16, 4}},
    /* Strides whose multiples overflow. */
    {2, {3, 2}, {8, 4053239664633445950}, 1, {6}, NDP_MEMORY_C, false, {0}},
    {2, {2, 3}, {8, 4053239664633445950}, 1, {6}, NDP_MEMORY_C, false, {0}},
    {1, {2}, {4053239664633445950}, 2, {2, 1}, NDP_MEMORY_C, true, {4053239664633445950, 0}},
};

static void reshape_shares_memory_exactly_as_numpy(void **state) {
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct reshape_case *row = &cases[i];
        struct ndp_layout from = {.ndim = row->ndim, .offset_bytes = 1000};
        struct ndp_layout to = {.ndim = 99};
        memcpy(from.shape, row->shape, sizeof row->shape);
        memcpy(from.strides_bytes, row->strides_bytes, sizeof row->strides_bytes);
        const bool fits = ndp_layout_reshape_fits(&from, row->new_shape, row->new_ndim, 4, row->order, &to);
        if (fits != row->fits) fail_msg("row %zu: %s", i, fits ? "shares" : "copies");
        if (!fits) {
            assert_int_equal(to.ndim, 99);
            continue;
        }
        assert_int_equal(to.ndim, row->new_ndim);
        assert_int_equal(to.offset_bytes, 1000);
        for (uint32_t k = 0; k < to.ndim; k++) {
            if (to.shape[k] != row->new_shape[k]) fail_msg("row %zu: extent %u", i, k);
            if (to.shape[k] > 1 && to.strides_bytes[k] != row->new_strides_bytes[k])
                fail_msg("row %zu: stride %u is %ld", i, k, (long)to.strides_bytes[k]);
        }
    }
}

NDP_SUITE(reshape_test, NDP_TEST(reshape_shares_memory_exactly_as_numpy));
