/* generate_scalars.c: generates a list of scalars: numbers, bools, texts, bytes and None. Zeros give an empty list.
 *
 * Integers lie at the limits of 32 and 64 bits. Texts and bytes repeat one character and have sizes around multiples of
 * 8 bytes, at which a store of fixed slots is full; some contain a NUL, and few end with one. */
#include <string.h>

#include "generate/generate_parts.h"
#include "generate/graph_draft.h"

enum { MOST_ITEMS = 9, FEW_ONE_IN = 12, SCALAR_ONE_IN = 3, LONGEST_BYTES = 1000 * 4 + 2 };

static uint32_t add_int(struct ndp_graph_draft *d) {
    static const char *const digits[] =
        NDP_ROWS("0", "1", "-1", "255", "-2147483649", "4294967296", "9223372036854775807", "-9223372036854775808");
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_INT);
    d->nodes[number].text = ndp_bytes_view(digits[ndp_choose(d->choices, NDP_ARRAY_LEN(digits))]);
    return number;
}

/* Adds a text or bytes: a character, repeated, then perhaps a NUL in place of a character. */
static uint32_t add_repeated(struct ndp_graph_draft *d, enum ndp_node_kind kind) {
    static const char *const characters[] = {"a", "\xc3\xa9", "\xe6\x97\xa5", "\xf0\x9f\x98\x80", " "};
    static const uint16_t counts[] = {1, 0, 7, 8, 9, 15, 16, 17, 255, 1000};
    const uint32_t number = ndp_graph_draft_node(d, kind);
    const char *const one = characters[ndp_choose(d->choices, NDP_ARRAY_LEN(characters))];
    const uint64_t count = counts[ndp_choose(d->choices, NDP_ARRAY_LEN(counts))], size = strlen(one);
    uint8_t bytes[LONGEST_BYTES] = {0};
    for (uint64_t i = 0; i < count; i++) memcpy(bytes + i * size, one, size);
    uint64_t length = count * size;
    if (ndp_choose_rarely(d->choices, FEW_ONE_IN)) bytes[length++] = 0;
    if (length > 1 && size == 1 && ndp_choose_rarely(d->choices, FEW_ONE_IN)) bytes[length / 2] = 0;
    const uint8_t *copy = ndp_arena_copy(d->arena, bytes, length + 1);
    if (copy == NULL) d->is_out_of_memory = true;
    d->nodes[number].text = (struct ndp_bytes){copy, length};
    return number;
}

static uint32_t add_item(struct ndp_graph_draft *d) {
    if (ndp_choose_rarely(d->choices, SCALAR_ONE_IN)) return ndp_graph_draft_scalar(d);
    const uint64_t choice = ndp_choose(d->choices, 3);
    return choice == 0 ? add_int(d) : add_repeated(d, choice == 1 ? NDP_NODE_TEXT : NDP_NODE_BYTES);
}

enum ndp_status ndp_generate_scalars(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_value *out) {
    struct ndp_graph_draft d;
    NDP_TRY(ndp_graph_draft_start(&d, arena, choices));
    const uint32_t root = ndp_graph_draft_node(&d, NDP_NODE_LIST);
    for (uint64_t left = ndp_choose(choices, MOST_ITEMS); left > 0; left--)
        ndp_graph_draft_edge(&d, root, NDP_EDGE_ITEM, NULL, add_item(&d));
    return ndp_graph_draft_finish(&d, root, out);
}
