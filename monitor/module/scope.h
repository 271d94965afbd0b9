/* SPDX-License-Identifier: MIT */
/*
 * The functions and loops that were active at a time in a thread's past and
 * still are: the scope of something that began then and ends now.  Part of
 * memmon_module.h.
 */
#ifndef MEMMON_MODULE_SCOPE_H
#define MEMMON_MODULE_SCOPE_H

#include "monitor/module/context.h"

struct memmon_moment {
	uint64_t time, serial; /* c->now, c->serial */
	uint32_t thread;
};

enum memmon_scope_kind {
	MEMMON_SCOPE_NONE,
	MEMMON_SCOPE_THREAD, /* another thread's moment */
	MEMMON_SCOPE_FUNCTION,
	MEMMON_SCOPE_LOOP,
	MEMMON_SCOPE_ITERATION,
	MEMMON_SCOPE_LIVE /* of something that hasn't ended yet */
};

struct memmon_scope {
	enum memmon_scope_kind kind;
	uint32_t where; /* the function or loop, or 0 */
};

static inline struct memmon_moment
memmon_context_moment(const struct memmon_context *c)
{
	struct memmon_moment m = { c->now, c->serial, c->thread };

	return m;
}

/* The innermost active function or loop that was also active at that time. */
static inline struct memmon_scope
memmon_context_scope(const struct memmon_context *c,
		     const struct memmon_moment *m)
{
	uint32_t f = c->frames, k = c->depth;
	struct memmon_scope s = { MEMMON_SCOPE_NONE, 0 };

	if (m->thread != c->thread) {
		s.kind = MEMMON_SCOPE_THREAD;
		return s;
	}
	while (f && c->frame[f].serial > m->serial)
		f--;
	while (k && c->loop[k].first > m->time)
		k--;
	if (k && c->loop[k].frames >= f) {
		s.kind = c->loop[k].last <= m->time ? MEMMON_SCOPE_ITERATION
						    : MEMMON_SCOPE_LOOP;
		s.where = c->loop[k].where;
	} else if (f) {
		s.kind = MEMMON_SCOPE_FUNCTION;
		s.where = c->frame[f].where;
	}
	return s;
}

static inline const char *
memmon_scope_text(enum memmon_scope_kind kind)
{
	static const char *const text[] = { "none",	"another thread",
					    "function", "loop",
					    "iteration", "not freed" };

	return text[kind];
}

#endif
