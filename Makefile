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
# The monitor: GCC must not make calls of malloc and friends out of other code.
MONITOR	:= -fvisibility=hidden -fomit-frame-pointer -fno-builtin-malloc -fno-builtin-calloc \
	   -fno-builtin-realloc -fno-builtin-free
SHARED	= $(MONITOR) -fPIC -ftls-model=initial-exec
STATIC	= $(MONITOR) -fPIE -DMEMMON_STATIC
LAUNCH	= -DMEMMON_LIBDIR='"$(libdir)"'
# Called in the midst of other people's code, whose registers are in use.
GENERAL	:= $(if $(findstring x86_64,$(shell $(CC) -dumpmachine 2>/dev/null)),\
	     -mgeneral-regs-only)

# What the parts are linked with; the second is for programs linked statically.
MONITOR_LIBS	:=
MONITOR_STATIC	:=
REDUCE_LIBS	:= -lsqlite3 -lbfd -liberty -ldw -lelf -lcapstone -lzstd -llzma -lz -ldl -lm

# ----------------------------------------------------------------- sources --

MAIN_SRC	:= $(wildcard monitor/launch/*.c)
MON_SRC		:= $(foreach r,base chain record process file leak hooks,\
		   $(wildcard monitor/$r/*.c))
REDUCE_SRC	:= $(wildcard reduce/*/*.c)
DISPLAY_SRC	:= $(wildcard display/*/*.c)
UNIT_SRC	:= $(wildcard tests/unit/t_*.c)
HELPER_SRC	:= $(wildcard tests/*.c)
PROG_SRC	:= $(filter-out tests/prog/lib%,$(wildcard tests/prog/*.c))
PROGCC_SRC	:= $(wildcard tests/prog/*.cc)
PROGLIB_SRC	:= $(wildcard tests/prog/lib*.c)

# libmemmon-access: the whole monitor once more, and what counts accesses.
ACCESS_SRC	:= $(wildcard monitor/access/*.c)
PLUGIN_SRC	:= $(wildcard monitor/plugin/*.cc)

# zstd's compressor, once for all libraries: see the rule.
ZIP_OBJ		:= $(O)/obj/zip/zip.o
SO_OBJ		:= $(MON_SRC:%.c=$(O)/obj/shared/%.o) $(ZIP_OBJ)
ACCESS_OBJ	:= $(MON_SRC:%.c=$(O)/obj/access/%.o) \
		   $(ACCESS_SRC:%.c=$(O)/obj/access/%.o) $(ZIP_OBJ)
A_OBJ		:= $(MON_SRC:%.c=$(O)/obj/static/%.o) $(ZIP_OBJ)
# The same once more, of calls that fail when told to: tests/t/faults.t.
FAULT_SRC	:= $(wildcard monitor/fault/*.c)
FAULT_OF	= $(foreach f,$(1) $(FAULT_SRC),$(f:%.c=$(O)/obj/fault/$(2)/%.o))
FAULT_OBJ	:= $(call FAULT_OF,$(MON_SRC),shared) $(ZIP_OBJ)
FAULTACC_OBJ	:= $(call FAULT_OF,$(MON_SRC) $(ACCESS_SRC),access) $(ZIP_OBJ)
FAULTA_OBJ	:= $(call FAULT_OF,$(MON_SRC),static) $(ZIP_OBJ)
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

# Functions that the static library takes over by the linker's --wrap.
WRAP	:= $(if $(wildcard monitor/wrap.list),$(shell sed 's/[#].*//' \
	     monitor/wrap.list))
# What libmemmon-access calls of what it offers itself goes elsewhere.
PLAIN	:= $(if $(wildcard monitor/access/plain.list),$(shell sed 's/[#].*//' \
	     monitor/access/plain.list))

# Each gcc that a plugin can be built for, as major=command.
GCCS	:= $(shell for n in '' -9 -10 -11 -12 -13 -14 -15 -16; do \
	     h=$$(gcc$$n -print-file-name=plugin) && \
	     [ -f "$$h/include/gcc-plugin.h" ] && v=$$(gcc$$n -dumpversion) && \
	     command -v g++$$n >/dev/null && echo "$${v%%.*}=gcc$$n"; \
	     done 2>/dev/null | sort -t= -u -n -k 1,1)
MAJORS	:= $(foreach g,$(GCCS),$(firstword $(subst =, ,$g)))
gcc_of	= $(patsubst $(1)=%,%,$(filter $(1)=%,$(GCCS)))
PLUGINS	:= $(if $(PLUGIN_SRC),$(foreach v,$(MAJORS),\
	     $(O)/plugin/gcc-$v/memmon-access.so))

# ------------------------------------------------------------------- rules --

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += -r --no-print-directory
Q	:= $(if $(filter 1,$(V)),,@)
silent	:= $(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS))))
say	= $(if $(filter 1,$(V)),,@$(if $(silent),,echo "  $(1)	$(2)";))
abs	:= $(abspath $(O))

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

$(O)/obj/shared/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$< (shared))$(call compile,$(SHARED))

$(O)/obj/access/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$< (access))$(call compile,$(SHARED) -DMEMMON_ACCESS)

$(O)/obj/static/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$< (static))$(call compile,$(STATIC))

$(O)/obj/monitor/launch/launcher.o: monitor/launch/launcher.c $(O)/flags \
			     $(O)/flags-launcher | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$<)$(call compile,$(LAUNCH))

$(O)/obj/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$<)$(call compile)

# The hooks find the caller's frame by their own frame pointer, and leave its
# stack as it is, aligned or not.
HOOKS	:= $(foreach f,hooks/hooks hooks/cxx record/annotate,$(foreach k,shared access static,\
	     $(O)/obj/$k/monitor/$f.o $(O)/obj/fault/$k/monitor/$f.o))
$(HOOKS): MONITOR += -fno-omit-frame-pointer -mgeneral-regs-only
$(filter-out $(foreach k,access fault/access,$(O)/obj/$k/monitor/access/wrap%),\
  $(filter $(O)/obj/access/monitor/access/% \
    $(O)/obj/fault/access/monitor/access/%,$(ACCESS_OBJ) $(FAULTACC_OBJ))): \
	MONITOR += $(GENERAL)

# libzstd.a brings more than is wanted: other levels, which nobody asks for, and
# calls of malloc.  So of its members those that pack at level 1 are put into
# one object with our own, all that they call elsewhere gets the name of a
# function that does nothing, and in the end only our own names are left.
ZSTD_A	:= $(wildcard $(shell $(CC) -print-file-name=libzstd.a 2>/dev/null))
ZSTD_IN	:= zstd_compress zstd_compress_literals zstd_compress_sequences \
	   zstd_compress_superblock zstd_fast zstd_common fse_compress \
	   huf_compress hist entropy_common error_private xxhash
ZIP_OUT	:= memcpy memmove memset __stack_chk_fail _GLOBAL_OFFSET_TABLE_
zip_cc	= $(CC) $(OWN) $(SHARED) -fno-lto $(CFLAGS) -fno-lto -c -o $@
$(ZIP_OBJ): monitor/zip/zip.c monitor/zip/zip.h $(ZSTD_A) $(O)/flags | $(O)/probed
	@rm -rf $(@D) && mkdir -p $(@D)
ifneq ($(ZSTD_A),)
	$(call say,CC,$<)$(zip_cc) $< && cd $(@D) && mv zip.o own.o && \
	$(AR) x $(ZSTD_A) $(ZSTD_IN:%=%.o) && \
	$(LD) -r -o all.o own.o $(ZSTD_IN:%=%.o) && \
	nm all.o | awk '$$1 == "U" || $$1 == "w" { print $$2 }' | \
		grep -vxF $(ZIP_OUT:%=-e %) | \
		sed 's/.*/--defsym &=mmi_zip_none/' >none && \
	$(LD) -r -o one.o all.o @none && \
	$(OBJCOPY) -G mmi_zip -G mmi_zip_room one.o zip.o && \
	rm -f $(ZSTD_IN:%=%.o) own.o all.o one.o none
else
	@echo 'memmon: no libzstd.a: block logs are not compressed'
	$(call say,CC,$<)$(zip_cc) -DMEMMON_NO_ZSTD $<
endif

shared	= $(link) -shared -Wl,-soname,$(@F).$(ABI) \
	  -Wl,-z,defs,-z,now,-z,relro,-z,nodelete $(filter %.o,$^) \
	  -Wl,--version-script=monitor/versions.map \
	  -Wl,--as-needed $(MONITOR_LIBS) -ldl -pthread
$(O)/libmemmon.so: $(SO_OBJ) monitor/versions.map | $(O)/probed
	$(call say,LD,$@)$(shared)
$(O)/libmemmon-access.so: $(ACCESS_OBJ) monitor/access/plain.list \
			  monitor/versions.map | $(O)/probed
	$(call say,LD,$@)$(shared) $(PLAIN:%=-Wl,--wrap=%)

$(O)/libmemmon.so.$(ABI) $(O)/libmemmon-access.so.$(ABI): | $(O)
	@ln -sf $(@F:.$(ABI)=) $@

# Libraries for tests, whose calls fail on demand (monitor/fault/fault.h).
.PHONY: fault
## fault		libraries for tests, whose system calls fail on demand
fault: $(O)/fault/libmemmon-fault.so $(O)/fault/libmemmon-access-fault.so \
       $(O)/fault/libmemmon-fault.a
FAULTY	= -fno-lto -DMEMMON_FAULT -I$(O)/fault
FAULT_CALLS := $(filter-out monitor/fault/%,$(wildcard monitor/*/*.[ch]))
$(O)/fault/calls.h: $(FAULT_CALLS) | $(O)
	@mkdir -p $(@D)
	@grep -oh 'ARCH_SYS(SYS_[a-z0-9_]*' $^ | sed 's/.*SYS_\(.*\)/CALL(\1)/' | \
		sort -u | grep -v '(exit\|(execve' >$@.new && \
	{ cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
# These define functions of libc.list themselves.
faulty_own = monitor/fault/% monitor/access/wrap_rows.c
fault_cc = @mkdir -p $(@D); $(if $(silent),,echo "  CC	$< (fault)";) \
	$(call compile,$(1) $(FAULTY)) $(if $(filter $(faulty_own),$<),,&& \
	objcopy $(foreach f,$(shell sed 's/[#].*//' monitor/fault/libc.list),\
	--redefine-sym $f=mmi_fault_$f) $@)
$(O)/obj/fault/shared/%.o: %.c $(O)/flags $(O)/fault/calls.h | $(O)/probed
	$(call fault_cc,$(SHARED))
$(O)/obj/fault/access/%.o: %.c $(O)/flags $(O)/fault/calls.h | $(O)/probed
	$(call fault_cc,$(SHARED) -DMEMMON_ACCESS)
$(O)/obj/fault/static/%.o: %.c $(O)/flags $(O)/fault/calls.h | $(O)/probed
	$(call fault_cc,$(STATIC))
# The usual sonames: they take the place of the real ones.
faulty	= $(subst -soname$(comma)$(@F),-soname$(comma)$(@F:-fault.so=.so),$(shared))
comma	:= ,
$(O)/fault/libmemmon-fault.so: $(FAULT_OBJ) monitor/versions.map
	$(call say,LD,$@)$(faulty)
$(O)/fault/libmemmon-access-fault.so: $(FAULTACC_OBJ) monitor/access/plain.list \
				   monitor/versions.map
	$(call say,LD,$@)$(faulty) $(PLAIN:%=-Wl,--wrap=%)
$(O)/fault/libmemmon-fault.a: $(FAULTA_OBJ)
	$(call say,AR,$@)$(CC) -r -nostdlib -o $(O)/obj/fault/static/memmon.o \
		$(FAULTA_OBJ) && rm -f $@ && \
		$(AR) rcs $@ $(O)/obj/fault/static/memmon.o

# The plugin, by the gcc that is to load it: its headers go before all others
# but give no warnings.
plugin_dir = $(shell $(call gcc_of,$(1)) -print-file-name=plugin)
$(PLUGINS): $(O)/plugin/gcc-%/memmon-access.so: $(PLUGIN_SRC) \
	    $(wildcard monitor/plugin/*.h) monitor/access/abi.h $(O)/flags
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(subst gcc,g++,$(call gcc_of,$*)) -O2 -g -Wall -Wextra \
		$(WERROR) -fno-rtti -fPIC -shared -I. \
		-isystem $(call plugin_dir,$*)/include -o $@ $(PLUGIN_SRC)
	@$(call gcc_of,$*) -v 2>&1 | sed -n 's/^gcc version //p' >$(@D)/version

# One object: a static link takes all of it or nothing, whatever the order of
# objects and libraries on its command line.  Names that its own files share are
# no names for the program, which may have the same.
$(O)/libmemmon.a: $(A_OBJ)
	$(call say,AR,$@)$(CC) -r -nostdlib -o $(O)/obj/static/memmon.o \
		$(A_OBJ) && $(OBJCOPY) --localize-hidden \
		$(O)/obj/static/memmon.o && \
		rm -f $@ && $(AR) rcs $@ $(O)/obj/static/memmon.o

$(O)/memmon: $(MAIN_SRC:%.c=$(O)/obj/%.o) $(O)/obj/monitor/file/name.o
	$(call say,LD,$@)$(link) $^

# The page that mpreduce --html writes, as arrays of bytes.
PAGE	:= $(wildcard display/html/page/*.html)
STYLE	:= $(sort $(wildcard display/html/page/*.css))
SCRIPT	:= $(sort $(wildcard display/html/page/*.js))
bytes	= { echo 'const unsigned char $(1)[] = {' && \
	  cat /dev/null $(2) | od -An -v -tu1 | \
	  sed 's/  *\([0-9][0-9]*\)/\1,/g' && echo '0 };' && \
	  echo 'const size_t $(1)_size = sizeof $(1) - 1;'; }
$(O)/html/parts.c: $(PAGE) $(STYLE) $(SCRIPT) $(O)/flags-page \
		display/html/html_page.h
	@mkdir -p $(@D)
	$(call say,GEN,$@){ echo '#include "display/html/html_page.h"' && \
		$(call bytes,html_page,$(PAGE)) && \
		$(call bytes,html_style,$(STYLE)) && \
		$(call bytes,html_script,$(SCRIPT)); } >$@
$(O)/flags-page: FORCE | $(O)
	$(shell mkdir -p $(O))$(file >$@.new,$(PAGE) $(STYLE) $(SCRIPT))@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(O)/obj/display/html/parts.o: $(O)/html/parts.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$<)$(call compile)

$(O)/mpreduce: $(REDUCE_OBJ)
	$(call say,LD,$@)$(link) $^ $(REDUCE_LIBS)

# memmon-cc finds the rest from where it is itself, in $(O) or installed.
up	= $(subst $(eval) ,,$(patsubst %,../,$(subst /, ,$(bindir:$(prefix)/%=%))))
from_bin = $(if $(and $(filter $(prefix)/%,$(bindir)),$(filter $(prefix)/%,\
	     $(libdir))),$(up)$(libdir:$(prefix)/%=%),$(libdir))
$(O)/memmon-cc: monitor/launch/memmon-cc | $(O)
	@sed 's|@lib@|.|; s|@own@|plugin|' $< >$@.new && chmod +x $@.new && \
		mv $@.new $@
$(O)/memmon-c++: | $(O)
	@ln -sf memmon-cc $@
$(O)/plugin/calls.specs: monitor/access/calls.specs
	@mkdir -p $(@D) && cp $< $@
# Into other people's programs, with no names but the compiler's.
$(O)/plugin/calls.o: monitor/access/calls.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(filter-out -MMD -MP,$(OWN)) $(SHARED) \
		$(GENERAL) -O2 -ffunction-sections -DMEMMON_ACCESS \
		-DMEMMON_CALLS -c -o $@ $<
$(O)/plugin/calls.o: $(wildcard monitor/access/*.h monitor/base/internal.h)

own	= $${libdir}/memmon
calls	= -specs=$(own)/calls.specs
plugged	= $(if $(PLUGINS),-fplugin=$(own)/gcc-$(lastword \
	    $(MAJORS))/memmon-access.so,$(calls))
$(O)/memmon-access.pc: monitor/memmon-access.pc.in Makefile FORCE | $(O)
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@version@|$(VERSION)|' \
		-e 's|@libdir@|$(libdir:$(prefix)/%=$${prefix}/%)|' \
		-e 's|@calls@|$(calls)|' -e 's|@plugged@|$(plugged)|' $< >$@.new && \
	{ cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }

wrapped	= -Wl,--eh-frame-hdr -Wl,-u,memmon_version $(WRAP:%=-Wl,--wrap=%) $(MONITOR_STATIC)
$(O)/memmon.pc: monitor/memmon.pc.in monitor/wrap.list Makefile FORCE | $(O)
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@version@|$(VERSION)|' \
		-e 's|@libdir@|$(libdir:$(prefix)/%=$${prefix}/%)|' \
		-e 's|@includedir@|$(includedir:$(prefix)/%=$${prefix}/%)|' \
		-e 's|@wrapped@|$(wrapped)|' $< >$@.new && \
	{ cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }

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

# The unit programs are built and run with the other compiler too.
OTHER	:= $(if $(findstring clang,$(CC)),gcc,clang)
other	= $(if $(shell command -v $(OTHER) 2>/dev/null),$(O)/other)

## check		build and run the tests (minutes)
## check-all	the same, and all that they leave out to take no longer
# The rest in a make of its own, which sees what deps has installed.
check-all: export MEMMON_CHECK := all
check check-all: deps
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
	MEMMON_CHECK=all MEMMON_BUILD='$(abs)' $(if $(LONG),prove --nocolor $(LONG),echo \
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
	printf '%s\n' $(filter-out monitor/fault/%,$(filter monitor/%.c \
		reduce/%.c display/%.c,$(STYLED))) | \
	xargs -P $(JOBS) -n 1 sh -c 'case $$0 in */access/*) d=-DMEMMON_ACCESS;; \
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
	@sed -n 's/^## //p' Makefile

-include $(wildcard $(O)/obj/*/*.d $(O)/obj/*/*/*.d $(O)/obj/*/*/*/*.d $(O)/obj/*/*/*/*/*.d)
