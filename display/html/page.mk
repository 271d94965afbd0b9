# SPDX-License-Identifier: GPL-3.0-or-later
# The page that mpreduce --html writes, as arrays of bytes.
PAGE	:= $(wildcard display/html/page/*.html)
STYLE	:= $(sort $(wildcard display/html/page/*.css))
SCRIPT	:= $(sort $(wildcard display/html/page/*.js))
# Without the indentation and the comments of the scripts, a tenth each, and blank
# lines.  The style has the license.
bytes	= { echo 'const unsigned char $(1)[] = {' && \
	  cat /dev/null $(2) | sed 's/^	*//; /^$$/d; /^\/\//d' | od -An -v -tu1 | \
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
