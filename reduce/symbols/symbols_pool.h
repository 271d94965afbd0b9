/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings of symbols and types, each stored once. */
#ifndef MEMMON_SYMBOLS_POOL_H
#define MEMMON_SYMBOLS_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "reduce/base/arena.h"
#include "reduce/base/hash.h"

/* All zero is an empty pool.  Strings live until fini. */
struct symbols_pool {
	struct arena arena;
	struct hash hashes; /* of strings -> index in first */
	struct symbols_string **first;
	size_t n;
	size_t room;
};

void symbols_pool_fini(struct symbols_pool *p);

/*
 * Find or add the string of the first n bytes of s.  The same bytes give the
 * same pointer.  Control characters become '?', because names come from unknown
 * files and go to terminals.
 */
const char *symbols_pool_intern(struct symbols_pool *p, const char *s,
				size_t n);

#endif
