/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is live, kept or leaked of figures; sums that stop at UINT64_MAX. */
#ifndef MEMMON_AMOUNT_H
#define MEMMON_AMOUNT_H

#include "reduce/profile/profile.h"

#include <stdint.h>

uint64_t amount_kept(const struct counts *c); /* bytes not freed */
uint64_t amount_kept_blocks(const struct counts *c);

/* Fill kept[] with the bytes not freed by class. */
void amount_kept_by_class(const struct counts *c,
			  uint64_t kept[PROFILE_NCLASS]);

/* Bytes and blocks that are live, hidden or not. */
uint64_t amount_live(const struct amounts *a);
uint64_t amount_live_blocks(const struct amounts *a);

/*
 * Why blocks are suppressed, to follow "in N blocks": " that ... never free" or
 * " matching leak:PATTERN or 1 more rule"; "" if none are.
 */
enum { AMOUNT_WHY_SIZE = 160 };
void amount_hidden_why(const struct profile *p, char to[AMOUNT_WHY_SIZE]);

/* The counts of a row over time before snapshot n. */
struct amounts amount_before(const struct time_row *r, size_t n);

/* a + b, a - b (at least 0), a * b, held within 64 bits. */
uint64_t amount_add(uint64_t a, uint64_t b);
uint64_t amount_sub(uint64_t a, uint64_t b);
uint64_t amount_mul(uint64_t a, uint64_t b);

/* The site's row over time, or NULL. */
const struct time_row *amount_row(const struct profile *p,
				  const struct site *s);

/*
 * The most of the site's blocks that the snapshots, the peak of the program and
 * the end show to have been live at one time: there may have been more between
 * them.  at: when they first were, ns after the start.
 */
struct amount_most {
	uint64_t bytes, blocks, at;
	bool snapshots;
};
struct amount_most amount_most(const struct profile *p, const struct site *s);

#endif
