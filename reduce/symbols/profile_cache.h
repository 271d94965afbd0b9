/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache of symbols_cache.h, as its users see it. */
#ifndef MEMMON_REDUCE_PROFILE_CACHE_H
#define MEMMON_REDUCE_PROFILE_CACHE_H

/*
 * A cache of names, for programs that read the data of one running process
 * again and again, each time with the same options.  Free a profile before you
 * read the next one with the same cache, and before you free the cache.
 */
struct profile_cache *profile_cache_new(void);
void profile_cache_free(struct profile_cache *k);

#endif
