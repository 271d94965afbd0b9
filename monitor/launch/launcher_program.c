/* SPDX-License-Identifier: MIT */
/* What is to be run: where it is, and whether anything can be preloaded. */
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

#include "monitor/launch/launcher_elf.h"

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
	int len;

	if (strchr(name, '/'))
		return name;
	for (; path && *path; path = *end ? end + 1 : end) {
		end = strchrnul(path, ':');
		len = (int)(end - path);
		if (snprintf(to, n, "%.*s/%s", len ? len : 1, len ? path : ".",
			     name) < (int)n &&
		    access(to, X_OK) == 0)
			return to;
	}
	return NULL;
}

/* The program's own dynamic loader has to be there. */
static void
check_elf(int fd, const char *path)
{
	char why[256], loader[PATH_MAX];
	struct launcher_elf what;

	if (launcher_elf_refuses(fd, why, sizeof(why)))
		launcher_die(EXIT_OURS, "%s %s", path, why);
	if (launcher_elf_loader(fd, loader, sizeof(loader)) == 1 &&
	    access(loader, F_OK) != 0)
		launcher_die(
			EXIT_NOT_FOUND,
			"%s can't be run: its dynamic loader, %s, isn't there; "
			"install that, or build it for this system",
			path, loader);
	launcher_elf_read(fd, &what);
	if (what.own_malloc)
		fprintf(stderr,
			"memmon: %s brings its own malloc: what it allocates "
			"by that isn't seen\n",
			path);
	snprintf(elf, sizeof(elf), "%s", path);
}

/* What runs a script: the path in its first line, "#! path argument". */
static const char *
script_runner(char *line)
{
	char *path = line + 2 + strspn(line + 2, " \t");

	path[strcspn(path, " \t\n")] = '\0';
	return path;
}

/*
 * Say what preloading can't do, before the program runs without us: of what
 * runs it, too, if it is a script.  The kernel follows five of them.
 */
static void
check_program(const char *path, int scripts)
{
	union {
		Elf64_Ehdr e;
		char line[256];
	} head;
	const char *runner;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && (st.st_mode & (S_ISUID | S_ISGID)) &&
	    st.st_uid != geteuid())
		fprintf(stderr,
			"memmon: %s is set-user-ID or set-group-ID: "
			"the loader will not preload the monitor, and no data "
			"is written\n",
			path);
	memset(&head, 0, sizeof(head));
	if (read(fd, &head, sizeof(head) - 1) >= (ssize_t)sizeof(head.e) &&
	    !memcmp(head.e.e_ident, ELFMAG, SELFMAG))
		check_elf(fd, path);
	close(fd);
	if (memcmp(head.line, "#!", 2) || !scripts)
		return;
	runner = script_runner(head.line);
	if (*runner && access(runner, F_OK) != 0)
		launcher_die(EXIT_NOT_FOUND,
			     "%s can't be run: what runs this script, %s, "
			     "isn't there",
			     path, runner);
	check_program(runner, scripts - 1);
}

void
launcher_program_check(const char *path)
{
	check_program(path, 5);
}

const char *
launcher_program_elf(void)
{
	return elf[0] ? elf : NULL;
}
