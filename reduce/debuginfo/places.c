/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where files are looked for. */
#include "reduce/debuginfo/places.h"
#include "reduce/debuginfo/debuginfod.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Below it are .build-id/xx/yyy.debug and copies of the whole tree. */
#define DEBUG_ROOT "/usr/lib/debug"

struct places {
	char *sysroot; /* no slash at its end; NULL: none */
	char *real;    /* the same without symbolic links, or NULL */
	char *debug;   /* DEBUG_ROOT below it, or NULL */
	struct places_root *roots;
	size_t nroots;
	struct debuginfod *debuginfod; /* NULL: nobody is asked */
};

static const struct places_root usual = { DEBUG_ROOT, false };

/* Take the sysroot: "/" is none.  0 or -1. */
static int
set_sysroot(struct places *p, const char *path)
{
	size_t n = path ? strlen(path) : 0;

	while (n && path[n - 1] == '/')
		n--;
	if (!n)
		return 0;
	p->sysroot = strndup(path, n);
	if (!p->sysroot)
		return -1;
	p->real = realpath(p->sysroot, NULL);
	p->debug = places_below(p, DEBUG_ROOT);
	return p->debug ? 0 : -1;
}

struct places *
places_new(const struct profile_where *where)
{
	struct places *p = calloc(1, sizeof(*p));
	size_t i;

	if (!p)
		return NULL;
	p->roots = calloc(where->debug.n + 2, sizeof(*p->roots));
	if (!p->roots || set_sysroot(p, where->sysroot)) {
		places_free(p);
		return NULL;
	}
	for (i = 0; i < where->debug.n; i++)
		p->roots[p->nroots++] =
			(struct places_root){ where->debug.item[i], true };
	if (p->debug)
		p->roots[p->nroots++] = (struct places_root){ p->debug, false };
	p->roots[p->nroots++] = usual;
	if (where->debuginfod) {
		p->debuginfod = debuginfod_new(where->debuginfod);
		if (!p->debuginfod) {
			places_free(p);
			return NULL;
		}
	}
	return p;
}

void
places_free(struct places *p)
{
	if (!p)
		return;
	debuginfod_free(p->debuginfod);
	free(p->sysroot);
	free(p->real);
	free(p->debug);
	free(p->roots);
	free(p);
}

const struct places_root *
places_roots(const struct places *p, size_t *n)
{
	*n = p ? p->nroots : 1;
	return p ? p->roots : &usual;
}

char *
places_below(const struct places *p, const char *path)
{
	size_t n, m = strlen(path);
	char *s;

	if (!p || !p->sysroot || *path != '/')
		return NULL;
	n = strlen(p->sysroot);
	s = malloc(n + m + 1);
	if (!s)
		return NULL;
	memcpy(s, p->sysroot, n);
	memcpy(s + n, path, m + 1);
	return s;
}

const char *
places_within(const struct places *p, const char *path)
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
places_file(const struct places *p, struct arena *a, const char *path)
{
	char *below = places_below(p, path);
	struct stat st;

	if (!below)
		return path;
	if (stat(below, &st) == 0 && S_ISREG(st.st_mode))
		path = arena_copy(a, below, strlen(below));
	free(below);
	return path;
}

struct debuginfod *
places_debuginfod(const struct places *p)
{
	return p ? p->debuginfod : NULL;
}
