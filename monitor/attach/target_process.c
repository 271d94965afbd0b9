/* SPDX-License-Identifier: MIT */
/* A process that memmon attaches to: its files in /proc. */
#include "monitor/attach/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <link.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The text behind "NAME:" in /proc/PID/status, in line[n]; NULL: none. */
static char *
status_line(pid_t pid, const char *name, char *line, size_t n)
{
	size_t len = strlen(name);
	char file[64], *found = NULL;
	FILE *f;

	snprintf(file, sizeof(file), "/proc/%ld/status", (long)pid);
	f = fopen(file, "re");
	while (f && !found && fgets(line, (int)n, f))
		if (!strncmp(line, name, len) && line[len] == ':')
			found = line + len + 1;
	if (f)
		fclose(f);
	return found;
}

long long
target_status(pid_t pid, const char *name, int base)
{
	char line[256], *v = status_line(pid, name, line, sizeof(line));

	return v ? (long long)strtoull(v, NULL, base) : -1;
}

long long
target_own_pid(pid_t pid)
{
	char line[256], *v = status_line(pid, "NSpid", line, sizeof(line));
	const char *last = v ? strrchr(v, '\t') : NULL;

	return last ? strtoll(last + 1, NULL, 10) : pid;
}

long
target_number(const char *file)
{
	char line[64], *end;
	long v = -1;
	FILE *f = fopen(file, "re");

	if (f && fgets(line, sizeof(line), f)) {
		v = strtol(line, &end, 10);
		if (end == line)
			v = -1;
	}
	if (f)
		fclose(f);
	return v;
}

/* The fields of /proc/PID/stat, or of a thread's, from the state on. */
static bool
stat_read(pid_t pid, pid_t tid, char *line, size_t n, const char **from)
{
	char file[64], *p = NULL;
	FILE *f;

	snprintf(file, sizeof(file), "/proc/%ld/task/%ld/stat", (long)pid,
		 (long)tid);
	f = fopen(file, "re");
	if (f && fgets(line, (int)n, f))
		p = strrchr(line, ')');
	if (f)
		fclose(f);
	*from = p && p[1] ? p + 2 : NULL;
	return *from != NULL;
}

/* The state of a thread: one letter; 0: unknown. */
static char
state_of(pid_t pid, pid_t tid)
{
	char line[1024];
	const char *p;

	return stat_read(pid, tid, line, sizeof(line), &p) ? *p : '\0';
}

static bool
is_over(pid_t pid, pid_t tid)
{
	char state = state_of(pid, tid);

	return !state || strchr("ZXx", state);
}

pid_t
target_thread(pid_t pid)
{
	pid_t found = is_over(pid, pid) ? 0 : pid, tid;
	struct dirent *e;
	char dir[64];
	DIR *d;

	if (found)
		return found;
	snprintf(dir, sizeof(dir), "/proc/%ld/task", (long)pid);
	d = opendir(dir);
	while (d && !found && (e = readdir(d))) {
		tid = (pid_t)strtol(e->d_name, NULL, 10);
		if (tid > 0 && !is_over(pid, tid))
			found = tid;
	}
	if (d)
		closedir(d);
	return found;
}

unsigned long long
target_started(pid_t pid)
{
	char line[1024];
	const char *p;

	if (!stat_read(pid, pid, line, sizeof(line), &p))
		return 0;
	/* The 22nd field; the state is the third. */
	for (unsigned i = 3; i < 22 && p; i++) {
		p = strchr(p, ' ');
		p += p != NULL;
	}
	return p ? strtoull(p, NULL, 10) : 0;
}

bool
target_ended(const struct target *t)
{
	return !target_thread(t->pid) || target_started(t->pid) != t->started;
}

bool
target_replaced(const struct target *t)
{
	char byte;

	/*
	 * The opened memory vanishes with its program.  Then no mapping can be
	 * read, in the old or the new program.
	 */
	for (size_t i = 0; i < t->nmaps; i++)
		if (target_get(t, t->map[i].start, &byte, 1))
			return false;
	return t->nmaps != 0;
}

bool
target_waits(pid_t pid, pid_t tid)
{
	return state_of(pid, tid) == 'D';
}

bool
target_borrows(pid_t pid)
{
	long long parent = target_status(pid, "PPid", 10);

	return parent > 0 &&
	       syscall(SYS_kcmp, pid, (pid_t)parent, KCMP_VM, 0, 0) == 0;
}

/* The program in the loader's list, as its first entry; or NULL. */
static const struct target_module *
program_module(const struct target *t)
{
	uintptr_t at = target_find(target_of(t, TARGET_LOADER), "_r_debug");
	uintptr_t map = 0, dynamic = 0;

	if (!at ||
	    !target_get(t, at + offsetof(struct r_debug, r_map), &map,
			sizeof(map)) ||
	    !map ||
	    !target_get(t, map + offsetof(struct link_map, l_ld), &dynamic,
			sizeof(dynamic)))
		return NULL;
	return target_module(t, dynamic);
}

int
target_program(const struct target *t, char *path, size_t n)
{
	const struct target_module *m = program_module(t);
	const struct target_map *map = m ? target_map(t, m->start) : NULL;
	char file[PATH_MAX + 64];
	ssize_t len;
	int fd = -1;

	snprintf(file, sizeof(file), "/proc/%ld/task/%ld/exe", (long)t->pid,
		 (long)target_thread(t->pid));
	len = readlink(file, path, n - 1);
	path[len > 0 ? len : 0] = '\0';
	if (!map || !strcmp(map->path, path))
		return open(file, O_RDONLY | O_CLOEXEC);
	snprintf(path, n, "%s", map->path);
	snprintf(file, sizeof(file), "/proc/%ld/map_files/%lx-%lx",
		 (long)t->pid, (unsigned long)map->start,
		 (unsigned long)map->end);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	snprintf(file, sizeof(file), "/proc/%ld/root%s", (long)t->pid, path);
	return open(file, O_RDONLY | O_CLOEXEC);
}

/*
 * Does the CPU compare return addresses with a shadow stack (visible since
 * Linux 6.6)?  Then a call that is made for the thread can't return.
 */
static bool
has_shadow_stack(pid_t pid)
{
	char line[256];
	const char *v =
		status_line(pid, "x86_Thread_features", line, sizeof(line));

	return v && strstr(v, "shstk");
}

bool
target_restricts(pid_t pid)
{
	return target_status(pid, "Seccomp", 10) == 1 ||
	       target_status(pid, "Seccomp_filters", 10) >
		       target_status(getpid(), "Seccomp_filters", 10);
}

/* The second number of the line: the effective id. */
static long long
effective(pid_t pid, const char *name)
{
	char line[256], *v = status_line(pid, name, line, sizeof(line));

	if (!v)
		return -1;
	strtoll(v, &v, 10);
	return strtoll(v, NULL, 10);
}

/* Become the user of the process, as far as possible. */
static void
become(pid_t pid)
{
	long long user = effective(pid, "Uid"), group = effective(pid, "Gid");
	char line[4096], *v = status_line(pid, "Groups", line, sizeof(line));
	gid_t groups[256];
	size_t n = 0;

	for (char *end; v && n < sizeof(groups) / sizeof(*groups); v = end) {
		groups[n] = (gid_t)strtoul(v, &end, 10);
		if (end == v)
			break;
		n++;
	}
	if (geteuid() != 0 || user <= 0 || group < 0)
		return;
	if (setgroups(n, groups) != 0 || setegid((gid_t)group) != 0 ||
	    seteuid((uid_t)user) != 0)
		_exit(0);
}

int
target_writes(pid_t pid, const char *path)
{
	pid_t child;
	int status = 0;

	/* Only root may follow the process's own link to its root, so a
	 * descriptor is opened first. */
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	child = fork();
	if (child == 0) {
		char self[64];

		become(pid);
		snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
		_exit(faccessat(AT_FDCWD, self, W_OK | X_OK, AT_EACCESS) == 0
			      ? 0
			      : errno & 127);
	}
	close(fd);
	if (child < 0 || waitpid(child, &status, 0) != child ||
	    !WIFEXITED(status))
		return 0;
	return WEXITSTATUS(status);
}

bool
target_look(pid_t pid, char *why, size_t n)
{
	long long by = target_status(pid, "TracerPid", 10), tgid;
	char file[64], to[8];

	if (kill(pid, 0) != 0 && errno == ESRCH) {
		snprintf(why, n, "process %ld doesn't exist", (long)pid);
		return false;
	}
	tgid = target_status(pid, "Tgid", 10);
	snprintf(file, sizeof(file), "/proc/%ld/task/%ld/exe", (long)pid,
		 (long)target_thread(pid));
	if (tgid < 0)
		snprintf(why, n,
			 "process %ld isn't visible in /proc; mount /proc%s",
			 (long)pid,
			 geteuid() == 0 ? "" : ", or run memmon as root");
	else if (tgid != pid)
		snprintf(why, n,
			 "%ld is a thread of process %lld; attach to the "
			 "process",
			 (long)pid, tgid);
	else if (!target_thread(pid))
		snprintf(why, n, "process %ld has ended (a zombie)", (long)pid);
	else if (by > 0)
		snprintf(why, n,
			 "process %ld is already traced by process %lld; end "
			 "the tracing first",
			 (long)pid, by);
	else if (pid == getpid())
		snprintf(why, n, "process %ld is memmon itself", (long)pid);
	else if (has_shadow_stack(pid))
		snprintf(why, n,
			 "process %ld has a shadow stack; start the program "
			 "with GLIBC_TUNABLES=glibc.cpu.x86_shstk=off, or by "
			 "memmon",
			 (long)pid);
	else if (readlink(file, to, sizeof(to)) < 0 && errno == ENOENT)
		snprintf(why, n,
			 "process %ld has no program (a thread of the "
			 "kernel)",
			 (long)pid);
	else if (target_restricts(pid))
		snprintf(why, n,
			 "process %ld restricts its system calls (seccomp), "
			 "and a call of the monitor could end the process",
			 (long)pid);
	else
		return true;
	return false;
}
