/* SPDX-License-Identifier: MIT */
/* Fatal signals. */
#include "monitor/process/signals.h"
#include "monitor/base/hook.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "monitor/access/handed.h"
#include "monitor/base/arena.h"
#include "monitor/base/mask.h"
#include "monitor/base/next.h"
#include "monitor/base/process.h"
#include "monitor/costs/kernel.h"
#include "monitor/file/out.h"
#include "monitor/image/image.h"
#include "monitor/process/end.h"
#include "monitor/process/dump.h"
#ifdef MEMMON_ACCESS
#include "monitor/wrap/wrap.h"
#endif

/* Signals that end the process by default and that can be caught. */
static const unsigned char fatal[] = {
	SIGHUP,	   SIGINT,  SIGQUIT, SIGILL,	SIGTRAP, SIGABRT,
	SIGBUS,	   SIGFPE,  SIGUSR1, SIGSEGV,	SIGUSR2, SIGPIPE,
	SIGALRM,   SIGTERM, SIGXCPU, SIGXFSZ,	SIGPROF, SIGIO,
	SIGVTALRM, SIGPWR,  SIGSYS,  SIGSTKFLT,
};

/* The libc adds this to every action (the kernel's SA_RESTORER). */
#define FLAG_RESTORER 0x04000000

static int armed; /* mmi_signals_init() is done */

/* The default actions as the program set them, with its flags and mask. */
static struct sigaction shown[_NSIG];

static int (*next_sigaction)(int, const struct sigaction *, struct sigaction *);
static int (*next_sigprocmask)(int, const sigset_t *, sigset_t *);
static int (*next_pthread_sigmask)(int, const sigset_t *, sigset_t *);

static void on_fatal(int sig, siginfo_t *info, void *context);

static bool
is_fatal(int sig)
{
	/* All real-time signals; the libc keeps the first ones for itself. */
	if (sig >= SIGRTMIN && sig <= SIGRTMAX)
		return true;
	/* The signal for dumps isn't fatal, but is treated alike. */
	if (sig == mmi_dump_signal)
		return true;
	for (size_t i = 0; i < sizeof(fatal); i++)
		if (fatal[i] == sig)
			return true;
	return false;
}

static bool
is_ours(const void *handler)
{
	return handler == (void *)on_fatal ||
	       handler == (void *)mmi_kernel_on_call ||
	       handler == (void *)mmi_dump_on_signal;
}

static void
our_action(struct sigaction *a, int sig)
{
	/* Except the two that glibc uses to cancel threads and to set their
	 * ids. */
	const uint64_t mask =
		MMI_MASK_MOST & ~(MMI_MASK_BIT(32) | MMI_MASK_BIT(33));

	memset(a, 0, sizeof(*a));
	a->sa_sigaction =
		sig == mmi_dump_signal ? mmi_dump_on_signal : on_fatal;
	a->sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	memcpy(&a->sa_mask, &mask, sizeof(mask));
}

/*
 * Another thread may be writing the file, because of the same signal or the
 * process's end.  This thread is about to end the process: it waits for at most
 * two seconds.
 */
static void
let_others_write(void)
{
	for (int i = 0; i < 200 && mmi_out_busy(); i++)
		mmi_wait_ms(10);
}

/*
 * Sends the signal again as it was.  If the system refuses this (seccomp(2)),
 * sends it without its information.  The last resort is to exit with the status
 * that a shell would show.
 */
static void
send_again(int sig, siginfo_t *info)
{
	long pid = ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0);
	long tid = ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0);

	if (ARCH_SYS(SYS_rt_tgsigqueueinfo, pid, tid, sig, info, 0, 0) != 0 &&
	    ARCH_SYS(SYS_tgkill, pid, tid, sig, 0, 0, 0) != 0)
		ARCH_ASKED(SYS_exit_group, 128 + sig, 0, 0, 0, 0, 0);
}

/*
 * When the handler returns, a fault happens again, with the right state for a
 * core file.  Other signals are sent again, as they were.
 */
static void
on_fatal(int sig, siginfo_t *info, void *context)
{
	bool fault = (sig == SIGSEGV || sig == SIGBUS || sig == SIGILL ||
		      sig == SIGFPE) &&
		     info->si_code > 0;
	struct sigaction a;
	int e = errno;

	(void)context;
	if (sig == SIGBUS && fault && mmi_image_fault(info->si_addr)) {
		errno = e;
		return;
	}
	if (mmi_end(MONOUT_E_SIGNAL, sig) != 0)
		let_others_write();
	memset(&a, 0, sizeof(a));
	a.sa_handler = SIG_DFL;
	if (next_sigaction(sig, &a, NULL) != 0)
		/* Otherwise a fault would call this handler forever. */
		ARCH_ASKED(SYS_exit_group, 128 + sig, 0, 0, 0, 0, 0);
	if (!fault)
		send_again(sig, info);
	errno = e;
}

/*
 * The libc's functions.  They are found once, before anything else runs: later
 * another thread may be using the loader.
 */
#ifdef MEMMON_STATIC
extern int __real_sigaction(int, const struct sigaction *, struct sigaction *);
extern sighandler_t __real_signal(int, sighandler_t);
extern int __real_sigprocmask(int, const sigset_t *, sigset_t *);
extern int __real_pthread_sigmask(int, const sigset_t *, sigset_t *);
#define FIND(name) (next_##name = __real_##name)
#define KIN_FIND(name)
#else
#define FIND(name) (next_##name = mmi_next_symbol(#name))
#define KIN_FIND(name) FIND(name)
static sighandler_t (*next_bsd_signal)(int, sighandler_t);
static sighandler_t (*next_ssignal)(int, sighandler_t);
static sighandler_t (*next_sysv_signal)(int, sighandler_t);
static sighandler_t (*next___sysv_signal)(int, sighandler_t);
static sighandler_t (*next_sigset)(int, sighandler_t);
#endif
static sighandler_t (*next_signal)(int, sighandler_t);

static bool
ready(void)
{
	if (LIKELY(next_sigaction != NULL))
		return true;
	FIND(signal);
	KIN_FIND(bsd_signal);
	KIN_FIND(ssignal);
	KIN_FIND(sysv_signal);
	KIN_FIND(__sysv_signal);
	KIN_FIND(sigset);
	FIND(sigprocmask);
	FIND(pthread_sigmask);
	FIND(sigaction);
	return next_sigaction != NULL;
}

/*
 * The main thread's stack for the handler, so that a stack overflow leaves a
 * file, too.  sigaltstack() doesn't show it.  The program's handlers that
 * request such a stack, without one of their own, run on it: it is large, and
 * has a guard page.
 */
#define OUR_STACK ((size_t)1 << 20)
static TLS void *our_stack;

static void
stack_make(void)
{
	stack_t now, ours = { .ss_size = OUR_STACK };
	char *p;

	if (ARCH_SYS(SYS_sigaltstack, 0, &now, 0, 0, 0, 0) != 0 ||
	    !(now.ss_flags & SS_DISABLE))
		return;
	/* Usually it is never touched. */
	p = mmi_arena_reserve(OUR_STACK + ARCH_PAGE_NOW);
	if (!p ||
	    ARCH_SYS(SYS_mprotect, p, ARCH_PAGE_NOW, PROT_NONE, 0, 0, 0) != 0)
		return;
	ours.ss_sp = p + ARCH_PAGE_NOW;
	if (ARCH_SYS(SYS_sigaltstack, &ours, 0, 0, 0, 0, 0) == 0)
		our_stack = ours.ss_sp;
}

void
mmi_signals_init(void)
{
	struct sigaction old, ours;

	if (!ready())
		return;
	if (!our_stack)
		stack_make();
	for (int sig = 1; sig < _NSIG; sig++)
		if (is_fatal(sig) && next_sigaction(sig, NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL) {
			our_action(&ours, sig);
			next_sigaction(sig, &ours, NULL);
		}
	armed = 1;
}

void
mmi_signals_leave(void)
{
	struct sigaction a;

	armed = 0;
	for (int sig = 1; sig < _NSIG && next_sigaction; sig++)
		if (is_fatal(sig) && next_sigaction(sig, NULL, &a) == 0 &&
		    a.sa_sigaction == on_fatal) {
			a = shown[sig];
			a.sa_handler = SIG_DFL;
			next_sigaction(sig, &a, NULL);
		}
}

/* ------------------------------------------------------------- SIGSYS -- */

/*
 * While the monitor uses this signal (costs/kernel.h), it is removed from the
 * masks that the program sets, and shown in the masks that the program reads.
 */
static bool masked[_NSIG]; /* of a handler */
static TLS bool blocked;   /* of a thread */

/* Without libc, whose functions libmemmon-access counts as the program's. */
static bool
has_sigsys(const sigset_t *set)
{
	return set->__val[0] >> (SIGSYS - 1) & 1;
}

static void
put_sigsys(sigset_t *set, bool on)
{
	if (on)
		set->__val[0] |= 1ul << (SIGSYS - 1);
	else
		set->__val[0] &= ~(1ul << (SIGSYS - 1));
}

void
mmi_kernel_fatal(int sig, siginfo_t *info, void *context)
{
	on_fatal(sig, info, context);
}

#ifndef MEMMON_ACCESS
static int mmi_wrap_mask(int (*next)(int, const sigset_t *, sigset_t *),
			 int how, const sigset_t *set, sigset_t *old);
#endif

int
mmi_wrap_mask(int (*next)(int, const sigset_t *, sigset_t *), int how,
	      const sigset_t *set, sigset_t *old)
{
	bool was = blocked, has = false;
	sigset_t without;
	int r;

	if (LIKELY(!LOAD(&mmi_kernel_keeps)))
		return next(how, set, old);
	if (set) {
		has = has_sigsys(set);
		without = *set;
		put_sigsys(&without, false);
	}
	r = next(how, set ? &without : NULL, old);
	if (r != 0)
		return r;
	if (old && was)
		put_sigsys(old, true);
	if (set)
		blocked = how == SIG_SETMASK ? has
			  : how == SIG_BLOCK ? was || has
					     : was && !has;
	return r;
}

#ifndef MEMMON_ACCESS /* libmemmon-access has these in wrap/ */
EXPORT int
HOOK(sigprocmask)(int how, const sigset_t *set, sigset_t *old)
{
	if (!ready()) {
		errno = ENOSYS;
		return -1;
	}
	return mmi_wrap_mask(next_sigprocmask, how, set, old);
}

EXPORT int
HOOK(pthread_sigmask)(int how, const sigset_t *set, sigset_t *old)
{
	return ready() && next_pthread_sigmask
		       ? mmi_wrap_mask(next_pthread_sigmask, how, set, old)
		       : ENOSYS;
}
#endif

/* The action to set for a handler; and the action as the program has set it. */
static const struct sigaction *
action_given(int sig, const struct sigaction *act, struct sigaction *copy)
{
	/* The program handles it itself. */
	if (act && sig == SIGSYS)
		mmi_kernel_stop();
	if (!act || !LOAD(&mmi_kernel_keeps))
		return act;
	*copy = *act;
	masked[sig] = has_sigsys(&act->sa_mask);
	put_sigsys(&copy->sa_mask, false);
	return copy;
}

/* ------------------------------------------------------------- actions -- */

/* The default action means the monitor's handler. */
EXPORT int
HOOK(sigaction)(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct sigaction ours, was, set, given;
	bool hidden;
	int r;

	if (!ready()) {
		errno = ENOSYS;
		return -1;
	}
	mmi_handed_given(act, old, NULL);
	hidden = sig > 0 && sig < _NSIG && masked[sig];
	if (sig > 0 && sig < _NSIG)
		act = action_given(sig, act, &given);
	if (!armed || !is_fatal(sig)) {
		r = next_sigaction(sig, act, old);
		if (r == 0 && old && hidden)
			put_sigsys(&old->sa_mask, true);
		return r;
	}
	set = act && act->sa_handler == SIG_DFL ? *act : shown[sig];
	if (act && act->sa_handler == SIG_DFL) {
		set.sa_flags |= FLAG_RESTORER;
		our_action(&ours, sig);
		act = &ours;
	}
	r = next_sigaction(sig, act, &was);
	if (r == 0 && old)
		*old = is_ours((void *)was.sa_sigaction) ? shown[sig] : was;
	if (r == 0 && old && hidden)
		put_sigsys(&old->sa_mask, true);
	if (r == 0)
		shown[sig] = set;
	return r;
}

/* Handles the result and argument of signal() and related functions. */
static sighandler_t
signal_done(int sig, sighandler_t given, sighandler_t was)
{
	struct sigaction ours;

	if (armed && given == SIG_DFL && was != SIG_ERR && is_fatal(sig)) {
		/* The program will see the action as libc has set it. */
		next_sigaction(sig, NULL, &shown[sig]);
		our_action(&ours, sig);
		next_sigaction(sig, &ours, NULL);
	}
	return is_ours((void *)was) ? SIG_DFL : was;
}

EXPORT sighandler_t
HOOK(signal)(int sig, sighandler_t handler)
{
	if (!ready()) {
		errno = ENOSYS;
		return SIG_ERR;
	}
	if (sig == SIGSYS)
		mmi_kernel_stop();
	return signal_done(sig, handler, next_signal(sig, handler));
}

#ifndef MEMMON_STATIC
#define KIN(name) \
	extern sighandler_t name(int, sighandler_t); \
	EXPORT sighandler_t name(int sig, sighandler_t handler) \
	{ \
		if (!ready() || !next_##name) { \
			errno = ENOSYS; \
			return SIG_ERR; \
		} \
		if (sig == SIGSYS) \
			mmi_kernel_stop(); \
		return signal_done(sig, handler, next_##name(sig, handler)); \
	}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
KIN(bsd_signal)
KIN(ssignal)
KIN(sysv_signal)
KIN(__sysv_signal)
KIN(sigset)
#pragma GCC diagnostic pop
#endif

EXPORT int
HOOK(sigaltstack)(const stack_t *ss, stack_t *old)
{
	stack_t ours = { .ss_sp = our_stack, .ss_size = OUR_STACK };
	stack_t now;
	long r;

	mmi_handed_given(ss, old, NULL);
	/* The kernel checks that it can read and write them. */
	r = ARCH_ASKED(SYS_sigaltstack, ss, old, 0, 0, 0, 0);
	if (r < 0) {
		errno = (int)-r;
		return -1;
	}
	if (old && our_stack && old->ss_sp == our_stack)
		*old = (stack_t){ .ss_flags = SS_DISABLE };
	if (!ss || ARCH_SYS(SYS_sigaltstack, 0, &now, 0, 0, 0, 0) != 0)
		return 0;
	/* If the program has no stack of its own, the monitor's stays. */
	if ((now.ss_flags & SS_DISABLE) && our_stack)
		ARCH_SYS(SYS_sigaltstack, &ours, 0, 0, 0, 0, 0);
	else
		mmi_handed_given(now.ss_sp, NULL, NULL);
	return 0;
}
