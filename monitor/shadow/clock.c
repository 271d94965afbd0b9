/* SPDX-License-Identifier: MIT */
/* The clock of accesses, and the thread that moves it. */
#include "monitor/shadow/clock.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "monitor/base/arena.h"
#include "monitor/base/mask.h"
#include "monitor/base/process.h"
#include "monitor/base/sampling.h"
#include "monitor/base/thread.h"
#include "monitor/shadow/access_state.h"
#include "monitor/shadow/shadow.h"

/*
 * The thread's stack, and above it a zeroed block instead of the control block
 * that libc makes for a thread: compiled code reads a canary there.  The block
 * of the thread that starts this thread may be gone before this thread is.
 */
#define STACK 16384u
#define BLOCK 4096u
#define SECOND 1000000000u

int mmi_clock_started;
static long ticking; /* the thread's id; 0: none, or it couldn't be started */
static char *stack;

/* About how long it takes to renew a word, in ns. */
#define RENEWAL 16u

/* The clock goes from one multiple of this to the next; it starts at 1. */
static uint32_t going = 1;
uint32_t mmi_clock_coarsest = 1;

static uint32_t
stride(void)
{
	return mmi_sample_on() ? MMI_CLOCK_COARSE : LOAD(&going);
}

/* A step of `ns' has passed: are words renewed too often, or rarely? */
static void
stride_adapt(uint64_t ns)
{
	uint64_t spent = mmi_state_renewed() * RENEWAL * MMI_CLOCK_SHARE;
	uint32_t s = LOAD(&going);

	if (spent > ns && s < MMI_CLOCK_COARSE)
		s *= 2;
	else if (spent < ns / 8 && s > 1)
		s /= 2;
	STORE(&going, s);
	if (s > LOAD(&mmi_clock_coarsest))
		STORE(&mmi_clock_coarsest, s);
}

/* The epoch after e that is a multiple of `by'. */
static uint32_t
next_of(uint32_t e, uint32_t by)
{
	return (e | (by - 1)) + 1;
}

void
mmi_clock_move(uint64_t ns)
{
	uint32_t now = LOAD(&mmi_clock_now), e;

	if (!mmi_process.pid || ns < mmi_process.mono)
		return;
	e = mmi_clock_of((ns - mmi_process.mono) / MMI_CLOCK_UNIT + 1);
	e &= ~(stride() - 1);
	do
		if (e <= now)
			return;
	while (!CAS(&mmi_clock_now, &now, e));
	mmi_state_tick(e);
}

/*
 * Is this the only thread that still runs?  When the first thread ends alone,
 * the process ends with its last thread, which must not be the monitor's.  A
 * live thread has a list of robust mutexes, if its libc is glibc; asking for it
 * needs no file descriptor.
 */
static bool
alone(void)
{
	const struct mmi_thread *t = NULL;
	long pid = mmi_process.pid, tid;
	size_t len;
	void *head = stack;

	if (ARCH_SYS(SYS_get_robust_list, pid, &head, &len, 0, 0, 0) != 0 ||
	    head)
		return false;
	while ((t = mmi_thread_next(t))) {
		tid = LOAD(&t->pub->tid);
		if (tid && tid != pid &&
		    ARCH_SYS(SYS_tgkill, pid, tid, 0, 0, 0, 0) == 0)
			return false;
	}
	return true;
}

/* The time, without the errno that the libc's function may set. */
static uint64_t
time_now(void)
{
	struct timespec ts = { 0, 0 };

	ARCH_SYS(SYS_clock_gettime, CLOCK_MONOTONIC, &ts, 0, 0, 0, 0);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

/* Sleep until the epoch after e; the time then, or 0 if it didn't sleep. */
static uint64_t
sleep_past(uint32_t e)
{
	uint64_t at =
		mmi_process.mono +
		(mmi_clock_units(next_of(e, stride())) - 1) * MMI_CLOCK_UNIT;
	struct timespec ts = { (time_t)(at / SECOND), (long)(at % SECOND) };

	if (ARCH_SYS(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &ts,
		     0, 0, 0) != 0)
		return 0;
	return time_now();
}

/* The thread: all its variables are on its stack. */
static void
ticker(void)
{
	static const char name[] = "memmon-clock";
	uint64_t ns = time_now(), looked = ns, was;

	ARCH_SYS(SYS_prctl, PR_SET_NAME, name, 0, 0, 0, 0);
	do {
		mmi_clock_move(ns);
		was = ns;
		ns = sleep_past(LOAD(&mmi_clock_now));
		if (!ns) {
			STORE(&ticking, 0);
			break;
		}
		stride_adapt(ns - was);
		if (ns - looked < SECOND)
			continue;
		looked = ns;
		if (alone())
			break;
	} while (true);
	for (;;)
		ARCH_ASKED(SYS_exit, 0, 0, 0, 0, 0, 0);
}

COLD void
mmi_clock_start_slow(void)
{
	struct mmi_mask mask;
	int no = 0;
	long r;

	if (!mmi_process.pid || !mmi_shadow.cells ||
	    !CAS(&mmi_clock_started, &no, 1))
		return;
	if (!stack)
		stack = mmi_arena_map(STACK + BLOCK);
	if (!stack)
		return;
	/* The thread mustn't take the program's signals. */
	if (!mmi_mask_block(&mask, MMI_MASK_ALL))
		return;
	r = arch_refused(SYS_clone)
		    ? -1
		    : arch_clone(CLONE_VM | CLONE_FS | CLONE_FILES |
					 CLONE_SIGHAND | CLONE_THREAD |
					 CLONE_SYSVSEM | CLONE_SETTLS,
				 stack + STACK, stack + STACK, ticker);
	mmi_mask_restore(&mask);
	STORE(&ticking, r > 0 ? r : 0);
}

bool
mmi_clock_ticked(void)
{
	return LOAD(&ticking) != 0;
}

long
mmi_clock_tid(void)
{
	return LOAD(&ticking);
}

uint64_t
mmi_clock_step(void)
{
	uint32_t s =
		mmi_sample_on() ? MMI_CLOCK_COARSE : LOAD(&mmi_clock_coarsest);
	uint32_t next = next_of(mmi_clock_epoch(), s);

	return (mmi_clock_units(next) - mmi_clock_units(next - s)) *
	       MMI_CLOCK_UNIT;
}

void
mmi_clock_fork(void)
{
	int was = mmi_clock_started;

	mmi_clock_now = going = mmi_clock_coarsest = 1;
	mmi_clock_started = 0;
	ticking = 0;
	mmi_state_tick(1);
	if (was)
		mmi_clock_start_slow();
}
