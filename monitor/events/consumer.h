/* SPDX-License-Identifier: MIT */
/* The process that consumes: started, and watched.  ctx: slow, exit. */
#ifndef MEMMON_EVENTS_CONSUMER_H
#define MEMMON_EVENTS_CONSUMER_H

#include "monitor/events/stream.h"
#include "monitor/base/internal.h"

/*
 * Start it with the file descriptor of the shared memory, which is closed here.
 * It is no child of this process once this returns.  False: it can't be.
 */
bool mmi_consumer_start(struct stream_head *h, int fd);

/* Is it gone, or was it never there? */
bool mmi_consumer_dead(const struct stream_head *h);

/* Where our parts are: "DIR/plugin" or "DIR/memmon"; "" not found. */
const char *mmi_consumer_home(void);

/* Sleep while *p is v, a tenth of a second at most; wake who does. */
void mmi_consumer_sleep(const uint32_t *p, uint32_t v);
void mmi_consumer_wake(const uint32_t *p);

#endif
