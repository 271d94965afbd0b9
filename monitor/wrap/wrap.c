/* SPDX-License-Identifier: MIT */
/* The next definitions of libc's functions; counting for them. */
#include "monitor/wrap/wrap.h"

#include <dlfcn.h>
#include <errno.h>

#include "monitor/access/span.h"
#include "monitor/base/next.h"
#include "monitor/shadow/shadow.h"
#include "monitor/thread/enter.h"

struct mmi_wrap_next mmi_wrap_next;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "differ_str");

#define NAME(name) #name "\0"
#define ROW(type, failed, name, ...) NAME(name)
#define VOID(failed, name, ...) NAME(name)
static const char names[] = MMI_WRAP_LIST(NAME)
#include "monitor/wrap/wrap_row_list.h"
	;
#undef ROW
#undef VOID

/* Points to itself once the library is relocated. */
static void *volatile relocated = (void *)&relocated;

static int found;	 /* atomic; the search is finished */
static TLS int searches; /* nested searches of this thread */

/*
 * Names that this libc doesn't have.  Programs may call them nevertheless,
 * because this library defines them.
 */
static void
find_others(struct mmi_wrap_next *next)
{
#define INSTEAD(name, other) \
	if (!next->name) \
	STORE(&next->name, other)
	INSTEAD(strlcpy, mmi_libc_strlcpy);
	INSTEAD(strlcat, mmi_libc_strlcat);
	INSTEAD(__isoc23_vscanf, next->__isoc99_vscanf);
	INSTEAD(__isoc23_vfscanf, next->__isoc99_vfscanf);
	INSTEAD(__isoc23_vsscanf, next->__isoc99_vsscanf);
	INSTEAD(__isoc23_strtol, next->strtol);
	INSTEAD(__isoc23_strtoll, next->strtoll);
	INSTEAD(__isoc23_strtoul, next->strtoul);
	INSTEAD(__isoc23_strtoull, next->strtoull);
	/* Nothing works without these. */
	INSTEAD(memmove, mmi_libc_memmove);
	INSTEAD(memset, mmi_libc_memset);
	INSTEAD(memcmp, mmi_libc_memcmp);
	INSTEAD(__memcmpeq, next->memcmp);
	INSTEAD(strlen, mmi_libc_strlen);
	INSTEAD(strnlen, mmi_libc_strnlen);
	INSTEAD(stpcpy, mmi_libc_stpcpy);
#undef INSTEAD
}

/* Names that some libcs don't have begin with one of these. */
static const char newer[] = "strlc\0"
			    "__strlc\0"
			    "__isoc23_\0"
			    "__memcmpeq\0"
			    "explicit_bzero\0"
			    "getrandom\0"
			    "getentropy\0"
			    "preadv\0"
			    "pwritev\0";

static bool
is_newer(const char *name)
{
	size_t n;

	for (const char *p = newer; *p; p += n + 1) {
		n = mmi_libc_strlen(p);
		if (!mmi_libc_strncmp(name, p, n))
			return true;
	}
	return false;
}

/*
 * Finds all of them; `early': those that certainly exist.  A search for a
 * missing one would allocate memory, and the caller may be an allocator that is
 * starting.
 */
static void
find_all(bool early)
{
	void **next = (void **)&mmi_wrap_next;
	bool missed = false;
	int e = errno;

	mmi_thread_internal_begin();
	for (const char *name = names; *name; next++) {
		void *f = NULL;

		if (!early || !is_newer(name))
			f = mmi_next_symbol(name);
		STORE(next, f);
		missed |= !f;
		name += mmi_libc_strlen(name) + 1;
	}
	/* The program must not see the error for missing ones. */
	if (missed)
		mmi_next_forget();
	mmi_thread_internal_end();
	find_others(&mmi_wrap_next);
	if (!early)
		STORE_REL(&found, 1);
	errno = e;
}

/*
 * Several threads may do this at once, with the same result.  If a signal
 * interrupts a search, or a search calls one of these functions, the inner call
 * searches again from the start; the calls of that search do without.
 */
COLD bool
mmi_wrap_find(const void *next)
{
	void *const *f = next;

	if (relocated != (void *)&relocated || !__link_with_lmemmon_access_v6)
		return false;
	if (!LOAD_ACQ(&found) && searches < 2) {
		searches++;
		find_all(true);
		searches--;
	}
	return LOAD(f) != NULL;
}

/* The first call would not find all, and may be in a signal handler. */
__attribute__((constructor(101))) static void
wrap_init(void)
{
	if (!LOAD_ACQ(&found))
		find_all(false);
}

void
mmi_wrap_count(const void *p, size_t n, uint64_t add)
{
	uintptr_t a = (uintptr_t)p, last = a + n - 1;

	if (n && !((a | last) & MMI_WRAP_NO_ADDRESS) && last >= a)
		mmi_access_span(a >> MEMMON_GRANULE_SHIFT,
				last >> MEMMON_GRANULE_SHIFT, add);
}

/* Eight bytes at any address. */
struct word {
	uint64_t v;
} __attribute__((packed, may_alias));

size_t
mmi_wrap_differ(const void *a, const void *b, size_t n)
{
	const unsigned char *s = a, *t = b;
	size_t i = 0;

	while (n - i >= sizeof(struct word) &&
	       ((const struct word *)(s + i))->v ==
		       ((const struct word *)(t + i))->v)
		i += sizeof(struct word);
	while (i < n && s[i] == t[i])
		i++;
	return i < n ? i + 1 : n;
}

/* Can eight bytes be read there without crossing into another page? */
static inline bool
same_page(const char *p)
{
	return ((uintptr_t)p & (ARCH_PAGE - 1)) <=
	       ARCH_PAGE - sizeof(struct word);
}

/* Compares eight bytes at once, where the lowest byte is the first. */
size_t
mmi_wrap_differ_str(const char *a, const char *b)
{
	const uint64_t ones = ~0ull / 255;
	/* memcheck checks each byte that is read; it has no shadow here. */
	const bool bytewise = !LOAD(&mmi_shadow.cells);
	uint64_t v, stop;
	size_t i = 0;

	for (;;) {
		if (!same_page(a + i) || !same_page(b + i) || bytewise) {
			if (!a[i] || a[i] != b[i])
				return i + 1;
			i++;
			continue;
		}
		v = ((const struct word *)(a + i))->v;
		/* The lowest bit set is in the first 0 or difference. */
		stop = ((v - ones) & ~v & ones << 7) |
		       (v ^ ((const struct word *)(b + i))->v);
		if (stop)
			return i + (unsigned)__builtin_ctzll(stop) / 8 + 1;
		i += sizeof(v);
	}
}

size_t
mmi_wrap_size(const char *s)
{
	return NEXT(strlen)(s) + 1;
}

size_t
mmi_wrap_size_max(const char *s, size_t n)
{
	size_t len = NEXT(strnlen)(s, n);

	return len < n ? len + 1 : n;
}
