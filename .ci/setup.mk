# The groups of packages of .ci/setup.sh that each goal needs; a goal works without a group marked with "?".

FUZZ_LIBRARIES  := $(if $(filter no,$(LIBRARIES)),,?libraries)
SETUP_setup     := build ?sandbox test ?python
SETUP_run       := build ?sandbox ?test ?python ?current
SETUP_test      := build ?sandbox test ?python ?libraries ?bigendian ?browser ?validators
SETUP_check     := build ?sandbox test tidy ?python ?libraries
SETUP_bench     := build ?sandbox test ?python ?current
SETUP_count     := build test
SETUP_coverage  := build test
SETUP_selftest  := build ?sandbox test ?python
SETUP_fuzz      := build ?sandbox clang python3 $(FUZZ_LIBRARIES)
SETUP_afl       := build ?sandbox clang afl python3 $(FUZZ_LIBRARIES)
SETUP_nightly   := build ?sandbox clang afl ?test python3 ?libraries ?current
SETUP_release-check := build ?sandbox ?test ?python ?current
SETUP_ossfuzz   := build clang python3 ?afl
SETUP_feedback  := build ?sandbox clang $(filter afl,$(ARGS)) ?libraries
SETUP_tidy      := build test tidy ?python
SETUP_bigendian := build test bigendian
SETUP_env       := $(if $(filter bigendian,$(NAME)),build bigendian)
