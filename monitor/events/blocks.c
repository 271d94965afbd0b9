/* SPDX-License-Identifier: MIT */
/* Events of blocks, which the hooks report. */
#include "monitor/events/events.h"

#include <dlfcn.h>
#include <link.h>

#include "monitor/base/own_mappings.h"
#include "monitor/events/callers.h"

COLD void
mmi_events_alloc(const void *p, uint64_t size, uintptr_t pc)
{
	if (p)
		mmi_events_put(MEMMON_EVENT_ALLOC,
			       mmi_callers_number(mmi_events_stream(), pc), 0,
			       (uintptr_t)p, size);
}

/*
 * Forms of operator new: the library's, and the program's own.  A form of
 * unknown size is assumed to be this large.
 */
#define FORMS 16u
#define FORM_SIZE 192u
static struct {
	uintptr_t code, size; /* atomic; code 0: free */
} forms[FORMS];
static uint64_t noted; /* atomic: how many are noted */
/* Atomic: code places outside of the first n forms; n is in the bits above. */
#define NOTED_SHIFT 59u
static uint64_t outside[256];

static uintptr_t
size_of(const void *code)
{
	Dl_info d;
	const ElfW(Sym) *sym = NULL;

	if (!dladdr1(code, &d, (void **)&sym, RTLD_DL_SYMENT) || !sym ||
	    d.dli_saddr != code || !sym->st_size)
		return FORM_SIZE;
	return sym->st_size;
}

void
mmi_events_note_new(const void *code)
{
	for (unsigned i = 0; code && i < FORMS; i++) {
		uintptr_t none = 0;

		if (LOAD(&forms[i].code) == (uintptr_t)code)
			return;
		if (!CAS(&forms[i].code, &none, (uintptr_t)code))
			continue;
		STORE(&forms[i].size, size_of(code));
		FETCH_ADD(&noted, 1);
		return;
	}
}

bool
mmi_events_in_new(uintptr_t pc)
{
	struct mmi_own_mapping own = mmi_own_module();
	uint64_t key = pc | LOAD_ACQ(&noted) << NOTED_SHIFT;
	uint64_t *known = &outside[(pc * 0x9e3779b97f4a7c15u) >> 56];

	if (LOAD(known) == key)
		return false;
	for (unsigned i = 0; i < FORMS && LOAD(&forms[i].code); i++)
		if (pc - LOAD(&forms[i].code) < LOAD(&forms[i].size))
			return true;
	/* The first call of each form comes from one of our functions. */
	if (pc - own.start < own.size)
		return true;
	STORE(known, key);
	return false;
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
