/* archive.h: what an archive says of its members, looked at from outside. */
#ifndef NDP_FUZZ_ARCHIVE_H
#define NDP_FUZZ_ARCHIVE_H

#include "codec/npz/npz_read.h"

/* Opens the bytes as a file: in one turn of four by its path, which takes longest, else as it is open. */
enum ndp_status fuzz_open_archive(struct ndp_bytes bytes, uint32_t turn, const struct ndp_npz_limits *limits,
                                  struct ndp_npz **out) NDP_MUST_USE;

/* Whether a member has no more bytes than the limits (all of them given) let it have, and one size where it is stored.
 */
bool fuzz_is_within(const struct ndp_npz_limits *limits, const struct ndp_npz_member *member);

/* Whether these bytes have the size and, as zlib counts it, the checksum that the directory says of the member. */
bool fuzz_is_content_of(const struct ndp_npz_member *member, struct ndp_bytes bytes);

/* The same of all members as fuzz_is_within(), together and each; and no more of them than may be. */
bool fuzz_are_within(const struct ndp_npz_limits *limits, const struct ndp_npz *npz);

/* The same of an archive that they let in; in one turn of 16, whether limits that it just meets do, and one less does
 * not. */
bool fuzz_keeps_limits(struct ndp_bytes bytes, const struct ndp_npz_limits *limits, const struct ndp_npz *npz,
                       uint64_t turn);

/* Whether a member is found by its whole name and, where that ends so, without ".npy": of those that have the name, the
 * last, and the whole name before the one that lacks its ending. Source: CPython 3.11, zipfile.NameToInfo; NumPy 2.4,
 * lib/_npyio_impl.py, NpzFile. */
bool fuzz_finds_member(const struct ndp_npz *npz, uint64_t index);

#endif
