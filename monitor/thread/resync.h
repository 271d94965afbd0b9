/* SPDX-License-Identifier: MIT */
/* Threads, when recording has changed: see control.h. */
#ifndef MEMMON_RESYNC_H
#define MEMMON_RESYNC_H

#include "monitor/base/thread.h"

/* The owner of t, which is busy, learns of all that has changed.  ctx: hook. */
void mmi_resync(struct mmi_thread *t);

/* The same of a reset, if there was one, in the middle of an event. */
void mmi_resync_reset(struct mmi_thread *t);

/* Ask all threads to do so, each before its next event.  ctx: any. */
void mmi_resync_ask(void);

/*
 * Before the epoch rises to `next': the places where its threads are counted
 * are empty.  And after it: wait a little for events that began before it.
 * ctx: any, one thread at a time.
 */
void mmi_resync_prepare(uint32_t next);
void mmi_resync_wait(void);

/*
 * Only the calling thread's events are recorded until mmi_thread_thaw(): the
 * others' aren't counted.  Waits a little for those that have begun: true if
 * all have ended.  Does nothing if another thread has done so.  ctx: exit,
 * signal.
 */
bool mmi_thread_freeze(void);
void mmi_thread_thaw(void);

/* Threads that had an event since the last reset.  ctx: any. */
uint64_t mmi_thread_count(void);

/* So many had one: 1, the calling thread, or 0.  ctx: fork. */
void mmi_thread_counted(uint64_t n);

#endif
