# SPDX-License-Identifier: GPL-3.0-or-later
#
# The scripts that complete command lines of memmon and mpreduce, made from the
# tables of options of both.

COMPLETED	:= memmon mpreduce
COMPLETE_BASH	:= $(COMPLETED:%=$(O)/completion/bash/%)
COMPLETE_ZSH	:= $(COMPLETED:%=$(O)/completion/zsh/_%)
completion: $(COMPLETE_BASH) $(COMPLETE_ZSH)

operands_memmon		= commands
operands_mpreduce	= files
$(O)/completion/bash/%: $(O)/% display/cli/completion display/cli/completion.bash
	@mkdir -p $(@D)
	$(call say,GEN,$@)display/cli/completion bash $< $(operands_$*) >$@
$(O)/completion/zsh/_%: $(O)/% display/cli/completion
	@mkdir -p $(@D)
	$(call say,GEN,$@)display/cli/completion zsh $< $(operands_$*) >$@
