/* SPDX-License-Identifier: MIT */
/* LD_PRELOAD of programs that a recorded program starts: see children.h. */
#include "monitor/process/children.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "monitor/base/arena.h"
#include "monitor/base/own_mappings.h"
#include "monitor/base/peek.h"
#include "monitor/base/process.h"
#include "monitor/base/program.h"
#include "monitor/process/limits.h"

/* Scripts whose interpreters are scripts: the kernel follows this many. */
#define SCRIPTS 5

#define PRELOAD "LD_PRELOAD="

/* Address space for a program, its libraries, and the loader. */
#define SMALL (6u << 20)

/* ----------------------------------------------------------- environment -- */

/* The value, if the line sets the variable "NAME="; or NULL. */
static const char *
value_in(const char *line, const char *variable)
{
	size_t n = strlen(variable);

	for (size_t i = 0; i < n; i++)
		if (line[i] != variable[i])
			return NULL;
	return line + n;
}

static const char *
value_of(char *const envp[], const char *variable)
{
	const char *value;

	for (; envp && *envp; envp++)
		if ((value = value_in(*envp, variable)))
			return value;
	return NULL;
}

/* The length of the library's name at the start of a list of libraries. */
static size_t
name_length(const char *list)
{
	size_t n = 0;

	while (list[n] && list[n] != ':' && list[n] != ' ')
		n++;
	return n;
}

/* Did memmon add this: its own library, or an allocator of --with? */
static bool
is_ours(const char *name, size_t n, const char *with)
{
	const char *last = name, *end = name + n;

	if (with && strlen(with) == n && !memcmp(with, name, n))
		return n != 0;
	for (const char *c = name; c < end; c++)
		if (*c == '/')
			last = c + 1;
	return value_in(last, "libmemmon.so") ||
	       value_in(last, "libmemmon-access.so");
}

/* The first entry that memmon added to a list, n bytes long; or NULL. */
static const char *
ours_in(const char *list, const char *with, size_t *n)
{
	for (; *list; list += *n + (list[*n] != '\0')) {
		*n = name_length(list);
		if (is_ours(list, *n, with))
			return list;
	}
	return NULL;
}

/* Copies the list without memmon's entries.  Returns the end of the text. */
static char *
copy_without(char *to, const char *list, const char *with)
{
	char *from = to;
	size_t n;

	for (; *list; list += n + (list[n] != '\0')) {
		n = name_length(list);
		if (is_ours(list, n, with))
			continue;
		memcpy(to, list, n + 1);
		to += n + 1;
	}
	/* The separator behind the last entry. */
	if (to > from)
		to--;
	*to = '\0';
	return to;
}

/* --------------------------------------------------------------- program -- */

/* Can a loader that gets the program as argument load it? */
static bool
takes_argument(char *const argv[])
{
	int i = mmi_program_argument(argv);
	struct mmi_program p;
	long fd;

	/* The loader takes a name without a slash for a library's. */
	if (!argv || !i || !strchr(argv[i], '/'))
		return i != 0;
	fd = mmi_program_open(AT_FDCWD, argv[i]);
	if (fd < 0)
		return true;
	mmi_program_look(fd, &p);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return p.kind != MMI_PROGRAM_MACHINE && p.kind != MMI_PROGRAM_STATIC &&
	       p.kind != MMI_PROGRAM_SANITIZER;
}

/*
 * A script's first line is "#! path argument": puts the path into to, of n
 * bytes.  False: it isn't a script.
 */
static bool
script_runner(long fd, char *to, size_t n)
{
	long got = ARCH_SYS(SYS_pread64, fd, to, n - 1, 0, 0, 0);
	size_t from = 2, end;

	if (got < 3 || to[0] != '#' || to[1] != '!')
		return false;
	to[got] = '\0';
	while (to[from] == ' ' || to[from] == '\t')
		from++;
	for (end = from; to[end] && to[end] != ' ' && to[end] != '\t' &&
			 to[end] != '\n' && to[end] != '\r';)
		end++;
	memmove(to, to + from, end - from);
	to[end - from] = '\0';
	return true;
}

static bool takes_file(long fd, char *const argv[]);

/*
 * A static program that runs others, like valgrind or busybox, passes its
 * environment on: can the library be loaded into the program among its
 * arguments?
 */
static bool
takes_wrapped(char *const argv[])
{
	const char *a;
	long fd;

	for (int i = 1; argv && argv[0] && (a = argv[i]); i++) {
		if (a[0] == '-' || !strchr(a, '/') ||
		    ARCH_SYS(SYS_faccessat, AT_FDCWD, a, X_OK, 0, 0, 0) != 0)
			continue;
		fd = mmi_program_open(AT_FDCWD, a);
		if (fd >= 0)
			return takes_file(fd, NULL);
	}
	return false;
}

/* Can the library be loaded into the program of that file?  Closes it. */
static bool
takes_file(long fd, char *const argv[])
{
	struct mmi_program p;
	char runner[256];
	bool script;

	for (int i = 0; i <= SCRIPTS; i++) {
		/* Not found: it won't run.  Not readable: it may run. */
		if (fd < 0)
			return fd == -EACCES;
		mmi_program_look(fd, &p);
		script = p.kind == MMI_PROGRAM_UNKNOWN &&
			 script_runner(fd, runner, sizeof(runner));
		ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
		if (!script && p.kind == MMI_PROGRAM_STATIC)
			return takes_wrapped(argv);
		if (!script && p.is_loader && !i)
			return p.kind == MMI_PROGRAM_FITS &&
			       takes_argument(argv);
		if (!script)
			return p.kind <= MMI_PROGRAM_UNKNOWN;
		fd = mmi_program_open(AT_FDCWD, runner);
	}
	return true;
}

/* The file in $PATH that execvp() runs. */
static long
search(const char *name)
{
	const char *list = value_of(environ, "PATH="), *end;
	size_t len = strlen(name), n;
	char path[PATH_MAX];
	long fd = -ENOENT;

	for (list = list ? list : "/bin:/usr/bin";; list = end + 1) {
		end = strchr(list, ':');
		n = end ? (size_t)(end - list) : strlen(list);
		if (n + len + 2 <= sizeof(path)) {
			memcpy(path, list, n);
			path[n] = '/';
			memcpy(path + n + !!n, name, len + 1);
			fd = ARCH_SYS(SYS_faccessat, AT_FDCWD, path, X_OK, 0, 0,
				      0);
			if (!fd)
				fd = mmi_program_open(AT_FDCWD, path);
		}
		if (fd >= 0 || fd == -EACCES || !end)
			return fd;
	}
}

static bool
takes_program(const struct mmi_child *c)
{
	if (c->search && !strchr(c->path, '/'))
		return takes_file(search(c->path), c->argv);
	return takes_file(mmi_program_open(c->directory, c->path), c->argv);
}

/* Does the library exist for the program's loader? */
static bool
is_there(const char *library, size_t n)
{
	char path[PATH_MAX];
	long fd;

	if (!memchr(library, '/', n) || n >= sizeof(path))
		return true;
	memcpy(path, library, n);
	path[n] = '\0';
	fd = ARCH_SYS(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0, 0,
		      0);
	if (fd < 0)
		return false;
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return true;
}

/* Should this program and its children not be recorded? */
static bool
is_left_out(const struct mmi_child *c)
{
	/* A pattern with a slash matches no name: --no-children. */
	return strchr(mmi_process.follow, '/') &&
	       (c->spawned || mmi_process.child ||
		ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0) != mmi_process.pid);
}

/* Is there room for this library and for a small program? */
static bool
has_room(const struct mmi_child *c)
{
	return mmi_limits_space(c->spawned) > mmi_own_module().size + SMALL;
}

static bool
takes(const struct mmi_child *c, const char *list, const char *with)
{
	const char *library;
	size_t n;

	/* As for ldd: the loader would list the library, too. */
	if (is_left_out(c) || !has_room(c) ||
	    value_of(c->envp, "LD_TRACE_LOADED_OBJECTS="))
		return false;
	for (; (library = ours_in(list, with, &n)); list = library + n)
		if (!is_there(library, n))
			return false;
	return !c->path || takes_program(c);
}

/* ------------------------------------------------------------- for hooks -- */

/* Can a list that ends in NULL, and the first byte of each text, be read? */
static bool
list_readable(char *const *list)
{
	const void *at[MMI_PEEK_EACH], *page = NULL;
	size_t n = 0;

	for (; list; list++) {
		/* The first word of the list, or of a page. */
		if (!page || (uintptr_t)list % ARCH_PAGE < sizeof(*list)) {
			page = list;
			if (!mmi_peek_each(&page, 1))
				return false;
		}
		if (!*list)
			break;
		at[n++] = *list;
		if (n < MMI_PEEK_EACH)
			continue;
		if (!mmi_peek_each(at, n))
			return false;
		n = 0;
	}
	return mmi_peek_each(at, n);
}

bool
mmi_child_readable(const struct mmi_child *c)
{
	return mmi_peek_each((const void *const[]){ c->path }, 1) &&
	       list_readable(c->argv) && list_readable(c->envp);
}

void
mmi_child_look(struct mmi_child *c)
{
	const char *with = value_of(c->envp, "MEMMON_WITH="), *list;
	size_t n, text = 0;
	char *const *e;

	c->room = 0;
	for (e = c->envp; e && *e; e++)
		if ((list = value_in(*e, PRELOAD)) && ours_in(list, with, &n)) {
			c->stays = !text && takes(c, list, with);
			if (c->stays)
				return;
			text += strlen(*e) + 1;
		}
	if (text)
		c->room = (size_t)(e - c->envp + 1) * sizeof(*e) + text;
}

void
mmi_child_environment(struct mmi_child *c, void *room)
{
	const char *with = value_of(c->envp, "MEMMON_WITH="), *list;
	char **to, *text;
	size_t n = 0, k = 0;
	long r;

	if (!room) {
		r = ARCH_SYS(SYS_mmap, NULL, c->room, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (r < 0 && r > -4096) {
			c->room = 0;
			return;
		}
		room = (void *)r;
	}
	while (c->envp[n])
		n++;
	to = room;
	text = (char *)(to + n + 1);
	for (size_t i = 0; i < n; i++) {
		to[k] = c->envp[i];
		list = value_in(to[k], PRELOAD);
		if (list && ours_in(list, with, &(size_t){ 0 })) {
			memcpy(text, PRELOAD, sizeof(PRELOAD));
			to[k] = text;
			text += sizeof(PRELOAD) - 1;
			list = text;
			text = copy_without(text, value_in(c->envp[i], PRELOAD),
					    with);
			/* No entry is left: as if there were no memmon. */
			if (text == list)
				continue;
			text++;
		}
		k++;
	}
	to[k] = NULL;
	c->envp = to;
}

void
mmi_child_release(const struct mmi_child *c)
{
	if (c->room > MMI_CHILD_FRAME)
		ARCH_SYS(SYS_munmap, c->envp, c->room, 0, 0, 0, 0);
}

void
mmi_child_shell(void)
{
	struct mmi_child c = {
		.directory = AT_FDCWD,
		.path = "/bin/sh",
		.spawned = true,
		.envp = environ,
	};
	size_t i = 0;

	/* A shell that isn't recorded removes the library for other
	 * programs. */
	if (strchr(mmi_process.follow, '/') && takes_program(&c))
		return;
	mmi_child_look(&c);
	if (!c.room)
		return;
	mmi_child_environment(&c, mmi_arena_map(c.room));
	while (c.room && (environ[i] = c.envp[i]))
		i++;
}
