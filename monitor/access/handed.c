/* SPDX-License-Identifier: MIT */
/* Marks blocks that unrecorded code got. */
#include "monitor/access/handed.h"

#include <sys/syscall.h>
#include <sys/uio.h>

#include "monitor/base/process.h"
#include "monitor/counts/live.h"
#include "monitor/shadow/access_state.h"
#include "monitor/shadow/shadow.h"
#include "monitor/thread/enter.h"
#include "monitor/use/use.h"

/* Words that are followed in a block which an argument points to. */
#define WORDS 16u

unsigned mmi_handed_every;

bool
mmi_handed_block(const void *p, const void **end)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t size, *info, v, b, i = mmi_shadow_granule(a);

	if (end)
		*end = NULL;
	if (a >> ARCH_ADDR_BITS || a < ARCH_PAGE ||
	    UNLIKELY(!LOAD_ACQ(&mmi_shadow.cells)))
		return false;
	if (a >= mmi_state_limit() || !mmi_shadow_may_reach(a))
		return false;
	/* The block isn't in a sample. */
	if (mmi_state_skips() &&
	    !(LOAD(&mmi_shadow.cells[i]) >> MEMMON_STAMP_SHIFT))
		return false;
	b = mmi_use_block(i, &size);
	if (b > i)
		return false;
	a = (a & ~(uintptr_t)15) - ((i - b) << MEMMON_GRANULE_SHIFT);
	if ((uintptr_t)p - a >= size)
		return false;
	if (end)
		*end = (const void *)(a + size);
	info = &mmi_shadow.blocks[b + 1];
	v = LOAD(info);
	do {
		if (!(v & MMI_SHADOW_INFO) || v & MMI_SHADOW_HANDED)
			return false;
	} while (!CAS(info, &v, v | MMI_SHADOW_HANDED));
	return true;
}

static COLD uintptr_t
read_word(const void *at)
{
	uintptr_t word = 0;
	struct iovec to = { &word, sizeof(word) };
	struct iovec from = { (void *)(uintptr_t)at, sizeof(word) };

	if (ARCH_SYS(SYS_process_vm_readv, mmi_process.pid, &to, 1, &from, 1,
		     0) != (long)sizeof(word))
		return 0;
	return word;
}

uintptr_t
mmi_handed_word(const void *at)
{
	if (UNLIKELY(LOAD(&mmi_handed_hidden)))
		return read_word(at);
	return *(const uintptr_t *)at;
}

COLD void
mmi_handed_site(const void *p)
{
	uint64_t size, v,
		b = mmi_use_block(mmi_shadow_granule((uintptr_t)p), &size);
	const struct mmi_cell *c;
	uint32_t path;

	if (b == UINT64_MAX)
		return;
	v = LOAD(&mmi_shadow.blocks[b]);
	if (!(v & MMI_SHADOW_START))
		return;
	c = mmi_cells_at(mmi_live_cell(v & MMI_SHADOW_ENTRY));
	path = mmi_paths_of(mmi_cell_node(c));
	if (path)
		STORE(&mmi_paths_at(path)->handed, 1);
}

void
mmi_handed_arguments(const uintptr_t *argument, size_t n)
{
	const uintptr_t *word;
	const void *end;

	for (size_t i = 0; i < n; i++) {
		mmi_handed_block((const void *)argument[i], &end);
		word = (const uintptr_t *)((argument[i] + 7) & ~(uintptr_t)7);
		for (unsigned k = 0;
		     k < WORDS && end && (const void *)(word + k + 1) <= end;
		     k++)
			mmi_handed_block((const void *)mmi_handed_word(
						 &word[k]),
					 NULL);
	}
}

void
mmi_handed_pointers(const void *p, size_t n)
{
	const uintptr_t *word = p;

	mmi_handed_block(p, NULL);
	for (size_t i = 0; p && i < n; i++)
		mmi_handed_block((const void *)mmi_handed_word(&word[i]), NULL);
}

void
mmi_handed_all(void)
{
	STORE(&mmi_handed_every, 1);
}
