/* SPDX-License-Identifier: MIT */
/* What the loader has mapped. */
#ifndef MEMMON_LIBRARIES_H
#define MEMMON_LIBRARIES_H

/*
 * Look at all libraries: each gets into the table of modules, and those that
 * came since the last look are told from libraries with an allocator of their
 * own.  What is written to a file later reads nothing of the loader's, so this
 * comes before each file.
 *
 * Another thread may unload a library meanwhile, or this one may be in the
 * midst of that.  So the kernel reads it all (base/peek.h), and no lock is
 * taken: a thread that holds the loader's may wait for this one.  ctx: exit,
 * not in a hook.
 */
void mmi_libraries_look(void);

/* The same before dlclose(), without the table.  ctx: not in a hook. */
void mmi_libraries_closing(void);

/* The first look, for libraries with an allocator of their own.  ctx: init. */
void mmi_libraries_first(void);

#endif
