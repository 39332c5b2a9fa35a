/* decoders_count.c: the cost of decoding hostile input, in operations and bytes of memory instead of seconds.
 *
 * The flavour `count` makes the compiler call a function at every basic block of ndproof's own code, and the linker
 * redirects every function that moves or searches bytes. An operation is a block, or 16 bytes moved. Each family of
 * inputs grows from n to 2n: operations may grow to 2.5 times as many, and the heap may hold a fixed number of bytes
 * for each byte of the input and of the elements. The clock, the machine and its load do not matter. The inside of
 * libraries (libzip, zlib and their like) is not counted.
 */

#include "base/byteorder.h"
#include "base/suite.h"
#include "codec/joblib/joblib_read.h"
#include "codec/npz/npz_read.h"
#include "codec/npz/npz_write.h"
#include "target/process/heap_meter.h"

static uint64_t blocks, moved_bytes;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    blocks++;
}

/* The linker's --wrap passes calls of x to __wrap_x, which finds x itself as __real_x. */
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
WRAP(void *, memchr, (const void *in, int byte, size_t n),
     __real_memchr(in, byte, n) != NULL ? (size_t)((char *)__real_memchr(in, byte, n) - (const char *)in) : n,
     (in, byte, n))
WRAP(int, memcmp, (const void *a, const void *b, size_t n), n, (a, b, n))
WRAP(void *, calloc, (size_t n, size_t size), n *size, (n, size))
WRAP(void *, realloc, (void *block, size_t n), n, (block, n))
WRAP(size_t, strlen, (const char *text), __real_strlen(text), (text))

enum decoder { NPY, NPZ, PICKLE, JOBLIB };
enum { PARTS = 5, PIECE_BYTES = 61 };

/* The parts of an input: those with an odd index come n times, and ~ in them is the number of the repetition; in the
 * others it is n. The first three of NPY are the header. NPZ without parts: n members. */
struct family {
    const char *name;
    enum decoder decoder;
    uint64_t n;
    enum ndp_status status;
    uint32_t heap; /* bytes for each byte of input; 1 MiB is free */
    struct ndp_bytes parts[PARTS];
};

/* clang-format off */
#define T(text) {(const uint8_t *)(text), sizeof(text) - 1}
#define TYPE(word, flags) "cnumpy\ndtype\n(V" word "\nI00\nI01\ntR(I3\nV|\nNNNI-1\nI-1\nI" flags "\ntb"
#define START(shape) "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntVb\ntR(I1\n(" shape "t"
#define WRAPPER(n) "cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81(Vshape\n(" n "tVorder\nVC\nVdtype\n" TYPE("u1", "0") "db"
#define DESCR "{'descr': ["
#define ENDS(n) "], 'fortran_order': False, 'shape': (" n "), }\n"
#define ROW(name, decoder, n, status, heap, ...) {name, decoder, n, NDP_##status, heap, {__VA_ARGS__}}
static const struct family families[] = {
    ROW("many items", NPY, 20000, INVALID, 200, T("["), T("(1,),"), T("]")),
    ROW("lists too deep", NPY, 20000, LIMIT, 200, T(""), T("["), T(""), T("]")),
    ROW("one key many times", NPY, 20000, INVALID, 200, T("{"), T("'a':1,"), T("}")),
    ROW("a long string", NPY, 20000, INVALID, 200, T("'"), T("\\u00e9\\n\xe9"), T("'")),
    ROW("a long number", NPY, 1000, INVALID, 200, T("1"), T("7")),
    ROW("many comments", NPY, 20000, INVALID, 200, T("("), T("#x\n"), T("1)")),
    ROW("many fields", NPY, 8000, OK, 60, T(DESCR), T("('~', '|u1'), "), T(ENDS("0,"))),
    ROW("many titles", NPY, 4000, OK, 60, T(DESCR), T("(('t~', '~'), [('', '|V1'), ('b', '<i2')]), "), T(ENDS("0,"))),
    ROW("a long name", NPY, 20000, OK, 60, T(DESCR "('"), T("\\u03b1"), T("', '<i4')" ENDS("0,"))),
    ROW("much data", NPY, 99999, OK, 2, T(DESCR "('a', '<i8')" ENDS("~,")), T(""), T(""), T("12345678")),
    ROW("missing data", NPY, 99999, TRUNCATED, 2, T(DESCR "('a', '<i8')" ENDS("137438953472,")), T(""), T(""), T("12345678")),
    ROW("many members", NPZ, 2000, OK, 16, {NULL, 0}),
    ROW("many ends", NPZ, 4000, INVALID, 8, T(""), T("PK\5\6\0\0\0\0\1\0\1\0\x2e\0\0\0\0\0\0\0\0\0")),
    ROW("tuples in tuples", PICKLE, 20000, OK, 200, T("N"), T("\x85"), T(".")),
    ROW("memo", PICKLE, 20000, OK, 200, T("]"), T("Np~\n0"), T(".")),
    ROW("memo with distant indices", PICKLE, 20000, OK, 400, T("]"), T("Np~0000\n0"), T(".")),
    ROW("many frames", PICKLE, 20000, OK, 200, T("\x80\x04]"), T("\x95\2\0\0\0\0\0\0\0Na"), T(".")),
    ROW("marks in marks", PICKLE, 20000, OK, 200, T(""), T("("), T(""), T("t"), T(".")),
    ROW("many integers", PICKLE, 4000, OK, 200, T("]"), T("L-123456789012345678901234567890L\na"), T(".")),
    ROW("many keys", PICKLE, 20000, OK, 200, T("}("), T("Vk~\nN"), T("u.")),
    ROW("many states", PICKLE, 20000, OK, 200, T("]("), T("cm\nC\n)\x81}b"), T("e.")),
    ROW("missing bytes", PICKLE, 99999, TRUNCATED, 2, T("\x80\x04\x8e\0\0\0\0\0\1\0\0"), T("12345678")),
    ROW("many arrays", PICKLE, 4000, OK, 200, T("]("), T(START("I0\n") TYPE("u1", "0") "I00\nV\ntb"), T("e.")),
    ROW("fields that overlap before objects", PICKLE, 4000, OK, 200, T("](" TYPE("u1", "0") "p1\n0" TYPE("O8", "63")
        "p2\n0" START("I0\n") "cnumpy\ndtype\n(VV900000\nI00\nI01\ntR(I3\nV|\nN("), T("V~\nVo~\n"), T("t(d("),
        T("V~\n(g1\nI0\ntVo~\n(g2\nI1~8\nt"), T("uI900000\nI1\nI27\ntbI00\n]tbe.")),
    ROW("much data", PICKLE, 99999, OK, 4, T("](" START("I~\n") TYPE("u1", "0") "I00\nV"), T("a"), T("\ntbe.")),
    ROW("many arrays", JOBLIB, 4000, UNSUPPORTED, 60, T("\x80\x02]("), T(WRAPPER("I3\n") "abc"), T("e.")),
    ROW("much data", JOBLIB, 99999, OK, 4, T("\x80\x02" WRAPPER("I~\n")), T("a"), T(".")),
    ROW("missing data", JOBLIB, 99999, TRUNCATED, 4, T("\x80\x02" WRAPPER("L1099511627776L\n")), T("a")),
};
/* clang-format on */

static void add_part(struct ndp_buffer *to, struct ndp_bytes part, uint64_t number) {
    for (uint64_t i = 0; i < part.size_bytes; i++)
        assert_int_equal(part.data[i] == '~' ? ndp_buffer_printf(to, "%llu", (unsigned long long)number)
                                             : ndp_buffer_add(to, part.data + i, 1),
                         NDP_OK);
}

static void add_parts(struct ndp_buffer *to, const struct family *family, uint64_t n) {
    if (family->decoder == NPY) assert_int_equal(ndp_buffer_add(to, "\x93NUMPY\2\0\0\0\0", 12), NDP_OK);
    for (uint32_t k = 0; k < PARTS; k++) {
        for (uint64_t i = 0; i < (k % 2 == 0 ? 1 : n); i++) add_part(to, family->parts[k], k % 2 == 0 ? n : i);
        if (family->decoder == NPY && k == 2) ndp_store_u32le(to->data + 8, (uint32_t)to->size_bytes - 12);
    }
}

/* An archive of n arrays of nothing. */
static void add_members(struct ndp_buffer *to, struct ndp_arena *arena, uint64_t n) {
    const struct ndp_dtype dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    const struct ndp_layout layout = {.ndim = 1};
    struct ndp_npz_item *items = NDP_ARENA_ITEMS(arena, struct ndp_npz_item, n);
    for (uint64_t i = 0; i < n; i++) {
        char *name = ndp_arena_alloc(arena, 24);
        (void)snprintf(name, 24, "%llu", (unsigned long long)i);
        items[i] = (struct ndp_npz_item){ndp_bytes_view(name), {&dtype, &layout, (const uint8_t *)""}, {NULL, 0}};
    }
    assert_int_equal(ndp_npz_encode(items, n, false, ndp_write_to_buffer, to, NULL), NDP_OK);
}

static enum ndp_status read_pieces(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_cursor *cursor = from;
    struct ndp_bytes taken;
    uint64_t size = ndp_cursor_left(cursor);
    if (size > PIECE_BYTES) size = PIECE_BYTES;
    *got_bytes = size < room_bytes ? size : room_bytes;
    NDP_TRY(ndp_cursor_take(cursor, *got_bytes, &taken));
    memcpy(to, taken.data, (size_t)*got_bytes);
    return NDP_OK;
}

static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 30};

static enum ndp_status decode_npz(struct ndp_arena *arena, struct ndp_bytes bytes, struct ndp_error *error) {
    struct ndp_npz *npz = NULL;
    enum ndp_status status = ndp_npz_open_memory(bytes, NULL, &npz, error);
    for (uint64_t i = 0; status == NDP_OK && i < ndp_npz_count(npz); i++) {
        struct ndp_npy_array array = {0};
        status = ndp_npz_read_array(npz, arena, i, &lenient, &array, error);
        ndp_npy_array_clear(&array);
    }
    ndp_npz_free(npz);
    return status;
}

static enum ndp_status decode_pickle(struct ndp_arena *arena, struct ndp_source source, struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    struct ndp_pickled_array array;
    struct ndp_array_reader reader = {.dtypes = {.arena = arena, .objects = &objects, .error = error}};
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_pickle_read(&objects, &source, NULL, &pickle, error);
    const bool is_list = status == NDP_OK && ndp_object_is(pickle.root, NDP_OBJECT_LIST);
    for (uint64_t i = 0; is_list && status == NDP_OK && i < pickle.root->list.count; i++)
        if (ndp_pickle_array_is_array(pickle.root->list.items[i]))
            status = ndp_pickle_array_read(&reader, pickle.root->list.items[i], &array);
    ndp_objects_clear(&objects);
    ndp_source_clear(&source);
    return status;
}

static enum ndp_status decode(struct ndp_arena *arena, enum decoder decoder, bool is_stream, struct ndp_bytes bytes,
                              struct ndp_error *error) {
    struct ndp_cursor from = ndp_cursor_view(bytes);
    struct ndp_source source = is_stream ? ndp_source_stream(read_pieces, &from, UINT64_MAX) : ndp_source_memory(bytes);
    struct ndp_npy_array array = {0};
    if (decoder == NPZ) return decode_npz(arena, bytes, error);
    if (decoder == PICKLE) return decode_pickle(arena, source, error);
    const enum ndp_status status =
        decoder == NPY ? (is_stream ? ndp_npy_decode_stream(arena, read_pieces, &from, &lenient, &array, error)
                                    : ndp_npy_decode_memory(arena, bytes, &lenient, &array, error))
                       : (is_stream ? ndp_joblib_read_array_stream(arena, read_pieces, &from, NULL, &array, error)
                                    : ndp_joblib_read_array_memory(arena, bytes, NULL, &array, error));
    ndp_npy_array_clear(&array);
    return status;
}

/* Decodes an input of size n; checks its status and the heap. Returns the operations. */
static uint64_t run(const struct family *family, uint64_t n, bool is_stream) {
    struct ndp_buffer input = {.max_bytes = UINT64_MAX};
    struct ndp_error error = {.text = ""};
    NDP_ARENA_SCOPED(arena, UINT64_C(1) << 32);
    if (family->parts[0].data == NULL) add_members(&input, &arena, n);
    add_parts(&input, family, n);
    const struct ndp_bytes bytes = ndp_buffer_view(&input);
    ndp_heap_meter_begin();
    blocks = moved_bytes = 0;
    const enum ndp_status status = decode(&arena, family->decoder, is_stream, bytes, &error);
    const uint64_t operations = blocks + moved_bytes / 16, heap_bytes = ndp_heap_meter_end();
    if (status != family->status) fail_msg("%s: %s, %s", family->name, ndp_status_name(status), error.text);
    if (heap_bytes > family->heap * bytes.size_bytes + (1 << 20))
        fail_msg("%s: %llu bytes of heap", family->name, (unsigned long long)heap_bytes);
    ndp_buffer_clear(&input);
    return operations;
}

static void decoding_takes_linear_time_and_memory(void **state) {
    if (!ndp_heap_meter_is_available()) skip();
    for (size_t i = 0; i < 2 * NDP_ARRAY_LEN(families); i++) {
        const struct family *family = &families[i / 2];
        const uint64_t once = run(family, family->n, i % 2 == 1), twice = run(family, 2 * family->n, i % 2 == 1);
        if (twice > once * 5 / 2 + 4096)
            fail_msg("%s: %llu operations, and %llu for twice the input", family->name, (unsigned long long)once,
                     (unsigned long long)twice);
    }
}

NDP_SUITE(decoders_count, NDP_TEST(decoding_takes_linear_time_and_memory));
