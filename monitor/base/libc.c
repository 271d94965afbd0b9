/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc in plain C.  All calls of them in the monitor lead here, by
 * the linker's --wrap (libc.list): another library may define such a function,
 * and may allocate in it, which calls the hook again, or may wait for a lock
 * that the program's thread holds.  Also, they aren't counted as accesses of
 * the program.
 *
 * They also work before the loader has relocated this library.  No loop may be
 * compiled to a call of its own function: see STEP().
 */
#include "monitor/base/libc.h"

#include "monitor/base/internal.h"

/* The compiler doesn't know what this does to i, and leaves the loop alone. */
#define STEP(i) __asm__("" : "+r"(i))

/* Eight bytes, aligned or not. */
typedef uint64_t __attribute__((may_alias, aligned(1))) word;
#define WORD(p, i) (*(word *)((char *)(p) + (i)))
#define WORD_READ(p, i) (*(const word *)((const char *)(p) + (i)))

/* From this many bytes on, one instruction for all is quicker, if it exists. */
#define MANY 256u

static inline bool
copy_many(void *to, const void *from, size_t n)
{
#ifdef __x86_64__
	__asm__ volatile("rep movsb"
			 : "+D"(to), "+S"(from), "+c"(n)
			 :
			 : "memory");
	return true;
#else
	(void)to;
	(void)from;
	(void)n;
	return false;
#endif
}

static inline bool
fill_many(void *to, int c, size_t n)
{
#ifdef __x86_64__
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(c) : "memory");
	return true;
#else
	(void)to;
	(void)c;
	(void)n;
	return false;
#endif
}

static void
copy_forward(char *to, const char *from, size_t n)
{
	size_t i = 0;

	for (; n - i >= sizeof(word); i += sizeof(word)) {
		STEP(i);
		WORD(to, i) = WORD_READ(from, i);
	}
	for (; i < n; i++) {
		STEP(i);
		to[i] = from[i];
	}
}

static void
copy_backward(char *to, const char *from, size_t n)
{
	for (; n >= sizeof(word); n -= sizeof(word)) {
		STEP(n);
		WORD(to, n - sizeof(word)) = WORD_READ(from, n - sizeof(word));
	}
	while (n--) {
		STEP(n);
		to[n] = from[n];
	}
}

void *
mmi_libc_memmove(void *to, const void *from, size_t n)
{
	if ((uintptr_t)to - (uintptr_t)from < n)
		copy_backward(to, from, n);
	else if (n < MANY || !copy_many(to, from, n))
		copy_forward(to, from, n);
	return to;
}

void *
mmi_libc_memset(void *to, int c, size_t n)
{
	uint64_t all = 0x0101010101010101u * (unsigned char)c;
	size_t i = 0;

	if (n >= MANY && fill_many(to, c, n))
		return to;
	for (; n - i >= sizeof(word); i += sizeof(word)) {
		STEP(i);
		WORD(to, i) = all;
	}
	for (; i < n; i++) {
		STEP(i);
		((char *)to)[i] = (char)c;
	}
	return to;
}

int
mmi_libc_memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *s = a, *t = b;
	size_t i = 0;

	while (n - i >= sizeof(word) && WORD_READ(s, i) == WORD_READ(t, i))
		i += sizeof(word);
	for (; i < n; i++)
		if (s[i] != t[i])
			return s[i] - t[i];
	return 0;
}

void *
mmi_libc_memchr(const void *p, int c, size_t n)
{
	const unsigned char *s = p;

	for (; n; n--, s++)
		if (*s == (unsigned char)c)
			return (void *)s;
	return NULL;
}

void *
mmi_libc_memrchr(const void *p, int c, size_t n)
{
	const unsigned char *s = p;

	while (n--)
		if (s[n] == (unsigned char)c)
			return (void *)(s + n);
	return NULL;
}

size_t
mmi_libc_strlen(const char *s)
{
	size_t n = 0;

	while (s[n]) {
		n++;
		STEP(n);
	}
	return n;
}

size_t
mmi_libc_strnlen(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i]) {
		i++;
		STEP(i);
	}
	return i;
}

char *
mmi_libc_stpcpy(char *to, const char *from)
{
	while ((*to = *from)) {
		to++;
		from++;
		STEP(to);
	}
	return to;
}

char *
mmi_libc_strncpy(char *to, const char *from, size_t n)
{
	size_t len = mmi_libc_strnlen(from, n);

	mmi_libc_memmove(to, from, len);
	mmi_libc_memset(to + len, 0, n - len);
	return to;
}

int
mmi_libc_strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

int
mmi_libc_strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (!*a || *a != *b)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

char *
mmi_libc_strchrnul(const char *s, int c)
{
	while (*s && *s != (char)c)
		s++;
	return (char *)s;
}

char *
mmi_libc_strchr(const char *s, int c)
{
	char *p = mmi_libc_strchrnul(s, c);

	return *p == (char)c ? p : NULL;
}

char *
mmi_libc_strrchr(const char *s, int c)
{
	const char *last = NULL;

	do {
		if (*s == (char)c)
			last = s;
	} while (*s++);
	return (char *)last;
}

char *
mmi_libc_strstr(const char *s, const char *what)
{
	size_t n = mmi_libc_strlen(what);

	for (;; s++) {
		if (mmi_libc_strncmp(s, what, n) == 0)
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

size_t
mmi_libc_strlcpy(char *to, const char *from, size_t n)
{
	size_t len = mmi_libc_strlen(from), some = len < n ? len : n - 1;

	if (n) {
		mmi_libc_memmove(to, from, some);
		to[some] = '\0';
	}
	return len;
}

size_t
mmi_libc_strlcat(char *to, const char *from, size_t n)
{
	size_t len = mmi_libc_strnlen(to, n);

	return len + mmi_libc_strlcpy(to + len, from, n - len);
}

/* See libc.list. */
#define WRAP(type, name, parameters, as) \
	HIDDEN type __wrap_##name parameters \
		__attribute__((alias("mmi_libc_" #as)));

WRAP(void *, memcpy, (void *, const void *, size_t), memmove)
WRAP(void *, memmove, (void *, const void *, size_t), memmove)
WRAP(void *, memset, (void *, int, size_t), memset)
WRAP(int, memcmp, (const void *, const void *, size_t), memcmp)
WRAP(int, bcmp, (const void *, const void *, size_t), memcmp)
WRAP(void *, memchr, (const void *, int, size_t), memchr)
WRAP(size_t, strlen, (const char *), strlen)
WRAP(size_t, strnlen, (const char *, size_t), strnlen)
WRAP(int, strcmp, (const char *, const char *), strcmp)
WRAP(int, strncmp, (const char *, const char *, size_t), strncmp)
WRAP(char *, strchr, (const char *, int), strchr)
WRAP(char *, strrchr, (const char *, int), strrchr)
WRAP(char *, strstr, (const char *, const char *), strstr)
