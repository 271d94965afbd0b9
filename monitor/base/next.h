/* SPDX-License-Identifier: MIT */
/*
 * The next allocator: the one that the program would have without memmon.
 *
 * In the shared library the loader finds its functions; until then, memory that
 * the search itself allocates comes from a small area of our own.  In a static
 * link they are the linker's __real_ names.
 */
#ifndef MEMMON_NEXT_H
#define MEMMON_NEXT_H

#include "monitor/base/internal.h"

struct mmi_next {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	void (*free_sized)(void *, size_t); /* NULL: there is none */
	void (*free_aligned_sized)(void *, size_t, size_t); /* the same */
	/* NULL: malloc's object doesn't define it. */
	size_t (*malloc_usable_size)(void *);
};

/*
 * All are set once mmi_next_ready isn't 0.  Its value tells hooks whether to
 * record every block, or samples (sample.h).
 */
#define MMI_NEXT_PLAIN 1
#define MMI_NEXT_SAMPLED 2
extern HIDDEN struct mmi_next mmi_next;
extern HIDDEN int mmi_next_ready;

/*
 * Finds the functions.  False while another call of it runs, or before the
 * loader has relocated this library: then the caller must use mmi_next_boot(),
 * and may call nothing else.  ctx: init.
 */
bool mmi_next_find(void);

/*
 * All functions are found, and none is called yet: returns the value for
 * mmi_next_ready.  Defined in process/start.c.  ctx: init.
 */
int mmi_next_found(void);

/* `size' zeroed bytes of our own, aligned to `align', or NULL.  ctx: init. */
void *mmi_next_boot(size_t size, size_t align);

/* Is p from mmi_next_boot()?  Such blocks are never freed.  ctx: hook. */
bool mmi_next_is_boot(const void *p);

/* The bytes from p to the end of its area, for a copy.  ctx: init. */
size_t mmi_next_boot_size(const void *p);

/* memcpy(), also before that can be called.  ctx: init. */
void mmi_next_boot_copy(void *to, const void *from, size_t n);

/*
 * Area i, from 0, of mmi_next_boot(): its size and its start; 0: no more.
 * ctx: any.
 */
size_t mmi_next_boot_area(unsigned i, const void **start);

/*
 * Any other function, by name, in an object after this one; or NULL.  It isn't
 * the caller's own.  If this library is the last object because it was loaded
 * into a running process: the function of the first object that defines it.
 * ctx: init.
 */
void *mmi_next_symbol(const char *name);

/*
 * The same; if that fails, the function of the caller's object or of an object
 * loaded after it: a library that was loaded for one plug-in only isn't in the
 * global scope.  NULL: none except `ours'.  Called when the program calls the
 * function; changes neither dlerror() nor errno.  Not in the static library.
 * ctx: init.
 */
void *mmi_next_of(const char *name, const void *ours, uintptr_t caller);

/*
 * Deletes failed searches, which dlerror() must not show the program.
 * ctx: init.
 */
void mmi_next_forget(void);

/*
 * Is the next allocator glibc's?  Not known in the static library: false.
 * ctx: any.
 */
bool mmi_next_is_glibc(void);

/* Is libmemmon-access in the program, which does all this?  ctx: init. */
bool mmi_next_monitored(void);

/* Is there a next function of that name?  dlerror() isn't set.  ctx: init. */
bool mmi_next_has(const char *name);

#endif
