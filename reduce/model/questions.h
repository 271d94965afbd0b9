/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is asked of a profile besides what stands in it.  Each is answered by
 * the room that knows.
 */
#ifndef MEMMON_REDUCE_QUESTIONS_H
#define MEMMON_REDUCE_QUESTIONS_H

#include "reduce/base/err.h"
#include "reduce/model/result.h"

/*
 * Does the file start as a data file does, or is it a directory, or, as far as
 * its name says, a data file that isn't there or isn't one?
 */
bool profile_is_data(const char *path);

/* Is the plain file of that path a data file, by its first bytes? */
bool profile_begins_data(const char *path);

/*
 * The names of the modules that have results beside a data file, in order, in
 * an array from malloc() that ends with NULL, and lives as long as the arena.
 * NULL when out of memory.
 */
struct arena;
const char **profile_findings(struct arena *a, const char *path);

/*
 * Is f meant by a symspec, as struct profile_filter has them?  symspec.h says
 * what they are; a line is that of the definition or, if f is a line itself, of
 * the calls.
 */
bool profile_means(const struct func *f, const char *symspec);

/*
 * Call f for each block of p->log, as the filter leaves them, and as they were
 * at the time that the profile is of, or allocated in its span: those that were
 * freed about in that order, then the live ones; until it returns something
 * else than 0, which is returned.  0, or -1 with *e set: there is no log, or it
 * can't be read any more.  _all: the same for blocks of all times.
 */
int profile_log_each(const struct profile *p,
		     int (*f)(void *arg, const struct block *b), void *arg,
		     struct err *e);
int profile_log_all(const struct profile *p,
		    int (*f)(void *arg, const struct block *b), void *arg,
		    struct err *e);

/*
 * The scores of a use; all 0 when it has no blocks.  Usage, useful and cover,
 * and what follows from them, are known if profile_use_known(): there are
 * blocks of which all accesses are, and of these they are.
 */
struct score profile_score(const struct use *u);
bool profile_use_known(const struct use *u);

/* Can a flag be told of these blocks at all?  Of samples not each can. */
bool profile_flag_told(const struct use *u, enum profile_flag flag);

/* The bytes, and blocks, of which a flag is a share. */
uint64_t profile_flag_bytes(const struct use *u, enum profile_flag flag);
uint64_t profile_flag_blocks(const struct use *u, enum profile_flag flag);

/*
 * The groups of the blocks of several sites together, for their lifetime score:
 * profile_gather() for the use of each, then profile_gathered(), which sets
 * those of *u and forgets them.  Of a new one, or NULL when out of memory; of p
 * as long as it is there.
 */
struct groups_gather;
struct groups_gather *profile_gather_new(const struct profile *p);
void profile_gather_free(struct groups_gather *g);
void profile_gather(struct groups_gather *g, const struct use *u);
void profile_gathered(struct groups_gather *g, struct use *u);

/*
 * The uses of the sites with key[] k, each once, are added to u[k], for k below
 * n, which gets their groups; key[] goes by place in p->sites.  0, or -1 when
 * out of memory.
 */
int profile_use_all(const struct profile *p, const size_t *key, struct use *u,
		    size_t n);

/* The site's use if it is the first of those that have it, or NULL. */
const struct use *profile_use_once(const struct site *s);

/*
 * Names, kept for who reads the file of one running program again and again,
 * each time with the same options.  A profile must be gone before the next one
 * is read with it, and before it is freed.  NULL: out of memory.
 */
struct profile_cache *profile_cache_new(void);
void profile_cache_free(struct profile_cache *k);

#endif
