/* SPDX-License-Identifier: MIT */
/* Strings: measured, copied, compared, searched, split. */
#include "monitor/wrap/wrap_row.h"

#include <ctype.h>

/* A string was copied; its copy ends at `end'. */
static void
copied(const char *to, const char *from, const char *end)
{
	size_t n = (size_t)(end - to) + 1;

	mmi_wrap_read_quick(from, n);
	mmi_wrap_write_quick(to, n);
}

/* n bytes were written: a string, and then 0s. */
static void
filled(const char *to, const char *from, size_t n)
{
	mmi_wrap_read(from, mmi_wrap_size_max(from, n));
	mmi_wrap_write(to, n);
}

static char *
plain_stpncpy(char *to, const char *from, size_t n)
{
	mmi_libc_strncpy(to, from, n);
	return to + mmi_libc_strnlen(to, n);
}

static char *
plain_strncat(char *to, const char *from, size_t n)
{
	char *end = to + mmi_libc_strlen(to);

	n = mmi_libc_strnlen(from, n);
	mmi_libc_memmove(end, from, n);
	end[n] = '\0';
	return to;
}

/* The end of a string was found, and up to n bytes were written there. */
static void
appended(const char *to, const char *from, size_t n)
{
	size_t added = NEXT(strnlen)(from, n), len = NEXT(strlen)(to) - added;

	R(to, len + 1);
	R(from, mmi_wrap_size_max(from, n));
	W(to + len, added + 1);
}

/* There was room for n bytes. */
static void
fitted(const char *to, const char *from, size_t n)
{
	size_t size = STRING(from);

	R(from, size);
	W(to, size < n ? size : n);
}

/* There was room for n bytes; both whole strings would need `all'. */
static void
fitted_behind(const char *to, const char *from, size_t n, size_t all)
{
	size_t len = all - NEXT(strlen)(from);

	R(to, len < n ? len + 1 : n);
	fitted(to + len, from, n - len);
}

/* n bytes of each of two strings were read. */
#define compared(a, b, n) \
	(mmi_wrap_beyond(a) && mmi_wrap_beyond(b) ? (void)0 \
						  : both_read(a, b, n))
static void
both_read(const char *a, const char *b, size_t n)
{
	mmi_wrap_read_quick(a, n);
	mmi_wrap_read_quick(b, n);
}

/* Like mmi_wrap_differ_str(), but ignores the case of letters. */
static size_t
differ_case(const char *a, const char *b)
{
	size_t i = 0;

	while (a[i] &&
	       tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]))
		i++;
	return i + 1;
}

/* Bytes from s to `end', including `end'. */
static inline size_t
through(const char *s, const char *end)
{
	return (size_t)(end - s) + 1;
}

/* Was `what' found, at r?  Otherwise all of s was read. */
static void
searched(const char *s, const char *what, const char *r)
{
	size_t n = NEXT(strlen)(what);

	mmi_wrap_read(what, n + 1);
	mmi_wrap_read(s, r ? (size_t)(r - s) + n : mmi_wrap_size(s));
}

#include "monitor/wrap/wrap_row_strings.h"

EXPORT char *__stpcpy(char *, const char *) SAME_AS(stpcpy);
EXPORT char *__stpncpy(char *, const char *, size_t) SAME_AS(stpncpy);
EXPORT char *__strdup(const char *) SAME_AS(strdup);
EXPORT char *__strndup(const char *, size_t) SAME_AS(strndup);
EXPORT char *rindex(const char *, int) SAME_AS(strrchr);
VERSIONED(strlcpy, "2.38, remove")
VERSIONED(__strlcpy_chk, "2.38, remove")
VERSIONED(strlcat, "2.38, remove")
VERSIONED(__strlcat_chk, "2.38, remove")

/* The next functions are stpcpy(), which returns the end, and strchrnul(). */
EXPORT char *
strcpy(char *to, const char *from)
{
	if (UNREADY(stpcpy))
		mmi_libc_stpcpy(to, from);
	else
		copied(to, from, NEXT(stpcpy)(to, from));
	return to;
}

static char *
copy_chk(char *to, const char *from, size_t room)
{
	char *end;

	if (UNREADY(__stpcpy_chk))
		return mmi_libc_stpcpy(to, from);
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
strchr(const char *s, int c)
{
	char *r;

	if (UNREADY(strchrnul)) {
		r = mmi_libc_strchrnul(s, c);
	} else {
		r = NEXT(strchrnul)(s, c);
		R_QUICK(s, through(s, r));
	}
	return *r == (char)c ? r : NULL;
}

EXPORT char *index(const char *, int) SAME_AS(strchr);

/*
 * A word was taken from the string at s, and the byte behind the word
 * overwritten; `next' is the start of the rest.
 */
static void
taken(const char *s, const char *set, const char *word, const char *next)
{
	const char *end = word ? word + NEXT(strlen)(word) : NULL;

	mmi_wrap_read(set, mmi_wrap_size(set));
	mmi_wrap_read(s, end ? (size_t)(end - s) + 1 : mmi_wrap_size(s));
	if (end && next == end + 1)
		mmi_wrap_write(end, 1);
}

EXPORT char *
strtok_r(char *s, const char *set, char **rest)
{
	const char *from = s;
	char *r;

	if (UNREADY(strtok_r))
		return NULL;
	if (!s) {
		from = *rest;
		mmi_wrap_read(rest, sizeof(*rest));
	}
	r = NEXT(strtok_r)(s, set, rest);
	mmi_wrap_write(rest, sizeof(*rest));
	if (from)
		taken(from, set, r, *rest);
	return r;
}

EXPORT char *__strtok_r(char *, const char *, char **) SAME_AS(strtok_r);

EXPORT char *
strtok(char *s, const char *set)
{
	static char *rest;
	const char *from = s ? s : rest;
	char *r;

	if (UNREADY(strtok_r))
		return NULL;
	r = NEXT(strtok_r)(s, set, &rest);
	if (from)
		taken(from, set, r, rest);
	return r;
}

EXPORT char *
strsep(char **rest, const char *set)
{
	char *r;

	if (UNREADY(strsep))
		return NULL;
	r = NEXT(strsep)(rest, set);
	mmi_wrap_read(rest, sizeof(*rest));
	if (r) {
		mmi_wrap_write(rest, sizeof(*rest));
		taken(r, set, r, *rest);
	}
	return r;
}
