# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon: GNU make, one file for all (no make in subfolders), nothing built
# outside of $(O).  `make help' lists the targets.  Sources are found by room: a
# new .c file needs no line here.

VERSION	:= 0.1.0
ABI	:= 0

# ---------------------------------------------------------------- settings --

O	?= build
V	?= 0
ifeq ($(origin CC),default)
CC	:= gcc
endif
ifeq ($(origin CXX),default)
CXX	:= $(if $(findstring clang,$(CC)),clang++,g++)
endif
ifeq ($(origin AR),default)
AR	:= $(if $(findstring clang,$(CC)),ar,gcc-ar)
endif
OBJCOPY	?= objcopy
CFLAGS	?= -O2 -g
CXXFLAGS ?= -O2 -g
LDFLAGS	?=
WERROR	?=
JOBS	?= $(shell nproc 2>/dev/null || echo 2)

prefix		?= /usr/local
bindir		?= $(prefix)/bin
libdir		?= $(prefix)/lib
includedir	?= $(prefix)/include
datadir		?= $(prefix)/share
mandir		?= $(datadir)/man
docdir		?= $(datadir)/doc/memmon
pkgconfigdir	?= $(libdir)/pkgconfig
DESTDIR		?=

# Flags that the sources need, whatever CFLAGS says.
OWN	:= -std=gnu11 -Wall -Wextra $(WERROR) -I. -D_GNU_SOURCE= -MMD -MP \
	   -DMEMMON_VERSION='"$(VERSION)"'
# What the parts are linked with; the second is for programs linked statically.
# The shared SQLite would take a million instructions of each start.
SQLITE	:= $(if $(wildcard $(shell $(CC) -print-file-name=libsqlite3.a \
	     2>/dev/null)),-l:libsqlite3.a,-lsqlite3)
REDUCE_LIBS	:= $(SQLITE) -lbfd -liberty -ldw -lelf -lcapstone -lzstd -llzma -lz -ldl -lm

# ----------------------------------------------------------------- sources --

REDUCE_SRC	:= $(wildcard reduce/*/*.c)
DISPLAY_SRC	:= $(wildcard display/*/*.c)
UNIT_SRC	:= $(wildcard tests/unit/t_*.c)
HELPER_SRC	:= $(wildcard tests/*.c)
PROG_SRC	:= $(filter-out tests/prog/lib%,$(wildcard tests/prog/*.c))
PROGCC_SRC	:= $(wildcard tests/prog/*.cc)
PROGLIB_SRC	:= $(wildcard tests/prog/lib*.c)

REDUCE_OBJ	:= $(REDUCE_SRC:%.c=$(O)/obj/%.o) $(DISPLAY_SRC:%.c=$(O)/obj/%.o) \
		   $(O)/obj/display/html/parts.o
LIB_OBJ		:= $(filter-out $(O)/obj/display/cli/main.o,$(REDUCE_OBJ))

UNIT		:= $(UNIT_SRC:%.c=$(O)/%)
HELPERS		:= $(HELPER_SRC:%.c=$(O)/%)
# Each program twice: by itself, and as NAME-mm linked with -lmemmon.
PROGS		:= $(PROG_SRC:%.c=$(O)/%) $(PROG_SRC:%.c=$(O)/%-mm) \
		   $(PROGLIB_SRC:%.c=$(O)/%.so)
ifneq ($(shell command -v $(CXX) 2>/dev/null),)
PROGS		+= $(PROGCC_SRC:%.cc=$(O)/%) $(PROGCC_SRC:%.cc=$(O)/%-mm)
endif

MAN	:= $(wildcard man/*.[1-8])
TESTS	:= $(wildcard tests/t/*.t)
LONG	:= $(wildcard tests/long/*.t)
STYLED	:= $(wildcard monitor/*.[ch] monitor/*/*.[ch] reduce/*/*.[ch] \
	     display/*/*.[ch] tests/*.[ch] tests/*/*.[ch])

# ------------------------------------------------------------------- rules --

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += -r --no-print-directory
Q	:= $(if $(filter 1,$(V)),,@)
silent	:= $(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS))))
say	= $(if $(filter 1,$(V)),,@$(if $(silent),,echo "  $(1)	$(2)";))
abs	:= $(abspath $(O))

# What each part is made of, and how.
include monitor/monitor.mk tests/fault/fault.mk display/html/page.mk

.PHONY: all monitor access plugin mpreduce
## all		the libraries, memmon, memmon-cc, mpreduce (the default)
all: monitor access mpreduce
monitor: $(O)/libmemmon.so $(O)/libmemmon.so.$(ABI) $(O)/libmemmon.a \
	 $(O)/memmon $(O)/memmon.pc
access: $(O)/libmemmon-access.so $(O)/libmemmon-access.so.$(ABI) \
	$(O)/memmon-cc $(O)/memmon-c++ $(O)/plugin/calls.specs \
	$(O)/plugin/calls.o \
	$(O)/memmon-access.pc plugin
plugin: $(PLUGINS)
	$(if $(MAJORS),,@echo 'memmon: no plugin for gcc, which needs the package' \
		"gcc-$$(gcc -dumpversion 2>/dev/null | sed 's/[.].*//')-plugin-dev")
mpreduce: $(O)/mpreduce

$(O):
	@mkdir -p $@

# A file with the command line: what depends on it is made anew when the
# compiler or the flags are others than last time.
compiler := $(shell $(CC) --version 2>/dev/null | head -n 1)
flags	= $(CC) $(compiler) $(CFLAGS) $(LDFLAGS) $(OWN)
$(O)/flags: FORCE | $(O)
	$(shell mkdir -p $(O))$(file >$@.new,$(flags))@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(O)/flags-launcher: FORCE | $(O)
	$(shell mkdir -p $(O))$(file >$@.new,$(LAUNCH))@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
.PHONY: FORCE

# Once in a build directory: is everything there that the build needs?
$(O)/probed: .ci/deps | $(O)
	@CC='$(CC)' .ci/deps probe && touch $@

# Libraries come after the objects, so CFLAGS may hold -fsanitize and the like.
compile	= $(CC) $(OWN) $(1) $(CFLAGS) -c -o $@ $<
link	= $(CC) $(CFLAGS) $(LDFLAGS) -o $@

$(O)/obj/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$<)$(call compile)

$(O)/mpreduce: $(REDUCE_OBJ)
	$(call say,LD,$@)$(link) $^ $(REDUCE_LIBS)

# ------------------------------------------------------------------- tests --

.PHONY: tests unit progs asan deps check check-all check-run check-long demo bench \
	bench-access bench-symbols
## tests		all test programs, without running them
tests: unit progs fault
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

# What throws damaged input at mpreduce: NAME replays files, NAME-fuzz is for
# libFuzzer.  load.c includes two files of reduce/.
FUZZERS	:= load elf image log options
FUZZ_IN	:= $(O)/obj/reduce/profile/profile.o $(O)/obj/reduce/file/sum.o
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

## deps		install what the build and the tests need (Debian, root or sudo)
deps:
	@CC='$(CC)' .ci/deps check

# In make check-all the unit programs are built and run with the other compiler
# too, and tests/long is run, but for what takes hours or fetches sources.
OTHER	:= $(if $(findstring clang,$(CC)),gcc,clang)
other	= $(if $(shell command -v $(OTHER) 2>/dev/null),$(O)/other)
HOURS	:= $(patsubst %,tests/long/%.t,accesses packages torture)
IN_ALL	= $(if $(other),$(sort $(UNIT:$(O)/%=$(O)/other/%))) \
	  $(filter-out $(HOURS),$(LONG))

## check		build and run the tests (minutes)
## check-all	the same, and all that they leave out to take no longer
# The rest in a make of its own, which sees what deps has installed.
jobs	= $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
check-all: export MEMMON_CHECK := all
check check-all: deps
	+@$(MAKE) $(jobs) all asan tests $(if $(filter all,$(MEMMON_CHECK)),check-other)
	+@$(MAKE) check-run

# All by one prove, whose last lines say what came of it.
prove	= CC='$(CC)' CXX='$(CXX)' CFLAGS='$(CFLAGS)' MEMMON_SRC='$(CURDIR)' \
	  MEMMON_BUILD='$(abs)' prove --nocolor
check-run:
	@$(prove) -j$(JOBS) $(sort $(UNIT)) $(TESTS) \
		$(if $(filter all,$(MEMMON_CHECK)),$(IN_ALL))

.PHONY: check-other
check-other:
	$(if $(other),+@$(MAKE) O='$(O)/other' CC=$(OTHER) CXX=$(if $(filter clang,\
		$(OTHER)),clang++,g++) WERROR=-Werror all unit,@echo \
		'memmon: no $(OTHER): goes on without')

## check-long	run the tests that take long, those that take hours too
check-long: deps
	+@$(MAKE) $(jobs) all asan tests
	@MEMMON_CHECK=all $(prove) $(LONG)

## demo		build, then profile the widgets example as a user would
demo:
	@CC='$(CC)' .ci/deps build
	+@$(MAKE) -s $(jobs) all
	@CC='$(CC)' MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' .ci/demo

# The programs that are measured: optimized, but each call keeps its frame.  One
# is linked statically: the one that measures.
BENCHES	:= $(patsubst %.c,$(O)/%,$(filter-out %/shim.c,$(wildcard \
		   tests/bench/*.c))) $(O)/tests/bench/shim.so
BENCH_LD = $(if $(filter measure,$(*F)),-static,-pthread)
$(O)/tests/bench/%: tests/bench/%.c tests/bench/bench.h $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=gnu11 -O2 -g -fno-optimize-sibling-calls \
		-Wall -Wextra $(WERROR) -D_GNU_SOURCE= -I. -o $@ $< $(BENCH_LD)
$(O)/tests/bench/shim.so: tests/bench/shim.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=gnu11 -O2 -g -Wall -Wextra $(WERROR) \
		-D_GNU_SOURCE= $(SHARED) -shared -o $@ $< -ldl
tests: $(BENCHES)

## bench		what memmon costs, beside heaptrack (tests/bench/run)
bench: all $(BENCHES)
	@MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' tests/bench/run

## bench-access	what recording accesses costs, beside other tools
bench-access: all $(BENCHES)
	@MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' tests/bench/access

## bench-symbols	what a report over much debug information costs
bench-symbols: all $(BENCHES)
	@MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' CXX='$(CXX)' \
		tests/bench/symbols

# ----------------------------------------------------------- the house style --

.PHONY: format tidy
## format		put all C files into the house style (clang-format)
format:
	.ci/format $(STYLED)

## tidy		look for bug patterns (clang-tidy, the checks of .clang-tidy)
tidy:
	printf '%s\n' $(filter monitor/%.c reduce/%.c display/%.c,$(STYLED)) | \
	xargs -P $(JOBS) -n 1 sh -c 'case $$0 in */shadow/*|*/use/*|*/access/*|*/wrap/*) \
		d=-DMEMMON_ACCESS;; \
		esac; clang-tidy --quiet "$$0" -- -std=gnu11 -I. $$d \
		-D_GNU_SOURCE= -DMEMMON_VERSION=\"$(VERSION)\" -DMEMMON_LIBDIR=\"$(libdir)\"'

# ----------------------------------------------------------------- install --

man_at	= $(mandir)/man$(subst .,,$(suffix $(1)))/$(notdir $(1))
.PHONY: install uninstall clean help
## install		into DESTDIR and prefix (/usr/local)
install: all
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(libdir) \
		$(DESTDIR)$(includedir) $(DESTDIR)$(pkgconfigdir) \
		$(DESTDIR)$(docdir)
	install -m 755 $(O)/memmon $(O)/mpreduce $(DESTDIR)$(bindir)
	install -m 755 $(O)/libmemmon.so \
		$(DESTDIR)$(libdir)/libmemmon.so.$(VERSION)
	ln -sf libmemmon.so.$(VERSION) $(DESTDIR)$(libdir)/libmemmon.so.$(ABI)
	ln -sf libmemmon.so.$(ABI) $(DESTDIR)$(libdir)/libmemmon.so
	install -m 755 $(O)/libmemmon-access.so \
		$(DESTDIR)$(libdir)/libmemmon-access.so.$(VERSION)
	ln -sf libmemmon-access.so.$(VERSION) \
		$(DESTDIR)$(libdir)/libmemmon-access.so.$(ABI)
	ln -sf libmemmon-access.so.$(ABI) \
		$(DESTDIR)$(libdir)/libmemmon-access.so
	sed 's|@lib@|$(from_bin)|; s|@own@|$(from_bin)/memmon|' \
		monitor/launch/memmon-cc >$(DESTDIR)$(bindir)/memmon-cc
	chmod 755 $(DESTDIR)$(bindir)/memmon-cc
	ln -sf memmon-cc $(DESTDIR)$(bindir)/memmon-c++
	install -D -m 644 monitor/access/calls.specs \
		$(DESTDIR)$(libdir)/memmon/calls.specs
	install -m 644 $(O)/plugin/calls.o $(DESTDIR)$(libdir)/memmon
	$(foreach p,$(PLUGINS),install -D -m 644 $p \
		$(DESTDIR)$(libdir)/memmon/$(p:$(O)/plugin/%=%) && install \
		-m 644 $(dir $p)version $(dir \
		$(DESTDIR)$(libdir)/memmon/$(p:$(O)/plugin/%=%)) &&) true
	install -m 644 $(O)/libmemmon.a $(DESTDIR)$(libdir)
	install -m 644 monitor/memmon.h monitor/memmon.hpp \
		$(DESTDIR)$(includedir)
	install -m 644 $(O)/memmon.pc $(O)/memmon-access.pc \
		$(DESTDIR)$(pkgconfigdir)
	install -m 644 README LICENSES/* $(DESTDIR)$(docdir)
	$(foreach p,$(MAN),install -D -m 644 $p \
		$(DESTDIR)$(call man_at,$p) &&) true

## uninstall	remove what install has put there
uninstall:
	rm -f $(addprefix $(DESTDIR)$(bindir)/memmon,'' -cc -c++) \
		$(DESTDIR)$(bindir)/mpreduce \
		$(foreach l,libmemmon libmemmon-access,$(addprefix \
			$(DESTDIR)$(libdir)/$l,.so .so.$(ABI) .so.$(VERSION))) \
		$(DESTDIR)$(libdir)/libmemmon.a \
		$(DESTDIR)$(includedir)/memmon.h \
		$(DESTDIR)$(includedir)/memmon.hpp \
		$(addprefix $(DESTDIR)$(pkgconfigdir)/,memmon.pc memmon-access.pc) \
		$(foreach p,$(MAN),$(DESTDIR)$(call man_at,$p)) \
		$(addprefix $(DESTDIR)$(docdir)/,README $(notdir \
			$(wildcard LICENSES/*)))
	if [ -d $(DESTDIR)$(docdir) ]; then rmdir $(DESTDIR)$(docdir); fi
	rm -rf $(DESTDIR)$(libdir)/memmon

## clean		remove the build directory
clean:
	rm -rf $(O)

help:
	@echo 'make [O=build] [V=1] [CC=clang] [CFLAGS=...] [prefix=...] target'
	@echo
	@sed -n 's/^## //p' Makefile tests/fault/fault.mk

-include $(wildcard $(O)/obj/*/*.d $(O)/obj/*/*/*.d $(O)/obj/*/*/*/*.d $(O)/obj/*/*/*/*/*.d)
