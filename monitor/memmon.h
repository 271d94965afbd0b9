/* SPDX-License-Identifier: MIT */
/*
 * memmon.h: what a program may ask of the monitor that is linked into it.
 * Nothing here is needed to be profiled.  See libmemmon(3).
 *
 * A program that should run with and without memmon defines MEMMON_WEAK before
 * it includes this: then it may call all of them, which do nothing and return
 * -1, or NULL, where there is no memmon.
 */
#ifndef MEMMON_H
#define MEMMON_H

#include <stddef.h>
#include <stdint.h>

/* What p points to is neither read nor written: it may be uninitialized. */
#if defined(MEMMON_ADDRESS)
#elif defined(__GNUC__) && __GNUC__ >= 11 && !defined(__clang__)
#define MEMMON_ADDRESS(p) __attribute__((access(none, p)))
#else
#define MEMMON_ADDRESS(p)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Counts since the start of the process, or since the fork that made it.
 * Sizes are those that the program asked for, in bytes.
 */
struct memmon_totals {
	uint64_t allocs;   /* blocks allocated */
	uint64_t bytes;	   /* bytes allocated */
	uint64_t frees;	   /* blocks freed */
	uint64_t freed;	   /* bytes freed */
	uint64_t live;	   /* bytes allocated and not freed now */
	uint64_t peak;	   /* most bytes live at one time */
	uint64_t reallocs; /* each counts as one free and one alloc too */
	/* Allocations that were not recorded.  Before 1.0 it was `lost'. */
	__extension__ union {
		uint64_t unrecorded;
		uint64_t lost;
	};
};

/*
 * All of these may be called by any thread and in signal handlers, and leave
 * errno as it was.  See libmemmon(3).
 */

/* The version of the library, "0.1.0". */
const char *memmon_version(void);

/*
 * Fill *t.  While other threads allocate, the figures are of slightly different
 * snapshots; frees never exceed allocs.  Returns 0, or -1 when t is NULL.
 * Takes time in proportion to the number of call chains and sizes.
 */
int memmon_totals(struct memmon_totals *t);

/*
 * Write the data file now; the program goes on, and the file is written anew
 * when it ends.  Or write it to `path', and nothing else will be.  Returns 0,
 * or -1, with errno, when the file couldn't be written; EBUSY: another thread
 * is writing one at this moment, or has written the last one of the process.
 */
int memmon_dump(void);
int memmon_dump_to(const char *path);

/*
 * Record from now on, or don't.  What is freed while it is off is still
 * counted, if its allocation was.  Returns 1 if recording was on before, 0 if
 * it was off; -1: nothing is recorded at all.
 */
int memmon_start(void);
int memmon_stop(void);

/*
 * All counts begin anew.  Returns 0, or -1 when another thread is doing that or
 * writing a file.
 */
int memmon_reset(void);

/*
 * Note the totals of now under a name, of which 63 bytes are kept.
 * Returns 0, or -1 when there is no room for more, or name is NULL.
 */
int memmon_mark(const char *name);

/*
 * For a program's own allocators: p was handed out for `size' bytes, to the
 * caller's caller and so on; it was given back.  p NULL is nothing.  Addresses
 * are multiples of 8.
 */
void memmon_alloc(const void *p, size_t size) MEMMON_ADDRESS(1);
void memmon_free(const void *p) MEMMON_ADDRESS(1);

/*
 * The same for those that give back many blocks at a time.  `pool' is any
 * address that stands for the pool, as that of its descriptor.  Of one pool one
 * thread tells at a time.
 *
 * create	a pool begins: it has no blocks.
 * add		the block at `base', of malloc's or of another pool's, is one
 *		that this pool makes its blocks of: it isn't counted besides.
 * alloc	p was handed out.
 * realloc	`old' is `p' now, maybe the same, and has `size' bytes.
 * free		p was given back.
 * discard	so was all that the pool had handed out.
 * destroy	the same, and the pool ends; before what it had is freed.
 */
void memmon_pool_create(const void *pool) MEMMON_ADDRESS(1);
void memmon_pool_add(const void *pool, const void *base) MEMMON_ADDRESS(1)
	MEMMON_ADDRESS(2);
void memmon_pool_alloc(const void *pool, const void *p, size_t size)
	MEMMON_ADDRESS(1) MEMMON_ADDRESS(2);
void memmon_pool_realloc(const void *pool, const void *old, const void *p,
			 size_t size) MEMMON_ADDRESS(1) MEMMON_ADDRESS(2)
	MEMMON_ADDRESS(3);
void memmon_pool_free(const void *pool, const void *p) MEMMON_ADDRESS(1)
	MEMMON_ADDRESS(2);
void memmon_pool_discard(const void *pool) MEMMON_ADDRESS(1);
void memmon_pool_destroy(const void *pool) MEMMON_ADDRESS(1);

/*
 * Which of the blocks that are live now can't the program get at any more?  The
 * data file written next has the result, by call chain.  Returns how many are
 * lost, with those that only lost ones point to; -1 when it couldn't be found
 * out (the data file says why), or another thread is doing it.  Stops the other
 * threads for some milliseconds; see libmemmon(3).  Any thread; signal-safe;
 * errno is left as it was.
 */
long memmon_leak_check(void);

/*
 * The same, and who holds what: which variables, threads and blocks point to
 * which blocks.  The data files written from now on have it, until it is made
 * again; see mpreduce --retained.  Returns 0, or -1 when it couldn't be found
 * out.
 */
int memmon_graph(void);

/*
 * The block at p, and what it leads to, is reachable for leak checks until it
 * is freed, whether anything points to it or not.  Returns 0, or -1 when no
 * live block begins at p or there is no memory for one more.  Any thread;
 * signal-safe; errno is left as it was.
 */
int memmon_leak_ignore(const void *p);

/*
 * The live block at p, of malloc's or an annotated one, holds objects of the
 * type `name' (255 bytes are kept), of `size' bytes each; 0: that isn't known.
 * It is counted as one of that type from its allocation on, and what realloc
 * makes of it is, too.  A second call gives it another type.  There may be
 * 6,553 combinations of call chain and type.  Returns 0, or -1 when no block
 * that is counted begins at p, when recording is off, when there are too many
 * types or no memory.  Any thread; signal-safe; errno is left as it was.
 */
int memmon_type(const void *p, const char *name, size_t size) MEMMON_ADDRESS(1);

#ifdef MEMMON_WEAK
#pragma weak memmon_version
#pragma weak memmon_totals
#pragma weak memmon_dump
#pragma weak memmon_dump_to
#pragma weak memmon_start
#pragma weak memmon_stop
#pragma weak memmon_reset
#pragma weak memmon_mark
#pragma weak memmon_alloc
#pragma weak memmon_free
#pragma weak memmon_pool_create
#pragma weak memmon_pool_add
#pragma weak memmon_pool_alloc
#pragma weak memmon_pool_realloc
#pragma weak memmon_pool_free
#pragma weak memmon_pool_discard
#pragma weak memmon_pool_destroy
#pragma weak memmon_leak_check
#pragma weak memmon_graph
#pragma weak memmon_leak_ignore
#pragma weak memmon_type

/* Inside of its own macro, the name is the function's. */
#define memmon_version() (memmon_version ? memmon_version() : 0)
#define memmon_totals(t) (memmon_totals ? memmon_totals(t) : -1)
#define memmon_dump() (memmon_dump ? memmon_dump() : -1)
#define memmon_dump_to(path) (memmon_dump_to ? memmon_dump_to(path) : -1)
#define memmon_start() (memmon_start ? memmon_start() : -1)
#define memmon_stop() (memmon_stop ? memmon_stop() : -1)
#define memmon_reset() (memmon_reset ? memmon_reset() : -1)
#define memmon_mark(name) (memmon_mark ? memmon_mark(name) : -1)
#define memmon_leak_check() (memmon_leak_check ? memmon_leak_check() : -1L)
#define memmon_graph() (memmon_graph ? memmon_graph() : -1)
#define memmon_leak_ignore(p) (memmon_leak_ignore ? memmon_leak_ignore(p) : -1)
#define memmon_type(p, name, size) \
	(memmon_type ? memmon_type(p, name, size) : -1)
#define MEMMON_IF(f, call) ((f) ? call : (void)0)
#define memmon_alloc(p, size) MEMMON_IF(memmon_alloc, memmon_alloc(p, size))
#define memmon_free(p) MEMMON_IF(memmon_free, memmon_free(p))
#define memmon_pool_create(pool) \
	MEMMON_IF(memmon_pool_create, memmon_pool_create(pool))
#define memmon_pool_add(pool, base) \
	MEMMON_IF(memmon_pool_add, memmon_pool_add(pool, base))
#define memmon_pool_alloc(pool, p, size) \
	MEMMON_IF(memmon_pool_alloc, memmon_pool_alloc(pool, p, size))
#define memmon_pool_realloc(pool, old, p, size) \
	MEMMON_IF(memmon_pool_realloc, memmon_pool_realloc(pool, old, p, size))
#define memmon_pool_free(pool, p) \
	MEMMON_IF(memmon_pool_free, memmon_pool_free(pool, p))
#define memmon_pool_discard(pool) \
	MEMMON_IF(memmon_pool_discard, memmon_pool_discard(pool))
#define memmon_pool_destroy(pool) \
	MEMMON_IF(memmon_pool_destroy, memmon_pool_destroy(pool))
#endif

#ifdef __cplusplus
}
#endif

#endif
