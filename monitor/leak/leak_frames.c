/* SPDX-License-Identifier: MIT */
/*
 * The functions on a thread's stack, and the function that a word belongs to.
 * A register that a function has saved belongs to the caller that uses this
 * register: the next outer function that also saves it.
 */
#include "monitor/leak/leak_graph.h"

#include "monitor/base/context_reg.h"
#include "monitor/base/lookup.h"
#include "monitor/base/sort.h"
#include "monitor/chain/modules.h"
#include "monitor/chain/walk.h"

/* Most known functions of one stack; functions of all stacks. */
#define FRAMES 4096u
#define SAVED (FRAMES * 4)
#define PLACES (2 * MMI_GRAPH_FRAMES)

/* The kernel's frame for a handler is at most this large. */
#define SIGNAL_FRAME ((uintptr_t)16 << 10)

/* A frame; its CFA is the stack pointer of the next one. */
struct frame {
	uintptr_t sp;
	bool signal; /* the kernel's, for a handler */
	uint32_t number; /* of its function, + 1; 0: not known */
	uint32_t saves;	 /* bits of registers */
};

/* Where the frames are: signal handlers may have their own stacks. */
struct range {
	uint64_t sp, end, frame;
};

/* A register that a frame has saved. */
struct saved {
	uint64_t at; /* relative to the frame's CFA first */
	uint32_t reg, frame;
};

/* The stack of the thread that was asked for last. */
static struct {
	long tid; /* 0: none */
	struct frame *frame;
	struct range *range; /* n of them, by address */
	struct saved *saved; /* by address */
	uint32_t n, nsaved, done; /* done: how many have addresses */
	struct mmi_graph *out;
} stack;

static uint32_t *place; /* hash: places in out->frame, + 1 */

bool
mmi_graph_frames_init(struct mmi_graph *out)
{
	stack.tid = 0;
	stack.out = out;
	stack.frame = mmi_leak_map(FRAMES * sizeof(*stack.frame));
	stack.range = mmi_leak_map(FRAMES * sizeof(*stack.range));
	stack.saved = mmi_leak_map(SAVED * sizeof(*stack.saved));
	place = mmi_leak_map(PLACES * sizeof(*place));
	return stack.frame && stack.range && stack.saved && place;
}

/* Number + 1 of a place in code; 0: it is in no module, or out of room. */
static uint32_t
frame_number(uintptr_t pc)
{
	struct mmi_graph *out = stack.out;
	const struct mmi_module *m;
	struct mmi_graph_frame f;
	struct mmi_object o;
	int module;

	if (!mmi_modules_find(pc, &o))
		return 0;
	module = mmi_modules_of_key(pc | (uint64_t)o.gen << MMI_KEY_SHIFT);
	m = module < 0 ? NULL : mmi_modules_at((unsigned)module);
	if (!m)
		return 0;
	f = (struct mmi_graph_frame){ .module = (uint32_t)module + 1,
				      .pc = pc - m->bias };
	for (uint64_t i = (pc * 0x9e3779b97f4a7c15ull) >> 40;; i++) {
		uint32_t *p = &place[i % PLACES];

		if (*p && out->frame[*p - 1].module == f.module &&
		    out->frame[*p - 1].pc == f.pc)
			return *p;
		if (*p)
			continue;
		if (out->nframes == MMI_GRAPH_FRAMES)
			return 0;
		out->frame[out->nframes] = f;
		*p = ++out->nframes;
		return *p;
	}
}

/* The end of the last frame is known now: make addresses of offsets. */
static void
place_saved(uintptr_t cfa)
{
	for (; stack.done < stack.nsaved; stack.done++)
		stack.saved[stack.done].at += cfa;
}

static bool
add_frame(const struct mmi_walk_frame *f, void *arg)
{
	struct frame *to = &stack.frame[stack.n];
	const struct mmi_cfi_rule *r;

	(void)arg;
	place_saved(f->sp);
	*to = (struct frame){ .sp = f->sp, .signal = f->signal };
	if (!f->own)
		to->number = frame_number(f->pc);
	for (unsigned i = 0; f->row && i < ARCH_NREG; i++) {
		r = &f->row->reg[i];
		if (r->how != CFI_OFFSET)
			continue;
		to->saves |= 1u << i;
		if (i != ARCH_RA && stack.nsaved < SAVED)
			stack.saved[stack.nsaved++] =
				(struct saved){ (uintptr_t)(intptr_t)r->off, i,
						stack.n };
	}
	return ++stack.n < FRAMES;
}

bool
mmi_leak_walk_at(const struct mmi_leak *l, const struct mmi_leak_thread *t,
		 struct mmi_walk_at *at)
{
	bool all = t->state == MMI_LEAK_STOPPED;

	if (t == l->threads) {
		*at = l->self;
		return true;
	}
	*at = (struct mmi_walk_at){ .pc = t->pc, .valid = all ? ~0u : 0 };
	for (unsigned i = 0; all && i < t->nreg; i++)
		if (arch_context_reg(i) < ARCH_NREG)
			at->reg[arch_context_reg(i)] = t->reg[i];
	at->reg[ARCH_SP] = t->sp;
	at->valid |= 1u << ARCH_SP;
	return t->pc != 0;
}

#ifdef MEMMON_STATIC
/* The program and libc are in one object. */
void
mmi_leak_exit_find(struct mmi_leak *l)
{
	l->ends = (struct mmi_leak_exit){ .handler = l->frames.start,
					  .caller = l->frames.start };
}
#else
/* _start() puts at most this on the stack before it calls libc. */
#define START_BYTES 16u

/* The walk so far. */
struct exit_walk {
	struct mmi_leak_exit *to;
	unsigned placed; /* of to->saved, the rest is relative to the CFA */
};

static bool
find_caller(const struct mmi_walk_frame *f, void *arg)
{
	struct exit_walk *w = arg;
	struct mmi_leak_exit *to = w->to;

	while (w->placed < to->nsaved)
		to->saved[w->placed++] += f->sp;
	if (f->own)
		return true;
	if (!to->handler)
		to->handler = f->sp;
	if (!mmi_lookup_in(f->pc, "__libc_start_main")) {
		to->caller = f->sp;
		return false;
	}
	for (unsigned i = 0; f->row && i < ARCH_NREG; i++)
		if (f->row->reg[i].how == CFI_OFFSET && i != ARCH_RA &&
		    to->nsaved < MMI_LEAK_SAVED)
			to->saved[to->nsaved++] =
				(uintptr_t)(intptr_t)f->row->reg[i].off;
	return f->row && to->nsaved < MMI_LEAK_SAVED;
}

void
mmi_leak_exit_find(struct mmi_leak *l)
{
	uintptr_t sp = l->frames.start, end = l->frames.end;
	struct mmi_leak_exit *to = &l->ends;
	struct exit_walk w = { .to = to };
	struct mmi_walk_at at;

	*to = (struct mmi_leak_exit){ 0 };
	if (mmi_leak_walk_at(l, l->threads, &at))
		mmi_walk_thread(&at, FRAMES, find_caller, &w);
	if (to->caller < sp || to->caller > end)
		*to = (struct mmi_leak_exit){ .handler = sp, .caller = sp };
	else if (to->caller + START_BYTES >= end)
		*to = (struct mmi_leak_exit){ .handler = sp, .caller = end };
}
#endif

/*
 * Where the frame begins and ends.  A frame that a signal interrupted also has
 * its red zone.  The kernel's frame before it, which called the handler, may be
 * on another stack: then the end of the kernel's frame is unknown.
 */
static uintptr_t
start_of(uint32_t i)
{
	bool struck = i && stack.frame[i - 1].signal;

	return stack.frame[i].sp - (struck ? ARCH_RED_ZONE : 0);
}

static uintptr_t
end_of(uint32_t i)
{
	uintptr_t end = i + 1 < stack.n ? start_of(i + 1) : 0;

	return stack.frame[i].signal && end - stack.frame[i].sp > SIGNAL_FRAME
		       ? 0
		       : end;
}

static void
look_at(const struct mmi_leak *l, const struct mmi_leak_thread *t)
{
	struct mmi_walk_at at;

	stack.tid = t->tid;
	stack.n = stack.nsaved = stack.done = 0;
	if (!mmi_leak_walk_at(l, t, &at))
		return;
	mmi_walk_thread(&at, FRAMES, add_frame, NULL);
	/* The last frame's end isn't known. */
	for (uint32_t i = 0; i < stack.n; i++)
		stack.range[i] = (struct range){ start_of(i), end_of(i), i };
	mmi_sort(stack.range, stack.n, sizeof(*stack.range) / 8);
	stack.nsaved = stack.done;
	mmi_sort(stack.saved, stack.nsaved, sizeof(*stack.saved) / 8);
}

/* The first frame from i on that saves the register; n: none does. */
static uint32_t
user_of(uint32_t i, uint32_t reg)
{
	while (i < stack.n && !(stack.frame[i].saves & 1u << reg))
		i++;
	return i;
}

static const struct saved *
saved_at(uintptr_t at)
{
	uint32_t lo = 0, hi = stack.nsaved, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (stack.saved[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < stack.nsaved && stack.saved[lo].at == at ? &stack.saved[lo]
							     : NULL;
}

/*
 * The frame that contains the address; n: none.  *below: bytes below its CFA.
 * The red zone below the innermost frame belongs to this frame.
 */
static uint32_t
frame_at(uintptr_t at, uint64_t *below)
{
	uint32_t lo = 0, hi = stack.n, mid;
	const struct range *r;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (stack.range[mid].sp <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	r = &stack.range[lo ? lo - 1 : 0];
	if (!lo)
		return stack.n && at + ARCH_RED_ZONE >= stack.frame[0].sp
			       ? 0
			       : stack.n;
	if (at >= r->end)
		return stack.n;
	*below = r->end - at;
	return (uint32_t)r->frame;
}

uint32_t
mmi_graph_frame_of(const struct mmi_leak *l, const struct mmi_leak_thread *t,
		   uint32_t *offset)
{
	const uintptr_t at = l->at;
	const struct saved *s;
	uint64_t below = 0;
	uint32_t i;

	*offset = MONOUT_FAR;
	if (stack.tid != t->tid)
		look_at(l, t);
	if (!at) {
		i = l->reg < ARCH_NREG ? user_of(0, l->reg) : stack.n;
	} else if ((s = saved_at(at)) != NULL) {
		i = user_of(s->frame + 1, s->reg);
	} else {
		i = frame_at(at, &below);
		if (below && below < MONOUT_FAR)
			*offset = (uint32_t)below;
	}
	return i < stack.n ? stack.frame[i].number : 0;
}
