/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the names of types and of their source files tell. */
#ifndef MEMMON_TYPES_NAME_H
#define MEMMON_TYPES_NAME_H

#include <stdbool.h>

/* Where a type is defined: the less, the more likely it is the user's own. */
enum types_place {
	TYPES_OWN,	/* in the source file that was compiled */
	TYPES_HEADER,	/* in another one of the program */
	TYPES_NODE,	/* what the library's containers have on the heap */
	TYPES_SYSTEM,	/* in a header of the system */
	TYPES_RESERVED, /* there, under a name reserved for it */
	TYPES_INTERNAL	/* inside the C++ library */
};

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
