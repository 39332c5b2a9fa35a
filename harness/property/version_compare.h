/* version_compare.h: the order of versions of libraries. */
#ifndef NDP_VERSION_COMPARE_H
#define NDP_VERSION_COMPARE_H

/* Compares two dotted versions number by number, as PEP 440 does. Missing numbers are 0, "2.0.0rc1" comes before
 * "2.0.0", and a local version after '+' is ignored. Returns a negative number, 0 or a positive number. */
int ndp_version_compare(const char *a, const char *b);

#endif
