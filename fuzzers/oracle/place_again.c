#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "oracle/place_again.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "codec/npy/npy_encode.h"
#include "form/breaking.h"
#include "fuzz.h"
#include "reader/said.h"

enum { ONE_IN = 16, MAPPED_ONE_IN = 16, FILLER_BYTES_MAX = 1 << 17, MAPPED_BYTES_MAX = 1 << 14 };

static const uint64_t offsets[] = {1,
                                   511,
                                   512,
                                   4095,
                                   4096,
                                   4097,
                                   8192,
                                   12288,
                                   65535,
                                   65536,
                                   65537,
                                   69632,
                                   81920,
                                   98309,
                                   1 << 20,
                                   (1 << 20) + 1,
                                   UINT64_C(1) << 32,
                                   (UINT64_C(1) << 32) + 4097};

void fuzz_check_mapped(const struct ndp_elements *elements, uint64_t offset, struct ndp_bytes want) {
    static uint8_t now[MAPPED_BYTES_MAX];
    static char path[32];
    static int fd = -1;
    if (fd < 0) fd = memfd_create("ndproof-mapped", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (want.size_bytes >= sizeof now) return;
    if (!FUZZ_HOLDS(ndp_raw_encode_mapped(elements, offset, path, NULL) == NDP_OK)) return;
    const ssize_t got = pread(fd, now, sizeof now, 0);
    FUZZ_HOLDS(got == (ssize_t)want.size_bytes && memcmp(now, want.data, (size_t)want.size_bytes) == 0);
}

static void check_filler(const struct ndp_npy_array *array, uint64_t offset, bool is_mapped) {
    const struct ndp_elements elements = {array->header.dtype, &array->layout, array->data};
    static struct ndp_buffer made = {.max_bytes = 1 << 26};
    uint64_t filled = 0;
    made.size_bytes = 0;
    if (!FUZZ_HOLDS(ndp_raw_encode(&elements, offset, ndp_write_to_buffer, &made, NULL) == NDP_OK)) return;
    while (filled < offset && filled < made.size_bytes && made.data[filled] == NDP_RAW_FILLER) filled++;
    FUZZ_HOLDS(filled == offset && made.size_bytes == offset + array->header.size_bytes);
    if (filled < offset || made.size_bytes < offset + array->header.size_bytes) return;
    FUZZ_HOLDS(memcmp(made.data + offset, array->data, (size_t)array->header.size_bytes) == 0);
    struct fuzz_breaking sink = {.left_bytes = made.size_bytes - 1};
    FUZZ_HOLDS(ndp_raw_encode(&elements, offset, fuzz_write_breaking, &sink, NULL) == NDP_IO);
    if (is_mapped) fuzz_check_mapped(&elements, offset, ndp_buffer_view(&made));
}

static void check_hole(const struct ndp_raw_form *form, const struct ndp_npy_array *array, uint64_t offset,
                       enum ndp_map_mode mode) {
    const uint64_t size = array->header.size_bytes;
    struct ndp_raw_form far = *form;
    struct ndp_npy_array next = {0};
    far.offset_bytes = offset;
    FUZZ_CHECK(pwrite(fuzz_fd(), array->data, (size_t)size, (off_t)offset) == (ssize_t)size);
    if (FUZZ_HOLDS(ndp_raw_decode_fd(&far, fuzz_fd(), &next, NULL) == NDP_OK))
        FUZZ_HOLDS(memcmp(next.data, array->data, (size_t)size) == 0 && fuzz_is_placed(&far, &next));
    ndp_npy_array_clear(&next);
    if (FUZZ_HOLDS(ndp_raw_decode_mapped_fd(&far, fuzz_fd(), mode, &next, NULL) == NDP_OK)) {
        FUZZ_HOLDS(memcmp(next.data, array->data, (size_t)size) == 0 && fuzz_is_placed(&far, &next));
        FUZZ_HOLDS(ndp_map_check(&next.map, NULL) == NDP_OK);
        FUZZ_CHECK(ftruncate(fuzz_fd(), (off_t)(offset + size - 1)) == 0);
        FUZZ_HOLDS(ndp_map_check(&next.map, NULL) == NDP_TRUNCATED);
    }
    ndp_npy_array_clear(&next);
}

/* A range that ends with the last byte that a file can have is behind the end of this one; any later is none. */
static void check_end(const struct ndp_raw_form *form, uint64_t size_bytes, uint64_t pick) {
    const uint64_t more = pick % 4;
    const enum ndp_status want = more == 0 ? NDP_TRUNCATED : NDP_INVALID;
    static const uint8_t none[1];
    struct ndp_raw_form far = *form;
    struct ndp_npy_array next = {0};
    far.offset_bytes = INT64_MAX - size_bytes + more;
    FUZZ_HOLDS(ndp_raw_decode_memory(&far, (struct ndp_bytes){none, sizeof none}, &next, NULL) == want);
    FUZZ_HOLDS(ndp_raw_decode_fd(&far, fuzz_fd(), &next, NULL) == want);
    FUZZ_HOLDS(ndp_raw_decode_mapped_fd(&far, fuzz_fd(), NDP_MAP_READ, &next, NULL) == want);
}

void fuzz_check_file(const struct ndp_npy_array *whole, uint64_t offset, const uint8_t *data, size_t size) {
    const uint64_t end = offset + whole->header.size_bytes;
    uint8_t *now = malloc(size + 1);
    FUZZ_CHECK(now && pread(fuzz_fd(), now, size + 1, 0) == (ssize_t)size);
    FUZZ_HOLDS(memcmp(now + offset, whole->data, (size_t)whole->header.size_bytes) == 0);
    FUZZ_HOLDS(memcmp(now, data, (size_t)offset) == 0 && memcmp(now + end, data + end, size - (size_t)end) == 0);
    free(now);
}

void fuzz_place_again(const struct ndp_raw_form *form, const struct ndp_npy_array *array, uint64_t size_bytes,
                      uint64_t pick) {
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    const uint64_t offset = offsets[pick / ONE_IN % NDP_ARRAY_LEN(offsets)];
    if (pick % ONE_IN != 0 || array->header.size_bytes == 0) return;
    check_end(form, array->header.size_bytes, pick >> 48);
    if (offset <= FILLER_BYTES_MAX) check_filler(array, offset, (pick >> 40) % MAPPED_ONE_IN == 0);
    if (offset >= size_bytes) check_hole(form, array, offset, modes[(pick >> 32) % NDP_ARRAY_LEN(modes)]);
    FUZZ_CHECK(ftruncate(fuzz_fd(), (off_t)size_bytes) == 0);
}
