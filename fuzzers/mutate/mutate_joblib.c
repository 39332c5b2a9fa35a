/* mutate_joblib.c: structural changes of a joblib dump: fields of a wrapper (shape, type, order, alignment, class,
 * allow_mmap), opcodes, elements, padding, and the compression of the stream.
 *
 * The mutator decompresses a dump and splits it into elements of arrays and the opcodes between them. After a change,
 * the decoder's machine reads the opcodes again and reports the place and number of elements; the mutator inserts that
 * many elements and compresses the result, so that most inputs reach the code after a wrapper. Sometimes exactly one
 * field is wrong. Source: joblib 1.5, numpy_pickle.py and numpy_pickle_utils.py. */
#include "mutate/mutate.h"

#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "base/rng.h"
#include "codec/joblib/joblib_wrapper.h"
#include "codec/joblib/joblib_write.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_read.h"
#include "form/pickle_ops.h"

enum {
    MAX_CHANGES = 3,
    MAX_ARRAYS = 8,
    CONTENT_BYTES = 1 << 16,
    MAX_DATA_BYTES = 1 << 13,
    ALIGN_BYTES = 16,
    HEAD_BYTES = 16,
    KEPT_INPUTS = 4096,
    LONGEST_WORD = 26
};

/* Compressor states, reused for all inputs. */
static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
static const struct ndp_compress_limits limits = {
    .output_bytes = CONTENT_BYTES, .memory_bytes = 1 << 24, .pool = &pool};

struct dump {
    enum ndp_compress_method method;
    struct ndp_bytes ops[MAX_ARRAYS + 1]; /* before, between and after the arrays */
    struct ndp_bytes data[MAX_ARRAYS];    /* elements of each array */
    uint32_t arrays;
};

/* ---- splitting ---- */

/* Appends the stream up to its end or the first error. */
static void read_all(ndp_read_bytes *read, void *from, struct ndp_buffer *out) {
    uint8_t piece[4096];
    uint64_t got = 1;
    while (got > 0 && read(from, piece, sizeof piece, &got) == NDP_OK && ndp_buffer_add(out, piece, got) == NDP_OK)
        continue;
}

/* Appends the decompressed pickle. */
static enum ndp_status decompress(struct ndp_bytes text, struct dump *dump, struct ndp_buffer *out) {
    struct ndp_cursor cursor = ndp_cursor_view(text);
    struct ndp_decompressor *stream = NULL;
    dump->method = ndp_compress_detect(text);
    if (dump->method == NDP_COMPRESS_NONE) return ndp_buffer_add(out, text.data, text.size_bytes);
    NDP_TRY(ndp_decompress_new(dump->method, ndp_cursor_read, &cursor, &limits, &stream, NULL));
    read_all(ndp_decompress_read, stream, out);
    ndp_decompress_free(stream);
    return NDP_OK;
}

/* The places of the elements of arrays: directly after the BUILD of each wrapper. */
struct place {
    uint64_t at_bytes;   /* offset of the padding, or of the elements without padding */
    uint64_t data_bytes; /* size of the elements */
    uint64_t end_bytes;
    uint64_t size_bytes;
    bool has_padding;
};

struct plan {
    struct ndp_pickle_dtype_reader dtypes;
    bool is_whole; /* the elements are present and are skipped */
    struct place arrays[MAX_ARRAYS];
    uint32_t count;
};

static enum ndp_status after_build(void *context, struct ndp_objects *objects, struct ndp_source *source,
                                   struct ndp_object **top, struct ndp_error *error) {
    struct plan *plan = context;
    struct ndp_joblib_wrapper wrapper;
    struct ndp_pickle nested;
    struct ndp_bytes bytes;
    const enum ndp_joblib_wrapper_kind kind = ndp_joblib_wrapper_kind(*top);
    if (kind != NDP_JOBLIB_ARRAY) return NDP_OK;
    NDP_TRY(ndp_joblib_wrapper_read(&plan->dtypes, *top, &wrapper));
    if (wrapper.has_objects) return ndp_pickle_read(objects, source, NULL, &nested, error);
    if (plan->count == MAX_ARRAYS) return NDP_LIMIT;
    plan->arrays[plan->count].at_bytes = ndp_source_offset(source);
    plan->arrays[plan->count].size_bytes = wrapper.size_bytes;
    plan->arrays[plan->count].has_padding = wrapper.has_padding;
    if (plan->is_whole && wrapper.has_padding) {
        NDP_TRY(ndp_source_take(source, 1, &bytes));
        NDP_TRY(ndp_source_take(source, bytes.data[0], &bytes));
    }
    plan->arrays[plan->count].data_bytes = ndp_source_offset(source);
    if (plan->is_whole) NDP_TRY(ndp_source_take(source, wrapper.size_bytes, &bytes));
    plan->arrays[plan->count++].end_bytes = ndp_source_offset(source);
    return NDP_OK;
}

/* Reads as much as possible; arrays before an error count. */
static void make_plan(struct ndp_arena *arena, struct ndp_bytes bytes, bool is_whole, struct plan *out) {
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    struct ndp_source source = ndp_source_memory(bytes);
    ndp_objects_init(&objects, arena);
    *out = (struct plan){.dtypes = {.arena = arena, .objects = &objects}, .is_whole = is_whole};
    const struct ndp_pickle_options options = {.after_build = after_build, .context = out};
    (void)!ndp_pickle_read(&objects, &source, &options, &pickle, NULL);
    ndp_objects_clear(&objects);
}

/* An input and its parts. */
struct taken {
    struct ndp_buffer bytes; /* the input, then the decompressed pickle; owned */
    uint64_t text_bytes;
    struct dump packing; /* its compression */
    struct place arrays[MAX_ARRAYS];
    uint32_t count;
};

static enum ndp_status take_plan(struct ndp_arena *arena, struct ndp_bytes text, struct taken *out) {
    struct plan *plan = NDP_ARENA_NEW(arena, struct plan);
    if (plan == NULL) return NDP_NOMEM;
    out->text_bytes = out->bytes.size_bytes = 0;
    out->bytes.max_bytes = text.size_bytes + CONTENT_BYTES;
    NDP_TRY(ndp_buffer_add(&out->bytes, text.data, text.size_bytes));
    NDP_TRY(decompress(text, &out->packing, &out->bytes));
    const struct ndp_bytes plain = {out->bytes.data + text.size_bytes, out->bytes.size_bytes - text.size_bytes};
    if (plain.size_bytes == 0) return NDP_INVALID;
    make_plan(arena, plain, true, plan);
    memcpy(out->arrays, plan->arrays, sizeof out->arrays);
    out->count = plan->count;
    out->text_bytes = text.size_bytes;
    return NDP_OK;
}

/* Splitting takes as long as running an input, and engines mutate the same inputs repeatedly, so the parts are cached.
 */
static enum ndp_status find_split(struct ndp_arena *arena, struct ndp_bytes text, const struct taken **out) {
    static struct taken kept[KEPT_INPUTS];
    struct taken *taken = &kept[ndp_hash_bytes(text.data, text.size_bytes, NDP_HASH_START) % KEPT_INPUTS];
    const struct ndp_bytes before = {taken->bytes.data, taken->text_bytes};
    if (before.size_bytes == 0 || !ndp_bytes_is_equal(before, text)) NDP_TRY(take_plan(arena, text, taken));
    *out = taken;
    return NDP_OK;
}

static enum ndp_status split_dump(struct ndp_arena *arena, struct ndp_bytes text, struct dump *out) {
    const struct taken *taken = NULL;
    NDP_TRY(find_split(arena, text, &taken));
    const uint64_t size = taken->bytes.size_bytes - taken->text_bytes;
    const uint8_t *plain = ndp_arena_copy(arena, taken->bytes.data + taken->text_bytes, size);
    if (plain == NULL) return NDP_NOMEM;
    uint64_t from = 0;
    *out = taken->packing;
    for (uint32_t i = 0; i < taken->count; i++) {
        out->ops[i] = (struct ndp_bytes){plain + from, taken->arrays[i].at_bytes - from};
        from = taken->arrays[i].end_bytes;
        out->data[i] = (struct ndp_bytes){plain + taken->arrays[i].data_bytes, from - taken->arrays[i].data_bytes};
    }
    out->ops[taken->count] = (struct ndp_bytes){plain + from, size - from};
    out->arrays = taken->count;
    return NDP_OK;
}

/* ---- changes ---- */

/* Words of a wrapper; the words of a row can replace each other. */
static const char *const words[][14] = {
    {"<", ">", "|", "="},
    {"f8", "i4", "u1", "b1", "c16", "S3", "U2", "M8", "m8", "V5", "i2", "f4", "f2", "u8"},
    {"C", "F"},
    {"ndarray", "memmap", "matrix", "recarray"},
    {"joblib.numpy_pickle", "a.joblib.numpy_pickle", "xjoblib.numpy_pickle"},
};

static bool is_word(struct ndp_bytes text, const char *word) {
    return strncmp(word, (const char *)text.data, (size_t)text.size_bytes) == 0 && word[text.size_bytes] == '\0';
}

static const char *other_word(struct ndp_choices *choices, struct ndp_bytes text) {
    if (text.size_bytes == 0 || text.size_bytes > LONGEST_WORD) return NULL;
    for (size_t row = 0; row < NDP_ARRAY_LEN(words); row++) {
        uint32_t count = 0;
        bool is_here = false;
        for (; count < NDP_ARRAY_LEN(words[0]) && words[row][count] != NULL; count++)
            is_here = is_here || is_word(text, words[row][count]);
        if (is_here) return words[row][ndp_choose(choices, count)];
    }
    return NULL;
}

/* The text of an opcode whose length has one or four bytes; otherwise no bytes. */
static struct ndp_bytes text_of(struct ndp_bytes op, uint64_t *head_bytes) {
    const bool is_short = op.size_bytes >= 2 && (op.data[0] == 0x8c || op.data[0] == 'U');
    const bool is_long = op.size_bytes >= 5 && (op.data[0] == 'X' || op.data[0] == 'T');
    *head_bytes = is_short ? 2 : is_long ? 5 : op.size_bytes;
    return (struct ndp_bytes){op.data + *head_bytes, op.size_bytes - *head_bytes};
}

static bool is_number(struct ndp_bytes op) {
    return op.size_bytes > 1 && (op.data[0] == 'K' || op.data[0] == 'M' || op.data[0] == 'J');
}

/* A new extent, item size or alignment: near, round or small, rarely an impossible one. */
static enum ndp_status change_number(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *op) {
    static const uint32_t numbers[] = {0, 1, 2, 3, 4, 7, 8, 16, 17, 64, 255, 256};
    uint32_t number = 0;
    for (uint64_t i = op->size_bytes - 1; i > 0; i--) number = number << 8 | op->data[i];
    const uint64_t how = ndp_choose(choices, 6);
    if (how == 0) number++;
    if (how == 1) number--;
    if (how == 2) number *= 2;
    if (how > 2) number = numbers[ndp_choose(choices, NDP_ARRAY_LEN(numbers))];
    uint8_t *made = ndp_arena_alloc(arena, 5);
    if (made == NULL) return NDP_NOMEM;
    made[0] = number < 256 ? 'K' : 'J';
    ndp_store_u32le(made + 1, number);
    *op = (struct ndp_bytes){made, number < 256 ? 2 : 5};
    return NDP_OK;
}

static enum ndp_status change_word(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *op) {
    uint64_t head;
    const struct ndp_bytes text = text_of(*op, &head);
    const char *word = other_word(choices, text);
    uint8_t *made = word != NULL ? ndp_arena_alloc(arena, head + strlen(word)) : NULL;
    if (word == NULL || made == NULL) return word == NULL ? NDP_OK : NDP_NOMEM;
    memcpy(made, op->data, (size_t)head);
    made[1] = (uint8_t)strlen(word);
    memcpy(made + head, word, strlen(word));
    *op = (struct ndp_bytes){made, head + strlen(word)};
    return NDP_OK;
}

/* Whether this opcode can be changed on its own without making the wrapper inconsistent. */
static bool is_changeable(struct ndp_choices *choices, struct ndp_bytes op) {
    struct ndp_choices unused = *choices;
    uint64_t head;
    if (op.size_bytes == 1) return op.data[0] == 0x88 || op.data[0] == 0x89;
    return is_number(op) || other_word(&unused, text_of(op, &head)) != NULL;
}

static enum ndp_status change_wrapper(struct ndp_arena *arena, struct ndp_choices *choices, struct fuzz_ops *ops) {
    static const uint8_t truths[] = {0x88, 0x89};
    uint32_t places[FUZZ_MAX_OPS], count = 0;
    for (uint32_t i = 0; i < ops->count; i++)
        if (is_changeable(choices, ops->list[i])) places[count++] = i;
    if (count == 0) return fuzz_ops_change(arena, choices, ops);
    struct ndp_bytes *op = &ops->list[places[ndp_choose(choices, count)]];
    if (op->size_bytes == 1) {
        op->data = op->data[0] == truths[0] ? &truths[1] : &truths[0];
        return NDP_OK;
    }
    return is_number(*op) ? change_number(arena, choices, op) : change_word(arena, choices, op);
}

static enum ndp_status change_ops(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *bytes) {
    static struct ndp_buffer made = {.max_bytes = 2 * CONTENT_BYTES};
    static struct fuzz_ops ops;
    fuzz_ops_split(*bytes, &ops);
    made.size_bytes = 0;
    if (ops.count == 0) return NDP_OK;
    const bool is_said = ndp_choose(choices, 4) > 0;
    NDP_TRY(is_said ? change_wrapper(arena, choices, &ops) : fuzz_ops_change(arena, choices, &ops));
    NDP_TRY(fuzz_ops_join(&ops, !ndp_choose_rarely(choices, 16), &made));
    *bytes = (struct ndp_bytes){ndp_arena_copy(arena, made.data, made.size_bytes), made.size_bytes};
    return bytes->data == NULL ? NDP_NOMEM : NDP_OK;
}

static enum ndp_status change_data(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *data) {
    static const uint8_t corners[] = {0, 1, 0x7f, 0x80, 0xf0, 0xff};
    if (data->size_bytes == 0) return NDP_OK;
    uint8_t *copy = ndp_arena_copy(arena, data->data, data->size_bytes);
    if (copy == NULL) return NDP_NOMEM;
    copy[ndp_choose(choices, data->size_bytes)] = corners[ndp_choose(choices, sizeof corners)];
    data->data = copy;
    return NDP_OK;
}

static enum ndp_status change_dump(struct ndp_arena *arena, struct ndp_choices *choices, struct dump *dump) {
    const uint64_t how = ndp_choose(choices, 8), part = ndp_choose(choices, dump->arrays + UINT64_C(1));
    if (how == 0) {
        /* Half of the dumps are uncompressed, which is faster. */
        const bool is_plain = ndp_choose(choices, 2) == 0;
        dump->method = is_plain ? NDP_COMPRESS_NONE : (enum ndp_compress_method)ndp_choose(choices, NDP_COMPRESS_COUNT);
    }
    if (how == 1 && part < dump->arrays) return change_data(arena, choices, &dump->data[part]);
    if (how <= 1) return NDP_OK;
    /* The opcodes before the first array describe the array. */
    return change_ops(arena, choices, &dump->ops[how < 6 ? 0 : part]);
}

/* ---- assembling ---- */

/* Appends a length and as many bytes 0xff, so that the elements begin at a multiple of 16; rarely another length. */
static enum ndp_status add_padding(struct ndp_choices *choices, struct ndp_buffer *out) {
    uint8_t padding[1 + 255];
    uint64_t size = ALIGN_BYTES - (out->size_bytes + 1) % ALIGN_BYTES;
    if (ndp_choose_rarely(choices, 12)) size = ndp_choose(choices, 256);
    memset(padding, 0xff, sizeof padding);
    padding[0] = (uint8_t)size;
    return ndp_buffer_add(out, padding, 1 + size);
}

/* Appends as many elements as the wrapper requires, if possible; rarely more or fewer. */
static enum ndp_status add_data(struct ndp_choices *choices, struct ndp_bytes data, uint64_t wanted_bytes,
                                struct ndp_buffer *out) {
    uint64_t size = wanted_bytes <= MAX_DATA_BYTES ? wanted_bytes : data.size_bytes;
    if (ndp_choose_rarely(choices, 24)) size += ndp_choose(choices, 8);
    if (ndp_choose_rarely(choices, 24)) size -= ndp_choose(choices, size + 1);
    const uint64_t kept = size < data.size_bytes ? size : data.size_bytes;
    NDP_TRY(ndp_buffer_add(out, data.data, kept));
    for (uint64_t i = kept; i < size; i++) {
        const uint8_t byte = (uint8_t)(i * 37 + 1);
        NDP_TRY(ndp_buffer_add(out, &byte, 1));
    }
    return NDP_OK;
}

/* Appends the opcodes, with elements at the places that the machine reports. */
static enum ndp_status add_pickle(struct ndp_arena *arena, struct ndp_choices *choices, const struct dump *dump,
                                  struct ndp_buffer *out) {
    static struct ndp_buffer ops = {.max_bytes = UINT64_MAX};
    struct plan *plan = NDP_ARENA_NEW(arena, struct plan);
    enum ndp_status status = plan != NULL ? NDP_OK : NDP_NOMEM;
    ops.size_bytes = 0;
    for (uint32_t i = 0; i <= dump->arrays && status == NDP_OK; i++)
        status = ndp_buffer_add(&ops, dump->ops[i].data, dump->ops[i].size_bytes);
    if (status == NDP_OK) make_plan(arena, ndp_buffer_view(&ops), false, plan);
    uint64_t from = 0;
    for (uint32_t i = 0; status == NDP_OK && i < plan->count; i++) {
        const struct ndp_bytes data = i < dump->arrays ? dump->data[i] : (struct ndp_bytes){NULL, 0};
        status = ndp_buffer_add(out, ops.data + from, plan->arrays[i].at_bytes - from);
        from = plan->arrays[i].at_bytes;
        if (status == NDP_OK && plan->arrays[i].has_padding) status = add_padding(choices, out);
        if (status == NDP_OK) status = add_data(choices, data, plan->arrays[i].size_bytes, out);
    }
    return status == NDP_OK ? ndp_buffer_add(out, ops.data + from, ops.size_bytes - from) : status;
}

/* Half of the streams use a fast compression. */
static enum ndp_status add_compressed(struct ndp_choices *choices, const struct dump *dump, struct ndp_bytes plain,
                                      struct ndp_buffer *out) {
    struct ndp_compressor *stream = NULL;
    const int level = dump->method == NDP_COMPRESS_BZ2 ? 1 : (int)ndp_choose(choices, 2);
    if (dump->method == NDP_COMPRESS_NONE) return ndp_buffer_add(out, plain.data, plain.size_bytes);
    NDP_TRY(ndp_compress_new(dump->method, level, &pool, ndp_write_to_buffer, out, &stream, NULL));
    enum ndp_status status = ndp_compress_write(stream, plain.data, plain.size_bytes);
    if (status == NDP_OK) status = ndp_compress_finish(stream);
    ndp_compress_free(stream);
    return status;
}

static enum ndp_status join_dump(struct ndp_arena *arena, struct ndp_choices *choices, const struct dump *dump,
                                 struct ndp_buffer *out) {
    static struct ndp_buffer plain = {.max_bytes = 2 * CONTENT_BYTES};
    plain.size_bytes = 0;
    NDP_TRY(add_pickle(arena, choices, dump, &plain));
    NDP_TRY(add_compressed(choices, dump, ndp_buffer_view(&plain), out));
    if (out->size_bytes == 0) return NDP_OK;
    const bool is_packed = dump->method != NDP_COMPRESS_NONE;
    if (is_packed && ndp_choose_rarely(choices, 12)) {
        /* Half of them use a compression that the stream identifies. */
        const uint64_t head = out->size_bytes < HEAD_BYTES ? out->size_bytes : HEAD_BYTES;
        const uint64_t most = ndp_choose(choices, 2) == 0 ? head : out->size_bytes;
        out->data[ndp_choose(choices, most)] ^= (uint8_t)(1u << ndp_choose(choices, 8));
    }
    if (ndp_choose_rarely(choices, 32)) out->size_bytes -= ndp_choose(choices, out->size_bytes); /* cut anywhere */
    return NDP_OK;
}

/* Builds an array with a generated type and shape. */
static enum ndp_status generate_elements(struct ndp_arena *arena, struct ndp_choices *choices,
                                         struct ndp_layout *layout, struct ndp_elements *out) {
    const struct ndp_generate_limits small = {
        .value_bytes = 256, .max_ndim = 5, .without_objects = true, .without_maps = true};
    struct ndp_value value;
    uint64_t count, size;
    NDP_TRY(ndp_generate_value(arena, choices, &small, &value));
    const struct ndp_base *base = &value.array.base;
    NDP_TRY(ndp_dtype_resolve(arena, base->dtype, true, &out->dtype));
    const uint64_t itemsize = out->dtype->itemsize_bytes;
    const enum ndp_memory_order order = ndp_choose(choices, 2) == 0 ? NDP_MEMORY_C : NDP_MEMORY_F;
    NDP_TRY(ndp_layout_contiguous(layout, base->shape, base->ndim, itemsize, order, 0));
    if (!ndp_checked_extents_fit(base->shape, base->ndim, itemsize, &count, &size) || size > MAX_DATA_BYTES)
        return NDP_LIMIT;
    uint8_t *data = ndp_arena_alloc(arena, size);
    if (data == NULL) return NDP_NOMEM;
    for (uint64_t i = 0; i < size; i++) data[i] = (uint8_t)(i * 37 + 1);
    out->layout = layout;
    out->data = data;
    return NDP_OK;
}

/* Replaces a dump without an array by a dump of a generated array in a generated form. The compression stays. */
static enum ndp_status generate_dump(struct ndp_arena *arena, struct ndp_choices *choices, struct dump *dump) {
    const struct ndp_joblib_output form = {.form = {.protocol = (uint32_t)ndp_choose(choices, 6),
                                                    .alignment_bytes = ndp_choose(choices, 3) > 0 ? ALIGN_BYTES : 0,
                                                    .is_unmappable = ndp_choose_rarely(choices, 4)},
                                           .release = ndp_choose(choices, 2) > 0 ? NDP_NUMPY_2_3 : NDP_NUMPY_1};
    const struct dump packed = *dump;
    struct ndp_layout layout;
    struct ndp_elements elements;
    struct ndp_buffer plain = {.max_bytes = CONTENT_BYTES};
    NDP_TRY(generate_elements(arena, choices, &layout, &elements));
    enum ndp_status status = ndp_joblib_write_array(arena, &elements, &form, ndp_write_to_buffer, &plain, NULL);
    const uint8_t *copy = status == NDP_OK ? ndp_arena_copy(arena, plain.data, plain.size_bytes) : NULL;
    if (status == NDP_OK && copy == NULL) status = NDP_NOMEM;
    if (status == NDP_OK) status = split_dump(arena, (struct ndp_bytes){copy, plain.size_bytes}, dump);
    ndp_buffer_clear(&plain);
    dump->method = packed.method;
    return status == NDP_UNSUPPORTED ? NDP_LIMIT : status;
}

/* Compression takes longer than the pickle, so most mutations are uncompressed. */
static void keep_uncompressed(struct dump *dump) {
    dump->method = NDP_COMPRESS_NONE;
}

enum ndp_status fuzz_mutate_joblib(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                   struct ndp_buffer *out) {
    struct dump dump = {0};
    NDP_TRY(split_dump(arena, text, &dump));
    if (ndp_choose(choices, 2) == 0) keep_uncompressed(&dump);
    if (dump.arrays == 0 && ndp_choose(choices, 4) > 0) NDP_TRY(generate_dump(arena, choices, &dump));
    for (uint64_t left = 1 + ndp_choose(choices, MAX_CHANGES); left > 0; left--)
        NDP_TRY(change_dump(arena, choices, &dump));
    return join_dump(arena, choices, &dump, out);
}

/* Crosses two dumps: elements, compression, or all opcodes before the first array. */
enum ndp_status fuzz_cross_joblib(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes first,
                                  struct ndp_bytes second, struct ndp_buffer *out) {
    struct dump dump = {0}, other = {0};
    NDP_TRY(split_dump(arena, first, &dump));
    NDP_TRY(split_dump(arena, second, &other));
    const uint64_t how = 1 + ndp_choose(choices, 7);
    if ((how & 1) != 0 && dump.arrays > 0 && other.arrays > 0) dump.data[0] = other.data[0];
    if ((how & 2) != 0) dump.method = other.method;
    if ((how & 4) != 0) dump.ops[0] = other.ops[0];
    return join_dump(arena, choices, &dump, out);
}
