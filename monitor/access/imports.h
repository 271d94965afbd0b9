/* SPDX-License-Identifier: MIT */
/*
 * The functions that are called by libraries recorded by calls.  In such code
 * nothing tells which blocks a function gets.  So once such a library is bound
 * to a function that isn't recorded, and that may access its caller's memory,
 * all blocks count as passed to unrecorded code (handed.h).
 */
#ifndef MEMMON_ACCESS_IMPORTS_H
#define MEMMON_ACCESS_IMPORTS_H

#pragma GCC visibility push(hidden)

/* Libraries were loaded, one of them recorded by calls.  ctx: init. */
void mmi_imports_loaded(void);

/*
 * Checks the functions that these libraries are bound to by now: before a file
 * is written, and before a dlclose().  Call it between mmi_peek_begin() and
 * _end().  ctx: exit.
 */
void mmi_imports_look(void);

/* The check wasn't possible.  ctx: exit. */
void mmi_imports_unseen(void);

/*
 * Why all blocks count as passed to unrecorded code, as text: the libraries of
 * such functions, or the functions themselves if they are libc's.  NULL: they
 * don't.  ctx: exit.
 */
const char *mmi_imports_text(void);

#pragma GCC visibility pop

#endif
