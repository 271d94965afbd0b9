/* SPDX-License-Identifier: MIT */
/* The image: how it begins and ends. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/single_threaded.h>
#include <sys/utsname.h>
#include <time.h>

#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/base/rank.h"
#include "monitor/base/thread.h"
#include "monitor/image/image.h"
#include "monitor/image/image_file.h"
#include "monitor/image/signal_mask.h"
#include "monitor/store/name.h"
#include "monitor/store/owner.h"
#include "monitor/store/store.h"

#define SLOT ((size_t)MONIMG_SLOT)

/* The first slots: header and strings, the table of kinds, mmi_shared. */
#define HEAD_SIZE (2 * SLOT)
#define KINDS_SIZE (MMI_IMAGE_SLOTS * sizeof(struct monimg_kind))
#define GLOBAL_AT \
	((HEAD_SIZE + KINDS_SIZE + ARCH_PAGE_MAX - 1) & -(size_t)ARCH_PAGE_MAX)
#define GLOBAL_SLOTS ((sizeof(struct mmi_shared) + SLOT - 1) / SLOT)
#define FIRST_FREE ((uint32_t)(GLOBAL_AT / SLOT + GLOBAL_SLOTS))

/* How many names are tried. */
#define TRIES 100u

/* The file's first free room, and the least that the first window maps. */
#define FIRST_MORE (22 * SLOT)
#define WINDOW_LEAST ((uint64_t)4 << 20)
_Static_assert(GLOBAL_AT % SLOT == 0, "whole slots");
_Static_assert(FIRST_FREE *SLOT + FIRST_MORE < WINDOW_LEAST, "room for more");

/*
 * The part of mmi_shared that is written at once: all except most of the bins.
 */
#define SHARED_HEAD \
	((offsetof(struct mmi_shared, bins) + ARCH_PAGE) & -(size_t)ARCH_PAGE)

bool
mmi_image_ready(void *p, size_t size)
{
	return !mmi_image.overlaid || mmi_image_probe(p, size);
}

void
mmi_image_bins(void)
{
	if (LOAD(&mmi_image.bins))
		return;
	STORE(&mmi_image.bins, 1);
	if (mmi_image.overlaid)
		mmi_image_probe((char *)&mmi_shared + SHARED_HEAD,
				sizeof(mmi_shared) - SHARED_HEAD);
}

bool
mmi_image_bins_used(void)
{
	return LOAD(&mmi_image.bins) != 0;
}

/* Put a string, or the part of it that fits, after the strings before it. */
static void
put_text(struct monimg_text *t, uint32_t *at, const char *s, size_t n)
{
	if (n > HEAD_SIZE - *at)
		n = HEAD_SIZE - *at;
	t->at = *at;
	t->length = (uint32_t)n;
	memcpy((char *)mmi_image.head + *at, s, n);
	*at += (uint32_t)n;
}

/* The process of the image, and its start. */
static void
put_process(struct monimg_header *h)
{
	const struct mmi_process *p = &mmi_process;
	uint32_t at = ARCH_PAGE;
	struct utsname u;

	h->start = p->start;
	h->mono = p->mono;
	h->attached = (uint32_t)p->attached | p->own << 1;
	put_text(&h->program, &at, p->exe, strlen(p->exe));
	put_text(&h->cwd, &at, p->cwd, strlen(p->cwd));
	put_text(&h->memmon, &at, MEMMON_VERSION, strlen(MEMMON_VERSION));
	if (ARCH_SYS(SYS_uname, &u, 0, 0, 0, 0, 0) == 0)
		put_text(&h->host, &at, u.nodename, strlen(u.nodename));
	if (p->job)
		put_text(&h->job, &at, p->job, strlen(p->job));
	h->rank = p->rank ? mmi_rank_number(p->rank) + 1 : 0;
	put_text(&h->command, &at, p->command, p->command_len);
}

static void
put_header(uint64_t length)
{
	struct monimg_header *h = mmi_image.head;
	const struct mmi_process *p = &mmi_process;

	h->version = MONIMG_VERSION;
	h->order = MONOUT_ORDER;
	h->word = sizeof(void *);
	h->slot = MONIMG_SLOT;
	h->global_size = sizeof(struct monimg_global);
	h->node_size = sizeof(struct monimg_node);
	h->pub_size = sizeof(struct mmi_pub);
	h->kinds_at = HEAD_SIZE;
	h->nslots = MMI_IMAGE_SLOTS;
	h->used = FIRST_FREE;
	memset(mmi_image.window, 0, sizeof(mmi_image.window));
	mmi_image.window[0].base = (uint64_t)h;
	mmi_image.window[0].length = length;
	h->window[0] = mmi_image.window[0];
	h->pid = p->pid;
	h->ppid = p->ppid;
	h->pid_space = mmi_owner_pid_space();
	h->born = mmi_owner_born(p->pid);
	h->boot = mmi_owner_boot();
	h->maxmem = mmi_arena_limited();
	h->forked = p->forked;
	mmi_image_describe(h);
#ifdef MEMMON_ACCESS
	h->access = 1;
#endif
	put_process(h);
	for (uint32_t i = 0; i < FIRST_FREE; i++) {
		mmi_image.kinds[i].kind =
			i < GLOBAL_AT / SLOT ? MONIMG_HEAD : MONIMG_GLOBAL;
		mmi_image.kinds[i].first = 0;
	}
}

/*
 * How much of the address space the image may take: a sixteenth of the
 * process's limit.
 */
static uint64_t
space(void)
{
	struct rlimit r;

	if (ARCH_SYS(SYS_prlimit64, 0, RLIMIT_AS, 0, &r, 0, 0) != 0 ||
	    r.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return r.rlim_cur / 16;
}

/* Map the first window.  Its length in *length. */
static bool
map_first(int fd, uint64_t *length)
{
	uint64_t most = space();
	long p;

	mmi_image.limited = most != UINT64_MAX;
	mmi_image.whole = mmi_process_searched();
	mmi_image.stays = !mmi_process_valgrind();
	for (*length = mmi_image_windows[0]; *length > most; *length /= 4)
		;
	for (; *length >= WINDOW_LEAST; *length /= 4) {
		p = ARCH_SYS(SYS_mmap, 0, *length, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_NORESERVE, fd, 0);
		if (p < 0 && p > -4096)
			continue;
		mmi_image.head = (struct monimg_header *)p;
		mmi_image.kinds = (struct monimg_kind *)(p + HEAD_SIZE);
		if (mmi_image_probe(mmi_image.head, HEAD_SIZE) &&
		    mmi_image_probe(mmi_image.kinds, ARCH_PAGE)) {
			mmi_own_add_or_miss(mmi_image.head, *length);
			mmi_image_reach(fd, *length);
			return true;
		}
		ARCH_SYS(SYS_munmap, p, *length, 0, 0, 0, 0);
		mmi_image.head = NULL;
		return false;
	}
	return false;
}

/*
 * Fill the file: with holes where little is needed, with real pages elsewhere.
 * It contains mmi_shared as it is now.
 */
static bool
file_fill(int fd)
{
	const struct mmi_snapshots *m = &mmi_shared.snapshots;
	const struct mmi_moments *k = &mmi_shared.moments;
	long size = (long)((const char *)&m->snapshot[m->n] - (const char *)m);
	long more = (long)((const char *)&k->moment[k->n] - (const char *)k);

	mmi_image.size = FIRST_FREE * SLOT;
	return ARCH_SYS(SYS_ftruncate, fd, FIRST_FREE * SLOT, 0, 0, 0, 0) ==
		       0 &&
	       mmi_image_zero(fd, 0, HEAD_SIZE + ARCH_PAGE) ==
		       HEAD_SIZE + ARCH_PAGE &&
	       ARCH_SYS(SYS_pwrite64, fd, &mmi_shared, SHARED_HEAD, GLOBAL_AT,
			0, 0) == (long)SHARED_HEAD &&
	       ARCH_SYS(SYS_pwrite64, fd, m, size,
			GLOBAL_AT + offsetof(struct mmi_shared, snapshots), 0,
			0) == size &&
	       ARCH_SYS(SYS_pwrite64, fd, k, more,
			GLOBAL_AT + offsetof(struct mmi_shared, moments), 0,
			0) == more &&
	       mmi_image_extend(fd, FIRST_MORE);
}

/* Map the file over mmi_shared. */
static bool
overlay(int fd)
{
	return ARCH_SYS(SYS_mmap, &mmi_shared, sizeof(mmi_shared),
			PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			GLOBAL_AT) == (long)&mmi_shared;
}

static bool
image_make(int fd)
{
	uint64_t length;

	if (!file_fill(fd) || !map_first(fd, &length))
		return false;
	mmi_image.bins = 0;
	put_header(length);
	mmi_image.overlaid = overlay(fd);
	mmi_image.locked = 0;
	mmi_image.ahead = false;
	if (mmi_image.overlaid) {
		mmi_arena_show(&mmi_image.head->own);
		mmi_image_lock();
		return true;
	}
	mmi_arena_unreserve(mmi_image.head, length);
	memset(mmi_image.window, 0, sizeof(mmi_image.window));
	mmi_image.head = NULL;
	return false;
}

/* Move the counts so far to the image. */
static void
image_fill(void)
{
	bool again;

	mmi_image.number = (uint8_t)(mmi_image.number + 1);
	again = !mmi_image.number;
	if (again)
		mmi_image.number = 1;
	mmi_image_number = mmi_image.number;
	mmi_image_skip();
	mmi_image_fill(again);
	/* It is complete: only now it is an image. */
	memcpy(mmi_image.head->magic, MONIMG_MAGIC, 8);
}

/* Guarded by .state, and by mmi_thread_freeze(). */
static struct mmi_place place;

/* A new file under a private name; make() turns it into an image. */
static bool
file_new(bool (*make)(int fd))
{
	struct mmi_file *f = &mmi_image.file;
	long fd;
	bool ok;

	place.refused = mmi_image.placed = false;
	if (!mmi_store_choose(&place) || place.special)
		return false;
	fd = mmi_file_new(f, place.path, ".", ".live");
	if (fd < 0)
		return false;
	ok = make((int)fd);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	if (!ok)
		mmi_file_remove(f);
	return ok;
}

/*
 * The image is complete: give it its name.  Without a name it stays as it is.
 */
static void
file_place(void)
{
	long r = mmi_store_settle(&mmi_image.file, &place);

	for (unsigned n = 0; r == -EEXIST && n < TRIES; n++)
		r = mmi_store_choose(&place) && !place.special
			    ? mmi_store_settle(&mmi_image.file, &place)
			    : -ENOENT;
	mmi_image.placed = r == 0;
}

static bool
image_start(void)
{
	struct mmi_signal_mask m;
	bool ok;

	if (!mmi_signal_mask_block(&m)) {
		mmi_image_off();
		return false;
	}
	ok = file_new(image_make);
	/* Set it ON now, as the following code asks for chunks. */
	STORE_REL(&mmi_image.state, ok ? MMI_IMAGE_ON : MMI_IMAGE_OFF);
	if (ok) {
		image_fill();
		file_place();
	}
	mmi_signal_mask_unblock(&m);
	return ok;
}

/* The libc doesn't know it in the child of a process with several threads. */
static bool
is_alone(void)
{
	struct stat st;

	if (__libc_single_threaded || mmi_process.alone)
		return true;
	/* The folder has a folder for each thread. */
	return mmi_process.forked &&
	       ARCH_SYS(SYS_newfstatat, AT_FDCWD, "/proc/self/task", &st, 0, 0,
			0) == 0 &&
	       st.st_nlink == 3;
}

bool
mmi_image_start(void)
{
	int none = MMI_IMAGE_NONE;

	if (LIKELY(LOAD_ACQ(&mmi_image.state) == MMI_IMAGE_ON))
		return mmi_image.head != NULL;
	if (!mmi_process.pid || !mmi_memory.mine || mmi_thread_stopped() ||
	    !CAS(&mmi_image.state, &none, MMI_IMAGE_STARTING))
		return false;
	/* Other running threads can't be switched to other memory. */
	if (!is_alone() || mmi_process.secure) {
		mmi_image_off();
		return false;
	}
	return image_start();
}

void
mmi_image_end(int end, int sig)
{
	struct monimg_header *h = mmi_image.head;

	if (!h)
		return;
	h->ended = mmi_process_clock(CLOCK_MONOTONIC);
	h->sig = (uint32_t)sig;
	STORE_REL(&h->end, (uint32_t)end);
}

struct mmi_file *
mmi_image_its_file(void)
{
	static struct mmi_file none;

	return mmi_image.head ? &mmi_image.file : &none;
}

const char *
mmi_image_path(void)
{
	return mmi_image.head && mmi_image.placed ? mmi_image.file.path : "";
}

void
mmi_image_aside(void)
{
	static char aside[PATH_MAX];
	struct mmi_file *f = mmi_image_its_file();
	long r = -EEXIST;

	for (unsigned n = 0; n < TRIES && r == -EEXIST; n++)
		if (mmi_name_beside(aside, sizeof(aside), f->path, ".",
				    mmi_process.pid, n, ".live"))
			r = mmi_file_move(f, aside);
	mmi_image.placed = false;
}

void
mmi_image_remove(void)
{
	mmi_file_remove(mmi_image_its_file());
}

/* Write the contents of the slots to the file, then map the file instead. */
static bool
image_remake(int fd)
{
	uint64_t end = mmi_image.head->used * SLOT;

	for (unsigned w = 0; w < MMI_IMAGE_WINDOWS; w++) {
		const struct monimg_window *m = &mmi_image.window[w];
		uint64_t at = m->at, to = at + m->length;
		long n = 1;

		for (to = to < end ? to : end; at < to && n > 0; at += n)
			n = ARCH_SYS(SYS_pwrite64, fd, m->base + at - m->at,
				     to - at, at, 0, 0);
		if (n <= 0)
			return false;
	}
	mmi_image.size = end;
	mmi_image_extend(fd, FIRST_MORE);
	for (unsigned w = 0; w < MMI_IMAGE_WINDOWS; w++) {
		const struct monimg_window *m = &mmi_image.window[w];

		if (m->base && ARCH_SYS(SYS_mmap, m->base, m->length,
					PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
					fd, m->at) != (long)m->base)
			return false;
		mmi_image_reach(fd, m->at + m->length);
	}
	if (!overlay(fd))
		return false;
	mmi_image.locked = 0;
	mmi_image_lock();
	return true;
}

void
mmi_image_renew(void)
{
	struct monimg_header *h = mmi_image.head;
	struct mmi_signal_mask m;

	if (!h || mmi_image.file.path[0] || mmi_image_broken() ||
	    !mmi_signal_mask_block(&m))
		return;
	h->end = h->sig = 0;
	h->ended = 0;
	put_process(h);
	if (file_new(image_remake))
		file_place();
	mmi_signal_mask_unblock(&m);
}

/* Replace memory that can't be read any more. */
static bool
patch(uint64_t from, uint64_t end)
{
	return ARCH_SYS(SYS_mmap, from, end - from, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
			-1, 0) == (long)from;
}

/* Is it part of a parent's image, with cells of inherited blocks? */
static bool
inherited_fault(uint64_t a)
{
	for (uint32_t i = mmi_own_count(); i-- > 0;) {
		struct mmi_own_mapping o = mmi_own_at(i);

		if (a - o.start < o.size)
			return patch(a, o.start + o.size);
	}
	return false;
}

bool
mmi_image_fault(const void *addr)
{
	uint64_t a = (uint64_t)addr & -(uint64_t)ARCH_PAGE_NOW;
	uint64_t base = (uint64_t)&mmi_shared, length = sizeof(mmi_shared);
	bool ok = false;

	if (LOAD(&mmi_image.state) != MMI_IMAGE_ON)
		return inherited_fault(a);
	if (mmi_image.overlaid && a - base < length)
		ok = patch(a, base + length);
	for (unsigned w = 0; w < MMI_IMAGE_WINDOWS && !ok; w++) {
		base = mmi_image.window[w].base;
		length = mmi_image.window[w].length;
		if (base && a - base < length)
			ok = patch(a, base + length);
	}
	if (ok)
		STORE(&mmi_image.broken, 1);
	return ok || inherited_fault(a);
}

bool
mmi_image_broken(void)
{
	return LOAD(&mmi_image.broken) != 0;
}

void
mmi_image_fork(void)
{
	struct mmi_control control;

	mmi_arena_show(NULL);
	mmi_memory.mine = 1;
	mmi_image_skip();
	mmi_image_number = 0;
	mmi_image.file.path[0] = '\0';
	mmi_image.placed = false;
	mmi_image.growing = 0;
	mmi_image.spare = 0;
	if (mmi_image.overlaid) {
		control = mmi_shared.control;
		if (!patch((uint64_t)&mmi_shared,
			   (uint64_t)&mmi_shared + sizeof(mmi_shared)))
			mmi_thread_stop();
		else
			mmi_shared.control = control;
		mmi_image.overlaid = false;
	}
	mmi_image.head = NULL;
	if (mmi_image.state != MMI_IMAGE_OFF)
		mmi_image.state = MMI_IMAGE_NONE;
}
