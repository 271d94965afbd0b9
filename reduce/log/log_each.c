/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of a log. */
#include "reduce/base/err.h"
#include "reduce/log/log.h"
#include "reduce/log/log_each.h"
#include "reduce/model/stages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct thread *
owner(const struct log *g, uint32_t n)
{
	uint32_t k = n < g->nowner ? g->owner[n] : MON_MISSING;

	return k < g->nthread ? g->thread[k] : NULL;
}

bool
log_counts(const struct log *g, const struct log_block *b)
{
	/* Not frees after the data file was written, or blocks before a
	 * reset. */
	if (b->end != UINT64_MAX && b->end > g->length && g->dumped)
		return false;
	return b->born >= g->reset;
}

/*
 * Fill *to with the figures of a block that are shown.  False: the block isn't
 * counted, or the filter leaves it out.
 */
static bool
log_each_take(const struct log *g, const struct log_block *b, struct block *to)
{
	bool live = b->end == UINT64_MAX;

	*to = (struct block){
		.site = b->node < g->nsite ? g->site[b->node] : NULL,
		.thread = owner(g, b->owner),
		.freer = live ? NULL : owner(g, b->other ? b->other : b->owner),
		.size = b->size,
		.address = b->address,
		.born = b->born,
		.died = b->end,
		.by_others = b->other != 0,
		.resized = b->flags & MONLOG_B_RESIZED,
		.early = b->flags & MONLOG_B_EARLY,
		.used = b->flags & MONLOG_B_USED,
		.reads = b->reads,
		.writes = b->writes,
		.first = UINT64_MAX,
		.last = UINT64_MAX,
		.low = UINT64_MAX,
		.high = UINT64_MAX,
		.shared = b->flags & MONLOG_B_SHARED,
		.placed = g->head.flags & MONLOG_F_PLACES,
	};
	if (b->span && b->low <= b->size && b->span <= b->size - b->low) {
		to->low = b->low;
		to->high = b->low + b->span;
	}
	if (to->used && (b->reads || b->writes)) {
		to->first = b->first < b->end ? b->first : b->end;
		to->last = b->last < b->end ? b->last : b->end;
	}
	if (!log_counts(g, b))
		return false;
	return !g->less ||
	       (to->site &&
		(!g->sizes || (b->size >= g->least && b->size <= g->largest)) &&
		(!g->threads || to->thread));
}

/* Does the block count at the profile's time?  Later events are removed. */
static bool
log_each_seen(const struct profile_snapshot *s, struct block *b)
{
	if (!s->other)
		return true;
	if (b->born < s->blocks.from || b->born >= s->blocks.to)
		return false;
	if (b->died == UINT64_MAX || b->died <= s->blocks.until)
		return b->died == UINT64_MAX || !s->peak;
	b->died = UINT64_MAX;
	b->freer = NULL;
	b->by_others = b->resized = false;
	/* The log has the sums of the block's whole life. */
	if (b->last != UINT64_MAX && b->last > s->blocks.until) {
		b->used = false;
		b->low = b->high = UINT64_MAX;
	}
	return true;
}

/* s NULL: blocks of all times. */
static int
log_each_block(const struct log *g, struct log_reader *r,
	       const struct profile_snapshot *s,
	       int (*f)(void *arg, const struct block *b), void *arg)
{
	struct block b;
	uint32_t k;
	size_t i;
	int status = 0;

	for (i = 0; i < g->nchunks && !status; i++) {
		if (!log_reader_blocks(r, &g->chunks[i], g->head.flags))
			continue;
		for (k = 0; k < g->chunks[i].count && !status; k++)
			if (log_each_take(g, &r->block[k], &b) &&
			    (!s || log_each_seen(s, &b)))
				status = f(arg, &b);
	}
	return status;
}

static int
log_read(const struct profile *p, const struct profile_snapshot *s,
	 int (*f)(void *arg, const struct block *b), void *arg, struct err *e)
{
	const struct log *g = p->priv->log;
	struct log_reader r = { 0 };
	struct stat st;
	FILE *file;
	int status;

	if (!p->log.known)
		return err_set(e, "no log of blocks: %s", p->log.why);
	file = fopen(g->path, "re");
	if (!file)
		return err_set(e, "%s: %s", g->path, strerror(errno));
	if (fstat(fileno(file), &st) || st.st_dev != g->dev ||
	    st.st_ino != g->ino)
		status = err_set(e,
				 "%s: the file was replaced while mpreduce "
				 "read it; try again",
				 g->path);
	else {
		log_reader_init(&r, file);
		status = log_each_block(g, &r, s, f, arg);
	}
	log_reader_fini(&r);
	fclose(file);
	return status;
}

int
profile_log_each(const struct profile *p,
		 int (*f)(void *arg, const struct block *b), void *arg,
		 struct err *e)
{
	return log_read(p, &p->snapshot, f, arg, e);
}

int
profile_log_all(const struct profile *p,
		int (*f)(void *arg, const struct block *b), void *arg,
		struct err *e)
{
	return log_read(p, NULL, f, arg, e);
}
