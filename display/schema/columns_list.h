/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of queries, a row for each: identifier, kind, level (schema.h),
 * name, meaning, an expression that sets *v to the value, and more members of
 * its struct schema_field.  SQL, --columns and the database have all of them;
 * JSON, and so CSV, has them as members of sites and functions, those that are
 * derived last; tables print them by FIGURE() (grid/entries.h).
 *
 * The expression may use functions of columns.c and s (struct schema), t
 * (struct tally), t's first item x and its function f, which may be NULL, and
 * t's lives a, uses u and leaks l, which are all 0 where it has none.
 */
#ifndef MEMMON_COLUMNS_LIST_H
#define MEMMON_COLUMNS_LIST_H

/* clang-format off */
#define COLUMNS(C) \
	C(ALLOCS, COUNT, ROW, "allocs", "how many blocks were allocated", \
	  value_number(v, t->allocs, true)) \
	C(BYTES, BYTES, ROW, "bytes", "bytes of these blocks", \
	  value_number(v, t->bytes, true), .share = "share") \
	C(FREES, COUNT, ROW, "frees", \
	  "how many of the blocks were freed, by whatever thread", \
	  value_number(v, t->frees, true)) \
	C(FREED, BYTES, ROW, "freed", "bytes of the blocks freed", \
	  value_number(v, t->freed, true)) \
	C(KEPT, BYTES, ROW, "kept", "bytes not freed", \
	  value_number(v, kept(t), true), .share = "kept_share") \
	C(KEPT_BLOCKS, COUNT, ROW, "kept_blocks", \
	  "how many blocks were not freed", \
	  value_number(v, kept_blocks(t), true)) \
	C(PEAK, BYTES, ROW, "peak", \
	  "bytes of these that were live at the program's peak", \
	  value_number(v, t->peak, t->peak_known), .share = "peak_share") \
	C(PEAK_BLOCKS, COUNT, ROW, "peak_blocks", \
	  "how many blocks were live at the peak", \
	  value_number(v, t->peak_blocks, t->peak_known)) \
	C(SIZE, BYTES, BLOCK, "size", \
	  "bytes of each block, if all have the same", \
	  value_number(v, t->least, \
		       x && t->size_known && t->least == t->largest)) \
	C(SIZE_MIN, BYTES, ROW, "size_min", "bytes of the smallest block", \
	  value_number(v, t->least, x && t->size_known)) \
	C(SIZE_MAX, BYTES, ROW, "size_max", "bytes of the largest block", \
	  value_number(v, t->largest, x && t->size_known)) \
	C(AVERAGE, BYTES, ROW, "average", \
	  "bytes of a block, on average, rounded", \
	  value_share(v, t->bytes, t->allocs)) \
	C(KEPT_AVERAGE, BYTES, ROW, "kept_average", \
	  "bytes of a block that was not freed, on average, rounded", \
	  value_share(v, kept(t), kept_blocks(t)), \
	  .derived = true) \
	C(SHARE, SHARE, ROW, "share", \
	  "share of all bytes allocated, rounded", \
	  value_share(v, t->bytes, s->bytes)) \
	C(KEPT_SHARE, SHARE, ROW, "kept_share", \
	  "share of all bytes not freed, rounded", \
	  value_share(v, kept(t), s->kept)) \
	C(PEAK_SHARE, SHARE, ROW, "peak_share", \
	  "share of all bytes live at the peak, rounded", \
	  value_share(v, t->peak, t->peak_known ? s->p->total.peak : 0)) \
	C(TEMPS_SHARE, SHARE, ROW, "temps_share", \
	  "share of the blocks that temps is, rounded", \
	  life(s, t, v, t->allocs ? (long double)a->temps / t->allocs : 0, \
	       t->allocs && !s->p->sample.rate), .derived = true) \
	C(UNFREED_SHARE, SHARE, ROW, "unfreed_share", \
	  "share of the blocks that was not freed, rounded", \
	  value_share(v, kept_blocks(t), t->allocs), \
	  .derived = true) \
	C(SITES, COUNT, ROW, "sites", "how many call paths allocated them", \
	  value_number(v, t->sites, true)) \
	C(LIFE, TIME, CALLS, "life", \
	  "mean time from allocation to free; ~ is an estimate", \
	  life(s, t, v, mean(a), tally_mean_known(a))) \
	C(LIFE_MIN, TIME, CALLS, "life_min", \
	  "the shortest time to free that was measured", \
	  life(s, t, v, a->min, a->timed > 0)) \
	C(LIFE_MAX, TIME, CALLS, "life_max", \
	  "the longest time to free that was measured", \
	  life(s, t, v, a->max, a->timed > 0)) \
	C(TEMPS, COUNT, ROW, "temps", \
	  "blocks freed before the thread's next allocation", \
	  life(s, t, v, a->temps, !s->p->sample.rate)) \
	C(NEAR, COUNT, ROW, "near", "blocks freed before its 16th next one", \
	  life(s, t, v, a->near, !s->p->sample.rate)) \
	C(BY_OTHERS, COUNT, ROW, "by_others", \
	  "blocks freed by another thread", \
	  life(s, t, v, a->by_others, true)) \
	C(REALLOCS, COUNT, ROW, "reallocs", \
	  "blocks that were made by realloc", \
	  value_number(v, t->reallocs, t->whole && !profile_is_part(s->p))) \
	C(MOVED, COUNT, ROW, "moved", \
	  "blocks that realloc gave another address", \
	  life(s, t, v, a->moved, !s->p->sample.rate)) \
	C(COPIED, BYTES, ROW, "copied", \
	  "bytes that realloc copied to another address", \
	  life(s, t, v, a->copied, !s->p->sample.rate)) \
	C(LONGEST, COUNT, CALLS, "longest", \
	  "the most reallocs that one block had been through", \
	  life(s, t, v, a->longest, !s->p->sample.rate)) \
	C(READS, COUNT, ROW, "reads", \
	  "reads of the blocks; each 16 bytes count apart", \
	  use(s, t, v, u->reads, true)) \
	C(WRITES, COUNT, ROW, "writes", "writes of the blocks, likewise", \
	  use(s, t, v, u->writes, true)) \
	C(HANDED, COUNT, ROW, "handed", \
	  "blocks handed to code whose accesses aren't recorded", \
	  use(s, t, v, u->handed_blocks, true)) \
	C(HANDED_BYTES, BYTES, ROW, "handed_bytes", "bytes of these", \
	  use(s, t, v, u->handed_bytes, true)) \
	C(LIFETIME, SCORE, CALLS, "lifetime", \
	  "score: lives as long as their neighbours (--scores)", \
	  use(s, t, v, profile_score(u).lifetime, profile_score(u).lived)) \
	C(USAGE, SCORE, CALLS, "usage", \
	  "score: share of the bytes within the span touched, at most: " \
	  "16 bytes count whole", \
	  use(s, t, v, profile_score(u).usage, profile_use_known(u))) \
	C(USEFUL, SCORE, CALLS, "useful", \
	  "score: share of their lives from first to last use", \
	  use(s, t, v, profile_score(u).useful, profile_score(u).timed)) \
	C(COVER, SCORE, CALLS, "cover", \
	  "share of the bytes touched, at most: 16 bytes count whole", \
	  use(s, t, v, profile_score(u).cover, profile_use_known(u))) \
	C(MEAN, SCORE, CALLS, "mean", \
	  "geometric mean of what is known of lifetime, usage and useful", \
	  use(s, t, v, profile_score(u).severity, scored(u))) \
	C(SEVERITY, COUNT, CALLS, "severity", \
	  "mean in steps: 1 is fine, 12 the worst", \
	  use(s, t, v, profile_score(u).step, scored(u))) \
	C(SAVE, BYTES, ROW, "save", "bytes times (1 - mean)", \
	  use(s, t, v, profile_score(u).saving, scored(u))) \
	C(UNUSED, COUNT, ROW, "unused", "blocks never read nor written", \
	  flag(s, t, v, PROFILE_UNUSED)) \
	C(WRITE_ONLY, COUNT, ROW, "write_only", \
	  "blocks written, never read", flag(s, t, v, PROFILE_WRITE_ONLY)) \
	C(READ_ONLY, COUNT, ROW, "read_only", "blocks read, never written", \
	  flag(s, t, v, PROFILE_READ_ONLY)) \
	C(SHORT_LIVED, COUNT, ROW, "short_lived", \
	  "blocks that lived less than 0.1% of the run", \
	  flag(s, t, v, PROFILE_SHORT)) \
	C(EARLY, COUNT, ROW, "early", \
	  "blocks idle for more than half their lives, first", \
	  flag(s, t, v, PROFILE_EARLY)) \
	C(LATE, COUNT, ROW, "late", \
	  "blocks idle for more than half their lives, at last", \
	  flag(s, t, v, PROFILE_LATE)) \
	C(GROWING, COUNT, ROW, "growing", \
	  "blocks in runs of 4 or more, each for a smaller one", \
	  flag(s, t, v, PROFILE_GROWING)) \
	C(SHARED, COUNT, ROW, "shared", \
	  "blocks accessed by more than one thread", \
	  flag(s, t, v, PROFILE_SHARED)) \
	C(LOW_COVER, COUNT, ROW, "low_cover", \
	  "blocks of which less than half was touched", \
	  flag(s, t, v, PROFILE_LOW_COVER)) \
	C(LOST, BYTES, ROW, "lost", \
	  "bytes to which nothing points any more (leak check)", \
	  leak(s, t, v, l->bytes[PROFILE_LOST])) \
	C(LOST_BLOCKS, COUNT, ROW, "lost_blocks", "the same in blocks", \
	  leak(s, t, v, l->blocks[PROFILE_LOST])) \
	C(INDIRECT, BYTES, ROW, "indirect", \
	  "bytes to which only lost blocks point", \
	  leak(s, t, v, l->bytes[PROFILE_INDIRECT])) \
	C(INDIRECT_BLOCKS, COUNT, ROW, "indirect_blocks", \
	  "the same in blocks", \
	  leak(s, t, v, l->blocks[PROFILE_INDIRECT])) \
	C(INTERIOR, BYTES, ROW, "interior", \
	  "bytes reached, but somewhere by their inside only", \
	  leak(s, t, v, l->bytes[PROFILE_INTERIOR])) \
	C(INTERIOR_BLOCKS, COUNT, ROW, "interior_blocks", \
	  "the same in blocks", \
	  leak(s, t, v, l->blocks[PROFILE_INTERIOR])) \
	C(REACHABLE, BYTES, ROW, "reachable", \
	  "bytes reached by pointers to their start", \
	  leak(s, t, v, l->bytes[PROFILE_REACHABLE])) \
	C(REACHABLE_BLOCKS, COUNT, ROW, "reachable_blocks", \
	  "the same in blocks", \
	  leak(s, t, v, l->blocks[PROFILE_REACHABLE])) \
	C(LEAKED, BYTES, ROW, "leaked", "bytes lost or indirect", \
	  leak(s, t, v, amount_leaked(l->bytes))) \
	C(LEAKED_BLOCKS, COUNT, ROW, "leaked_blocks", \
	  "the same in blocks", leak(s, t, v, amount_leaked(l->blocks))) \
	C(HOLDS, BYTES, ROW, "holds", \
	  "indirect bytes, of any path, its lost blocks lead to", \
	  holds(s, t, v, l->holds.bytes)) \
	C(HOLDS_BLOCKS, COUNT, ROW, "holds_blocks", \
	  "the same in blocks", holds(s, t, v, l->holds.blocks)) \
	C(TYPE, TEXT, BLOCK, "type", \
	  "type of the blocks; = exact, ~ found out, ? by size", \
	  text(v, x ? x->type : NULL, t->one_type), .needs = SCHEMA_TYPES) \
	C(MARK, TEXT, BLOCK, "mark", \
	  "how sure the type is: = exact, ~ found out, ? by size", \
	  mark(s, t, v), .needs = SCHEMA_TYPES) \
	C(LIVED, TEXT, BLOCK, "lived", \
	  "range of the mean lifetime of their call paths", lived(s, t, v)) \
	C(THREAD, TEXT, BLOCK, "thread", \
	  "thread that allocated them; (main) is the first one", \
	  thread(t, v), .other = "thread_alias") \
	C(MODULE, TEXT, BLOCK, "module", \
	  "program or library of the function", \
	  text(v, x ? tally_module(x) : NULL, t->one_module)) \
	C(FILE, TEXT, BLOCK, "file", "source file of the function", \
	  text(v, x ? tally_file(x) : NULL, t->one_file), \
	  .other = "file_name") \
	C(LINE, COUNT, BLOCK, "line", \
	  "line of its definition; with --line, of the call", \
	  value_number(v, x ? tally_line(x) : 0, \
	  x && t->one_line && tally_line(x))) \
	C(FUNCTION, TEXT, BLOCK, "function", \
	  "function that called malloc or its like", \
	  text(v, f ? f->name : NULL, t->one_func)) \
	C(SITE, TEXT, BLOCK, "site", \
	  "call path, the caller left of what it called", \
	  text(v, x && t->one_site ? schema_path(s, x->site) : NULL, true))

/* Not of --columns: numbers of rows elsewhere, and shorter forms of texts. */
#define COLUMNS_OTHER(C) \
	C(SITE_ID, COUNT, BLOCK, "site_id", \
	  "number of the call path, as sites.id", \
	  value_number(v, x ? (uint64_t)(x->site - s->p->sites) : 0, \
	  x && t->one_site), .sorted = true) \
	C(FUNCTION_ID, COUNT, BLOCK, "function_id", \
	  "number of the function, as functions.id", \
	  value_number(v, f ? (uint64_t)(f - s->p->funcs[0]) : 0, \
	  f && t->one_func)) \
	C(THREAD_ID, COUNT, BLOCK, "thread_id", \
	  "number of the thread, as threads.id", \
	  value_number(v, thread_id(s, x), x && x->thread && t->one_thread)) \
	C(LIVED_ID, COUNT, BLOCK, "lived_id", \
	  "number of the range of lived; larger ones are longer", \
	  lived_id(s, t, v)) \
	C(SIZE_ID, COUNT, BLOCK, "size_id", \
	  "the size; below 0: a class of sizes", \
	  size_id(t, v), .hidden = true) \
	C(FILE_NAME, TEXT, BLOCK, "file_name", "last part of file", \
	  file_name(t, v)) \
	C(THREAD_ALIAS, TEXT, BLOCK, "thread_alias", \
	  "main, of the program's first thread", \
	  text(v, x && x->thread && x->thread->main ? "main" : NULL, \
	  t->one_thread)) \
	C(ID, COUNT, BLOCK, "id", "number of the row", \
	  value_number(v, 0, false), .from = SCHEMA_ROWID, .sorted = true)
/* clang-format on */

#endif
