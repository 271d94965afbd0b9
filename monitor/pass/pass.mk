# SPDX-License-Identifier: MIT
PASS_SRC	:= $(wildcard monitor/pass/*.cc)

# Each LLVM that the pass can be built for, as major=llvm-config.
LLVMS	:= $(shell for n in -14 -15 -16 -17 -18 -19 -20 -21 -22 ''; do \
	     h=$$(llvm-config$$n --includedir) && \
	     { [ -f "$$h/llvm/Passes/PassPlugin.h" ] || \
	       [ -f "$$h/llvm/Plugins/PassPlugin.h" ]; } && \
	     v=$$(llvm-config$$n --version) && \
	     command -v g++ >/dev/null && echo "$${v%%.*}=llvm-config$$n"; \
	     done 2>/dev/null | sort -t= -u -n -k 1,1 | sed '/^[0-9]=/d; /^1[0-3]=/d')
LLVM_MAJORS	:= $(foreach l,$(LLVMS),$(firstword $(subst =, ,$l)))
llvm_of	= $(patsubst $(1)=%,%,$(filter $(1)=%,$(LLVMS)))
PASSES	:= $(if $(filter x86_64,$(MACHINE)),$(foreach v,$(LLVM_MAJORS),\
	     $(O)/plugin/clang-$v/memmon.so))

# Built by g++ even if CC is another compiler: clang loads the pass.
PASS_FLAGS	:= -std=c++17 -O2 -g1 -Wall -Wextra -fno-rtti -fno-exceptions \
		   -fPIC -I.

define pass_rules
$(O)/obj/pass-$(1)/%.o: monitor/pass/%.cc $$(wildcard monitor/pass/*.h) \
		monitor/abi.h monitor/events.h monitor/events_list.h \
		monitor/events_scope.h monitor/touch_entries.h \
		monitor/pass/pass.mk $(O)/flags
	@mkdir -p $$(@D)
	$$(call say,CXX,$$< (LLVM $(1)))g++ $(PASS_FLAGS) $$(WERROR) $$(any_cc) \
		-isystem $$(shell $(call llvm_of,$(1)) --includedir) -c -o $$@ $$<
$(O)/plugin/clang-$(1)/memmon.so: \
		$(PASS_SRC:monitor/pass/%.cc=$(O)/obj/pass-$(1)/%.o)
	@mkdir -p $$(@D)
	$$(call say,LD,$$@)g++ -shared $$(any_ld) -o $$@ $$^
	@$(call llvm_of,$(1)) --version >$$(@D)/version
endef
$(foreach v,$(LLVM_MAJORS),$(eval $(call pass_rules,$v)))
