/* Runs a schedule of dict operations with threads.
 *
 * Problem: a dict shared by threads must behave as if all operations had run in some order.
 *
 * Method: each round creates a dict, starts one thread per plan, releases them together and lets each run its blocks of
 * operations. It records only counts (hits, misses, items that were never written) and the final entries; model/dict.h
 * decides whether an order exists.
 *
 * Cost: a thread per plan and round. Limits: nothing forces a certain interleaving, so a race may need several cases to
 * show.
 */
#include "target/dict_schedule.h"

#include <pthread.h>
#include <string.h>

#include "base/byteorder.h"

enum { HEAD_NUMBERS = 2, MAX_ENTRIES = 2 * NDP_DICT_MAX_KEYS };

/* The counts of one block. */
struct counts {
    int64_t found;
    int64_t foreign;
};

/* One round. */
struct round {
    const struct ndp_plugin_dict *plugin;
    const struct ndp_dict_value *value;
    void *dict;
    pthread_mutex_t lock;
    pthread_cond_t change;
    uint32_t arrived; /* threads that have reached the start */
    struct counts counts[NDP_DICT_MAX_THREADS][NDP_DICT_MAX_BLOCKS];
};

struct job {
    struct round *round;
    uint32_t thread;
};

static void count_entry(void *context, int64_t key, int64_t item) {
    struct counts *counts = context;
    counts->found++;
    if (item < 0 || item / NDP_DICT_WRITERS != key) counts->foreign++;
}

static void run_block(struct round *round, uint32_t thread, uint32_t index) {
    const struct ndp_plugin_dict *plugin = round->plugin;
    const struct ndp_dict_block *block = &round->value->threads[thread].blocks[index];
    struct counts *counts = &round->counts[thread][index];
    const int64_t end = (int64_t)block->first + block->count;
    if (block->op == NDP_DICT_OP_ITERATE) plugin->each(round->dict, count_entry, counts);
    for (int64_t key = block->first; block->op != NDP_DICT_OP_ITERATE && key < end; key++) {
        int64_t item = 0;
        if (block->op == NDP_DICT_OP_SET)
            plugin->set(round->dict, key, key * NDP_DICT_WRITERS + ndp_dict_writer(thread, index));
        if (block->op == NDP_DICT_OP_READ && plugin->get(round->dict, key, &item)) count_entry(counts, key, item);
        if (block->op == NDP_DICT_OP_DELETE) counts->found += plugin->remove(round->dict, key);
    }
}

/* Blocks until the last thread has arrived. */
static void await_start(struct round *round) {
    (void)pthread_mutex_lock(&round->lock);
    round->arrived++;
    while (round->arrived < round->value->thread_count) (void)pthread_cond_wait(&round->change, &round->lock);
    (void)pthread_cond_broadcast(&round->change);
    (void)pthread_mutex_unlock(&round->lock);
}

static void *work(void *context) {
    const struct job *job = context;
    await_start(job->round);
    const uint32_t count = job->round->value->threads[job->thread].block_count;
    for (uint32_t i = 0; i < count; i++) run_block(job->round, job->thread, i);
    return NULL;
}

/* Starts a thread per plan. A thread that could not be started counts as arrived. */
static enum ndp_status run_threads(struct round *round) {
    pthread_t threads[NDP_DICT_MAX_THREADS];
    struct job jobs[NDP_DICT_MAX_THREADS];
    uint32_t started = 0;
    const uint32_t count = round->value->thread_count;
    while (started < count) {
        jobs[started] = (struct job){round, started};
        if (pthread_create(&threads[started], NULL, work, &jobs[started]) != 0) break;
        started++;
    }
    if (started < count) {
        (void)pthread_mutex_lock(&round->lock);
        round->arrived += count - started;
        (void)pthread_cond_broadcast(&round->change);
        (void)pthread_mutex_unlock(&round->lock);
    }
    for (uint32_t i = 0; i < started; i++) (void)pthread_join(threads[i], NULL);
    return started == count ? NDP_OK : NDP_IO;
}

/* The entries in iteration order, two numbers each. Entries beyond the capacity are only counted. */
struct dump {
    uint8_t *bytes;
    uint64_t count;
};

static void dump_entry(void *context, int64_t key, int64_t item) {
    struct dump *dump = context;
    if (dump->count < MAX_ENTRIES) {
        ndp_store_u64le(dump->bytes + dump->count * 16, (uint64_t)key);
        ndp_store_u64le(dump->bytes + dump->count * 16 + 8, (uint64_t)item);
    }
    dump->count++;
}

/* Writes the numbers of a round in the form of struct ndp_dict_observation. */
static enum ndp_status write_seen(struct ndp_arena *arena, struct round *round, uint8_t *scratch,
                                  struct ndp_bytes *out) {
    uint8_t *at = scratch + UINT64_C(8) * HEAD_NUMBERS;
    ndp_store_u64le(scratch, (uint64_t)round->plugin->length(round->dict));
    ndp_store_u64le(scratch + 8, 0);
    for (uint32_t t = 0; t < round->value->thread_count; t++) {
        for (uint32_t b = 0; b < round->value->threads[t].block_count; b++, at += 16) {
            ndp_store_u64le(at, (uint64_t)round->counts[t][b].found);
            ndp_store_u64le(at + 8, (uint64_t)round->counts[t][b].foreign);
        }
    }
    struct dump dump = {at, 0};
    round->plugin->each(round->dict, dump_entry, &dump);
    const uint64_t entries = dump.count < MAX_ENTRIES ? dump.count : MAX_ENTRIES;
    const uint64_t size_bytes = (uint64_t)(at - scratch) + entries * 16;
    *out = (struct ndp_bytes){ndp_arena_copy(arena, scratch, size_bytes), size_bytes};
    return out->data != NULL ? NDP_OK : NDP_NOMEM;
}

static enum ndp_status run_round(struct ndp_arena *arena, const struct ndp_plugin_dict *plugin,
                                 const struct ndp_dict_value *value, uint8_t *scratch, struct ndp_bytes *out) {
    struct round round = {.plugin = plugin, .value = value};
    round.dict = plugin->make(ndp_dict_type_word(value->key), ndp_dict_type_word(value->item));
    if (round.dict == NULL) return NDP_UNSUPPORTED;
    (void)pthread_mutex_init(&round.lock, NULL);
    (void)pthread_cond_init(&round.change, NULL);
    for (int64_t key = 0; key < value->initial; key++) plugin->set(round.dict, key, key * NDP_DICT_WRITERS);
    enum ndp_status status = run_threads(&round);
    if (status == NDP_OK) status = write_seen(arena, &round, scratch, out);
    (void)pthread_cond_destroy(&round.change);
    (void)pthread_mutex_destroy(&round.lock);
    plugin->free(round.dict);
    return status;
}

enum ndp_status ndp_dict_schedule_run(struct ndp_arena *arena, const struct ndp_plugin_dict *plugin,
                                      const struct ndp_dict_value *value, struct ndp_dict_observation *out) {
    enum { BLOCK_NUMBERS = 2 * NDP_DICT_MAX_THREADS * NDP_DICT_MAX_BLOCKS };
    struct ndp_dict_observation seen = {.round_count = value->rounds};
    uint8_t *scratch = ndp_arena_alloc(arena, 8 * (HEAD_NUMBERS + BLOCK_NUMBERS + UINT64_C(2) * MAX_ENTRIES));
    if (scratch == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < value->rounds; i++) NDP_TRY(run_round(arena, plugin, value, scratch, &seen.rounds[i]));
    *out = seen;
    return NDP_OK;
}
