/* signature.c: fills, prints, parses and compares signatures.
 *
 * Problem. A defect shows with thousands of values and on many routes. Its name must be equal in every run and on every
 * machine, differ from those of other defects, and be readable.
 *
 * Method. A signature has the broken promise (verdict, property, format, field), the wrong library, the route, and the
 * few properties of the value on which codecs branch: kind, byte order, memory order, dimensions, flags, or the
 * features of a graph. It is filled from the minimised case. The printed line is the only stored form; parsing it gives
 * the same struct back.
 *
 * Cost. Printing and parsing are linear in the text; comparing compares words.
 *
 * Limits. Two defects that agree in all of this share a name. Lines of more than NDP_SIGNATURE_BYTES are cut.
 */
#include "engine/signature.h"
#include "model/graph/graph_features.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A printed core is cut to CORE_BYTES. */
enum { CORE_BYTES = 131, MAX_FLAGS = 8 };
#define HAZARD_WORD "HAZARD"
#define PLACE_WORDS "-|-|-|-"
#define PLACE_FIELD "flags.aligned"

#define LIST_WORD(name, word) word,
static const char *const byte_order_words[] = {NDP_SIGNATURE_BYTE_ORDER_LIST(LIST_WORD)};
static const char *const memory_words[] = {NDP_SIGNATURE_MEMORY_LIST(LIST_WORD)};
static const char *const flag_words[] = {NDP_SIGNATURE_FLAG_LIST(LIST_WORD)};
static const char *const ndim_words[] = {"0", "1", "2", "3+"};

#define LIST_ENUM(name, word) BYTE_ORDER_##name,
enum { NDP_SIGNATURE_BYTE_ORDER_LIST(LIST_ENUM) };
#undef LIST_ENUM
#define LIST_ENUM(name, word) MEMORY_##name,
enum { NDP_SIGNATURE_MEMORY_LIST(LIST_ENUM) };
#undef LIST_ENUM
#define LIST_ENUM(name, word) FLAG_##name,
enum { NDP_SIGNATURE_FLAG_LIST(LIST_ENUM) FLAG_COUNT };
#undef LIST_ENUM

/* ---- filling ---- */

void ndp_signature_set_route(struct ndp_signature *signature, const struct ndp_route *route) {
    struct ndp_route bare = *route;
    char text[NDP_ROUTE_TEXT_BYTES];
    if (strcmp(signature->field, PLACE_FIELD) == 0 && strcmp(bare.format, "joblib") == 0) bare.protocol = 0;
    bare.offset_bytes = 0;
    ndp_descriptor_print_route(&bare, text);
    snprintf(signature->route, sizeof signature->route, "%s", text);
}

static uint8_t byte_order_of(const struct ndp_dtype *dtype) {
    const bool is_big = ndp_dtype_has_order(dtype, NDP_ORDER_BIG);
    const bool is_little = ndp_dtype_has_order(dtype, NDP_ORDER_LITTLE);
    if (is_big && is_little) return BYTE_ORDER_MIXED;
    return is_big ? BYTE_ORDER_BIG : is_little ? BYTE_ORDER_LITTLE : BYTE_ORDER_NONE;
}

static uint8_t memory_order_of(const struct ndp_array *array) {
    const uint64_t itemsize_bytes = array->dtype->itemsize_bytes;
    const bool is_c = ndp_layout_is_c_contiguous(&array->layout, itemsize_bytes);
    const bool is_f = ndp_layout_is_f_contiguous(&array->layout, itemsize_bytes);
    if (is_c && is_f) return MEMORY_ANY;
    return is_c ? MEMORY_C : is_f ? MEMORY_F : MEMORY_STRIDED;
}

static uint8_t flags_of(const struct ndp_array *array) {
    const uint64_t features = ndp_array_features(array);
    /* A one-dimensional map is C- and F-contiguous; a reshaped view of it may depend on that. */
    const bool is_reshaped = array->map.is_backed && array->base_ndim == 1 && array->layout.ndim > 1;
    return (uint8_t)((features & NDP_FEATURE_STRUCTURED) != 0 ? 1u << FLAG_STRUCTURED : 0u) |
           (uint8_t)((features & NDP_FEATURE_SUBCLASS) != 0 ? 1u << FLAG_SUBCLASS : 0u) |
           (uint8_t)((features & NDP_FEATURE_MAP) != 0 ? 1u << FLAG_MEMMAP : 0u) |
           (uint8_t)(is_reshaped ? 1u << FLAG_BASE_1D : 0u) |
           (uint8_t)((features & NDP_FEATURE_ZERO_SIZE) != 0 ? 1u << FLAG_ZERO_SIZE : 0u);
}

void ndp_signature_set_value(struct ndp_signature *signature, const struct ndp_array *array, uint64_t graph_features) {
    const uint64_t printed = (UINT64_C(1) << NDP_GRAPH_FEATURE_COUNT) - 1;
    if (array == NULL) {
        signature->graph_features = graph_features & printed;
        if (signature->graph_features != 0) signature->value = NDP_SIGNATURE_GRAPH;
        return;
    }
    signature->value = NDP_SIGNATURE_PLACE;
    if (strcmp(signature->field, PLACE_FIELD) == 0) return;
    signature->value = NDP_SIGNATURE_ARRAY;
    signature->kind = ndp_kind_codes[array->dtype->kind];
    signature->byte_order = byte_order_of(array->dtype);
    signature->memory_order = memory_order_of(array);
    signature->ndim = (uint8_t)(array->layout.ndim < 3 ? array->layout.ndim : 3);
    signature->flags = flags_of(array);
}

/* ---- printing ---- */

void ndp_signature_print_core(const struct ndp_signature *signature, char *out) {
    const struct ndp_death *death = &signature->death;
    char how[128] = "", failure[16] = "";
    if (signature->failure != 0) snprintf(failure, sizeof failure, "#%08" PRIx32, signature->failure);
    if (signature->verdict == NDP_VERDICT_CRASH && !signature->is_hazard) {
        snprintf(how, sizeof how, "|%s %d %s", death->signal != 0 ? "signal" : "exit",
                 death->signal != 0 ? death->signal : death->exit_code, death->frame);
    }
    snprintf(out, CORE_BYTES, "%s|%s|%s|%s%s%s",
             signature->is_hazard ? HAZARD_WORD : ndp_program_verdict_word(signature->verdict),
             signature->property[0] != '\0' ? signature->property : "-", signature->format, signature->field, failure,
             how);
}

static void print_array(const struct ndp_signature *signature, char *out, size_t out_bytes) {
    int at = snprintf(out, out_bytes, "|%c|%s|%s|%s", signature->kind, byte_order_words[signature->byte_order],
                      memory_words[signature->memory_order], ndim_words[signature->ndim]);
    for (uint32_t i = 0; i < FLAG_COUNT && at >= 0 && (size_t)at < out_bytes; i++)
        if ((signature->flags >> i & 1) != 0) at += snprintf(out + at, out_bytes - (size_t)at, "|%s", flag_words[i]);
}

static void print_graph(const struct ndp_signature *signature, char *out, size_t out_bytes) {
    enum { WORD_ROOM = 24 };
    size_t at = 0;
    for (uint32_t bit = 0; bit < NDP_GRAPH_FEATURE_COUNT; bit++) {
        if ((signature->graph_features & UINT64_C(1) << bit) == 0 || at + WORD_ROOM >= out_bytes) continue;
        at += (size_t)snprintf(out + at, out_bytes - at, "|%s", ndp_graph_features_word(bit));
    }
}

void ndp_signature_print(const struct ndp_signature *signature, char *out) {
    if (signature->is_of_fuzzer) {
        const bool is_named = signature->property[0] != '\0';
        snprintf(out, NDP_SIGNATURE_BYTES, "%s%s%s%s", is_named ? ndp_program_verdict_word(signature->verdict) : "",
                 is_named ? "|" : "", signature->property, signature->detail);
        return;
    }
    char core[CORE_BYTES];
    ndp_signature_print_core(signature, core);
    const bool has_route = signature->route[0] != '\0';
    const int length = snprintf(out, NDP_SIGNATURE_BYTES, "%s|%s%s%s", core, signature->outlier, has_route ? "|" : "",
                                signature->route);
    char *rest = out + (length < NDP_SIGNATURE_BYTES ? length : NDP_SIGNATURE_BYTES - 1);
    const size_t left = NDP_SIGNATURE_BYTES - (size_t)(rest - out);
    switch (signature->value) {
    case NDP_SIGNATURE_NO_VALUE:
        return;
    case NDP_SIGNATURE_PLACE:
        snprintf(rest, left, "|%s", PLACE_WORDS);
        return;
    case NDP_SIGNATURE_ARRAY:
        print_array(signature, rest, left);
        return;
    case NDP_SIGNATURE_GRAPH:
        print_graph(signature, rest, left);
        return;
    }
}

bool ndp_signature_is_text(const struct ndp_signature *signature, const char *text) {
    char printed[NDP_SIGNATURE_BYTES];
    ndp_signature_print(signature, printed);
    return strcmp(printed, text) == 0;
}

/* ---- parsing ---- */

/* Copies the next word to `out` and moves past it and its bar; false if it does not fit. */
static bool take_word(const char **at, char *out, size_t out_bytes) {
    const size_t length = strcspn(*at, "|");
    if (length >= out_bytes) return false;
    memcpy(out, *at, length);
    out[length] = '\0';
    *at += length + ((*at)[length] == '|');
    return true;
}

/* Moves past the next word and its bar if it is one of `words`; *out is its index. */
static bool take_choice(const char **at, const char *const *words, size_t count, uint8_t *out) {
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(words[i]);
        if (strncmp(*at, words[i], length) != 0 || ((*at)[length] != '|' && (*at)[length] != '\0')) continue;
        *at += length + ((*at)[length] == '|');
        *out = (uint8_t)i;
        return true;
    }
    return false;
}

static bool take_verdict(const char **at, struct ndp_signature *out) {
    static const enum ndp_verdict verdicts[] = {NDP_VERDICT_DIVERGES, NDP_VERDICT_CRASH, NDP_VERDICT_TIMEOUT,
                                                NDP_VERDICT_OOM, NDP_VERDICT_FAULT};
    char word[NDP_WORD_BYTES];
    if ((*at)[strcspn(*at, "|")] != '|' || !take_word(at, word, sizeof word)) return false;
    out->is_hazard = strcmp(word, HAZARD_WORD) == 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(verdicts); i++) {
        if (strcmp(word, ndp_program_verdict_word(verdicts[i])) != 0) continue;
        out->verdict = verdicts[i];
        return true;
    }
    return out->is_hazard;
}

/* "signal 11 frame" or "exit 3 frame". */
static bool take_death(const char **at, struct ndp_death *out) {
    char text[CORE_BYTES];
    char *end;
    if (!take_word(at, text, sizeof text)) return false;
    const bool is_signal = strncmp(text, "signal ", 7) == 0;
    if (!is_signal && strncmp(text, "exit ", 5) != 0) return false;
    const long number = strtol(text + (is_signal ? 7 : 5), &end, 10);
    if (*end == ' ') end++;
    *(is_signal ? &out->signal : &out->exit_code) = (int)number;
    snprintf(out->frame, sizeof out->frame, "%s", end);
    return true;
}

static bool take_array(const char **at, struct ndp_signature *out) {
    out->value = NDP_SIGNATURE_ARRAY;
    out->kind = **at;
    *at += 2;
    if (!take_choice(at, byte_order_words, NDP_ARRAY_LEN(byte_order_words), &out->byte_order) ||
        !take_choice(at, memory_words, NDP_ARRAY_LEN(memory_words), &out->memory_order) ||
        !take_choice(at, ndim_words, NDP_ARRAY_LEN(ndim_words), &out->ndim))
        return false;
    uint8_t flag;
    while (**at != '\0' && take_choice(at, flag_words, NDP_ARRAY_LEN(flag_words), &flag))
        out->flags |= (uint8_t)(1u << flag);
    return **at == '\0';
}

static bool take_graph(const char **at, struct ndp_signature *out) {
    const char *words[NDP_GRAPH_FEATURE_COUNT];
    uint8_t feature;
    for (uint32_t bit = 0; bit < NDP_GRAPH_FEATURE_COUNT; bit++) words[bit] = ndp_graph_features_word(bit);
    out->value = NDP_SIGNATURE_GRAPH;
    while (**at != '\0' && take_choice(at, words, NDP_ARRAY_LEN(words), &feature))
        out->graph_features |= UINT64_C(1) << feature;
    return **at == '\0';
}

static bool take_value(const char **at, struct ndp_signature *out) {
    if (**at == '\0') return true;
    if (strcmp(*at, PLACE_WORDS) == 0) {
        out->value = NDP_SIGNATURE_PLACE;
        return true;
    }
    return (*at)[1] == '|' ? take_array(at, out) : take_graph(at, out);
}

/* "dtype.order", or "accepted#3f9a12bc" with the hash of the failure. */
static bool take_field(const char *text, struct ndp_signature *out) {
    const size_t length = strcspn(text, "#");
    if (length >= sizeof out->field) return false;
    memcpy(out->field, text, length);
    if (text[length] == '\0') return true;
    char *end;
    const unsigned long hash = strtoul(text + length + 1, &end, 16);
    out->failure = (uint32_t)hash;
    return *end == '\0' && hash > 0 && hash <= UINT32_MAX;
}

static bool take_core(const char **at, struct ndp_signature *out) {
    char *const words[] = {out->property, out->format};
    char field[2 * NDP_WORD_BYTES];
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++)
        if ((*at)[strcspn(*at, "|")] != '|' || !take_word(at, words[i], NDP_WORD_BYTES)) return false;
    if ((*at)[strcspn(*at, "|")] != '|' || !take_word(at, field, sizeof field) || !take_field(field, out)) return false;
    if (strcmp(out->property, "-") == 0) out->property[0] = '\0';
    return out->is_hazard || out->verdict != NDP_VERDICT_CRASH || take_death(at, &out->death);
}

enum ndp_status ndp_signature_parse(const char *text, struct ndp_signature *out) {
    struct ndp_signature signature = {.verdict = NDP_VERDICT_DIVERGES};
    const char *at = text;
    if (strlen(text) >= NDP_SIGNATURE_BYTES || !take_verdict(&at, &signature)) return NDP_INVALID;
    if (strncmp(at, "fuzz_", 5) == 0) {
        signature.is_of_fuzzer = true;
        const size_t length = strcspn(at, "|");
        if (length >= sizeof signature.property) return NDP_INVALID;
        memcpy(signature.property, at, length);
        snprintf(signature.detail, sizeof signature.detail, "%s", at + length);
    } else if (!take_core(&at, &signature) || !take_word(&at, signature.outlier, sizeof signature.outlier) ||
               !take_word(&at, signature.route, sizeof signature.route) || !take_value(&at, &signature)) {
        return NDP_INVALID;
    }
    *out = signature;
    return NDP_OK;
}

void ndp_signature_set_fuzzer(struct ndp_signature *out, enum ndp_verdict verdict, const char *text) {
    if (ndp_signature_parse(text, out) == NDP_OK && out->is_of_fuzzer) return;
    *out = (struct ndp_signature){.verdict = verdict, .is_of_fuzzer = true};
    snprintf(out->detail, sizeof out->detail, "%s", text);
}

/* ---- comparing ---- */

static bool has_same_death(const struct ndp_death *a, const struct ndp_death *b) {
    return a->signal == b->signal && (a->signal != 0 || a->exit_code == b->exit_code) &&
           strcmp(a->frame, b->frame) == 0;
}

bool ndp_signature_has_same_core(const struct ndp_signature *a, const struct ndp_signature *b) {
    if (a->is_of_fuzzer || b->is_of_fuzzer || a->is_hazard != b->is_hazard || strcmp(a->format, b->format) != 0)
        return false;
    if (a->is_hazard) return true;
    return a->verdict == b->verdict && strcmp(a->property, b->property) == 0 && strcmp(a->field, b->field) == 0 &&
           a->failure == b->failure && (a->verdict != NDP_VERDICT_CRASH || has_same_death(&a->death, &b->death));
}

bool ndp_signature_has_same_way(const struct ndp_signature *a, const struct ndp_signature *b) {
    return ndp_signature_has_same_core(a, b) && strcmp(a->outlier, b->outlier) == 0 && strcmp(a->route, b->route) == 0;
}

bool ndp_signature_has_same_value(const struct ndp_signature *a, const struct ndp_signature *b) {
    if (a->value != b->value) return false;
    if (a->value == NDP_SIGNATURE_GRAPH) return a->graph_features == b->graph_features;
    return a->value != NDP_SIGNATURE_ARRAY ||
           (a->kind == b->kind && a->byte_order == b->byte_order && a->memory_order == b->memory_order &&
            a->ndim == b->ndim && a->flags == b->flags);
}

bool ndp_signature_is_same(const struct ndp_signature *a, const struct ndp_signature *b) {
    if (a->is_of_fuzzer && b->is_of_fuzzer)
        return a->verdict == b->verdict && strcmp(a->property, b->property) == 0 && strcmp(a->detail, b->detail) == 0;
    return ndp_signature_has_same_way(a, b) && ndp_signature_has_same_value(a, b);
}

bool ndp_signature_names(const struct ndp_signature *signature, const struct ndp_route *route) {
    struct ndp_signature other = *signature;
    if (signature->is_of_fuzzer || strcmp(signature->format, route->format) != 0) return false;
    ndp_signature_set_route(&other, route);
    return signature->route[0] == '\0' || strcmp(signature->route, other.route) == 0;
}
