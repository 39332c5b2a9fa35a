#include "codec/pickle/pickle_plain.h"

#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "codec/pickle/pickle_opcodes.h"

enum { MAX_AXES = 3, FRAME_AT = 2, FRAME_BYTES = 9, PLAIN_PROTOCOL = 5, TYPESTR_BYTES_MAX = 3 };

/* The constant parts. A literal ends before a digit that would extend an escape. */
#define START    "\x80\x05\x95"
#define MODULE_1 "\x8c\x12numpy.core.numeric"
#define MODULE_2 "\x8c\x13numpy._core.numeric"
#define FUNCTION "\x94\x8c\x0b_frombuffer\x94\x93\x94(\x96"
#define DTYPE                                                                                                          \
    "\x94\x8c\x05numpy\x94\x8c\x05"                                                                                    \
    "dtype\x94\x93\x94\x8c"
#define STATE "\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01"
#define STATE_ENDS                                                                                                     \
    "\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94"                                                              \
    "b"
#define ORDER                                                                                                          \
    "\x8c\x01"                                                                                                         \
    "C\x94t\x94R\x94."

struct text {
    uint8_t *bytes;
    size_t size;
};

static void put_constant(struct text *text, const void *bytes, size_t size) {
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}
#define PUT(text, literal) put_constant((text), (literal), sizeof(literal) - 1)

static void put_byte(struct text *text, unsigned byte) {
    text->bytes[text->size++] = (uint8_t)byte;
}

static void put_extent(struct text *text, uint32_t extent) {
    uint8_t bytes[5];
    ndp_store_u32le(bytes + 1, extent);
    bytes[0] = extent <= 0xff ? NDP_OP_BININT1 : extent <= 0xffff ? NDP_OP_BININT2 : NDP_OP_BININT;
    put_constant(text, bytes, extent <= 0xff ? 2 : extent <= 0xffff ? 3 : 5);
}

static char order_letter(enum ndp_byte_order order) {
    return order == NDP_ORDER_LITTLE ? '<' : order == NDP_ORDER_BIG ? '>' : '|';
}

/* Whether the pickled dtype consists of two letters only; long doubles depend on the machine. */
static bool is_plain_dtype(const struct ndp_dtype *dtype) {
    const uint64_t size = dtype->itemsize_bytes;
    if (dtype->metadata.size_bytes > 0 || dtype->order == NDP_ORDER_NATIVE) return false;
    switch ((int)dtype->kind) {
    case NDP_KIND_BOOL:
        return size == 1;
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
    case NDP_KIND_FLOAT:
        return size <= 8;
    case NDP_KIND_COMPLEX:
        return size <= 16;
    default:
        return false;
    }
}

static size_t put_head(uint8_t *room, bool is_old, uint64_t elements_bytes, size_t tail_bytes) {
    struct text text = {room, 0};
    uint8_t number[8];
    PUT(&text, START);
    text.size += sizeof(number);
    const size_t framed = text.size;
    if (is_old)
        PUT(&text, MODULE_1);
    else
        PUT(&text, MODULE_2);
    PUT(&text, FUNCTION);
    ndp_store_u64le(number, elements_bytes);
    put_constant(&text, number, sizeof(number));
    ndp_store_u64le(room + framed - sizeof(number), text.size - framed + elements_bytes + tail_bytes);
    return text.size;
}

static size_t put_tail(uint8_t *room, const struct ndp_dtype *dtype, uint32_t ndim, const int64_t *shape) {
    static const enum ndp_opcode tuples[] = {NDP_OP_EMPTY_TUPLE, NDP_OP_TUPLE1, NDP_OP_TUPLE2, NDP_OP_TUPLE3};
    const uint64_t size = dtype->itemsize_bytes;
    struct text text = {room, 0};
    PUT(&text, DTYPE);
    put_byte(&text, size < 10 ? 2 : 3);
    put_byte(&text, (unsigned char)ndp_kind_codes[dtype->kind]);
    if (size >= 10) put_byte(&text, (unsigned)('0' + size / 10));
    put_byte(&text, (unsigned)('0' + size % 10));
    PUT(&text, STATE);
    put_byte(&text, (unsigned char)order_letter(dtype->order));
    PUT(&text, STATE_ENDS);
    for (uint32_t k = 0; k < ndim; k++) put_extent(&text, (uint32_t)shape[k]);
    put_byte(&text, tuples[ndim]);
    if (ndim > 0) put_byte(&text, NDP_OP_MEMOIZE);
    PUT(&text, ORDER);
    return text.size;
}

bool ndp_pickle_plain_make(const struct ndp_elements *elements, const struct ndp_array_form *form,
                           enum ndp_numpy_release release, struct ndp_plain_pickle *out) {
    const struct ndp_layout *layout = elements->layout;
    const struct ndp_dtype *dtype = elements->dtype;
    uint64_t count = 0;
    uint64_t size = 0;
    if (form->protocol != PLAIN_PROTOCOL || form->is_out_of_band || form->is_readonly || form->is_record ||
        form->class_module != NULL || layout->ndim > MAX_AXES || !is_plain_dtype(dtype))
        return false;
    if (!ndp_checked_extents_fit(layout->shape, layout->ndim, dtype->itemsize_bytes, &count, &size)) return false;
    if (size > NDP_PLAIN_ELEMENTS_BYTES || !ndp_layout_is_c_contiguous(layout, dtype->itemsize_bytes)) return false;
    for (uint32_t k = 0; k < layout->ndim; k++)
        if (layout->shape[k] > INT32_MAX) return false;
    out->elements = (struct ndp_bytes){size == 0 ? NULL : elements->data + layout->offset_bytes, size};
    out->tail_bytes = put_tail(out->tail, dtype, layout->ndim, layout->shape);
    out->head_bytes = put_head(out->head, release == NDP_NUMPY_1, size, out->tail_bytes);
    return true;
}

/* Takes `size` bytes at *at if available. */
static const uint8_t *take_bytes(struct ndp_bytes bytes, uint64_t *at, uint64_t size) {
    if (bytes.size_bytes - *at < size) return NULL;
    const uint8_t *start = bytes.data + *at;
    *at += size;
    return start;
}

/* Reads the three bytes that determine the dtype. */
static bool read_dtype(struct ndp_bytes bytes, uint64_t *at, struct ndp_dtype *out) {
    char text[TYPESTR_BYTES_MAX + 2] = "";
    const uint8_t *found = take_bytes(bytes, at, sizeof(DTYPE) - 1 + 1);
    const size_t length = found == NULL ? 0 : found[sizeof(DTYPE) - 1];
    if (length < 2 || length > TYPESTR_BYTES_MAX || (found = take_bytes(bytes, at, length)) == NULL) return false;
    memcpy(text + 1, found, length);
    if ((found = take_bytes(bytes, at, sizeof(STATE) - 1 + 1)) == NULL) return false;
    text[0] = (char)found[sizeof(STATE) - 1];
    const struct ndp_bytes typestr = {(const uint8_t *)text, length + 1};
    return ndp_dtype_read_typestr(typestr, out, NULL) == NDP_OK && is_plain_dtype(out) &&
           take_bytes(bytes, at, sizeof(STATE_ENDS) - 1) != NULL;
}

static bool read_extent(struct ndp_bytes bytes, uint64_t *at, int64_t *out) {
    const uint8_t *opcode = take_bytes(bytes, at, 1);
    uint8_t number[4] = {0};
    if (opcode == NULL) return false;
    const size_t size = *opcode == NDP_OP_BININT1   ? 1
                        : *opcode == NDP_OP_BININT2 ? 2
                        : *opcode == NDP_OP_BININT  ? 4
                                                    : 0;
    const uint8_t *found = size == 0 ? NULL : take_bytes(bytes, at, size);
    if (found == NULL) return false;
    memcpy(number, found, size);
    *out = ndp_load_u32le(number);
    return *out <= INT32_MAX;
}

static bool read_shape(struct ndp_bytes bytes, uint64_t *at, struct ndp_plain_array *out) {
    out->ndim = 0;
    while (*at < bytes.size_bytes && bytes.data[*at] != 0 && strchr("KMJ", bytes.data[*at]) != NULL) {
        if (out->ndim == MAX_AXES || !read_extent(bytes, at, &out->shape[out->ndim])) return false;
        out->ndim++;
    }
    return take_bytes(bytes, at, (out->ndim > 0 ? 2 : 1) + sizeof(ORDER) - 1) != NULL;
}

/* Reads the variable bytes at their fixed positions, then compares the input with the pickle of that array. */
bool ndp_pickle_plain_read(struct ndp_bytes bytes, struct ndp_plain_array *out) {
    const uint64_t front = sizeof(START) - 1 + 8;
    const bool is_old = bytes.size_bytes > front + 1 && bytes.data[front + 1] == MODULE_1[1];
    const size_t head = front + (is_old ? sizeof(MODULE_1) : sizeof(MODULE_2)) - 1 + sizeof(FUNCTION) - 1 + 8;
    uint8_t wanted[NDP_PLAIN_ROOM_BYTES];
    uint64_t at = 0;
    uint64_t count = 0;
    uint64_t size = 0;
    const uint8_t *start = take_bytes(bytes, &at, head);
    if (start == NULL || memcmp(start, START, sizeof(START) - 1) != 0) return false;
    const uint64_t elements_bytes = ndp_load_u64le(start + head - 8);
    if (elements_bytes > NDP_PLAIN_ELEMENTS_BYTES) return false;
    const uint8_t *elements = take_bytes(bytes, &at, elements_bytes);
    const uint64_t tail_at = at;
    if (elements == NULL || !read_dtype(bytes, &at, &out->dtype) || !read_shape(bytes, &at, out)) return false;
    if (!ndp_checked_extents_fit(out->shape, out->ndim, out->dtype.itemsize_bytes, &count, &size) ||
        size != elements_bytes)
        return false;
    const size_t tail = put_tail(wanted, &out->dtype, out->ndim, out->shape);
    if (tail != at - tail_at || memcmp(wanted, bytes.data + tail_at, tail) != 0) return false;
    if (put_head(wanted, is_old, size, tail) != head || memcmp(wanted, start, head) != 0) return false;
    out->elements = (struct ndp_bytes){elements, size};
    out->consumed_bytes = at;
    return true;
}
