/* SPDX-License-Identifier: MIT */
/* What threads do when recording has changed: see control.h. */
#ifndef MEMMON_RESYNC_H
#define MEMMON_RESYNC_H

#include "monitor/base/thread.h"

/* The owner of t, which is busy, takes over all changes.  ctx: hook. */
void mmi_resync(struct mmi_thread *t);

/* Take over a reset, if there was one, in the middle of an event. */
void mmi_resync_reset(struct mmi_thread *t);

/*
 * Ask all threads to call mmi_resync(), each before its next event.  ctx: any.
 */
void mmi_resync_ask(void);

/*
 * _prepare: before the epoch rises to `next', empty the places where its
 * threads are counted.  _wait: after that, wait a little for events that began
 * before.  ctx: any, one thread at a time.
 */
void mmi_resync_prepare(uint32_t next);
void mmi_resync_wait(void);

/*
 * Record only the calling thread's events until mmi_thread_thaw(); events of
 * other threads aren't counted.  Waits a little for events that have begun:
 * true if all have ended.  Does nothing if another thread has called it.  ctx:
 * exit, signal.
 */
bool mmi_thread_freeze(void);
void mmi_thread_thaw(void);

/* Threads that had an event since the last reset.  ctx: any. */
uint64_t mmi_thread_count(void);

/* Set that number: 1, the calling thread, or 0.  ctx: fork. */
void mmi_thread_counted(uint64_t n);

#endif
