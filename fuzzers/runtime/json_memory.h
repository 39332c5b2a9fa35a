/* json_memory.h: what JSON trees are made of while a fuzz target runs. */
#ifndef NDP_FUZZ_JSON_MEMORY_H
#define NDP_FUZZ_JSON_MEMORY_H

#include <stdint.h>

/* Gives cJSON memory of its own, which sanitizers still see. Before the first tree. */
void fuzz_json_memory(void);

/* How many blocks are held now. */
int64_t fuzz_json_held(void);

#endif
