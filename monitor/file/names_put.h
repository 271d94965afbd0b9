/* SPDX-License-Identifier: MIT */
/*
 * Modules whose files can't be found by their paths when the data file is read:
 * deleted or replaced while the program runs, in memory only (memfd), or opened
 * by a path of the process itself.  Of these the functions that they export and
 * that call paths have frames in are written, by name.
 */
#ifndef MEMMON_NAMES_PUT_H
#define MEMMON_NAMES_PUT_H

#include "monitor/base/emit.h"
#include "monitor/chain/modules.h"

/*
 * Look at /proc/self/maps for the files of modules 0 to n - 1, before they are
 * written.  What can't be read or kept isn't known.  ctx: exit, as all here.
 */
void mmi_names_begin(unsigned n);

/* The path to write for module i, m: its own, or what the kernel calls it. */
const char *mmi_names_path(unsigned i, const struct mmi_module *m);

/* Is the file at the path of module i another one, or none? */
bool mmi_names_gone(unsigned i);

/* A call path has a frame at the address, run-time, of module i. */
void mmi_names_mark(unsigned i, uintptr_t pc);

/* Write what is known of those that are gone; and let go of all. */
void mmi_names_put(struct mmi_emit *o);

#endif
