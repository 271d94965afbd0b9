/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with the allocator's part, and what that rests on. */
#include "display/tables/allocator.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <inttypes.h>

/* Less of a run isn't worth a word. */
#define LEAST_CALLS 1000u
#define LEAST_BYTES (1u << 20)

static bool
part(uint64_t n, unsigned percent, uint64_t of)
{
	return of &&
	       (unsigned __int128)n * 100 >= (unsigned __int128)of * percent;
}

/* The time of the program's run, ns. */
static uint64_t
run_time(const struct profile *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->nruns; i++)
		sum = amount_add(sum, p->runs[i].length);
	return sum;
}

static void
say_time(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	char in[NUMBER_SIZE], all[NUMBER_SIZE];
	uint64_t ns = allocator_ns(a, a->all.cycles);

	line_say(&t->line,
		 "In the allocator, all threads together: %s%s; the run took "
		 "%s.",
		 a->all.time.n < a->all.calls.n ? "~" : "", number_time(in, ns),
		 number_time(all, run_time(t->p)));
}

/* Which system call took most of the time, if they took a quarter. */
static void
say_kernel(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	const struct allocator_op *all = &a->all;
	uint64_t sum = 0, n = 0, cycles = a->all.cycles;
	int most = 0;
	char one[NUMBER_SIZE], two[NUMBER_SIZE];

	/* Waiting for a lock is another matter. */
	for (int k = 0; k < ALLOCATOR_FUTEX; k++) {
		sum += all->kernel[k].sum;
		n += all->kernel[k].n;
		if (all->kernel[k].sum > all->kernel[most].sum)
			most = k;
	}
	if (n < LEAST_CALLS || !part(sum, 25, cycles))
		return;
	line_say(&t->line,
		 "* Many system calls: %s, which are %s of the allocator's "
		 "time, most of it %s.",
		 number_count(one, n), number_share(two, sum, cycles),
		 allocator_calls[most]);
}

static void
say_locks(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	const struct allocator_sum *futex = &a->all.kernel[ALLOCATOR_FUTEX];
	const struct allocator_sum *wait = &a->all.wait;
	uint64_t cycles = a->all.cycles;
	char one[NUMBER_SIZE], two[NUMBER_SIZE];

	if (wait->n >= LEAST_CALLS && part(wait->sum, 10, cycles)) {
		line_say(&t->line,
			 "* Threads wait for each other: %s times for a lock "
			 "of the allocator's, %s of its time.",
			 number_count(one, wait->n),
			 number_share(two, wait->sum, cycles));
		return;
	}
	if (futex->n < LEAST_CALLS || !part(futex->sum, 10, cycles))
		return;
	line_say(&t->line,
		 "* Threads wait for each other: %s calls of futex inside the "
		 "allocator, %s of its time.",
		 number_count(one, futex->n),
		 number_share(two, futex->sum, cycles));
}

static void
say_memory(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	const struct allocator_sample *s;
	char one[NUMBER_SIZE], two[NUMBER_SIZE];
	uint64_t wide;

	if (!a->nsamples)
		return;
	s = &a->samples[a->largest];
	if (s->unused != UINT64_MAX && s->unused >= LEAST_BYTES &&
	    part(s->unused, 50, amount_add(s->usable, s->unused))) {
		line_say(&t->line,
			 "* Freed memory isn't used again: %s bytes, while %s "
			 "were in use.",
			 number_bytes(one, s->unused, false),
			 number_bytes(two, s->usable, false));
	}
	s = &a->samples[a->peak];
	wide = amount_sub(s->usable, s->requested);
	if (wide >= LEAST_BYTES && part(wide, 20, s->usable)) {
		line_say(&t->line,
			 "* Blocks are rounded up: %s bytes of %s at the peak "
			 "weren't asked for.",
			 number_bytes(one, wide, false),
			 number_bytes(two, s->usable, false));
	}
}

static void
say_lines(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	uint64_t shared = amount_add(a->active, a->passive);
	char one[NUMBER_SIZE], two[NUMBER_SIZE];

	if (shared < 64 || !part(shared, 5, a->lines))
		return;
	line_say(&t->line,
		 "* Threads share cache lines: blocks of several stand in %s "
		 "of %s lines.",
		 number_count(one, shared), number_count(two, a->lines));
}

void
allocator_verdict(struct tables *t)
{
	say_time(t);
	say_kernel(t);
	say_locks(t);
	say_memory(t);
	say_lines(t);
	line_end(&t->line);
}
