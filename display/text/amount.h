/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Live, kept and leaked amounts; sums that are limited to UINT64_MAX. */
#ifndef MEMMON_AMOUNT_H
#define MEMMON_AMOUNT_H

#include "reduce/base/arena.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t amount_kept(const struct counts *c); /* bytes not freed */
uint64_t amount_kept_blocks(const struct counts *c);

/* Set kept[] to the bytes not freed, by size class. */
void amount_kept_by_class(const struct counts *c,
			  uint64_t kept[PROFILE_NCLASS]);

/* Live bytes and live blocks, hidden or not. */
uint64_t amount_live(const struct amounts *a);
uint64_t amount_live_blocks(const struct amounts *a);

/*
 * Why blocks are suppressed, to follow "in N blocks": " that ... never free" or
 * " matching leak:PATTERN or 1 more rule"; "" if no block is suppressed.
 */
#define AMOUNT_BUILT_IN "the C and C++ libraries never free"
enum { AMOUNT_WHY_SIZE = 160 };
void amount_hidden_why(const struct profile *p, char to[AMOUNT_WHY_SIZE]);

/* The counts of a row before snapshot n. */
struct amounts amount_before(const struct time_row *r, size_t n);

/* a + b, a - b (at least 0), a * b, limited to 64 bits. */
uint64_t amount_add(uint64_t a, uint64_t b);
uint64_t amount_sub(uint64_t a, uint64_t b);
uint64_t amount_mul(uint64_t a, uint64_t b);

/* The site's row in the snapshots, or NULL. */
const struct time_row *amount_row(const struct profile *p,
				  const struct site *s);

/*
 * The most bytes and blocks of a site that were live at one time, as far as
 * snapshots, the program's peak and the end show: there may have been more in
 * between.  at: the first such time, ns after the start.
 */
struct amount_most {
	uint64_t bytes, blocks, at;
	bool snapshots;
};
struct amount_most amount_most(const struct profile *p, const struct site *s);

/* p->leak_notes[i] as a sentence; NULL: out of memory. */
const char *amount_leak_note(struct arena *a, const struct profile *p, size_t i,
			     bool human);

#endif
