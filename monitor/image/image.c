/* SPDX-License-Identifier: MIT */
/* The image: how it is made, filled, and given up. */
#include "monitor/image/image.h"

#include "monitor/base/table.h"
#include "monitor/image/image_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/base/thread.h"
#include "monitor/base/wait.h"
#include "monitor/image/signal_mask.h"

uint8_t mmi_image_number;

/* The same layout as in monimg.h. */
_Static_assert(
	sizeof(struct mmi_shared) >= sizeof(struct monimg_global) &&
		offsetof(struct mmi_shared, lost_allocs) ==
			offsetof(struct monimg_global, lost_allocs) &&
		offsetof(struct mmi_shared, rows) ==
			offsetof(struct monimg_global, row) &&
		offsetof(struct mmi_shared, bins[0].other) ==
			offsetof(struct monimg_global, bins[0].other) &&
		offsetof(struct mmi_shared, snapshots.snapshot) ==
			offsetof(struct monimg_global, snapshots.snapshot) &&
		offsetof(struct mmi_shared, snapshots) % 64 == 0 &&
		offsetof(struct mmi_shared, moments) ==
			offsetof(struct monimg_global, moments) &&
		sizeof(struct mmi_moments) == sizeof(struct monimg_moments) &&
		MMI_HEAP_SNAPSHOT == MONIMG_SNAPSHOT &&
		sizeof(struct mmi_thread_row) == sizeof(struct monimg_row),
	"globals");
_Static_assert(sizeof(struct mmi_pub) == sizeof(struct monimg_pub) &&
		       offsetof(struct mmi_pub, count) ==
			       offsetof(struct monimg_pub, chains) &&
		       offsetof(struct mmi_pub, tid) ==
			       offsetof(struct monimg_pub, tid),
	       "what threads count");
_Static_assert(MMI_KEY_SHIFT == MONIMG_KEY_BITS, "keys");

#define SLOT ((size_t)MONIMG_SLOT)

/* Windows; each is mapped when it is needed. */
const size_t mmi_image_windows[MMI_IMAGE_WINDOWS] = {
	(size_t)64 << 20,
	(size_t)256 << 20,
	(size_t)1 << 30,
};

struct mmi_image mmi_image;

static void *
home_take(unsigned kind, uint32_t first, size_t size)
{
	return mmi_image_start() ? mmi_image_chunk(kind, first, size) : NULL;
}

static bool home_give(void *chunk);

const struct mmi_array_home mmi_image_home = { home_take, mmi_image_outside,
					       home_give };

#define POOL_ITEM 4096u
#define DIRECTORY(name, n) static MMI_TABLE void *name[n]
DIRECTORY(pub_dir, 1u << 16);
DIRECTORY(node_dir, 1u << 16);
DIRECTORY(module_dir, 1u << 12);
DIRECTORY(pool_dir, 1u << 18);
DIRECTORY(type_dir, 1u << 11);

struct module_item {
	struct monimg_module m;
	char path[1024];
};

/* An array in chunks of 2^log items. */
#define ARRAY(name, dir, log, bytes, items) \
	static struct mmi_array name = { \
		.chunk = dir, \
		.chunks = sizeof(dir) / sizeof(*(dir)), \
		.shift = log, \
		.size = bytes, \
		.home = &mmi_image_home, \
		.kind = items, \
	}
ARRAY(pubs, pub_dir, 5, sizeof(struct mmi_pub), MONIMG_PUBS);
ARRAY(nodes, node_dir, 10, sizeof(struct monimg_node), MONIMG_NODES);
ARRAY(modules, module_dir, 3, sizeof(struct module_item), MONIMG_MODULES);
ARRAY(pool, pool_dir, 2, POOL_ITEM, MONIMG_POOL);
static uint32_t pool_given; /* chunks before this one aren't used */
ARRAY(types, type_dir, 5, sizeof(struct monimg_type), MONIMG_TYPES);

bool
mmi_image_own(void)
{
	/* Linux 4.14 */
	if (ARCH_SYS(SYS_madvise, &mmi_memory, sizeof(mmi_memory),
		     MADV_WIPEONFORK, 0, 0, 0) != 0)
		mmi_image_off();
	mmi_memory.mine = 1;
	return LOAD(&mmi_image.state) != MMI_IMAGE_OFF;
}

void
mmi_image_off(void)
{
	STORE(&mmi_image.state, MMI_IMAGE_OFF);
}

/* Where slot i is mapped, or NULL. */
static char *
slot_at(uint32_t i)
{
	uint64_t at = i * SLOT;

	for (unsigned w = 0; w < MMI_IMAGE_WINDOWS; w++) {
		const struct monimg_window *m = &mmi_image.window[w];
		uint64_t base = LOAD_ACQ(&m->base);

		if (base && at >= m->at && at - m->at < m->length)
			return (char *)base + (at - m->at);
	}
	return NULL;
}

bool
mmi_image_probe(void *p, size_t size)
{
	char *at = (char *)((uintptr_t)p & -(uintptr_t)ARCH_PAGE),
	     *end = (char *)p + size;
	uintptr_t page = (uintptr_t)p & -ARCH_PAGE_NOW;
	long r;

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
	r = ARCH_SYS(SYS_madvise, page, (uintptr_t)end - page,
		     MADV_POPULATE_WRITE, 0, 0, 0);
	if (r == -EFAULT || r == -ENOMEM || r == -EHWPOISON)
		return false;
	/* If the program forbids it, pages of the file are enough. */
	if (r != -EINVAL)
		return true;
	/* Linux before 5.14. */
	for (; at < end; at += ARCH_PAGE) {
		if (ARCH_SYS(SYS_rt_sigprocmask, SIG_BLOCK, NULL, at, 8, 0, 0))
			return false;
		memset(at, 0, 8);
	}
	return true;
}

uint64_t
mmi_image_zero(int fd, uint64_t at, uint64_t end)
{
	static char zeros[MONIMG_SLOT];
	struct iovec v[64];
	uint64_t left;
	unsigned i;
	long n;

	for (; at < end; at += (uint64_t)n) {
		left = end - at;

		for (i = 0; i < sizeof(v) / sizeof(v[0]) && left > 0; i++) {
			v[i].iov_base = zeros;
			v[i].iov_len = left < SLOT ? left : SLOT;
			left -= v[i].iov_len;
		}
		n = ARCH_SYS(SYS_pwritev, fd, v, i, at, 0, 0);
		if (n <= 0)
			break;
	}
	return at;
}

/*
 * Write `more' zero bytes, a multiple of a slot, after the file's end.  A page
 * that a store makes in a hole costs fifty times as much.
 */
bool
mmi_image_extend(int fd, uint64_t more)
{
	uint64_t from = LOAD(&mmi_image.size), end = from + more;
	uint64_t at = mmi_image_zero(fd, from, end);

	/* Only whole slots count. */
	STORE_REL(&mmi_image.size, at / SLOT * SLOT);
	return at >= end;
}

void
mmi_image_reach(int fd, uint64_t end)
{
	if (mmi_image.whole)
		ARCH_SYS(SYS_ftruncate, fd, end, 0, 0, 0, 0);
}

/* Map the next window of the file. */
static bool
window_map(int fd, unsigned w)
{
	struct monimg_window *m = &mmi_image.window[w];
	const struct monimg_window *before = m - 1;
	long p;

	m->at = before->at + before->length;
	m->length = mmi_image_windows[w];
	if (mmi_image.limited || m->at + m->length > MMI_IMAGE_SLOTS * SLOT ||
	    mmi_arena_refused(m->length))
		return false;
	p = ARCH_SYS(SYS_mmap, 0, m->length, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_NORESERVE, fd, m->at);
	if (p < 0 && p > -4096)
		return false;
	mmi_own_add_or_miss((void *)p, m->length);
	mmi_image_reach(fd, m->at + m->length);
	STORE_REL(&m->base, (uint64_t)p);
	mmi_image.head->window[w] = *m;
	return true;
}

/* Slots that exist before they are needed. */
#define AHEAD 4u

/* The file grows by a quarter of its size, within these limits. */
#define MORE_LEAST ((uint64_t)256 << 10)
#define MORE_MOST ((uint64_t)4 << 20)

/* With `growing' held: make slot i part of the file, and map it. */
static bool
grow_held(uint32_t i)
{
	uint64_t size = LOAD(&mmi_image.size), more = size / 4 / SLOT * SLOT;
	bool ok = true;
	int fd;

	if ((i + 1) * SLOT <= size && slot_at(i))
		return true;
	fd = (int)mmi_file_open(&mmi_image.file, O_RDWR);
	if (fd < 0)
		return false;
	if ((i + 1) * SLOT > size) {
		more = more < MORE_LEAST ? MORE_LEAST : more;
		mmi_image_extend(fd, more > MORE_MOST ? MORE_MOST : more);
		ok = (i + 1) * SLOT <= LOAD(&mmi_image.size);
	}
	for (unsigned w = 1; w < MMI_IMAGE_WINDOWS && ok && !slot_at(i); w++)
		if (!mmi_image.window[w].base)
			ok = window_map(fd, w);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	mmi_image_lock();
	return ok && slot_at(i);
}

/* How long to wait for another thread that is making the file larger, ns. */
#define PATIENCE 2000000000u

/* True: this thread must make it larger; false: another thread has done it. */
static bool
grow_begin(uint32_t i)
{
	struct mmi_wait wait = { 0, 0 };
	int none;

	for (none = 0; !CAS(&mmi_image.growing, &none, 1); none = 0) {
		if ((i + 1) * SLOT <= LOAD_ACQ(&mmi_image.size) && slot_at(i))
			return false;
		/*
		 * This may be a signal handler of the thread that makes it
		 * larger.
		 */
		if (!mmi_wait_more(&wait, PATIENCE))
			return false;
	}
	return true;
}

/* The same.  Other threads wait, but not forever. */
static COLD bool
grow(uint32_t i)
{
	struct mmi_signal_mask m;
	bool r;

	if (!grow_begin(i))
		return (i + 1) * SLOT <= LOAD_ACQ(&mmi_image.size) &&
		       slot_at(i);
	r = mmi_signal_mask_block(&m);
	if (r) {
		r = grow_held(i);
		mmi_signal_mask_unblock(&m);
	}
	STORE_REL(&mmi_image.growing, 0);
	return r;
}

/* A slot that was given back, with its old contents; 0: there is none. */
static uint32_t
spare_pop(void)
{
	uint64_t head = LOAD_ACQ(&mmi_image.spare), next;

	do {
		if (!(uint32_t)head)
			return 0;
		next = ((head >> 32) + 1) << 32 |
		       LOAD(&mmi_image.kinds[(uint32_t)head].first);
	} while (!CAS(&mmi_image.spare, &head, next));
	return (uint32_t)head;
}

static void
spare_push(uint32_t i)
{
	struct monimg_kind *k = &mmi_image.kinds[i];
	uint64_t head = LOAD(&mmi_image.spare);

	STORE(&k->kind, MONIMG_NONE);
	do
		STORE(&k->first, (uint32_t)head);
	while (!CAS(&mmi_image.spare, &head, ((head >> 32) + 1) << 32 | i));
}

/* Can the first `size' bytes of slot i, and its entry, be written? */
static bool
slot_ready(uint32_t i, size_t size)
{
	return mmi_image_probe(slot_at(i), size) &&
	       ((uintptr_t)&mmi_image.kinds[i] % ARCH_PAGE ||
		mmi_image_probe(&mmi_image.kinds[i], ARCH_PAGE));
}

/* A slot whose first `size' bytes can be written; 0: there is none. */
static uint32_t
slot_take(size_t size)
{
	uint32_t i = spare_pop(), used;

	if (i) {
		if (slot_ready(i, size))
			return i;
		spare_push(i);
		return 0;
	}
	used = LOAD(&mmi_image.head->used);
	do {
		i = used;
		if (i >= MMI_IMAGE_SLOTS ||
		    ((i + 1) * SLOT > LOAD_ACQ(&mmi_image.size) && !grow(i)) ||
		    (!slot_at(i) && !grow(i)) || !slot_ready(i, size))
			return 0;
	} while (!CAS(&mmi_image.head->used, &used, i + 1));
	return i;
}

void *
mmi_image_chunk(unsigned kind, uint32_t first, size_t size)
{
	struct monimg_kind *k;
	uint32_t i;

	if (!mmi_image.head || mmi_image_broken() || !mmi_arena_commit(size))
		return NULL;
	i = slot_take(size);
	if (!i) {
		mmi_arena_uncommit(size);
		return NULL;
	}
	k = &mmi_image.kinds[i];
	STORE(&k->first, first);
	STORE_REL(&k->kind, kind);
	/* Grow early, so that no other thread has to wait. */
	if (UNLIKELY((i + 1 + AHEAD) * SLOT > LOAD(&mmi_image.size)) &&
	    !LOAD(&mmi_image.growing))
		grow(i + AHEAD);
	return slot_at(i);
}

static bool
home_give(void *chunk)
{
	for (unsigned w = 0; w < MMI_IMAGE_WINDOWS; w++) {
		uint64_t at = (uint64_t)chunk - mmi_image.window[w].base;

		if (!mmi_image.window[w].base ||
		    at >= mmi_image.window[w].length)
			continue;
		spare_push((uint32_t)((mmi_image.window[w].at + at) / SLOT));
		return true;
	}
	return false;
}

void
mmi_image_outside(unsigned kind, uint32_t items)
{
	if (!mmi_image.head)
		return;
	switch (kind) {
	case MONIMG_CELLS:
		FETCH_ADD(&mmi_image.head->outside_cells, items);
		break;
	case MONIMG_NODES:
		FETCH_ADD(&mmi_image.head->outside_nodes, items);
		break;
	case MONIMG_PUBS:
		FETCH_ADD(&mmi_image.head->outside_pubs, items);
		break;
	case MONIMG_MODULES:
		FETCH_ADD(&mmi_image.head->outside_modules, items);
		break;
	case MONIMG_NOTES:
	case MONIMG_PIECES:
		FETCH_ADD(&mmi_image.head->outside_notes, items);
		break;
	default:
		FETCH_ADD(&mmi_image.head->outside_extras, items);
	}
}

void *
mmi_image_take(struct mmi_thread *t, size_t size)
{
	uint32_t i;
	char *p;

	/* If an image begins later, it gets these data then. */
	if (!mmi_image.head && LOAD(&mmi_image.state) <= MMI_IMAGE_STARTING)
		return mmi_arena_take(t, size, 16);
	size = (size + 15) & ~(size_t)15;
	if (UNLIKELY(t->page_left < size)) {
		p = mmi_array_add(&pool, &i);
		if (!p)
			return NULL;
		t->page_left = 0;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		t->page = p;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		t->page_left = POOL_ITEM;
	}
	p = t->page;
	/* In this order: a thread may end after any of these stores. */
	t->page_left -= size;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->page = p + size;
	return p;
}

struct mmi_pub *
mmi_image_pub(void)
{
	uint32_t i;
	struct mmi_pub *p = mmi_array_add(&pubs, &i);

	if (p)
		p->taken = 1;
	return p;
}

void
mmi_image_node(uint32_t number, uint32_t parent, uint64_t key)
{
	uint32_t i;
	struct monimg_node *n = mmi_array_add(&nodes, &i);

	if (!n)
		return;
	n->number = number;
	n->parent = parent;
	STORE_REL(&n->key, key);
}

struct monimg_module *
mmi_image_module(const struct monimg_module *m, const char *path)
{
	uint32_t i;
	struct module_item *to;
	size_t n = strlen(path);

	if (!mmi_image.head)
		return NULL;
	to = mmi_array_add(&modules, &i);
	if (!to)
		return NULL;
	to->m = *m;
	to->m.path_length = (uint16_t)n;
	memcpy((char *)(&to->m + 1), path, n);
	STORE_REL(&to->m.length, (uint32_t)sizeof(*to));
	return &to->m;
}

void
mmi_image_type(uint32_t number, uint64_t size, const char *name, size_t length)
{
	uint32_t i;
	struct monimg_type *to =
		mmi_image.head ? mmi_array_add(&types, &i) : NULL;

	if (!to)
		return;
	to->size = size;
	to->length = (uint16_t)length;
	memcpy(to->name, name, length);
	STORE_REL(&to->number, number);
}

void
mmi_image_skip(void)
{
	mmi_array_skip(&types);
	mmi_array_skip(&pubs);
	mmi_array_skip(&nodes);
	mmi_array_skip(&modules);
	mmi_array_skip(&pool);
	pool_given = pool.used >> pool.shift;
}

void
mmi_image_forget(void)
{
	struct mmi_thread *t = NULL;

	/* Threads don't use the rest of their pages either. */
	while ((t = (struct mmi_thread *)mmi_thread_next(t)))
		t->page_left = 0;
	while (pool_given < pool.used >> pool.shift) {
		if (pool_dir[pool_given])
			mmi_array_give(&pool, pool_given, NULL);
		pool_given++;
	}
}
