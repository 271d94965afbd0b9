/* SPDX-License-Identifier: MIT */
/* Starts the process that consumes events, and watches it.  ctx: slow, exit. */
#ifndef MEMMON_EVENTS_CONSUMER_H
#define MEMMON_EVENTS_CONSUMER_H

#include "monitor/events/stream.h"
#include "monitor/base/internal.h"

/*
 * Start it with the file descriptor of the shared memory, which is closed here.
 * When this returns, the consumer isn't a child of this process.  False: it
 * can't be started.
 */
bool mmi_consumer_start(struct stream_head *h, int fd);

/* True if it has ended or never started. */
bool mmi_consumer_dead(const struct stream_head *h);

/*
 * Where the monitor's parts are: "DIR/plugin" or "DIR/memmon"; "": not found.
 */
const char *mmi_consumer_home(void);

/* Sleep while *p is v, at most a tenth of a second; wake all sleepers. */
void mmi_consumer_sleep(const uint32_t *p, uint32_t v);
void mmi_consumer_wake(const uint32_t *p);

#endif
