/* SPDX-License-Identifier: MIT */
/*
 * Memory that a copy of the process lacks: madvise(2) has marked it to be left
 * out of children, or cleared there.  It is saved before the fork, and put back
 * in the copy. /proc/self/smaps shows this memory.  It also shows memory that
 * must not be touched at all (devices), or only on present pages (memory that
 * userfaultfd(2) fills).
 */
#include "monitor/leak/leak_check.h"

#include <string.h>
#include <sys/mman.h>

#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/base/shared.h"

#define SPECIAL_MAX 65536u
#define SPECIAL_SIZE (SPECIAL_MAX * sizeof(struct mmi_leak_map))
#define SAVED_SIZE (SPECIAL_MAX * sizeof(struct mmi_leak_range))

/* Save at most this: the threads are stopped while it is copied. */
#define STASH_SIZE ((size_t)64 << 20)

struct reading {
	struct mmi_leak *l;
	struct mmi_leak_map map; /* the mapping that the lines describe */
};

/* The flags in a line "VmFlags: rd wr mr". */
static uint64_t
kernel_flags(const char *s)
{
	static const struct {
		char name[3];
		uint64_t flag;
	} known[] = { { "dc", MMI_LEAK_ABSENT }, { "wf", MMI_LEAK_WIPED },
		      { "um", MMI_LEAK_WAITS },	 { "uw", MMI_LEAK_WAITS },
		      { "ui", MMI_LEAK_WAITS },	 { "io", MMI_LEAK_DEVICE },
		      { "pf", MMI_LEAK_DEVICE } };
	uint64_t flags = 0;

	for (; s[0] == ' ' && s[1] && s[2]; s += 3)
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (s[1] == known[i].name[0] &&
			    s[2] == known[i].name[1])
				flags |= known[i].flag;
	return flags;
}

/* The text after "NAME:" in a line; NULL: the line has another name. */
static const char *
behind(const char *s, const char *name)
{
	while (*name)
		if (*s++ != *name++)
			return NULL;
	return s;
}

static bool
line_read(void *arg, const char *s)
{
	struct reading *r = arg;
	struct mmi_leak *l = r->l;
	const char *v;

	if ((*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'f')) {
		if (!mmi_leak_map_line(s, &r->map))
			r->map.end = r->map.start = 0;
		return true;
	}
	v = behind(s, "ProtectionKey:");
	while (v && *v == ' ')
		v++;
	if (v && *v != '0')
		r->map.flags |= MMI_LEAK_KEYED;
	v = behind(s, "VmFlags:");
	if (!v || !r->map.end)
		return true;
	r->map.flags |= kernel_flags(v);
	if (!(r->map.flags &
	      (MMI_LEAK_ABSENT | MMI_LEAK_WIPED | MMI_LEAK_WAITS |
	       MMI_LEAK_KEYED | MMI_LEAK_DEVICE)))
		return true;
	if (l->nspecial == SPECIAL_MAX)
		return false;
	l->special[l->nspecial++] = r->map;
	return true;
}

void
mmi_leak_special(struct mmi_leak *l)
{
	static char buffer[16384];
	struct reading r = { .l = l };

	l->special = mmi_leak_map(SPECIAL_SIZE);
	if (l->special)
		mmi_process_lines("/proc/self/smaps", buffer, sizeof(buffer),
				  line_read, &r);
}

bool
mmi_leak_is_special(const struct mmi_leak *l, uintptr_t a, uint64_t flags)
{
	for (size_t i = 0; i < l->nspecial; i++)
		if (l->special[i].flags & flags &&
		    (!a || (a >= l->special[i].start && a < l->special[i].end)))
			return true;
	return false;
}

/* Must it be put back?  Not mmi_memory, which is cleared to detect a fork. */
static bool
is_lacking(const struct mmi_leak_map *m)
{
	uintptr_t ours = (uintptr_t)&mmi_memory;

	return m->flags & (MMI_LEAK_ABSENT | MMI_LEAK_WIPED) &&
	       !(m->flags & MMI_LEAK_DEVICE) &&
	       !(ours >= m->start && ours < m->end);
}

static void
save(struct mmi_leak *l, uintptr_t lo, uintptr_t hi)
{
	size_t n = hi - lo;

	if (!l->stash || !l->saved || n > STASH_SIZE - l->stash_used ||
	    l->nsaved == SPECIAL_MAX) {
		mmi_leak_unread(l, lo, hi);
		return;
	}
	memcpy(l->stash + l->stash_used, (const void *)lo, n);
	l->saved[l->nsaved++] = (struct mmi_leak_range){ lo, hi };
	l->stash_used += n;
}

void
mmi_leak_save(struct mmi_leak *l)
{
	const struct mmi_leak_map *m;
	bool pages = false;

	l->in_place = true;
	for (size_t i = 0; i < l->nspecial; i++) {
		m = &l->special[i];
		if (!is_lacking(m))
			continue;
		if (!pages) {
			l->stash = mmi_leak_map(STASH_SIZE);
			l->saved = mmi_leak_map(SAVED_SIZE);
			pages = mmi_leak_pages(l);
		}
		if (pages && m->flags & MMI_LEAK_READ)
			mmi_leak_map_present(l, m, m->start, m->end, save);
		else
			mmi_leak_unread(l, m->start, m->end);
	}
	if (pages)
		mmi_leak_pages_close(l);
	l->in_place = false;
}

void
mmi_leak_restore(const struct mmi_leak *l)
{
	const struct mmi_leak_map *m;
	const unsigned char *from = l->stash;
	size_t k = 0, n;
	long p;

	for (size_t i = 0; i < l->nspecial && k < l->nsaved; i++) {
		m = &l->special[i];
		if (l->saved[k].start < m->start || l->saved[k].start >= m->end)
			continue;
		p = ARCH_SYS(SYS_mmap, m->start, m->end - m->start,
			     PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED |
				     MAP_NORESERVE,
			     -1, 0);
		for (; k < l->nsaved && l->saved[k].start < m->end; k++) {
			n = l->saved[k].end - l->saved[k].start;
			if (p == (long)m->start)
				memcpy((void *)l->saved[k].start, from, n);
			from += n;
		}
	}
}

void
mmi_leak_special_close(struct mmi_leak *l)
{
	mmi_leak_unmap(l->special, SPECIAL_SIZE);
	mmi_leak_unmap(l->saved, SAVED_SIZE);
	mmi_leak_unmap(l->stash, STASH_SIZE);
}
