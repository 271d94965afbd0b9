/* SPDX-License-Identifier: MIT */
/* The place of the data file. */
#include "monitor/launch/launcher_place.h"

#include <glob.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "monitor/base/process.h"
#include "monitor/base/rank.h"
#include "monitor/launch/launcher_image.h"
#include "monitor/launch/launcher_program.h"
#include "monitor/store/name.h"

#define NS 1000000000ull

/* Seconds until the program reads its own clock, for %t. */
#define START_LATE 3

/* Names with a number that are tried; the monitor tries more. */
#define TRIES 20

/* Input of name.c. */
struct mmi_process mmi_process = { .exe = "", .cwd = "", .pattern = "mon.out" };

static char path[PATH_MAX];
static char cwd[PATH_MAX], exe_path[PATH_MAX];
static struct stat before; /* of path; st_nlink 0: it doesn't exist */

/* Is the letter's value part of the name, or of its directory? */
static bool
has(char letter, bool directory)
{
	const char *slash = strrchr(mmi_process.pattern, '/');

	for (const char *p = mmi_process.pattern; (p = strchr(p, '%')); p += 2)
		if (p[1] == letter || !p[1])
			return p[1] == letter &&
			       (!directory || (slash && p < slash));
	return false;
}

static bool
fails(char *what, size_t n, const char *name, const char *why)
{
	snprintf(what, n, "%s: %s", name, why);
	return false;
}

/* Can files be made in the directory of path? */
static bool
check_directory(char *what, size_t n)
{
	char *slash = strrchr(path, '/'), *dir = slash == path ? "/" : path;
	struct stat st;
	bool ok = true;

	if (!slash)
		return true;
	*slash = '\0';
	if (stat(dir, &st) != 0)
		ok = fails(what, n, dir, strerror(errno));
	else if (!S_ISDIR(st.st_mode))
		ok = fails(what, n, dir, strerror(ENOTDIR));
	else if (faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS) != 0)
		ok = fails(what, n, dir, strerror(errno));
	*slash = '/';
	return ok;
}

static const char *
variable(const char *name)
{
	return getenv(name);
}

bool
launcher_place_check(const char *exe, char *what, size_t n)
{
	const char *out = getenv("MEMMON_OUT");
	struct timespec now;
	bool has_pid;

	if (out && *out)
		mmi_process.pattern = out;
	mmi_process.rank = mmi_rank_variable(variable);
	mmi_process.job = mmi_job_variable(variable);
	if (getcwd(cwd, sizeof(cwd)))
		mmi_process.cwd = cwd;
	if (exe && realpath(exe, exe_path))
		mmi_process.exe = exe_path;
	mmi_process.pid = getpid();
	clock_gettime(CLOCK_REALTIME, &now);
	mmi_process.start = (uint64_t)now.tv_sec * NS;
	if (!mmi_name_expand(path, sizeof(path), false, 0, &has_pid))
		return fails(what, n, "the data file's name",
			     strerror(ENAMETOOLONG));
	if (stat(path, &before) != 0)
		before.st_nlink = 0;
	else if (S_ISDIR(before.st_mode))
		return fails(what, n, path, strerror(EISDIR));
	else if (!S_ISREG(before.st_mode))
		return access(path, W_OK) == 0 ||
		       fails(what, n, path, strerror(errno));
	/* A script's interpreter isn't known yet, so its name isn't, either. */
	return has('e', true) || has('t', true) || check_directory(what, n);
}

/* Is there a file of this name, other than the one that was there before? */
static bool
came(const char *file)
{
	struct stat st;

	if (stat(file, &st) != 0)
		return false;
	return strcmp(file, path) != 0 || !before.st_nlink ||
	       st.st_ino != before.st_ino || st.st_dev != before.st_dev ||
	       st.st_mtim.tv_sec != before.st_mtim.tv_sec ||
	       st.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
}

static char name[PATH_MAX]; /* of the file that came; "": unknown */

/* A data file of that process, and not a snapshot or a log? */
static bool
is_left_at_exec(const char *file, const char *begins)
{
	size_t n = strlen(begins), len = strlen(file);

	return len > n && !strncmp(file, begins, n) &&
	       file[n + strspn(file + n, ".0123456789")] &&
	       strcmp(file + len - 4, ".log") != 0;
}

/*
 * The program has executed another one that writes no file.  The program's own
 * file has the process's number and a program's name behind the first n bytes
 * of `name'.  Finds the latest of such files.
 */
static bool
came_at_exec(size_t n)
{
	char *base = strrchr(name, '/') + 1, begins[NAME_MAX + 1];
	struct timespec last = { 0, 0 };
	struct dirent *e;
	struct stat st;
	DIR *d;

	snprintf(begins, sizeof(begins), "%.*s.", (int)(name + n - base), base);
	*base = '\0';
	d = opendir(name);
	while (d && (e = readdir(d))) {
		if (!is_left_at_exec(e->d_name, begins) ||
		    fstatat(dirfd(d), e->d_name, &st, 0) != 0 ||
		    st.st_mtim.tv_sec < last.tv_sec ||
		    (st.st_mtim.tv_sec == last.tv_sec &&
		     st.st_mtim.tv_nsec < last.tv_nsec))
			continue;
		last = st.st_mtim;
		snprintf(base, sizeof(name) - (size_t)(base - name), "%s",
			 e->d_name);
	}
	if (d)
		closedir(d);
	return *base;
}

/* Has a file come under any of the names that the monitor tries? */
static bool
came_any(void)
{
	bool has_pid;

	for (unsigned i = 0; i < TRIES; i++) {
		if (!mmi_name_expand(name, sizeof(name), false, i, &has_pid)) {
			name[0] = '\0';
			return true;
		}
		if (came(name))
			return true;
	}
	return mmi_name_dump(name, sizeof(name), 0) && strchr(name, '/') &&
	       came_at_exec(strlen(name));
}

static bool
came_since(void)
{
	for (int i = 0; i <= (has('t', false) ? START_LATE : 0); i++) {
		if (came_any())
			return true;
		mmi_process.start += NS;
	}
	return false;
}

/*
 * Was a file put there while the program ran?  A data file gets its name when
 * it is complete; an image has its name from the start.
 */
enum put { NONE, NOT_KNOWN, WHOLE };

/* Length of the directory of a path, or 0. */
static size_t
directory(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? (size_t)(slash - name) : 0;
}

static int made = -1; /* inotify descriptor; -1: unknown */
static uint64_t started; /* the process's start, estimated */

/* An inotify descriptor for new files in the directory of path; or -1. */
static int
watch_directory(void)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK), watched = -1;
	size_t n = directory(path);
	char c = path[n];

	if (fd < 0)
		return -1;
	path[n] = '\0';
	watched = inotify_add_watch(fd, n ? path : "/",
				    IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO |
					    IN_MOVE_SELF | IN_ONLYDIR);
	path[n] = c;
	if (watched >= 0)
		return fd;
	close(fd);
	return -1;
}

/*
 * Is it the name, or the name with a number, which the monitor may have taken?
 * The first number must be the process id: any other belongs to a file that was
 * moved.
 */
static bool
is_name(const char *made, const char *name, bool has_pid)
{
	size_t n = strlen(name);
	char *end;

	if (strncmp(made, name, n) != 0)
		return false;
	made += n;
	if (*made != '.')
		return !*made;
	if (!has_pid && strtol(made + 1, &end, 10) != mmi_process.pid)
		return false;
	return !made[strspn(made, ".0123456789")];
}

/* Is an image about to get its name? */
static bool
is_image(const struct inotify_event *e)
{
	const char *end = e->len ? strrchr(e->name, '.') : NULL;

	return e->mask & IN_MOVED_FROM && end && strcmp(end, ".live") == 0;
}

/* What happened to that name in the directory. */
static enum put
put_name(const char *events, size_t n, const char *name, bool has_pid)
{
	const struct inotify_event *e;
	enum put put = NONE;
	uint32_t image = 0;

	for (const char *p = events; p < events + n; p += sizeof(*e) + e->len) {
		e = (const struct inotify_event *)p;
		if (is_image(e))
			image = e->cookie;
		else if (!e->len)
			put = NOT_KNOWN; /* events were dropped */
		else if (!(e->mask & IN_MOVED_FROM) &&
			 is_name(e->name, name, has_pid))
			put = e->mask & IN_MOVED_TO && e->cookie != image
				      ? WHOLE
				      : NOT_KNOWN;
		if (put == WHOLE)
			break;
	}
	return put;
}

/* The same for the name at each possible time, in the watched directory. */
static enum put
put_since(const char *events, size_t n)
{
	char name[PATH_MAX];
	enum put put = NONE, one;
	bool has_pid;
	size_t dir;

	for (int i = 0; i <= (has('t', false) ? START_LATE : 0); i++) {
		mmi_process.start = started + (uint64_t)i * NS;
		if (!mmi_name_expand(name, sizeof(name), false, 0, &has_pid))
			return NOT_KNOWN;
		dir = directory(name);
		if (dir != directory(path) || memcmp(name, path, dir) != 0)
			return NOT_KNOWN;
		one = put_name(events, n, name + dir + 1, has_pid);
		put = one > put ? one : put;
	}
	return put;
}

/* Reads all events so far. */
static enum put
was_put(void)
{
	static char events[1 << 16] __attribute__((aligned(8)));
	enum put put = made < 0 ? NOT_KNOWN : NONE, one;
	ssize_t n;

	while (made >= 0 && put != WHOLE &&
	       (n = read(made, events, sizeof(events))) > 0) {
		one = put_since(events, (size_t)n);
		put = one > put ? one : put;
	}
	return put;
}

/* The program runs: computes its file's name again, with its own path. */
static void
name_again(void)
{
	if (launcher_program_of(mmi_process.pid, exe_path, sizeof(exe_path)))
		mmi_process.exe = exe_path;
}

/* Ends a process of memmon; preloaded libraries don't notice. */
static __attribute__((noreturn)) void
leave(void)
{
	for (;;)
		syscall(SYS_exit_group, 0);
}

/* The program's recording ended when it executed another program. */
static void
say_executed(const char *file)
{
	dprintf(2,
		"memmon: %s: the counts end where the program executed another "
		"program; see exec and chroot in memmon-circumstances(7)\n",
		file);
}

/* Relative to the directory where the user started memmon. */
const char *
launcher_place_came(void)
{
	size_t n = strlen(cwd);

	if (!came_since())
		return NULL;
	if (launcher_image_executed(name))
		say_executed(name);
	return n > 1 && !strncmp(name, cwd, n) && name[n] == '/' ? name + n + 1
								 : name;
}

void
launcher_place_of(long pid)
{
	mmi_process.pid = pid;
	name_again();
}

void
launcher_place_begin(void)
{
	made = watch_directory();
	started = mmi_process.start;
}

/* Has a program that this one started written a file, PATH.PID? */
static bool
children_wrote(void)
{
	char pattern[PATH_MAX + 8];
	struct stat st;
	bool some = false;
	glob_t g;

	if (snprintf(pattern, sizeof(pattern), "%s.[0-9]*", path) >=
		    (int)sizeof(pattern) ||
	    glob(pattern, GLOB_NOSORT, NULL, &g) != 0)
		return false;
	for (size_t i = 0; i < g.gl_pathc; i++)
		some |= stat(g.gl_pathv[i], &st) == 0 &&
			(uint64_t)st.st_mtim.tv_sec >= started / 1000000000;
	globfree(&g);
	return some;
}

void
launcher_place_complain(void)
{
	enum put put;
	struct stat st;

	/* `path' has the name of the first program, if names contain it. */
	if (came(path)) {
		say_executed(path);
		return;
	}
	put = was_put();
	if (put == WHOLE)
		return;
	if (put == NONE && children_wrote()) {
		dprintf(2,
			"memmon: %s.*: data files of programs that were "
			"started; the first program wrote none\n",
			path);
		return;
	}
	dprintf(2,
		"memmon: %s: the program has ended, but %s%s%s; see "
		"memmon-circumstances(7)\n",
		path,
		put == NONE ? "no data file was written"
			    : "its data file is missing: not written, or moved",
		launcher_image_why(path),
		stat(path, &st) == 0
			? ", and the existing file is from an earlier run"
			: "");
}

static __attribute__((noreturn)) void
watch(int process, int pipe)
{
	struct pollfd end = { .fd = process, .events = POLLIN };
	char c;

	if (read(pipe, &c, 1) != 0)
		leave();
	name_again();
	while (poll(&end, 1, -1) < 0 && errno == EINTR)
		;
	if (!came_since())
		launcher_place_complain();
	else if (launcher_image_executed(name))
		say_executed(name);
	leave();
}

/* In the intermediate process: detaches the watcher. */
static __attribute__((noreturn)) void
detach(int process, int pipe)
{
	sigset_t none;

	if (fork() != 0)
		leave();
	setsid();
	if (chdir("/") != 0)
		leave();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Each may have the number that the other needs. */
	process = fcntl(process, F_DUPFD, 4);
	pipe = fcntl(pipe, F_DUPFD, 4);
	made = made < 0 ? -1 : fcntl(made, F_DUPFD, 4);
	if (dup2(process, 0) < 0 || dup2(pipe, 1) < 0)
		leave();
	if (made >= 0)
		made = dup2(made, 3);
	syscall(SYS_close_range, made < 0 ? 3 : 4, ~0u, 0);
	watch(0, 1);
}

/*
 * Does this process adopt orphans?  Then the program could wait for the
 * watcher, which waits for the program.
 */
static bool
reaps(void)
{
	int reaper = 0;

	return getpid() == 1 ||
	       (prctl(PR_GET_CHILD_SUBREAPER, &reaper) == 0 && reaper);
}

int
launcher_place_watch(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, was;
	int process, fd[2];
	pid_t child;

	if (fcntl(2, F_GETFD) < 0 || reaps() ||
	    (before.st_nlink && !S_ISREG(before.st_mode)))
		return -1;
	process = (int)syscall(SYS_pidfd_open, getpid(), 0);
	if (process < 0)
		return -1;
	if (pipe2(fd, O_CLOEXEC) != 0) {
		close(process);
		return -1;
	}
	launcher_place_begin();
	/* Keeps this child out of the resource usage of the program's
	 * children. */
	sigaction(SIGCHLD, &ignore, &was);
	child = fork();
	if (child == 0) {
		close(fd[1]);
		detach(process, fd[0]);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	sigaction(SIGCHLD, &was, NULL);
	close(process);
	close(made);
	close(fd[0]);
	return fd[1];
}

void
launcher_place_forget(int fd)
{
	if (fd >= 0 && write(fd, "", 1) < 0)
		close(fd);
}
