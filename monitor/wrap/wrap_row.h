/* SPDX-License-Identifier: MIT */
/*
 * Makes functions of rows: a file includes this, then defines what its rows
 * call, then includes the rows.  wrap_row_list.h explains the words.
 */
#ifndef MEMMON_ACCESS_WRAP_ROW_H
#define MEMMON_ACCESS_WRAP_ROW_H

#include "monitor/wrap/wrap.h"

#include <errno.h>

#include "monitor/access/handed.h"

#define R(p, n) mmi_wrap_read(p, n)
#define W(p, n) mmi_wrap_write(p, n)
#define RW(p, n) MMI_WRAP_COUNT(p, n, MMI_ACCESS_READ + MMI_ACCESS_WRITE)
#define R1(p) R(p, (p) ? sizeof(*(p)) : 0)
#define W1(p) W(p, (p) ? sizeof(*(p)) : 0)
#define RW1(p) RW(p, (p) ? sizeof(*(p)) : 0)
/* For functions that are often called, with few bytes. */
#define R_QUICK(p, n) mmi_wrap_read_quick(p, n)
#define W_QUICK(p, n) mmi_wrap_write_quick(p, n)
#define STRING(s) mmi_wrap_size(s)
#define IF(condition, done) ((condition) ? (void)(done) : (void)0)
/*
 * Did the call fail because the kernel couldn't read or write an argument?  r
 * is -1 then, or NULL.
 */
#define FAULT() ((long)r + (sizeof(r) == sizeof(int)) == 0 && errno == EFAULT)
/* A name that the call passed to the kernel. */
#define NAME(s) IF((s) && !FAULT(), R(s, STRING(s)))
#define CV (const void *)(uintptr_t)
#define H(p) ((void)mmi_handed_block(p, NULL))
#define H_DEEP(p) mmi_handed_arguments((const uintptr_t[]){ (uintptr_t)(p) }, 1)
/* Also passes the n pointers at p, which may be on the stack. */
#define H_EACH(p, n) mmi_handed_pointers(CV(p), (size_t)(n))
#define H_AREAS(v, n) H_EACH(v, 2 * (size_t)(n)) /* of an iovec */
/* The argument p, a pointer to a pointer that the call changes. */
#define MOVED(p) (H_EACH(p, 1), (p))

/*
 * Functions have other names in C: headers may give them attributes or unions
 * for parameters, make them macros, or define them inline.
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
#define VOID(failed, name, parameters, arguments, done) \
	EXPORT void wrap_##name parameters __asm__(#name); \
	void wrap_##name parameters \
	{ \
		if (UNREADY(name)) { \
			(void)(failed); \
			return; \
		} \
		NEXT(name) arguments; \
		(void)(done); \
	}

#endif
