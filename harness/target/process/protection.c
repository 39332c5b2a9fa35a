#include "target/process/protection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "target/process/landlock.h"
#include "target/process/start_testee.h"

NDP_WORDS(ndp_protection_word, enum ndp_protection, NDP_PROTECTION_LIST, "?")

enum ndp_status ndp_protection_choose(enum ndp_protection *out, struct ndp_error *error) {
    const char *wanted = getenv("NDPROOF_SANDBOX");
    enum ndp_protection protection = NDP_PROTECTION_BUBBLEWRAP;
    if (wanted == NULL || wanted[0] == '\0') {
        while (protection > NDP_PROTECTION_LIMITS && !ndp_start_testee_works(protection)) protection--;
        *out = protection;
        return NDP_OK;
    }
    for (protection = NDP_PROTECTION_NONE; protection < NDP_PROTECTION_COUNT; protection++)
        if (strcmp(wanted, ndp_protection_word(protection)) == 0) break;
    if (protection == NDP_PROTECTION_COUNT)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET,
                             "NDPROOF_SANDBOX is '%.40s'; it can be bubblewrap, namespaces, limits or none", wanted);
    if (protection > NDP_PROTECTION_LIMITS && !ndp_start_testee_works(protection))
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET,
                             "NDPROOF_SANDBOX asks for %s, which does not work on this machine",
                             ndp_protection_word(protection));
    *out = protection;
    return NDP_OK;
}

/* The parts of the weakest protection differ between kernels. */
static void describe_limits(bool has_network, char *out) {
    const int landlock = ndp_landlock_version();
    const bool keeps_signals = landlock >= NDP_LANDLOCK_SIGNALS || geteuid() == 0;
    snprintf(out, NDP_PROTECTION_TEXT_BYTES,
             "limits only, as neither bubblewrap nor namespaces are used (%s, %s, own environment, no privileges; "
             "TESTEES SEE %sTHE NAMES OF OTHER PROCESSES)",
             has_network ? "CAN REACH THE NETWORK" : "no network",
             landlock > 0 ? "own files" : "CAN READ THE FILES OF THIS USER", keeps_signals ? "" : "AND CAN SIGNAL ");
}

void ndp_protection_describe(enum ndp_protection protection, bool has_network, char *out) {
    switch (protection) {
    case NDP_PROTECTION_BUBBLEWRAP:
    case NDP_PROTECTION_NAMESPACES:
        snprintf(out, NDP_PROTECTION_TEXT_BYTES,
                 "%s (no network, own files, own processes, own environment, no privileges)",
                 ndp_protection_word(protection));
        return;
    case NDP_PROTECTION_LIMITS:
        describe_limits(has_network, out);
        return;
    case NDP_PROTECTION_NONE:
    case NDP_PROTECTION_COUNT:
        break;
    }
    snprintf(out, NDP_PROTECTION_TEXT_BYTES,
             "NONE: testees can do everything that this user can, because NDPROOF_SANDBOX is 'none'");
}
