# SPDX-License-Identifier: GPL-3.0-or-later
PLUGIN_SRC	:= $(wildcard monitor/plugin/*.cc)

# Each gcc that a plugin can be built for, as major=command; see gcc.h.
GCCS	:= $(shell for n in '' -9 -10 -11 -12 -13 -14 -15 -16; do \
	     h=$$(gcc$$n -print-file-name=plugin) && \
	     [ -f "$$h/include/gcc-plugin.h" ] && v=$$(gcc$$n -dumpversion) && \
	     command -v g++$$n >/dev/null && echo "$${v%%.*}=gcc$$n"; \
	     done 2>/dev/null | sort -t= -u -n -k 1,1 | \
	     awk -F= '$$1 >= 10 && $$1 < 17')
MAJORS	:= $(foreach g,$(GCCS),$(firstword $(subst =, ,$g)))
gcc_of	= $(patsubst $(1)=%,%,$(filter $(1)=%,$(GCCS)))
PLUGINS	:= $(if $(and $(PLUGIN_SRC),$(filter x86_64,$(MACHINE))),$(foreach v,$(MAJORS),\
	     $(O)/plugin/gcc-$v/memmon.so))

# The flags from packages' builds that any compiler accepts.
comma	:= ,
any_cc	= $(HERE) $(filter -ffile-prefix-map=%,$(CFLAGS))
any_ld	= $(filter -Wl$(comma)-z%,$(LDFLAGS))

# Each plugin is built by the gcc that will load it.  This gcc's headers come
# before all others, but cause no warnings.
plugin_dir = $(shell $(call gcc_of,$(1)) -print-file-name=plugin)
$(PLUGINS): $(O)/plugin/gcc-%/memmon.so: $(PLUGIN_SRC) \
	    $(wildcard monitor/plugin/*.h) monitor/abi.h monitor/events.h \
	    monitor/events_list.h monitor/events_scope.h \
	    monitor/pass/grouping.h monitor/touch_entries.h $(O)/flags
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(subst gcc,g++,$(call gcc_of,$*)) -O2 -g -Wall -Wextra \
		$(WERROR) $(any_cc) $(any_ld) -fno-rtti -fPIC -shared -I. \
		-isystem $(call plugin_dir,$*)/include -o $@ $(PLUGIN_SRC)
	@$(call gcc_of,$*) -v 2>&1 | sed -n 's/^gcc version //p' >$(@D)/version

# The parts of libstdc++ that recorded programs link themselves, built by the
# newest of these compilers: see recorded/README.
RECORDED_SRC	:= $(wildcard monitor/recorded/*.cc)
RECORDED_BY	:= $(lastword $(MAJORS))
RECORDED	:= $(if $(PLUGINS),$(O)/plugin/libmemmon-c++.a)
RECORDED_OBJ	:= $(RECORDED_SRC:%.cc=$(O)/obj/%.o)
$(RECORDED_OBJ): $(O)/obj/%.o: %.cc $(O)/plugin/gcc-$(RECORDED_BY)/memmon.so
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(subst gcc,g++,$(call gcc_of,$(RECORDED_BY))) -std=gnu++17 -O2 \
		-g -Wall -Wextra $(WERROR) $(any_cc) -fPIC -ffunction-sections \
		-fplugin=$(abspath $(O)/plugin/gcc-$(RECORDED_BY)/memmon.so) -c -o $@ $<
$(O)/plugin/libmemmon-c++.a: $(RECORDED_OBJ)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
