/* SPDX-License-Identifier: MIT */
/*
 * What the files of monitor/ share.  Start with monitor/README.
 *
 * Glossary
 *   hook      a function of ours that replaces a function of the allocator
 *   event     one allocation or one free, as a hook reports it
 *   call path return addresses from the caller of the hook outwards; `chain' in
 *             names
 *   key       a return address, with the generation of its library in its upper
 *             bits, so a reused address is another key
 *   node      a key below another node: one calling context, or all contexts
 *             that differ only in their recursion (chain/fold.h)
 *   cell      the counts of one thread for blocks of one size from one node;
 *             a site is a node with its cells
 *   entry     4 or 8 bytes of the live map: the cell, and other data of one
 *             live block
 *   timed     of a few live blocks: when it was made, how often resized
 *   thread    struct mmi_thread: what one thread needs to record an event
 *   lost      unrecorded: an event that couldn't be recorded, usually for lack
 *             of memory
 *
 * monitor/README explains the contexts after "ctx:" in comments, and why no
 * table is ever locked.  A counter that each event changes is written by one
 * thread; all are summed up when the file is written.
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
 * Gives a function the symbol version of glibc, and hides its plain name, so
 * that a program doesn't find here a function that its libc lacks.  A program
 * linked with a libc that has the function gets ours.  A reference without a
 * version gets ours by the first version of versions.map.  The last VERSIONED
 * of a function is `, remove': the plain name.
 */
#define VERSIONED(name, version) \
	__asm__(".symver " #name ", " #name "@GLIBC_" version);
/* For data that hooks read: their place needs no look-up. */
#define HIDDEN __attribute__((visibility("hidden")))
#define TLS __thread __attribute__((tls_model("initial-exec")))

/* Counts that several threads read; in tests sometimes delayed (fault.h). */
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

/* Raises *p to v if v is more; other threads may raise it, too. */
static inline void
mmi_raise(uint64_t *p, uint64_t v)
{
	uint64_t was = LOAD(p);

	while (v > was && !CAS(p, &was, v))
		;
}

/* Frames of a call path, unless MEMMON_DEPTH sets another number. */
#define MMI_DEPTH_DEFAULT 1024u
#define MMI_DEPTH_MAX 1048575u

/*
 * A key: the address below, with as many bits as any CPU has, and the
 * generation of its library above.
 */
#define MMI_KEY_SHIFT 48u
#define MMI_KEY_ADDR(k) ((k) & ((1ull << MMI_KEY_SHIFT) - 1))
#define MMI_KEY_GEN(k) ((unsigned)((k) >> MMI_KEY_SHIFT))
#define MMI_GEN_MAX 239u
#define MMI_GEN_OWN 240u  /* the monitor's own code, on no call path */
#define MMI_GEN_NONE 255u /* in no library, or in one without an entry */
/* The generations in between: generated code, see generated.h. */

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
 * Waits for that time, less than a second.  Not by nanosleep(2): after it, a
 * system call that was interrupted in this thread can't continue.  (When the
 * library is loaded into a running process, a thread is made to call it in the
 * middle of a system call.)
 */
static inline void
mmi_wait_ms(unsigned ms)
{
	long t[2] = { 0, ms * 1000000l };

	ARCH_SYS(SYS_pselect6, 0, 0, 0, 0, t, 0);
}

#endif
