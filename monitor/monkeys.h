/* SPDX-License-Identifier: MIT */
/*
 * The keys of the first and the last record of mon.out, a row each, with how
 * they are merged when files are merged, and the names of items of COSTS and
 * MEMORY; mon.out(5) describes the same.
 */
#ifndef MEMMON_MONKEYS_H
#define MEMMON_MONKEYS_H

/* clang-format off */

/*
 * The keys of MONOUT_RUN, from 1 on: K(NAME, TEXT or NUMBER, how).
 * MONOUT_R_NAME is the key.  how: how it is merged when files are merged:
 *
 * SAME		kept if it is the same in all
 * OWN		the same, but not in the file of a sum
 * SUM, LEAST	the sum, the least, if all files have it
 * OR, MOST, CAP, FIRST
 *		bits of all, the largest, the sum up to UINT64_MAX, the first by
 *		number or alphabet, of the files that have it
 */
#define MONREC_RUN_KEYS(K) \
	/* Path of the executable. */ \
	K(PROGRAM, TEXT, SAME) \
	/* Arguments, each ended by NUL. */ \
	K(COMMAND, TEXT, SAME) \
	K(PID, NUMBER, SAME) \
	K(PPID, NUMBER, SAME) \
	/* ns since 1970, UTC. */ \
	K(START, NUMBER, LEAST) \
	/* ns from start to the writing of the file. */ \
	K(LENGTH, NUMBER, SUM) \
	/* enum monout_end */ \
	K(END, NUMBER, OWN) \
	/* The signal, when END is MONOUT_E_SIGNAL. */ \
	K(SIGNAL, NUMBER, OWN) \
	/* Threads that allocated or freed. */ \
	K(THREADS, NUMBER, SUM) \
	/* Limit on the frames of a call path. */ \
	K(DEPTH, NUMBER, SAME) \
	/* Version of memmon. */ \
	K(VERSION, TEXT, SAME) \
	/* 1: counts start at a fork. */ \
	K(FORKED, NUMBER, SAME) \
	/* Working directory at start. */ \
	K(CWD, TEXT, SAME) \
	/* Limit on MONOUT_T_OWN, bytes; none: no limit. */ \
	K(MAXMEM, NUMBER, SAME) \
	/* One block in this many is timed; 0: none. */ \
	K(TIMING, NUMBER, SAME) \
	/* MONOUT_W_*: how accesses are recorded. */ \
	K(WAY, NUMBER, OR) \
	/* ns, longest step of the accesses' clock. */ \
	K(STEP, NUMBER, MOST) \
	/* Why no accesses are recorded, although it was wanted. */ \
	K(WHY, TEXT, FIRST) \
	/* ns after start of the last timed event, when END is \
	 * MONOUT_E_CUT. */ \
	K(SEEN, NUMBER, OWN) \
	/* The missing part, because the data were truncated. */ \
	K(CUT_WHY, TEXT, FIRST) \
	/* 1: recording was off at the end. */ \
	K(OFF, NUMBER, OR) \
	/* ns during which it was off. */ \
	K(OFF_TIME, NUMBER, CAP) \
	/* ns after start: counts begin there. */ \
	K(RESET, NUMBER, FIRST) \
	/* ns after start of the leak check. */ \
	K(LEAKCHECK, NUMBER, MOST) \
	/* Why there was none, although it was wanted. */ \
	K(LEAK_WHY, TEXT, FIRST) \
	/* When END is MONOUT_E_CUT: 1 the program still ran when the \
	 * image was read, 0 it had ended; none: unknown. */ \
	K(RUNNING, NUMBER, OWN) \
	/* Threads whose registers the leak check didn't see. */ \
	K(LEAK_BLIND, NUMBER, CAP) \
	/* Blocks are samples, one per this many bytes; none: all blocks \
	 * are counted; see mon.out(5). */ \
	K(SAMPLE, NUMBER, MOST) \
	/* Why blocks aren't sampled, although it was wanted. */ \
	K(SAMPLE_WHY, TEXT, FIRST) \
	/* If blocks were logged, see monlog.h: path of the log. */ \
	K(LOG, TEXT, SAME) \
	/* The id in its header. */ \
	K(LOG_ID, NUMBER, SAME) \
	/* The `dump' of its chunks of live blocks. */ \
	K(LOG_DUMP, NUMBER, SAME) \
	/* Blocks in it. */ \
	K(LOG_BLOCKS, NUMBER, SAME) \
	/* Blocks that were folded. */ \
	K(LOG_FOLDED, NUMBER, SAME) \
	/* ns after start: the folded blocks ended before it. */ \
	K(LOG_UNTIL, NUMBER, SAME) \
	/* Blocks without a record. */ \
	K(LOG_MISSED, NUMBER, SAME) \
	/* errno, if the log couldn't be written. */ \
	K(LOG_ERROR, NUMBER, SAME) \
	/* 1: memmon attached to the process; earlier events aren't here. */ \
	K(ATTACHED, NUMBER, OR) \
	/* The host's name. */ \
	K(HOST, TEXT, SAME) \
	/* For a process of a parallel job: its number there. */ \
	K(RANK, NUMBER, SAME) \
	/* The job, by the name that its launcher uses. */ \
	K(JOB, TEXT, SAME) \
	/* 1: there were Lisp objects; see mon.out(5). */ \
	K(LISP, NUMBER, OR) \
	/* Bytes that the leak check could not search, */ \
	K(LEAK_UNREAD, NUMBER, CAP) \
	/* and the number of pieces that contain them. */ \
	K(LEAK_PLACES, NUMBER, CAP) \
	/* Lost blocks with pointers to them at unaligned addresses, */ \
	K(LEAK_ODD, NUMBER, CAP) \
	/* or pointers with a value in bits that addresses don't use. */ \
	K(LEAK_TAGGED, NUMBER, CAP) \
	/* 1: there may be unrecorded blocks. */ \
	K(LEAK_UNKNOWN, NUMBER, OR) \
	/* Sum of MONOUT_OWN_*: functions that the program defines. */ \
	K(OWN, NUMBER, OR) \
	/* Reachable blocks that only frames of the first thread lead to, \
	 * if this thread called exit(), */ \
	K(LEAK_HELD, NUMBER, CAP) \
	/* and their bytes. */ \
	K(LEAK_HELD_BYTES, NUMBER, CAP) \
	/* Why there is no graph, although it was wanted. */ \
	K(GRAPH_WHY, TEXT, FIRST) \
	/* Pointers in it, */ \
	K(GRAPH_POINTERS, NUMBER, CAP) \
	/* and how many of them are in no item of LINKS. */ \
	K(GRAPH_BEYOND, NUMBER, CAP) \
	/* ns after start at which it was made. */ \
	K(GRAPH_AT, NUMBER, MOST) \
	/* Bytes of all blocks in it. */ \
	K(GRAPH_BYTES, NUMBER, CAP) \
	/* 1: it says how blocks were used. */ \
	K(GRAPH_USED, NUMBER, MOST) \
	/* Roots that retain blocks, and rings, that are in no item. */ \
	K(GRAPH_ROOTS_LEFT, NUMBER, CAP) \
	K(GRAPH_RINGS_LEFT, NUMBER, CAP)

/*
 * The keys of MONOUT_TOTALS, all numbers, from 1 on: K(NAME, how, text).
 * MONOUT_T_NAME is the key, text its name in mpreduce -i: "" if it is printed
 * elsewhere there.  how: how it is merged when files are merged:
 *
 * SUM, MOST	the sum; the largest
 * PEAK		that of the file with the largest peak
 * ALL		1 if it is 1 in all of the files that have it
 * ITEMS	counted again: the number of the table's items; none in the
 *		file: unknown, or 0
 * TABLE	added up again from the table
 * FILES	computed again, see merge_count()
 * SAMPLE	computed again, see merge_sample()
 *
 * Few runs have the keys from OFF_FREES on: a 0 isn't written.
 */
#define MONREC_TOTAL_KEYS(K) \
	/* Sums over SITES, as written: the file proves itself with them. */ \
	K(ALLOCS, TABLE, "") \
	K(BYTES, TABLE, "") \
	K(FREES, TABLE, "") \
	K(FREED, TABLE, "") \
	/* Each also counts in FREES and in ALLOCS. */ \
	K(REALLOCS, TABLE, "") \
	K(MODULES, ITEMS, "") \
	K(NODES, ITEMS, "") \
	K(SITES, ITEMS, "") \
	K(BINS, ITEMS, "") \
	/* Most bytes live at one time; when live bytes fell after that (ns \
	 * after start). */ \
	K(PEAK, PEAK, "peak as counted") \
	K(PEAK_AT, PEAK, "peak at (ns)") \
	/* Frames of all call paths; those equal to the path before. */ \
	K(FRAMES, SUM, "frames") \
	K(SAME, SUM, "frames repeated") \
	/* Frames of the longest call path. */ \
	K(DEEPEST, MOST, "deepest call path") \
	/* Call paths beyond the depth limit; not finished by the unwinder. */ \
	K(CUT, SUM, "call paths too deep") \
	K(STOPPED, SUM, "call paths stopped") \
	/* Allocations not recorded, usually for lack of memory. */ \
	K(LOST, SUM, "allocations unrecorded") \
	K(LOST_BYTES, SUM, "bytes unrecorded") \
	/* Frees of blocks never seen allocated; from before the fork. */ \
	K(UNSEEN, SUM, "frees unseen") \
	K(INHERITED, SUM, "frees inherited") \
	/* Addresses allocated again whose free wasn't seen. */ \
	K(REUSED, SUM, "blocks reused") \
	/* Allocations refused by the allocator. */ \
	K(FAILED, SUM, "allocations failed") \
	/* Bytes that the monitor uses. */ \
	K(OWN, SUM, "monitor's bytes") \
	/* Sizes above MONOUT_BIN_MAX for which BINS had no room left. */ \
	K(BIG_ALLOCS, SUM, "unbinned allocations") \
	K(BIG_BYTES, SUM, "unbinned bytes") \
	K(BIG_FREES, SUM, "unbinned frees") \
	K(BIG_FREED, SUM, "unbinned bytes freed") \
	K(PEAKS, ITEMS, "") \
	K(LIVES, ITEMS, "") \
	K(THREADS, ITEMS, "") \
	/* Sums of PEAKS. */ \
	K(PEAK_BLOCKS, TABLE, "") \
	K(PEAK_BYTES, TABLE, "") \
	/* PEAK and PEAK_BYTES are correct up to this. */ \
	K(PEAK_SLACK, PEAK, "peak's slack") \
	/* Allocations with MONOUT_PC_NONE in their call path. */ \
	K(SHORT, SUM, "call paths shortened") \
	/* The call paths in FRAMES and SAME; in long runs not all. */ \
	K(CHAINS, SUM, "call paths counted") \
	/* Blocks not timed for lack of memory. */ \
	K(UNTIMED, SUM, "blocks untimed") \
	K(USES, ITEMS, "") \
	K(GROUPS, ITEMS, "") \
	K(FIELDS, ITEMS, "") \
	/* Sums over USES. */ \
	K(READS, TABLE, "") \
	K(WRITES, TABLE, "") \
	/* Blocks not in USES for lack of memory; if the file has no \
	 * UNPLACED, also these. */ \
	K(UNFOLDED, SUM, "blocks without scores, no memory") \
	/* 1: the clock of accesses had a thread; 0: it moved at events. */ \
	K(TICKED, ALL, "") \
	K(MARKS, ITEMS, "") \
	K(LEAKS, ITEMS, "") \
	/* How many FREES were made while recording was off, and bytes. */ \
	K(OFF_FREES, SUM, "frees while off") \
	K(OFF_FREED, SUM, "bytes freed while off") \
	/* Frees of blocks allocated while it was off, or before the reset; \
	 * not in UNSEEN. */ \
	K(OFF_UNSEEN, SUM, "frees unmatched") \
	/* How many ALLOCS annotations reported (libmemmon(3)). */ \
	K(POOL_ALLOCS, SUM, "allocations in pools") \
	K(POOL_BYTES, SUM, "bytes in pools") \
	/* Live bytes in blocks that pools divide. */ \
	K(POOL_BACKING, SUM, "bytes that pools divide") \
	K(CELLS, ITEMS, "") \
	K(VTABLES, ITEMS, "") \
	K(TYPES, ITEMS, "") \
	/* Blocks for which VTABLES had no room. */ \
	K(VTABLES_MORE, SUM, "blocks begun, not by address") \
	K(SNAPSHOTS, ITEMS, "") \
	K(CHANGES, ITEMS, "") \
	/* With MONOUT_R_SAMPLE: all blocks, exactly; none: unknown. */ \
	K(ALL_ALLOCS, SAMPLE, "allocations, sampled or not") \
	K(ALL_BYTES, SAMPLE, "bytes, sampled or not") \
	/* In a sum: how many blocks were sampled; 1: some files weren't \
	 * sampled with MONOUT_R_SAMPLE, which is the largest of all. */ \
	K(SAMPLES, SAMPLE, "") \
	K(SOME, SAMPLE, "") \
	K(ERRORS, ITEMS, "") \
	/* Blocks not in USES, as their allocator puts other blocks within \
	 * 32 bytes of them. */ \
	K(UNPLACED, SUM, "blocks without scores, too close") \
	K(HANDED, ITEMS, "") \
	K(SETTINGS, ITEMS, "") \
	K(LIMITS, ITEMS, "") \
	/* Cycles of calls that NODES shows as one of the paths that recursion \
	 * took through them; 0: no recursion is folded. */ \
	K(FOLDED, SUM, "cycles folded") \
	/* Cycles that also represent cycles with other calls between the same \
	 * functions; that also represent cycles with other functions. */ \
	K(JOINED, SUM, "cycles joined by functions") \
	K(JOINED_ENDS, SUM, "cycles joined by their ends") \
	/* Blocks with a type that found no room; libraries that aren't in \
	 * MODULES, as there had been too many; marks that found no \
	 * room. */ \
	K(UNTYPED, SUM, "blocks not typed") \
	K(UNNAMED, SUM, "libraries not named") \
	K(UNMARKED, SUM, "marks not kept") \
	K(HOLDS, ITEMS, "") \
	K(COSTS, ITEMS, "") \
	/* In a sum: how many data files it has; how many couldn't be \
	 * read. */ \
	K(FILES, FILES, "data files in it") \
	K(UNREAD, SUM, "data files left out") \
	K(CODES, ITEMS, "") \
	/* Of a garbage collector: how often it ran, and what it freed. */ \
	K(COLLECTIONS, SUM, "collections of the collector") \
	K(COLLECTED, SUM, "blocks that it reclaimed") \
	K(PATHS, ITEMS, "") \
	K(USE_ERRORS, ITEMS, "") \
	K(MEMORY, ITEMS, "") \
	K(PINS, ITEMS, "") \
	K(LINKS, ITEMS, "") \
	K(MAPPINGS, ITEMS, "") \
	K(MAPS_LOST, SUM, "mappings not recorded") \
	K(MEMORY_SNAPSHOTS, ITEMS, "") \
	K(ENDINGS, ITEMS, "") \
	K(ENDINGS_LOST, SUM, \
	  "freed blocks of pairs of call paths that are not recorded") \
	K(FIGURES, ITEMS, "") \
	K(SYSTEM, ITEMS, "")

/*
 * Totals that the writer of the tables of a run sets, except the counts of
 * threads (MONOUT_COUNTERS) and the numbers of items of PLAIN and SUMMED
 * tables: X(NAME, the member of a struct with such members).  A value
 * MONREC_NOT_KNOWN isn't written.
 */
#define MONREC_SUMS(X) \
	X(ALLOCS, count.allocs) \
	X(BYTES, count.bytes) \
	X(FREES, count.frees) \
	X(FREED, count.freed) \
	X(REALLOCS, reallocs) \
	X(MODULES, modules) \
	X(NODES, nodes) \
	X(SITES, sites) \
	X(BINS, bins) \
	X(PEAKS, peaks) \
	X(LIVES, lives) \
	X(THREADS, threads) \
	X(MARKS, marks) \
	X(LEAKS, leaks) \
	X(HOLDS, holds) \
	X(TYPES, types) \
	X(CELLS, cells) \
	X(VTABLES, vtables) \
	X(VTABLES_MORE, vtables_more) \
	X(MAPS_LOST, mapped_lost) \
	X(ENDINGS_LOST, endings_lost) \
	X(SNAPSHOTS, snapshots) \
	X(CHANGES, changes) \
	X(BIG_ALLOCS, big.allocs) \
	X(BIG_BYTES, big.bytes) \
	X(BIG_FREES, big.frees) \
	X(BIG_FREED, big.freed) \
	X(PEAK, peak) \
	X(PEAK_AT, peak_at) \
	X(PEAK_BLOCKS, peak_blocks) \
	X(PEAK_BYTES, peak_bytes) \
	X(PEAK_SLACK, peak_slack) \
	X(OWN, own)

/*
 * The lines, X(NAME, name).  The first lines are figures beside the sum:
 * resident and swapped bytes by the kernel, live blocks and the bytes that the
 * program asked for in them, resident bytes of the allocator.  All others are
 * resident bytes and add up to the first: bytes asked for in live blocks; what
 * the allocator adds to these; its pages without a live block; its other free
 * bytes; memory that the program or an unknown allocator has mapped; files;
 * shared memory; code and data of the program and its libraries; stacks;
 * memmon; everything else.
 */
#define MONREC_MEMORY_LINES(X) \
	X(RESIDENT, resident) \
	X(SWAPPED, swapped) \
	X(PSS, pss) \
	X(BLOCKS, blocks) \
	X(ASKED, asked) \
	X(HEAP, heap) \
	X(LIVE, live) \
	X(ROUNDED, rounded) \
	X(PAGES, pages) \
	X(PARTS, parts) \
	X(MAPPED, mapped) \
	X(FILES, files) \
	X(SHARED, shared) \
	X(CODE, code) \
	X(STACKS, stacks) \
	X(OWN, own) \
	X(OTHER, other)
#define MONREC_MEMORY_COUNT 17 /* how many lines */

/*
 * Names of costs, which writers and readers expand: system calls in the
 * allocator, X(NAME, name); what getrusage(2) counts, followed by the CPU's
 * counters, X(NAME, text); bytes of its memory at a time, X(name).
 */
#define MONREC_COST_CALLS(X) \
	X(MMAP, mmap) \
	X(MUNMAP, munmap) \
	X(MREMAP, mremap) \
	X(BRK, brk) \
	X(MADVISE, madvise) \
	X(MPROTECT, mprotect) \
	X(FUTEX, futex) \
	X(OTHER, other)
#define MONREC_COST_EVENTS(X) \
	X(FAULTS, "faults") \
	X(MAJOR, "major_faults") \
	X(SWITCHES, "switches") \
	X(PREEMPTED, "preempted") \
	X(INSTRUCTIONS, "instructions") \
	X(CACHE, "cache_misses") \
	X(TLB, "tlb_misses")
#define MONREC_COST_MEMORY(X) \
	X(requested) \
	X(usable) \
	X(unused) \
	X(blowup) \
	X(mapped) \
	X(resident)

/* clang-format on */

#define MONREC_NOT_KNOWN UINT64_MAX

#endif
