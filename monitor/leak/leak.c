/* SPDX-License-Identifier: MIT */
/*
 * The leak check.  The other threads are stopped (leak_stop.c) for as long as
 * it takes to fork a copy of the process, which is frozen then; if that can't
 * be, until all is done.  In the copy: what is mapped (leak_maps.c), which
 * blocks are live (leak_blocks.c), what can hold pointers to them
 * (leak_roots.c), and which of them these lead to (leak_mark.c).  The result
 * comes back by memory that both share.
 *
 * The copy is a child that no wait() sees but one that asks for such children,
 * and that ends without a signal.
 */
#include "monitor/leak/leak.h"

#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "monitor/base/mask.h"
#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/chain/sites.h"
#include "monitor/leak/leak_check.h"
#include "monitor/memmon.h"
#include "monitor/record/sample.h"
#include "monitor/thread/enter.h"

#define SECONDS 60u

static bool wanted; /* at the end */
static unsigned limit = SECONDS;
static int checking; /* atomic: tried, never waited for */

/* Guarded by `checking'. */
static struct mmi_leak leak;
static struct mmi_leak_thread self;
static struct mmi_leak_result *old; /* a writer may still be looking at it */

/* Of the last check. */
static struct mmi_leak_result *result; /* atomic */
static const char *why;		       /* atomic; NULL: it went well */

/* Guarded as the file is. */
static struct mmi_emit out, holds_out;
static const struct mmi_leak_result *shown;

void
mmi_leak_init(unsigned seconds)
{
	wanted = true;
	if (seconds)
		limit = seconds;
}

/* Memory for a result, which a copy of the process shares. */
static struct mmi_leak_result *
result_new(void)
{
	uint32_t nodes = mmi_sites_nodes() + 1;
	struct mmi_leak_result *r;
	size_t size = sizeof(*r) + nodes * sizeof(r->site[0]);
	long p = ARCH_SYS(SYS_mmap, 0, size, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p < 0 && p > -4096)
		return NULL;
	mmi_own_add((void *)p, size);
	r = (struct mmi_leak_result *)p;
	r->size = size;
	r->nodes = nodes;
	r->time = mmi_process_clock(CLOCK_MONOTONIC) - mmi_process.mono;
	return r;
}

/* Kinds of blocks to counts of sites. */
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

/* All of the check but stopping and copying. */
static void
run(struct mmi_leak *l)
{
	struct mmi_leak_result *r = l->result;

	r->why = NULL;
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
	else
		collect(l);
	STORE_REL(&r->done, r->why ? 2 : 1);
}

/* In the copy: nothing of the program's that others could miss or see. */
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
	run(l);
	ARCH_SYS(SYS_futex, &l->result->done, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
	for (;;)
		ARCH_SYS(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

/* Until the copy is done; else say why it isn't. */
static const char *
copy_wait(long pid, struct mmi_leak_result *r)
{
	uint64_t until =
		mmi_process_clock(CLOCK_MONOTONIC) + limit * 1000000000ull;
	struct timespec slice = { 0, 20000000 };
	bool gone = false;

	while (!LOAD_ACQ(&r->done) && !gone &&
	       mmi_process_clock(CLOCK_MONOTONIC) < until) {
		ARCH_SYS(SYS_futex, &r->done, FUTEX_WAIT, 0, &slice, 0, 0);
		gone = ARCH_SYS(SYS_wait4, pid, 0, __WCLONE | WNOHANG, 0, 0,
				0) != 0;
	}
	if (!gone) {
		ARCH_SYS(SYS_kill, pid, SIGKILL, 0, 0, 0, 0);
		while (ARCH_SYS(SYS_wait4, pid, 0, __WCLONE, 0, 0, 0) == -4)
			continue;
	}
	if (!LOAD_ACQ(&r->done))
		return gone ? "the process that searched was ended"
			    : "there wasn't time enough";
	return r->why;
}

/* What run() mapped in this very process. */
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

/* With the threads stopped, which go on as soon as can be. */
static const char *
search(struct mmi_leak *l)
{
	struct mmi_leak_result *r = l->result;
	/* No CLONE_VM: a copy.  Ends by no signal. */
	long pid = ARCH_SYS(SYS_clone, 0, 0, 0, 0, 0, 0);

	if (pid == 0)
		copy_run(l);
	if (pid > 0) {
		mmi_leak_go();
		return copy_wait(pid, r);
	}
	for (unsigned i = 0; i < l->nthreads; i++)
		if (LOAD(&l->threads[i].state) != MMI_LEAK_STOPPED &&
		    LOAD(&l->threads[i].state) != MMI_LEAK_GONE) {
			mmi_leak_go();
			return "the process can't be copied, nor all of its "
			       "threads be stopped";
		}
	run(l);
	clean(l);
	mmi_leak_go();
	return r->why;
}

/* A result is there; the one before the last isn't needed any more. */
static void
publish(struct mmi_leak_result *r)
{
	if (old)
		mmi_leak_unmap(old, old->size);
	old = result;
	STORE_REL(&result, r);
}

/*
 * The calling thread's stack counts from this frame on, which has or was left
 * all registers that callers expect to be kept.
 */
static __attribute__((noinline)) const char *
check(bool last)
{
	uintptr_t reg[ARCH_NREG];
	struct mmi_leak_result *r = result_new();
	uintptr_t pc;
	uint32_t valid;
	const char *w;

	if (!r)
		return "no memory for the leak check";
	arch_registers(reg, &valid, &pc);
	memset(&leak, 0, sizeof(leak));
	leak.pagemap = -1;
	self.tid = ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0);
	self.sp = reg[ARCH_SP];
	self.tcb = arch_tcb();
	self.nreg = 0;
	for (unsigned i = 0; i < ARCH_NREG; i++)
		if (valid & 1u << i)
			self.reg[self.nreg++] = reg[i];
	leak.threads = &self;
	leak.result = r;
	if (mmi_leak_stop(&leak, last, limit, &w))
		w = search(&leak);
	if (w)
		mmi_leak_unmap(r, r->size);
	else
		publish(r);
	return w;
}

/* With signals blocked, as while the file is written.  Returns 0 or -1. */
static int
check_masked(bool last)
{
	struct mmi_mask mask;
	int none = 0;
	const char *w;

	if (!CAS(&checking, &none, 1))
		return -1;
	/* But for the one by which glibc's setuid() waits for all threads. */
	mmi_mask_block(&mask, MMI_MASK_MOST & ~MMI_MASK_BIT(33));
	w = mmi_sample_on() ? "blocks are sampled, and what points to a block "
			      "may be in any other"
			    : check(last);
	STORE_REL(&why, w);
	mmi_mask_restore(&mask);
	STORE_REL(&checking, 0);
	return w ? -1 : 0;
}

void
mmi_leak_end(int end)
{
	if (!wanted)
		return;
	if (end == MONOUT_E_SIGNAL)
		STORE_REL(&why, "a signal ended the process");
	else if (end == MONOUT_E_EXEC)
		STORE_REL(&why, "another program took the process over");
	else if (end != MONOUT_E_DUMP && check_masked(true) != 0 && !LOAD(&why))
		STORE_REL(&why, "another check was under way");
}

EXPORT long
memmon_leak_check(void)
{
	const struct mmi_leak_result *r;

	if (ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0) != mmi_process.pid ||
	    mmi_thread_stopped() || check_masked(false) != 0)
		return -1;
	r = LOAD_ACQ(&result);
	return (long)(r->blocks[MONOUT_LOST] + r->blocks[MONOUT_INDIRECT]);
}

void
mmi_leak_fork(void)
{
	mmi_leak_stop_fork();
	checking = 0;
	result = old = NULL;
	why = NULL;
}

static void
put_run(struct mmi_emit *o, const struct mmi_leak_result *r)
{
	mmi_emit_key_number(o, MONOUT_R_LEAKCHECK, r->time);
	if (r->blind)
		mmi_emit_key_number(o, MONOUT_R_LEAK_BLIND, r->blind);
}

void
mmi_leak_run(struct mmi_emit *o)
{
	const char *w = LOAD_ACQ(&why);

	/* One state of it for the whole file. */
	shown = LOAD_ACQ(&result);
	if (shown)
		put_run(o, shown);
	if (w)
		mmi_emit_key_bytes(o, MONOUT_R_LEAK_WHY, w, strlen(w));
}

void
mmi_leak_begin(struct mmi_emit *o)
{
	mmi_emit_table_after(&out, o, MONOUT_LEAKS);
	mmi_emit_table_after(&holds_out, &out, MONOUT_HOLDS);
}

void
mmi_leak_site(uint64_t number, uint32_t node)
{
	struct monrec_leak x = { .site = number };
	const struct mmi_leak_site *s;

	if (!shown || node >= shown->nodes)
		return;
	s = &shown->site[node];
	for (unsigned i = 0; i < MONOUT_NLEAK; i++) {
		x.mask |= s->blocks[i] ? 1u << i : 0;
		x.kind[i].blocks = s->blocks[i];
		x.kind[i].bytes = s->bytes[i];
	}
	if (x.mask)
		mmi_put_leak(&out, &x);
	if (s->holds.blocks)
		mmi_put_hold(&holds_out,
			     &(struct monrec_hold){ .site = number,
						    .blocks = s->holds.blocks,
						    .bytes = s->holds.bytes });
}

void
mmi_leak_tables(uint64_t *leaks, uint64_t *holds)
{
	*leaks = mmi_emit_end(&out);
	*holds = mmi_emit_end(&holds_out);
}
