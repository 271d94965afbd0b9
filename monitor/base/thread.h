/* SPDX-License-Identifier: MIT */
/*
 * struct mmi_thread: what a thread needs to record events, all of them in a
 * list, and which one is the caller's.  Taken and left by thread/enter.h.
 */
#ifndef MEMMON_THREAD_H
#define MEMMON_THREAD_H

#ifdef MEMMON_ACCESS
#include "monitor/abi.h"
#endif
#include "monitor/base/shared.h"

/*
 * A frame as it once stood on the thread's own stack, with its callers: if the
 * words that led from each to the next are still what they were, so is the
 * whole chain from here outwards.
 */
struct mmi_frame {
	uintptr_t pc, sp;
	uint64_t key;	       /* of pc */
	struct mmi_cell *cell; /* for blocks of one size; */
	uint32_t size_plus;    /* that size + 1; 0 if there is none */
	uint32_t path; /* in t->paths: all that is to be checked; 0: not made */
	/* Those of the chains that came after this one, newest first. */
	uint32_t follow[2];
	uint32_t parent;      /* the caller's; 0: outermost */
	uint32_t next;	      /* of the same hash; 0 ends the list */
	uint32_t node;	      /* 0: not known yet */
	uint32_t depth : 23;  /* 1 for the outermost */
	uint32_t why : 6;     /* MONOUT_PC_* outside of the outermost, or 0 */
	uint32_t need_bp : 1; /* is bp what a caller's frame is found by? */
	uint32_t odd : 1;     /* does more than a return address lead there? */
	uint32_t odds : 1;    /* or to one of its callers? */
};

_Static_assert(sizeof(struct mmi_frame) == 64, "a cache line");

/* What there is of cached frames with need_bp, and odd ones, besides. */
struct mmi_odd {
	uintptr_t bp;
	uintptr_t bp_slot;  /* parent's bp stands here; 0: it doesn't matter */
	uintptr_t cfa_slot; /* so does its sp; 0: it was computed */
#ifndef ARCH_RA_AT
	uintptr_t ra_slot; /* of all cached frames: so does its pc */
#endif
};

/* The node of a cached frame's chain with what is run in it: chain/origin.c. */
struct mmi_with_runs {
	uint64_t hash;
	uint32_t node; /* 0: none yet */
	uint32_t made; /* in t->made: of the last type, if it is still there */
};

/* A word of the stack that a chain depends on. */
struct mmi_check {
	const uintptr_t *at;
	uintptr_t value;
};

/*
 * A frame of the last chain, by its depth: what of it is compared.  Those of a
 * chain that isn't cached are below cached ones, and have their node here.
 */
struct mmi_last {
	uintptr_t sp, pc;
	uint32_t is; /* cached frame's number, gen of the key, two marks */
	uint32_t node;
#ifndef ARCH_RA_AT
	uintptr_t ra_slot; /* its caller's pc stands here, maybe signed */
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
	uint64_t rule; /* by which its caller was found: see chain/rules.h */
};

/* What a thread remembers: powers of two. */
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
 * Numbers that one thread has to itself, so that what it writes doesn't share
 * cache lines with what others write.  next == end: none.
 */
struct mmi_batch {
	uint32_t next, end;
};

/* How many outer frames two chains have in common. */
struct mmi_pair_cache {
	uint32_t one, other, common;
};

/* Where a thread stands between its samples: see sample.h. */
struct mmi_sample {
	int64_t left;	 /* bytes to the next point */
	uint64_t allocs; /* all, exactly */
	uint64_t spent;	 /* less left: bytes of all, and one for each */
	uint64_t random;
	double rest[3]; /* of weights of allocs, frees, of_others */
	bool seeded;
};

/* Sizes of the pieces that a thread keeps for pages of the live map. */
#define MMI_LIVE_SHIFTS 8u

/*
 * What a thread needs to record events.  Structs are never unmapped: when a
 * thread ends, the next new one takes its struct over, counts and all.
 * Invariant: one owner at a time writes to it.  While an event is recorded
 * `busy' isn't 0 but says where on the stack that is, so an event that finds it
 * so comes from a signal handler, and borrows another struct.
 */
struct mmi_thread {
	/* What every event touches. */
	uintptr_t busy;	     /* see above; owner only */
	int attention;	     /* others set it: recording has changed */
	uint32_t index;	     /* of the struct, from 0 */
	uint32_t owner;	     /* in the keys of its cells; see owners.h */
	uint32_t ordinal;    /* of the thread, from 1: whose blocks they are */
	uint32_t mine;	     /* the same in entries of blocks of its own; and */
	uint32_t given;	     /* in new ones; see ordinal.h */
	uint32_t mark;	     /* of new ones in flat pages, in cells */
	uint32_t marked;     /* below this; 0: none; see live.h */
	uint32_t countdown;  /* allocations until one that isn't as others */
	uint32_t until;	     /* of those, until one that is due: timed */
	bool nested;	     /* by an event that interrupted another */
	struct mmi_pub *pub; /* what it counts */
	const void *ring[MONOUT_NEAR]; /* last allocations, by seq */
	uint64_t random;
	uintptr_t asking; /* where its event asks the allocator, or 0 */

	struct mmi_sample sample;

	/* Chains. */
	uintptr_t stack_hi;  /* own stack's end; 0: not known yet */
	uintptr_t stack_lo;  /* it is readable from here */
	uintptr_t stack_gap; /* it isn't below this; 0: not known */
	uint64_t state;	     /* of modules.h, when frames were cached */
	uint32_t last_node;  /* of the last chain */
	uint32_t shortened; /* its node, if there was no memory for all of it */
	uint32_t last_frame; /* likewise, or 0 */
	unsigned limit;	    /* frames that a walk may go over */
	unsigned depth;	    /* of these, how many a chain keeps at most */
	unsigned cutting;   /* so many walks more go over no more than that */
	unsigned nframes;    /* of frames[] in use; [0] never is */
	unsigned frame_room;
	bool many_frames;    /* all of what finds them is in use */
	bool own_frames;     /* some are the monitor's own code, as ... */
	uint32_t own_of;     /* ... of the chain of this one, or 0, ... */
	unsigned own;	     /* ... so many are */
	struct mmi_frame *frames;
	bool ran;	     /* of runs[] some is in use */
	struct mmi_odd *odds;	 /* one for each */
	struct mmi_with_runs *runs;
	struct mmi_check *paths; /* of those that are met often */
	unsigned npaths;
	struct mmi_last *last; /* [1]: outermost; [0].sp: above all */
	unsigned nlast;
	struct mmi_fresh *fresh;
	/* Since frames[] was empty: walks; and the seq of then. */
	uint32_t walks;
	uint64_t walks_from;
	uint32_t uncached; /* so many walks more aren't cached */
	/*
	 * A chain that isn't cached: keys, innermost first; the frame of the
	 * last chain that they are below, which has its node, or 0; and, once
	 * they have theirs, how many the last chain has with them.
	 */
	uint64_t *chain;
	unsigned nchain;
	unsigned below, nbelow;
	unsigned nfresh, nmet; /* of fresh[]; of last[] outside of these */
	unsigned why; /* MONOUT_PC_* outside of it, or 0 */
	uintptr_t end_sp; /* sp of its outermost frame, if that isn't cached */
	bool apart; /* the walk doesn't begin with the present registers */

	/* Traced calls: see chain/traced.h. */
	struct mmi_traced_thread *traced; /* the owner's; NULL: none yet */
	struct mmi_frame *made; /* see cached_frames.h */
	uint64_t made_state;	/* of modules.h, of then; 0: there are none */

	/* Memory of its own; below, in the image. */
	char *pool;
	size_t pool_left;
	char *page;
	size_t page_left;
	uint64_t *bucket[MMI_LIVE_SHIFTS]; /* free ones, by size */
	uint32_t timed;		   /* first of the free ones */
	uint32_t ntimed;		   /* how many they are */
	struct mmi_batch batch;		   /* cells */
	struct mmi_batch spare;		   /* nodes: one, or none */
	struct mmi_batch spare_step;	   /* likewise, of chain/sites.c */

	/* Seldom needed. */
	struct mmi_thread *next;  /* all structs; set once */
	struct mmi_thread *nesting; /* of events in handlers, newest first */
	struct mmi_thread *nested_next;
	uint32_t counter_owner;
	uint32_t next_free; /* index + 1, while nobody's */
	int exits;	    /* passes of the thread's destructor */
	struct mmi_log_buffer *log; /* NULL: none, or not yet */
	uint32_t stops;	    /* of control.h, that its ring knows of */
	uint64_t due_at;    /* when one was timed, or would have been */
	/* The time of its last event, as long as the counts are these: see
	 * record/times.h. */
	uint64_t look_at;
	uint64_t look_allocs, look_frees;
	bool looked; /* look_at is of the present event */
	uint32_t noted;	    /* history.h: a cell with notes, or 0 */
	uint32_t packed;    /* of history.c, when its notes were packed last */
	uint64_t notes;	    /* that it made */
	uint64_t lived;	    /* ns: the sample whose use is about to be added */
#ifdef MEMMON_ACCESS
	struct memmon_access_state access_state __attribute__((aligned(64)));
	/* Atomic: the frame in which it adds to a record of shadow/ranges.c. */
	uintptr_t in_range;
	uint64_t renewed_before; /* of access_state, when last asked */
#endif

	uint32_t frame_hash[MMI_FRAME_HASH];
	uint32_t recent[MMI_RECENT_HASH][2];
	struct mmi_node_cache nodes[MMI_NODE_CACHE];
	struct mmi_pair_cache pairs[MMI_PAIR_CACHE];
	uint32_t cells[MMI_CELL_CACHE]; /* by node and size; 0: none */
};

/* The thread's own struct; NULL: none yet. */
extern TLS struct mmi_thread *mmi_thread_me;

/* Stands in mmi_thread_me when the thread is ending: its events borrow. */
extern struct mmi_thread mmi_thread_ended;

/*
 * Where the calling thread counts what isn't sampled (record/sample.h); NULL:
 * not known yet, or nowhere, or what it does now is the monitor's own doing.
 * Whoever makes it so sets it.
 */
extern TLS struct mmi_sample *mmi_sample_mine;

/* The thread's own struct, or NULL when it has none (yet).  ctx: any. */
static inline struct mmi_thread *
mmi_thread_self(void)
{
	return mmi_thread_me == &mmi_thread_ended ? NULL : mmi_thread_me;
}

/* How deep they are nested, and whether the thread is in the next allocator. */
#define MMI_THREAD_WITHIN (1 << 30)
extern TLS int mmi_thread_own_doing;

/*
 * Between the two, what this thread allocates is the monitor's own doing and
 * isn't recorded and comes from memory of its own.  Signals are blocked, as
 * what a handler allocates isn't the monitor's.  They nest.  ctx: init, exit.
 */
void mmi_thread_internal_begin(void);
void mmi_thread_internal_end(void);
static inline bool
mmi_thread_internal(void) /* ctx: hook */
{
	return UNLIKELY((mmi_thread_own_doing & ~MMI_THREAD_WITHIN) != 0);
}

/* The same, or is it marked as within the next allocator (thread/within.h)? */
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
 * before there is a second thread.
 */
void mmi_thread_stop(void);
bool mmi_thread_stopped(void); /* ctx: any */

/*
 * Whose events alone are recorded: of the thread whose mmi_thread_own_doing it
 * is.  NULL: of all.  See resync.h.
 */
extern HIDDEN const int *mmi_thread_alone;

/* Is this thread one of the others?  ctx: any. */
static inline bool
mmi_thread_frozen(void)
{
	const int *alone = LOAD_ACQ(&mmi_thread_alone);

	return UNLIKELY(alone != NULL) && alone != &mmi_thread_own_doing;
}

/*
 * A loader runs the program at that path, by its arguments; so threads have the
 * loader's name.  mmi_thread_rename() replaces the loader's name by the
 * program's, and changes no other name.  ctx: init; any.
 */
void mmi_thread_names(const char *program);
void mmi_thread_rename(char name[16]);

/* Look up the owner's name for its counts.  ctx: slow. */
void mmi_thread_name(struct mmi_thread *t);

/* A new struct, which is never removed, joins the list.  ctx: slow. */
void mmi_thread_add(struct mmi_thread *t);

/* All structs, to sum their counts: start with NULL.  ctx: any. */
const struct mmi_thread *mmi_thread_next(const struct mmi_thread *t);

/*
 * mmi_thread_next() of those only that had an event since the last reset.  ctx:
 * any.
 */
const struct mmi_thread *mmi_thread_next_now(const struct mmi_thread *t);

#endif
