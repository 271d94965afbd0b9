/* SPDX-License-Identifier: MIT */
/*
 * Libraries whose calls of the allocator don't come to the hooks: libraries
 * that call a malloc of their own without the loader, that look up names in
 * themselves first (RTLD_DEEPBIND), or that another C library serves.
 */
#ifndef MEMMON_BOUND_H
#define MEMMON_BOUND_H

#ifndef MEMMON_STATIC

/*
 * Checks the libraries that were loaded since the last look, and notes the
 * result in mmi_process.own.  The first look is at the start.  Call it between
 * mmi_peek_begin() and _end().  ctx: init, exit.
 */
void mmi_bound_look(void);

#endif

#endif
