/* SPDX-License-Identifier: MIT */
/* The table of settings. */
#ifndef MEMMON_SETTINGS_H
#define MEMMON_SETTINGS_H

#include "monitor/base/emit.h"

/*
 * Write it, by what the kernel says that the program got, whatever it has made
 * of its environment since.  Returns how many there are; 0 also when it can't
 * be known.  ctx: exit, one at a time.
 */
uint64_t mmi_settings_put(struct mmi_emit *o);

#endif
