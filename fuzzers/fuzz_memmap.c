/* fuzz_memmap.c: any file as what np.memmap maps: elements without a header, at a place that comes from outside.
 * Oracle: for types and places that follow from the size of the file alone, bytes in memory and the file read, or a map
 * of any mode, give the same elements, each where its order of axes says, or refuse alike; a range behind the end is
 * refused by all; a private map leaves the file as it is, a writing one reaches it, and that one element alone; one
 * for reading cannot be written to. A few are written and read again far into a file, which then is cut short. */
#include "form/place.h"
#include "fuzz.h"
#include "oracle/place_again.h"
#include "oracle/protected.h"
#include "oracle/read_as.h"
#include "reader/said.h"

enum { WAYS = 4, TURNS = 4 * WAYS };

static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
static const char *const words[] = {"file", "r", "r+", "c"};

/* Way 0 reads the file, the others map it. Each input has one of them; one in four opens the file by its path. */
static enum ndp_status decode(const struct ndp_raw_form *form, uint32_t way, const char *path,
                              struct ndp_npy_array *out) {
    const int fd = fuzz_fd();
    if (way == 0) return path ? ndp_raw_decode_file(form, path, out, NULL) : ndp_raw_decode_fd(form, fd, out, NULL);
    return path ? ndp_raw_decode_mapped(form, path, modes[way - 1], out, NULL)
                : ndp_raw_decode_mapped_fd(form, fd, modes[way - 1], out, NULL);
}

static void check_way(const struct ndp_raw_form *form, struct ndp_npy_array *whole, struct ndp_npy_array *next,
                      uint32_t way) {
    const uint64_t size = whole->header.size_bytes;
    FUZZ_HOLDS_OF(words[way], memcmp(whole->data, next->data, (size_t)size) == 0);
    FUZZ_HOLDS_OF(words[way], fuzz_is_placed(form, next));
    if (way == 0) return;
    FUZZ_HOLDS_OF(words[way], next->map.is_open && ndp_map_check(&next->map, NULL) == NDP_OK);
    if (size > 0 && way == 1) FUZZ_HOLDS_OF(words[way], fuzz_is_protected(next->data));
    if (size > 0 && way != 1) next->data[size - 1] ^= 0xff;
    if (size > 0 && modes[way - 1] == NDP_MAP_READ_WRITE) whole->data[size - 1] ^= 0xff;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npy_array whole = {0}, next = {0};
    struct fuzz_place place;
    fuzz_place_of((struct ndp_bytes){data, size}, &place);
    const struct ndp_raw_form *form = &place.form;
    const enum ndp_status want = ndp_raw_decode_memory(form, (struct ndp_bytes){data, size}, &whole, NULL);
    fuzz_answers(0, want);
    const char *path = fuzz_path(data, size);
    const uint32_t turn = fuzz_way(data, size, TURNS);
    const uint32_t way = turn % WAYS;
    if (FUZZ_HOLDS_OF(words[way], decode(form, way, turn < WAYS ? path : NULL, &next) == want) && want == NDP_OK)
        check_way(form, &whole, &next, way);
    ndp_npy_array_clear(&next);
    FUZZ_HOLDS(want != NDP_OK || fuzz_is_placed(form, &whole));
    if (want == NDP_OK) fuzz_says_array(&whole);
    if (want == NDP_OK) fuzz_check_file(&whole, form->offset_bytes, data, size), fuzz_valid(4);
    if (want == NDP_OK) fuzz_place_again(form, &whole, size, fuzz_pick(data, size));
    ndp_npy_array_clear(&whole);
    return 0;
}
