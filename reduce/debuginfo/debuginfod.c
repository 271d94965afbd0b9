/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Debug files from a debuginfod server. */
#define _GNU_SOURCE
#include "reduce/debuginfo/debuginfod.h"
#include "reduce/base/arena.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LIBRARY "libdebuginfod.so.1"

/* What the library offers: its header needn't be there. */
struct client;
struct calls {
	struct client *(*begin)(void);
	void (*end)(struct client *c);
	int (*find)(struct client *c, const unsigned char *id, int len,
		    char **path);
	void (*progress)(struct client *c,
			 int (*f)(struct client *c, long a, long b));
	void (*verbose)(struct client *c, int fd); /* NULL: an old one */
};

/* An answer. */
struct answer {
	unsigned char *id;
	size_t len;
	char *path; /* NULL: nobody has it */
};

struct debuginfod {
	unsigned seconds;
	bool begun;
	bool asking; /* a fault in the library leaves it set */
	bool late;
	struct timespec end; /* of all waiting; set when it begins */
	struct calls calls;
	struct client *client; /* NULL: it can't be asked */
	const char *problem;
	struct arena arena;
	struct answer *v;
	size_t n, room;
};

/* Who waits; the library asks once in a while whether to go on. */
static struct debuginfod *waiting;

struct debuginfod *
debuginfod_new(unsigned seconds)
{
	struct debuginfod *d = calloc(1, sizeof(*d));

	if (d)
		d->seconds = seconds;
	return d;
}

void
debuginfod_free(struct debuginfod *d)
{
	size_t i;

	if (!d)
		return;
	if (d->client && !d->asking)
		d->calls.end(d->client);
	for (i = 0; i < d->n; i++)
		free(d->v[i].path);
	free(d->v);
	arena_fini(&d->arena);
	free(d);
}

static bool
is_late(const struct debuginfod *d)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > d->end.tv_sec ||
	       (now.tv_sec == d->end.tv_sec && now.tv_nsec >= d->end.tv_nsec);
}

/* Not 0: stop. */
static int
progress(struct client *c, long a, long b)
{
	(void)c;
	(void)a;
	(void)b;
	if (waiting && is_late(waiting))
		waiting->late = true;
	return waiting && waiting->late;
}

/* The library's functions.  Returns whether those that must be are there. */
static bool
load(struct calls *c)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return false;
	*(void **)&c->begin = dlsym(library, "debuginfod_begin");
	*(void **)&c->end = dlsym(library, "debuginfod_end");
	*(void **)&c->find = dlsym(library, "debuginfod_find_debuginfo");
	*(void **)&c->progress = dlsym(library, "debuginfod_set_progressfn");
	*(void **)&c->verbose = dlsym(library, "debuginfod_set_verbose_fd");
	return c->begin && c->end && c->find && c->progress;
}

static void
begin(struct debuginfod *d)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	d->begun = true;
	if (!urls || !urls[strspn(urls, " \t\n")]) {
		d->problem = "--debuginfod: DEBUGINFOD_URLS isn't set, so no "
			     "server is asked; set it to the servers' URLs";
		return;
	}
	if (!load(&d->calls)) {
		d->problem = "--debuginfod: there is no " LIBRARY ", so no "
			     "server is asked; install it (on Debian, "
			     "libdebuginfod1)";
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &d->end);
	d->end.tv_sec += d->seconds;
	d->client = d->calls.begin();
	if (!d->client) {
		d->problem = "--debuginfod: the library can't start, so no "
			     "server is asked";
		return;
	}
	d->calls.progress(d->client, progress);
	if (d->calls.verbose)
		d->calls.verbose(d->client, -1);
}

static void
ask(struct debuginfod *d, struct answer *answer)
{
	int fd;

	d->asking = true;
	waiting = d;
	fd = d->calls.find(d->client, answer->id, (int)answer->len,
			   &answer->path);
	waiting = NULL;
	d->asking = false;
	if (fd >= 0)
		close(fd);
	else
		answer->path = NULL;
	d->late = d->late || is_late(d);
	if (d->late)
		d->problem = arena_print(
			&d->arena,
			"--debuginfod: %u seconds are over, so servers are "
			"asked for nothing more; some functions may have no "
			"names or lines; to wait longer, give "
			"--debuginfod=SECONDS",
			d->seconds);
}

const char *
debuginfod_find(struct debuginfod *d, const unsigned char *id, size_t len)
{
	struct answer *a;
	size_t i;

	if (!d || len < 2 || len > 64)
		return NULL;
	for (i = 0; i < d->n; i++)
		if (d->v[i].len == len && memcmp(d->v[i].id, id, len) == 0)
			return d->v[i].path;
	if (!d->begun)
		begin(d);
	if (!d->client || d->asking || d->late)
		return NULL;
	a = array_grow(d->v, &d->room, d->n + 1, sizeof(*a));
	if (!a)
		return NULL;
	d->v = a;
	a = &d->v[d->n];
	*a = (struct answer){ .len = len };
	a->id = (unsigned char *)arena_copy(&d->arena, id, len);
	if (!a->id)
		return NULL;
	d->n++;
	ask(d, a);
	return a->path;
}

const char *
debuginfod_problem(const struct debuginfod *d)
{
	return d ? d->problem : NULL;
}
