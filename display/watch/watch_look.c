/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One look at a running program: see watch.h. */
#define _GNU_SOURCE
#include "display/watch/watch.h"

#include "display/grid/origins.h"
#include "display/text/amount.h"
#include "display/text/conditions.h"
#include "display/text/element.h"
#include "display/text/func_name.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct amounts
counts(const struct counts *c)
{
	struct account all = counts_of_all(c);

	return AMOUNTS(&all);
}

SORT_BY(compare, struct watch_row, SORT_TEXT(name))

/* Add a row to another of the same name. */
static void
watch_look_add(struct watch_row *to, struct watch_row *x)
{
	amounts_add(&to->count, &x->count);
	free(x->name);
}

/* A path as one text, or NULL.  own: the lines of the program's own code. */
static char *
watch_look_path(const struct frame *leaf, size_t depth, bool own)
{
	const struct frame *f;
	bool std = false;
	char *text = NULL;
	size_t size, n = 0;
	FILE *out;

	if (!leaf)
		return strdup("(no chain)");
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (f = origins_first(leaf, own, &std); f && (!depth || n < depth);
	     f = origins_next(f, own), n++) {
		char *name = func_name(f->func, FUNC_NAME_USUAL, 0);
		char *part = name ? element_text(f, name, 0) : NULL;

		fprintf(out, "%s%s", n ? " < " : "", part ? part : "");
		if (own && f->line && *f->file)
			fprintf(out, " (%s:%u)", str_basename(f->file),
				f->line);
		if (!n && std)
			fputs(" > [std]", out);
		free(part);
		free(name);
	}
	if (f)
		fputs(" < ...", out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/*
 * The name of row i, from malloc(), or NULL; and its counts.  *skip: omit it.
 */
static char *
watch_look_row_of(const struct profile *p, enum watch_by by, size_t i,
		  const struct options *o, struct amounts *count, bool *skip)
{
	const struct type_row *x;

	*skip = false;
	switch (by) {
	case WATCH_SITES:
		*count = counts(&p->sites[i].count);
		return watch_look_path(p->sites[i].leaf, o->depth,
				       o->own_paths);
	case WATCH_FUNCS:
		*count = counts(&p->funcs[i]->self);
		*skip = !count->allocs;
		return *skip ? NULL
			     : func_name(p->funcs[i], FUNC_NAME_USUAL, 0);
	default:
		x = &p->types[i];
		*count = AMOUNTS(x);
		return strdup(*x->name ? x->name : "(not known)");
	}
}

static int
watch_look_rows(struct watch_rows *r, const struct profile *p, enum watch_by by,
		const struct options *o)
{
	size_t n = by == WATCH_SITES   ? p->nsites
		   : by == WATCH_FUNCS ? p->nfuncs
				       : p->ntypes;

	r->row = calloc(n + 1, sizeof *r->row);
	if (!r->row)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct watch_row *x = &r->row[r->n];
		bool skip;

		x->name = watch_look_row_of(p, by, i, o, &x->count, &skip);
		if (!x->name && !skip)
			return -1;
		r->n += !skip;
	}
	SORT_ONCE(r->row, r->n, compare, watch_look_add);
	r->known = true;
	return 0;
}

/* If the line of /proc/PID/status is "NAME: 123 kB", add that to *n. */
static void
read_kb(const char *line, const char *name, uint64_t *n)
{
	size_t len = strlen(name);

	if (!strncmp(line, name, len) && line[len] == ':')
		*n += strtoull(line + len + 1, NULL, 10) << 10;
}

/* Ask the kernel for the memory of the process. */
static void
look_at_memory(struct watch_memory *m, uint64_t pid)
{
	char name[64], line[256];
	FILE *f;

	snprintf(name, sizeof name, "/proc/%" PRIu64 "/status", pid);
	f = fopen(name, "re");
	if (!f)
		return;
	while (fgets(line, sizeof line, f)) {
		read_kb(line, "RssAnon", &m->anonymous);
		read_kb(line, "RssFile", &m->file);
		read_kb(line, "RssShmem", &m->shared);
	}
	fclose(f);
	m->rss = m->anonymous + m->file + m->shared;
	m->known = m->rss != 0;
}

/* Note how the run ended, if it did; 0, or -1 when out of memory. */
static int
ending(struct watch_look *a, const struct run *r)
{
	bool runs = r->killed && (r->running || !r->running_known);

	if (runs && r->running && r->running_known)
		look_at_memory(&a->memory, r->pid);
	if (runs)
		return 0;
	a->end = r->alive ? NULL : strdup(*r->end ? r->end : "killed");
	return a->end || r->alive ? 0 : -1;
}

/* The name the program was called by, or the name of its file. */
static char *
watch_look_program(const struct run *r)
{
	size_t n = strcspn(r->command, " ");
	const char *name = r->program;

	if (n && !memchr(r->command, '\'', n))
		name = r->command;
	else
		n = strlen(name);
	for (size_t i = n; i-- > 0;)
		if (name[i] == '/')
			return strndup(name + i + 1, n - i - 1);
	return strndup(name, n);
}

int
watch_look_init(struct watch_look *a, const struct profile *p,
		const struct options *o, bool with_types)
{
	const struct run *r = &p->runs[0];
	*a = (struct watch_look){
		.there = true,
		.all = counts(&p->total),
		.peak = p->peak,
		.length = r->length,
		.pid = r->pid,
		.program = watch_look_program(r),
		.incomplete = p->incomplete,
		.from = conditions_since(p),
	};
	if (p->nmemory_snapshots) {
		a->snapshot = p->memory_snapshots[p->nmemory_snapshots - 1];
		a->nparts = memory_parts(p, &a->snapshot, a->part);
	}
	/* While threads run, the peak is known to within a few KiB only. */
	if (a->peak < amount_live(&a->all))
		a->peak = amount_live(&a->all);
	if (!a->program || ending(a, r))
		return -1;
	for (enum watch_by by = 0; by < WATCH_NBY; by++)
		if ((by != WATCH_TYPES || with_types) &&
		    watch_look_rows(&a->rows[by], p, by, o))
			return -1;
	return 0;
}

void
watch_look_fini(struct watch_look *a)
{
	for (int by = 0; by < WATCH_NBY; by++) {
		for (size_t i = 0; i < a->rows[by].n; i++)
			free(a->rows[by].row[i].name);
		free(a->rows[by].row);
	}
	free(a->program);
	free(a->end);
	*a = (struct watch_look){ 0 };
}

const struct watch_row *
watch_find(const struct watch_rows *r, const char *name)
{
	const struct watch_row key = { .name = (char *)name };

	return r->n ? bsearch(&key, r->row, r->n, sizeof key, compare) : NULL;
}
