/* SPDX-License-Identifier: MIT */
/* Which libraries contain code whose accesses are recorded.  The program counts
 * as a library here. */
#ifndef MEMMON_ACCESS_RECORDED_H
#define MEMMON_ACCESS_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

struct dl_find_object;
struct link_map;

#pragma GCC visibility push(hidden)

/*
 * Are the accesses of function f counted?  They are if f is in this library, or
 * in a library of recorded code other than the one that contains `from': the
 * linker knows the functions of one library better.  ctx: slow.
 */
bool mmi_recorded(const void *f, const void *from);

/*
 * The same for a function that is called by a pointer, from any library: the
 * plugin marks such functions; in libraries recorded by calls all are.  ctx:
 * slow.
 */
bool mmi_recorded_target(const void *f);

/* Is it a library of recorded code, or this library?  ctx: slow. */
bool mmi_recorded_module(const struct dl_find_object *o);

/*
 * The same for a library that may be unloaded meanwhile; l: a copy of its
 * struct link_map.  Call it between mmi_peek_begin() and _end().  ctx: slow.
 */
bool mmi_recorded_peek(const struct dl_find_object *o,
		       const struct link_map *l);

/* Is it a library recorded by calls?  ctx: slow. */
bool mmi_recorded_by_calls(const struct link_map *m);

/*
 * Is the program made for profiling modules only (memmon-cc --module), and is
 * no library loaded by now that is recorded?  Then no code counts accesses.
 * ctx: init.
 */
bool mmi_recorded_not_at_all(void);

#pragma GCC visibility pop

#endif
