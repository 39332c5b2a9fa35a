/* npz_end.h: what the end of an archive claims, before libzip believes it. Private to npz_read.c.
 *
 * libzip makes a table for as many members as an end record claims, and reads as much of a directory, for every place
 * of its search that looks like one. Here a claim must have room in the file first.
 * Source: APPNOTE.TXT 6.3, 4.3.12 to 4.3.16; libzip 1.7.3, zip_open.c, _zip_find_central_dir, _zip_read_eocd.
 */
#ifndef NDP_NPZ_END_H
#define NDP_NPZ_END_H

#include "codec/npz/npz_source.h"

/* The most bytes at the end of a file that libzip looks for a record in: it, its longest comment, and what finds its
 * counterpart of zip64. */
enum { NDP_NPZ_TAIL_BYTES = 65535 + 22 + 20 };

/* Holds against the file every end record that libzip may find in the source's tail. A few that do not end the file
 * may lack room for a few members, as elements of an array do that look like one: NumPy, too, looks past them. Errors:
 * INVALID (members that the directory has no room for, a directory with bytes behind its members, directories that
 * together are several times the file), IO. */
enum ndp_status ndp_npz_end_check(const struct ndp_npz_source *source, struct ndp_error *error) NDP_MUST_USE;

#endif
