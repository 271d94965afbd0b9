/* SPDX-License-Identifier: MIT */
/*
 * Which thread can make a call?  One whose stack shows that it holds no lock
 * that dlopen() and malloc() take.  In libc only exported functions have names.
 * Code of libc without a name is assumed to hold a lock, except if the thread
 * is in a system call that is never made with such a lock held.
 */
#include "monitor/attach/safe_point.h"

#include <dirent.h>
#include <errno.h>
#include <libunwind-ptrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "monitor/attach/registers.h"
#include "monitor/attach/run_out.h"
#include "monitor/attach/stop.h"

/* Last seconds of the search, in which interrupted calls matter less. */
#define LATE 5
#define FRAMES 256u
#define THREADS_MAX 4096u

/* A thread gets this many ms at a time to leave its unsafe frames. */
#define RUN_MS 200u

/* Beginnings of names: allocator, loader, functions that take their locks. */
static const char *const locks[] = {
	"malloc",
	"calloc",
	"realloc",
	"free",
	"cfree",
	"memalign",
	"posix_memalign",
	"aligned_alloc",
	"valloc",
	"pvalloc",
	"mall",
	"__libc_malloc",
	"__libc_calloc",
	"__libc_realloc",
	"__libc_free",
	"__libc_memalign",
	"dl",
	"_dl",
	"__libc_dl",
	"fork",
	"vfork",
	"_Fork",
	"__fork",
	"posix_spawn",
	"pthread_create",
	"thrd_create",
	"pthread_exit",
	"exit",
	"quick_exit",
	"_exit",
	"abort",
	"__cxa_",
	"on_exit",
	"at_quick_exit",
	"__register_atfork",
	"pthread_atfork",
	"setlocale",
	"newlocale",
	"pthread_attr_",
	"pthread_getattr",
	"pthread_setattr",
	"__nptl",
	"iconv_open",
};

/* A thread that waits for a futex in these holds no such lock. */
static const char *const waits[] = {
	"pthread_cond_",
	"pthread_mutex_",
	"pthread_join",
	"pthread_timedjoin",
	"pthread_clockjoin",
	"pthread_barrier_",
	"pthread_rwlock_",
	"sem_",
	"syscall",
	"pthread_once",
	"cnd_",
	"mtx_",
	"thrd_join",
	"lll_",
	"aio_suspend",
};

/*
 * System calls of the allocator, and those that start and end threads and
 * processes.  The loader makes others, but its frames show it.
 */
static const unsigned short locked[] = {
	SYS_brk,
	SYS_mmap,
	SYS_munmap,
	SYS_mremap,
	SYS_madvise,
	SYS_mprotect,
	SYS_getrandom,
	SYS_clone,
	SYS_clone3,
#ifdef SYS_fork /* not on all CPUs */
	SYS_fork,
	SYS_vfork,
	SYS_arch_prctl,
#endif
	SYS_execve,
	SYS_execveat,
	SYS_exit,
	SYS_exit_group,
	SYS_rt_sigreturn,
	SYS_prctl,
	SYS_seccomp,
	SYS_set_tid_address,
	SYS_set_robust_list,
	SYS_rseq,
};

/* Calls that return EINTR when a thread is stopped, whichever signal. */
static bool
is_touchy(long call)
{
#ifdef SYS_epoll_wait /* not on all CPUs */
	if (call == SYS_epoll_wait)
		return true;
#endif
	/* For a socket with a time limit. */
	if (call == SYS_recvfrom || call == SYS_recvmsg ||
	    call == SYS_recvmmsg || call == SYS_accept || call == SYS_accept4)
		return true;
	return call == SYS_epoll_pwait || call == SYS_epoll_pwait2 ||
	       call == SYS_rt_sigtimedwait || call == SYS_semop ||
	       call == SYS_semtimedop || call == SYS_io_getevents ||
	       call == SYS_io_uring_enter;
}

/* Calls that return the part done so far when a thread is stopped. */
static bool
is_partial(long call)
{
	return call == SYS_write || call == SYS_writev || call == SYS_sendto ||
	       call == SYS_sendmsg || call == SYS_sendmmsg ||
	       call == SYS_sendfile || call == SYS_splice;
}

static bool
begins(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(name, list[i], strlen(list[i])))
			return true;
	return false;
}
#define BEGINS(name, list) begins(name, list, sizeof(list) / sizeof((list)[0]))

/* The thread's stack and its system call, -1 if there is none. */
struct stack {
	uintptr_t pc[FRAMES], sp[FRAMES];
	unsigned n;
	long call;
};

/*
 * Pages of the process's memory that were read to unwind one stack: ptrace(2)
 * would take one system call a word.  The stopped thread doesn't change its
 * stack meanwhile.
 */
#define PAGE ((uintptr_t)4096)
#define PAGES 32u

static struct {
	const struct target *target;
	struct {
		uintptr_t at; /* 0: none */
		unsigned char bytes[PAGE];
	} page[PAGES];
} cache;

static void
cache_begin(const struct target *t)
{
	cache.target = t;
	for (unsigned i = 0; i < PAGES; i++)
		cache.page[i].at = 0;
}

/* An accessor for libunwind: returns 0, or one of libunwind's errors. */
static int
cache_get(unw_addr_space_t space, unw_word_t at, unw_word_t *word, int write,
	  void *arg)
{
	uintptr_t start = at & ~(PAGE - 1);
	unsigned i = (unsigned)(start / PAGE % PAGES);

	(void)space;
	(void)arg;
	if (write)
		return -UNW_EINVAL;
	if (at - start > PAGE - sizeof(*word))
		return target_get(cache.target, at, word, sizeof(*word))
			       ? 0
			       : -UNW_EINVAL;
	if (cache.page[i].at != start) {
		cache.page[i].at = 0;
		if (!target_get(cache.target, start, cache.page[i].bytes, PAGE))
			return -UNW_EINVAL;
		cache.page[i].at = start;
	}
	memcpy(word, cache.page[i].bytes + (at - start), sizeof(*word));
	return 0;
}

static bool
stack_read(const struct target *t, pid_t tid, struct stack *s)
{
	static struct registers r;
	unw_accessors_t accessors = _UPT_accessors;
	unw_addr_space_t space;
	unw_cursor_t c;
	unw_word_t pc, sp;
	void *arg;

	if (!registers_get_general(tid, &r))
		return false;
	s->call = r.call;
	s->n = 0;
	s->sp[0] = registers_sp(&r);
	s->pc[s->n++] = registers_pc(&r);
	cache_begin(t);
	accessors.access_mem = cache_get;
	space = unw_create_addr_space(&accessors, 0);
	arg = space ? _UPT_create(tid) : NULL;
	if (arg && unw_init_remote(&c, space, arg) == 0)
		while (s->n < FRAMES && unw_step(&c) > 0 &&
		       unw_get_reg(&c, UNW_REG_IP, &pc) == 0 && pc &&
		       unw_get_reg(&c, UNW_REG_SP, &sp) == 0) {
			s->sp[s->n] = sp;
			s->pc[s->n++] = pc;
		}
	if (arg)
		_UPT_destroy(arg);
	if (space)
		unw_destroy_addr_space(space);
	return true;
}

static bool
is_locked(long call)
{
	for (size_t i = 0; i < sizeof(locked) / sizeof(locked[0]); i++)
		if (locked[i] == call)
			return true;
	return false;
}

/* The name of frame i's function, if it is in libc; or NULL. */
static const char *
libc_name(const struct target *t, const struct stack *s, unsigned i)
{
	/* A return address may be behind its function. */
	uintptr_t pc = s->pc[i] - (i > 0);
	const struct target_module *m = target_module(t, pc);
	const struct target_symbol *k;

	k = m && m->kind == TARGET_LIBC ? target_name(m, pc) : NULL;
	return k ? k->name : NULL;
}

/* Is the innermost frame, in libc, one that holds no lock? */
static bool
tip_is_safe(const struct target *t, const struct stack *s)
{
	const char *name;

	if (s->call < 0)
		return libc_name(t, s, 0) != NULL;
	if (is_locked(s->call))
		return false;
	if (s->call != SYS_futex)
		return true;
	for (unsigned i = 0; i < s->n && i < 4; i++) {
		name = libc_name(t, s, i);
		if (name)
			return BEGINS(name, waits);
	}
	return false;
}

/* Is frame i unsafe for a call?  Puts its place into why[n]. */
static bool
frame_unsafe(const struct target *t, const struct stack *s, unsigned i,
	     char *why, size_t n)
{
	/* A return address may be behind its function. */
	const struct target_module *m = target_module(t, s->pc[i] - (i > 0));
	const char *name = libc_name(t, s, i);

	if (m && m->kind == TARGET_LOADER)
		snprintf(why, n, "in the dynamic loader");
	else if (m &&
		 (m->kind == TARGET_ALLOCATOR || m->kind == TARGET_MONITOR))
		snprintf(why, n, "in %s", m->path);
	else if (name && BEGINS(name, locks))
		snprintf(why, n, "in %s()", name);
	else if (i == 0 && m && m->kind == TARGET_LIBC && !tip_is_safe(t, s))
		snprintf(why, n, "in the C library");
	else
		return false;
	return true;
}

/*
 * The number of innermost frames to leave before a call may be made; 0: none.
 * If it isn't 0, puts the thread's place into why[n].
 */
static unsigned
unsafe_frames(const struct target *t, const struct stack *s, char *why,
	      size_t n)
{
	for (unsigned i = s->n; i-- > 0;)
		if (frame_unsafe(t, s, i, why, n))
			return i + 1;
	return 0;
}

/* Lists all threads, the first one first.  Returns their number. */
static unsigned
threads(pid_t pid, pid_t *tid, unsigned n)
{
	struct dirent *e;
	unsigned k = 0;
	char file[64];
	DIR *d;

	snprintf(file, sizeof(file), "/proc/%ld/task", (long)pid);
	d = opendir(file);
	while (d && k < n && (e = readdir(d)))
		if (e->d_name[0] != '.')
			tid[k++] = (pid_t)strtol(e->d_name, NULL, 10);
	if (d)
		closedir(d);
	return k;
}

/* The system call that a thread sleeps in, or -1. */
static long
sleeping_in(pid_t tid)
{
	char file[64];

	snprintf(file, sizeof(file), "/proc/%ld/syscall", (long)tid);
	return target_number(file);
}

/* Puts the reason why a thread can't be stopped into why[n]. */
static void
say_unstopped(const struct target *t, pid_t tid, int error, char *why, size_t n)
{
	if (target_waits(t->pid, tid))
		snprintf(why, n,
			 "a thread waits, for example for a disk, a file "
			 "server or a child of vfork(), and can't be "
			 "interrupted (state D)");
	else
		snprintf(why, n, "a thread can't be stopped: %s",
			 strerror(error));
}

/*
 * May a thread be run until it has left its k unsafe frames?  A thread in
 * pthread_join(3) may wait for as long as another thread works.  Its innermost
 * frame has no name and alone is unsafe.  Such a thread is run last (RUN_ALL).
 * A thread that waits for a lock of the loader or the allocator has more unsafe
 * frames, and gets the lock soon.
 */
enum run { RUN_NONE, RUN_BUSY, RUN_ALL };

static bool
may_run(enum run run, const struct stack *s, unsigned k)
{
	return run == RUN_ALL ||
	       (run == RUN_BUSY && (k > 1 || s->call != SYS_futex));
}

static long
seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/*
 * Stop the thread at a safe point: at once, or when it has left its unsafe
 * functions.  False: the thread has no safe point and goes on.
 */
static bool
try_thread(struct target *t, pid_t tid, enum run run, long until, char *why,
	   size_t n)
{
	static struct stack s;
	unsigned k;

	if (stop_thread(tid) != 0) {
		say_unstopped(t, tid, errno, why, n);
		return false;
	}
	for (unsigned i = 0;
	     !i || (i <= run_out_times() && seconds_now() <= until); i++) {
		/* A library may have been loaded meanwhile. */
		if (!stack_read(t, tid, &s) || !target_read(t))
			break;
		k = unsafe_frames(t, &s, why, n);
		if (!k)
			return true;
		if (!may_run(run, &s, k) || k >= s.n ||
		    !run_out(tid, s.pc[k], s.sp[k], RUN_MS))
			break;
	}
	stop_release(tid);
	return false;
}

/*
 * Is it better to examine the thread later, while there is time?  A touchy call
 * starts again, with its full time limit; a partial one can't start again.
 */
static bool
waits_well(pid_t tid, unsigned round, bool early)
{
	long call;

	if (round >= 3 && !early)
		return false;
	call = sleeping_in(tid);
	return is_partial(call) || (round < 3 && is_touchy(call));
}

/* Finds a thread at a safe point among these, or 0. */
static pid_t
try_threads(struct target *t, const pid_t *tid, unsigned k, unsigned round,
	    long until, char *why, size_t n)
{
	bool early = seconds_now() + LATE < until;

	for (enum run run = RUN_NONE; run <= RUN_ALL; run++)
		for (unsigned i = 0; i < k && seconds_now() <= until; i++) {
			if (waits_well(tid[i], round, early))
				continue;
			if (try_thread(t, tid[i], run, until, why, n))
				return tid[i];
		}
	return 0;
}

pid_t
safe_point_find(struct target *t, unsigned seconds, char *why, size_t n)
{
	static pid_t tid[THREADS_MAX];
	struct timespec pause = { 0, 1000000 };
	long until = seconds_now() + (long)seconds;
	unsigned k;
	pid_t found;

	snprintf(why, n, "the process has no thread");
	for (unsigned round = 0;; round++) {
		k = threads(t->pid, tid, THREADS_MAX);
		found = try_threads(t, tid, k, round, until, why, n);
		if (found)
			return found;
		if (seconds_now() > until || target_ended(t))
			return 0;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 20000000)
			pause.tv_nsec *= 2;
	}
}
