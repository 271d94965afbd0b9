/* SPDX-License-Identifier: MIT */
/* The foreign functions that libraries recorded by calls are bound to. */
#include "monitor/access/imports.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

#include "monitor/access/handed.h"
#include "monitor/access/recorded.h"
#include "monitor/base/peek.h"
#include "monitor/base/relocations.h"
#include "monitor/base/internal.h"
#include "monitor/base/lookup.h"
#include "monitor/base/next.h"
#include "monitor/chain/modules.h"

/* Most libraries recorded by calls, and functions that are named. */
#define PLACES 256u
#define CULPRITS 8u
#define NAME_MAX_SHOWN 60u

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Addresses of their dynamic sections, which are read again each time. */
static uintptr_t place[PLACES]; /* atomic; 0: free */

static struct {
	char name[NAME_MAX_SHOWN];
	uint32_t ready; /* atomic */
} culprit[CULPRITS];
static uint32_t culprits; /* atomic; may exceed the array */
static uint32_t unseen; /* atomic: the last check wasn't possible */

/* ------------------------------------------------------------ harmless -- */

static const char *const libc_harmless[] = {
#define LIBC(name) #name,
#define LIBC_BLOCK LIBC
#include "monitor/access/harmless.h"
};

/* Beginnings of names in libm that touch memory; in C++'s library that
 * don't. */
static const char *const libm_touches[] = {
#define LIBM_TOUCHES(name) #name,
#include "monitor/access/harmless.h"
};
static const char *const cxx_harmless[] = {
#define CXX(name) #name,
#include "monitor/access/harmless.h"
};

static bool
begins(const char *name, const char *const *with, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(name, with[i], strlen(with[i])))
			return true;
	return false;
}

static bool
listed(const char *name)
{
	size_t lo = 0, hi = COUNT(libc_harmless), at;
	int d;

	while (lo < hi) {
		at = lo + (hi - lo) / 2;
		d = strcmp(name, libc_harmless[at]);
		if (!d)
			return true;
		if (d < 0)
			hi = at;
		else
			lo = at + 1;
	}
	return false;
}

/* Does the file's name begin with `name'? */
static bool
is_file(const char *file, const char *name)
{
	return !strncmp(file, name, strlen(name));
}

static bool
is_libc(const char *file)
{
	return is_file(file, "libc.so.") || is_file(file, "libpthread.so.") ||
	       is_file(file, "libdl.so.") || is_file(file, "librt.so.");
}

/* Does the function leave its caller's memory alone? */
static bool
is_harmless(const char *file, const char *name)
{
	if (is_file(file, "ld-linux") || is_file(file, "libgcc_s.") ||
	    is_file(file, "linux-vdso."))
		return true;
	if (is_libc(file))
		return listed(name);
	if (is_file(file, "libm.so.") || is_file(file, "libmvec.so."))
		return !begins(name, libm_touches, COUNT(libm_touches));
	if (is_file(file, "libstdc++.so.") || is_file(file, "libc++.so.") ||
	    is_file(file, "libc++abi.so."))
		return begins(name, cxx_harmless, COUNT(cxx_harmless));
	return false;
}

/* --------------------------------------------------------- who they are -- */

static const char *
basename_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "";
}

static bool
is_named(const char *name)
{
	for (unsigned i = 0; i < CULPRITS; i++)
		if (LOAD_ACQ(&culprit[i].ready) &&
		    !strncmp(culprit[i].name, name, NAME_MAX_SHOWN - 1))
			return true;
	return false;
}

static void
name_culprit(const char *name)
{
	uint32_t i;

	if (is_named(name))
		return;
	i = __atomic_fetch_add(&culprits, 1, __ATOMIC_RELAXED);
	if (i >= CULPRITS)
		return;
	memcpy(culprit[i].name, name, strnlen(name, NAME_MAX_SHOWN - 1));
	STORE_REL(&culprit[i].ready, 1);
}

/*
 * mmi_modules_state when the examined library was certainly loaded.  If the
 * state changes, the library may have been unloaded, and another may be in its
 * place.  Nothing is missed: libraries are examined before they are unloaded.
 */
static uint64_t looked_at;

/* Handles a function that a library recorded by calls is bound to. */
static bool
bound(const struct mmi_relocation *r, void *map)
{
	unsigned type = ELF64_ST_TYPE(r->symbol->st_info);
	static char path[1024]; /* one user at a time, like mmi_peek() */
	struct dl_find_object o;
	const char *file;
	struct link_map l;
	uintptr_t at;

	if (!ARCH_RELOC_ADDRESS(r->type) || type == STT_OBJECT ||
	    type == STT_TLS)
		return false;
	/* An address in the library itself may also mean: not called yet. */
	if (!mmi_peek(&at, (uintptr_t)r->at, sizeof(at)) || !at ||
	    _dl_find_object((void *)at, &o) != 0 || o.dlfo_link_map == map ||
	    !mmi_peek(&l, (uintptr_t)o.dlfo_link_map, sizeof(l)) ||
	    mmi_recorded_peek(&o, &l))
		return false;
	if (!mmi_peek_text(path, sizeof(path), (uintptr_t)l.l_name))
		path[0] = '\0';
	file = basename_of(path);
	if (is_harmless(file, r->name))
		return false;
	if (LOAD_ACQ(&mmi_modules_state) != looked_at)
		return true;
	mmi_handed_all();
	name_culprit(is_libc(file) ? r->name : *file ? file : "the program");
	return false;
}

/* -------------------------------------------------------------- modules -- */

/* Adds a library to be examined, if it is recorded by calls. */
static void
add(const struct link_map *m)
{
	uintptr_t at = (uintptr_t)m->l_ld, none;
	struct dl_find_object o;

	for (unsigned i = 0; i < PLACES && LOAD(&place[i]); i++)
		if (LOAD(&place[i]) == at)
			return;
	if (!at || _dl_find_object((void *)at, &o) != 0)
		return;
	if (!mmi_recorded_by_calls(m))
		return;
	for (unsigned i = 0; i < PLACES; i++) {
		none = 0;
		if (CAS(&place[i], &none, at))
			return;
	}
	mmi_handed_all();
}

void
mmi_imports_loaded(void)
{
	static uint64_t state;
	static unsigned modules;
	const struct link_map *first, *m;
	struct dl_find_object o;
	unsigned n = 0;

	if (_dl_find_object((void *)(uintptr_t)mmi_imports_loaded, &o) != 0)
		return;
	for (first = o.dlfo_link_map; first->l_prev; first = first->l_prev)
		;
	for (m = first; m; m = m->l_next)
		n++;
	/* Constructors of all object files call this; only the first goes
	 * on. */
	if (n == modules && state == LOAD(&mmi_modules_state))
		return;
	for (m = first; m; m = m->l_next)
		add(m);
	modules = n;
	state = LOAD(&mmi_modules_state);
}

void
mmi_imports_look(void)
{
	struct dl_find_object o;
	struct link_map l;
	uintptr_t at;

	for (unsigned i = 0; i < PLACES && (at = LOAD(&place[i])); i++) {
		looked_at = LOAD_ACQ(&mmi_modules_state);
		if (_dl_find_object((void *)at, &o) != 0 ||
		    !mmi_peek(&l, (uintptr_t)o.dlfo_link_map, sizeof(l)) ||
		    (uintptr_t)l.l_ld != at)
			continue;
		mmi_relocations_peek(l.l_addr, at, bound, o.dlfo_link_map);
	}
}

void
mmi_imports_unseen(void)
{
	if (!LOAD(&place[0]))
		return;
	STORE(&unseen, 1);
	mmi_handed_all();
}

/* Appends to a text of n bytes, in a buffer of `size' bytes. */
static size_t
append(char *to, size_t n, size_t size, const char *s)
{
	while (*s && n + 1 < size)
		to[n++] = *s++;
	to[n] = '\0';
	return n;
}

const char *
mmi_imports_text(void)
{
	static char text[CULPRITS * (NAME_MAX_SHOWN + 2) + 80];
	size_t n = 0;

	for (unsigned i = 0; i < CULPRITS; i++) {
		if (!LOAD_ACQ(&culprit[i].ready))
			continue;
		n = append(text, n, sizeof(text), n ? ", " : "accesses of ");
		n = append(text, n, sizeof(text), culprit[i].name);
	}
	if (!n)
		return LOAD(&unseen)
			       ? "modules could not be looked at, so what "
				 "else was called isn't known"
			       : NULL;
	if (LOAD(&culprits) > CULPRITS)
		n = append(text, n, sizeof(text), " and others");
	append(text, n, sizeof(text),
	       " aren't recorded; any block may have been used there");
	return text;
}
