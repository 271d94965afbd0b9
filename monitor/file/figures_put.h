/* SPDX-License-Identifier: MIT */
/*
 * The table FIGURES, next to the table of o.  Call _begin; for each site, _read
 * of all its fates, then _site with its number, or _clear; then _end.  _end
 * returns the number of items.  ctx: exit.
 */
#ifndef MEMMON_FIGURES_PUT_H
#define MEMMON_FIGURES_PUT_H

#include "monitor/base/emit.h"
#include "monitor/counts/cells.h"

void mmi_figures_put_begin(struct mmi_emit *o);
void mmi_figures_put_clear(void);
void mmi_figures_put_read(const struct mmi_fate *f);
void mmi_figures_put_site(uint64_t number);
uint64_t mmi_figures_put_end(void);

#endif
