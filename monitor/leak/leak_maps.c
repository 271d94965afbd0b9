/* SPDX-License-Identifier: MIT */
/* What is mapped, and which of its pages are there. */
#include "monitor/leak/leak_check.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"

/* Pages that are asked for in one go. */
#define ENTRIES 4096u
#define PAGES_SIZE (ENTRIES * sizeof(uint64_t))

/* Of /proc/self/pagemap. */
#define PAGE_THERE (3ull << 62) /* in memory or in swap */
#define PAGE_OF_FILE (1ull << 61)

#define MAPS_MAX ((size_t)1 << 21)

void *
mmi_leak_map(size_t size)
{
	return mmi_arena_reserve(size);
}

void
mmi_leak_unmap(void *p, size_t size)
{
	if (p)
		mmi_arena_unreserve(p, size);
}

static bool
begins(const char *s, const char *with)
{
	while (*with)
		if (*s++ != *with++)
			return false;
	return true;
}

/* What the name at the end of a line tells. */
static uint64_t
name_flags(const char *name)
{
	if (!*name || begins(name, "[anon"))
		return 0;
	if (begins(name, "[stack"))
		return MMI_LEAK_STACK;
	if (begins(name, "[heap]"))
		return MMI_LEAK_BRK;
	if (begins(name, "/dev/zero") || begins(name, "/dev/shm/"))
		return MMI_LEAK_FILE;
	if (*name != '/' || begins(name, "/dev/") || begins(name, "/dmabuf") ||
	    begins(name, "/drm"))
		return MMI_LEAK_DEVICE;
	return MMI_LEAK_FILE;
}

/* A line: "start-end rwxp offset major:minor inode   name". */
static bool
line_add(void *arg, const char *s)
{
	struct mmi_leak *l = arg;
	struct mmi_leak_map m = { 0, 0, 0 };

	m.start = mmi_process_hex(&s);
	if (*s++ != '-')
		return true;
	m.end = mmi_process_hex(&s);
	if (*s++ != ' ' || strlen(s) < 5 || m.start >> ARCH_ADDR_BITS)
		return true;
	m.flags = (s[0] == 'r' ? MMI_LEAK_READ : 0) |
		  (s[1] == 'w' ? MMI_LEAK_WRITE : 0) |
		  (s[3] == 's' ? MMI_LEAK_SHARED : 0);
	for (int field = 0; field < 4; field++) {
		while (*s && *s != ' ')
			s++;
		while (*s == ' ')
			s++;
	}
	m.flags |= name_flags(s);
	if (l->nmaps == l->map_room)
		return false;
	l->maps[l->nmaps++] = m;
	return true;
}

bool
mmi_leak_maps(struct mmi_leak *l)
{
	bool ok;

	/* A limit of memory may count all of it, touched or not. */
	for (l->map_room = MAPS_MAX; l->map_room; l->map_room /= 2)
		if ((l->maps = mmi_leak_map(l->map_room * sizeof(*l->maps))))
			break;
	l->entries = mmi_leak_map(PAGES_SIZE);
	if (!l->maps || !l->entries) {
		l->nmaps = l->map_room;
		return false;
	}
	ok = mmi_process_maps((char *)l->entries, PAGES_SIZE, line_add, l) &&
	     l->nmaps > 0;
	l->pagemap = ARCH_SYS(SYS_openat, AT_FDCWD, "/proc/self/pagemap",
			      O_RDONLY | O_CLOEXEC, 0, 0, 0);
	return ok;
}

void
mmi_leak_maps_close(struct mmi_leak *l)
{
	if (l->pagemap >= 0)
		ARCH_SYS(SYS_close, l->pagemap, 0, 0, 0, 0, 0);
	mmi_leak_unmap(l->entries, PAGES_SIZE);
	mmi_leak_unmap(l->maps, l->map_room * sizeof(*l->maps));
}

const struct mmi_leak_map *
mmi_leak_find(struct mmi_leak *l, uintptr_t a)
{
	size_t lo = 0, hi = l->nmaps, mid;

	if (l->near < hi && a >= l->maps[l->near].start &&
	    a < l->maps[l->near].end)
		return &l->maps[l->near];
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (l->maps[mid].end <= a)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == l->nmaps || l->maps[lo].start > a)
		return NULL;
	l->near = lo;
	return &l->maps[lo];
}

/*
 * Which of n pages from `at' on are there, bit by bit in l->entries[].  Private
 * memory: those that the process has written.  What is shared has been, or can
 * be, written by others.
 */
static void
pages_there(struct mmi_leak *l, uintptr_t at, size_t n, bool shared)
{
	uint64_t *e = l->entries;
	uint8_t *in = (uint8_t *)e;
	long got = 0;

	if (!shared && l->pagemap >= 0)
		got = ARCH_SYS(SYS_pread64, l->pagemap, e, n * sizeof(*e),
			       at / ARCH_PAGE_NOW * sizeof(*e), 0, 0);
	if (got == (long)(n * sizeof(*e))) {
		for (size_t i = 0; i < n; i++)
			e[i] = e[i] & PAGE_THERE && !(e[i] & PAGE_OF_FILE);
		return;
	}
	if (ARCH_SYS(SYS_mincore, at, n * ARCH_PAGE_NOW, in, 0, 0, 0) != 0)
		memset(in, 0, n);
	for (size_t i = n; i-- > 0;)
		e[i] = in[i] & 1;
}

static void
map_present(struct mmi_leak *l, uintptr_t lo, uintptr_t hi, bool shared,
	    void (*f)(struct mmi_leak *l, uintptr_t lo, uintptr_t hi))
{
	uintptr_t page = lo & -(uintptr_t)ARCH_PAGE_NOW, from, to;
	size_t n, i, k;

	for (; page < hi; page += n * ARCH_PAGE_NOW) {
		n = (hi - page + ARCH_PAGE_NOW - 1) / ARCH_PAGE_NOW;
		if (n > ENTRIES)
			n = ENTRIES;
		pages_there(l, page, n, shared);
		for (i = 0; i < n; i = k + 1) {
			for (k = i; k < n && l->entries[k]; k++)
				continue;
			from = page + i * ARCH_PAGE_NOW;
			to = page + k * ARCH_PAGE_NOW;
			from = from < lo ? lo : from;
			to = to > hi ? hi : to;
			if (from < to)
				f(l, from, to);
		}
	}
}

void
mmi_leak_present(struct mmi_leak *l, uintptr_t lo, uintptr_t hi,
		 void (*f)(struct mmi_leak *l, uintptr_t lo, uintptr_t hi))
{
	const struct mmi_leak_map *m;
	uintptr_t to;

	for (; lo < hi; lo = to) {
		m = mmi_leak_find(l, lo);
		if (!m)
			return;
		to = m->end < hi ? m->end : hi;
		if (!(m->flags & MMI_LEAK_READ) || m->flags & MMI_LEAK_DEVICE)
			continue;
		map_present(l, lo, to, m->flags & MMI_LEAK_SHARED, f);
	}
}
