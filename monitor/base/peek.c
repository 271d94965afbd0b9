/* SPDX-License-Identifier: MIT */
/* Reads memory that may be unmapped at any time. */
#include "monitor/base/peek.h"

#include <string.h>
#include <sys/uio.h>

#include "monitor/base/arena.h"
#include "monitor/base/internal.h"
#include "monitor/base/process.h"
#include "monitor/base/wait.h"

/* How many pages are stored: about as many as a library's tables take. */
#define PAGES 64u
static struct pages {
	uintptr_t at[PAGES]; /* 0: none */
	unsigned char page[PAGES][ARCH_PAGE];
} * pages;
static int busy; /* atomic */

bool
mmi_peek_now(void *to, uintptr_t at, size_t n)
{
	struct iovec here = { to, n }, there = { (void *)at, n };

	return ARCH_SYS(SYS_process_vm_readv, mmi_process.pid, &here, 1, &there,
			1, 0) == (long)n;
}

bool
mmi_peek_each(const void *const at[], size_t n)
{
	char to[MMI_PEEK_EACH];
	struct iovec here = { to, n }, there[MMI_PEEK_EACH];

	for (size_t i = 0; i < n; i++)
		there[i] = (struct iovec){ (void *)(uintptr_t)at[i], 1 };
	return ARCH_SYS(SYS_process_vm_readv, mmi_process.pid, &here, 1, there,
			n, 0) == (long)n ||
	       !mmi_peek_now(to, (uintptr_t)&here, 1);
}

/*
 * How long to wait for another thread, ns; that thread waits for no other one.
 */
#define PATIENCE 2000000000u

bool
mmi_peek_begin(void)
{
	struct mmi_wait wait = { 0, 0 };
	int none = 0;
	char c;

	if (!mmi_peek_now(&c, (uintptr_t)&none, 1))
		return false;
	for (; !CAS(&busy, &none, 1); none = 0)
		if (!mmi_wait_more(&wait, PATIENCE))
			return false;
	pages = mmi_arena_reserve(sizeof(*pages));
	if (!pages)
		STORE_REL(&busy, 0);
	return pages != NULL;
}

void
mmi_peek_end(void)
{
	MMI_ARENA_DROP_PART(pages, sizeof(*pages), 0);
	STORE_REL(&busy, 0);
}

void
mmi_peek_fork(void)
{
	busy = 0;
}

/* The stored copy of the page; NULL: it can't be read. */
static const unsigned char *
page_at(uintptr_t page)
{
	unsigned i = (unsigned)(page / ARCH_PAGE % PAGES);

	if (pages->at[i] != page) {
		pages->at[i] = 0;
		if (!mmi_peek_now(pages->page[i], page, ARCH_PAGE))
			return NULL;
		pages->at[i] = page;
	}
	return pages->page[i];
}

/*
 * The stored copy of the memory at `at', *n bytes; fewer if the page ends
 * before.  NULL: it can't be read.
 */
static const unsigned char *
some_at(uintptr_t at, size_t *n)
{
	size_t from = at % ARCH_PAGE;
	const unsigned char *page;

	page = at < ARCH_PAGE ? NULL : page_at(at - from);
	if (*n > ARCH_PAGE - from)
		*n = ARCH_PAGE - from;
	return page ? page + from : NULL;
}

bool
mmi_peek(void *to, uintptr_t at, size_t n)
{
	const unsigned char *from;
	size_t some;

	for (unsigned char *p = to; n; p += some, at += some, n -= some) {
		some = n;
		from = some_at(at, &some);
		if (!from)
			return false;
		memcpy(p, from, some);
	}
	return true;
}

bool
mmi_peek_text(char *to, size_t n, uintptr_t at)
{
	const unsigned char *from, *end;
	size_t some;

	to[n - 1] = '\0';
	for (n--; n; to += some, at += some, n -= some) {
		some = n;
		from = some_at(at, &some);
		if (!from)
			return false;
		end = memchr(from, '\0', some);
		memcpy(to, from, end ? (size_t)(end - from) + 1 : some);
		if (end)
			return true;
	}
	return true;
}
