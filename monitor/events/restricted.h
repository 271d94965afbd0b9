/* SPDX-License-Identifier: MIT */
/* Notes about restrictions of events that match nothing. */
#ifndef MEMMON_EVENTS_RESTRICTED_H
#define MEMMON_EVENTS_RESTRICTED_H

#include "monitor/events/results.h"

/* Write a note of each.  ctx: as in results.h */
void mmi_restricted_note(const struct driver *d, struct results *r);

#endif
