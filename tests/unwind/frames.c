/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of a walk: C's, odd ones, those of signal handlers. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unwind/walk.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define DEEPEST 30

/* A place to jump to. */
struct catcher {
	struct catcher *outer;
	jmp_buf env;
};

static __thread struct walk *current; /* for signal handlers */

typedef void step_fn(struct walk *w);
static step_fn *pick(struct walk *w);

unsigned
walk_any(uint64_t *state, unsigned n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (unsigned)(*state >> 33) % n;
}

/* It must not have its own frame: the call paths would have one more. */
static inline __attribute__((always_inline)) void
take(struct walk *w)
{
	unsigned i = walk_any(&w->layout, WALK_KEPT);

	oracle_give(w->kept[i]);
	w->kept[i] = oracle_take(w->s, 16 + walk_any(&w->layout, 200));
	w->left--;
	w->taken++;
}

ORACLE void
walk_take(struct walk *w)
{
	ENTER(w->s);
	take(w);
	LEAVE(w->s);
}

/* Up to three times an allocation and a call, from two places. */
#define CALLS(w) \
	for (unsigned i_ = walk_any(&(w)->shape, 4); i_ > 0 && (w)->left > 0; \
	     i_--) { \
		take(w); \
		(w)->depth++; \
		if (walk_any(&(w)->shape, 2)) { \
			pick(w)(w); \
			(w)->depth--; \
		} else { \
			pick(w)(w); \
			__atomic_signal_fence(__ATOMIC_SEQ_CST); \
			(w)->depth--; \
		} \
	}

static ORACLE void
plain(struct walk *w)
{
	ENTER(w->s);
	CALLS(w);
	LEAVE(w->s);
}

static ORACLE void
wide(struct walk *w)
{
	volatile char room[328];

	ENTER(w->s);
	room[walk_any(&w->layout, 328)] = 1;
	CALLS(w);
	room[0]++;
	LEAVE(w->s);
}

/* Frames that grow: others have the same return addresses and other sizes. */
static ORACLE void
growing(struct walk *w)
{
	volatile char *p;

	ENTER(w->s);
	for (int k = 0; k < 2; k++) {
		p = (volatile char *)__builtin_alloca(
			16 * walk_any(&w->layout, 9) + 1);
		p[0] = 1;
		CALLS(w);
	}
	LEAVE(w->s);
}

/*
 * A frame that ends where another one ended, if that is near below: the frames
 * of its calls lie exactly where others lay, among old return addresses.
 */
static ORACLE void
hollow(struct walk *w)
{
	char *p = (char *)__builtin_alloca(1);
	char *to = NULL;

	for (int i = 0; i < WALK_ENDS; i++)
		if (w->end[i] < p && w->end[i] > to)
			to = w->end[i];
	if (p - to < 3000)
		while (p > to)
			p = (char *)__builtin_alloca(1);
	w->met += p == to;
	w->end[walk_any(&w->layout, WALK_ENDS)] = p;
	ENTER(w->s);
	CALLS(w);
	LEAVE(w->s);
}

static ORACLE void
relay(struct walk *w)
{
	volatile char room[256];

	ENTER(w->s);
	room[0] = 1;
	hollow(w);
	room[0]++;
	LEAVE(w->s);
}

static ORACLE void
relay_twice(struct walk *w)
{
	ENTER(w->s);
	relay(w);
	relay(w);
	LEAVE(w->s);
}

/* All from one call, with no allocation between. */
static ORACLE void
meeting(struct walk *w)
{
	step_fn *const way[] = { hollow, relay, relay_twice };

	ENTER(w->s);
	for (int i = 0; i < 4 && w->left > 0; i++) {
		w->depth++;
		way[walk_any(&w->shape, 3)](w);
		w->depth--;
	}
	LEAVE(w->s);
}

static ORACLE void
aligned(struct walk *w)
{
	volatile char room[64] __attribute__((aligned(64)));

	ENTER(w->s);
	room[walk_any(&w->layout, 64)] = 1;
	CALLS(w);
	room[0]++;
	LEAVE(w->s);
}

static ORACLE void
both(struct walk *w)
{
	volatile char room[32] __attribute__((aligned(32)));
	volatile char *p;

	ENTER(w->s);
	room[walk_any(&w->layout, 32)] = 1;
	p = (volatile char *)__builtin_alloca(walk_any(&w->layout, 99) + 1);
	p[0] = room[0];
	CALLS(w);
	p[0] = 2;
	LEAVE(w->s);
}

/* Arguments on the stack, and all registers in use. */
static ORACLE long
many(struct walk *w, long a, long b, long c, long d, long e, long f, long g)
{
	ENTER(w->s);
	CALLS(w);
	a += b * c - d * e + f * g;
	CALLS(w);
	LEAVE(w->s);
	return a ^ b ^ c ^ d ^ e ^ f ^ g;
}

static ORACLE void
arguments(struct walk *w)
{
	volatile long sum;

	ENTER(w->s);
	sum = many(w, 1, 2, 3, 4, 5, 6, 7);
	sum += many(w, 7, 6, 5, 4, 3, 2, 1);
	(void)sum;
	LEAVE(w->s);
}

static ORACLE void
again(struct walk *w)
{
	ENTER(w->s);
	if (w->depth < DEEPEST && w->left > 0 && walk_any(&w->shape, 4)) {
		w->depth++;
		again(w);
		w->depth--;
	}
	take(w);
	LEAVE(w->s);
}

/* The odd frames of oracle.S call it. */
static ORACLE void
landed(void *arg, void *ra)
{
	struct walk *w = (struct walk *)arg;
	unsigned n = w->s->n;

	if (ra != __builtin_return_address(0))
		oracle_push(w->s, ra);
	ENTER(w->s);
	CALLS(w);
	w->s->n = n;
}

/* The same, from a frame where call paths stop. */
static ORACLE void
stopped(void *arg, void *ra)
{
	struct walk *w = (struct walk *)arg;
	unsigned n = w->s->n, bottom = w->s->bottom;
	struct catcher *catcher = w->catcher;

	(void)ra;
#ifdef __cplusplus
	/* Exceptions stop there, too. */
	w->catcher = NULL;
#endif
	w->s->bottom = w->s->n;
	ENTER(w->s);
	CALLS(w);
	w->catcher = catcher;
	w->s->bottom = bottom;
	w->s->n = n;
}

static ORACLE void
odd(struct walk *w)
{
	ENTER(w->s);
	switch (walk_any(&w->shape, 22)) {
	case 0:
		oracle_via_garbage(landed, w);
		break;
	case 1:
		oracle_via_pointer(landed, w);
		break;
	case 2:
		oracle_via_rbx(landed, w);
		break;
	case 3:
		oracle_via_r12(landed, w);
		break;
	case 4:
		oracle_via_jump(landed, w);
		break;
	case 5:
		oracle_via_nothing(stopped, w);
		break;
	case 6:
		oracle_via_frame(stopped, w);
		break;
	default:
		oracle_via_garbage(landed, w);
	}
	LEAVE(w->s);
}

static void
on_trap(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *u = (const ucontext_t *)context;
	const greg_t *reg = u->uc_mcontext.gregs;
	struct walk *w = current;
	unsigned n = w->s->n;

	(void)sig;
	(void)info;
	w->fixed++;
	oracle_push(w->s, ((void **)reg[REG_RSP])[1]);
	/* Call paths have return addresses: the next instruction plus 1. */
	oracle_push(w->s, (char *)reg[REG_RIP] + 1);
	ENTER(w->s);
	CALLS(w);
	w->s->n = n;
	w->fixed--;
}

static ORACLE void
trap(struct walk *w)
{
	ENTER(w->s);
	current = w;
	oracle_trap((int)walk_any(&w->shape, 3));
	LEAVE(w->s);
}

/* Jumps out of many frames at once. */
static ORACLE void
leap(struct walk *w)
{
	ENTER(w->s);
	take(w);
	if (w->catcher && walk_any(&w->shape, 2) == 0) {
#ifdef __cplusplus
		throw w;
#else
		longjmp(w->catcher->env, 1);
#endif
	}
	LEAVE(w->s);
}

static ORACLE void
caught(struct walk *w)
{
	unsigned n, bottom = w->s->bottom;
	int depth = w->depth, fixed = w->fixed;
	struct catcher c;

	ENTER(w->s);
	n = w->s->n;
	c.outer = w->catcher;
	w->catcher = &c;
#ifdef __cplusplus
	try {
		CALLS(w);
	} catch (struct walk *) {
	}
#else
	if (!_setjmp(c.env))
		CALLS(w);
#endif
	w->catcher = c.outer;
	w->s->n = n;
	w->s->bottom = bottom;
	w->depth = depth;
	w->fixed = fixed;
	CALLS(w);
	LEAVE(w->s);
}

/* Lets others run for a while. */
static ORACLE void
yield(struct walk *w)
{
	ENTER(w->s);
	if (w->yield && !w->fixed)
		w->yield(w);
	take(w);
	LEAVE(w->s);
}

/* The wild ones make the monitor take the slower of its two walks. */
static step_fn *const tame[] = { plain,	  wide,	   growing, hollow,
				 meeting, aligned, both,    arguments,
				 again,	  leap,	   caught,  yield };
static step_fn *const wild[] = { odd, trap };

static step_fn *
pick(struct walk *w)
{
	if (w->depth >= DEEPEST)
		return again;
	if (w->wild && walk_any(&w->shape, 5) == 0)
		return wild[walk_any(&w->shape,
				     sizeof(wild) / sizeof(wild[0]))];
	return tame[walk_any(&w->shape, sizeof(tame) / sizeof(tame[0]))];
}

/* One round of the walk; its root is on the shadow stack. */
ORACLE void
walk_round(struct walk *w, unsigned round)
{
	ENTER(w->s);
	w->shape = (round % WALK_ROUNDS + 1) * 0x9e3779b97f4a7c15ull;
	w->wild = round % 4 == 0;
	w->left = WALK_ROUND;
	while (w->left > 0) {
		take(w);
		pick(w)(w);
	}
	LEAVE(w->s);
}

void
walk_signals(void)
{
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	a.sa_sigaction = on_trap;
	a.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
	sigaction(SIGTRAP, &a, NULL);
}
