#include "cmd/evidence.h"

#include <string.h>

static void print_death(FILE *out, const struct ndp_divergence *divergence, int indent) {
    const struct ndp_death *death = &divergence->death;
    switch (divergence->verdict) {
    case NDP_VERDICT_TIMEOUT:
        fprintf(out, "%*sit did not answer before the deadline\n", indent, "");
        return;
    case NDP_VERDICT_OOM:
        fprintf(out, "%*sit went past the memory limit\n", indent, "");
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
        fprintf(out, "%*skilled by signal %d (%s)", indent, "", death->signal, strsignal(death->signal));
    } else {
        fprintf(out, "%*sexited with %d", indent, "", death->exit_code);
    }
    fprintf(out, "%s%s\n", death->frame[0] != '\0' ? " in " : "", death->frame);
}

void ndp_evidence_print(FILE *out, const struct ndp_divergence *divergence, int indent) {
    char route[NDP_ROUTE_TEXT_BYTES];
    ndp_route_print(&divergence->route, route);
    const struct ndp_judgement *judgement = &divergence->judgement;
    fprintf(out, "%*s%s of %s on %s", indent, "",
            divergence->property != NULL ? divergence->property->name : "the process", divergence->signature.outlier,
            route);
    if (strcmp(divergence->route.encoder, divergence->route.decoder) != 0 && divergence->route.encoder[0] != '\0') {
        fprintf(out, ", %s to %s", divergence->route.encoder, divergence->route.decoder);
    } else {
        fprintf(out, ", %s", divergence->route.decoder);
    }
    fputc('\n', out);
    print_death(out, divergence, indent + 2);
    if (divergence->property != NULL)
        fprintf(out, "%*sthe property: %s\n", indent + 2, "", divergence->property->statement);
    if (judgement->row != NULL) {
        fprintf(out, "%*sthe promise: %s is %s (%s)\n", indent + 2, "", ndp_contract_field_word(judgement->row->field),
                ndp_promise_meaning(judgement->row->promise), judgement->row->source);
    }
    for (uint32_t i = 0; i < judgement->comparison.count; i++) {
        const struct ndp_difference *difference = &judgement->comparison.list[i];
        fprintf(out, "%*s%s: expected %s, got %s\n", indent + 2, "", difference->path, difference->expected,
                difference->got);
    }
    if (judgement->comparison.total > judgement->comparison.count) {
        fprintf(out, "%*sand %llu more\n", indent + 2, "",
                (unsigned long long)(judgement->comparison.total - judgement->comparison.count));
    }
}
