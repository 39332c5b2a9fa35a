#include "cmd/cause_line.h"

#include <string.h>
#include <unistd.h>

#include "cmd/replay_command.h"

enum { FORMATS_BYTES = 96 };

static void add_format(char *formats, const char *route) {
    char format[NDP_WORD_BYTES];
    ndp_report_finding_format(route, format);
    const size_t size = strlen(format), used = strlen(formats);
    for (const char *at = formats; *at != '\0'; at += strcspn(at, ","), at += *at == ',' ? 2 : 0)
        if (strcspn(at, ",") == size && strncmp(at, format, size) == 0) return;
    if (used + size + 3 < FORMATS_BYTES)
        snprintf(formats + used, FORMATS_BYTES - used, "%s%s", used > 0 ? ", " : "", format);
}

static void list_formats(const struct ndp_report_cause *cause, char *formats) {
    formats[0] = '\0';
    for (const struct ndp_cause_route *route = cause->routes; route != NULL; route = route->next)
        add_format(formats, route->text);
}

static void print_flat(FILE *out, const char *text) {
    for (; *text != '\0'; text++) fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

void ndp_cause_line_print(FILE *out, const char *word, const struct ndp_cause_view *view) {
    const struct ndp_report_cause *cause = view->cause;
    char formats[FORMATS_BYTES], command[NDP_REPLAY_COMMAND_BYTES], script[1024];
    list_formats(cause, formats);
    fprintf(out, "  %-5s %s %s: ", word, cause->cause.id, cause->library);
    const char *colon = cause->cause.error[0] != '\0' ? strstr(cause->cause.title, ": ") : NULL;
    fprintf(out, "%.*s", colon != NULL ? (int)(colon - cause->cause.title) : 1000, cause->cause.title);
    if (cause->cause.error[0] != '\0' && view->smallest->kind == NDP_VERDICT_DIVERGES) {
        fprintf(out, ": ");
        print_flat(out, cause->cause.error);
    }
    fprintf(out, " [%s; %u %s, %llu %s]", formats, (unsigned)cause->route_count,
            cause->route_count == 1 ? "route" : "routes", (unsigned long long)view->count,
            view->count == 1 ? "case" : "cases");
    const size_t size = view->smallest->replay.size_bytes;
    if (size < sizeof command) {
        memcpy(command, view->smallest->replay.data, size);
        command[size] = '\0';
        if (ndp_replay_command_script(command, script, sizeof script)) fprintf(out, ", %s", script);
    }
    fputc('\n', out);
}

uint32_t ndp_cause_line_print_all(FILE *out, const struct ndp_report *report, enum ndp_severity severity,
                                  enum ndp_finding_status status, uint32_t most) {
    uint32_t count = 0;
    for (int rank = NDP_CAUSE_CRASH; rank <= NDP_CAUSE_REFUSAL; rank++) {
        for (uint32_t i = 0; i < report->causes.count; i++) {
            struct ndp_cause_view view;
            ndp_report_cause_view(&report->causes, &report->findings, i, &view);
            if (view.severity != severity || view.status != status || (int)ndp_report_cause_rank(&view) != rank)
                continue;
            if (count++ < most) ndp_cause_line_print(out, ndp_report_finding_status_word(status), &view);
        }
    }
    if (count > most) fprintf(out, "  and %u more\n", (unsigned)(count - most));
    return count;
}
