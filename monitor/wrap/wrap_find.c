/* SPDX-License-Identifier: MIT */
/* Strings: compared, searched, taken apart. */
#include "monitor/wrap/wrap.h"

#include <ctype.h>

/* Two strings of which so many bytes were read. */
static void
compared(const char *a, const char *b, size_t n)
{
	mmi_wrap_read_quick(a, n);
	mmi_wrap_read_quick(b, n);
}

EXPORT int
strcmp(const char *a, const char *b)
{
	int r;

	if (UNREADY(strcmp))
		return mmi_plain_strcmp(a, b);
	r = NEXT(strcmp)(a, b);
	compared(a, b, r ? mmi_wrap_differ_str(a, b) : mmi_wrap_size(a));
	return r;
}

EXPORT int
strncmp(const char *a, const char *b, size_t n)
{
	int r;

	if (UNREADY(strncmp))
		return mmi_plain_strncmp(a, b, n);
	r = NEXT(strncmp)(a, b, n);
	compared(a, b, r ? mmi_wrap_differ_str(a, b) : mmi_wrap_size_max(a, n));
	return r;
}

/* As mmi_wrap_differ_str(), for letters of either case. */
static size_t
differ_case(const char *a, const char *b)
{
	size_t i = 0;

	while (a[i] &&
	       tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]))
		i++;
	return i + 1;
}

EXPORT int
strcasecmp(const char *a, const char *b)
{
	int r;

	if (UNREADY(strcasecmp))
		return mmi_plain_strcmp(a, b);
	r = NEXT(strcasecmp)(a, b);
	compared(a, b, r ? differ_case(a, b) : mmi_wrap_size(a));
	return r;
}

EXPORT int
strncasecmp(const char *a, const char *b, size_t n)
{
	int r;

	if (UNREADY(strncasecmp))
		return mmi_plain_strncmp(a, b, n);
	r = NEXT(strncasecmp)(a, b, n);
	compared(a, b, r ? differ_case(a, b) : mmi_wrap_size_max(a, n));
	return r;
}

/* What it depends on is the locale's affair: both count whole. */
EXPORT int
strcoll(const char *a, const char *b)
{
	int r;

	if (UNREADY(strcoll))
		return mmi_plain_strcmp(a, b);
	r = NEXT(strcoll)(a, b);
	mmi_wrap_read(a, mmi_wrap_size(a));
	mmi_wrap_read(b, mmi_wrap_size(b));
	return r;
}

static inline char *
find(const char *s, int c)
{
	char *r;

	if (UNREADY(strchrnul))
		return mmi_plain_strchrnul(s, c);
	r = NEXT(strchrnul)(s, c);
	mmi_wrap_read_quick(s, (size_t)(r - s) + 1);
	return r;
}

EXPORT char *
strchrnul(const char *s, int c)
{
	return find(s, c);
}

EXPORT char *
strchr(const char *s, int c)
{
	char *r = find(s, c);

	return *r == (char)c ? r : NULL;
}

EXPORT char *index(const char *, int) SAME_AS(strchr);

EXPORT char *
strrchr(const char *s, int c)
{
	char *r;

	if (UNREADY(strrchr))
		return mmi_plain_strrchr(s, c);
	r = NEXT(strrchr)(s, c);
	mmi_wrap_read(s, mmi_wrap_size(s));
	return r;
}

EXPORT char *rindex(const char *, int) SAME_AS(strrchr);

/* Was `what' found, at r, or is all of s without it? */
static void
searched(const char *s, const char *what, const char *r)
{
	size_t n = NEXT(strlen)(what);

	mmi_wrap_read(what, n + 1);
	mmi_wrap_read(s, r ? (size_t)(r - s) + n : mmi_wrap_size(s));
}

EXPORT char *
strstr(const char *s, const char *what)
{
	char *r;

	if (UNREADY(strstr))
		return mmi_plain_strstr(s, what);
	r = NEXT(strstr)(s, what);
	searched(s, what, r);
	return r;
}

EXPORT char *
strcasestr(const char *s, const char *what)
{
	char *r;

	if (UNREADY(strcasestr))
		return NULL;
	r = NEXT(strcasestr)(s, what);
	searched(s, what, r);
	return r;
}

EXPORT size_t
strspn(const char *s, const char *set)
{
	size_t n;

	if (UNREADY(strspn))
		return 0;
	n = NEXT(strspn)(s, set);
	mmi_wrap_read(s, n + 1);
	mmi_wrap_read(set, mmi_wrap_size(set));
	return n;
}

static size_t
find_any(const char *s, const char *set)
{
	size_t n;

	if (UNREADY(strcspn))
		return mmi_plain_strlen(s);
	n = NEXT(strcspn)(s, set);
	mmi_wrap_read(s, n + 1);
	mmi_wrap_read(set, mmi_wrap_size(set));
	return n;
}

EXPORT size_t
strcspn(const char *s, const char *set)
{
	return find_any(s, set);
}

EXPORT char *
strpbrk(const char *s, const char *set)
{
	s += find_any(s, set);
	return *s ? (char *)s : NULL;
}

/*
 * Of a string from s on a word was taken, and what it ended with overwritten;
 * `next' is where the rest starts.
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
