/* fuzz.h: what fuzz targets share. A target is one function that judges one input; libFuzzer, AFL++ and replay.c call
 * it through runtime/: it counts, and files what is found. A target's name follows from that of its file:
 * fuzz_<form>[_<what>].c takes inputs of that form, and the form decides on mutator, dictionary and seeds.
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

/* The target's name: "npy", "descriptor_trip". */
extern const char fuzz_name[];
/* The most processor time that an input may take for each byte of it and of what it writes, besides what any may, in
 * the time that hashing a byte takes (base/rng.h) on the same machine at the same moment; 0 is any. A target whose work
 * is in proportion to its input says it before it includes this. */
extern const unsigned fuzz_hashes_per_byte;
/* What committed inputs are answered, whatever way they go, sorted: a codec that refuses too much, accepts too much, or
 * refuses for another reason, or reads something else, is told so by them. A hash of the input is in place of whose
 * last 17 bits stand: whether it is accepted (1 or 0), the answers to the target's two questions (enum ndp_status;
 * FUZZ_ANSWERS_DIFFER, FUZZ_NO_ANSWER), and two digits of a hash of what was read, or of where it was refused.
 * fuzzers/<target>.answers, which .ci/answers writes; absent where there is none. */
struct fuzz_known {
    const uint64_t *rows;
    size_t count;
};
enum { FUZZ_QUESTIONS = 4, FUZZ_DIGITS = 2, FUZZ_ANSWERS_DIFFER = 14, FUZZ_NO_ANSWER = 15 };
#define FUZZ_ROW_ACCEPTED (UINT64_C(1) << 16)
extern const struct fuzz_known fuzz_known __attribute__((weak));
#ifdef NDP_FUZZ_NAME
const char fuzz_name[] = NDP_FUZZ_NAME;
#ifndef FUZZ_HASHES_PER_BYTE
#define FUZZ_HASHES_PER_BYTE 0
#endif
const unsigned fuzz_hashes_per_byte = FUZZ_HASHES_PER_BYTE;
#ifdef NDP_FUZZ_KNOWN
static const uint64_t fuzz_known_rows[] = {
#include NDP_FUZZ_KNOWN
};
const struct fuzz_known fuzz_known = {fuzz_known_rows, sizeof fuzz_known_rows / sizeof *fuzz_known_rows};
#endif
/* So that runtime.c stands between the engine and the target. */
#define LLVMFuzzerTestOneInput fuzz_one_input
#endif

/* Judges one input (borrowed); returns 0. In a target this is its own function, under the name fuzz_one_input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int fuzz_one_input(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Rewrites `data` (the first `size` of `max_size` bytes) in place and returns its new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Fills `out` from parts of both inputs and returns its size. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second, size_t second_size,
                                 uint8_t *out, size_t max_size, unsigned int seed);

/* The engine's own mutation of bytes; NULL where there is none. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Whether a promise of the oracle holds. One that is broken is filed with the input under its signature, and the run
 * goes on: what follows must not rely on it. */
#define FUZZ_HOLDS(promise) FUZZ_HOLDS_OF("", promise)

/* As above, with a text that says of what. Never bytes, addresses, lines, times: it is part of the signature. */
#define FUZZ_HOLDS_OF(what, promise) ((promise) ? true : fuzz_broken(__func__, #promise, what))

/* Ends the process when a promise does not hold without which nothing can go on. */
#define FUZZ_CHECK(promise) FUZZ_CHECK_OF("", promise)
#define FUZZ_CHECK_OF(what, promise)                                                                                   \
    do {                                                                                                               \
        if (!(promise)) fuzz_end(__func__, #promise, what);                                                            \
    } while (0)

/* Files a broken promise; gives false. */
bool fuzz_broken(const char *function, const char *promise, const char *what);

/* Files it as a fault, which is about ndproof or a testee and no defect of what is under test. `detail` is printed with
 * the first of `what`, and no part of the signature. */
void fuzz_fault(const char *what, const char *detail);

/* Files it and ends the process. */
_Noreturn void fuzz_end(const char *function, const char *promise, const char *what);

/* Ends the process, with 3 where no engine starts it again, because something is missing here that the target needs: it
 * is nothing that an input has found. harness/cmd/run_oracle.c knows the words. */
_Noreturn void fuzz_cannot_work(const char *reason);

/* Files the input of this call under `signature`: a new one becomes an artifact and is printed, a known one is
 * counted. */
void fuzz_finding(const char *signature);

/* Says that this text (borrowed until the call of the target ends) is run instead of the input: it is what is filed. */
void fuzz_runs_instead(const uint8_t *data, size_t size);

/* Says that this input was accepted or executed, and that so many comparisons were made of it. */
void fuzz_valid(uint64_t comparisons);

/* Says that so many bytes are written of what was read, which an input of a few bytes that names one thing again and
 * again may make many: they take time, too. */
void fuzz_wrote(uint64_t size_bytes);

/* Takes back what the engine has counted of this input so far, of a seed in this way of its own: how a descriptor's
 * text is read says nothing of the codec that it goes to. */
void fuzz_forget_coverage(void);

/* Says that the engine is to keep nothing of this input, whatever ways it goes. */
void fuzz_leave_out(void);

/* Takes back all that this input has counted, here and in the engine: one that was not executed is worth no mutation.
 * Where counters.c is linked in. */
__attribute__((weak)) void fuzz_forget_input(void);

/* Says that the mutator made these bytes on the structure of an input, so that they are meant to be valid: whether they
 * are is counted apart when they are run. NULL: it changed bytes or tokens, and what comes of it may be broken. */
void fuzz_mutated(const uint8_t *typed, size_t size);

/* Makes a step of the mutator again where the file at `path` is one that has ended a process (mutate/mutation.h). */
__attribute__((weak)) void fuzz_mutate_again(const char *path);

/* Fills `out` with the path of an artifact of this target whose name ends in `what`. */
void fuzz_artifact_path(const char *what, char *out, size_t out_bytes);

/* Whether this input is what the mutator has made so. */
bool fuzz_is_typed(void);

/* Whether these bytes were run and accepted, as far as is remembered: by this process or, where counters are shared, by
 * another. */
bool fuzz_is_accepted(const uint8_t *data, size_t size);

/* Says what the codec answers (enum ndp_status) to one of a target's questions about this input: one whose answer does
 * not follow from the way that the input takes, which may well leave it out. */
void fuzz_answers(unsigned question, unsigned answer);

/* Whether somebody wants to know what is read of this input: it is committed, or fuzz_tell_all() was called. Whoever
 * measures calls fuzz_tell_nothing(): what an engine makes of an input is not committed. */
bool fuzz_is_asked(void);
void fuzz_tell_all(void);
void fuzz_tell_nothing(void);

/* Says what was read, or where it was refused, by a hash of it (base/rng.h), as fuzz_answers() says a status. */
void fuzz_says(uint64_t hash);

/* What is known of the input that was run last, by all of the ways that it took: a row of `fuzz_known`. */
uint64_t fuzz_row(void);

/* What two runs of one input say together: a row, accepted where both are. */
uint64_t fuzz_both_rows(uint64_t one, uint64_t other);

/* How many findings, each as often as it was seen, there were so far in this process. */
uint64_t fuzz_hits(void);

/* The counters of a testee are proved to move, so many of them: what an engine hides of the output is in the
 * statistics. */
void fuzz_has_feedback(uint32_t counters);

/* What counters.c does around each input, where it is linked in; after it only where the engine needs it. */
__attribute__((weak)) void fuzz_before_input(void);
__attribute__((weak)) void fuzz_after_input(void);

/* The processor time of a testee and of all that it has started, since it was there to be asked. Where counters.c is
 * linked in. */
__attribute__((weak)) uint64_t fuzz_testee_us(void);

/* Which of `count` ways of equal worth an input takes: by all of its bytes, and faster than they are read. Seeds, and
 * files that are replayed, are run by the next fifteen, too. */
uint32_t fuzz_way(const uint8_t *data, size_t size, uint32_t count);

/* A number that follows from all of an input's bytes, for what it goes by where ways are not of equal worth. */
uint64_t fuzz_pick(const uint8_t *data, size_t size);

/* Says that whoever measures begins with its inputs again: each takes another of its ways, and has another number, as
 * the next thing that a mutator makes of it would. */
void fuzz_next_round(void);

/* Gives the path of a file in memory with exactly these bytes (borrowed), good until the next call. The file has no
 * name of its own, so that nothing is left behind, however the process ends. */
const char *fuzz_path(const uint8_t *data, size_t size);

/* That file, open for reading and writing (borrowed). To open it by its path takes longer than all else that is done
 * with it. */
int fuzz_fd(void);

#endif
