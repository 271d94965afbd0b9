/* SPDX-License-Identifier: MIT */
/*
 * The image: a file that holds the counts while a program runs, in place of the
 * data file.
 *
 * The image is mapped, not written: it contains the monitor's counts, so it has
 * everything that was counted up to the last instruction, no matter how the
 * process ends.  If the process ends normally, a file of monout.h takes its
 * place.  mpreduce reads both.  Only mpreduce of the same version, on the same
 * kind of machine, reads an image; that is enough, as it is read soon or never.
 * All integers have the byte order of the machine that wrote it.
 *
 * The file is a header, then slots of MONIMG_SLOT bytes; slot 0 has the header
 * and all that belongs to it.  The table of kinds, at kinds_at, says what each
 * slot contains: one struct monimg_kind for each slot.  A slot of kind 0 isn't
 * used, or was just about to be.
 *
 *	GLOBAL	struct monimg_global, in consecutive slots
 *	CELLS	struct monimg_cell, each of cell_size bytes; `first' is the
 *		number of the first
 *	NODES	struct monimg_node; those of key 0 aren't used
 *	PUBS	struct monimg_pub; those that aren't `taken' aren't used
 *	MODULES	struct monimg_module one after the other, each `length' bytes;
 *		length 0 ends them
 *	POOL	data that cells point to
 *	TYPES	struct monimg_type, each of its size; those of number 0 aren't
 *		used
 *	NOTES	struct monimg_notes, of the cells from `first' on
 *	PIECES	struct monimg_piece; `first' is the number of the first
 *
 * A pointer p in an image means: for the window w with base <= p < base +
 * length, the place p - base + at in the file.
 *
 * A process that still runs changes all of it meanwhile.  A reader that reads
 * frees before allocations never sees more frees than allocations.
 */
#ifndef MEMMON_MONIMG_H
#define MEMMON_MONIMG_H

#include "monitor/monout.h"

#define MONIMG_MAGIC "\211memimg\n" /* 8 bytes */
#define MONIMG_VERSION 11u
#define MONIMG_SLOT 16384u
#define MONIMG_WINDOWS 8u

enum monimg_kinds {
	MONIMG_NONE,
	MONIMG_HEAD,
	MONIMG_GLOBAL,
	MONIMG_CELLS,
	MONIMG_NODES,
	MONIMG_PUBS,
	MONIMG_MODULES,
	MONIMG_POOL,
	MONIMG_TYPES,
	MONIMG_NOTES,
	MONIMG_PIECES,
	MONIMG_NKIND
};

struct monimg_kind {
	uint32_t kind;	/* enum monimg_kinds; set last */
	uint32_t first; /* number of the slot's first item */
};

/* A part of the file, and the address where it was mapped. */
struct monimg_window {
	uint64_t base;	 /* address; 0: not used */
	uint64_t at;	 /* place in the file */
	uint64_t length; /* bytes */
};

/* A string: its place in the file and its bytes. */
struct monimg_text {
	uint32_t at, length;
};

/* At the file's start.  Times are in ns. */
struct monimg_header {
	char magic[8];	  /* MONIMG_MAGIC, without the final NUL; set last */
	uint32_t version; /* MONIMG_VERSION */
	uint32_t order;	  /* MONOUT_ORDER */
	uint32_t word;	  /* bytes of a pointer */
	uint32_t slot;	  /* MONIMG_SLOT */
	/* Sizes of the structs: a reader with another layout notices it. */
	uint32_t global_size, cell_size, node_size, pub_size, extra_size,
		lives_size;
	uint64_t kinds_at; /* place of the table of kinds */
	uint32_t nslots;   /* slots that the table has room for */
	uint32_t used;	   /* slots handed out; atomic */
	uint32_t fate_size, attached; /* MONOUT_R_ATTACHED, and 2 * _OWN */
	uint64_t outside_cells;	      /* cells that found no room here */
	uint64_t outside_nodes, outside_extras, outside_pubs, outside_modules;
	struct monimg_window window[MONIMG_WINDOWS];

	int64_t pid, ppid;
	uint64_t pid_space; /* inode of its pid namespace; 0: unknown */
	uint64_t born;	/* the process's start, from the kernel; 0: unknown */
	uint64_t start; /* ns since 1970 */
	uint64_t mono;	/* CLOCK_MONOTONIC then */
	uint64_t depth, timing, maxmem; /* as in MONOUT_R_* */
	/* Bytes that the monitor uses, updated now and then. */
	uint64_t own;
	uint32_t forked, access; /* counts start at a fork; libmemmon-access */
	/* How it ended, if that is known but no file could be written. */
	uint32_t end; /* enum monout_end; 0: unknown */
	uint32_t sig; /* or, for MONOUT_E_EXEC: is there a data file? */
#define MONIMG_WRITTEN 1u
	uint64_t ended;	   /* CLOCK_MONOTONIC then */
	struct monimg_text program, command, cwd, memmon; /* last: version */
	/*
	 * The first 16 digits of /proc/sys/kernel/random/boot_id as a number;
	 * 0: unknown.
	 */
	uint64_t boot;
	uint64_t sample; /* as MONOUT_R_SAMPLE; 0: none */
	struct monimg_text host, job; /* length 0: unknown */
	uint64_t rank;		      /* plus 1; 0: unknown */
	uint64_t leaks;		      /* 1: run a leak check at the end */
	uint64_t outside_notes; /* as outside_cells: of NOTES and PIECES */
	/*
	 * The process could make no data file: its data are here, in slots of
	 * kind 0.  Size 0: none.
	 */
	uint64_t data_at, data_size;
	uint64_t figures; /* MONOUT_NFIGURE */
};

/* Copies of the monitor's own structs, which explain each field. */
struct monimg_cell {
	uint64_t key;	 /* thread's number + 1 << 44 | size; 0: not used */
	uint32_t parent; /* node (26 bits); the rest doesn't matter */
	uint32_t next;
	uint64_t allocs, frees; /* blocks */
	int64_t held;
	uint64_t epoch;
	uint64_t temps, near;
	uint64_t looked; /* blocks << MONIMG_LOOKED_SHIFT | bytes */
	/*
	 * Pointer to struct monimg_fate, or 0; it counts only if it has this
	 * cell's number.
	 */
	uint64_t fate;
	uint64_t extra; /* pointer to struct monimg_extra, or 0 */
	uint32_t sibling, number;
};

#define MONIMG_SIZE_BITS 44u
/* From this size on: a cell for all sizes of class (size - this). */
#define MONIMG_SIZE_ANY (((1ull << MONIMG_SIZE_BITS) - 1) - MONOUT_NCLASS)
#define MONIMG_NODE_BITS 26u

#define MONIMG_FEW 4u
#define MONIMG_LOOKED_SHIFT 40u
struct monimg_fate {
	uint64_t by_others, reallocs, moved, copied;
	uint32_t longest, timed;
	uint64_t few[MONIMG_FEW];
	uint64_t lives; /* pointer to struct monimg_lives; 0: see few */
	uint32_t cell, unused;
	uint64_t figures; /* pointer to MONOUT_NFIGURE structs; 0: all are 0 */
};

/*
 * A figure, by enum monout_figure.  If blocks are sampled: the sum in units of
 * 1 / MONIMG_FIGURE_UNIT, and its variance.
 */
struct monimg_figure {
	uint64_t sum;
	double variance;
};
#define MONIMG_FIGURE_UNIT 256u

/* The estimate and its variance as in an item of FIGURES. */
static inline void
monimg_figure_estimate(const struct monimg_figure *x, uint64_t *n,
		       uint64_t *variance)
{
	*n = (x->sum + MONIMG_FIGURE_UNIT / 2) / MONIMG_FIGURE_UNIT;
	*variance = x->variance < 0x1p63 ? (uint64_t)(x->variance + .999)
					 : UINT64_MAX;
}

struct monimg_extra {
	uint64_t bytes, freed; /* of a cell for all sizes */
	int64_t held_bytes;
	uint64_t away, away_bytes;
};

/*
 * The notes of a cell: its counts at snapshots.  (The counts after its last
 * note are in the cell itself.)  A note is MONIMG_NOTE numbers, or
 * MONIMG_NOTE_SIZED if the cell is for one size.  Each number is the difference
 * to the note before, signed, 7 bits a byte, the lowest first.
 */
struct monimg_notes {
	uint64_t word;	  /* number of the first piece << 32 | bytes */
	/*
	 * Of the last note: the snapshot's number, allocs, frees, and for a
	 * cell of all sizes bytes, freed.
	 */
	uint64_t last[5];
	uint32_t unused;
	uint32_t packs; /* how often other pieces have replaced these */
	uint32_t unused2[2];
};
#define MONIMG_NOTE 5u
#define MONIMG_NOTE_SIZED 3u

struct monimg_piece {
	uint32_t next;
	uint8_t byte[28];
};

struct monimg_lives {
	uint64_t weight, sum, min, max;
	uint64_t bin[MONOUT_LIFE_BINS];
};

/*
 * A frame of a call path: its number, which several items may have, and its
 * caller's number (0: none).  The lower 48 bits of the key are the return
 * address or MONOUT_PC_*, the upper bits the generation of its module; or the
 * key is a type's.
 */
struct monimg_node {
	uint64_t key;
	uint32_t number, parent;
};
#define MONIMG_KEY_BITS 48u

/* Followed by its path, `path_length' bytes. */
struct monimg_module {
	uint32_t length; /* of all parts, a multiple of 8; set last */
	uint32_t flags;	 /* MONOUT_M_* */
	uint64_t start, end, bias;
	uint32_t gen;
	uint16_t path_length;
	uint16_t buildid_length;
	unsigned char buildid[64];
};

/* A type that the program named; a node's key is MONOUT_PC_TYPE + number. */
struct monimg_type {
	uint64_t size;
	uint32_t number; /* set last */
	uint16_t length; /* of the name */
	char name[MONOUT_TYPE_NAME_MAX + 3];
};

struct monimg_done {
	uint64_t allocs, bytes, frees, freed, of_others;
};

/* The counts of several threads, one after the other. */
struct monimg_pub {
	uint64_t taken; /* 1 */
	uint64_t seq, seq_first;
	int64_t delta; /* live bytes not yet added to the process's count */
	struct monimg_done done;    /* of its present owner, and */
	struct monimg_done handlers; /* of handlers that interrupted it */
	MONOUT_COUNTERS(MONOUT_COUNTER) /* those of struct mmi_counters */
	uint32_t epoch, unused; /* if it isn't the process's: not counted */
	int64_t tid;		/* of its present owner; 0: none */
	uint64_t seen;		/* CLOCK_MONOTONIC of its last timed event */
	char name[16];		/* of the owner, when it was last read */
};

struct monimg_row {
	int32_t state; /* 2: in use */
	uint8_t main;
	char name[16];
	uint64_t threads;
	struct monimg_done done;
};
#define MONIMG_ROWS 256u

struct monimg_bin {
	uint64_t size, allocs, frees;
};
#define MONIMG_BINS 4096u

/*
 * Blocks of cells for all sizes.  A size above MONOUT_BIN_MAX is within
 * MONIMG_BIN_WINDOW places from its hash, cyclically, or has no place if these
 * are taken.  Places are never emptied, so whether a size has a place is
 * decided forever.
 */
#define MONIMG_BIN_WINDOW 8u
#define MONIMG_BIN_HASH(size) ((size)*0x9e3779b97f4a7c15ull >> 52)
struct monimg_bins {
	uint64_t allocs[MONOUT_BIN_MAX + 1], frees[MONOUT_BIN_MAX + 1];
	struct monimg_bin other[MONIMG_BINS];
	uint64_t big_allocs, big_bytes, big_frees, big_freed;
};

/*
 * A snapshot.  If an earlier one has its number or a higher one, it is just
 * being removed; if its number is 0, it is being made.
 */
struct monimg_snapshot {
	uint64_t number;
	uint64_t at; /* CLOCK_MONOTONIC */
	uint64_t allocs, bytes, frees, freed;
	uint64_t peak; /* most bytes live since the snapshot before */
	uint64_t rss;  /* bytes; UINT64_MAX: unknown */
};
#define MONIMG_SNAPSHOTS 1024u

struct monimg_snapshots {
	uint64_t known; /* 0: none are taken */
	uint64_t n;
	uint64_t notes_lost; /* 1: the monitor couldn't make some notes */
	uint64_t unused[5];
	struct monimg_snapshot snapshot[MONIMG_SNAPSHOTS];
};

#define MONIMG_MOMENTS 64u

/* Lines of the memory, MONREC_MEMORY_LINES, at times in ascending order. */
struct monimg_moments {
	uint64_t n;
	struct monimg_moment {
		uint64_t at; /* CLOCK_MONOTONIC; 0: it is being made */
		uint64_t line[MONREC_MEMORY_COUNT]; /* bytes */
	} moment[MONIMG_MOMENTS];
};

/* From this bit on, peaks and epochs have the number of the last snapshot. */
#define MONIMG_SNAPSHOT 44u

struct monimg_global {
	/* struct mmi_heap */
	uint64_t live, peak, timed, peak_at, high;
	uint64_t unused[3];
	uint64_t peaks; /* of these, those below MONIMG_SNAPSHOT */
	int32_t fresh, spread;
	uint64_t unused2[6];
	uint64_t lost_allocs, lost_bytes; /* allocations without a thread */
	/* struct mmi_control */
	/* CLOCK_MONOTONIC when it was switched off; 0: it is on */
	uint64_t off;
	uint32_t epoch; /* its lowest bit: which of the two below is in use */
	uint32_t stops, waits;
	uint8_t gaps; /* there was an off time, or a reset */
	uint64_t nthreads[2];
	uint32_t cells_first; /* cells with lower numbers don't count */
	uint32_t unused3;
	uint64_t off_total; /* ns of earlier off times */
	uint64_t reset_at;  /* CLOCK_MONOTONIC; 0: there was none */
	struct monimg_row row[2][MONIMG_ROWS];
	struct monimg_bins bins[2];
	uint64_t unused4[2];
	struct monimg_snapshots snapshots;
	struct monimg_moments moments;
};

#endif
