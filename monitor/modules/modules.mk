# SPDX-License-Identifier: MIT
#
# Modules, and what runs them: in $(O)/plugin, where memmon-cc finds them.
MODULE_H	:= monitor/events.h $(wildcard monitor/module/*.h)
MODULE_SRC	:= $(wildcard monitor/modules/*.c)
MODULES		:= $(MODULE_SRC:monitor/modules/%.c=$(O)/plugin/modules/%.so) \
		   $(O)/plugin/modules/dependence_context.so

module	= $(CC) $(OWN) -O2 $(CFLAGS) -fPIC -fvisibility=hidden -shared \
	  $(any_ld) -o $@
$(O)/plugin/modules/%.so: monitor/modules/%.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,MODULE,$@)$(module) -MF $(O)/obj/module-$*.d $<
$(O)/plugin/modules/dependence_context.so: monitor/modules/dependence.c \
		$(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,MODULE,$@)$(module) -MF $(O)/obj/module-dependence_context.d \
		-DCONTEXT $<

$(O)/plugin/memmon-consume: $(patsubst %,$(O)/obj/monitor/%.o,consume/consume \
		events/driver events/places events/restricted events/results)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(link) $^ -pthread -ldl

-include $(wildcard $(O)/obj/module-*.d)
