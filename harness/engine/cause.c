#include "engine/cause.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"

void ndp_cause_id(const char *key, char out[NDP_CAUSE_ID_BYTES]) {
    const uint64_t hash = ndp_hash_bytes(key, strlen(key), NDP_HASH_START);
    snprintf(out, NDP_CAUSE_ID_BYTES, "%08x", (unsigned)(uint32_t)(hash ^ hash >> 32));
}

bool ndp_cause_matches(const char *key, const char *pattern) {
    const char *star = NULL, *resume = key;
    while (*key != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            resume = key;
        } else if (*pattern == *key) {
            pattern++;
            key++;
        } else if (star != NULL) {
            pattern = star + 1;
            key = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

/* On the simplest format, if experiments named one. */
static const char *failure_of(const struct ndp_finding *finding) {
    return finding->blame.failure[0] != '\0' ? finding->blame.failure : finding->divergence->failure;
}

/* Each property reports the refusals of its own values. The promise is one: what is valid is accepted. */
static const char *property_word(const struct ndp_finding *finding) {
    const struct ndp_property *property = finding->divergence->property;
    if (strstr(failure_of(finding), " refuses") != NULL) return "accepted";
    return property != NULL ? property->name : "-";
}

static const char *symptom_of(const struct ndp_finding *finding) {
    const struct ndp_result *result = finding->result;
    const bool is_of_values = strcmp(finding->divergence->judgement.field, "values") == 0;
    return is_of_values && result->has_promised && result->has_result
               ? ndp_failure_symptom(&result->promised, &result->result)
               : "";
}

/* Fills the failure word; *is_specific: it identifies the cause without an experiment. */
static void fill_what(const struct ndp_finding *finding, bool *is_specific, char *out, size_t out_bytes) {
    const struct ndp_divergence *divergence = finding->divergence;
    const struct ndp_death *death = &divergence->death;
    if (divergence->verdict == NDP_VERDICT_CRASH && !divergence->signature.is_hazard) {
        *is_specific = death->frame[0] != '\0';
        snprintf(out, out_bytes, "%s %d%s%s", death->signal != 0 ? "signal" : "exit",
                 death->signal != 0 ? death->signal : death->exit_code, *is_specific ? " in " : "", death->frame);
        return;
    }
    const char *failure = failure_of(finding), *symptom = symptom_of(finding);
    *is_specific = strstr(failure, ": ") != NULL;
    if (failure[0] != '\0') {
        snprintf(out, out_bytes, "%s", failure);
    } else {
        snprintf(out, out_bytes, "%s%s%s", divergence->signature.field, symptom[0] != '\0' ? ", " : "", symptom);
    }
}

/* An error class without a message, as of a bare `assert`, says little. */
static bool has_message(const char *failure) {
    const char *first = strstr(failure, ": "), *second = first != NULL ? strstr(first + 2, ": ") : NULL;
    return second != NULL && second[2] != '\0';
}

static void fill_key(const struct ndp_finding *finding, char *out) {
    const struct ndp_divergence *divergence = finding->divergence;
    const struct ndp_signature *signature = &divergence->signature;
    const char *library = finding->blame.library[0] != '\0' ? finding->blame.library : signature->outlier;
    const char *format = finding->blame.format[0] != '\0' ? finding->blame.format : signature->format;
    char what[160];
    bool is_specific;
    if (signature->is_of_fuzzer) {
        ndp_signature_print(signature, out);
        return;
    }
    fill_what(finding, &is_specific, what, sizeof what);
    if (is_specific && strstr(what, " refuses: ") != NULL) is_specific = has_message(what);
    /* No experiment simplifies a way through two formats; its error names the cause without the library. */
    const struct ndp_property *property = divergence->property;
    const bool has_second = property != NULL && (property->needs & UINT32_C(1) << NDP_SLOT_TRANSCODED) != 0;
    if (is_specific && has_second) library = "*";
    snprintf(out, NDP_CAUSE_KEY_BYTES, "%s|%s|%s|%s|%s",
             signature->is_hazard ? "HAZARD" : ndp_program_verdict_word(signature->verdict),
             signature->is_hazard ? "-" : property_word(finding), is_specific ? "*" : format, what, library);
}

static void fill_error(const struct ndp_finding *finding, char *out) {
    const struct ndp_divergence *divergence = finding->divergence;
    const struct ndp_death *death = &divergence->death;
    out[0] = '\0';
    if (divergence->verdict == NDP_VERDICT_CRASH) {
        snprintf(out, NDP_CAUSE_ERROR_BYTES, "%s %d%s%s", death->signal != 0 ? "signal" : "exit",
                 death->signal != 0 ? death->signal : death->exit_code, death->frame[0] != '\0' ? " in " : "",
                 death->frame);
    } else if (strstr(divergence->failure, " refuses") != NULL) {
        const struct ndp_comparison *comparison = &divergence->judgement.comparison;
        snprintf(out, NDP_CAUSE_ERROR_BYTES, "%s",
                 divergence->error[0] != '\0' ? divergence->error : comparison->list[0].got);
    }
}

void ndp_cause_of_finding(const struct ndp_finding *finding, struct ndp_cause *out) {
    const struct ndp_divergence *divergence = finding->divergence;
    fill_key(finding, out->key);
    ndp_cause_id(out->key, out->id);
    ndp_failure_direction(failure_of(finding), out->direction);
    fill_error(finding, out->error);
    ndp_cause_title(divergence, out->title);
}
