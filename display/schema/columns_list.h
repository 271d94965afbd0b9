/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of queries, a row for each: identifier, kind, level (schema.h),
 * name, meaning, an expression that sets *v to the value, and more members of
 * its struct schema_field.  SQL, --columns and the database have all columns.
 * In JSON and CSV they are members of sites and functions, derived ones last.
 * Tables print them by FIGURE() (grid/entries.h).  The rows of flags and leaks
 * come from model/measures.h.
 *
 * The expression may use functions of columns.c and these names: s (struct
 * schema), t (struct tally), t's first item x and its function f, either of
 * which may be NULL, and t's lives a, uses u and leaks l, which are all 0 if
 * t's are NULL.
 */
#ifndef MEMMON_COLUMNS_LIST_H
#define MEMMON_COLUMNS_LIST_H

/* clang-format off */
#define COLUMNS(C) \
	C(ALLOCS, COUNT, ROW, "allocs", "blocks allocated", \
	  value_number(v, t->allocs, true)) \
	C(BYTES, BYTES, ROW, "bytes", "bytes allocated", \
	  value_number(v, t->bytes, true), .share = "share") \
	C(FREES, COUNT, ROW, "frees", "blocks freed, by any thread", \
	  value_number(v, t->frees, true)) \
	C(FREED, BYTES, ROW, "freed", "bytes freed", \
	  value_number(v, t->freed, true)) \
	C(KEPT, BYTES, ROW, "kept", "bytes not freed", \
	  value_number(v, account_kept(&t->account), true), \
	  .share = "kept_share") \
	C(KEPT_BLOCKS, COUNT, ROW, "kept_blocks", "blocks not freed", \
	  value_number(v, account_kept_blocks(&t->account), true)) \
	C(PEAK, BYTES, ROW, "peak", "bytes live at the program's peak", \
	  value_number(v, t->peak, t->peak_known), .share = "peak_share") \
	C(PEAK_BLOCKS, COUNT, ROW, "peak_blocks", \
	  "blocks live at the program's peak", \
	  value_number(v, t->peak_blocks, t->peak_known)) \
	C(OWN_PEAK, BYTES, CALLS, "own_peak", \
	  "most bytes of the call path live in a snapshot", \
	  own_peak(s, t, v, false), .needs = SCHEMA_TIMES, .derived = true) \
	C(OWN_PEAK_AT, TIME, CALLS, "own_peak_at", \
	  "time of own_peak, after the start", \
	  own_peak(s, t, v, true), .needs = SCHEMA_TIMES, .derived = true) \
	C(SIZE, BYTES, BLOCK, "size", \
	  "size of each block, if all have one size", \
	  value_number(v, t->least, \
		       x && t->size_known && t->least == t->largest)) \
	C(SIZE_MIN, BYTES, ROW, "size_min", "size of the smallest block", \
	  value_number(v, t->least, x && t->size_known)) \
	C(SIZE_MAX, BYTES, ROW, "size_max", "size of the largest block", \
	  value_number(v, t->largest, x && t->size_known)) \
	C(AVERAGE, BYTES, ROW, "average", "mean size of a block, rounded", \
	  value_share(v, t->bytes, t->allocs)) \
	C(KEPT_AVERAGE, BYTES, ROW, "kept_average", \
	  "mean size of a block that was not freed, rounded", \
	  value_share(v, account_kept(&t->account), \
		      account_kept_blocks(&t->account)), .derived = true) \
	C(SHARE, SHARE, ROW, "share", "share of all bytes allocated, rounded", \
	  value_share(v, t->bytes, s->bytes)) \
	C(KEPT_SHARE, SHARE, ROW, "kept_share", \
	  "share of all bytes not freed, rounded", \
	  value_share(v, account_kept(&t->account), s->kept)) \
	C(PEAK_SHARE, SHARE, ROW, "peak_share", \
	  "share of all bytes live at the peak, rounded", \
	  value_share(v, t->peak, t->peak_known ? s->p->total.peak : 0)) \
	C(TEMPS_SHARE, SHARE, ROW, "temps_share", \
	  "share of blocks that are temporary, rounded", \
	  life(s, t, v, t->allocs ? (long double)a->temps / t->allocs : 0, \
	       t->allocs && !s->p->sample.rate), .derived = true) \
	C(UNFREED_SHARE, SHARE, ROW, "unfreed_share", \
	  "share of blocks that were not freed, rounded", \
	  value_share(v, account_kept_blocks(&t->account), t->allocs), \
	  .derived = true) \
	C(ACCESSES_AVERAGE, COUNT, ROW, "accesses_average", \
	  "mean reads and writes of a block, rounded", \
	  use(s, t, v, u->blocks ? ((long double)u->reads + u->writes) / \
					   u->blocks : 0, true), \
	  .derived = true) \
	C(SITES, COUNT, ROW, "sites", "call paths that allocated the blocks", \
	  value_number(v, t->sites, true)) \
	C(LIFE, TIME, CALLS, "life", \
	  "mean time from allocation to free; ~ is an estimate", \
	  life(s, t, v, mean(a), tally_mean_known(a))) \
	C(LIFE_MIN, TIME, CALLS, "life_min", \
	  "shortest measured time from allocation to free", \
	  life(s, t, v, a->min, a->timed > 0)) \
	C(LIFE_MAX, TIME, CALLS, "life_max", \
	  "longest measured time from allocation to free", \
	  life(s, t, v, a->max, a->timed > 0)) \
	C(TEMPS, COUNT, ROW, "temps", \
	  "blocks freed before the thread's next allocation", \
	  life(s, t, v, a->temps, !s->p->sample.rate)) \
	C(NEAR, COUNT, ROW, "near", \
	  "blocks freed before the thread's 16th next allocation", \
	  life(s, t, v, a->near, !s->p->sample.rate)) \
	C(BY_OTHERS, COUNT, ROW, "by_others", \
	  "blocks freed by another thread", \
	  life(s, t, v, a->by_others, true)) \
	C(REALLOCS, COUNT, ROW, "reallocs", "blocks made by realloc", \
	  value_number(v, t->reallocs, t->whole && !profile_is_part(s->p))) \
	C(MOVED, COUNT, ROW, "moved", "blocks that realloc moved", \
	  figure(s, t, v, a->moved, MONOUT_FIGURE_MOVED, true)) \
	C(COPIED, BYTES, ROW, "copied", \
	  "bytes that realloc copied to another address", \
	  figure(s, t, v, a->copied, MONOUT_FIGURE_COPIED, true)) \
	C(ENLARGED, BYTES, ROW, "enlarged", \
	  "bytes that realloc added to blocks", \
	  figure(s, t, v, a->figure[MONOUT_FIGURE_ENLARGED], \
		 MONOUT_FIGURE_ENLARGED, false)) \
	C(LONGEST, COUNT, CALLS, "longest", \
	  "most reallocs that one block went through", \
	  life(s, t, v, a->longest, !s->p->sample.rate)) \
	C(READS, COUNT, ROW, "reads", \
	  "reads of the blocks, counted per 16 bytes", \
	  use(s, t, v, u->reads, true)) \
	C(WRITES, COUNT, ROW, "writes", \
	  "writes of the blocks, counted per 16 bytes", \
	  use(s, t, v, u->writes, true)) \
	C(HANDED, COUNT, ROW, "handed", "blocks passed to unrecorded code", \
	  use(s, t, v, u->handed_blocks, true)) \
	C(HANDED_BYTES, BYTES, ROW, "handed_bytes", \
	  "bytes passed to unrecorded code", \
	  use(s, t, v, u->handed_bytes, true)) \
	C(LIFETIME, SCORE, CALLS, "lifetime", \
	  "score: share of a group's time that its blocks live", \
	  use(s, t, v, profile_score(u).lifetime, profile_score(u).lived)) \
	C(USAGE, SCORE, CALLS, "usage", \
	  "score: share of the span accessed, at most: 16 bytes count whole", \
	  use(s, t, v, profile_score(u).usage, profile_use_known(u))) \
	C(USEFUL, SCORE, CALLS, "useful", \
	  "score: share of life between first and last access", \
	  use(s, t, v, profile_score(u).useful, profile_score(u).timed)) \
	C(COVER, SCORE, CALLS, "cover", \
	  "share of accessed bytes, at most: 16 bytes count whole", \
	  use(s, t, v, profile_score(u).cover, profile_use_known(u))) \
	C(MEAN, SCORE, CALLS, "mean", \
	  "geometric mean of known lifetime, usage and useful", \
	  use(s, t, v, profile_score(u).severity, scored(u))) \
	C(SEVERITY, COUNT, CALLS, "severity", \
	  "mean in steps, from 1 (good) to 12 (bad)", \
	  use(s, t, v, profile_score(u).step, scored(u))) \
	C(SAVE, BYTES, ROW, "save", "bytes times (1 - mean)", \
	  use(s, t, v, profile_score(u).saving, scored(u))) \
	MEASURES_FLAGS(COLUMNS_FLAG) \
	MEASURES_KINDS(COLUMNS_LEAK, ) \
	C(LEAKED, BYTES, ROW, "leaked", "bytes lost or indirectly lost", \
	  leak(s, t, v, leak_leaked(l->bytes))) \
	C(LEAKED_BLOCKS, COUNT, ROW, "leaked_blocks", \
	  "blocks lost or indirectly lost", \
	  leak(s, t, v, leak_leaked(l->blocks))) \
	C(HOLDS, BYTES, ROW, "holds", \
	  "indirectly lost bytes that the lost blocks lead to", \
	  holds(s, t, v, l->holds.bytes)) \
	C(HOLDS_BLOCKS, COUNT, ROW, "holds_blocks", \
	  "indirectly lost blocks that the lost blocks lead to", \
	  holds(s, t, v, l->holds.blocks)) \
	C(TYPE, TEXT, BLOCK, "type", "type of the blocks", \
	  columns_text(v, x ? x->type : NULL, t->one_type), \
	  .needs = SCHEMA_TYPES) \
	C(MARK, TEXT, BLOCK, "mark", \
	  "how the type is known: = exact, ~ code, ? size", \
	  columns_mark(s, t, v), .needs = SCHEMA_TYPES) \
	C(LIVED, TEXT, BLOCK, "lived", \
	  "range of the call path's mean lifetime", \
	  columns_lived(s, t, v)) \
	C(THREAD, TEXT, BLOCK, "thread", \
	  "thread that allocated; (main) is the first thread", \
	  thread(t, v), .other = "thread_alias") \
	C(MODULE, TEXT, BLOCK, "module", "program or library of the function", \
	  columns_text(v, x ? tally_module(x) : NULL, t->one_module)) \
	C(FILE, TEXT, BLOCK, "file", "source file of the function", \
	  columns_text(v, x ? tally_file(x) : NULL, t->one_file), \
	  .other = "file_name") \
	C(LINE, COUNT, BLOCK, "line", \
	  "line of the definition, or with --line of the call", \
	  value_number(v, x ? tally_line(x) : 0, \
	  x && t->one_line && tally_line(x))) \
	C(FUNCTION, TEXT, BLOCK, "function", \
	  "function that called malloc or a similar function", \
	  columns_text(v, f ? f->name : NULL, t->one_func)) \
	C(SITE, TEXT, BLOCK, "site", "call path, outermost function first", \
	  columns_text(v, x && t->one_site ? schema_path(s, x->site) : NULL, \
		       true))

#define COLUMNS_FLAG(id, name, words) \
	C(id, COUNT, ROW, #name, "blocks " words, flag(s, t, v, PROFILE_##id))
#define COLUMNS_LEAK(with, id, name, words, note) \
	C(id, BYTES, ROW, #name, "bytes " words note, \
	  leak(s, t, v, l->bytes[PROFILE_##id])) \
	C(id##_BLOCKS, COUNT, ROW, #name "_blocks", "blocks " words, \
	  leak(s, t, v, l->blocks[PROFILE_##id]))

/*
 * The standard errors of the columns that samples estimate.  The user defines
 * ERROR(ID, name, variance).  The hidden column NAME_error has the kind of NAME
 * and is known if NAME is.
 */
#define COLUMNS_ERRORS \
	MEASURES_ERRORS(COLUMNS_ERROR) \
	MONREC_FIGURE_KINDS(COLUMNS_ERROR_OF_LIFE) \
	MEASURES_ACCESS_ERRORS(COLUMNS_ERROR_OF_USE)
#define COLUMNS_ERROR(id, name) ERROR(id, name, t->var[PROFILE_E_##id])
#define COLUMNS_ERROR_OF_LIFE(id, name, ...) \
	ERROR(id, name, a->var[MONOUT_FIGURE_##id])
#define COLUMNS_ERROR_OF_USE(id, name) \
	ERROR(id, name, u->var[PROFILE_UE_##id])

/* Not for --columns: row numbers in other tables, and short forms of texts. */
#define COLUMNS_OTHER(C) \
	C(SITE_ID, COUNT, BLOCK, "site_id", \
	  "number of the call path (sites.id)", \
	  value_number(v, x ? (uint64_t)(x->site - s->p->sites) : 0, \
	  x && t->one_site), .sorted = true) \
	C(FUNCTION_ID, COUNT, BLOCK, "function_id", \
	  "number of the function (functions.id)", \
	  value_number(v, f ? (uint64_t)(f - s->p->funcs[0]) : 0, \
	  f && t->one_func)) \
	C(THREAD_ID, COUNT, BLOCK, "thread_id", \
	  "number of the thread (threads.id)", \
	  value_number(v, thread_id(s, x), x && x->thread && t->one_thread)) \
	C(LIVED_ID, COUNT, BLOCK, "lived_id", \
	  "number of the range; longer lives have larger numbers", \
	  lived_id(s, t, v)) \
	C(SIZE_ID, COUNT, BLOCK, "size_id", \
	  "the size; below 0: a class of sizes", \
	  size_id(t, v), .hidden = true) \
	C(FILE_NAME, TEXT, BLOCK, "file_name", "last part of the file's path", \
	  file_name(t, v)) \
	C(THREAD_ALIAS, TEXT, BLOCK, "thread_alias", \
	  "main, if the thread is the program's first", \
	  columns_text(v, x && x->thread && x->thread->main ? "main" : NULL, \
	  t->one_thread)) \
	C(ID, COUNT, BLOCK, "id", "number of the row", \
	  value_number(v, 0, false), .from = SCHEMA_ROWID, .sorted = true)
/* clang-format on */

#endif
