#include <unistd.h>

#include "planted/defect.h"

/* Sets the first byte of the array that was encoded. read(2) refuses a read-only page, and does not end the process. */
static void spoil(const struct ndp_plugin_array *array) {
    static const uint8_t mark = 0x17;
    int ends[2];
    if (array->data == NULL || array->itemsize_bytes == 0 || pipe(ends) != 0) return;
    const bool is_put = write(ends[1], &mark, 1) == 1;
    (void)(is_put && read(ends[0], (void *)(uintptr_t)array->data, 1) == 1);
    close(ends[0]);
    close(ends[1]);
}

static enum ndp_plugin_result encode(NDP_ENCODE_ARGUMENTS) {
    const enum ndp_plugin_result result = ndp_defect_encode(entry, array, write, sink, refusal, NULL, NULL);
    if (result == NDP_PLUGIN_DONE) spoil(array);
    return result;
}

NDP_DECODE_WITH(decode, NULL)

NDP_PLANT(input_changed, "input", "The encoder writes to the array that it gets.", encode, decode);
