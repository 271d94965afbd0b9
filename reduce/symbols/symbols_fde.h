/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The starts and ends of functions, from the tables for unwinding (.eh_frame).
 * Programs have these even without any names.
 */
#ifndef MEMMON_SYMBOLS_FDE_H
#define MEMMON_SYMBOLS_FDE_H

#include <libelf.h>

#include "reduce/symbols/symbols_span.h"

/*
 * Fill *s, which is empty, with the functions of the file.  Entries that can't
 * be read are left out.
 */
void symbols_fde_load(struct symbols_spans *s, Elf *elf);

#endif
