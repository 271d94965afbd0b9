/* SPDX-License-Identifier: MIT */
/*
 * The rows of wrap_row_names.h and wrap_row_system.h, and functions with an
 * argument of any type.  Such a call marks the block that its pointer points
 * into as passed to unrecorded code, and the blocks that this block points to.
 */
#include "monitor/wrap/wrap_row.h"

#include "monitor/wrap/wrap_row_names.h"
#include "monitor/wrap/wrap_row_system.h"

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

/* Some flags require a mode; otherwise this argument is ignored. */
#define OPEN_FILE(name, parameters, arguments) \
	EXPORT int wrap_##name parameters __asm__(#name); \
	int wrap_##name parameters \
	{ \
		va_list ap; \
		mode_t mode; \
		int r; \
\
		va_start(ap, flags); \
		mode = va_arg(ap, mode_t); \
		va_end(ap); \
		if (UNREADY(name)) \
			return -1; \
		r = NEXT(name) arguments; \
		NAME(s); \
		return r; \
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
