#include "engine/cause.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The beginning of a field, and a sentence about it. "%s" stands for the rest of the field after '.'. The first row
 * that fits applies. */
static const struct {
    const char *field, *title;
} rows[] = {
    {"shape", "an array comes back with another shape"},
    {"itemsize", "an array comes back with another item size"},
    {"dtype.kind", "an array comes back with another kind of element type"},
    {"dtype.names", "a structured array comes back with other field names"},
    {"dtype.titles", "a structured array comes back without its field titles"},
    {"dtype.offsets", "a structured array comes back with other field offsets"},
    {"dtype.shape", "a structured array comes back with another sub-array shape"},
    {"dtype.order", "an array comes back in another byte order"},
    {"dtype.aligned", "an aligned structured type comes back without its align flag"},
    {"dtype.metadata", "an array comes back without the metadata of its type"},
    {"values", "an array comes back with other values"},
    {"flags.c_contiguous", "a C-ordered array comes back in another memory order"},
    {"flags.f_contiguous", "a Fortran-ordered array comes back in another memory order"},
    {"flags.contiguous", "a strided array comes back contiguous"},
    {"flags.writeable", "an array comes back with another writeable flag"},
    {"flags.aligned", "an array comes back at an unaligned address"},
    {"strides", "an array comes back with other strides"},
    {"class", "an array comes back as another class"},
    {"backing", "a memory map comes back with another file, offset or mode"},
    {"attributes", "an object comes back with other attributes"},
    {"description", "a function comes back with another %s"},
    {"whole", "an object of class %s comes back unusable"},
    {"touched_encoded", "an array keeps its encoding"},
    {"partial", "a decoder that refuses leaves an array behind"},
    {"peak", "decoding needs far more memory than the input has bytes"},
    {"source", "a memory map of a file shows another array than the file has"},
    {"process", "the process ends"},
    {"structure", "an object comes back with other %s"},
    {"identity", "one object comes back as two"},
    {"distinct", "two objects come back as one"},
    {"aliasing.new", "arrays of separate memory come back in one memory"},
    {"aliasing", "arrays of one memory come back in separate memory"},
    {"apart", "a result contains an object that was sent"},
    {"written", "a write to a result changes another object"},
    {"together", "a write to a result does not change the source"},
    {"cells", "functions that share a variable come back with one each"},
    {"results", "a function comes back with other results"},
    {"input", "a call changes its input"},
    {"encoded", "a value has another encoding"},
    {"reencoded", "a value has another encoding"},
    {"descriptors", "a case leaves descriptors open"},
    {"maps", "a case leaves memory mapped"},
    {"shared_memory", "a case leaves shared memory behind"},
    {"temporary_files", "a case leaves temporary files behind"},
    {"children", "a case leaves processes behind"},
};

static const struct {
    const char *word, *action;
} directions[] = {
    {"encoder refuses", "encoding fails"},           {"decoder refuses", "decoding fails"},
    {"transport refuses", "sending fails"},          {"encoder accepts", "an invalid value is encoded"},
    {"decoder accepts", "invalid input is decoded"}, {"transport accepts", "an invalid value is sent"},
};

static void title_of_failure(const char *failure, char *out) {
    char direction[NDP_WORD_BYTES];
    ndp_failure_direction(failure, direction);
    const char *text = strstr(failure, ": ");
    for (size_t i = 0; i < NDP_ARRAY_LEN(directions); i++)
        if (strcmp(direction, directions[i].word) == 0)
            snprintf(out, NDP_CAUSE_TITLE_BYTES, "%s%s", directions[i].action, text != NULL ? text : "");
}

static void title_of_death(const struct ndp_divergence *divergence, char *out) {
    const struct ndp_death *death = &divergence->death;
    if (divergence->verdict == NDP_VERDICT_TIMEOUT) {
        snprintf(out, NDP_CAUSE_TITLE_BYTES, "no answer before the deadline");
    } else if (divergence->verdict == NDP_VERDICT_OOM) {
        snprintf(out, NDP_CAUSE_TITLE_BYTES, "the process exceeds its memory limit");
    } else {
        snprintf(out, NDP_CAUSE_TITLE_BYTES, "the process ends with %s %d%s%s",
                 death->signal != 0 ? "signal" : "exit code", death->signal != 0 ? death->signal : death->exit_code,
                 death->frame[0] != '\0' ? " in " : "", death->frame);
    }
}

/* The text of a fuzz target begins with a bar; a limit of the engine has no text. */
static void title_of_fuzzer(const struct ndp_divergence *divergence, char *out) {
    const char *detail = divergence->signature.detail;
    if (*detail == '|') detail++;
    if (*detail == '\0') title_of_death(divergence, out);
    if (*detail != '\0') snprintf(out, NDP_CAUSE_TITLE_BYTES, "%s", detail);
}

static bool begins_with(const char *field, const char *word) {
    const size_t length = strlen(word);
    return strncmp(field, word, length) == 0 && (field[length] == '\0' || field[length] == '.');
}

static void title_of_field(const char *field, char *out) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (!begins_with(field, rows[i].field)) continue;
        const char *mark = strstr(rows[i].title, "%s");
        const char *rest = strlen(field) > strlen(rows[i].field) ? field + strlen(rows[i].field) + 1 : "the value";
        if (mark == NULL) {
            snprintf(out, NDP_CAUSE_TITLE_BYTES, "%s", rows[i].title);
        } else {
            snprintf(out, NDP_CAUSE_TITLE_BYTES, "%.*s%s%s", (int)(mark - rows[i].title), rows[i].title, rest,
                     mark + 2);
        }
        return;
    }
    /* "hard_mask.MaskedArray": an attribute and its class. */
    const char *dot = strrchr(field, '.');
    if (dot != NULL && dot[1] != '\0') {
        snprintf(out, NDP_CAUSE_TITLE_BYTES, "%s comes back with another %.*s", dot + 1, (int)(dot - field), field);
    } else {
        snprintf(out, NDP_CAUSE_TITLE_BYTES, "a value comes back with another %s", field);
    }
}

/* Properties that compare two ways, and the words that follow the title. */
static const struct {
    const char *property, *words;
} ways[] = {
    {"entry_points", " through one entry point and not through another"},
    {"cross", " in one library and not in another"},
    {"idempotence", " after a second round trip"},
    {"transcode", " on the way to another format"},
    {"company", " in an object with other objects"},
    {"staleness", " when it is sent again after a change"},
};

static void add_way(const struct ndp_divergence *divergence, char *out) {
    const size_t used = strlen(out);
    for (size_t i = 0; i < NDP_ARRAY_LEN(ways) && divergence->property != NULL; i++)
        if (strcmp(divergence->property->name, ways[i].property) == 0)
            snprintf(out + used, NDP_CAUSE_TITLE_BYTES - used, "%s", ways[i].words);
}

void ndp_cause_title(const struct ndp_divergence *divergence, char out[NDP_CAUSE_TITLE_BYTES]) {
    out[0] = '\0';
    if (divergence->signature.is_of_fuzzer) {
        title_of_fuzzer(divergence, out);
    } else if (divergence->verdict != NDP_VERDICT_DIVERGES) {
        title_of_death(divergence, out);
    } else if (divergence->failure[0] != '\0') {
        title_of_failure(divergence->failure, out);
    } else {
        title_of_field(divergence->judgement.field, out);
        add_way(divergence, out);
    }
    out[0] = (char)toupper((unsigned char)out[0]);
}
