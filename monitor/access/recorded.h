/* SPDX-License-Identifier: MIT */
/* Which modules are made of code whose accesses are recorded. */
#ifndef MEMMON_ACCESS_RECORDED_H
#define MEMMON_ACCESS_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

struct dl_find_object;
struct link_map;

#pragma GCC visibility push(hidden)

/*
 * Are the accesses of function f counted: is it in a module of recorded code,
 * but not in the one that `from' is in, or is it this library's?  The linker
 * knows better of the functions of one module.  ctx: slow.
 */
bool mmi_recorded(const void *f, const void *from);

/*
 * The same of one that is called by a pointer, wherever from: the plugin marks
 * such functions; of modules that are recorded by calls all are.  ctx: slow.
 */
bool mmi_recorded_target(const void *f);

/* Is it a module of recorded code, or this library's?  ctx: slow. */
bool mmi_recorded_module(const struct dl_find_object *o);

/* Is it one by calls?  ctx: slow. */
/*
 * The same of a module that may be unloaded meanwhile; l: its struct link_map,
 * copied.  Between mmi_peek_begin() and _end().  ctx: slow.
 */
bool mmi_recorded_peek(const struct dl_find_object *o,
		       const struct link_map *l);

bool mmi_recorded_by_calls(const struct link_map *m);

/*
 * Is the program made for modules only (memmon-cc --module), and nothing else
 * that is loaded by now recorded?  Nobody counts accesses then.  ctx: init.
 */
bool mmi_recorded_not_at_all(void);

#pragma GCC visibility pop

#endif
