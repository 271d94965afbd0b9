/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where files are searched. */
#define _GNU_SOURCE
#include "reduce/elf/searchpath.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Contains .build-id/xx/yyy.debug and copies of the whole directory tree. */
#define DEBUG_ROOT "/usr/lib/debug"

/* A server of debug information, if the user wants one. */
struct server {
	unsigned seconds; /* for all answers together */
	bool begun;
	time_t end; /* when this time is over, by the monotonic clock */
	const char *problem;
	char late[200];
};

struct searchpath {
	char *sysroot; /* without a slash at its end; NULL: none */
	char *real;    /* sysroot without symbolic links, or NULL */
	char *debug;   /* DEBUG_ROOT below the sysroot, or NULL */
	struct searchpath_root *roots;
	size_t nroots;
	struct server *server; /* NULL: no server is asked */
};

static char usual_path[] = DEBUG_ROOT;
static const struct searchpath_root usual = { usual_path, usual_path, false };

/* Set the sysroot; "/" counts as none. */
static void
set_sysroot(struct searchpath *p, const char *path)
{
	size_t n = path ? strlen(path) : 0;

	while (n && path[n - 1] == '/')
		n--;
	if (!n)
		return;
	p->sysroot = heap_part(path, n);
	p->real = realpath(p->sysroot, NULL);
	p->debug = searchpath_below(p, DEBUG_ROOT);
}

/*
 * A directory's path in the form that libdwfl needs, to be freed: absolute and
 * without a colon, because a colon separates directories.  A directory with a
 * colon is opened and stays open.
 */
static char *
searchpath_plain(const char *dir)
{
	char *real = realpath(dir, NULL);
	int fd;

	if (!real || !strchr(real, ':'))
		return real ? real : heap_text(dir);
	fd = open(real, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(real);
	return heap_print("/proc/self/fd/%d", fd);
}

static void
add_root(struct searchpath *p, const char *dir, bool given)
{
	p->roots[p->nroots++] =
		(struct searchpath_root){ dir, searchpath_plain(dir), given };
}

struct searchpath *
searchpath_new(const struct profile_where *where)
{
	struct searchpath *p = heap_array(1, sizeof(*p));
	size_t i;

	p->roots = heap_array(where->debug.n + 2, sizeof(*p->roots));
	set_sysroot(p, where->sysroot);
	for (i = 0; i < where->debug.n; i++)
		add_root(p, where->debug.item[i], true);
	if (p->debug)
		add_root(p, p->debug, false);
	add_root(p, DEBUG_ROOT, false);
	if (!where->debuginfod)
		return p;
	p->server = heap_array(1, sizeof(*p->server));
	p->server->seconds = where->debuginfod;
	return p;
}

void
searchpath_free(struct searchpath *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->nroots; i++)
		free(p->roots[i].real);
	free(p->server);
	free(p->sysroot);
	free(p->real);
	free(p->debug);
	free(p->roots);
	free(p);
}

const struct searchpath_root *
searchpath_roots(const struct searchpath *p, size_t *n)
{
	*n = p ? p->nroots : 1;
	return p ? p->roots : &usual;
}

char *
searchpath_shown(const struct searchpath *p, const char *path)
{
	size_t n, i, length;
	const struct searchpath_root *r = searchpath_roots(p, &n);

	for (i = 0; i < n; i++) {
		length = strlen(r[i].real);
		if (strncmp(path, r[i].real, length) == 0 &&
		    path[length] == '/')
			return heap_print("%s%s", r[i].path, path + length);
	}
	return heap_text(path);
}

char *
searchpath_below(const struct searchpath *p, const char *path)
{
	size_t n, m = strlen(path);
	char *s;

	if (!p || !p->sysroot || *path != '/')
		return NULL;
	n = strlen(p->sysroot);
	s = heap_new(n + m + 1);
	memcpy(s, p->sysroot, n);
	memcpy(s + n, path, m + 1);
	return s;
}

const char *
searchpath_within(const struct searchpath *p, const char *path)
{
	const char *roots[] = { p ? p->sysroot : NULL, p ? p->real : NULL };
	size_t i, n;

	for (i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		n = roots[i] ? strlen(roots[i]) : 0;
		if (n && strncmp(path, roots[i], n) == 0 && path[n] == '/')
			return path + n;
	}
	return NULL;
}

const char *
searchpath_file(const struct searchpath *p, struct arena *a, const char *path)
{
	char *below = searchpath_below(p, path);
	struct stat st;

	if (!below)
		return path;
	if (stat(below, &st) == 0 && S_ISREG(st.st_mode))
		path = arena_copy(a, below, strlen(below));
	free(below);
	return path;
}

/* -------------------------------------------------------------- server -- */

static time_t
seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

void
searchpath_asked(const struct searchpath *p)
{
	struct server *v = p->server;

	if (v->problem || seconds_now() < v->end)
		return;
	snprintf(v->late, sizeof(v->late),
		 "--debuginfod: %u seconds are over: some functions may have "
		 "no names or lines; give --debuginfod=SECONDS to wait longer",
		 v->seconds);
	v->problem = v->late;
}

bool
searchpath_asks(const struct searchpath *p)
{
	struct server *v = p ? p->server : NULL;
	const char *urls = getenv("DEBUGINFOD_URLS");
	char text[32];
	time_t left;

	if (!v || v->problem)
		return false;
	if (!urls || !urls[strspn(urls, " \t\n")]) {
		v->problem = "--debuginfod: DEBUGINFOD_URLS isn't set, so no "
			     "server is asked; set it to the servers' URLs";
		return false;
	}
	if (!v->begun)
		v->end = seconds_now() + v->seconds;
	v->begun = true;
	left = v->end - seconds_now();
	if (left <= 0) {
		searchpath_asked(p);
		return false;
	}
	snprintf(text, sizeof(text), "%lld", (long long)left);
	/* The library must not print its own messages. */
	unsetenv("DEBUGINFOD_VERBOSE");
	unsetenv("DEBUGINFOD_PROGRESS");
	return !setenv("DEBUGINFOD_MAXTIME", text, 1);
}

bool
searchpath_ask(const struct searchpath *p, const void *client)
{
	if (!client)
		p->server->problem =
			"--debuginfod: libdebuginfod.so.1 is missing, so no "
			"server is asked; install it (Debian: libdebuginfod1)";
	return client;
}

const char *
searchpath_problem(const struct searchpath *p)
{
	return p && p->server ? p->server->problem : NULL;
}
