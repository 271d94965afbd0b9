# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon: GNU make, one file for all (no make in subfolders), nothing built
# outside of $(O).  `make help' lists the targets.  Sources are found by room: a
# new .c file needs no line here.

VERSION	:= 0.1.0
ABI	:= 0

# ---------------------------------------------------------------- settings --

O	?= build
# One name for each object: in its list of headers, too.
override O := $(patsubst $(CURDIR)/%,%,$(O))
V	?= 0
# What the names of a cross compiler's commands begin with: aarch64-linux-gnu-
CROSS	?=
ifeq ($(origin CC),default)
CC	:= $(CROSS)gcc
endif
ifeq ($(origin CXX),default)
CXX	:= $(if $(findstring clang,$(CC)),clang++,$(CROSS)g++)
endif
ifeq ($(origin AR),default)
AR	:= $(CROSS)$(if $(findstring clang,$(CC)),ar,gcc-ar)
endif
ifeq ($(origin LD),default)
LD	:= $(CROSS)ld
endif
OBJCOPY	?= $(CROSS)objcopy
# What it is built for: a CPU, and a C library.
MACHINE	:= $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
has	= $(shell printf '\043include <$(1)>\n' | $(CC) $(CFLAGS) -E -xc - \
	  >/dev/null 2>&1 && echo yes)
MUSL	:= $(filter __GLIBC__,$(lastword $(shell printf \
	     '\043include <features.h>\n__GLIBC__\n' | \
	     $(CC) -E -P -xc - 2>/dev/null)))
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
cmakedir	?= $(libdir)/cmake/memmon
bashdir		?= $(datadir)/bash-completion/completions
zshdir		?= $(datadir)/zsh/site-functions
DESTDIR		?=

# Where the source is, isn't in what is built.
HERE	:= -ffile-prefix-map='$(CURDIR)=.'
# Flags that the sources need, whatever CFLAGS says.
OWN	:= -std=gnu11 -Wall -Wextra $(WERROR) $(HERE) -I. -D_GNU_SOURCE= -MMD -MP \
	   -DMEMMON_VERSION='"$(VERSION)"' $(if $(MUSL),-DMEMMON_MUSL)
# What the parts are linked with; the second is for programs linked statically.
# The shared SQLite would take a million instructions of each start.
SQLITE	:= $(if $(wildcard $(shell $(CC) -print-file-name=libsqlite3.a \
	     2>/dev/null)),-l:libsqlite3.a,-lsqlite3)
REDUCE_LIBS	:= $(SQLITE) -lbfd -liberty -ldw -lelf -lcapstone -ldeflate -lzstd -llzma -lz -ldl -lm

# ----------------------------------------------------------------- sources --

REDUCE_SRC	:= $(wildcard reduce/*/*.c)
DISPLAY_SRC	:= $(filter-out display/mpi/%,$(wildcard display/*/*.c))

REDUCE_OBJ	:= $(REDUCE_SRC:%.c=$(O)/obj/%.o) $(DISPLAY_SRC:%.c=$(O)/obj/%.o) \
		   $(O)/obj/display/html/parts.o
LIB_OBJ		:= $(filter-out $(O)/obj/display/cli/main.o,$(REDUCE_OBJ))

MAN	:= $(wildcard man/*.[1-8])
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
include monitor/monitor.mk display/html/page.mk display/cli/completion.mk \
	display/mpi/mpi.mk \
	tests/tests.mk .ci/dist.mk

.PHONY: all monitor access plugin mpreduce completion
## all		the libraries, memmon, memmon-cc, mpreduce (the default);
##		CROSS=aarch64-linux-gnu- monitor access: those for another machine
all: monitor access mpreduce completion
monitor: $(O)/libmemmon.so $(O)/libmemmon.so.$(ABI) $(O)/libmemmon.a \
	 $(O)/memmon $(O)/memmon.pc $(O)/memmon-config.cmake
access: $(O)/libmemmon-access.so $(O)/libmemmon-access.so.$(ABI) \
	$(O)/memmon-cc $(O)/memmon-c++ $(O)/plugin/calls.specs \
	$(O)/plugin/calls_fortify.h $(O)/plugin/calls.o $(O)/plugin/list-events \
	$(O)/memmon-access.pc plugin $(MODULES) $(O)/plugin/memmon-consume
plugin: $(PLUGINS) $(PASSES) $(RECORDED)
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
	@$(if $(CROSS)$(MUSL),,CC='$(CC)' .ci/deps probe &&) touch $@

# Libraries come after the objects, so CFLAGS may hold -fsanitize and the like.
compile	= $(CC) $(OWN) $(1) $(CFLAGS) $(LAST) -c -o $@ $<
link	= $(CC) $(CFLAGS) $(LDFLAGS) -o $@

$(O)/obj/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$<)$(call compile)

$(O)/mpreduce: $(REDUCE_OBJ)
	$(call say,LD,$@)$(link) $^ $(REDUCE_LIBS)

.PHONY: deps demo
## deps		install what the build and the tests need (Debian, root or sudo)
deps:
	@CC='$(CC)' .ci/deps check

jobs	= $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
## demo		install what the build needs, build, profile an example
demo:
	@CC='$(CC)' .ci/deps build
	+@$(MAKE) -s $(jobs) all
	@CC='$(CC)' MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' .ci/demo

.PHONY: pictures
## pictures	those of README.md, from tests/prog/server.c (needs Chromium)
pictures: all
	@CC='$(CC)' MEMMON_SRC='$(CURDIR)' MEMMON_BUILD='$(abs)' .ci/pictures

# ----------------------------------------------------------- the house style --

.PHONY: format tidy
## format		put all C files into the house style (clang-format)
format:
	.ci/format $(STYLED)

## tidy		look for bug patterns (clang-tidy, the checks of .clang-tidy)
tidy:
	printf '%s\n' $(filter-out display/mpi/%,$(filter monitor/%.c reduce/%.c \
		display/%.c,$(STYLED))) | \
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
	install -m 755 $(O)/memmon $(O)/mpreduce $(MPI) $(DESTDIR)$(bindir)
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
	install -m 644 monitor/access/calls_fortify.h \
		$(DESTDIR)$(libdir)/memmon
	install -m 644 $(O)/plugin/calls.o $(RECORDED) $(DESTDIR)$(libdir)/memmon
	install -m 755 $(O)/plugin/list-events $(DESTDIR)$(libdir)/memmon
	$(foreach p,$(PLUGINS) $(PASSES),install -D -m 644 $p \
		$(DESTDIR)$(libdir)/memmon/$(p:$(O)/plugin/%=%) && install \
		-m 644 $(dir $p)version $(dir \
		$(DESTDIR)$(libdir)/memmon/$(p:$(O)/plugin/%=%)) &&) true
	install -m 644 $(O)/libmemmon.a $(DESTDIR)$(libdir)
	install -m 644 monitor/memmon.h monitor/memmon.hpp \
		$(DESTDIR)$(includedir)
	$(foreach h,$(MODULE_H),sed 's|"monitor/[a-z/]*/|"memmon/|; s|"monitor/|"memmon/|' $h \
		>$(O)/header && install -D -m 644 $(O)/header \
		$(DESTDIR)$(includedir)/$(if $(filter %/memmon_module.h,$h),,memmon/)$(notdir \
		$h) &&) rm $(O)/header
	install -D -m 755 -t $(DESTDIR)$(libdir)/memmon $(O)/plugin/memmon-consume
	install -D -m 755 -t $(DESTDIR)$(libdir)/memmon/modules $(MODULES)
	install -m 644 $(O)/memmon.pc $(O)/memmon-access.pc \
		$(DESTDIR)$(pkgconfigdir)
	install -D -m 644 -t $(DESTDIR)$(cmakedir) $(O)/memmon-config.cmake \
		$(O)/memmon-config-version.cmake
	install -m 644 README.md LICENSES/* $(DESTDIR)$(docdir)
	install -d $(DESTDIR)$(bashdir) $(DESTDIR)$(zshdir)
	install -m 644 $(COMPLETE_BASH) $(DESTDIR)$(bashdir)
	install -m 644 $(COMPLETE_ZSH) $(DESTDIR)$(zshdir)
	$(foreach p,$(MAN),install -D -m 644 $p \
		$(DESTDIR)$(call man_at,$p) &&) true
	ln -sf memmon-cc.1 $(DESTDIR)$(mandir)/man1/memmon-c++.1

## uninstall	remove what install has put there
uninstall:
	rm -f $(addprefix $(DESTDIR)$(bindir)/memmon,'' -cc -c++) \
		$(addprefix $(DESTDIR)$(bindir)/,mpreduce mpreduce-mpi) \
		$(foreach l,libmemmon libmemmon-access,$(addprefix \
			$(DESTDIR)$(libdir)/$l,.so .so.$(ABI) .so.$(VERSION))) \
		$(DESTDIR)$(libdir)/libmemmon.a \
		$(DESTDIR)$(includedir)/memmon.h \
		$(addprefix $(DESTDIR)$(includedir)/memmon,.hpp _module.h) \
		$(addprefix $(DESTDIR)$(pkgconfigdir)/,memmon.pc memmon-access.pc) \
		$(foreach p,$(MAN),$(DESTDIR)$(call man_at,$p)) \
		$(DESTDIR)$(mandir)/man1/memmon-c++.1 \
		$(addprefix $(DESTDIR)$(bashdir)/,$(notdir $(COMPLETE_BASH))) \
		$(addprefix $(DESTDIR)$(zshdir)/,$(notdir $(COMPLETE_ZSH))) \
		$(addprefix $(DESTDIR)$(docdir)/,README.md $(notdir \
			$(wildcard LICENSES/*)))
	if [ -d $(DESTDIR)$(docdir) ]; then rmdir $(DESTDIR)$(docdir); fi
	rm -rf $(DESTDIR)$(libdir)/memmon $(DESTDIR)$(cmakedir) \
		$(DESTDIR)$(includedir)/memmon

## clean		remove the build directory
clean:
	rm -rf $(O)

help:
	@echo 'make [O=build] [V=1] [CC=clang] [CFLAGS=...] [prefix=...] target'
	@echo
	@sed -n 's/^## //p' Makefile tests/tests.mk tests/fault/fault.mk \
		.ci/dist.mk

-include $(wildcard $(O)/obj/*/*.d $(O)/obj/*/*/*.d $(O)/obj/*/*/*/*.d $(O)/obj/*/*/*/*/*.d)
