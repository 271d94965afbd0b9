/* SPDX-License-Identifier: MIT */
/* What events were restricted to, and isn't there: for the reader of tables. */
#ifndef MEMMON_EVENTS_RESTRICTED_H
#define MEMMON_EVENTS_RESTRICTED_H

#include "monitor/events/results.h"

/* A note of each.  ctx: as those of results.h */
void mmi_restricted_note(const struct driver *d, struct results *r);

#endif
