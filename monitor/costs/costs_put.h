/* SPDX-License-Identifier: MIT */
/* The table COSTS of the data file. */
#ifndef MEMMON_COSTS_PUT_H
#define MEMMON_COSTS_PUT_H

#include "monitor/base/emit.h"

/* Put it into the open table; nothing if nothing was timed.  ctx: exit. */
void mmi_costs_put(struct mmi_emit *o);

#endif
