#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/words.h"

NDP_WORDS(ndp_status_text, enum ndp_status, NDP_STATUS_LIST, "no such status")

const char *ndp_status_name(enum ndp_status status) {
    switch (status) {
#define STATUS_NAME(name, text)                                                                                        \
    case NDP_##name:                                                                                                   \
        return #name;
        NDP_STATUS_LIST(STATUS_NAME)
    case NDP_STATUS_COUNT:
        break;
    }
    return "?";
}

enum ndp_status ndp_error_set(struct ndp_error *error, enum ndp_status status, uint64_t offset_bytes,
                              const char *format, ...) {
    if (error) {
        error->status = status;
        error->offset_bytes = offset_bytes;
        error->path[0] = '\0';
        va_list arguments;
        va_start(arguments, format);
        if (vsnprintf(error->text, sizeof error->text, format, arguments) < 0) error->text[0] = '\0';
        va_end(arguments);
    }
    return status;
}
