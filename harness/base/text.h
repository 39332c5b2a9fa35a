/* text.h: text of arbitrary code points, including NUL and lone surrogates.
 *
 * In memory, text is generalised UTF-8 with a length. A surrogate takes three bytes, as in WTF-8. Overlong forms and
 * code points above U+10FFFF are never stored.
 */
#ifndef NDP_TEXT_H
#define NDP_TEXT_H

#include "base/bytes.h"

/* Decodes one code point at `cursor`. Errors: INVALID (not generalised UTF-8), TRUNCATED. */
enum ndp_status ndp_text_next(struct ndp_cursor *cursor, uint32_t *code_point) NDP_MUST_USE;

/* Appends one code point. Errors: INVALID above U+10FFFF; as ndp_buffer_add. */
enum ndp_status ndp_text_add(struct ndp_buffer *buffer, uint32_t code_point) NDP_MUST_USE;

/* Reports whether all of `text` is generalised UTF-8. */
bool ndp_text_is_valid(struct ndp_bytes text);

/* Reports whether `text`, generalised UTF-8, contains a surrogate, which UTF-8 does not. */
bool ndp_text_has_surrogate(struct ndp_bytes text);

/* Reports whether cJSON can represent `text` as a string: valid UTF-8 without NUL and surrogates. */
bool ndp_text_fits_json(struct ndp_bytes text);

/* Copies a C string to `out`, of `out_bytes` (at least 1), truncated if necessary, with a NUL. */
void ndp_text_cut(const char *text, char *out, size_t out_bytes);

/* Fills `out`, of `out_bytes` (at least 1), with a printable form of `bytes` and a NUL: visible ASCII and blanks
 * unchanged, other bytes as \x and two digits. Truncates only between bytes. */
void ndp_text_show(struct ndp_bytes bytes, char *out, size_t out_bytes);

#endif
