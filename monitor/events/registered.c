/* SPDX-License-Identifier: MIT */
/* The registered lists, modules by name, and the shared memory. */
#include "monitor/events/registered.h"

#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/events/callers.h"
#include "monitor/image/image.h"
#include "monitor/store/name.h"

/* Words of a buffer: it fits into a cache of this CPU; of the other CPU. */
#define WORDS_INLINE 4096u
#define WORDS_SHARED 16384u
#define BUFFERS 4u
#define LISTS_SIZE (1ul << 30)
/* A signal handler may run between two instructions that reserve words. */
#define PAD (1ul << 16)

HIDDEN struct mmi_registered mmi_registered = { .places = 1, .workers = 1 };

/* The next word of `list'; words are separated by blanks. */
static const char *
word(const char *list, size_t *n)
{
	while (*list == ' ')
		list++;
	*n = 0;
	while (list[*n] && list[*n] != ' ')
		++*n;
	return list;
}

static unsigned
number(const char *s)
{
	unsigned n = 0;

	while (*s >= '0' && *s <= '9' && n < 1000)
		n = n * 10 + (unsigned)(*s++ - '0');
	return n < STREAM_WORKERS ? n : STREAM_WORKERS;
}

/* A power of two, or 0: dividing addresses is fast then. */
static unsigned
rounded(unsigned n)
{
	return n >= 8 ? 8 : n >= 4 ? 4 : n >= 2 ? 2 : n;
}

void
mmi_registered_modules(const char *list)
{
	size_t n, len = strlen(mmi_registered.modules), m;

	for (list = word(list, &n); n; list = word(list + n, &n)) {
		const char *have = word(mmi_registered.modules, &m);

		if (n > 8 && !memcmp(list, "workers=", 8)) {
			if (!mmi_registered.fixed)
				mmi_registered.workers = number(list + 8);
			continue;
		}
		if (mmi_registered.chosen)
			continue;
		while (m && (m != n || memcmp(have, list, n) != 0))
			have = word(have + m, &m);
		if (m || len + n + 2 > sizeof(mmi_registered.modules))
			continue;
		if (len)
			mmi_registered.modules[len++] = ' ';
		memcpy(mmi_registered.modules + len, list, n);
		len += n;
		mmi_registered.modules[len] = '\0';
	}
}

void
mmi_registered_environment(void)
{
	const char *m = mmi_process_variable("MEMMON_MODULES");
	unsigned long n;

	if (m) {
		mmi_registered_modules(m);
		mmi_registered.chosen = true;
	}
	if (mmi_process_number("MEMMON_WORKERS", &n)) {
		mmi_registered.workers = n < 8 ? (unsigned)n : 8;
		mmi_registered.fixed = true;
	}
}

void
mmi_registered_list(struct stream_head *h, uint32_t i)
{
	const struct memmon_places *l = mmi_registered.list[i].list;
	uint64_t own = (l->size + 7u) & ~7u;
	uint64_t size = own + l->n_addresses * 8ull;
	char *to = (char *)h + h->lists_at + h->lists_used;

	memcpy(h->modules, mmi_registered.modules,
	       sizeof(mmi_registered.modules));
	if (h->lists_used + size > h->lists_size) {
		h->unregistered++;
		return;
	}
	memcpy(to, l, l->size);
	if (mmi_registered.list[i].addresses)
		memcpy(to + own, mmi_registered.list[i].addresses,
		       l->n_addresses * 8ull);
	h->list[i].at = h->lists_at + h->lists_used;
	h->list[i].first = mmi_registered.list[i].first;
	h->list[i].n = mmi_registered.list[i].n;
	h->lists_used += size;
	h->places = mmi_registered.list[i].first + mmi_registered.list[i].n;
	STORE_REL(&h->nlists, i + 1);
}

/* Copy the name of the data file, if it is known. */
void
mmi_registered_path(struct stream_head *h, const char *path)
{
	bool has_pid;

	if (!path || !*path)
		path = mmi_image_path();
	if (*path)
		memcpy(h->path, path, strlen(path) + 1);
	else if (!mmi_name_expand(h->path, sizeof(h->path), false, 0, &has_pid))
		h->path[0] = '\0';
}

/* Make the shared memory with all that is registered; *fd: its file, or -1. */
struct stream_head *
mmi_registered_map(int *fd)
{
	unsigned workers = rounded(mmi_registered.workers);
	uint64_t words = workers ? WORDS_SHARED : WORDS_INLINE;
	uint64_t buffers = workers ? BUFFERS : 1;
	uint64_t head = (sizeof(struct stream_head) + 4095) & ~4095ull;
	uint64_t callers = STREAM_CALLERS * 8;
	uint64_t rings = STREAM_RINGS * buffers * words * 8;
	uint64_t size = head + callers + rings + PAD + LISTS_SIZE;
	struct stream_head *h;
	long p;

	*fd = -1;
	if (workers) {
		*fd = (int)ARCH_SYS(SYS_memfd_create, "memmon-events", 1, 0, 0,
				    0, 0);
		if (*fd < 0 ||
		    ARCH_SYS(SYS_ftruncate, *fd, size, 0, 0, 0, 0) != 0)
			goto failed;
	}
	p = ARCH_SYS(SYS_mmap, 0, size, PROT_READ | PROT_WRITE,
		     (workers ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS) |
			     MAP_NORESERVE,
		     *fd, 0);
	if (p < 0 && p > -4096)
		goto failed;
	mmi_own_add_or_miss((void *)p, size);
	h = (struct stream_head *)p;
	h->magic = STREAM_MAGIC;
	h->size = size;
	h->pid = (uint32_t)mmi_process.pid;
	h->workers = workers;
	h->buffers = (uint32_t)buffers;
	h->words = (uint32_t)words;
	h->callers_at = head;
	h->rings_at = head + callers;
	h->lists_at = h->rings_at + rings + PAD;
	h->lists_size = LISTS_SIZE;
	h->run = mmi_process.start;
	h->started = mmi_process_clock(CLOCK_MONOTONIC);
	mmi_callers_copy(h);
	mmi_registered_path(h, NULL);
	for (uint32_t i = 0; i < mmi_registered.n; i++)
		mmi_registered_list(h, i);
	return h;
failed:
	if (*fd >= 0)
		ARCH_SYS(SYS_close, *fd, 0, 0, 0, 0, 0);
	return NULL;
}
