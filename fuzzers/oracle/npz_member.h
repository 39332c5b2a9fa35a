/* npz_member.h: the ways to the array of one member of an archive. */
#ifndef NDP_FUZZ_NPZ_MEMBER_H
#define NDP_FUZZ_NPZ_MEMBER_H

#include "codec/npz/npz_read.h"

/* From a file, mapped there (where it is stored), from memory, or out of an archive of its own. */
enum fuzz_npz_way { FUZZ_NPZ_FILE, FUZZ_NPZ_MAPPED, FUZZ_NPZ_MEMORY, FUZZ_NPZ_AGAIN, FUZZ_NPZ_WAYS };

/* Gives whether a member holds an array, and files what differs: a member whose bytes can be had is not refused but by
 * limits; they have its size and checksum; and what they decode to is what the archive gives by this way, in which `by`
 * (the same one, or npz) is open; where the checksum is even, by a limit of characters that the header just meets. An
 * archive of its own is packed where `is_packed`, and is made of a graph, too. A map knows nothing of checksums. */
bool fuzz_npz_member(struct ndp_arena *arena, struct ndp_bytes archive, struct ndp_npz *npz, struct ndp_npz *by,
                     uint64_t index, enum fuzz_npz_way way, bool is_packed);

#endif
