/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A runtime for the tests of the compiler's plugin: it only counts, exactly.
 * With PLUG_OFTEN=1 in the environment each checked access calls touch(), so
 * that the rare path is taken often.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "monitor/abi.h"
#include "tests/access/plug_runtime.h"

#define SPACE (1ull << 47)
#define TAKEN (1ull << 28) /* granules with their own counts */
#define NOW (1ull << MEMMON_STAMP_SHIFT)

static struct memmon_access_state here = { .now = NOW, .limit = UINT64_MAX };
__thread struct memmon_access_state *__link_with_lmemmon_access_v6 = &here;
static struct {
	uint64_t reads, writes;
} * taken;
static uint64_t ranges, loops, touches;
static uint64_t start_at; /* the first count of accesses to a granule */

static void *
map(size_t size, size_t least)
{
	void *p;

	do
		p = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	while (p == MAP_FAILED && (size /= 2) >= least);
	if (p == MAP_FAILED) {
		perror("plug_runtime: mmap");
		_Exit(3);
	}
	return p;
}

__attribute__((constructor(101))) static void
start(void)
{
	/* valgrind has a small address space: less is enough. */
	here.cells = map(SPACE / 16 * sizeof(*here.cells), 1ull << 36);
	here.cells[0] = SPACE / 16 / 2 - 1;
	here.cells++;
	here.skip = MEMMON_SKIP_NONE;
	taken = map(TAKEN * sizeof(*taken), TAKEN * sizeof(*taken));
	if (getenv("PLUG_OFTEN"))
		start_at = (1 << MEMMON_ALL_BITS) - 1;
}

static uint64_t *
cell_of(uintptr_t a)
{
	return &here.cells[a >> 4 & here.cells[-1]];
}

static size_t
slot(const uint64_t *cell)
{
	return (size_t)(cell - here.cells) % TAKEN;
}

/* The writes of a word; a word without a time has no counts. */
static uint64_t
writes_of(uint64_t word)
{
	return word & ((1u << MEMMON_WRITES_BITS) - 1);
}

static uint64_t
reads_of(uint64_t word)
{
	if (!(word & NOW))
		return 0;
	return ((word & (NOW - 1)) >> MEMMON_ALL_SHIFT) - start_at -
	       writes_of(word);
}

void __memmon_way(unsigned bit);
void
__memmon_way(unsigned bit)
{
	(void)bit;
}

void
__memmon_touch(uint64_t *cell)
{
	touches++;
	taken[slot(cell)].reads += reads_of(*cell);
	taken[slot(cell)].writes += writes_of(*cell);
	*cell = NOW | start_at << MEMMON_ALL_SHIFT;
}

static void
count(uintptr_t a, uint64_t add)
{
	uint64_t *cell = cell_of(a);

	if (*cell >> MEMMON_GUARD_SHIFT != here.now >> MEMMON_GUARD_SHIFT)
		__memmon_touch(cell);
	*cell += add;
}

static void
range(const void *p, size_t size, uint32_t reads, uint32_t writes)
{
	uintptr_t a = (uintptr_t)p & -16;

	for (; size > 0 && a < (uintptr_t)p + size; a += 16)
		count(a, (uint64_t)reads * MEMMON_READ +
				 (uint64_t)writes * MEMMON_WRITE);
}

void
__memmon_range(const void *p, size_t size, uint32_t reads, uint32_t writes)
{
	ranges++;
	range(p, size, reads, writes);
}

void
__memmon_loop(const void *first, ptrdiff_t stride, size_t n, size_t size,
	      uint32_t reads, uint32_t writes)
{
	loops++;
	if (stride < 0 && n > 0) {
		first = (const char *)first + (ptrdiff_t)(n - 1) * stride;
		stride = -stride;
	}
	/* If several lie in each granule, counts them at once. */
	while (stride == (ptrdiff_t)size && size <= 16 && n > 0 &&
	       !(size & (size - 1)) && !((uintptr_t)first & (size - 1))) {
		unsigned shift = (unsigned)__builtin_ctzl(size);
		size_t k = (16 - ((uintptr_t)first & 15)) >> shift;

		if (k > n)
			k = n;
		count((uintptr_t)first,
		      (uint64_t)reads * k * MEMMON_READ +
			      (uint64_t)writes * k * MEMMON_WRITE);
		first = (const char *)first + (k << shift);
		n -= k;
	}
	for (; n > 0; n--, first = (const char *)first + stride)
		range(first, size, reads, writes);
}

uint64_t
plug_ranges(void)
{
	return ranges;
}

uint64_t
plug_loops(void)
{
	return loops;
}

uint64_t
plug_reads(const void *p)
{
	uint64_t *cell = cell_of((uintptr_t)p);

	return taken[slot(cell)].reads + reads_of(*cell);
}

uint64_t
plug_writes(const void *p)
{
	uint64_t *cell = cell_of((uintptr_t)p);

	return taken[slot(cell)].writes + writes_of(*cell);
}

void
plug_show(const char *what, const void *p, size_t size)
{
	printf("%s", what);
	for (size_t i = 0; i < size; i += 16)
		printf(" %llu/%llu",
		       (unsigned long long)plug_reads((const char *)p + i),
		       (unsigned long long)plug_writes((const char *)p + i));
	putchar('\n');
	plug_forget(p, size);
}

void
plug_forget(const void *p, size_t size)
{
	for (size_t i = 0; i < size; i += 16) {
		uint64_t *cell = cell_of((uintptr_t)p + i);

		*cell = 0;
		taken[slot(cell)].reads = taken[slot(cell)].writes = 0;
	}
}

/* PLUG_DUMP=FILE: at the end, writes each granule of brk()'s heap. */
__attribute__((destructor)) static void
dump(void)
{
	const char *name = getenv("PLUG_DUMP");
	FILE *f = name ? fopen(name, "w") : NULL;
	FILE *maps = f ? fopen("/proc/self/maps", "r") : NULL;
	unsigned long from = 0, to = 0;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s [hea", &from, &to) ==
			    2 &&
		    strstr(line, "[heap]"))
			break;
		else
			from = to = 0;
	for (unsigned long a = from; a < to; a += 16) {
		uint64_t r = plug_reads((void *)a), w = plug_writes((void *)a);

		if (r || w)
			fprintf(f, "%lx %lu %lu\n", a - from, (unsigned long)r,
				(unsigned long)w);
	}
	if (maps)
		fclose(maps);
	if (f)
		fclose(f);
}

#ifndef PLUG_PLAIN
/* The functions that the library replaces, as far as the tests call them. */
void *
memcpy(void *restrict to, const void *restrict from, size_t n)
{
	range(from, n, 1, 0);
	range(to, n, 0, 1);
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *
__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	return n > room ? abort(), to : memcpy(to, from, n);
}

void *
memmove(void *to, const void *from, size_t n)
{
	range(from, n, 1, 0);
	range(to, n, 0, 1);
	if ((uintptr_t)to < (uintptr_t)from)
		for (size_t i = 0; i < n; i++)
			((volatile char *)to)[i] = ((const char *)from)[i];
	else
		for (size_t i = n; i-- > 0;)
			((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *
memset(void *to, int c, size_t n)
{
	range(to, n, 0, 1);
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = (char)c;
	return to;
}

int
memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;
	size_t i = 0;

	while (i < n && p[i] == q[i])
		i++;
	range(a, i < n ? i + 1 : n, 1, 0);
	range(b, i < n ? i + 1 : n, 1, 0);
	return i < n ? p[i] - q[i] : 0;
}

int bcmp(const void *a, const void *b, size_t n);
int
bcmp(const void *a, const void *b, size_t n)
{
	return memcmp(a, b, n);
}

size_t
strlen(const char *s)
{
	size_t n = 0;

	while (((const volatile char *)s)[n])
		n++;
	range(s, n + 1, 1, 0);
	return n;
}

char *
strcpy(char *restrict to, const char *restrict from)
{
	size_t n = 0;

	while ((((volatile char *)to)[n] = from[n]))
		n++;
	range(from, n + 1, 1, 0);
	range(to, n + 1, 0, 1);
	return to;
}
#endif

/* Blocks passed to functions elsewhere aren't tested here. */
void
__memmon_handed(struct memmon_callee *callee, unsigned n, ...)
{
	(void)n;
	callee->unknown = 0;
}

void
__memmon_handed_registers(const struct memmon_handing *handing,
			  const uintptr_t *registers)
{
	struct memmon_callee *callee =
		(void *)((uintptr_t)&handing->callee +
			 (uintptr_t)(intptr_t)handing->callee);

	(void)registers;
	callee->unknown = 0;
}

uint64_t __memmon_targets[MEMMON_TARGETS_MASK / 8 + 1];

void
__memmon_handed_target(const void *target, unsigned n, ...)
{
	(void)n;
	__memmon_targets[((uintptr_t)target & MEMMON_TARGETS_MASK) / 8] =
		(uintptr_t)target;
}
