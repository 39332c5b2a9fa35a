#include "oracle/npz_again.h"

#include <string.h>

#include "base/byteorder.h"
#include "form/breaking.h"
#include "fuzz.h"
#include "oracle/plain_archive.h"
#include "oracle/same_array.h"

enum { GRAPH_BYTES_MAX = 1 << 26, NAMES = 2, STORED = 0, DEFLATED = 8, LOOKED_AT_ONE_IN = 8 };
enum { END_BYTES = 22, ENTRY_BYTES = 46, ENTRIES_MAX = 1 << 10, NAME_BYTES_MAX = UINT16_MAX };

/* A key may end as members do, the first by name need not be the first of all, and no letter need be of ASCII. */
static const char *const keys[NAMES] = {"b.npy", "\xc3\xa9\xe2\x82\xac"}, *const names[NAMES] = {
                                                                              "b.npy.npy", "\xc3\xa9\xe2\x82\xac.npy"};

static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};

/* The archive has the members of these names, in this order, packed as it was asked for. */
static void check_names(const struct ndp_npz *npz, bool is_deflated) {
    uint64_t found = NAMES;
    FUZZ_HOLDS(ndp_npz_count(npz) == NAMES);
    for (uint64_t i = 0; i < NAMES && i < ndp_npz_count(npz); i++) {
        struct ndp_npz_member member;
        ndp_npz_member(npz, i, &member);
        FUZZ_HOLDS(ndp_bytes_is_word(member.name, names[i]));
        FUZZ_HOLDS(member.method == (is_deflated ? DEFLATED : STORED));
        FUZZ_HOLDS(ndp_npz_find(npz, ndp_bytes_view(keys[i]), &found, NULL) == NDP_OK && found == i);
    }
}

/* Who writes it to a sink without room for the last byte says so. */
static void check_sink(const struct ndp_npz_item *items, uint64_t size_bytes) {
    struct fuzz_breaking sink = {.left_bytes = size_bytes - 1};
    FUZZ_HOLDS(ndp_npz_encode(items, NAMES, false, fuzz_write_breaking, &sink, NULL) == NDP_IO);
}

/* As many entries of one member as the file has no room for side by side: a bomb. Source: APPNOTE.TXT 6.3, 4.3.12,
 * 4.3.16. */
static void check_overlap(struct ndp_bytes archive) {
    static struct ndp_buffer bomb = {.max_bytes = 1 << 24};
    const uint8_t *end = archive.data + archive.size_bytes - END_BYTES;
    const uint64_t at = ndp_load_u32le(end + 16);
    const uint8_t *entry = archive.data + at;
    const uint64_t entry_bytes = ENTRY_BYTES + (uint64_t)ndp_load_u16le(entry + 28) + ndp_load_u16le(entry + 30);
    const uint64_t packed = ndp_load_u32le(entry + 20), count = 2 + archive.size_bytes / (packed + 1);
    uint8_t made[END_BYTES];
    struct ndp_npz *npz = NULL;
    bomb.size_bytes = 0;
    if (packed <= ENTRY_BYTES || count > ENTRIES_MAX) return;
    FUZZ_CHECK(ndp_buffer_add(&bomb, archive.data, at) == NDP_OK);
    memcpy(made, end, sizeof made);
    ndp_store_u16le(made + 8, (uint16_t)count);
    ndp_store_u16le(made + 10, (uint16_t)count);
    ndp_store_u32le(made + 12, (uint32_t)(count * entry_bytes));
    for (uint64_t i = 0; i < count; i++) FUZZ_CHECK(ndp_buffer_add(&bomb, entry, entry_bytes) == NDP_OK);
    FUZZ_CHECK(ndp_buffer_add(&bomb, made, sizeof made) == NDP_OK);
    if (count * packed <= bomb.size_bytes) return;
    FUZZ_HOLDS(ndp_npz_open_memory(ndp_buffer_view(&bomb), NULL, &npz, NULL) == NDP_INVALID);
    ndp_npz_free(npz);
}

/* The longest name that an archive has room for is found again; there is no longer one, and none with a NUL. Source:
 * APPNOTE.TXT 6.3, 4.4.10. */
static void check_key(struct ndp_npz_item item) {
    static uint8_t letters[NAME_BYTES_MAX];
    struct ndp_buffer made = {.max_bytes = UINT64_MAX};
    struct ndp_npz *npz = NULL;
    struct ndp_npz_member member;
    uint64_t found = 1;
    memset(letters, 'a', sizeof letters);
    item.key = (struct ndp_bytes){letters, NAME_BYTES_MAX - strlen(".npy")};
    FUZZ_HOLDS(ndp_npz_encode(&item, 1, false, ndp_write_to_buffer, &made, NULL) == NDP_OK);
    if (FUZZ_HOLDS(ndp_npz_open_memory(ndp_buffer_view(&made), NULL, &npz, NULL) == NDP_OK)) {
        ndp_npz_member(npz, 0, &member);
        FUZZ_HOLDS(member.name.size_bytes == NAME_BYTES_MAX);
        FUZZ_HOLDS(ndp_npz_find(npz, item.key, &found, NULL) == NDP_OK && found == 0);
    }
    ndp_npz_free(npz);
    item.key.size_bytes++;
    FUZZ_HOLDS(ndp_npz_encode(&item, 1, false, ndp_write_to_buffer, &made, NULL) == NDP_INVALID);
    letters[0] = 0;
    item.key.size_bytes = 2;
    FUZZ_HOLDS(ndp_npz_encode(&item, 1, false, ndp_write_to_buffer, &made, NULL) == NDP_INVALID);
    ndp_buffer_clear(&made);
}

void fuzz_npz_array_again(struct ndp_arena *arena, const struct ndp_npy_array *array, bool is_deflated) {
    struct ndp_npz_item items[NAMES];
    struct ndp_buffer made = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    struct ndp_npz *npz = NULL;
    for (uint32_t i = 0; i < NAMES; i++)
        items[i] = (struct ndp_npz_item){.key = ndp_bytes_view(keys[i]),
                                         .elements = {array->header.dtype, &array->layout, array->data}};
    FUZZ_CHECK(ndp_npz_encode(items, NAMES, is_deflated, ndp_write_to_buffer, &made, NULL) == NDP_OK);
    FUZZ_HOLDS(fuzz_is_plain_archive(ndp_buffer_view(&made)) || fuzz_has_stray_ends(ndp_buffer_view(&made)));
    /* Two members of one size: the archive's is even. */
    if (!is_deflated && made.size_bytes / 2 % LOOKED_AT_ONE_IN == 0) check_sink(items, made.size_bytes);
    if (!is_deflated && made.size_bytes / 2 % LOOKED_AT_ONE_IN == 1) check_overlap(ndp_buffer_view(&made));
    if (!is_deflated && made.size_bytes / 2 % LOOKED_AT_ONE_IN == 2) check_key(items[0]);
    if (FUZZ_HOLDS(ndp_npz_open_memory(ndp_buffer_view(&made), NULL, &npz, NULL) == NDP_OK)) {
        check_names(npz, is_deflated);
        for (uint64_t i = 0; i < ndp_npz_count(npz); i++)
            fuzz_same_array("again", NDP_OK, array, ndp_npz_read_array(npz, arena, i, &lenient, &next, NULL), &next);
    }
    ndp_npz_free(npz);
    ndp_buffer_clear(&made);
}

static void check_archive(struct ndp_arena *arena, struct ndp_graph *graph) {
    const struct ndp_graph_form form = {.protocol = 5, .release = NDP_NUMPY_2_3};
    const struct ndp_bytes key = ndp_bytes_view("a");
    struct ndp_buffer npy = {.max_bytes = GRAPH_BYTES_MAX}, made = npy, member = npy;
    struct ndp_npz *npz = NULL;
    const enum ndp_status want = ndp_npy_graph_encode(arena, graph, &form, ndp_write_to_buffer, &npy, NULL);
    const enum ndp_status got = ndp_npz_graph_encode(arena, graph, key, false, &form, ndp_write_to_buffer, &made, NULL);
    if (FUZZ_HOLDS(got == want) && got == NDP_OK &&
        FUZZ_HOLDS(ndp_npz_open_memory(ndp_buffer_view(&made), NULL, &npz, NULL) == NDP_OK)) {
        FUZZ_HOLDS(ndp_npz_read(npz, 0, &member, NULL) == NDP_OK);
        FUZZ_HOLDS(ndp_bytes_is_equal(ndp_buffer_view(&member), ndp_buffer_view(&npy)));
        FUZZ_HOLDS(ndp_npz_graph_read(npz, arena, 0, &lenient, graph, NULL) == NDP_OK);
    }
    ndp_npz_free(npz);
    ndp_buffer_clear(&npy);
    ndp_buffer_clear(&made);
    ndp_buffer_clear(&member);
}

void fuzz_npz_graph_again(struct ndp_arena *arena, struct ndp_npz *npz, uint64_t index,
                          const struct ndp_buffer *content) {
    struct ndp_graph graph;
    const enum ndp_status want = ndp_npy_graph_decode(arena, ndp_buffer_view(content), NULL, &graph, NULL);
    if (!FUZZ_HOLDS(ndp_npz_graph_read(npz, arena, index, NULL, &graph, NULL) == want) || want != NDP_OK) return;
    check_archive(arena, &graph);
    fuzz_valid(4);
}
