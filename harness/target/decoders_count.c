/* decoders_count.c: what decoders of hostile input cost: operations and memory, not seconds.
 *
 * Built in the flavour `count`, where the compiler calls a function at every basic block of ndproof's own code, and the
 * linker puts another before each function that moves or searches bytes. An operation is a block, or 16 bytes moved.
 * Inputs of one family grow to twice and four times their length: operations may grow as much and an eighth more, and
 * so may the most of the heap that was held, buffers that double apart. Every limit here is one of proportion; the
 * machine, its load and its clock do not matter. What libraries (libzip, zlib and their like) do inside is not counted,
 * what they ask for and give is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/rng.h"
#include "base/suite.h"
#include "codec/joblib/joblib_read.h"
#include "codec/joblib/joblib_write.h"
#include "codec/npy/npy_encode.h"
#include "codec/npy/py_literal.h"
#include "codec/npz/npz_read.h"
#include "codec/pickle/pickle_codec.h"
#include "target/npz_families_fixture.h"
#include "target/process/heap_meter.h"

/* This file is not instrumented: it is the one that counts. */
static uint64_t blocks;
static uint64_t moved_bytes;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    blocks++;
}

/* The linker's --wrap gives what is called to __wrap_x, which finds the function itself as __real_x. */
#define WRAP(result, name, parameters, size_bytes, arguments)                                                          \
    result __real_##name parameters;                                                                                   \
    result __wrap_##name parameters;                                                                                   \
    result __wrap_##name parameters {                                                                                  \
        moved_bytes += (size_bytes);                                                                                   \
        return __real_##name arguments;                                                                                \
    }
WRAP(void *, memcpy, (void *to, const void *from, size_t n), n, (to, from, n))
WRAP(void *, memmove, (void *to, const void *from, size_t n), n, (to, from, n))
WRAP(void *, memset, (void *to, int byte, size_t n), n, (to, byte, n))
WRAP(int, memcmp, (const void *a, const void *b, size_t n), n, (a, b, n))
WRAP(void *, calloc, (size_t n, size_t size), n *size, (n, size))
WRAP(void *, realloc, (void *block, size_t n), n, (block, n))
WRAP(size_t, strlen, (const char *text), __real_strlen(text), (text))

/* Looks no further than what it finds. */
void *__real_memchr(const void *from, int byte, size_t n);
void *__wrap_memchr(const void *from, int byte, size_t n);
void *__wrap_memchr(const void *from, int byte, size_t n) {
    void *found = __real_memchr(from, byte, n);
    moved_bytes += found != NULL ? (size_t)((const char *)found - (const char *)from) : n;
    return found;
}

/* One input and what reading it cost. */
struct work {
    struct ndp_buffer input;
    uint64_t operations;
    uint64_t peak_bytes;
    uint64_t more_bytes; /* what decoders were given beside the input, or gave: elements that were inflated */
    enum ndp_status status;
    struct ndp_error error;
};

static void add(struct ndp_buffer *buffer, const void *bytes, uint64_t size_bytes) {
    assert_int_equal(ndp_buffer_add(buffer, bytes, size_bytes), NDP_OK);
}

#define ADD(buffer, literal) add((buffer), (literal), sizeof(literal) - 1)

static void add_u32(struct ndp_buffer *buffer, uint32_t value) {
    uint8_t bytes[4];
    ndp_store_u32le(bytes, value);
    add(buffer, bytes, sizeof bytes);
}

/* Makers: append an input whose length is in proportion to `n`. */
typedef void make_input(struct ndp_buffer *to, uint64_t n);

/* Readers: every way that the format has. */
typedef void read_input(struct work *work, struct ndp_arena *arena);

/* -------- Python literals and NPY -------- */

static void repeat(struct ndp_buffer *to, const char *head, const char *part, const char *tail, uint64_t n) {
    add(to, head, strlen(head));
    for (uint64_t i = 0; i < n; i++) add(to, part, strlen(part));
    add(to, tail, strlen(tail));
}

static void deep_lists(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "", "[", "", n);
    repeat(to, "", "]", "", n);
}

/* As deep as brackets may be, and as often as it takes. */
static void many_deep_lists(struct ndp_buffer *to, uint64_t n) {
    ADD(to, "[");
    for (uint64_t i = 0; i < n / 90 + 1; i++) {
        for (uint32_t k = 0; k < 90; k++) ADD(to, "[");
        for (uint32_t k = 0; k < 90; k++) ADD(to, "]");
        ADD(to, ",");
    }
    ADD(to, "]");
}

static void deep_parentheses(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "", "(", "1", n);
    repeat(to, "", ")", "", n);
}

static void many_items(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "[", "(1,),", "]", n);
}

static void many_keys(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "{", "'a':1,", "}", n);
}

static void many_strings(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "(", "'a' ", ")", n);
}

static void long_string(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "'", "\\u00e9\\n\xe9", "'", n);
}

static void long_number(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "1", "7", "", n);
}

static void long_hex(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "0x", "f_", "f", n);
}

static void many_comments(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "(", "#x\n", "1)", n);
}

static void many_blanks(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "1", " \t\n", "", n);
}

static void read_literal(struct work *work, struct ndp_arena *arena) {
    const struct ndp_literal_options options = {.is_lenient = true, .max_nesting = 100};
    const struct ndp_literal *literal = NULL;
    work->status = ndp_literal_read(arena, ndp_buffer_view(&work->input), &options, &literal, &work->error);
}

/* An NPY file of version 2 around the text of its header. */
static void wrap_npy(struct ndp_buffer *to, struct ndp_buffer *text, uint64_t data_bytes) {
    uint8_t *room = NULL;
    ADD(to, "\x93NUMPY\2\0");
    add_u32(to, (uint32_t)text->size_bytes);
    add(to, text->data, text->size_bytes);
    ndp_buffer_clear(text);
    assert_int_equal(ndp_buffer_extend(to, data_bytes, &room), NDP_OK);
}

static void many_fields(struct ndp_buffer *to, uint64_t n) {
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    ADD(&text, "{'descr': [");
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(ndp_buffer_printf(&text, "('%llx', '|u1'), ", (unsigned long long)i), NDP_OK);
    ADD(&text, "], 'fortran_order': False, 'shape': (1,), }\n");
    wrap_npy(to, &text, n);
}

static void many_titles(struct ndp_buffer *to, uint64_t n) {
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    ADD(&text, "{'descr': [");
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(ndp_buffer_printf(&text, "(('t%llx', '%llx'), [('', '|V1'), ('b', '<i2', (3, 1))]), ",
                                           (unsigned long long)i, (unsigned long long)i),
                         NDP_OK);
    ADD(&text, "], 'fortran_order': False, 'shape': (0,), }\n");
    wrap_npy(to, &text, 0);
}

/* As deep as types may be, and as often as it takes. */
static void many_deep_fields(struct ndp_buffer *to, uint64_t n) {
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    ADD(&text, "{'descr': [");
    for (uint64_t i = 0; i < n / 40 + 1; i++) {
        assert_int_equal(ndp_buffer_printf(&text, "('%llx', ", (unsigned long long)i), NDP_OK);
        for (uint32_t k = 0; k < 40; k++) ADD(&text, "[('a', ");
        ADD(&text, "'|u1'");
        for (uint32_t k = 0; k < 40; k++) ADD(&text, ")]");
        ADD(&text, "), ");
    }
    ADD(&text, "], 'fortran_order': False, 'shape': (0,), }\n");
    wrap_npy(to, &text, 0);
}

static void long_name(struct ndp_buffer *to, uint64_t n) {
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    repeat(&text, "{'descr': [('", "\\u03b1\\x07", "', '<i4')], 'fortran_order': False, 'shape': (1,), }\n", n);
    wrap_npy(to, &text, 4);
}

static void much_data(struct ndp_buffer *to, uint64_t n) {
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    assert_int_equal(ndp_buffer_printf(&text, "{'descr': '<i2', 'fortran_order': True, 'shape': (%llu, 8), }\n",
                                       (unsigned long long)n),
                     NDP_OK);
    wrap_npy(to, &text, 16 * n);
}

/* Claims a terabyte, of which a part is there. */
static void claimed_data(struct ndp_buffer *to, uint64_t n) {
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    ADD(&text, "{'descr': '<f8', 'fortran_order': False, 'shape': (137438953472,), }\n");
    wrap_npy(to, &text, 16 * n);
}

/* Pieces as a pipe gives them. */
static enum ndp_status read_pieces(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_cursor *cursor = from;
    struct ndp_bytes taken;
    uint64_t size = ndp_cursor_left(cursor);
    if (size > room_bytes) size = room_bytes;
    if (size > 61) size = 61;
    NDP_TRY(ndp_cursor_take(cursor, size, &taken));
    if (size > 0) memcpy(to, taken.data, (size_t)size);
    *got_bytes = size;
    return NDP_OK;
}

static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 30};

static void read_npy(struct work *work, struct ndp_arena *arena) {
    struct ndp_npy_array array = {0};
    work->status = ndp_npy_decode_memory(arena, ndp_buffer_view(&work->input), &lenient, &array, &work->error);
    ndp_npy_array_clear(&array);
}

static void stream_npy(struct work *work, struct ndp_arena *arena) {
    struct ndp_cursor cursor = ndp_cursor_view(ndp_buffer_view(&work->input));
    struct ndp_npy_array array = {0};
    work->status = ndp_npy_decode_stream(arena, read_pieces, &cursor, &lenient, &array, &work->error);
    ndp_npy_array_clear(&array);
}

/* -------- NPZ -------- */

static void read_npz(struct work *work, struct ndp_arena *arena) {
    struct ndp_npz *npz = NULL;
    uint64_t found = 0;
    work->status = ndp_npz_open_memory(ndp_buffer_view(&work->input), NULL, &npz, &work->error);
    for (uint64_t i = 0; work->status == NDP_OK && i < ndp_npz_count(npz); i++) {
        struct ndp_npy_array array = {0};
        work->status = ndp_npz_read_array(npz, arena, i, &lenient, &array, &work->error);
        work->more_bytes += array.header.size_bytes;
        ndp_npy_array_clear(&array);
    }
    if (npz != NULL) (void)!ndp_npz_find(npz, ndp_bytes_view("none"), &found, NULL);
    ndp_npz_free(npz);
}

/* -------- pickles -------- */

static void deep_tuples(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "N", "\x85", ".", n);
}

static void memo_fills(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "]",
           "N\x94"
           "0",
           ".", n);
}

/* Indices far apart. */
static void memo_sparse(struct ndp_buffer *to, uint64_t n) {
    ADD(to, "N");
    for (uint64_t i = 0; i < n; i++) {
        ADD(to, "r");
        add_u32(to, (uint32_t)(i * 40503 * 65537));
    }
    ADD(to, ".");
}

static void many_frames(struct ndp_buffer *to, uint64_t n) {
    ADD(to, "\x80\x04]");
    for (uint64_t i = 0; i < n; i++) ADD(to, "\x95\x02\0\0\0\0\0\0\0Na");
    ADD(to, ".");
}

static void many_marks(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "", "(", "", n);
    repeat(to, "", "t", ".", n);
}

static void many_integers(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "]", "L-1234567890123456789012345678901234567890L\na", ".", n);
}

static void one_integer(struct ndp_buffer *to, uint64_t n) {
    uint8_t *room = NULL;
    ADD(to, "\x80\x02\x8b");
    add_u32(to, (uint32_t)n * 8);
    assert_int_equal(ndp_buffer_extend(to, n * 8, &room), NDP_OK);
    memset(room, 0x55, (size_t)n * 8);
    ADD(to, ".");
}

static void many_keys_of_dict(struct ndp_buffer *to, uint64_t n) {
    ADD(to, "}(");
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(ndp_buffer_printf(to, "Vk%llx\nN", (unsigned long long)i), NDP_OK);
    ADD(to, "u.");
}

static void many_states(struct ndp_buffer *to, uint64_t n) {
    repeat(to, "](", "cm\nC\n)\x81}b", "e.", n);
}

static void claimed_bytes(struct ndp_buffer *to, uint64_t n) {
    uint8_t *room = NULL;
    ADD(to, "\x80\x04\x8e\0\0\0\0\0\1\0\0");
    assert_int_equal(ndp_buffer_extend(to, n * 8, &room), NDP_OK);
}

static void read_pickle(struct work *work, struct ndp_arena *arena) {
    struct ndp_source source = ndp_source_memory(ndp_buffer_view(&work->input));
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    ndp_objects_init(&objects, arena);
    work->status = ndp_pickle_read(&objects, &source, NULL, &pickle, &work->error);
    ndp_objects_clear(&objects);
}

static void stream_pickle(struct work *work, struct ndp_arena *arena) {
    struct ndp_cursor cursor = ndp_cursor_view(ndp_buffer_view(&work->input));
    struct ndp_source source = ndp_source_stream(read_pieces, &cursor, UINT64_MAX);
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    ndp_objects_init(&objects, arena);
    work->status = ndp_pickle_read(&objects, &source, NULL, &pickle, &work->error);
    ndp_objects_clear(&objects);
    ndp_source_clear(&source);
}

/* An array of one structure, as NumPy pickles it: every name is there twice. */
static void array_start(struct ndp_buffer *to) {
    ADD(to, "\x80\x02"
            "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85"
            "C\1b\x87R(K\1K\0\x85");
}

static void dtype_end(struct ndp_buffer *to, uint64_t itemsize_bytes, uint32_t flags) {
    ADD(to, "J");
    add_u32(to, (uint32_t)itemsize_bytes);
    ADD(to, "K\1K");
    const uint8_t byte = (uint8_t)flags;
    add(to, &byte, 1);
    ADD(to, "tb");
}

static void plain_dtype(struct ndp_buffer *to, const char *word) {
    ADD(to, "cnumpy\ndtype\nV");
    add(to, word, strlen(word));
    ADD(to, "\nK\0K\1\x87R(K\3V|\nNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK");
    const uint8_t flags = strcmp(word, "O8") == 0 ? 63 : 0;
    add(to, &flags, 1);
    ADD(to, "tb");
}

/* `objects` of the fields are objects side by side, behind others that all lie on the first byte. */
static void structure(struct ndp_buffer *to, uint64_t fields, uint64_t objects) {
    plain_dtype(to, "u1");
    ADD(to, "q\1"
            "0");
    plain_dtype(to, "O8");
    ADD(to, "q\2"
            "0");
    array_start(to);
    ADD(to, "cnumpy\ndtype\nVV");
    const uint64_t itemsize_bytes = objects > 0 ? 8 + 8 * objects : fields;
    assert_int_equal(ndp_buffer_printf(to, "%llu\n", (unsigned long long)itemsize_bytes), NDP_OK);
    ADD(to, "K\0K\1\x87R(K\3V|\nN(");
    for (uint64_t i = 0; i < fields; i++)
        assert_int_equal(ndp_buffer_printf(to, "V%llx\n", (unsigned long long)i), NDP_OK);
    ADD(to, "t}(");
    for (uint64_t i = 0; i < fields; i++) {
        const bool is_object = objects > 0 && i >= fields - objects;
        const uint64_t at = objects == 0 ? i : is_object ? 8 + 8 * (i - (fields - objects)) : 0;
        assert_int_equal(ndp_buffer_printf(to, "V%llx\nh%cJ", (unsigned long long)i, is_object ? 2 : 1), NDP_OK);
        add_u32(to, (uint32_t)at);
        ADD(to, "\x86");
    }
    ADD(to, "u");
    dtype_end(to, itemsize_bytes, objects > 0 ? 27 : 0);
    if (objects > 0)
        ADD(to, "I00\n]tb.");
    else
        ADD(to, "I00\nC\0tb.");
}

static void fields_in_pickle(struct ndp_buffer *to, uint64_t n) {
    structure(to, n, 0);
}

static void fields_that_overlap(struct ndp_buffer *to, uint64_t n) {
    structure(to, n, n / 2);
}

/* Each the dtype of both fields of the next, on the same byte: a tree that the input says in a line for each level. */
static void dtype_in_dtype(struct ndp_buffer *to, uint64_t n) {
    plain_dtype(to, "u1");
    for (uint64_t i = 0; i < n; i++) {
        assert_int_equal(ndp_buffer_printf(to, "p%llu\n0cnumpy\ndtype\nVV1\n", (unsigned long long)i), NDP_OK);
        ADD(to, "K\0K\1\x87R(K\3V|\nN(Va\nVb\nt}(");
        for (uint32_t k = 0; k < 2; k++)
            assert_int_equal(ndp_buffer_printf(to, "V%c\ng%llu\nI0\n\x86", 'a' + (int)k, (unsigned long long)i),
                             NDP_OK);
        ADD(to, "u");
        dtype_end(to, 1, 0);
    }
    ADD(to, "p999\n0");
    array_start(to);
    ADD(to, "g999\nI00\nC\0tb.");
}

/* Arrays of their own, each with its dtype. */
static void many_arrays(struct ndp_buffer *to, uint64_t n) {
    ADD(to, "](");
    for (uint64_t i = 0; i < n; i++) {
        array_start(to);
        plain_dtype(to, "u1");
        ADD(to, "I00\nC\0tb");
    }
    ADD(to, "e.");
}

static void much_data_pickled(struct ndp_buffer *to, uint64_t n) {
    uint8_t *room = NULL;
    ADD(to, "\x80\x02"
            "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85"
            "C\1b\x87R(K\1J");
    add_u32(to, (uint32_t)n * 16);
    ADD(to, "\x85");
    plain_dtype(to, "u1");
    ADD(to, "I00\nB");
    add_u32(to, (uint32_t)n * 16);
    assert_int_equal(ndp_buffer_extend(to, n * 16, &room), NDP_OK);
    ADD(to, "tb.");
}

/* As latin-1 text, which Python 2 needs. */
static void data_as_text(struct ndp_buffer *to, uint64_t n) {
    ADD(to, "\x80\x02"
            "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85"
            "C\1b\x87R(K\1J");
    add_u32(to, (uint32_t)n * 4);
    ADD(to, "\x85");
    plain_dtype(to, "u1");
    ADD(to, "I00\nX");
    add_u32(to, (uint32_t)n * 8);
    for (uint64_t i = 0; i < n * 4; i++) ADD(to, "\xc3\xa9");
    ADD(to, "tb.");
}

static void read_array(struct work *work, struct ndp_arena *arena) {
    struct ndp_pickle_array array = {0};
    work->status = ndp_pickle_decode_memory(arena, ndp_buffer_view(&work->input), NULL, &array, &work->error);
    ndp_pickle_array_clear(&array);
}

static void stream_array(struct work *work, struct ndp_arena *arena) {
    struct ndp_cursor cursor = ndp_cursor_view(ndp_buffer_view(&work->input));
    struct ndp_pickle_array array = {0};
    work->status = ndp_pickle_decode_stream(arena, read_pieces, &cursor, NULL, &array, &work->error);
    ndp_pickle_array_clear(&array);
}

/* Every array that the objects hold is asked what it is. */
static void read_arrays(struct work *work, struct ndp_arena *arena) {
    struct ndp_source source = ndp_source_memory(ndp_buffer_view(&work->input));
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    ndp_objects_init(&objects, arena);
    work->status = ndp_pickle_read(&objects, &source, NULL, &pickle, &work->error);
    struct ndp_array_reader reader = {.dtypes = {.arena = arena, .objects = &objects, .error = &work->error}};
    for (uint64_t i = 0; work->status == NDP_OK && pickle.root->kind == NDP_OBJECT_LIST && i < pickle.root->list.count;
         i++) {
        struct ndp_pickled_array array;
        work->status = ndp_pickle_array_read(&reader, pickle.root->list.items[i], &array);
    }
    if (work->status == NDP_OK && ndp_pickle_is_array(pickle.root)) {
        struct ndp_pickled_array array;
        work->status = ndp_pickle_array_read(&reader, pickle.root, &array);
    }
    ndp_objects_clear(&objects);
}

/* -------- joblib -------- */

static void make_joblib(struct ndp_buffer *to, uint64_t n, enum ndp_compress_method method, bool is_noise) {
    const struct ndp_dtype dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    const struct ndp_joblib_output output = {
        .form = {.protocol = 4, .alignment_bytes = 16}, .release = NDP_NUMPY_2_3, .method = method, .level = 1};
    struct ndp_arena arena;
    struct ndp_layout layout;
    const int64_t shape[1] = {(int64_t)n};
    ndp_arena_init(&arena, UINT64_C(1) << 32);
    uint8_t *data = ndp_arena_alloc(&arena, n);
    assert_non_null(data);
    for (uint64_t i = 0; is_noise && i < n; i++)
        data[i] = (uint8_t)(ndp_hash_bytes(&i, sizeof i, NDP_HASH_START) >> 11);
    assert_int_equal(ndp_layout_contiguous(&layout, shape, 1, 1, NDP_MEMORY_C, 0), NDP_OK);
    const struct ndp_elements elements = {&dtype, &layout, data};
    assert_int_equal(ndp_joblib_encode(&arena, &elements, &output, ndp_write_to_buffer, to, NULL), NDP_OK);
    ndp_arena_clear(&arena);
}

static void joblib_plain(struct ndp_buffer *to, uint64_t n) {
    make_joblib(to, n * 16, NDP_COMPRESS_NONE, true);
}

#define JOBLIB_OF(name, method)                                                                                        \
    static void joblib_##name(struct ndp_buffer *to, uint64_t n) {                                                     \
        make_joblib(to, n * 16, NDP_COMPRESS_##method, true);                                                          \
    }                                                                                                                  \
    static void joblib_##name##_zeros(struct ndp_buffer *to, uint64_t n) {                                             \
        make_joblib(to, n * 128, NDP_COMPRESS_##method, false);                                                        \
    }
JOBLIB_OF(zlib, ZLIB)
JOBLIB_OF(gzip, GZIP)
JOBLIB_OF(bz2, BZ2)
JOBLIB_OF(lzma, LZMA)
JOBLIB_OF(xz, XZ)
JOBLIB_OF(lz4, LZ4)

/* A wrapper, and what it says. */
static void wrapper(struct ndp_buffer *to, const char *shape) {
    ADD(to, "cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81}(Vsubclass\ncnumpy\nndarray\nVshape\n");
    add(to, shape, strlen(shape));
    ADD(to, "Vorder\nVC\nVdtype\n");
    plain_dtype(to, "u1");
    ADD(to, "Vallow_mmap\nI01\nub");
}

static void many_wrappers(struct ndp_buffer *to, uint64_t n) {
    ADD(to, "\x80\x02](");
    for (uint64_t i = 0; i < n; i++) {
        wrapper(to, "(I3\nt");
        ADD(to, "abc");
    }
    ADD(to, "e.");
}

static void claimed_wrapper(struct ndp_buffer *to, uint64_t n) {
    uint8_t *room = NULL;
    ADD(to, "\x80\x02");
    wrapper(to, "(L1099511627776L\nt");
    assert_int_equal(ndp_buffer_extend(to, n * 16, &room), NDP_OK);
}

static const struct ndp_joblib_options joblib_options = {.compress = {.memory_bytes = 1 << 24}};

static void read_joblib(struct work *work, struct ndp_arena *arena) {
    struct ndp_objects objects;
    struct ndp_joblib joblib;
    ndp_objects_init(&objects, arena);
    work->status =
        ndp_joblib_read_memory(&objects, ndp_buffer_view(&work->input), &joblib_options, &joblib, &work->error);
    ndp_objects_clear(&objects);
}

static void read_joblib_array(struct work *work, struct ndp_arena *arena) {
    struct ndp_npy_array array = {0};
    work->status =
        ndp_joblib_decode_memory(arena, ndp_buffer_view(&work->input), &joblib_options, &array, &work->error);
    work->more_bytes += array.header.size_bytes;
    ndp_npy_array_clear(&array);
}

static void stream_joblib(struct work *work, struct ndp_arena *arena) {
    struct ndp_cursor cursor = ndp_cursor_view(ndp_buffer_view(&work->input));
    struct ndp_npy_array array = {0};
    work->status = ndp_joblib_decode_stream(arena, read_pieces, &cursor, &joblib_options, &array, &work->error);
    work->more_bytes += array.header.size_bytes;
    ndp_npy_array_clear(&array);
}

/* -------- the families -------- */

/* `held` is the most of the heap that a byte of the input, or of what was inflated from it, may take: 2 where bytes are
 * kept as they are, more where each can be an object. 1 MiB is free, and so is what the library of a compressor has. */
static const struct {
    const char *decoder, *family;
    make_input *make;
    read_input *read;
    uint64_t n;
    enum ndp_status status;
    uint32_t held;
    uint32_t free_bytes;
} families[] = {
    {"literal", "lists in lists", many_deep_lists, read_literal, 20000, NDP_OK, 200, 0},
    {"literal", "lists too deep", deep_lists, read_literal, 20000, NDP_LIMIT, 200, 0},
    {"literal", "parentheses too deep", deep_parentheses, read_literal, 20000, NDP_LIMIT, 200, 0},
    {"literal", "many items", many_items, read_literal, 20000, NDP_OK, 200, 0},
    {"literal", "one key, again and again", many_keys, read_literal, 20000, NDP_OK, 200, 0},
    {"literal", "many strings that are one", many_strings, read_literal, 20000, NDP_OK, 200, 0},
    {"literal", "a long string", long_string, read_literal, 20000, NDP_OK, 200, 0},
    {"literal", "a long number", long_number, read_literal, 1000, NDP_OK, 200, 0},
    {"literal", "a long hexadecimal number", long_hex, read_literal, 20000, NDP_OK, 200, 0},
    {"literal", "many comments", many_comments, read_literal, 20000, NDP_OK, 200, 0},
    {"literal", "many blank lines", many_blanks, read_literal, 20000, NDP_OK, 200, 0},
    {"npy", "many fields", many_fields, read_npy, 8000, NDP_OK, 60, 0},
    {"npy", "many fields, stream", many_fields, stream_npy, 8000, NDP_OK, 60, 0},
    {"npy", "many fields with titles and padding", many_titles, read_npy, 4000, NDP_OK, 60, 0},
    {"npy", "many deep fields", many_deep_fields, read_npy, 4000, NDP_OK, 60, 0},
    {"npy", "a long name", long_name, read_npy, 20000, NDP_OK, 60, 0},
    {"npy", "much data", much_data, read_npy, 100000, NDP_OK, 2, 0},
    {"npy", "much data, stream", much_data, stream_npy, 100000, NDP_OK, 2, 0},
    {"npy", "data that are not there", claimed_data, read_npy, 100000, NDP_TRUNCATED, 2, 0},
    {"npy", "data that are not there, stream", claimed_data, stream_npy, 100000, NDP_TRUNCATED, 2, 0},
    {"npz", "many members", many_members, read_npz, 2000, NDP_OK, 8, 1 << 20},
    {"npz", "many packed members", many_packed_members, read_npz, 2000, NDP_OK, 8, 1 << 20},
    {"npz", "one member", one_member, read_npz, 100000, NDP_OK, 2, 1 << 20},
    {"npz", "one packed member", packed_zeros, read_npz, 10000, NDP_OK, 2, 1 << 20},
    {"npz", "a long comment", long_comment, read_npz, 15000, NDP_OK, 8, 1 << 20},
    {"npz", "members that are not there", claimed_members, read_npz, 16000, NDP_INVALID, 2, 0},
    {"npz", "members that are not there, zip64", claimed_members_zip64, read_npz, 16000, NDP_INVALID, 2, 0},
    {"npz", "members that are not counted", denied_members, read_npz, 1, NDP_INVALID, 2, 0},
    {"npz", "members that are not counted, zip64", denied_members_zip64, read_npz, 1, NDP_INVALID, 2, 0},
    {"npz", "many ends", many_ends, read_npz, 500, NDP_INVALID, 2, 0},
    {"pickle", "tuples in tuples", deep_tuples, read_pickle, 20000, NDP_OK, 200, 0},
    {"pickle", "memo", memo_fills, read_pickle, 20000, NDP_OK, 200, 0},
    {"pickle", "memo, stream", memo_fills, stream_pickle, 20000, NDP_OK, 200, 0},
    {"pickle", "memo of indices far apart", memo_sparse, read_pickle, 20000, NDP_OK, 200, 0},
    {"pickle", "many frames", many_frames, read_pickle, 20000, NDP_OK, 200, 0},
    {"pickle", "many frames, stream", many_frames, stream_pickle, 20000, NDP_OK, 200, 0},
    {"pickle", "marks in marks", many_marks, read_pickle, 20000, NDP_OK, 200, 0},
    {"pickle", "many integers of protocol 0", many_integers, read_pickle, 4000, NDP_OK, 200, 0},
    {"pickle", "one integer", one_integer, read_pickle, 20000, NDP_OK, 2, 0},
    {"pickle", "many keys", many_keys_of_dict, read_pickle, 20000, NDP_OK, 200, 0},
    {"pickle", "many states", many_states, read_pickle, 20000, NDP_OK, 200, 0},
    {"pickle", "bytes that are not there", claimed_bytes, read_pickle, 100000, NDP_TRUNCATED, 2, 0},
    {"pickle", "bytes that are not there, stream", claimed_bytes, stream_pickle, 100000, NDP_TRUNCATED, 2, 0},
    {"pickle", "fields of a dtype", fields_in_pickle, read_arrays, 8000, NDP_OK, 200, 0},
    {"pickle", "fields that overlap before objects", fields_that_overlap, read_arrays, 8000, NDP_OK, 200, 0},
    {"pickle", "a dtype twice in each of many levels", dtype_in_dtype, read_arrays, 15, NDP_LIMIT, 200, 8 << 20},
    {"pickle", "many arrays", many_arrays, read_arrays, 4000, NDP_OK, 200, 0},
    {"pickle", "much data", much_data_pickled, read_array, 100000, NDP_OK, 2, 0},
    {"pickle", "much data, stream", much_data_pickled, stream_array, 100000, NDP_OK, 2, 0},
    {"pickle", "data as text", data_as_text, read_array, 100000, NDP_OK, 2, 0},
    {"joblib", "plain", joblib_plain, read_joblib_array, 100000, NDP_OK, 2, 0},
    {"joblib", "plain, stream", joblib_plain, stream_joblib, 100000, NDP_OK, 2, 0},
    {"joblib", "zlib", joblib_zlib, read_joblib_array, 20000, NDP_OK, 2, 1 << 20},
    {"joblib", "zlib of zeros", joblib_zlib_zeros, read_joblib_array, 20000, NDP_OK, 2, 1 << 20},
    {"joblib", "gzip", joblib_gzip, stream_joblib, 20000, NDP_OK, 2, 1 << 20},
    {"joblib", "gzip of zeros", joblib_gzip_zeros, stream_joblib, 20000, NDP_OK, 2, 1 << 20},
    {"joblib", "bz2", joblib_bz2, read_joblib_array, 20000, NDP_OK, 2, 8 << 20},
    {"joblib", "bz2 of zeros", joblib_bz2_zeros, read_joblib_array, 20000, NDP_OK, 2, 8 << 20},
    {"joblib", "lzma", joblib_lzma, read_joblib_array, 20000, NDP_OK, 2, 16 << 20},
    {"joblib", "lzma of zeros", joblib_lzma_zeros, stream_joblib, 20000, NDP_OK, 2, 16 << 20},
    {"joblib", "xz", joblib_xz, read_joblib_array, 20000, NDP_OK, 2, 16 << 20},
    {"joblib", "xz of zeros", joblib_xz_zeros, stream_joblib, 20000, NDP_OK, 2, 16 << 20},
    {"joblib", "lz4", joblib_lz4, read_joblib_array, 20000, NDP_OK, 2, 1 << 20},
    {"joblib", "lz4 of zeros", joblib_lz4_zeros, stream_joblib, 20000, NDP_OK, 2, 1 << 20},
    {"joblib", "many arrays", many_wrappers, read_joblib, 4000, NDP_OK, 60, 0},
    {"joblib", "an array that is not there", claimed_wrapper, read_joblib_array, 100000, NDP_TRUNCATED, 2, 0},
    {"joblib", "an array that is not there, stream", claimed_wrapper, stream_joblib, 100000, NDP_TRUNCATED, 2, 0},
};

static void run(size_t row, uint64_t n, struct work *work) {
    struct ndp_arena arena;
    *work = (struct work){.input = {.max_bytes = UINT64_MAX}};
    families[row].make(&work->input, n);
    ndp_arena_init(&arena, UINT64_C(1) << 34);
    ndp_heap_begin();
    blocks = moved_bytes = 0;
    families[row].read(work, &arena);
    work->operations = blocks + moved_bytes / 16;
    work->peak_bytes = ndp_heap_peak_bytes();
    ndp_arena_clear(&arena);
}

/* Runs sizes n, 2n and 4n, says what they cost, and counts what grows too fast. */
static uint32_t run_family(size_t row) {
    struct work works[3];
    uint32_t bad = 0;
    for (uint32_t i = 0; i < 3; i++) run(row, families[row].n << i, &works[i]);
    const double grown = (double)works[2].operations / (double)works[0].operations;
    const uint64_t could_hold = works[2].input.size_bytes + works[2].more_bytes;
    const uint64_t allowed = families[row].held * could_hold + families[row].free_bytes + (1 << 20);
    printf("%-8s %-36s %9llu %10llu %5.2f x %10llu  %5.1f of %u\n", families[row].decoder, families[row].family,
           (unsigned long long)works[2].input.size_bytes, (unsigned long long)works[2].operations, grown,
           (unsigned long long)works[2].peak_bytes, (double)works[2].peak_bytes / (double)could_hold,
           families[row].held);
    /* An eighth more is for what is done once in each size, and for tables that double. */
    if (works[1].operations > works[0].operations * 9 / 4 + 4096) bad++;
    if (works[2].operations > works[0].operations * 9 / 2 + 4096) bad++;
    if (works[2].peak_bytes > allowed) bad++;
    if (bad > 0) printf("%-8s %-36s TOO MUCH\n", "", "");
    for (uint32_t i = 0; i < 3; i++) {
        if (works[i].status == families[row].status) continue;
        printf("%-8s %-36s %s at %lld: %s\n", "", "", ndp_status_name(works[i].status),
               (long long)works[i].error.offset_bytes, works[i].error.text);
        bad++;
    }
    for (uint32_t i = 0; i < 3; i++) ndp_buffer_clear(&works[i].input);
    return bad;
}

static void operations_and_memory_are_linear(void **state) {
    (void)state;
    uint32_t bad = 0;
    if (!ndp_heap_is_metered()) skip();
    printf("%-8s %-36s %9s %10s %7s %10s  %s\n", "decoder", "family", "bytes", "operations", "at 4n", "heap",
           "heap/byte");
    for (size_t row = 0; row < NDP_ARRAY_LEN(families); row++) bad += run_family(row);
    assert_int_equal(bad, 0);
}

NDP_SUITE(decoders_count, cmocka_unit_test(operations_and_memory_are_linear));
