/* fuzz_memmap.c: any file as what np.memmap maps: elements without a header, at a place that comes from outside.
 * Oracle: for types and places that follow from the size of the file alone, bytes in memory, the file read, and maps of
 * every mode give the same elements, or refuse alike; a range behind the end is refused by all; a private map leaves
 * the file as it is, a writing one reaches it. */
#include "codec/raw.h"
#include "fuzz.h"

static void check(const struct ndp_raw_form *form, const char *path, const uint8_t *data, size_t size) {
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    static const char *const words[] = {"r", "r+", "c"};
    struct ndp_npy_array whole = {0}, next = {0};
    const struct ndp_bytes bytes = {data, size};
    const enum ndp_status want = ndp_raw_decode_memory(form, bytes, &whole, NULL);
    if (FUZZ_HOLDS(ndp_raw_decode_file(form, path, &next, NULL) == want) && want == NDP_OK)
        FUZZ_HOLDS(memcmp(whole.data, next.data, (size_t)whole.header.size_bytes) == 0);
    ndp_npy_array_clear(&next);
    for (size_t i = 0; i < NDP_ARRAY_LEN(modes); i++) {
        if (FUZZ_HOLDS_OF(words[i], ndp_raw_decode_mapped(form, path, modes[i], &next, NULL) == want) &&
            want == NDP_OK) {
            const uint64_t last = whole.header.size_bytes - 1;
            FUZZ_HOLDS_OF(words[i], memcmp(whole.data, next.data, (size_t)whole.header.size_bytes) == 0);
            FUZZ_HOLDS_OF(words[i], next.map.is_open && ndp_map_check(&next.map, NULL) == NDP_OK);
            if (last < UINT64_MAX && ndp_map_is_writeable(modes[i])) next.data[last] ^= 0xff;
            if (last < UINT64_MAX && modes[i] == NDP_MAP_READ_WRITE) whole.data[last] ^= 0xff;
        }
        ndp_npy_array_clear(&next);
    }
    /* What was written through the second map is there, what the third wrote is not. */
    if (want == NDP_OK && FUZZ_HOLDS(ndp_raw_decode_file(form, path, &next, NULL) == NDP_OK))
        FUZZ_HOLDS(memcmp(whole.data, next.data, (size_t)whole.header.size_bytes) == 0);
    if (want == NDP_OK) fuzz_valid(6);
    ndp_npy_array_clear(&next);
    ndp_npy_array_clear(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const types[] = {"|i1", "<f8", ">i2", "<c16", "|V3", "<U2"};
    const char *type = types[size % NDP_ARRAY_LEN(types)];
    struct ndp_dtype dtype;
    FUZZ_CHECK(ndp_typestr_read(ndp_bytes_view(type), &dtype, NULL) == NDP_OK);
    /* The first bytes are the file's own, but they may decide on the place: any file is a good one. */
    const uint64_t offset = size > 1 ? (data[0] | (uint64_t)data[1] << 8) % (size + 2) : 0;
    const uint64_t room = offset < size ? size - offset : 0, count = room / dtype.itemsize_bytes;
    const int64_t shape[] = {(int64_t)(count / 2 + (size & 1)), size & 2 ? 1 : 2};
    const struct ndp_raw_form form = {
        .dtype = &dtype, .shape = shape, .ndim = (uint32_t)(size % 3), .order = NDP_MEMORY_C, .offset_bytes = offset};
    check(&form, fuzz_path(data, size), data, size);
    return 0;
}
