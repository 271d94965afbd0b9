/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation wrappers: functions that hand memory through to whoever wanted it.
 * They are taken off the inner ends of chains.  And whether a function is of
 * the library that its language brings with it.
 */
#ifndef MEMMON_REDUCE_WRAPPERS_H
#define MEMMON_REDUCE_WRAPPERS_H

#include <stdbool.h>
#include <stddef.h>

/* The globs (as in fnmatch(3)) besides the built-in ones; not copied. */
struct wrappers {
	const char *const *globs;
	size_t nglobs;
	bool none; /* nothing is a wrapper */
};

/*
 * Is the function a wrapper?  name: demangled or not, which makes no
 * difference; a glob of the user's is tried on it whole, without parameters,
 * and without result type.  libc: it is in the C library.
 */
bool wrappers_match(const struct wrappers *w, const char *name, bool libc);

/*
 * Is the function of the standard library of C++ or Rust, or what these call
 * for the program (operator new)?  name: as above.  linkage: the name as the
 * linker has it, or NULL; without it core:: and alloc:: are a program's own.
 */
bool wrappers_standard(const char *name, const char *linkage);

#endif
