/* Tests which input the mutator starts from if most of the engine's inputs are refused, or are large. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include <sys/wait.h>

#include "base/rng.h"
#include "base/suite.h"
#include "fuzz.h"

enum { CHILDREN = 1000, MAX_BYTES = 4096 };

const char fuzz_name[] = "npy_test";
const unsigned fuzz_hashes_per_byte = 0;

/* Two headers with a length field of 70; their names describe their content. */
static const char accepted[] = "\x93NUMPY\1\0\x46\0{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }"
                               "            \n\1\2\3";
static const char refused[] = "\x93NUMPY\1\0\x46\0{'descr': 'refused', 'fortran_order': False, 'shape': (3,), }"
                              "       \n\1\2\3";

/* Accepts every input except those marked as refused. */
int fuzz_one_input(const uint8_t *data, size_t size) {
    if (memmem(data, size, "refused", 7) == NULL) fuzz_valid(1);
    return 0;
}

static unsigned children_of_refused(void) {
    static uint8_t data[MAX_BYTES];
    unsigned count = 0;
    for (unsigned seed = 0; seed < CHILDREN; seed++) {
        memcpy(data, refused, sizeof refused - 1);
        const size_t size = LLVMFuzzerCustomMutator(data, sizeof refused - 1, sizeof data, seed);
        assert_in_range(size, 1, sizeof data);
        count += memmem(data, size, "refused", 7) != NULL;
    }
    return count;
}

static void test_refused_inputs_are_replaced(void **state) {
    static uint8_t data[MAX_BYTES];
    (void)LLVMFuzzerTestOneInput((const uint8_t *)refused, sizeof refused - 1);
    (void)LLVMFuzzerTestOneInput((const uint8_t *)accepted, sizeof accepted - 1);
    assert_false(fuzz_is_accepted((const uint8_t *)refused, sizeof refused - 1));
    assert_true(fuzz_is_accepted((const uint8_t *)accepted, sizeof accepted - 1));
    /* Nothing was accepted yet. */
    assert_in_range(children_of_refused(), CHILDREN / 2, CHILDREN);
    memcpy(data, accepted, sizeof accepted - 1);
    (void)LLVMFuzzerCustomMutator(data, sizeof accepted - 1, sizeof data, 1);
    assert_in_range(children_of_refused(), CHILDREN / 20, CHILDREN / 2);
}

/* Counts the children of an accepted input with this many elements that contain some of them. */
static unsigned children_of(char element, size_t elements) {
    static uint8_t large[MAX_BYTES], data[MAX_BYTES];
    const size_t head = sizeof accepted - 1 - 3, size = head + elements;
    memcpy(large, accepted, head);
    memset(large + head, element, elements);
    (void)LLVMFuzzerTestOneInput(large, size);
    assert_true(fuzz_is_accepted(large, size));
    unsigned count = 0;
    for (unsigned seed = 0; seed < CHILDREN; seed++) {
        memcpy(data, large, size);
        const size_t made = LLVMFuzzerCustomMutator(data, size, sizeof data, seed);
        count += memmem(data, made, (char[]){element, element, element, element}, 4) != NULL;
    }
    return count;
}

/* An input of 512 bytes always gets its turn, one of four times that size in one of four turns. */
static void test_large_inputs_are_replaced(void **state) {
    static uint8_t data[MAX_BYTES];
    for (unsigned seed = 0; seed < CHILDREN; seed++) {
        memcpy(data, accepted, sizeof accepted - 1);
        (void)LLVMFuzzerCustomMutator(data, sizeof accepted - 1, sizeof data, seed);
    }
    const unsigned of_small = children_of('x', 512 - sizeof accepted), of_large = children_of('y', 2048);
    assert_in_range(of_small, CHILDREN / 2, CHILDREN);
    assert_in_range(of_large, CHILDREN / 10, of_small * 2 / 3);
}

/* Defined in mutator.c for AFL++. */
void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *state, uint8_t *data, size_t size, uint8_t **out, uint8_t *add, size_t add_size,
                       size_t max_size);
void afl_custom_deinit(void *state);

/* The results for AFL++ from one seed, each a mutation of the one before, in a separate process. */
static uint64_t hash_of_night(unsigned int seed) {
    int channel[2], status = -1;
    uint64_t hash = NDP_HASH_START;
    assert_int_equal(pipe(channel), 0);
    const pid_t child = fork();
    if (child == 0) {
        static uint8_t data[MAX_BYTES], add[] = "\x93NUMPY\1\0\x0a\0{'descr':'";
        uint8_t *made;
        void *state = afl_custom_init(NULL, seed);
        size_t size = sizeof accepted - 1;
        memcpy(data, accepted, size);
        for (int i = 0; state && i < CHILDREN; i++) {
            size = afl_custom_fuzz(state, data, size, &made, add, sizeof add - 1, sizeof data);
            memcpy(data, made, size);
            hash = ndp_hash_bytes(data, size, hash);
            (void)LLVMFuzzerTestOneInput(data, size);
        }
        afl_custom_deinit(state);
        _exit(write(channel[1], &hash, sizeof hash) != (ssize_t)sizeof hash);
    }
    close(channel[1]);
    assert_int_equal(read(channel[0], &hash, sizeof hash), sizeof hash);
    close(channel[0]);
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return hash;
}

static void test_a_seed_repeats_a_run(void **state) {
    const uint64_t hash = hash_of_night(1);
    assert_int_equal(hash_of_night(1), hash);
    assert_int_not_equal(hash_of_night(2), hash);
}

NDP_SUITE(mutator_start_test, NDP_TEST(test_refused_inputs_are_replaced), NDP_TEST(test_large_inputs_are_replaced),
          NDP_TEST(test_a_seed_repeats_a_run));
