/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files of operands, loaded and merged: see files.h. */
#include "reduce/base/err.h"
#include "reduce/base/hash.h"
#include "reduce/base/clean.h"
#include "reduce/base/str.h"
#include "reduce/estimate/recount.h"
#include "reduce/estimate/sample.h"
#include "reduce/monout/mon.h"
#include "reduce/monout/run.h"
#include "reduce/monout/stream.h"
#include "reduce/image/open.h"
#include "reduce/profile/data_files.h"
#include "reduce/model/stages.h"
#include "reduce/model/warn.h"
#include "reduce/profile/allocator.h"
#include "reduce/profile/files.h"
#include "reduce/profile/files_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -------------------------------------------------------------- one file -- */

/* The place for the next run. */
static struct run *
load_run(struct files_part *x)
{
	struct profile *p = x->p;
	struct run *more;

	if (x->of->sum)
		return &x->unseen;
	if (p->nruns < x->room)
		return &p->runs[p->nruns];
	x->room = 2 * x->room + x->to - x->from;
	more = arena_array(&p->priv->arena, x->room, sizeof(*more));
	if (p->nruns)
		memcpy(more, p->runs, p->nruns * sizeof(*more));
	p->runs = more;
	return &p->runs[p->nruns];
}

/* Note a file that can't be read; *e: why. */
static void
load_unread(struct files_part *x, const char *path, const struct err *e)
{
	struct arena *a = &x->p->priv->arena;
	struct run *r = load_run(x);
	size_t n = strlen(path);
	const char *why = e->text;

	/* The message begins with the path. */
	if (!strncmp(why, path, n) && !strncmp(why + n, ": ", 2))
		why += n + 2;
	*r = (struct run){
		.path = clean_name(a, path),
		.problem = clean_name(a, why),
		.program = "",
		.command = "",
		.end = "",
		.version = "",
	};
	x->p->nunread++;
	x->p->nruns++;
	if (x->g) {
		x->g->all.total[MONOUT_T_UNREAD]++;
		x->g->all.total_set[MONOUT_T_UNREAD] = true;
	}
	profile_warn(x->p, NULL, "%s", e->text);
}

/* Does the file's program have the name that is asked for? */
static bool
load_is_of(const struct mon *m, const char *exe)
{
	const char *program = m->run[MONOUT_R_PROGRAM].text;

	return !exe || !program ||
	       !strcmp(str_basename(program), str_basename(exe));
}

static void
load_tell(struct files_part *x, const struct mon *m)
{
	struct arena *a = &x->p->priv->arena;
	struct run *r = load_run(x);

	if (x->of->sum)
		return;
	run_fill(r, a, m);
	allocator_of(&r->allocator, a, m, 1);
}

/* Add the warnings of a loaded file. */
static void
load_warnings(struct profile *p, const struct mon *m)
{
	const uint64_t *t = m->total;
	unsigned i;

	for (i = 0; i < m->nwarning; i++) {
		profile_warn(p, NULL, "%s", m->warning[i]);
	}
	if (!t[MONOUT_T_UNREAD])
		return;
	profile_warn(p, m->path,
		     "%" PRIu64
		     " data file%s that could not be read %s not in this sum",
		     t[MONOUT_T_UNREAD], t[MONOUT_T_UNREAD] == 1 ? "" : "s",
		     t[MONOUT_T_UNREAD] == 1 ? "is" : "are");
}

/* Take a loaded file.  0, or -1 with *e set. */
static int
load_take(struct files_part *x, struct mon *m)
{
	struct err *e = &x->e;

	sample_scale(m);
	recount_running(m);
	load_tell(x, m);
	if (x->g && merge_add(x->g, m, e))
		return -1;
	load_warnings(x->p, m);
	if (x->ranks && x->g && !mon_is_sum(m))
		ranks_note(x->ranks, &x->p->runs[x->p->nruns], m, x->g->kept);
	x->p->nruns++;
	return 0;
}

/* Take one of the files.  status 0: it is loaded in m; else *e says why not. */
static int
load_one(struct files_part *x, const struct files_one *one, const char *path,
	 struct mon *m, int status, const struct err *e)
{
	if (status) {
		x->e = *e;
		if (x->of->files->n == 1 && path == one->path &&
		    !(x->of->sum && x->of->sum->parts))
			return -1;
		load_unread(x, path, e);
		return 0;
	}
	if (one->picked && !load_is_of(m, x->of->exe))
		x->others++;
	else
		status = load_take(x, m);
	mon_fini(m);
	return status;
}

/* ------------------------------------------------------------- all files -- */

/* Standard input: a data file, or several one after the other. */
static int
load_stream(struct files_part *x, const struct files_one *one)
{
	struct stream s = { .fd = STDIN_FILENO, .is_image = open_is_image };
	struct arena a = { 0 };
	const unsigned char *data = NULL;
	const char *path;
	struct err e;
	struct mon m;
	size_t n, i;
	int more = 0, status = 0;

	for (i = 1; !status; i++) {
		more = stream_next(&s, &data, &n);
		if (more <= 0 && i > 1)
			break;
		path = arena_print(&a, "standard input, file %zu", i);
		if (more < 0)
			break;
		status =
			load_one(x, one, path, &m,
				 open_memory(&m, path, more ? data : (void *)"",
					     more ? n : 0, &e),
				 &e);
		arena_fini(&a);
		if (!more)
			break;
	}
	if (more < 0 && !status)
		status = err_set(&x->e, "standard input: %s", strerror(errno));
	arena_fini(&a);
	stream_fini(&s);
	return status;
}

void
files_part_load(struct files_part *x)
{
	const struct files_one *one;
	struct err e;
	struct mon m;
	size_t i;

	x->status = 0;
	for (i = x->from; i < x->to && !x->status; i++) {
		one = &x->of->files->v[i];
		if (!strcmp(one->path, "-"))
			x->status = load_stream(x, one);
		else
			x->status = load_one(x, one, one->path, &m,
					     open_file(&m, one->path, &e), &e);
	}
}

void
files_warn_others(struct profile *p, const char *exe, size_t n)
{
	if (!n)
		return;
	profile_warn(p, NULL,
		     "%zu data file%s of other programs than %s %s left "
		     "out",
		     n, n == 1 ? "" : "s", str_basename(exe),
		     n == 1 ? "is" : "are");
}

/* Keep the files of this part; their names decide, so any process agrees. */
static void
load_choose(struct files *f, const struct files_sum *sum)
{
	const char *path;
	size_t i, n = 0;

	for (i = 0; i < f->n; i++) {
		path = f->v[i].path;
		if (hash_bytes(HASH_BYTES, path, strlen(path)) % sum->parts ==
		    sum->part)
			f->v[n++] = f->v[i];
	}
	f->n = n;
}

/* No file could be read. */
static int
load_nothing(const struct files_part *x, struct err *e)
{
	if (x->others)
		return err_set(
			e,
			"no data file is of a program called %s; mpreduce "
			"--file-info=list prints their programs",
			str_basename(x->of->exe));
	if (x->p->nruns == 1) {
		*e = x->e;
		return -1;
	}
	return err_set(e, "none of the %zu data files can be read",
		       x->p->nruns);
}

static int
load_all(struct profile *p, struct merge *g, const struct files_load *l,
	 struct ranks *ranks, const struct profile_options *o, struct err *e)
{
	bool list = o->several == PROFILE_LIST;
	struct files_part x = { .of = l,
				.p = p,
				.ranks = list ? NULL : ranks,
				.g = list ? NULL : g,
				.to = l->files->n };

	if (files_parts_load(&x, o->jobs)) {
		*e = x.e;
		return -1;
	}
	if (l->sum)
		l->sum->others = x.others;
	if (l->sum && l->sum->parts)
		return 0;
	if (p->nunread == p->nruns && (x.others || !list))
		return load_nothing(&x, e);
	files_warn_others(p, l->exe, x.others);
	return 0;
}

int
files_read(struct profile *p, struct merge *g, const struct profile_options *o,
	   struct files_sum *sum, struct ranks *ranks, struct err *e)
{
	bool list = o->several == PROFILE_LIST;
	struct files f = { 0 };
	struct files_load l = {
		.files = &f,
		.exe = list ? NULL : o->exe,
		.sum = sum,
	};
	int status = files_find(&f, &p->priv->arena, o, e);

	if (!status && !list)
		files_sort(&f);
	if (!status && sum && sum->parts)
		load_choose(&f, sum);
	if (!status)
		status = load_all(p, g, &l, ranks, o, e);
	if (!status && !list)
		merge_settle(g);
	files_fini(&f);
	return status;
}

bool
files_are_mixed(const struct profile *p)
{
	const struct run *first = NULL, *r;
	size_t i;

	for (i = 0; i < p->nruns; i++) {
		r = &p->runs[i];
		if (r->problem)
			continue;
		if (first && strcmp(first->program, r->program) != 0)
			return true;
		first = first ? first : r;
	}
	return false;
}
