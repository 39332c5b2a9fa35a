/* What an array is, and how it is spelled, is said by NumPy 2.4.6 and joblib 1.6.0, which wrote the bytes. */
#include "reader/said_pickle.h"

#include <string.h>

#include "base/checked.h"
#include "base/suite.h"
#include "fuzz.h"

#define BYTES(text)                                                                                                    \
    { (const uint8_t *)(text), sizeof(text) - 1 }
#define TEXT(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }

/* pickle.dumps(numpy.array([1, 2], ">M8[25us]"), 3) */
#define TIMES                                                                                                          \
    "\x80\x03"                                                                                                         \
    "cnumpy._core.multiarray\n_reconstruct\nq\x00"                                                                     \
    "cnumpy\nndarray\nq\x01K\x00\x85q\x02"                                                                             \
    "C\x01"                                                                                                            \
    ""                                                                                                                 \
    "bq\x03\x87q\x04Rq\x05(K\x01K\x02\x85q\x06"                                                                        \
    "cnumpy\ndtype\nq\x07X\x02\x00\x00\x00M8q\x08\x89\x88\x87q"                                                        \
    "\x09Rq\n(K\x04X\x01\x00\x00\x00>q\x0bNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00N(C\x02usq\x0cK\x19K"              \
    "\x01K\x01tq\x0d\x86q\x0etq\x0f"                                                                                   \
    "b\x89"                                                                                                            \
    "C\x10\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00"                                                    \
    "\x00\x02q\x10tq\x11"                                                                                              \
    "b."
/* f = numpy.asfortranarray(numpy.arange(6, dtype="u1").reshape(2, 3)); pickle.dumps(f, 3), pickle.dumps(f, 5), and
 * joblib.dump(f) */
#define FORTRAN                                                                                                        \
    "\x80\x03"                                                                                                         \
    "cnumpy._core.multiarray\n_reconstruct\nq\x00"                                                                     \
    "cnumpy\nndarray\nq\x01K\x00\x85q\x02"                                                                             \
    "C\x01"                                                                                                            \
    ""                                                                                                                 \
    "bq\x03\x87q\x04Rq\x05(K\x01K\x02K\x03\x86q\x06"                                                                   \
    "cnumpy\ndtype\nq\x07X\x02\x00\x00\x00u1q\x08\x89\x88"                                                             \
    "\x87q\x09Rq\n(K\x03X\x01\x00\x00\x00|q\x0bNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tq\x0c"                       \
    "b\x88"                                                                                                            \
    "C"                                                                                                                \
    "\x06\x00\x03\x01\x04\x02\x05q\x0dtq\x0e"                                                                          \
    "b."
#define BUFFER                                                                                                         \
    "\x80\x05\x95|\x00\x00\x00\x00\x00\x00\x00\x8c\x13numpy._core.numeric\x94\x8c\x0b_frombuffer\x94\x93"              \
    "\x94(\x96\x06\x00\x00\x00\x00\x00\x00\x00\x00\x03\x01\x04\x02\x05\x94\x8c\x05numpy\x94\x8c\x05"                   \
    "dtyp"                                                                                                             \
    "e\x94\x93\x94\x8c\x02u1\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01|\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff"             \
    "\xffK\x00t\x94"                                                                                                   \
    "bK\x02K\x03\x86\x94\x8c\x01"                                                                                      \
    "F\x94t\x94R\x94."
#define DUMP                                                                                                           \
    "\x80\x04\x95\xd3\x00\x00\x00\x00\x00\x00\x00\x8c\x13joblib.numpy_pickle\x94\x8c\x11NumpyArrayWrapper"             \
    "\x94\x93\x94)\x81\x94}\x94(\x8c\x08subclass\x94\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94\x8c\x05s"             \
    "hape\x94K\x02K\x03\x86\x94\x8c\x05order\x94\x8c\x01"                                                              \
    "F\x94\x8c\x05"                                                                                                    \
    "dtype\x94h\x06\x8c\x05"                                                                                           \
    "dtype"                                                                                                            \
    "\x94\x93\x94\x8c\x02u1\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01|\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff"              \
    "\xffK\x00t\x94"                                                                                                   \
    "b\x8c\nallow_mmap\x94\x88\x8c\x1bnumpy_array_alignment_bytes\x94K\x10ub\x01\xff\x00"                              \
    "\x03\x01\x04\x02\x05."
/* pickle.dumps(numpy.array([3, 4], "<i2").view([("f", "<i2", (1,))]), 2), where the (1,) is True, which NumPy 2.4.6
 * takes for it. */
#define OF_TRUE                                                                                                        \
    "\x80\x02"                                                                                                         \
    "cnumpy._core.multiarray\n_reconstruct\nq"                                                                         \
    "\x00"                                                                                                             \
    "cnumpy\nndarray\nq\x01K\x00\x85q\x02"                                                                             \
    "c_codecs\nencode\nq"                                                                                              \
    "\x03X\x01\x00\x00\x00"                                                                                            \
    "bq\x04X\x06\x00\x00\x00latin1q\x05\x86q\x06Rq\x07\x87q\x08Rq\x09(K\x01K\x02\x85"                                  \
    "q\ncnumpy\ndtype\nq\x0bX\x02\x00\x00\x00V2q\x0c\x89\x88\x87q\x0dRq\x0e(K\x03X\x01\x00"                            \
    "\x00\x00|q\x0fNX\x01\x00\x00\x00"                                                                                 \
    "fq\x10\x85q\x11}q\x12h\x10h\x0bX\x02\x00\x00\x00V2q\x13\x89\x88\x87q\x14Rq"                                       \
    "\x15(K\x03h\x0fh\x0bX\x02\x00\x00\x00i2q\x16\x89\x88\x87q\x17Rq\x18(K\x03X\x01\x00\x00\x00<q\x19NNNJ"             \
    "\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tq\x1a"                                                                     \
    "b\x88q\x1b\x86q\x1cNNK\x02K\x02K\x00tq\x1d"                                                                       \
    "bK\x00\x86q\x1esK"                                                                                                \
    "\x02K\x01K\x10tq\x1f"                                                                                             \
    "b\x89h\x03X\x04\x00\x00\x00\x03\x00\x04\x00q h\x05\x86q!Rq\x22tq#b."
/* pickle.dumps(numpy.arange(24, dtype="u1").reshape(2, 3, 4).transpose(1, 2, 0), 5) */
#define AXES                                                                                                           \
    "\x80\x05\x95\x98\x00\x00\x00\x00\x00\x00\x00\x8c\x13numpy._core.numeric\x94\x8c\x0b_frombuffer\x94"               \
    "\x93\x94(\x96\x18\x00\x00\x00\x00\x00\x00\x00\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\n\x0b\x0c\x0d"              \
    "\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x94\x8c\x05numpy\x94\x8c\x05"                                            \
    "dtype\x94\x93\x94\x8c\x02u1"                                                                                      \
    "\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01|\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94"                      \
    "bK\x02K"                                                                                                          \
    "\x03K\x04\x87\x94\x8c\x01K\x94K\x01K\x02K\x00\x87\x94t\x94R\x94."
/* pickle.dumps(numpy.zeros((), numpy.dtype({"names": ["a", "b"], "formats": ["<i2", (">f4", (2, 3))], "offsets": [2,
 * 4], "titles": ["T", None], "itemsize": 32})), 4) */
#define FIELDS                                                                                                         \
    "\x80\x04\x95"                                                                                                     \
    "3\x01\x00\x00\x00\x00\x00\x00\x8c\x16numpy._core.multiarray\x94\x8c\x0c_reconstruct"                              \
    "\x94\x93\x94\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94"                                            \
    "C\x01"                                                                                                            \
    "b\x94\x87\x94R\x94(K"                                                                                             \
    "\x01)h\x03\x8c\x05"                                                                                               \
    "dtype\x94\x93\x94\x8c\x03V32\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01|\x94N\x8c"                                    \
    "\x01"                                                                                                             \
    "a\x94\x8c\x01"                                                                                                    \
    "b\x94\x86\x94}\x94(h\x10h\x0b\x8c\x02i2\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01<"                                  \
    "\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94"                                                              \
    "bK\x02\x8c\x01T\x94\x87\x94h\x19h\x1ah\x11h\x0b"                                                                  \
    "\x8c\x03V24\x94\x89\x88\x87\x94R\x94(K\x03h\x0fh\x0b\x8c\x02"                                                     \
    "f4\x94\x89\x88\x87\x94R\x94(K\x03\x8c"                                                                            \
    "\x01>\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94"                                                         \
    "bK\x02K\x03\x86\x94\x86\x94NNK\x18K\x04K"                                                                         \
    "\x00t\x94"                                                                                                        \
    "bK\x04\x86\x94uK K\x01K\x10t\x94"                                                                                 \
    "b\x89"                                                                                                            \
    "C \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"                                                                   \
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x94t\x94"                    \
    "b."
/* pickle.dumps(numpy.float32(1.5), 4) */
#define SCALAR                                                                                                         \
    "\x80\x04\x95"                                                                                                     \
    "f\x00\x00\x00\x00\x00\x00\x00\x8c\x16numpy._core.multiarray\x94\x8c\x06scalar\x94\x93"                            \
    "\x94\x8c\x05numpy\x94\x8c\x05"                                                                                    \
    "dtype\x94\x93\x94\x8c\x02"                                                                                        \
    "f4\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01<"                                                                       \
    "\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94"                                                              \
    "bC\x04\x00\x00\xc0?\x94\x86\x94R\x94."

static bool says(struct ndp_bytes pickle, const struct ndp_dtype *dtype, const struct ndp_layout *layout,
                 const void *data) {
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    const bool is_so = fuzz_pickle_says(&arena, pickle, dtype, layout, data);
    ndp_arena_clear(&arena);
    return is_so;
}

static void times_have_order_unit_and_multiple(void **state) {
    (void)state;
    static const struct ndp_bytes pickle = BYTES(TIMES);
    static const uint8_t data[16] = {[7] = 1, [15] = 2}, other[16] = {[7] = 1, [15] = 3};
    static const struct ndp_layout two = {.ndim = 1, .shape = {2}, .strides_bytes = {8}};
    static const struct ndp_layout three = {.ndim = 1, .shape = {3}, .strides_bytes = {8}};
    static const struct ndp_dtype good = {.kind = NDP_KIND_DATETIME,
                                          .order = NDP_ORDER_BIG,
                                          .itemsize_bytes = 8,
                                          .unit = NDP_UNIT_MICRO,
                                          .unit_multiple = 25};
    assert_true(says(pickle, &good, &two, data));
    assert_false(says(pickle, &good, &two, other));
    assert_false(says(pickle, &good, &three, data));
    for (int i = 0; i < 4; i++) {
        struct ndp_dtype dtype = good;
        if (i == 0) dtype.order = NDP_ORDER_LITTLE;
        if (i == 1) dtype.unit = NDP_UNIT_MILLI;
        if (i == 2) dtype.unit_multiple = 26;
        if (i == 3) dtype.kind = NDP_KIND_TIMEDELTA;
        if (says(pickle, &dtype, &two, data)) fail_msg("row %d", i);
    }
}

static void elements_lie_in_the_order_that_is_said(void **state) {
    (void)state;
    static const struct ndp_bytes pickles[] = {BYTES(FORTRAN), BYTES(BUFFER)}, dump = BYTES(DUMP);
    static uint8_t data[] = {0, 3, 1, 4, 2, 5}, other[] = {0, 3, 1, 4, 2, 6};
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .order = NDP_ORDER_NONE, .itemsize_bytes = 1};
    static const struct ndp_layout good = {.ndim = 2, .shape = {2, 3}, .strides_bytes = {1, 2}};
    static const struct ndp_layout in_c = {.ndim = 2, .shape = {2, 3}, .strides_bytes = {3, 1}};
    static const struct ndp_layout turned = {.ndim = 2, .shape = {3, 2}, .strides_bytes = {1, 3}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(pickles); i++) {
        assert_true(says(pickles[i], &byte, &good, data));
        assert_false(says(pickles[i], &byte, &good, other));
        assert_false(says(pickles[i], &byte, &in_c, data));
        assert_false(says(pickles[i], &byte, &turned, data));
    }
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    struct ndp_npy_array array = {.header = {.dtype = &byte, .is_fortran_order = true}, .layout = good, .data = data};
    assert_true(fuzz_dump_says(&arena, dump, &array));
    assert_true(fuzz_is_in_order(&array));
    array.data = other;
    assert_false(fuzz_dump_says(&arena, dump, &array));
    array.data = data;
    array.layout = in_c;
    assert_false(fuzz_dump_says(&arena, dump, &array));
    assert_false(fuzz_is_in_order(&array));
    array.layout = turned;
    assert_false(fuzz_dump_says(&arena, dump, &array));
    ndp_arena_clear(&arena);
}

/* A letter of the dump is another one: its place is that of the word. */
static bool says_with(struct ndp_bytes dump, const char *word, char letter, const struct ndp_npy_array *array) {
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    uint8_t *copy = ndp_arena_copy(&arena, dump.data, dump.size_bytes);
    assert_non_null(copy);
    uint64_t at = 0;
    while (memcmp(copy + at, word, strlen(word)) != 0) assert_true(++at + strlen(word) <= dump.size_bytes);
    copy[at] = (uint8_t)letter;
    const bool is_said = fuzz_dump_says(&arena, (struct ndp_bytes){copy, dump.size_bytes}, array);
    ndp_arena_clear(&arena);
    return is_said;
}

static void a_dump_has_a_plain_array_in_a_wrapper_of_joblib(void **state) {
    (void)state;
    static const struct ndp_bytes dump = BYTES(DUMP);
    static uint8_t data[] = {0, 3, 1, 4, 2, 5};
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .order = NDP_ORDER_NONE, .itemsize_bytes = 1};
    static const struct ndp_layout good = {.ndim = 2, .shape = {2, 3}, .strides_bytes = {1, 2}};
    const struct ndp_npy_array array = {
        .header = {.dtype = &byte, .is_fortran_order = true}, .layout = good, .data = data};
    assert_true(says_with(dump, "joblib.numpy_pickle", 'j', &array));
    assert_false(says_with(dump, "joblib.numpy_pickle", 'x', &array));
    assert_false(says_with(dump, "numpy_pickle", 'x', &array));
    assert_false(says_with(dump, "NumpyArrayWrapper", 'x', &array));
    assert_false(says_with(dump, "ndarray", 'x', &array));
}

static void axes_go_where_their_numbers_say(void **state) {
    (void)state;
    static const struct ndp_bytes pickle = BYTES(AXES);
    uint8_t data[24];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)i;
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .order = NDP_ORDER_NONE, .itemsize_bytes = 1};
    static const struct ndp_layout good = {.ndim = 3, .shape = {3, 4, 2}, .strides_bytes = {4, 1, 12}};
    static const struct ndp_layout inverse = {.ndim = 3, .shape = {4, 2, 3}, .strides_bytes = {1, 12, 4}};
    static const struct ndp_layout in_c = {.ndim = 3, .shape = {3, 4, 2}, .strides_bytes = {8, 2, 1}};
    assert_true(says(pickle, &byte, &good, data));
    assert_false(says(pickle, &byte, &inverse, data));
    assert_false(says(pickle, &byte, &in_c, data));
}

/* The word of one letter is a text of Python 2. */
static bool says_in_python_2(struct ndp_bytes pickle, char letter, const struct ndp_layout *layout,
                             const uint8_t *data) {
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .order = NDP_ORDER_NONE, .itemsize_bytes = 1};
    const char word[] = {'\x8c', 1, letter, '\x94'};
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    uint8_t *copy = ndp_arena_copy(&arena, pickle.data, pickle.size_bytes);
    assert_non_null(copy);
    uint64_t at = 0;
    while (memcmp(copy + at, word, sizeof word) != 0) assert_true(++at + sizeof word <= pickle.size_bytes);
    copy[at] = 'U';
    const bool is_so = says((struct ndp_bytes){copy, pickle.size_bytes}, &byte, layout, data);
    ndp_arena_clear(&arena);
    return is_so;
}

static void an_order_is_said_by_texts_of_python_2_too(void **state) {
    (void)state;
    static const struct ndp_bytes axes = BYTES(AXES), buffer = BYTES(BUFFER);
    static const struct ndp_layout turned = {.ndim = 3, .shape = {3, 4, 2}, .strides_bytes = {4, 1, 12}};
    static const struct ndp_layout not_turned = {.ndim = 3, .shape = {2, 3, 4}, .strides_bytes = {12, 4, 1}};
    static const struct ndp_layout fortran = {.ndim = 2, .shape = {2, 3}, .strides_bytes = {1, 2}};
    static const struct ndp_layout in_c = {.ndim = 2, .shape = {2, 3}, .strides_bytes = {3, 1}};
    static const uint8_t elements[] = {0, 3, 1, 4, 2, 5};
    uint8_t data[24];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)i;
    assert_true(says_in_python_2(axes, 'K', &turned, data));
    assert_false(says_in_python_2(axes, 'K', &not_turned, data));
    assert_true(says_in_python_2(buffer, 'F', &fortran, elements));
    assert_false(says_in_python_2(buffer, 'F', &in_c, elements));
}

static void fields_have_name_title_place_and_type(void **state) {
    (void)state;
    static const struct ndp_bytes pickle = BYTES(FIELDS);
    static const uint8_t data[32];
    static const struct ndp_layout one = {.ndim = 0};
    static const int64_t shape[] = {2, 3}, turned[] = {3, 2};
    static const struct ndp_dtype word = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
    static const struct ndp_dtype real = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_BIG, .itemsize_bytes = 4};
    static const struct ndp_dtype little = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};
    for (int i = 0; i < 9; i++) {
        const struct ndp_dtype inside = {.kind = NDP_KIND_SUBARRAY,
                                         .itemsize_bytes = 24,
                                         .base = i == 1 ? &little : &real,
                                         .ndim = 2,
                                         .shape = i == 2 ? turned : shape};
        struct ndp_field fields[] = {{TEXT("a"), TEXT("T"), true, 2, &word}, {TEXT("b"), {NULL, 0}, false, 4, &inside}};
        struct ndp_dtype dtype = {
            .kind = NDP_KIND_STRUCT, .itemsize_bytes = 32, .fields = fields, .field_count = 2, .is_aligned = i == 8};
        if (i == 3) fields[0].offset_bytes = 0;
        if (i == 4) fields[0].has_title = false;
        if (i == 5) fields[0].title = (struct ndp_bytes)TEXT("t");
        if (i == 6) fields[1].name = (struct ndp_bytes)TEXT("c");
        if (i == 7) dtype.field_count = 1;
        if (says(pickle, &dtype, &one, data) != (i == 0)) fail_msg("row %d", i);
    }
}

static void an_extent_may_be_a_truth(void **state) {
    (void)state;
    static const struct ndp_bytes pickle = BYTES(OF_TRUE);
    static const uint8_t data[] = {3, 0, 4, 0};
    static const struct ndp_layout two = {.ndim = 1, .shape = {2}, .strides_bytes = {2}};
    static const struct ndp_dtype word = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
    for (int64_t extent = 0; extent < 3; extent++) {
        const struct ndp_dtype inside = {
            .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 2, .base = &word, .ndim = 1, .shape = &extent};
        const struct ndp_field field = {TEXT("f"), {NULL, 0}, false, 0, &inside};
        const struct ndp_dtype dtype = {
            .kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = &field, .field_count = 1};
        assert_int_equal(says(pickle, &dtype, &two, data), extent == 1);
    }
}

/* Rows 0 and 3 have as many titles as the pickle; each of the others is another in one thing that it says. */
static void a_type_is_as_numpy_pickles_it(void **state) {
    (void)state;
    static const struct ndp_bytes pickle = BYTES(FIELDS);
    static const int64_t shape[] = {2, 3};
    static const struct ndp_dtype word = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
    static const struct ndp_dtype real = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};
    static const struct ndp_dtype text = {.kind = NDP_KIND_TEXT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    for (int i = 0; i < 8; i++) {
        const struct ndp_dtype inside = {.kind = NDP_KIND_SUBARRAY,
                                         .itemsize_bytes = i == 4 ? 20 : 24,
                                         .base = i == 5 ? &text : &real,
                                         .ndim = 2,
                                         .shape = shape};
        const struct ndp_field fields[] = {{TEXT("a"), TEXT("T"), i % 2 == 0 || i > 3, 2, &word},
                                           {TEXT("b"), TEXT("U"), i / 2 == 1, 4, &inside}};
        const struct ndp_dtype dtype = {.kind = NDP_KIND_STRUCT,
                                        .itemsize_bytes = i == 6 ? 31 : 32,
                                        .fields = fields,
                                        .field_count = 2,
                                        .is_aligned = i == 7};
        if (fuzz_is_numpys_type(&arena, pickle, &dtype) != (i == 0 || i == 3)) fail_msg("row %d", i);
    }
    ndp_arena_clear(&arena);
}

static void a_scalar_has_no_axes(void **state) {
    (void)state;
    static const struct ndp_bytes pickle = BYTES(SCALAR);
    static const uint8_t data[] = {0, 0, 0xc0, 0x3f};
    static const struct ndp_layout none = {.ndim = 0}, one = {.ndim = 1, .shape = {1}, .strides_bytes = {4}};
    static const struct ndp_dtype good = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};
    static const struct ndp_dtype other = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};
    assert_true(says(pickle, &good, &none, data));
    assert_false(says(pickle, &good, &one, data));
    assert_false(says(pickle, &other, &none, data));
}

static void a_wrapper_says_whether_it_is_mapped(void **state) {
    (void)state;
    static const struct ndp_bytes dump = BYTES(DUMP), pickle = BYTES(FORTRAN);
    uint8_t other[sizeof(DUMP)];
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    assert_true(fuzz_dump_is_mapped(&arena, dump, true));
    assert_false(fuzz_dump_is_mapped(&arena, dump, false));
    assert_true(fuzz_dump_is_mapped(&arena, pickle, false));
    assert_false(fuzz_dump_is_mapped(&arena, pickle, true));
    /* The one NEWTRUE of the wrapper's own words is behind "allow_mmap". */
    memcpy(other, dump.data, (size_t)dump.size_bytes);
    uint8_t *word = memchr(other, 'w', (size_t)dump.size_bytes);
    while (word && memcmp(word, "w_mmap\x94\x88", 8) != 0) word = memchr(word + 1, 'w', 64);
    assert_non_null(word);
    word[7] = 0x89;
    assert_true(fuzz_dump_is_mapped(&arena, (struct ndp_bytes){other, dump.size_bytes}, false));
    assert_false(fuzz_dump_is_mapped(&arena, (struct ndp_bytes){other, dump.size_bytes}, true));
    /* The same words as a string of Python 2. */
    word[7] = 0x88;
    word[-6] = 'U';
    assert_int_equal(word[-5], 10);
    assert_true(fuzz_dump_is_mapped(&arena, (struct ndp_bytes){other, dump.size_bytes}, true));
    ndp_arena_clear(&arena);
}

static void padding_says_how_long_it_is(void **state) {
    (void)state;
    static const struct ndp_bytes dump = BYTES(DUMP), good = BYTES("b\2\xff\xff"), none = BYTES("bbb\0"),
                                  cut = BYTES("b\2\xff\0"), most = BYTES("\4\xff\xff\xff\xff");
    assert_true(fuzz_is_padded(dump, dump.size_bytes - 7, 16));
    assert_true(fuzz_is_padded(good, 4, 2) && fuzz_is_padded(good, 4, 4));
    assert_false(fuzz_is_padded(good, 4, 3) || fuzz_is_padded(good, 4, 1) || fuzz_is_padded(good, 8, 4));
    assert_false(fuzz_is_padded(none, 4, 4) || fuzz_is_padded(cut, 4, 4));
    assert_true(fuzz_is_padded(most, 5, 5));
}

/* numpy.array(value, dtype).__reduce_ex__(5)[0].__name__ of NumPy 2.4.6 is _frombuffer, but where memoryview(array) is
 * refused: of a pair of fields in one place, and of times. */
static void elements_with_a_format_go_by_their_buffer(void **state) {
    (void)state;
    static const char text[] = "cnumpy._core.numeric\n_frombuffer\n(C\1a\x8c\2u1I1\nVC\ntR.";
    static const struct ndp_bytes by_buffer = {(const uint8_t *)text, sizeof text - 1};
    static const struct ndp_dtype u1 = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1},
                                  time = {.kind = NDP_KIND_DATETIME, .itemsize_bytes = 8};
    const struct ndp_field fields[] = {{.name = ndp_bytes_view("a"), .dtype = &u1},
                                       {.name = ndp_bytes_view("b"), .dtype = &u1}};
    const struct ndp_dtype twice = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 1, .fields = fields, .field_count = NDP_ARRAY_LEN(fields)};
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    assert_true(fuzz_is_numpys_form(&arena, by_buffer, 5, &u1));
    assert_false(fuzz_is_numpys_form(&arena, by_buffer, 4, &u1));
    assert_false(fuzz_is_numpys_form(&arena, by_buffer, 5, &twice));
    assert_false(fuzz_is_numpys_form(&arena, by_buffer, 5, &time));
    ndp_arena_clear(&arena);
}

NDP_SUITE(said_pickle_test, cmocka_unit_test(times_have_order_unit_and_multiple),
          cmocka_unit_test(elements_lie_in_the_order_that_is_said),
          cmocka_unit_test(a_dump_has_a_plain_array_in_a_wrapper_of_joblib),
          cmocka_unit_test(axes_go_where_their_numbers_say),
          cmocka_unit_test(an_order_is_said_by_texts_of_python_2_too),
          cmocka_unit_test(fields_have_name_title_place_and_type), cmocka_unit_test(a_scalar_has_no_axes),
          cmocka_unit_test(an_extent_may_be_a_truth), cmocka_unit_test(a_type_is_as_numpy_pickles_it),
          cmocka_unit_test(a_wrapper_says_whether_it_is_mapped), cmocka_unit_test(padding_says_how_long_it_is),
          cmocka_unit_test(elements_with_a_format_go_by_their_buffer));
