/* SPDX-License-Identifier: MIT */
/*
 * Stopping the other threads: each gets a signal, whose handler stores the
 * registers and waits.
 *
 * The signal is the one by which glibc's setuid() reaches all threads: glibc
 * doesn't let programs block it.  Our signals have a value and SI_QUEUE, and
 * glibc's handler would ignore them.  All other signals are passed on to that
 * handler.
 *
 * A thread that has blocked the signal nevertheless, or is stuck in the kernel,
 * doesn't answer.  If it is in a system call the kernel tells its stack
 * pointer.
 */
#include "monitor/leak/leak_check.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "monitor/base/arena.h"
#include "monitor/base/mask.h"
#include "monitor/base/process.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/clock.h"
#endif

#define STOP_SIGNAL 33

/* How long a thread may take to answer, in ms. */
#define ANSWER_MS 1000

/* How long a thread that would see EINTR waits for the process to end. */
#define END_SECONDS 10

/* The kernel's struct sigaction. */
struct action {
	void (*handler)(int, siginfo_t *, void *);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

extern void mmi_leak_restorer(void) __attribute__((visibility("hidden")));
ARCH_RESTORER(mmi_leak_restorer);

#define THREADS_MAX 65536u
static struct mmi_leak_thread *threads; /* THREADS_MAX of them */
static unsigned nthreads;
static struct action before; /* the action before our handler was set */
static uint32_t check;	     /* atomic: number of the check */
/* a futex: that number while threads must stay stopped */
static uint32_t stopping;
static uint32_t answers; /* a futex: how many have answered */
static enum mmi_leak_then then;
static time_t patience; /* seconds */

static long
futex(uint32_t *at, int op, uint32_t value, const struct timespec *t)
{
	return ARCH_SYS(SYS_futex, at, op | FUTEX_PRIVATE_FLAG, value, t, 0, 0);
}

/* The thread that a signal is for; NULL: not our signal, or too late. */
static struct mmi_leak_thread *
thread_of(const siginfo_t *info)
{
	struct mmi_leak_thread *t = info->si_value.sival_ptr, *all;

	all = LOAD_ACQ(&threads);
	if (info->si_code != SI_QUEUE || !all || t < all ||
	    t >= all + THREADS_MAX || LOAD(&t->check) != LOAD(&stopping) ||
	    t->tid != ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0))
		return NULL;
	return t;
}

static void
on_stop(int sig, siginfo_t *info, void *context)
{
	struct timespec wait = { patience, 0 }, end = { END_SECONDS, 0 };
	struct mmi_leak_thread *t = thread_of(info);
	bool eintr = arch_context_eintr(context);
	uint32_t asked = MMI_LEAK_ASKED;

	if (!t || !CAS(&t->state, &asked, MMI_LEAK_ANSWERS)) {
		if (info->si_code != SI_QUEUE && before.handler &&
		    (uintptr_t)before.handler != (uintptr_t)SIG_IGN)
			before.handler(sig, info, context);
		return;
	}
	/* Is it still where it was when it was asked? */
	if (eintr && t->call >= 0 && t->pc == arch_context_pc(context) &&
	    t->sp == arch_context_sp(context))
		eintr = !mmi_leak_again(context, t->call, t->reg,
					then == MMI_LEAK_REPEAT);
	t->pc = arch_context_pc(context);
	t->sp = arch_context_sp(context);
	t->tcb = arch_tcb();
	t->nreg = arch_context(context, t->reg);
	STORE_REL(&t->state, MMI_LEAK_STOPPED);
	FETCH_ADD(&answers, 1);
	futex(&answers, FUTEX_WAKE, 1, NULL);
	asked = t->check;
	while (LOAD_ACQ(&stopping) == asked &&
	       futex(&stopping, FUTEX_WAIT, asked, &wait) != -ETIMEDOUT)
		continue;
	if (eintr && then == MMI_LEAK_STAY)
		ARCH_SYS(SYS_nanosleep, &end, 0, 0, 0, 0, 0);
}

/* The handler stays set: a signal may come late. */
static bool
handler_set(void)
{
	struct action ours = { on_stop,
			       SA_SIGINFO | SA_RESTART | SA_ONSTACK |
				       ARCH_SA_RESTORER,
			       mmi_leak_restorer, MMI_MASK_MOST };
	struct action was;

	if (ARCH_SYS(SYS_rt_sigaction, STOP_SIGNAL, 0, &was, 8, 0, 0) != 0)
		return false;
	if (was.handler == on_stop)
		return true;
	before = was;
	return ARCH_SYS(SYS_rt_sigaction, STOP_SIGNAL, &ours, 0, 8, 0, 0) == 0;
}

/* A file of a thread's in /proc. */
static long
read_task(long tid, const char *name, char *to, size_t n)
{
	return mmi_process_file("/proc/self/task/", tid, name, to, n);
}

/*
 * The system call that a thread is in: "number arguments sp pc", "running" or
 * "-1 sp pc".
 */
static void
call_read(struct mmi_leak_thread *t)
{
	char text[400];
	const char *s = text;

	t->call = -1;
	t->nreg = 0;
	t->pc = t->sp = t->tcb = 0;
	if (read_task(t->tid, "/syscall", text, sizeof(text)) <= 0 ||
	    *s < '0' || *s > '9')
		return;
	t->call = 0;
	while (*s >= '0' && *s <= '9')
		t->call = 10 * t->call + *s++ - '0';
	for (; t->nreg < 6; t->nreg++)
		t->reg[t->nreg] = mmi_process_hex(&s);
	t->sp = mmi_process_hex(&s);
	t->pc = mmi_process_hex(&s);
}

/* Has it ended?  It may still be listed. */
static bool
is_gone(const struct mmi_leak_thread *t)
{
	char text[400];
	const char *s;

	return read_task(t->tid, "/stat", text, sizeof(text)) <= 0 ||
	       !(s = strrchr(text, ')')) || !s[1] || strchr("ZXx", s[2]);
}

/* Look at a thread that doesn't answer. */
static void
look(struct mmi_leak_thread *t)
{
	uint32_t asked = MMI_LEAK_ASKED;

	if (!CAS(&t->state, &asked, MMI_LEAK_UNKNOWN))
		return;
	if (is_gone(t)) {
		STORE(&t->state, MMI_LEAK_GONE);
		return;
	}
	call_read(t);
	if (t->call >= 0)
		STORE(&t->state, MMI_LEAK_IN_CALL);
}

/* Ask a thread that isn't known yet to stop.  True: it was new. */
static bool
ask(long tid, unsigned *at)
{
	long pid = mmi_process.pid;
	struct mmi_leak_thread *t;
	siginfo_t info;
	long r;

	/* The threads are listed in the same order again. */
	for (unsigned i = 0; i < nthreads; i++, *at = (*at + 1) % nthreads)
		if (threads[*at].tid == tid)
			return false;
	if (nthreads == THREADS_MAX)
		return false;
	t = &threads[nthreads];
	t->tid = tid;
	t->state = MMI_LEAK_ASKED;
	call_read(t);
	STORE_REL(&t->check, check);
	nthreads++;
	memset(&info, 0, sizeof(info));
	info.si_signo = STOP_SIGNAL;
	info.si_code = SI_QUEUE;
	info.si_pid = (pid_t)pid;
	info.si_value.sival_ptr = t;
	r = ARCH_SYS(SYS_rt_tgsigqueueinfo, pid, tid, STOP_SIGNAL, &info, 0, 0);
	if (r == -ESRCH)
		STORE_REL(&t->state, MMI_LEAK_GONE);
	else if (r != 0)
		look(t);
	return true;
}

struct entry {
	uint64_t ino;
	int64_t off;
	uint16_t length;
	uint8_t type;
	char name[];
};

/* Ask all that are listed; how many were new, or -1. */
static long
ask_all(void)
{
	_Alignas(8) char buffer[2048];
	const struct entry *e;
	unsigned at = 0;
	long fd, n, new = 0, tid;

	fd = ARCH_SYS(SYS_openat, AT_FDCWD, "/proc/self/task",
		      O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return -1;
	while ((n = ARCH_SYS(SYS_getdents64, fd, buffer, sizeof(buffer), 0, 0,
			     0)) > 0)
		for (long i = 0; i < n; i += e->length) {
			e = (const struct entry *)(buffer + i);
			tid = 0;
			for (const char *c = e->name; *c >= '0' && *c <= '9';)
				tid = 10 * tid + *c++ - '0';
#ifdef MEMMON_ACCESS
			if (tid == mmi_clock_tid())
				continue;
#endif
			new += tid &&ask(tid, &at);
		}
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return n < 0 ? -1 : new;
}

/* Threads that have ended meanwhile don't answer. */
static void
look_for_gone(void)
{
	uint32_t asked = MMI_LEAK_ASKED;

	for (unsigned i = 1; i < nthreads; i++, asked = MMI_LEAK_ASKED)
		if (LOAD(&threads[i].state) == MMI_LEAK_ASKED &&
		    is_gone(&threads[i]))
			CAS(&threads[i].state, &asked, MMI_LEAK_GONE);
}

/* Wait until all have answered, or time is up. */
static void
await(uint64_t until)
{
	struct timespec t = { 0, 1000000 };
	uint32_t n;
	bool all;

	for (unsigned turn = 1;; turn++) {
		/*
		 * Read the count first: no wake-up is missed, as each answer
		 * changes it.
		 */
		n = LOAD_ACQ(&answers);
		all = true;
		for (unsigned i = 1; i < nthreads; i++)
			all &= LOAD(&threads[i].state) > MMI_LEAK_ANSWERS;
		if (all || mmi_process_clock(CLOCK_MONOTONIC) >= until)
			return;
		futex(&answers, FUTEX_WAIT, n, &t);
		if (turn % 8 == 0)
			look_for_gone();
	}
}

static bool
stop_all(const char **why)
{
	uint64_t until =
		mmi_process_clock(CLOCK_MONOTONIC) + ANSWER_MS * 1000000ull;
	unsigned asked;
	long new;

	do {
		asked = nthreads;
		new = ask_all();
		if (new < 0) {
			*why = "/proc/self/task can't be read";
			return false;
		}
		if (nthreads == THREADS_MAX) {
			*why = "more than 65535 threads";
			return false;
		}
		await(until);
	} while (nthreads != asked &&
		 mmi_process_clock(CLOCK_MONOTONIC) < until);
	for (unsigned i = 1; i < nthreads; i++)
		look(&threads[i]);
	return true;
}

bool
mmi_leak_stop(struct mmi_leak *l, enum mmi_leak_then what, unsigned seconds,
	      const char **why)
{
	struct mmi_leak_thread *own = l->threads;

	*why = "no memory";
	if (!threads)
		STORE_REL(&threads,
			  mmi_arena_reserve(THREADS_MAX * sizeof(*threads)));
	if (!threads)
		return false;
	threads[0] = *own;
	threads[0].state = MMI_LEAK_STOPPED;
	l->threads = threads;
	nthreads = 1;
	then = what;
	patience = seconds + 5;
	/* No check has number 0. */
	check += check == UINT32_MAX ? 2 : 1;
	STORE(&answers, 0);
	*why = "threads can't be stopped";
	if (!handler_set())
		return false;
	STORE_REL(&stopping, check);
	if (!stop_all(why)) {
		mmi_leak_go();
		return false;
	}
	l->nthreads = nthreads;
	return true;
}

void
mmi_leak_go(void)
{
	STORE_REL(&stopping, 0);
	futex(&stopping, FUTEX_WAKE, INT32_MAX, NULL);
}

void
mmi_leak_stop_fork(void)
{
	stopping = 0;
}
