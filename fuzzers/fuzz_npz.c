/* fuzz_npz.c: archives through every decode path of the reference.
 * Oracle: memory and a file give the same; a stored member that decodes maps in place to the same array, not behind its
 * end; none gives more than directory and limits say, or with a wrong checksum; each is found by name, and again. */
#include "archive.h"
#include "codec/npz_write.h"
#include "fuzz.h"
#include "same_array.h"

static const struct ndp_npz_limits limits = {64, 1 << 15, 1 << 16, .free_bytes = 1 << 12, .ratio = 64};
static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};

static void check_again(struct ndp_arena *arena, const struct ndp_npy_array *array, bool is_deflated) {
    const struct ndp_npz_item item = {.key = ndp_bytes_view("a"),
                                      .elements = {array->header.dtype, &array->layout, array->data}};
    struct ndp_buffer made = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    struct ndp_npz *npz = NULL;
    FUZZ_CHECK(ndp_npz_encode(&item, 1, is_deflated, ndp_write_to_buffer, &made, NULL) == NDP_OK);
    if (FUZZ_HOLDS(ndp_npz_open_memory(ndp_buffer_view(&made), NULL, &npz, NULL) == NDP_OK))
        fuzz_same_array("again", NDP_OK, array, ndp_npz_read_array(npz, arena, 0, &lenient, &next, NULL), &next);
    ndp_npz_free(npz);
    ndp_buffer_clear(&made);
}

static void check_member(struct ndp_arena *arena, struct ndp_npz *npz, struct ndp_npz *file, uint64_t i, uint64_t *n) {
    struct ndp_npy_array first = {0}, next = {0};
    struct ndp_npz_member member;
    ndp_npz_member(npz, i, &member);
    *n += member.size_bytes;
    FUZZ_HOLDS(fuzz_is_within(&limits, &member) && *n <= limits.total_bytes);
    struct ndp_buffer content = {.max_bytes = member.size_bytes};
    const enum ndp_status read = ndp_npz_read(npz, i, &content, NULL);
    FUZZ_HOLDS(read != NDP_LIMIT && (read != NDP_OK || content.size_bytes == member.size_bytes));
    const enum ndp_status want = ndp_npz_read_array(npz, arena, i, NULL, &first, NULL);
    FUZZ_HOLDS(want != NDP_OK || read == NDP_OK);
    fuzz_same_file("file", want, &first, ndp_npz_read_array(file, arena, i, NULL, &next, NULL), &next);
    if (member.method == 0) {
        const enum ndp_status mapped = ndp_npz_map_array(file, arena, i, NDP_MAP_READ, NULL, &next, NULL);
        FUZZ_HOLDS(mapped != NDP_OK || next.header.data_offset_bytes + next.header.size_bytes <= member.size_bytes);
        if (want == NDP_OK) fuzz_same_array("map", want, &first, mapped, &next);
        ndp_npy_array_clear(&next);
    }
    if (want == NDP_OK) check_again(arena, &first, member.crc % 8 == 0), fuzz_valid(3);
    ndp_npy_array_clear(&first);
    ndp_buffer_clear(&content);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npz *npz = NULL, *file = NULL;
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    const enum ndp_status want = ndp_npz_open_memory((struct ndp_bytes){data, size}, &limits, &npz, NULL);
    FUZZ_HOLDS(ndp_npz_open_file(fuzz_path(data, size), &limits, &file, NULL) == want);
    const uint64_t count = npz && file ? ndp_npz_count(npz) : 0;
    FUZZ_HOLDS(count <= limits.members && (count == 0 || fuzz_finds_member(npz, size % count)));
    for (uint64_t i = 0, bytes = 0; i < count && i < 8; i++) check_member(&arena, npz, file, i, &bytes);
    ndp_npz_free(npz);
    ndp_npz_free(file);
    ndp_arena_reset(&arena);
    return 0;
}
