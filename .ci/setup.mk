# The groups of packages of .ci/setup.sh that each goal needs; a goal works without a group marked with "?".

FUZZ_LIBRARIES  := $(if $(filter no,$(LIBRARIES)),,?libraries)
SETUP_setup     := build test ?python
SETUP_run       := build ?test ?python ?current
SETUP_test      := build test ?python ?libraries ?bigendian ?browser ?validators
SETUP_check     := build test tidy ?python ?libraries
SETUP_bench     := build test ?python
SETUP_count     := build test
SETUP_coverage  := build test
SETUP_selftest  := build test ?python
SETUP_fuzz      := build clang python3 $(FUZZ_LIBRARIES)
SETUP_afl       := build clang afl python3 $(FUZZ_LIBRARIES)
SETUP_nightly   := build clang afl ?test python3 ?libraries ?current
SETUP_release-check := build ?test ?python ?current
SETUP_ossfuzz   := build clang python3 ?afl
SETUP_feedback  := build clang $(filter afl,$(ARGS)) ?libraries
SETUP_tidy      := build test tidy ?python
SETUP_bigendian := build test bigendian
SETUP_env       := $(if $(filter bigendian,$(NAME)),build bigendian)
