/* plain_archive.h: archives that nobody has a reason to refuse. */
#ifndef NDP_FUZZ_PLAIN_ARCHIVE_H
#define NDP_FUZZ_PLAIN_ARCHIVE_H

#include "base/bytes.h"

/* Whether these bytes are members side by side, stored or deflated, of names in ASCII or, where it is said, UTF-8, and
 * comments in ASCII, each as its two headers say, or its entry and what is behind it; their directory, where fields of
 * others may stand beside that of zip64; and its end, with that of zip64 or without, and a comment; and nothing
 * besides. Whether what is packed can be inflated is not asked. Source: PKWARE APPNOTE 6.3.10, 4.3 and 4.5.3. */
bool fuzz_is_plain_archive(struct ndp_bytes file);

/* Whether elements, say, look like an end, so that no archive with them is plain. */
bool fuzz_has_stray_ends(struct ndp_bytes file);

/* Whether the archive is plain but for members that are encrypted, or packed by a method that is nobody's, and this is
 * one of those: well formed, and nothing that can be read without more. Source: PKWARE APPNOTE 6.3.10, 4.4.4 and 4.4.5.
 */
bool fuzz_is_locked_member(struct ndp_bytes file, uint64_t index);

/* Whether the archive is plain, and the bytes of this member can be had, of its size and checksum. */
bool fuzz_is_plain_member(struct ndp_bytes file, uint64_t index);

#endif
