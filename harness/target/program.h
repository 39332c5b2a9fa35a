/* program.h: the work that a target does for a case, and its results.
 *
 * A case is a short program of steps over named slots. A step reads slots that earlier steps filled and fills one of
 * its own; a step whose input was refused is skipped. Targets run steps and compare nothing. The same structs serve
 * targets in this process and testees (target/protocol/wire.h converts them to frames).
 */
#ifndef NDP_PROGRAM_H
#define NDP_PROGRAM_H

#include "describe/descriptor.h"
#include "model/array.h"
#include "model/dict.h"
#include "model/graph/graph.h"
#include "model/observation.h"

/* enum name, word on the wire, what it does */
#define NDP_STEP_LIST(X)                                                                                               \
    X(BUILD, "build", "builds the value of the case in `to`")                                                          \
    X(OBSERVE, "observe", "records the content of `from`")                                                             \
    X(ENCODE, "encode", "encodes the array in `from` by `format`, `entry`; bytes and buffers into `to`")               \
    X(DECODE, "decode", "decodes the bytes in `from` by `format`, `entry`; the array into `to`")                       \
    X(POKE, "poke", "inverts every bit of element 0 of the array in `from`, in place")                                 \
    X(FLUSH, "flush", "flushes the memory map in `from`")                                                              \
    X(FETCH, "fetch", "returns the bytes in `from` (for a mapped array: its file as it is on disk now)")               \
    X(SUPPLY, "supply", "puts the bytes that came with the program into `to`")                                         \
    X(TRANSPORT, "transport", "sends the array in `from` by `format`, `entry` to another process and back")            \
    X(CALL, "call", "calls every callable in `from` once, with the probe")                                             \
    X(SIZE, "size", "records the peak memory of the step before, when the target can measure it")

#define NDP_STEP_ENUM(name, word, text) NDP_STEP_##name,
enum ndp_step_op { NDP_STEP_LIST(NDP_STEP_ENUM) NDP_STEP_COUNT };

/* enum name, word on the wire, content. */
#define NDP_SLOT_LIST(X)                                                                                               \
    X(NONE, "", "nothing")                                                                                             \
    X(SOURCE, "source", "the value as the encoding side built it")                                                     \
    X(ENCODED, "encoded", "its encoding")                                                                              \
    X(RESULT, "result", "the decoded value")                                                                           \
    X(REENCODED, "reencoded", "the result encoded again")                                                              \
    X(AGAIN, "again", "and decoded again")                                                                             \
    X(PEER_ENCODED, "peer_encoded", "the source encoded by another entry point")                                       \
    X(PEER0, "peer0", "the encoding decoded by another entry point")                                                   \
    X(PEER1, "peer1", "and another")                                                                                   \
    X(PEER2, "peer2", "and another")                                                                                   \
    X(PEER3, "peer3", "and another")                                                                                   \
    X(POKED, "poked", "filled when POKE worked, refused when the array is read-only")                                  \
    X(FLUSHED, "flushed", "filled when FLUSH worked, refused when it did not")                                         \
    X(FILE_AFTER, "file_after", "the bytes on disk after POKE and FLUSH of the result")                                \
    X(PEAK, "peak", "the peak memory of decoding the result")                                                          \
    X(SOURCE_AFTER, "source_after", "the source after everything else")                                                \
    X(RESULT_AFTER, "result_after", "the result after POKE")                                                           \
    X(CALLED, "called", "filled when CALL of the source worked")                                                       \
    X(CALLED_ENCODED, "called_encoded", "the source encoded once more after CALL")                                     \
    X(CALLED_RESULT, "called_result", "and the value that the receiver decoded from it")                               \
    X(TRANSCODED, "transcoded", "the result encoded in another format")                                                \
    X(TRANSCODED_RESULT, "transcoded_result", "and the value decoded from it")                                         \
    X(DIRECT, "direct", "the source encoded in that other format")                                                     \
    X(DIRECT_RESULT, "direct_result", "and the value decoded from it")                                                 \
    X(TOUCHED, "touched", "filled when POKE of the source worked, refused when the source is read-only")               \
    X(TOUCHED_SOURCE, "touched_source", "the source after that POKE")                                                  \
    X(TOUCHED_ENCODED, "touched_encoded", "the same source encoded once more after POKE")                              \
    X(TOUCHED_RESULT, "touched_result", "and the value that the receiver decoded from it")

#define NDP_SLOT_ENUM(name, word, text) NDP_SLOT_##name,
enum ndp_slot { NDP_SLOT_LIST(NDP_SLOT_ENUM) NDP_SLOT_COUNT };

/* "source", as on the wire. */
extern const char *const ndp_slot_words[NDP_SLOT_COUNT];

struct ndp_step {
    enum ndp_step_op op;
    enum ndp_slot from;
    enum ndp_slot to; /* OBSERVE, FETCH, SIZE: the slot of the record */
    char format[NDP_WORD_BYTES];
    char entry[NDP_WORD_BYTES];
    char buffers[NDP_WORD_BYTES];
    int32_t protocol;
    uint64_t offset_bytes;
    int32_t level;      /* ENCODE: compression level 1..9; 0: default */
    int64_t max_nbytes; /* TRANSPORT: as in struct ndp_route */
    char map_mode[8];
    enum ndp_history history; /* ENCODE, DECODE, TRANSPORT: events before and around the call */
};

enum { NDP_MAX_STEPS = 48, NDP_MAX_OUT_OF_BAND = 16 };

/* Borrowed by the target until the outcome is collected. */
struct ndp_program {
    uint64_t case_id;
    struct ndp_step steps[NDP_MAX_STEPS];
    uint32_t step_count;
    const struct ndp_array_value *value; /* BUILD; may be NULL */
    struct ndp_bytes base_bytes;         /* the filled base, so that targets need no data patterns */
    const struct ndp_graph *graph;       /* replaces `value`: a recipe with the data of its arrays; BUILD makes it live,
                                          * and every observation is of a graph */
    const struct ndp_dict_value *dict;   /* replaces `value`: every observation is of a dict */
    const struct ndp_array *as; /* DECODE of a format without a header (raw): dtype, shape, order; may be NULL */
    enum ndp_memory_order as_order;
    bool allows_objects;       /* DECODE of supplied bytes: may unpickle objects ("objects" on the wire) */
    struct ndp_bytes supplied; /* SUPPLY */
    struct ndp_bytes supplied_buffers[NDP_MAX_OUT_OF_BAND];
    uint32_t supplied_buffer_count;
};

/* enum name, word on the wire: the reason of a refusal, independent of the language */
#define NDP_REFUSAL_LIST(X)                                                                                            \
    X(VALUE, "value")                                                                                                  \
    X(TYPE, "type")                                                                                                    \
    X(LIMIT, "limit")                                                                                                  \
    X(MEMORY, "memory")                                                                                                \
    X(TRUNCATED, "truncated")                                                                                          \
    X(IO, "io")                                                                                                        \
    X(WORKER, "worker")                                                                                                \
    X(UNSUPPORTED, "unsupported")                                                                                      \
    X(INTERNAL, "internal")                                                                                            \
    X(OTHER, "other")

#define NDP_REFUSAL_ENUM(name, word) NDP_REFUSAL_##name,
enum ndp_refusal_class { NDP_REFUSAL_LIST(NDP_REFUSAL_ENUM) NDP_REFUSAL_COUNT };

/* "value", as on the wire. */
extern const char *const ndp_refusal_words[NDP_REFUSAL_COUNT];

/* ABSENT: no step filled it. UNSUPPORTED: the target does not claim it. */
enum ndp_slot_state { NDP_SLOT_ABSENT, NDP_SLOT_FILLED, NDP_SLOT_REFUSED, NDP_SLOT_UNSUPPORTED };

struct ndp_refusal {
    enum ndp_refusal_class reason;
    char type[64];     /* the target's exception or error type: "ValueError" */
    char message[192]; /* the target's message, truncated */
};

struct ndp_slot_record {
    enum ndp_slot_state state;
    struct ndp_refusal refusal; /* REFUSED, UNSUPPORTED */
    bool has_observation;
    struct ndp_observation observation;
    const struct ndp_graph *graph;           /* the observation of a graph, or NULL */
    const struct ndp_dict_observation *dict; /* the observation of a dict, or NULL */
    bool has_bytes;
    struct ndp_bytes bytes;
    struct ndp_bytes buffers[NDP_MAX_OUT_OF_BAND];
    uint32_t buffer_count;
    bool has_peak;
    uint64_t peak_bytes;
};

/* enum name, word in reports, meaning. A verdict concerns one target and one case. */
#define NDP_VERDICT_LIST(X)                                                                                            \
    X(PASS, "PASS", "every compared promise was kept")                                                                 \
    X(DIVERGES, "DIVERGES", "a promise was broken")                                                                    \
    X(REJECTS, "REJECTS", "refused, as the contract allows")                                                           \
    X(UNSUPPORTED, "UNSUPPORTED", "the target does not claim this")                                                    \
    X(CRASH, "CRASH", "a signal or an unexpected exit ended it")                                                       \
    X(TIMEOUT, "TIMEOUT", "the deadline passed")                                                                       \
    X(OOM, "OOM", "the memory limit was exceeded")                                                                     \
    X(FLAKY, "FLAKY", "seen, but not in every confirmation")                                                           \
    X(FAULT, "FAULT", "ndproof or the testee failed; no conclusion about the library")

#define NDP_VERDICT_ENUM(name, word, text) NDP_VERDICT_##name,
enum ndp_verdict { NDP_VERDICT_LIST(NDP_VERDICT_ENUM) NDP_VERDICT_COUNT };

/* "DIVERGES". Never NULL. */
const char *ndp_program_verdict_word(enum ndp_verdict verdict);

/* How the process of a target ended. */
struct ndp_death {
    int signal;     /* 0 when it exited by itself */
    int exit_code;  /* when it exited by itself */
    char frame[96]; /* the first frame in a library's own code, when known */
};

/* The outcome of a program. `ended` is PASS when the target completed it, even with refusals. With CRASH, TIMEOUT, OOM
 * and FAULT (broken protocol) the slots contain the results so far. UNSUPPORTED: not run, because too many cases of the
 * batch timed out. */
struct ndp_outcome {
    uint64_t case_id;
    enum ndp_verdict ended;
    struct ndp_death death;
    struct ndp_slot_record slots[NDP_SLOT_COUNT];
    char fault[160]; /* FAULT: the error; UNSUPPORTED: why it was not run */
    struct ndp_bytes stderr_tail;
};

/* Sets the memory layout that a program uses for formats without a header (harness/testees/README.md, format raw): that
 * of `model`. */
void ndp_program_set_raw_layout(struct ndp_program *program, const struct ndp_array *model);

/* Sets a program to zero steps, or an outcome to zero records, regardless of the old content. Arrays that have a count
 * are not cleared: they are most of both structs, and every case has several. */
void ndp_program_clear(struct ndp_program *program);
void ndp_program_outcome_clear(struct ndp_outcome *outcome);

#endif
