/* SPDX-License-Identifier: MIT */
/* The libraries that the loader has mapped. */
#ifndef MEMMON_LIBRARIES_H
#define MEMMON_LIBRARIES_H

/*
 * Looks at all libraries: puts each into the table of modules, and checks new
 * ones for an allocator of their own.  A file is written later without reading
 * the loader's memory, so call this before each file.
 *
 * Another thread may unload a library meanwhile, or this thread may be doing
 * so.  Therefore the kernel reads the memory (base/peek.h), and no lock is
 * taken: a thread that holds the loader's lock may wait for this one.  ctx:
 * exit, not in a hook.
 */
void mmi_libraries_look(void);

/* The same before dlclose(), without the table.  ctx: not in a hook. */
void mmi_libraries_closing(void);

/* The first look, for libraries with an allocator of their own.  ctx: init. */
void mmi_libraries_first(void);

#endif
