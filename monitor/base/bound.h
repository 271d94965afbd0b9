/* SPDX-License-Identifier: MIT */
/*
 * Libraries whose calls of the allocator don't come to the hooks: those that
 * call a malloc of their own without the loader, that look up names in
 * themselves first (RTLD_DEEPBIND), or that another C library serves.
 */
#ifndef MEMMON_BOUND_H
#define MEMMON_BOUND_H

#ifndef MEMMON_STATIC

/*
 * Look at the libraries that have come since the last look, and note in
 * mmi_process.own what was found.  The first look is at the start.  Between
 * mmi_peek_begin() and _end().  ctx: init, exit.
 */
void mmi_bound_look(void);

#endif

#endif
