#include "cmd/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum option_kind { OPTION_FLAG, OPTION_NUMBER, OPTION_TEXT, OPTION_LIST };

struct option_place {
    enum option_kind kind;
    size_t offset; /* of the field in struct ndp_settings */
};

static const struct ndp_option_row rows[] = {
#define ROW(name, field, kind, word, argument, initial, help) {word, argument, initial, help},
    NDP_OPTION_LIST(ROW)
#undef ROW
};

static const struct option_place places[] = {
#define PLACE(name, field, kind, word, argument, initial, help) {OPTION_##kind, offsetof(struct ndp_settings, field)},
    NDP_OPTION_LIST(PLACE)};

const struct ndp_option_row *ndp_option_row(enum ndp_option option) {
    return &rows[option];
}

static enum ndp_status read_number(const char *word, const char *text, uint64_t *out, struct ndp_error *error) {
    char *end;
    errno = 0;
    unsigned long long number = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 0) : 0;
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "--%s takes a number, not '%s'", word, text);
    *out = number;
    return NDP_OK;
}

static enum ndp_status add_word(struct ndp_words *words, const char *text, struct ndp_error *error) {
    if (words->count == NDP_MAX_WORDS)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "too many arguments at '%s'", text);
    words->list[words->count++] = text;
    return NDP_OK;
}

static enum ndp_status set_option(struct ndp_settings *settings, enum ndp_option option, const char *value,
                                  struct ndp_error *error) {
    char *field = (char *)settings + places[option].offset;
    settings->given |= UINT64_C(1) << option;
    switch (places[option].kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return NDP_OK;
    case OPTION_NUMBER:
        return read_number(rows[option].word, value, (uint64_t *)(void *)field, error);
    case OPTION_TEXT:
        *(const char **)(void *)field = value;
        return NDP_OK;
    case OPTION_LIST:
        return add_word((struct ndp_words *)(void *)field, value, error);
    }
    return NDP_FAULT;
}

/* Finds an allowed option by its text without "--", "word" or "word=value"; NDP_OPTION_COUNT if there is none. */
static enum ndp_option find_option(const char *text, uint64_t allowed) {
    size_t length = strcspn(text, "=");
    for (int i = 0; i < NDP_OPTION_COUNT; i++) {
        if ((allowed >> i & 1) == 0 || strlen(rows[i].word) != length) continue;
        if (memcmp(rows[i].word, text, length) == 0) return (enum ndp_option)i;
    }
    return NDP_OPTION_COUNT;
}

enum ndp_status ndp_settings_read(int argc, char *const *argv, int first, uint64_t allowed, struct ndp_settings *out,
                                  struct ndp_error *error) {
    struct ndp_settings settings = {.argc = argc, .argv = argv};
    bool are_files = false; /* after "--" */
    for (int i = first; i < argc; i++) {
        const char *word = argv[i];
        if (!are_files && strcmp(word, "--") == 0) {
            are_files = true;
            continue;
        }
        if (are_files || strncmp(word, "--", 2) != 0) {
            NDP_TRY(add_word(&settings.files, word, error));
            continue;
        }
        enum ndp_option option = find_option(word + 2, allowed | NDP_OPTION_BIT(HELP));
        if (option == NDP_OPTION_COUNT)
            return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "unknown option '%s'", word);
        const char *value = strchr(word, '=');
        const bool is_flag = places[option].kind == OPTION_FLAG;
        if (is_flag ? value != NULL : value == NULL && i + 1 == argc) {
            return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "--%s takes %s", rows[option].word,
                                 is_flag ? "no value" : rows[option].argument);
        }
        if (value != NULL)
            value++;
        else if (!is_flag)
            value = argv[++i];
        NDP_TRY(set_option(&settings, option, value, error));
    }
    *out = settings;
    return NDP_OK;
}
