/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The raw content of a mon.out file: tables of numbers, no names.  merge.h has
 * the same struct for several files together.
 */
#ifndef MEMMON_REDUCE_MON_H
#define MEMMON_REDUCE_MON_H

#include "monitor/monout.h"
#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/model/counts.h"
#include "reduce/model/life.h"
#include "reduce/model/runs.h"
#include "reduce/model/views.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_info;

/*
 * Items of the file that stay as they are read, in the order and with the names
 * of monrec.h: numbers of other items are their places in struct mon.
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
/* any: blocks of all sizes of the class `size' are in it. */
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
	size_t length;	  /* of text, without that NUL */
};

/* A file that was mapped; path NULL: not in the file (a record is lost). */
struct mon_module {
	MONREC_MODULES(MON_ITEM)
};

/* A call in the calling-context trie. */
struct mon_node {
	uint32_t parent; /* lower than its own number, or MON_* */
	uint32_t module; /* 0: addr is absolute or MONOUT_PC_* */
	uint64_t addr;
};

/* Instead of the number of a parent. */
#define MON_MISSING UINT32_MAX	    /* the node isn't there */
#define MON_ORPHAN (UINT32_MAX - 1) /* its parent isn't */
/* Higher numbers aren't read. */
#define MON_NUMBER_MAX (UINT32_MAX - 2)

struct mon_site {
	uint32_t node;	 /* 0: chain not known */
	uint32_t number; /* in the file, ascending; MON_MISSING: too high */
	uint64_t reallocs;
	struct counts count;
	uint64_t peak_blocks; /* live at the peak; bytes: count.peak */
	size_t life;	      /* its place in mon.lives; 0: all 0 */
	uint32_t use;	      /* place in mon.uses, 0 if it has none */
	uint32_t leak;	      /* place in mon.leaks, 0 if it has none */
	uint32_t path; /* the place, plus 1, of one before it that is of the
			* same partial path, see use_paths.h; 0: none */
};

struct mon_bin {
	MONREC_BINS(MON_ITEM)
	double var[PROFILE_NERROR];
};

/* What one thread did, or several together. */
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

/* No program has more: larger estimates of samples are of damaged data. */
#define MON_ESTIMATE_MOST (UINT64_C(1) << 60)

/* How the blocks of a site were used. */
struct mon_use {
	union {
		struct {
			MONREC_USES(MON_USE) /* life UINT64_MAX: or more */
		};
		uint64_t n[MON_USE_NUMBERS]; /* all of these */
	};
	uint64_t handed, handed_bytes; /* of HANDED */
	/* Variances of reads and writes, as in USE_ERRORS; 0: exact. */
	uint64_t errors[2];
	/* What groups and fields have of them: no more than there is. */
	uint64_t grouped; /* blocks */
	struct {
		uint64_t blocks, bytes, reads, writes;
	} fields;
};

/* Allocations of a site that were near in time; times in ns. */
struct mon_group {
	uint32_t site; /* its place in mon.sites */
	bool final;    /* not to be merged with others of the site */
	uint64_t first;
	uint64_t last, end;    /* last allocation, last free: after first */
	uint64_t blocks, life; /* life as of struct mon_use */
	uint64_t gap; /* in which those of other sites are merged with it; 0:
		       * none, there are several runs */
};

/* Accesses to the granules of a site's blocks of one size. */
struct mon_field {
	uint32_t site; /* its place in mon.sites */
	uint32_t n;    /* granules */
	uint64_t size; /* bytes of a block */
	uint64_t blocks;
	size_t counts; /* place in mon.counts of n reads, then n writes */
};

/* A time that the program gave a name, and the totals then. */
struct mon_mark {
	MONREC_MARKS(MON_ITEM)
};

/* What a leak check found of a site, by enum monout_leak. */
struct mon_leak {
	struct leak found; /* holds: of HOLDS */
};

/*
 * What the threads of an item of THREADS allocated at a site, of one size, or
 * of all sizes of a class.  The cells of a site add up to its counts.
 */
struct mon_cell {
	MONREC_CELLS(MON_ITEM)
	/* What was live at the peak is true of all threads' cells together, by
	 * itself perhaps not.  Variances of blocks: made, live at the end, live
	 * at the peak.  Of a thread by itself the last may be below 0. */
	double made, live, held;
};

/* Blocks live at the end that begin with the same address of a module. */
struct mon_vtable {
	MONREC_VTABLES(MON_ITEM)
};

/* The free memory that a site's live blocks pin. */
struct mon_pin {
	MONREC_PINS(MON_ITEM)
};

/* Of the heap as a graph. */
struct mon_link {
	MONREC_LINKS(MON_ITEM)
};

/* What the program mapped by itself at a node. */
struct mon_mapping {
	MONREC_MAPPINGS(MON_ITEM)
};

/* Who freed the timed blocks of a site. */
struct mon_ending {
	MONREC_ENDINGS(MON_ITEM)
};

/* A type that the program gave to blocks by memmon_type(). */
struct mon_type {
	MONREC_TYPES(MON_ITEM)
};

/* The whole heap at a snapshot; counts since start, or since a reset. */
struct mon_snapshot {
	MONREC_SNAPSHOTS(MON_ITEM) /* rss UINT64_MAX: not known */
};

/*
 * What had been counted of a site's blocks of one size by a snapshot: of each
 * site, size and thread the first item is the first with something in it, and
 * then there is one for each snapshot at which it had changed.  The last is
 * what it was at the end; the last ones of a site add up to its counts.  Unlike
 * a mon_cell's, all counts are of thread 0 where one thread may have freed
 * another's blocks.
 */
struct mon_change {
	uint32_t site;	   /* its place in mon.sites */
	uint32_t thread;   /* as mon_cell's */
	uint32_t snapshot; /* its place in mon.snapshots */
	bool any;
	uint64_t size; /* as mon_cell's */
	uint64_t allocs, bytes, frees, freed;
};

/* struct mon_setting and so on: what has no other meaning. */
#define P(name, item, items) \
	struct mon_##item { \
		MONREC_##name(MON_ITEM) \
	};
MONREC_TABLES(MONREC_PLAIN)
#undef P

/* The kinds of records, in the order of the file; the last is for unknown. */
enum mon_kind {
#define R(name, item, ...) MON_##name,
	MONREC_RECORDS(R)
#undef R
		MON_UNKNOWN,
	MON_NKIND
};

/* What was found of one kind. */
struct mon_tally {
	size_t records;
	uint64_t items; /* that were read and taken */
	uint64_t bytes; /* with the records' heads */
};

/*
 * MONREC_TABLES(MON_LIST): L(an item, items) of the lists of a struct mon.
 * Those of modules, nodes, types (name NULL: lost), uses and leaks begin with
 * an unused item 0, which counts when there are any others.  Cells are in order
 * of site, size, thread; vtables of site; snapshots of time, the last is the
 * end; changes of site, size, thread, snapshot.
 */
#define MON_LIST(name, item, items, form, ...) MON_LIST_##form(L(item, items))
#define MON_LIST_PLAIN(...) __VA_ARGS__
#define MON_LIST_LIST(...) __VA_ARGS__
#define MON_LIST_OWN(...) __VA_ARGS__
#define MON_LIST_PART(...)

/*
 * One file, or several merged.  total[] is indexed by enum monout_total; what
 * is in it of sums and of numbers of items is what the file claims, see sums
 * and the n's.
 */
struct mon {
	struct arena arena;	  /* of all strings */
	const char *path;	  /* of the file */
	uint64_t size;		  /* bytes of the file */
	struct image_info *image; /* image.h; NULL: an ordinary file */
	uint16_t major, minor;
	uint32_t flags; /* MONOUT_F_* */
	struct mon_value run[MONOUT_R_MAX];
	uint64_t total[MONOUT_T_MAX];
	bool total_set[MONOUT_T_MAX];

	/* The tables: `cells', ncells of them, and cell_room, and so on. */
#define L(item, items) \
	struct mon_##item *items; \
	size_t n##items, item##_room;
	MONREC_TABLES(MON_LIST)
#undef L
	struct life_pool lives; /* of the sites */
	uint64_t *counts;	/* of fields */
	size_t ncounts, count_room;
	bool times_known; /* snapshots are; and changes, of every site: */
	bool changes_known;

	struct sums sums;	 /* of the sites */
	struct sums bin_sums;	 /* of bins and MONOUT_T_BIG_*; no reallocs */
	struct sums thread_sums; /* of threads; their number for reallocs */
	uint64_t peak_blocks, peak_bytes; /* sums of the sites' */
	struct life life;		  /* sum of the sites' */
	struct mon_use use;		  /* sum of uses */
	struct leak leak;		  /* sum of leaks */
	/* Are those tables there?  If not, their figures aren't known. */
	bool peaks_known, lives_known, threads_known, uses_known;
	/* Leaks: of some of the files; of all that have sites. */
	bool leaks_known, leaks_all;
	bool holds_known;   /* which lost blocks hold the indirect ones */
	bool marks_dropped; /* those of several files don't make one */
	bool times_dropped; /* nor are these */
	bool cells_known;   /* every site has its cells */
	bool cells_threads; /* and none is of thread 0 */
	bool vtables_known; /* live blocks were looked at */
	struct profile_sample sample; /* set by sample_scale() */
	struct mon_tally tally[MON_NKIND];
	bool incomplete;	/* something is missing */
	const char *warning[8]; /* "FILE: ...", NULL after the last */
	unsigned nwarning;
};

/*
 * mon_cells_room(): room for n more cells; where they go, or NULL when out of
 * memory.  mon_add_cell(): add one; 0 or -1.  And so on for each table.
 */
#define L(item, items) \
	static inline struct mon_##item *mon_##items##_room(struct mon *m, \
							    size_t n) \
	{ \
		struct mon_##item *a = m->items; \
\
		if (m->n##items + n <= m->item##_room) \
			return a + m->n##items; \
		a = array_grow(a, &m->item##_room, m->n##items + n, \
			       sizeof(*a)); \
		if (!a) \
			return NULL; \
		m->items = a; \
		return a + m->n##items; \
	} \
	static inline int mon_add_##item(struct mon *m, \
					 const struct mon_##item *x) \
	{ \
		struct mon_##item *a = mon_##items##_room(m, 1); \
\
		if (!a) \
			return -1; \
		*a = *x; \
		m->n##items++; \
		return 0; \
	}
MONREC_TABLES(MON_LIST)
#undef L

/* The number of a new use, or leak, which is all 0; 0 when out of memory. */
uint32_t mon_new_use(struct mon *m);
uint32_t mon_new_leak(struct mon *m);

/*
 * to += x.  Returns false, and leaves *to alone, when a sum doesn't fit 64
 * bits; that of lifetimes stops at UINT64_MAX.
 */
bool mon_use_add(struct mon_use *to, const struct mon_use *x);

/*
 * Bytes at the peak: of those who held it, where that is known; what the heap
 * counted may lack what threads hadn't told it yet.  0: not known, or none.
 */
static inline uint64_t
mon_peak(const struct mon *m)
{
	uint64_t counted = m->total[MONOUT_T_PEAK];

	return counted && m->peaks_known ? m->peak_bytes : counted;
}

/*
 * By how much mon_peak() may be wrong, bytes: the peak was at least what is
 * live at the end, and at most all that was allocated.
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

/* What is in no bin, as the totals have it. */
static inline struct amounts *
mon_big(const struct mon *m)
{
	_Static_assert(MONOUT_T_BIG_FREED == MONOUT_T_BIG_ALLOCS + 3 &&
			       sizeof(struct amounts) == 4 * sizeof(uint64_t),
		       "the totals have them in this order, side by side");
	return (struct amounts *)&m->total[MONOUT_T_BIG_ALLOCS];
}

/* Is it no return address but a type, as below? */
static inline bool
mon_node_is_type(const struct mon_node *n)
{
	return !n->module && n->addr >= MONOUT_PC_TYPE &&
	       n->addr <= MONOUT_PC_TYPE + MONOUT_TYPE_MAX;
}

/*
 * The type that the program gave to the blocks of a node, which is then one of
 * no module and stands for no call.  NULL: none.
 */
const struct mon_type *mon_type_of(const struct mon *m, uint32_t node);

/* Is the file of a merged profile, not of one run? */
static inline bool
mon_is_sum(const struct mon *m)
{
	return m->flags & MONOUT_F_SUM;
}

/* What the tables have; not *m itself. */
void mon_fini(struct mon *m);

#endif
