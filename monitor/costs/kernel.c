/* SPDX-License-Identifier: MIT */
/* System calls that the allocator makes. */
#include "monitor/costs/kernel.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "monitor/base/mask.h"
#include "monitor/base/next.h"
#include "monitor/costs/ever_used.h"
#include "monitor/costs/mappings.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#define DISPATCH_ON 1
#define SYS_other (-2) /* none */
#define SIGNAL_DISPATCH 2 /* si_code of such a SIGSYS */

int mmi_kernel_keeps;

/* rt_sigaction(2)'s. */
struct action {
	void (*handler)(int sig, siginfo_t *info, void *context);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};
#define SIGSYS_BIT (1ull << (SIGSYS - 1))

extern HIDDEN void mmi_kernel_restorer(void);
ARCH_RESTORER(mmi_kernel_restorer);

static int way; /* atomic: enum mmi_kernel_way */
static struct action before;
static uintptr_t ours, ours_end; /* code whose system calls aren't dispatched */
static uintptr_t heap_end;	 /* of brk(2) */
static uint64_t dispatch;	 /* cycles that one dispatch costs */

enum mmi_kernel_way
mmi_kernel_way(void)
{
	return (enum mmi_kernel_way)LOAD(&way);
}

/*
 * System calls that the handler makes for the allocator.  All others are made
 * by the allocator's own instruction, with the dispatch off for the rest of the
 * operation: their effects on the thread, its stack or its signal mask wouldn't
 * outlive our handler.
 */
static int
kind_of(long call)
{
	switch (call) {
#define X(NAME, name) \
	case SYS_##name: \
		return MMI_COST_##NAME;
		MONREC_COST_CALLS(X)
#undef X
	case SYS_getrandom:
	case SYS_openat:
	case SYS_read:
	case SYS_write:
	case SYS_close:
	case SYS_fstat:
	case SYS_newfstatat:
	case SYS_readlinkat:
#ifdef SYS_open /* not on all CPUs */
	case SYS_open:
	case SYS_readlink:
#endif
	case SYS_getppid:
	case SYS_getpid:
	case SYS_gettid:
	case SYS_getcpu:
	case SYS_sched_yield:
	case SYS_sched_getaffinity:
	case SYS_clock_gettime:
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_mincore:
	case SYS_mbind:
	case SYS_get_mempolicy:
		return MMI_COST_OTHER;
	default:
		return -1;
	}
}

static uintptr_t
page_up(uintptr_t n)
{
	return (n + ARCH_PAGE_NOW - 1) & ~(ARCH_PAGE_NOW - 1);
}

static void
heap_ends(uintptr_t now)
{
	if (now > heap_end)
		mmi_mappings_add(heap_end, now);
	else if (now < heap_end)
		mmi_mappings_remove(now, heap_end);
	if (now < heap_end)
		mmi_ever_used_unmap(now, heap_end - now);
	heap_end = now;
}

/*
 * Note what the call did to the allocator's memory.  Returns the call's bytes.
 */
static uint64_t
effect(int kind, const uintptr_t a[6], uintptr_t r)
{
	uint64_t bytes;

	switch (kind) {
	case MMI_COST_MMAP:
		mmi_mappings_add(r, r + page_up(a[1]));
		return a[1];
	case MMI_COST_MUNMAP:
		mmi_mappings_remove(a[0], a[0] + page_up(a[1]));
		mmi_ever_used_unmap(a[0], page_up(a[1]));
		return a[1];
	case MMI_COST_MREMAP:
		mmi_mappings_remove(a[0], a[0] + page_up(a[1]));
		mmi_mappings_add(r, r + page_up(a[2]));
		if (r != a[0])
			mmi_ever_used_unmap(a[0], page_up(a[1]));
		else if (a[2] < a[1])
			mmi_ever_used_unmap(a[0] + page_up(a[2]),
					    page_up(a[1]) - page_up(a[2]));
		return a[2];
	case MMI_COST_BRK:
		bytes = r > heap_end ? r - heap_end : heap_end - r;
		heap_ends(r);
		return bytes;
	case MMI_COST_MADVISE:
		if (a[2] == MADV_DONTNEED || a[2] == MADV_FREE)
			mmi_ever_used_unmap(a[0], a[1]);
		return a[1];
	case MMI_COST_MPROTECT:
		return a[1];
	default:
		return 0;
	}
}

static void
pass_on(int sig, siginfo_t *info, void *context)
{
	if (before.handler == (void *)SIG_DFL ||
	    before.handler == (void *)SIG_IGN)
		mmi_kernel_fatal(sig, info, context);
	else
		before.handler(sig, info, context);
}

void
mmi_kernel_on_call(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	struct mmi_costs *c = mmi_costs_mine;
	uintptr_t a[6];
	uint64_t t, bytes;
	int kind;
	long r;

	if (info->si_code != SIGNAL_DISPATCH) {
		pass_on(sig, info, context);
		return;
	}
	kind = kind_of(info->si_syscall);
	arch_context_arguments(u, a);
	if (kind < 0) {
		if (c)
			c->selector = 0;
		else
			ARCH_SYS(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 0, 0,
				 0, 0, 0);
		arch_context_again(u, info->si_syscall, a);
		return;
	}
	t = arch_ticks();
	r = arch_syscall(info->si_syscall, (long)a[0], (long)a[1], (long)a[2],
			 (long)a[3], (long)a[4], (long)a[5]);
	t = arch_ticks() - t;
	t = mmi_cost_less(t, mmi_costs_ticks);
	arch_context_result(u, r);
	if (!c)
		return;
	bytes = r < 0 && r > -4096 ? 0 : effect(kind, a, (uintptr_t)r);
	mmi_cost_kernel_add(&c->kernel[kind],
			    &(struct mmi_cost_kernel){ 1, t, t, bytes, bytes });
	c->ours += dispatch;
	c->seen = true;
}

/* ------------------------------------------------------------- switches -- */

#ifdef MEMMON_STATIC
static bool
find_ours(void)
{
	return false;
}
#else
static bool
find_ours(void)
{
	struct dl_find_object f;

	if (_dl_find_object((void *)mmi_kernel_on_call, &f) != 0)
		return false;
	ours = (uintptr_t)f.dlfo_map_start;
	ours_end = (uintptr_t)f.dlfo_map_end;
	return true;
}
#endif

static bool
switch_on(struct mmi_costs *c)
{
	uint64_t mask = SIGSYS_BIT;

	return ARCH_SYS(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, NULL,
			sizeof(mask), 0, 0) == 0 &&
	       ARCH_SYS(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_ON,
			ours, ours_end - ours, &c->selector, 0) == 0;
}

bool
mmi_kernel_watch(struct mmi_costs *c)
{
	c->selector = 0;
	return LOAD_ACQ(&mmi_kernel_keeps) && switch_on(c);
}

void
mmi_kernel_unwatch(struct mmi_costs *c)
{
	c->selector = 0;
	if (!c->watched)
		return;
	c->watched = false;
	ARCH_SYS(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0, 0);
}

#define TRIES 33

/* The median of TRIES. */
static uint64_t
median(uint64_t *v)
{
	for (int i = 1; i < TRIES; i++)
		for (int k = i; k && v[k] < v[k - 1]; k--) {
			uint64_t x = v[k];

			v[k] = v[k - 1];
			v[k - 1] = x;
		}
	return v[TRIES / 2];
}

/* How much longer a dispatched system call takes. */
static uint64_t
dispatch_cost(void)
{
	int (*call)(void) = (__typeof__(call))mmi_next_symbol("getppid");
	uint64_t seen[TRIES], plain[TRIES], a, b;
	static uint8_t selector;

	mmi_next_forget();
	if (!call ||
	    ARCH_SYS(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, ours,
		     ours_end - ours, &selector, 0) != 0)
		return 0;
	for (int i = 0; i < TRIES; i++) {
		plain[i] = arch_ticks();
		call();
		plain[i] = arch_ticks() - plain[i];
		STORE(&selector, 1);
		seen[i] = arch_ticks();
		call();
		seen[i] = arch_ticks() - seen[i];
		STORE(&selector, 0);
	}
	ARCH_SYS(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0, 0);
	a = median(seen);
	b = median(plain);
	return a > b ? a - b : 1;
}

static bool
action_set(void)
{
	struct action a = { mmi_kernel_on_call,
			    SA_SIGINFO | SA_ONSTACK | SA_RESTART |
				    ARCH_SA_RESTORER,
			    mmi_kernel_restorer, MMI_MASK_MOST };

	return ARCH_SYS(SYS_rt_sigaction, SIGSYS, &a, &before, sizeof(a.mask),
			0, 0) == 0;
}

void
mmi_kernel_start(void)
{
	uint64_t mask = SIGSYS_BIT, old = 0;
	long end = ARCH_SYS(SYS_brk, 0, 0, 0, 0, 0, 0);

	heap_end = end > 0 ? (uintptr_t)end : 0;
	if (!find_ours() || !action_set())
		return;
	ARCH_SYS(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, &old, sizeof(mask), 0,
		 0);
	dispatch = dispatch_cost();
	if (!dispatch) {
		/* This kernel has no system call dispatch. */
		ARCH_SYS(SYS_rt_sigaction, SIGSYS, &before, NULL, sizeof(mask),
			 0, 0);
		ARCH_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL,
			 sizeof(mask), 0, 0);
		return;
	}
	STORE(&way, MMI_KERNEL_DISPATCH);
	STORE_REL(&mmi_kernel_keeps, 1);
}

void
mmi_kernel_stop(void)
{
	struct mmi_costs *c;

	if (!SWAP(&mmi_kernel_keeps, 0))
		return;
	mmi_mappings_unknown();
	for (c = mmi_costs_first(); c; c = c->next) {
		c->watched = false;
		STORE(&c->selector, 0);
	}
}

void
mmi_kernel_events(uint64_t event[MMI_COST_NEVENT])
{
	struct rusage r;

	memset(event, 0, MMI_COST_COUNTED * sizeof(*event));
	if (ARCH_SYS(SYS_getrusage, RUSAGE_THREAD, &r, 0, 0, 0, 0) != 0)
		return;
	event[MMI_COST_FAULTS] = (uint64_t)r.ru_minflt;
	event[MMI_COST_MAJOR] = (uint64_t)r.ru_majflt;
	event[MMI_COST_SWITCHES] = (uint64_t)r.ru_nvcsw;
	event[MMI_COST_PREEMPTED] = (uint64_t)r.ru_nivcsw;
}
