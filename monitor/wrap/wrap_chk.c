/* SPDX-License-Identifier: MIT */
/*
 * Memory functions as _FORTIFY_SOURCE has them called: the next one ends the
 * program when there isn't enough room.  Those of strings, wide characters and
 * files are with their plain versions.
 */
#include "monitor/wrap/wrap.h"

#define CHK(name, carry) \
	EXPORT void *name(void *to, const void *from, size_t n, size_t room) \
	{ \
		void *r; \
\
		if (UNREADY(name)) \
			return (char *)mmi_plain_memmove(to, from, n) + \
			       (carry); \
		r = NEXT(name)(to, from, n, room); \
		mmi_wrap_read_quick(from, n); \
		mmi_wrap_write_quick(to, n); \
		return r; \
	}

CHK(__memmove_chk, 0)
CHK(__mempcpy_chk, n)

/* As memcpy, which is memmove. */
EXPORT void *__memcpy_chk(void *, const void *, size_t, size_t)
	SAME_AS(__memmove_chk);

EXPORT void *
__memset_chk(void *to, int c, size_t n, size_t room)
{
	if (UNREADY(__memset_chk))
		return mmi_plain_memset(to, c, n);
	NEXT(__memset_chk)(to, c, n, room);
	mmi_wrap_write(to, n);
	return to;
}

EXPORT void
__explicit_bzero_chk(void *to, size_t n, size_t room)
{
	if (UNREADY(__explicit_bzero_chk)) {
		mmi_plain_memset(to, 0, n);
		return;
	}
	NEXT(__explicit_bzero_chk)(to, n, room);
	mmi_wrap_write(to, n);
}
