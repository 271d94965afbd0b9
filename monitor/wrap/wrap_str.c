/* SPDX-License-Identifier: MIT */
/* Strings: measured and copied. */
#include "monitor/wrap/wrap.h"

EXPORT size_t
strlen(const char *s)
{
	size_t n;

	if (UNREADY(strlen))
		return mmi_plain_strlen(s);
	n = NEXT(strlen)(s);
	mmi_wrap_read_quick(s, n + 1);
	return n;
}

EXPORT size_t
strnlen(const char *s, size_t n)
{
	size_t len;

	if (UNREADY(strnlen))
		return mmi_plain_strnlen(s, n);
	len = NEXT(strnlen)(s, n);
	mmi_wrap_read(s, len < n ? len + 1 : n);
	return len;
}

/* A string was copied, and this is where its copy ends. */
static void
copied(const char *to, const char *from, const char *end)
{
	size_t n = (size_t)(end - to) + 1;

	mmi_wrap_read_quick(from, n);
	mmi_wrap_write_quick(to, n);
}

EXPORT char *
stpcpy(char *to, const char *from)
{
	char *end;

	if (UNREADY(stpcpy))
		return mmi_plain_stpcpy(to, from);
	end = NEXT(stpcpy)(to, from);
	copied(to, from, end);
	return end;
}

EXPORT char *__stpcpy(char *, const char *) SAME_AS(stpcpy);

EXPORT char *
strcpy(char *to, const char *from)
{
	if (UNREADY(stpcpy))
		mmi_plain_stpcpy(to, from);
	else
		copied(to, from, NEXT(stpcpy)(to, from));
	return to;
}

static char *
copy_chk(char *to, const char *from, size_t room)
{
	char *end;

	if (UNREADY(__stpcpy_chk))
		return mmi_plain_stpcpy(to, from);
	end = NEXT(__stpcpy_chk)(to, from, room);
	copied(to, from, end);
	return end;
}

EXPORT char *
__stpcpy_chk(char *to, const char *from, size_t room)
{
	return copy_chk(to, from, room);
}

EXPORT char *
__strcpy_chk(char *to, const char *from, size_t room)
{
	copy_chk(to, from, room);
	return to;
}

/* n bytes were written to, of them a string's and then 0s. */
static void
filled(const char *to, const char *from, size_t n)
{
	mmi_wrap_read(from, mmi_wrap_size_max(from, n));
	mmi_wrap_write(to, n);
}

EXPORT char *
strncpy(char *to, const char *from, size_t n)
{
	if (UNREADY(strncpy))
		return mmi_plain_strncpy(to, from, n);
	NEXT(strncpy)(to, from, n);
	filled(to, from, n);
	return to;
}

EXPORT char *
__strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	if (UNREADY(__strncpy_chk))
		return mmi_plain_strncpy(to, from, n);
	NEXT(__strncpy_chk)(to, from, n, room);
	filled(to, from, n);
	return to;
}

EXPORT char *
stpncpy(char *to, const char *from, size_t n)
{
	char *end;

	if (UNREADY(stpncpy)) {
		mmi_plain_strncpy(to, from, n);
		return to + mmi_plain_strnlen(to, n);
	}
	end = NEXT(stpncpy)(to, from, n);
	filled(to, from, n);
	return end;
}

EXPORT char *__stpncpy(char *, const char *, size_t) SAME_AS(stpncpy);

EXPORT char *
__stpncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	char *end;

	if (UNREADY(__stpncpy_chk)) {
		mmi_plain_strncpy(to, from, n);
		return to + mmi_plain_strnlen(to, n);
	}
	end = NEXT(__stpncpy_chk)(to, from, n, room);
	filled(to, from, n);
	return end;
}

/* Of a string of `len' bytes the end was looked for, and written to. */
static void
appended(const char *to, size_t len, const char *from, size_t n)
{
	mmi_wrap_read(to, len + 1);
	mmi_wrap_read(from, mmi_wrap_size_max(from, n));
	mmi_wrap_write(to + len, NEXT(strnlen)(from, n) + 1);
}

static char *
plain_strncat(char *to, const char *from, size_t n)
{
	char *end = to + mmi_plain_strlen(to);

	n = mmi_plain_strnlen(from, n);
	mmi_plain_memmove(end, from, n);
	end[n] = '\0';
	return to;
}

EXPORT char *
strcat(char *to, const char *from)
{
	char *end;

	if (UNREADY(stpcpy))
		return plain_strncat(to, from, SIZE_MAX);
	end = to + NEXT(strlen)(to);
	mmi_wrap_read(to, (size_t)(end - to) + 1);
	copied(end, from, NEXT(stpcpy)(end, from));
	return to;
}

EXPORT char *
__strcat_chk(char *to, const char *from, size_t room)
{
	size_t len;

	if (UNREADY(__strcat_chk))
		return plain_strncat(to, from, SIZE_MAX);
	len = NEXT(strnlen)(to, room);
	NEXT(__strcat_chk)(to, from, room);
	appended(to, len, from, SIZE_MAX);
	return to;
}

EXPORT char *
strncat(char *to, const char *from, size_t n)
{
	size_t len;

	if (UNREADY(strncat))
		return plain_strncat(to, from, n);
	len = NEXT(strlen)(to);
	NEXT(strncat)(to + len, from, n);
	appended(to, len, from, n);
	return to;
}

EXPORT char *
__strncat_chk(char *to, const char *from, size_t n, size_t room)
{
	size_t len;

	if (UNREADY(__strncat_chk))
		return plain_strncat(to, from, n);
	len = NEXT(strnlen)(to, room);
	NEXT(__strncat_chk)(to, from, n, room);
	appended(to, len, from, n);
	return to;
}

/* Room for n bytes was there behind the first `len'. */
static void
fitted(const char *to, const char *from, size_t n)
{
	size_t size = mmi_wrap_size(from);

	mmi_wrap_read(from, size);
	mmi_wrap_write(to, size < n ? size : n);
}

EXPORT size_t
strlcpy(char *to, const char *from, size_t n)
{
	size_t r;

	if (UNREADY(strlcpy))
		return mmi_plain_strlcpy(to, from, n);
	r = NEXT(strlcpy)(to, from, n);
	fitted(to, from, n);
	return r;
}
VERSIONED(strlcpy, "2.38, remove")

EXPORT size_t
__strlcpy_chk(char *to, const char *from, size_t n, size_t room)
{
	size_t r;

	if (UNREADY(__strlcpy_chk))
		return mmi_plain_strlcpy(to, from, n);
	r = NEXT(__strlcpy_chk)(to, from, n, room);
	fitted(to, from, n);
	return r;
}
VERSIONED(__strlcpy_chk, "2.38, remove")

EXPORT size_t
strlcat(char *to, const char *from, size_t n)
{
	size_t len, r;

	if (UNREADY(strlcat))
		return mmi_plain_strlcat(to, from, n);
	len = NEXT(strnlen)(to, n);
	r = NEXT(strlcat)(to, from, n);
	mmi_wrap_read(to, len < n ? len + 1 : n);
	fitted(to + len, from, n - len);
	return r;
}
VERSIONED(strlcat, "2.38, remove")

EXPORT size_t
__strlcat_chk(char *to, const char *from, size_t n, size_t room)
{
	size_t len, r;

	if (UNREADY(__strlcat_chk))
		return mmi_plain_strlcat(to, from, n);
	len = NEXT(strnlen)(to, n);
	r = NEXT(__strlcat_chk)(to, from, n, room);
	mmi_wrap_read(to, len < n ? len + 1 : n);
	fitted(to + len, from, n - len);
	return r;
}
VERSIONED(__strlcat_chk, "2.38, remove")

EXPORT char *
strdup(const char *s)
{
	char *p = UNREADY(strdup) ? NULL : NEXT(strdup)(s);

	if (p)
		copied(p, s, p + NEXT(strlen)(p));
	return p;
}

EXPORT char *__strdup(const char *) SAME_AS(strdup);

EXPORT char *
strndup(const char *s, size_t n)
{
	char *p = UNREADY(strndup) ? NULL : NEXT(strndup)(s, n);

	if (p) {
		mmi_wrap_read(s, mmi_wrap_size_max(s, n));
		mmi_wrap_write(p, mmi_wrap_size(p));
	}
	return p;
}

EXPORT char *__strndup(const char *, size_t) SAME_AS(strndup);
