/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A runtime for tests of events (monitor/events.h).  With EVENTS_LOG=FILE in
 * the environment it writes each thread's events to FILE, a line each:
 *
 *	THREAD KIND PLACE FUNCTION FILE:LINE:COLUMN#ORDINAL
 *		ADDRESS SIZE VALUE NAME
 *
 * in their order within a thread, "-" for a field that an event hasn't.
 * Without, it drops the events: that measures what they cost alone.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "monitor/events.h"

#define ROOM 8192 /* words of a buffer */

struct list {
	const struct memmon_places *at;
	const void *const *addresses;
	uint64_t first, end;
};

struct buffer {
	uint64_t words[ROOM];
	uint64_t *from;
};

__thread struct memmon_events __link_with_lmemmon_events_v1;
static __thread struct buffer *mine;
static __thread unsigned thread; /* from 1; 0: at the start */
static unsigned threads;
static struct list lists[4096];
static unsigned n_lists;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static pthread_key_t key;

static const char *const names[MEMMON_EVENT_KINDS] = {
	"none", "load",	 "store", "pointer",   "alloc",	    "free",
	"stack_alloc", "stack_free", "global", "entry",	  "exit",   "loop",
	"iteration",   "loop_exit",  "start",  "end",	  "resume", "block",
};

static const struct list *
find(uint64_t number)
{
	for (unsigned i = 0; i < n_lists; i++)
		if (number >= lists[i].first && number < lists[i].end)
			return &lists[i];
	return NULL;
}

static const char *
string(const struct memmon_places *l, uint32_t offset)
{
	return (const char *)l + l->strings + offset;
}

static void
show(const struct list *l, uint64_t head, uint64_t address, uint64_t value)
{
	unsigned kind =
		head >> MEMMON_EVENT_KIND_SHIFT & MEMMON_EVENT_KIND_MASK;
	const struct memmon_place *places = (const void *)(l->at + 1);
	const struct memmon_place *p = &places[(uint32_t)(head - l->first) %
					       (l->at->n ? l->at->n : 1)];
	const char *function = "-";

	if (!out)
		return;
	if (p->function != MEMMON_NO_PLACE)
		function = string(l->at, places[p->function].name);
	else if (p->kind == MEMMON_EVENT_ENTRY)
		function = string(l->at, p->name);
	fprintf(out, "%u %s %u %s %s:%u:%u#%u ", thread, names[kind],
		(unsigned)(p - places), function, string(l->at, p->file),
		p->line, p->column, p->ordinal);
	if (head >> MEMMON_EVENT_ADDRESS_SHIFT & 1)
		fprintf(out, "%lx", (unsigned long)address);
	else
		fputc('-', out);
	fprintf(out, " %lu ",
		(unsigned long)(head >> MEMMON_EVENT_SIZE_SHIFT &
				MEMMON_EVENT_SIZE_MAX));
	if (head >> MEMMON_EVENT_VALUE_SHIFT & 1)
		fprintf(out, "%lx", (unsigned long)value);
	else
		fputc('-', out);
	fprintf(out, " %s\n", string(l->at, p->name));
}

/* The events of a block whose words begin at w. */
static void
show_block(const struct list *l, uint64_t number, const uint64_t *w)
{
	const char *base = (const char *)l->at;
	const struct memmon_block *b =
		(const struct memmon_block *)(base + l->at->blocks) +
		(number - l->first);
	const struct memmon_step *step =
		(const struct memmon_step *)(base + l->at->steps) + b->step;

	for (unsigned i = 0; i < b->n; i++, step++) {
		uint64_t address = 0, value = 0;

		if (step->event >> MEMMON_EVENT_ADDRESS_SHIFT & 1)
			address = step->address == MEMMON_STEP_FIXED
					  ? (uintptr_t)l->addresses[step->delta]
					  : w[step->address] +
						    (uint64_t)step->delta;
		if (step->event >> MEMMON_EVENT_VALUE_SHIFT & 1)
			value = w[step->value];
		show(l, step->event + l->first, address, value);
	}
}

static void
flush(struct buffer *b, const uint64_t *end)
{
	const uint64_t *p = b->from;

	pthread_mutex_lock(&lock);
	while (p < end) {
		uint64_t head = *p++;
		unsigned n =
			head >> MEMMON_EVENT_SIZE_SHIFT & MEMMON_EVENT_SIZE_MAX;
		const struct list *l = find((uint32_t)head);

		if ((head >> MEMMON_EVENT_KIND_SHIFT &
		     MEMMON_EVENT_KIND_MASK) != MEMMON_EVENT_BLOCK ||
		    p + n > end) {
			fprintf(stderr, "events_runtime: %lx is no block\n",
				(unsigned long)head);
			_exit(99);
		}
		if (l)
			show_block(l, (uint32_t)head, p);
		p += n;
	}
	pthread_mutex_unlock(&lock);
}

static void
end_thread(void *arg)
{
	struct memmon_events *e = &__link_with_lmemmon_events_v1;

	(void)arg;
	if (mine && e->next)
		flush(mine, e->next);
	if (mine)
		mine->from = e->next;
}

__attribute__((noinline)) static void
make_room(struct memmon_events *e)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	if (mine && out)
		flush(mine, e->next);
	if (!mine) {
		thread = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
		mine = calloc(1, sizeof(*mine));
		if (!mine)
			_exit(98);
		pthread_setspecific(key, mine);
	}
	mine->from = e->next = mine->words;
	e->end = mine->words + ROOM;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* The caller has values in registers of any kind. */
__attribute__((target("general-regs-only"))) uint64_t *
__memmon_events_full(size_t n)
{
	struct memmon_events *e = &__link_with_lmemmon_events_v1;

	(void)n;
	if (mine && !out)
		return mine->words;
	{
		_Alignas(64) char saved[16384];

		memset(saved + 512, 0, 64);
		__asm__ volatile("xsave64 %0"
				 : "=m"(saved)
				 : "a"(-1), "d"(-1)
				 : "memory");
		make_room(e);
		__asm__ volatile("xrstor64 %0"
				 :
				 : "m"(saved), "a"(-1), "d"(-1)
				 : "memory");
	}
	return mine->words;
}

static void
start(void)
{
	const char *name = getenv("EVENTS_LOG");

	pthread_key_create(&key, end_thread);
	if (name)
		out = fopen(name, "w");
}

void
__memmon_events_register(const struct memmon_places *list, uint64_t *first,
			 const void *const *addresses)
{
	static uint64_t next = 1;
	struct list *l = &lists[n_lists++];
	const struct memmon_step *step =
		(const void *)((const char *)list + list->start);

	if (next == 1)
		start();
	if (list->magic != MEMMON_PLACES_MAGIC)
		abort();
	l->at = list;
	l->addresses = addresses;
	l->first = *first = next;
	next += list->n > list->n_blocks ? list->n : list->n_blocks;
	l->end = next;
	for (unsigned i = 0; i < list->n_start; i++)
		show(l, step[i].event + l->first,
		     (uintptr_t)addresses[step[i].delta], 0);
}

__attribute__((destructor(101))) static void
end(void)
{
	end_thread(NULL);
	if (out)
		fclose(out);
	out = NULL;
}
