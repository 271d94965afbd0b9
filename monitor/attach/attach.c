/* SPDX-License-Identifier: MIT */
/* memmon -p: record in a process that already runs, until memmon detaches. */
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

#include "monitor/attach/claim.h"
#include "monitor/attach/inject.h"
#include "monitor/attach/library.h"
#include "monitor/attach/root.h"
#include "monitor/attach/safe_point.h"
#include "monitor/attach/stop.h"
#include "monitor/attach/target.h"

/* How long memmon looks for a safe point. */
#define LOOK_SECONDS 10

/* Attempts to attach, if the process executes other programs meanwhile. */
#define TRIES 4
#define WHY 1024

static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	va_list ap;

	fputs("memmon: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* Prints the system's reasons for refusing to attach. */
static void
say_refused(pid_t pid, int e)
{
	long scope = target_number("/proc/sys/kernel/yama/ptrace_scope");

	if (e == EPERM && scope == 3)
		say("process %ld can't be attached to: "
		    "kernel.yama.ptrace_scope is 3; reboot to change it, or "
		    "start the program by memmon",
		    (long)pid);
	else if (e == EPERM && scope > 0 && geteuid() != 0)
		say("process %ld can't be attached to: "
		    "kernel.yama.ptrace_scope is %ld; run memmon as root, or "
		    "run sysctl kernel.yama.ptrace_scope=0",
		    (long)pid, scope);
	else if ((e == EPERM || e == EACCES) && geteuid() == 0)
		say("process %ld can't be attached to: the kernel refuses it "
		    "to this root; run memmon where the process was started, "
		    "or start the program by memmon",
		    (long)pid);
	else if (e == EPERM || e == EACCES)
		say("process %ld can't be attached to: the process has another "
		    "user or other rights; run memmon as root",
		    (long)pid);
	else
		say("process %ld can't be attached to: %s", (long)pid,
		    strerror(e));
}

static void
say_ended(pid_t pid)
{
	say("process %ld ended before it was recorded", (long)pid);
}

/* ---------------------------------------------------------------- calls -- */

/* The result of calls in the process. */
struct outcome {
	bool ok;
	char why[WHY];	/* if not ok */
	uintptr_t word; /* of the library: see library_word() */
	struct mmi_attached_answer answer;
};

/* Stops a thread at a safe point for calls; NULL, with why. */
static struct inject *
stop(struct target *t, char *why)
{
	char where[WHY / 2];
	struct inject *i;
	pid_t tid = safe_point_find(t, LOOK_SECONDS, where, sizeof(where));

	if (!tid) {
		snprintf(
			why, WHY,
			"no thread reaches a point where memmon can attach: %s",
			where);
		return NULL;
	}
	i = inject_begin(t, tid);
	if (!i) {
		snprintf(why, WHY,
			 errno == ENOMEM
				 ? "the stack of the thread is too small"
				 : "the registers of the thread can't be read");
		stop_release(tid);
	}
	return i;
}

static void
begin(struct target *t, const char *library, struct outcome *o)
{
	char told[MMI_ATTACHED_SETTINGS];
	size_t n = library_settings(told, sizeof(told) - 2);
	struct inject *i = stop(t, o->why);

	if (!i)
		return;
	told[n] = '\0';
	o->ok = (library_function(t, "memmon_attach_begin") ||
		 library_load(t, i, library, o->why, WHY)) &&
		library_ask(t, i, "memmon_attach_begin", told, n, &o->answer,
			    o->why, WHY);
	o->word = library_word(t);
	inject_end(i);
}

static void
end(struct target *t, const char *library, struct outcome *o)
{
	struct inject *i = stop(t, o->why);

	(void)library;
	if (!i)
		return;
	o->ok = library_ask(t, i, "memmon_attach_end", NULL, 0, &o->answer,
			    o->why, WHY);
	inject_end(i);
}

static bool
read_all(int fd, void *to, size_t n)
{
	size_t done = 0;
	ssize_t r = 1;

	while (done < n && r != 0) {
		r = read(fd, (char *)to + done, n - done);
		if (r < 0 && errno != EINTR)
			break;
		done += r > 0 ? (size_t)r : 0;
	}
	return done == n;
}

/*
 * Makes the calls in a new process, outside of the terminal's group: a signal
 * that kills memmon doesn't kill the new process while a thread has a
 * breakpoint, see run_out.h.
 */
static void
apart(void (*what)(struct target *, const char *, struct outcome *),
      struct target *t, const char *library, struct outcome *o)
{
	int end[2];
	pid_t pid;

	memset(o, 0, sizeof(*o));
	if (pipe(end) != 0)
		goto failed;
	pid = fork();
	if (pid < 0) {
		close(end[0]);
		close(end[1]);
		goto failed;
	}
	if (pid == 0) {
		signal(SIGPIPE, SIG_IGN);
		setpgid(0, 0);
		close(end[0]);
		what(t, library, o);
		_exit(write(end[1], o, sizeof(*o)) == sizeof(*o) ? 0 : 1);
	}
	close(end[1]);
	if (!read_all(end[0], o, sizeof(*o))) {
		o->ok = false;
		snprintf(o->why, WHY, "memmon's attaching process was killed");
	}
	close(end[0]);
	waitpid(pid, NULL, 0);
	return;
failed:
	snprintf(o->why, WHY, "memmon's attaching process can't be started: %s",
		 strerror(errno));
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

/* What ended the recording. */
enum ended { BY_US, BY_EXIT, BY_EXEC };

/* Has the process ended, or does it execute another program? */
static enum ended
gone(const struct target *t, uintptr_t word)
{
	if (target_ended(t))
		return BY_EXIT;
	if (library_is_there(t, word))
		return BY_US;
	/* A process that is ending has no memory any more. */
	for (int i = 0; i < 50 && !target_ended(t); i++)
		usleep(2000);
	return target_ended(t) ? BY_EXIT : BY_EXEC;
}

/* Waits for a signal, the end of the time, of the watcher or of the process. */
static enum ended
wait_end(const struct attach *a, const struct target *t, uintptr_t word,
	 const sigset_t *set, pid_t watcher)
{
	struct timespec step = { 0, 20000000 };
	double until = seconds_now() + a->seconds, left;
	enum ended how;

	for (;;) {
		if (a->seconds > 0) {
			left = until - seconds_now();
			if (left <= 0)
				return BY_US;
			if (left < 0.02)
				step.tv_nsec = (long)(left * 1e9);
		}
		if (sigtimedwait(set, NULL, &step) > 0)
			return BY_US;
		how = gone(t, word);
		if (how != BY_US)
			return how;
		if (watcher > 0 && waitpid(watcher, NULL, WNOHANG) == watcher)
			return BY_US;
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
	execlp(a->watcher, "mpreduce", a->watch, file, (char *)NULL);
	say("%s: %s", a->watcher, strerror(errno));
	_exit(127);
}

/* Is its program one that the library can't be loaded into?  Prints why. */
static bool
is_other(const struct attach *a, const struct target *t)
{
	int fd = target_program(t, a->program, a->program_size);
	char why[WHY];
	bool other;

	if (fd < 0)
		return false;
	other = a->refuses(fd, why, sizeof(why));
	if (!other)
		a->looks(fd, a->program);
	close(fd);
	if (other)
		say("process %ld %s", (long)a->pid, why);
	return other;
}

/*
 * Does the process have the directory of the data file, and may it write there?
 * If not, print a message.
 */
static bool
has_folder(const struct attach *a, const struct target *t)
{
	const char *file = getenv("MEMMON_OUT");
	const char *slash = file ? strrchr(file, '/') : NULL;
	char path[2 * PATH_MAX], link[64];
	int error;

	/* If the process expands the name, only the process can check it. */
	if (!slash || slash == file ||
	    memchr(file, '%', (size_t)(slash - file)))
		return true;
	root_link(a->pid, link, sizeof(link));
	snprintf(path, sizeof(path), "%s%.*s", link, (int)(slash - file), file);
	error = target_writes(a->pid, path);
	if (!error)
		return true;
	if (target_ended(t))
		say_ended(a->pid);
	else if (error == ENOENT || error == ENOTDIR)
		say("%s: process %ld has no such directory; name another file "
		    "with -o",
		    file, (long)a->pid);
	else
		say("%s: process %ld can't write there: %s; name a writable "
		    "place with -o",
		    file, (long)a->pid, strerror(error));
	return false;
}

/* May memmon try to attach?  If not, print why. */
static bool
look(const struct attach *a, struct target *t)
{
	char why[WHY];

	if (!target_look(a->pid, why, sizeof(why))) {
		say("%s", why);
		return false;
	}
	/* Checked first: a process that shares memory now may stop sharing a
	 * moment later, and memmon would have its parent's memory open. */
	if (target_borrows(a->pid)) {
		say("process %ld shares the memory of its parent (vfork); "
		    "attach after the process has executed its program",
		    (long)a->pid);
		return false;
	}
	/* Needs the same rights as attaching, but stops no thread. */
	if (!target_open(t, a->pid)) {
		if (target_ended(t))
			say_ended(a->pid);
		else
			say_refused(a->pid, errno == EACCES ? EPERM : errno);
		return false;
	}
	return !is_other(a, t) && has_folder(a, t);
}

static void
say_failed(const struct target *t, const char *why)
{
	if (target_ended(t))
		say_ended(t->pid);
	else if (target_replaced(t))
		say("process %ld isn't recorded: the process keeps executing "
		    "other programs; try again",
		    (long)t->pid);
	else
		say("process %ld isn't recorded: %s", (long)t->pid, why);
}

static void
say_begun(const struct attach *a, const struct mmi_attached_answer *answer)
{
	if (answer->refused)
		say("%llu calls of malloc in process %ld can't be redirected: "
		    "their blocks aren't recorded",
		    (unsigned long long)answer->refused, (long)a->pid);
	if (answer->before[0])
		say("wrote %s, of a memmon -p that was killed", answer->before);
	if (!a->watch || !answer->file[0])
		say("process %ld is being recorded%s; press ^C to stop%s",
		    (long)a->pid,
		    a->watch ? " again, and can't be watched" : "",
		    a->seconds > 0 ? " earlier" : "");
}

/* The file's name if the process executes another program. */
static void
file_of_exec(const struct attach *a, char *file, size_t n)
{
	const char *name = strrchr(a->program, '/');
	size_t used = strlen(file);

	snprintf(file + used, n - used, ".%lld.%s", target_own_pid(a->pid),
		 name ? name + 1 : a->program);
}

/* The process has ended by itself: did it leave a file?  file[n]: its name. */
static bool
left(const struct attach *a, enum ended how, char *file, size_t n)
{
	say("process %ld %s", (long)a->pid,
	    how == BY_EXIT ? "has ended"
			   : "has executed another program, which isn't "
			     "recorded; attach again to record the program");
	if (file[0] && how == BY_EXEC)
		file_of_exec(a, file, n);
	if (file[0] && access(file, R_OK) == 0)
		return true;
	say("%s: the process left no data file", file[0] ? file : "memmon");
	return false;
}

/* Detaches from the process; its counts so far stay.  False: that failed. */
static bool
let_go(const struct attach *a, struct target *t, uintptr_t word, char *file,
       size_t n)
{
	static struct outcome o;
	enum ended how;

	/* The process may have installed a filter that would kill it for a
	 * call. */
	if (target_restricts(a->pid) && !target_ended(t)) {
		say("process %ld restricts its system calls by now (seccomp), "
		    "and memmon's could end it; it is still recorded: "
		    "mpreduce %s shows its counts at any time",
		    (long)a->pid, file[0] ? file : "FILE");
		return false;
	}
	apart(end, t, a->library, &o);
	if (o.ok)
		return root_path(a->pid, o.answer.file, file, n);
	how = gone(t, word);
	if (how != BY_US)
		return left(a, how, file, n);
	if (o.answer.done && o.answer.error != -EALREADY) {
		say("process %ld is no longer recorded, but can't write its "
		    "data file: %s; name a writable file with -o",
		    (long)a->pid, o.why);
		return false;
	}
	say("process %ld could not be detached and is still recorded: %s; to "
	    "stop, run memmon -p %ld --for=1s",
	    (long)a->pid, o.why, (long)a->pid);
	return false;
}

const char *
attach_run(const struct attach *a)
{
	static struct outcome o;
	static char file[2 * PATH_MAX];
	struct target t;
	sigset_t set;
	pid_t watcher = 0;
	enum ended how;
	bool ok;

	if (!claim(a->pid)) {
		say("process %ld is already recorded by another memmon -p; "
		    "stop that memmon first",
		    (long)a->pid);
		return NULL;
	}
	block_signals(&set);
	for (int i = 0; !o.ok && i < TRIES; i++) {
		if (!look(a, &t))
			return NULL;
		apart(begin, &t, a->library, &o);
		if (!o.ok && target_replaced(&t) && i + 1 < TRIES)
			target_close(&t);
		else
			break;
	}
	if (!o.ok) {
		say_failed(&t, o.why);
		return NULL;
	}
	if (o.answer.file[0])
		root_path(a->pid, o.answer.file, file, sizeof(file));
	say_begun(a, &o.answer);
	if (a->watch && file[0])
		watcher = watch(a, file);
	how = wait_end(a, &t, o.word, &set, watcher);
	ok = how == BY_US ? let_go(a, &t, o.word, file, sizeof(file))
			  : left(a, how, file, sizeof(file));
	if (watcher > 0) {
		kill(watcher, SIGTERM);
		waitpid(watcher, NULL, 0);
	}
	target_close(&t);
	return ok ? file : NULL;
}
