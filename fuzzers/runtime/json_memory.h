/* json_memory.h: memory for cJSON in fuzzers. */
#ifndef NDP_FUZZ_JSON_MEMORY_H
#define NDP_FUZZ_JSON_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Makes cJSON take its memory from here, in fuzzing builds (NDP_ARENA_REDZONES); elsewhere it does nothing. */
void fuzz_json_memory_open(void);

/* Gives a block (owned; free it with fuzz_json_free), or NULL. Contents are undefined. */
void *fuzz_json_malloc(size_t size_bytes);
void fuzz_json_free(void *block);

/* Blocks given and not yet freed. */
int64_t fuzz_json_held(void);

#endif
