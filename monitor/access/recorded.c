/* SPDX-License-Identifier: MIT */
/* Libraries of recorded code, known by the symbols that they import. */
#include "monitor/access/recorded.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "monitor/abi.h"
#include "monitor/base/relocations.h"
#include "monitor/base/internal.h"
#include "monitor/chain/modules.h"

/* Results for some libraries: one word each, so that it is consistent. */
#define KNOWN 256u
#define KNOWN_RECORDED 1u
#define KNOWN_SET 2u
#define KNOWN_CALLS 4u
#define KNOWN_BITS 7u
static struct {
	uint64_t what; /* atomic: the library's handle, and three bits */
	uint64_t state; /* atomic: mmi_modules_state at that time */
} known[KNOWN];

static bool
is_mark(const char *name)
{
	static const char mark[] = "__link_with_lmemmon_access_",
			  own[] = "__memmon_";

	return !strncmp(name, mark, sizeof(mark) - 1) ||
	       !strncmp(name, own, sizeof(own) - 1);
}

/* Does it import a symbol of all recorded code, or of code recorded by
 * calls? */
static bool
look(const struct mmi_relocation *r, void *found)
{
	if (r->symbol->st_shndx != SHN_UNDEF)
		return false;
	if (is_mark(r->name))
		*(uint64_t *)found |= KNOWN_RECORDED;
	if (!strcmp(r->name, "__tsan_init"))
		*(uint64_t *)found |= KNOWN_CALLS;
	return *(uint64_t *)found == (KNOWN_RECORDED | KNOWN_CALLS);
}

/* The library's bits; `copy': as in mmi_recorded_peek(), or NULL. */
static uint64_t
known_by(const struct link_map *m, const struct link_map *copy)
{
	uint64_t key = (uintptr_t)m, state = LOAD(&mmi_modules_state);
	uint64_t then, what;
	unsigned i = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 56) % KNOWN;

	/* In this order, so that an outdated result isn't used. */
	then = LOAD_ACQ(&known[i].state);
	what = LOAD(&known[i].what);
	if (then == state &&
	    (what & ~(uint64_t)KNOWN_BITS) == (key & ~(uint64_t)KNOWN_BITS) &&
	    what & KNOWN_SET)
		return what;
	what = 0;
	/* A library that can't be read completely isn't remembered. */
	if (copy) {
		mmi_relocations_peek(copy->l_addr, (uintptr_t)copy->l_ld, look,
				     &what);
		return what;
	}
	mmi_relocations_each(m, look, &what);
	what |= (key & ~(uint64_t)KNOWN_BITS) | KNOWN_SET;
	STORE(&known[i].what, what);
	STORE_REL(&known[i].state, state);
	return what;
}

static uint64_t
known_of(const struct link_map *m)
{
	return known_by(m, NULL);
}

static bool
is_own(const struct dl_find_object *o)
{
	return (uintptr_t)mmi_recorded - (uintptr_t)o->dlfo_map_start <
	       (uintptr_t)o->dlfo_map_end - (uintptr_t)o->dlfo_map_start;
}

bool
mmi_recorded_module(const struct dl_find_object *o)
{
	return is_own(o) || known_of(o->dlfo_link_map) & KNOWN_RECORDED;
}

bool
mmi_recorded_peek(const struct dl_find_object *o, const struct link_map *l)
{
	return is_own(o) || known_by(o->dlfo_link_map, l) & KNOWN_RECORDED;
}

bool
mmi_recorded_by_calls(const struct link_map *m)
{
	return known_of(m) & KNOWN_CALLS;
}

/* Is it one of the functions in harmless.h that are called with blocks? */
static bool
is_harmless(const void *f)
{
	static const void *const all[] = {
#define LIBC_BLOCK(name) (const void *)name,
#include "monitor/access/harmless.h"
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (f == all[i])
			return true;
	return false;
}

bool
mmi_recorded(const void *f, const void *from)
{
	struct dl_find_object o, other;

	if (is_harmless(f))
		return true;
	if (_dl_find_object((void *)(uintptr_t)f, &o) != 0)
		return false;
	/* Only the caller knows which of its arguments are pointers. */
	if (f == (const void *)syscall)
		return false;
	if (_dl_find_object((void *)(uintptr_t)from, &other) == 0 &&
	    other.dlfo_link_map == o.dlfo_link_map)
		return false;
	return mmi_recorded_module(&o);
}

/* What a library imports: counting functions; functions for events. */
#define ASKS_COUNTS 1u
#define ASKS_EVENTS 2u

static bool
look_asks(const struct mmi_relocation *r, void *found)
{
	unsigned *asks = found;

	if (r->symbol->st_shndx != SHN_UNDEF)
		return false;
	if (!strcmp(r->name, "__memmon_way") || !strcmp(r->name, "__tsan_init"))
		*asks |= ASKS_COUNTS;
	if (!strcmp(r->name, "__memmon_events_register"))
		*asks |= ASKS_EVENTS;
	return *asks & ASKS_COUNTS;
}

bool
mmi_recorded_not_at_all(void)
{
	struct dl_find_object o;
	const struct link_map *m;
	unsigned asks = 0;

	if (_dl_find_object((void *)(uintptr_t)mmi_recorded, &o) != 0)
		return false;
	/* The first is the program, which must have its own list of events. */
	for (m = o.dlfo_link_map; m->l_prev;)
		m = m->l_prev;
	for (; m; m = m->l_next)
		if (mmi_relocations_each(m, look_asks, &asks) ||
		    !(asks & ASKS_EVENTS))
			return false;
	return true;
}

/* Is this code at `at'?  Behind a difference the mapping may end. */
static bool
is_code(const uint8_t *at, const uint8_t *code, size_t n)
{
	while (n && *at == *code) {
		at++;
		code++;
		n--;
	}
	return n == 0;
}

bool
mmi_recorded_target(const void *f)
{
	static const uint8_t mark[] = { MEMMON_MARK };
	static const uint8_t landing[] = ARCH_LANDING;
	const uint8_t *code = f;
	struct dl_find_object o;

	for (int tries = 0; tries < 2; tries++) {
		if (_dl_find_object((void *)(uintptr_t)code, &o) != 0 ||
		    code == (const uint8_t *)syscall)
			return false;
		if (is_own(&o) || is_harmless(code) ||
		    known_of(o.dlfo_link_map) & KNOWN_CALLS)
			return true;
		if (is_code(code, landing, sizeof(landing)))
			code += sizeof(landing);
		if (is_code(code, mark, sizeof(mark)))
			return true;
		code = arch_linked_to(code);
		if (!code)
			return false;
	}
	return false;
}
