/* SPDX-License-Identifier: MIT */
/*
 * Events for modules (memmon-cc --module): from instrumented code and the hooks
 * to whoever consumes them.  As long as no list of places is registered there
 * are none, and a hook asks one word.
 */
#ifndef MEMMON_MONITOR_EVENTS_H
#define MEMMON_MONITOR_EVENTS_H

#include "monitor/base/internal.h"
#include "monitor/events.h"
#include "monitor/events/stream.h"

/* A bit for each kind that the hooks are to report.  ctx: any. */
extern HIDDEN uint32_t mmi_events_wanted;

static inline bool
mmi_events_want(unsigned kind)
{
	return UNLIKELY(LOAD(&mmi_events_wanted) >> kind & 1);
}

/* What the hooks tell: a block of `size' bytes at p, called from pc. ctx: hook.
 */
void mmi_events_alloc(const void *p, uint64_t size, uintptr_t pc);
void mmi_events_free(const void *p, uintptr_t pc);

/*
 * A form of operator new begins there, whose own caller is the one that counts;
 * and is pc in one?  ctx: slow; hook.
 */
void mmi_events_note_new(const void *code);
bool mmi_events_in_new(uintptr_t pc);

/*
 * The block at `old' of `was' bytes became one of `size' bytes at p: it was
 * read, freed, and written.
 */
void mmi_events_resized(const void *old, uint64_t was, const void *p,
			uint64_t size, uintptr_t pc);

/* One of the runtime's own, with an address and a value.  ctx: hook. */
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

/* What is shared with the consumer; NULL: nothing, or not yet.  ctx: any. */
struct stream_head *mmi_events_stream(void);

/* In the child: its events are its own.  ctx: fork. */
void mmi_events_fork(void);

/*
 * The process ends, or another program takes its place: wait until the results
 * are written.  `path': the data file that was; drop: no results are wanted.
 * ctx: exit, signal.
 */
void mmi_events_end(const char *path, bool drop);

#endif
