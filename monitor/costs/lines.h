/* SPDX-License-Identifier: MIT */
/* Lines and pages with live blocks. */
#ifndef MEMMON_LINES_H
#define MEMMON_LINES_H

#include "monitor/costs/footprint.h"

/*
 * Walk through all live blocks; fills in all of *l but `at'.  Blocks that come
 * or go meanwhile may be missed.  ctx: slow, one at a time.
 */
void mmi_lines_look(struct mmi_footprint_look *l);

#endif
