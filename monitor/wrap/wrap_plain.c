/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc in plain C, for when its own can't be found: while the
 * loader relocates this library.  And for the library's own calls, which the
 * linker's --wrap leads here (plain.list), so that these aren't counted.
 *
 * Nothing here may need relocation, and no loop may become a call of the
 * function that it is: see STEP().
 */
#include "monitor/wrap/wrap.h"

/* The compiler can't tell what this does to i, and leaves the loop alone. */
#define STEP(i) __asm__("" : "+r"(i))

void *
mmi_plain_memmove(void *to, const void *from, size_t n)
{
	const char *s = from;
	char *d = to;

	if ((uintptr_t)d - (uintptr_t)s >= n) {
		for (size_t i = 0; i < n; i++) {
			STEP(i);
			d[i] = s[i];
		}
	} else {
		for (size_t i = n; i--;) {
			STEP(i);
			d[i] = s[i];
		}
	}
	return to;
}

void *
mmi_plain_memset(void *to, int c, size_t n)
{
	char *d = to;

	for (size_t i = 0; i < n; i++) {
		STEP(i);
		d[i] = (char)c;
	}
	return to;
}

void *
mmi_plain_memchr(const void *p, int c, size_t n)
{
	const unsigned char *s = p;

	for (; n; n--, s++)
		if (*s == (unsigned char)c)
			return (void *)s;
	return NULL;
}

void *
mmi_plain_memrchr(const void *p, int c, size_t n)
{
	const unsigned char *s = p;

	while (n--)
		if (s[n] == (unsigned char)c)
			return (void *)(s + n);
	return NULL;
}

int
mmi_plain_memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *s = a, *t = b;

	for (; n; n--, s++, t++)
		if (*s != *t)
			return *s - *t;
	return 0;
}

size_t
mmi_plain_strlen(const char *s)
{
	size_t n = 0;

	while (s[n]) {
		n++;
		STEP(n);
	}
	return n;
}

size_t
mmi_plain_strnlen(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i]) {
		i++;
		STEP(i);
	}
	return i;
}

char *
mmi_plain_stpcpy(char *to, const char *from)
{
	while ((*to = *from)) {
		to++;
		from++;
		STEP(to);
	}
	return to;
}

char *
mmi_plain_strncpy(char *to, const char *from, size_t n)
{
	size_t len = mmi_plain_strnlen(from, n);

	mmi_plain_memmove(to, from, len);
	mmi_plain_memset(to + len, 0, n - len);
	return to;
}

int
mmi_plain_strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

int
mmi_plain_strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (!*a || *a != *b)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

char *
mmi_plain_strchrnul(const char *s, int c)
{
	while (*s && *s != (char)c)
		s++;
	return (char *)s;
}

char *
mmi_plain_strrchr(const char *s, int c)
{
	const char *last = NULL;

	do {
		if (*s == (char)c)
			last = s;
	} while (*s++);
	return (char *)last;
}

char *
mmi_plain_strstr(const char *s, const char *what)
{
	size_t n = mmi_plain_strlen(what);

	for (;; s++) {
		if (mmi_plain_strncmp(s, what, n) == 0)
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

size_t
mmi_plain_strlcpy(char *to, const char *from, size_t n)
{
	size_t len = mmi_plain_strlen(from), some = len < n ? len : n - 1;

	if (n) {
		mmi_plain_memmove(to, from, some);
		to[some] = '\0';
	}
	return len;
}

size_t
mmi_plain_strlcat(char *to, const char *from, size_t n)
{
	size_t len = mmi_plain_strnlen(to, n);

	return len + mmi_plain_strlcpy(to + len, from, n - len);
}

/*
 * What the library itself calls: libc's where it is known, and nothing is
 * counted.
 */
#pragma GCC visibility push(hidden)
#define INSIDE(type, name, parameters, arguments, plain) \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return plain arguments; \
	}
#define OR_PLAIN(name) (LIKELY(NEXT(name)) ? NEXT(name) : mmi_plain_##name)

INSIDE(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n),
       OR_PLAIN(memmove))
INSIDE(void *, memmove, (void *to, const void *from, size_t n), (to, from, n),
       OR_PLAIN(memmove))
INSIDE(void *, memset, (void *to, int c, size_t n), (to, c, n),
       OR_PLAIN(memset))
INSIDE(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n),
       OR_PLAIN(memcmp))
INSIDE(int, bcmp, (const void *a, const void *b, size_t n), (a, b, n),
       OR_PLAIN(memcmp))
INSIDE(void *, memchr, (const void *p, int c, size_t n), (p, c, n),
       OR_PLAIN(memchr))
INSIDE(size_t, strlen, (const char *s), (s), OR_PLAIN(strlen))
INSIDE(size_t, strnlen, (const char *s, size_t n), (s, n), OR_PLAIN(strnlen))
INSIDE(int, strcmp, (const char *a, const char *b), (a, b), OR_PLAIN(strcmp))
INSIDE(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n),
       OR_PLAIN(strncmp))
INSIDE(char *, strrchr, (const char *s, int c), (s, c), OR_PLAIN(strrchr))
INSIDE(char *, strstr, (const char *s, const char *what), (s, what),
       OR_PLAIN(strstr))

char *__wrap_strchr(const char *s, int c);
long __wrap_strtol(const char *s, char **end, int base);
unsigned long __wrap_strtoul(const char *s, char **end, int base);

char *
__wrap_strchr(const char *s, int c)
{
	char *p = OR_PLAIN(strchrnul)(s, c);

	return *p == (char)c ? p : NULL;
}

/* For settings, which are read late enough. */
long
__wrap_strtol(const char *s, char **end, int base)
{
	return UNREADY(strtol) ? 0 : NEXT(strtol)(s, end, base);
}

unsigned long
__wrap_strtoul(const char *s, char **end, int base)
{
	return UNREADY(strtoul) ? 0 : NEXT(strtoul)(s, end, base);
}

/* And what it asks of the system, before the next ones are found. */
#define ASK(type, name, parameters, arguments, otherwise) \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return LIKELY(NEXT(name)) ? NEXT(name) arguments \
					  : (type)(otherwise); \
	}

ASK(int, fstat, (int fd, struct stat *b), (fd, b),
    ARCH_SYS(SYS_newfstatat, fd, "", b, AT_EMPTY_PATH, 0, 0))
ASK(int, pthread_key_create, (pthread_key_t * k, void (*f)(void *)), (k, f),
    EAGAIN)
ASK(int, sigfillset, (sigset_t * s), (s),
    (mmi_plain_memset(s, 0xff, sizeof(*s)), 0))
ASK(int, sigdelset, (sigset_t * s, int n), (s, n),
    (s->__val[(n - 1) / 64] &= ~(1ul << (n - 1) % 64), 0))

#pragma GCC visibility pop
