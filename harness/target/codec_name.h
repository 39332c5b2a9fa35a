/* codec_name.h: a codec that is named by the import paths of its functions, "MODULE:FUNCTION>MODULE:FUNCTION": one that
 * encodes, and one that decodes. A third path behind another ">" names a function that prepares both. A module and a
 * function are Python names joined by dots. Nothing is imported here. */
#ifndef NDP_CODEC_NAME_H
#define NDP_CODEC_NAME_H

#include "base/status.h"

/* Checks `text`. Errors: INVALID with the offset of the character that does not fit; LIMIT if the module of the
 * encoder, which becomes the name of a format, is too long. */
enum ndp_status ndp_codec_name_check(const char *text, struct ndp_error *error) NDP_MUST_USE;

#endif
