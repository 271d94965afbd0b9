/* SPDX-License-Identifier: MIT */
#include "monitor/launch/launcher_with.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monitor/launch/launcher_cache.h"
#include "monitor/launch/launcher_probe.h"
#include "monitor/launch/launcher_program.h"

/* Allocators by name: the libraries that contain them, and Debian's package. */
static const struct known {
	const char *name;
	const char *library[4]; /* one of these; none: libc's */
	const char *package;
} known[] = {
	{ "glibc", { NULL }, NULL },
	{ "jemalloc", { "libjemalloc.so.2" }, "libjemalloc2" },
	{ "mimalloc",
	  { "libmimalloc.so.3", "libmimalloc.so.2", "libmimalloc.so.2.0" },
	  "libmimalloc2.0" },
	{ "tcmalloc",
	  { "libtcmalloc_minimal.so.4", "libtcmalloc.so.4" },
	  "libtcmalloc-minimal4" },
};

enum { KNOWN = sizeof(known) / sizeof(known[0]), MOST = 16 };

/* An allocator of the list: its name, and the library to preload, or "". */
struct one {
	char name[64];
	char library[PATH_MAX];
};

static struct one list[MOST];
static int nlist;

/* ------------------------------------------------------------- libraries -- */

/* The path where the program's loader finds the library. */
static bool
find_library(const char *program, const char *name, char *to)
{
	static char text[1 << 18];
	char *at = text, *path, *as;

	if (!launcher_probe_libraries(program, name, text, sizeof(text)))
		return false;
	while ((path = launcher_probe_next(&at, &as)))
		if (!strcmp(as, name))
			return snprintf(to, PATH_MAX, "%s", path) < PATH_MAX;
	return false;
}

/*
 * The library to preload for libc's malloc: none, or libc itself if the program
 * is linked with another allocator.
 */
static bool
find_libc(const char *program, char *to)
{
	static char text[1 << 18];
	char *at = text, *path, *as;

	*to = '\0';
	if (!launcher_probe_libraries(program, "", text, sizeof(text)))
		return false;
	while ((path = launcher_probe_next(&at, &as)))
		if (launcher_probe_is_allocator(path))
			return !strncmp(as, "libc.so", 7) ||
			       find_library(program, "libc.so.6", to);
	return false;
}

static const struct known *
find_known(const char *name)
{
	for (int i = 0; i < KNOWN; i++)
		if (!strcmp(known[i].name, name))
			return &known[i];
	return NULL;
}

static bool
is_installed(const char *program, const struct known *k, char *to)
{
	*to = '\0';
	if (!k->library[0])
		return find_libc(program, to);
	for (int i = 0; i < 4 && k->library[i]; i++)
		if (find_library(program, k->library[i], to))
			return true;
	return false;
}

/* The file name of a path, without ".so" and the rest. */
static void
name_of(const char *path, char *to, size_t n)
{
	const char *slash = strrchr(path, '/');
	char *end;

	snprintf(to, n, "%s", slash ? slash + 1 : path);
	end = strstr(to, ".so");
	if (end && end != to)
		*end = '\0';
}

/* Adds the allocator with this name or path to the list. */
static void
add(const char *program, const char *text)
{
	const struct known *k = find_known(text);
	struct one *to = &list[nlist];

	if (nlist == MOST)
		launcher_die(EXIT_OURS, "more than %d allocators", MOST);
	if (strchr(text, '/')) {
		if (access(text, R_OK) != 0 || !realpath(text, to->library))
			launcher_die(EXIT_OURS, "%s: %s", text,
				     strerror(errno));
		if (strpbrk(to->library, ": "))
			launcher_die(EXIT_OURS,
				     "%s: LD_PRELOAD can't contain a path with "
				     "a blank or a colon; move the library",
				     to->library);
		if (!launcher_probe_is_allocator(to->library))
			launcher_die(
				EXIT_OURS,
				"%s isn't an allocator: it contains no malloc",
				to->library);
		name_of(to->library, to->name, sizeof(to->name));
	} else if (!k) {
		launcher_die(
			EXIT_OURS,
			"'%s' isn't a known allocator; name glibc, jemalloc, "
			"mimalloc, tcmalloc or the path of a library",
			text);
	} else if (!is_installed(program, k, to->library)) {
		launcher_die(EXIT_OURS,
			     "%s isn't installed: %s is missing; install it "
			     "(Debian package %s)",
			     k->name, k->library[0], k->package);
	} else {
		snprintf(to->name, sizeof(to->name), "%s", k->name);
	}
	for (int i = 0; i < nlist; i++)
		if (!strcmp(list[i].name, to->name))
			launcher_die(
				EXIT_OURS,
				"%s: named twice; name each allocator once",
				to->name);
	nlist++;
}

static void
add_all(const char *program, const char *text)
{
	char *copy = strdup(text), *rest = copy, *one;

	if (!copy)
		launcher_die(EXIT_OURS, "out of memory");
	while ((one = strsep(&rest, ",")))
		if (*one)
			add(program, one);
	free(copy);
	if (!nlist)
		launcher_die(EXIT_OURS,
			     "no allocator is named; name glibc, jemalloc, "
			     "mimalloc, tcmalloc or the path of a library");
}

/* ------------------------------------------------------------------ runs -- */

static volatile pid_t running;

static void
pass_on(int sig)
{
	if (running > 0)
		kill(running, sig);
}

/*
 * Forks: -1 in the new process, else its exit status.  The terminal's
 * interrupts go to the new process, and other signals that end a process are
 * passed on to it.
 */
static int
apart(bool *stop)
{
	static const int passed[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	enum { PASSED = sizeof(passed) / sizeof(passed[0]) };
	struct sigaction act = { .sa_handler = pass_on }, was[PASSED];
	int status = 0;
	pid_t child;

	/* The terminal sends these to the new process, too. */
	for (int i = 0; i < PASSED; i++) {
		act.sa_handler = passed[i] == SIGINT || passed[i] == SIGQUIT
					 ? SIG_IGN
					 : pass_on;
		sigaction(passed[i], &act, &was[i]);
	}
	child = fork();
	running = child;
	if (child > 0)
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	for (int i = 0; i < PASSED; i++)
		sigaction(passed[i], &was[i], NULL);
	if (child < 0)
		launcher_die(EXIT_OURS, "fork: %s", strerror(errno));
	if (child == 0)
		return -1;
	running = 0;
	*stop = WIFSIGNALED(status) &&
		(WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGQUIT ||
		 WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGHUP);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* In the new process: sets the allocator and the data file. */
static void
run_with(const char *library, const char *out)
{
	/* The allocator, then the user's libraries; the monitor comes before
	 * both. */
	if (*library) {
		launcher_preload(library);
		/* For programs that the library can't be loaded into. */
		launcher_set("MEMMON_WITH", library);
	}
	launcher_set("MEMMON_OUT", out);
	if (!getenv("MEMMON_ALLOCATOR"))
		launcher_set("MEMMON_ALLOCATOR", "1");
}

static const char *
out_name(void)
{
	const char *out = getenv("MEMMON_OUT");

	return out && *out ? out : "mon.out";
}

int
launcher_with(const char *names, bool quiet)
{
	const char *program = launcher_program_elf();
	char out[PATH_MAX];
	int first = 0, status, done = 0;
	bool stop = false;

	if (!program)
		launcher_die(EXIT_OURS, "--with: the program doesn't exist");
	add_all(program, names);
	for (; done < nlist && !stop; done++) {
		status = apart(&stop);
		if (status < 0) {
			snprintf(out, sizeof(out), "%s.%s", out_name(),
				 list[done].name);
			run_with(list[done].library, out);
			return -1;
		}
		first = first ? first : status;
	}
	if (quiet || strchr(out_name(), '%'))
		return first;
	fputs("memmon: to compare the allocators, run mpreduce "
	      "--allocator=compare",
	      stderr);
	for (int i = 0; i < done; i++)
		fprintf(stderr, " %s.%s", out_name(), list[i].name);
	fputc('\n', stderr);
	return first;
}

/* ----------------------------------------------------------- calibration -- */

/* The file with an allocator's figures. */
static void
reference(char *to, const char *name)
{
	const char *dir = getenv("MEMMON_REFERENCE");
	char file[96];

	if (snprintf(file, sizeof(file), "%s.mon", name) >= (int)sizeof(file) ||
	    (dir && *dir
		     ? snprintf(to, PATH_MAX, "%s/%s", dir, file) >= PATH_MAX
		     : !launcher_cache_path(to, PATH_MAX, "reference", file)))
		launcher_die(EXIT_OURS, "the measurements can't be stored; set "
					"MEMMON_REFERENCE to a directory");
}

int
launcher_with_calibrate(const char *names)
{
	char self[PATH_MAX], path[PATH_MAX], new[PATH_MAX + 8];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int status = 0, one;
	bool stop = false;

	if (n < 0)
		launcher_die(EXIT_OURS, "/proc/self/exe: %s", strerror(errno));
	self[n] = '\0';
	unsetenv("LD_PRELOAD");
	unsetenv("MEMMON_ALLOCATOR");
	if (names)
		add_all(self, names);
	for (int i = 0; !names && i < KNOWN; i++)
		if (is_installed(self, &known[i], path))
			add(self, known[i].name);
	for (int i = 0; i < nlist && !stop; i++) {
		reference(path, list[i].name);
		snprintf(new, sizeof(new), "%s.new", path);
		one = apart(&stop);
		if (one < 0) {
			run_with(list[i].library, new);
			return -1;
		}
		if (one || rename(new, path) != 0) {
			unlink(new);
			fprintf(stderr,
				"memmon: %s: the allocator could not be "
				"measured\n",
				list[i].name);
			status = EXIT_OURS;
			continue;
		}
		printf("%s: %s\n", list[i].name, path);
	}
	return status;
}
