/* fuzz.h: the interface between a fuzz target and fuzzers/runtime/.
 *
 * A target is one function that checks one input. libFuzzer, AFL++ and replay.c call it through runtime.c, which counts
 * executions, files findings and watches memory, files and time. The name of a target follows from its file:
 * fuzz_<form>[_<qualifier>].c takes inputs of that form, and the form selects mutator, dictionary and seed corpus.
 * Source: LLVM 14, compiler-rt/include/fuzzer/FuzzerInterface.h. */
#ifndef NDP_FUZZ_H
#define NDP_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The target's name without "fuzz_": "npy", "descriptor_trip". */
extern const char fuzz_name[];

/* The most processor time that an input may take for each byte of the input and of its output, beyond a constant that
 * every input may take. The unit is the time in which base/rng.h hashes one byte on the same machine at that moment;
 * 0 is no limit. A target that is linear in its input defines FUZZ_HASHES_PER_BYTE before it includes this header. */
extern const unsigned fuzz_hashes_per_byte;
#ifdef NDP_FUZZ_NAME
const char fuzz_name[] = NDP_FUZZ_NAME;
#ifndef FUZZ_HASHES_PER_BYTE
#define FUZZ_HASHES_PER_BYTE 0
#endif
const unsigned fuzz_hashes_per_byte = FUZZ_HASHES_PER_BYTE;
/* runtime.c defines LLVMFuzzerTestOneInput and calls the target by this name. */
#define LLVMFuzzerTestOneInput fuzz_one_input
#endif

/* Checks one input (borrowed); returns 0. A target defines it; the macro above renames that definition. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int fuzz_one_input(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Rewrites `data` (the first `size` of `max_size` bytes) in place and returns its new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Fills `out` from parts of both inputs and returns its size. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second, size_t second_size,
                                 uint8_t *out, size_t max_size, unsigned int seed);

/* The engine's own mutation of bytes; NULL without an engine. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* ---- checks and findings ---- */

/* Whether a promise of the oracle is kept. A broken promise is filed with the input under its signature and the run
 * goes on, so later code must not rely on it. FUZZ_HOLDS_OF adds a text to the signature, which must contain no bytes,
 * addresses, line numbers or times. */
#define FUZZ_HOLDS(promise)          FUZZ_HOLDS_OF("", promise)
#define FUZZ_HOLDS_OF(what, promise) ((promise) ? true : fuzz_broken(__func__, #promise, what))

/* As above, for a promise without which the process cannot go on: a broken one ends it. */
#define FUZZ_CHECK(promise) FUZZ_CHECK_OF("", promise)
#define FUZZ_CHECK_OF(what, promise)                                                                                   \
    do {                                                                                                               \
        if (!(promise)) fuzz_end(__func__, #promise, what);                                                            \
    } while (0)

/* Files a broken promise; returns false. */
bool fuzz_broken(const char *function, const char *promise, const char *what);

/* Files a fault of ndproof or of a testee, which is no defect of the code under test. The first report of `what` also
 * prints `detail`, which is no part of the signature. */
void fuzz_fault(const char *what, const char *detail);

/* Files a broken promise and ends the process. */
_Noreturn void fuzz_end(const char *function, const char *promise, const char *what);

/* Ends the process because something that the target needs is missing on this machine: exit code 3, or under AFL++,
 * which would start it again, a signal. harness/cmd/run_fuzz_target.c recognises the message. */
_Noreturn void fuzz_cannot_work(const char *reason);

/* Files the input of this call under `signature`: the first input becomes an artifact and is printed, further ones are
 * counted. */
void fuzz_finding(const char *signature);

/* Files this text (borrowed until the call of the target ends) in place of the input, because it is run in its place.
 */
void fuzz_runs_instead(const uint8_t *data, size_t size);

/* The number of findings of this process, duplicates included. */
uint64_t fuzz_hits(void);

/* ---- what an input counts as ---- */

/* Counts this input as valid (accepted or executed), with the number of comparisons it led to. */
void fuzz_valid(uint64_t comparisons);

/* Counts comparisons of an input that was refused, as it should be. */
void fuzz_compared(uint64_t comparisons);

/* Adds bytes of output to the size that the time limit is measured by: a few bytes of input may lead to many. */
void fuzz_wrote(uint64_t size_bytes);

/* Whether these bytes were run and counted as valid, as far as the table of hashes remembers: by this process or, with
 * shared counters, by another. */
bool fuzz_is_accepted(const uint8_t *data, size_t size);

/* Reports bytes that the mutator made on the structure of an input, which are meant to be valid; their share is counted
 * separately. NULL reports a change of bytes or tokens, whose result may be invalid. */
void fuzz_mutated(const uint8_t *typed, size_t size);

/* Whether the mutator reported this input so. */
bool fuzz_is_typed(void);

/* Clears the coverage that the engine has counted for this input so far: how a descriptor's text was read says nothing
 * about the codec that its value goes to. */
void fuzz_forget_coverage(void);

/* Keeps the engine from storing this input. */
void fuzz_leave_out(void);

/* Clears everything that this input has counted, here and in the engine: an input that was not executed is worth no
 * mutation. NULL unless counters.c is linked in. */
__attribute__((weak)) void fuzz_forget_input(void);

/* Whether NDP_FUZZ_EMPTY asks for the engine alone, without a mutator. */
bool fuzz_is_engine_alone(void);

/* Repeats a step of the mutator if the file at `path` is an artifact of such a step (mutate/mutation.h). */
__attribute__((weak)) void fuzz_mutate_again(const char *path);

/* Fills `out` with the path of an artifact of this target whose name ends in `what`. */
void fuzz_artifact_path(const char *what, char *out, size_t out_bytes);

/* Stores how many counters of a testee moved when it was tested that they do. */
void fuzz_has_feedback(uint32_t counters);

/* Hooks of counters.c before and after each input; NULL unless it is linked in. */
__attribute__((weak)) void fuzz_before_input(void);
__attribute__((weak)) void fuzz_after_input(void);

/* The processor time of a testee and its children since it was opened. NULL unless counters.c is linked in. */
__attribute__((weak)) uint64_t fuzz_testee_us(void);

/* ---- spreading costly checks ---- */

/* Checks that cost more than decoding from memory, each with a number of its own. */
enum fuzz_costly {
    FUZZ_COSTLY_FILE,     /* files and maps as entry points */
    FUZZ_COSTLY_PROCESS,  /* compressors and new processes as entry points */
    FUZZ_COSTLY_AGAIN,    /* the round trip of an accepted value */
    FUZZ_COSTLY_PEERS,    /* which half of the other entry points */
    FUZZ_COSTLY_PEAK,     /* memory at its peak */
    FUZZ_COSTLY_STREAM,   /* a stream in chunks */
    FUZZ_COSTLY_BREAK,    /* a stream or a sink that fails */
    FUZZ_COSTLY_LIMIT,    /* limits that are just met */
    FUZZ_COSTLY_FAILURE,  /* an allocation that fails */
    FUZZ_COSTLY_SPELLING, /* the same value spelled in another way */
    FUZZ_COSTLY_TWICE,    /* the reference reads the same bytes twice */
    FUZZ_COSTLY_PROPERTY  /* plus the number of a property that needs more than one round trip */
};

/* Whether this input runs a costly check. This is the only rule that spreads them: one input in `one_in` runs the
 * check, selected by a hash of the input and the number of the check. A seed and a replayed file are run FUZZ_TURNS
 * times and so run every check whose `one_in` is at most that; an input of the engine is run once. */
enum { FUZZ_TURNS = 16 };
bool fuzz_is_due(uint32_t check, uint32_t one_in);

/* Runs seeds once like any other input, because a target with a testee takes milliseconds for each. */
void fuzz_run_once(void);

/* A number that follows from all bytes of an input and from the turn, to select among variants. */
uint64_t fuzz_pick(const uint8_t *data, size_t size);

/* Starts another round over the same inputs when speed is measured: costly checks and variants are selected anew. */
void fuzz_next_round(void);

#endif
