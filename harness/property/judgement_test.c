#include "base/suite.h"
#include "property/property_fixture.h"

static const struct ndp_contract_row kept = {.promise = NDP_PROMISE_SAME, .source = "a test"};
static const struct ndp_contract_row lost = {.promise = NDP_PROMISE_LOST, .source = "a test"};
static const struct ndp_contract_row hazard = {.promise = NDP_PROMISE_HAZARD, .source = "a test"};

static void make_trial(struct fixture *f) {
    fixture_init(f, ">f8", "npy", "memory", "memory", 0);
    fixture_trip(f);
    ndp_judgement_init(&f->judgement);
}

static struct ndp_comparison one_difference(const char *path) {
    struct ndp_comparison part = {.comparisons = 3};
    ndp_equality_add(&part, path, "1", "2");
    return part;
}

/* Slots of the encoder are read from its outcome, all others from the decoder's. */
static void a_slot_belongs_to_its_side(void **state) {
    static const enum ndp_slot of_encoder[] = {NDP_SLOT_SOURCE,        NDP_SLOT_ENCODED, NDP_SLOT_PEER_ENCODED,
                                               NDP_SLOT_SOURCE_AFTER,  NDP_SLOT_CALLED,  NDP_SLOT_CALLED_ENCODED,
                                               NDP_SLOT_CALLED_RESULT, NDP_SLOT_TOUCHED, NDP_SLOT_TOUCHED_RESULT};
    static const enum ndp_slot of_decoder[] = {NDP_SLOT_RESULT,      NDP_SLOT_REENCODED, NDP_SLOT_AGAIN,
                                               NDP_SLOT_PEER0,       NDP_SLOT_PEER3,     NDP_SLOT_POKED,
                                               NDP_SLOT_RESULT_AFTER};
    struct fixture f;
    static struct ndp_outcome other;
    make_trial(&f);
    f.trial.decoded = &other;
    for (size_t i = 0; i < NDP_ARRAY_LEN(of_encoder); i++)
        assert_ptr_equal(ndp_judgement_slot(&f.trial, of_encoder[i]), &f.outcome.slots[of_encoder[i]]);
    for (size_t i = 0; i < NDP_ARRAY_LEN(of_decoder); i++)
        assert_ptr_equal(ndp_judgement_slot(&f.trial, of_decoder[i]), &other.slots[of_decoder[i]]);
    f.trial.decoded = NULL;
    assert_null(ndp_judgement_slot(&f.trial, NDP_SLOT_RESULT));
    assert_false(ndp_judgement_is_filled(&f.trial, NDP_SLOT_RESULT));
    assert_false(ndp_judgement_is_refused(&f.trial, NDP_SLOT_RESULT));
    fixture_clear(&f);
}

static void a_filled_result_is_judged(void **state) {
    struct fixture f;
    make_trial(&f);
    assert_ptr_equal(ndp_judgement_result(&f.trial, &f.judgement), &f.outcome.slots[NDP_SLOT_RESULT].observation);
    f.outcome.slots[NDP_SLOT_RESULT].has_observation = false;
    assert_null(ndp_judgement_result(&f.trial, &f.judgement));
    assert_int_equal(f.judgement.verdict, NDP_VERDICT_PASS);
    fixture_clear(&f);
}

/* A refusal that no row allows is left to one property. */
static void an_allowed_refusal_is_a_verdict(void **state) {
    static const struct {
        enum ndp_promise promise;
        enum ndp_slot slot;
        enum ndp_verdict verdict;
    } rows[] = {
        {NDP_PROMISE_MAY_REFUSE, NDP_SLOT_ENCODED, NDP_VERDICT_REJECTS},
        {NDP_PROMISE_REFUSED, NDP_SLOT_RESULT, NDP_VERDICT_REJECTS},
        {NDP_PROMISE_SAME, NDP_SLOT_RESULT, NDP_VERDICT_PASS},
        {NDP_PROMISE_HAZARD, NDP_SLOT_RESULT, NDP_VERDICT_PASS},
        {NDP_PROMISE_MAY_REFUSE, NDP_SLOT_SOURCE, NDP_VERDICT_PASS},
        {NDP_PROMISE_MAY_NOT_ENCODE, NDP_SLOT_ENCODED, NDP_VERDICT_REJECTS},
        {NDP_PROMISE_MAY_NOT_ENCODE, NDP_SLOT_RESULT, NDP_VERDICT_PASS},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct fixture f;
        struct ndp_contract contract;
        struct ndp_contract_row row = kept;
        make_trial(&f);
        ndp_contract_fill(&f.route, &f.target, &f.target, f.trial.features, &contract);
        row.promise = rows[i].promise;
        contract.rows[NDP_FIELD_ACCEPTED] = &row;
        f.trial.contract = &contract;
        fixture_refuse(&f, rows[i].slot);
        assert_null(ndp_judgement_result(&f.trial, &f.judgement));
        assert_int_equal(f.judgement.verdict, rows[i].verdict);
        fixture_clear(&f);
    }
}

/* An encoder that may refuse does not let the decoder refuse what it wrote, unless the result is too large. */
static void only_the_encoder_may_refuse(void **state) {
    struct fixture f;
    struct ndp_contract_row row = kept;
    make_trial(&f);
    row.promise = NDP_PROMISE_MAY_NOT_ENCODE;
    assert_true(ndp_judgement_may_refuse(&row));
    fixture_refuse(&f, NDP_SLOT_RESULT);
    f.outcome.slots[NDP_SLOT_RESULT].refusal.reason = NDP_REFUSAL_VALUE;
    assert_false(ndp_judgement_may_refuse_here(&f.trial, &row));
    f.outcome.slots[NDP_SLOT_RESULT].refusal.reason = NDP_REFUSAL_LIMIT;
    assert_true(ndp_judgement_may_refuse_here(&f.trial, &row));
    f.outcome.slots[NDP_SLOT_RESULT].refusal.reason = NDP_REFUSAL_VALUE;
    fixture_refuse(&f, NDP_SLOT_ENCODED);
    assert_true(ndp_judgement_may_refuse_here(&f.trial, &row));
    fixture_clear(&f);
}

static void an_unclaimed_value_is_unsupported(void **state) {
    struct fixture f;
    make_trial(&f);
    f.outcome.slots[NDP_SLOT_ENCODED].state = NDP_SLOT_UNSUPPORTED;
    assert_null(ndp_judgement_result(&f.trial, &f.judgement));
    assert_int_equal(f.judgement.verdict, NDP_VERDICT_UNSUPPORTED);
    fixture_clear(&f);
}

static void a_forbidden_acceptance_is_not_judged_by_field(void **state) {
    struct fixture f;
    struct ndp_contract contract;
    struct ndp_contract_row row = kept;
    make_trial(&f);
    ndp_contract_fill(&f.route, &f.target, &f.target, f.trial.features, &contract);
    row.promise = NDP_PROMISE_REFUSED;
    contract.rows[NDP_FIELD_ACCEPTED] = &row;
    f.trial.contract = &contract;
    assert_null(ndp_judgement_result(&f.trial, &f.judgement));
    assert_int_equal(f.judgement.verdict, NDP_VERDICT_PASS);
    fixture_clear(&f);
}

/* In any order; all comparisons are counted. */
static void a_defect_replaces_a_documented_loss(void **state) {
    static const struct {
        const struct ndp_contract_row *first, *second;
        const char *field;
        enum ndp_severity severity;
    } rows[] = {
        {&kept, &kept, "first", NDP_SEVERITY_DEFECT},          {&kept, &lost, "first", NDP_SEVERITY_DEFECT},
        {&lost, &kept, "second", NDP_SEVERITY_DEFECT},         {&hazard, &kept, "second", NDP_SEVERITY_DEFECT},
        {&lost, &lost, "first", NDP_SEVERITY_DOCUMENTED_LOSS}, {&hazard, &lost, "first", NDP_SEVERITY_HAZARD},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct fixture f;
        const struct ndp_comparison part = one_difference("[0]");
        make_trial(&f);
        ndp_judgement_add(&f.trial, rows[i].first, "first", "", &part, &f.judgement);
        ndp_judgement_add(&f.trial, rows[i].second, "second", "", &part, &f.judgement);
        assert_int_equal(f.judgement.verdict, NDP_VERDICT_DIVERGES);
        assert_int_equal(f.judgement.severity, rows[i].severity);
        assert_string_equal(f.judgement.field, rows[i].field);
        assert_int_equal(f.judgement.comparison.comparisons, 6);
        fixture_clear(&f);
    }
}

static void equal_parts_are_counted(void **state) {
    struct fixture f;
    const struct ndp_comparison part = {.comparisons = 5};
    make_trial(&f);
    ndp_judgement_add(&f.trial, &kept, "name", "", &part, &f.judgement);
    assert_int_equal(f.judgement.verdict, NDP_VERDICT_PASS);
    assert_int_equal(f.judgement.comparison.comparisons, 5);
    fixture_clear(&f);
}

static void differences_have_a_path(void **state) {
    struct fixture f;
    struct ndp_comparison part = one_difference("[0]");
    make_trial(&f);
    part.total += 7; /* more than are stored */
    ndp_judgement_add(&f.trial, &kept, "name", "", &part, &f.judgement);
    assert_string_equal(f.judgement.comparison.list[0].path, "[0]");
    assert_int_equal(f.judgement.comparison.total, 8);
    ndp_judgement_add(&f.trial, &kept, "name", "peer", &part, &f.judgement);
    assert_string_equal(f.judgement.comparison.list[1].path, "peer: [0]");
    fixture_clear(&f);
}

/* One library encodes, another decodes; other decoders of the same bytes are the witnesses. */
static void other_decoders_decide_the_outlier(void **state) {
    static const struct {
        bool is_read_by_oracle, is_refused, has_oracle, oracle_is_right;
        const char *peers; /* r: decodes correctly, w: wrongly */
        const char *outlier;
    } rows[] = {
        {false, false, false, false, "", "numpy"},   {true, false, false, false, "", "writer"},
        {false, true, false, false, "", "writer"},   {false, false, true, true, "", "numpy"},
        {false, false, true, false, "", "writer"},   {false, false, false, false, "ww", "writer"},
        {false, false, false, false, "wr", "numpy"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct fixture f;
        const struct ndp_comparison part = one_difference("[0]");
        struct ndp_slot_record oracle;
        make_trial(&f);
        f.other = (struct ndp_target_info){.implementation = "writer"};
        f.trial.encoder = &f.other;
        f.trial.is_read_by_oracle = rows[i].is_read_by_oracle;
        for (uint32_t k = 0; rows[i].peers[k] != '\0'; k++) {
            const enum ndp_slot slot = (enum ndp_slot)(NDP_SLOT_PEER0 + k);
            fixture_observe(&f, slot, &f.trial.promised);
            if (rows[i].peers[k] == 'w') fixture_elements(&f, slot)[0] ^= 1;
        }
        oracle = f.outcome.slots[NDP_SLOT_RESULT];
        if (rows[i].has_oracle) f.trial.oracle = &oracle;
        if (!rows[i].oracle_is_right) fixture_elements(&f, NDP_SLOT_RESULT)[0] ^= 1;
        if (rows[i].is_refused) fixture_refuse(&f, NDP_SLOT_ENCODED);
        ndp_judgement_add(&f.trial, &kept, "values", "", &part, &f.judgement);
        assert_string_equal(f.judgement.outlier, rows[i].outlier);
        fixture_clear(&f);
    }
}

static void a_wrong_shape_is_reported_once(void **state) {
    static const int64_t turned[] = {3, 2};
    struct fixture f;
    make_trial(&f);
    struct ndp_observation *got = &f.outcome.slots[NDP_SLOT_RESULT].observation;
    got->shape = turned;
    fixture_elements(&f, NDP_SLOT_RESULT)[0] ^= 1;
    ndp_judgement_compare_promised(&f.trial, NDP_FIELD_BIT(VALUES), &f.trial.promised, got, &f.judgement);
    assert_int_equal(f.judgement.verdict, NDP_VERDICT_PASS);
    ndp_judgement_compare_promised(&f.trial, NDP_FIELD_BIT(SHAPE), &f.trial.promised, got, &f.judgement);
    assert_int_equal(f.judgement.verdict, NDP_VERDICT_DIVERGES);
    assert_string_equal(f.judgement.field, "shape");
    fixture_clear(&f);
}

static void an_array_beyond_its_input_breaks_truncation(void **state) {
    struct fixture f;
    struct ndp_contract contract;
    make_trial(&f);
    struct ndp_slot_record *record = &f.outcome.slots[NDP_SLOT_RESULT];
    const uint64_t size = record->observation.elements.size_bytes;
    ndp_contract_fill(&f.route, &f.target, &f.target, f.trial.features, &contract);
    record->observation.backing.has_offset = true;
    record->observation.backing.offset_bytes = 128;
    f.trial.input = (struct ndp_bytes){(const uint8_t *)"", 128 + size};
    assert_ptr_equal(ndp_judgement_broken_acceptance(&f.trial, record, &contract), contract.rows[NDP_FIELD_ACCEPTED]);
    f.trial.input.size_bytes--;
    assert_ptr_equal(ndp_judgement_broken_acceptance(&f.trial, record, &contract), contract.rows[NDP_FIELD_TRUNCATION]);
    record->observation.backing.offset_bytes = UINT64_MAX;
    assert_ptr_equal(ndp_judgement_broken_acceptance(&f.trial, record, &contract), contract.rows[NDP_FIELD_TRUNCATION]);
    fixture_clear(&f);
}

static void a_refusal_text_is_cut(void **state) {
    char text[NDP_DIFFERENCE_TEXT_BYTES];
    struct ndp_refusal refusal = {.type = "ValueError", .message = "no"};
    ndp_judgement_refusal_text(&refusal, text);
    assert_string_equal(text, "ValueError: no");
    memset(refusal.type, 'T', sizeof refusal.type - 1);
    memset(refusal.message, 'm', sizeof refusal.message - 1);
    ndp_judgement_refusal_text(&refusal, text);
    assert_true(strlen(text) < sizeof text);
}

NDP_SUITE(judgement_test, NDP_TEST(a_slot_belongs_to_its_side), NDP_TEST(a_filled_result_is_judged),
          NDP_TEST(an_allowed_refusal_is_a_verdict), NDP_TEST(only_the_encoder_may_refuse),
          NDP_TEST(an_unclaimed_value_is_unsupported), NDP_TEST(a_forbidden_acceptance_is_not_judged_by_field),
          NDP_TEST(a_defect_replaces_a_documented_loss), NDP_TEST(equal_parts_are_counted),
          NDP_TEST(differences_have_a_path), NDP_TEST(other_decoders_decide_the_outlier),
          NDP_TEST(a_wrong_shape_is_reported_once), NDP_TEST(an_array_beyond_its_input_breaks_truncation),
          NDP_TEST(a_refusal_text_is_cut));
