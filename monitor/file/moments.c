/* SPDX-License-Identifier: MIT */
/* Where the memory of the process was, at times of the run. */
#include "monitor/file/moments.h"

#include <string.h>

#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/base/shared.h"
#include "monitor/counts/live.h"
#ifdef MEMMON_ACCESS
#include "monitor/file/vtables.h"
#endif
#include "monitor/image/image.h"
#include "monitor/memory/memory.h"
#include "monitor/record/record.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/shadow.h"
#endif

#define MOMENTS mmi_shared.moments

static void
count_live(uintptr_t a, uint64_t entry, void *arg)
{
	struct mmi_gone g;

	(void)arg;
	if (!a || mmi_live_cell(entry) < mmi_shared.cells_first)
		return;
	mmi_record_known(entry, &g);
	mmi_memory_block(a, g.size);
}

#ifdef MEMMON_ACCESS
static void
count_shadow(uint64_t granule, uint64_t entry, void *arg)
{
	count_live(mmi_vtables_address(granule), entry, arg);
}
#endif

/* Another process may read it meanwhile, in the image. */
static void
set(struct mmi_moment *m, uint64_t at, const uint64_t *line)
{
	STORE(&m->at, 0);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(m->line, line, sizeof(m->line));
	STORE_REL(&m->at, at);
}

/* Drop every second one, except the one with most memory and the last. */
static void
thin(void)
{
	struct mmi_moment *m = MOMENTS.moment;
	uint64_t most = 0, k = 0;

	for (uint64_t i = 1; i < MOMENTS.n; i++)
		if (m[i].line[0] > m[most].line[0])
			most = i;
	for (uint64_t i = 0; i < MOMENTS.n; i++)
		if (i % 2 == 0 || i == most || i + 1 == MOMENTS.n) {
			if (k != i)
				set(&m[k], m[i].at, m[i].line);
			k++;
		}
	STORE_REL(&MOMENTS.n, k);
}

bool
mmi_moments_take(uint64_t at)
{
	uint64_t line[MONREC_MEMORY_COUNT];
	struct mmi_moment *m;
	uintptr_t end;

	if (MOMENTS.n == MMI_MOMENTS)
		thin();
	m = &MOMENTS.moment[MOMENTS.n];
	/* In the image it may end on a page that doesn't exist yet. */
	end = (uintptr_t)(m + 1) & (ARCH_PAGE - 1);
	if ((!MOMENTS.n || end < sizeof(*m)) && !mmi_image_ready(m, sizeof(*m)))
		return false;
	mmi_memory_begin(false);
	mmi_live_walk(count_live, NULL);
#ifdef MEMMON_ACCESS
	mmi_shadow_walk(count_shadow, NULL);
#endif
	if (!mmi_memory_lines(line))
		return false;
	set(m, at, line);
	STORE_REL(&MOMENTS.n, MOMENTS.n + 1);
	return true;
}

void
mmi_moments_put(struct mmi_emit *o)
{
	for (uint64_t i = 0; i < MOMENTS.n; i++) {
		const struct mmi_moment *m = &MOMENTS.moment[i];

		for (unsigned k = 0; k < MONREC_MEMORY_COUNT; k++)
			if (m->line[k])
				mmi_put_memory_snapshot(
					o,
					&(struct monrec_memory_snapshot){
						.name = mmi_memory_name[k],
						.namelen = strlen(
							mmi_memory_name[k]),
						.at = m->at - mmi_process.mono,
						.bytes = m->line[k] });
	}
}
