/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All stages together: from data files to struct profile. */
#include "reduce/profile.h"
#include "reduce/bins.h"
#include "reduce/chains.h"
#include "reduce/err.h"
#include "reduce/exact.h"
#include "reduce/exe.h"
#include "reduce/fields.h"
#include "reduce/info.h"
#include "reduce/merge.h"
#include "reduce/run.h"
#include "reduce/stages.h"
#include "reduce/sum.h"
#include "reduce/symbols.h"
#include "reduce/threads.h"
#include "reduce/types.h"
#include "reduce/seen.h"
#include "reduce/use.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- warnings -- */

/* Append a copy of "WHO: TEXT", or of TEXT when who is NULL.  0 or -1. */
static int
profile_warn(struct profile *p, const char *who, const char *text)
{
	struct arena *a = &p->priv->arena;
	size_t room = p->nwarnings;
	char **w = array_grow(p->warnings, &room, p->nwarnings + 1, sizeof(*w));
	char *copy, *clean;

	if (!w)
		return -1;
	p->warnings = w;
	copy = who ? arena_print(a, "%s: %s", who, text)
		   : arena_copy(a, text, strlen(text));
	clean = copy ? run_clean(a, copy) : NULL;
	if (!clean)
		return -1;
	w[p->nwarnings++] = clean;
	return 0;
}

/* Which modules have functions without a name; NULL: out of memory. */
static const bool *
profile_nameless(struct profile *p, const struct funcs *f)
{
	bool *v = arena_alloc(&p->priv->arena, f->mon->nmodules + 1);
	size_t i;

	for (i = 0; v && i < f->n; i++)
		v[f->more[i].module] |= !f->more[i].known;
	return v;
}

/*
 * The program has no build-id to tell it by: when it has another name, and
 * hasn't what the data has, say so.
 */
static int
profile_warn_name(struct profile *p, const struct funcs *f, const char *path,
		  size_t i, const bool *nameless)
{
	const struct mon_module *o = &f->mon->modules[i];
	const char *was = run_basename(o->path);
	const char *text;

	if (o->idlen || !strcmp(run_basename(path), was) || !nameless[i])
		return 0;
	text = arena_print(&p->priv->arena,
			   "may not be the program that made "
			   "the data: that was named %s, and some of its "
			   "addresses aren't in this one; link with "
			   "-Wl,--build-id, so that it can be told",
			   was);
	return text ? profile_warn(p, path, text) : -1;
}

/* What is amiss with the modules that chains pass through. */
static int
profile_warn_modules(struct profile *p, const struct funcs *f,
		     const struct exe *x, const bool *used)
{
	const bool *nameless = profile_nameless(p, f);
	const struct mon *m = f->mon;
	const char *problem;
	bool severe, program;
	size_t i;

	if (!nameless)
		return -1;
	if (x->warning && profile_warn(p, NULL, x->warning))
		return -1;
	for (i = 1; i < m->nmodules; i++) {
		program = m->modules[i].flags & MONOUT_M_EXE;
		/* No file was recorded for those that aren't paths. */
		if (!used[i] || i == x->other ||
		    (*m->modules[i].path != '/' &&
		     x->paths[i] == m->modules[i].path))
			continue;
		problem = symbols_problem(p->priv->symbols, i - 1, &severe);
		if (problem && (severe || program) &&
		    profile_warn(p, x->paths[i], problem))
			return -1;
		if (program &&
		    profile_warn_name(p, f, x->paths[i], i, nameless))
			return -1;
	}
	return 0;
}

/* --------------------------------------------------------------- stages -- */

/* Load one file and add it to g; r and the warnings are filled from it. */
static int
profile_load(struct profile *p, struct merge *g, const char *path,
	     struct run *r, struct err *e)
{
	struct mon m;
	unsigned i;
	int status;

	if (load_file(&m, path, e))
		return -1;
	status = merge_add(g, &m, e);
	if (!status && run_fill(r, &p->priv->arena, &m))
		status = err_memory(e);
	for (i = 0; i < m.nwarning && !status; i++) {
		if (profile_warn(p, NULL, m.warning[i]))
			status = err_memory(e);
	}
	load_fini(&m);
	return status;
}

static int
profile_load_all(struct profile *p, struct merge *g,
		 const struct profile_options *o, struct err *e)
{
	size_t i;

	p->runs = arena_array(&p->priv->arena, o->nfiles, sizeof(*p->runs));
	if (!p->runs)
		return err_memory(e);
	for (i = 0; i < o->nfiles; i++) {
		if (profile_load(p, g, o->files[i], &p->runs[i], e))
			return -1;
		p->nruns++;
	}
	return 0;
}

/* A number that all runs have, or 0. */
static uint64_t
profile_run_number(const struct mon *m, enum monout_run key)
{
	return m->run[key].set ? m->run[key].number : 0;
}

/* Numbers that aren't counts of sites. */
static void
profile_totals(struct profile *p, const struct mon *m)
{
	const uint64_t *t = m->total;

	p->reallocs = m->sums.reallocs;
	p->peak = t[MONOUT_T_PEAK];
	p->peak_at = t[MONOUT_T_PEAK_AT];
	p->peak_known = m->peaks_known;
	p->peak_slack = t[MONOUT_T_PEAK_SLACK];
	p->timing = profile_run_number(m, MONOUT_R_TIMING);
	p->lives_known = m->lives_known;
	p->threads = profile_run_number(m, MONOUT_R_THREADS);
	p->frames = t[MONOUT_T_FRAMES];
	p->same = t[MONOUT_T_SAME];
	p->chains = t[MONOUT_T_CHAINS];
	p->deepest = t[MONOUT_T_DEEPEST];
	p->cut = t[MONOUT_T_CUT];
	p->stopped = t[MONOUT_T_STOPPED];
	p->lost = t[MONOUT_T_LOST];
	p->lost_bytes = t[MONOUT_T_LOST_BYTES];
	p->unseen = t[MONOUT_T_UNSEEN];
	p->inherited = t[MONOUT_T_INHERITED];
	p->reused = t[MONOUT_T_REUSED];
	p->failed = t[MONOUT_T_FAILED];
	p->own = t[MONOUT_T_OWN];
	p->maxmem = profile_run_number(m, MONOUT_R_MAXMEM);
	p->shortened = t[MONOUT_T_SHORT];
	p->untimed = t[MONOUT_T_UNTIMED];
	p->unfolded = t[MONOUT_T_UNFOLDED];
	p->ticked = t[MONOUT_T_TICKED];
	p->uses_known = m->uses_known;
	p->way = m->run[MONOUT_R_WAY].number;
	p->step = m->run[MONOUT_R_STEP].number;
	p->reads = m->use.n[MON_U_READS];
	p->writes = m->use.n[MON_U_WRITES];
	p->incomplete = m->incomplete;
}

static int
profile_symbols(struct profile *p, const struct mon *m, const struct exe *x,
		bool demangle)
{
	const struct mon_module *o;
	size_t i;

	p->priv->symbols = symbols_new(demangle);
	if (!p->priv->symbols)
		return -1;
	for (i = 1; i < m->nmodules; i++) {
		o = &m->modules[i];
		if (symbols_add(p->priv->symbols, x->paths[i], o->id,
				o->idlen) != i - 1)
			return -1;
	}
	return 0;
}

static int
profile_compare_names(const void *a, const void *b)
{
	return strcmp((*(struct func *const *)a)->name,
		      (*(struct func *const *)b)->name);
}

/* Mark the functions whose names others have too. */
static int
profile_ambiguous(struct profile *p)
{
	struct func **f = malloc((p->nfuncs + 1) * sizeof(*f));
	size_t i;

	if (!f)
		return -1;
	memcpy(f, p->funcs, p->nfuncs * sizeof(*f));
	qsort(f, p->nfuncs, sizeof(*f), profile_compare_names);
	for (i = 1; i < p->nfuncs; i++) {
		if (!strcmp(f[i - 1]->name, f[i]->name))
			f[i - 1]->ambiguous = f[i]->ambiguous = true;
	}
	free(f);
	return 0;
}

/* How blocks were used, and of which types they are. */
static int
profile_uses(struct profile *p, const struct mon *m, const struct exe *x,
	     bool fields)
{
	struct use *uses;
	struct exact e = { 0 };
	int status;

	if (use_of_sites(m, &uses))
		return -1;
	status = exact_find(&e, &p->priv->arena, m, x);
	if (!status)
		status = seen_only(p, m, x, uses);
	if (!status)
		status = use_make(p, m, uses);
	if (!status)
		status = exact_make(p, m, &e, uses);
	if (!status)
		status = bins_exact(p, m, &e);
	if (!status && fields)
		status = fields_make(p, m, &e, x);
	exact_fini(&e);
	free(uses);
	return status;
}

/* Names, chains, bins and threads.  0, or -1 when out of memory. */
static int
profile_chains(struct profile *p, const struct mon *m, const struct exe *x,
	       const struct profile_options *o)
{
	struct funcs f = {
		.arena = &p->priv->arena,
		.mon = m,
		.offsets = o->offsets,
		.wrappers = { o->wrappers, o->nwrappers, o->no_wrappers },
	};
	const bool *used;
	int status;

	status = profile_symbols(p, m, x, o->demangle == PROFILE_DEMANGLE_AUTO);
	f.symbols = p->priv->symbols;
	if (!status)
		status = chains_build(p, &f, &used);
	if (!status)
		status = profile_warn_modules(p, &f, x, used);
	if (!status)
		status = bins_make(p, m);
	if (!status)
		status = threads_make(p, m);
	if (!status)
		status = profile_uses(p, m, x, o->fields);
	if (!status && !o->no_types)
		status = bins_types(p, m, used, x->paths);
	funcs_fini(&f);
	return status;
}

/* Data of several programs can be added up, but it should be meant. */
static int
profile_warn_programs(struct profile *p, const struct mon *m)
{
	const char *first = NULL, *text;
	size_t i, n = 0;

	for (i = 1; i < m->nmodules; i++) {
		if (!(m->modules[i].flags & MONOUT_M_EXE))
			continue;
		first = first ? first : m->modules[i].path;
		n++;
	}
	if (n < 2)
		return 0;
	text = arena_print(&p->priv->arena,
			   "the data are of %zu different programs, %s among "
			   "them; their functions are kept apart, also those "
			   "of the same name",
			   n, run_basename(first));
	return text ? profile_warn(p, NULL, text) : -1;
}

/* What only some of the files have is known of none. */
static int
profile_warn_partly(struct profile *p, const struct mon *m)
{
	bool lives = !m->lives_known && !life_is_empty(&m->life);
	bool threads = !m->threads_known && m->nthreads;
	bool uses = !m->uses_known && m->nuses;

	if ((lives && profile_warn(p, NULL,
				   "some of the files don't say what became of "
				   "blocks; it is left out of all")) ||
	    (threads && profile_warn(p, NULL,
				     "some of the files don't say what the "
				     "threads did; it is left out of all")) ||
	    (uses && profile_warn(p, NULL,
				  "some of the files don't say how blocks were "
				  "used; it is left out of all")))
		return -1;
	return 0;
}

/* From the merged data to the profile. */
static int
profile_reduce(struct profile *p, const struct mon *m,
	       const struct profile_options *o, struct err *e)
{
	struct exe x;

	profile_totals(p, m);
	if (exe_settle(&x, &p->priv->arena, m, o->exe, e))
		return -1;
	if (profile_warn_programs(p, m) || profile_warn_partly(p, m) ||
	    profile_chains(p, m, &x, o) || profile_ambiguous(p) ||
	    callgraph_build(p) || scc_find(p))
		return err_memory(e);
	if (propagate(p, e))
		return -1;
	return use_finish(p) ? err_memory(e) : 0;
}

/* ------------------------------------------------------------ interface -- */

int
profile_read(struct profile *p, const struct profile_options *o, struct err *e)
{
	struct merge g = { .tau = o->tau };
	int status;

	*p = (struct profile){ .priv = calloc(1, sizeof(*p->priv)) };
	if (!p->priv)
		return err_memory(e);
	status = profile_load_all(p, &g, o, e);
	if (!status) {
		p->tau = g.all.uses_known ? g.gap : 0;
		status = profile_reduce(p, &g.all, o, e);
	}
	merge_fini(&g);
	if (status)
		profile_fini(p);
	return status;
}

void
profile_fini(struct profile *p)
{
	if (p->priv) {
		if (p->priv->symbols)
			symbols_free(p->priv->symbols);
		if (p->priv->types)
			types_free(p->priv->types);
		arena_fini(&p->priv->arena);
		free(p->priv);
	}
	free(p->warnings);
	*p = (struct profile){ 0 };
}

int
profile_sum(const struct profile_options *o, const char *path, struct err *e)
{
	struct merge g = { .tau = o->tau };
	struct mon m;
	int status = 0;
	size_t i;

	for (i = 0; i < o->nfiles && !status; i++) {
		status = load_file(&m, o->files[i], e);
		if (status)
			break;
		status = merge_add(&g, &m, e);
		load_fini(&m);
	}
	if (!status)
		status = sum_write(&g, path, e);
	merge_fini(&g);
	return status;
}

int
profile_info(const struct profile_options *o, FILE *out, struct err *e)
{
	struct mon m;
	int status;
	size_t i;

	for (i = 0; i < o->nfiles; i++) {
		if (load_file(&m, o->files[i], e))
			return -1;
		if (i)
			putc('\n', out);
		status = info_print(&m, out);
		load_fini(&m);
		if (status)
			return err_memory(e);
	}
	return 0;
}
