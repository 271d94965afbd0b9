/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All stages together: from data files to struct profile. */
#include "reduce/profile/profile.h"
#include "reduce/base/err.h"
#include "reduce/base/guard.h"
#include "reduce/base/names.h"
#include "reduce/base/sort.h"
#include "reduce/base/clean.h"
#include "reduce/base/str.h"
#include "reduce/callgraph/callgraph.h"
#include "reduce/callgraph/filter.h"
#include "reduce/callgraph/leaks.h"
#include "reduce/binaries/exe.h"
#include "reduce/symbols/symbols_cache.h"
#include "reduce/binaries/modules.h"
#include "reduce/elf/searchpath.h"
#include "reduce/symbols/symbols.h"
#include "reduce/monout/merge.h"
#include "reduce/monout/mon.h"
#include "reduce/monout/run.h"
#include "reduce/image/open.h"
#include "reduce/log/log.h"
#include "reduce/model/stages.h"
#include "reduce/model/warn.h"
#include "reduce/profile/bins.h"
#include "reduce/profile/block_stages.h"
#include "reduce/profile/parts.h"
#include "reduce/profile/files.h"
#include "reduce/profile/info.h"
#include "reduce/profile/allocator.h"
#include "reduce/profile/ranks.h"
#include "reduce/profile/when.h"
#include "reduce/types/links.h"
#include "reduce/types/types.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- stages -- */

/* A number that is the same in all runs, or 0. */
static uint64_t
profile_run_number(const struct mon *m, enum monout_run key)
{
	return m->run[key].set ? m->run[key].number : 0;
}

/*
 * The other figures that are known.  Samples whose accesses are recorded have
 * addresses of their own, so their moves say nothing.
 */
static uint64_t
profile_figures(const struct mon *m)
{
	const uint64_t moves =
		1ull << MONOUT_FIGURE_MOVED | 1ull << MONOUT_FIGURE_COPIED;
	bool apart =
		m->run[MONOUT_R_SAMPLE].number && m->run[MONOUT_R_WAY].number;

	return m->lives_known ? m->figures_known & ~(apart ? moves : 0) : 0;
}

/* Numbers that aren't counts of sites. */
static void
profile_totals(struct profile *p, const struct mon *m)
{
	const uint64_t *t = m->total;

	p->tree = p->priv->frames;
	p->ntree = p->priv->nframes;
	p->reallocs = m->sums.reallocs;
	p->peak = mon_peak(m);
	p->peak_at = t[MONOUT_T_PEAK_AT];
	p->peak_slack = mon_peak_slack(m);
	p->timing = profile_run_number(m, MONOUT_R_TIMING);
	p->known = m->known;
	p->figures_known = profile_figures(m);
	p->leaks_all &= p->leaks_known;
	p->threads = profile_run_number(m, MONOUT_R_THREADS);
#define X(total, field, how) p->field = t[total];
	MONOUT_COUNTERS(X)
#undef X
	p->own = t[MONOUT_T_OWN];
	p->collections = t[MONOUT_T_COLLECTIONS];
	p->lisp = m->run[MONOUT_R_LISP].number != 0;
	p->collected = t[MONOUT_T_COLLECTED];
	p->maxmem = profile_run_number(m, MONOUT_R_MAXMEM);
	p->unfolded = t[MONOUT_T_UNFOLDED];
	p->unplaced = t[MONOUT_T_UNPLACED];
	p->unplaced_known = m->total_set[MONOUT_T_UNPLACED];
	p->ticked = t[MONOUT_T_TICKED];
	p->way = m->run[MONOUT_R_WAY].number;
	p->step = m->run[MONOUT_R_STEP].number;
	p->reads = m->use.reads;
	p->writes = m->use.writes;
	for (int i = 0; i < 2; i++)
		p->access_var[i] = use_variance(m->use.errors[i]);
	p->incomplete = m->incomplete;
}

/* Set figures that only some runs have. */
static void
profile_optional(struct profile *p, const struct mon *m)
{
	const uint64_t *t = m->total;

	p->pool_backing = t[MONOUT_T_POOL_BACKING];
	p->sample = m->sample;
	if (m->sample.why)
		p->sample.why = clean_name(&p->priv->arena, m->sample.why);
	/* For a time before the end, set the memory at that time. */
	if (profile_is_earlier(p))
		times_resident(p, m);
}

static void
profile_symbols(struct profile *p, const struct mon *m, const struct exe *x,
		const struct profile_options *o)
{
	p->priv->symbols = symbols_cache_get(p->priv->cache, m, x,
					     p->priv->searchpath, !o->mangled);
	modules_make(p, m);
}

/* Shorten names; call it when no other stage needs the full names. */
static void
profile_shorten(struct profile *p)
{
	struct func *f = p->priv->funcs;
	char *name;
	size_t i;

	for (i = 0; i < p->priv->all_funcs; i++) {
		name = arena_alloc(&p->priv->arena, strlen(f[i].name) + 1);
		names_shorten(f[i].name, NAMES_SHORT, name);
		f[i].name = name;
	}
}

SORT_BY_POINTER(profile_compare_names, struct func,
		SORT_TEXT(name) SORT_UP(whole))

/* Mark the functions that share their name with others. */
static void
profile_ambiguous(struct profile *p)
{
	struct func **f = heap_new((p->nfuncs + 1) * sizeof(*f));
	size_t i, from, n;
	bool many;

	memcpy(f, p->funcs, p->nfuncs * sizeof(*f));
	SORT(f, p->nfuncs, profile_compare_names);
	for (from = 0; from < p->nfuncs; from += n) {
		for (n = 1; from + n < p->nfuncs; n++) {
			if (strcmp(f[from]->name, f[from + n]->name))
				break;
		}
		many = f[from]->whole != f[from + n - 1]->whole;
		for (i = 0; i < n; i++)
			f[from + i]->ambiguous = many;
	}
	free(f);
}

/* Apply the part of the filter that needs no names. */
static void
profile_filter(struct filter *t, struct block_stages *b)
{
	if (!t->what->type.n)
		return;
	block_stages_types(b);
	filter_types(t, &b->types);
}

/* What chains_build() needs to name functions, without the symbols. */
static struct funcs
profile_funcs(struct profile *p, const struct mon *m,
	      const struct profile_options *o, const struct suppress *s,
	      struct filter *t)
{
	return (struct funcs){
		.arena = &p->priv->arena,
		.mon = m,
		.offsets = o->offsets,
		.apart = o->offsets || o->calls ||
			 (o->kinds && m->nsites <= o->guess_most),
		.by_line = o->lines,
		.lines = { .arena = &p->priv->arena },
		.short_names = o->short_names,
		.suppress = s,
		.whole = runtime_is_static(m),
		.filter = filter_is_on(t) ? t : NULL,
		.wrappers = { o->wrappers, o->nwrappers, o->no_wrappers },
	};
}

/* Make names, call paths, bins and threads. */
static void
profile_chains(struct profile *p, const struct mon *m, const struct exe *x,
	       const struct profile_options *o, const struct suppress *s,
	       struct filter *t)
{
	struct funcs f = profile_funcs(p, m, o, s, t);
	struct block_stages b;
	const bool *used;

	block_stages_init(&b, p, m, x, o);
	profile_symbols(p, m, x, o);
	f.symbols = p->priv->symbols;
	leaks_init(p, m, s, o->show_runtime);
	profile_filter(t, &b);
	chains_build(p, &f, &used);
	if (!o->frames)
		elements_find(p);
	filter_finish(t);
	profile_totals(p, m);
	profile_optional(p, m);
	leaks_finish(p);
	leaks_cells(p, m);
	leak_notes_make(p);
	problems_warn(p, &f, x, used);
	bins_make(p, m);
	threads_make(p, m);
	block_stages_make(&b, used);
	own_find(p, m);
	if (o->sources)
		source_lines_make(p, &f, x);
	if (o->times)
		times_make(p, m);
	problems_warn_server(p);
	block_stages_fini(&b);
	funcs_fini(&f);
}

/* Warn of several programs: the user may not have intended their sum. */
static void
profile_warn_programs(struct profile *p, const struct mon *m)
{
	const char *first = NULL;
	size_t i, n = 0;

	for (i = 1; i < m->nmodules; i++) {
		if (!(m->modules[i].flags & MONOUT_M_EXE))
			continue;
		first = first ? first : m->modules[i].path;
		n++;
	}
	if (n < 2)
		return;
	profile_warn(p, NULL,
		     "the data are of %zu different programs, %s among them; "
		     "functions of the same name are counted for each program",
		     n, str_basename(first));
}

/* Warn of figures that only some files have: they are left out. */
static void
profile_warn_partly(struct profile *p, const struct mon *m)
{
	bool lives = !m->lives_known && !life_is_empty(&m->life);
	bool threads = !m->threads_known && m->nthreads;
	bool uses = !m->uses_known && m->nuses;

	if (lives)
		profile_warn(p, NULL,
			     "some data files don't record the fate of "
			     "blocks; lifetimes are left out");
	if (threads)
		profile_warn(p, NULL,
			     "some data files don't record threads; "
			     "threads are left out");
	if (uses)
		profile_warn(p, NULL,
			     "some data files don't record accesses; "
			     "accesses are left out");
}

/* Make the profile from the merged data, which a filter changes. */
static int
profile_reduce(struct profile *p, struct mon *m,
	       const struct profile_options *o, const struct suppress *s,
	       const struct merge_first *log, struct err *e)
{
	struct filter t;
	struct exe x;
	int status;

	p->priv->cache = o->cache;
	p->priv->searchpath = symbols_cache_searchpath(o->cache, &o->where);
	if (exe_find(&x, &p->priv->arena, m, p->priv->searchpath, o->exe, e))
		return -1;
	/* The names come from the right program: see exe_find(). */
	if (o->either && !x.other) {
		p->other_exe = x.warning;
		x.warning = NULL;
	}
	times_resident(p, m);
	if (when_apply(p, m, &o->when, log, e))
		return -1;
	if (o->times)
		times_begin(p, m);
	profile_warn_programs(p, m);
	profile_warn_partly(p, m);
	status = filter_init(&t, p, m, &o->filter, e);
	if (!status) {
		profile_chains(p, m, &x, o, s, &t);
		status = callers_make(p, m, o, e);
	}
	filter_fini(&t);
	if (status)
		return -1;
	marks_make(p, m);
	memory_make(p, m);
	links_make(p, m, &x, o->members);
	allocator_make(p, m);
	if (o->short_names)
		profile_shorten(p);
	profile_ambiguous(p);
	arcs_build(p);
	scc_find(p);
	if (propagate(p, e))
		return -1;
	use_finish(p);
	return 0;
}

/* ------------------------------------------------------------ interface -- */

/* Load the files; then make the profile, unless only a list is asked for. */
static int
profile_make(struct profile *p, struct merge *g, struct suppress *s,
	     struct ranks *ranks, const struct profile_options *o,
	     struct err *e)
{
	size_t i;

	for (i = 0; i < o->nsuppressions; i++) {
		if (suppress_read(s, &p->priv->arena, o->suppressions[i], e))
			return -1;
	}
	if (files_read(p, g, o, NULL, o->ranks ? ranks : NULL, e))
		return -1;
	p->listed = o->several == PROFILE_LIST ||
		    (o->several == PROFILE_DECIDE && files_are_mixed(p));
	if (p->listed)
		return 0;
	p->tau = g->all.uses_known ? g->gap : 0;
	if (profile_reduce(p, &g->all, o, s, g->first, e))
		return -1;
	if (o->ranks)
		ranks_make(p, ranks);
	if (g->first)
		log_open(p, &g->all, g->first, &o->filter);
	return 0;
}

int
profile_read(struct profile *p, const struct profile_options *o, struct err *e)
{
	struct merge_first log = { 0 };
	struct merge g = { .tau = o->tau,
			   .each_thread = o->each_thread,
			   .first = o->log ? &log : NULL,
			   .keep = o->ranks };
	struct ranks ranks = { 0 };
	struct suppress s = { 0 };
	int status;

	*p = (struct profile){ .priv = heap_array(1, sizeof(*p->priv)),
			       .time.why = "it was not asked for" };
	p->priv->progress.say = o->progress;
	p->priv->progress.arg = o->progress_arg;
	guard_before_end(progress_erase, &p->priv->progress);
	heap_before_end(progress_erase, &p->priv->progress);
	status = profile_make(p, &g, &s, &ranks, o, e);
	guard_before_end(NULL, NULL);
	heap_before_end(NULL, NULL);
	progress_erase(&p->priv->progress);
	merge_fini(&g);
	ranks_fini(&ranks);
	merge_first_fini(&log);
	suppress_fini(&s);
	if (!status && !p->listed && p->nruns == 1)
		family_find(&p->family, &p->priv->arena, p->runs[0].path,
			    p->runs);
	if (status)
		profile_fini(p);
	return status;
}

void
profile_fini(struct profile *p)
{
	callers_fini(p);
	if (p->priv) {
		if (p->priv->symbols && !p->priv->cache)
			symbols_free(p->priv->symbols);
		if (p->priv->types)
			types_free(p->priv->types);
		if (!p->priv->cache)
			searchpath_free(p->priv->searchpath);
		log_fini(p->priv->log);
		free(p->priv->log);
		arena_fini(&p->priv->arena);
		free(p->priv);
	}
	free(p->warnings);
	*p = (struct profile){ 0 };
}

/* Print one file (-i).  0, or -1 with *e set. */
static int
profile_info_one(const char *path, bool first, FILE *out, struct err *e)
{
	struct run_family f;
	struct arena a = { 0 };
	struct run r;
	struct mon m;

	if (open_file(&m, path, e))
		return -1;
	if (!first)
		putc('\n', out);
	info_print(&m, out);
	run_fill(&r, &a, &m);
	family_find(&f, &a, path, &r);
	if (f.n > f.before)
		fprintf(out, "%20zu  data files of children\n", f.n - f.before);
	arena_fini(&a);
	mon_fini(&m);
	return 0;
}

int
profile_info(const struct profile_options *o, FILE *out, struct err *e)
{
	struct arena a = { 0 };
	struct files f;
	int status = files_find(&f, &a, o, e);
	size_t i;

	for (i = 0; i < f.n && !status; i++)
		status = profile_info_one(f.v[i].path, i == 0, out, e);
	files_fini(&f);
	arena_fini(&a);
	return status;
}
