/* view_cases.h: expected results and refusals of views: the tables of view_test.c. */
#ifndef NDP_VIEW_CASES_H
#define NDP_VIEW_CASES_H

#include "model/array.h"
#include "model/dtype_samples.h"

#define SLICES(...)                                                                                                    \
    (const struct ndp_slice[]) {                                                                                       \
        __VA_ARGS__                                                                                                    \
    }
enum { ANYWHERE = INT32_MAX, DETACHED = -1, MAX_VIEWS = 4 };

/* A base whose byte i is (7 * i + 3) & 255, views, and the expected result. */
struct view_case {
    const char *what;
    const struct ndp_dtype *dtype;
    uint32_t base_ndim;
    int64_t base_shape[4];
    enum ndp_memory_order order;
    uint32_t misalign_bytes;
    bool is_base_readonly;
    bool is_readonly;
    bool has_map;
    enum ndp_map_mode mode;
    uint64_t map_offset_bytes;
    uint32_t view_count;
    struct ndp_view views[MAX_VIEWS];
    const char *flags;
    uint32_t ndim;
    int64_t shape[4];
    int64_t strides_bytes[4];
    int32_t place_bytes; /* position of element 0 from the first byte of the base's elements */
    uint64_t itemsize_bytes;
    const char *elements;
    bool is_all_zero;
    const char *class_name;
    bool has_attributes; /* file name, mode and offset of a memmap */
};

/* numpy.ndarray or numpy.memmap over those bytes, then the operations of the testee protocol; flags, shape, strides,
 * address, memory and attributes of the result. NumPy 1.26.4 and 2.4.6 on x86-64 agree. OWNDATA matters only after
 * imag, since a testee may own or borrow a base. */
/* clang-format off */
static const struct view_case cases[] = {
    {.what = "base C", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .flags = "CWA", .ndim = 2, .shape =
     {2, 3}, .strides_bytes = {24, 8}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc" "e3eaf1f8ff060d141b222930373e454c"},
    {.what = "base F", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .order = NDP_MEMORY_F, .flags =
     "FWA", .ndim = 2, .shape = {2, 3}, .strides_bytes = {8, 16}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34737a81888f969da4e3eaf1f8ff060d143b424950575e656c" "abb2b9c0c7ced5dc1b222930373e454c"},
    {.what = "0-d", .dtype = &sample_i8, .flags = "CFWA", .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34"},
    {.what = "zero extent C", .dtype = &sample_i8, .base_ndim = 3, .base_shape = {2, 0, 3}, .flags = "CFWA", .ndim = 3,
     .shape = {2, 0, 3}, .strides_bytes = {24, 24, 8}, .place_bytes = ANYWHERE, .itemsize_bytes = 8},
    {.what = "zero extent F", .dtype = &sample_i8, .base_ndim = 3, .base_shape = {2, 0, 3}, .order = NDP_MEMORY_F,
     .flags = "CFWA", .ndim = 3, .shape = {2, 0, 3}, .strides_bytes = {8, 16, 16}, .place_bytes = ANYWHERE,
     .itemsize_bytes = 8},
    {.what = "both orders", .dtype = &sample_i8, .base_ndim = 3, .base_shape = {1, 4, 1}, .flags = "CFWA", .ndim = 3,
     .shape = {1, 4, 1}, .strides_bytes = {32, 8, 8}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc"},
    {.what = "misaligned by 1", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {2}, .misalign_bytes = 1, .flags =
     "CFW", .ndim = 1, .shape = {2}, .strides_bytes = {8}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c"},
    {.what = "misaligned by 8", .dtype = &sample_f16, .base_ndim = 1, .base_shape = {2}, .misalign_bytes = 8, .flags =
     "CFW", .ndim = 1, .shape = {2}, .strides_bytes = {16}, .place_bytes = 0, .itemsize_bytes = 16, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc"},
    {.what = "readonly", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {2}, .is_base_readonly = true, .flags =
     "CFA", .ndim = 1, .shape = {2}, .strides_bytes = {8}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c"},
    {.what = "no byte to an item: order of making", .dtype = &sample_V0, .base_ndim = 2, .base_shape = {2, 3}, .order =
     NDP_MEMORY_F, .flags = "FWA", .ndim = 2, .shape = {2, 3}, .strides_bytes = {0, 0}, .place_bytes = ANYWHERE,
     .itemsize_bytes = 0},
    {.what = "no byte to an item: a view of it", .dtype = &sample_V0, .base_ndim = 2, .base_shape = {2, 3}, .order =
     NDP_MEMORY_F, .view_count = 1, .views = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = U32(0, 1)}}, .flags =
     "CFWA", .ndim = 2, .shape = {2, 3}, .strides_bytes = {0, 0}, .place_bytes = ANYWHERE, .itemsize_bytes = 0},
    {.what = "sub-array becomes axes", .dtype = &sample_sub, .base_ndim = 1, .base_shape = {3}, .flags = "CWA", .ndim =
     2, .shape = {3, 2}, .strides_bytes = {4, 2}, .place_bytes = 0, .itemsize_bytes = 2, .elements =
     "030a11181f262d343b424950"},
    {.what = "sub-array becomes axes, F", .dtype = &sample_sub, .base_ndim = 1, .base_shape = {3}, .order =
     NDP_MEMORY_F, .flags = "FWA", .ndim = 2, .shape = {3, 2}, .strides_bytes = {2, 6}, .place_bytes = 0,
     .itemsize_bytes = 2, .elements = "030a2d3411183b421f264950"},
    {.what = "1-d reshaped C", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {6}, .view_count = 1, .views = {{.op
     = NDP_VIEW_RESHAPE, .ndim = 2, .shape = I64(2, 3)}}, .flags = "CWA", .ndim = 2, .shape = {2, 3}, .strides_bytes =
     {24, 8}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc" "e3eaf1f8ff060d141b222930373e454c"},
    {.what = "1-d reshaped F", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {6}, .view_count = 1, .views = {{.op
     = NDP_VIEW_RESHAPE, .ndim = 2, .shape = I64(2, 3), .order = NDP_MEMORY_F}}, .flags = "FWA", .ndim = 2, .shape =
     {2, 3}, .strides_bytes = {8, 16}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34737a81888f969da4e3eaf1f8ff060d143b424950575e656c" "abb2b9c0c7ced5dc1b222930373e454c"},
    {.what = "reshape to the same shape keeps strides", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3},
     .order = NDP_MEMORY_F, .view_count = 1, .views = {{.op = NDP_VIEW_RESHAPE, .ndim = 2, .shape = I64(2, 3)}}, .flags
     = "FWA", .ndim = 2, .shape = {2, 3}, .strides_bytes = {8, 16}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34737a81888f969da4e3eaf1f8ff060d143b424950575e656c" "abb2b9c0c7ced5dc1b222930373e454c"},
    {.what = "transposed, flattened: copies", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .view_count =
     2, .views = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = U32(1, 0)}, {.op = NDP_VIEW_RESHAPE, .ndim = 1, .shape
     = I64(6)}}, .flags = "CFWA", .ndim = 1, .shape = {6}, .strides_bytes = {8}, .place_bytes = -1, .itemsize_bytes =
     8, .elements = "030a11181f262d34abb2b9c0c7ced5dc3b424950575e656ce3eaf1f8ff060d14"
     "737a81888f969da41b222930373e454c"},
    {.what = "transposed, flattened in F order: shares", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3},
     .view_count = 2, .views = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = U32(1, 0)}, {.op = NDP_VIEW_RESHAPE,
     .ndim = 1, .shape = I64(6), .order = NDP_MEMORY_F}}, .flags = "CFWA", .ndim = 1, .shape = {6}, .strides_bytes =
     {8}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc" "e3eaf1f8ff060d141b222930373e454c"},
    {.what = "every second column, split: shares", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {4, 4},
     .view_count = 2, .views = {{.op = NDP_VIEW_SLICE, .ndim = 2, .slices = SLICES({0, 1, 4}, {0, 2, 2})}, {.op =
     NDP_VIEW_RESHAPE, .ndim = 3, .shape = I64(2, 2, 2)}}, .flags = "WA", .ndim = 3, .shape = {2, 2, 2}, .strides_bytes
     = {64, 32, 16}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34737a81888f969da4e3eaf1f8ff060d14535a61686f767d84"
     "c3cad1d8dfe6edf4333a41484f565d64a3aab1b8bfc6cdd4131a21282f363d44"},
    {.what = "every second column, joined: copies", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {3, 4},
     .view_count = 2, .views = {{.op = NDP_VIEW_SLICE, .ndim = 2, .slices = SLICES({0, 1, 3}, {0, 2, 2})}, {.op =
     NDP_VIEW_RESHAPE, .ndim = 1, .shape = I64(6)}}, .flags = "WA", .ndim = 1, .shape = {6}, .strides_bytes = {16},
     .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34737a81888f969da4e3eaf1f8ff060d14535a61686f767d84" "c3cad1d8dfe6edf4333a41484f565d64"},
    {.what = "reversed, split: shares", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {6}, .view_count = 2, .views
     = {{.op = NDP_VIEW_SLICE, .ndim = 1, .slices = SLICES({5, -1, 6})}, {.op = NDP_VIEW_RESHAPE, .ndim = 2, .shape =
     I64(2, 3)}}, .flags = "WA", .ndim = 2, .shape = {2, 3}, .strides_bytes = {-24, -8}, .place_bytes = 40,
     .itemsize_bytes = 8, .elements = "1b222930373e454ce3eaf1f8ff060d14abb2b9c0c7ced5dc737a81888f969da4"
     "3b424950575e656c030a11181f262d34"},
    {.what = "zero extent reshaped", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {0, 4}, .order = NDP_MEMORY_F,
     .view_count = 1, .views = {{.op = NDP_VIEW_RESHAPE, .ndim = 2, .shape = I64(3, 0)}}, .flags = "CFWA", .ndim = 2,
     .shape = {3, 0}, .strides_bytes = {8, 8}, .place_bytes = ANYWHERE, .itemsize_bytes = 8},
    {.what = "broadcast, joined: shares", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {1}, .view_count = 2,
     .views = {{.op = NDP_VIEW_BROADCAST, .ndim = 2, .shape = I64(2, 3)}, {.op = NDP_VIEW_RESHAPE, .ndim = 1, .shape =
     I64(6)}}, .flags = "A", .ndim = 1, .shape = {6}, .strides_bytes = {0}, .place_bytes = 0, .itemsize_bytes = 8,
     .elements = "030a11181f262d34030a11181f262d34030a11181f262d34030a11181f262d34"
     "030a11181f262d34030a11181f262d34"},
    {.what = "broadcast rows, joined: copies and is writeable", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {3},
     .view_count = 2, .views = {{.op = NDP_VIEW_BROADCAST, .ndim = 2, .shape = I64(2, 3)}, {.op = NDP_VIEW_RESHAPE,
     .ndim = 1, .shape = I64(6)}}, .flags = "CFWA", .ndim = 1, .shape = {6}, .strides_bytes = {8}, .place_bytes = -1,
     .itemsize_bytes = 8, .elements = "030a11181f262d343b424950575e656c737a81888f969da4030a11181f262d34"
     "3b424950575e656c737a81888f969da4"},
    {.what = "readonly base, copied by reshape: writeable", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 2},
     .is_base_readonly = true, .view_count = 2, .views = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = U32(1, 0)},
     {.op = NDP_VIEW_RESHAPE, .ndim = 1, .shape = I64(4)}}, .flags = "CFWA", .ndim = 1, .shape = {4}, .strides_bytes =
     {8}, .place_bytes = -1, .itemsize_bytes = 8, .elements =
     "030a11181f262d34737a81888f969da43b424950575e656cabb2b9c0c7ced5dc"},
    {.what = "readonly base, shared by reshape", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 2},
     .is_base_readonly = true, .view_count = 1, .views = {{.op = NDP_VIEW_RESHAPE, .ndim = 1, .shape = I64(4)}}, .flags
     = "CFA", .ndim = 1, .shape = {4}, .strides_bytes = {8}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc"},
    {.what = "three axes permuted", .dtype = &sample_i8, .base_ndim = 3, .base_shape = {2, 3, 4}, .view_count = 1,
     .views = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 3, .axes = U32(2, 0, 1)}}, .flags = "WA", .ndim = 3, .shape = {4, 2,
     3}, .strides_bytes = {8, 96, 32}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34e3eaf1f8ff060d14c3cad1d8dfe6edf4a3aab1b8bfc6cdd4"
     "838a91989fa6adb4636a71787f868d943b424950575e656c1b222930373e454c"
     "fb020910171e252cdbe2e9f0f7fe050cbbc2c9d0d7dee5ec9ba2a9b0b7bec5cc"
     "737a81888f969da4535a61686f767d84333a41484f565d64131a21282f363d44"
     "f3fa01080f161d24d3dae1e8eff6fd04abb2b9c0c7ced5dc8b9299a0a7aeb5bc"
     "6b727980878e959c4b525960676e757c2b323940474e555c0b121920272e353c"},
    {.what = "0-d transposed", .dtype = &sample_i8, .view_count = 1, .views = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 0}},
     .flags = "CFWA", .place_bytes = 0, .itemsize_bytes = 8, .elements = "030a11181f262d34"},
    {.what = "negative steps", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {3, 4}, .view_count = 1, .views =
     {{.op = NDP_VIEW_SLICE, .ndim = 2, .slices = SLICES({2, -1, 3}, {3, -2, 2})}}, .flags = "WA", .ndim = 2, .shape =
     {3, 2}, .strides_bytes = {-32, -16}, .place_bytes = 88, .itemsize_bytes = 8, .elements =
     "6b727980878e959cfb020910171e252c8b9299a0a7aeb5bc1b222930373e454c" "abb2b9c0c7ced5dc3b424950575e656c"},
    {.what = "one of an axis", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {3, 4}, .view_count = 1, .views =
     {{.op = NDP_VIEW_SLICE, .ndim = 2, .slices = SLICES({1, 3, 1}, {0, 1, 4})}}, .flags = "CFWA", .ndim = 2, .shape =
     {1, 4}, .strides_bytes = {96, 8}, .place_bytes = 32, .itemsize_bytes = 8, .elements =
     "e3eaf1f8ff060d141b222930373e454c535a61686f767d848b9299a0a7aeb5bc"},
    {.what = "slice without elements starts at 0", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {4, 5},
     .view_count = 1, .views = {{.op = NDP_VIEW_SLICE, .ndim = 2, .slices = SLICES({2, 2, 0}, {0, 2, 3})}}, .flags =
     "CFWA", .ndim = 2, .shape = {0, 3}, .strides_bytes = {40, 16}, .place_bytes = ANYWHERE, .itemsize_bytes = 8},
    {.what = "slice of 0-d", .dtype = &sample_i8, .view_count = 1, .views = {{.op = NDP_VIEW_SLICE, .ndim = 0}}, .flags
     = "CFWA", .place_bytes = 0, .itemsize_bytes = 8, .elements = "030a11181f262d34"},
    {.what = "new axis in front", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .view_count = 1, .views =
     {{.op = NDP_VIEW_NEWAXIS, .axis = 0}}, .flags = "CWA", .ndim = 3, .shape = {1, 2, 3}, .strides_bytes = {0, 24, 8},
     .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc" "e3eaf1f8ff060d141b222930373e454c"},
    {.what = "new axis behind", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .order = NDP_MEMORY_F,
     .view_count = 1, .views = {{.op = NDP_VIEW_NEWAXIS, .axis = 2}}, .flags = "FWA", .ndim = 3, .shape = {2, 3, 1},
     .strides_bytes = {8, 16, 0}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34737a81888f969da4e3eaf1f8ff060d143b424950575e656c" "abb2b9c0c7ced5dc1b222930373e454c"},
    {.what = "broadcast to the same shape", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .order =
     NDP_MEMORY_F, .view_count = 1, .views = {{.op = NDP_VIEW_BROADCAST, .ndim = 2, .shape = I64(2, 3)}}, .flags =
     "FA", .ndim = 2, .shape = {2, 3}, .strides_bytes = {8, 16}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34737a81888f969da4e3eaf1f8ff060d143b424950575e656c" "abb2b9c0c7ced5dc1b222930373e454c"},
    {.what = "broadcast 0-d", .dtype = &sample_i8, .view_count = 1, .views = {{.op = NDP_VIEW_BROADCAST, .ndim = 2,
     .shape = I64(2, 2)}}, .flags = "A", .ndim = 2, .shape = {2, 2}, .strides_bytes = {0, 0}, .place_bytes = 0,
     .itemsize_bytes = 8, .elements = "030a11181f262d34030a11181f262d34030a11181f262d34030a11181f262d34"},
    {.what = "broadcast to zero", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 1}, .view_count = 1, .views =
     {{.op = NDP_VIEW_BROADCAST, .ndim = 2, .shape = I64(2, 0)}}, .flags = "CFA", .ndim = 2, .shape = {2, 0},
     .strides_bytes = {8, 0}, .place_bytes = ANYWHERE, .itemsize_bytes = 8},
    {.what = "broadcast adds and stretches", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {3, 1}, .view_count =
     1, .views = {{.op = NDP_VIEW_BROADCAST, .ndim = 3, .shape = I64(2, 3, 2)}}, .flags = "A", .ndim = 3, .shape = {2,
     3, 2}, .strides_bytes = {0, 8, 0}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34030a11181f262d343b424950575e656c3b424950575e656c"
     "737a81888f969da4737a81888f969da4030a11181f262d34030a11181f262d34"
     "3b424950575e656c3b424950575e656c737a81888f969da4737a81888f969da4"},
    {.what = "field", .dtype = &sample_pack, .base_ndim = 1, .base_shape = {2}, .view_count = 1, .views = {{.op =
     NDP_VIEW_FIELD, .name = TEXT("a")}}, .flags = "W", .ndim = 1, .shape = {2}, .strides_bytes = {37}, .place_bytes =
     1, .itemsize_bytes = 4, .elements = "0a11181f0d141b22"},
    {.what = "field of sub-array: axes behind", .dtype = &sample_pack, .base_ndim = 1, .base_shape = {2}, .view_count =
     1, .views = {{.op = NDP_VIEW_FIELD, .name = TEXT("b")}}, .flags = "W", .ndim = 3, .shape = {2, 2, 3},
     .strides_bytes = {37, 6, 2}, .place_bytes = 5, .itemsize_bytes = 2, .elements =
     "262d343b424950575e656c732930373e454c535a61686f76"},
    {.what = "field of items without a byte, of no axes", .dtype = &sample_hollow, .view_count = 1, .views = {{.op =
     NDP_VIEW_FIELD, .name = TEXT("c")}}, .flags = "CWA", .ndim = 2, .shape = {2, 3}, .strides_bytes = {0, 0},
     .place_bytes = ANYWHERE, .itemsize_bytes = 0},
    {.what = "field of items without a byte, of one axis", .dtype = &sample_hollow, .base_ndim = 1, .base_shape = {1},
     .view_count = 1, .views = {{.op = NDP_VIEW_FIELD, .name = TEXT("c")}}, .flags = "CFWA", .ndim = 3, .shape = {1, 2,
     3}, .strides_bytes = {3, 0, 0}, .place_bytes = ANYWHERE, .itemsize_bytes = 0},
    {.what = "field of field", .dtype = &sample_pack, .base_ndim = 1, .base_shape = {2}, .order = NDP_MEMORY_F,
     .view_count = 2, .views = {{.op = NDP_VIEW_FIELD, .name = TEXT("c")}, {.op = NDP_VIEW_FIELD, .name = TEXT("x")}},
     .flags = "W", .ndim = 1, .shape = {2}, .strides_bytes = {37}, .place_bytes = 28, .itemsize_bytes = 8, .elements =
     "c7ced5dce3eaf1f8cad1d8dfe6edf4fb"},
    {.what = "real", .dtype = &sample_c16, .base_ndim = 2, .base_shape = {2, 2}, .order = NDP_MEMORY_F, .view_count =
     1, .views = {{.op = NDP_VIEW_REAL}}, .flags = "WA", .ndim = 2, .shape = {2, 2}, .strides_bytes = {16, 32},
     .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34e3eaf1f8ff060d14737a81888f969da4535a61686f767d84"},
    {.what = "imag", .dtype = &sample_c16, .base_ndim = 2, .base_shape = {2, 2}, .view_count = 1, .views = {{.op =
     NDP_VIEW_IMAG}}, .flags = "WA", .ndim = 2, .shape = {2, 2}, .strides_bytes = {32, 16}, .place_bytes = 8,
     .itemsize_bytes = 8, .elements = "3b424950575e656cabb2b9c0c7ced5dc1b222930373e454c8b9299a0a7aeb5bc"},
    {.what = "imag of big-endian", .dtype = &sample_bigc8, .base_ndim = 1, .base_shape = {3}, .view_count = 1, .views =
     {{.op = NDP_VIEW_IMAG}}, .flags = "WA", .ndim = 1, .shape = {3}, .strides_bytes = {8}, .place_bytes = 4,
     .itemsize_bytes = 4, .elements = "1f262d34575e656c8f969da4"},
    {.what = "imag of one", .dtype = &sample_c16, .base_ndim = 1, .base_shape = {1}, .view_count = 1, .views = {{.op =
     NDP_VIEW_IMAG}}, .flags = "CFWA", .ndim = 1, .shape = {1}, .strides_bytes = {16}, .place_bytes = 8,
     .itemsize_bytes = 8, .elements = "3b424950575e656c"},
    {.what = "real of real: the same array", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 2}, .order =
     NDP_MEMORY_F, .view_count = 1, .views = {{.op = NDP_VIEW_REAL}}, .flags = "FWA", .ndim = 2, .shape = {2, 2},
     .strides_bytes = {8, 16}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34737a81888f969da43b424950575e656cabb2b9c0c7ced5dc"},
    {.what = "imag of real: new, read-only", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 2}, .view_count =
     1, .views = {{.op = NDP_VIEW_IMAG}}, .flags = "CAO", .ndim = 2, .shape = {2, 2}, .strides_bytes = {16, 8},
     .place_bytes = -1, .itemsize_bytes = 8, .is_all_zero = true},
    {.what = "imag of real in F order", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 2}, .order =
     NDP_MEMORY_F, .view_count = 1, .views = {{.op = NDP_VIEW_IMAG}}, .flags = "FAO", .ndim = 2, .shape = {2, 2},
     .strides_bytes = {8, 16}, .place_bytes = -1, .itemsize_bytes = 8, .is_all_zero = true},
    {.what = "imag of transposed and sliced", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 4}, .view_count =
     3, .views = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = U32(1, 0)}, {.op = NDP_VIEW_SLICE, .ndim = 2, .slices =
     SLICES({0, 2, 2}, {0, 1, 2})}, {.op = NDP_VIEW_IMAG}}, .flags = "CAO", .ndim = 2, .shape = {2, 2}, .strides_bytes
     = {16, 8}, .place_bytes = -1, .itemsize_bytes = 8, .is_all_zero = true},
    {.what = "imag, then a view of it", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 2}, .view_count = 2,
     .views = {{.op = NDP_VIEW_IMAG}, {.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = U32(1, 0)}}, .flags = "FA", .ndim =
     2, .shape = {2, 2}, .strides_bytes = {8, 16}, .place_bytes = -1, .itemsize_bytes = 8, .is_all_zero = true},
    {.what = "imag of a structure", .dtype = &sample_pack, .base_ndim = 1, .base_shape = {1}, .view_count = 1, .views =
     {{.op = NDP_VIEW_IMAG}}, .flags = "CFAO", .ndim = 1, .shape = {1}, .strides_bytes = {37}, .place_bytes = -1,
     .itemsize_bytes = 37, .is_all_zero = true},
    {.what = "imag of S0 has a character", .dtype = &sample_S0, .base_ndim = 1, .base_shape = {2}, .view_count = 1,
     .views = {{.op = NDP_VIEW_IMAG}}, .flags = "CFAO", .ndim = 1, .shape = {2}, .strides_bytes = {1}, .place_bytes =
     -1, .itemsize_bytes = 1, .is_all_zero = true},
    {.what = "imag of U0 has a character", .dtype = &sample_U0, .base_ndim = 1, .base_shape = {2}, .view_count = 1,
     .views = {{.op = NDP_VIEW_IMAG}}, .flags = "CFAO", .ndim = 1, .shape = {2}, .strides_bytes = {4}, .place_bytes =
     -1, .itemsize_bytes = 4, .is_all_zero = true},
    {.what = "smaller type: axis grows", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .view_count = 1,
     .views = {{.op = NDP_VIEW_AS_DTYPE, .dtype = &sample_f4}}, .flags = "CWA", .ndim = 2, .shape = {2, 6},
     .strides_bytes = {24, 4}, .place_bytes = 0, .itemsize_bytes = 4, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc" "e3eaf1f8ff060d141b222930373e454c"},
    {.what = "larger type: axis shrinks", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 4}, .view_count = 1,
     .views = {{.op = NDP_VIEW_AS_DTYPE, .dtype = &sample_c16}}, .flags = "CWA", .ndim = 2, .shape = {2, 2},
     .strides_bytes = {32, 16}, .place_bytes = 0, .itemsize_bytes = 16, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc"
     "e3eaf1f8ff060d141b222930373e454c535a61686f767d848b9299a0a7aeb5bc"},
    {.what = "larger type, rows reversed", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .view_count = 2,
     .views = {{.op = NDP_VIEW_SLICE, .ndim = 2, .slices = SLICES({1, -1, 2}, {0, 1, 3})}, {.op = NDP_VIEW_AS_DTYPE,
     .dtype = &sample_V24}}, .flags = "WA", .ndim = 2, .shape = {2, 1}, .strides_bytes = {-24, 24}, .place_bytes = 24,
     .itemsize_bytes = 24, .elements = "abb2b9c0c7ced5dce3eaf1f8ff060d141b222930373e454c030a11181f262d34"
     "3b424950575e656c737a81888f969da4"},
    {.what = "smaller type of a column", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .view_count = 2,
     .views = {{.op = NDP_VIEW_SLICE, .ndim = 2, .slices = SLICES({0, 1, 2}, {1, 1, 1})}, {.op = NDP_VIEW_AS_DTYPE,
     .dtype = &sample_f4}}, .flags = "WA", .ndim = 2, .shape = {2, 2}, .strides_bytes = {24, 4}, .place_bytes = 8,
     .itemsize_bytes = 4, .elements = "3b424950575e656ce3eaf1f8ff060d14"},
    {.what = "same size, any strides", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .view_count = 2,
     .views = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = U32(1, 0)}, {.op = NDP_VIEW_AS_DTYPE, .dtype =
     &sample_i8}}, .flags = "FWA", .ndim = 2, .shape = {3, 2}, .strides_bytes = {8, 24}, .place_bytes = 0,
     .itemsize_bytes = 8, .elements = "030a11181f262d34abb2b9c0c7ced5dc3b424950575e656ce3eaf1f8ff060d14"
     "737a81888f969da41b222930373e454c"},
    {.what = "same size, 0-d", .dtype = &sample_c16, .view_count = 1, .views = {{.op = NDP_VIEW_AS_DTYPE, .dtype =
     &sample_f16}}, .flags = "CFWA", .place_bytes = 0, .itemsize_bytes = 16, .elements =
     "030a11181f262d343b424950575e656c"},
    {.what = "sub-array of the same size", .dtype = &sample_f4, .base_ndim = 2, .base_shape = {2, 3}, .view_count = 1,
     .views = {{.op = NDP_VIEW_AS_DTYPE, .dtype = &sample_sub}}, .flags = "CWA", .ndim = 3, .shape = {2, 3, 2},
     .strides_bytes = {12, 4, 2}, .place_bytes = 0, .itemsize_bytes = 2, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4"},
    {.what = "zero rows in a smaller type", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {0, 3}, .view_count = 1,
     .views = {{.op = NDP_VIEW_AS_DTYPE, .dtype = &sample_i2}}, .flags = "CFWA", .ndim = 2, .shape = {0, 12},
     .strides_bytes = {24, 2}, .place_bytes = ANYWHERE, .itemsize_bytes = 2},
    {.what = "zero columns in a larger type", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 0}, .view_count =
     1, .views = {{.op = NDP_VIEW_AS_DTYPE, .dtype = &sample_c16}}, .flags = "CFWA", .ndim = 2, .shape = {2, 0},
     .strides_bytes = {8, 16}, .place_bytes = ANYWHERE, .itemsize_bytes = 16},
    {.what = "windows", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {5}, .view_count = 1, .views = {{.op =
     NDP_VIEW_STRIDED, .ndim = 2, .shape = I64(3, 3), .strides_bytes = I64(8, 8), .offset_bytes = 0}}, .flags = "WA",
     .ndim = 2, .shape = {3, 3}, .strides_bytes = {8, 8}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da43b424950575e656c"
     "737a81888f969da4abb2b9c0c7ced5dc737a81888f969da4abb2b9c0c7ced5dc" "e3eaf1f8ff060d14"},
    {.what = "windows of negative stride", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {5}, .view_count = 1,
     .views = {{.op = NDP_VIEW_STRIDED, .ndim = 1, .shape = I64(3), .strides_bytes = I64(-8), .offset_bytes = 16}},
     .flags = "WA", .ndim = 1, .shape = {3}, .strides_bytes = {-8}, .place_bytes = 16, .itemsize_bytes = 8, .elements =
     "737a81888f969da43b424950575e656c030a11181f262d34"},
    {.what = "bytes out of step", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {3}, .view_count = 1, .views =
     {{.op = NDP_VIEW_STRIDED, .ndim = 1, .shape = I64(2), .strides_bytes = I64(9), .offset_bytes = 3}}, .flags = "W",
     .ndim = 1, .shape = {2}, .strides_bytes = {9}, .place_bytes = 3, .itemsize_bytes = 8, .elements =
     "181f262d343b4249575e656c737a8188"},
    {.what = "diagonal", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {3, 3}, .view_count = 1, .views = {{.op =
     NDP_VIEW_STRIDED, .ndim = 1, .shape = I64(3), .strides_bytes = I64(32), .offset_bytes = 0}}, .flags = "WA", .ndim
     = 1, .shape = {3}, .strides_bytes = {32}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34e3eaf1f8ff060d14c3cad1d8dfe6edf4"},
    {.what = "empty window", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {3}, .view_count = 1, .views = {{.op =
     NDP_VIEW_STRIDED, .ndim = 2, .shape = I64(0, 2), .strides_bytes = I64(8, 8), .offset_bytes = 0}}, .flags = "CFWA",
     .ndim = 2, .shape = {0, 2}, .strides_bytes = {8, 8}, .place_bytes = ANYWHERE, .itemsize_bytes = 8},
    {.what = "map r", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .has_map = true, .mode = NDP_MAP_READ,
     .map_offset_bytes = 5, .flags = "C", .ndim = 2, .shape = {2, 3}, .strides_bytes = {24, 8}, .place_bytes = 0,
     .itemsize_bytes = 8, .elements = "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc"
     "e3eaf1f8ff060d141b222930373e454c", .class_name = "memmap", .has_attributes = true},
    {.what = "map r+", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .order = NDP_MEMORY_F, .has_map =
     true, .mode = NDP_MAP_READ_WRITE, .map_offset_bytes = 0, .flags = "FWA", .ndim = 2, .shape = {2, 3},
     .strides_bytes = {8, 16}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d34737a81888f969da4e3eaf1f8ff060d143b424950575e656c" "abb2b9c0c7ced5dc1b222930373e454c", .class_name
     = "memmap", .has_attributes = true},
    {.what = "map w+", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .has_map = true, .mode =
     NDP_MAP_WRITE, .map_offset_bytes = 16, .flags = "CWA", .ndim = 2, .shape = {2, 3}, .strides_bytes = {24, 8},
     .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc" "e3eaf1f8ff060d141b222930373e454c", .class_name
     = "memmap", .has_attributes = true},
    {.what = "map c", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .has_map = true, .mode = NDP_MAP_COPY,
     .map_offset_bytes = 4096, .flags = "CWA", .ndim = 2, .shape = {2, 3}, .strides_bytes = {24, 8}, .place_bytes = 0,
     .itemsize_bytes = 8, .elements = "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc"
     "e3eaf1f8ff060d141b222930373e454c", .class_name = "memmap", .has_attributes = true},
    {.what = "map, sliced: the attribute stays", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {4}, .has_map =
     true, .mode = NDP_MAP_READ, .map_offset_bytes = 8, .view_count = 1, .views = {{.op = NDP_VIEW_SLICE, .ndim = 1,
     .slices = SLICES({2, 1, 2})}}, .flags = "CFA", .ndim = 1, .shape = {2}, .strides_bytes = {8}, .place_bytes = 16,
     .itemsize_bytes = 8, .elements = "737a81888f969da4abb2b9c0c7ced5dc", .class_name = "memmap", .has_attributes =
     true},
    {.what = "map, copied by reshape", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .has_map = true,
     .mode = NDP_MAP_READ, .map_offset_bytes = 8, .view_count = 2, .views = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 2,
     .axes = U32(1, 0)}, {.op = NDP_VIEW_RESHAPE, .ndim = 1, .shape = I64(6)}}, .flags = "CFWA", .ndim = 1, .shape =
     {6}, .strides_bytes = {8}, .place_bytes = -1, .itemsize_bytes = 8, .elements =
     "030a11181f262d34abb2b9c0c7ced5dc3b424950575e656ce3eaf1f8ff060d14" "737a81888f969da41b222930373e454c", .class_name
     = "memmap"},
    {.what = "map, copied by reshape, sliced", .dtype = &sample_i8, .base_ndim = 2, .base_shape = {2, 3}, .has_map =
     true, .mode = NDP_MAP_READ_WRITE, .map_offset_bytes = 8, .view_count = 3, .views = {{.op = NDP_VIEW_TRANSPOSE,
     .ndim = 2, .axes = U32(1, 0)}, {.op = NDP_VIEW_RESHAPE, .ndim = 1, .shape = I64(6)}, {.op = NDP_VIEW_SLICE, .ndim
     = 1, .slices = SLICES({0, 1, 6})}}, .flags = "CFWA", .ndim = 1, .shape = {6}, .strides_bytes = {8}, .place_bytes =
     -1, .itemsize_bytes = 8, .elements = "030a11181f262d34abb2b9c0c7ced5dc3b424950575e656ce3eaf1f8ff060d14"
     "737a81888f969da41b222930373e454c"},
    {.what = "map, sliced to nothing", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {4}, .has_map = true, .mode =
     NDP_MAP_READ_WRITE, .map_offset_bytes = 8, .view_count = 1, .views = {{.op = NDP_VIEW_SLICE, .ndim = 1, .slices =
     SLICES({0, 1, 0})}}, .flags = "CFWA", .ndim = 1, .shape = {0}, .strides_bytes = {8}, .place_bytes = ANYWHERE,
     .itemsize_bytes = 8},
    {.what = "map, broadcast to nothing", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {1}, .has_map = true,
     .mode = NDP_MAP_READ_WRITE, .map_offset_bytes = 8, .view_count = 1, .views = {{.op = NDP_VIEW_BROADCAST, .ndim =
     1, .shape = I64(0)}}, .flags = "CFA", .ndim = 1, .shape = {0}, .strides_bytes = {0}, .place_bytes = ANYWHERE,
     .itemsize_bytes = 8, .class_name = "memmap"},
    {.what = "map, field", .dtype = &sample_pack, .base_ndim = 1, .base_shape = {2}, .has_map = true, .mode =
     NDP_MAP_READ_WRITE, .map_offset_bytes = 1, .view_count = 1, .views = {{.op = NDP_VIEW_FIELD, .name = TEXT("c")}},
     .flags = "WA", .ndim = 1, .shape = {2}, .strides_bytes = {37}, .place_bytes = 20, .itemsize_bytes = 16, .elements
     = "8f969da4abb2b9c0c7ced5dce3eaf1f89299a0a7aeb5bcc3cad1d8dfe6edf4fb", .class_name = "memmap", .has_attributes =
     true},
    {.what = "map, imag of real", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {2}, .has_map = true, .mode =
     NDP_MAP_READ_WRITE, .map_offset_bytes = 8, .view_count = 1, .views = {{.op = NDP_VIEW_IMAG}}, .flags = "CFAO",
     .ndim = 1, .shape = {2}, .strides_bytes = {8}, .place_bytes = -1, .itemsize_bytes = 8, .is_all_zero = true,
     .class_name = "memmap"},
    {.what = "map, imag of complex", .dtype = &sample_c16, .base_ndim = 1, .base_shape = {2}, .has_map = true, .mode =
     NDP_MAP_COPY, .map_offset_bytes = 8, .view_count = 1, .views = {{.op = NDP_VIEW_IMAG}}, .flags = "WA", .ndim = 1,
     .shape = {2}, .strides_bytes = {16}, .place_bytes = 8, .itemsize_bytes = 8, .elements =
     "3b424950575e656cabb2b9c0c7ced5dc", .class_name = "memmap", .has_attributes = true},
    {.what = "map, another type", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {2}, .has_map = true, .mode =
     NDP_MAP_COPY, .map_offset_bytes = 8, .view_count = 1, .views = {{.op = NDP_VIEW_AS_DTYPE, .dtype = &sample_f4}},
     .flags = "CFWA", .ndim = 1, .shape = {4}, .strides_bytes = {4}, .place_bytes = 0, .itemsize_bytes = 4, .elements =
     "030a11181f262d343b424950575e656c", .class_name = "memmap", .has_attributes = true},
    {.what = "map, another type of items without a byte", .dtype = &sample_marked, .base_ndim = 2, .base_shape = {2, 1},
     .has_map = true, .mode = NDP_MAP_READ, .map_offset_bytes = 0, .view_count = 2, .views = {{.op = NDP_VIEW_FIELD,
     .name = TEXT("z")}, {.op = NDP_VIEW_AS_DTYPE, .dtype = &sample_f8}}, .flags = "CFA", .ndim = 2, .shape = {2, 0},
     .strides_bytes = {1, 8}, .place_bytes = ANYWHERE, .itemsize_bytes = 8, .class_name = "memmap", .has_attributes =
     true},
    {.what = "map, broadcast", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {2}, .has_map = true, .mode =
     NDP_MAP_COPY, .map_offset_bytes = 8, .view_count = 1, .views = {{.op = NDP_VIEW_BROADCAST, .ndim = 2, .shape =
     I64(2, 2)}}, .flags = "A", .ndim = 2, .shape = {2, 2}, .strides_bytes = {0, 8}, .place_bytes = 0, .itemsize_bytes
     = 8, .elements = "030a11181f262d343b424950575e656c030a11181f262d343b424950575e656c", .class_name = "memmap",
     .has_attributes = true},
    {.what = "map, windows", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {4}, .has_map = true, .mode =
     NDP_MAP_READ_WRITE, .map_offset_bytes = 8, .view_count = 1, .views = {{.op = NDP_VIEW_STRIDED, .ndim = 2, .shape =
     I64(2, 2), .strides_bytes = I64(8, 8), .offset_bytes = 8}}, .flags = "WA", .ndim = 2, .shape = {2, 2},
     .strides_bytes = {8, 8}, .place_bytes = 8, .itemsize_bytes = 8, .elements =
     "3b424950575e656c737a81888f969da4737a81888f969da4abb2b9c0c7ced5dc", .class_name = "memmap", .has_attributes =
     true},
    {.what = "set read-only", .dtype = &sample_i8, .base_ndim = 1, .base_shape = {2}, .is_readonly = true, .flags =
     "CFA", .ndim = 1, .shape = {2}, .strides_bytes = {8}, .place_bytes = 0, .itemsize_bytes = 8, .elements =
     "030a11181f262d343b424950575e656c"},
};
/* clang-format on */

#endif
