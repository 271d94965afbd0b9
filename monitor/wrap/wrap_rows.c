/* SPDX-License-Identifier: MIT */
/*
 * The functions of wrap_row_list.h, and those that take what the caller likes:
 * of such a call the block that its pointer is into is handed over, with what
 * that points to.
 */
#include "monitor/wrap/wrap.h"

#include <errno.h>

#include "monitor/access/handed.h"

#define R(p, n) mmi_wrap_read(p, n)
#define W(p, n) mmi_wrap_write(p, n)
#define RW(p, n) mmi_wrap_count(p, n, MMI_ACCESS_READ + MMI_ACCESS_WRITE)
#define R1(p) R(p, (p) ? sizeof(*(p)) : 0)
#define W1(p) W(p, (p) ? sizeof(*(p)) : 0)
#define RW1(p) RW(p, (p) ? sizeof(*(p)) : 0)
#define STRING(s) mmi_wrap_size(s)
#define IF(condition, done) ((condition) ? (void)(done) : (void)0)
#define CV (const void *)(uintptr_t)
#define H(p) ((void)mmi_handed_block(p, NULL))
#define H_DEEP(p) mmi_handed_arguments((const uintptr_t[]){ (uintptr_t)(p) }, 1)

/*
 * In C they have other names: headers may give them attributes or unions for
 * parameters, or define them inline.
 */
#define ROW(type, failed, name, parameters, arguments, done) \
	EXPORT type wrap_##name parameters __asm__(#name); \
	type wrap_##name parameters \
	{ \
		type r; \
\
		if (UNREADY(name)) \
			return failed; \
		r = NEXT(name) arguments; \
		(void)(done); \
		return r; \
	}
#include "monitor/wrap/wrap_row_list.h"

/* The last argument is a pointer, a number, or not there. */
#define OPEN(name, type) \
	EXPORT int wrap_##name(int fd, type request, ...) __asm__(#name); \
	int wrap_##name(int fd, type request, ...) \
	{ \
		va_list ap; \
		void *p; \
\
		va_start(ap, request); \
		p = va_arg(ap, void *); \
		va_end(ap); \
		if (UNREADY(name)) \
			return -1; \
		H_DEEP(p); \
		return NEXT(name)(fd, request, p); \
	}

OPEN(ioctl, unsigned long)
OPEN(fcntl, int)
OPEN(fcntl64, int)

/* The mode is there for some flags; whatever stands in its place is ignored. */
#define OPEN_FILE(name, parameters, arguments) \
	EXPORT int wrap_##name parameters __asm__(#name); \
	int wrap_##name parameters \
	{ \
		va_list ap; \
		mode_t mode; \
		int fd; \
\
		va_start(ap, flags); \
		mode = va_arg(ap, mode_t); \
		va_end(ap); \
		if (UNREADY(name)) \
			return -1; \
		fd = NEXT(name) arguments; \
		IF(s, R(s, STRING(s))); \
		return fd; \
	}

OPEN_FILE(open, (const char *s, int flags, ...), (s, flags, mode))
OPEN_FILE(open64, (const char *s, int flags, ...), (s, flags, mode))
OPEN_FILE(openat, (int dir, const char *s, int flags, ...),
	  (dir, s, flags, mode))
OPEN_FILE(openat64, (int dir, const char *s, int flags, ...),
	  (dir, s, flags, mode))

#define MASK(failed, name) \
	EXPORT int wrap_##name(int how, const sigset_t *s, \
			       sigset_t *was) __asm__(#name); \
	int wrap_##name(int how, const sigset_t *s, sigset_t *was) \
	{ \
		int r; \
\
		if (UNREADY(name)) \
			return failed; \
		r = mmi_wrap_mask(NEXT(name), how, s, was); \
		IF(r == 0, (R1(s), W1(was))); \
		return r; \
	}

MASK(-1, sigprocmask)
MASK(EINVAL, pthread_sigmask)

/* Those without a result. */
#define VOID(name, parameters, arguments, done) \
	EXPORT void wrap_##name parameters __asm__(#name); \
	void wrap_##name parameters \
	{ \
		if (UNREADY(name)) \
			return; \
		(void)(done); \
		NEXT(name) arguments; \
	}

VOID(perror, (const char *s), (s), IF(s, R(s, STRING(s))))
VOID(regfree, (regex_t * x), (x), RW1(x))
VOID(setbuf, (FILE * f, char *p), (f, p), H(p))
