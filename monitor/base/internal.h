/* SPDX-License-Identifier: MIT */
/*
 * What the files of monitor/ share.  Start with README in this folder.
 *
 * Glossary
 *   hook      a function of ours that stands in for one of the allocator's
 *   event     one allocation or one free, as a hook reports it
 *   chain     return addresses from the caller of the hook outwards
 *   key       a return address, tagged in its upper bits with the generation of
 *             its module, so that a reused address is another key
 *   node      a key below another node: one calling context
 *   cell      the counts of one thread for blocks of one size from one node;
 *             a site is a node with its cells
 *   entry     8 bytes of the live map: cell, and what else must be known of
 *             one live block
 *   stamp     more about a live block: when it was made, how often resized
 *   thread    struct mmi_thread: what one thread needs to record an event
 *   lost      an event that couldn't be recorded, mostly for want of memory
 *
 * Contexts, as "ctx:" in the comments names them
 *   hook      in any malloc or free: in signal handlers, before main, after
 *             exit
 *   slow      called by a hook, now and then: may make system calls that leave
 *             the program as it is, as for memory, and read the clock
 *   init      in our constructor or the first hook
 *   exit      while the file is written
 *   fork      in an atfork handler
 *   signal    in a handler of a signal
 *
 * No table here is ever locked or moved: tables grow by chunks that stay where
 * they are, entries are published with one atomic store or compare-and-swap,
 * and a reader needs no permission.  (The one exception, a page of the live map
 * that gets more room, is explained in live.c.)  So a hook may be interrupted
 * anywhere, by a signal handler that allocates or by a fork, and the file can
 * be written at any time, from any thread, from the handler of a fatal signal
 * too.  A counter that each event changes has one thread that writes it; all
 * are summed when the file is written.
 */
#ifndef MEMMON_INTERNAL_H
#define MEMMON_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef MEMMON_ACCESS
#include "monitor/access/abi.h"
#endif
#include "monitor/base/arch.h"
#include "monitor/monout.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((cold, noinline))
#define EXPORT __attribute__((visibility("default")))
/*
 * Shows a function as glibc does from that version on, and not by the plain
 * name, so that a program doesn't find in us what its libc lacks: linked with a
 * libc that has it, it gets ours.  By the first version of versions.map so does
 * a reference that has none.  The last one is `, remove', which is the plain
 * name.
 */
#define VERSIONED(name, version) \
	__asm__(".symver " #name ", " #name "@GLIBC_" version);
/* Of data that hooks read: where it is needs no look-up. */
#define HIDDEN __attribute__((visibility("hidden")))
#define TLS __thread __attribute__((tls_model("initial-exec")))

#define LOAD(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#define STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
#define LOAD_ACQ(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define STORE_REL(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define FETCH_ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define SWAP(p, v) __atomic_exchange_n(p, v, __ATOMIC_ACQ_REL)
#define CAS(p, old, new) \
	__atomic_compare_exchange_n(p, old, new, false, __ATOMIC_ACQ_REL, \
				    __ATOMIC_ACQUIRE)

/* Frames of a chain, unless MEMMON_DEPTH says otherwise. */
#define MMI_DEPTH_DEFAULT 1024u
#define MMI_DEPTH_MAX 1048575u

/* A key: the address below, the generation of its module above. */
#define MMI_KEY_SHIFT ARCH_ADDR_BITS
#define MMI_KEY_ADDR(k) ((k) & ((1ull << MMI_KEY_SHIFT) - 1))
#define MMI_KEY_GEN(k) ((unsigned)((k) >> MMI_KEY_SHIFT))
#define MMI_GEN_MAX 254u
#define MMI_GEN_NONE 255u /* in no module */

/*
 * Counters of one thread, by the totals that they become (monout.h); summed
 * when the file is written.  Only the owner of the struct writes; others read
 * with LOAD.
 */
struct mmi_counters {
	MONOUT_COUNTERS(MONOUT_COUNTER)
};

/* What a thread did, for the table of threads; allocs besides its seq. */
struct mmi_deeds {
	uint64_t allocs, bytes, frees, freed, foreign;
};

/*
 * What the owner of a struct mmi_thread counts, besides its cells: apart, since
 * it stands in the image.
 */
struct mmi_pub {
	uint64_t taken;	    /* 1 */
	uint64_t seq;	    /* allocations of all its owners so far */
	uint64_t seq_first; /* before its present owner's first */
	int64_t delta;	    /* live bytes not yet in the process's count */
	struct mmi_deeds deeds;
	struct mmi_deeds handlers; /* of events that interrupted its own */
	struct mmi_counters count;
	uint32_t epoch; /* of control.h, that the counts are of */
	uint32_t unused;
	int64_t tid;   /* 0: nobody's */
	uint64_t seen; /* its last timed event, ns on the monotonic clock */
	char name[16]; /* the owner's, when last looked at */
};

/*
 * A frame as it once stood on the thread's own stack, with its callers: if the
 * words that led from each to the next are still what they were, so is the
 * whole chain from here outwards.
 */
struct mmi_spot {
	uintptr_t pc, sp;
	uintptr_t ret;		 /* to parent->pc; see spots.h */
	struct mmi_spot *parent; /* the caller's; NULL: outermost */
	struct mmi_cell *cell;	 /* for blocks of one size; */
	uint32_t size_plus;	 /* that size + 1; 0: there is none */
	uint32_t path; /* in t->paths: all that is to be checked; 0: not made */
	/* The spots of the chains that came after this one, newest first. */
	uint32_t follow[2];
	uint32_t node;	 /* 0: not known yet */
	uint8_t need_bp; /* is bp what a caller's frame is found by? */
	uint8_t why;	 /* MONOUT_PC_* outside of the outermost, or 0 */
	uint16_t unused;
};

/* What of a spot is seldom needed. */
struct mmi_odd {
	uint32_t next;	/* spot of the same hash; 0 ends the list */
	uint32_t depth; /* 1 for the outermost */
	uint64_t key;
	uintptr_t bp;
	uintptr_t bp_slot;  /* parent's bp stands here; 0: it doesn't matter */
	uintptr_t cfa_slot; /* so does its sp; 0: it was computed */
};

/* A word of the stack that a chain depends on. */
struct mmi_check {
	const uintptr_t *at;
	uintptr_t value;
};

/* A frame that isn't known as a spot; innermost first. */
struct mmi_fresh {
	uint64_t key;
	uintptr_t sp, bp;
	uintptr_t bp_slot;  /* where the caller's bp is saved; 0: still in bp */
	uintptr_t cfa_slot; /* where the CFA was read from; 0: computed */
	bool uses_bp;
};

/* What a thread remembers: powers of two. */
#define MMI_SPOT_HASH 16384u
#define MMI_NODE_CACHE 1024u
#define MMI_CELL_CACHE 1024u
#define MMI_PAIR_CACHE 256u

struct mmi_node_cache {
	uint64_t key;
	uint32_t parent, node;
};

struct mmi_cell_cache {
	uint64_t size;
	uint32_t node, cell;
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
	double rest[3]; /* of weights of allocs, frees, foreign */
	bool seeded;
};

/* Sizes of the pieces that a thread keeps for pages of the live map. */
#define MMI_LIVE_SHIFTS 10u

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
	uint32_t owner;	     /* in the keys of its cells; see lanes.h */
	uint32_t ordinal;    /* of the thread, from 1: whose blocks they are */
	uint32_t mine;	     /* ordinal, if the thread's own struct; else 0 */
	uint32_t countdown;  /* allocations until one that isn't as others */
	uint32_t until;	     /* of those, until one that is due: timed */
	bool lent;	     /* by an event that interrupted another */
	struct mmi_pub *pub; /* what it counts */
	const void *ring[MONOUT_NEAR]; /* last allocations, by seq */
	uint64_t random;

	struct mmi_sample sample;

	/* Chains. */
	uintptr_t stack_hi;  /* own stack's end; 0: not known yet */
	uintptr_t stack_lo;  /* it is readable from here */
	uintptr_t stack_gap; /* it isn't below this; 0: not known */
	uint64_t state;	     /* of modules.h, when the spots were made */
	uint32_t last_node;  /* of the last chain */
	uint32_t shortened; /* its node, if there was no memory for all of it */
	uint32_t last_spot; /* likewise, or 0 */
	unsigned limit;	    /* frames that a chain may have */
	unsigned nspots;    /* of spots[] in use; [0] never is */
	unsigned spot_room;
	struct mmi_spot *spots;
	struct mmi_odd *odds;	 /* one for each */
	struct mmi_check *paths; /* of spots that are met often; see spots.h */
	unsigned npaths;
	struct mmi_fresh *fresh;
	/* A chain that can't be remembered as spots: keys, innermost first. */
	uint64_t *chain;
	unsigned nchain;
	unsigned why; /* MONOUT_PC_* outside of it, or 0 */

	/* Memory of its own; below, in the image. */
	char *pool;
	size_t pool_left;
	char *page;
	size_t page_left;
	uint64_t *bucket[MMI_LIVE_SHIFTS]; /* free ones, by size */
	uint32_t stamps;		   /* first of the free ones */
	uint32_t nstamps;		   /* how many they are */
	struct mmi_batch batch;		   /* cells */
	struct mmi_batch spare;		   /* nodes: one, or none */

	/* Seldom needed. */
	struct mmi_thread *next;  /* all structs; set once */
	struct mmi_thread *lents; /* lent to handlers, newest first */
	struct mmi_thread *lent_next;
	uint32_t lane;
	uint32_t next_free; /* index + 1, while nobody's */
	int exits;	    /* passes of the thread's destructor */
	struct mmi_log_buffer *log; /* NULL: none, or not yet */
	uint32_t stops;	    /* of control.h, that its ring knows of */
	uint64_t due_at;    /* when one was timed, or would have been */
	uint32_t noted;	    /* history.h: a cell with notes, or 0 */
	uint32_t packed;    /* of history.c, when its notes were packed last */
	uint64_t notes;	    /* that it made */
#ifdef MEMMON_ACCESS
	struct memmon_here here __attribute__((aligned(64)));
#endif

	uint32_t spot_hash[MMI_SPOT_HASH];
	struct mmi_node_cache nodes[MMI_NODE_CACHE];
	struct mmi_pair_cache pairs[MMI_PAIR_CACHE];
	struct mmi_cell_cache cells[MMI_CELL_CACHE];
};

static inline unsigned
mmi_class(uint64_t size)
{
	return size <= MONOUT_SMALL_MAX	   ? MONOUT_SMALL
	       : size <= MONOUT_MEDIUM_MAX ? MONOUT_MEDIUM
	       : size <= MONOUT_LARGE_MAX  ? MONOUT_LARGE
					   : MONOUT_XLARGE;
}

#endif
