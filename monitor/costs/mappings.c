/* SPDX-License-Identifier: MIT */
/* The memory that the allocator got from the kernel. */
#include "monitor/costs/mappings.h"

#include <string.h>

#include "monitor/base/process.h"
#include "monitor/base/wait.h"

#define RANGES 8192u
#define PATIENCE (100 * MMI_WAIT_MS)

static struct range {
	uintptr_t from, to;
} range[RANGES];
static unsigned nranges;
static uint64_t bytes;	/* atomic */
static int unknown;	/* atomic */
static int changing;	/* atomic */

void
mmi_mappings_unknown(void)
{
	STORE(&unknown, 1);
}

void
mmi_mappings_fork(void)
{
	if (SWAP(&changing, 0))
		mmi_mappings_unknown();
}

/* The thread that holds it runs few instructions, with signals blocked. */
static bool
lock(void)
{
	struct mmi_wait wait = { 0, 0 };

	do
		if (!SWAP(&changing, 1))
			return true;
	while (mmi_wait_more(&wait, PATIENCE));
	mmi_mappings_unknown();
	return false;
}

static void
unlock(void)
{
	STORE_REL(&changing, 0);
}

/* The first range that ends after `at'. */
static unsigned
find(uintptr_t at)
{
	unsigned low = 0, high = nranges;

	while (low < high) {
		unsigned mid = (low + high) / 2;

		if (range[mid].to <= at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void
insert(unsigned i, uintptr_t from, uintptr_t to)
{
	if (nranges == RANGES) {
		mmi_mappings_unknown();
		return;
	}
	memmove(&range[i + 1], &range[i], (nranges - i) * sizeof(range[0]));
	range[i] = (struct range){ from, to };
	nranges++;
	STORE(&bytes, bytes + (to - from));
}

static void
erase(unsigned i)
{
	STORE(&bytes, bytes - (range[i].to - range[i].from));
	nranges--;
	memmove(&range[i], &range[i + 1], (nranges - i) * sizeof(range[0]));
}

static void
cut(uintptr_t from, uintptr_t to)
{
	unsigned i = find(from);

	while (i < nranges && range[i].from < to) {
		struct range r = range[i];

		erase(i);
		if (r.from < from)
			insert(i++, r.from, from);
		if (r.to > to)
			insert(i++, to, r.to);
	}
}

void
mmi_mappings_add(uintptr_t from, uintptr_t to)
{
	unsigned i;

	if (from >= to || !lock())
		return;
	cut(from, to);
	i = find(from);
	/* Join neighbours. */
	if (i < nranges && range[i].from == to) {
		to = range[i].to;
		erase(i);
	}
	if (i && range[i - 1].to == from) {
		from = range[--i].from;
		erase(i);
	}
	insert(i, from, to);
	unlock();
}

void
mmi_mappings_remove(uintptr_t from, uintptr_t to)
{
	if (from >= to || !lock())
		return;
	cut(from, to);
	unlock();
}

/* ------------------------------------------------ made before we looked -- */

static bool
has(uintptr_t a)
{
	bool is = true;
	unsigned i;

	if (!lock())
		return true;
	i = find(a);
	is = i < nranges && range[i].from <= a;
	unlock();
	return is;
}

/* A line begins with "from-to ".  False: *arg is in this line's range. */
static bool
line_learn(void *arg, const char *s)
{
	const uintptr_t *a = arg;
	uintptr_t from = mmi_process_hex(&s), to;

	if (*s++ != '-')
		return true;
	to = mmi_process_hex(&s);
	if (*a < from || *a >= to)
		return true;
	mmi_mappings_add(from, to);
	return false;
}

void
mmi_mappings_learn(uintptr_t a)
{
	static char buffer[4096];

	if (!a || LOAD(&unknown) || has(a))
		return;
	mmi_process_maps(buffer, sizeof(buffer), line_learn, &a);
	if (!has(a))
		mmi_mappings_unknown();
}

uint64_t
mmi_mappings_bytes(void)
{
	return LOAD(&unknown) ? UINT64_MAX : LOAD(&bytes);
}

uint64_t
mmi_mappings_resident(void)
{
	static struct range copy[RANGES];
	static unsigned char there[16384];
	uint64_t pages = 0;
	unsigned n;

	if (LOAD(&unknown) || !lock())
		return UINT64_MAX;
	n = nranges;
	memcpy(copy, range, n * sizeof(range[0]));
	unlock();
	for (unsigned i = 0; i < n; i++)
		for (uintptr_t at = copy[i].from; at < copy[i].to;) {
			uintptr_t k = (copy[i].to - at) / ARCH_PAGE_NOW;

			if (k > sizeof(there))
				k = sizeof(there);
			if (!k)
				break;
			/* Another thread may have unmapped it just now. */
			if (ARCH_SYS(SYS_mincore, at, k * ARCH_PAGE_NOW, there,
				     0, 0, 0) == 0)
				for (uintptr_t j = 0; j < k; j++)
					pages += there[j] & 1;
			at += k * ARCH_PAGE_NOW;
		}
	return pages * ARCH_PAGE_NOW;
}
