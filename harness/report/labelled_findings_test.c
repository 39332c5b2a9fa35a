#include "base/suite.h"
#include "engine/cause.h"

#include <cjson/cJSON.h>

/* Findings of real runs, each labelled by hand with its defect. .ci/labels.py adds findings to the file. The keys are
 * computed again here, so a change of engine/cause.c or engine/failure.c is measured on them. */
#define LABELS_FILE "harness/report/labelled_findings.json"

enum {
    MAX_LABELLED = 2000,
    LEAST_LABELLED = 200,
    LABEL_BYTES = 96,
    MAX_RUNS = 32,
    MAX_FILE_BYTES = 8 << 20,
    SEEDS = 10
};

struct labelled {
    char label[LABEL_BYTES];
    char id[NDP_CAUSE_ID_BYTES];
    char key[NDP_CAUSE_KEY_BYTES];
    bool is_defect;
    uint32_t runs; /* 1 << place in `run_names` */
};

static struct labelled labelled[MAX_LABELLED];
static uint32_t labelled_count;
static char run_names[MAX_RUNS][NDP_WORD_BYTES];
static uint32_t run_count;

static const char *text_of(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsString(item)) fail_msg("%s: no text \"%s\"", LABELS_FILE, key);
    return item->valuestring;
}

static uint32_t run_place(const char *name) {
    for (uint32_t i = 0; i < run_count; i++)
        if (strcmp(run_names[i], name) == 0) return i;
    assert_true(run_count < MAX_RUNS);
    snprintf(run_names[run_count], NDP_WORD_BYTES, "%s", name);
    return run_count++;
}

static enum ndp_verdict verdict_of(const char *word) {
    for (int i = 0; i < NDP_VERDICT_COUNT; i++)
        if (strcmp(ndp_program_verdict_word((enum ndp_verdict)i), word) == 0) return (enum ndp_verdict)i;
    fail_msg("%s: no kind %s", LABELS_FILE, word);
    return NDP_VERDICT_COUNT;
}

static uint64_t read_hex(const char *hex, uint8_t *out) {
    uint64_t size = 0;
    unsigned byte;
    for (; hex[0] != '\0' && sscanf(hex, "%2x", &byte) == 1; hex += 2) out[size++] = (uint8_t)byte;
    return size;
}

/* The elements before and after, for the symptom of wrong values. */
static void set_elements(const cJSON *elements, struct ndp_dtype *dtype, uint8_t bytes[2][512],
                         struct ndp_result *result) {
    if (!cJSON_IsObject(elements)) return;
    dtype->itemsize_bytes = (uint64_t)cJSON_GetObjectItemCaseSensitive(elements, "itemsize")->valuedouble;
    result->has_promised = result->has_result = true;
    result->promised = (struct ndp_observation){
        .dtype = dtype, .elements = {bytes[0], read_hex(text_of(elements, "expected"), bytes[0])}};
    result->result =
        (struct ndp_observation){.dtype = dtype, .elements = {bytes[1], read_hex(text_of(elements, "got"), bytes[1])}};
}

/* The failure is computed again from the words of the difference and the side that the stored one names. */
static void set_failure(const cJSON *row, struct ndp_divergence *divergence) {
    const cJSON *difference = cJSON_GetObjectItemCaseSensitive(row, "difference")->child;
    const char *stored = text_of(row, "failure"), *clause = strstr(stored, ": ");
    struct ndp_judgement *judgement = &divergence->judgement;
    judgement->operation = strncmp(stored, "encoder", 7) == 0     ? "encode"
                           : strncmp(stored, "transport", 9) == 0 ? "transport"
                                                                  : "decode";
    if (difference == NULL) return;
    ndp_equality_add(&judgement->comparison, text_of(difference, "path"), text_of(difference, "expected"),
                     text_of(difference, "got"));
    const char *error = text_of(row, "error");
    const bool is_of_clause = clause != NULL && strstr(stored, " accepts: ") != NULL;
    if (stored[0] != '\0')
        ndp_failure_fill(judgement, error[0] != '\0' ? error : NULL, is_of_clause ? clause + 2 : "",
                         divergence->failure);
}

static void compute_cause(const cJSON *row, struct ndp_cause *out) {
    struct ndp_divergence divergence = {.verdict = verdict_of(text_of(row, "kind"))};
    struct ndp_result result = {.has_result = false};
    struct ndp_finding finding = {.divergence = &divergence, .result = &result};
    struct ndp_dtype dtype = {.kind = NDP_KIND_VOID};
    uint8_t bytes[2][512];
    const cJSON *blame = cJSON_GetObjectItemCaseSensitive(row, "blame");
    assert_int_equal(ndp_signature_parse(text_of(row, "signature"), &divergence.signature), NDP_OK);
    divergence.property = ndp_property_find(text_of(row, "property"));
    divergence.death = divergence.signature.death;
    snprintf(divergence.judgement.field, NDP_WORD_BYTES, "%s", text_of(row, "field"));
    snprintf(finding.blame.library, NDP_WORD_BYTES, "%s", text_of(blame, "library"));
    snprintf(finding.blame.format, NDP_WORD_BYTES, "%s", text_of(blame, "format"));
    /* The failure on a simpler format is the result of an experiment. */
    if (strcmp(text_of(blame, "format"), divergence.signature.format) != 0)
        snprintf(finding.blame.failure, NDP_FAILURE_BYTES, "%s", text_of(blame, "failure"));
    set_elements(cJSON_GetObjectItemCaseSensitive(row, "elements"), &dtype, bytes, &result);
    set_failure(row, &divergence);
    ndp_cause_of_finding(&finding, out);
}

static void add_row(const cJSON *row) {
    struct ndp_cause cause;
    assert_true(labelled_count < MAX_LABELLED);
    struct labelled *one = &labelled[labelled_count++];
    snprintf(one->label, LABEL_BYTES, "%s", text_of(row, "label"));
    if (one->label[0] == '\0') fail_msg("no label: %s", text_of(row, "signature"));
    one->is_defect = strcmp(text_of(row, "severity"), "defect") == 0;
    compute_cause(row, &cause);
    memcpy(one->id, cause.id, sizeof one->id);
    memcpy(one->key, cause.key, sizeof one->key);
    for (const cJSON *run = cJSON_GetObjectItemCaseSensitive(row, "runs")->child; run != NULL; run = run->next)
        one->runs |= UINT32_C(1) << run_place(run->valuestring);
}

static int read_labels(void **state) {
    FILE *file = fopen(LABELS_FILE, "rb");
    char *text = calloc(1, MAX_FILE_BYTES);
    if (file == NULL || text == NULL) return -1;
    (void)!fread(text, 1, MAX_FILE_BYTES - 1, file);
    fclose(file);
    cJSON *rows = cJSON_Parse(text);
    free(text);
    if (!cJSON_IsArray(rows)) return -1;
    for (const cJSON *row = rows->child; row != NULL; row = row->next) add_row(row);
    cJSON_Delete(rows);
    return 0;
}

/* Goals: of the pairs with one label, 95 % in one cause; of the pairs with two labels, 98 % in two causes. */
static void pairs_are_grouped_as_labelled(void **state) {
    uint64_t same = 0, same_right = 0, other = 0, other_right = 0;
    for (uint32_t i = 0; i < labelled_count; i++) {
        for (uint32_t k = i + 1; k < labelled_count; k++) {
            const bool is_same = strcmp(labelled[i].label, labelled[k].label) == 0;
            const bool is_one_cause = strcmp(labelled[i].id, labelled[k].id) == 0;
            same += is_same;
            same_right += is_same && is_one_cause;
            other += !is_same;
            other_right += !is_same && !is_one_cause;
        }
    }
    print_message("%u findings; one label: %llu of %llu pairs in one cause; two labels: %llu of %llu pairs apart\n",
                  (unsigned)labelled_count, (unsigned long long)same_right, (unsigned long long)same,
                  (unsigned long long)other_right, (unsigned long long)other);
    assert_true(labelled_count >= LEAST_LABELLED);
    assert_true(same > 0 && same_right * 100 >= same * 95);
    assert_true(other > 0 && other_right * 100 >= other * 98);
}

/* Whether a defect of run `run` or before it has this id, or this label. */
static bool is_known(uint32_t before, const char *id, const char *label) {
    for (uint32_t i = 0; i < labelled_count; i++) {
        const struct labelled *one = &labelled[i];
        if ((one->runs & before) == 0) continue;
        if (id != NULL ? strcmp(one->id, id) == 0 : strcmp(one->label, label) == 0) return true;
    }
    return false;
}

/* Ten seeds on one environment. The causes of the seeds before are accepted; a cause of the next seed is falsely new if
 * its label is not. */
static void later_seeds_report_only_new_causes(void **state) {
    uint32_t accepted = 0, later = 0, new_causes = 0, falsely_new = 0;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        char name[NDP_WORD_BYTES];
        snprintf(name, sizeof name, "seed-%u", (unsigned)seed);
        const uint32_t bit = UINT32_C(1) << run_place(name);
        for (uint32_t i = 0; i < labelled_count && accepted != 0; i++) {
            const struct labelled *one = &labelled[i];
            if (!one->is_defect || (one->runs & bit) == 0) continue;
            later++;
            if (is_known(accepted, one->id, NULL)) continue;
            new_causes++;
            falsely_new += is_known(accepted, NULL, one->label);
            if (is_known(accepted, NULL, one->label)) print_message("falsely new in %s: %s\n", name, one->key);
        }
        accepted |= bit;
    }
    print_message("%u findings of later seeds: %u of new causes, %u of these falsely new\n", (unsigned)later,
                  (unsigned)new_causes, (unsigned)falsely_new);
    assert_true(later > 0);
    assert_int_equal(falsely_new, 0);
}

NDP_SUITE_FIXTURE(labelled_findings_test, read_labels, NULL, NDP_TEST(pairs_are_grouped_as_labelled),
                  NDP_TEST(later_seeds_report_only_new_causes));
