/* dtype_samples.h: dtypes that the tests of this folder share. */
#ifndef NDP_DTYPE_SAMPLES_H
#define NDP_DTYPE_SAMPLES_H

#include "model/dtype.h"

#include <string.h>

#define TEXT(literal)                                                                                                  \
    { (const uint8_t *)(literal), sizeof(literal) - 1 }
#define I64(...)                                                                                                       \
    (const int64_t[]) {                                                                                                \
        __VA_ARGS__                                                                                                    \
    }
#define U32(...)                                                                                                       \
    (const uint32_t[]) {                                                                                               \
        __VA_ARGS__                                                                                                    \
    }
#define FIELDS(...)                                                                                                    \
    (const struct ndp_field[]) {                                                                                       \
        __VA_ARGS__                                                                                                    \
    }

#define LEAF(kind_name, order_name, size)                                                                              \
    { .kind = NDP_KIND_##kind_name, .order = NDP_ORDER_##order_name, .itemsize_bytes = (size) }

static const struct ndp_dtype sample_u1 = LEAF(UINT, NONE, 1);
static const struct ndp_dtype sample_i2 = LEAF(INT, LITTLE, 2);
static const struct ndp_dtype sample_bigi2 = LEAF(INT, BIG, 2);
static const struct ndp_dtype sample_i4 = LEAF(INT, LITTLE, 4);
static const struct ndp_dtype sample_i8 = LEAF(INT, LITTLE, 8);
static const struct ndp_dtype sample_bigi8 = LEAF(INT, BIG, 8);
static const struct ndp_dtype sample_nativei8 = LEAF(INT, NATIVE, 8);
static const struct ndp_dtype sample_f4 = LEAF(FLOAT, LITTLE, 4);
static const struct ndp_dtype sample_f8 = LEAF(FLOAT, LITTLE, 8);
static const struct ndp_dtype sample_bigf8 = LEAF(FLOAT, BIG, 8);
static const struct ndp_dtype sample_f16 = LEAF(FLOAT, LITTLE, 16);
static const struct ndp_dtype sample_bigf16 = LEAF(FLOAT, BIG, 16);
static const struct ndp_dtype sample_bigc8 = LEAF(COMPLEX, BIG, 8);
static const struct ndp_dtype sample_c16 = LEAF(COMPLEX, LITTLE, 16);
static const struct ndp_dtype sample_S0 = LEAF(BYTES, NONE, 0);
static const struct ndp_dtype sample_S3 = LEAF(BYTES, NONE, 3);
static const struct ndp_dtype sample_S5 = LEAF(BYTES, NONE, 5);
static const struct ndp_dtype sample_U0 = LEAF(TEXT, LITTLE, 0);
static const struct ndp_dtype sample_U2 = LEAF(TEXT, LITTLE, 8);
static const struct ndp_dtype sample_bigU2 = LEAF(TEXT, BIG, 8);
static const struct ndp_dtype sample_V0 = LEAF(VOID, NONE, 0);
static const struct ndp_dtype sample_V3 = LEAF(VOID, NONE, 3);
static const struct ndp_dtype sample_V24 = LEAF(VOID, NONE, 24);
static const struct ndp_dtype sample_O = LEAF(OBJECT, NONE, 8);
static const struct ndp_dtype sample_time = {.kind = NDP_KIND_DATETIME,
                                             .order = NDP_ORDER_LITTLE,
                                             .itemsize_bytes = 8,
                                             .unit = NDP_UNIT_MICRO,
                                             .unit_multiple = 25};

/* ("<i2", (2,)) */
static const struct ndp_dtype sample_sub = {
    .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 4, .base = &sample_i2, .shape = I64(2), .ndim = 1};

/* (">i2", (2, 3)) */
static const struct ndp_dtype sample_sub23 = {
    .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 12, .base = &sample_bigi2, .shape = I64(2, 3), .ndim = 2};

/* {"names": ["x", "y"], "formats": ["<f8", "V3"], "offsets": [8, 1], "itemsize": 16} */
static const struct ndp_dtype sample_inner = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 16,
    .fields = FIELDS({.name = TEXT("x"), .offset_bytes = 8, .dtype = &sample_f8},
                     {.name = TEXT("y"), .offset_bytes = 1, .dtype = &sample_V3}),
    .field_count = 2,
};

/* {"names": ["a", "z"], "formats": ["u1", "V0"], "offsets": [0, 1], "itemsize": 1} */
static const struct ndp_dtype sample_marked = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 1,
    .fields = FIELDS({.name = TEXT("a"), .offset_bytes = 0, .dtype = &sample_u1},
                     {.name = TEXT("z"), .offset_bytes = 1, .dtype = &sample_V0}),
    .field_count = 2,
};

/* numpy.dtype([]), and (that, (2, 3)) */
static const struct ndp_dtype sample_empty = {.kind = NDP_KIND_STRUCT};
static const struct ndp_dtype sample_empty23 = {
    .kind = NDP_KIND_SUBARRAY, .base = &sample_empty, .shape = I64(2, 3), .ndim = 2};

/* {"names": ["c"], "formats": [([], (2, 3))], "offsets": [1], "itemsize": 3} */
static const struct ndp_dtype sample_hollow = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 3,
    .fields = FIELDS({.name = TEXT("c"), .offset_bytes = 1, .dtype = &sample_empty23}),
    .field_count = 1,
};

/* {"names": ["a", "b", "c"], "formats": ["<i4", (">i2", (2, 3)), inner], "offsets": [1, 5, 20], "itemsize": 37} */
static const struct ndp_dtype sample_pack = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 37,
    .fields = FIELDS({.name = TEXT("a"), .offset_bytes = 1, .dtype = &sample_i4},
                     {.name = TEXT("b"), .offset_bytes = 5, .dtype = &sample_sub23},
                     {.name = TEXT("c"), .offset_bytes = 20, .dtype = &sample_inner}),
    .field_count = 3,
};

/* [("k", "u1"), ("v", "=i8")], without padding */
static const struct ndp_dtype sample_native = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 9,
    .fields = FIELDS({.name = TEXT("k"), .dtype = &sample_u1},
                     {.name = TEXT("v"), .offset_bytes = 1, .dtype = &sample_nativei8}),
    .field_count = 2,
};

/* numpy.dtype([("k", "u1"), ("v", "<i8")], align=True) */
static const struct ndp_dtype sample_aligned = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 16,
    .fields =
        FIELDS({.name = TEXT("k"), .dtype = &sample_u1}, {.name = TEXT("v"), .offset_bytes = 8, .dtype = &sample_i8}),
    .field_count = 2,
    .is_aligned = true,
};

/* Lists every sample, so that no test file has unused ones. */
static const struct ndp_dtype *const samples[] = {
    &sample_u1,   &sample_i2,     &sample_bigi2,   &sample_i4,   &sample_i8,     &sample_bigi8, &sample_nativei8,
    &sample_f4,   &sample_f8,     &sample_bigf8,   &sample_f16,  &sample_bigf16, &sample_bigc8, &sample_c16,
    &sample_S0,   &sample_S3,     &sample_S5,      &sample_U0,   &sample_U2,     &sample_bigU2, &sample_V0,
    &sample_V3,   &sample_V24,    &sample_O,       &sample_time, &sample_sub,    &sample_sub23, &sample_inner,
    &sample_pack, &sample_native, &sample_aligned,
};

static inline const struct ndp_dtype *sample_at(size_t i) {
    return i < NDP_ARRAY_LEN(samples) ? samples[i] : NULL;
}

#endif
