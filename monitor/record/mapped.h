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

/* The caller *e has just mapped [at, at + n); n in bytes.  ctx: hook. */
void mmi_mapped_made(uintptr_t at, uint64_t n, unsigned kind,
		     const struct arch_entry *e);

/*
 * Call it before a call that unmaps or moves memory: no other thread changes
 * the ranges until mmi_mapped_after(), and signals are blocked.  False: there
 * are no ranges, or another thread holds them too long; then don't call the
 * functions below.  ctx: hook.
 */
struct mmi_mask;
bool mmi_mapped_before(struct mmi_mask *mask);
void mmi_mapped_after(const struct mmi_mask *mask);

/*
 * Between the two: [at, at + n) was unmapped; mremap(2) moved [old, old + was)
 * to [at, at + n); the segment at this address was detached.
 */
void mmi_mapped_gone(uintptr_t at, uint64_t n);
void mmi_mapped_moved(uintptr_t old, uint64_t was, uintptr_t at, uint64_t n);
void mmi_mapped_detached(uintptr_t at);

/* Forget all ranges and sites.  ctx: fork. */
void mmi_mapped_fork(void);

/* A range that is mapped now, and the number of its site. */
struct mmi_mapped_range {
	uintptr_t start, end;
	uint32_t site, kind;
};

/*
 * mmi_mapped_ranges() copies the ranges into to[room] and returns their number;
 * to NULL: returns the room that they need at most.  Sites have the numbers
 * from 1 to mmi_mapped_sites() - 1.  mmi_mapped_site() reads the counts of one;
 * false: it has counted nothing.  ctx: exit.
 */
uint32_t mmi_mapped_ranges(struct mmi_mapped_range *to, uint32_t room);
uint32_t mmi_mapped_sites(void);
bool mmi_mapped_site(uint32_t site, struct monrec_mapping *to);

/* Calls that couldn't be recorded: no memory, or too many.  ctx: exit. */
uint64_t mmi_mapped_lost(void);

#endif
