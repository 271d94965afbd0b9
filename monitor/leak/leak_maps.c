/* SPDX-License-Identifier: MIT */
/* The mappings, and which of their pages are present. */
#include "monitor/leak/leak_check.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "monitor/base/arena.h"
#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/base/sort.h"

/* How many pages one read asks for. */
#define ENTRIES 4096u
#define PAGES_SIZE (ENTRIES * sizeof(uint64_t))

/* Bits of /proc/self/pagemap. */
#define PAGE_THERE (3ull << 62) /* in memory or in swap */
#define PAGE_OF_FILE (1ull << 61)
#define PAGE_GUARD (1ull << 58) /* access faults; the page has no contents */

/* struct pm_scan_arg of linux/fs.h, which some systems lack. */
struct scan {
	uint64_t size, flags, start, end, walked, to, room, most;
	uint64_t inverted, all, any, told;
};
#define PAGEMAP_SCAN 0xc0606610u
#define SCAN_PRESENT 8u
#define SCAN_SWAPPED 16u
#define SCAN_GUARD 256u

#define MAPS_MAX ((size_t)1 << 21)

void *
mmi_leak_map(size_t size)
{
	return mmi_arena_reserve(size);
}

void *
mmi_leak_map_shared(size_t size)
{
	long p = ARCH_SYS(SYS_mmap, 0, size, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p < 0 && p > -4096)
		return NULL;
	mmi_own_add_or_miss((void *)p, size);
	return (void *)p;
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

/* Flags that follow from the name at the end of a line. */
static uint64_t
name_flags(const char *name)
{
	if (!*name || begins(name, "[anon"))
		return 0;
	if (begins(name, "[stack"))
		return MMI_LEAK_STACK;
	if (begins(name, "[heap]"))
		return MMI_LEAK_BRK;
	/*
	 * Data that the kernel returns from it may be the program's pointers.
	 */
	if (begins(name, "/dev/zero") || begins(name, "/dev/shm/") ||
	    begins(name, "anon_inode:[io_uring]"))
		return MMI_LEAK_FILE;
	if (*name != '/' || begins(name, "/dev/") || begins(name, "/dmabuf") ||
	    begins(name, "/drm") || begins(name, "/sys/") ||
	    begins(name, "/proc/"))
		return MMI_LEAK_DEVICE;
	return MMI_LEAK_FILE;
}

/* A line: "start-end rwxp offset major:minor inode   name". */
bool
mmi_leak_map_line(const char *s, struct mmi_leak_map *m)
{
	m->start = mmi_process_hex(&s);
	if (*s++ != '-')
		return false;
	m->end = mmi_process_hex(&s);
	if (*s++ != ' ' || strlen(s) < 5 || m->start >> ARCH_ADDR_BITS)
		return false;
	m->flags = (s[0] == 'r' ? MMI_LEAK_READ : 0) |
		   (s[1] == 'w' ? MMI_LEAK_WRITE : 0) |
		   (s[3] == 's' ? MMI_LEAK_SHARED : 0);
	for (int field = 0; field < 4; field++) {
		while (*s && *s != ' ')
			s++;
		while (*s == ' ')
			s++;
	}
	m->flags |= name_flags(s);
	return true;
}

static bool
line_add(void *arg, const char *s)
{
	struct mmi_leak *l = arg;
	struct mmi_leak_map m;

	if (!mmi_leak_map_line(s, &m))
		return true;
	if (l->nmaps == l->map_room)
		return false;
	l->maps[l->nmaps++] = m;
	return true;
}

/* Add the flags of special mappings; both lists are sorted. */
static void
maps_mark(struct mmi_leak *l)
{
	const struct mmi_leak_map *s = l->special, *end = s + l->nspecial;

	for (size_t i = 0; i < l->nmaps && s < end; i++) {
		while (s < end && s->end <= l->maps[i].start)
			s++;
		if (s < end && s->start < l->maps[i].end)
			l->maps[i].flags |=
				s->flags & (MMI_LEAK_WAITS | MMI_LEAK_KEYED |
					    MMI_LEAK_DEVICE);
	}
}

/* Make mappings of the guard pages that the kernel lists in mapping i. */
static void
guards_split(struct mmi_leak *l, size_t i)
{
	struct mmi_leak_map *m = &l->maps[i];
	uint64_t found[3];
	struct scan s = { .size = sizeof(s),
			  .start = m->start,
			  .end = m->end,
			  .to = (uintptr_t)found,
			  .room = 1,
			  .any = SCAN_GUARD,
			  .told = SCAN_GUARD };

	while (!l->no_guards && l->nmaps + 2 < l->map_room) {
		long n = ARCH_SYS(SYS_ioctl, l->pagemap, PAGEMAP_SCAN, &s, 0, 0,
				  0);

		l->no_guards = n < 0;
		if (n <= 0)
			return;
		l->maps[l->nmaps++] = (struct mmi_leak_map){ found[0], found[1],
							     MMI_LEAK_GUARD };
		l->maps[l->nmaps] = *m;
		m->end = found[0];
		m = &l->maps[l->nmaps++];
		m->start = s.start = found[1];
		if (m->start >= m->end) {
			l->nmaps--;
			return;
		}
	}
}

/*
 * Stacks of threads have guard pages, sometimes many in one mapping (glibc
 * 2.42).
 */
static void
guards_find(struct mmi_leak *l)
{
	size_t n = l->nmaps;

	for (size_t i = 0; i < n && l->pagemap >= 0; i++)
		if (l->maps[i].flags == (MMI_LEAK_READ | MMI_LEAK_WRITE))
			guards_split(l, i);
	if (l->nmaps > n)
		mmi_sort(l->maps, l->nmaps, sizeof(*l->maps) / 8);
}

bool
mmi_leak_pages(struct mmi_leak *l)
{
	l->entries = mmi_leak_map(PAGES_SIZE);
	l->pagemap = ARCH_SYS(SYS_openat, AT_FDCWD, "/proc/self/pagemap",
			      O_RDONLY | O_CLOEXEC, 0, 0, 0);
	return l->entries != NULL;
}

void
mmi_leak_pages_close(struct mmi_leak *l)
{
	if (l->pagemap >= 0)
		ARCH_SYS(SYS_close, l->pagemap, 0, 0, 0, 0, 0);
	l->pagemap = -1;
	mmi_leak_unmap(l->entries, PAGES_SIZE);
	l->entries = NULL;
}

bool
mmi_leak_maps(struct mmi_leak *l)
{
	/* A memory limit may count the whole mapping, touched or not. */
	for (l->map_room = MAPS_MAX; l->map_room; l->map_room /= 2)
		if ((l->maps = mmi_leak_map(l->map_room * sizeof(*l->maps))))
			break;
	if (!mmi_leak_pages(l) || !l->maps) {
		l->nmaps = l->map_room;
		return false;
	}
	if (!mmi_process_maps((char *)l->entries, PAGES_SIZE, line_add, l) ||
	    !l->nmaps)
		return false;
	guards_find(l);
	maps_mark(l);
	return true;
}

void
mmi_leak_maps_close(struct mmi_leak *l)
{
	mmi_leak_pages_close(l);
	mmi_leak_unmap(l->maps, l->map_room * sizeof(*l->maps));
}

/* The mapping of an address, or the next one after it; or NULL. */
static const struct mmi_leak_map *
map_after(struct mmi_leak *l, uintptr_t a)
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
	return lo < l->nmaps ? &l->maps[lo] : NULL;
}

const struct mmi_leak_map *
mmi_leak_find(struct mmi_leak *l, uintptr_t a)
{
	const struct mmi_leak_map *m = map_after(l, a);

	if (!m || m->start > a)
		return NULL;
	l->near = (size_t)(m - l->maps);
	return m;
}

/* Is a page present, according to its entry of /proc/self/pagemap? */
static bool
is_there(uint64_t entry, uint64_t flags)
{
	return entry & PAGE_THERE && !(entry & PAGE_GUARD) &&
	       (flags & MMI_LEAK_SHARED || !(entry & PAGE_OF_FILE));
}

/*
 * Which of n pages from `at' on are present, as bits in l->entries[].  In
 * private memory: pages that the process has written.  In shared memory: all
 * pages that exist, as other processes may have written or may write them.
 */
static void
pages_there(struct mmi_leak *l, uintptr_t at, size_t n, uint64_t flags)
{
	bool waits = flags & MMI_LEAK_WAITS;
	uint64_t *e = l->entries;
	uint8_t *in = (uint8_t *)e;
	long got = 0;

	if ((waits || !(flags & MMI_LEAK_SHARED)) && l->pagemap >= 0)
		got = ARCH_SYS(SYS_pread64, l->pagemap, e, n * sizeof(*e),
			       at / ARCH_PAGE_NOW * sizeof(*e), 0, 0);
	if (got == (long)(n * sizeof(*e))) {
		for (size_t i = 0; i < n; i++)
			e[i] = is_there(e[i], flags);
		return;
	}
	if (waits)
		mmi_leak_unread(l, at, at + n * ARCH_PAGE_NOW);
	if (waits ||
	    ARCH_SYS(SYS_mincore, at, n * ARCH_PAGE_NOW, in, 0, 0, 0) != 0)
		memset(in, 0, n);
	for (size_t i = n; i-- > 0;)
		e[i] = in[i] & 1;
}

/*
 * The first page from `at' on that may be present.  If the kernel can find it
 * (ioctl PAGEMAP_SCAN, Linux 6.7), a terabyte of empty pages takes no time.
 */
static uintptr_t
pages_skip(struct mmi_leak *l, uintptr_t at, uintptr_t hi, uint64_t flags)
{
	uint64_t found[3] = { 0 };
	struct scan s = { .size = sizeof(s),
			  .start = at,
			  .end = (hi + ARCH_PAGE_NOW - 1) &
				 -(uintptr_t)ARCH_PAGE_NOW,
			  .to = (uintptr_t)found,
			  .room = 1,
			  .most = 1,
			  .any = SCAN_PRESENT | SCAN_SWAPPED,
			  .told = SCAN_PRESENT };
	long n;

	if (hi - at <= ENTRIES * ARCH_PAGE_NOW || flags & MMI_LEAK_SHARED ||
	    l->no_scan || l->pagemap < 0)
		return at;
	n = ARCH_SYS(SYS_ioctl, l->pagemap, PAGEMAP_SCAN, &s, 0, 0, 0);
	if (n < 0)
		l->no_scan = true;
	return n < 0 ? at : n ? found[0] : hi;
}

/* Pages that are present; in the process itself, pages that can be read. */
static void
run(struct mmi_leak *l, const struct mmi_leak_map *m, uintptr_t lo,
    uintptr_t hi, void (*f)(struct mmi_leak *l, uintptr_t lo, uintptr_t hi))
{
	const uintptr_t mask = ARCH_PAGE_NOW - 1;
	uintptr_t from = lo, next;

	if (!l->in_place) {
		if (!(m->flags & (MMI_LEAK_READ | MMI_LEAK_OPENED)) &&
		    !mmi_leak_open((struct mmi_leak_map *)m))
			mmi_leak_unread(l, lo, hi);
		else
			f(l, lo, hi);
		return;
	}
	for (uintptr_t a = lo; a < hi; a = next) {
		next = (a | mask) + 1 < hi ? (a | mask) + 1 : hi;
		if (!(m->flags & MMI_LEAK_KEYED) && mmi_leak_probe(l, a))
			continue;
		/* If not, it can only be a guard page, without contents. */
		if (m->flags & (MMI_LEAK_SHARED | MMI_LEAK_KEYED) ||
		    !(m->flags & MMI_LEAK_READ))
			mmi_leak_unread(l, a, next);
		if (from < a)
			f(l, from, a);
		from = next;
	}
	if (from < hi)
		f(l, from, hi);
}

void
mmi_leak_map_present(struct mmi_leak *l, const struct mmi_leak_map *m,
		     uintptr_t lo, uintptr_t hi,
		     void (*f)(struct mmi_leak *l, uintptr_t lo, uintptr_t hi))
{
	uintptr_t page = lo & -(uintptr_t)ARCH_PAGE_NOW, from, to;
	size_t n, i, k;

	for (; page < hi && !mmi_leak_late(l); page += n * ARCH_PAGE_NOW) {
		page = pages_skip(l, page, hi, m->flags);
		if (page >= hi)
			return;
		n = (hi - page + ARCH_PAGE_NOW - 1) / ARCH_PAGE_NOW;
		if (n > ENTRIES)
			n = ENTRIES;
		pages_there(l, page, n, m->flags);
		for (i = 0; i < n; i = k + 1) {
			for (k = i; k < n && l->entries[k]; k++)
				continue;
			from = page + i * ARCH_PAGE_NOW;
			to = page + k * ARCH_PAGE_NOW;
			from = from < lo ? lo : from;
			to = to > hi ? hi : to;
			if (from < to)
				run(l, m, from, to, f);
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
		m = map_after(l, lo);
		if (!m || m->start >= hi)
			return;
		lo = m->start > lo ? m->start : lo;
		to = m->end < hi ? m->end : hi;
		if (!(m->flags & MMI_LEAK_DEVICE))
			mmi_leak_map_present(l, m, lo, to, f);
	}
}
