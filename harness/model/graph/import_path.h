/* import_path.h: the texts of an instance node: where its class is, and what it keeps. */
#ifndef NDP_IMPORT_PATH_H
#define NDP_IMPORT_PATH_H

#include "base/bytes.h"

enum { NDP_IMPORT_PATH_BYTES = 128 };

/* Whether the text is "package.module:Name" or "module:Class.method": two dotted names with a colon between them. */
bool ndp_import_path_is_valid(struct ndp_bytes text);

/* Whether the text names what an instance keeps: dotted attributes, any of which may end in "()" for a method without
 * arguments: "data", "toarray()", "dtype.str". */
bool ndp_import_path_is_kept_name(struct ndp_bytes text);

/* The first part of the path, which names the package or module to be installed. */
struct ndp_bytes ndp_import_path_package(struct ndp_bytes path);

/* Whether `module` is the part of the path before the colon. */
bool ndp_import_path_is_in(struct ndp_bytes path, const char *module);

#endif
