/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums over the size classes of struct counts, and of struct life and struct
 * use.  They stop at UINT64_MAX rather than wrap.
 */
#ifndef MEMMON_AMOUNT_H
#define MEMMON_AMOUNT_H

#include "reduce/profile/profile.h"

#include <stdint.h>

uint64_t amount_allocs(const struct counts *c);
uint64_t amount_bytes(const struct counts *c);
uint64_t amount_frees(const struct counts *c);
uint64_t amount_freed(const struct counts *c); /* bytes */
uint64_t amount_kept(const struct counts *c);  /* bytes not freed */
uint64_t amount_kept_blocks(const struct counts *c);

/*
 * What is "kept", or "not freed", of blocks or bytes: made, but neither freed
 * nor hidden by suppressions.  All who say so ask this.
 */
uint64_t amount_left(uint64_t made, uint64_t gone, uint64_t hidden);

uint64_t amount_account(const struct account *a); /* bytes kept */

/* What suppressions hide; and all classes together. */
struct suppressed amount_hidden(const struct counts *c);
struct amounts amount_of(const struct counts *c);

/* Lost or indirect, of the blocks or the bytes of a struct leak. */
uint64_t amount_leaked(const uint64_t v[PROFILE_NLEAK]);

/* Fill kept[] with the bytes not freed by class. */
void amount_kept_by_class(const struct counts *c,
			  uint64_t kept[PROFILE_NCLASS]);

/* Bytes and blocks that are live, hidden or not; *to += *from. */
uint64_t amount_live(const struct amounts *a);
uint64_t amount_live_blocks(const struct amounts *a);
void amount_add_all(struct amounts *to, const struct amounts *from);
void amount_add_account(struct account *to, const struct account *from);
void amount_add_hidden(struct suppressed *to, const struct suppressed *from);

/* The counts of a row over time before snapshot n. */
struct amounts amount_before(const struct time_row *r, size_t n);

/* a + b, a - b (at least 0), a * b, held within 64 bits. */
uint64_t amount_add(uint64_t a, uint64_t b);
uint64_t amount_sub(uint64_t a, uint64_t b);
uint64_t amount_mul(uint64_t a, uint64_t b);

/*
 * Add the counts of *from to *to, and what became of its blocks: sums, the
 * longest, and the least and greatest lifetime; or of how they were used.
 */
void amount_add_counts(struct counts *to, const struct counts *from);
void amount_add_life(struct life *to, const struct life *from);
void amount_add_use(struct use *to, const struct use *from);
void amount_add_leak(struct leak *to, const struct leak *from);

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
