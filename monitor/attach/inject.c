/* SPDX-License-Identifier: MIT */
/*
 * A call in a stopped thread.  As for a handler of a signal, a frame is put on
 * the stack that rt_sigreturn(2) makes the old state of, and the function
 * returns to the libc's code that calls that: so the thread goes on rightly by
 * itself, should this process be killed.  While it isn't, the thread is stopped
 * again as it is about to make that system call, and gets its state back from
 * here: to the last bit, with a system call that was interrupted.
 */
#include "monitor/attach/inject.h"

#include <cpuid.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "monitor/attach/stop.h"

/* Linux 3.11; not in all headers. */
#define GET_SIGMASK 0x420a
#define SET_SIGMASK 0x420b

#define XSTATE_MAX 65536u
#define RED_ZONE 128u
/* What a call may need of the thread's stack, with what is put there. */
#define STACK_LEAST 65536u

/* Of an image of the FPU: the kernel's words in it (asm/sigcontext.h). */
#define XSTATE_MXCSR 24u
#define XSTATE_MASK 464u /* what the kernel switches; also its own words */
#define XSTATE_IN_USE 512u
#define MAGIC1 0x46505853u
#define MAGIC2 0x46505845u
#define XSTATE_AMX (3ull << 17) /* only where the program asked for it */
#define XSTATE_KEYS (1ull << 9) /* protection keys */

/* System calls that were interrupted say so by these; in no header. */
enum { RESTART_SYS = 512, RESTART_NOINTR, RESTART_NOHAND, RESTART_BLOCK = 516 };

/* As the kernel makes it. */
struct frame {
	uint64_t back; /* where the handler returns to */
	struct {
		uint64_t flags, link;
		uint64_t stack[3];
		uint64_t reg[23];
		uint64_t fpstate;
		uint64_t reserved[8];
		uint64_t mask;
	} uc;
	siginfo_t info;
};

struct inject {
	const struct target *target;
	pid_t tid;
	struct user_regs_struct regs;	 /* as it was stopped */
	struct user_regs_struct resumed; /* as it goes on, the same or alike */
	uint64_t mask;
	size_t xlen;
	unsigned char xstate[XSTATE_MAX];
	uintptr_t errno_at; /* 0: not known */
	int error;
	uintptr_t sp;	/* free below it */
	uintptr_t back; /* the libc's rt_sigreturn */
	bool called, gone;
};

/* ---------------------------------------------------------------- state -- */

static bool
regset(int request, pid_t tid, int type, void *p, size_t *n)
{
	struct iovec v = { p, *n };

	if (ptrace(request, tid, (void *)(uintptr_t)type, &v) != 0)
		return false;
	*n = v.iov_len;
	return true;
}

static bool
set_regs(pid_t tid, struct user_regs_struct *r)
{
	size_t n = sizeof(*r);

	return regset(PTRACE_SETREGSET, tid, NT_PRSTATUS, r, &n);
}

/* Does a signal wait that the thread doesn't block? */
static bool
signal_waits(const struct inject *i)
{
	uint64_t own = (uint64_t)target_status(i->tid, "SigPnd", 16);
	uint64_t all = (uint64_t)target_status(i->tid, "ShdPnd", 16);

	return ((own | all) & ~i->mask) != 0;
}

/*
 * The call that restart_syscall(2) goes on with: by the instruction before it,
 * "mov $call, %eax".  Without this process nothing of it is left.
 */
static long
restarted(const struct target *t, uintptr_t pc)
{
	unsigned char code[7];
	uint32_t call;

	if (!target_get(t, pc - 7, code, sizeof(code)) || code[0] != 0xb8)
		return SYS_restart_syscall;
	memcpy(&call, code + 1, sizeof(call));
	return (long)call;
}

/*
 * A system call that the stop has interrupted is made once more.  What says
 * EINTR only because of the stop is, too, if that does no harm.
 */
static void
resume_state(struct inject *i)
{
	struct user_regs_struct *r = &i->resumed;
	long call = (long)i->regs.orig_rax;
	bool again;

	*r = i->regs;
	r->orig_rax = (unsigned long long)-1;
	if (call < 0)
		return;
	switch (-(long long)i->regs.rax) {
	case RESTART_SYS:
	case RESTART_NOINTR:
	case RESTART_NOHAND:
	case RESTART_BLOCK:
		again = true;
		break;
	case EINTR:
		again = call != SYS_connect && call != SYS_close &&
			!signal_waits(i);
		break;
	default:
		again = false;
	}
	if (!again)
		return;
	if (call == SYS_restart_syscall)
		call = restarted(i->target, r->rip);
	r->rax = (unsigned long long)call;
	r->rip -= 2;
	if (-(long long)i->regs.rax == EINTR)
		i->regs = *r;
}

/*
 * Where errno is: __errno_location() adds to the thread's pointer what it loads
 * by "mov ...(%rip), %rax".
 */
static uintptr_t
errno_of(const struct target *t, const struct user_regs_struct *r)
{
	uintptr_t at =
		target_find(target_of(t, TARGET_LIBC), "__errno_location");
	unsigned char code[24];
	int64_t offset;
	int32_t rel;

	if (!at || !target_get(t, at, code, sizeof(code)))
		return 0;
	for (unsigned i = 0; i < 8; i++)
		if (code[i] == 0x48 && code[i + 1] == 0x8b &&
		    code[i + 2] == 0x05) {
			memcpy(&rel, code + i + 3, sizeof(rel));
			if (target_get(t, at + i + 7 + (uintptr_t)(intptr_t)rel,
				       &offset, sizeof(offset)))
				return r->fs_base + (uintptr_t)offset;
		}
	return 0;
}

/* The libc's code to return to from a handler: mov $15, %rax; syscall. */
static uintptr_t
back_of(const struct target *t)
{
	static const unsigned char code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0,
					      0,    0,	  0x0f, 0x05 };
	const struct target_module *m = target_of(t, TARGET_LIBC);
	uintptr_t found = 0;
	unsigned char *p, *at;

	for (size_t i = 0; m && !found && i < t->nmaps; i++) {
		size_t n = t->map[i].end - t->map[i].start;

		if (!t->map[i].exec || t->map[i].start < m->start ||
		    t->map[i].end > m->end)
			continue;
		p = malloc(n);
		at = p && target_get(t, t->map[i].start, p, n)
			     ? memmem(p, n, code, sizeof(code))
			     : NULL;
		if (at)
			found = t->map[i].start + (uintptr_t)(at - p);
		free(p);
	}
	return found;
}

/* Is there room on the stack? */
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
	size_t n = sizeof(i->regs);

	if (!i)
		return NULL;
	i->target = t;
	i->tid = tid;
	i->xlen = sizeof(i->xstate);
	if (!regset(PTRACE_GETREGSET, tid, NT_PRSTATUS, &i->regs, &n) ||
	    !regset(PTRACE_GETREGSET, tid, NT_X86_XSTATE, i->xstate,
		    &i->xlen) ||
	    ptrace(GET_SIGMASK, tid, (void *)sizeof(i->mask), &i->mask) != 0)
		goto failed;
	errno = ENOTSUP;
	i->back = back_of(t);
	if (!i->back || i->regs.cs != 0x33)
		goto failed;
	errno = ENOMEM;
	if (!roomy(t, i->regs.rsp))
		goto failed;
	resume_state(i);
	i->errno_at = errno_of(t, &i->regs);
	if (i->errno_at &&
	    !target_get(t, i->errno_at, &i->error, sizeof(i->error)))
		i->errno_at = 0;
	i->sp = i->regs.rsp - RED_ZONE;
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

/*
 * How long the image of the FPU is that rt_sigreturn() takes of this thread:
 * all that the kernel switches, but for what a program must have asked for.
 */
static size_t
xstate_length(const struct inject *i)
{
	unsigned a, b, c, d;
	uint64_t mask, used;
	size_t end = 576;

	memcpy(&mask, i->xstate + XSTATE_MASK, sizeof(mask));
	memcpy(&used, i->xstate + XSTATE_IN_USE, sizeof(used));
	if (!(used & XSTATE_AMX))
		mask &= ~XSTATE_AMX;
	for (unsigned k = 2; k < 63; k++)
		if (mask >> k & 1 && __get_cpuid_count(13, k, &a, &b, &c, &d) &&
		    b + a > end)
			end = b + a;
	return end < i->xlen ? end : i->xlen;
}

/* The image, with the kernel's words.  Where it is; 0: no room. */
static uintptr_t
put_xstate(struct inject *i)
{
	size_t n = xstate_length(i);
	uint32_t magic = MAGIC2, end = (uint32_t)n + 4, size = (uint32_t)n;
	unsigned char *copy = malloc(n + 4);
	uint32_t first = MAGIC1;
	uint64_t mask;
	uintptr_t at;

	if (!copy)
		return 0;
	memcpy(copy, i->xstate, n);
	memcpy(&mask, copy + XSTATE_MASK, sizeof(mask));
	memset(copy + XSTATE_MASK, 0, 48);
	memcpy(copy + XSTATE_MASK, &first, 4);
	memcpy(copy + XSTATE_MASK + 4, &end, 4);
	memcpy(copy + XSTATE_MASK + 8, &mask, 8);
	memcpy(copy + XSTATE_MASK + 16, &size, 4);
	memcpy(copy + n, &magic, 4);
	at = inject_room(i, copy, n + 4);
	free(copy);
	return at;
}

/* The frame; the stack pointer that the function is called with, or 0. */
static uintptr_t
put_frame(struct inject *i)
{
	const struct user_regs_struct *r = &i->resumed;
	uintptr_t fpstate = put_xstate(i), at;
	struct frame f = {
		.back = i->back,
		/* A state of the FPU with magic words; SS is there. */
		.uc = { .flags = 7,
			/* No such flag: the other stack stays what it is. */
			.stack = { 0, 5, 0 },
			.reg = { r->r8,	 r->r9,	 r->r10,    r->r11, r->r12,
				 r->r13, r->r14, r->r15,    r->rdi, r->rsi,
				 r->rbp, r->rbx, r->rdx,    r->rax, r->rcx,
				 r->rsp, r->rip, r->eflags, 0,	    0,
				 0,	 i->mask, 0 },
			.fpstate = fpstate,
			.mask = i->mask },
	};

	/* cs, gs, fs, ss */
	f.uc.reg[18] = r->cs | r->ss << 48;
	at = ((i->sp - sizeof(f)) & ~(uintptr_t)15) - 8;
	i->sp = at & ~(uintptr_t)63;
	if (!fpstate || !target_put(i->target, at, &f, sizeof(f)))
		return 0;
	return at;
}

/* The FPU as a function may expect it, with the program's protection keys. */
static void
clean_xstate(const struct inject *i)
{
	unsigned char *x = malloc(i->xlen);
	uint32_t control = 0x37f, mxcsr = 0x1f80;
	uint64_t used;
	size_t n = i->xlen;

	if (!x)
		return;
	memcpy(x, i->xstate, n);
	memcpy(x, &control, 4);
	memcpy(x + XSTATE_MXCSR, &mxcsr, 4);
	memcpy(&used, x + XSTATE_IN_USE, sizeof(used));
	used &= XSTATE_KEYS;
	memcpy(x + XSTATE_IN_USE, &used, sizeof(used));
	regset(PTRACE_SETREGSET, i->tid, NT_X86_XSTATE, x, &n);
	free(x);
}

/* It has ended, or faulted, and goes on as it was; or hangs. */
static bool
failed(struct inject *i, int status, char *why, size_t n)
{
	if (status == -1 && errno == ETIMEDOUT) {
		snprintf(why, n, "the call doesn't return");
		/* It may yet: then it goes on by itself. */
		i->gone = true;
		stop_release(i->tid);
	} else if (status == -1 || !WIFSTOPPED(status)) {
		snprintf(why, n, "the process has ended");
		i->gone = true;
	} else {
		snprintf(why, n, "the call has failed by signal %d",
			 WSTOPSIG(status));
		i->called = true;
	}
	return false;
}

/* Run until the thread is about to return from the frame at sp. */
static bool
run(struct inject *i, uintptr_t sp, unsigned seconds, char *why, size_t n)
{
	struct user_regs_struct r;
	size_t size = sizeof(r);
	int status;

	for (;;) {
		if (ptrace(PTRACE_SYSCALL, i->tid, 0, 0) != 0)
			return failed(i, -1, why, n);
		status = stop_wait(i->tid, seconds * 1000);
		if (status == -1 || !WIFSTOPPED(status))
			return failed(i, status, why, n);
		/* A stop of the process is taken up again in the end. */
		if (stop_interrupted(status))
			continue;
		if (WSTOPSIG(status) != (SIGTRAP | 0x80))
			return failed(i, status, why, n);
		if (regset(PTRACE_GETREGSET, i->tid, NT_PRSTATUS, &r, &size) &&
		    r.orig_rax == SYS_rt_sigreturn && r.rsp == sp + 8)
			return true;
	}
}

bool
inject_call(struct inject *i, uintptr_t function, const uintptr_t arg[3],
	    unsigned seconds, char *why, size_t n)
{
	struct user_regs_struct r = i->resumed;
	uintptr_t kept = i->sp, sp = put_frame(i);
	uint64_t all = ~0ull;

	if (!sp) {
		snprintf(why, n, "its stack can't be written to");
		return false;
	}
	r.rip = function;
	r.rsp = sp;
	r.rdi = arg[0];
	r.rsi = arg[1];
	r.rdx = arg[2];
	r.rax = 0;
	r.orig_rax = (unsigned long long)-1;
	/* No trap, no direction, no alignment check. */
	r.eflags &= ~(0x100ull | 0x400 | 0x40000);
	/* First the registers: from then on it finds back by itself. */
	if (!set_regs(i->tid, &r)) {
		snprintf(why, n, "the process has ended");
		i->gone = true;
		return false;
	}
	ptrace(SET_SIGMASK, i->tid, (void *)sizeof(all), &all);
	clean_xstate(i);
	if (!run(i, sp, seconds, why, n))
		return false;
	i->called = true;
	i->sp = kept;
	return true;
}

/*
 * The state first as it is at a system call that is about to be made again;
 * then, in the stop before it is, as it was: the kernel knows best whether a
 * handler or the call comes first, and what is left of a time.
 */
static void
restore(struct inject *i)
{
	int status;

	if (i->errno_at)
		target_put(i->target, i->errno_at, &i->error, sizeof(i->error));
	regset(PTRACE_SETREGSET, i->tid, NT_X86_XSTATE, i->xstate, &i->xlen);
	ptrace(SET_SIGMASK, i->tid, (void *)sizeof(i->mask), &i->mask);
	set_regs(i->tid, &i->resumed);
	ptrace(PTRACE_INTERRUPT, i->tid, 0, 0);
	if (ptrace(PTRACE_CONT, i->tid, 0, 0) != 0)
		return;
	status = stop_wait(i->tid, 1000);
	if (status == -1 || !WIFSTOPPED(status)) {
		i->gone = status != -1;
		return;
	}
	set_regs(i->tid, &i->regs);
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
		set_regs(i->tid, &i->regs);
	if (!i->gone)
		stop_release(i->tid);
	free(i);
}
