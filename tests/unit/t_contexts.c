/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts of threads (context.h): many threads that come and go take no more
 * contexts than a few.  A thread that stays keeps its context, with its loops.
 */
#include "monitor/module/memmon_module.h"
#include "tests/tap.h"

#include <sys/mman.h>

enum { FUNCTION = 1, LOOP = 2 };

static unsigned maps;

static void *
map(struct memmon_host *h, size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	(void)h;
	maps++;
	return p == MAP_FAILED ? NULL : p;
}

static void
event(struct memmon_contexts *a, uint32_t thread, unsigned kind, uint32_t where)
{
	struct memmon_event e = {
		.kind = kind, .where = where, .index = where, .address = 4096
	};

	memmon_context_event(memmon_context_of(a, thread), &e);
}

int
main(void)
{
	static struct memmon_host host = { .map = map };
	static struct memmon_contexts a;
	struct memmon_context *c;
	uint64_t time, serial;
	unsigned before = 0;

	if (!memmon_contexts_init(&a, &host))
		return 1;
	/* One thread stays, in a loop; another has left its function. */
	event(&a, 3, MEMMON_EVENT_LOOP, LOOP);
	event(&a, 3, MEMMON_EVENT_ITERATION, LOOP);
	time = memmon_context_of(&a, 3)->now;
	event(&a, 4, MEMMON_EVENT_ENTRY, FUNCTION);
	serial = memmon_context_of(&a, 4)->serial;
	event(&a, 4, MEMMON_EVENT_EXIT, FUNCTION);
	for (uint32_t i = 5; i < 20000; i++) {
		if (i == 3000)
			before = maps;
		event(&a, i, MEMMON_EVENT_ENTRY, FUNCTION);
		event(&a, i, MEMMON_EVENT_LOOP, LOOP);
		event(&a, i, MEMMON_EVENT_ITERATION, LOOP);
		event(&a, i, MEMMON_EVENT_LOOP_EXIT, LOOP);
		event(&a, i, MEMMON_EVENT_EXIT, FUNCTION);
	}
	is_int(maps, before, "threads that come and go take no more");
	c = memmon_context_of(&a, 3);
	event(&a, 3, MEMMON_EVENT_ITERATION, LOOP);
	ok(memmon_context_carrier(c, time) == &c->loop[1],
	   "a thread that stays is in its loop");
	is_int(memmon_context_distance(&c->loop[1], time), 1,
	       "... in its next iteration");
	event(&a, 4, MEMMON_EVENT_ENTRY, FUNCTION);
	c = memmon_context_of(&a, 4);
	is_int(c->thread, 4, "one that was between two has one of its own");
	ok(c->frames == 1 && c->frame[1].serial > serial,
	   "... in which functions are new ones");
	return done_testing();
}
