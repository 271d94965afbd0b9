/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times of operations on the allocator: from cycles to ns. */
#include "reduce/profile/allocator.h"

/* *to += *x, except for the class. */
static void
add_op(struct allocator_op *to, const struct allocator_op *x)
{
	int i;

	allocator_sum_add(&to->calls, &x->calls);
	allocator_sum_add(&to->time, &x->time);
	allocator_sum_add(&to->lock, &x->lock);
	allocator_sum_add(&to->wait, &x->wait);
	allocator_sum_add(&to->remote, &x->remote);
	to->watched += x->watched;
	for (i = 0; i < ALLOCATOR_NCALL; i++) {
		allocator_sum_add(&to->kernel[i], &x->kernel[i]);
		allocator_sum_add(&to->bytes[i], &x->bytes[i]);
	}
	for (i = 0; i < ALLOCATOR_NEVENT; i++)
		allocator_sum_add(&to->event[i], &x->event[i]);
	for (i = 0; i < (int)MONOUT_COST_BINS; i++)
		to->bin[i] += x->bin[i];
}

static uint64_t
ns(const struct allocator *a, uint64_t cycles)
{
	return a->hz ? (uint64_t)((unsigned __int128)cycles * 1000000000u /
				  a->hz)
		     : 0;
}

static void
sum_ns(const struct allocator *a, struct allocator_sum *s)
{
	s->sum = ns(a, s->sum);
	s->most = ns(a, s->most);
}

/*
 * The cycles that this part of the operations doesn't exceed, as the middle of
 * a bin; bins are an eighth of an octave wide.
 */
static uint64_t
quantile(const struct allocator_op *o, double part)
{
	uint64_t n = 0, below = 0, want, low, high;
	unsigned b;

	for (b = 0; b < MONOUT_COST_BINS; b++)
		n += o->bin[b];
	if (!n)
		return 0;
	/* The rank of the operation, from 1 on. */
	want = (uint64_t)(part * (double)n);
	want += (double)want < part * (double)n;
	want += !want;
	for (b = 0; b < MONOUT_COST_BINS - 1 && below + o->bin[b] < want; b++)
		below += o->bin[b];
	low = monout_eighth_from(b);
	high = monout_eighth_from(b + 1) - 1;
	low += (high - low) / 2;
	return low < o->time.most ? low : o->time.most;
}

/* The cycles of all operations of a class, estimated from the timed ones. */
static uint64_t
op_cycles(const struct allocator_op *o)
{
	if (!o->time.n || o->time.n == o->calls.n)
		return o->time.sum;
	return (uint64_t)((unsigned __int128)o->time.sum * o->calls.n /
			  o->time.n);
}

/* Cycles to ns, for a class or for all; cycles: those of all operations. */
static void
op_ns(const struct allocator *a, struct allocator_op *o, uint64_t cycles)
{
	const uint64_t no = UINT64_MAX, n = o->time.n;

	if (n)
		o->ns = (struct allocator_times){
			ns(a, cycles),
			(ns(a, o->time.sum) + n / 2) / n,
			ns(a, quantile(o, 0.5)),
			ns(a, quantile(o, 0.99)),
			ns(a, o->time.most),
			(o->time.sum + n / 2) / n
		};
	else
		o->ns = (struct allocator_times){ no, no, no, no, no, no };
	for (int i = 0; i < ALLOCATOR_NCALL; i++)
		sum_ns(a, &o->kernel[i]);
	sum_ns(a, &o->lock);
	sum_ns(a, &o->wait);
}

void
allocator_times(struct allocator *a)
{
	uint64_t cycles, all = 0;
	size_t i;

	for (i = 0; i < a->nops; i++) {
		add_op(&a->all, &a->ops[i]);
		cycles = op_cycles(&a->ops[i]);
		all += cycles;
		op_ns(a, &a->ops[i], cycles);
	}
	op_ns(a, &a->all, all);
	for (i = 0; i < a->nlocks; i++) {
		sum_ns(a, &a->locks[i].taken);
		sum_ns(a, &a->locks[i].wait);
	}
}
