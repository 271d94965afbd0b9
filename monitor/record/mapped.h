/* SPDX-License-Identifier: MIT */
/*
 * Memory that the program maps by itself, by mmap(2), mremap(2), sbrk(2) and
 * shmat(2): counts by call path, and the ranges that are mapped now.  Mappings
 * of an allocator aren't here.  A fork or a reset forgets all earlier ones.
 */
#ifndef MEMMON_MAPPED_H
#define MEMMON_MAPPED_H

#include "monitor/base/emit.h"
#include "monitor/base/thread.h"

/* Kinds of memory, as bits. */
#define MMI_MAPPED_PRIVATE 1u
#define MMI_MAPPED_FILE 2u
#define MMI_MAPPED_SHARED 4u
#define MMI_MAPPED_BREAK 8u

/*
 * [at, at + n) was mapped by the caller at *e, just now; n in bytes.  ctx:
 * hook.
 */
void mmi_mapped_made(uintptr_t at, uint64_t n, unsigned kind,
		     const struct arch_entry *e);

/*
 * Before a call that unmaps or moves memory: no other thread changes what is
 * known of mappings until mmi_mapped_after().  Signals are blocked meanwhile.
 * False: nothing is known of any mapping, or another thread takes too long, and
 * then neither it nor what follows is called.  ctx: hook.
 */
struct mmi_mask;
bool mmi_mapped_before(struct mmi_mask *mask);
void mmi_mapped_after(const struct mmi_mask *mask);

/*
 * Between the two: [at, at + n) was unmapped; [old, old + was) is now
 * [at, at + n), by mremap(2); the segment at this address was detached.
 */
void mmi_mapped_gone(uintptr_t at, uint64_t n);
void mmi_mapped_moved(uintptr_t old, uint64_t was, uintptr_t at, uint64_t n);
void mmi_mapped_detached(uintptr_t at);

/* Nothing is known any more.  ctx: fork. */
void mmi_mapped_fork(void);

/* A range that is mapped now, of the site of this number. */
struct mmi_mapped_range {
	uintptr_t start, end;
	uint32_t site, kind;
};

/*
 * Copy the ranges into to[room]; how many.  to NULL: the room that they need at
 * most.  Then the sites, whose numbers are from 1 to mmi_mapped_sites() - 1:
 * what one has counted; false: nothing.  ctx: exit.
 */
uint32_t mmi_mapped_ranges(struct mmi_mapped_range *to, uint32_t room);
uint32_t mmi_mapped_sites(void);
bool mmi_mapped_site(uint32_t site, struct monrec_mapping *to);

/* Calls that couldn't be recorded: no memory, or too many.  ctx: exit. */
uint64_t mmi_mapped_lost(void);

#endif
