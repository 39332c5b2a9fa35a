/* words.h: the words of an enum whose values and words come from one X-macro list, X(name, word, more...). */
#ifndef NDP_WORDS_H
#define NDP_WORDS_H

#include <stddef.h>

#define NDP_WORD_FIRST(word, ...) word,
#define NDP_WORD_ITEM(name, ...)  NDP_WORD_FIRST(__VA_ARGS__, )

/* Defines `function`, which returns the word of a value of `type`, and `beyond` for any other number. The enum has the
 * values of `list` in its order, from 0. */
#define NDP_WORDS(function, type, list, beyond)                                                                        \
    const char *function(type value) {                                                                                 \
        static const char *const words[] = {list(NDP_WORD_ITEM)};                                                      \
        return (size_t)value < sizeof words / sizeof *words ? words[value] : (beyond);                                 \
    }

#endif
