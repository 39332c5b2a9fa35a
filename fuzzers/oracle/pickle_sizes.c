#include "oracle/pickle_sizes.h"

#include "codec/npy/npy_encode.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/rewritten.h"
#include "reader/told.h"
#include "reader/whole.h"

enum { SMALL = 1 << 8, LARGE = 1 << 16, AROUND = 12, INT_BYTES = 10, LONG4 = 0x8b, MEMOIZE = 0x94 };
enum content { TEXT, BYTES, INTEGER, LINE };

struct payload {
    uint8_t opcode, field_bytes;
    enum content content;
    const char *before, *behind;
};

static const struct payload payloads[] = {
    {0x8c, 1, TEXT, "", ""},    {'X', 4, TEXT, "", ""},      {0x8d, 8, TEXT, "", ""},     {'C', 1, BYTES, "", ""},
    {'B', 4, BYTES, "", ""},    {0x8e, 8, BYTES, "", ""},    {0x96, 8, BYTES, "", ""},    {'U', 1, BYTES, "", ""},
    {'T', 4, BYTES, "", ""},    {0x8a, 1, INTEGER, "", ""},  {LONG4, 4, INTEGER, "", ""}, {'V', 0, LINE, "", "\n"},
    {'S', 0, LINE, "'", "'\n"}, {'c', 0, LINE, "m\n", "\n"},
};

/* One of so many. */
static uint64_t take(uint64_t *pick, uint64_t count) {
    const uint64_t taken = *pick % count;
    *pick /= count;
    return taken;
}

static uint64_t choose_size(const struct payload *payload, uint64_t *pick) {
    const bool is_large = take(pick, FUZZ_SIZES_LARGE_ONE_IN) == 0;
    if (payload->content == INTEGER && take(pick, 2)) return take(pick, INT_BYTES);
    if (payload->field_bytes == 1) return (SMALL - 1 + take(pick, 3)) % SMALL;
    if (!is_large) return SMALL - 1 + take(pick, 3);
    return take(pick, 2) ? LARGE - 1 + take(pick, 3) : LARGE - take(pick, AROUND);
}

/* Letters; where there may be others, a character of two bytes, a byte that is none, the sign of an integer. */
static void fill(enum content content, uint64_t pick, uint8_t *data, uint64_t size) {
    static const uint8_t signs[] = {0x00, 0x7f, 0x80, 0xff, 0x01};
    static uint8_t letters[LARGE + 1];
    for (uint64_t i = 0; letters[LARGE] == 0 && i <= LARGE; i++) letters[i] = (uint8_t)('a' + i % 23);
    memcpy(data, letters, (size_t)size);
    if (content == TEXT && size > 1) data[0] = 0xc3, data[1] = 0xa9;
    if (content == BYTES && size > 1) data[0] = 0xff, data[1] = 0x00;
    for (uint64_t i = size; content == INTEGER && i > 0 && i + 2 > size; i--)
        data[i - 1] = signs[take(&pick, NDP_ARRAY_LEN(signs))];
}

enum ndp_status fuzz_spell_size(uint64_t pick, struct ndp_buffer *out) {
    static uint8_t data[LARGE + 1];
    const struct payload *payload = &payloads[take(&pick, NDP_ARRAY_LEN(payloads))];
    const uint64_t size = choose_size(payload, &pick);
    const uint8_t behind[] = {MEMOIZE, 'K', 7, 'h', 0, 't', '.'};
    uint8_t head[10] = {'(', payload->opcode};
    for (uint32_t i = 0; i < payload->field_bytes; i++) head[2 + i] = (uint8_t)(size >> 8 * i);
    fill(payload->content, pick, data, size);
    NDP_TRY(ndp_buffer_add(out, head, 2 + (uint64_t)payload->field_bytes));
    NDP_TRY(ndp_buffer_printf(out, "%s", payload->before));
    NDP_TRY(ndp_buffer_add(out, data, size));
    NDP_TRY(ndp_buffer_printf(out, "%s", payload->behind));
    return ndp_buffer_add(out, behind, sizeof behind);
}

void fuzz_check_sizes(struct ndp_arena *arena, uint32_t protocol, uint64_t pick) {
    static struct ndp_buffer spelled = {.max_bytes = 1 << 20}, made = {.max_bytes = 1 << 20};
    spelled.size_bytes = made.size_bytes = 0;
    FUZZ_CHECK(fuzz_spell_size(pick, &spelled) == NDP_OK);
    /* Nobody writes so many digits as a large integer has. */
    if (protocol < 2 && spelled.data[1] == LONG4) protocol += 2;
    const struct ndp_source source = ndp_source_memory(ndp_buffer_view(&spelled));
    if (!FUZZ_HOLDS(fuzz_rewrite(arena, source, protocol, true, ndp_write_to_buffer, &made) == NDP_OK)) return;
    const struct ndp_bytes first = ndp_buffer_view(&made);
    struct ndp_cursor cursor = ndp_cursor_view(first);
    struct fuzz_expected next = {first, false};
    fuzz_wrote(2 * first.size_bytes);
    FUZZ_HOLDS(fuzz_is_as_pickled(first, protocol));
    FUZZ_HOLDS(fuzz_tells_same(arena, ndp_buffer_view(&spelled), first));
    const struct ndp_source stream = ndp_source_stream(fuzz_read_pieces, &cursor, UINT64_MAX);
    FUZZ_HOLDS(fuzz_rewrite(arena, stream, protocol, true, fuzz_write_expected, &next) == NDP_OK);
    FUZZ_HOLDS(fuzz_is_expected(&next));
    ndp_arena_reset(arena);
}
