/* SPDX-License-Identifier: MIT */
/*
 * What live blocks begin with, at the end: how many of a site's with which
 * address in a module's data.  One at a time, ctx: exit.
 */
#ifndef MEMMON_VTABLES_H
#define MEMMON_VTABLES_H

#include "monitor/base/emit.h"
#include "monitor/file/sums.h"

/* Always, however long it takes; or never.  ctx: init. */
void mmi_vtables_init(bool always);

/* May blocks be looked at?  Not when the process is about to go down. */
void mmi_vtables_want(bool want);

/*
 * Look at each of the live blocks, which come page by page: they begin; the
 * block at a, of a node; they end.
 */
void mmi_vtables_begin(void);
void mmi_vtables_block(uintptr_t a, uint32_t node, uint64_t size);
void mmi_vtables_end(void);

#ifdef MEMMON_ACCESS
/* The address of a block in the shadow; 0 if there is nothing.  ctx: exit. */
uintptr_t mmi_vtables_address(uint64_t granule);
#endif

/* Write what was seen: the table begins; those of a node, as site s->sites, in
 * the order of nodes; the table ends. */
void mmi_vtables_table(struct mmi_emit *o);
void mmi_vtables_site(const struct mmi_tables_sums *s, uint32_t node);
void mmi_vtables_table_end(struct mmi_tables_sums *s);

#endif
