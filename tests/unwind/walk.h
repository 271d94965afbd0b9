/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pseudo-random walk (walk.c) over frames of many kinds (frames.c). */
#ifndef MEMMON_TESTS_WALK_H
#define MEMMON_TESTS_WALK_H

#include "tests/unwind/oracle.h"

#define WALK_ROUND 400 /* allocations */
#define WALK_ROUNDS 64 /* different ones */
#define WALK_KEPT 32
#define WALK_ENDS 8

struct catcher;

/* One for each stack.  All zero except the first two and layout. */
struct walk {
	struct shadow *s;
	void (*yield)(struct walk *w); /* lets others run, or NULL */
	uint64_t shape;	 /* state of a generator: what calls what */
	uint64_t layout; /* of another: what call paths don't show */
	int depth;
	int left;		 /* allocations in this round */
	long taken;		 /* and in all */
	int wild;		 /* odd frames and signals too */
	int fixed;		 /* it must not yield now */
	struct catcher *catcher; /* where to jump to, or NULL */
	void *kept[WALK_KEPT];	 /* blocks */
	char *end[WALK_ENDS];	 /* of frames */
	unsigned long met;	 /* frames that ended where others had */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a number below n; the state must not be 0. */
unsigned walk_any(uint64_t *state, unsigned n);

/* Allocate: makes one block more, and frees one that was kept. */
void walk_take(struct walk *w);

/* A round; the caller is the last on the shadow stack. */
void walk_round(struct walk *w, unsigned round);

/* Catch the signals of the walk. */
void walk_signals(void);

#ifdef __cplusplus
}
#endif

#endif
