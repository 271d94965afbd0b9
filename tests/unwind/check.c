/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A preload that walks the stack of every allocation twice, with the
 * monitor's unwinder and with libunwind (-DUNWCHECK_GCC: libgcc's), and
 * compares the call paths.  At exit it appends a line to $UNWCHECK_OUT:
 * "chains N frames N thorough N stopped N differ N", and before it the first
 * few that differ.
 *
 * The monitor's call path counts as equal if it stops at an address for which
 * no library has unwind information, and agrees up to there: libunwind guesses
 * on from there by the frame pointer.  A third unwinder, the compiler's own,
 * must find no unwind information, too.
 */
#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef UNWCHECK_GCC
#include <unwind.h>
#else
#include <libunwind.h>
#endif

/* Frames of this library count, as libunwind counts them. */
#define MEMMON_STATIC
#include "monitor/base/thread.h"
#define limit arena_limit
#include "monitor/base/arena.c"
#undef limit
#include "monitor/chain/cfi.c"
#include "monitor/chain/expr.c"
#include "monitor/chain/modules.c"
#include "monitor/chain/module_read.c"
#include "monitor/base/own_mappings.c"
#include "monitor/base/thread.c"
#include "monitor/chain/rules.c"
#include "monitor/chain/cached_frames.c"
#include "monitor/thread/resync.c"
#include "monitor/thread/ended.c"
#include "monitor/thread/enter.c"
#include "monitor/thread/ordinal.c"
#define ready unwind_ready
#include "monitor/chain/unwind.c"
/* Counted on entry. */
#define mmi_walk_thorough real_thorough
#include "monitor/chain/walk.c"
#undef mmi_walk_thorough
#include "tests/unit/noimage.h"

#define MAX 4096

/* The process, for the monitor's modules.c. */
struct mmi_process mmi_process = { .pid = 1 };

bool
mmi_peek_now(void *to, uintptr_t at, size_t n)
{
	memcpy(to, (const void *)at, n);
	return true;
}

void
mmi_process_forked(void)
{
}

void
mmi_thread_costs_end(void)
{
}

/* No code is generated; no function has a known start. */
uint32_t mmi_generated_n;

unsigned
mmi_generated_gen(uintptr_t pc)
{
	(void)pc;
	return MMI_GEN_NONE;
}

bool
mmi_generated_near(uintptr_t at)
{
	(void)at;
	return false;
}

void
mmi_traced_ends(void)
{
}

struct mmi_frame *
mmi_unwind_traced(struct mmi_thread *t, const struct arch_entry *e,
		  uint64_t state)
{
	return mmi_unwind_stack(t, e, state);
}

/* A call path, innermost first. */
struct chain {
	unsigned n;
	bool stopped;
	uintptr_t pc[MAX];
};

/* For each thread; the second is for a signal in the middle of the first. */
#define NESTED 2
struct both {
	struct chain ours, theirs;
};

static unsigned long chains, frames, thorough, differ, stopped;
static TLS int inside; /* running comparisons; NESTED: make none */
static TLS struct both *room;

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static int (*next_dlclose)(void *);

extern int __cxa_atexit(void (*)(void *), void *, void *);
/* The compiler's unwinder: the unwind information of an address, or NULL. */
extern const void *_Unwind_Find_FDE(const void *pc, void *bases);

unsigned
mmi_walk_thorough(struct mmi_thread *t, const struct arch_entry *e,
		  unsigned *why)
{
	FETCH_ADD(&thorough, 1);
	return real_thorough(t, e, why);
}

/* The functions that the monitor's thread.c needs; they count nothing. */
void
mmi_owners_first(struct mmi_thread *t)
{
	(void)t;
}

void
mmi_owners_begin(struct mmi_thread *t)
{
	(void)t;
}

void
mmi_owners_nested(struct mmi_thread *t, const struct mmi_thread *me)
{
	(void)t;
	(void)me;
}

void
mmi_owners_join(const struct mmi_thread *t, const struct mmi_thread *me)
{
	(void)t;
	(void)me;
}

void
mmi_owners_row(const struct mmi_thread *t, unsigned i)
{
	(void)t;
	(void)i;
}

int
mmi_owners_row_before(const struct mmi_thread *t)
{
	(void)t;
	return -1;
}

void
mmi_owners_clear(void)
{
}

void
mmi_control_waiting(void)
{
}

void
mmi_history_drop(struct mmi_thread *t)
{
	(void)t;
}

int
mmi_real_setspecific(pthread_key_t key, const void *p)
{
	return pthread_setspecific(key, p);
}

void
mmi_heap_flush(struct mmi_thread *t)
{
	(void)t;
}

static void
say(const char *s)
{
	const char *name = getenv("UNWCHECK_OUT");
	int fd = open(name ? name : "/dev/null",
		      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (fd >= 0 && write(fd, s, strlen(s)) < 0)
		abort();
	close(fd);
}

static void
show(const char *who, const struct chain *c)
{
	char line[300];
	Dl_info d;

	for (unsigned i = 0; i < c->n && i < 40; i++) {
		int known = dladdr((void *)(c->pc[i] - 1), &d) != 0;

		snprintf(line, sizeof(line), "#   %s %2u %#lx %s %s\n", who, i,
			 (unsigned long)c->pc[i],
			 known && d.dli_sname ? d.dli_sname : "?",
			 known && d.dli_fname ? d.dli_fname : "?");
		say(line);
	}
}

/*
 * The monitor's call path.  Only this code knows how it keeps call paths.
 */
static bool
take_ours(const struct arch_entry *e, struct chain *c)
{
	struct mmi_thread *t = mmi_thread_enter();
	struct mmi_frame *s, *f;
	unsigned why;

	if (!t)
		return false;
	/* Soon full, so that call paths are walked in every way. */
	t->frame_room = t->limit + 400;
	s = mmi_unwind(t, e);
	why = s ? s->why : t->why;
	c->n = s ? 0 : t->nchain;
	for (unsigned i = 0; i < c->n; i++)
		c->pc[i] = MMI_KEY_ADDR(t->chain[i]);
	for (unsigned k = t->below; !s && k; k--)
		c->pc[c->n++] = t->last[k].pc;
	for (f = s; f; f = mmi_frames_at(t, f->parent)) {
		c->pc[c->n++] = f->pc;
		f->node = 1;
	}
	/* As the monitor does where each call path gets its node. */
	for (unsigned k = t->below + 1; !s && t->below && k <= t->nbelow; k++)
		t->last[k].node = 1;
	if (!s && t->below)
		t->nlast = t->nbelow;
	c->stopped = why == MONOUT_PC_STOPPED;
	mmi_thread_leave(t);
	return true;
}

#ifdef UNWCHECK_GCC
struct taking {
	const struct arch_entry *e;
	struct chain *c;
	bool outside;
};

static _Unwind_Reason_Code
take_frame(struct _Unwind_Context *context, void *arg)
{
	struct taking *t = arg;
	int before = 0;
	uintptr_t pc = _Unwind_GetIPInfo(context, &before);

	if (!t->outside && _Unwind_GetCFA(context) < t->e->sp)
		return _URC_NO_REASON;
	if (!pc || t->c->n == MAX)
		return _URC_END_OF_STACK;
	t->c->pc[t->c->n] = pc + (t->outside && before);
	t->c->n++;
	t->outside = true;
	return _URC_NO_REASON;
}

/* libgcc's call path, if there is no libunwind. */
static void
take_theirs(const struct arch_entry *e, struct chain *c)
{
	struct taking t = { e, c, false };

	c->n = 0;
	_Unwind_Backtrace(take_frame, &t);
}

static void
forget_theirs(void)
{
}
#else
static void
forget_theirs(void)
{
	unw_flush_cache(unw_local_addr_space, 0, 0);
}

/* libunwind's, from the frame with the stack pointer e->sp on. */
static void
take_theirs(const struct arch_entry *e, struct chain *c)
{
	unw_context_t context;
	unw_cursor_t cursor;
	unw_word_t sp, pc;
	bool outside = false;

	c->n = 0;
	unw_getcontext(&context);
	unw_init_local(&cursor, &context);
	do {
		unw_get_reg(&cursor, UNW_REG_SP, &sp);
		if (!outside && sp < e->sp)
			continue;
		outside = true;
		if (c->n == MAX)
			break;
		unw_get_reg(&cursor, UNW_REG_IP, &pc);
		if (pc == 0)
			break;
		/* As the monitor: a signal's place is a return address. */
		c->pc[c->n] =
			pc + (c->n > 0 && unw_is_signal_frame(&cursor) > 0);
		c->n++;
	} while (unw_step(&cursor) > 0);
}
#endif

/* Does the unwind information end at return address pc? */
static bool
is_end(uintptr_t pc)
{
	void *bases[3];

	return !_Unwind_Find_FDE((void *)(pc - 1), bases);
}

static bool
is_equal(const struct chain *ours, const struct chain *theirs)
{
	unsigned n = ours->n;
	uintptr_t last = n ? ours->pc[n - 1] : 0;

	for (unsigned i = 0; i < n; i++)
		if (i >= theirs->n || ours->pc[i] != theirs->pc[i])
			return false;
	if (n == theirs->n)
		return true;
	/* The dynamic loader's start has no rules, but isn't a stop. */
	return is_end(last) &&
	       (ours->stopped || last - getauxval(AT_BASE) < 1 << 20);
}

static void
compare(const struct arch_entry *e)
{
	struct both *b = room;

	if (!b) {
		b = mmi_arena_map(NESTED * sizeof(*b));
		if (!b)
			abort();
		room = b;
	}
	b += inside - 1;
	if (!take_ours(e, &b->ours))
		abort();
	take_theirs(e, &b->theirs);
	FETCH_ADD(&chains, 1);
	FETCH_ADD(&frames, b->ours.n);
	FETCH_ADD(&stopped, b->ours.stopped);
	if (is_equal(&b->ours, &b->theirs) || FETCH_ADD(&differ, 1) >= 3)
		return;
	say(b->ours.stopped ? "# stopped\n" : "# whole\n");
	show("ours", &b->ours);
	show("theirs", &b->theirs);
}

static void
find(void)
{
	if (next_malloc)
		return;
	next_malloc = dlsym(RTLD_NEXT, "malloc");
	next_calloc = dlsym(RTLD_NEXT, "calloc");
	next_realloc = dlsym(RTLD_NEXT, "realloc");
	next_dlclose = dlsym(RTLD_NEXT, "dlclose");
}

static inline void
compare_once(const struct arch_entry *e)
{
	find();
	if (inside >= NESTED)
		return;
	inside++;
	compare(e);
	inside--;
}

void *
malloc(size_t n)
{
	struct arch_entry e = ARCH_ENTRY();

	compare_once(&e);
	return next_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	compare_once(&e);
	return next_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	struct arch_entry e = ARCH_ENTRY();

	compare_once(&e);
	return next_realloc(p, n);
}

/* As the monitor's own; libunwind needs a call, too. */
int
dlclose(void *handle)
{
	int r;

	find();
	mmi_modules_unload_begin();
	r = next_dlclose(handle);
	mmi_modules_unload_end();
	forget_theirs();
	return r;
}

static void
report(void *arg)
{
	char line[200];

	(void)arg;
	inside = NESTED;
	snprintf(line, sizeof(line),
		 "chains %lu frames %lu thorough %lu stopped %lu differ %lu\n",
		 chains, frames, thorough, stopped, differ);
	say(line);
}

__attribute__((constructor(101))) static void
begin(void)
{
	inside = NESTED;
	find();
	mmi_thread_limit(MAX);
	mmi_thread_init();
	__cxa_atexit(report, NULL, NULL);
	inside = 0;
}
