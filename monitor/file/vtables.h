/* SPDX-License-Identifier: MIT */
/*
 * The first words of live blocks, at the end: how many blocks of a site begin
 * with which address in a module's data.  One at a time, ctx: exit.
 */
#ifndef MEMMON_VTABLES_H
#define MEMMON_VTABLES_H

#include "monitor/base/emit.h"
#include "monitor/file/sums.h"

/* Always look, no matter how long it takes; or never.  ctx: init. */
void mmi_vtables_init(bool always);

/* May blocks be looked at?  Not if the process is about to crash. */
void mmi_vtables_want(bool want);

/*
 * Look at all live blocks, which come page by page: _begin; _block for the
 * block at a, of a node; _end.
 */
void mmi_vtables_begin(void);
void mmi_vtables_block(uintptr_t a, uint32_t node, uint64_t size);
void mmi_vtables_end(void);

#ifdef MEMMON_ACCESS
/* The address of a block in the shadow; 0: none.  ctx: exit. */
uintptr_t mmi_vtables_address(uint64_t granule);
#endif

/*
 * Write what was seen: _table: the table begins; _site: the items of a node,
 * for site s->sites, in the order of nodes; _table_end: the table ends.
 */
void mmi_vtables_table(struct mmi_emit *o);
void mmi_vtables_site(const struct mmi_tables_sums *s, uint32_t node);
void mmi_vtables_table_end(struct mmi_tables_sums *s);

#endif
