/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The measures of blocks, one row each: the figures of a call path, and so of a
 * function, a type, a thread or a line.  Structs get their members from these
 * rows, and the rows say how figures are combined.  The measures of LIVES are
 * rows of monrec.h.
 *
 * M(how, type, name, dimension)
 *
 * how: how several figures become one
 *
 * SUM	their sum; CAP: their sum, at most UINT64_MAX
 * MOST	the largest
 * OR	true if one is true; AND: if all are
 */
#ifndef MEMMON_REDUCE_MEASURES_H
#define MEMMON_REDUCE_MEASURES_H

#include "monitor/monrec.h"

/* Blocks and bytes allocated and freed.  frees <= allocs, freed <= bytes. */
#define MEASURES_AMOUNTS(M) \
	M(SUM, uint64_t, allocs, ) \
	M(SUM, uint64_t, bytes, ) \
	M(SUM, uint64_t, frees, ) \
	M(SUM, uint64_t, freed, )

/*
 * The same, and the live blocks that suppressions hide.  The other live blocks
 * are kept.
 */
#define MEASURES_ACCOUNT(M) \
	MEASURES_AMOUNTS(M) \
	M(PAIR, struct suppressed, hidden, )

/* The figures of an account *a that reports print: T(ID, name, value). */
#define MEASURES_TOLD(T) \
	T(ALLOCS, allocs, a->allocs) \
	T(BYTES, bytes, a->bytes) \
	T(FREES, frees, a->frees) \
	T(FREED, freed, a->freed) \
	T(KEPT, kept, account_kept(a)) \
	T(KEPT_BLOCKS, kept_blocks, account_kept_blocks(a))

/* Bytes and blocks live at the program's peak, if known. */
#define MEASURES_PEAK(M) \
	M(SUM, uint64_t, peak, ) \
	M(SUM, uint64_t, peak_blocks, ) \
	M(AND, bool, peak_known, )

/*
 * The use of blocks: of all blocks above 0 bytes that were freed, or are live
 * at the end.
 *
 * Accesses are counted by granules of 16 bytes.  handed: blocks and bytes that
 * were passed to unrecorded code.  reads, writes, life and the flags
 * SHORT_LIVED, GROWING and SHARED include these blocks as far as they are
 * known; all other measures are only of the other blocks: see
 * profile_flag_bytes().  span, cover: bytes; cover <= span <= bytes; _used:
 * only of blocks both read and written.  useful: sum of the blocks' useful
 * parts, 0 to 1 each.  life: ns, sum.  sampled: some blocks are samples, whose
 * groups aren't known; then var has variances (INFINITY: not known).  step:
 * ns, longest step of the clock of accesses.
 */
#define MEASURES_USE(M) \
	M(SUM, uint64_t, blocks, ) \
	M(SUM, uint64_t, bytes, ) \
	M(SUM, uint64_t, reads, ) \
	M(SUM, uint64_t, writes, ) \
	M(SUM, uint64_t, handed_blocks, ) \
	M(SUM, uint64_t, handed_bytes, ) \
	M(SUM, uint64_t, span, ) \
	M(SUM, uint64_t, cover, ) \
	M(SUM, uint64_t, span_used, ) \
	M(SUM, uint64_t, cover_used, ) \
	M(SUM, double, useful, ) \
	M(CAP, uint64_t, life, ) \
	M(SUM, uint64_t, flag_blocks, [PROFILE_NFLAG]) \
	M(SUM, uint64_t, flag_bytes, [PROFILE_NFLAG]) \
	M(OR, bool, sampled, ) \
	M(SUM, double, var, [PROFILE_NUSE_ERROR]) \
	M(MOST, uint64_t, step, )

/*
 * Flags of blocks by their use: F(ID, name, words), for "blocks WORDS".  They
 * have shares of a site's blocks and bytes.  The flags of a whole site are of
 * all of its blocks, or of none.
 */
#define MEASURES_FLAGS(F) \
	F(UNUSED, unused, "never read nor written") \
	F(WRITE_ONLY, write_only, "written, never read") \
	F(READ_ONLY, read_only, "read, never written") \
	F(SHORT_LIVED, short_lived, "that lived less than 0.1% of the run") \
	F(EARLY, early, "not accessed in the first half of their lives") \
	F(LATE, late, "not accessed in the last half of their lives") \
	F(GROWING, growing, "in rows of 4+, each replacing a smaller one") \
	F(SHARED, shared, "accessed by several threads") \
	F(LOW_COVER, low_cover, "with less than half of their bytes accessed")
#define MEASURES_SITE_FLAGS(F) \
	F(TOP_BYTES, top_bytes, "of the tenth with the most bytes live") \
	F(TOP_BLOCKS, top_blocks, "of the tenth with the most blocks")

/*
 * The kinds of live blocks in a leak check: K(with, ID, name, words, note), for
 * "bytes WORDS".  with: what the user of the list passes on.
 */
#define MEASURES_KINDS(K, with) \
	K(with, LOST, lost, "to which nothing points", " (leak check)") \
	K(with, INDIRECT, indirect, "to which only lost blocks point", "") \
	K(with, INTERIOR, interior, \
	  "reachable only by a pointer into a block", "") \
	K(with, REACHABLE, reachable, \
	  "reachable by pointers to starts of blocks", "")

/*
 * Results of leak checks, by enum profile_leak.  holds: the indirectly lost
 * blocks of all sites that this site's lost blocks lead to; each block counts
 * for one site only.
 */
#define MEASURES_LEAK(M) \
	M(SUM, uint64_t, blocks, [PROFILE_NLEAK]) \
	M(SUM, uint64_t, bytes, [PROFILE_NLEAK]) \
	M(PAIR, struct suppressed, holds, )

/*
 * The measures that have variances when they are estimates: E(NAME, name).  The
 * standard error is the root of the variance.  Variances add up as the measures
 * do, because blocks are sampled independently.  MEASURES_USE_ERRORS: of a use.
 * Its BLOCKS and BYTES are the variances of all blocks of its sites, which are
 * upper bounds for the blocks that the use has.
 */
#define MEASURES_ERRORS(E) \
	E(ALLOCS, allocs) \
	E(BYTES, bytes) \
	E(KEPT, kept) \
	E(KEPT_BLOCKS, kept_blocks) \
	E(PEAK, peak)
#define MEASURES_USE_ERRORS(E) \
	E(BLOCKS, blocks) E(BYTES, bytes) MEASURES_ACCESS_ERRORS(E)
#define MEASURES_ACCESS_ERRORS(E) E(READS, reads) E(WRITES, writes)

/* MEASURES_USE(MEASURES_MEMBER): the members of a struct. */
#define MEASURES_MEMBER(how, type, name, dimension) type name dimension;

/* MEASURES_USE(MEASURES_ADD): *to += *x.  The caller knows that it fits. */
#define MEASURES_ADD(how, type, name, dimension) \
	for (size_t i_ = 0; i_ < sizeof(to->name) / sizeof(type); i_++) \
		MEASURES_##how(((type *)&to->name)[i_], \
			       ((const type *)&x->name)[i_]);
#define MEASURES_SUM(a, b) (a) += (b)
#define MEASURES_CAP(a, b) (a) = (b) < UINT64_MAX - (a) ? (a) + (b) : UINT64_MAX
#define MEASURES_MOST(a, b) (a) = (a) < (b) ? (b) : (a)
#define MEASURES_OR(a, b) (a) |= (b)
#define MEASURES_AND(a, b) (a) &= (b)
#define MEASURES_PAIR(a, b) (a).blocks += (b).blocks, (a).bytes += (b).bytes

/*
 * The members of struct life, with the histogram: bin b is for 2^b to
 * 2^(b+1) - 1 ns, bin 0 also for 0, the last one for all longer lifetimes.
 */
#define MEASURES_LIFE_FIELD(kind, how, name) MEASURES_LIFE_##how(name)
#define MEASURES_LIFE_KEY(name)
#define MEASURES_LIFE_SUM(name) uint64_t name;
#define MEASURES_LIFE_CAP(name) uint64_t name;
#define MEASURES_LIFE_MOST(name) uint64_t name;
#define MEASURES_LIFE_LEAST(name) uint64_t name;
#define MEASURES_LIFE_IF(name, ...) __VA_ARGS__
#define MEASURES_LIFE_LIST(name, ...) uint64_t bin[PROFILE_NLIFE];

#endif
