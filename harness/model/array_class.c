#include "model/graph/array_class.h"

#include "base/words.h"

struct class_row {
    const char *word;
    bool is_own;
    bool is_hidden;
    bool is_free;
    const char *promised;
    const char *library;
    const char *stand_in;
};

static const struct class_row classes[NDP_CLASS_COUNT] = {
#define CLASS_ROW(name, word, is_own, is_hidden, is_free, promised, library, stand_in)                                 \
    {word, is_own, is_hidden, is_free, promised, library, stand_in},
    NDP_CLASS_LIST(CLASS_ROW)};

NDP_WORDS(ndp_class_word, enum ndp_array_class, NDP_CLASS_LIST, "?")

bool ndp_class_defines_pickling(enum ndp_array_class class) {
    return class < NDP_CLASS_COUNT && classes[class].is_own;
}

bool ndp_class_hides_pickling(enum ndp_array_class class) {
    return class < NDP_CLASS_COUNT && classes[class].is_hidden;
}

bool ndp_class_takes_attributes(enum ndp_array_class class) {
    return class < NDP_CLASS_COUNT && classes[class].is_free;
}

const char *ndp_class_promised(enum ndp_array_class class) {
    return class < NDP_CLASS_COUNT ? classes[class].promised : "";
}

const char *ndp_class_library(enum ndp_array_class class) {
    return class < NDP_CLASS_COUNT ? classes[class].library : "";
}

const char *ndp_class_stand_in(enum ndp_array_class class) {
    return class < NDP_CLASS_COUNT ? classes[class].stand_in : "";
}

enum ndp_array_class ndp_class_stands_for(enum ndp_array_class class) {
    const struct ndp_bytes word = ndp_bytes_view(ndp_class_word(class));
    uint32_t real = 0;
    while (real < NDP_CLASS_COUNT && !ndp_bytes_is_word(word, classes[real].stand_in)) real++;
    return (enum ndp_array_class)real;
}

bool ndp_class_find(struct ndp_bytes name, enum ndp_array_class *out) {
    if (name.size_bytes == 0) {
        *out = NDP_CLASS_NDARRAY;
        return true;
    }
    for (uint32_t i = 0; i < NDP_CLASS_COUNT; i++) {
        if (!ndp_bytes_is_word(name, classes[i].word)) continue;
        *out = (enum ndp_array_class)i;
        return true;
    }
    return false;
}

bool ndp_class_is_path(struct ndp_bytes name) {
    enum ndp_array_class class;
    uint32_t words = 1;
    bool is_start = true; /* of a word */
    for (uint64_t i = 0; i < name.size_bytes; i++) {
        const uint8_t c = name.data[i];
        const bool is_digit = c >= '0' && c <= '9';
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (c == '.' ? is_start : !is_letter && (is_start || !is_digit)) return false;
        is_start = c == '.';
        words += is_start;
    }
    return words > 1 && !is_start && !ndp_class_find(name, &class);
}
