/* SPDX-License-Identifier: MIT */
/*
 * struct mmi_thread: the data that a thread needs to record events; a list of
 * all of them; and the caller's one.  thread/enter.h takes and leaves it.
 */
#ifndef MEMMON_THREAD_H
#define MEMMON_THREAD_H

#ifdef MEMMON_ACCESS
#include "monitor/abi.h"
#endif
#include "monitor/base/shared.h"

/*
 * A frame that was on the thread's own stack, with its callers.  If the words
 * that led from each frame to the next are unchanged, the whole call path from
 * here outwards is, too.
 */
struct mmi_frame {
	uintptr_t pc, sp;
	uint64_t key;	       /* of pc */
	struct mmi_cell *cell; /* for blocks of one size */
	uint32_t size_plus;    /* that size + 1; 0: no cell */
	uint32_t path; /* in t->paths: the words to compare; 0: none */
	/* Frames of the call paths that followed this one, newest first. */
	uint32_t follow[2];
	uint32_t parent;      /* the caller's; 0: outermost */
	uint32_t next;	      /* of the same hash; 0 ends the list */
	uint32_t node;	      /* 0: not known yet */
	uint32_t depth : 23;  /* 1 for the outermost */
	uint32_t why : 6;     /* MONOUT_PC_* outside the outermost, or 0 */
	uint32_t need_bp : 1; /* does a caller's frame depend on bp? */
	uint32_t odd : 1;     /* do more words than the return address lead to
			       * it? */
	uint32_t odds : 1;    /* or to one of its callers? */
};

_Static_assert(sizeof(struct mmi_frame) == 64, "a cache line");

/* More data of cached frames with need_bp, and of odd ones. */
struct mmi_odd {
	uintptr_t bp;
	uintptr_t bp_slot;  /* place of the parent's bp; 0: not needed */
	uintptr_t cfa_slot; /* place of its sp; 0: it was computed */
#ifndef ARCH_RA_AT
	uintptr_t ra_slot; /* all cached frames: place of its pc */
#endif
};

/* The node of a cached frame with interpreted functions: chain/origin.c. */
struct mmi_with_runs {
	uint64_t hash;
	uint32_t node; /* 0: none yet */
	uint32_t made; /* in t->made: frame of the last type, maybe reused */
};

/* A word of the stack that a call path depends on. */
struct mmi_check {
	const uintptr_t *at;
	uintptr_t value;
};

/*
 * A frame of the last call path, by its depth: the fields to compare.  Frames
 * that aren't cached are below cached ones, and have their node here.
 */
struct mmi_last {
	uintptr_t sp, pc;
	uint32_t is; /* cached frame's number, gen of the key, two marks */
	uint32_t node;
#ifndef ARCH_RA_AT
	uintptr_t ra_slot; /* place of its caller's pc, maybe signed */
#endif
};
#define MMI_LAST_FRAMES ((1u << 22) - 1) /* 0: none */
#define MMI_LAST_GEN 22u
#define MMI_LAST_ODD (1u << 30) /* as in the cached frame */
#define MMI_LAST_ODDS (1u << 31)
_Static_assert(MMI_DEPTH_MAX < MMI_LAST_FRAMES / 2, "cached frames");

/* A frame that isn't cached; innermost first. */
struct mmi_fresh {
	uint64_t key;
	uintptr_t sp, bp;
	uint64_t rule; /* led to its caller: see chain/rules.h */
};

/* Sizes of a thread's caches: powers of two. */
#define MMI_FRAME_HASH 8192u
#define MMI_RECENT_HASH 1024u
#define MMI_NODE_CACHE 1024u
#define MMI_MADE_FRAMES 1024u
#define MMI_CELL_CACHE 4096u
#define MMI_PAIR_CACHE 256u

struct mmi_node_cache {
	uint64_t key;
	uint32_t parent, node;
};

/*
 * Numbers for one thread alone: its items share no cache lines with those of
 * other threads.  next == end: none.
 */
struct mmi_batch {
	uint32_t next, end;
};

/* How many outer frames two call paths have in common. */
struct mmi_pair_cache {
	uint32_t one, other, common;
};

/* A thread's state of sampling: see sample.h. */
struct mmi_sample {
	int64_t left;	 /* bytes to the next point */
	uint64_t allocs; /* all, exactly */
	uint64_t spent;	 /* less left: bytes of all, and one for each */
	uint64_t random;
	double rest[3]; /* of weights of allocs, frees, of_others */
	bool seeded;
};

/* Sizes of the buckets that a thread keeps for pages of the live map. */
#define MMI_LIVE_SHIFTS 8u

/*
 * The data of a thread for recording events.  Structs are never unmapped: when
 * a thread ends, the next new one takes its struct over with all counts.
 * Invariant: one owner at a time writes to it.  While an event is recorded,
 * `busy' is its place on the stack, not 0.  An event that finds it set comes
 * from a signal handler, and borrows another struct.
 */
struct mmi_thread {
	/* Used by every event. */
	uintptr_t busy;	     /* see above; owner only */
	int attention;	     /* set by others: recording has changed */
	uint32_t index;	     /* of the struct, from 0 */
	uint32_t owner;	     /* in the keys of its cells; see owners.h */
	uint32_t ordinal;    /* of the thread, from 1, for its blocks */
	uint32_t mine;	     /* ordinal in entries of its own blocks; */
	uint32_t given;	     /* in new entries; see ordinal.h */
	uint32_t mark;	     /* in new entries of flat pages, for cells */
	uint32_t marked;     /* below `marked'; 0: none; see live.h */
	uint32_t countdown;  /* allocations to an unusual one */
	uint32_t until;	     /* unusual ones to the next timed one */
	bool nested;	     /* by an event that interrupted another */
	struct mmi_pub *pub; /* its counts */
	const void *ring[MONOUT_NEAR]; /* last allocations, by seq */
	uint64_t random;
	uintptr_t asking; /* where on the stack it asks the allocator, or 0 */

	struct mmi_sample sample;

	/* Call paths. */
	uintptr_t stack_hi;  /* own stack's end; 0: not known yet */
	uintptr_t stack_lo;  /* it is readable from here */
	uintptr_t stack_gap; /* not below this; 0: not known */
	uint64_t state;	     /* of modules.h, for cached frames */
	uint32_t last_node;  /* of the last call path */
	uint32_t shortened; /* its node, if it was shortened */
	uint32_t last_frame; /* its frame, or 0 */
	unsigned limit;	    /* most frames of a walk */
	unsigned depth;	    /* most frames of a call path */
	unsigned cutting;   /* further walks of at most `depth' frames */
	unsigned nframes;    /* used ones of frames[]; never [0] */
	unsigned frame_room;
	bool many_frames;    /* all buckets of frames are used */
	bool own_frames;     /* some are the monitor's own */
	uint32_t own_of;     /* call path of the frame own_of, or 0, */
	unsigned own;	     /* has `own' of them */
	struct mmi_frame *frames;
	bool ran;	     /* is a part of runs[] used? */
	struct mmi_odd *odds;	 /* one for each frame */
	struct mmi_with_runs *runs;
	struct mmi_check *paths; /* of frames found often */
	unsigned npaths;
	struct mmi_last *last; /* [1]: outermost; [0].sp: above all */
	unsigned nlast;
	struct mmi_fresh *fresh;
	/* Walks since frames[] was empty; and its seq at that time. */
	uint32_t walks;
	uint64_t walks_from;
	uint32_t uncached; /* further walks that aren't cached */
	/*
	 * A call path that isn't cached: keys, innermost first.  below: the
	 * frame of the last call path that they are below, which has its node,
	 * or 0.  nbelow: the length of the last call path with them, once they
	 * have nodes.
	 */
	uint64_t *chain;
	unsigned nchain;
	unsigned below, nbelow;
	unsigned nfresh, nmet; /* of fresh[]; of last[] outside these */
	unsigned why; /* MONOUT_PC_* outside it, or 0 */
	uintptr_t end_sp; /* sp of its outermost frame, if uncached */
	bool apart; /* the walk begins elsewhere than here */

	/* Traced calls: see chain/traced.h. */
	struct mmi_traced_thread *traced; /* the owner's; NULL: none yet */
	struct mmi_frame *made; /* see cached_frames.h */
	uint64_t made_state;	/* of modules.h, for made[]; 0: none */

	/* Memory of its own; page: in the image. */
	char *pool;
	size_t pool_left;
	char *page;
	size_t page_left;
	uint64_t *bucket[MMI_LIVE_SHIFTS]; /* free ones, by size */
	uint32_t timed;		   /* first of the free ones */
	uint32_t ntimed;		   /* how many free ones */
	struct mmi_batch batch;		   /* cells */
	struct mmi_batch spare;		   /* nodes: one or none */
	struct mmi_batch spare_step;	   /* steps: one or none */

	/* Seldom needed. */
	struct mmi_thread *next;  /* all structs; set once */
	struct mmi_thread *nesting; /* for handlers' events, newest first */
	struct mmi_thread *nested_next;
	uint32_t counter_owner;
	uint32_t next_free; /* index + 1, while free */
	int exits;	    /* passes of the thread's destructor */
	struct mmi_log_buffer *log; /* NULL: none (yet) */
	uint32_t stops;	    /* of control.h, for its ring */
	uint64_t due_at;    /* time when the last one was due to be timed */
	/* The time of its last event, while the counts are these: see
	 * record/times.h. */
	uint64_t look_at;
	uint64_t look_allocs, look_frees;
	bool looked; /* look_at is the present event's */
	uint32_t noted;	    /* history.h: a cell with notes, or 0 */
	uint32_t packed;    /* of history.c, when it last packed */
	uint64_t notes;	    /* how many it made */
	uint64_t lived;	    /* ns: lifetime of a sample that is added */
#ifdef MEMMON_ACCESS
	struct memmon_access_state access_state __attribute__((aligned(64)));
	/* Atomic: the frame that is adding to a record of shadow/ranges.c. */
	uintptr_t in_range;
	uint64_t renewed_before; /* access_state's, last time */
#endif

	uint32_t frame_hash[MMI_FRAME_HASH];
	uint32_t recent[MMI_RECENT_HASH][2];
	struct mmi_node_cache nodes[MMI_NODE_CACHE];
	struct mmi_pair_cache pairs[MMI_PAIR_CACHE];
	uint32_t cells[MMI_CELL_CACHE]; /* by node and size; 0: none */
};

/* The thread's own struct; NULL: none yet. */
extern TLS struct mmi_thread *mmi_thread_me;

/*
 * The value of mmi_thread_me while the thread ends: its events borrow a struct.
 */
extern struct mmi_thread mmi_thread_ended;

/*
 * The calling thread's counts of unsampled blocks (record/sample.h).  NULL: not
 * known yet, no struct, or the monitor itself is working.  The code that
 * changes this state sets it.
 */
extern TLS struct mmi_sample *mmi_sample_mine;

/* The thread's own struct; NULL: none (yet).  ctx: any. */
static inline struct mmi_thread *
mmi_thread_self(void)
{
	return mmi_thread_me == &mmi_thread_ended ? NULL : mmi_thread_me;
}

/*
 * How deeply they are nested, and whether the thread is in the next allocator.
 */
#define MMI_THREAD_WITHIN (1 << 30)
extern TLS int mmi_thread_own_doing;

/*
 * Between the two, allocations of this thread are the monitor's own: they
 * aren't recorded and come from memory of their own.  Signals are blocked,
 * because a handler's allocations aren't the monitor's.  Calls may nest.
 * ctx: init, exit.
 */
void mmi_thread_internal_begin(void);
void mmi_thread_internal_end(void);
static inline bool
mmi_thread_internal(void) /* ctx: hook */
{
	return UNLIKELY((mmi_thread_own_doing & ~MMI_THREAD_WITHIN) != 0);
}

/* The same, or is the thread in the next allocator (thread/within.h)? */
static inline bool
mmi_thread_apart(void) /* ctx: hook */
{
	return UNLIKELY(mmi_thread_own_doing != 0);
}

/*
 * Take a flag, 0 at first, that one thread at a time holds.  False: another
 * thread holds the flag.  Until mmi_thread_release() the thread blocks all
 * signals but SIGTRAP, SIGSYS and SIGBUS: a handler of another signal can't
 * find the flag held, or leave the flag held by a jump.  A handler of these
 * three gets false.  The file that defines a flag resets the flag in the child
 * of a fork (process/start.c).  ctx: slow.
 */
bool mmi_thread_hold(int *flag);
void mmi_thread_release(int *flag);

/*
 * From now on no thread gets a struct, so nothing is recorded.  ctx: init,
 * while there is only one thread.
 */
void mmi_thread_stop(void);
bool mmi_thread_stopped(void); /* ctx: any */

/*
 * If not NULL, only events of one thread are recorded: of the thread with this
 * mmi_thread_own_doing.  See resync.h.
 */
extern HIDDEN const int *mmi_thread_alone;

/* Is this a thread whose events aren't recorded now?  ctx: any. */
static inline bool
mmi_thread_frozen(void)
{
	const int *alone = LOAD_ACQ(&mmi_thread_alone);

	return UNLIKELY(alone != NULL) && alone != &mmi_thread_own_doing;
}

/*
 * A loader runs the program at that path, so threads have the loader's name.
 * mmi_thread_rename() replaces the loader's name by the program's, and changes
 * no other name.  ctx: init; any.
 */
void mmi_thread_names(const char *program);
void mmi_thread_rename(char name[16]);

/* Looks up the owner's name for its counts.  ctx: slow. */
void mmi_thread_name(struct mmi_thread *t);

/* Adds a new struct to the list; it is never removed.  ctx: slow. */
void mmi_thread_add(struct mmi_thread *t);

/* All structs, to sum up their counts: start with NULL.  ctx: any. */
const struct mmi_thread *mmi_thread_next(const struct mmi_thread *t);

/*
 * mmi_thread_next() for threads with an event since the last reset.  ctx: any.
 */
const struct mmi_thread *mmi_thread_next_now(const struct mmi_thread *t);

#endif
