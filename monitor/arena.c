/* SPDX-License-Identifier: MIT */
/* Memory of the monitor's own. */
#include "monitor/arena.h"

#include <sys/mman.h>

static uint64_t mapped;

void *
mmi_arena_map(size_t size)
{
	long p = ARCH_SYS(SYS_mmap, 0, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p < 0 && p > -4096)
		return NULL;
	FETCH_ADD(&mapped, size);
	return (void *)p;
}

void
mmi_arena_unmap(void *p, size_t size)
{
	ARCH_SYS(SYS_munmap, p, size, 0, 0, 0, 0);
	FETCH_ADD(&mapped, -(uint64_t)size);
}

uint64_t
mmi_arena_mapped(void)
{
	return LOAD(&mapped);
}

/* Map chunk c, or take the one that another thread has just mapped. */
static COLD void *
array_chunk(struct mmi_array *a, uint32_t c)
{
	size_t size = (size_t)a->size << a->shift;
	void *mine = mmi_arena_map(size);
	void *seen = NULL;

	if (!mine)
		return LOAD_ACQ(&a->chunk[c]);
	if (CAS(&a->chunk[c], &seen, mine))
		return mine;
	mmi_arena_unmap(mine, size);
	return seen;
}

void *
mmi_array_add(struct mmi_array *a, uint32_t *i)
{
	uint32_t n = LOAD(&a->used);

	/* Not fetch-and-add: `used' must not run over the directory's end. */
	do {
		if (UNLIKELY(n >> a->shift >= a->chunks))
			return NULL;
		if (UNLIKELY(!LOAD_ACQ(&a->chunk[n >> a->shift])) &&
		    !array_chunk(a, n >> a->shift))
			return NULL;
	} while (!CAS(&a->used, &n, n + 1));
	*i = n;
	return mmi_array_at(a, n);
}
