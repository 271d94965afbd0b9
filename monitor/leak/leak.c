/* SPDX-License-Identifier: MIT */
/*
 * The leak check.  The other threads are stopped (leak_stop.c) while the
 * process is forked.  The search runs in the copy, which nothing changes any
 * more; if the process can't be forked, the threads stay stopped until the
 * search ends.  The search finds the mappings (leak_maps.c), the live blocks
 * (leak_blocks.c), the memory that can hold pointers to them (leak_roots.c),
 * and the blocks that these pointers lead to (leak_mark.c).  The result comes
 * back in memory that the process and the copy share.
 *
 * The copy is a child that only a wait() with __WCLONE or __WALL sees.  It ends
 * without a signal.
 */
#include "monitor/leak/leak.h"

#include <linux/futex.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "monitor/base/entered.h"
#include "monitor/base/mask.h"
#include "monitor/base/own_mappings.h"
#include "monitor/base/pass.h"
#include "monitor/base/process.h"
#include "monitor/base/signame.h"
#include "monitor/chain/sites.h"
#include "monitor/leak/leak_check.h"
#include "monitor/leak/leak_graph.h"
#include "monitor/record/event.h"
#include "monitor/record/sample.h"
#include "monitor/thread/control.h"
#include "monitor/thread/enter.h"

/*
 * How long a check may take if MEMMON_LEAKCHECK sets no limit: at the end;
 * while the program runs and waits for its file; and when a signal is about to
 * end it.
 */
#define SECONDS 60u
#define SECONDS_DUMP 10u
#define SECONDS_SIGNAL 5u
#define SECONDS_ATTACHED 50u
#define SECONDS_MOST 86400u

static bool wanted;    /* at the end, and for each file before */
static bool graph;     /* also make a graph */
static unsigned limit; /* seconds; 0: the default */
static unsigned forms; /* forms of pointers that count in addition to words */
#define TOO_LATE "the leak check took too long"

/* atomic; a second caller fails at once, and doesn't wait */
static int checking;

/* Guarded by `checking'. */
static struct mmi_leak leak;
static struct mmi_leak_thread self;

/* The thread that entered the library, and its stack pointer then. */
static struct {
	long tid;
	uintptr_t sp;
} entered;

/* One word of a comma-separated list.  Unknown words are ignored. */
static void
option(const char *s, size_t n)
{
	static const struct {
		const char *name;
		unsigned form;
	} rows[] = { { "unaligned", MMI_LEAK_UNALIGNED },
		     { "tagged", MMI_LEAK_TAGGED } };
	unsigned long number = 0;
	size_t i = 0;

	for (; i < n && s[i] >= '0' && s[i] <= '9' && number < SECONDS_MOST;
	     i++)
		number = 10 * number + (unsigned)(s[i] - '0');
	if (i)
		wanted = number != 0;
	if (number > 1)
		limit = number < SECONDS_MOST ? (unsigned)number : SECONDS_MOST;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (n == strlen(rows[i].name) && !memcmp(s, rows[i].name, n)) {
			forms |= rows[i].form;
			wanted = true;
		}
}

void
mmi_leak_init(void)
{
	const char *v = mmi_process_variable("MEMMON_LEAKCHECK"), *end;

	const char *g = mmi_process_variable("MEMMON_GRAPH");

	graph = g && *g && strcmp(g, "0") != 0;
	wanted = graph;
	limit = 0;
	forms = 0;
	for (; v && *v; v = *end ? end + 1 : end) {
		for (end = v; *end && *end != ','; end++)
			;
		option(v, (size_t)(end - v));
	}
}

bool
mmi_leak_wanted(void)
{
	return wanted;
}

/* Memory for a result, shared with the copy of the process. */
static struct mmi_leak_result *
result_new(bool with_graph)
{
	uint32_t nodes = mmi_sites_nodes() + 1;
	size_t size = sizeof(struct mmi_leak_result) +
		      nodes * sizeof(struct mmi_leak_site);
	struct mmi_leak_result *r = mmi_leak_map_shared(size);

	if (!r)
		return NULL;
	r->size = size;
	r->nodes = nodes;
	r->graph = with_graph ? mmi_graph_new(nodes) : NULL;
	r->time = mmi_process_clock(CLOCK_MONOTONIC) - mmi_process.mono;
	return r;
}

/* Add up the blocks of each kind, by site. */
static void
collect(const struct mmi_leak *l)
{
	struct mmi_leak_result *r = l->result;
	const struct mmi_leak_block *b;
	unsigned kind;

	for (uint32_t i = 0; i < l->nblocks; i++) {
		b = &l->blocks[i];
		kind = (l->kinds[i] & 7u) - 1;
		if (!b->node || b->node >= r->nodes || kind >= MONOUT_NLEAK)
			continue;
		r->site[b->node].blocks[kind]++;
		r->site[b->node].bytes[kind] += b->size;
		r->blocks[kind]++;
	}
}

/* Do the blocks lack some allocations? */
static bool
is_unknown(void)
{
	const struct mmi_thread *t = NULL;
	uint64_t lost, bytes;

	mmi_event_read(&lost, &bytes);
	while ((t = mmi_thread_next_now(t)))
		lost += LOAD(&t->pub->count.lost);
	return lost || mmi_process.attached ||
	       LOAD(&mmi_shared.control.stops) || mmi_control_off();
}

/* Keep an eighth of the time, so that the leak check is not lost. */
static void
make_graph(struct mmi_leak *l, uint64_t until)
{
	uint64_t now = mmi_process_clock(CLOCK_MONOTONIC);

	l->until = until > now ? until - (until - now) / 8 : now;
	mmi_graph_make(l, l->result->graph);
	l->late = false;
}

/* The whole check, except stopping the threads and copying. */
static void
run(struct mmi_leak *l)
{
	struct mmi_leak_result *r = l->result;
	const uint64_t until = l->until;

	r->why = NULL;
	r->unknown = is_unknown();
	for (unsigned i = 0; i < l->nthreads; i++)
		r->blind += l->threads[i].state != MMI_LEAK_STOPPED &&
			    l->threads[i].state != MMI_LEAK_GONE;
	if (!mmi_own_count())
		r->why = "no memory for a list of the monitor's own memory";
	else if (!mmi_leak_maps(l))
		r->why = l->nmaps < l->map_room
				 ? "/proc/self/maps can't be read"
				 : "no memory for the leak check";
	else if (!mmi_leak_list(l) || !mmi_leak_mark(l))
		r->why = "no memory for the leak check";
	else if (l->late)
		r->why = TOO_LATE;
	else
		collect(l);
	if (r->graph && !r->why)
		make_graph(l, until);
	mmi_leak_unread_sum(l);
	STORE_REL(&r->done, r->why ? 2 : 1);
}

/* In the copy: nothing here may be visible to the program. */
static void
copy_run(struct mmi_leak *l)
{
	struct rlimit core = { 1, 1 };

	/* A pipe's reader waits until all its writers are gone. */
	if (ARCH_SYS(SYS_close_range, 0, ~0u, 0, 0, 0, 0) != 0)
		for (int fd = 0; fd < 1024; fd++)
			ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	ARCH_SYS(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
	ARCH_SYS(SYS_setrlimit, RLIMIT_CORE, &core, 0, 0, 0, 0);
	mmi_leak_faults(l);
	mmi_leak_restore(l);
	run(l);
	ARCH_SYS(SYS_futex, &l->result->done, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
	for (;;)
		ARCH_SYS(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

/* End the copy, which may be stuck in the kernel for a while. */
static void
copy_end(long pid)
{
	long gone = 0;

	ARCH_SYS(SYS_kill, pid, SIGKILL, 0, 0, 0, 0);
	for (int i = 0; i < 1000 && !gone; i++) {
		gone = ARCH_SYS(SYS_wait4, pid, 0, __WCLONE | WNOHANG, 0, 0, 0);
		if (!gone)
			mmi_wait_ms(1);
	}
}

/* Wait until the copy is done.  Returns NULL, or why it failed. */
static const char *
copy_wait(long pid, const struct mmi_leak *l)
{
	struct mmi_leak_result *r = l->result;
	struct timespec slice = { 0, 20000000 };
	bool gone = false;

	while (!LOAD_ACQ(&r->done) && !gone &&
	       mmi_process_clock(CLOCK_MONOTONIC) < l->until) {
		ARCH_SYS(SYS_futex, &r->done, FUTEX_WAIT, 0, &slice, 0, 0);
		gone = ARCH_SYS(SYS_wait4, pid, 0, __WCLONE | WNOHANG, 0, 0,
				0) != 0;
	}
	if (!gone)
		copy_end(pid);
	if (!LOAD_ACQ(&r->done))
		return gone ? "the scanning process was killed" : TOO_LATE;
	return r->why;
}

/* Free what run() mapped, if it ran in this process. */
static void
clean(struct mmi_leak *l)
{
	size_t n = (size_t)l->nblocks + 1;

	for (size_t i = 0; l->leaves && i < MMI_LEAK_LEAVES; i++)
		mmi_leak_unmap(l->leaves[i], MMI_LEAK_LEAF_SIZE);
	mmi_leak_unmap(l->leaves, MMI_LEAK_LEAVES * sizeof(*l->leaves));
	mmi_leak_unmap(l->blocks,
		       ((size_t)l->block_room + 1) * sizeof(*l->blocks));
	mmi_leak_unmap(l->kinds, n);
	mmi_leak_unmap(l->stack, 2 * n * sizeof(*l->stack));
	mmi_leak_unmap(l->except, l->except_room * sizeof(*l->except));
	mmi_leak_unmap(l->ended, l->nmaps * sizeof(*l->ended));
	mmi_leak_maps_close(l);
}

/*
 * Must the process itself be searched?  A fork may wait forever for the thread
 * that fills pages (userfaultfd), and the copy needs the stack that this runs
 * on.
 */
static bool
is_no_copy(const struct mmi_leak *l, uintptr_t sp)
{
	return mmi_leak_is_special(l, 0, MMI_LEAK_WAITS) ||
	       mmi_leak_is_special(l, sp, MMI_LEAK_ABSENT | MMI_LEAK_WIPED);
}

/* The threads are stopped, and go on as soon as possible. */
static const char *
search(struct mmi_leak *l)
{
	struct mmi_leak_result *r = l->result;
	long pid = -1;

	if (!is_no_copy(l, self.sp)) {
		mmi_leak_save(l);
		/*
		 * No CLONE_VM: a copy.  It sends no signal when it ends, and
		 * isn't traced.
		 */
		pid = ARCH_SYS(SYS_clone, CLONE_UNTRACED, 0, 0, 0, 0, 0);
	}
	if (pid == 0)
		copy_run(l);
	if (pid > 0) {
		mmi_leak_go();
		return copy_wait(pid, l);
	}
	for (unsigned i = 0; i < l->nthreads; i++)
		if (LOAD(&l->threads[i].state) != MMI_LEAK_STOPPED &&
		    LOAD(&l->threads[i].state) != MMI_LEAK_GONE) {
			mmi_leak_go();
			return "the process can't be copied, and not all of "
			       "its threads can be stopped";
		}
	l->in_place = true;
	run(l);
	clean(l);
	mmi_leak_go();
	return r->why;
}

void
mmi_leak_entered(const uintptr_t *sp)
{
	entered.sp = (uintptr_t)sp;
	STORE_REL(&entered.tid, ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0));
}

/*
 * What the calling thread holds: its stack and the registers saved there, from
 * the frame where it entered the library, if that is known.
 */
static void
self_init(const uintptr_t reg[ARCH_NREG], uint32_t valid)
{
	self.tid = ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0);
	self.sp = reg[ARCH_SP];
	self.tcb = arch_tcb();
	self.nreg = 0;
	self.exact = LOAD_ACQ(&entered.tid) == self.tid && entered.sp > self.sp;
	if (self.exact) {
		self.sp = entered.sp;
		return;
	}
	for (unsigned i = 0; i < ARCH_NREG; i++)
		if (valid & 1u << i)
			self.reg[self.nreg++] = reg[i];
}

/* A request for a check, and its outcome. */
struct request {
	int end; /* enum monout_end: what the process is about to do */
	unsigned seconds;
	bool graph;
	bool exits; /* exit() has begun, and the threads go on */
	long lost;  /* lost and indirectly lost blocks */
	bool made;  /* there is a graph */
};

/*
 * The calling thread's stack counts from this frame on, unless self_init()
 * knows another.  This frame saved all callee-saved registers, or didn't change
 * them.
 */
static __attribute__((noinline)) const char *
check(struct request *q)
{
	uintptr_t reg[ARCH_NREG];
	struct mmi_leak_result *r = result_new(q->graph);
	unsigned seconds = limit ? limit : q->seconds;
	uintptr_t pc;
	uint32_t valid;
	const char *w;

	if (!r)
		return "no memory for the leak check";
	arch_registers(reg, &valid, &pc);
	memset(&leak, 0, sizeof(leak));
	leak.pagemap = -1;
	leak.forms = forms;
	leak.exits = q->end == MONOUT_E_EXIT || q->end == MONOUT_E__EXIT ||
		     q->end == MONOUT_E_QUICK;
	leak.result = r;
	/* A user who has attached waits for a minute. */
	if (mmi_process.attached && seconds > SECONDS_ATTACHED)
		seconds = SECONDS_ATTACHED;
	leak.until =
		mmi_process_clock(CLOCK_MONOTONIC) + seconds * 1000000000ull;
	leak.self = (struct mmi_walk_at){ .pc = pc, .valid = valid };
	memcpy(leak.self.reg, reg, sizeof(reg));
	self_init(reg, valid);
	leak.threads = &self;
	mmi_leak_special(&leak);
	w = mmi_leak_filtered();
	if (!w && mmi_leak_stop(&leak,
				q->end != MONOUT_E_DUMP ? MMI_LEAK_STAY
				: q->exits		? MMI_LEAK_REPEAT
							: MMI_LEAK_GO_ON,
				seconds, &w))
		w = search(&leak);
	mmi_leak_special_close(&leak);
	if (w) {
		mmi_graph_free(r->graph);
		mmi_leak_unmap(r, r->size);
	} else {
		q->lost = (long)(r->blocks[MONOUT_LOST] +
				 r->blocks[MONOUT_INDIRECT]);
		q->made = r->graph && !r->graph->why;
		mmi_leak_publish(r);
	}
	return w;
}

/* Runs with signals blocked, as when the file is written.  Returns 0 or -1. */
static int
check_masked(struct request *q)
{
	struct mmi_mask mask;
	int none = 0;
	const char *w;

	if (!CAS(&checking, &none, 1))
		return -1;
	/* Except the signal by which glibc's setuid() waits for all threads. */
	mmi_mask_block(&mask, MMI_MASK_MOST & ~MMI_MASK_BIT(33));
	w = mmi_sample_on() ? "blocks are sampled, and unrecorded blocks may "
			      "point to them"
			    : check(q);
	mmi_leak_failed(w);
	STORE_REL(&entered.tid, 0);
	/* Before a handler may run: it may jump out, and never return. */
	STORE_REL(&checking, 0);
	mmi_mask_restore(&mask);
	return w ? -1 : 0;
}

/* If no reason is set, this is the reason. */
static void
failed_if(void)
{
	if (!mmi_leak_why())
		mmi_leak_failed("another leak check was running");
}

void
mmi_leak_end(int end, int sig)
{
	struct request q = { .end = end,
			     .seconds = end == MONOUT_E_SIGNAL ? SECONDS_SIGNAL
							       : SECONDS,
			     .graph = mmi_leak_graph_due() };

	if (!wanted)
		return;
	if (end == MONOUT_E_SIGNAL && mmi_signame_crash(sig))
		mmi_leak_failed("the program crashed, and its memory may be "
				"damaged");
	else if (end == MONOUT_E_EXEC)
		mmi_leak_failed("the process executed another program");
	else if (check_masked(&q) != 0)
		failed_if();
}

void
mmi_leak_dump(enum mmi_leak_what what)
{
	struct request q = { .end = MONOUT_E_DUMP,
			     .seconds = SECONDS_DUMP,
			     .graph = what == MMI_LEAK_GRAPH ||
				      mmi_leak_graph_due() };

	if ((wanted || what != MMI_LEAK_WANTED) && check_masked(&q) != 0)
		failed_if();
}

bool
mmi_leak_graph_due(void)
{
	return graph && !mmi_leak_graph_kept();
}

void
mmi_leak_graph_exits(void)
{
	struct request q = { .end = MONOUT_E_DUMP,
			     .seconds = SECONDS,
			     .graph = true,
			     .exits = true };

	/* The threads go on, as the program does for a while. */
	if (check_masked(&q) == 0)
		mmi_leak_graph_keep();
}

HIDDEN long mmi_leak_called(uintptr_t unused, const uintptr_t *sp);
ARCH_ENTERED(memmon_leak_check, ".globl", mmi_leak_called);
HIDDEN long mmi_graph_called(uintptr_t unused, const uintptr_t *sp);
ARCH_ENTERED(memmon_graph, ".globl", mmi_graph_called);

static int
called(const uintptr_t *sp, struct request *q)
{
	if (ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0) != mmi_process.pid ||
	    mmi_thread_stopped())
		return -1;
	mmi_leak_entered(sp);
	q->end = MONOUT_E_DUMP;
	q->seconds = SECONDS;
	return check_masked(q);
}

long
mmi_leak_called(uintptr_t unused, const uintptr_t *sp)
{
	struct request q = { .graph = false };

	(void)unused;
	PASS(memmon_leak_check);
	return called(sp, &q) == 0 ? q.lost : -1;
}

long
mmi_graph_called(uintptr_t unused, const uintptr_t *sp)
{
	struct request q = { .graph = true };

	(void)unused;
	PASS(memmon_graph);
	return called(sp, &q) == 0 && q.made ? 0 : -1;
}

void
mmi_leak_fork(void)
{
	mmi_leak_stop_fork();
	checking = 0;
	mmi_leak_result_fork();
}
