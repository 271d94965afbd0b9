/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cache from one profile_read() to the next, for programs that read the data
 * of one program again and again.  It stores names, because these take longest.
 */
#ifndef MEMMON_REDUCE_SYMBOLS_CACHE_H
#define MEMMON_REDUCE_SYMBOLS_CACHE_H

#include "reduce/binaries/exe.h"
#include "reduce/elf/searchpath.h"
#include "reduce/symbols/symbols.h"
#include "reduce/monout/mon.h"
#include "reduce/model/options.h"

/*
 * The search path; and the symbols of the modules of m, whose files are x's.
 * The cached symbols are used if the cached modules are the first modules of m.
 * k NULL: nothing is cached, and the caller frees the results.
 */
struct searchpath *symbols_cache_searchpath(struct profile_cache *k,
					    const struct profile_where *where);
struct symbols *symbols_cache_get(struct profile_cache *k, const struct mon *m,
				  const struct exe *x,
				  const struct searchpath *searchpath,
				  bool demangle);

#endif
