/* SPDX-License-Identifier: MIT */
/* The program to run: where is it, and can it be recorded by preloading? */
#include "monitor/launch/launcher_program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "monitor/base/program.h"
#include "monitor/launch/launcher_elf.h"
#include "monitor/monout.h"

static char elf[PATH_MAX];

void
launcher_die(int status, const char *fmt, ...)
{
	va_list ap;

	fputs("memmon: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(status);
}

void
launcher_set(const char *name, const char *value)
{
	if (setenv(name, value, 1) != 0)
		launcher_die(EXIT_OURS, "%s: %s", name, strerror(errno));
}

void
launcher_preload(const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	char *both;

	if (asprintf(&both, "%s%s%s", library, old && *old ? ":" : "",
		     old ? old : "") < 0)
		launcher_die(EXIT_OURS, "out of memory");
	launcher_set("LD_PRELOAD", both);
	free(both);
}

const char *
launcher_program_find(const char *name, char *to, size_t n)
{
	const char *path = getenv("PATH"), *end;
	struct stat st;
	int len;

	if (strchr(name, '/'))
		return name;
	for (; path && *path; path = *end ? end + 1 : end) {
		end = strchrnul(path, ':');
		len = (int)(end - path);
		if (snprintf(to, n, "%.*s/%s", len ? len : 1, len ? path : ".",
			     name) < (int)n &&
		    access(to, X_OK) == 0 && stat(to, &st) == 0 &&
		    S_ISREG(st.st_mode))
			return to;
	}
	return NULL;
}

void
launcher_program_own(int fd, const char *path)
{
	unsigned own = mmi_program_own(fd);

	if (launcher_elf_has_new(fd))
		own |= MONOUT_OWN_NEW;
	if (own & MONOUT_OWN_MALLOC)
		fprintf(stderr,
			"memmon: %s has its own malloc: memmon sees only the "
			"blocks that it gets from the C library's malloc\n",
			path);
	else if (own & MONOUT_OWN_OTHERS)
		fprintf(stderr,
			"memmon: %s has its own calloc, realloc or memalign: "
			"memmon can't see the blocks of that function\n",
			path);
	else if (own & MONOUT_OWN_NEW)
		fprintf(stderr,
			"memmon: %s has its own operator new: memmon sees only "
			"the blocks that it gets from malloc\n",
			path);
}

/* Exits if the program's dynamic loader is missing. */
static void
check_loader(int fd, const char *path)
{
	char loader[PATH_MAX];

	if (launcher_elf_loader(fd, loader, sizeof(loader)) == 1 &&
	    access(loader, F_OK) != 0)
		launcher_die(EXIT_NOT_FOUND,
			     "%s can't be run: its dynamic loader, %s, is "
			     "missing; install the loader, or build the "
			     "program for this system",
			     path, loader);
}

/* Checks a program that the loader it names, or another one, will run. */
static void
check_elf(int fd, const char *path, bool by_other)
{
	char why[PATH_MAX + 256];
	struct mmi_program what;

	if (launcher_elf_refuses(fd, path, by_other, why, sizeof(why)))
		launcher_die(EXIT_OURS, "%s %s", path, why);
	if (!by_other)
		check_loader(fd, path);
	launcher_elf_look(fd, &what);
	if (what.is_loader)
		return;
	launcher_program_own(fd, path);
	snprintf(elf, sizeof(elf), "%s", path);
}

/* The program that a dynamic loader will run, if any; else the loader's
 * path. */
static const char *
check_argument(const char *path, char *const *argv)
{
	int i = mmi_program_argument(argv);
	int fd = i ? open(argv[i], O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return path;
	check_elf(fd, argv[i], true);
	close(fd);
	return argv[i];
}

/* The interpreter of a script: the path in its first line, "#! path
 * argument". */
static const char *
script_runner(char *line)
{
	char *path = line + 2 + strspn(line + 2, " \t");

	path[strcspn(path, " \t\n")] = '\0';
	return path;
}

/* The first argument that is the path of a program; NULL: none. */
static const char *
starts(char *const *argv)
{
	struct stat st;

	for (int i = 1; argv && argv[0] && argv[i]; i++)
		if (strchr(argv[i], '/') && stat(argv[i], &st) == 0 &&
		    S_ISREG(st.st_mode) && access(argv[i], X_OK) == 0)
			return argv[i];
	return NULL;
}

/* A static program can't be recorded, but programs that it starts can be. */
static bool
only_starts(int fd, const char *path, char *const *argv)
{
	struct mmi_program what;

	launcher_elf_look(fd, &what);
	if (what.kind != MMI_PROGRAM_STATIC || !starts(argv) ||
	    launcher_elf_records(fd))
		return false;
	fprintf(stderr,
		"memmon: %s is statically linked, so it isn't recorded; "
		"programs that it starts are\n",
		path);
	return true;
}

/*
 * Prints what preloading can't record, before the program runs without memmon.
 * Also checks a script's interpreter.  The kernel follows five scripts.
 */
static const char *
check_program(const char *path, char *const *argv, int scripts)
{
	union {
		Elf64_Ehdr e;
		char line[256];
	} head;
	struct mmi_program what = { .is_loader = false };
	const char *runner;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return path;
	if (fstat(fd, &st) == 0 && (st.st_mode & (S_ISUID | S_ISGID)) &&
	    st.st_uid != geteuid())
		fprintf(stderr,
			"memmon: %s is set-user-ID or set-group-ID: the loader "
			"doesn't preload the monitor, and no data file is "
			"written\n",
			path);
	memset(&head, 0, sizeof(head));
	if (read(fd, &head, sizeof(head) - 1) >= (ssize_t)sizeof(head.e) &&
	    !memcmp(head.e.e_ident, ELFMAG, SELFMAG) &&
	    !only_starts(fd, path, argv)) {
		check_elf(fd, path, false);
		launcher_elf_look(fd, &what);
	}
	close(fd);
	if (what.is_loader)
		return argv ? check_argument(path, argv) : path;
	if (memcmp(head.line, "#!", 2) || !scripts)
		return path;
	runner = script_runner(head.line);
	if (strchr(runner, '\r'))
		launcher_die(EXIT_NOT_FOUND,
			     "%s can't be run: the first line of this script "
			     "ends in CR LF; convert the script to LF",
			     path);
	if (*runner && access(runner, F_OK) != 0)
		launcher_die(EXIT_NOT_FOUND,
			     "%s can't be run: the interpreter of this script, "
			     "%s, is missing",
			     path, runner);
	check_program(runner, NULL, scripts - 1);
	return path;
}

const char *
launcher_program_check(const char *path, char *const *argv)
{
	return check_program(path, argv, 5);
}

/* The target of a link in /proc/PID; false: it can't be read, *to stays. */
static bool
follow(long pid, const char *link, char *to, size_t n)
{
	char path[64], target[PATH_MAX];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%ld/%s", pid, link);
	len = readlink(path, target, sizeof(target) - 1);
	return len > 0 && snprintf(to, n, "%.*s", (int)len, target) < (int)n;
}

/* The arguments of a process; returns their number, at most `most'. */
static int
arguments(long pid, char *text, size_t size, char **argv, int most)
{
	int i = 0, fd;
	ssize_t n;

	snprintf(text, size, "/proc/%ld/cmdline", pid);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (char *c = text; c < text + n && i < most; c += strlen(c) + 1)
		argv[i++] = c;
	argv[i] = NULL;
	return i;
}

bool
launcher_program_of(long pid, char *to, size_t n)
{
	char text[PATH_MAX], cwd[PATH_MAX], *argv[32];
	struct mmi_program what = { .is_loader = false };
	int fd, i;

	snprintf(text, sizeof(text), "/proc/%ld/exe", pid);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		launcher_elf_look(fd, &what);
		close(fd);
	}
	if (what.is_loader && arguments(pid, text, sizeof(text), argv, 31) &&
	    (i = mmi_program_argument(argv)) > 0) {
		if (argv[i][0] == '/')
			return snprintf(to, n, "%s", argv[i]) < (int)n;
		if (follow(pid, "cwd", cwd, sizeof(cwd)))
			return snprintf(to, n, "%s/%s", cwd, argv[i]) < (int)n;
	}
	return follow(pid, "exe", to, n);
}

const char *
launcher_program_elf(void)
{
	return elf[0] ? elf : NULL;
}
