/* SPDX-License-Identifier: MIT */
/*
 * The names of an object that may be unloaded meanwhile: like symbol.h, but
 * copies what it reads.  Call it between mmi_peek_begin() and _end().
 * ctx: slow.
 */
#ifndef MEMMON_SYMBOL_PEEK_H
#define MEMMON_SYMBOL_PEEK_H

#include "monitor/base/symbol.h"

/*
 * tables: reads the tables by the address of the dynamic section.  peek: a name
 * that the object defines, to *s.  alias: does it export that symbol by another
 * name, too?
 */
bool mmi_symbol_peek_tables(uintptr_t bias, uintptr_t dynamic,
			    struct mmi_symbol_tables *t);
bool mmi_symbol_peek(const struct mmi_symbol_tables *t, const char *name,
		     Elf64_Sym *s);
bool mmi_symbol_peek_alias(const struct mmi_symbol_tables *t, const char *name,
			   const Elf64_Sym *s);

#endif
