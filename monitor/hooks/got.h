/* SPDX-License-Identifier: MIT */
/*
 * Hooks for a process that ran without them: the entries of its modules' global
 * offset tables (GOT), where the loader has put the addresses of the
 * allocator's functions and of others that this library has, get the addresses
 * of ours, and later back what they had.  An entry is one word, so other
 * threads see one or the other.
 *
 * Not in the static library.
 */
#ifndef MEMMON_GOT_H
#define MEMMON_GOT_H

#include "monitor/base/internal.h"

/* Entries that were changed, and those that can't be written to. */
struct mmi_got {
	uint64_t changed, refused;
};

/*
 * Find the functions; then put the hooks into all modules, or take them out.
 * Modules that are opened in between get them when the program asks for
 * functions of theirs.  A module that is about to be unloaded isn't looked at.
 * The loader's lock is taken: not while this thread, or one that waits for it,
 * has another of the loader's.  ctx: init.
 */
void mmi_got_init(void);
struct mmi_got mmi_got_hook(void);
struct mmi_got mmi_got_unhook(void);

#endif
