/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the stubs that call other modules: "malloc@plt". */
#ifndef MEMMON_SYMBOLS_PLT_H
#define MEMMON_SYMBOLS_PLT_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "reduce/symbols/symbols_name.h"
#include "reduce/symbols/symbols_span.h"

/* All zero: nothing is loaded yet. */
struct symbols_plt {
	struct symbols_spans spans; /* items are indices in stubs */
	struct bfd_symbol *stubs;
	bool loaded;
};

/*
 * The name of the stub at the address; NULL: none is known.  text: the file's
 * sections with code; items are their numbers.  *entry gets the stub's start.
 * The name is in the form that is shown, and owned by names.
 */
const char *symbols_plt_at(struct symbols_plt *p, struct symbols_names *names,
			   Elf *elf, const struct symbols_spans *text,
			   uint64_t addr, uint64_t *entry);
void symbols_plt_fini(struct symbols_plt *p);

#endif
