/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of a run (memmon --log): a record for each block, in a file beside
 * the data file.  The log is never in memory as a whole: log_open() looks for
 * the file and notes where its chunks are, then profile_log_each() reads them
 * one by one.  views.h describes the results.
 */
#ifndef MEMMON_REDUCE_LOG_H
#define MEMMON_REDUCE_LOG_H

#include "monitor/monlog.h"
#include "reduce/monout/merge.h"
#include "reduce/monout/mon.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"

#include <stdio.h>

struct log_block;

/* The place and the contents of a chunk. */
struct log_chunk {
	uint64_t at; /* offset in the file of its head */
	uint32_t kind, count, plain, packed, crc;
	uint32_t number; /* of its segment */
	uint64_t first;	 /* OWNERS: the number of the first one */
};

struct log {
	char *path;
	uint64_t dev, ino, size; /* of the file when it was opened */
	struct monlog_header head;
	struct log_chunk *chunks; /* of blocks, in order */
	size_t nchunks, room;
	struct log_chunk *owners; /* chunks of owners, in order */
	size_t nowners_chunks, owners_room;
	uint64_t length, reset; /* of the run, ns after start */
	bool dumped;		/* it has live blocks, from this dump: */
	uint32_t dump;
	bool less;	     /* the filter leaves out blocks without a site, */
	bool sizes, threads; /* blocks of other sizes, blocks without a
			      * thread */
	uint64_t least, largest;
	struct site **site; /* by node in the data file; NULL: none */
	size_t nsite;
	const struct thread **thread; /* by number in the merged data */
	size_t nthread;
	uint32_t *owner; /* in the merged data, by number in records; */
	size_t nowner;	 /* MON_MISSING: unknown */
	uint64_t folded, until;
};

/*
 * Call it after all stages.  Fills p->log, and p->priv->log if there is a log.
 * m: the merged data, behind the filter.
 */
void log_open(struct profile *p, const struct mon *m,
	      const struct merge_first *l, const struct profile_filter *filter);
void log_fini(struct log *g); /* may be NULL */

/*
 * The same for the file alone: find it, its chunks and their owners, and fill
 * *to.  Returns the open file, which the caller closes.  NULL if there is no
 * log, with the reason in to->why, in a's memory.  Call log_fini() for g in any
 * case.
 */
FILE *log_begin(struct log *g, struct arena *a, const struct merge_first *l,
		struct profile_log *to);

/* log_each.c: does the data file of g's run count the block? */
bool log_counts(const struct log *g, const struct log_block *b);

/*
 * log_span.c: cells of the blocks allocated in a span, with their frees up to
 * `until'.  The cells are exact, malloc'ed, in no order; their sites and
 * threads are those of m, the merged data before a filter.  Returns the number
 * of cells; SIZE_MAX: the log lacks some of the blocks.  a: for texts.
 */
struct log_span {
	uint64_t from, to; /* ns after start: at or after `from', before `to' */
	uint64_t until;	   /* frees at or before this time; UINT64_MAX: the
			    * run's end */
};
size_t log_span(struct mon_cell **cells, struct arena *a, const struct mon *m,
		const struct merge_first *l, const struct log_span *which);

/* log_scan.c: find the chunks.  NULL, or the problem. */
const char *log_scan(struct log *g, FILE *f);

/* log_chunk.c: a block, as its chunk stores it. */
struct log_block {
	uint64_t address, size, born, end, life;
	uint64_t reads, writes, first, last, low, span;
	uint32_t node, owner, other, flags;
};

/* A reader of chunks; all zero at first. */
struct log_reader {
	FILE *f;
	void *context; /* zstd's */
	unsigned char *packed, *plain;
	struct log_block *block; /* MONLOG_BLOCKS_MAX */
};

/* f: the open log. */
void log_reader_init(struct log_reader *r, FILE *f);
void log_reader_fini(struct log_reader *r);

/* Fill r->plain.  False: the chunk can't be read, or has changed. */
bool log_reader_plain(struct log_reader *r, const struct log_chunk *c);

/* Fill r->block with c->count blocks; flags: MONLOG_F_*.  False: as above. */
bool log_reader_blocks(struct log_reader *r, const struct log_chunk *c,
		       uint32_t flags);

#endif
