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
 * [at, at + n) is about to be unmapped, or mapped again.  Where it isn't known,
 * nothing is done.  ctx: hook.
 */
void mmi_mapped_gone(uintptr_t at, uint64_t n);

/*
 * [at, at + n) is about to move or to change its size, by mremap(2): it is
 * taken out, and then put back at its new place.  False: it isn't known, and
 * there is nothing to put back.  ctx: hook.
 */
struct mmi_mapped_part {
	uint32_t site;
	uint64_t born;
	uint64_t n; /* bytes that were known */
	bool head;
};
bool mmi_mapped_take(uintptr_t at, uint64_t n, struct mmi_mapped_part *p);
void mmi_mapped_put_back(uintptr_t at, uint64_t n,
			 const struct mmi_mapped_part *p);

/* Bytes of the mapping that begins at this address; 0: not known. ctx: hook. */
uint64_t mmi_mapped_size(uintptr_t at);

/* Nothing is known any more.  ctx: fork. */
void mmi_mapped_fork(void);

/* A range that is mapped now, of the site of this number. */
struct mmi_mapped_range {
	uintptr_t start, end;
	uint32_t site;
};

/*
 * Copy the ranges into to[room]; how many.  to NULL: the room that they need at
 * most.  Then the sites, whose numbers are from 1 to mmi_mapped_sites() - 1:
 * what one has counted; false: nothing.  ctx: exit.
 */
uint32_t mmi_mapped_ranges(struct mmi_mapped_range *to, uint32_t room);
uint32_t mmi_mapped_sites(void);
bool mmi_mapped_site(uint32_t site, struct monrec_mapping *to);

#endif
