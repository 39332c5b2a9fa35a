#include "target/program.h"

#include <stddef.h>
#include <string.h>

#include "base/words.h"

const char *const ndp_slot_words[NDP_SLOT_COUNT] = {NDP_SLOT_LIST(NDP_WORD_ITEM)};

const char *const ndp_refusal_words[NDP_REFUSAL_COUNT] = {NDP_REFUSAL_LIST(NDP_WORD_ITEM)};

NDP_WORDS(ndp_program_verdict_word, enum ndp_verdict, NDP_VERDICT_LIST, "?")

void ndp_program_clear(struct ndp_program *program) {
    const size_t behind = offsetof(struct ndp_program, step_count);
    program->case_id = 0;
    memset((uint8_t *)program + behind, 0, sizeof *program - behind);
}

static void clear_record(struct ndp_slot_record *record) {
    record->state = NDP_SLOT_ABSENT;
    record->refusal.reason = NDP_REFUSAL_VALUE;
    record->refusal.type[0] = '\0';
    record->refusal.message[0] = '\0';
    record->has_observation = false;
    record->observation = (struct ndp_observation){.dtype = NULL};
    record->graph = NULL;
    record->dict = NULL;
    record->has_bytes = false;
    record->bytes = (struct ndp_bytes){NULL, 0};
    record->buffer_count = 0;
    record->has_peak = false;
    record->peak_bytes = 0;
}

void ndp_program_outcome_clear(struct ndp_outcome *outcome) {
    outcome->case_id = 0;
    outcome->ended = NDP_VERDICT_PASS;
    outcome->death = (struct ndp_death){.signal = 0};
    for (size_t i = 0; i < NDP_SLOT_COUNT; i++) clear_record(&outcome->slots[i]);
    outcome->fault[0] = '\0';
    outcome->stderr_tail = (struct ndp_bytes){NULL, 0};
}

void ndp_program_set_raw_layout(struct ndp_program *program, const struct ndp_array *model) {
    const uint64_t itemsize_bytes = model->dtype->itemsize_bytes;
    const bool is_f = ndp_layout_is_f_contiguous(&model->layout, itemsize_bytes) &&
                      !ndp_layout_is_c_contiguous(&model->layout, itemsize_bytes);
    program->as = model;
    program->as_order = is_f ? NDP_MEMORY_F : NDP_MEMORY_C;
}
