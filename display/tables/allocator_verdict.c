/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The problems of the allocator's part, and the figures that show them. */
#include "display/tables/allocator.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <stdarg.h>
#include <stdio.h>

/* A smaller run has no problem worth printing. */
#define LEAST_CALLS 1000u
#define LEAST_BYTES (1u << 20)

static bool
allocator_verdict_part(uint64_t n, unsigned percent, uint64_t of)
{
	return of &&
	       (unsigned __int128)n * 100 >= (unsigned __int128)of * percent;
}

struct verdict {
	const struct profile *p;
	allocator_say *say;
	void *arg;
};

static __attribute__((format(printf, 2, 3))) void
say(const struct verdict *v, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	v->say(v->arg, text);
}

/* If system calls took a quarter of the time, name the one that took most. */
static void
say_kernel(const struct verdict *v)
{
	const struct allocator *a = v->p->allocator;
	const struct allocator_op *all = &a->all;
	uint64_t sum = 0, n = 0, all_ns = a->all.ns.all;
	int most = 0;
	char one[NUMBER_SIZE], two[NUMBER_SIZE];

	/* Except waiting for locks, which is another problem. */
	for (int k = 0; k < ALLOCATOR_FUTEX; k++) {
		sum += all->kernel[k].sum;
		n += all->kernel[k].n;
		if (all->kernel[k].sum > all->kernel[most].sum)
			most = k;
	}
	if (n < LEAST_CALLS || !allocator_verdict_part(sum, 25, all_ns))
		return;
	say(v,
	    "Many system calls: %s, with %s of the allocator's time, most of "
	    "it in %s.",
	    number_count(one, n), number_share(two, sum, all_ns),
	    allocator_calls[most]);
}

static void
say_locks(const struct verdict *v)
{
	const struct allocator *a = v->p->allocator;
	const struct allocator_sum *futex = &a->all.kernel[ALLOCATOR_FUTEX];
	const struct allocator_sum *wait = &a->all.wait;
	uint64_t all_ns = a->all.ns.all;
	char one[NUMBER_SIZE], two[NUMBER_SIZE];

	if (wait->n >= LEAST_CALLS &&
	    allocator_verdict_part(wait->sum, 10, all_ns)) {
		say(v,
		    "Threads wait for each other: %s times for a lock of the "
		    "allocator, %s of its time.",
		    number_count(one, wait->n),
		    number_share(two, wait->sum, all_ns));
		return;
	}
	if (futex->n < LEAST_CALLS ||
	    !allocator_verdict_part(futex->sum, 10, all_ns))
		return;
	say(v,
	    "Threads wait for each other: %s calls of futex inside the "
	    "allocator, %s of its time.",
	    number_count(one, futex->n), number_share(two, futex->sum, all_ns));
}

static void
say_memory(const struct verdict *v)
{
	const struct allocator *a = v->p->allocator;
	const struct allocator_sample *s;
	char one[NUMBER_SIZE], two[NUMBER_SIZE], share[NUMBER_SIZE];
	uint64_t wide, frees = 0;

	if (!a->nsamples)
		return;
	s = &a->samples[a->largest];
	if (s->unused != UINT64_MAX && s->unused >= LEAST_BYTES &&
	    allocator_verdict_part(s->unused, 50,
				   amount_add(s->usable, s->unused))) {
		for (size_t i = 0; i < a->nops; i++)
			if ((a->ops[i].of & MONOUT_OP_MASK) == MONOUT_OP_FREE)
				frees += a->ops[i].calls.n;
		say(v,
		    "Freed memory isn't used again: %s bytes, while %s were in "
		    "use; %s of the frees are by another thread than the one "
		    "that allocated.",
		    number_bytes(one, s->unused, false),
		    number_bytes(two, s->usable, false),
		    number_share(share, a->all.remote.n, frees));
	}
	s = &a->samples[a->peak];
	wide = amount_sub(s->usable, s->requested);
	if (wide >= LEAST_BYTES &&
	    allocator_verdict_part(wide, 20, s->usable)) {
		say(v,
		    "Blocks are rounded up: %s bytes of %s at the peak "
		    "weren't asked for.",
		    number_bytes(one, wide, false),
		    number_bytes(two, s->usable, false));
	}
}

static void
say_lines(const struct verdict *v)
{
	const struct allocator *a = v->p->allocator;
	uint64_t shared = amount_add(a->active, a->passive);
	char one[NUMBER_SIZE], two[NUMBER_SIZE];

	if (shared < 64 || !allocator_verdict_part(shared, 5, a->lines))
		return;
	say(v,
	    "Threads share cache lines: %s of %s lines contain blocks of "
	    "several threads.",
	    number_count(one, shared), number_count(two, a->lines));
}

void
allocator_verdict(const struct profile *p, allocator_say *to, void *arg)
{
	const struct verdict v = { p, to, arg };

	if (!p->allocator || !p->allocator->all.time.n)
		return;
	say_kernel(&v);
	say_locks(&v);
	say_memory(&v);
	say_lines(&v);
}

static void
write_one(void *arg, const char *text)
{
	writer_text(arg, NULL, text);
}

void
allocator_verdicts(const struct profile *p, struct writer *w)
{
	writer_enter(w, "verdicts", '[');
	allocator_verdict(p, write_one, w);
	writer_leave(w, ']');
}
