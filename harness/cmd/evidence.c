#include "cmd/evidence.h"

#include <string.h>

static void print_death(FILE *out, const struct ndp_divergence *divergence, int indent) {
    const struct ndp_death *death = &divergence->death;
    switch (divergence->verdict) {
    case NDP_VERDICT_TIMEOUT:
        fprintf(out, "%*sexpected an answer, got none before the deadline\n", indent, "");
        return;
    case NDP_VERDICT_OOM:
        fprintf(out, "%*sexpected an answer, got a process over its limit of memory, processes or files\n", indent, "");
        return;
    case NDP_VERDICT_CRASH:
        break;
    case NDP_VERDICT_PASS:
    case NDP_VERDICT_DIVERGES:
    case NDP_VERDICT_REJECTS:
    case NDP_VERDICT_UNSUPPORTED:
    case NDP_VERDICT_FLAKY:
    case NDP_VERDICT_FAULT:
    case NDP_VERDICT_COUNT:
        return;
    }
    if (death->signal != 0) {
        fprintf(out, "%*sexpected an answer, got a process killed by signal %d (%s)", indent, "", death->signal,
                strsignal(death->signal));
    } else {
        fprintf(out, "%*sexpected an answer, got a process that exited with %d", indent, "", death->exit_code);
    }
    fprintf(out, "%s%s\n", death->frame[0] != '\0' ? " in " : "", death->frame);
}

static void print_promise(FILE *out, const struct ndp_judgement *judgement, int indent) {
    const struct ndp_contract_row *row = judgement->row;
    const bool is_invalid = strcmp(judgement->comparison.list[0].expected, "refused") == 0;
    if (row->field == NDP_FIELD_ACCEPTED && row->promise == NDP_PROMISE_SAME) {
        fprintf(out, "%*spromise: %s\n", indent, "",
                is_invalid ? "invalid input is refused" : "encoding and decoding succeed");
    } else {
        fprintf(out, "%*spromise: %s is %s\n", indent, "", ndp_contract_field_word(row->field),
                ndp_contract_promise_meaning(row->promise));
    }
    fprintf(out, "%*ssource: %s\n", indent, "", row->source);
}

/* Reports store acceptance as the words that `replay --script` reads; people get the operation and its outcome. */
static const char *outcome_text(const char *word) {
    if (strcmp(word, "accepted") == 0) return "success";
    return strcmp(word, "refused") == 0 ? "an error" : word;
}

static void print_difference(FILE *out, const struct ndp_judgement *judgement, const struct ndp_difference *difference,
                             int indent) {
    static const char *const texts[][2] = {{"encoder.accepted", "encode through the other entry point"},
                                           {"history", "send after a call"},
                                           {"partial", "array after a refused decode"},
                                           {"peak", "peak memory of decode"},
                                           {"poked", "write to the result"},
                                           {"reencoded", "second encode"},
                                           {"again", "second decode"},
                                           {"touched", "send after a change"},
                                           {"touched_encoded", "encoding after a change"}};
    const char *path = difference->path, *text = "";
    int length = (int)strlen(path);
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        if (strcmp(path, texts[i][0]) != 0) continue;
        length = 0;
        text = texts[i][1];
    }
    /* "accepted", "accepted.TypeError" or "mmap:r: accepted" */
    const char *accepted = strstr(path, "accepted");
    if (length > 0 && judgement->operation != NULL && accepted != NULL && (accepted == path || accepted[-1] == ' ')) {
        length = (int)(accepted - path);
        text = judgement->operation;
    }
    fprintf(out, "%*s%.*s%s: expected %s, got %s\n", indent, "", length, path, text, outcome_text(difference->expected),
            outcome_text(difference->got));
}

void ndp_evidence_print_title(FILE *out, const struct ndp_divergence *divergence) {
    fprintf(out, "%s %s by %s", divergence->property != NULL ? divergence->property->name : "process",
            divergence->property != NULL ? "broken" : "ended", divergence->signature.outlier);
}

void ndp_evidence_print_route(FILE *out, const struct ndp_route *route) {
    char text[NDP_ROUTE_TEXT_BYTES];
    ndp_descriptor_print_route(route, text);
    if (strcmp(route->encoder, route->decoder) != 0 && route->encoder[0] != '\0') {
        fprintf(out, "%s, %s to %s", text, route->encoder, route->decoder);
    } else {
        fprintf(out, "%s, %s", text, route->decoder);
    }
}

void ndp_evidence_print_details(FILE *out, const struct ndp_divergence *divergence, int indent) {
    const struct ndp_judgement *judgement = &divergence->judgement;
    print_death(out, divergence, indent);
    if (divergence->property != NULL) fprintf(out, "%*sproperty: %s\n", indent, "", divergence->property->statement);
    if (judgement->row != NULL) print_promise(out, judgement, indent);
    for (uint32_t i = 0; i < judgement->comparison.count; i++)
        print_difference(out, judgement, &judgement->comparison.list[i], indent);
    if (judgement->comparison.total > judgement->comparison.count) {
        fprintf(out, "%*sand %llu more\n", indent, "",
                (unsigned long long)(judgement->comparison.total - judgement->comparison.count));
    }
}

void ndp_evidence_print(FILE *out, const struct ndp_divergence *divergence, int indent) {
    fprintf(out, "%*s", indent, "");
    ndp_evidence_print_title(out, divergence);
    fputs(" on ", out);
    ndp_evidence_print_route(out, &divergence->route);
    fputc('\n', out);
    ndp_evidence_print_details(out, divergence, indent + 2);
}
