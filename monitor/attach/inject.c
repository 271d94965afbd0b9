/* SPDX-License-Identifier: MIT */
/*
 * A call in a stopped thread.  As for a signal handler, the stack gets a frame
 * from which rt_sigreturn(2) restores the old state, and the function returns
 * to code of libc that calls rt_sigreturn(2).  So the thread continues
 * correctly by itself if this process is killed.  Otherwise the thread is
 * stopped again just before that system call, and this process restores its
 * exact state, including an interrupted system call.
 */
#include "monitor/attach/inject.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#include "monitor/attach/registers.h"
#include "monitor/attach/stop.h"

/* Linux 3.11; missing in some headers. */
#define GET_SIGMASK 0x420a
#define SET_SIGMASK 0x420b

/* Bytes that a call may need on the thread's stack, with the added data. */
#define STACK_LEAST 65536u

struct inject {
	const struct target *target;
	pid_t tid;
	struct registers regs;	  /* when it was stopped */
	struct registers resumed; /* when it continues: the same or similar */
	uint64_t mask;
	uintptr_t errno_at; /* 0: unknown */
	int error;
	uintptr_t sp;	/* below it the stack is free */
	uintptr_t back; /* code that calls rt_sigreturn(2) */
	bool called, gone;
};

/* ---------------------------------------------------------------- state -- */

bool
registers_ptrace(int request, pid_t tid, int type, void *p, size_t *n)
{
	struct iovec v = { p, *n };

	if (ptrace(request, tid, (void *)(uintptr_t)type, &v) != 0)
		return false;
	*n = v.iov_len;
	return true;
}

/* Finds code in the library, or in the mapping of that name. */
bool
registers_find(const struct target *t, const struct target_module *m,
	       const char *map, const unsigned char *code, size_t n,
	       uintptr_t *found)
{
	unsigned char *p, *at;

	*found = 0;
	for (size_t i = 0; !*found && i < t->nmaps; i++) {
		size_t size = t->map[i].end - t->map[i].start;

		if (!t->map[i].exec ||
		    (map ? strcmp(t->map[i].path, map) != 0
			 : !m || t->map[i].start < m->start ||
				     t->map[i].end > m->end))
			continue;
		p = malloc(size);
		at = p && target_get(t, t->map[i].start, p, size)
			     ? memmem(p, size, code, n)
			     : NULL;
		if (at)
			*found = t->map[i].start + (uintptr_t)(at - p);
		free(p);
	}
	return *found != 0;
}

/* Is a signal pending that the thread doesn't block? */
static bool
signal_waits(const struct inject *i)
{
	uint64_t own = (uint64_t)target_status(i->tid, "SigPnd", 16);
	uint64_t all = (uint64_t)target_status(i->tid, "ShdPnd", 16);

	return ((own | all) & ~i->mask) != 0;
}

/* Is there enough room on the stack? */
static bool
roomy(const struct target *t, uintptr_t sp)
{
	const struct target_map *m = target_map(t, sp);

	return m && m->write && (m->stack || sp - m->start >= STACK_LEAST);
}

struct inject *
inject_begin(const struct target *t, pid_t tid)
{
	struct inject *i = calloc(1, sizeof(*i));

	if (!i)
		return NULL;
	i->target = t;
	i->tid = tid;
	if (!registers_get(tid, &i->regs) ||
	    ptrace(GET_SIGMASK, tid, (void *)sizeof(i->mask), &i->mask) != 0)
		goto failed;
	errno = ENOTSUP;
	i->back = registers_back(t);
	if (!i->back)
		goto failed;
	errno = ENOMEM;
	if (!roomy(t, registers_sp(&i->regs)))
		goto failed;
	registers_resume(t, &i->regs, &i->resumed, signal_waits(i));
	i->errno_at = registers_errno(t, &i->regs);
	if (i->errno_at &&
	    !target_get(t, i->errno_at, &i->error, sizeof(i->error)))
		i->errno_at = 0;
	i->sp = registers_sp(&i->regs) - REGISTERS_RED_ZONE;
	return i;
failed:
	free(i);
	return NULL;
}

uintptr_t
inject_room(struct inject *i, const void *from, size_t n)
{
	char *zeros = NULL;
	bool ok;

	i->sp = (i->sp - n) & ~(uintptr_t)63;
	if (!from)
		from = zeros = calloc(1, n);
	ok = from && target_put(i->target, i->sp, from, n);
	free(zeros);
	return ok ? i->sp : 0;
}

/* ---------------------------------------------------------------- calls -- */

/* Puts the frame on the stack.  The call's stack pointer, or 0. */
static uintptr_t
put_frame(struct inject *i)
{
	static unsigned char image[REGISTERS_MAX], frame[REGISTERS_FRAME];
	size_t n = registers_image(&i->resumed, image);
	uintptr_t fpu = n ? inject_room(i, image, n) : 0, at;

	if (n && !fpu)
		return 0;
	at = i->sp;
	n = registers_frame(&i->resumed, i->mask, fpu, i->back, &at, frame);
	i->sp = at & ~(uintptr_t)63;
	return target_put(i->target, at, frame, n) ? at : 0;
}

/* The thread has ended; or it has faulted, and continues as before; or it
 * hangs. */
static bool
failed(struct inject *i, int status, char *why, size_t n)
{
	if (status == -1 && errno == ETIMEDOUT) {
		snprintf(why, n, "a call in the process doesn't return");
		/* It may still return: then it continues by itself. */
		i->gone = true;
		stop_release(i->tid);
	} else if (status == -1 || !WIFSTOPPED(status)) {
		snprintf(why, n, "the process has ended");
		i->gone = true;
	} else {
		snprintf(why, n, "a call in the process failed by signal %d",
			 WSTOPSIG(status));
		i->called = true;
	}
	return false;
}

/* Runs the thread until it is about to return from the frame at sp. */
static bool
run(struct inject *i, uintptr_t sp, unsigned seconds, char *why, size_t n)
{
	static struct registers r;
	int status;

	for (;;) {
		if (ptrace(PTRACE_SYSCALL, i->tid, 0, 0) != 0)
			return failed(i, -1, why, n);
		status = stop_wait(i->tid, seconds * 1000);
		if (status == -1 || !WIFSTOPPED(status))
			return failed(i, status, why, n);
		/* If the process was stopped, it will stop again in the end. */
		if (stop_interrupted(status))
			continue;
		if (WSTOPSIG(status) != (SIGTRAP | 0x80))
			return failed(i, status, why, n);
		if (registers_get_general(i->tid, &r) &&
		    registers_returns(&r, sp))
			return true;
	}
}

/*
 * Single-steps until the function has returned: libc's code behind it destroys
 * the result.
 */
static bool
step(struct inject *i, unsigned seconds, uintptr_t *result, char *why, size_t n)
{
	static struct registers r;
	struct timespec from, now;
	int status;

	clock_gettime(CLOCK_MONOTONIC, &from);
	for (;;) {
		if (!registers_get_general(i->tid, &r) ||
		    registers_pc(&r) == i->back)
			break;
		if (ptrace(PTRACE_SINGLESTEP, i->tid, 0, 0) != 0)
			return failed(i, -1, why, n);
		status = stop_wait(i->tid, seconds * 1000);
		if (status == -1 || !WIFSTOPPED(status) ||
		    (!stop_interrupted(status) && WSTOPSIG(status) != SIGTRAP))
			return failed(i, status, why, n);
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - from.tv_sec > (long)seconds)
			break;
	}
	*result = registers_result(&r);
	return true;
}

bool
inject_call(struct inject *i, uintptr_t function, const uintptr_t arg[3],
	    unsigned seconds, uintptr_t *result, char *why, size_t n)
{
	static struct registers r;
	uintptr_t kept = i->sp, sp = put_frame(i);
	uint64_t all = ~0ull;

	if (!sp) {
		snprintf(why, n, "its stack can't be written to");
		return false;
	}
	r = i->resumed;
	registers_call(&r, function, arg, sp, i->back);
	/* Registers first: from then on the thread returns by itself. */
	if (!registers_set_general(i->tid, &r)) {
		snprintf(why, n, "the process has ended");
		i->gone = true;
		return false;
	}
	ptrace(SET_SIGMASK, i->tid, (void *)sizeof(all), &all);
	registers_clean_fpu(i->tid, &i->regs);
	if ((result && !step(i, seconds, result, why, n)) ||
	    !run(i, sp, seconds, why, n))
		return false;
	i->called = true;
	i->sp = kept;
	return true;
}

/*
 * First sets the state of a system call that is about to be made again; then,
 * in the stop before this call, the saved state.  So the kernel decides whether
 * a handler or the call comes first, and how much time is left.
 */
static void
restore(struct inject *i)
{
	int status;

	if (i->errno_at)
		target_put(i->target, i->errno_at, &i->error, sizeof(i->error));
	registers_set_fpu(i->tid, &i->regs);
	ptrace(SET_SIGMASK, i->tid, (void *)sizeof(i->mask), &i->mask);
	registers_set_general(i->tid, &i->resumed);
	ptrace(PTRACE_INTERRUPT, i->tid, 0, 0);
	if (ptrace(PTRACE_CONT, i->tid, 0, 0) != 0)
		return;
	status = stop_wait(i->tid, 1000);
	if (status == -1 || !WIFSTOPPED(status)) {
		i->gone = status != -1;
		return;
	}
	registers_set_general(i->tid, &i->regs);
	if (!stop_interrupted(status)) {
		ptrace(PTRACE_DETACH, i->tid, 0, WSTOPSIG(status));
		i->gone = true;
	}
}

void
inject_end(struct inject *i)
{
	if (i->called && !i->gone)
		restore(i);
	else if (!i->gone)
		registers_set_general(i->tid, &i->regs);
	if (!i->gone)
		stop_release(i->tid);
	free(i);
}
