/* SPDX-License-Identifier: MIT */
/* Where a function is defined.  Asked of the objects, not of dlsym(). */
#ifndef MEMMON_LOOKUP_H
#define MEMMON_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>

struct link_map;

/*
 * Call f, which walks the loader's list of objects, as the library begins: in a
 * process that was attached to under the loader's lock, as other threads run.
 * f may take no other lock of the loader's, as dlsym() does.  ctx: init.
 */
void mmi_lookup_begin(void (*f)(void));

/* The executable, which the loader lists first; NULL: not known.  ctx: init. */
const struct link_map *mmi_lookup_exe(void);

/*
 * Does any object that was loaded behind this library define `name', or, where
 * it was loaded into a running process, any other object?  Also true
 * when that can't be told.  Nothing is allocated, and no lock is taken: not to
 * be called while objects may be unloaded.  ctx: init.
 */
bool mmi_lookup_has(const char *name);

/*
 * Does the object that has the address pc define `name'?  No lock is taken: it
 * mustn't be unloaded meanwhile.  ctx: hook.
 */
bool mmi_lookup_in(uintptr_t pc, const char *name);

/*
 * Which of the allocator's functions does the executable define?  MONOUT_OWN_*.
 * ctx: init.
 */
unsigned mmi_lookup_program(void);

/* Is the address in the executable?  ctx: init. */
bool mmi_lookup_in_program(const void *p);

/* What this library itself calls `name', or NULL.  ctx: init. */
void *mmi_lookup_own(const char *name);

/*
 * This library's own storage in each thread's: from where it begins, seen from
 * the thread's control block; bytes, 0: not known.  Found by _find().  ctx of
 * that: init.
 */
struct mmi_lookup_storage {
	intptr_t at;
	uintptr_t size;
};
extern __attribute__((
	visibility("hidden"))) struct mmi_lookup_storage mmi_lookup_storage;
void mmi_lookup_storage_find(void);

/*
 * The definition of a function in the object that has the address pc, in one
 * loaded behind it, or in any other, but not `not'; NULL if there is none.  It
 * asks for no scope, as dlsym() does, which has none for an object that was
 * loaded for another one, and faults.  The loader's lock is taken.  ctx: init.
 */
void *mmi_lookup_from(uintptr_t pc, const char *name, const void * not );

#endif
