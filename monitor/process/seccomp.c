/* SPDX-License-Identifier: MIT */
/* Programs that restrict themselves: seccomp(2). */
#include "monitor/process/seccomp.h"
#include "monitor/base/hook.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>

#include "monitor/access/handed.h"
#include "monitor/base/arena.h"
#include "monitor/base/peek.h"
#include "monitor/base/process.h"
#include "monitor/costs/kernel.h"
#include "monitor/image/image.h"
#include "monitor/process/end.h"
#include "monitor/process/exec.h"
#include "monitor/process/signals.h"

/* Making a file needs all of these; if one is refused, so is open. */
static const unsigned short for_file[] = {
	SYS_openat, SYS_write, SYS_close, SYS_renameat,
	SYS_unlinkat, SYS_getpid, SYS_rt_sigprocmask,
};
/* Without these a fatal signal can't be caught and sent again. */
static const unsigned short for_signals[] = {
	SYS_rt_sigaction, SYS_rt_sigreturn, SYS_rt_tgsigqueueinfo,
	SYS_getpid,	  SYS_gettid,
};

static void
refuse(uint64_t *refused, unsigned long call)
{
	refused[call / 64] |= 1ull << call % 64;
}

static bool
is_refused(const uint64_t *refused, unsigned long call)
{
	return refused[call / 64] >> call % 64 & 1;
}

/* The instruction at `to' can be reached in this state, too. */
static void
reach(struct mmi_seccomp_state *to, const struct mmi_seccomp_state *s)
{
	if (!to->reached) {
		*to = *s;
		to->reached = 1;
		return;
	}
	to->knows_a &= s->knows_a && s->a == to->a;
	to->knows_x &= s->knows_x && s->x == to->x;
}

/* Does the action allow the call?  `fails': or at most let it fail? */
static bool
is_mild(uint32_t action, bool fails)
{
	switch (action & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:
	case SECCOMP_RET_LOG:
		return true;
	case SECCOMP_RET_ERRNO:
		return fails;
	default:
		return false;
	}
}

static void
load(struct mmi_seccomp_state *s, const struct sock_filter *f, uint32_t call)
{
	bool immediate = BPF_MODE(f->code) == BPF_IMM;

	s->knows_a = immediate;
	s->a = f->k;
	if (BPF_MODE(f->code) == BPF_LEN) {
		s->knows_a = 1;
		s->a = sizeof(struct seccomp_data);
	}
	if (BPF_MODE(f->code) != BPF_ABS)
		return;
	if (f->k == offsetof(struct seccomp_data, nr)) {
		s->knows_a = 1;
		s->a = call;
	} else if (f->k == offsetof(struct seccomp_data, arch)) {
		s->knows_a = 1;
		s->a = ARCH_AUDIT;
	}
}

static void
compute(struct mmi_seccomp_state *s, const struct sock_filter *f)
{
	uint32_t v = BPF_SRC(f->code) == BPF_X ? s->x : f->k;

	if (BPF_SRC(f->code) == BPF_X && BPF_OP(f->code) != BPF_NEG)
		s->knows_a &= s->knows_x;
	switch (BPF_OP(f->code)) {
	case BPF_ADD:
		s->a += v;
		break;
	case BPF_SUB:
		s->a -= v;
		break;
	case BPF_AND:
		s->a &= v;
		break;
	case BPF_OR:
		s->a |= v;
		break;
	case BPF_XOR:
		s->a ^= v;
		break;
	case BPF_NEG:
		s->a = -s->a;
		break;
	default:
		s->knows_a = 0;
	}
}

/* Follows a jump to its targets. */
static void
jump(struct mmi_seccomp_state *at, const struct sock_filter *f, unsigned left)
{
	struct mmi_seccomp_state s = *at;
	uint32_t v = BPF_SRC(f->code) == BPF_X ? s.x : f->k;
	bool known = s.knows_a && (BPF_SRC(f->code) == BPF_K || s.knows_x);
	bool yes;

	switch (BPF_OP(f->code)) {
	case BPF_JA:
		if (f->k < left)
			reach(at + 1 + f->k, &s);
		return;
	case BPF_JEQ:
		yes = s.a == v;
		break;
	case BPF_JGT:
		yes = s.a > v;
		break;
	case BPF_JGE:
		yes = s.a >= v;
		break;
	default:
		yes = (s.a & v) != 0;
	}
	if ((!known || yes) && f->jt < left)
		reach(at + 1 + f->jt, &s);
	if ((!known || !yes) && f->jf < left)
		reach(at + 1 + f->jf, &s);
}

/* Jumps only go forward, so one pass sees all states.  Are all results mild? */
static bool
judge_call(const struct sock_filter *f, unsigned n,
	   struct mmi_seccomp_state *at, uint32_t call, bool fails)
{
	memset(at, 0, n * sizeof(*at));
	at->reached = 1;
	for (unsigned i = 0; i < n; i++) {
		struct mmi_seccomp_state s = at[i];

		if (!s.reached)
			continue;
		switch (BPF_CLASS(f[i].code)) {
		case BPF_RET:
			if (BPF_RVAL(f[i].code) != BPF_K ||
			    !is_mild(f[i].k, fails))
				return false;
			continue;
		case BPF_JMP:
			jump(&at[i], &f[i], n - i - 1);
			continue;
		case BPF_LD:
			load(&s, &f[i], call);
			break;
		case BPF_LDX:
			s.knows_x = BPF_MODE(f[i].code) == BPF_IMM;
			s.x = f[i].k;
			break;
		case BPF_ALU:
			compute(&s, &f[i]);
			break;
		case BPF_MISC:
			if (BPF_MISCOP(f[i].code) == BPF_TAX) {
				s.x = s.a;
				s.knows_x = s.knows_a;
			} else {
				s.a = s.x;
				s.knows_a = s.knows_x;
			}
			break;
		}
		if (i + 1 < n)
			reach(&at[i + 1], &s);
	}
	return true;
}

void
mmi_seccomp_judge(const struct sock_filter *f, unsigned n,
		  struct mmi_seccomp_state *room,
		  uint64_t refused[MMI_SECCOMP_CALLS / 64])
{
	for (uint32_t call = 0; call < MMI_SECCOMP_CALLS; call++)
		if (!judge_call(f, n, room, call, true))
			refuse(refused, call);
	/* A file is made completely, or not at all. */
	for (size_t i = 0; i < sizeof(for_file) / sizeof(*for_file); i++)
		if (!judge_call(f, n, room, for_file[i], false))
			refuse(refused, SYS_openat);
}

/* Are the pages from p on readable? */
static bool
readable(const void *p, size_t size)
{
	uintptr_t at = (uintptr_t)p & ~7ul, end = (uintptr_t)p + size;

	for (; at < end; at = (at | (ARCH_PAGE - 1)) + 1)
		if (!mmi_peek_word(at))
			return false;
	return true;
}

/* False: this isn't a filter, or it can't be read. */
static bool
judge(const struct sock_fprog *p, uint64_t *refused)
{
	struct mmi_seccomp_state *room;
	size_t size;

	if (!readable(p, sizeof(*p)) || !p->len || p->len > BPF_MAXINSNS ||
	    !readable(p->filter, p->len * sizeof(*p->filter)))
		return false;
	size = p->len * sizeof(*room);
	room = mmi_arena_reserve(size);
	if (!room)
		return false;
	mmi_seccomp_judge(p->filter, p->len, room, refused);
	mmi_arena_unreserve(room, size);
	return true;
}

/* The effect of a filter that is about to be installed: `strict', or p. */
struct plan {
	uint64_t refused[MMI_SECCOMP_CALLS / 64];
	bool some;    /* any call is refused */
	bool strict;  /* the CPU's counter can't be read, either */
	bool signals; /* restores the kernel's default actions */
};

static void
plan_make(struct plan *plan, bool strict, const void *p)
{
	memset(plan, 0, sizeof(*plan));
	/* A child of vfork(2) has its parent's memory, and ends soon. */
	if (ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0) != mmi_process.pid)
		return;
	plan->strict = strict;
	if (strict)
		memset(plan->refused, 0xff, sizeof(plan->refused));
	else if (!judge(p, plan->refused))
		return;
	for (unsigned i = 0; i < MMI_SECCOMP_CALLS / 64; i++)
		plan->some |= plan->refused[i] != 0;
	for (size_t i = 0; i < sizeof(for_signals) / sizeof(*for_signals); i++)
		plan->signals |= is_refused(plan->refused, for_signals[i]);
	if (plan->signals)
		mmi_signals_leave();
	if (is_refused(plan->refused, SYS_openat))
		mmi_image_ahead();
	/* An image needs no file at the end. */
	if (is_refused(plan->refused, SYS_openat) &&
	    !mmi_image_its_file()->path[0])
		mmi_end(MONOUT_E_DUMP, 0);
	/* Afterwards it would be too late. */
	if (strict)
		mmi_process_clock_stop(true);
}

/* The kernel has accepted the filter, or not. */
static void
plan_done(const struct plan *plan, bool installed)
{
	if (!installed) {
		if (plan->signals)
			mmi_signals_init();
		if (plan->strict)
			mmi_process_clock_stop(false);
		return;
	}
	for (unsigned i = 0; i < MMI_SECCOMP_CALLS / 64; i++)
		mmi_arch_refuse[i] |= plan->refused[i];
	if (plan->some)
		mmi_arch_refuses = 1;
	/* A trapped system call ends with rt_sigreturn. */
	if (is_refused(plan->refused, SYS_rt_sigreturn))
		mmi_kernel_stop();
}

static long
done(long r)
{
	if (r < 0 && r > -4096) {
		errno = (int)-r;
		return -1;
	}
	return r;
}

static long
seccomp_prctl(long op, long b, long c, long d, long e)
{
	struct plan plan;
	int saved = errno;
	long r;

	/* From now on, reading the counter would end the process. */
	if (op == PR_SET_TSC && b == PR_TSC_SIGSEGV)
		mmi_process_clock_stop(true);
	if (op != PR_SET_SECCOMP) {
		r = ARCH_ASKED(SYS_prctl, op, b, c, d, e, 0);
		if (op == PR_SET_TSC && (r < 0) == (b == PR_TSC_SIGSEGV))
			mmi_process_clock_stop(false);
		return done(r);
	}
	plan_make(&plan, b == SECCOMP_MODE_STRICT, (void *)c);
	errno = saved;
	r = ARCH_ASKED(SYS_prctl, op, b, c, d, e, 0);
	plan_done(&plan, r >= 0);
	return done(r);
}

EXPORT int
HOOK(prctl)(int op, ...)
{
	va_list ap;
	long a[4];

	va_start(ap, op);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	mmi_handed_given((void *)a[0], (void *)a[1], (void *)a[2]);
	return (int)seccomp_prctl(op, a[0], a[1], a[2], a[3]);
}

/* prctl, seccomp and exec by syscall(2), with the program's arguments. */
__attribute__((used)) long mmi_seccomp_syscall(long n, long a, long b, long c,
					       long d, long e);
long
mmi_seccomp_syscall(long n, long a, long b, long c, long d, long e)
{
	struct plan plan;
	int saved = errno;
	bool sets =
		a == SECCOMP_SET_MODE_STRICT || a == SECCOMP_SET_MODE_FILTER;
	long r;

	if (n == SYS_execve || n == SYS_execveat)
		return mmi_exec_syscall(n, a, b, c, d, e);
	if (n == SYS_prctl)
		return seccomp_prctl((int)a, b, c, d, e);
	if (!sets)
		return done(ARCH_ASKED(SYS_seccomp, a, b, c, 0, 0, 0));
	plan_make(&plan, a == SECCOMP_SET_MODE_STRICT, (void *)c);
	errno = saved;
	r = ARCH_ASKED(SYS_seccomp, a, b, c, 0, 0, 0);
	/* With TSYNC, a positive result is a thread that can't get the
	 * filter. */
	plan_done(&plan,
		  r == 0 || (r > 0 && (b & SECCOMP_FILTER_FLAG_NEW_LISTENER)));
	return done(r);
}

__attribute__((used)) long mmi_seccomp_failed(long r);
long
mmi_seccomp_failed(long r)
{
	return done(r);
}

#ifdef MEMMON_STATIC
#define SYSCALL "__wrap_syscall"
#else
#define SYSCALL "syscall"
#endif
ARCH_SYSCALL(SYSCALL, "mmi_seccomp_syscall", "mmi_seccomp_failed")
