/* npz_families_fixture.h: valid and invalid archives that grow with `n`, for decoders_count.c. Include it after
 * cmocka.h. Each function appends to `to`. */
#ifndef NDP_NPZ_FAMILIES_FIXTURE_H
#define NDP_NPZ_FAMILIES_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/rng.h"
#include "codec/npy/npy_encode.h"
#include "codec/npz/npz_write.h"

enum { FEW_ELEMS = 8 };

static inline void make_npz(struct ndp_buffer *to, uint64_t count, int64_t elems, bool is_deflated, bool is_noise) {
    const struct ndp_dtype dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    struct ndp_arena arena;
    struct ndp_layout layout;
    int64_t shape[1] = {elems};
    ndp_arena_init(&arena, UINT64_C(1) << 32);
    struct ndp_npz_item *items = ndp_arena_alloc(&arena, count * sizeof *items);
    uint8_t *data = ndp_arena_alloc(&arena, (uint64_t)elems);
    assert_non_null(items);
    assert_non_null(data);
    for (int64_t i = 0; is_noise && i < elems; i++)
        data[i] = (uint8_t)(ndp_hash_bytes(&i, sizeof i, NDP_HASH_START) >> 11);
    assert_int_equal(ndp_layout_contiguous(&layout, shape, 1, 1, NDP_MEMORY_C, 0), NDP_OK);
    for (uint64_t i = 0; i < count; i++) {
        char *name = ndp_arena_alloc(&arena, 24);
        assert_non_null(name);
        (void)snprintf(name, 24, "member%llu", (unsigned long long)i);
        items[i] = (struct ndp_npz_item){.key = ndp_bytes_view(name), .elements = {&dtype, &layout, data}};
    }
    assert_int_equal(ndp_npz_encode(items, count, is_deflated, ndp_write_to_buffer, to, NULL), NDP_OK);
    ndp_arena_clear(&arena);
}

static inline void many_members(struct ndp_buffer *to, uint64_t n) {
    make_npz(to, n, FEW_ELEMS, false, true);
}

static inline void many_packed_members(struct ndp_buffer *to, uint64_t n) {
    make_npz(to, n, FEW_ELEMS, true, true);
}

static inline void one_member(struct ndp_buffer *to, uint64_t n) {
    make_npz(to, 1, (int64_t)n * 16, false, true);
}

static inline void packed_zeros(struct ndp_buffer *to, uint64_t n) {
    make_npz(to, 1, (int64_t)n * 512, true, false);
}

static inline void long_comment(struct ndp_buffer *to, uint64_t n) {
    uint8_t *room = NULL;
    make_npz(to, 1, FEW_ELEMS, false, true);
    assert_true(n < 65536);
    ndp_store_u16le(to->data + to->size_bytes - 2, (uint16_t)n);
    assert_int_equal(ndp_buffer_extend(to, n, &room), NDP_OK);
}

/* A directory whose size allows `n` members, of which none exist. The end record is zip64 or not. */
static inline void claim_members(struct ndp_buffer *to, uint64_t n, bool is_zip64) {
    uint8_t record[56 + 20 + 22] = "PK\6\6";
    const uint64_t start = is_zip64 ? 0 : 56 + 20;
    uint8_t *end = record + 56 + 20;
    make_npz(to, 1, FEW_ELEMS, false, true);
    to->size_bytes -= 22;
    ndp_store_u64le(record + 24, n << 16);
    ndp_store_u64le(record + 32, n << 16);
    ndp_store_u64le(record + 40, 50);
    memcpy(record + 56, "PK\6\7", 4);
    ndp_store_u64le(record + 56 + 8, to->size_bytes);
    memcpy(end, "PK\5\6", 4);
    ndp_store_u16le(end + 8, (uint16_t)n);
    ndp_store_u16le(end + 10, (uint16_t)n);
    ndp_store_u32le(end + 12, 50);
    assert_int_equal(ndp_buffer_add(to, record + start, sizeof record - start), NDP_OK);
}

static inline void claimed_members(struct ndp_buffer *to, uint64_t n) {
    claim_members(to, n, false);
}

static inline void claimed_members_zip64(struct ndp_buffer *to, uint64_t n) {
    claim_members(to, n, true);
}

/* A directory with one member, of which the end record states zero. zip64 or not. */
static inline void deny_members(struct ndp_buffer *to, bool is_zip64) {
    uint64_t directory, size;
    claim_members(to, 0, is_zip64);
    uint8_t *end = to->data + to->size_bytes - 22;
    uint8_t *end64 = end - 20 - 56;
    size = (is_zip64 ? to->size_bytes - 76 : to->size_bytes) - 22;
    for (directory = size - 46; memcmp(to->data + directory, "PK\1\2", 4) != 0;) directory--;
    ndp_store_u32le(end + 12, (uint32_t)(size - directory));
    ndp_store_u32le(end + 16, (uint32_t)directory);
    if (!is_zip64) return;
    ndp_store_u64le(end64 + 4, 44);
    ndp_store_u64le(end64 + 40, size - directory);
    ndp_store_u64le(end64 + 48, directory);
}

static inline void denied_members(struct ndp_buffer *to, uint64_t n) {
    (void)n;
    deny_members(to, false);
}

static inline void denied_members_zip64(struct ndp_buffer *to, uint64_t n) {
    (void)n;
    deny_members(to, true);
}

/* A comment of end records that all refer to the same directory. */
static inline void many_ends(struct ndp_buffer *to, uint64_t n) {
    uint8_t end[22];
    make_npz(to, n, FEW_ELEMS, false, true);
    memcpy(end, to->data + to->size_bytes - sizeof end, sizeof end);
    for (uint64_t i = 0; i < n; i++) assert_int_equal(ndp_buffer_add(to, end, sizeof end), NDP_OK);
}

#endif
