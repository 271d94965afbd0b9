/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cached frames of a stack that the test makes up: found again or not. */
#include <stdlib.h>

#include "monitor/chain/cached_frames.c"
#include "tests/tap.h"

#define ROOM 3000u
#define DEEPEST 60u
#define WORDS 4096u

static uintptr_t stack[WORDS];

/* Kinds of functions: what each does to the frame pointer. */
enum kind { PLAIN, FRAME_POINTER, CLOBBERS };

/* A frame as a walk would find it; [0] is the outermost. */
static struct frame {
	uintptr_t pc, sp, bp;
	uintptr_t bp_slot; /* where the caller's bp is saved, or 0 */
	enum kind kind;
} frame[DEEPEST];
static unsigned depth;

static struct mmi_thread *
thread_new(void)
{
	struct mmi_thread *t = calloc(1, sizeof(*t));

	t->pub = calloc(1, sizeof(*t->pub));
	t->frame_room = ROOM;
	t->depth = DEEPEST;
	t->frames = calloc(ROOM, sizeof(*t->frames));
	t->odds = calloc(ROOM, sizeof(*t->odds));
	t->paths = calloc(MMI_FRAMES_PATHS, sizeof(*t->paths));
	t->last = calloc(DEEPEST + 1, sizeof(*t->last));
	t->fresh = calloc(DEEPEST, sizeof(*t->fresh));
	mmi_frames_clear(t);
	return t;
}

static void
start(uintptr_t pc)
{
	frame[0] =
		(struct frame){ pc, (uintptr_t)&stack[WORDS - 8], 7, 0, PLAIN };
	depth = 1;
}

/* The innermost frame calls a function, which is at pc. */
static void
call(uintptr_t pc, enum kind kind, unsigned words)
{
	struct frame *f = &frame[depth], *caller = f - 1;
	uintptr_t cfa = caller->sp;

	*f = (struct frame){ pc, cfa - 16 - 8 * words, caller->bp, 0, kind };
	*(uintptr_t *)(cfa - 8) = caller->pc;
	if (kind != PLAIN) {
		f->bp_slot = cfa - 16;
		*(uintptr_t *)f->bp_slot = caller->bp;
		f->bp = kind == CLOBBERS ? pc * 3 : f->bp_slot;
	}
	depth++;
}

/*
 * Caches all frames below frame `below'; returns the innermost.  parent: frame
 * `below', cached.
 */
static struct mmi_frame *
walk(struct mmi_thread *t, struct mmi_frame *parent, unsigned below,
     unsigned why)
{
	/* The last two save the frame pointer 16 bytes below the CFA. */
	static const uint64_t rule[] = {
		[PLAIN] = RULE_SP << 15,
		[FRAME_POINTER] = RULE_BP << 15 | 0xffeull << 28,
		[CLOBBERS] = RULE_SP << 15 | 0xffeull << 28,
	};
	unsigned n = depth - below;
	struct mmi_frame *s = parent;

	for (unsigned i = 0; i < n; i++) {
		const struct frame *f = &frame[depth - 1 - i];

		t->fresh[i] = (struct mmi_fresh){
			.key = f->pc,
			.sp = f->sp,
			.bp = f->bp,
			.rule = rule[f->kind],
		};
	}
	if (n)
		s = mmi_frames_add(t, parent, n, why);
	s->node = 1;
	mmi_frames_path(t, s);
	return s;
}

/* Does the cached frame have the current call path? */
static bool
same(struct mmi_thread *t, const struct mmi_frame *s)
{
	unsigned i = depth;

	for (; s && i > 0; s = mmi_frames_at(t, s->parent))
		if (s->pc != frame[--i].pc || s->sp != frame[i].sp)
			return false;
	return !s && !i;
}

/*
 * The number of frames of its call path, from the outermost, whose words are
 * valid.
 */
static unsigned
valid(struct mmi_thread *t, const struct mmi_frame *s)
{
	mmi_frames_last(t, s);
	return mmi_frames_valid(t, s->sp);
}

/* Is the cached frame valid, by both ways of asking? */
static bool
holds(struct mmi_thread *t, const struct mmi_frame *s)
{
	bool row = mmi_frames_holds(t, s), words = valid(t, s) == s->depth;

	if (s->path && row != words)
		ok(0, "a row says %d, the words %d", row, words);
	return words;
}

static void
words(void)
{
	struct mmi_thread *t = thread_new();
	struct mmi_frame *s, *p;
	unsigned n;

	start(100);
	for (unsigned i = 1; i < 10; i++)
		call(100 + i, PLAIN, i);
	s = walk(t, NULL, 0, 0);
	ok(same(t, s), "a cached frame for each frame");
	ok(s->path && holds(t, s), "which holds");
	ok(!mmi_frames_holds(t, &t->frames[0]), "none never does");
	n = t->nframes;
	ok(walk(t, NULL, 0, 0) == s && t->nframes == n,
	   "found, not made again");
	n = 0;
	for (p = s; (p = mmi_frames_at(t, p->parent));) {
		uintptr_t *word = (uintptr_t *)(p->sp - 8), was = *word;

		*word = 5;
		n += !holds(t, s) && valid(t, s) == p->depth;
		*word = was;
		n += holds(t, s);
	}
	is_int(n, 18, "each return address counts");
	is_int(t->pub->count.deepest, 10, "the deepest chain");
}

static void
branches(void)
{
	struct mmi_thread *t = thread_new();
	struct mmi_frame *a, *b, *outer;

	start(1);
	call(2, PLAIN, 4);
	outer = walk(t, NULL, 0, 0);
	call(3, PLAIN, 4);
	a = walk(t, outer, 2, 0);
	ok(same(t, a) && mmi_frames_at(t, a->parent) == outer,
	   "below a caller that is known");
	/* The same function, from another place in its caller. */
	depth = 1;
	frame[0].pc = 9;
	call(2, PLAIN, 4);
	call(3, PLAIN, 4);
	b = walk(t, NULL, 0, 0);
	ok(a != b && a->pc == b->pc && a->sp == b->sp && same(t, b),
	   "another caller's is another");
	ok(holds(t, b) && !holds(t, a), "only one of them holds");
	frame[0].pc = 1;
	depth = 1;
	call(2, PLAIN, 4);
	call(3, PLAIN, 4);
	ok(holds(t, a) && !holds(t, b), "then only the other");
	ok(walk(t, NULL, 0, 0) == a, "which is found");
	ok(walk(t, NULL, 0, MONOUT_PC_STOPPED) != a,
	   "a walk that stopped there is another");
	mmi_frames_clear(t);
	ok(t->nframes == 1 && walk(t, NULL, 0, 0)->path == 1,
	   "when all are forgotten it starts over");
}

/* The frame pointer leads to a caller's frame. */
static void
frame_pointers(void)
{
	struct mmi_thread *t = thread_new();
	struct mmi_frame *s, *p;
	uintptr_t *slot, was;

	start(1);
	call(2, FRAME_POINTER, 10);
	call(3, PLAIN, 4);
	s = walk(t, NULL, 0, 0);
	p = mmi_frames_at(t, s->parent);
	ok(s->need_bp && p->need_bp && !t->frames[p->parent].need_bp,
	   "the frame pointer counts, and in a frame that leaves it alone");
	ok(holds(t, s), "a cached frame with it holds");
	call(4, CLOBBERS, 4);
	s = walk(t, s, 3, 0);
	ok(!s->need_bp && s->odd,
	   "a function that saves it has it on the stack");
	slot = (uintptr_t *)frame[3].bp_slot;
	was = *slot;
	*slot += 8;
	ok(!holds(t, s) && valid(t, s) == 3, "where it counts");
	*slot = was;
	ok(holds(t, s), "and holds again");
}

/* The end of a caller's frame was read from the stack. */
static void
cfa_slots(void)
{
	struct mmi_thread *t = thread_new();
	uintptr_t *slot = &stack[10], was;
	struct mmi_frame *s;

	start(1);
	call(2, FRAME_POINTER, 10);
	s = walk(t, NULL, 0, 0);
	call(3, PLAIN, 10);
	t->fresh[0] = (struct mmi_fresh){
		.key = 3,
		.sp = frame[2].sp,
		.bp = frame[2].bp,
		.rule = ((uintptr_t)slot - frame[2].bp) << 40 | RULE_DEREF
									<< 15,
	};
	*slot = was = s->sp;
	s = mmi_frames_add(t, s, 1, 0);
	s->node = 1;
	mmi_frames_path(t, s);
	ok(s->path && holds(t, s),
	   "a cached frame that was read from there holds");
	*slot = was + 16;
	ok(!holds(t, s) && valid(t, s) == 2, "until that changes");
}

static void
step_randomly(void)
{
	unsigned n = (unsigned)random() % 6;

	while (n-- > 0 && depth > 1)
		depth--;
	/* The caller makes another call, or the same again. */
	frame[depth - 1].pc += (uintptr_t)(random() % 3 == 0);
	if (frame[depth - 1].pc % 16 > 3)
		frame[depth - 1].pc &= ~15ul;
	n = (unsigned)random() % 6;
	while (n-- > 0 && depth < DEEPEST) {
		unsigned f = (unsigned)random() % 7;

		call(1000 + 16 * f, f % 3, 2 + f % 2);
	}
}

/* A program's random calls: a cached frame is valid if it has the call path. */
static void
random_calls(void)
{
	struct mmi_thread *t = thread_new();
	unsigned bad = 0, met = 0, no = 0, clears = 0, without = 0;

	srandom(5);
	start(1000);
	for (unsigned round = 0; round < 20000; round++) {
		const struct frame *f;

		step_randomly();
		f = &frame[depth - 1];
		for (unsigned i = 1; i < t->nframes; i++) {
			const struct mmi_frame *s = &t->frames[i];
			bool yes;

			if (s->pc != f->pc || s->sp != f->sp ||
			    (s->need_bp && t->odds[i].bp != f->bp))
				continue;
			yes = holds(t, s);
			bad += yes != same(t, s);
			met += yes;
			no += !yes;
		}
		if (t->nframes + depth > ROOM) {
			mmi_frames_clear(t);
			clears++;
		}
		without += !walk(t, NULL, 0, 0)->path;
		bad += !same(t, walk(t, NULL, 0, 0));
	}
	is_int(bad, 0, "%u cached frames held and %u didn't, as they should",
	       met, no);
	ok(met > 1000 && no > 1000 && clears && without < 20000,
	   "both often, and all were forgotten %u times", clears);
	diag("%u chains had no room for a row", without);
}

/* When many frames are cached at once, few share a bucket. */
static void
deep_walk(void)
{
	struct mmi_thread *t = thread_new();
	unsigned n = ROOM - 1, most = 0;

	t->fresh = realloc(t->fresh, n * sizeof(*t->fresh));
	for (unsigned i = 0; i < n; i++)
		t->fresh[i] = (struct mmi_fresh){ .key = 0x1000 + 16 * i,
						  .sp = 0x100000 + 48 * i };
	mmi_frames_add(t, NULL, n, 0);
	for (unsigned b = 0; b < MMI_FRAME_HASH; b++) {
		unsigned k = 0;

		for (uint32_t i = t->frame_hash[b]; i; i = t->frames[i].next)
			k++;
		most = k > most ? k : most;
	}
	ok(most && most < 8, "%u frames of one walk: %u at most in a bucket", n,
	   most);
}

int
main(void)
{
	words();
	branches();
	frame_pointers();
	cfa_slots();
	random_calls();
	deep_walk();
	return done_testing();
}
