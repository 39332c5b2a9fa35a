/* npz_again.h: what came out of an archive, through one of our own. */
#ifndef NDP_FUZZ_NPZ_AGAIN_H
#define NDP_FUZZ_NPZ_AGAIN_H

#include "codec/graph/npz_graph.h"

/* Files what differs when an archive of the array under two keys is not plain, does not have both names in their order,
 * packed or not as asked for, does not give the array again, or is not told that its sink failed; when a directory is
 * read that has one of its members more often than the file has room for; or when the longest key is refused, or any
 * longer one taken. */
void fuzz_npz_array_again(struct ndp_arena *arena, const struct ndp_npy_array *array, bool is_deflated);

/* The same of a graph: the member with this content gives what its NPY gives, and its archive has its NPY as a member;
 * what NPY has no words for is refused by both. */
void fuzz_npz_graph_again(struct ndp_arena *arena, struct ndp_npz *npz, uint64_t index,
                          const struct ndp_buffer *content);

#endif
