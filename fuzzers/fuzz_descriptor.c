/* fuzz_descriptor.c: the parser of descriptors.
 * Oracle: text that is read prints to text that reads and prints the same, with its words, its numbers and those that
 * it leaves out; an error names a place in the text; the memory that reading takes is bounded; limits hold where they
 * are just met; whether a value can be built never depends on spacing; its type alone reads as the same, and so do
 * routes around it. What is drawn is what was asked for; spoilt, it is refused; changes are told, faults as said. */
#include "fuzz.h"
#include "generate/generate.h"
#include "judge/other_type.h"
#include "judge/other_value.h"
#include "oracle/case_again.h"
#include "oracle/descriptor_again.h"
#include "oracle/drawn_right.h"
#include "oracle/json_limits.h"
#include "oracle/json_spoilt.h"
#include "oracle/json_strict.h"
#include "oracle/read_as.h"
#include "reader/json_numbers.h"
#include "reader/json_words.h"

enum { MAX_BYTES_PER_BYTE = 4096, AGAIN = 0, NUMBERS, TYPE, DRAWS, TURNS = 16 };

/* What is held of the text alone, whatever it says. */
static void check_text(struct ndp_bytes input, struct ndp_bytes text, bool has_graph, uint64_t pick) {
    fuzz_check_json_limits(input, pick);
    fuzz_check_json_keys(text, has_graph, pick);
    fuzz_check_json_values(text, has_graph, pick);
    fuzz_check_json_spoilt(text, pick);
}

static void check_descriptor(struct ndp_arena *arena, struct ndp_bytes input, struct ndp_bytes text, uint32_t turn,
                             const struct ndp_descriptor *descriptor) {
    const uint64_t pick = fuzz_pick(input.data, input.size_bytes) + turn;
    check_text(input, text, descriptor->value.graph != NULL, pick);
    if (turn % 4 == NUMBERS) FUZZ_HOLDS(fuzz_has_numbers_of(input, text) && fuzz_has_words_of(input, text));
    if (turn % 4 == TYPE) fuzz_check_type(arena, descriptor->value.array.base.dtype, pick);
    const enum ndp_status built = ndp_descriptor_check(arena, descriptor, fuzz_refusal());
    fuzz_answers(1, built), fuzz_says_refusal(built), FUZZ_HOLDS(!fuzz_is_typed() || built == NDP_OK);
    if (built == NDP_OK) fuzz_check_value(&descriptor->value, pick);
    if (built == NDP_OK) fuzz_says_value(arena, &descriptor->value);
    if (turn % 4 == AGAIN) fuzz_check_descriptor_again(descriptor, text, built), fuzz_check_case(descriptor, text);
    if (turn == DRAWS) fuzz_check_draws(built == NDP_OK ? descriptor : NULL, input, pick);
    fuzz_valid(text.size_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    static struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    struct ndp_descriptor descriptor;
    struct ndp_error error = {0};
    const struct ndp_bytes input = {ndp_arena_copy(&arena, data, size), size};
    enum ndp_status status = ndp_descriptor_read(&arena, input, &ndp_describe_default_limits, &descriptor, &error);
    fuzz_answers(0, status), fuzz_says_error(status, &error), FUZZ_HOLDS(!fuzz_is_typed() || status == NDP_OK);
    FUZZ_HOLDS(status == NDP_OK || error.offset_bytes <= size || error.offset_bytes == NDP_NO_OFFSET);
    FUZZ_HOLDS(arena.used_bytes <= (size + 64) * MAX_BYTES_PER_BYTE);
    if (status == NDP_OK && FUZZ_HOLDS(ndp_descriptor_print(&text, &descriptor) == NDP_OK))
        check_descriptor(&arena, input, ndp_buffer_view(&text), fuzz_way(data, size, TURNS), &descriptor);
    ndp_arena_reset(&arena);
    text.size_bytes = 0;
    return 0;
}
