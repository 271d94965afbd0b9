/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pseudo-random walk over functions that call one another, from frames of
 * many kinds, with an allocation at every step and known call paths (oracle.h).
 *
 *	walk STEPS [THREADS [SEED]]
 *
 * Main walks itself and, in turn, in coroutines, whose stacks are unmapped and
 * mapped again; the threads walk at the same time.  There are signal handlers
 * on two kinds of stack, jumps out of many frames (exceptions, in C++), code
 * without unwind information.  The same calls come again in rounds, but with
 * frames of other sizes each time.  Prints "done".
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unwind/walk.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define STACK (256 << 10)
#define COROUTINES 5

struct coroutine {
	struct walk w; /* first */
	struct shadow shadow;
	ucontext_t context;
	char *stack;
	int busy;
	unsigned round;
};

static ucontext_t scheduler;
static struct coroutine coroutines[COROUTINES], *running;
static unsigned long again_there; /* stacks where one was before */

/* Gives signals another stack, or not. */
static void
signal_stack(int on)
{
	static __thread char *stack;
	stack_t ss;

	if (!stack)
		stack = (char *)oracle_map(STACK);
	memset(&ss, 0, sizeof(ss));
	ss.ss_sp = stack;
	ss.ss_size = STACK;
	ss.ss_flags = on ? 0 : SS_DISABLE;
	sigaltstack(&ss, NULL);
}

/* The rounds of one thread. */
static ORACLE void
walk_all(struct walk *w, long steps, unsigned round)
{
	ENTER(w->s);
	for (steps += w->taken; w->taken < steps;) {
		signal_stack(walk_any(&w->layout, 2));
		walk_round(w, round++);
	}
	LEAVE(w->s);
}

static void
yield(struct walk *w)
{
	swapcontext(&((struct coroutine *)w)->context, &scheduler);
}

static void
coroutine_main(unsigned i)
{
	struct coroutine *c = &coroutines[i];

	c->w.s = &c->shadow;
	c->w.yield = yield;
	oracle_root(c->w.s, __builtin_return_address(0));
	walk_round(&c->w, c->round++);
	c->busy = 0;
}

/* Start it, on the stack addresses of the last one, if they are free. */
static void
coroutine_start(struct coroutine *c)
{
	void *p = mmap(c->stack, STACK, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	again_there += p == c->stack;
	c->stack = (char *)p;
	c->busy = 1;
	getcontext(&c->context);
	c->context.uc_stack.ss_sp = c->stack;
	c->context.uc_stack.ss_size = STACK;
	c->context.uc_link = &scheduler;
	makecontext(&c->context, (void (*)(void))coroutine_main, 1,
		    (unsigned)(c - coroutines));
}

/* Let the coroutines run in turn; main allocates in between. */
static ORACLE void
schedule(struct walk *w, long steps)
{
	long before;

	ENTER(w->s);
	while (steps > 0) {
		running = &coroutines[walk_any(&w->layout, COROUTINES)];
		if (!running->busy)
			coroutine_start(running);
		before = running->w.taken;
		swapcontext(&scheduler, &running->context);
		steps -= running->w.taken - before + 1;
		if (!running->busy)
			munmap(running->stack, STACK);
		walk_take(w);
	}
	LEAVE(w->s);
}

struct job {
	pthread_t id;
	long steps;
	uint64_t seed;
};

static void *
thread_main(void *arg)
{
	struct job *j = (struct job *)arg;
	struct walk w;

	memset(&w, 0, sizeof(w));
	w.layout = j->seed;
	w.s = (struct shadow *)oracle_map(sizeof(*w.s));
	oracle_root(w.s, __builtin_return_address(0));
	walk_all(&w, j->steps, 0);
	return NULL;
}

int
main(int argc, char **argv)
{
	long steps = argc > 1 ? atol(argv[1]) : 100000;
	int threads = argc > 2 ? atoi(argv[2]) : 0;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
	struct job job[64];
	struct walk w;

	oracle_begin();
	memset(&w, 0, sizeof(w));
	w.layout = seed * 0x2545f4914f6cdd1dull + 1;
	w.s = (struct shadow *)oracle_map(sizeof(*w.s));
	oracle_root(w.s, __builtin_return_address(0));
	walk_signals();
	for (int i = 0; i < COROUTINES; i++)
		coroutines[i].w.layout = w.layout + (uint64_t)i + 1;
	threads = threads < 64 ? threads : 64;
	for (int i = 0; i < threads; i++) {
		job[i].steps = steps / (threads + 1);
		job[i].seed = w.layout + 100 + (uint64_t)i;
		pthread_create(&job[i].id, NULL, thread_main, &job[i]);
	}
	for (long left = steps / (threads + 1); left > 0;
	     left -= 6 * WALK_ROUND) {
		walk_all(&w, 4 * WALK_ROUND, walk_any(&w.layout, WALK_ROUNDS));
		schedule(&w, 2 * WALK_ROUND);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(job[i].id, NULL);
	oracle_print();
	return printf("%lu stacks and %lu frames again, done\n", again_there,
		      w.met) < 0;
}
