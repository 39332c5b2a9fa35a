/* npz_end.h: validation of the end of an archive before libzip reads it. Private to npz_read.c.
 *
 * libzip allocates a table for the number of members that an end record claims, and reads the claimed size of a
 * directory, for every place of its search that resembles an end record. Each claim must therefore fit in the file.
 * Source: APPNOTE.TXT 6.3, 4.3.12 to 4.3.16; libzip 1.7.3, zip_open.c, _zip_find_central_dir, _zip_read_eocd.
 */
#ifndef NDP_NPZ_END_H
#define NDP_NPZ_END_H

#include "codec/npz/npz_source.h"

/* Size of the tail that libzip searches: an end record, its longest comment, and the ZIP64 locator. */
enum { NDP_NPZ_TAIL_BYTES = 65535 + 22 + 20 };

/* Checks every end record that libzip may find in the source's tail against the file. A few records before the end of
 * the file may have no room for a few members, because array data may look like a record; NumPy skips them as well.
 * Errors: INVALID (members that do not fit the directory, a directory with bytes after its members, directories that
 * together are several times the file), IO. */
enum ndp_status ndp_npz_end_check(const struct ndp_npz_source *source, struct ndp_error *error) NDP_MUST_USE;

#endif
