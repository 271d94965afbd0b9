# SPDX-License-Identifier: GPL-3.0-or-later
# The same again, with calls that fail on request: tests/t/faults.t.
FAULT_SRC	:= $(wildcard tests/fault/*.c)
FAULT_OF	= $(foreach f,$(1) $(FAULT_SRC),$(f:%.c=$(O)/obj/fault/$(2)/%.o))
FAULT_OBJ	:= $(call FAULT_OF,$(MON_SRC),shared) $(ZIP_OBJ)
FAULTACC_OBJ	:= $(call FAULT_OF,$(MON_SRC) $(ACCESS_SRC),access) $(ZIP_OBJ)
FAULTA_OBJ	:= $(call FAULT_OF,$(MON_SRC),static) $(ZIP_OBJ)

# Libraries for tests, whose calls fail on demand (tests/fault/fault.h).
.PHONY: fault
## fault		libraries for tests, whose system calls fail on demand
fault: $(O)/fault/libmemmon-fault.so $(O)/fault/libmemmon-access-fault.so \
       $(O)/fault/libmemmon-fault.a
FAULTY	= -fno-lto -DMEMMON_FAULT='"tests/fault/fault.h"' -I$(O)/fault
FAULT_CALLS := $(wildcard monitor/*/*.[ch])
$(O)/fault/calls.h: $(FAULT_CALLS) | $(O)
	@mkdir -p $(@D)
	@grep -oh 'ARCH_SYS(SYS_[a-z0-9_]*' $^ | sed 's/.*SYS_\(.*\)/CALL(\1)/' | \
		sort -u | grep -v '(exit\|(execve' >$@.new && \
	{ cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
# These define functions of libc.list themselves.
faulty_own = tests/fault/% monitor/wrap/wrap_system.c monitor/process/exits.c
fault_cc = @mkdir -p $(@D); $(if $(silent),,echo "  CC	$< (fault)";) \
	$(call compile,$(1) $(FAULTY)) $(if $(filter $(faulty_own),$<),,&& \
	objcopy $(foreach f,$(shell sed 's/[#].*//' tests/fault/libc.list),\
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
$(O)/fault/libmemmon-fault.so: $(FAULT_OBJ) $(OWN_LIBC) $(VERSIONS)
	$(call say,LD,$@)$(faulty)
$(O)/fault/libmemmon-access-fault.so: $(FAULTACC_OBJ) $(OWN_ALL) $(VERSIONS)
	$(call say,LD,$@)$(faulty)
$(O)/fault/libmemmon-fault.a: $(FAULTA_OBJ) $(OWN_LIBC)
	$(call say,AR,$@)$(CC) -r -nostdlib -o $(O)/obj/fault/static/memmon.o \
		$(FAULTA_OBJ) $(wraps) && rm -f $@ && \
		$(AR) rcs $@ $(O)/obj/fault/static/memmon.o
