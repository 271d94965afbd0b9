/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation wrappers: functions that pass memory on to their callers.  They
 * are removed from the inner ends of call paths.  Also: is a function part of
 * its language's standard library?
 */
#ifndef MEMMON_REDUCE_WRAPPERS_H
#define MEMMON_REDUCE_WRAPPERS_H

#include <stdbool.h>
#include <stddef.h>

/* More globs (as in fnmatch(3)) than the built-in ones; not copied. */
struct wrappers {
	const char *const *globs;
	size_t nglobs;
	bool none; /* nothing is a wrapper */
};

/*
 * Is the function a wrapper?  name: mangled or demangled; the result is the
 * same.  The user's globs are compared with the name as a whole, without
 * parameters, and without the result type.  libc: it is in the C library.
 */
bool wrappers_match(const struct wrappers *w, const char *name, bool libc);

/*
 * Is the function in the standard library of C++ or Rust, or a function that
 * these call for the program (operator new)?  name: as above.  linkage: the
 * symbol's name, or NULL; without it, core:: and alloc:: count as the program's
 * own.
 */
bool wrappers_standard(const char *name, const char *linkage);

#endif
