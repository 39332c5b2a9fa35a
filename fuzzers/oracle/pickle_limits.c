#include "oracle/pickle_limits.h"

#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "codec/pickle/pickle_read.h"
#include "form/pickle_ops.h"
#include "fuzz.h"

enum { PLACES_MAX = 1 << 12, MARKS_MAX = 1 << 10, MEMOIZE = 0x94 };

struct counting {
    struct fuzz_pickle_counts counts;
    uint64_t depth; /* of the stack */
    uint32_t mark_count;
    uint64_t marks[MARKS_MAX];
    bool has_calls;
    bool is_put[PLACES_MAX];
};

static bool is_one_of(uint8_t opcode, const char *ops) {
    return opcode != 0 && strchr(ops, opcode) != NULL;
}

static bool put(struct counting *c, struct ndp_bytes op) {
    uint64_t index = c->counts.memo_entries;
    if (op.data[0] == 'p') index = strtoull((const char *)op.data + 1, NULL, 10);
    if (op.data[0] == 'q') index = op.data[1];
    if (op.data[0] == 'r') index = ndp_load_u32le(op.data + 1);
    if (index >= PLACES_MAX) return false;
    c->counts.memo_entries += !c->is_put[index];
    c->is_put[index] = true;
    return true;
}

/* Removes everything above the last mark, and the mark. */
static bool take_mark(struct counting *c, uint64_t *above) {
    if (c->mark_count == 0) return false;
    *above = c->depth - c->marks[--c->mark_count];
    c->depth = c->marks[c->mark_count];
    return true;
}

static bool count_marked(struct counting *c, uint8_t opcode) {
    uint64_t above = 0;
    if (!take_mark(c, &above)) return false;
    if (opcode != '1') c->counts.elements += opcode == 'o' ? above - 1 : above;
    c->depth += is_one_of(opcode, "tldio\x91");
    return true;
}

/* The effect of an opcode on the stack. Source: CPython 3.11, Lib/pickletools.py, opcodes. */
static bool count_op(struct counting *c, struct ndp_bytes op) {
    const uint8_t opcode = op.data[0];
    if (is_one_of(opcode, "pqr\x94")) return put(c, op);
    if (is_one_of(opcode, "1eudltoi\x90\x91")) return count_marked(c, opcode);
    if (opcode == '(') {
        if (c->mark_count == MARKS_MAX) return false;
        c->marks[c->mark_count++] = c->depth;
        return true;
    }
    if (opcode == '0' && c->mark_count > 0 && c->depth == c->marks[c->mark_count - 1]) {
        c->mark_count--;
        return true;
    }
    if (is_one_of(opcode, "a\x85")) c->counts.elements += 1;
    if (is_one_of(opcode, "s\x86")) c->counts.elements += 2;
    if (opcode == 0x87) c->counts.elements += 3;
    c->has_calls = c->has_calls || opcode == 'R';
    if (is_one_of(opcode, "\x80\x95\x85\x98.")) return true;
    if (is_one_of(opcode, "0abR\x81\x86\x93"))
        c->depth -= 1;
    else if (is_one_of(opcode, "s\x87\x92"))
        c->depth -= 2;
    else
        c->depth += 1;
    return true;
}

bool fuzz_count_pickle(struct ndp_bytes pickle, struct fuzz_pickle_counts *out) {
    static struct fuzz_ops ops;
    static struct counting counting;
    if (pickle.size_bytes == 0) return false;
    fuzz_ops_split(pickle, &ops);
    counting = (struct counting){.depth = 0};
    for (uint32_t i = 0; i < ops.count && ops.count < FUZZ_MAX_OPS; i++) {
        counting.counts.opcodes++;
        if (!count_op(&counting, ops.list[i])) return false;
        if (ops.list[i].data[0] != '.') continue;
        *out = counting.counts;
        if (counting.has_calls) out->elements = 0;
        return true;
    }
    return false;
}

static enum ndp_status read_within(struct ndp_bytes pickle, const struct fuzz_pickle_counts *most) {
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    const struct ndp_pickle_options options = {
        .opcodes_max = most->opcodes, .memo_entries_max = most->memo_entries, .elements_max = most->elements};
    struct ndp_source source = ndp_source_memory(pickle);
    struct ndp_objects objects;
    struct ndp_pickle read;
    ndp_objects_init(&objects, &arena);
    const enum ndp_status status = ndp_pickle_read(&objects, &source, &options, &read, NULL);
    ndp_objects_clear(&objects);
    ndp_arena_reset(&arena);
    return status;
}

void fuzz_check_pickle_limits(struct ndp_bytes pickle, uint64_t pick) {
    struct fuzz_pickle_counts most;
    if (!fuzz_count_pickle(pickle, &most)) return;
    FUZZ_HOLDS(read_within(pickle, &most) == NDP_OK);
    uint64_t *less = pick % 3 == 0 ? &most.opcodes : pick % 3 == 1 ? &most.memo_entries : &most.elements;
    /* Zero is no limit. */
    if (*less < 2) return;
    *less -= 1;
    FUZZ_HOLDS(read_within(pickle, &most) == NDP_LIMIT);
}
