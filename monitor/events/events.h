/* SPDX-License-Identifier: MIT */
/*
 * Events for modules (memmon-cc --module): from instrumented code and the hooks
 * to the consumer.  While no list of places is registered there are no events,
 * and a hook tests only one word.
 */
#ifndef MEMMON_MONITOR_EVENTS_H
#define MEMMON_MONITOR_EVENTS_H

#include "monitor/base/internal.h"
#include "monitor/events.h"
#include "monitor/events/stream.h"

/* A bit for each kind of event that the hooks report.  ctx: any. */
extern HIDDEN uint32_t mmi_events_wanted;

static inline bool
mmi_events_want(unsigned kind)
{
	return UNLIKELY(LOAD(&mmi_events_wanted) >> kind & 1);
}

/* The hooks report a block of `size' bytes at p, called from pc.  ctx: hook. */
void mmi_events_alloc(const void *p, uint64_t size, uintptr_t pc);
void mmi_events_free(const void *p, uintptr_t pc);

/*
 * _note_new: a form of operator new begins at `code'; its caller counts as the
 * caller.  ctx: slow.  _in_new: is pc in such a form?  ctx: hook.
 */
void mmi_events_note_new(const void *code);
bool mmi_events_in_new(uintptr_t pc);

/*
 * The block of `was' bytes at `old' became a block of `size' bytes at p: this
 * counts as read, free and write.
 */
void mmi_events_resized(const void *old, uint64_t was, const void *p,
			uint64_t size, uintptr_t pc);

/* An event of the runtime, with an address and a value.  ctx: hook. */
static inline void
mmi_events_put(unsigned kind, uint32_t where, uint64_t size, uint64_t address,
	       uint64_t value)
{
	struct memmon_events *mine = &__link_with_lmemmon_events_v1;
	uint64_t *p = mine->next;

	if (p + MEMMON_EVENT_WORDS > mine->end)
		p = __memmon_events_full(MEMMON_EVENT_WORDS);
	mine->next = p + MEMMON_EVENT_WORDS;
	p[1] = address;
	p[2] = value;
	p[0] = where | size << MEMMON_EVENT_SIZE_SHIFT |
	       (uint64_t)kind << MEMMON_EVENT_KIND_SHIFT |
	       3ull << MEMMON_EVENT_ADDRESS_SHIFT;
}

/* The memory shared with the consumer; NULL: none, or not yet.  ctx: any. */
struct stream_head *mmi_events_stream(void);

/* In the child: start a separate stream of events.  ctx: fork. */
void mmi_events_fork(void);

/*
 * The process ends, or another program takes its place: wait until the results
 * are written.  `path': the name of the data file that was written; drop: no
 * results are wanted.  ctx: exit, signal.
 */
void mmi_events_end(const char *path, bool drop);

#endif
