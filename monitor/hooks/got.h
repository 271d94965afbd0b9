/* SPDX-License-Identifier: MIT */
/*
 * Hooks for libraries whose calls the loader has bound to other functions: for
 * all libraries of a process that started without hooks, and for one that is
 * opened with RTLD_DEEPBIND.  In the global offset tables (GOT) of libraries
 * the loader has stored the addresses of the allocator's functions, and of
 * other functions that this library has, too.  These entries get the addresses
 * of our functions.  In a process that started without hooks, they later get
 * their old values again.  An entry is one word, so other threads see the old
 * or the new value.
 *
 * Not in the static library.
 */
#ifndef MEMMON_GOT_H
#define MEMMON_GOT_H

#include "monitor/base/internal.h"

/* Entries that were changed, and entries that can't be written. */
struct mmi_got {
	uint64_t changed, refused;
};

/*
 * init finds the functions; hook puts the hooks into all libraries; unhook
 * takes them out.  A library that is opened in between gets the hooks when the
 * program asks for its functions.  A library that is about to be unloaded is
 * skipped.  Takes the loader's lock: don't call it while this thread, or one
 * that waits for it, holds another lock of the loader.  ctx: init.
 */
void mmi_got_init(void);
struct mmi_got mmi_got_hook(void);
struct mmi_got mmi_got_unhook(void);

#endif
