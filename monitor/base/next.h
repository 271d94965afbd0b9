/* SPDX-License-Identifier: MIT */
/*
 * The next allocator in line: the one that the program would have without us.
 *
 * In the shared library its functions are found by the loader; until that is
 * done, what the search itself allocates comes from a small area of our own.
 * In a static link they are the linker's __real_ names.
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
	void (*free_sized)(void *, size_t); /* NULL if there is none */
	void (*free_aligned_sized)(void *, size_t, size_t); /* likewise */
	/* NULL: none of the same object as malloc. */
	size_t (*malloc_usable_size)(void *);
};

/*
 * All are set once mmi_next_ready isn't 0; what it is then tells hooks whether
 * they record every block, or samples (sample.h).
 */
#define MMI_NEXT_PLAIN 1
#define MMI_NEXT_SAMPLED 2
extern HIDDEN struct mmi_next mmi_next;
extern HIDDEN int mmi_next_ready;

/*
 * Find them.  False while another call of it is under way, or before the loader
 * has relocated this library: then the caller is served by mmi_next_boot(), and
 * may call nothing else.  ctx: init.
 */
bool mmi_next_find(void);

/*
 * All are found, and none is called yet: what mmi_next_ready is to be.  Defined
 * in process/start.c.  ctx: init.
 */
int mmi_next_found(void);

/* `size' zeroed bytes of our own, aligned to `align', or NULL.  ctx: init. */
void *mmi_next_boot(size_t size, size_t align);

/* Is p from mmi_next_boot()?  Such blocks are never freed.  ctx: hook. */
bool mmi_next_is_boot(const void *p);

/* Bytes from p to the end of its area, for a copy.  ctx: init. */
size_t mmi_next_boot_size(const void *p);

/* memcpy(), also before it can be called.  ctx: init. */
void mmi_next_boot_copy(void *to, const void *from, size_t n);

/*
 * Area i of those that mmi_next_boot() has taken from, from 0: its size and its
 * start; 0: no more.  ctx: any.
 */
size_t mmi_next_boot_area(unsigned i, const void **start);

/*
 * Any other function further on, by name; NULL when there is none.  It isn't
 * the caller's own.  Where this library is the last, as it was loaded into a
 * running process, that of the first object which has it.  ctx: init.
 */
void *mmi_next_symbol(const char *name);

/*
 * The same, or, where there is none, as a library that was loaded for one
 * plug-in only isn't in the global scope, that of the caller's object, or of
 * those that were loaded behind it; NULL: none but `ours'.  It is found by the
 * program's own call, which hears of nothing, by dlerror() or errno.  Not in
 * the static library.  ctx: init.
 */
void *mmi_next_of(const char *name, const void *ours, uintptr_t caller);

/*
 * The program must not hear, from dlerror(), of what wasn't found.  ctx: init.
 */
void mmi_next_forget(void);

/*
 * Is the next allocator glibc's?  Not known in the static library: false.  ctx:
 * any.
 */
bool mmi_next_is_glibc(void);

/* Is libmemmon-access in the program, which does all of this?  ctx: init. */
bool mmi_next_monitored(void);

/* Is there a next function of that name?  dlerror() isn't set.  ctx: init. */
bool mmi_next_has(const char *name);

#endif
