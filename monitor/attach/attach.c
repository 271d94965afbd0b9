/* SPDX-License-Identifier: MIT */
/* memmon -p: record in a process that runs, until it is let go. */
#include "monitor/attach/attach.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "monitor/attach/inject.h"
#include "monitor/attach/safe_point.h"
#include "monitor/attach/stop.h"
#include "monitor/attach/target.h"
#include "monitor/process/attached.h"

/* How long a safe point is looked for, and a call may take. */
#define LOOK_SECONDS 10
#define CALL_SECONDS 60
#define WHY 512

#define RTLD_NOW_LOCAL 2

static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	va_list ap;

	fputs("memmon: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* What the system says to those who may not attach. */
static void
say_refused(pid_t pid, int e)
{
	long scope = target_number("/proc/sys/kernel/yama/ptrace_scope");

	if (e == EPERM && scope == 3)
		say("process %ld can't be attached to: "
		    "kernel.yama.ptrace_scope is 3, nobody may until the "
		    "system starts anew",
		    (long)pid);
	else if (e == EPERM && scope > 0 && geteuid() != 0)
		say("process %ld can't be attached to: "
		    "kernel.yama.ptrace_scope is %ld; do it as root, or: "
		    "sysctl "
		    "kernel.yama.ptrace_scope=0",
		    (long)pid, scope);
	else if (e == EPERM || e == EACCES)
		say("no permission to attach to process %ld: it is another "
		    "user's, or has other rights; do it as root",
		    (long)pid);
	else
		say("process %ld can't be attached to: %s", (long)pid,
		    strerror(e));
}

/* Is one allowed to attach?  Tried with its first thread, which goes on. */
static bool
is_allowed(pid_t pid)
{
	if (ptrace(PTRACE_SEIZE, pid, 0, 0) != 0)
		return false;
	stop_release(pid);
	return true;
}

/* "NAME=VALUE", each ended by NUL, of what concerns the library. */
static size_t
settings(char *to, size_t n)
{
	extern char **environ;
	size_t used = 0, len;

	for (char **e = environ; *e; e++) {
		len = strlen(*e) + 1;
		if (strncmp(*e, "MEMMON_", 7) != 0 || len > n - used)
			continue;
		memcpy(to + used, *e, len);
		used += len;
	}
	return used;
}

/* ---------------------------------------------------------------- calls -- */

/* The library, if it is there: its function's address, or 0. */
static uintptr_t
library_function(const struct target *t, const char *name)
{
	for (size_t i = 0; i < t->nmodules; i++)
		if (t->module[i].kind == TARGET_MONITOR &&
		    target_find(&t->module[i], name))
			return target_find(&t->module[i], name);
	return 0;
}

/* Have the thread load the library.  False, with why. */
static bool
load(struct target *t, struct inject *i, const char *library, char *why)
{
	const struct target_module *c = target_of(t, TARGET_LIBC);
	const char *slash = strrchr(library, '/');
	uintptr_t open = target_find(c, "dlopen"), arg[3];
	char path[PATH_MAX + 4];

	if (!open || !target_find(c, "_dl_find_object")) {
		snprintf(why, WHY, "its C library isn't glibc 2.35 or newer");
		return false;
	}
	snprintf(path, sizeof(path), "%.*s" MMI_ATTACHED_PATH "%s",
		 (int)(slash - library), library, slash + 1);
	arg[0] = inject_room(i, path, strlen(path) + 1);
	arg[1] = RTLD_NOW_LOCAL;
	arg[2] = 0;
	if (!arg[0]) {
		snprintf(why, WHY, "its stack can't be written to");
		return false;
	}
	if (!inject_call(i, open, arg, CALL_SECONDS, why, WHY))
		return false;
	if (target_read(t) && library_function(t, "memmon_attach_begin"))
		return true;
	snprintf(why, WHY, "its loader couldn't open %s", library);
	return false;
}

/* What the library's answer means; false, with why. */
static bool
judge(const struct mmi_attached_answer *a, char *why)
{
	if (!a->done)
		snprintf(why, WHY, "the library didn't answer");
	else if (a->error == -EALREADY)
		snprintf(why, WHY,
			 "it runs with memmon already; "
			 "memmon --signal tells such a process something");
	else if (a->error == -EPERM)
		snprintf(why, WHY,
			 "it has other rights than its user, and "
			 "writes no file");
	else if (a->error)
		snprintf(why, WHY, "%s", strerror((int)-a->error));
	else
		return true;
	return false;
}

/*
 * Call a function of the library in the thread, whose last argument is an
 * answer.
 */
static bool
ask(const struct target *t, struct inject *i, const char *function,
    const char *told, size_t n, struct mmi_attached_answer *a, char *why)
{
	uintptr_t at = library_function(t, function), arg[3] = { 0, 0, 0 };
	uintptr_t answer = inject_room(i, NULL, sizeof(*a));

	arg[0] = answer;
	if (told) {
		arg[0] = inject_room(i, told, n + 1);
		arg[1] = n;
		arg[2] = answer;
	}
	if (!at || !answer || !arg[0]) {
		snprintf(why, WHY,
			 at ? "its stack can't be written to"
			    : "another libmemmon is in it");
		return false;
	}
	return inject_call(i, at, arg, CALL_SECONDS, why, WHY) &&
	       target_get(t, answer, a, sizeof(*a)) && judge(a, why);
}

/* A thread at a safe point, ready for calls; or NULL, with why. */
static struct inject *
stop(struct target *t, char *why)
{
	char where[WHY / 2];
	struct inject *i;
	pid_t tid = safe_point_find(t, LOOK_SECONDS, where, sizeof(where));

	if (!tid) {
		snprintf(why, WHY,
			 "no thread comes to where it can be "
			 "attached to: %s",
			 where);
		return NULL;
	}
	i = inject_begin(t, tid);
	if (!i) {
		snprintf(why, WHY,
			 errno == ENOMEM ? "too little of a stack"
					 : "its registers can't be "
					   "read");
		stop_release(tid);
	}
	return i;
}

static bool
begin(struct target *t, const char *library, struct mmi_attached_answer *a,
      char *why)
{
	char told[MMI_ATTACHED_SETTINGS];
	size_t n = settings(told, sizeof(told) - 2);
	struct inject *i = stop(t, why);
	bool ok;

	if (!i)
		return false;
	told[n] = '\0';
	ok = (library_function(t, "memmon_attach_begin") ||
	      load(t, i, library, why)) &&
	     ask(t, i, "memmon_attach_begin", told, n, a, why);
	inject_end(i);
	return ok;
}

static bool
end(struct target *t, struct mmi_attached_answer *a, char *why)
{
	struct inject *i = stop(t, why);
	bool ok;

	if (!i)
		return false;
	ok = ask(t, i, "memmon_attach_end", NULL, 0, a, why);
	inject_end(i);
	return ok;
}

/* -------------------------------------------------------------- waiting -- */

static void
block_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGQUIT);
	sigprocmask(SIG_BLOCK, set, NULL);
}

static double
seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Until a signal, the time is over, the watcher or the process ends. */
static void
wait_end(const struct attach *a, const sigset_t *set, pid_t watcher)
{
	struct timespec step = { 0, 20000000 };
	double until = seconds_now() + a->seconds, left;

	for (;;) {
		if (a->seconds > 0) {
			left = until - seconds_now();
			if (left <= 0)
				return;
			if (left < 0.02)
				step.tv_nsec = (long)(left * 1e9);
		}
		if (sigtimedwait(set, NULL, &step) > 0)
			return;
		if (kill(a->pid, 0) != 0 && errno == ESRCH)
			return;
		if (watcher > 0 && waitpid(watcher, NULL, WNOHANG) == watcher)
			return;
	}
}

static pid_t
watch(const struct attach *a, const char *file)
{
	sigset_t none;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execlp(a->watcher, "mpreduce", "--watch", file, (char *)NULL);
	say("%s: %s", a->watcher, strerror(errno));
	_exit(127);
}

const char *
attach_run(const struct attach *a)
{
	static struct mmi_attached_answer answer;
	char why[WHY];
	struct target t;
	sigset_t set;
	pid_t watcher = 0;

	if (!target_look(a->pid, why, sizeof(why))) {
		say("%s", why);
		return NULL;
	}
	if (!is_allowed(a->pid) || !target_open(&t, a->pid)) {
		say_refused(a->pid, errno);
		return NULL;
	}
	block_signals(&set);
	if (!begin(&t, a->library, &answer, why)) {
		say("process %ld isn't recorded: %s", (long)a->pid, why);
		return NULL;
	}
	if (answer.refused)
		say("%llu places of process %ld can't be written to: what is "
		    "allocated from there isn't seen",
		    (unsigned long long)answer.refused, (long)a->pid);
	if (a->watch && answer.file[0])
		watcher = watch(a, answer.file);
	else
		say("records process %ld%s; ^C ends that", (long)a->pid,
		    a->watch ? " again, which can't be watched" : "");
	wait_end(a, &set, watcher);
	if (!end(&t, &answer, why)) {
		say("process %ld goes on being recorded: %s", (long)a->pid,
		    why);
		return NULL;
	}
	if (watcher > 0) {
		kill(watcher, SIGTERM);
		waitpid(watcher, NULL, 0);
	}
	target_close(&t);
	return answer.file;
}
