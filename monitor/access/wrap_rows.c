/* SPDX-License-Identifier: MIT */
/*
 * The functions of wrap_rows.h, and those that take what the caller likes:
 * of such a call the block that its pointer is into is handed over, with what
 * that points to.
 */
#include "monitor/access/wrap.h"

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
#include "monitor/access/wrap_rows.h"

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
