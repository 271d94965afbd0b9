# SPDX-License-Identifier: MIT
#
# The libraries: libmemmon, shared and static, and libmemmon-access.

# The monitor: GCC must not make calls of malloc and friends out of other code.
# Programs pass NULL to functions that headers declare as taking none, and get
# EFAULT or EINVAL; so comparisons with NULL stay.
MONITOR	:= -fvisibility=hidden -fomit-frame-pointer -fno-builtin-malloc -fno-builtin-calloc \
	   -fno-builtin-realloc -fno-builtin-free $(ATOMIC) \
	   -fno-delete-null-pointer-checks \
	   $(if $(MUSL),-Imonitor/base/musl -include monitor/base/musl.h)
SHARED	= $(MONITOR) -fPIC -ftls-model=initial-exec $(if $(TABLES),-DMEMMON_TABLES)
# Where the loader and the linker are known to take it: see base/table.h.
TABLES	:= $(if $(MUSL)$(CROSS)$(filter-out x86_64,$(MACHINE))$(findstring \
	     -fuse-ld,$(LDFLAGS)$(CFLAGS)),,monitor/base/tables.ld)
STATIC	= $(MONITOR) -fPIE -DMEMMON_STATIC
LAUNCH	= -DMEMMON_LIBDIR='"$(libdir)"'
# Called in the midst of other people's code, whose registers are in use.
GENERAL	:= $(if $(filter x86_64,$(MACHINE)),-mgeneral-regs-only)
# No calls of libgcc for atomic operations.
ATOMIC	:= $(if $(filter aarch64,$(MACHINE)),-mno-outline-atomics)

MONITOR_LIBS	:=
MONITOR_STATIC	:=

# memmon -p needs libunwind, which a cross compiler may lack.
ATTACH		:= $(if $(CROSS)$(MUSL),$(call has,libunwind-ptrace.h),yes)
MAIN_SRC	:= $(filter-out %/list_events.c,$(wildcard monitor/launch/*.c \
		   $(if $(ATTACH),monitor/attach/*.c)))
# libmemmon, and what libmemmon-access has besides.
MON_ROOMS	:= base store image chain counts thread log record costs hooks leak memory file process
ACCESS_ROOMS	:= shadow use events access wrap
ACCESS_SRC	:= $(foreach r,$(ACCESS_ROOMS),$(wildcard monitor/$r/*.c)) \
		   monitor/file/accesses.c
MON_SRC		:= $(filter-out $(ACCESS_SRC),$(foreach r,$(MON_ROOMS),\
		   $(wildcard monitor/$r/*.c)))

# zstd's compressor, once for all libraries: see the rule.
ZIP_OBJ		:= $(O)/obj/zip/zip.o
SO_OBJ		:= $(MON_SRC:%.c=$(O)/obj/shared/%.o) $(ZIP_OBJ)
ACCESS_OBJ	:= $(MON_SRC:%.c=$(O)/obj/access/%.o) \
		   $(ACCESS_SRC:%.c=$(O)/obj/access/%.o) $(ZIP_OBJ)
A_OBJ		:= $(MON_SRC:%.c=$(O)/obj/static/%.o) $(ZIP_OBJ)

# Functions that the static library takes over by the linker's --wrap.
WRAP	:= $(if $(wildcard monitor/wrap.list),$(shell sed 's/[#].*//' \
	     monitor/wrap.list))
# What the libraries call of libc and have themselves, and libmemmon-access
# besides: of what it offers itself.
OWN_LIBC := monitor/base/libc.list
OWN_ALL	:= $(OWN_LIBC) monitor/wrap/plain.list
wraps	= $(foreach f,$(shell sed 's/[#].*//' $(filter %.list,$^)),-Wl,--wrap=$f)

$(O)/obj/shared/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$< (shared))$(call compile,$(SHARED))

$(O)/obj/access/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$< (access))$(call compile,$(SHARED) -DMEMMON_ACCESS)

$(O)/obj/static/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$< (static))$(call compile,$(STATIC))

# The hooks find the caller's frame by their own frame pointer, and leave its
# stack as it is, aligned or not.
HOOKS	:= $(foreach f,hooks/hooks hooks/cxx hooks/function_hooks hooks/collector_hooks hooks/lisp hooks/map_hooks record/annotate,$(foreach k,shared access static,\
	     $(O)/obj/$k/monitor/$f.o $(O)/obj/fault/$k/monitor/$f.o))
$(HOOKS): MONITOR += -fno-omit-frame-pointer $(GENERAL)
$(foreach k,shared access static,$(O)/obj/$k/monitor/base/libc.o \
  $(O)/obj/fault/$k/monitor/base/libc.o): MONITOR += $(GENERAL)
$(filter $(foreach r,shadow use access events/events.o events/blocks.o events/callers.o,$(foreach k,access \
  fault/access,$(O)/obj/$k/monitor/$r%)),$(ACCESS_OBJ) \
  $(ACCESS_SRC:%.c=$(O)/obj/fault/access/%.o)): \
	MONITOR += $(GENERAL)

# Functions have versions, and some all of their code, by asm outside of them,
# from which link-time optimization parts them.
$(foreach k,shared access static,$(O)/obj/$k/% $(O)/obj/fault/$k/%): \
	private LAST := -fno-lto

# The machine's first glibc comes first.
VERSIONS := $(O)/versions.map
$(VERSIONS): monitor/versions.map | $(O)
	@sed 's/2\.2\.5/$(or $(if $(filter aarch64,$(MACHINE)),2.17),2.2.5)/' $< >$@

shared	= $(link) -shared -Wl,-soname,$(@F).$(ABI) \
	  -Wl,-z,defs,-z,now,-z,relro,-z,nodelete,--eh-frame-hdr \
	  $(filter %.o,$^) $(wraps) $(TABLES:%=-Wl,-T,%) \
	  -Wl,--version-script=$(VERSIONS) \
	  -Wl,--as-needed $(MONITOR_LIBS) -ldl -pthread
$(O)/libmemmon.so: $(SO_OBJ) $(OWN_LIBC) $(TABLES) $(VERSIONS) | $(O)/probed
	$(call say,LD,$@)$(shared)
$(O)/libmemmon-access.so: $(ACCESS_OBJ) $(OWN_ALL) $(TABLES) $(VERSIONS) | $(O)/probed
	$(call say,LD,$@)$(shared)

$(O)/libmemmon.so.$(ABI) $(O)/libmemmon-access.so.$(ABI): | $(O)
	@ln -sf $(@F:.$(ABI)=) $@

# One object: a static link takes all of it or nothing, whatever the order of
# objects and libraries on its command line.  Names that its own files share are
# no names for the program, which may have the same.
$(O)/libmemmon.a: $(A_OBJ) $(OWN_LIBC)
	$(call say,AR,$@)$(CC) -r -nostdlib -o $(O)/obj/static/memmon.o \
		$(A_OBJ) $(wraps) && $(OBJCOPY) --localize-hidden \
		$(O)/obj/static/memmon.o && \
		rm -f $@ && $(AR) rcs $@ $(O)/obj/static/memmon.o

include monitor/zip/zip.mk monitor/plugin/plugin.mk monitor/pass/pass.mk \
	monitor/launch/launch.mk monitor/modules/modules.mk
