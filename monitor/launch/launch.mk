# SPDX-License-Identifier: MIT
#
# memmon, memmon-cc, and files for other projects' builds.

# Only memmon needs these libraries: code in recorded programs doesn't.
ATTACH_LIBS	:= $(if $(ATTACH),-lunwind-ptrace -lunwind-$(MACHINE))

$(O)/obj/monitor/launch/launcher.o: monitor/launch/launcher.c $(O)/flags \
			     $(O)/flags-launcher | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$<)$(call compile,$(LAUNCH))

$(O)/memmon: $(MAIN_SRC:%.c=$(O)/obj/%.o) $(O)/obj/monitor/store/name.o \
	     $(O)/obj/monitor/base/program.o
	$(call say,LD,$@)$(link) $^ $(ATTACH_LIBS)

# memmon-cc finds its files relative to itself, in $(O) or installed.
up	= $(subst $(eval) ,,$(patsubst %,../,$(subst /, ,$(bindir:$(prefix)/%=%))))
from_bin = $(if $(and $(filter $(prefix)/%,$(bindir)),$(filter $(prefix)/%,\
	     $(libdir))),$(up)$(libdir:$(prefix)/%=%),$(libdir))
$(O)/memmon-cc: monitor/launch/memmon-cc | $(O)
	@sed 's|@lib@|.|; s|@own@|plugin|' $< >$@.new && chmod +x $@.new && \
		mv $@.new $@
$(O)/memmon-c++: | $(O)
	@ln -sf memmon-cc $@
$(O)/plugin/calls.specs $(O)/plugin/calls_fortify.h: \
		$(O)/plugin/%: monitor/access/%
	@mkdir -p $(@D) && cp $< $@
# Goes into other people's programs: only names of the compiler.
$(O)/plugin/calls.o: monitor/access/calls.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(filter-out -MMD -MP,$(OWN)) $(SHARED) \
		$(GENERAL) -O2 -ffunction-sections -DMEMMON_ACCESS \
		-DMEMMON_CALLS -c -o $@ $<
$(O)/plugin/calls.o: $(wildcard monitor/abi.h monitor/access/*.h monitor/base/*.h)

$(O)/plugin/list-events: $(O)/obj/monitor/launch/list_events.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(link) $^

own	= $${libdir}/memmon
calls	= -specs=$(own)/calls.specs -isystem $(own) -include calls_fortify.h
plugged	= $(if $(PLUGINS),-fplugin=$(own)/gcc-$(lastword \
	    $(MAJORS))/memmon.so,$(calls))
passed	= $(if $(PASSES),-fpass-plugin=$(own)/clang-$(firstword \
	    $(LLVM_MAJORS))/memmon.so)
$(O)/memmon-access.pc: monitor/memmon-access.pc.in Makefile FORCE | $(O)
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@version@|$(VERSION)|' \
		-e 's|@libdir@|$(libdir:$(prefix)/%=$${prefix}/%)|' \
		-e 's|@calls@|$(calls)|' -e 's|@plugged@|$(plugged)|' \
		-e 's|@passed@|$(passed)|' $< >$@.new && \
	{ cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }

wrapped	= -Wl,--eh-frame-hdr -Wl,-u,memmon_version $(WRAP:%=-Wl,--wrap=%) $(MONITOR_STATIC)
# Options for CMake, which separates them by semicolons.
semicolons = $(subst $(eval) ,;,$(strip $(1)))
$(O)/memmon-config.cmake: monitor/memmon-config.cmake.in monitor/wrap.list \
			  Makefile FORCE | $(O)
	@sed -e 's|@version@|$(VERSION)|' -e 's|@abi@|$(ABI)|' -e "s|@include@|$$( \
		realpath -m --relative-to='$(libdir)' '$(includedir)')|" \
		-e 's|@wrapped@|$(call semicolons,$(wrapped))|' $< >$@.new && \
	{ cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
	@printf '%s\n' 'set(PACKAGE_VERSION "$(VERSION)")' \
		'if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)' \
		'	set(PACKAGE_VERSION_COMPATIBLE TRUE)' 'endif()' \
		>$(O)/memmon-config-version.cmake
$(O)/memmon.pc: monitor/memmon.pc.in monitor/wrap.list Makefile FORCE | $(O)
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@version@|$(VERSION)|' \
		-e 's|@libdir@|$(libdir:$(prefix)/%=$${prefix}/%)|' \
		-e 's|@includedir@|$(includedir:$(prefix)/%=$${prefix}/%)|' \
		-e 's|@wrapped@|$(wrapped)|' $< >$@.new && \
	{ cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
