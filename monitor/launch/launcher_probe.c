/* SPDX-License-Identifier: MIT */
/* Which allocator a program will have, and a probe of it in a separate
 * process. */
#include "monitor/launch/launcher_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monitor/launch/launcher_cache.h"
#include "monitor/base/program.h"
#include "monitor/launch/launcher_elf.h"
#include "monitor/launch/probe.h"

/* Seconds after which the probe is ended. */
enum { LIMIT = 2 };

/* ---------------------------------------------------------------- asking -- */

/* In the child: execute the program, silently. */
static __attribute__((noreturn)) void
become(char *const *argv, const char *file, const char *preload, int to,
       int pipe)
{
	struct rlimit none = { 0, 0 };
	sigset_t set;
	int null;

	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	signal(SIGALRM, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	setrlimit(RLIMIT_CORE, &none);
	alarm(LIMIT);
	pipe = fcntl(pipe, F_DUPFD_CLOEXEC, PROBE_FD + 1);
	null = open("/dev/null", O_RDWR);
	for (int i = 0; i < 3; i++)
		dup2(null, i);
	dup2(pipe, to);
	if (preload && *preload)
		setenv("LD_PRELOAD", preload, 1);
	else
		unsetenv("LD_PRELOAD");
	execv(file, argv);
	_exit(127);
}

/*
 * Run a program with that LD_PRELOAD, and read what it writes to descriptor
 * `from' into to[n], as a string.
 */
static bool
ask(char *const *argv, const char *file, const char *preload, int from,
    char *to, size_t n)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, was;
	size_t have = 0;
	ssize_t r = 1;
	pid_t child;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) != 0)
		return false;
	/* Keeps this child out of the resource usage of the program's
	 * children. */
	sigaction(SIGCHLD, &ignore, &was);
	child = fork();
	if (child == 0)
		become(argv, file, preload, from, fd[1]);
	close(fd[1]);
	while (child > 0 && have < n - 1 && r != 0) {
		r = read(fd[0], to + have, n - 1 - have);
		if (r < 0 && errno != EINTR)
			break;
		have += r > 0 ? (size_t)r : 0;
	}
	to[have] = '\0';
	close(fd[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	sigaction(SIGCHLD, &was, NULL);
	return have > 0 && have < n - 1;
}

bool
launcher_probe_libraries(const char *program, const char *preload, char *to,
			 size_t n)
{
	char loader[PATH_MAX];
	char *const argv[] = { loader, "--list", (char *)program, NULL };
	int fd = open(program, O_RDONLY | O_CLOEXEC);
	bool ok;

	if (fd < 0)
		return false;
	ok = launcher_elf_loader(fd, loader, sizeof(loader)) == 1;
	close(fd);
	return ok && ask(argv, loader, preload, 1, to, n);
}

/* Lines "NAME => PATH (ADDRESS)", or "PATH (ADDRESS)". */
char *
launcher_probe_next(char **text, char **name)
{
	char *line, *path, *end;

	while ((line = strsep(text, "\n"))) {
		line += strspn(line, "\t ");
		end = strstr(line, " (0x");
		if (!end)
			continue;
		*end = '\0';
		path = strstr(line, " => ");
		if (path)
			*path = '\0';
		*name = line;
		path = path ? path + 4 : line;
		if (*path == '/')
			return path;
	}
	return NULL;
}

bool
launcher_probe_is_allocator(const char *path)
{
	struct mmi_program what;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	mmi_program_look(fd, &what);
	close(fd);
	return what.own_malloc;
}

/* ------------------------------------------------------------- allocator -- */

struct allocator {
	char path[PATH_MAX];
	char id[96]; /* build-id in hex, or "" */
	bool libc;
	bool alone; /* only libc has another malloc() */
};

static bool
begins(const char *path, const char *with)
{
	const char *slash = strrchr(path, '/');

	return !strncmp(slash ? slash + 1 : path, with, strlen(with));
}

/* Finds the first of its libraries that has malloc(), except the monitor. */
static bool
find_allocator(const char *program, struct allocator *a)
{
	static char list[1 << 18];
	char *at = list, *path, *name;
	int fd;

	a->path[0] = '\0';
	a->alone = true;
	if (!launcher_probe_libraries(program, getenv("LD_PRELOAD"), list,
				      sizeof(list)))
		return false;
	while ((path = launcher_probe_next(&at, &name))) {
		if (begins(path, "libmemmon") ||
		    !launcher_probe_is_allocator(path))
			continue;
		if (a->path[0]) {
			a->alone &= begins(path, "libc.so");
			continue;
		}
		snprintf(a->path, sizeof(a->path), "%s", path);
		a->libc = begins(path, "libc.so");
		fd = open(path, O_RDONLY | O_CLOEXEC);
		launcher_elf_build_id(fd, a->id, sizeof(a->id));
		close(fd);
	}
	return a->path[0] != '\0';
}

/* LD_PRELOAD for the probe: the user's without the monitor, and the
 * allocator. */
static void
probe_preload(const struct allocator *a, char *to, size_t n)
{
	const char *p = getenv("LD_PRELOAD");
	size_t have = 0, len;

	to[0] = '\0';
	for (; p && *p; p += len + (p[len] != '\0')) {
		char one[PATH_MAX];

		len = strcspn(p, ": ");
		snprintf(one, sizeof(one), "%.*s", (int)len, p);
		if (len && !begins(one, "libmemmon") && have < n)
			have += (size_t)snprintf(to + have, n - have,
						 "%s:", one);
	}
	if (!a->libc && have < n)
		snprintf(to + have, n - have, "%s", a->path);
}

/* ----------------------------------------------------------------- cache -- */

/* The cache file for an allocator's properties.  false: none, for example
 * because the environment changes how the allocator works. */
static bool
cache_file(const struct allocator *a, char *to, size_t n)
{
	for (char **e = environ; e && *e; e++) {
		size_t name = strcspn(*e, "=");
		const char *malloc = strstr(*e, "MALLOC");

		if ((malloc && malloc < *e + name) ||
		    !strncmp(*e, "GLIBC_TUNABLES=", 15))
			return false;
	}
	return a->id[0] && a->alone &&
	       launcher_cache_path(to, n, "probes", a->id);
}

static bool
is_whole(const char *text, size_t n)
{
	return n > 6 && !memcmp(text, "style=", 6) && text[n - 1] == '\n';
}

static bool
cache_read(const char *file, char *text, size_t n)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	ssize_t r = fd < 0 ? -1 : read(fd, text, n - 1);

	if (fd >= 0)
		close(fd);
	text[r < 0 ? 0 : r] = '\0';
	return r > 0 && is_whole(text, (size_t)r);
}

/* The file appears complete, or not at all. */
static void
cache_write(const char *file, const char *text)
{
	char new[PATH_MAX + 24];
	size_t n = strlen(text);
	bool ok;
	int fd;

	snprintf(new, sizeof(new), "%s.%ld", file, (long)getpid());
	fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	ok = write(fd, text, n) == (ssize_t)n;
	close(fd);
	if (!ok || rename(new, file) != 0)
		unlink(new);
}

void
launcher_probe(const char *program)
{
	static char text[8193], preload[1 << 16],
		value[sizeof(text) + PATH_MAX + 128];
	static struct allocator a;
	char *const argv[] = { PROBE_NAME, NULL };
	const char *asked = getenv("MEMMON_ALLOCATOR");
	char file[PATH_MAX], *classes;
	bool known, keep;

	if (!asked || !strcmp(asked, "0") || getenv(LAUNCHER_PROBE) ||
	    !program || launcher_probe_is_allocator(program) ||
	    !find_allocator(program, &a))
		return;
	keep = cache_file(&a, file, sizeof(file));
	known = keep && cache_read(file, text, sizeof(text));
	if (!known) {
		probe_preload(&a, preload, sizeof(preload));
		if (!ask(argv, "/proc/self/exe", preload, PROBE_FD, text,
			 sizeof(text)) ||
		    !is_whole(text, strlen(text)))
			return;
		if (keep)
			cache_write(file, text);
	}
	text[strlen(text) - 1] = '\0';
	classes = strstr(text, " classes=");
	classes = classes ? classes : text + strlen(text);
	snprintf(value, sizeof(value), "%.*s%s%s%s%s%s", (int)(classes - text),
		 text, strchr(a.path, ' ') ? "" : " path=",
		 strchr(a.path, ' ') ? "" : a.path, a.id[0] ? " id=" : "", a.id,
		 classes);
	setenv(LAUNCHER_PROBE, value, 1);
}
