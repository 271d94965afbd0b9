/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where functions start and end by the tables for unwinding (.eh_frame), which
 * programs have when all names are gone.
 */
#ifndef MEMMON_SYMBOLS_FDE_H
#define MEMMON_SYMBOLS_FDE_H

#include <libelf.h>

#include "reduce/symbols/symbols_span.h"

/*
 * Fill *s, which is empty, with the functions of the file.  What can't be read
 * is left out.  0, or -1 when out of memory.
 */
int symbols_fde_load(struct symbols_spans *s, Elf *elf);

#endif
