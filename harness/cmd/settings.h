/* settings.h: the options of the command line. Name, argument, default and help of an option are one row. */
#ifndef NDP_SETTINGS_H
#define NDP_SETTINGS_H

#include "base/status.h"

/* enum name, field of the settings, kind, name, argument, default as the help shows it, help */
#define NDP_OPTION_LIST(X)                                                                                             \
    X(SEED, seed, NUMBER, "seed", "N", "from the clock", "random seed; the same seed gives the same cases")            \
    X(CASES, cases, NUMBER, "cases", "N", "no limit", "stop after N cases")                                            \
    X(SECONDS, seconds, NUMBER, "seconds", "S", "110 without --cases", "stop after S seconds")                         \
    X(ENV, environments, LIST, "env", "NAME", "current", "test the libraries of this environment; may be repeated")    \
    X(PYTHON, pythons, LIST, "python", "PATH", "none",                                                                 \
      "run the Python testee under this interpreter; may be repeated")                                                 \
    X(CONFIG, config, TEXT, "config", "FILE", "none",                                                                  \
      "configuration with your environments; --env selects some of them (README)")                                     \
    X(CODEC, codecs, LIST, "codec", "ENCODE>DECODE", "none",                                                           \
      "also test this codec of Python, named by import paths, as in jsonpickle:encode>jsonpickle:decode")              \
    X(TARGET, targets, LIST, "target", "T", "all", "test only this target; may be repeated")                           \
    X(FORMAT, formats, LIST, "format", "F", "all", "test only this format; may be repeated")                           \
    X(PROPERTY, properties, LIST, "property", "P", "all", "test only this property; may be repeated")                  \
    X(REPORT, report, TEXT, "report", "FILE", "none", "write a JSON report, valid at any moment")                      \
    X(BASELINE, baseline, TEXT, "baseline", "FILE", "none", "accepted divergences, which do not gate")                 \
    X(IN_PROCESS, is_in_process, FLAG, "in-process", "", "off",                                                        \
      "run the reference in this process: faster, but a crash ends the run")                                           \
    X(TWIN, twin, TEXT, "twin", "T", "none", "also run a second copy of this target")                                  \
    X(SCRIPT, script, TEXT, "script", "FILE", "none",                                                                  \
      "write a Python script that reproduces the divergence without ndproof")                                          \
    X(ALLOW_MISSING, allowed_missing, LIST, "allow-missing", "NAME", "none",                                           \
      "pass although this target, format, route or property was not compared; may be repeated")                        \
    X(TRUST, is_trusted, FLAG, "trust", "", "off",                                                                     \
      "give the files to libraries that run code when they read, such as pickle")                                      \
    X(REPLAY, is_replayed, FLAG, "replay", "", "off", "replay stored descriptors before calling anything fixed")       \
    X(CAUSE, causes, LIST, "cause", "ID", "all new causes", "only this cause; may be repeated")                        \
    X(REASON, reason, TEXT, "reason", "TEXT", "required", "the reason of the acceptance")                              \
    X(LINK, link, TEXT, "link", "URL", "none", "the upstream issue")                                                   \
    X(EXPIRES, expires, TEXT, "expires", "DATE", "never", "the last day of the acceptance, 2027-01-31")                \
    X(HTML, html, TEXT, "html", "FILE", "none", "write a page for a browser")                                          \
    X(MARKDOWN, markdown, TEXT, "markdown", "FILE", "none", "write Markdown")                                          \
    X(JUNIT, junit, TEXT, "junit", "FILE", "none", "write JUnit XML")                                                  \
    X(SARIF, sarif, TEXT, "sarif", "FILE", "none", "write SARIF 2.1.0")                                                \
    X(CTRF, ctrf, TEXT, "ctrf", "FILE", "none", "write a CTRF report")                                                 \
    X(PACKAGE, package, TEXT, "package", "NAME", "required", "the package on PyPI")                                    \
    X(FROM, from, TEXT, "from", "V", "the oldest release that installs", "the first release to try")                   \
    X(TO, to, TEXT, "to", "V", "the newest release", "the last release to try")                                        \
    X(JOBS, jobs, NUMBER, "jobs", "N", "the available processors", "run the cases in N worker processes")              \
    X(SHARD, shard, TEXT, "shard", "I/N", "the whole sweep",                                                           \
      "run part I of N, from 1/N to N/N; 'ndproof merge' unites the reports")                                          \
    X(MIN_PAIRS, min_pairs, NUMBER, "min-pairs", "PERCENT", "0",                                                       \
      "every group of routes must cover this share of its pairs of feature values")                                    \
    X(MIN_TRIPLES, min_triples, NUMBER, "min-triples", "PERCENT", "0", "the same for triples")                         \
    X(HELP, is_help, FLAG, "help", "", "", "print this help")

#define NDP_OPTION_ENUM(name, field, kind, word, argument, initial, help) NDP_OPTION_##name,
enum ndp_option { NDP_OPTION_LIST(NDP_OPTION_ENUM) NDP_OPTION_COUNT };

/* The bit of an option in a mask. */
#define NDP_OPTION_BIT(name) (UINT64_C(1) << NDP_OPTION_##name)
_Static_assert(NDP_OPTION_COUNT < 64, "a mask of options has 64 bits");

/* Words of the command line; borrow argv. */
enum { NDP_MAX_WORDS = 1024 };
struct ndp_words {
    const char *list[NDP_MAX_WORDS];
    uint32_t count;
};

struct ndp_settings {
    int argc;
    char *const *argv; /* of the whole process */
    uint64_t given;    /* of NDP_OPTION_BIT */
    uint64_t seed;
    uint64_t cases;
    uint64_t seconds;
    uint64_t jobs;
    uint64_t min_pairs;   /* percent */
    uint64_t min_triples; /* percent */
    const char *shard;
    struct ndp_words environments;
    struct ndp_words pythons;
    struct ndp_words codecs;
    struct ndp_words targets;
    struct ndp_words formats;
    struct ndp_words properties;
    const char *report;
    const char *baseline;
    const char *twin;
    const char *script;
    const char *config;
    struct ndp_words allowed_missing;
    struct ndp_words causes;
    const char *reason;
    const char *link;
    const char *expires;
    const char *html;
    const char *markdown;
    const char *junit;
    const char *sarif;
    const char *ctrf;
    const char *package;
    const char *from;
    const char *to;
    bool is_in_process;
    bool is_trusted;
    bool is_replayed;
    bool is_help;
    struct ndp_words files;
};

static inline bool ndp_settings_has(const struct ndp_settings *settings, enum ndp_option option) {
    return (settings->given >> option & 1) != 0;
}

/* Fills *out from argv[first] on; words after "--" are files. `allowed` is a mask of NDP_OPTION_BIT. Errors:
 * INVALID with a text that names the word. */
enum ndp_status ndp_settings_read(int argc, char *const *argv, int first, uint64_t allowed, struct ndp_settings *out,
                                  struct ndp_error *error) NDP_MUST_USE;

/* "--seed", "N", "from the clock", help: for the usage text. */
struct ndp_option_row {
    const char *word;
    const char *argument;
    const char *initial;
    const char *help;
};
const struct ndp_option_row *ndp_option_row(enum ndp_option option);

#endif
