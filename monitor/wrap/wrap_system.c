/* SPDX-License-Identifier: MIT */
/*
 * The rows of wrap_row_names.h and wrap_row_system.h, and functions with an
 * argument of any type.  Such a call marks the block that its pointer points
 * into as passed to unrecorded code, and the blocks that this block points to.
 */
#include "monitor/base/peek.h"
#include "monitor/wrap/wrap_row.h"

#include <aio.h>
#include <net/if.h>
#include <sys/ioctl.h>

/* Passes the texts of a list that ends with NULL. */
static void
texts(char *const list[])
{
	size_t n = 0;

	while (list && list[n])
		n++;
	H_EACH(list, n);
}

/* Passes n requests, and what they point to. */
static void
listed(struct aiocb *const list[], int n)
{
	if (n <= 0)
		return;
	H_EACH(list, n);
	for (int i = 0; i < n; i++)
		H_EACH(list[i], sizeof(*list[i]) / sizeof(void *));
}

#include "monitor/wrap/wrap_row_names.h"
#include "monitor/wrap/wrap_row_system.h"

/* Bytes of a request's structure that are searched for pointers. */
#define MOST 128u

/*
 * Passes the blocks that a request's structure points to, if the request says
 * how long it is.  A few drivers take a number instead of a pointer.
 */
static void
requested(unsigned long request, const void *p)
{
	uintptr_t at = (uintptr_t)p;
	size_t n = _IOC_DIR(request) == _IOC_NONE ? 0 : _IOC_SIZE(request);

	if (request == SIOCGIFCONF)
		n = sizeof(struct ifconf);
	n = n < MOST ? n / 8 : MOST / 8;
	if (n && at % 8 == 0 && mmi_peek_word(at) &&
	    mmi_peek_word(at + n * 8 - 8))
		H_EACH(p, n);
}

/* The last argument is a pointer, a number, or not there. */
#define OPEN(name, type, done) \
	EXPORT int wrap_##name(int fd, type request, ...) __asm__(#name); \
	int wrap_##name(int fd, type request, ...) \
	{ \
		va_list ap; \
		void *p; \
		int r; \
\
		va_start(ap, request); \
		p = va_arg(ap, void *); \
		va_end(ap); \
		if (UNREADY(name)) \
			return -1; \
		H_DEEP(p); \
		r = NEXT(name)(fd, request, p); \
		IF(r != -1, done); \
		return r; \
	}

OPEN(ioctl, unsigned long, requested(request, p))
OPEN(fcntl, int, 0)
OPEN(fcntl64, int, 0)

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
