/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of a run (memmon --log): a record for each block, in a file beside
 * the data file.  It is never in memory as a whole: log_open() looks for it and
 * notes where its chunks are, profile_log_each() reads them one by one.  What
 * it is, and what is known of it, is in views.h.
 */
#ifndef MEMMON_REDUCE_LOG_H
#define MEMMON_REDUCE_LOG_H

#include "monitor/monlog.h"
#include "reduce/file/merge.h"
#include "reduce/file/mon.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"

#include <stdio.h>

struct log_block;

/* Where a chunk is, and what is in it. */
struct log_chunk {
	uint64_t at; /* of its head in the file */
	uint32_t kind, count, plain, packed, crc;
	uint32_t number; /* of its segment */
	uint64_t first;	 /* OWNERS: the first one */
};

struct log {
	char *path;
	uint64_t dev, ino, size; /* of the file when it was opened */
	struct monlog_header head;
	struct log_chunk *chunks; /* of blocks, in order */
	size_t nchunks, room;
	struct log_chunk *owners; /* likewise */
	size_t nowners_chunks, owners_room;
	uint64_t length, reset; /* of the run, ns after start */
	bool dumped;		/* there are live blocks, of this dump: */
	uint32_t dump;
	bool less;	     /* blocks of no site don't pass the filter; */
	bool sizes, threads; /* nor some sizes, nor those of no thread */
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
 * After all stages: fill p->log, and p->priv->log if there is one.  m is the
 * merged data, as a filter left it.  0, or -1 when out of memory.
 */
int log_open(struct profile *p, const struct mon *m,
	     const struct merge_first *l, const struct profile_filter *filter);
void log_fini(struct log *g); /* may be NULL */

/*
 * The same, of the file alone: find it, its chunks and whose they are, and fill
 * *to.  NULL if there is none, and to->why says so, in a's memory; or, with
 * *memory set, out of memory.  The caller closes it.  log_fini() frees what is
 * in *g in any case.
 */
FILE *log_begin(struct log *g, struct arena *a, const struct merge_first *l,
		struct profile_log *to, bool *memory);

/* log_each.c: was the block counted, in a run of which g tells? */
bool log_counts(const struct log *g, const struct log_block *b);

/*
 * log_span.c: cells of what was allocated in a span and of what of it was freed
 * up to a time, exactly; malloc'ed, in no order, of sites and threads of m,
 * the merged data before a filter.  Returns how many; or SIZE_MAX: the log
 * doesn't have all of that, or, with *memory set, out of memory.  a: for texts.
 */
struct log_span {
	uint64_t from, to; /* ns after start: from `from' on, and before `to' */
	uint64_t until;	   /* freed not after this; UINT64_MAX: the run's end */
};
size_t log_span(struct mon_cell **cells, struct arena *a, const struct mon *m,
		const struct merge_first *l, const struct log_span *which,
		bool *memory);

/* log_scan.c: find the chunks.  0, -1 out of memory, or what is wrong. */
const char *log_scan(struct log *g, FILE *f, bool *memory);

/* log_chunk.c: the blocks of one chunk, as they stand in it. */
struct log_block {
	uint64_t address, size, born, end, life;
	uint64_t reads, writes, first, last, low, span;
	uint32_t node, owner, other, flags;
};

/* What reading needs; all zero at first. */
struct log_reader {
	FILE *f;
	void *context; /* zstd's */
	unsigned char *packed, *plain;
	struct log_block *block; /* MONLOG_BLOCKS_MAX */
};

/* 0, or -1: out of memory. */
int log_reader_init(struct log_reader *r, FILE *f);
void log_reader_fini(struct log_reader *r);

/* Fill r->plain.  False: it can't be read, or isn't what was found. */
bool log_reader_plain(struct log_reader *r, const struct log_chunk *c);

/* Fill r->block with c->count blocks; flags: MONLOG_F_*.  False: likewise. */
bool log_reader_blocks(struct log_reader *r, const struct log_chunk *c,
		       uint32_t flags);

#endif
