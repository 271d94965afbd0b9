/* SPDX-License-Identifier: MIT */
/*
 * The format of mon.out, the file between the monitor and mpreduce.
 *
 * This header, with the tables of its records and keys in monrec.h, monkeys.h
 * and monitem.h, is all that both sides read.  mon.out(5) describes the same
 * format byte by byte; tests/t/format.t compares both.  All fixed-width
 * integers are little-endian.  "varint" is an unsigned LEB128 number: seven
 * bits a byte, least significant first, the high bit set in all bytes except
 * the last.
 *
 *	header (24 bytes)
 *	record*		each: struct monout_record (24 bytes), then its payload
 *	...		the last one is MONOUT_TOTALS, or the file is truncated
 *
 * A reader skips a record whose tag it doesn't know, and a key it doesn't know
 * in a key/value record, as long as the major version is its own.
 */
#ifndef MEMMON_MONOUT_H
#define MEMMON_MONOUT_H

#include "monitor/monitem.h"
#include "monitor/monkeys.h"
#include "monitor/monrec.h"

#include <stddef.h>
#include <stdint.h>

#define MONOUT_MAGIC "\211memmon\n" /* 8 bytes; the first isn't ASCII */
#define MONOUT_MAJOR 1		    /* a reader of another major gives up */
#define MONOUT_ORDER 0x01020304u    /* as written; anything else: swapped */

/* The longest payload of one record; a longer table takes several records. */
#define MONOUT_PAYLOAD_MAX 65536u

/* The first bytes of the file. */
struct monout_header {
	char magic[8];	/* MONOUT_MAGIC, without the final NUL */
	uint16_t major; /* MONOUT_MAJOR */
	uint16_t minor; /* MONOUT_MINOR */
	uint32_t order; /* MONOUT_ORDER */
	uint32_t flags; /* MONOUT_F_* */
	uint32_t crc;	/* CRC-32 of the 20 bytes before it */
};
_Static_assert(sizeof(struct monout_header) == 24, "header on disk");
_Static_assert(offsetof(struct monout_header, crc) == 20, "header on disk");

#define MONOUT_F_SUM 1u /* written by mpreduce -s from several files */

/* The header of every payload. */
struct monout_record {
	uint32_t tag;	 /* MONOUT_RUN ... */
	uint32_t count;	 /* items in the payload */
	uint64_t first;	 /* number of the first item in its table */
	uint32_t length; /* bytes of payload */
	uint32_t crc;	 /* CRC-32 of the 20 bytes before and the payload */
};
_Static_assert(sizeof(struct monout_record) == 24, "record on disk");
_Static_assert(offsetof(struct monout_record, crc) == 20, "record on disk");

#define MONOUT_TAG(a, b, c, d) \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | \
	 (uint32_t)(d) << 24)

/*
 * The tags: MONOUT_RUN and so on, in the order of the file.  The first and the
 * last are records of keys and values: each item is varint key, varint length,
 * then that many bytes: a string without NUL, or one varint.  The others are
 * tables, whose items are numbered from `first'; monrec.h has their fields.
 */
enum monout_tag {
#define R(name, item, items, form, a, b, c, d, ...) \
	MONOUT_##name = MONOUT_TAG(a, b, c, d),
	MONREC_RECORDS(R)
#undef R
};

/*
 * The minor version is the largest one in the rows of monrec.h; `other' is the
 * last that added anything else.  It only adds tags, keys and figures.
 */
union monout_minor {
	char other[13 + 1];
#define R(name, item, items, form, a, b, c, d, first, since) \
	char name[(since) + 1];
	MONREC_RECORDS(R)
#undef R
#define F(name, member, since) char figure_##name[(since) + 1];
	MONREC_FIGURE_KINDS(F)
#undef F
};
enum { MONOUT_MINOR = sizeof(union monout_minor) - 1 };

/*
 * Instead of a record of a table: count and first are that record's; the
 * payload is the record's tag, 4 bytes, and then the record's payload, packed
 * as a frame of zstd.
 */
#define MONOUT_PACKED MONOUT_TAG('P', 'A', 'C', 'K')

/* A free within this many next allocations of the thread counts as `near'. */
#define MONOUT_NEAR 16u

/* Bins of a histogram of lifetimes. */
#define MONOUT_LIFE_BINS 48u

#define MONOUT_GRANULE 16u
#define MONOUT_STEP 200000u /* ns: the first steps of the accesses' clock */
#define MONOUT_FINAL 1u	    /* forms of groups, from the minor version */
#define MONOUT_STEPS 2u	    /* 12 on: see MONREC_GROUPS */
#define MONOUT_USEFUL_BITS 24u
#define MONOUT_ERROR_BITS 8u
#define MONOUT_VARIANCES 11u
#define MONOUT_ACCESS_VARIANCE 256u
#define MONOUT_FIELDS_MAX 4096u

/* What an item of FIGURES counts. */
enum monout_figure {
#define F(name, ...) MONOUT_FIGURE_##name,
	MONREC_FIGURE_KINDS(F)
#undef F
		MONOUT_NFIGURE
};

/* Flags of a block; USES has sums of them. */
enum monout_flag {
	MONOUT_UNUSED,	   /* never read nor written */
	MONOUT_WRITE_ONLY, /* written, never read */
	MONOUT_READ_ONLY,  /* read, never written */
	MONOUT_BRIEF,	   /* lived less than 0.1% of the time run up to then */
	/* Not accessed for more than half its life, at the start */
	MONOUT_EARLY,
	MONOUT_LATE,	  /* or at the end */
	MONOUT_GROWING,	  /* one of a series, each replacing a smaller one */
	MONOUT_SHARED,	  /* accessed by more than one thread */
	MONOUT_LOW_COVER, /* accessed, but less than half of it */
	MONOUT_NFLAG
};
#define MONOUT_RUN_MIN 4u

/* The result of a leak check for a live block. */
enum monout_leak {
	MONOUT_LOST,	 /* nothing points to it or into it */
	MONOUT_INDIRECT, /* only lost blocks point to it */
	/* Reachable, but somewhere only by a pointer to its inside. */
	MONOUT_INTERIOR,
	MONOUT_REACHABLE, /* reachable by pointers to its start */
	MONOUT_NLEAK
};

/* Kinds of roots of the graph. */
enum monout_root {
	MONOUT_ROOT_DATA,    /* a variable of the program or a library */
	MONOUT_ROOT_STACK,   /* a thread's stack, or its registers */
	MONOUT_ROOT_STORAGE, /* a thread's own storage */
	MONOUT_ROOT_MAPPED,  /* memory that the program mapped */
	MONOUT_ROOT_OTHER,
	MONOUT_NROOT
};

/* Kinds of items of LINKS. */
enum monout_link {
	/*
	 * site: count of its blocks that no other block of it dominates.  What
	 * these blocks retain: blocks, bytes; most: the most bytes that one of
	 * them retains.
	 */
	MONOUT_LINK_RETAINS,
	/* root: what it retains: blocks, bytes. */
	MONOUT_LINK_ROOT,
	/*
	 * Pointers (count) at `offset' of root, or of blocks of `holder', to
	 * blocks of site.  bytes: of these blocks, once for each pointer;
	 * blocks: how many of the pointers point into a block, not to its
	 * start.  For a stack, addr is the function's address; offset: bytes
	 * below the frame's CFA.
	 */
	MONOUT_LINK_EDGE,
	/* The shortest path from a root to the block of site that retains
	 * most.  Step 0 is the root.  Each other step is a block of `holder'
	 * that points to the next block at `offset'. */
	MONOUT_LINK_STEP,
	/*
	 * A ring of lost blocks.  An item for each block: step is the number of
	 * the ring times MONOUT_RING, plus the number of the block; the block
	 * is of `holder' and points to the next at `offset'.  The first block
	 * has the sums: count of such rings; blocks, bytes of all in them;
	 * most: blocks of one ring.
	 */
	MONOUT_LINK_RING,
	/*
	 * Row `step' of the tree that shows who retains what, below row
	 * `offset'.  If offset is 0, root retains it, or no single root does.
	 * All other rows are blocks of site; their sums are in blocks and
	 * bytes.  With MONOUT_R_GRAPH_USED: count: bytes of blocks that were
	 * never read; most: when one of them was last accessed, ns after start;
	 * 0: never.
	 */
	MONOUT_LINK_TREE,
	/*
	 * The same for blocks below row `step' of the tree that are in no row.
	 */
	MONOUT_LINK_REST,
	MONOUT_NLINK
};
#define MONOUT_RING 64u
#define MONOUT_FAR 4096u	   /* this offset or a larger one */
#define MONOUT_UNKNOWN 0xffffffffu /* an unknown offset */

/* Flags of an item of THREADS. */
#define MONOUT_TH_MAIN 1u /* the program's first thread */

/*
 * The class of an operation of the allocator (COSTS): the function, and bits: a
 * large block, by the allocator's own threshold; an address that was in a block
 * before; realloc to the same address; while several threads used the
 * allocator; a thread's first operation, which has none of the other bits.
 */
enum monout_op {
	MONOUT_OP_MALLOC,
	MONOUT_OP_CALLOC,
	MONOUT_OP_REALLOC,
	MONOUT_OP_MEMALIGN, /* and similar functions: aligned_alloc and so on */
	MONOUT_OP_FREE,
	MONOUT_OP_MASK = 7,
	MONOUT_OP_BIG = 8,
	MONOUT_OP_REUSED = 16,
	MONOUT_OP_SAME = 32,
	MONOUT_OP_PARALLEL = 64,
	MONOUT_OP_FIRST = 128,
	MONOUT_NOP = 256
};

/*
 * Bins of 8 to an octave; values up to 7 have one each.  The bin of a value,
 * and the least value of a bin.
 */
static inline unsigned
monout_eighth(uint64_t v)
{
	unsigned e;

	if (v < 8)
		return (unsigned)v;
	e = 63 - (unsigned)__builtin_clzll(v);
	return (e - 2) * 8 + (unsigned)(v >> (e - 3) & 7);
}

static inline uint64_t
monout_eighth_from(unsigned b)
{
	return b < 8 ? b : (uint64_t)(8 + b % 8) << (b / 8 - 1);
}

/* Bins of a histogram of cycles; the last one has all larger values. */
#define MONOUT_COST_BINS 320u

/* Size classes of the paper: 0-32, 33-256, 257-2048 and larger, in bytes. */
enum monout_class {
	MONOUT_SMALL,
	MONOUT_MEDIUM,
	MONOUT_LARGE,
	MONOUT_XLARGE,
	MONOUT_NCLASS
};
#define MONOUT_SMALL_MAX 32u
#define MONOUT_MEDIUM_MAX 256u
#define MONOUT_LARGE_MAX 2048u

/* The paper's bins: one for each size up to here, one for all larger sizes. */
#define MONOUT_BIN_MAX 1024u

/* Flags of a module. */
#define MONOUT_M_EXE 1u	 /* the program itself */
#define MONOUT_M_GONE 2u /* unloaded before the file was written */
/* The path had another file by then, or none: deleted, replaced, a memfd. */
#define MONOUT_M_DELETED 4u

/* Special addresses of module 0: why a call path begins there. */
#define MONOUT_PC_CUT 1u     /* deeper than MEMMON_DEPTH */
#define MONOUT_PC_STOPPED 2u /* a frame without unwind information */
#define MONOUT_PC_NONE 3u    /* no memory for the rest of the call path */
/* There are too many call paths for the rest of it. */
#define MONOUT_PC_LIMIT 4u

/* From here on: the types of TYPES, by number; 0: an unknown type. */
#define MONOUT_PC_TYPE (1ull << 62)
/* Is it an address, neither special nor a type? */
#define MONOUT_IS_PC(addr) ((addr) > MONOUT_PC_LIMIT && (addr) < MONOUT_PC_TYPE)
#define MONOUT_TYPE_MAX 65535u	   /* the highest number */
#define MONOUT_TYPE_NAME_MAX 255u /* bytes of a name */

/* Keys of MONOUT_RUN, see MONREC_RUN_KEYS. */
enum monout_run {
	MONOUT_R_NO_KEY,
#define K(name, kind, how) MONOUT_R_##name,
	MONREC_RUN_KEYS(K)
#undef K
		MONOUT_R_MAX
};

/* Ways to record accesses; none: they aren't recorded. */
#define MONOUT_W_PLUGIN 1u /* code compiled with memmon's plugin */
#define MONOUT_W_CALLS 2u  /* code that calls a function at each access */

/* How the run ended. */
enum monout_end {
	MONOUT_E_EXIT = 1, /* exit(3) or return from main */
	MONOUT_E__EXIT,	   /* _exit(2) */
	MONOUT_E_QUICK,	   /* quick_exit(3) */
	MONOUT_E_SIGNAL,   /* a fatal signal, also abort(3) */
	MONOUT_E_EXEC,	   /* the image was replaced */
	MONOUT_E_DUMP,	   /* still running: memmon_dump(3) */
	MONOUT_E_SUM,	   /* a sum of several runs */
	MONOUT_E_CUT	   /* without notice, as by SIGKILL; or not yet */
};

/*
 * Functions of the allocator that the executable defines itself, so that no
 * library can replace them: MONOUT_R_OWN.
 */
enum monout_own {
	MONOUT_OWN_MALLOC = 1,
	/* Calloc, realloc, memalign or similar functions. */
	MONOUT_OWN_OTHERS = 2,
	MONOUT_OWN_NEW = 4, /* operator new or new[] */
	/*
	 * A library has its own malloc, calloc or similar functions, and
	 * nothing can come between its own calls and that function.
	 */
	MONOUT_OWN_LIBRARY = 8,
	MONOUT_OWN_DEEP = 16, /* a library that finds the libc before memmon */
	MONOUT_OWN_SPACE = 32, /* a library with its own libc */
	MONOUT_OWN_TOOL = 64   /* a tool of valgrind has its own malloc */
};

/* Keys of MONOUT_TOTALS, see MONREC_TOTAL_KEYS. */
enum monout_total {
	MONOUT_T_NO_KEY,
#define K(name, how, text) MONOUT_T_##name,
	MONREC_TOTAL_KEYS(K)
#undef K
		MONOUT_T_MAX
};

/*
 * Totals that each thread counts separately: X(total, field of struct
 * monimg_pub, how those of several threads, or runs, are combined).  The fields
 * are in this order.
 */
#define MONOUT_COUNTERS(X) \
	X(MONOUT_T_CHAINS, chains, SUM) \
	X(MONOUT_T_FRAMES, frames, SUM) \
	X(MONOUT_T_SAME, same, SUM) \
	X(MONOUT_T_DEEPEST, deepest, MOST) \
	X(MONOUT_T_CUT, cut, SUM) \
	X(MONOUT_T_STOPPED, stopped, SUM) \
	X(MONOUT_T_SHORT, shortened, SUM) \
	X(MONOUT_T_UNTIMED, untimed, SUM) \
	X(MONOUT_T_LOST, lost, SUM) \
	X(MONOUT_T_LOST_BYTES, lost_bytes, SUM) \
	X(MONOUT_T_UNSEEN, unseen, SUM) \
	X(MONOUT_T_INHERITED, inherited, SUM) \
	X(MONOUT_T_REUSED, reused, SUM) \
	X(MONOUT_T_FAILED, failed, SUM) \
	X(MONOUT_T_OFF_FREES, off_frees, SUM) \
	X(MONOUT_T_OFF_FREED, off_freed, SUM) \
	X(MONOUT_T_OFF_UNSEEN, off_unseen, SUM) \
	X(MONOUT_T_POOL_ALLOCS, pool_allocs, SUM) \
	X(MONOUT_T_POOL_BYTES, pool_bytes, SUM) \
	X(MONOUT_T_FOLDED, folded, SUM) \
	X(MONOUT_T_JOINED, joined, SUM) \
	X(MONOUT_T_JOINED_ENDS, joined_ends, SUM) \
	X(MONOUT_T_UNTYPED, untyped, SUM) \
	X(MONOUT_T_UNNAMED, unnamed, SUM) \
	X(MONOUT_T_UNMARKED, unmarked, SUM)

/* The X that declares a field of a struct of counters. */
#define MONOUT_COUNTER(total, field, how) uint64_t field;

/* Few runs have these: a 0 isn't written to the file. */
#define MONOUT_IS_RARE(total) ((total) >= MONOUT_T_OFF_FREES)

/* Items of the tables, as they are in the file: struct monrec_module ... */
#define R(name, item, ...) \
	struct monrec_##item { \
		MONREC_##name(MONREC_STRUCT) \
	};
MONREC_TABLES(R)
#undef R

#endif
