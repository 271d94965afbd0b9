/* SPDX-License-Identifier: MIT */
/* What the launcher has to know of a program before it runs it. */
#ifndef MEMMON_LAUNCHER_ELF_H
#define MEMMON_LAUNCHER_ELF_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Does the program at descriptor fd, which has its C++ library linked in,
 * define an operator new that isn't that library's?  By the names of all its
 * symbols, if it has them.  ctx: none of the library's.
 */
bool launcher_elf_has_new(int fd);

/*
 * The dynamic loader that the program at descriptor fd asks for, into n
 * bytes: 1; 0 if it asks for none; -1 if that can't be told.  ctx: none of the
 * library's.
 */
int launcher_elf_loader(int fd, char *to, size_t n);

/* The build-id of the file at descriptor fd, in hex, into n bytes: "" if
 * it has none, or one that doesn't fit.  ctx: none of the library's. */
void launcher_elf_build_id(int fd, char *to, size_t n);

/*
 * Can the library not be loaded into the program at descriptor fd, a file of
 * that name?  Then why, as "is not an arm64 program".  by_other: the loader
 * that runs it is not the one that it names.  ctx: none of the library's.
 */
bool launcher_elf_refuses(int fd, const char *file, bool by_other, char *why,
			  size_t n);

#endif
