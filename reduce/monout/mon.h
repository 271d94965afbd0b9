/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The raw content of a mon.out file: tables of numbers, no names of functions.
 * merge.h uses the same struct for several files together.
 */
#ifndef MEMMON_REDUCE_MON_H
#define MEMMON_REDUCE_MON_H

#include "monitor/monout.h"
#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/model/counts.h"
#include "reduce/model/known.h"
#include "reduce/model/life.h"
#include "reduce/model/runs.h"
#include "reduce/model/views.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_info;

/*
 * The fields of items that stay as they are in the file, in the order and with
 * the names of monrec.h.  Numbers of other items become places in struct mon.
 */
#define MON_ITEM_FIELD(kind, sum, name) MON_ITEM_##kind(name)
#define MON_ITEM_NUMBER(name) uint64_t name;
#define MON_ITEM_ZIGZAG(name) uint64_t name;
#define MON_ITEM_SIGNED(name) int64_t name;
#define MON_ITEM_SITE(name) uint32_t name;
#define MON_ITEM_NODE(name) uint32_t name;
#define MON_ITEM_MODULE(name) uint32_t name;
#define MON_ITEM_THREAD(name) uint32_t name;
#define MON_ITEM_TEXT(name) const char *name;
#define MON_ITEM_IF(name, ...) __VA_ARGS__
/* any: the item has blocks of all sizes of the class `size'. */
#define MON_ITEM_SIZE(name) \
	uint64_t name; \
	bool any;
#define MON_ITEM_BYTES(name) \
	const unsigned char *name; \
	size_t name##len;

/* A value of MONOUT_RUN. */
struct mon_value {
	bool set;
	uint64_t number;
	const char *text; /* with a NUL after it; NULL for a number */
	size_t length;	  /* of text, without the NUL */
};

/* A file that was mapped.  path NULL: its record is lost. */
struct mon_module {
	MONREC_MODULES(MON_ITEM)
};

/* A call in the calling-context trie. */
struct mon_node {
	uint32_t parent; /* lower than its own number, or MON_* */
	uint32_t module; /* 0: addr is absolute or MONOUT_PC_* */
	uint64_t addr;
};

/* Used instead of a parent's number: */
#define MON_MISSING UINT32_MAX	    /* the node is missing */
#define MON_ORPHAN (UINT32_MAX - 1) /* its parent is missing */
/* Items with higher numbers aren't read. */
#define MON_NUMBER_MAX (UINT32_MAX - 2)

struct mon_site {
	uint32_t node;	 /* 0: the call path is unknown */
	uint32_t number; /* in the file, ascending; MON_MISSING: too high */
	uint64_t reallocs;
	struct counts count;
	uint64_t peak_blocks; /* live at the peak; count.peak has the bytes */
	size_t life;	      /* place in mon.lives; 0: all 0 */
	uint32_t use;	      /* place in mon.uses, or 0 */
	uint32_t leak;	      /* place in mon.leaks, or 0 */
	uint32_t path; /* place plus 1 of an earlier site of the same partial
			* path, see use_paths.h; 0: none */
};

struct mon_bin {
	MONREC_BINS(MON_ITEM)
	double var[PROFILE_NERROR];
};

/* The counts of one thread, or of several together. */
struct mon_thread {
	MONREC_THREADS(MON_ITEM)
	uint32_t number; /* in the file, ascending; MON_MISSING: too high */
	double var[PROFILE_NERROR]; /* of allocs and bytes */
};

/* The numbers of an item of USES, without the site. */
#define MON_USE_FIELD(kind, how, name) MON_USE_##how(name)
#define MON_USE_KEY(name)
#define MON_USE_SUM(name) uint64_t name;
#define MON_USE_EACH(n, name, ...) \
	struct { \
		__VA_ARGS__ \
	} name[n];
enum { MON_USE_NUMBERS = sizeof(struct monrec_use) / sizeof(uint64_t) - 1 };

/*
 * Programs stay below this: a larger estimate from samples means damaged data.
 */
#define MON_ESTIMATE_MOST (UINT64_C(1) << 60)

/* How the blocks of a site were used. */
struct mon_use {
	union {
		struct {
			MONREC_USES(MON_USE) /* life UINT64_MAX: this much or
					      * more */
		};
		uint64_t n[MON_USE_NUMBERS]; /* all of the above */
	};
	uint64_t handed, handed_bytes; /* from HANDED */
	/* Variances of reads and writes, from USE_ERRORS; 0: exact. */
	uint64_t errors[2];
	/* Parts of this use that groups and fields have, at most all of it. */
	uint64_t grouped; /* blocks in groups */
	struct {
		uint64_t blocks, bytes, reads, writes;
	} fields;
};

/* Allocations of a site that were close in time.  Times are in ns. */
struct mon_group {
	uint32_t site; /* place in mon.sites */
	bool final;    /* not to be merged with other groups of the site */
	uint64_t first;
	uint64_t last, end;    /* last allocation, last free: ns after first */
	uint64_t blocks, life; /* life: as in struct mon_use */
	uint64_t gap; /* ns within which groups of other sites are merged
		       * with it; 0: never, because there are several runs */
};

/* Accesses to the granules of a site's blocks of one size. */
struct mon_field {
	uint32_t site; /* place in mon.sites */
	uint32_t n;    /* granules */
	uint64_t size; /* bytes of a block */
	uint64_t blocks;
	size_t counts; /* place in mon.counts of n reads, then n writes */
};

/* A time that the program named, and the totals at that time. */
struct mon_mark {
	MONREC_MARKS(MON_ITEM)
};

/* The results of a leak check for a site, by enum monout_leak. */
struct mon_leak {
	struct leak found; /* holds: from HOLDS */
};

/*
 * The blocks of one size, or of all sizes of a class, that a thread allocated
 * at a site.  A thread is an item of THREADS.  The cells of a site add up to
 * its counts.
 */
struct mon_cell {
	MONREC_CELLS(MON_ITEM)
	/*
	 * The amounts at the peak are exact for all threads' cells together,
	 * but maybe not for a single cell.  Variances of blocks: made, live at
	 * the end, live at the peak.  The last one may be negative for a single
	 * thread.
	 */
	double made, live, held;
};

/* Blocks live at the end whose first word is the same address in a module. */
struct mon_vtable {
	MONREC_VTABLES(MON_ITEM)
};

/* The free memory that can't be returned because of a site's live blocks. */
struct mon_pin {
	MONREC_PINS(MON_ITEM)
};

/* A link of the heap as a graph. */
struct mon_link {
	MONREC_LINKS(MON_ITEM)
};

/* Memory that the program mapped itself, by node. */
struct mon_mapping {
	MONREC_MAPPINGS(MON_ITEM)
};

/* The call paths that freed the timed blocks of a site. */
struct mon_ending {
	MONREC_ENDINGS(MON_ITEM)
};

/* Another figure of a site's blocks; what is below MONOUT_NFIGURE. */
struct mon_figure {
	MONREC_FIGURES(MON_ITEM)
};

/* A type that the program gave to blocks by memmon_type(). */
struct mon_type {
	MONREC_TYPES(MON_ITEM)
};

/* The whole heap at a snapshot.  Counts are since start, or since a reset. */
struct mon_snapshot {
	MONREC_SNAPSHOTS(MON_ITEM) /* rss UINT64_MAX: unknown */
};

/*
 * The counts of a site's blocks of one size up to a snapshot.  For each site,
 * size and thread, the first item is the first snapshot with any blocks; after
 * that there is an item for each snapshot at which the counts had changed.  The
 * last item has the counts at the end, and the last items of a site add up to
 * the site's counts.  Unlike in a mon_cell, all counts are of thread 0 if a
 * thread may have freed another thread's blocks.
 */
struct mon_change {
	uint32_t site;	   /* place in mon.sites */
	uint32_t thread;   /* as in mon_cell */
	uint32_t snapshot; /* place in mon.snapshots */
	bool any;
	uint64_t size; /* as in mon_cell */
	WITH_AMOUNTS;
};

/* struct mon_setting and so on: tables without any other meaning. */
#define P(name, item, items) \
	struct mon_##item { \
		MONREC_##name(MON_ITEM) \
	};
MONREC_TABLES(MONREC_PLAIN)
#undef P

/*
 * The kinds of records, in the order of the file; the last one is any other
 * kind.
 */
enum mon_kind {
#define R(name, item, ...) MON_##name,
	MONREC_RECORDS(R)
#undef R
		MON_UNKNOWN,
	MON_NKIND
};

/* How much of one kind was found in the file. */
struct mon_tally {
	size_t records;
	uint64_t items; /* read and accepted */
	uint64_t bytes; /* with the heads of the records */
};

/*
 * MONREC_TABLES(MON_LIST): L(an item, items) for each list of a struct mon.
 * The lists of modules, nodes, types (name NULL: lost), uses and leaks begin
 * with an unused item 0, which is counted if there are any others.  Cells are
 * sorted by site, size, thread; vtables by site; snapshots by time, the last is
 * the end; changes by site, size, thread, snapshot.
 */
#define MON_LIST(name, item, items, form, ...) MON_LIST_##form(L(item, items))
#define MON_LIST_PLAIN(...) __VA_ARGS__
#define MON_LIST_LIST(...) __VA_ARGS__
#define MON_LIST_SUMMED(...) __VA_ARGS__
#define MON_LIST_OWN(...) __VA_ARGS__
#define MON_LIST_PART(...)

/*
 * One file, or several merged files.  total[] is indexed by enum monout_total.
 * Sums and numbers of items in total[] are what the file says; the real ones
 * are in sums and in the n's.
 */
struct mon {
	struct arena arena;	  /* contains all strings */
	const char *path;	  /* of the file */
	uint64_t size;		  /* in bytes */
	struct image_info *image; /* image.h; NULL: an ordinary file */
	uint16_t major, minor;
	uint32_t flags; /* MONOUT_F_* */
	struct mon_value run[MONOUT_R_MAX];
	uint64_t total[MONOUT_T_MAX];
	bool total_set[MONOUT_T_MAX];

	/* The tables: `cells', ncells, cell_room, and so on. */
#define L(item, items) \
	struct mon_##item *items; \
	size_t n##items, item##_room;
	MONREC_TABLES(MON_LIST)
#undef L
	struct life_pool lives; /* of the sites */
	uint64_t *counts;	/* of fields */
	size_t ncounts, count_room;
	WITH_KNOWN; /* of the tables above */

	struct sums sums;	 /* of the sites */
	struct sums bin_sums;	 /* of bins and MONOUT_T_BIG_*; no reallocs */
	struct sums thread_sums; /* of threads; their number for reallocs */
	uint64_t peak_blocks, peak_bytes; /* sums over the sites */
	struct life life;		  /* sum over the sites */
	struct mon_use use;		  /* sum of uses */
	struct leak leak;		  /* sum of leaks */
	bool marks_dropped; /* several files have no common marks */
	bool times_dropped; /* nor snapshots */
	bool cells_threads; /* no cell has thread 0 */
	struct profile_sample sample; /* set by sample_scale() */
	struct mon_tally tally[MON_NKIND];
	bool incomplete;	/* something is missing */
	const char *warning[8]; /* "FILE: ...", NULL after the last */
	unsigned nwarning;
};

/*
 * mon_cells_room(): make room for n more cells.  Returns the place for them.
 * mon_add_cell(): add one.  And so on for each table.
 */
#define L(item, items) \
	static inline struct mon_##item *mon_##items##_room(struct mon *m, \
							    size_t n) \
	{ \
		ARRAY_ROOM(m->items, m->item##_room, m->n##items + n); \
		return m->items + m->n##items; \
	} \
	static inline void mon_add_##item(struct mon *m, \
					  const struct mon_##item *x) \
	{ \
		*mon_##items##_room(m, 1) = *x; \
		m->n##items++; \
	}
MONREC_TABLES(MON_LIST)
#undef L

/* Add a use, or leak, which is all 0.  Returns its number. */
uint32_t mon_new_use(struct mon *m);
uint32_t mon_new_leak(struct mon *m);

/*
 * to += x.  False, with *to unchanged, if a sum doesn't fit 64 bits.  The sum
 * of lifetimes stops at UINT64_MAX.
 */
bool mon_use_add(struct mon_use *to, const struct mon_use *x);

/*
 * Bytes at the peak.  If the sites' amounts at the peak are known, it is their
 * sum, because the heap's own count may lack what threads hadn't reported yet.
 * 0: unknown, or none.
 */
static inline uint64_t
mon_peak(const struct mon *m)
{
	uint64_t counted = m->total[MONOUT_T_PEAK];

	return counted && m->peaks_known ? m->peak_bytes : counted;
}

/*
 * The largest possible error of mon_peak(), in bytes.  The peak was at least
 * the bytes live at the end, and at most all bytes allocated.
 */
static inline uint64_t
mon_peak_slack(const struct mon *m)
{
	uint64_t slack = m->total[MONOUT_T_PEAK_SLACK], peak = mon_peak(m),
		 all = m->sums.bytes, live = all - m->sums.freed,
		 more = all > peak ? all - peak : 0,
		 less = peak > live ? peak - live : 0,
		 most = more > less ? more : less;

	return slack < most ? slack : most;
}

/* The amounts that are in no bin, from the totals. */
static inline struct amounts *
mon_big(const struct mon *m)
{
	_Static_assert(MONOUT_T_BIG_FREED == MONOUT_T_BIG_ALLOCS + 3 &&
			       sizeof(struct amounts) == 4 * sizeof(uint64_t),
		       "the totals have them in this order, side by side");
	return (struct amounts *)&m->total[MONOUT_T_BIG_ALLOCS];
}

/* Is the node a type, as below, and not a return address? */
static inline bool
mon_node_is_type(const struct mon_node *n)
{
	return !n->module && n->addr >= MONOUT_PC_TYPE &&
	       n->addr <= MONOUT_PC_TYPE + MONOUT_TYPE_MAX;
}

/*
 * The type that the program gave to the blocks of a node.  Such a node has
 * module 0 and doesn't stand for a call.  NULL: the node isn't a type.
 */
const struct mon_type *mon_type_of(const struct mon *m, uint32_t node);

/*
 * Call see(arg, node) for each node that items of SUMMED tables name; for some
 * more than once.
 */
void mon_each_node(const struct mon *m, void (*see)(void *arg, uint32_t node),
		   void *arg);

/*
 * Only sites i are kept whose to[i], the new number, isn't MON_MISSING.  Keep
 * the items of SUMMED tables that name such a site and nothing else.  Remove
 * all other tables of this form, because they connect sites, or name nodes of
 * any site.
 */
void mon_keep_sites(struct mon *m, const uint32_t *to);

/* Is the file a merged profile, not a single run? */
static inline bool
mon_is_sum(const struct mon *m)
{
	return m->flags & MONOUT_F_SUM;
}

/* Frees the tables, but not *m itself. */
void mon_fini(struct mon *m);

#endif
