/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data files read and merged by several threads.  Each thread has its own
 * profile and merge for a range of files.  These are joined in their order,
 * with the same result as if one thread had read all files.
 */
#define _GNU_SOURCE
#include "reduce/profile/files_parts.h"
#include "reduce/model/stages.h"
#include "reduce/model/warn.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* With fewer files, a thread costs more than it saves. */
enum { PARTS_LEAST = 4, PARTS_MOST = 256 };

struct part {
	struct files_part x;
	struct profile p;
	struct profile_priv priv;
	struct merge g;
	struct ranks ranks;
	pthread_t thread;
	bool runs; /* the thread was started */
};

/* The number of CPUs that this process may use. */
static size_t
parts_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set)
		       ? 1
		       : (size_t)CPU_COUNT(&set);
}

/* Can all be read at the same time?  Pipes can be read only once. */
static bool
parts_are_plain(const struct files_part *x)
{
	struct stat st;
	size_t i;

	for (i = x->from; i < x->to; i++)
		if (stat(x->of->files->v[i].path, &st) == 0 &&
		    !S_ISREG(st.st_mode))
			return false;
	return true;
}

static size_t
parts_number(const struct files_part *x, size_t jobs)
{
	size_t n = (x->to - x->from) / PARTS_LEAST;

	jobs = jobs ? jobs : parts_cpus();
	n = n < jobs ? n : jobs;
	n = n < PARTS_MOST ? n : PARTS_MOST;
	/* To look for single blocks, a caller needs the first file's own
	 * numbers. */
	if (n < 2 || !x->g || x->g->first || x->g->nfiles ||
	    !parts_are_plain(x))
		return 1;
	return n;
}

static void *
parts_run(void *arg)
{
	files_part_load(arg);
	return NULL;
}

/* Start the threads.  This thread loads the first part itself. */
static void
parts_start(struct part *v, size_t n, const struct files_part *all)
{
	size_t files = all->to - all->from, i;

	for (i = n; i-- > 0;) {
		v[i].p.priv = &v[i].priv;
		v[i].g.tau = all->g->tau;
		v[i].g.each_thread = all->g->each_thread;
		v[i].g.keep = all->ranks != NULL;
		v[i].x = (struct files_part){
			.of = all->of,
			.p = &v[i].p,
			.g = &v[i].g,
			.ranks = all->ranks ? &v[i].ranks : NULL,
			.from = all->from + files * i / n,
			.to = all->from + files * (i + 1) / n,
		};
		v[i].runs = i && !pthread_create(&v[i].thread, NULL, parts_run,
						 &v[i].x);
		if (!v[i].runs)
			files_part_load(&v[i].x);
	}
}

/* Append a part to the result.  0, or -1. */
static int
parts_join(struct files_part *all, struct part *v)
{
	struct profile *p = all->p, *x = &v->p;
	struct run *more;
	struct err e;
	size_t i;

	if (!all->of->sum && x->nruns) {
		more = arena_array(&p->priv->arena, p->nruns + x->nruns,
				   sizeof(*more));
		if (p->nruns)
			memcpy(more, p->runs, p->nruns * sizeof(*more));
		memcpy(more + p->nruns, x->runs, x->nruns * sizeof(*more));
		p->runs = more;
	}
	for (i = 0; i < x->nwarnings; i++)
		profile_warn(p, NULL, "%s", x->warnings[i]);
	p->nruns += x->nruns;
	p->nunread += x->nunread;
	all->others += v->x.others;
	v->g.all.path = "";
	if (merge_join(all->g, &v->g, &e))
		return -1;
	if (all->ranks && v->ranks.nfiles)
		ranks_join(all->ranks, &v->ranks, all->g->kept);
	return 0;
}

/* Drop the results of all parts. */
static void
parts_forget(struct files_part *all)
{
	double tau = all->g->tau;
	bool keep = all->g->keep, each = all->g->each_thread;

	if (all->ranks)
		ranks_fini(all->ranks);
	all->p->nruns = all->p->nunread = all->p->nwarnings = 0;
	all->p->runs = NULL;
	all->others = 0;
	merge_fini(all->g);
	*all->g =
		(struct merge){ .tau = tau, .keep = keep, .each_thread = each };
}

int
files_parts_load(struct files_part *all, size_t jobs)
{
	size_t n = parts_number(all, jobs), i;
	struct part *v = n > 1 ? heap_array(n, sizeof(*v)) : NULL;
	int status = 0;

	if (!v) {
		files_part_load(all);
		return all->status;
	}
	parts_start(v, n, all);
	for (i = 0; i < n; i++) {
		if (v[i].runs)
			pthread_join(v[i].thread, NULL);
		if (!status)
			status = v[i].x.status || parts_join(all, &v[i]);
		merge_fini(&v[i].g);
		ranks_fini(&v[i].ranks);
		free(v[i].p.warnings);
		arena_take(&all->p->priv->arena, &v[i].priv.arena);
	}
	free(v);
	if (!status)
		return 0;
	/* Read the files in order, to find the one that failed. */
	parts_forget(all);
	files_part_load(all);
	return all->status;
}
