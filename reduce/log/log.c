/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log that belongs to a data file. */
#include "reduce/log/log.h"
#include "reduce/base/str.h"
#include "reduce/monout/cursor.h"
#include "reduce/model/stages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ----------------------------------------------------------------- find -- */

/* Open a file that may be a log.  NULL with errno set. */
static FILE *
open_plain(const char *path, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *f = NULL;

	if (fd < 0)
		return NULL;
	if (fstat(fd, st) == 0) {
		errno = EINVAL;
		if (S_ISREG(st->st_mode))
			f = fdopen(fd, "r");
	}
	if (!f)
		close(fd);
	return f;
}

/* Is it the log of the process that wrote the data file? */
static bool
is_of(const struct monlog_header *h, const struct merge_first *l)
{
	const struct mon_value *id = &l->run[MONOUT_R_LOG_ID];

	return h->pid == l->run[MONOUT_R_PID].number &&
	       h->start == l->run[MONOUT_R_START].number &&
	       (!id->set || h->id == id->number);
}

/*
 * Find the log among the files that it may be.  *why: the problem of the first
 * of these files, in a's memory.
 */
static FILE *
log_find(struct arena *a, const struct merge_first *l, char **path,
	 const char **why)
{
	const char *base = l->name ? str_basename(l->name) : NULL;
	const char *slash = strrchr(l->path, '/');
	const char *names[3] = {
		arena_print(a, "%s.log", l->path),
		base ? arena_print(a, "%.*s%s",
				   slash ? (int)(slash + 1 - l->path) : 0,
				   l->path, base)
		     : NULL,
		l->name,
	};
	struct monlog_header h;
	struct stat st;
	bool read;
	FILE *f;
	int i;

	for (i = 0; i < 3; i++) {
		if (!names[i])
			continue;
		f = open_plain(names[i], &st);
		if (!f) {
			if (!*why || errno != ENOENT)
				*why = arena_print(a, "%s: %s", names[i],
						   strerror(errno));
			continue;
		}
		read = fread(&h, sizeof(h), 1, f) == 1;
		if (read && is_of(&h, l) && fseeko(f, 0, SEEK_SET) == 0) {
			*path = heap_text(names[i]);
			return f;
		}
		fclose(f);
		*why = arena_print(a, "%s is of another run", names[i]);
	}
	return NULL;
}

/* ----------------------------------------------------------------- maps -- */

/* Find the site of each node of the data file. */
static void
map_sites(struct log *g, struct profile *p, const struct mon *m,
	  const struct merge_first *l)
{
	struct site **of = heap_array(m->nnodes + 1, sizeof(*of));
	size_t i;

	g->nsite = l->nnodes;
	g->site = heap_array(l->nnodes + 1, sizeof(*g->site));
	for (i = 0; i < m->nsites; i++)
		of[m->sites[i].node] = &p->sites[p->priv->site_of[i]];
	for (i = 1; i < l->nnodes; i++)
		if (l->nodes[i] < m->nnodes)
			g->site[i] = of[l->nodes[i]];
	free(of);
}

/* Find the threads that the filter keeps, by their original numbers. */
static void
map_threads(struct log *g, const struct profile *p, const struct mon *m)
{
	size_t i, n = m->threads_known ? m->nthreads : 0;
	uint32_t number;

	for (i = 0; i < n; i++) {
		number = m->threads[i].number;
		if (number != MON_MISSING && number >= g->nthread)
			g->nthread = (size_t)number + 1;
	}
	g->thread = heap_array(g->nthread + 1, sizeof(*g->thread));
	for (i = 0; i < n; i++) {
		number = m->threads[i].number;
		if (number < g->nthread)
			g->thread[number] =
				&p->all_threads[p->priv->thread_of[i]];
	}
}

/* Read a chunk of owners: the item of THREADS of each. */
static void
map_some(struct log *g, const struct merge_first *l, struct log_reader *r,
	 const struct log_chunk *c)
{
	struct cursor k = { r->plain, r->plain + c->plain, false };
	uint64_t item;
	uint32_t i, *a;

	/* The most owners that chunks of full size can contain. */
	if (c->first > 4096 * (uint64_t)g->nowners_chunks)
		return;
	if (g->nowner < c->first + c->count) {
		a = heap_grow(g->owner, (c->first + c->count) * sizeof(*a));
		memset(a + g->nowner, 0xff,
		       (c->first + c->count - g->nowner) * sizeof(*a));
		g->owner = a;
		g->nowner = c->first + c->count;
	}
	for (i = 0; i < c->count; i++) {
		item = cursor_number(&k);
		if (!k.bad && item && item <= l->nthread)
			g->owner[c->first + i] = l->thread[item - 1];
	}
}

static void
map_owners(struct log *g, const struct merge_first *l, FILE *f)
{
	struct log_reader r;
	size_t i;

	log_reader_init(&r, f);
	for (i = 0; i < g->nowners_chunks; i++)
		if (log_reader_plain(&r, &g->owners[i]))
			map_some(g, l, &r, &g->owners[i]);
	log_reader_fini(&r);
}

/* ----------------------------------------------------------------- open -- */

/* Set the figures of the log that need no blocks. */
static void
log_figures(struct profile_log *to, const struct log *g,
	    const struct merge_first *l)
{
	const struct mon_value *v = l->run;
	size_t i;

	to->accesses = g->head.flags & MONLOG_F_ACCESS;
	for (i = 0; i < g->nchunks; i++)
		to->blocks += g->chunks[i].count;
	to->folded = g->folded;
	to->whole_from = g->until;
	if (v[MONOUT_R_LOG_FOLDED].set) {
		to->folded = v[MONOUT_R_LOG_FOLDED].number;
		to->whole_from = v[MONOUT_R_LOG_UNTIL].number;
	}
	if (to->folded && to->whole_from < UINT64_MAX)
		to->whole_from++;
	if (to->whole_from > g->length)
		to->whole_from = g->length;
	if (!to->folded)
		to->whole_from = 0;
	to->missed = v[MONOUT_R_LOG_MISSED].number;
	to->error = (int)(v[MONOUT_R_LOG_ERROR].number & 0xffff);
	if (v[MONOUT_R_LOG_BLOCKS].set &&
	    v[MONOUT_R_LOG_BLOCKS].number > to->blocks)
		to->damaged = v[MONOUT_R_LOG_BLOCKS].number - to->blocks;
	to->live = g->dumped;
}

/* Why there can't be a log: several runs, or a sum.  NULL: there can. */
static const char *
none_why(const struct profile *p, const struct merge_first *l)
{
	if (l->files > 1 || p->nruns > 1)
		return "there are several data files; give one of them";
	if (!l->files || l->run[MONOUT_R_END].number == MONOUT_E_SUM)
		return "the data file is a sum of several runs";
	return NULL;
}

static const char *
missing_why(struct arena *a, const struct merge_first *l, const char *why)
{
	int error = (int)(l->run[MONOUT_R_LOG_ERROR].number & 0xffff);

	if (!l->name && l->run[MONOUT_R_END].number != MONOUT_E_CUT)
		return "no blocks were logged; run the program with "
		       "memmon --log";
	if (error &&
	    (!l->name || !*l->name || !l->run[MONOUT_R_LOG_BLOCKS].number))
		return arena_print(a, "the log could not be written: %s",
				   strerror(error));
	if (!l->name)
		return arena_print(
			a, "no blocks were logged, or the log is missing (%s)",
			why ? why : "");
	return arena_print(
		a, "the log is missing: %s; put it beside the data file",
		why ? why : "");
}

/* Read the chunks of the log, which is open.  Returns the problem, or NULL. */
static const char *
open_found(struct log *g, const struct merge_first *l, FILE *f)
{
	const char *problem;
	struct stat st;

	if (fstat(fileno(f), &st))
		return strerror(errno);
	g->dev = st.st_dev;
	g->ino = st.st_ino;
	g->size = (uint64_t)st.st_size;
	problem = log_scan(g, f);
	if (!problem)
		map_owners(g, l, f);
	return problem;
}

FILE *
log_begin(struct log *g, struct arena *a, const struct merge_first *l,
	  struct profile_log *to)
{
	const char *why = NULL;
	FILE *f;

	g->length = l->run[MONOUT_R_LENGTH].number;
	g->reset = l->run[MONOUT_R_RESET].number;
	g->dumped = l->run[MONOUT_R_LOG_DUMP].set;
	g->dump = (uint32_t)l->run[MONOUT_R_LOG_DUMP].number;
	f = log_find(a, l, &g->path, &why);
	if (!f) {
		to->why = missing_why(a, l, why);
		return NULL;
	}
	to->why = "";
	why = open_found(g, l, f);
	if (!why) {
		log_figures(to, g, l);
		return f;
	}
	to->why = arena_print(a, "%s %s", g->path, why);
	fclose(f);
	return NULL;
}

void
log_open(struct profile *p, const struct mon *m, const struct merge_first *l,
	 const struct profile_filter *filter)
{
	struct log *g;
	FILE *f;

	p->log.why = none_why(p, l);
	if (p->log.why)
		return;
	g = p->priv->log = heap_array(1, sizeof(*g));
	g->less = p->filter.less;
	g->sizes = filter->sizes;
	g->least = filter->least;
	g->largest = filter->largest;
	g->threads = filter->thread.n > 0;
	f = log_begin(g, &p->priv->arena, l, &p->log);
	if (!f)
		return;
	fclose(f);
	map_sites(g, p, m, l);
	map_threads(g, p, m);
	p->log.known = true;
}

void
log_fini(struct log *g)
{
	if (!g)
		return;
	free(g->path);
	free(g->chunks);
	free(g->owners);
	free(g->site);
	free((void *)g->thread);
	free(g->owner);
}
