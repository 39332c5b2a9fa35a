/* The results that a schedule of dict operations allows.
 *
 * Problem: threads run operations concurrently; a result is correct when some sequential order of all operations, which
 * keeps the order of each thread, explains it.
 *
 * Method: judge each key separately. The possible states of a key are a bit mask: absent, or the item of a writer. A
 * read may see the last change of its own thread or any change of another thread; the final state is the last change of
 * some thread. Counts must be between the sums of certain and of possible states.
 *
 * Cost: keys times blocks. Limits: the counts of several keys are not related to each other, so a combination that no
 * order explains can pass.
 */
#include "model/dict.h"

#include <stdio.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "base/words.h"

const char *ndp_dict_type_word(enum ndp_dict_type type) {
    static const char *const words[] = {NDP_DICT_TYPE_LIST(NDP_WORD_ITEM)};
    return words[type];
}

const char *ndp_dict_op_word(enum ndp_dict_op op) {
    static const char *const words[] = {NDP_DICT_OP_LIST(NDP_WORD_ITEM)};
    return words[op];
}

uint32_t ndp_dict_writer(uint32_t thread, uint32_t block) {
    return thread * NDP_DICT_MAX_BLOCKS + block + 1;
}

uint32_t ndp_dict_key_count(const struct ndp_dict_value *value) {
    uint32_t count = value->initial;
    for (uint32_t t = 0; t < value->thread_count; t++) {
        for (uint32_t b = 0; b < value->threads[t].block_count; b++) {
            const struct ndp_dict_block *block = &value->threads[t].blocks[b];
            if (block->op != NDP_DICT_OP_ITERATE && block->first + block->count > count)
                count = block->first + block->count;
        }
    }
    return count;
}

const char *ndp_dict_invalid_reason(const struct ndp_dict_value *value) {
    if (value->key == NDP_DICT_ARRAY || value->key >= NDP_DICT_TYPE_COUNT) return "invalid type of keys";
    if (value->item == NDP_DICT_UNICODE || value->item == NDP_DICT_TUPLE || value->item >= NDP_DICT_TYPE_COUNT)
        return "invalid type of items";
    if (value->initial > NDP_DICT_MAX_KEYS) return "too many keys";
    if (value->rounds < 1 || value->rounds > NDP_DICT_MAX_ROUNDS) return "the number of rounds must be 1 to 32";
    if (value->thread_count < 1 || value->thread_count > NDP_DICT_MAX_THREADS)
        return "the number of threads must be 1 to 8";
    for (uint32_t t = 0; t < value->thread_count; t++) {
        if (value->threads[t].block_count > NDP_DICT_MAX_BLOCKS) return "a thread can have at most 4 blocks";
        for (uint32_t b = 0; b < value->threads[t].block_count; b++) {
            const struct ndp_dict_block *block = &value->threads[t].blocks[b];
            if (block->first > NDP_DICT_MAX_KEYS || block->count > NDP_DICT_MAX_KEYS - block->first)
                return "too many keys";
        }
    }
    return NULL;
}

static bool changes(const struct ndp_dict_block *block) {
    return (block->op == NDP_DICT_OP_SET || block->op == NDP_DICT_OP_DELETE) && block->count > 0;
}

static bool overlap(const struct ndp_dict_block *a, const struct ndp_dict_block *b) {
    if (b->op == NDP_DICT_OP_ITERATE) return true;
    return b->count > 0 && a->first < b->first + b->count && b->first < a->first + a->count;
}

/* Whether a block of one thread disturbs a block of another. Only assigning to existing keys that the other does not
 * use is harmless. */
static bool disturbs(const struct ndp_dict_value *value, const struct ndp_dict_block *block,
                     const struct ndp_dict_block *other) {
    if (!changes(block) || (other->op != NDP_DICT_OP_ITERATE && other->count == 0)) return false;
    bool only_overwrites = block->op == NDP_DICT_OP_SET && block->first + block->count <= value->initial;
    return !only_overwrites || overlap(block, other);
}

uint32_t ndp_dict_features(const struct ndp_dict_value *value) {
    for (uint32_t t = 0; t < value->thread_count; t++) {
        for (uint32_t b = 0; b < value->threads[t].block_count; b++) {
            for (uint32_t u = 0; u < value->thread_count; u++) {
                for (uint32_t c = 0; u != t && c < value->threads[u].block_count; c++) {
                    if (disturbs(value, &value->threads[t].blocks[b], &value->threads[u].blocks[c]))
                        return NDP_DICT_RACES;
                }
            }
        }
    }
    return 0;
}

/* The possible states of a key: bit 0 for absent, bit w + 1 for the item of writer w. */
static uint64_t state_of(uint32_t thread, uint32_t block, enum ndp_dict_op op) {
    return op == NDP_DICT_OP_DELETE ? 1 : UINT64_C(2) << ndp_dict_writer(thread, block);
}

static bool touches(const struct ndp_dict_block *block, uint32_t key) {
    return changes(block) && key >= block->first && key - block->first < block->count;
}

/* The possible final states: the last change of each thread can be the last of all. */
static uint64_t final_states(const struct ndp_dict_value *value, uint32_t key) {
    uint64_t states = 0;
    for (uint32_t t = 0; t < value->thread_count; t++) {
        for (uint32_t b = value->threads[t].block_count; b-- > 0;) {
            const struct ndp_dict_block *block = &value->threads[t].blocks[b];
            if (!touches(block, key)) continue;
            states |= state_of(t, b, block->op);
            break;
        }
    }
    return states != 0 ? states : key < value->initial ? 2 : 1;
}

/* The states that block `before` of `thread` can see: the last of its own thread, or any of another thread. */
static uint64_t seen_states(const struct ndp_dict_value *value, uint32_t thread, uint32_t before, uint32_t key) {
    uint64_t own = key < value->initial ? 2 : 1;
    uint64_t others = 0;
    for (uint32_t t = 0; t < value->thread_count; t++) {
        for (uint32_t b = 0; b < value->threads[t].block_count && (t != thread || b < before); b++) {
            const struct ndp_dict_block *block = &value->threads[t].blocks[b];
            if (!touches(block, key)) continue;
            if (t == thread) {
                own = state_of(t, b, block->op);
            } else {
                others |= state_of(t, b, block->op);
            }
        }
    }
    return own | others;
}

static bool complain(struct ndp_dict_complaint *complaint, const char *expected, int64_t got) {
    snprintf(complaint->expected, sizeof complaint->expected, "%s", expected);
    snprintf(complaint->got, sizeof complaint->got, "%lld", (long long)got);
    return false;
}

static int64_t number_at(struct ndp_bytes round, uint64_t index) {
    return (int64_t)ndp_load_u64le(round.data + index * 8);
}

/* The number of keys that a block may find. */
static bool block_is_allowed(const struct ndp_dict_value *value, uint32_t thread, uint32_t index, int64_t found,
                             int64_t foreign, struct ndp_dict_complaint *complaint) {
    const struct ndp_dict_block *block = &value->threads[thread].blocks[index];
    snprintf(complaint->path, sizeof complaint->path, "threads[%u][%u].foreign", thread, index);
    if (foreign != 0) return complain(complaint, "0", foreign);
    if (block->op != NDP_DICT_OP_READ && block->op != NDP_DICT_OP_ITERATE) return true;
    bool is_whole = block->op == NDP_DICT_OP_ITERATE;
    uint32_t first = is_whole ? 0 : block->first;
    uint32_t end = is_whole ? ndp_dict_key_count(value) : block->first + block->count;
    int64_t least = 0, most = 0;
    for (uint32_t key = first; key < end; key++) {
        uint64_t states = seen_states(value, thread, index, key);
        least += (states & 1) == 0;
        most += states != 1;
    }
    if (found >= least && found <= most) return true;
    char expected[NDP_DICT_TEXT_BYTES];
    snprintf(expected, sizeof expected, "%lld to %lld", (long long)least, (long long)most);
    snprintf(complaint->path, sizeof complaint->path, "threads[%u][%u].found", thread, index);
    return complain(complaint, expected, found);
}

static bool entries_are_allowed(const struct ndp_dict_value *value, struct ndp_bytes round, uint64_t at, uint64_t end,
                                struct ndp_dict_complaint *complaint) {
    uint8_t seen[NDP_DICT_MAX_KEYS] = {0};
    uint32_t key_count = ndp_dict_key_count(value);
    for (; at < end; at += 2) {
        int64_t key = number_at(round, at), item = number_at(round, at + 1);
        snprintf(complaint->path, sizeof complaint->path, "keys[%lld]", (long long)key);
        if (key < 0 || key >= key_count) return complain(complaint, "a key that the schedule sets", item);
        if (seen[key]++ != 0) return complain(complaint, "each key once per iteration", 2);
        int64_t writer = 0;
        bool is_known =
            ndp_checked_add_i64(item, -key * NDP_DICT_WRITERS, &writer) && writer >= 0 && writer < NDP_DICT_WRITERS - 1;
        if (!is_known || (final_states(value, (uint32_t)key) >> (writer + 1) & 1) == 0)
            return complain(complaint, "the item of a thread's last write", item);
    }
    for (uint32_t key = 0; key < key_count; key++) {
        if (seen[key] != 0 || (final_states(value, key) & 1) != 0) continue;
        snprintf(complaint->path, sizeof complaint->path, "keys[%u]", key);
        return complain(complaint, "in the dict", -1);
    }
    return true;
}

bool ndp_dict_round_is_allowed(const struct ndp_dict_value *value, struct ndp_bytes round,
                               struct ndp_dict_complaint *complaint) {
    uint64_t blocks = 0;
    for (uint32_t t = 0; t < value->thread_count; t++) blocks += value->threads[t].block_count;
    uint64_t count = round.size_bytes / 8, start = 2 + 2 * blocks, at = 2;
    snprintf(complaint->path, sizeof complaint->path, "numbers");
    if (round.size_bytes % 16 != 0 || count < start) return complain(complaint, "a complete record", (int64_t)count);
    snprintf(complaint->path, sizeof complaint->path, "errors");
    if (number_at(round, 1) != 0) return complain(complaint, "0", number_at(round, 1));
    snprintf(complaint->path, sizeof complaint->path, "length");
    char expected[NDP_DICT_TEXT_BYTES];
    snprintf(expected, sizeof expected, "%llu, the number of iterated entries",
             (unsigned long long)(count - start) / 2);
    if (number_at(round, 0) != (int64_t)((count - start) / 2))
        return complain(complaint, expected, number_at(round, 0));
    for (uint32_t t = 0; t < value->thread_count; t++) {
        for (uint32_t b = 0; b < value->threads[t].block_count; b++, at += 2)
            if (!block_is_allowed(value, t, b, number_at(round, at), number_at(round, at + 1), complaint)) return false;
    }
    return entries_are_allowed(value, round, start, count, complaint);
}
