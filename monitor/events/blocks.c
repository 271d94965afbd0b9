/* SPDX-License-Identifier: MIT */
/* Events of blocks, which the hooks tell. */
#include "monitor/base/own_mappings.h"
#include "monitor/events/callers.h"
#include "monitor/events/events.h"

COLD void
mmi_events_alloc(const void *p, uint64_t size, uintptr_t pc)
{
	if (p)
		mmi_events_put(MEMMON_EVENT_ALLOC,
			       mmi_callers_number(mmi_events_stream(), pc), 0,
			       (uintptr_t)p, size);
}

/* Forms of operator new: where they begin, and how long they are at most. */
#define FORMS 8u
#define FORM_SIZE 192u
static uintptr_t forms[FORMS];

void
mmi_events_note_new(const void *code)
{
	for (unsigned i = 0; i < FORMS; i++) {
		uintptr_t none = 0;

		if (LOAD(&forms[i]) == (uintptr_t)code ||
		    CAS(&forms[i], &none, (uintptr_t)code))
			return;
	}
}

bool
mmi_events_in_new(uintptr_t pc)
{
	struct mmi_own_mapping own = mmi_own_module();

	for (unsigned i = 0; i < FORMS && LOAD(&forms[i]); i++)
		if (pc - LOAD(&forms[i]) < FORM_SIZE)
			return true;
	/* The first call of each form comes by a function of ours. */
	return pc - own.start < own.size;
}

COLD void
mmi_events_free(const void *p, uintptr_t pc)
{
	mmi_events_put(MEMMON_EVENT_FREE,
		       mmi_callers_number(mmi_events_stream(), pc), 0,
		       (uintptr_t)p, 0);
}

COLD void
mmi_events_resized(const void *old, uint64_t was, const void *p, uint64_t size,
		   uintptr_t pc)
{
	uint32_t where = mmi_callers_number(mmi_events_stream(), pc);
	uint64_t copied = was < size ? was : size;

	if (mmi_events_want(MEMMON_EVENT_LOAD) && p && copied)
		mmi_events_put(MEMMON_EVENT_LOAD, where, MEMMON_EVENT_SIZE_MAX,
			       (uintptr_t)old, copied);
	if (mmi_events_want(MEMMON_EVENT_FREE))
		mmi_events_free(old, pc);
	if (mmi_events_want(MEMMON_EVENT_ALLOC))
		mmi_events_alloc(p, size, pc);
	if (mmi_events_want(MEMMON_EVENT_STORE) && p && copied)
		mmi_events_put(MEMMON_EVENT_STORE, where, MEMMON_EVENT_SIZE_MAX,
			       (uintptr_t)p, copied);
}
