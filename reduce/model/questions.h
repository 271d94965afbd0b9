/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions about a profile whose answers aren't stored in it.  The room that
 * knows the answer defines the function.
 */
#ifndef MEMMON_REDUCE_QUESTIONS_H
#define MEMMON_REDUCE_QUESTIONS_H

#include "reduce/base/err.h"
#include "reduce/model/result.h"

/*
 * Is the path for data?  True for a directory, for "-", and for a file that
 * begins as a data file does.  Also true if the name is that of a data file and
 * the file is missing or neither a data file nor an ELF file.
 */
bool profile_is_data(const char *path);

/* Is it a plain file that begins as a data file does? */
bool profile_begins_data(const char *path);

/*
 * The names of the modules that have results beside a data file, in order.  The
 * array is from malloc() and ends with NULL; the names live as long as the
 * arena.  NULL when out of memory.
 */
struct arena;
const char **profile_findings(struct arena *a, const char *path);

/*
 * Does the symspec match f?  symspec.h describes symspecs.  Lines are of f's
 * definition or, if f is a line itself, of its calls.
 */
bool profile_means(const struct func *f, const char *symspec);

/*
 * Call f for each block of p->log that the filter keeps, in its state at the
 * profile's time; of a span, for each block allocated in it.  Freed blocks come
 * first, roughly in the order of their frees, then live ones.  It stops when f
 * returns another value than 0, and returns that value.  Otherwise 0, or -1
 * with *e set if the log is missing or can't be read.  _all: for blocks of all
 * times.
 */
int profile_log_each(const struct profile *p,
		     int (*f)(void *arg, const struct block *b), void *arg,
		     struct err *e);
int profile_log_all(const struct profile *p,
		    int (*f)(void *arg, const struct block *b), void *arg,
		    struct err *e);

/*
 * The scores of a use; all 0 when it has no blocks.  Usage, useful and cover,
 * and the figures derived from them, are known if profile_use_known(): all
 * accesses of some blocks are known.  Only these blocks count.
 */
struct score profile_score(const struct use *u);
bool profile_use_known(const struct use *u);

/* Can this flag be known for these blocks?  Samples don't have all flags. */
bool profile_flag_told(const struct use *u, enum profile_flag flag);

/* The bytes, and the blocks, that a flag's share is computed from. */
uint64_t profile_flag_bytes(const struct use *u, enum profile_flag flag);
uint64_t profile_flag_blocks(const struct use *u, enum profile_flag flag);

/*
 * Joins the groups of several sites for their lifetime score.  Call
 * profile_gather() for the use of each site, then profile_gathered(), which
 * sets the groups of *u and starts again with none.  _new: NULL when out of
 * memory; p must live as long as the result.
 */
struct groups_gather;
struct groups_gather *profile_gather_new(const struct profile *p);
void profile_gather_free(struct groups_gather *g);
void profile_gather(struct groups_gather *g, const struct use *u);
void profile_gathered(struct groups_gather *g, struct use *u);

/*
 * For each k below n add to u[k] the uses of the sites with key[] k, and their
 * groups.  Each use counts once.  key[] is indexed by place in p->sites.  0, or
 * -1 when out of memory.
 */
int profile_use_all(const struct profile *p, const size_t *key, struct use *u,
		    size_t n);

/* The site's use if the site is the first with this use, else NULL. */
const struct use *profile_use_once(const struct site *s);

/*
 * A cache of names, for programs that read the data of one running process
 * again and again, each time with the same options.  Free a profile before you
 * read the next one with the same cache, and before you free the cache.  NULL:
 * out of memory.
 */
struct profile_cache *profile_cache_new(void);
void profile_cache_free(struct profile_cache *k);

#endif
