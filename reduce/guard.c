/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Surviving what damaged files make of libelf and libdw. */
#define _GNU_SOURCE
#include "reduce/guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* CPU time that a file may take: seconds, and bytes that take one more. */
#define GUARD_SECONDS 60
#define GUARD_BYTES 1000000

/* A fault may be that the stack is used up; the handler has its own. */
static _Alignas(16) char guard_stack[65536];
static sigjmp_buf guard_back;
static volatile sig_atomic_t guard_in;
static const char *volatile guard_path;
static void (*guard_first)(void *arg);
static void *guard_arg;

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

static void
guard_write(const char *text)
{
	ssize_t n = write(STDERR_FILENO, text, strlen(text));

	(void)n;
}

/*
 * Too long: that may be in the middle of malloc(), so nothing is left but to
 * say it.
 */
static void
guard_late(int signal)
{
	(void)signal;
	if (!guard_in)
		return;
	if (guard_first)
		guard_first(guard_arg);
	guard_write("mpreduce: ");
	guard_write(guard_path);
	guard_write(": reading its debug information takes too long, so it "
		    "must be damaged; move the file away, and its functions "
		    "have no names\n");
	_exit(1);
}

static void
guard_fault(int number)
{
	if (guard_in)
		siglongjmp(guard_back, 1);
	/* It is our own. */
	signal(number, SIG_DFL);
	raise(number);
}

static void
guard_install(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL,
				      SIGABRT };
	struct sigaction fault = { .sa_handler = guard_fault };
	struct sigaction late = { .sa_handler = guard_late };
	const stack_t stack = { .ss_sp = guard_stack,
				.ss_size = sizeof(guard_stack) };
	static bool done;
	size_t i;

	if (done)
		return;
	done = true;
	sigaltstack(&stack, NULL);
	/* Not blocked: the way out isn't by return. */
	fault.sa_flags = SA_ONSTACK | SA_NODEFER;
	late.sa_flags = SA_RESTART;
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigaction(faults[i], &fault, NULL);
	sigaction(SIGPROF, &late, NULL);
}

static void
guard_timer(time_t seconds)
{
	const struct itimerval t = { .it_value.tv_sec = seconds };

	setitimer(ITIMER_PROF, &t, NULL);
}

static void
guard_begin(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		st.st_size = 0;
	guard_path = path;
	guard_timer(GUARD_SECONDS + st.st_size / GUARD_BYTES);
}

static void
guard_end(void)
{
	guard_timer(0);
	guard_in = 0;
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
	guard_install();
	guard_begin(path);
	if (sigsetjmp(guard_back, 0)) {
		guard_end();
		return GUARD_FAULT;
	}
	guard_in = 1;
	status = f(arg);
	guard_end();
	return status;
}
