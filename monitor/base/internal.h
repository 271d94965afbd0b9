/* SPDX-License-Identifier: MIT */
/*
 * What the files of monitor/ share.  Start with monitor/README.
 *
 * Glossary
 *   hook      a function of ours that stands in for one of the allocator's
 *   event     one allocation or one free, as a hook reports it
 *   chain     return addresses from the caller of the hook outwards
 *   key       a return address, tagged in its upper bits with the generation of
 *             its module, so that a reused address is another key
 *   node      a key below another node: one calling context, or all those that
 *             differ only in how they recurred (chain/fold.h)
 *   cell      the counts of one thread for blocks of one size from one node;
 *             a site is a node with its cells
 *   entry     4 or 8 bytes of the live map: cell, and what else must be known
 *             of one live block
 *   timed     of a few live blocks: when it was made, how often resized
 *   thread    struct mmi_thread: what one thread needs to record an event
 *   lost      an event that couldn't be recorded, mostly for want of memory
 *
 * The contexts that "ctx:" names in comments, and why no table is ever locked:
 * see there.  A counter that each event changes has one thread that writes it;
 * all are summed when the file is written.
 */
#ifndef MEMMON_INTERNAL_H
#define MEMMON_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Counts that several threads read: in tests, now and then late (fault.h). */
#ifdef MEMMON_FAULT
#define LATE mmi_fault_late()
#else
#define LATE (void)0
#endif
#define LOAD(p) (LATE, __atomic_load_n(p, __ATOMIC_RELAXED))
#define STORE(p, v) (LATE, __atomic_store_n(p, v, __ATOMIC_RELAXED))
#define LOAD_ACQ(p) (LATE, __atomic_load_n(p, __ATOMIC_ACQUIRE))
#define STORE_REL(p, v) (LATE, __atomic_store_n(p, v, __ATOMIC_RELEASE))
#define FETCH_ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define SWAP(p, v) __atomic_exchange_n(p, v, __ATOMIC_ACQ_REL)
#define CAS(p, old, new) \
	__atomic_compare_exchange_n(p, old, new, false, __ATOMIC_ACQ_REL, \
				    __ATOMIC_ACQUIRE)

/* Make *p v if that is more, while other threads may do the same. */
static inline void
mmi_raise(uint64_t *p, uint64_t v)
{
	uint64_t was = LOAD(p);

	while (v > was && !CAS(p, &was, v))
		;
}

/* Frames of a chain, unless MEMMON_DEPTH says otherwise. */
#define MMI_DEPTH_DEFAULT 1024u
#define MMI_DEPTH_MAX 1048575u

/*
 * A key: the address below, of as many bits as any CPU has, the generation of
 * its module above.
 */
#define MMI_KEY_SHIFT 48u
#define MMI_KEY_ADDR(k) ((k) & ((1ull << MMI_KEY_SHIFT) - 1))
#define MMI_KEY_GEN(k) ((unsigned)((k) >> MMI_KEY_SHIFT))
#define MMI_GEN_MAX 239u
#define MMI_GEN_OWN 240u  /* the monitor's own code, which is in no chain */
#define MMI_GEN_NONE 255u /* in no module, or in one without an entry */
/* Those between are in none either: generated code, see generated.h. */

struct mmi_thread;

static inline unsigned
mmi_class(uint64_t size)
{
	return size <= MONOUT_SMALL_MAX	   ? MONOUT_SMALL
	       : size <= MONOUT_MEDIUM_MAX ? MONOUT_MEDIUM
	       : size <= MONOUT_LARGE_MAX  ? MONOUT_LARGE
					   : MONOUT_XLARGE;
}

/*
 * Wait so long, less than a second.  Not by nanosleep(2), after which a system
 * call that was interrupted in this thread can't go on: when the library comes
 * to a process that runs, a thread is made to call it in the midst of one.
 */
static inline void
mmi_wait_ms(unsigned ms)
{
	long t[2] = { 0, ms * 1000000l };

	ARCH_SYS(SYS_pselect6, 0, 0, 0, 0, t, 0);
}

#endif
