# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon: GNU make, everything in one file, nothing built outside of $(O).
# `make help' lists the targets.  Sources are found by wildcard: a new .c file
# needs no line here.

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
# The monitor: GCC must not make calls of malloc and friends out of other code.
MONITOR	:= -fvisibility=hidden -fomit-frame-pointer -fno-builtin-malloc -fno-builtin-calloc \
	   -fno-builtin-realloc -fno-builtin-free
SHARED	= $(MONITOR) -fPIC -ftls-model=initial-exec
STATIC	= $(MONITOR) -fPIE -DMEMMON_STATIC
LAUNCH	= -DMEMMON_LIBDIR='"$(libdir)"'

# What the parts are linked with; the second is for programs linked statically.
MONITOR_LIBS	:=
MONITOR_STATIC	:=
REDUCE_LIBS	:= -lbfd -liberty -ldw -lelf

# ----------------------------------------------------------------- sources --

MAIN_SRC	:= monitor/launcher.c
STATIC_SRC	:= $(wildcard monitor/static/*.c)
MON_SRC		:= $(filter-out $(MAIN_SRC),$(wildcard monitor/*.c))
REDUCE_SRC	:= $(wildcard reduce/*.c)
DISPLAY_SRC	:= $(wildcard display/*.c)
UNIT_SRC	:= $(wildcard tests/unit/t_*.c)
HELPER_SRC	:= $(wildcard tests/*.c)
PROG_SRC	:= $(filter-out tests/prog/lib%,$(wildcard tests/prog/*.c))
PROGCC_SRC	:= $(wildcard tests/prog/*.cc)
PROGLIB_SRC	:= $(wildcard tests/prog/lib*.c)

SO_OBJ		:= $(MON_SRC:%.c=$(O)/obj/shared/%.o)
A_OBJ		:= $(MON_SRC:%.c=$(O)/obj/static/%.o) \
		   $(STATIC_SRC:%.c=$(O)/obj/static/%.o)
REDUCE_OBJ	:= $(REDUCE_SRC:%.c=$(O)/obj/%.o) $(DISPLAY_SRC:%.c=$(O)/obj/%.o)
LIB_OBJ		:= $(filter-out $(O)/obj/display/main.o,$(REDUCE_OBJ))

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
STYLED	:= $(wildcard monitor/*.[ch] monitor/*/*.[ch] reduce/*.[ch] \
	     display/*.[ch] tests/*.[ch] tests/*/*.[ch])

# Functions that the static library takes over by the linker's --wrap.
WRAP	:= $(if $(wildcard monitor/wrap.list),$(shell sed 's/[#].*//' \
	     monitor/wrap.list))

# ------------------------------------------------------------------- rules --

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += -r --no-print-directory
Q	:= $(if $(filter 1,$(V)),,@)
silent	:= $(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS))))
say	= $(if $(filter 1,$(V)),,@$(if $(silent),,echo "  $(1)	$(2)";))
abs	:= $(abspath $(O))

.PHONY: all monitor mpreduce
## all		the libraries, memmon and mpreduce (the default)
all: monitor mpreduce
monitor: $(O)/libmemmon.so $(O)/libmemmon.so.$(ABI) $(O)/libmemmon.a \
	 $(O)/memmon $(O)/memmon.pc
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

$(O)/obj/shared/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$< (shared))$(call compile,$(SHARED))

$(O)/obj/static/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$< (static))$(call compile,$(STATIC))

$(O)/obj/monitor/launcher.o: monitor/launcher.c $(O)/flags \
			     $(O)/flags-launcher | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$<)$(call compile,$(LAUNCH))

$(O)/obj/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$<)$(call compile)

# The hooks find the caller's frame by their own frame pointer, and leave its
# stack as it is, aligned or not.
HOOKS	:= $(foreach f,hooks cxx,$(foreach k,shared static,\
	     $(O)/obj/$k/monitor/$f.o))
$(HOOKS): MONITOR += -fno-omit-frame-pointer -mgeneral-regs-only

$(O)/libmemmon.so: $(SO_OBJ) | $(O)/probed
	$(call say,LD,$@)$(link) -shared -Wl,-soname,libmemmon.so.$(ABI) \
		-Wl,-z,defs,-z,now,-z,relro,-z,nodelete $(SO_OBJ) \
		-Wl,--as-needed $(MONITOR_LIBS) -ldl -pthread

$(O)/libmemmon.so.$(ABI): | $(O)
	@ln -sf libmemmon.so $@

# One object: a static link takes all of it or nothing, whatever the order of
# objects and libraries on its command line.
$(O)/libmemmon.a: $(A_OBJ)
	$(call say,AR,$@)$(CC) -r -nostdlib -o $(O)/obj/static/memmon.o \
		$(A_OBJ) && rm -f $@ && $(AR) rcs $@ $(O)/obj/static/memmon.o

$(O)/memmon: $(O)/obj/monitor/launcher.o
	$(call say,LD,$@)$(link) $^

$(O)/mpreduce: $(REDUCE_OBJ)
	$(call say,LD,$@)$(link) $^ $(REDUCE_LIBS)

wrapped	= -Wl,--eh-frame-hdr -Wl,-u,memmon_version $(WRAP:%=-Wl,--wrap=%) $(MONITOR_STATIC)
$(O)/memmon.pc: monitor/memmon.pc.in monitor/wrap.list Makefile FORCE | $(O)
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@version@|$(VERSION)|' \
		-e 's|@libdir@|$(libdir:$(prefix)/%=$${prefix}/%)|' \
		-e 's|@includedir@|$(includedir:$(prefix)/%=$${prefix}/%)|' \
		-e 's|@wrapped@|$(wrapped)|' $< >$@.new && \
	{ cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }

# ------------------------------------------------------------------- tests --

.PHONY: tests unit progs asan deps check check-run check-long demo bench
## tests		all test programs, without running them
tests: unit progs
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

## asan		mpreduce with address and undefined-behaviour sanitizers
asan:
	+@$(MAKE) O='$(O)/asan' mpreduce LDFLAGS= \
		CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'

## deps		install what the build and the tests need (Debian, root or sudo)
deps:
	@CC='$(CC)' .ci/deps check

# The unit programs are built and run with the other compiler too.
OTHER	:= $(if $(findstring clang,$(CC)),gcc,clang)
other	= $(if $(shell command -v $(OTHER) 2>/dev/null),$(O)/other)

## check		build and run the tests (minutes)
# The rest in a make of its own, which sees what deps has installed.
check: deps
	+@$(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) all asan tests \
		$(if $(other),check-other)
	+@$(MAKE) check-run

check-run:
	@CC='$(CC)' CXX='$(CXX)' CFLAGS='$(CFLAGS)' MEMMON_SRC='$(CURDIR)' \
	MEMMON_BUILD='$(abs)' prove --nocolor -j2 $(sort $(UNIT)) \
		$(if $(wildcard $(O)/other/tests/unit),$(sort \
			$(UNIT:$(O)/%=$(O)/other/%))) $(TESTS)

.PHONY: check-other
check-other:
	+@$(MAKE) O='$(O)/other' CC=$(OTHER) CXX=$(if $(filter clang,\
		$(OTHER)),clang++,g++) WERROR=-Werror all unit

## check-long	run the tests that take long
check-long: deps
	+@$(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) all asan tests
	@CC='$(CC)' CXX='$(CXX)' CFLAGS='$(CFLAGS)' MEMMON_SRC='$(CURDIR)' \
	MEMMON_BUILD='$(abs)' $(if $(LONG),prove --nocolor $(LONG),echo \
		'no long tests')

## demo		build, then profile the widgets example as a user would
demo:
	@CC='$(CC)' .ci/deps build
	+@$(MAKE) -s $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) all
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

# ----------------------------------------------------------- the house style --

.PHONY: format tidy
## format		put all C files into the house style (clang-format)
format:
	.ci/format $(STYLED)

## tidy		look for bug patterns (clang-tidy, the checks of .clang-tidy)
tidy:
	printf '%s\n' $(filter monitor/%.c reduce/%.c display/%.c,$(STYLED)) | \
	xargs -P $(JOBS) -n 1 sh -c 'clang-tidy --quiet "$$0" -- -std=gnu11 -I. \
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
	install -m 644 $(O)/libmemmon.a $(DESTDIR)$(libdir)
	install -m 644 monitor/memmon.h $(DESTDIR)$(includedir)
	install -m 644 $(O)/memmon.pc $(DESTDIR)$(pkgconfigdir)
	install -m 644 README LICENSES/* $(DESTDIR)$(docdir)
	$(foreach p,$(MAN),install -D -m 644 $p \
		$(DESTDIR)$(call man_at,$p) &&) true

## uninstall	remove what install has put there
uninstall:
	rm -f $(DESTDIR)$(bindir)/memmon $(DESTDIR)$(bindir)/mpreduce \
		$(addprefix $(DESTDIR)$(libdir)/libmemmon,.so .so.$(ABI) \
			.so.$(VERSION) .a) \
		$(DESTDIR)$(includedir)/memmon.h \
		$(DESTDIR)$(pkgconfigdir)/memmon.pc \
		$(foreach p,$(MAN),$(DESTDIR)$(call man_at,$p)) \
		$(addprefix $(DESTDIR)$(docdir)/,README $(notdir \
			$(wildcard LICENSES/*)))
	if [ -d $(DESTDIR)$(docdir) ]; then rmdir $(DESTDIR)$(docdir); fi

## clean		remove the build directory
clean:
	rm -rf $(O)

help:
	@echo 'make [O=build] [V=1] [CC=clang] [CFLAGS=...] [prefix=...] target'
	@echo
	@sed -n 's/^## //p' Makefile

-include $(wildcard $(O)/obj/*/*.d $(O)/obj/*/*/*.d)
