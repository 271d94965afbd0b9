/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts by source line.  The call paths are built a second time, with a
 * function for each source line of a call, and then walked as in propagate.c.
 * Here the same line of different functions is one line, for example of a
 * template, or of a header that several files include.
 */
#include "reduce/profile/parts.h"
#include "reduce/base/sort.h"
#include "reduce/callgraph/callgraph.h"
#include "reduce/callgraph/frames_walk.h"
#include "reduce/model/counts.h"
#include "reduce/model/stages.h"

#include <stdlib.h>
#include <string.h>

struct source_lines {
	struct profile *p; /* gets the result */
	struct profile by; /* call paths by line: funcs, frames and sites */
	struct source_line *lines;
	size_t nlines;
	uint32_t *line_of;   /* for each func of by: its line, or none */
	uint32_t *source_of; /* for each line */
	/* How often each one is on the path from the root to the frame. */
	uint32_t *on_line, *on_source;
	struct walk walk;
	struct account *own;   /* for each frame: the sum of its sites */
	struct account *below; /* by depth */
	size_t nsites;	       /* of the merged data */
};

/* --------------------------------------------------------------- tables -- */

/* By file and line; name and the rest make the order unique. */
SORT_BY(source_lines_compare, struct func,
	SORT_TEXT(call_file) SORT_UP(call_line) SORT_TEXT(name)
		SORT_TEXT(module) SORT_UP(addr) SORT_UP(whole))

/* Are both in the same file? */
static bool
source_lines_same(const struct func *a, const struct func *b)
{
	return !strcmp(a->call_file, b->call_file);
}

/*
 * Copies of the functions that have lines, sorted; *n gets their number.
 * `order' of a copy is the index of the original.
 */
static struct func *
source_lines_sorted(struct source_lines *s, size_t *n)
{
	const struct profile *by = &s->by;
	struct func *all;
	size_t i;

	all = arena_array(&s->p->priv->arena, by->nfuncs, sizeof(*all));
	*n = 0;
	for (i = 0; i < by->nfuncs; i++) {
		s->line_of[i] = STAGES_NONE;
		if (!by->funcs[i]->call_line)
			continue;
		all[*n] = *by->funcs[i];
		all[(*n)++].order = (unsigned)i;
	}
	SORT(all, *n, source_lines_compare);
	return all;
}

/* Begin a file, at its first line. */
static void
source_lines_begin(struct source_lines *s, const struct func *f)
{
	struct source *to = &s->p->sources[s->p->nsources++];

	to->path = f->call_file;
	to->lines = &s->lines[s->nlines];
}

/* Divide the sorted functions into lines, and the lines into files. */
static void
source_lines_cut(struct source_lines *s, const struct func *all, size_t n)
{
	struct source_line *to = NULL;
	const struct func *f;
	size_t i;

	for (i = 0; i < n; i++) {
		f = &all[i];
		if (!i || !source_lines_same(f - 1, f))
			source_lines_begin(s, f);
		if (!i || !source_lines_same(f - 1, f) ||
		    f[-1].call_line != f->call_line) {
			to = &s->lines[s->nlines];
			s->source_of[s->nlines++] =
				(uint32_t)(s->p->nsources - 1);
			to->line = f->call_line;
			to->funcs = f;
			s->p->sources[s->p->nsources - 1].nlines++;
		}
		to->nfuncs++;
		s->line_of[f->order] = (uint32_t)(s->nlines - 1);
	}
}

static void
source_lines_tables(struct source_lines *s)
{
	struct arena *a = &s->p->priv->arena;
	size_t n, most = s->by.nfuncs;
	const struct func *all;

	s->line_of = heap_array(most + 1, sizeof(*s->line_of));
	s->source_of = heap_array(most + 1, sizeof(*s->source_of));
	s->on_line = heap_array(most + 1, sizeof(*s->on_line));
	s->on_source = heap_array(most + 1, sizeof(*s->on_source));
	s->lines = arena_array(a, most, sizeof(*s->lines));
	s->p->sources = arena_array(a, most, sizeof(*s->p->sources));
	all = source_lines_sorted(s, &n);
	source_lines_cut(s, all, n);
}

/* ------------------------------------------------------------- the walk -- */

/* Set the sums of each frame's sites. */
static void
source_lines_sites(struct source_lines *s)
{
	const struct profile *by = &s->by;
	const struct frame *leaf;
	struct account *own, all;
	size_t i;

	for (i = 0; i < by->nsites; i++) {
		if (!by->sites[i].leaf)
			continue;
		all = counts_of_all(&by->sites[i].count);
		all.hidden = (struct suppressed){ 0, 0 };
		own = &s->own[stages_frame(by, by->sites[i].leaf)];
		account_add(own, &all);
	}
	/* Suppressions are known by whole call path of the merged data. */
	for (i = 0; i < s->nsites; i++) {
		leaf = by->sites[by->priv->site_of[i]].leaf;
		all = (struct account){ .hidden = s->p->priv->hidden[i] };
		if (leaf)
			account_add(&s->own[stages_frame(by, leaf)], &all);
	}
}

static void
source_lines_enter(void *arg, uint32_t i)
{
	struct source_lines *s = arg;
	const struct frame *f = &s->by.priv->frames[i];
	uint32_t line = s->line_of[stages_func(&s->by, f->func)], source;

	s->below[f->depth] = s->own[i];
	if (line == STAGES_NONE)
		return;
	source = s->source_of[line];
	account_add(&s->lines[line].self, &s->own[i]);
	account_add(&s->p->sources[source].self, &s->own[i]);
	s->on_line[line]++;
	s->on_source[source]++;
}

static void
source_lines_leave(void *arg, uint32_t i)
{
	struct source_lines *s = arg;
	const struct frame *f = &s->by.priv->frames[i];
	uint32_t line = s->line_of[stages_func(&s->by, f->func)], source;
	const struct account *below = &s->below[f->depth];

	/* A frame of depth 1 has no parent; below[0] takes its sum. */
	account_add(&s->below[f->depth - 1], below);
	if (line == STAGES_NONE)
		return;
	source = s->source_of[line];
	if (--s->on_line[line] == 0)
		account_add(&s->lines[line].total, below);
	if (--s->on_source[source] == 0)
		account_add(&s->p->sources[source].total, below);
}

static void
source_lines_walk(struct source_lines *s)
{
	walk_init(&s->walk, &s->by, s->by.priv->nframes);
	s->own = heap_array(s->by.priv->nframes + 1, sizeof(*s->own));
	s->below = heap_array(s->walk.deepest + 1, sizeof(*s->below));
	source_lines_sites(s);
	walk_frames(&s->walk, source_lines_enter, source_lines_leave, s);
}

/* ----------------------------------------------------------------- files -- */

/* The item of p->sources with this path, or NULL. */
static struct source *
source_lines_find(const struct profile *p, const char *path)
{
	size_t at = SORT_PLACE(i, p->nsources,
			       strcmp(p->sources[i].path, path) < 0);

	return at < p->nsources && !strcmp(p->sources[at].path, path)
		       ? &p->sources[at]
		       : NULL;
}

/* Append the module to the file's list. */
static void
source_lines_module(struct source_lines *s, struct source *to, const char *path)
{
	struct arena *a = &s->p->priv->arena;
	const char **list = arena_array(a, to->nmodules + 1, sizeof(*list));

	if (to->nmodules)
		memcpy(list, to->modules, to->nmodules * sizeof(*list));
	list[to->nmodules] = arena_copy(a, path, strlen(path));
	to->modules = list;
	to->nmodules++;
}

/* List the modules with functions in the files, at most MOST each. */
static void
source_lines_modules(struct source_lines *s, const struct funcs *f,
		     const struct exe *x)
{
	enum { MOST = 16 };
	struct hash seen = { 0 };
	struct source *to;
	uint32_t module, n = 0;
	size_t i;

	for (i = 0; i < f->n; i++) {
		module = f->detail[i].module;
		if (!f->list[i].call_line || !module)
			continue;
		to = source_lines_find(s->p, f->list[i].call_file);
		if (!to || to->nmodules == MOST)
			continue;
		if (hash_intern(&seen, module, (uintptr_t)to, 0, n) == n) {
			source_lines_module(s, to, x->paths[module]);
			n++;
		}
	}
	hash_fini(&seen);
}

/* Set the files' paths as the compiler wrote them. */
static void
source_lines_recorded(struct source_lines *s, const struct lines *l)
{
	struct source *to;
	size_t i;

	for (i = 0; i < s->p->nsources; i++)
		s->p->sources[i].recorded = s->p->sources[i].path;
	for (i = 0; i < l->nfiles; i++) {
		to = source_lines_find(s->p, l->file[i].path);
		if (to)
			to->recorded = l->file[i].recorded;
	}
}

static void
source_lines_all(struct source_lines *s, struct funcs *f, const struct exe *x)
{
	const bool *used;

	s->by.priv = heap_array(1, sizeof(*s->by.priv));
	chains_build(&s->by, f, &used);
	source_lines_tables(s);
	source_lines_walk(s);
	source_lines_recorded(s, &f->lines);
	source_lines_modules(s, f, x);
}

void
source_lines_make(struct profile *p, const struct funcs *like,
		  const struct exe *x)
{
	/* Lifetimes of blocks aren't needed. */
	struct mon m = *like->mon;
	struct funcs f = {
		.arena = like->arena,
		.symbols = like->symbols,
		.mon = &m,
		.wrappers = like->wrappers,
		.by_line = true,
		.lines = { .arena = like->arena },
		.filter = like->filter,
		.filtered = true,
	};
	struct source_lines s = { .p = p, .nsites = m.nsites };

	m.lives_known = false;
	source_lines_all(&s, &f, x);
	funcs_fini(&f);
	if (s.by.priv)
		arena_fini(&s.by.priv->arena);
	free(s.by.priv);
	free(s.line_of);
	free(s.source_of);
	free(s.on_line);
	free(s.on_source);
	walk_fini(&s.walk);
	free(s.own);
	free(s.below);
}
