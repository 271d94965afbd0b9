/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams, and text made in memory: results, bytes and counts. */
#include "tests/access/wrap_test.h"

int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __asprintf_chk(char **, int, const char *, ...);
ssize_t __getdelim(char **, size_t *, int, FILE *);

/* Two streams with the same text, one for each arena. */
static FILE *f, *g;

static FILE *
text(unsigned lines, unsigned at)
{
	FILE *t = tmpfile();

	for (unsigned i = 0; t && i < lines; i++)
		fprintf(t, "line %u %.*s\n", i, (int)((at + i) * 7 % 60),
			"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			"x");
	rewind(t);
	return t;
}

static void
again(void)
{
	static FILE *one, *other;

	if (!one) {
		one = text(40, 3);
		other = text(40, 3);
	}
	rewind(one);
	rewind(other);
	f = one;
	g = other;
	if (rnd(9) == 0) {
		fseek(f, 0, SEEK_END);
		fseek(g, 0, SEEK_END);
	}
}

/* `...' goes between the target and the sizes. */
#define FREAD(name, ...) \
	static void t_##name(void) \
	{ \
		size_t p = here(), one = 1 + rnd(7), n = rnd(500), r; \
\
		again(); \
		r = LIBC(name)(b + p, __VA_ARGS__ one, n, g); \
		SAME(name(a + p, __VA_ARGS__ one, n, f), r); \
		W(p, r *one); \
		if (r < n) /* a part of one more item, of unknown value */ \
			LIBC(memcpy)(a + p + r * one, b + p + r * one, one); \
	}
#define ROOM one *n,
FREAD(fread, )
FREAD(fread_unlocked, )
FREAD(__fread_chk, ROOM)
FREAD(__fread_unlocked_chk, ROOM)

#define FGETS(name, ...) \
	static void t_##name(void) \
	{ \
		size_t p = here(), n = 2 + rnd(70); \
		char *r; \
\
		again(); \
		for (int i = 0; i < 3; i++) { \
			r = LIBC(name)(b + p, __VA_ARGS__(int) n, g); \
			SAME_AT(name(a + p, __VA_ARGS__(int) n, f), r); \
			W(p, r ? length(p, n) + 1 : 0); \
		} \
	}
FGETS(fgets, )
FGETS(fgets_unlocked, )
FGETS(__fgets_chk, n, )
FGETS(__fgets_unlocked_chk, n, )

#define FWRITE(name) \
	static void t_##name(void) \
	{ \
		size_t p = here(), n = size(), one = 1 + rnd(4); \
		static FILE *out, *full; \
\
		if (!out) { \
			out = fopen("/dev/null", "w"); \
			full = fopen("/dev/full", "w"); \
			setbuf(full, NULL); \
		} \
		SAME(name(a + p, one, n, out), n); \
		R(p, one *n); \
		SAME(name(a + p, one, n, full), 0); \
	}
FWRITE(fwrite)
FWRITE(fwrite_unlocked)

#define FPUTS(name) \
	static void t_##name(void) \
	{ \
		size_t p = here(), n = 1 + size(); \
		static FILE *out, *full; \
\
		if (!out) { \
			out = fopen("/dev/null", "w"); \
			full = fopen("/dev/full", "w"); \
			setbuf(full, NULL); \
		} \
		string(p, n, 4); \
		SAME(name(a + p, out) >= 0, 1); \
		R(p, n + 1); \
		SAME(name(a + p, full), EOF); \
	}
FPUTS(fputs)
FPUTS(fputs_unlocked)

/* A line in its own block; *line and *size are in the arena. */
#define GETLINE(name, ...) \
	static void t_##name(void) \
	{ \
		char **line = (char **)(a + 16), *was; \
		size_t *room = (size_t *)(a + 64), n; \
		ssize_t r; \
		unsigned w; \
\
		again(); \
		*line = NULL; \
		*room = 0; \
		for (int i = 0; i < 3; i++) { \
			was = *line; \
			n = *room; \
			r = name(line, room __VA_ARGS__, f); \
			if (r < 0) \
				break; \
			R(16, 8); \
			R(64, 8); \
			if (*line != was) { \
				W(16, 8); \
				W(64, 8); \
			} \
			SAME(*room >= n && *room > (size_t)r, 1); \
			SAME((*line)[r], 0); \
			for (size_t k = 0; k <= (size_t)r; k += 16) { \
				rt_take(*line + k, &w); \
				SAME(w, 1); \
			} \
			rt_take(*line + (r + 16) / 16 * 16, &w); \
			SAME(w, 0); \
		} \
		free(*line); \
		*line = NULL; \
		*room = 0; \
		LIBC(memcpy)(b, a, ARENA); \
	}
GETLINE(getline)
GETLINE(getdelim, , 'x')
GETLINE(__getdelim, , '\n')

/* Doubles, integers and many arguments: the whole list must get through. */
#define ARGUMENTS \
	"%s %d %.3f %c %Lf %ld %d %d %d %g %g %g %g %g %g %g %g %g", b + s, \
		-5, 1.5, 'c', 2.25L, 1234567890123L, 1, 2, 3, 1.0, 2.0, 3.0, \
		4.0, 5.0, 6.0, 7.0, 8.0, 9.5
#define PRINT(name, written, ...) \
	static void t_##name(void) \
	{ \
		size_t to = there(), s = here(), n = rnd(400), r; \
\
		string(s, rnd(300), 4); \
		r = (size_t)LIBC(name)(b + to, __VA_ARGS__ ARGUMENTS); \
		SAME(name(a + to, __VA_ARGS__ ARGUMENTS), r); \
		(void)n; \
		W(to, written); \
	}
PRINT(sprintf, r + 1, )
PRINT(snprintf, r < n ? r + 1 : n, n, )
PRINT(__sprintf_chk, r + 1, 1, 2000, )
PRINT(__snprintf_chk, r < n ? r + 1 : n, n, 1, 2000, )

static int
by_list(char *to, size_t n, const char *format, ...)
{
	va_list ap;
	int r;

	va_start(ap, format);
	r = n == SIZE_MAX ? vsprintf(to, format, ap)
			  : vsnprintf(to, n, format, ap);
	va_end(ap);
	return r;
}

static void
t_vsnprintf(void)
{
	size_t to = there(), s = here(), n = rnd(400), r;

	string(s, rnd(300), 4);
	n = rnd(3) ? n : SIZE_MAX;
	r = (size_t)(n == SIZE_MAX ? LIBC(sprintf)(b + to, ARGUMENTS)
				   : LIBC(snprintf)(b + to, n, ARGUMENTS));
	SAME(by_list(a + to, n, ARGUMENTS), r);
	W(to, r < n ? r + 1 : n);
	SAME(snprintf(NULL, 0, ARGUMENTS), r);
}

#define PRINT_NEW(name, ...) \
	static void t_##name(void) \
	{ \
		char **p = (char **)(a + 64), want[1000]; \
		size_t s = 128 + here(), r; \
		unsigned w, all = 0; \
\
		string(s, rnd(300), 4); \
		r = (size_t)LIBC(sprintf)(want, ARGUMENTS); \
		SAME(name(p, __VA_ARGS__ ARGUMENTS), r); \
		SAME(LIBC(strcmp)(*p, want), 0); \
		W(64, 8); \
		for (size_t i = 0; i <= r / 16; i++) { \
			rt_take(*p + 16 * i, &w); \
			all += w; \
		} \
		SAME(all, r / 16 + 1); \
		free(*p); \
		*p = NULL; \
		LIBC(memcpy)(b, a, ARENA); \
	}
PRINT_NEW(asprintf, )
PRINT_NEW(__asprintf_chk, 1, )

static void
streams(void)
{
	TRY(fread);
	TRY(fread_unlocked);
	TRY(__fread_chk);
	TRY(__fread_unlocked_chk);
	TRY(fwrite);
	TRY(fwrite_unlocked);
	TRY(fgets);
	TRY(fgets_unlocked);
	TRY(__fgets_chk);
	TRY(__fgets_unlocked_chk);
	TRY(fputs);
	TRY(fputs_unlocked);
	TRY(getline);
	TRY(getdelim);
	TRY(__getdelim);
}

int
main(void)
{
	if (rt_open() != 0) {
		skip(1, "no address space for the shadow");
		return done_testing();
	}
	streams();
	TRY(sprintf);
	TRY(snprintf);
	TRY(__sprintf_chk);
	TRY(__snprintf_chk);
	TRY(vsnprintf);
	TRY(asprintf);
	TRY(__asprintf_chk);

	/* puts has only one stream, which is that of the tested library. */
	bad = 0;
	string(100, 40, 1);
	a[100] = '#';
	fflush(stdout);
	puts(a + 100);
	b[100] = '#';
	R(100, 41);
	trial_end(1);
	ok(bad == 0, "puts");
	return done_testing();
}
