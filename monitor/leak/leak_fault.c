/* SPDX-License-Identifier: MIT */
/*
 * Memory that can't be read although /proc/self/maps says that it can: guard
 * pages that only the kernel knows, files that became shorter, broken memory,
 * keys of pkeys(7), pages that the program protects.  In the copy a fault makes
 * the page readable, or puts an empty page in its place.  In the process itself
 * a system call tests each page first.
 */
#include "monitor/leak/leak_check.h"

#include <signal.h>
#include <sys/mman.h>

#include "monitor/base/own_mappings.h"
#include "monitor/base/peek.h"
#include "monitor/base/process.h"
#include "monitor/base/sort.h"
#include "monitor/image/image.h"

#define UNREAD_MAX 65536u
#define STACK_SIZE ((size_t)128 << 10)
#define GUARD_REMOVE 103 /* MADV_GUARD_REMOVE */

/* Pages may also have these sizes. */
static const uintptr_t sizes[] = { 0, (uintptr_t)2 << 20, (uintptr_t)1 << 30 };

static struct mmi_leak *searching; /* in the copy */
static uintptr_t page_last;
static unsigned page_tries;

void
mmi_leak_unread(struct mmi_leak *l, uintptr_t start, uintptr_t end)
{
	struct mmi_leak_range *r;

	if (!l->unread)
		l->unread = mmi_leak_map(UNREAD_MAX * sizeof(*l->unread));
	if (!l->unread || start >= end)
		return;
	r = l->nunread ? &l->unread[l->nunread - 1] : NULL;
	if (r && start >= r->start && start <= r->end) {
		r->end = end > r->end ? end : r->end;
		return;
	}
	/* The last entry counts all ranges that don't fit. */
	if (l->nunread == UNREAD_MAX)
		r->end += end - start;
	else
		l->unread[l->nunread++] = (struct mmi_leak_range){ start, end };
}

void
mmi_leak_unread_sum(struct mmi_leak *l)
{
	struct mmi_leak_result *result = l->result;
	uintptr_t done = 0;

	if (!l->nunread)
		return;
	mmi_sort(l->unread, l->nunread, sizeof(*l->unread) / 8);
	for (size_t i = 0; i < l->nunread; i++) {
		struct mmi_leak_range r = l->unread[i];

		result->places += r.start > done || !done;
		r.start = r.start < done ? done : r.start;
		if (r.start < r.end) {
			result->unread += r.end - r.start;
			done = r.end;
		}
	}
}

/* A fault outside the search ends the copy. */
static void
give_up(int sig)
{
	uint64_t none[4] = { 0 };

	ARCH_SYS(SYS_rt_sigaction, sig, none, 0, 8, 0, 0);
}

static bool
is_own(uintptr_t a)
{
	struct mmi_own_mapping o = mmi_own_module();

	if (a - o.start < o.size)
		return true;
	for (uint32_t i = 0; i < mmi_own_count(); i++) {
		o = mmi_own_at(i);
		if (a - o.start < o.size)
			return true;
	}
	return false;
}

/* Put an empty page at a, of the size that the mapping needs. */
static bool
replace(struct mmi_leak *l, uintptr_t a)
{
	uintptr_t size, start;
	long p;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size = sizes[i] ? sizes[i] : ARCH_PAGE_NOW;
		start = a & -size;
		p = ARCH_SYS(SYS_mmap, start, size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED |
				     MAP_NORESERVE,
			     -1, 0);
		if (p == (long)start) {
			mmi_leak_unread(l, start, start + size);
			return true;
		}
	}
	return false;
}

static void
on_fault(int sig, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)info->si_addr & -(uintptr_t)ARCH_PAGE_NOW;
	struct mmi_leak_map *m;

	(void)context;
	if (info->si_code <= 0)
		return; /* a process sent this signal */
	if (sig == SIGBUS && mmi_image_fault(info->si_addr))
		return;
	if (page != page_last)
		page_tries = 0;
	page_last = page;
	m = (struct mmi_leak_map *)mmi_leak_find(searching, page);
	if (!m || is_own(page)) {
		give_up(sig);
		return;
	}
	switch (page_tries++) {
	case 0:
		/* If it is a guard page, it has no contents. */
		if (sig == SIGSEGV && ARCH_SYS(SYS_madvise, page, ARCH_PAGE_NOW,
					       GUARD_REMOVE, 0, 0, 0) == 0)
			return;
		/* fall through */
	case 1:
		if (sig == SIGSEGV && mmi_leak_open(m))
			return;
		/* fall through */
	case 2:
		if (replace(searching, page))
			return;
		/* fall through */
	default:
		give_up(sig);
	}
}

extern void mmi_leak_restorer(void) HIDDEN;
ARCH_RESTORER(mmi_leak_restorer);

void
mmi_leak_faults(struct mmi_leak *l)
{
	struct {
		void (*handler)(int, siginfo_t *, void *);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} a = { on_fault, SA_SIGINFO | SA_ONSTACK | ARCH_SA_RESTORER,
		mmi_leak_restorer, ~0ull };
	uint64_t none = 1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1);
	stack_t stack = { .ss_sp = mmi_leak_map(STACK_SIZE),
			  .ss_size = STACK_SIZE };

	searching = l;
	/* The program's signal stack stays if the check runs on it. */
	if (stack.ss_sp)
		ARCH_SYS(SYS_sigaltstack, &stack, 0, 0, 0, 0, 0);
	ARCH_SYS(SYS_rt_sigaction, SIGSEGV, &a, 0, 8, 0, 0);
	ARCH_SYS(SYS_rt_sigaction, SIGBUS, &a, 0, 8, 0, 0);
	ARCH_SYS(SYS_rt_sigprocmask, SIG_UNBLOCK, &none, 0, 8, 0, 0);
}

bool
mmi_leak_open(struct mmi_leak_map *m)
{
	size_t size = m->end - m->start;

	if (m->flags & MMI_LEAK_OPENED ||
	    (ARCH_SYS(SYS_pkey_mprotect, m->start, size, PROT_READ, 0, 0, 0) !=
		     0 &&
	     ARCH_SYS(SYS_mprotect, m->start, size, PROT_READ, 0, 0, 0) != 0))
		return false;
	m->flags |= MMI_LEAK_OPENED;
	return true;
}

bool
mmi_leak_probe(struct mmi_leak *l, uintptr_t a)
{
	uintptr_t page = a & -(uintptr_t)ARCH_PAGE_NOW;

	if (page == l->probed)
		return true;
	if (!mmi_peek_word(page))
		return false;
	l->probed = page;
	return true;
}

bool
mmi_leak_ok(struct mmi_leak *l, uintptr_t a, size_t n)
{
	const struct mmi_leak_map *m;
	uintptr_t last = a + n - 1;

	m = mmi_leak_find(l, last);
	if (!m || m->flags & MMI_LEAK_DEVICE)
		return false;
	if (a < m->start) {
		if (m == l->maps || m[-1].end != m->start || a < m[-1].start ||
		    m[-1].flags & MMI_LEAK_DEVICE)
			return false;
	}
	if (!l->in_place)
		return true;
	return m->flags & MMI_LEAK_READ &&
	       !(m->flags & (MMI_LEAK_WAITS | MMI_LEAK_KEYED)) &&
	       mmi_leak_probe(l, a) && mmi_leak_probe(l, last);
}

bool
mmi_leak_late(struct mmi_leak *l)
{
	if (!l->late && ++l->turn % 256 == 0 && l->until)
		l->late = mmi_process_clock(CLOCK_MONOTONIC) > l->until;
	return l->late;
}
