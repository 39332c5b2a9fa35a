/* text.h: text of any code points, NUL and lone surrogates included.
 *
 * In memory a text is generalised UTF-8 (surrogates are three bytes each, as WTF-8 writes a lone one)
 * with a length. Overlong forms and code points past U+10FFFF are never stored.
 */
#ifndef NDP_TEXT_H
#define NDP_TEXT_H

#include "base/bytes.h"

/* Decodes one code point at `cursor`. Errors: INVALID (not generalised UTF-8), TRUNCATED. */
enum ndp_status ndp_text_next(struct ndp_cursor *cursor, uint32_t *code_point) NDP_MUST_USE;

/* Appends one code point. Errors: INVALID past U+10FFFF; as ndp_buffer_add. */
enum ndp_status ndp_text_add(struct ndp_buffer *buffer, uint32_t code_point) NDP_MUST_USE;

/* Whether the whole text is generalised UTF-8. */
bool ndp_text_is_valid(struct ndp_bytes text);

/* Whether a JSON string of cJSON can hold it: valid UTF-8 with neither NUL nor surrogates. */
bool ndp_text_fits_json(struct ndp_bytes text);

/* Fills `out`, of `out_bytes` (at least 1), with as much of a C string as there is room for, and a NUL. */
void ndp_text_cut(const char *text, char *out, size_t out_bytes);

/* Fills `out`, of `out_bytes` (at least 1), with bytes for people: visible ASCII and blanks as they are, all else as \x
 * and two digits; as many as there is room for, whole, and a NUL. */
void ndp_text_show(struct ndp_bytes bytes, char *out, size_t out_bytes);

#endif
