/* SPDX-License-Identifier: MIT */
/*
 * Contexts of modules: the loops and functions that a thread is in, the
 * iteration in which something happened in the past, and numbers for contexts.
 * Part of memmon_module.h.
 *
 * The time of a thread is how many iterations of any loop it has begun.  The
 * times of all active loops are in order, from the outermost loop inwards: when
 * its first iteration began, when its present iteration began, when the first
 * iteration of the next loop began, and so on.  A time in the past lies between
 * two of these: they tell which loop was in an earlier iteration then.
 */
#ifndef MEMMON_MODULE_CONTEXT_H
#define MEMMON_MODULE_CONTEXT_H

#include "monitor/module/map.h"

/* Times have 40 bits.  A unit of 2^TIMES_SHIFT times belongs to one thread. */
#define MEMMON_TIME_BITS 40
#define MEMMON_TIMES_SHIFT 20
/* Different loops; the last one: all other loops. */
#define MEMMON_LOOPS 262143u
#define MEMMON_DEEP 65536u /* most nested loops, or nested functions */
#define MEMMON_PACES 4096u
#define MEMMON_NEVER UINT64_MAX

/* Iterations from number `n' on that began at even intervals of time. */
struct memmon_pace {
	uint64_t time, n, step;
};

/* An active loop.  Before its first iteration its times are NEVER. */
struct memmon_active {
	uint32_t where, index; /* index: in loops */
	uint32_t frames;       /* functions around it */
	uint32_t number;       /* of the context; 0: unknown */
	uint64_t frame;	       /* the frame's address; 0: unknown */
	uint64_t first, last;  /* when its first, present iteration began, */
	/* When the one before began; first, if there is none. */
	uint64_t before;
	uint64_t n;	       /* iterations begun */
	/* When the next iteration begins, at this pace. */
	uint64_t next, step;
	uint64_t *iterations;  /* of all its runs */
	struct memmon_pace *pace; /* PACES of them, or NULL */
	uint32_t paces;
	bool forgot; /* the paces of the first iterations are lost */
};

/* A function that hasn't returned yet. */
struct memmon_frame {
	uint32_t where, loops; /* loops: around it */
	uint32_t number;
	uint64_t frame;
	uint64_t serial; /* number of functions entered so far, with this one */
};

/* Totals of a loop. */
struct memmon_loop_total {
	uint32_t where;
	uint64_t entered, iterations;
};

/* Data shared by the contexts of all threads. */
struct memmon_contexts {
	struct memmon_host *host;
	struct memmon_context **thread;
	uint32_t threads, room;
	struct memmon_context **made; /* all contexts; nmade of them */
	uint32_t nmade;
	uint64_t times;	 /* given out, in units of 2^TIMES_SHIFT */
	uint32_t *owner; /* of each unit: its thread + 1 */
	uint32_t *index; /* of each place: its loop + 1 */
	struct memmon_loop_total *loop;
	uint32_t loops;
	struct memmon_map numbers; /* parent << 32 | place; number: from 1 */
	struct memmon_map points;  /* context << 32 | place; the same */
	uint64_t *point;	   /* of each place: context << 32 | point */
};

struct memmon_context {
	struct memmon_contexts *all;
	uint32_t thread;
	uint64_t now;
	uint64_t last; /* of the innermost loop; 0 without one */
	struct memmon_active *loop, *top; /* top: the innermost, or [0] */
	uint32_t depth;			  /* loop[1] is the outermost */
	struct memmon_frame *frame;	  /* [1] is the outermost */
	uint32_t frames;
	uint64_t serial; /* of the last frame */
	uint32_t lost;	 /* loops and functions that found no room */
};

#define MEMMON_THREADS 65536u
#define MEMMON_CONTEXTS (1u << 22)

static inline bool
memmon_contexts_init(struct memmon_contexts *a, struct memmon_host *h)
{
	a->host = h;
	a->room = MEMMON_THREADS;
	a->thread =
		(struct memmon_context **)h->map(h,
						 a->room * sizeof(*a->thread));
	a->owner =
		(uint32_t *)h->map(h, sizeof(uint32_t) << (MEMMON_TIME_BITS -
							   MEMMON_TIMES_SHIFT));
	a->index = (uint32_t *)h->map(h, MEMMON_PLACES * sizeof(*a->index));
	a->loop =
		(struct memmon_loop_total *)h->map(h, MEMMON_LOOPS *
							      sizeof(*a->loop));
	a->made =
		(struct memmon_context **)h->map(h, a->room * sizeof(*a->made));
	a->loops = 1;
	a->point = (uint64_t *)h->map(h, MEMMON_PLACES * sizeof(*a->point));
	return a->thread && a->made && a->owner && a->index && a->loop &&
	       a->point && memmon_map_init(&a->numbers, h, 1) &&
	       memmon_map_init(&a->points, h, 1);
}

/* Give the thread a new unit of times. */
static __attribute__((noinline, unused)) void
memmon_context_time(struct memmon_context *c)
{
	struct memmon_contexts *a = c->all;

	if (a->times + 1 >= 1ul << (MEMMON_TIME_BITS - MEMMON_TIMES_SHIFT))
		a->times--;
	a->owner[a->times] = c->thread + 1;
	c->now = a->times++ << MEMMON_TIMES_SHIFT;
}

/* A thread counts as ended when more threads than this began after it. */
#define MEMMON_RECENT 64u

/*
 * Reuse the context of a thread that has left all loops and functions, and so
 * has most likely ended.  If it hasn't ended, it gets another context.  NULL:
 * there is none.
 */
static inline struct memmon_context *
memmon_context_left(struct memmon_contexts *a, uint32_t thread)
{
	for (uint32_t i = 0; i < a->nmade; i++) {
		struct memmon_context *c = a->made[i];

		if (c->depth || c->frames ||
		    ((thread - c->thread) & (MEMMON_THREADS - 1)) <=
			    MEMMON_RECENT)
			continue;
		a->thread[c->thread] = NULL;
		return c;
	}
	return NULL;
}

static inline struct memmon_context *
memmon_context_make(struct memmon_host *h)
{
	struct memmon_context *c =
		(struct memmon_context *)h->map(h, sizeof(*c));

	if (!c)
		return NULL;
	c->loop = (struct memmon_active *)h->map(h, MEMMON_DEEP *
							    sizeof(*c->loop));
	c->frame = (struct memmon_frame *)h->map(h, MEMMON_DEEP *
							    sizeof(*c->frame));
	return c->loop && c->frame ? c : NULL;
}

static __attribute__((noinline, unused)) struct memmon_context *
memmon_context_new(struct memmon_contexts *a, uint32_t thread)
{
	struct memmon_context *c = memmon_context_left(a, thread);

	if (!c) {
		c = memmon_context_make(a->host);
		if (!c)
			return NULL;
		a->made[a->nmade++] = c;
	}
	c->all = a;
	c->thread = thread;
	c->top = c->loop;
	c->last = 0;
	c->lost = 0;
	memmon_context_time(c);
	/* Higher than any serial that the thread or context had before. */
	c->serial = a->times << MEMMON_TIME_BITS;
	a->threads++;
	a->thread[thread] = c;
	return c;
}

/* The context of a thread, or NULL: out of memory. */
static inline struct memmon_context *
memmon_context_of(struct memmon_contexts *a, uint32_t thread)
{
	thread &= MEMMON_THREADS - 1;
	return a->thread[thread] ? a->thread[thread]
				 : memmon_context_new(a, thread);
}

/* Is it another thread's time?  Only if there are several threads. */
static inline bool
memmon_context_foreign(const struct memmon_context *c, uint64_t time)
{
	return c->all->owner[time >> MEMMON_TIMES_SHIFT] != c->thread + 1;
}

static inline void
memmon_context_cut(struct memmon_context *c, uint32_t depth)
{
	c->depth = depth;
	c->top = &c->loop[depth];
	c->last = c->top->last;
}

/* The innermost loop at `where': its depth, or 0. */
static inline uint32_t
memmon_context_find(const struct memmon_context *c, uint32_t where)
{
	uint32_t k = c->depth;

	while (k && c->loop[k].where != where)
		k--;
	return k;
}

static __attribute__((noinline, unused)) void
memmon_context_enter(struct memmon_context *c, uint32_t where, uint64_t frame)
{
	struct memmon_contexts *a = c->all;
	uint32_t *index = &a->index[memmon_index(where)];
	struct memmon_active *l;

	if (c->depth + 1 >= MEMMON_DEEP) {
		c->lost++;
		return;
	}
	if (!*index) {
		*index = a->loops < MEMMON_LOOPS - 1 ? a->loops++
						     : MEMMON_LOOPS - 1;
		a->loop[*index].where = where;
	}
	memmon_context_cut(c, c->depth + 1);
	l = c->top;
	l->where = where;
	l->index = *index;
	l->frames = c->frames;
	l->number = 0;
	l->frame = frame;
	l->first = l->last = l->next = c->last = MEMMON_NEVER;
	l->n = l->paces = 0;
	l->iterations = &a->loop[*index].iterations;
	l->forgot = false;
	a->loop[*index].entered++;
}

/* An iteration begins, but not at the pace of the earlier iterations. */
static __attribute__((noinline, unused)) void
memmon_context_pace(struct memmon_context *c, struct memmon_active *l)
{
	struct memmon_pace *p = NULL;

	if (!l->pace)
		l->pace = (struct memmon_pace *)c->all->host->map(
			c->all->host, MEMMON_PACES * sizeof(*l->pace));
	if (!l->pace)
		return;
	if (l->paces)
		p = &l->pace[l->paces - 1];
	if (p && !p->step) {
		l->step = p->step = c->now - p->time;
		l->next = c->now + p->step;
		return;
	}
	if (l->paces == MEMMON_PACES) {
		l->paces /= 2;
		memmove(l->pace, l->pace + l->paces, l->paces * sizeof(*p));
		l->forgot = true;
	}
	l->pace[l->paces++] = (struct memmon_pace){ c->now, l->n, 0 };
	l->next = MEMMON_NEVER;
}

static inline __attribute__((always_inline)) void
memmon_context_iteration(struct memmon_context *c, uint32_t where)
{
	struct memmon_active *l = c->top;

	if (__builtin_expect(l->where != where || !c->depth, 0)) {
		uint32_t k = memmon_context_find(c, where);

		if (k)
			memmon_context_cut(c, k);
		else
			memmon_context_enter(c, where, 0);
		l = c->top;
		if (l->where != where)
			return;
	}
	if (!(++c->now & ((1ul << MEMMON_TIMES_SHIFT) - 1)))
		memmon_context_time(c);
	l->before = l->last;
	l->last = c->last = c->now;
	l->n++;
	++*l->iterations;
	if (__builtin_expect(c->now == l->next, 1)) {
		l->next += l->step;
		return;
	}
	if (l->first == MEMMON_NEVER)
		l->first = l->before = c->now;
	memmon_context_pace(c, l);
}

static inline void
memmon_context_leave(struct memmon_context *c, uint32_t where)
{
	uint32_t k = memmon_context_find(c, where);

	if (k)
		memmon_context_cut(c, k - 1);
}

static inline void
memmon_context_entry(struct memmon_context *c, uint32_t where, uint64_t frame)
{
	struct memmon_frame *f;

	if (c->frames + 1 >= MEMMON_DEEP) {
		c->lost++;
		return;
	}
	f = &c->frame[++c->frames];
	f->where = where;
	f->loops = c->depth;
	f->number = 0;
	f->frame = frame;
	f->serial = ++c->serial;
}

/*
 * Functions and loops inside the frame at that address have ended; exit: and
 * this function itself, too.
 */
static inline void
memmon_context_back(struct memmon_context *c, uint32_t where, uint64_t frame,
		    bool exit)
{
	uint32_t k = c->frames;

	while (k && (c->frame[k].frame != frame || c->frame[k].where != where))
		k--;
	if (k && exit) {
		if (c->depth > c->frame[k].loops)
			memmon_context_cut(c, c->frame[k].loops);
		c->frames = k - 1;
	} else if (k && c->frames > k) {
		if (c->depth > c->frame[k + 1].loops)
			memmon_context_cut(c, c->frame[k + 1].loops);
		c->frames = k;
	}
	/* Frames of loops may be known even if those of calls aren't. */
	while (!exit && c->depth && c->top->frame && c->top->frame < frame)
		memmon_context_cut(c, c->depth - 1);
}

/* Handle an event of context; false: it is another event. */
static inline __attribute__((always_inline)) bool
memmon_context_event(struct memmon_context *c, const struct memmon_event *e)
{
	switch (e->kind) {
	case MEMMON_EVENT_ITERATION:
		memmon_context_iteration(c, e->where);
		return true;
	case MEMMON_EVENT_LOOP:
		memmon_context_enter(c, e->where, e->address);
		return true;
	case MEMMON_EVENT_LOOP_EXIT:
		memmon_context_leave(c, e->where);
		return true;
	case MEMMON_EVENT_ENTRY:
		memmon_context_entry(c, e->where, e->address);
		return true;
	case MEMMON_EVENT_EXIT:
		memmon_context_back(c, e->where, e->address, true);
		return true;
	case MEMMON_EVENT_RESUME:
		memmon_context_back(c, e->where, e->address, false);
		return true;
	default:
		return false;
	}
}

/*
 * The active loop in whose present run, in an earlier iteration, `time' was.
 * NULL: there is none.  Then `time' was before all active loops began, or in
 * the present iteration of each loop that was active then.
 */
static inline __attribute__((always_inline)) struct memmon_active *
memmon_context_carrier(const struct memmon_context *c, uint64_t time)
{
	const struct memmon_active *l = c->top;

	if (c->last <= time)
		return NULL;
	/*
	 * Go outwards to a loop whose first iteration had begun by then, or to
	 * [0].
	 */
	while (l->first > time)
		l--;
	return time < l->last ? (struct memmon_active *)l : NULL;
}

/* The same for an iteration before the previous one. */
static __attribute__((noinline, unused)) uint64_t
memmon_context_far(const struct memmon_active *l, uint64_t time)
{
	uint32_t low = 0, high = l->paces;
	const struct memmon_pace *p = l->pace;
	uint64_t n;

	if (!p || !high)
		return 0;
	if (p[high - 1].time <= time) {
		low = high - 1;
	} else if (time < p[0].time) {
		return l->n - p[0].n + 1;
	} else {
		while (high - low > 1) {
			uint32_t mid = (low + high) / 2;

			if (p[mid].time <= time)
				low = mid;
			else
				high = mid;
		}
	}
	n = p[low].step ? (time - p[low].time) / p[low].step : 0;
	n += p[low].n;
	/* The last iteration at a pace may have taken longer. */
	if (low + 1 < l->paces && n >= p[low + 1].n)
		n = p[low + 1].n - 1;
	return l->n - n;
}

/*
 * How many iterations of a loop ago `time' was; it is in the loop's present
 * run.  If the pace has changed more than PACES times since then: the least
 * number that it can be.
 */
static inline __attribute__((always_inline)) uint64_t
memmon_context_distance(const struct memmon_active *l, uint64_t time)
{
	return __builtin_expect(time >= l->before, 1)
		       ? 1
		       : memmon_context_far(l, time);
}

#endif
