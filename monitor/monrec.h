/* SPDX-License-Identifier: MIT */
/*
 * The tables of mon.out, a row each, and the fields of their items, a row each.
 * All code that writes, reads, checks, renumbers, adds up, prints or damages
 * items expands these rows; mon.out(5) describes the same, and tests/t/format.t
 * compares both.  A new record needs a row here, its fields, the key of its
 * count in monkeys.h and its meaning for a struct mon (reduce/monout/items*.c);
 * a PLAIN record needs only the code that writes it (monitor/file/plain.c)
 * instead.
 */
#ifndef MEMMON_MONREC_H
#define MEMMON_MONREC_H

#include <stdint.h>

/*
 * R(NAME, an item, items, form, four characters of the tag, number of the first
 * item, minor version that added it).  MONOUT_NAME is the tag, MONREC_NAME()
 * has the fields, and the key MONOUT_T_NAME of the totals says how many items
 * there are.  In the order of mon.out(5).
 *
 * form: how mpreduce stores the items (reduce/monout/mon.h)
 *
 * PLAIN	a list of them as they are; all fields are of kind TEXT or
 *		NUMBER, one is `name', a text that isn't empty.  A sum of files
 *		has the items of all files, each once, and mpreduce -i prints
 *		them: only its writer, monitor/file/plain.c, knows the table.
 * LIST		a list of them, perhaps with more than is in the file
 * SUMMED	a list of them; items of the same keys add up
 * OWN		a list of something else
 * PART		figures of the items of another table
 */
#define MONREC_TABLES(R) \
	R(MODULES, module, modules, LIST, 'M', 'O', 'D', ' ', 1, 0) \
	R(NODES, node, nodes, OWN, 'N', 'O', 'D', 'E', 1, 0) \
	R(SITES, site, sites, OWN, 'S', 'I', 'T', 'E', 0, 0) \
	R(BINS, bin, bins, LIST, 'B', 'I', 'N', ' ', 0, 0) \
	R(PEAKS, peak, peaks, PART, 'P', 'E', 'A', 'K', 0, 1) \
	R(LIVES, life, lives, PART, 'L', 'I', 'F', 'E', 0, 1) \
	R(THREADS, thread, threads, LIST, 'T', 'H', 'R', 'D', 0, 1) \
	R(PATHS, path, paths, PART, 'P', 'A', 'T', 'H', 0, 11) \
	R(USES, use, uses, OWN, 'U', 'S', 'E', ' ', 0, 2) \
	R(GROUPS, group, groups, OWN, 'G', 'R', 'P', ' ', 0, 2) \
	R(FIELDS, field, fields, OWN, 'F', 'L', 'D', ' ', 0, 2) \
	R(HANDED, handed, handed, PART, 'H', 'A', 'N', 'D', 0, 6) \
	R(USE_ERRORS, use_error, use_errors, PART, 'U', 'E', 'R', 'R', 0, 14) \
	R(MARKS, mark, marks, LIST, 'M', 'A', 'R', 'K', 0, 3) \
	R(LEAKS, leak, leaks, OWN, 'L', 'E', 'A', 'K', 0, 3) \
	R(TYPES, type, types, LIST, 'T', 'Y', 'P', 'E', 1, 4) \
	R(CELLS, cell, cells, LIST, 'C', 'E', 'L', 'L', 0, 4) \
	R(VTABLES, vtable, vtables, LIST, 'V', 'T', 'B', 'L', 0, 4) \
	R(ERRORS, error, errors, PART, 'E', 'R', 'R', ' ', 0, 4) \
	R(CHANGES, change, changes, OWN, 'C', 'H', 'N', 'G', 0, 5) \
	R(SNAPSHOTS, snapshot, snapshots, LIST, 'M', 'O', 'M', 'T', 0, 5) \
	R(SETTINGS, setting, settings, PLAIN, 'S', 'E', 'T', ' ', 0, 7) \
	R(LIMITS, limit, limits, PLAIN, 'L', 'I', 'M', ' ', 0, 8) \
	R(HOLDS, hold, holds, PART, 'H', 'O', 'L', 'D', 0, 9) \
	R(COSTS, cost, costs, PLAIN, 'C', 'O', 'S', 'T', 0, 10) \
	R(CODES, code, codes, PLAIN, 'C', 'O', 'D', 'E', 0, 11) \
	R(MEMORY, memory, memories, PLAIN, 'M', 'E', 'M', 'O', 0, 15) \
	R(PINS, pin, pins, SUMMED, 'P', 'I', 'N', 'S', 0, 15) \
	R(LINKS, link, links, SUMMED, 'L', 'I', 'N', 'K', 0, 16) \
	R(MAPPINGS, mapping, mappings, SUMMED, 'M', 'A', 'P', 'S', 0, 17) \
	R(MEMORY_SNAPSHOTS, memory_snapshot, memory_snapshots, PLAIN, 'M', \
	  'O', 'M', 'S', 0, 18) \
	R(ENDINGS, ending, endings, SUMMED, 'E', 'N', 'D', 'S', 0, 19) \
	R(FIGURES, figure, figures, SUMMED, 'F', 'I', 'G', 'S', 0, 20) \
	R(SYSTEM, system, systems, PLAIN, 'S', 'Y', 'S', ' ', 0, 21)

/*
 * MONREC_TABLES(MONREC_PLAIN): P(NAME, an item, items) for PLAIN tables;
 * MONREC_TABLES(MONREC_SUMMED): S(NAME, an item, items) for SUMMED ones.
 */
#define MONREC_PLAIN(name, item, items, form, ...) \
	MONREC_PLAIN_##form(P(name, item, items))
#define MONREC_PLAIN_PLAIN(...) __VA_ARGS__
#define MONREC_PLAIN_LIST(...)
#define MONREC_PLAIN_SUMMED(...)
#define MONREC_PLAIN_OWN(...)
#define MONREC_PLAIN_PART(...)
#define MONREC_SUMMED(name, item, items, form, ...) \
	MONREC_SUMMED_##form(S(name, item, items))
#define MONREC_SUMMED_PLAIN(...)
#define MONREC_SUMMED_LIST(...)
#define MONREC_SUMMED_SUMMED(...) __VA_ARGS__
#define MONREC_SUMMED_OWN(...)
#define MONREC_SUMMED_PART(...)

/* All records, also those of keys and values, which have no fields. */
#define MONREC_RECORDS(R) \
	R(RUN, run, run, KEYS, 'R', 'U', 'N', ' ', 0, 0) \
	MONREC_TABLES(R) \
	R(TOTALS, total, totals, KEYS, 'T', 'O', 'T', 'L', 0, 0)

/*
 * The fields of an item, in the order of the file.  D is the beginning of the
 * names of the macros that use them:
 *
 * D_FIELD(kind, sum, name)	a number or text, see below
 * D_IF(name, fields)		only if that field isn't 0
 * D_BITS(n, name, fields)	a varint, mask, whose n lowest bits may be set;
 *				for each set bit, the lowest first, the fields
 *				of name[bit]
 * D_EACH(n, name, fields)	the fields of name[0] to name[n - 1]
 * D_LIST(name, fields)		a varint, n, and n times the fields
 *
 * Kinds; all except the texts are varints:
 *
 * NUMBER	a number
 * ZIGZAG	a part of a number, which may be below 0: twice the part, or
 *		twice its absolute value minus 1; two's complement in memory
 * SIGNED	the same if the whole number may be below 0
 * SIZE		of blocks: twice the bytes of each; or twice a class, plus 1,
 *		for blocks of any size of the class: then the field `any' is 1
 * SITE, MODULE, NODE, CELL, SNAPSHOT
 *		the number of an item of that table; for NODE and MODULE, 0:
 *		none
 * THREAD	the number of an item of THREADS, plus 1; 0: unknown
 * TEXT, BYTES	varint n, and n bytes: without NUL; any
 *
 * How equal items, of one file or of several, are joined:
 *
 * KEY	it is the same in all; OWN: of one file only
 * SUM	the sum; CAP: the sum up to UINT64_MAX; MOST, LEAST of them
 * OR	the bits of all
 */

/* clang-format off */

/*
 * A module mapped at [start, end).  An address in it minus the bias is the
 * address in the file (the link-time address).  flags: MONOUT_M_*.
 */
#define MONREC_MODULES(D) \
	D##_FIELD(NUMBER, OWN, start) \
	D##_FIELD(NUMBER, OWN, end) \
	D##_FIELD(NUMBER, OWN, bias) \
	D##_FIELD(NUMBER, OR, flags) \
	D##_FIELD(BYTES, KEY, id) /* build-id */ \
	D##_FIELD(TEXT, KEY, path)

/*
 * Nodes of the calling-context trie.  Node 0 is the root and isn't stored; its
 * children are the outermost frames.  distance: own number minus the parent's,
 * at least 1.  addr: the return address in the caller, minus the module's bias;
 * of module 0 absolute, or MONOUT_PC_*.  From MONOUT_PC_TYPE on it isn't a call
 * but a type: its blocks were allocated by the parent, and have this type.
 */
#define MONREC_NODES(D) \
	D##_FIELD(NUMBER, OWN, distance) \
	D##_FIELD(MODULE, KEY, module) \
	D##_FIELD(NUMBER, KEY, addr)

/* Allocations with a call path, whose innermost frame is the node. */
#define MONREC_SITES(D) \
	D##_FIELD(NODE, KEY, node) \
	D##_FIELD(NUMBER, SUM, reallocs) \
	D##_BITS(MONOUT_NCLASS, size_class, \
		 D##_FIELD(NUMBER, SUM, allocs) D##_FIELD(NUMBER, SUM, bytes) \
		 D##_FIELD(NUMBER, SUM, frees) D##_FIELD(NUMBER, SUM, freed))

/* Blocks of one size; in no order. */
#define MONREC_BINS(D) \
	D##_FIELD(NUMBER, KEY, size) \
	D##_FIELD(NUMBER, SUM, allocs) \
	D##_FIELD(NUMBER, SUM, frees)

/* Live blocks of the site at the peak.  Sites without any are left out. */
#define MONREC_PEAKS(D) \
	D##_FIELD(SITE, KEY, site) \
	D##_FIELD(NUMBER, OWN, blocks) \
	D##_FIELD(NUMBER, OWN, bytes)

/*
 * The fate of a site's blocks.  temps: freed by the thread that allocated
 * them before its next allocation; near: before its MONOUT_NEAR'th next one,
 * temps included; by_others: freed by another thread.  moved: results of
 * realloc with another address than the block had; copied: the bytes that were
 * in them; longest: most reallocs of one block.  timed: freed blocks whose
 * lifetime was measured.  If only some were, each represents `weight / timed'
 * blocks on average; weight, sum (ns) and the histogram are weighted
 * accordingly.  min and max are ns, of the timed ones.  The histogram begins at
 * bin `first'; bin b is for lifetimes of 2^b up to 2^(b+1) - 1 ns, bin 0 for 0
 * too.  Sites with only zeros are left out.
 */
#define MONREC_LIVES(D) \
	D##_FIELD(SITE, KEY, site) D##_FIELD(NUMBER, SUM, temps) \
	D##_FIELD(NUMBER, SUM, near) D##_FIELD(NUMBER, SUM, by_others) \
	D##_FIELD(NUMBER, SUM, moved) D##_FIELD(NUMBER, SUM, copied) \
	D##_FIELD(NUMBER, MOST, longest) D##_FIELD(NUMBER, SUM, timed) \
	D##_IF(timed, D##_FIELD(NUMBER, SUM, weight) \
		      D##_FIELD(NUMBER, CAP, sum) \
		      D##_FIELD(NUMBER, LEAST, min) \
		      D##_FIELD(NUMBER, MOST, max) \
		      D##_FIELD(NUMBER, KEY, first) \
		      D##_LIST(bins, D##_FIELD(NUMBER, SUM, blocks)))

/*
 * Totals of the `threads' threads with a name.  flags: MONOUT_TH_*.  of_others:
 * how many of the frees were of blocks that another thread allocated.
 */
#define MONREC_THREADS(D) \
	D##_FIELD(NUMBER, KEY, flags) D##_FIELD(NUMBER, SUM, threads) \
	D##_FIELD(TEXT, KEY, name) D##_FIELD(NUMBER, SUM, allocs) \
	D##_FIELD(NUMBER, SUM, bytes) D##_FIELD(NUMBER, SUM, frees) \
	D##_FIELD(NUMBER, SUM, freed) D##_FIELD(NUMBER, SUM, of_others)

/*
 * This table and the next four exist only if accesses were recorded.
 *
 * Sites with the same partial call path are counted together, as the first of
 * these sites.  An item says that `site' has the same path as `first'.
 */
#define MONREC_PATHS(D) \
	D##_FIELD(SITE, KEY, site) \
	D##_FIELD(SITE, KEY, first)

/*
 * Accesses are counted by granules of MONOUT_GRANULE bytes: an access that
 * touches several granules counts in each.
 *
 * How a path's blocks were used, both freed blocks and those live at the end; a
 * block that is reallocated counts once, for its last site.  Sites without
 * blocks are left out.  span: sum of the bytes from each block's first granule
 * touched to its last; cover: sum of the bytes of granules touched; used: the
 * same for blocks that were both read and written.  useful: sum over blocks of
 * (last access - first access) / lifetime, in units of 2^-MONOUT_USEFUL_BITS;
 * life: sum of lifetimes, ns.
 */
#define MONREC_USES(D) \
	D##_FIELD(SITE, KEY, site) D##_FIELD(NUMBER, SUM, blocks) \
	D##_FIELD(NUMBER, SUM, bytes) D##_FIELD(NUMBER, SUM, reads) \
	D##_FIELD(NUMBER, SUM, writes) D##_FIELD(NUMBER, SUM, span) \
	D##_FIELD(NUMBER, SUM, cover) D##_FIELD(NUMBER, SUM, span_used) \
	D##_FIELD(NUMBER, SUM, cover_used) D##_FIELD(NUMBER, SUM, useful) \
	D##_FIELD(NUMBER, SUM, life) \
	D##_EACH(MONOUT_NFLAG, flag, \
		 D##_FIELD(NUMBER, SUM, blocks) D##_FIELD(NUMBER, SUM, bytes))

/*
 * Allocations of a site that were near in time: first and last allocation, last
 * free (the last two after the first), life: sum.  A site may have several
 * items, whose groups must be merged; not if form has MONOUT_FINAL: in a sum of
 * several files.  All in ns; with MONOUT_STEPS in units of MONOUT_STEP ns, and
 * first is relative to the group before it in the item.
 */
#define MONREC_GROUPS(D) \
	D##_FIELD(SITE, KEY, site) \
	D##_FIELD(NUMBER, OWN, form) \
	D##_LIST(groups, D##_FIELD(NUMBER, OWN, first) \
			 D##_FIELD(NUMBER, OWN, last) \
			 D##_FIELD(NUMBER, OWN, end) \
			 D##_FIELD(NUMBER, OWN, blocks) \
			 D##_FIELD(NUMBER, OWN, life))

/*
 * Accesses to the granules of the site's blocks of this size, in order.  Only
 * the first MONOUT_FIELDS_MAX bytes count; granules at the end without accesses
 * are left out.
 */
#define MONREC_FIELDS(D) \
	D##_FIELD(SITE, KEY, site) \
	D##_FIELD(NUMBER, KEY, size) \
	D##_FIELD(NUMBER, SUM, blocks) \
	D##_LIST(granules, \
		 D##_FIELD(NUMBER, SUM, reads) D##_FIELD(NUMBER, SUM, writes))

/*
 * A site's blocks in USES that were passed to unrecorded code: their counts are
 * lower limits.  They are included in blocks, bytes, reads, writes and life,
 * and in MONOUT_BRIEF, GROWING and SHARED; the other sums and flags, and
 * FIELDS, only have the site's other blocks.  Sites without any are left out.
 */
#define MONREC_HANDED(D) \
	D##_FIELD(SITE, KEY, site) D##_FIELD(NUMBER, SUM, blocks) \
	D##_FIELD(NUMBER, SUM, bytes)

/*
 * If USES is of samples, or of a sum with some sampled files: the variances of
 * the numbers of reads and writes of a site's item there, in units of
 * MONOUT_ACCESS_VARIANCE, rounded up; UINT64_MAX: that, or more.
 */
#define MONREC_USE_ERRORS(D) \
	D##_FIELD(SITE, KEY, site) \
	D##_FIELD(NUMBER, CAP, reads) \
	D##_FIELD(NUMBER, CAP, writes)

/*
 * Marks, types and leaks are written only if there are any.
 *
 * A time that the program gave a name (ns after start), and the totals then;
 * sorted by time.
 */
#define MONREC_MARKS(D) \
	D##_FIELD(NUMBER, OWN, time) D##_FIELD(NUMBER, OWN, allocs) \
	D##_FIELD(NUMBER, OWN, bytes) D##_FIELD(NUMBER, OWN, frees) \
	D##_FIELD(NUMBER, OWN, freed) D##_FIELD(TEXT, OWN, name)

/*
 * The result of a leak check for the blocks of a site that were live then, by
 * enum monout_leak.  Sites without any are left out.
 */
#define MONREC_LEAKS(D) \
	D##_FIELD(SITE, KEY, site) \
	D##_BITS(MONOUT_NLEAK, kind, \
		 D##_FIELD(NUMBER, SUM, blocks) D##_FIELD(NUMBER, SUM, bytes))

/*
 * Blocks of kind MONOUT_INDIRECT that can be reached from the lost blocks of a
 * site: each counts for one lost block, though several may lead to it.  Sites
 * whose lost blocks hold none are left out.
 */
#define MONREC_HOLDS(D) \
	D##_FIELD(SITE, KEY, site) \
	D##_FIELD(NUMBER, SUM, blocks) \
	D##_FIELD(NUMBER, SUM, bytes)

/* A type that the program named.  size: bytes, 0: unknown. */
#define MONREC_TYPES(D) \
	D##_FIELD(NUMBER, KEY, size) D##_FIELD(TEXT, KEY, name)

/*
 * Blocks that a thread allocated at a site, of one size.  frees: of these
 * blocks, by any thread.  looked: for so many of these blocks the allocator was
 * asked for the usable size, which was in all slack bytes larger than the
 * requested size.  Items of one site, thread and size add up, and only the sums
 * of all items of a site are exact: see mon.out(5).
 */
#define MONREC_CELLS(D) \
	D##_FIELD(SITE, KEY, site) \
	D##_FIELD(THREAD, KEY, thread) \
	D##_FIELD(SIZE, KEY, size) \
	D##_FIELD(ZIGZAG, SUM, allocs) \
	D##_FIELD(ZIGZAG, SUM, frees) \
	D##_FIELD(SIGNED, SUM, peak_blocks) \
	D##_IF(any, D##_FIELD(ZIGZAG, SUM, bytes) \
		    D##_FIELD(ZIGZAG, SUM, freed) \
		    D##_FIELD(SIGNED, SUM, peak_bytes)) \
	D##_FIELD(NUMBER, SUM, looked) \
	D##_IF(looked, D##_FIELD(NUMBER, SUM, slack))

/*
 * Live blocks, at the end, whose first word is an address in a module's data.
 */
#define MONREC_VTABLES(D) \
	D##_FIELD(SITE, KEY, site) D##_FIELD(MODULE, KEY, module) \
	D##_FIELD(NUMBER, KEY, addr) \
	D##_FIELD(NUMBER, SUM, blocks) D##_FIELD(NUMBER, SUM, bytes)

/*
 * A site's live blocks that are in memory, at least in part; alone: blocks that
 * have a page with no other block on it; resident: their bytes in memory;
 * pinned: free bytes on their pages, in equal parts for each block of a page.
 */
#define MONREC_PINS(D) \
	D##_FIELD(SITE, KEY, site) \
	D##_FIELD(NUMBER, SUM, blocks) D##_FIELD(NUMBER, SUM, alone) \
	D##_FIELD(NUMBER, SUM, resident) D##_FIELD(NUMBER, SUM, pinned)

/* Memory that the program itself has mapped at a call path: see mon.out(5). */
#define MONREC_MAPPINGS(D) \
	D##_FIELD(NODE, KEY, node) D##_FIELD(NUMBER, OR, kinds) \
	D##_FIELD(NUMBER, SUM, maps) D##_FIELD(NUMBER, SUM, bytes) \
	D##_FIELD(NUMBER, SUM, live) D##_FIELD(NUMBER, SUM, most) \
	D##_FIELD(NUMBER, SUM, resident) \
	D##_FIELD(NUMBER, SUM, ended) D##_FIELD(NUMBER, SUM, life)

/*
 * The call paths that freed the timed blocks of a site.  node: the call path
 * that called free or realloc; 0: unknown.  blocks: their number.  They
 * represent more blocks, as in LIVES: weight is the number of these, bytes
 * their size, life their ns.
 */
#define MONREC_ENDINGS(D) \
	D##_FIELD(SITE, KEY, site) D##_FIELD(NODE, KEY, node) \
	D##_FIELD(NUMBER, SUM, blocks) D##_FIELD(NUMBER, SUM, weight) \
	D##_FIELD(NUMBER, CAP, bytes) D##_FIELD(NUMBER, CAP, life)

/*
 * Other figures of a site's blocks.  what: enum monout_figure; n: the figure,
 * an estimate if blocks are sampled; variance: of the estimate, rounded up.
 */
#define MONREC_FIGURES(D) \
	D##_FIELD(SITE, KEY, site) D##_FIELD(NUMBER, KEY, what) \
	D##_FIELD(NUMBER, CAP, n) D##_FIELD(NUMBER, CAP, variance)

/*
 * These figures, a row each: F(NAME, name, minor version that added it).  All
 * code that adds up, stores, reads or writes them expands these rows.  A new
 * one needs a row, the code of monitor/record/figures.c that counts it, a row
 * of display/schema/columns_list.h and mon.out(5).
 *
 * MOVED, COPIED: as in LIVES, which has the exact figures; here are estimates,
 * only if blocks are sampled.  ENLARGED: bytes that realloc added to blocks.
 */
#define MONREC_FIGURE_KINDS(F) \
	F(MOVED, moved, 20) \
	F(COPIED, copied, 20) \
	F(ENLARGED, enlarged, 21)

/*
 * The heap as a graph.  what: enum monout_link, which explains the other
 * fields.  root: 0 none, or an enum monout_root plus 1; then addr is the
 * variable's address in the module's file, or the mapping's; thread: the
 * kernel's number.
 */
#define MONREC_LINKS(D) \
	D##_FIELD(NUMBER, KEY, what) D##_FIELD(SITE, KEY, site) \
	D##_FIELD(NUMBER, KEY, step) D##_FIELD(NUMBER, KEY, root) \
	D##_IF(root, D##_FIELD(MODULE, KEY, module) \
		     D##_FIELD(NUMBER, KEY, addr) D##_FIELD(NUMBER, KEY, size) \
		     D##_FIELD(NUMBER, KEY, thread)) \
	D##_FIELD(SITE, KEY, holder) D##_FIELD(NUMBER, KEY, offset) \
	D##_FIELD(NUMBER, SUM, count) D##_FIELD(NUMBER, SUM, blocks) \
	D##_FIELD(NUMBER, SUM, bytes) D##_FIELD(NUMBER, MOST, most)

/*
 * Only in a sum of files of which some have MONOUT_R_SAMPLE: the variances of
 * the numbers of a cell's blocks: made, live at the end, live at the peak,
 * which may be below 0, as with ZIGZAG.  Before minor version MONOUT_VARIANCES:
 * standard errors in units of 2^-MONOUT_ERROR_BITS blocks.
 */
#define MONREC_ERRORS(D) \
	D##_FIELD(CELL, KEY, cell) D##_FIELD(NUMBER, OWN, made) \
	D##_FIELD(NUMBER, OWN, live) D##_FIELD(NUMBER, OWN, held)

/*
 * Counts of a thread at snapshots, of blocks of one size from one site: all
 * numbers of the list except the first are differences to the one before.
 * frees: by that thread, of any thread's blocks; if they may be another's, all
 * counts are in an item of thread 0.  Before the first snapshot the thread had
 * counted nothing; each count holds until the next; the last is that at the
 * end.  Items of one site, thread and size add up; the last counts of all items
 * of a site add up to its counts.
 */
#define MONREC_CHANGES(D) \
	D##_FIELD(SITE, KEY, site) D##_FIELD(THREAD, KEY, thread) \
	D##_FIELD(SIZE, KEY, size) \
	D##_LIST(changes, D##_FIELD(SNAPSHOT, KEY, snapshot) \
			  D##_FIELD(ZIGZAG, SUM, allocs) \
			  D##_FIELD(ZIGZAG, SUM, frees) \
			  D##_IF(any, D##_FIELD(ZIGZAG, SUM, bytes) \
				      D##_FIELD(ZIGZAG, SUM, freed)))

/*
 * The heap over time: ns after start; counts since start, or the last reset;
 * the first five are differences to the item before, if it is in the same
 * record.  peak: most bytes live since the snapshot before.  rss: resident
 * memory of the process (bytes, plus 1; 0: unknown).  The last item is of the
 * time when the file was written.
 */
#define MONREC_SNAPSHOTS(D) \
	D##_FIELD(NUMBER, OWN, at) D##_FIELD(NUMBER, OWN, allocs) \
	D##_FIELD(NUMBER, OWN, bytes) D##_FIELD(NUMBER, OWN, frees) \
	D##_FIELD(NUMBER, OWN, freed) D##_FIELD(NUMBER, OWN, peak) \
	D##_FIELD(NUMBER, OWN, rss)

/* An environment variable that sets an option of the monitor. */
#define MONREC_SETTINGS(D) \
	D##_FIELD(TEXT, KEY, name) D##_FIELD(TEXT, KEY, value)

/* Limits and settings that change the memory of processes: mon.out(5). */
#define MONREC_SYSTEM(D) D##_FIELD(TEXT, KEY, name) D##_FIELD(TEXT, KEY, value)

/* A limit of the process on its memory, bytes: RLIMIT_AS and so on. */
#define MONREC_LIMITS(D) \
	D##_FIELD(TEXT, KEY, name) D##_FIELD(NUMBER, KEY, soft)

/*
 * A cost of the allocator: a figure with that name, for a class of operation
 * (enum monout_op), at a size, a time, an address or a bin: see mon.out(5).
 */
#define MONREC_COSTS(D) \
	D##_FIELD(TEXT, KEY, name) D##_FIELD(NUMBER, KEY, of) \
	D##_FIELD(NUMBER, KEY, at) D##_FIELD(NUMBER, SUM, n) \
	D##_FIELD(NUMBER, SUM, sum) D##_FIELD(NUMBER, MOST, most)

/*
 * Generated code that call paths have frames in: `module' is the path of its
 * module, which no file has.  Or exported functions of a module whose file was
 * gone: `module' is MONREC_OF_BUILDID and the build-id in hexadecimal, or the
 * path of a module without a build-id.
 */
#define MONREC_OF_BUILDID "build-id "
#define MONREC_CODES(D) \
	D##_FIELD(TEXT, KEY, name) \
	D##_FIELD(TEXT, KEY, module) D##_FIELD(NUMBER, KEY, start) \
	D##_FIELD(NUMBER, KEY, size)

/*
 * Where the memory of the process was when the file was written: a line of
 * MONREC_MEMORY_LINES, and bytes of it.
 */
#define MONREC_MEMORY(D) \
	D##_FIELD(TEXT, KEY, name) D##_FIELD(NUMBER, SUM, bytes)

/* The same during the run; at: ns after the start.  No line has 0 bytes. */
#define MONREC_MEMORY_SNAPSHOTS(D) \
	D##_FIELD(NUMBER, KEY, at) D##_FIELD(TEXT, KEY, name) \
	D##_FIELD(NUMBER, SUM, bytes)

/* clang-format on */

#endif
