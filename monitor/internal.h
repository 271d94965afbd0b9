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
 *   site      a node at which something was allocated, with its counts
 *   slot      8 bytes of the live map: site, generation and size of one block
 *   thread    struct mmi_thread: what one thread needs to record an event
 *   lost      an event that couldn't be recorded for want of memory
 *
 * Contexts, as "ctx:" in the comments names them
 *   hook      in any malloc or free: in signal handlers, before main, after
 *             exit
 *   slow      called by a hook, now and then: may map memory, nothing else
 *   init      in our constructor or the first hook
 *   exit      while the file is written
 *   fork      in an atfork handler
 *   signal    in a handler of a signal
 *
 * No table here is ever locked or moved: tables grow by chunks that stay where
 * they are, entries are published with one atomic store or compare-and-swap,
 * and a reader needs no permission.  So a hook may be interrupted anywhere, by
 * a signal handler that allocates or by a fork, and the file can be written at
 * any time, from any thread, from the handler of a fatal signal too.
 */
#ifndef MEMMON_INTERNAL_H
#define MEMMON_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "monitor/arch.h"
#include "monitor/monout.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((cold, noinline))
#define EXPORT __attribute__((visibility("default")))
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
#define MMI_DEPTH_MAX 65536u

/* A key: the address below, the generation of its module above. */
#define MMI_KEY_SHIFT ARCH_ADDR_BITS
#define MMI_KEY_ADDR(k) ((k) & ((1ull << MMI_KEY_SHIFT) - 1))
#define MMI_KEY_GEN(k) ((unsigned)((k) >> MMI_KEY_SHIFT))
#define MMI_GEN_MAX 255u

/*
 * Counters of one thread; summed when the file is written.  Only the owner of
 * the struct writes; others read with LOAD.
 */
struct mmi_counters {
	uint64_t frames;  /* of all chains */
	uint64_t same;	  /* of these, as in the chain before */
	uint64_t deepest; /* frames of the longest chain */
	uint64_t cut;	  /* chains longer than the limit */
	uint64_t stopped; /* chains that couldn't be walked to the end */
	uint64_t lost;
	uint64_t lost_bytes;
	uint64_t unseen;
	uint64_t inherited;
	uint64_t reused;
	uint64_t failed;
	uint64_t big_allocs, big_bytes, big_frees, big_freed;
};

/*
 * What a thread needs to record events.  Structs are never unmapped: when a
 * thread ends, the next new one takes its struct over, counts and all.
 * Invariant: one owner at a time writes to it; `busy' is true while an event is
 * recorded, so an event that finds it true comes from a signal handler and
 * borrows another struct.
 */
struct mmi_thread {
	struct mmi_thread *next; /* all structs; set once */
	int owned;		 /* atomic: 1 while somebody's */
	int busy;		 /* see above; owner only */
	int exits;		 /* passes of the thread's destructor */
	uintptr_t stack_hi;	 /* own stack's end; 0: not known yet */
	uintptr_t stack_lo;	 /* it is readable from here */
	uintptr_t stack_gap;	 /* it isn't below this; 0: not known */
	unsigned depth;		 /* frames in prev_* */
	unsigned limit;		 /* frames that the arrays hold */
	uint64_t *chain;	 /* keys, innermost first; limit + 1 */
	uint64_t *prev_key;	 /* last chain, outermost first */
	uint32_t *prev_node;
	struct mmi_counters count;
	uint64_t allocs[MONOUT_BIN_MAX + 1]; /* by size */
	uint64_t frees[MONOUT_BIN_MAX + 1];
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
