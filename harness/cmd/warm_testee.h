/* warm_testee.h: compiles the code of a Python testee once, because protected testees cannot keep compiled code. */
#ifndef NDP_WARM_TESTEE_H
#define NDP_WARM_TESTEE_H

/* Starts the testee outside its protection and without input, so that its interpreter keeps the compiled code, unless
 * that was done since the testee's sources and the installed packages changed. `root` is the folder of the source tree.
 * A failure has no effect but slower starts. */
void ndp_warm_testee(const char *interpreter, const char *script, const char *root);

#endif
