/* SPDX-License-Identifier: MIT */
/*
 * Where a function is defined.  Searches the objects itself, without dlsym().
 */
#ifndef MEMMON_LOOKUP_H
#define MEMMON_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>

struct link_map;

/*
 * Calls f, which walks the loader's list of objects, when the library begins:
 * in an attached process under the loader's lock, because other threads run.  f
 * may take no other lock of the loader, as dlsym() does.  ctx: init.
 */
void mmi_lookup_begin(void (*f)(void));

/* The executable, which the loader lists first; NULL: not known.  ctx: init. */
const struct link_map *mmi_lookup_exe(void);

/*
 * Does any object that was loaded after this library define `name'?  If the
 * library was loaded into a running process: does any other object?  Also true
 * if that can't be found out.  Allocates nothing and takes no lock: don't call
 * it while objects may be unloaded.  ctx: init.
 */
bool mmi_lookup_has(const char *name);

/*
 * Does the object that contains the address pc define `name'?  Takes no lock:
 * the object must not be unloaded meanwhile.  ctx: hook.
 */
bool mmi_lookup_in(uintptr_t pc, const char *name);

/*
 * Which of the allocator's functions does the executable define?  MONOUT_OWN_*.
 * ctx: init.
 */
unsigned mmi_lookup_program(void);

/* Is the address in the executable?  ctx: init. */
bool mmi_lookup_in_program(const void *p);

/* This library's own definition of `name', or NULL.  ctx: init. */
void *mmi_lookup_own(const char *name);

/*
 * This library's thread-local storage: its offset from the thread's control
 * block; bytes, 0: not known.  Found by _find().  ctx of that: init.
 */
struct mmi_lookup_storage {
	intptr_t at;
	uintptr_t size;
};
extern __attribute__((
	visibility("hidden"))) struct mmi_lookup_storage mmi_lookup_storage;
void mmi_lookup_storage_find(void);

/*
 * The definition of a function in the object that contains the address pc, in
 * an object loaded after it, or in any other, except `not'; or NULL.  It needs
 * no scope; dlsym() needs one, and crashes for an object without a scope that
 * was loaded for another one.  Takes the loader's lock.  ctx: init.
 */
void *mmi_lookup_from(uintptr_t pc, const char *name, const void * not );

#endif
