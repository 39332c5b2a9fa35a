/* mutate_descriptor.c: changes a descriptor by one or a few typed steps; any other text becomes a descriptor that is
 * generated from its bytes. The result can be built and some route of the target takes it. To test the parser, tokens
 * of the text are changed as well. */
#include "mutate/mutate.h"

#include "form/tokens.h"
#include "model/array.h"
#include "runtime/runnable_case.h"
#include "target/plugin.h"
#include "target/registry.h"

enum { MAX_CHANGES = 4, NEW_ONE_IN = 24, DECODES_ONE_IN = 3, MAX_DRAWS = 4, NEW_GRAPHS = 2, ALIKE_ONE_IN = 3 };

static bool parse_descriptor(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_descriptor *out) {
    return ndp_descriptor_read(arena, text, &ndp_describe_default_limits, out, NULL) == NDP_OK &&
           ndp_descriptor_check(arena, out, NULL) == NDP_OK;
}

/* The cases of this target; NULL for a target that runs no descriptors, which takes all. */
static const struct fuzz_cases *own_cases(void) {
    return &fuzz_cases ? &fuzz_cases : NULL;
}

/* Whether a testee or a built-in codec takes arrays of objects. */
static bool takes_objects(void) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_registry_plugins(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strchr(plugins[i]->kinds, 'O')) return true;
    return !own_cases() || own_cases()->with_testee;
}

static bool has_objects(const struct ndp_value *value) {
    return value->kind == NDP_VALUE_ARRAY && value->array.base.dtype && ndp_dtype_has_object(value->array.base.dtype);
}

/* Whether some route of the target may take the value. */
static bool is_taken(const struct ndp_value *value) {
    return takes_objects() || !has_objects(value);
}

static enum ndp_status generate_graph(struct ndp_arena *arena, struct ndp_choices *choices,
                                      struct ndp_descriptor *out) {
    *out = (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP};
    return ndp_generate_graph(arena, choices, &out->value);
}

static enum ndp_status generate_value(struct ndp_arena *arena, struct ndp_choices *choices,
                                      struct ndp_descriptor *out) {
    static const char *const formats[] = {"npy", "raw"};
    const struct ndp_generate_limits limits = {.without_objects = !takes_objects()};
    *out = (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP};
    if (ndp_choose_rarely(choices, DECODES_ONE_IN))
        return ndp_generate_fault(arena, choices, formats[ndp_choose(choices, 2)], &limits, out);
    return ndp_generate_value(arena, choices, &limits, &out->value);
}

/* Whether to replace a value by a graph: half as often as a graph is mutated. */
static bool wants_graph(struct ndp_choices *choices, const struct ndp_descriptor *from) {
    const unsigned one_in = own_cases() ? own_cases()->graphs_one_in : 0;
    return one_in > 0 && from->value.kind != NDP_VALUE_GRAPH &&
           ndp_choose_rarely(choices, NEW_GRAPHS * (uint64_t)one_in);
}

/* Replaces a number by a boundary value, or a type with metadata (keeping its words) by another type. Returns whether
 * there was one. */
static bool replace_token(struct ndp_choices *choices, struct fuzz_tokens *tokens) {
    static const char *const numbers[] = {"9007199254740991",
                                          "9007199254740992",
                                          "9007199254740993",
                                          "\"9007199254740991\"",
                                          "\"9007199254740992\"",
                                          "\"9007199254740993\"",
                                          "\"9223372036854775807\"",
                                          "\"18446744073709551615\"",
                                          "4294967296",
                                          "-1"};
    static const char *const types[] = {
        "{\"type\":\"<f8\",\"metadata\":{\"a\":0.30000000000000004}}",
        "{\"type\":\"<f8\",\"metadata\":{\"a\":1e400}}",
        "{\"type\":\"<f8\",\"metadata\":{\"a\":[1e308,5e-324,-0.0]}}",
        "{\"type\":\"|u1\",\"metadata\":{\"a\":9007199254740993}}",
        "{\"type\":\"|u1\",\"metadata\":{\"\\f\":{\"a\":[null,true,\"\\u001f\"]}}}",
        "{\"fields\":[{\"name\":\"\\f\",\"title\":\"\\b\\u007f\",\"dtype\":\"|u1\"}]}",
    };
    for (int i = 0; i < 16 && tokens->count > 0; i++) {
        struct ndp_bytes *token = &tokens->list[ndp_choose(choices, tokens->count)];
        const uint8_t first = token->data[0], second = token->size_bytes > 1 ? token->data[1] : 0;
        const bool is_quoted = first == '"' && second != 0;
        const uint8_t sign = is_quoted ? second : first;
        if (sign == '-' || (sign >= '0' && sign <= '9'))
            *token = ndp_bytes_view(numbers[ndp_choose(choices, NDP_ARRAY_LEN(numbers))]);
        else if (is_quoted && strchr("<>|=", second))
            *token = ndp_bytes_view(types[ndp_choose(choices, NDP_ARRAY_LEN(types))]);
        else
            continue;
        return true;
    }
    return false;
}

/* Changes tokens of the text, for the parser only: boundary numbers, and words that no descriptor contains. */
enum ndp_status fuzz_corrupt_descriptor(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                        struct ndp_buffer *out) {
    static const char *const list[] = {"0",
                                       "-1",
                                       "1e3",
                                       "0.5",
                                       "null",
                                       "true",
                                       "{}",
                                       "[]",
                                       "9007199254740991",
                                       "9007199254740992",
                                       "\"9007199254740992\"",
                                       "\"4294967296\"",
                                       "\"9223372036854775807\"",
                                       "\"9223372036854775808\"",
                                       "\"-9223372036854775808\"",
                                       "\"-9223372036854775809\"",
                                       "\"18446744073709551615\"",
                                       "\"18446744073709551616\"",
                                       "\"007\"",
                                       "\"-0\"",
                                       "\"\"",
                                       "\"<f8\"",
                                       "\"\\u00e9\"",
                                       "\"\\ud83d\\ude00\"",
                                       ",",
                                       ":"};
    const struct fuzz_words words = {list, NDP_ARRAY_LEN(list)};
    struct fuzz_tokens *tokens = NDP_ARENA_NEW(arena, struct fuzz_tokens);
    if (!tokens) return NDP_NOMEM;
    fuzz_tokens_split(text, tokens);
    if (ndp_choose_rarely(choices, ALIKE_ONE_IN) && replace_token(choices, tokens))
        return fuzz_tokens_join(tokens, out);
    for (uint64_t left = 1 + ndp_choose(choices, 2); left > 0; left--)
        NDP_TRY(fuzz_tokens_change(arena, choices, &words, tokens));
    return fuzz_tokens_join(tokens, out);
}

enum ndp_status fuzz_mutate_descriptor(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                       struct ndp_buffer *out) {
    struct ndp_descriptor descriptor, seed = {.route = {.format = ""}};
    /* Blind generation, the baseline of .ci/feedback.sh. */
    const bool is_blind = getenv("NDP_FUZZ_BLIND") != NULL;
    const bool has_seed = is_blind && parse_descriptor(arena, text, &seed);
    if (is_blind) {
        NDP_TRY(generate_value(arena, choices, &descriptor));
    } else if (!parse_descriptor(arena, text, &descriptor)) {
        struct ndp_choices drawn;
        ndp_choices_init_bytes(&drawn, text);
        NDP_TRY(generate_value(arena, &drawn, &descriptor));
    } else if (wants_graph(choices, &descriptor)) {
        NDP_TRY(generate_graph(arena, choices, &descriptor));
    } else if (ndp_choose_rarely(choices, NEW_ONE_IN)) {
        const struct ndp_route route = descriptor.route;
        const bool is_decode = descriptor.kind == NDP_CASE_DECODE;
        NDP_TRY(generate_value(arena, choices, &descriptor));
        if (!is_decode && descriptor.kind != NDP_CASE_DECODE) descriptor.route = route;
    } else {
        /* Mostly one step: more steps would lose the coverage of the input. */
        const uint64_t changes = ndp_choose_rarely(choices, 2) ? 1 : 1 + ndp_choose(choices, MAX_CHANGES);
        for (uint64_t left = changes; left > 0; left--) {
            struct ndp_descriptor next;
            NDP_TRY(ndp_generate_mutant(arena, choices, &descriptor, &next));
            if (is_taken(&next.value)) descriptor = next;
        }
    }
    /* A decode case gets the format of its fault; blind generation ignores the route of the input. */
    for (int i = 0; i < MAX_DRAWS && (!is_taken(&descriptor.value) || (has_seed && descriptor.kind == NDP_CASE_DECODE));
         i++)
        NDP_TRY(generate_value(arena, choices, &descriptor));
    if (has_seed && descriptor.kind != NDP_CASE_DECODE) descriptor.route = seed.route;
    (void)fuzz_remove_impossible_fault(arena, own_cases(), &descriptor);
    return ndp_descriptor_print(out, &descriptor);
}

enum ndp_status fuzz_cross_descriptor(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes first,
                                      struct ndp_bytes second, struct ndp_buffer *out) {
    struct ndp_descriptor parents[2], child;
    if (!parse_descriptor(arena, first, &parents[0]) || !parse_descriptor(arena, second, &parents[1]))
        return fuzz_mutate_descriptor(arena, choices, first, out);
    NDP_TRY(ndp_generate_cross(arena, choices, &parents[0], &parents[1], &child));
    if (!is_taken(&child.value)) return fuzz_mutate_descriptor(arena, choices, first, out);
    (void)fuzz_remove_impossible_fault(arena, own_cases(), &child);
    return ndp_descriptor_print(out, &child);
}
