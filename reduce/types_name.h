/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the names of types and of their source files tell. */
#ifndef MEMMON_TYPES_NAME_H
#define MEMMON_TYPES_NAME_H

#include <stdbool.h>

#include "reduce/types_walk.h"

/* Is the file, by its absolute path, one of the system or a compiler? */
bool types_name_is_system_path(const char *path);

/* Is the name, without what it stands in, reserved: "_A", "__a"? */
bool types_name_is_reserved(const char *part);

/*
 * Where a type is defined by its qualified name; declared: by its file.
 * scoped: names have namespaces before them.
 */
enum types_place types_name_place(const char *name, enum types_place declared,
				  bool scoped);

/*
 * Is a type of the system one that is never on the heap by itself: views,
 * iterators, the bytes that a node's value lies in, div_t?
 */
bool types_name_is_noise(const char *name);

#endif
