/* SPDX-License-Identifier: MIT */
/*
 * The names of an object that may be unloaded meanwhile: as symbol.h has them,
 * but for what is copied.  Between mmi_peek_begin() and _end().  ctx: slow.
 */
#ifndef MEMMON_SYMBOL_PEEK_H
#define MEMMON_SYMBOL_PEEK_H

#include "monitor/base/symbol.h"

/*
 * By where its dynamic section is; a name that it defines, into *s; is that
 * exported by another name, too?
 */
bool mmi_symbol_peek_tables(uintptr_t bias, uintptr_t dynamic,
			    struct mmi_symbol_tables *t);
bool mmi_symbol_peek(const struct mmi_symbol_tables *t, const char *name,
		     Elf64_Sym *s);
bool mmi_symbol_peek_alias(const struct mmi_symbol_tables *t, const char *name,
			   const Elf64_Sym *s);

#endif
