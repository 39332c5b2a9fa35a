/* dtype_samples.h: dtypes that the tests of this folder share, and short forms of dtypes and views. */
#ifndef NDP_DTYPE_SAMPLES_H
#define NDP_DTYPE_SAMPLES_H

#include "model/array.h"

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

#define LEN_I64(...) NDP_ARRAY_LEN(((const int64_t[]){__VA_ARGS__}))
#define SUBARRAY(size, of, ...)                                                                                        \
    {                                                                                                                  \
        .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = (size), .base = (of), .shape = I64(__VA_ARGS__),                  \
        .ndim = LEN_I64(__VA_ARGS__)                                                                                   \
    }

/* A field without a title, and structures of fields. */
#define AT(label, at, type)                                                                                            \
    { .name = TEXT(label), .offset_bytes = (at), .dtype = (type) }
#define TITLED(label, label2, at, type)                                                                                \
    { .name = TEXT(label), .title = TEXT(label2), .has_title = true, .offset_bytes = (at), .dtype = (type) }
#define STRUCT_OF(size, aligned, ...)                                                                                  \
    {                                                                                                                  \
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = (size), .is_aligned = (aligned), .fields = FIELDS(__VA_ARGS__),     \
        .field_count = sizeof(FIELDS(__VA_ARGS__)) / sizeof(struct ndp_field)                                          \
    }
#define STRUCT(size, ...)         STRUCT_OF(size, false, __VA_ARGS__)
#define ALIGNED_STRUCT(size, ...) STRUCT_OF(size, true, __VA_ARGS__)

#define SLICES(...)                                                                                                    \
    (const struct ndp_slice[]) {                                                                                       \
        __VA_ARGS__                                                                                                    \
    }
#define RESHAPE(...)                                                                                                   \
    { .op = NDP_VIEW_RESHAPE, .ndim = LEN_I64(__VA_ARGS__), .shape = I64(__VA_ARGS__) }
#define RESHAPE_F(...)                                                                                                 \
    { .op = NDP_VIEW_RESHAPE, .ndim = LEN_I64(__VA_ARGS__), .shape = I64(__VA_ARGS__), .order = NDP_MEMORY_F }
#define BROADCAST(...)                                                                                                 \
    { .op = NDP_VIEW_BROADCAST, .ndim = LEN_I64(__VA_ARGS__), .shape = I64(__VA_ARGS__) }
#define TRANSPOSE(count, ...)                                                                                          \
    { .op = NDP_VIEW_TRANSPOSE, .ndim = (count), .axes = U32(__VA_ARGS__) }
#define SLICE(...)                                                                                                     \
    { .op = NDP_VIEW_SLICE, .ndim = 1, .slices = SLICES({__VA_ARGS__}) }
#define SLICE_ALL(...)                                                                                                 \
    {                                                                                                                  \
        .op = NDP_VIEW_SLICE, .ndim = sizeof(SLICES(__VA_ARGS__)) / sizeof(struct ndp_slice),                          \
        .slices = SLICES(__VA_ARGS__)                                                                                  \
    }
#define FIELD(text)                                                                                                    \
    { .op = NDP_VIEW_FIELD, .name = TEXT(text) }
#define AS(sample)                                                                                                     \
    { .op = NDP_VIEW_AS_DTYPE, .dtype = &sample_##sample }
#define WINDOW(count, stride, start)                                                                                   \
    { .op = NDP_VIEW_STRIDED, .ndim = 1, .shape = I64(count), .strides_bytes = I64(stride), .offset_bytes = (start) }
#define VIEW_LIST(count, ...) .view_count = (count), .views = {__VA_ARGS__}
#define NO_VIEWS              .view_count = 0

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
static const struct ndp_dtype sample_sub = SUBARRAY(4, &sample_i2, 2);

/* (">i2", (2, 3)) */
static const struct ndp_dtype sample_sub23 = SUBARRAY(12, &sample_bigi2, 2, 3);

/* {"names": ["x", "y"], "formats": ["<f8", "V3"], "offsets": [8, 1], "itemsize": 16} */
static const struct ndp_dtype sample_inner = STRUCT(16, AT("x", 8, &sample_f8), AT("y", 1, &sample_V3));

/* {"names": ["a", "z"], "formats": ["u1", "V0"], "offsets": [0, 1], "itemsize": 1} */
static const struct ndp_dtype sample_marked = STRUCT(1, AT("a", 0, &sample_u1), AT("z", 1, &sample_V0));

/* numpy.dtype([]), and (that, (2, 3)) */
static const struct ndp_dtype sample_empty = {.kind = NDP_KIND_STRUCT};
static const struct ndp_dtype sample_empty23 = SUBARRAY(0, &sample_empty, 2, 3);

/* {"names": ["c"], "formats": [([], (2, 3))], "offsets": [1], "itemsize": 3} */
static const struct ndp_dtype sample_hollow = STRUCT(3, AT("c", 1, &sample_empty23));

/* {"names": ["a", "b", "c"], "formats": ["<i4", (">i2", (2, 3)), inner], "offsets": [1, 5, 20], "itemsize": 37} */
static const struct ndp_dtype sample_pack =
    STRUCT(37, AT("a", 1, &sample_i4), AT("b", 5, &sample_sub23), AT("c", 20, &sample_inner));

/* [("k", "u1"), ("v", "=i8")], without padding */
static const struct ndp_dtype sample_native = STRUCT(9, AT("k", 0, &sample_u1), AT("v", 1, &sample_nativei8));

/* numpy.dtype([("k", "u1"), ("v", "<i8")], align=True) */
static const struct ndp_dtype sample_aligned = ALIGNED_STRUCT(16, AT("k", 0, &sample_u1), AT("v", 8, &sample_i8));

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
