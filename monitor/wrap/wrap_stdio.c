/* SPDX-License-Identifier: MIT */
/* Formatted text, in streams or in memory, and lines of any length. */
#include "monitor/wrap/wrap.h"

#include "monitor/wrap/wrap_format.h"

/* Some headers define a macro. */
#undef getdelim

/* Has another name in C, because headers may define it inline. */
EXPORT ssize_t wrap_getline(char **, size_t *, FILE *) __asm__("getline");

/* The line is at *line now; the address may have changed. */
static void
got_line(char **line, const char *was, const size_t *size, ssize_t n)
{
	if (n < 0 || !line)
		return;
	mmi_wrap_read(line, sizeof(*line));
	mmi_wrap_read(size, sizeof(*size));
	if (*line != was) {
		mmi_wrap_write(line, sizeof(*line));
		mmi_wrap_write(size, sizeof(*size));
	}
	mmi_wrap_write(*line, (size_t)n + 1);
}

ssize_t
wrap_getline(char **line, size_t *size, FILE *f)
{
	char *was = line ? *line : NULL;
	ssize_t r;

	if (UNREADY(getline))
		return -1;
	r = NEXT(getline)(line, size, f);
	got_line(line, was, size, r);
	return r;
}

EXPORT ssize_t
getdelim(char **line, size_t *size, int end, FILE *f)
{
	char *was = line ? *line : NULL;
	ssize_t r;

	if (UNREADY(getdelim))
		return -1;
	r = NEXT(getdelim)(line, size, end, f);
	got_line(line, was, size, r);
	return r;
}

EXPORT ssize_t __getdelim(char **, size_t *, int, FILE *) SAME_AS(getdelim);

/* The text has r characters; there was room for n bytes. */
static void
printed(const char *to, size_t n, int r)
{
	if (r >= 0)
		mmi_wrap_write(to, (size_t)r < n ? (size_t)r + 1 : n);
}

static void
printed_new(char **to, int r)
{
	if (r >= 0) {
		mmi_wrap_write(to, sizeof(*to));
		mmi_wrap_write(*to, (size_t)r + 1);
	}
}

/*
 * Defines each function in two versions: with a va_list, and with the
 * arguments.  They have other names in C, because headers make scanf() a newer
 * version.
 */
#define FORMAT(name, vname, named, arguments, after) \
	EXPORT int wrap_##vname(EXPAND named, va_list ap) __asm__(#vname); \
	EXPORT int wrap_##name(EXPAND named, ...) __asm__(#name); \
	static inline int do_##vname(EXPAND named, va_list ap) \
	{ \
		va_list copy; \
		int r; \
\
		if (UNREADY(vname)) \
			return -1; \
		va_copy(copy, ap); \
		r = NEXT(vname) arguments; \
		after; \
		va_end(copy); \
		return r; \
	} \
	int wrap_##vname(EXPAND named, va_list ap) \
	{ \
		return do_##vname arguments; \
	} \
	int wrap_##name(EXPAND named, ...) \
	{ \
		va_list ap; \
		int r; \
\
		va_start(ap, format); \
		r = do_##vname arguments; \
		va_end(ap); \
		return r; \
	}
#define EXPAND(...) __VA_ARGS__

/* Functions that print r characters. */
#define PRINT(name, vname, named, arguments, after) \
	FORMAT(name, vname, named, arguments, \
	       (r >= 0 ? mmi_wrap_printed(format, copy) : (void)0, after))

PRINT(sprintf, vsprintf, (char *to, const char *format), (to, format, ap),
      printed(to, SIZE_MAX, r))
PRINT(snprintf, vsnprintf, (char *to, size_t n, const char *format),
      (to, n, format, ap), printed(to, n, r))
PRINT(asprintf, vasprintf, (char **to, const char *format), (to, format, ap),
      printed_new(to, r))
PRINT(__sprintf_chk, __vsprintf_chk,
      (char *to, int flag, size_t room, const char *format),
      (to, flag, room, format, ap), printed(to, SIZE_MAX, r))
PRINT(__snprintf_chk, __vsnprintf_chk,
      (char *to, size_t n, int flag, size_t room, const char *format),
      (to, n, flag, room, format, ap), printed(to, n, r))
PRINT(__asprintf_chk, __vasprintf_chk,
      (char **to, int flag, const char *format), (to, flag, format, ap),
      printed_new(to, r))
PRINT(printf, vprintf, (const char *format), (format, ap), (void)0)
PRINT(fprintf, vfprintf, (FILE * f, const char *format), (f, format, ap),
      (void)0)
PRINT(dprintf, vdprintf, (int fd, const char *format), (fd, format, ap),
      (void)0)
PRINT(__printf_chk, __vprintf_chk, (int flag, const char *format),
      (flag, format, ap), (void)0)
PRINT(__fprintf_chk, __vfprintf_chk, (FILE * f, int flag, const char *format),
      (f, flag, format, ap), (void)0)
PRINT(__dprintf_chk, __vdprintf_chk, (int fd, int flag, const char *format),
      (fd, flag, format, ap), (void)0)

/* Functions that scan, in the versions of several standards. */
#define SCAN(name, vname, named, arguments, after) \
	FORMAT(name, vname, named, arguments, \
	       (mmi_wrap_scanned(format, copy, r), after))
#define SCANS(prefix) \
	SCAN(prefix##scanf, prefix##vscanf, (const char *format), \
	     (format, ap), (void)0) \
	SCAN(prefix##fscanf, prefix##vfscanf, (FILE * f, const char *format), \
	     (f, format, ap), (void)0) \
	SCAN(prefix##sscanf, prefix##vsscanf, \
	     (const char *s, const char *format), (s, format, ap), \
	     mmi_wrap_read(s, mmi_wrap_size(s)))

SCANS()
SCANS(__isoc99_)
SCANS(__isoc23_)
VERSIONED(__isoc23_scanf, "2.38, remove")
VERSIONED(__isoc23_fscanf, "2.38, remove")
VERSIONED(__isoc23_sscanf, "2.38, remove")
VERSIONED(__isoc23_vscanf, "2.38, remove")
VERSIONED(__isoc23_vfscanf, "2.38, remove")
VERSIONED(__isoc23_vsscanf, "2.38, remove")
