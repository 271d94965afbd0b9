/* SPDX-License-Identifier: MIT */
/*
 * What code calls that is recorded by calls.  There nothing sees which blocks a
 * function gets; so if such a module has asked the loader for one function that
 * isn't recorded, and isn't known to leave its caller's memory alone, then all
 * blocks count as handed over (handed.h).
 */
#ifndef MEMMON_ACCESS_IMPORTS_H
#define MEMMON_ACCESS_IMPORTS_H

#pragma GCC visibility push(hidden)

/* Modules were loaded, one of them recorded by calls.  ctx: init. */
void mmi_imports_loaded(void);

/*
 * Look at what they are bound to by now: before a file is written, and before a
 * dlclose().  Between mmi_peek_begin() and _end().  ctx: exit.
 */
void mmi_imports_look(void);

/* They couldn't be looked at.  ctx: exit. */
void mmi_imports_unseen(void);

/*
 * Why all blocks count as handed over, as text: the libraries of such
 * functions, or the functions, if they are libc's.  NULL if there are none.
 * ctx: exit.
 */
const char *mmi_imports_text(void);

#pragma GCC visibility pop

#endif
