/* SPDX-License-Identifier: MIT */
/*
 * Memory that the program maps by itself, by mmap(2), mremap(2), sbrk(2) and
 * shmat(2): counts by call path, and what is mapped now.  What an allocator
 * maps isn't here.  After a fork or a reset nothing is known of what was mapped
 * before.
 */
#ifndef MEMMON_MAPPED_H
#define MEMMON_MAPPED_H

#include "monitor/base/emit.h"
#include "monitor/base/thread.h"
#include "monitor/memory/pieces.h"

/* What was mapped; bits of a call path's. */
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

/*
 * For a data file: count what is in memory, then put the table MAPPINGS, of
 * call paths whose node is one of the first `nodes'; how many items.  ctx:
 * exit.
 */
void mmi_mapped_count(struct mmi_pieces *p);
uint64_t mmi_mapped_put(struct mmi_emit *o, uint64_t nodes);

#endif
