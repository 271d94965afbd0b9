/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An independent count of heap allocations, to compare memmon's with: a preload
 * that shares nothing with it.  One lock, one table of blocks, no call paths.
 * At exit "allocs bytes frees freed live peak" go to $ORACLE_OUT.PID. realloc
 * is one free and one allocation.  Preloaded behind libmemmon.so it sees what
 * that passes on.  $ORACLE_OUT.PID.peak gets the blocks live at the peak: a
 * line "size blocks" for each size.  With $ORACLE_OWN a forked child counts its
 * own calls; without, it goes on from its parent's counts.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOTS (1u << 23)

static struct block {
	uintptr_t p; /* 0: never used; 1: removed */
	size_t size;
} * table;
static uint64_t allocs, bytes, frees, freed, live, peak;
static char lock;

/* Blocks of a size: live now, and at peak number `peaks'. */
#define SIZES (1u << 18)

static struct size {
	size_t size_plus; /* size + 1; 0: not used */
	uint64_t live, held, peaks;
} * sizes;
static uint64_t peaks;
static int sizes_full;

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void (*next_free)(void *);
static int (*next_posix_memalign)(void **, size_t, size_t);
static void *(*next_aligned_alloc)(size_t, size_t);
static void *(*next_memalign)(size_t, size_t);

extern int __cxa_atexit(void (*)(void *), void *, void *);

static void
lock_it(void)
{
	while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
		__builtin_ia32_pause();
}

static void
unlock_it(void)
{
	__atomic_clear(&lock, __ATOMIC_RELEASE);
}

static void
find(void)
{
	if (table)
		return;
	table = mmap(NULL, SLOTS * sizeof(*table), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	sizes = mmap(NULL, SIZES * sizeof(*sizes), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	next_malloc = dlsym(RTLD_NEXT, "malloc");
	next_calloc = dlsym(RTLD_NEXT, "calloc");
	next_realloc = dlsym(RTLD_NEXT, "realloc");
	next_free = dlsym(RTLD_NEXT, "free");
	next_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
	next_aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
	next_memalign = dlsym(RTLD_NEXT, "memalign");
}

/* The entry of a size.  Keeps its peak before the count changes. */
static struct size *
size_settle(size_t size)
{
	size_t i = size * 0x9e3779b97f4a7c15u >> 46;
	unsigned tries = 0;

	while (sizes[i].size_plus && sizes[i].size_plus != size + 1) {
		i = (i + 1) % SIZES;
		if (++tries == SIZES) {
			sizes_full = 1;
			break;
		}
	}
	sizes[i].size_plus = size + 1;
	if (sizes[i].peaks != peaks) {
		sizes[i].held = sizes[i].live;
		sizes[i].peaks = peaks;
	}
	return &sizes[i];
}

static void
put(void *p, size_t size)
{
	size_t i = ((uintptr_t)p >> 4) % SLOTS;

	if (!p)
		return;
	lock_it();
	while (table[i].p > 1)
		i = (i + 1) % SLOTS;
	table[i].p = (uintptr_t)p;
	table[i].size = size;
	allocs++;
	bytes += size;
	live += size;
	size_settle(size)->live++;
	if (live > peak) {
		peak = live;
		peaks++;
	}
	unlock_it();
}

/* False when the block isn't known. */
static int
take(void *p, size_t *size)
{
	size_t i = ((uintptr_t)p >> 4) % SLOTS;

	lock_it();
	while (table[i].p && table[i].p != (uintptr_t)p)
		i = (i + 1) % SLOTS;
	if (!table[i].p) {
		unlock_it();
		return 0;
	}
	table[i].p = 1;
	*size = table[i].size;
	frees++;
	freed += *size;
	live -= *size;
	size_settle(*size)->live--;
	unlock_it();
	return 1;
}

static void
untake(void *p, size_t size)
{
	put(p, size);
	lock_it();
	allocs--;
	bytes -= size;
	frees--;
	freed -= size;
	unlock_it();
}

void *
malloc(size_t n)
{
	void *p;

	find();
	p = next_malloc(n);
	put(p, n);
	return p;
}

void *
calloc(size_t n, size_t size)
{
	void *p;

	find();
	p = next_calloc(n, size);
	put(p, n * size);
	return p;
}

void *
realloc(void *old, size_t n)
{
	size_t was = 0;
	int known;
	void *p;

	find();
	known = old && take(old, &was);
	p = next_realloc(old, n);
	if (p)
		put(p, n);
	else if (n && known)
		untake(old, was);
	return p;
}

void *
reallocarray(void *old, size_t n, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(n, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, all);
}

void
free(void *p)
{
	size_t size;

	find();
	if (p)
		take(p, &size);
	next_free(p);
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	int r;

	find();
	r = next_posix_memalign(p, align, n);
	if (r == 0)
		put(*p, n);
	return r;
}

void *
aligned_alloc(size_t align, size_t n)
{
	void *p;

	find();
	p = next_aligned_alloc(align, n);
	put(p, n);
	return p;
}

void *
memalign(size_t align, size_t n)
{
	void *p;

	find();
	p = next_memalign(align, n);
	put(p, n);
	return p;
}

static void
report_peak(const char *name)
{
	char path[4096], line[64];
	int fd, n;

	snprintf(path, sizeof(path), "%s.%ld.peak", name, (long)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || sizes_full)
		abort();
	for (struct size *s = sizes; s < sizes + SIZES; s++) {
		uint64_t held = s->peaks == peaks ? s->held : s->live;

		if (!s->size_plus || !held)
			continue;
		n = snprintf(line, sizeof(line), "%zu %lu\n", s->size_plus - 1,
			     held);
		if (write(fd, line, (size_t)n) != n)
			abort();
	}
	close(fd);
}

static void
report(void *arg)
{
	const char *name = getenv("ORACLE_OUT");
	char path[4096], line[200];
	int fd, n;

	(void)arg;
	if (!name)
		return;
	snprintf(path, sizeof(path), "%s.%ld", name, (long)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	n = snprintf(line, sizeof(line), "%lu %lu %lu %lu %lu %lu\n", allocs,
		     bytes, frees, freed, live, peak);
	if (fd < 0 || write(fd, line, (size_t)n) != n)
		abort();
	close(fd);
	report_peak(name);
}

/* In a forked child, which has the lock. */
static void
begin_child(void)
{
	if (getenv("ORACLE_OWN"))
		allocs = bytes = frees = freed = 0;
	unlock_it();
}

/* As late as can be: after the destructors of all libraries. */
__attribute__((constructor(101))) static void
begin(void)
{
	find();
	__cxa_atexit(report, NULL, NULL);
	/* A child must not inherit the lock of a thread it doesn't have. */
	pthread_atfork(lock_it, unlock_it, begin_child);
}

void
_exit(int status)
{
	report(NULL);
	for (;;)
		syscall(SYS_exit_group, status);
}
