# The flavours of the build: compilers, flags and folders, also of fuzzing engines and the emulated machine.

FLAVOURS := plain asan speed count cov fuzz afl oss s390x
$(foreach f,$(FLAVOURS),$(eval CC_$(f) := $(CC))$(eval CXX_$(f) := $(CXX))$(eval DIR_$(f) := build/$(notdir $(CC))-$(f)))
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# Fuzzing skips the UBSan checks that ASan repeats and the most expensive stack checks; the asan flavour has them.
SHORT_STACK_clang := -fno-sanitize-address-use-after-scope -fsanitize-address-use-after-return=never
SHORT_STACK_gcc   := -fno-sanitize-address-use-after-scope --param asan-use-after-return=0
FUZZED   := -O2 -g -fno-omit-frame-pointer -DNDP_ARENA_REDZONES -DNDP_SMALL_PORTIONS
FUZZ_SAN := $(FUZZED) $(SANITIZE) -fno-sanitize=null,object-size,pointer-overflow
# PIC, because AFL++'s mutators are shared objects of this flavour.
CFLAGS_plain := -O2 -g -fPIC -fno-semantic-interposition
CFLAGS_asan  := -O1 -g1 $(SANITIZE) -DNDP_ARENA_PER_OBJECT
# clang links the sanitizer statically by default, which is faster.
CFLAGS_speed := $(FUZZ_SAN) $(if $(findstring clang,$(CC)),$(SHORT_STACK_clang),$(SHORT_STACK_gcc) -static-libasan)
CFLAGS_cov   := -O0 -g --coverage
# Each basic block calls a counting function, and moving bytes is a call with their number.
CFLAGS_count := -O1 -g -fno-builtin -fsanitize-coverage=trace-pc
# Comparisons are not traced, because the mutators know the forms. Indirect calls and stack depth are not repeatable.
CFLAGS_fuzz  := $(FUZZ_SAN) $(SHORT_STACK_clang) -fsanitize=fuzzer-no-link \
                -fno-sanitize-coverage=trace-cmp,trace-div,trace-gep,indirect-calls,stack-depth
CFLAGS_afl   := $(FUZZ_SAN) $(SHORT_STACK_clang)
CFLAGS_oss   := $(CFLAGS)
CFLAGS_s390x := -O1 -g1 --sysroot=build/env/bigendian/root
CC_fuzz  := clang
CXX_fuzz := clang++
DIR_fuzz := build/clang-fuzz
CC_afl   := afl-clang-fast
CXX_afl  := afl-clang-fast++
DIR_afl  := build/afl
CC_s390x := s390x-linux-gnu-gcc
DIR_s390x := build/s390x
DIR_oss  := build/oss
# Not instrumented, for speed: code that runs often and is not under test.
NOT_INSTRUMENTED := $(addprefix harness/,generate/% property/% engine/% report/% target/process/% \
                    $(addprefix target/,claims interpret program target) $(addprefix base/,arena block_pool temporary)) \
                    fuzzers/runtime/% fuzzers/mutate/%
# Its programs have ASan nevertheless: the heap meter must use ASan's hooks, and the block pool must poison.
BARE       := $(FUZZED) -D__SANITIZE_ADDRESS__
BARE_speed := $(CC) $(BARE)
BARE_fuzz  := clang $(BARE)
BARE_afl   := clang $(BARE) -D__AFL_COMPILER
# An engine has its own main() and needs the ENTRIES from the archive; replay.c is the main() without an engine.
REPLAYED    := plain asan speed cov $(if $(filter none,$(FUZZING_ENGINE)),oss)
AFL_MAP     := -Wl,--defsym=fuzz_afl_map=__afl_area_ptr
ENGINE_fuzz := -fsanitize=fuzzer
ENGINE_afl  := -fsanitize=fuzzer $(AFL_MAP)
ENGINE_oss  := $(if $(filter none,$(FUZZING_ENGINE)),,$(LIB_FUZZING_ENGINE)) $(if $(filter afl,$(FUZZING_ENGINE)),$(AFL_MAP)) \
               -Wl,--disable-new-dtags -Wl,-rpath,'$$$$ORIGIN/lib'
ENTRIES     := $(addprefix -Wl$(COMMA)-u$(COMMA)LLVMFuzzer,TestOneInput Initialize CustomMutator CustomCrossOver)
