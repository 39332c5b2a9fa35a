#include "model/equality.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static void copy_text(char *to, const char *from) {
    ndp_text_cut(from, to, NDP_DIFFERENCE_TEXT_BYTES);
}

void ndp_equality_clear(struct ndp_comparison *comparison) {
    comparison->count = 0;
    comparison->total = 0;
    comparison->comparisons = 0;
}

void ndp_equality_add(struct ndp_comparison *comparison, const char *path, const char *expected, const char *got) {
    comparison->total++;
    if (comparison->count == NDP_MAX_DIFFERENCES) return;
    struct ndp_difference *difference = &comparison->list[comparison->count++];
    copy_text(difference->path, path);
    copy_text(difference->expected, expected);
    copy_text(difference->got, got);
}

/* Counts one comparison of two texts and records a difference. */
static void compare_text(struct ndp_comparison *out, const char *path, const char *expected, const char *got) {
    out->comparisons++;
    if (strcmp(expected, got) != 0) ndp_equality_add(out, path, expected, got);
}

static void compare_number(struct ndp_comparison *out, const char *path, int64_t expected, int64_t got) {
    char left[24], right[24];
    out->comparisons++;
    if (expected == got) return;
    snprintf(left, sizeof left, "%" PRId64, expected);
    snprintf(right, sizeof right, "%" PRId64, got);
    ndp_equality_add(out, path, left, right);
}

/* The path is printed only for a difference. */
static void compare_axis(struct ndp_comparison *out, const char *what, uint32_t axis, int64_t expected, int64_t got) {
    char path[32] = "";
    if (expected != got) snprintf(path, sizeof path, "%s[%" PRIu32 "]", what, axis);
    compare_number(out, path, expected, got);
}

static void compare_question(struct ndp_comparison *out, const char *path, bool expected, bool got) {
    compare_text(out, path, expected ? "true" : "false", got ? "true" : "false");
}

void ndp_equality_compare_shape(const struct ndp_observation *expected, const struct ndp_observation *got,
                                struct ndp_comparison *out) {
    compare_number(out, "ndim", expected->ndim, got->ndim);
    if (expected->ndim != got->ndim) return;
    for (uint32_t i = 0; i < expected->ndim; i++) compare_axis(out, "shape", i, expected->shape[i], got->shape[i]);
}

static const char *flag_path(enum ndp_flag_bit bit) {
    switch (bit) {
#define CASE_FLAG(name, letter, word)                                                                                  \
    case NDP_FLAG_BIT_##name:                                                                                          \
        return "flags." word;
        NDP_FLAG_LIST(CASE_FLAG)
    case NDP_FLAG_COUNT:
        break;
    }
    return "flags";
}

void ndp_equality_compare_flags(const struct ndp_observation *expected, const struct ndp_observation *got,
                                uint32_t mask, struct ndp_comparison *out) {
    for (int bit = 0; bit < NDP_FLAG_COUNT; bit++) {
        const uint32_t flag = UINT32_C(1) << bit;
        if ((mask & flag) == 0) continue;
        compare_question(out, flag_path((enum ndp_flag_bit)bit), expected->flags & flag, got->flags & flag);
    }
}

void ndp_equality_compare_strides(const struct ndp_observation *expected, const struct ndp_observation *got,
                                  struct ndp_comparison *out) {
    if (expected->ndim != got->ndim) return;
    for (uint32_t i = 0; i < expected->ndim; i++)
        if (expected->shape[i] == 0 || got->shape[i] == 0) return;
    for (uint32_t i = 0; i < expected->ndim; i++) {
        if (expected->shape[i] == 1 && got->shape[i] == 1) continue;
        compare_axis(out, "strides", i, expected->strides_bytes[i], got->strides_bytes[i]);
    }
}

void ndp_equality_compare_class(const struct ndp_observation *expected, const struct ndp_observation *got,
                                struct ndp_comparison *out) {
    char left[NDP_DIFFERENCE_TEXT_BYTES], right[NDP_DIFFERENCE_TEXT_BYTES];
    out->comparisons++;
    if (ndp_bytes_is_equal(expected->class_name, got->class_name)) return;
    ndp_text_show(expected->class_name, left, sizeof left);
    ndp_text_show(got->class_name, right, sizeof right);
    ndp_equality_add(out, "class", left, right);
}

static const char *claims_text(enum ndp_backing_file claims) {
    switch (claims) {
    case NDP_BACKING_NONE:
        return "none";
    case NDP_BACKING_CASE:
        return "the case's file";
    case NDP_BACKING_OTHER:
        return "another file";
    }
    return "?";
}

static const char *mode_text(const struct ndp_backing *backing) {
    if (!backing->has_mode) return "none";
    return backing->mode < NDP_MAP_MODE_COUNT ? ndp_map_mode_words[backing->mode] : "?";
}

static void compare_offset(struct ndp_comparison *out, const char *path, bool has_left, uint64_t left, bool has_right,
                           uint64_t right) {
    if (has_left == has_right && (!has_left || left == right)) {
        out->comparisons++;
        return;
    }
    char expected[24] = "none";
    char got[24] = "none";
    if (has_left) snprintf(expected, sizeof expected, "%" PRIu64, left);
    if (has_right) snprintf(got, sizeof got, "%" PRIu64, right);
    compare_text(out, path, expected, got);
}

void ndp_equality_compare_backing(const struct ndp_observation *expected, const struct ndp_observation *got,
                                  struct ndp_comparison *out) {
    const struct ndp_backing *a = &expected->backing;
    const struct ndp_backing *b = &got->backing;
    compare_question(out, "backing.class", a->is_map_class, b->is_map_class);
    compare_text(out, "backing.claims", claims_text(a->claims), claims_text(b->claims));
    compare_question(out, "backing.mapped", a->is_mapped, b->is_mapped);
    compare_text(out, "backing.mode", mode_text(a), mode_text(b));
    compare_offset(out, "backing.offset", a->has_offset, a->offset_bytes, b->has_offset, b->offset_bytes);
    compare_offset(out, "backing.position", a->has_position, a->position_bytes, b->has_position, b->position_bytes);
}

void ndp_equality_compare_bytes(const char *name, struct ndp_bytes expected, struct ndp_bytes got,
                                struct ndp_comparison *out) {
    char path[NDP_DIFFERENCE_TEXT_BYTES], left[24], right[24];
    snprintf(path, sizeof path, "%s.length", name);
    compare_number(out, path, (int64_t)expected.size_bytes, (int64_t)got.size_bytes);
    const uint64_t shorter = expected.size_bytes < got.size_bytes ? expected.size_bytes : got.size_bytes;
    out->comparisons += shorter;
    if (shorter == 0 || memcmp(expected.data, got.data, (size_t)shorter) == 0) return;
    uint64_t at = 0;
    while (expected.data[at] == got.data[at]) at++;
    snprintf(path, sizeof path, "%s[%" PRIu64 "]", name, at);
    snprintf(left, sizeof left, "0x%02x", expected.data[at]);
    snprintf(right, sizeof right, "0x%02x", got.data[at]);
    ndp_equality_add(out, path, left, right);
}
