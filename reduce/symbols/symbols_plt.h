/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the stubs that lead to other modules: "malloc@plt". */
#ifndef MEMMON_SYMBOLS_PLT_H
#define MEMMON_SYMBOLS_PLT_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "reduce/symbols/symbols_name.h"
#include "reduce/symbols/symbols_span.h"

/* All zero has nothing loaded yet. */
struct symbols_plt {
	struct symbols_spans spans; /* items are places in stubs */
	struct bfd_symbol *stubs;
	bool loaded;
};

/*
 * The name of the stub at the address, or NULL: none is known there.  text: the
 * file's sections with code, items are their numbers.  *entry gets
 * where it starts.  The name, as it is shown, is one of names.
 */
const char *symbols_plt_at(struct symbols_plt *p, struct symbols_names *names,
			   Elf *elf, const struct symbols_spans *text,
			   uint64_t addr, uint64_t *entry);
void symbols_plt_fini(struct symbols_plt *p);

#endif
