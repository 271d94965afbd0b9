# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tests, the programs that they need, and the measurements.

UNIT_SRC	:= $(wildcard tests/unit/t_*.c)
HELPER_SRC	:= $(wildcard tests/*.c)
PROG_SRC	:= $(filter-out tests/prog/lib%,$(wildcard tests/prog/*.c))
PROGCC_SRC	:= $(wildcard tests/prog/*.cc)
PROGLIB_SRC	:= $(wildcard tests/prog/lib*.c)

UNIT		:= $(UNIT_SRC:%.c=$(O)/%)
HELPERS		:= $(HELPER_SRC:%.c=$(O)/%)
# Each program twice: by itself, and as NAME-mm linked with -lmemmon.
PROGS		:= $(PROG_SRC:%.c=$(O)/%) $(PROG_SRC:%.c=$(O)/%-mm) \
		   $(PROGLIB_SRC:%.c=$(O)/%.so)
ifneq ($(shell command -v $(CXX) 2>/dev/null),)
PROGS		+= $(PROGCC_SRC:%.cc=$(O)/%) $(PROGCC_SRC:%.cc=$(O)/%-mm)
endif

# The tests that take longest come first, so that the last to end isn't one of
# them.
LONGEST	:= $(patsubst %,tests/t/%.t,environment faults leakcheck figures bounded \
	   unwind debuginfod html handed plugin symbols cc wrap memory naive \
	   score-examples recursion bounds allocator attach growth)
TESTS	:= $(filter $(wildcard tests/t/*.t),$(LONGEST)) \
	   $(filter-out $(LONGEST),$(wildcard tests/t/*.t))
LONG	:= $(wildcard tests/long/*.t)
# make check ROOM=display/diff: only the tests in the room's line of tests/rooms.
ifdef ROOM
OF_ROOM	:= $(shell sed -n 's,^$(ROOM) ,,p' tests/rooms)
$(if $(OF_ROOM),,$(error no room $(ROOM) in tests/rooms))
TESTS	:= $(patsubst %,tests/t/%.t,$(filter-out t_%,$(OF_ROOM)))
UNIT	:= $(patsubst %,$(O)/tests/unit/%,$(filter t_%,$(OF_ROOM)))
endif

include tests/fault/fault.mk

.PHONY: tests unit progs asan check check-unit check-all check-run check-long \
	bench overhead bench-access bench-symbols
## tests		all test programs, without running them
tests: unit progs fault $(O)/tests/debug
unit: $(UNIT) $(HELPERS)
progs: $(PROGS)

$(UNIT): $(O)/tests/unit/%: $(O)/obj/tests/unit/%.o $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(link) $^ $(REDUCE_LIBS)
$(HELPERS): $(O)/tests/%: $(O)/obj/tests/%.o $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(link) $^ $(REDUCE_LIBS)

# The programs are compiled as a user would for looking for a bug.  Flags for
# one of them: FLAGS_name = ...
PROG	= -O0 -g -Wall -Wextra $(FLAGS_$(*F))
PROG_LD	= -pthread -ldl
PROG_MM	= -L$(O) -Wl,-rpath,$(abs) -Wl,--no-as-needed -lmemmon
-include tests/prog/flags.mk

$(O)/tests/prog/%: tests/prog/%.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=gnu11 $(PROG) -I. -o $@ $< $(PROG_LD)
$(O)/tests/prog/%-mm: tests/prog/%.c $(O)/flags $(O)/libmemmon.so \
		      $(O)/libmemmon.so.$(ABI)
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=gnu11 $(PROG) -I. -DWITH_MEMMON -o $@ $< \
		$(PROG_MM) $(PROG_LD)
$(O)/tests/prog/%: tests/prog/%.cc $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(CXX) $(PROG) -I. -o $@ $< $(PROG_LD)
$(O)/tests/prog/%-mm: tests/prog/%.cc $(O)/flags $(O)/libmemmon.so \
		      $(O)/libmemmon.so.$(ABI)
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(CXX) $(PROG) -I. -DWITH_MEMMON -o $@ $< \
		$(PROG_MM) $(PROG_LD)
$(O)/tests/prog/lib%.so: tests/prog/lib%.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=gnu11 -O0 -g -Wall -Wextra -I. -fPIC \
		-shared -o $@ $<

# The debug information of the libraries that programs here use, if it is
# installed, in sections that aren't compressed: otherwise each mpreduce would
# uncompress them (tap.sh).
$(O)/tests/debug: | $(O)/mpreduce
	@mkdir -p $@
	$(call say,DEBUG,$@)ldd $(O)/mpreduce 2>/dev/null | grep -o '/[^ ]*' | sort -u | while \
		read -r lib; do \
		id=$$(readelf -n "$$lib" 2>/dev/null | \
			sed -n 's,.*Build ID: \(..\),.build-id/\1/,p').debug; \
		[ ! -e "/usr/lib/debug/$$id" ] || \
			{ mkdir -p "$@/$${id%/*}" && objcopy --decompress-debug-sections \
			"/usr/lib/debug/$$id" "$@/$$id"; }; \
	done; touch $@

# Programs that feed damaged input to mpreduce: NAME replays files, NAME-fuzz is
# for libFuzzer.  load.c includes two files of reduce/.
FUZZERS	:= load elf image log options
FUZZ_IN	:= $(O)/obj/reduce/profile/profile.o $(O)/obj/reduce/monout/sum.o
fuzz_obj = $(O)/obj/tests/fuzz/$(1).o $(O)/obj/tests/fuzz/records.o \
	   $(if $(filter load,$(1)),$(filter-out $(FUZZ_IN),$(LIB_OBJ)),$(LIB_OBJ))
.PHONY: replay fuzzers fuzz
replay: $(FUZZERS:%=$(O)/tests/fuzz/%)
fuzzers: $(FUZZERS:%=$(O)/tests/fuzz/%-fuzz)
$(FUZZERS:%=$(O)/tests/fuzz/%): $(O)/tests/fuzz/%: $(LIB_OBJ) $(addprefix \
		$(O)/obj/tests/fuzz/,%.o records.o replay.o)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(link) $(call fuzz_obj,$*) \
		$(O)/obj/tests/fuzz/replay.o $(REDUCE_LIBS)
$(FUZZERS:%=$(O)/tests/fuzz/%-fuzz): $(O)/tests/fuzz/%-fuzz: $(LIB_OBJ) \
		$(addprefix $(O)/obj/tests/fuzz/,%.o records.o)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(link) -fsanitize=fuzzer $(call fuzz_obj,$*) \
		$(REDUCE_LIBS)

## fuzz		run libFuzzer on each kind of input, FUZZ_SECONDS (60) each
# clang, wherever else CC leads.
FUZZ_SECONDS ?= 60
fuzz:
	+@$(MAKE) O='$(O)/fuzz' CC=clang LDFLAGS= WERROR= CFLAGS='-O2 -g \
		-fno-omit-frame-pointer -fno-sanitize-recover=all \
		-fsanitize=fuzzer-no-link,address,undefined -DARENA_BLOCK=64 \
		-fno-sanitize-coverage=trace-cmp' fuzzers
	@MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' \
		FUZZ_SECONDS='$(FUZZ_SECONDS)' tests/fuzz/run $(FUZZERS)

## asan		mpreduce with address and undefined-behaviour sanitizers
asan:
	+@$(MAKE) O='$(O)/asan' mpreduce replay '$(O)/asan/tests/damage' LDFLAGS= \
		CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'

# make check-all also builds the unit programs with the other compiler and runs
# them, and runs tests/long, except the tests that take hours or fetch sources.
OTHER	:= $(if $(findstring clang,$(CC)),gcc,clang)
other	= $(if $(shell command -v $(OTHER) 2>/dev/null),$(O)/other)
HOURS	:= $(patsubst %,tests/long/%.t,accesses attach-plugs compilers \
	   events-csmith faults fuzz kills modules-soak packages racing \
	   reproducible rpm soak strangers torture unwind valgrind \
	   verdicts)
IN_ALL	= $(if $(other),$(sort $(UNIT:$(O)/%=$(O)/other/%))) \
	  $(filter-out $(HOURS),$(LONG))

## check		build and run the tests (minutes); of one room: ROOM=display/diff
## check-all	the same, and all that they leave out to take no longer
# The tests run in a make of their own, which sees the packages that deps has
# installed.
check-all: export MEMMON_CHECK := all
check check-all: deps
	+@$(MAKE) $(jobs) all asan tests $(if $(filter all,$(MEMMON_CHECK)),check-other)
	+@$(MAKE) check-run

# One prove runs all tests; its last lines print the result.
prove	= CC='$(CC)' CXX='$(CXX)' CFLAGS='$(CFLAGS)' MEMMON_SRC='$(CURDIR)' \
	  MEMMON_BUILD='$(abs)' prove --nocolor
# One more than the number of processors, because tests wait at times.
check-run:
	@$(prove) -j$$(($(JOBS) + 1)) $(TESTS) $(sort $(UNIT)) \
		$(if $(filter all,$(MEMMON_CHECK)),$(IN_ALL))

.PHONY: check-other
check-other:
	$(if $(other),+@$(MAKE) O='$(O)/other' CC=$(OTHER) CXX=$(if $(filter clang,\
		$(OTHER)),clang++,g++) WERROR=-Werror all unit,@echo \
		'memmon: no $(OTHER): goes on without')

.PHONY: check-unit-other
check-unit-other: check-other
	$(if $(other),@$(prove) -j$(JOBS) $(sort $(UNIT:$(O)/%=$(O)/other/%)))

## check-unit	the unit programs alone: packages are built with no more tools
check-unit: unit
	@$(prove) -j$(JOBS) $(sort $(UNIT))

## check-long	run the tests that take long, those that take hours too
check-long: deps
	+@$(MAKE) $(jobs) all asan tests
	@MEMMON_CHECK=all $(prove) $(LONG)

# The programs that are measured: optimized, but each call keeps its frame.  One
# is linked statically: the one that measures.
BENCHES	:= $(patsubst %.c,$(O)/%,$(filter-out %/shim.c,$(wildcard \
		   tests/bench/*.c))) $(O)/tests/bench/shim.so \
		   $(O)/tests/bench/tree-hooked $(O)/tests/bench/parser-hooked
BENCH_LD = $(if $(filter measure,$(*F)),-static,-pthread) -lm
$(O)/tests/bench/%: tests/bench/%.c tests/bench/bench.h $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=gnu11 -O2 -g -fno-optimize-sibling-calls \
		-Wall -Wextra $(WERROR) -D_GNU_SOURCE= -I. -o $@ $< $(BENCH_LD)
# The same program, in which each function reports itself.
$(O)/tests/bench/%-hooked: tests/bench/%.c tests/bench/bench.h $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=gnu11 -O2 -g -fno-optimize-sibling-calls \
		-finstrument-functions -Wall -Wextra $(WERROR) -D_GNU_SOURCE= \
		-I. -o $@ $< $(BENCH_LD)
$(O)/tests/bench/shim.so: tests/bench/shim.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=gnu11 -O2 -g -Wall -Wextra $(WERROR) \
		-D_GNU_SOURCE= $(SHARED) -shared -o $@ $< -ldl
tests: $(BENCHES)

## bench		what memmon costs, beside heaptrack (tests/bench/run)
bench: all $(BENCHES)
	@MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' tests/bench/run

## overhead	the table of README.md: each way to record, as Markdown
overhead: all $(BENCHES)
	@TABLE=1 MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' tests/bench/run

## bench-access	what recording accesses costs, beside other tools
bench-access: all $(BENCHES)
	@MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' tests/bench/access

## bench-symbols	what a report over much debug information costs
bench-symbols: all $(BENCHES)
	@MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' CXX='$(CXX)' \
		tests/bench/symbols
