/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Survive the crashes of libelf and libdw in damaged files. */
#define _GNU_SOURCE
#include "reduce/base/guard.h"
#include "reduce/base/clean.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * CPU time that a file may take: these seconds, and one second more for each
 * GUARD_BYTES bytes.
 */
#define GUARD_SECONDS 60
#define GUARD_BYTES 1000000

/* A call that failed: f() of a file. */
struct guard_bad {
	int (*f)(void *arg);
	char path[PATH_MAX];
};

/* A fault may mean that the stack is used up, so the handler has its own. */
static _Alignas(16) char guard_stack[65536];
static volatile sig_atomic_t guard_in;
static const char *volatile guard_path;
static int (*volatile guard_f)(void *arg);
static void (*guard_first)(void *arg);
static void *guard_arg;

/* The working process and the waiting process share this. */
static struct guard_fault {
	int struck; /* set last, when the rest is filled in */
	struct guard_bad bad;
} * guard_fault;

/*
 * Calls that failed in earlier working processes.  The waiting process adds to
 * the array.
 */
static struct guard_bad *guard_bad;
static size_t guard_nbad;
static volatile pid_t guard_worker;

/* Signals that people send; the waiting process passes them on. */
static const int guard_sent[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
#define GUARD_NSENT (sizeof(guard_sent) / sizeof(guard_sent[0]))

#if defined(__SANITIZE_ADDRESS__)
#define GUARD_OFF 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GUARD_OFF 1
#endif
#endif
#ifndef GUARD_OFF
#define GUARD_OFF 0
#endif

/*
 * Handle a fault.  All data of the call that failed stay as they are; nothing
 * uses them any more.
 */
static void
guard_struck(int number)
{
	void (*first)(void *arg) = guard_first;

	if (!guard_in) {
		/* The fault is in mpreduce's own code. */
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	/*
	 * `first' may use data that the fault has destroyed, and fault again.
	 */
	guard_first = NULL;
	if (first)
		first(guard_arg);
	guard_fault->bad.f = guard_f;
	strncpy(guard_fault->bad.path, guard_path, PATH_MAX - 1);
	guard_fault->struck = 1;
	_exit(1);
}

static void
guard_late(int number)
{
	if (guard_in)
		guard_struck(number);
}

static void
guard_install(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL,
				      SIGABRT };
	struct sigaction fault = { .sa_handler = guard_struck };
	struct sigaction late = { .sa_handler = guard_late };
	const stack_t stack = { .ss_sp = guard_stack,
				.ss_size = sizeof(guard_stack) };
	size_t i;

	sigaltstack(&stack, NULL);
	fault.sa_flags = SA_ONSTACK | SA_NODEFER;
	late.sa_flags = SA_ONSTACK | SA_RESTART;
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigaction(faults[i], &fault, NULL);
	sigaction(SIGPROF, &late, NULL);
}

static bool
guard_is_bad(const char *path, int (*f)(void *arg))
{
	size_t i;

	for (i = 0; i < guard_nbad; i++) {
		if (guard_bad[i].f == f &&
		    !strncmp(guard_bad[i].path, path, PATH_MAX - 1))
			return true;
	}
	return false;
}

/* End in the same way as the working process did. */
static __attribute__((noreturn)) void
guard_end_as(int status)
{
	const struct rlimit none = { 0, 0 };
	sigset_t set;
	int number;

	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	number = WTERMSIG(status);
	/* One core is enough. */
	setrlimit(RLIMIT_CORE, &none);
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	_exit(128 + number);
}

/* Note the call that failed.  If the call was noted before, nothing helps. */
static void
guard_note(void)
{
	struct guard_bad *b;

	guard_fault->struck = 0;
	b = guard_is_bad(guard_fault->bad.path, guard_fault->bad.f)
		    ? NULL
		    : realloc(guard_bad, (guard_nbad + 1) * sizeof(*b));
	if (!b) {
		clean_say("mpreduce", "%s: can't be read",
			  guard_fault->bad.path);
		_exit(1);
	}
	guard_bad = b;
	b[guard_nbad++] = guard_fault->bad;
}

static void
guard_hand_on(int number)
{
	int e = errno;

	if (guard_worker > 0)
		kill(guard_worker, number);
	errno = e;
}

/*
 * Wait for the working process.  Returns if the working process had a fault;
 * otherwise this process ends, too.  *was: the signals that were blocked
 * before.
 */
static void
guard_wait(const sigset_t *was)
{
	sigset_t now;
	int status;

	sigprocmask(SIG_SETMASK, was, &now);
	while (waitpid(guard_worker, &status, 0) < 0) {
		if (errno != EINTR)
			_exit(1);
	}
	sigprocmask(SIG_SETMASK, &now, NULL);
	if (!guard_fault->struck)
		guard_end_as(status);
	guard_note();
}

/* Set up a working process; self: the process that waits. */
static void
guard_work(pid_t self)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != self)
		_exit(1);
	guard_install();
}

/*
 * From here on there are two processes.  This process, which the caller knows,
 * only waits.  The other process does the work; when it has a fault, a new
 * process continues from here and skips the call that failed.  Returns in the
 * working processes.  If no second process can be made, it returns in this
 * process.
 */
static void
guard_fork(void)
{
	const struct sigaction hand_on = { .sa_handler = guard_hand_on };
	const struct sigaction plain = { .sa_handler = SIG_DFL };
	struct sigaction was[GUARD_NSENT], child;
	sigset_t set, mask;
	pid_t self = getpid();
	size_t i;

	fflush(NULL);
	sigemptyset(&set);
	for (i = 0; i < GUARD_NSENT; i++)
		sigaddset(&set, guard_sent[i]);
	sigprocmask(SIG_BLOCK, &set, &mask);
	sigaction(SIGCHLD, &plain, &child);
	for (i = 0; i < GUARD_NSENT; i++) {
		sigaction(guard_sent[i], NULL, &was[i]);
		if (was[i].sa_handler != SIG_IGN)
			sigaction(guard_sent[i], &hand_on, NULL);
	}
	while ((guard_worker = fork()) > 0)
		guard_wait(&mask);
	for (i = 0; i < GUARD_NSENT; i++)
		sigaction(guard_sent[i], &was[i], NULL);
	sigaction(SIGCHLD, &child, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (guard_worker == 0)
		guard_work(self);
}

static void
guard_start(void)
{
	static bool done;
	void *p;

	if (done)
		return;
	done = true;
	p = mmap(NULL, sizeof(*guard_fault), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return;
	guard_fault = p;
	guard_fork();
}

static void
guard_timer(time_t seconds)
{
	const struct itimerval t = { .it_value.tv_sec = seconds };

	setitimer(ITIMER_PROF, &t, NULL);
}

static time_t
guard_seconds(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		st.st_size = 0;
	return GUARD_SECONDS + st.st_size / GUARD_BYTES;
}

void
guard_before_end(void (*f)(void *arg), void *arg)
{
	guard_arg = arg;
	guard_first = f;
}

int
guard_run(const char *path, int (*f)(void *arg), void *arg)
{
	int status;

	if (GUARD_OFF || guard_in)
		return f(arg);
	guard_start();
	if (guard_is_bad(path, f))
		return GUARD_FAULT;
	guard_path = path;
	guard_f = f;
	guard_timer(guard_seconds(path));
	guard_in = 1;
	status = f(arg);
	guard_in = 0;
	guard_timer(0);
	return status;
}
