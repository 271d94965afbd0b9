/* SPDX-License-Identifier: MIT */
/*
 * The layout of mon.out, the file between the monitor and mpreduce.
 *
 * This header and monrec.h, the tables of the records, are all that both sides
 * read.  mon.out(5) describes the same layout byte by byte; tests/t/format.t
 * keeps them in step.  All fixed-width integers are little-endian.  "varint" is
 * an unsigned LEB128 number: seven bits a byte, least significant first, the
 * high bit set on all but the last.
 *
 *	header (24 bytes)
 *	record*		each: struct monout_record (24 bytes), then its payload
 *	...		the last one is MONOUT_TOTALS, or the file was cut
 *
 * A reader skips a record whose tag it doesn't know, and a key it doesn't know
 * in a key/value record, as long as the major version is its own.
 */
#ifndef MEMMON_MONOUT_H
#define MEMMON_MONOUT_H

#include "monitor/monrec.h"

#include <stddef.h>
#include <stdint.h>

#define MONOUT_MAGIC "\211memmon\n" /* 8 bytes; the first isn't ASCII */
#define MONOUT_MAJOR 1		    /* a reader of another major gives up */
#define MONOUT_MINOR 6		    /* only adds tags and keys */
#define MONOUT_ORDER 0x01020304u    /* as written; anything else: foreign */

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

/* What stands before every payload. */
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
#define R(name, item, items, a, b, c, d, ...) \
	MONOUT_##name = MONOUT_TAG(a, b, c, d),
	MONREC_RECORDS(R)
#undef R
};

/* Allocations of a thread that make up `near'. */
#define MONOUT_NEAR 16u

/* Bins of a histogram of lifetimes. */
#define MONOUT_LIFE_BINS 48u

#define MONOUT_GRANULE 16u
#define MONOUT_STEP 200000u /* ns: the first steps of the accesses' clock */
#define MONOUT_USEFUL_BITS 24u
#define MONOUT_ERROR_BITS 8u
#define MONOUT_FIELDS_MAX 4096u

/* Flags of a block, of which USES has sums. */
enum monout_flag {
	MONOUT_UNUSED,	   /* never read nor written */
	MONOUT_WRITE_ONLY, /* written, never read */
	MONOUT_READ_ONLY,  /* read, never written */
	MONOUT_BRIEF,	   /* lived less than 0.1% of the time run till then */
	MONOUT_EARLY,	   /* not accessed for more than half its life, first */
	MONOUT_LATE,	   /* or at last */
	MONOUT_GROWING,	   /* one of a run, each in place of a smaller one */
	MONOUT_SHARED,	   /* accessed by more than one thread */
	MONOUT_LOW_COVER,  /* accessed, but less than half of it */
	MONOUT_NFLAG
};
#define MONOUT_RUN_MIN 4u

/* What a leak check makes of a live block. */
enum monout_leak {
	MONOUT_LOST,	  /* nothing points to it or into it */
	MONOUT_INDIRECT,  /* only lost blocks do */
	MONOUT_INTERIOR,  /* reachable, but somewhere only by its inside */
	MONOUT_REACHABLE, /* by pointers to its start */
	MONOUT_NLEAK
};

/* Flags of an item of THREADS. */
#define MONOUT_TH_MAIN 1u /* the program's first thread */

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

/* The paper's bins: one for each size up to here, one for all above. */
#define MONOUT_BIN_MAX 1024u

/* Flags of a module. */
#define MONOUT_M_EXE 1u	 /* the program itself */
#define MONOUT_M_GONE 2u /* unloaded before the file was written */

/* Addresses of module 0 that aren't addresses: why a chain starts there. */
#define MONOUT_PC_CUT 1u     /* deeper than MEMMON_DEPTH */
#define MONOUT_PC_STOPPED 2u /* a frame without unwind information */
#define MONOUT_PC_NONE 3u    /* no memory for the rest of the chain */

/* From here on: the types of TYPES, by number; 0: one that isn't known. */
#define MONOUT_PC_TYPE (1ull << 62)
#define MONOUT_TYPE_MAX 65535u	   /* the highest number */
#define MONOUT_TYPE_NAME_MAX 255u /* bytes of a name */

/* Keys of MONOUT_RUN.  (s) a string, (n) a number. */
enum monout_run {
	MONOUT_R_PROGRAM = 1, /* (s) path of the executable */
	MONOUT_R_COMMAND,     /* (s) arguments, each ended by NUL */
	MONOUT_R_PID,	      /* (n) */
	MONOUT_R_PPID,	      /* (n) */
	MONOUT_R_START,	      /* (n) ns since 1970, UTC */
	MONOUT_R_LENGTH,      /* (n) ns from start to the writing of the file */
	MONOUT_R_END,	      /* (n) enum monout_end */
	MONOUT_R_SIGNAL,      /* (n) the signal, when END is MONOUT_E_SIGNAL */
	MONOUT_R_THREADS,     /* (n) threads that allocated or freed */
	MONOUT_R_DEPTH,	      /* (n) limit on the frames of a chain */
	MONOUT_R_VERSION,     /* (s) of memmon */
	MONOUT_R_FORKED,      /* (n) 1: counts start at a fork */
	MONOUT_R_CWD,	      /* (s) working directory at start */
	MONOUT_R_MAXMEM,      /* (n) limit on OWN, bytes; none: no limit */
	MONOUT_R_TIMING,      /* (n) one block in so many is timed; 0: none */
	MONOUT_R_WAY,	      /* (n) MONOUT_W_*: how accesses are recorded */
	MONOUT_R_STEP,	      /* (n) ns, longest step of the accesses' clock */
	MONOUT_R_WHY,	      /* (s) why no accesses are recorded after all */
	MONOUT_R_SEEN, /* (n) ns after start of the last event that was timed,
			* when END is MONOUT_E_CUT */
	MONOUT_R_CUT_WHY,   /* (s) what is missing for this cause */
	MONOUT_R_OFF,	    /* (n) 1: recording was off at the end */
	MONOUT_R_OFF_TIME,  /* (n) ns for which it was off */
	MONOUT_R_RESET,	    /* (n) ns after start: counts begin there */
	MONOUT_R_LEAKCHECK, /* (n) ns after start of the leak check */
	MONOUT_R_LEAK_WHY,  /* (s) why there was none after all */
	MONOUT_R_RUNNING,   /* (n) when END is MONOUT_E_CUT: 1 the program still
			     * ran when the image was read, 0 it had ended;
			     * none: not known */
	MONOUT_R_LEAK_BLIND, /* (n) threads whose registers it didn't see */
	MONOUT_R_SAMPLE, /* (n) blocks are samples, one in so many bytes; none:
			  * all blocks are in the counts; see mon.out(5) */
	MONOUT_R_SAMPLE_WHY, /* (s) why they aren't though it was asked for */
	/* Where blocks were logged, see monlog.h. */
	MONOUT_R_LOG,	     /* (s) path of the log */
	MONOUT_R_LOG_ID,     /* (n) of its header */
	MONOUT_R_LOG_DUMP,   /* (n) its chunks of live blocks are of this */
	MONOUT_R_LOG_BLOCKS, /* (n) in it */
	MONOUT_R_LOG_FOLDED, /* (n) blocks that were left out again */
	MONOUT_R_LOG_UNTIL,  /* (n) ns after start: those ended before it */
	MONOUT_R_LOG_MISSED, /* (n) blocks of which there was no record */
	MONOUT_R_LOG_ERROR,  /* (n) errno, if it couldn't be written */
	MONOUT_R_MAX
};

/* Ways to record accesses; none: they aren't. */
#define MONOUT_W_PLUGIN 1u /* code compiled with memmon's plugin */
#define MONOUT_W_CALLS 2u  /* code that calls a function at each access */

/* How the run ended. */
enum monout_end {
	MONOUT_E_EXIT = 1, /* exit(3) or return from main */
	MONOUT_E__EXIT,	   /* _exit(2) */
	MONOUT_E_QUICK,	   /* quick_exit(3) */
	MONOUT_E_SIGNAL,   /* a fatal signal, abort(3) among them */
	MONOUT_E_EXEC,	   /* the image was replaced */
	MONOUT_E_DUMP,	   /* still running: memmon_dump(3) */
	MONOUT_E_SUM,	   /* a sum of several runs */
	MONOUT_E_CUT	   /* without a word, as by SIGKILL; or not yet */
};

/* Keys of MONOUT_TOTALS, all numbers. */
enum monout_total {
	/* Sums over SITES, as written: the file proves itself with them. */
	MONOUT_T_ALLOCS = 1,
	MONOUT_T_BYTES,
	MONOUT_T_FREES,
	MONOUT_T_FREED,	   /* bytes */
	MONOUT_T_REALLOCS, /* each is one of FREES and one of ALLOCS too */
	/* How many items the tables have. */
	MONOUT_T_MODULES,
	MONOUT_T_NODES,
	MONOUT_T_SITES,
	MONOUT_T_BINS,
	/* Measured apart. */
	MONOUT_T_PEAK,	  /* most bytes live at one time */
	MONOUT_T_PEAK_AT, /* ns after start: when memory shrank after it */
	MONOUT_T_FRAMES,  /* frames of the chains counted */
	MONOUT_T_SAME,	  /* of these, equal to the chain before */
	MONOUT_T_DEEPEST, /* frames of the longest chain */
	MONOUT_T_CUT,	  /* chains cut at the depth limit */
	MONOUT_T_STOPPED, /* chains that the unwinder couldn't finish */
	MONOUT_T_LOST,	  /* allocations not recorded, mostly for want of
			   * memory */
	MONOUT_T_LOST_BYTES,
	MONOUT_T_UNSEEN,    /* frees of blocks never seen allocated */
	MONOUT_T_INHERITED, /* frees of blocks from before the fork */
	MONOUT_T_REUSED,    /* blocks handed out anew, their free not seen */
	MONOUT_T_FAILED,    /* allocations refused by the allocator */
	MONOUT_T_OWN,	    /* bytes that the monitor uses */
	/* Sizes above MONOUT_BIN_MAX for which BINS had no room left. */
	MONOUT_T_BIG_ALLOCS,
	MONOUT_T_BIG_BYTES,
	MONOUT_T_BIG_FREES,
	MONOUT_T_BIG_FREED,
	/* How many items these tables have. */
	MONOUT_T_PEAKS,
	MONOUT_T_LIVES,
	MONOUT_T_THREADS,
	/* Measured apart. */
	MONOUT_T_PEAK_BLOCKS, /* sum of PEAKS */
	MONOUT_T_PEAK_BYTES,  /* sum of PEAKS */
	MONOUT_T_PEAK_SLACK,  /* PEAK and PEAK_BYTES are exact to this */
	MONOUT_T_SHORT,	 /* allocations with MONOUT_PC_NONE in their chain */
	MONOUT_T_CHAINS, /* that are in FRAMES and SAME; in long runs not all */
	MONOUT_T_UNTIMED, /* blocks not timed for want of memory */
	/* Where accesses were recorded: how many items these tables have. */
	MONOUT_T_USES,
	MONOUT_T_GROUPS,
	MONOUT_T_FIELDS,
	MONOUT_T_READS,	   /* sum over USES */
	MONOUT_T_WRITES,   /* sum over USES */
	MONOUT_T_UNFOLDED, /* blocks not in USES for want of memory; without
			    * UNPLACED in the file, those, too */
	MONOUT_T_TICKED, /* 1: the clock had a thread; 0: it moved at events */
	/* How many items these tables have; none: 0. */
	MONOUT_T_MARKS,
	MONOUT_T_LEAKS,
	/* Where recording was switched off and on, or counts were reset. */
	MONOUT_T_OFF_FREES,  /* of FREES, those made while it was off */
	MONOUT_T_OFF_FREED,  /* bytes */
	MONOUT_T_OFF_UNSEEN, /* frees of blocks allocated while it was off,
			      * or before the reset; not in UNSEEN */
	/* Blocks of the program's own allocators (libmemmon(3)). */
	MONOUT_T_POOL_ALLOCS, /* of ALLOCS, those reported by annotations */
	MONOUT_T_POOL_BYTES,
	MONOUT_T_POOL_BACKING, /* live bytes in blocks that pools divide */
	/* How many items these tables have; none: not known. */
	MONOUT_T_CELLS,
	MONOUT_T_VTABLES,
	MONOUT_T_TYPES,		/* none: 0 */
	MONOUT_T_VTABLES_MORE, /* blocks for which VTABLES had no room */
	MONOUT_T_MOMENTS,      /* how many items these tables have; */
	MONOUT_T_CHANGES,      /* none: not known */
	/* With MONOUT_R_SAMPLE: of all blocks, exactly; none: not known. */
	MONOUT_T_ALL_ALLOCS,
	MONOUT_T_ALL_BYTES,
	/* Of a sum: blocks that were sampled; 1: not all files were of samples
	 * at the rate of MONOUT_R_SAMPLE, which is the largest. */
	MONOUT_T_SAMPLES,
	MONOUT_T_SOME,
	MONOUT_T_ERRORS,  /* how many items ERRORS has; none: 0 */
	MONOUT_T_UNPLACED, /* blocks not in USES, as their allocator puts others
			    * within 32 bytes of them */
	MONOUT_T_HANDED,  /* the same of HANDED */
	MONOUT_T_MAX
};

/*
 * The totals that threads count apart: X(total, field of struct monimg_pub, how
 * those of several threads, or runs, are put together).  The fields stand in
 * this order.
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
	X(MONOUT_T_POOL_BYTES, pool_bytes, SUM)

/* A field of a struct of counters, as X of it. */
#define MONOUT_COUNTER(total, field, how) uint64_t field;

/* Few runs have these: where they are 0, they aren't in the file. */
#define MONOUT_IS_RARE(total) ((total) >= MONOUT_T_OFF_FREES)

/* Items of the tables, as they stand in the file: struct monrec_module ... */
#define R(name, item, ...) \
	struct monrec_##item { \
		MONREC_##name(MONREC_STRUCT) \
	};
MONREC_TABLES(R)
#undef R

#endif
