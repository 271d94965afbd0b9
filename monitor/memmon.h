/* SPDX-License-Identifier: MIT */
/*
 * memmon.h: what a program may ask of the monitor that is linked into it.  A
 * program can be profiled without any of this.  See libmemmon(3).
 *
 * A program that should run with and without memmon defines MEMMON_WEAK before
 * it includes this header.  Then it may call all functions; without memmon they
 * do nothing and return -1 or NULL.
 */
#ifndef MEMMON_H
#define MEMMON_H

#include <stddef.h>
#include <stdint.h>

/* The memory at p isn't read or written: it may be uninitialized. */
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
	uint64_t reallocs; /* each also counts as one free and one alloc */
	/* Allocations that were not recorded.  Before 1.0 it was `lost'. */
	__extension__ union {
		uint64_t unrecorded;
		uint64_t lost;
	};
};

/*
 * Any thread and any signal handler may call all of these functions.  They
 * don't change errno.  See libmemmon(3).
 */

/* The version of the library, "0.1.0". */
const char *memmon_version(void);

/*
 * Fill *t.  While other threads allocate, the figures may be of slightly
 * different times; frees never exceed allocs.  Returns 0, or -1 if t is NULL.
 * Takes time in proportion to the number of call paths and sizes.
 */
int memmon_totals(struct memmon_totals *t);

/*
 * memmon_dump() writes the data file now; the program goes on, and when it ends
 * the file is written again.  memmon_dump_to() writes a data file to `path',
 * and never writes to that file again.  Both return 0, or -1 with errno if the
 * file couldn't be written.  EBUSY: another thread is writing a file at this
 * moment, or has written the last file of the process; or another process uses
 * `path'.
 */
int memmon_dump(void);
int memmon_dump_to(const char *path);

/*
 * Start or stop recording.  Frees while it is off are still counted if the
 * allocation was.  Both return 1 if recording was on before, 0 if it was off,
 * -1 if nothing is recorded at all.
 */
int memmon_start(void);
int memmon_stop(void);

/*
 * Start all counts again from zero.  Returns 0, or -1 if another thread is
 * doing the same or is writing a file.
 */
int memmon_reset(void);

/*
 * Store the present totals under a name; 63 bytes of the name are kept.
 * Returns 0, or -1 if all marks are used, or name is NULL.
 */
int memmon_mark(const char *name);

/*
 * For a program's own allocators: memmon_alloc() reports that p was allocated
 * with `size' bytes, for the caller's caller; memmon_free() that it was freed.
 * If p is NULL they do nothing.  Addresses are multiples of 8.
 */
void memmon_alloc(const void *p, size_t size) MEMMON_ADDRESS(1);
void memmon_free(const void *p) MEMMON_ADDRESS(1);

/*
 * The same for allocators that free many blocks at once.  `pool' is any address
 * that identifies the pool, for example that of its descriptor.  Only one
 * thread at a time may report about a pool.
 *
 * create	the pool begins, without blocks.
 * add	the pool divides the block at `base', of malloc's or of another pool's,
 *	into its own blocks: that block isn't counted in addition.
 * alloc	p was allocated.
 * realloc	the block at `old' is now at `p', perhaps the same address, and
 *	has `size' bytes.
 * free	p was freed.
 * discard	all blocks of the pool were freed.
 * destroy	the same, and the pool ends.  Call it before the pool's memory
 *		is freed.
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
 * Find the live blocks that the program can't reach any more.  The data file
 * written next has the result, by call path.  Returns how many blocks are lost
 * or indirectly lost; -1 if the check failed (the data file says why), or if
 * another thread is running a check.  Stops the other threads for some
 * milliseconds; see libmemmon(3).  Any thread; signal-safe; errno doesn't
 * change.
 */
long memmon_leak_check(void);

/*
 * The same, and in addition a graph of who holds what: which variables, threads
 * and blocks point to which blocks.  All data files written from now on contain
 * the graph, until the next one is made; see mpreduce --retained.  Returns 0,
 * or -1 if that failed.
 */
int memmon_graph(void);

/*
 * Leak checks treat the block at p, and all blocks that it leads to, as
 * reachable until it is freed, even if nothing points to it.  Returns 0, or -1
 * if no live block begins at p or there is no memory for another one.  Any
 * thread; signal-safe; errno doesn't change.
 */
int memmon_leak_ignore(const void *p);

/*
 * The live block at p, of malloc's or an annotated one, holds objects of the
 * type `name' (255 bytes are kept), of `size' bytes each; 0: unknown.  The
 * block counts as one of that type from its allocation on, and so does the
 * block that realloc makes of it.  A second call gives it another type.  There
 * may be 6,553 combinations of call path and type.  Returns 0, or -1 if no
 * counted block begins at p, if recording is off, if there are too many types,
 * or if there is no memory.  Any thread; signal-safe; errno doesn't change.
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

/* In its own macro, the name means the function. */
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
