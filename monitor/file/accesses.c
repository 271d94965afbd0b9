/* SPDX-License-Identifier: MIT */
/* Writing the tables of accesses. */
#include "monitor/file/accesses.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "monitor/access/calls.h"
#include "monitor/access/handed.h"
#include "monitor/access/imports.h"
#include "monitor/access/slow_path.h"
#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/base/real.h"
#include "monitor/chain/sites.h"
#include "monitor/record/sample.h"
#include "monitor/shadow/clock.h"
#include "monitor/shadow/overflow.h"
#include "monitor/thread/enter.h"
#include "monitor/use/use.h"

/* Groups per item: an item must fit into a record. */
#define GROUPS_MAX 1000u

static struct mmi_emit paths_out = MMI_EMIT_FULL;
static struct mmi_emit uses_out = MMI_EMIT_FULL;
static struct mmi_emit groups_out = MMI_EMIT_FULL;
static struct mmi_emit fields_out = MMI_EMIT_FULL;
static struct mmi_emit handed_out = MMI_EMIT_FULL;
static struct mmi_emit errors_out = MMI_EMIT_FULL;

/* The number of the file that is being written. */
static uint32_t file;

/* Sums of one path; `life' in units of the clock. */
static struct monrec_use sum;
static struct monrec_handed handed;
/*
 * With sampling: weight, how many blocks each sampled block represents; round,
 * a random fraction that is added before a number of blocks is rounded down;
 * spread, the variances of reads and writes.
 */
static double weight, round, spread[2];

/* Parts of the sums: not yet in a group; and in no field. */
static struct {
	uint64_t grouped, blocks, bytes, reads, writes;
} left;

static bool
recorded(void)
{
	return mmi_access_ways() && mmi_shadow.cells;
}

void
mmi_accesses_begin(struct mmi_emit *o)
{
	struct mmi_thread *t;

	mmi_emit_table_after(&paths_out, o, MONOUT_PATHS);
	mmi_emit_table_after(&uses_out, &paths_out, MONOUT_USES);
	mmi_emit_table_after(&groups_out, &uses_out, MONOUT_GROUPS);
	mmi_emit_table_after(&fields_out, &uses_out, MONOUT_FIELDS);
	mmi_emit_table_after(&handed_out, &uses_out, MONOUT_HANDED);
	mmi_emit_table_after(&errors_out, &uses_out, MONOUT_USE_ERRORS);
	if (!recorded())
		return;
	file++;
	mmi_clock_move(mmi_process_clock(CLOCK_MONOTONIC));
	t = mmi_thread_enter();
	if (!t)
		return;
	mmi_use_end(t);
	mmi_thread_leave(t);
}

static void
add_flag(unsigned flag, uint64_t blocks, uint64_t bytes)
{
	sum.flag[flag].blocks += blocks;
	sum.flag[flag].bytes += bytes;
}

/* n blocks that were folded quickly; k: as in `quick'. */
static void
add_quick(unsigned k, uint64_t n, uint64_t bytes)
{
	unsigned kind = k & (MMI_USE_READ | MMI_USE_WRITTEN);

	sum.blocks += n;
	sum.bytes += bytes;
	add_flag(MONOUT_BRIEF, n, bytes);
	if (k & MMI_USE_SHARED)
		add_flag(MONOUT_SHARED, n, bytes);
	if (!kind) {
		add_flag(MONOUT_UNUSED, n, bytes);
		return;
	}
	sum.useful += n << MONOUT_USEFUL_BITS;
	if (kind == MMI_USE_READ)
		add_flag(MONOUT_READ_ONLY, n, bytes);
	if (kind == MMI_USE_WRITTEN)
		add_flag(MONOUT_WRITE_ONLY, n, bytes);
}

/* The bytes of a use with many sizes; zeros for another use. */
static const struct mmi_use_bytes *
many_of(const struct mmi_use *u)
{
	static const struct mmi_use_bytes none;

	return u->bytes ? u->bytes : &none;
}

/* How many blocks the sums have. */
static uint64_t
blocks_of(const struct mmi_use *u)
{
	uint64_t n = LOAD(&u->blocks);

	for (unsigned k = 0; k < MMI_USE_QUICK; k++)
		n += LOAD(&u->quick[k]);
	return n;
}

/*
 * How many blocks each block of the use represents, rounded at random so that
 * it is a whole number of blocks for the use: correct on average.  Returns the
 * exact number.  A use of many sizes counts with its mean size.
 */
static double
weigh(const struct mmi_use *u)
{
	const struct mmi_use_bytes *many = many_of(u);
	uint64_t size = mmi_use_key_size(u), n = blocks_of(u);
	double exactly, all;

	weight = 1;
	if (!mmi_sample_on() || !n)
		return 1;
	if (u->bytes) {
		size = LOAD(&many->blocks);
		for (unsigned k = 0; k < MMI_USE_QUICK; k++)
			size += LOAD(&many->quick[k]);
		size /= n;
	}
	exactly = mmi_sample_weight(size);
	all = (double)n * exactly + mmi_sample_share(sum.site, u->item.key);
	weight = (double)(uint64_t)all / (double)n;
	round = mmi_sample_share(sum.site, ~u->item.key);
	return exactly;
}

/*
 * How many n, a count of the current use, represents; n itself without samples.
 */
static uint64_t
all_of(uint64_t n)
{
	return weight > 1 ? (uint64_t)((double)n * weight + round) : n;
}

/*
 * Bytes of the blocks that n blocks of a use represent; they are *many for a
 * use of many sizes.
 */
static uint64_t
bytes_of(const struct mmi_use *u, uint64_t n, const uint64_t *many)
{
	return u->bytes ? all_of(LOAD(many)) : all_of(n) * mmi_use_key_size(u);
}

/* Add bytes touched, spanned and covered. */
static void
add_spans(const struct mmi_use *u)
{
	const struct mmi_use_bytes *many = many_of(u);
	uint64_t whole[2] = { 0, 0 };

	for (unsigned k = 1; k < MMI_USE_QUICK; k++)
		if (k & 3)
			whole[(k & 3) == 3] += bytes_of(u, LOAD(&u->quick[k]),
							&many->quick[k]);
	for (unsigned rw = 0; rw < 2; rw++) {
		whole[rw] -=
			bytes_of(u, LOAD(&u->partial[rw]), &many->partial[rw]);
		sum.span += all_of(LOAD(&u->span[rw])) + whole[rw];
		sum.cover += all_of(LOAD(&u->cover[rw])) + whole[rw];
	}
	sum.span_used += all_of(LOAD(&u->span[1])) + whole[1];
	sum.cover_used += all_of(LOAD(&u->cover[1])) + whole[1];
}

static void
add_use(const struct mmi_use *u)
{
	const struct mmi_use_bytes *many = many_of(u);
	uint64_t n, blocks = LOAD(&u->blocks), given = LOAD(&u->handed);
	double exactly = weigh(u);

	sum.blocks += all_of(blocks);
	sum.bytes += bytes_of(u, blocks, &many->blocks);
	sum.reads += all_of(LOAD(&u->reads));
	sum.writes += all_of(LOAD(&u->writes));
	sum.useful += all_of(LOAD(&u->useful));
	sum.life += all_of(LOAD(&u->life));
	handed.blocks += all_of(given);
	handed.bytes += bytes_of(u, given, &many->handed);
	for (unsigned i = 0; i < MONOUT_NFLAG; i++) {
		n = LOAD(&u->flag[i]);
		/* With sampling, the block before the sample is unknown. */
		if (i != MONOUT_GROWING || !mmi_sample_on())
			add_flag(i, all_of(n), bytes_of(u, n, &many->flag[i]));
	}
	for (unsigned k = 0; k < MMI_USE_QUICK; k++) {
		n = LOAD(&u->quick[k]);
		add_quick(k, all_of(n), bytes_of(u, n, &many->quick[k]));
	}
	add_spans(u);
	for (uint64_t i = 0; u->grain && i < mmi_use_grains(u); i++) {
		sum.reads += all_of(LOAD(&u->grain[2 * i]));
		sum.writes += all_of(LOAD(&u->grain[2 * i + 1]));
	}
	for (unsigned k = 0; k < 2; k++)
		spread[k] += (double)u->squares[k] * exactly * (exactly - 1);
}

/*
 * Other threads have freed blocks meanwhile that were counted as live, and were
 * about to count others: limit each part to the whole.
 */
static void
clamp_sums(uint64_t allocs, uint64_t bytes)
{
	uint64_t some, more;

	mmi_sums_at_most(&sum.bytes, bytes);
	mmi_sums_at_most(&sum.blocks, allocs < sum.bytes ? allocs : sum.bytes);
	mmi_sums_at_most(&handed.bytes, sum.bytes);
	mmi_sums_at_most(&handed.blocks, sum.blocks);
	mmi_sums_at_most(&handed.blocks, handed.bytes);
	mmi_sums_at_most(&sum.span, sum.bytes - handed.bytes);
	mmi_sums_at_most(&sum.cover, sum.span);
	mmi_sums_at_most(&sum.span_used, sum.span);
	mmi_sums_at_most(&sum.cover_used, sum.cover);
	mmi_sums_at_most(&sum.cover_used, sum.span_used);
	mmi_sums_at_most(&sum.useful, (sum.blocks - handed.blocks)
					      << MONOUT_USEFUL_BITS);
	for (unsigned i = 0; i < MONOUT_NFLAG; i++) {
		some = MMI_USE_SURE >> i & 1 ? 0 : handed.blocks;
		more = MMI_USE_SURE >> i & 1 ? 0 : handed.bytes;
		mmi_sums_at_most(&sum.flag[i].bytes, sum.bytes - more);
		mmi_sums_at_most(&sum.flag[i].blocks, sum.blocks - some);
		mmi_sums_at_most(&sum.flag[i].blocks, sum.flag[i].bytes);
		if (!sum.flag[i].blocks)
			sum.flag[i].bytes = 0;
	}
	left.grouped = left.blocks = sum.blocks;
	left.bytes = sum.bytes;
	left.reads = sum.reads;
	left.writes = sum.writes;
}

/* Put some groups of the path, from p on.  Returns the first that is left. */
static const struct mmi_group *
put_some(const struct mmi_group *p, const struct mmi_group *behind)
{
	static __typeof__(*((struct monrec_group *)NULL)->groups) x[GROUPS_MAX];
	const uint64_t unit = MMI_CLOCK_UNIT / MONOUT_STEP;
	uint64_t before = 0;
	uint32_t n = 0;

	for (; n < GROUPS_MAX && p < behind && left.grouped; n++) {
		struct mmi_group g =
			mmi_groups_next(&p, behind, mmi_clock_epoch());
		uint64_t blocks = g.blocks, life = g.life;
		uint64_t first = mmi_clock_units(g.first);
		uint64_t last = mmi_clock_units(g.last) - first;
		uint64_t end = mmi_clock_units(g.end) - first;

		mmi_sums_at_most(&blocks, left.grouped);
		left.grouped -= blocks;
		/* Other threads may have joined other groups meanwhile. */
		mmi_sums_at_most(&before, first);
		mmi_sums_at_most(&last, end);
		mmi_sums_at_most(&life, blocks * end);
		x[n].first = (first - before) * unit;
		x[n].last = last * unit;
		x[n].end = end * unit;
		x[n].blocks = blocks;
		x[n].life = life * unit;
		before = first;
	}
	if (n)
		mmi_put_group(&groups_out,
			      &(struct monrec_group){ sum.site, MONOUT_STEPS, n,
						      x });
	return n ? p : behind;
}

static void
put_groups(const struct mmi_use_time *w)
{
	uint32_t n = LOAD_ACQ(&w->groups.n), e = LOAD(&w->tick);
	const struct mmi_group *p = LOAD_ACQ(&w->groups.group);
	struct mmi_group g = { e, e, e, 0, LOAD(&w->pending), 0 };

	if (g.blocks)
		put_some(&g, &g + 1);
	for (const struct mmi_group *end = p + n; p < end;)
		p = put_some(p, end);
}

/* May blocks of the path have been passed to unrecorded code unnoticed? */
static bool
is_handed(const struct mmi_path *p)
{
	return LOAD(&mmi_handed_every) || LOAD(&p->handed);
}

static void
put_fields(const struct mmi_path *p, const struct mmi_use *u)
{
	static __typeof__(*((struct monrec_field *)NULL)
				   ->granules) x[MMI_SHADOW_GRAINS];
	uint64_t n = mmi_use_grains(u);
	uint64_t size = mmi_use_key_size(u), blocks;

	(void)weigh(u);
	blocks = all_of(blocks_of(u) - LOAD(&u->handed));
	mmi_sums_at_most(&blocks, left.blocks);
	if (size)
		mmi_sums_at_most(&blocks, left.bytes / size);
	if (!u->grain || !blocks || is_handed(p))
		return;
	left.blocks -= blocks;
	left.bytes -= blocks * size;
	while (n && !LOAD(&u->grain[2 * n - 2]) && !LOAD(&u->grain[2 * n - 1]))
		n--;
	for (uint64_t i = 0; i < n; i++) {
		x[i].reads = all_of(LOAD(&u->grain[2 * i]));
		x[i].writes = all_of(LOAD(&u->grain[2 * i + 1]));
		mmi_sums_at_most(&x[i].reads, left.reads);
		mmi_sums_at_most(&x[i].writes, left.writes);
		left.reads -= x[i].reads;
		left.writes -= x[i].writes;
	}
	mmi_put_field(&fields_out,
		      &(struct monrec_field){ sum.site, size, blocks, n, x });
}

/*
 * Any block may have been passed to unrecorded code: count the least possible.
 */
static void
all_handed(void)
{
	handed.blocks = sum.blocks;
	handed.bytes = sum.bytes;
	sum.span = sum.cover = sum.span_used = sum.cover_used = sum.useful = 0;
	for (unsigned i = 0; i < MONOUT_NFLAG; i++)
		if (!(MMI_USE_SURE >> i & 1))
			sum.flag[i].blocks = sum.flag[i].bytes = 0;
}

/* Does libc's own code call malloc there? */
static bool
is_libc(uint32_t node)
{
	const struct mmi_node *n = mmi_sites_node(node);
	struct dl_find_object libc, o;

	while (n->item.key >= MONOUT_PC_TYPE && n->item.parent)
		n = mmi_sites_node(n->item.parent);
	return mmi_key_is_frame(n->item.key) && !MMI_KEY_GEN(n->item.key) &&
	       _dl_find_object((void *)mmi_real_libc(), &libc) == 0 &&
	       _dl_find_object((void *)(MMI_KEY_ADDR(n->item.key) - 1), &o) ==
		       0 &&
	       o.dlfo_map_start == libc.dlfo_map_start;
}

static uint64_t
variance(double x)
{
	x = x / MONOUT_ACCESS_VARIANCE + 1;
	return x < 0x1p63 ? (uint64_t)x : UINT64_MAX;
}

static void
put_use(struct mmi_tables_sums *s)
{
	sum.life *= MMI_CLOCK_UNIT;
	mmi_put_use(&uses_out, &sum);
	if (handed.blocks)
		mmi_put_handed(&handed_out, &handed);
	if (spread[0] > 0 || spread[1] > 0)
		mmi_put_use_error(&errors_out,
				  &(struct monrec_use_error){
					  sum.site, variance(spread[0]),
					  variance(spread[1]) });
	s->reads += sum.reads;
	s->writes += sum.writes;
}

/* The next use of a path after u; u NULL: the first. */
static const struct mmi_use *
use_next(const struct mmi_path *p, const struct mmi_use *u)
{
	uint32_t i = u ? u->next : LOAD_ACQ(&p->item.to);

	return i ? mmi_use_at(i) : NULL;
}

static void
put_path(struct mmi_tables_sums *s, const struct mmi_path *p)
{
	const struct mmi_use *u = NULL;

	memset(&sum, 0, sizeof(sum));
	memset(&handed, 0, sizeof(handed));
	spread[0] = spread[1] = 0;
	sum.site = handed.site = p->site;
	while ((u = use_next(p, u)))
		add_use(u);
	if (!sum.blocks)
		return;
	/* The sums of its sites also represent more blocks. */
	if (mmi_sample_on())
		clamp_sums(UINT64_MAX, UINT64_MAX);
	else
		clamp_sums(p->allocs, p->bytes);
	/* Accesses in libc's own code to libc's own blocks aren't recorded. */
	if (is_handed(p) || (!sum.writes && is_libc(p->node)))
		all_handed();
	put_use(s);
	while ((u = use_next(p, u))) {
		/* Gaps between samples aren't gaps between all blocks. */
		if (u->time->file != file && !mmi_sample_on())
			put_groups(u->time);
		u->time->file = file;
		put_fields(p, u);
	}
}

void
mmi_accesses_site(const struct mmi_tables_sums *s, uint32_t node,
		  uint64_t allocs, uint64_t bytes)
{
	uint32_t i = recorded() ? mmi_paths_find(node) : 0;
	struct mmi_path *p;

	if (!i)
		return;
	p = mmi_paths_at(i);
	if (p->file != file) {
		p->file = file;
		p->site = s->sites;
		p->node = node;
		p->allocs = p->bytes = 0;
	} else {
		mmi_put_path(&paths_out,
			     &(struct monrec_path){ s->sites, p->site });
	}
	p->allocs += allocs;
	p->bytes += bytes;
}

void
mmi_accesses_end(struct mmi_tables_sums *s)
{
	for (uint32_t i = 1; recorded() && i <= mmi_paths_count(); i++) {
		const struct mmi_path *p = mmi_paths_at(i);

		if (p && p->file == file)
			put_path(s, p);
	}
	s->groups = mmi_emit_end(&groups_out);
	s->fields = mmi_emit_end(&fields_out);
	s->handed = mmi_emit_end(&handed_out);
	s->use_errors = mmi_emit_end(&errors_out);
	s->uses = mmi_emit_end(&uses_out);
	s->paths = mmi_emit_end(&paths_out);
}

void
mmi_accesses_run(struct mmi_emit *o)
{
	const char *why = mmi_calls_conflict();

	if (!why)
		why = mmi_shadow_why();
	if (!why && recorded())
		why = mmi_imports_text();
	if (why)
		mmi_emit_key_bytes(o, MONOUT_R_WHY, why, strlen(why));
	if (!recorded())
		return;
	mmi_emit_key_number(o, MONOUT_R_WAY, mmi_access_ways());
	mmi_emit_key_number(o, MONOUT_R_STEP, mmi_clock_step());
}

void
mmi_accesses_totals(struct mmi_emit *o, const struct mmi_tables_sums *s)
{
	if (!recorded())
		return;
	mmi_emit_key_number(o, MONOUT_T_PATHS, s->paths);
	mmi_emit_key_number(o, MONOUT_T_USES, s->uses);
	mmi_emit_key_number(o, MONOUT_T_GROUPS, s->groups);
	mmi_emit_key_number(o, MONOUT_T_FIELDS, s->fields);
	mmi_emit_key_number(o, MONOUT_T_HANDED, s->handed);
	if (mmi_sample_on())
		mmi_emit_key_number(o, MONOUT_T_USE_ERRORS, s->use_errors);
	mmi_emit_key_number(o, MONOUT_T_READS, s->reads);
	mmi_emit_key_number(o, MONOUT_T_WRITES, s->writes);
	mmi_emit_key_number(o, MONOUT_T_UNFOLDED, mmi_use_unfolded());
	mmi_emit_key_number(o, MONOUT_T_UNPLACED, mmi_use_unplaced());
	mmi_emit_key_number(o, MONOUT_T_TICKED, mmi_clock_ticked());
}
