#include "cmd/export_report.h"

#include <limits.h>
#include <stdio.h>

#include "cmd/python_program.h"
#include "property/property.h"

enum { OUTPUTS = 5, STATEMENT_BYTES = 512 };

/* Words of the command line of the renderers. */
struct words {
    const char *list[OUTPUTS + NDP_MAX_PROPERTIES + 3];
    uint32_t count;
    char outputs[OUTPUTS][PATH_MAX + 16];
    char statements[NDP_MAX_PROPERTIES][STATEMENT_BYTES];
};

static void add_outputs(struct words *words, const struct ndp_settings *settings) {
    const enum ndp_option options[OUTPUTS] = {NDP_OPTION_HTML, NDP_OPTION_MARKDOWN, NDP_OPTION_JUNIT, NDP_OPTION_SARIF,
                                              NDP_OPTION_CTRF};
    const char *const paths[OUTPUTS] = {settings->html, settings->markdown, settings->junit, settings->sarif,
                                        settings->ctrf};
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        if (paths[i] == NULL) continue;
        snprintf(words->outputs[i], sizeof words->outputs[i], "--%s=%s", ndp_option_row(options[i])->word, paths[i]);
        words->list[words->count++] = words->outputs[i];
    }
}

static void add_statements(struct words *words) {
    uint32_t count;
    const struct ndp_property *const *properties = ndp_property_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(words->statements[i], STATEMENT_BYTES, "--statement=%s=%s", properties[i]->name,
                 properties[i]->statement);
        words->list[words->count++] = words->statements[i];
    }
}

enum ndp_exit ndp_export_report(const char *path, const struct ndp_settings *settings) {
    struct words words = {.count = 0};
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    int code = 0;
    add_outputs(&words, settings);
    add_statements(&words);
    words.list[words.count++] = "--"; /* the path may begin with a dash */
    words.list[words.count++] = path;
    words.list[words.count] = NULL;
    const enum ndp_status status = ndp_python_program_run("reports/export/__main__.py", words.list, &code, &error);
    if (status != NDP_OK) {
        fprintf(stderr, "ndproof: export: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
        return NDP_EXIT_FAULT;
    }
    return code == 0 ? NDP_EXIT_CLEAN : code == NDP_EXIT_USAGE ? NDP_EXIT_USAGE : NDP_EXIT_FAULT;
}
