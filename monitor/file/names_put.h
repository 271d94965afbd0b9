/* SPDX-License-Identifier: MIT */
/*
 * Modules that mpreduce can't find by their paths: the file was deleted or
 * replaced while the program ran, is only in memory (memfd), or was opened by a
 * path that only the process can use.  The data file gets the names of the
 * module's functions that call paths have frames in: from the full symbol table
 * if the process may open the deleted file, else only exported ones.
 */
#ifndef MEMMON_NAMES_PUT_H
#define MEMMON_NAMES_PUT_H

#include "monitor/base/emit.h"
#include "monitor/chain/modules.h"

/*
 * Read from /proc/self/maps which files the modules 0 to n - 1 are; call it
 * before the modules are written.  If it fails, each module keeps its path.
 * ctx: exit, as all here.
 */
void mmi_names_begin(unsigned n);

/* The path to write for module i, which is m: its own or the kernel's. */
const char *mmi_names_path(unsigned i, const struct mmi_module *m);

/* Is the file at the path of module i a different one, or missing? */
bool mmi_names_gone(unsigned i);

/* A call path has a frame at this run-time address, in module i. */
void mmi_names_mark(unsigned i, uintptr_t pc);

/* Write the names, and free the memory. */
void mmi_names_put(struct mmi_emit *o);

#endif
