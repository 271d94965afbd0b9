/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other allocators would cost, predicted from measured ones. */
#include "reduce/profile/allocator.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"
#include "reduce/image/open.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
allocator_object(const struct allocator *a)
{
	return a && a->path ? str_basename(a->path) : NULL;
}

/* ---------------------------------------------------------- prediction -- */

/* Classes of fewer operations aren't used: their mean may be far off. */
enum { LEAST = 100 };

/*
 * The class of *ref that is most similar to an operation's class.  Function and
 * size (small or big) must be the same; a thread's first call is only like
 * another first call.  Then these properties count, the most important first:
 * in place or not, reused address or new one, parallel threads or not.  NULL:
 * no such class.
 */
static const struct allocator_op *
like(const struct allocator *ref, unsigned of)
{
	const unsigned same = MONOUT_OP_MASK | MONOUT_OP_BIG | MONOUT_OP_FIRST;
	const struct allocator_op *best = NULL;
	unsigned least = UINT32_MAX, differs;
	size_t i;

	for (i = 0; i < ref->nops; i++) {
		const struct allocator_op *o = &ref->ops[i];

		if (o->time.n < LEAST || (o->of & same) != (of & same))
			continue;
		differs = o->of ^ of;
		differs = (differs & MONOUT_OP_SAME ? 4u : 0) +
			  (differs & MONOUT_OP_REUSED ? 2u : 0) +
			  (differs & MONOUT_OP_PARALLEL ? 1u : 0);
		if (differs < least) {
			least = differs;
			best = o;
		}
	}
	return best;
}

/*
 * The time that the operations of *a would take if each took the mean of its
 * class in *ref, ns.  *known: the number of operations whose class *ref has.
 * The others count with their measured time.
 */
static double
taking(const struct allocator *a, const struct allocator *ref, uint64_t *known)
{
	double sum = 0;
	size_t i;

	*known = 0;
	for (i = 0; i < a->nops; i++) {
		const struct allocator_op *o = &a->ops[i];
		const struct allocator_op *r = like(ref, o->of);

		if (r) {
			*known += o->calls.n;
			sum += (double)o->calls.n * (double)r->time.sum * 1e9 /
			       (double)ref->hz / (double)r->time.n;
		} else if (o->time.n) {
			sum += (double)o->ns.all;
		}
	}
	return sum;
}

static uint64_t
allocator_predict_whole(double ns)
{
	return ns < 1e18 ? (uint64_t)(ns + 0.5) : UINT64_MAX;
}

static const struct allocator *
allocator_predict_named(const struct allocator_reference *v, size_t n,
			const char *name)
{
	size_t i;

	for (i = 0; name && i < n; i++)
		if (!strcmp(v[i].name, name))
			return v[i].a->hz ? v[i].a : NULL;
	return NULL;
}

uint64_t
allocator_by_reference(const struct allocator *a,
		       const struct allocator_reference *v, size_t n)
{
	const struct allocator *own =
		allocator_predict_named(v, n, allocator_object(a));
	uint64_t known;

	return own && a->all.time.n
		       ? allocator_predict_whole(taking(a, own, &known))
		       : UINT64_MAX;
}

struct allocator_prediction
allocator_predict(const struct allocator *a,
		  const struct allocator_reference *v, size_t n,
		  const char *name)
{
	const struct allocator *own =
		allocator_predict_named(v, n, allocator_object(a));
	const struct allocator *other = allocator_predict_named(v, n, name);
	struct allocator_prediction to = { UINT64_MAX, UINT64_MAX, 0 };
	double here, there;
	uint64_t known;

	if (!own || !other || !a->all.time.n)
		return to;
	here = taking(a, own, &known);
	there = taking(a, other, &to.known);
	if (known < to.known)
		to.known = known;
	if (here <= 0 || !to.known)
		return to;
	to.in = allocator_predict_whole((double)a->all.ns.all * there / here);
	if (a->cpu && to.in != UINT64_MAX)
		to.cpu = (a->cpu > a->all.ns.all ? a->cpu - a->all.ns.all : 0) +
			 to.in;
	return to;
}

/* ---------------------------------------------------------- references -- */

SORT_BY(reference_compare, struct allocator_reference, SORT_TEXT(name))

/* The folder where memmon --calibrate-allocators writes them; "": none. */
static void
reference_place(char *to, size_t n)
{
	const char *set = getenv("MEMMON_REFERENCE");
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int len;

	if (set && *set)
		len = snprintf(to, n, "%s", set);
	else if (cache && *cache == '/')
		len = snprintf(to, n, "%s/memmon/reference", cache);
	else
		len = snprintf(to, n, "%s/.cache/memmon/reference",
			       home ? home : "");
	if (len < 0 || (size_t)len >= n)
		*to = '\0';
}

/* Read one file; skip it if it isn't a data file or has no allocator. */
static void
reference_read(struct profile *p, const char *path)
{
	struct allocator_reference *r = &p->references[p->nreferences];
	struct mon m;
	struct err e;

	if (open_file(&m, path, &e))
		return;
	allocator_of(&r->a, &p->priv->arena, &m, 1);
	mon_fini(&m);
	r->name = allocator_object(r->a);
	p->nreferences += r->name != NULL;
}

/* May a file of this name be a reference? */
static int
reference_is(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return *d->d_name != '.' && len >= 5 &&
	       !strcmp(d->d_name + len - 4, ".mon");
}

void
allocator_references(struct profile *p)
{
	enum { MOST = 64 };
	char dir[2048], path[4096];
	struct dirent **d = NULL;
	int n, i;

	reference_place(dir, sizeof(dir));
	n = *dir ? scandir(dir, &d, reference_is, alphasort) : -1;
	if (n < 0)
		return;
	p->references =
		arena_array(&p->priv->arena, MOST, sizeof(*p->references));
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, d[i]->d_name);
		if (p->nreferences < MOST)
			reference_read(p, path);
		free(d[i]);
	}
	free(d);
	SORT(p->references, p->nreferences, reference_compare);
}
