/* plain_archive.h: archives that nobody has a reason to refuse. */
#ifndef NDP_FUZZ_PLAIN_ARCHIVE_H
#define NDP_FUZZ_PLAIN_ARCHIVE_H

#include "base/bytes.h"

/* Whether these bytes are members side by side, stored or deflated, of ASCII names, each as its two headers say; their
 * directory; and its end, with that of zip64 or without; and nothing besides. Whether what is packed can be inflated is
 * not asked. Source: PKWARE APPNOTE 6.3.10, 4.3 and 4.5.3. */
bool fuzz_is_plain_archive(struct ndp_bytes file);

#endif
