/* SPDX-License-Identifier: MIT */
/* What the launcher must know about a program before it runs. */
#ifndef MEMMON_LAUNCHER_ELF_H
#define MEMMON_LAUNCHER_ELF_H

#include <stdbool.h>
#include <stddef.h>

#include "monitor/base/program.h"

/*
 * The program at descriptor fd contains its C++ library.  Does it define an
 * operator new other than that library's?  Searches the program's symbol names,
 * if there are any.  ctx: none of the library's.
 */
bool launcher_elf_has_new(int fd);

/*
 * Puts the dynamic loader that the program at descriptor fd requests into n
 * bytes.  1: done; 0: it requests none; -1: unknown.  ctx: none of the
 * library's.
 */
int launcher_elf_loader(int fd, char *to, size_t n);

/*
 * Puts the build-id of the file at descriptor fd, in hex, into n bytes; "" if
 * the file has no build-id, or one that is too long.  ctx: none of the
 * library's.
 */
void launcher_elf_build_id(int fd, char *to, size_t n);

/*
 * mmi_program_look() at the program of descriptor fd.  If its loader fits, that
 * file isn't read again.  One thread.  ctx: none of the library's.
 */
void launcher_elf_look(int fd, struct mmi_program *p);

/*
 * Is the monitor linked into the program at descriptor fd?  ctx: none of the
 * library's.
 */
bool launcher_elf_records(int fd);

/*
 * Is it impossible to load the library into the program at descriptor fd, whose
 * file name is `file'? `why' receives the reason, for example "is not an arm64
 * program".  by_other: another loader than the one that the program names runs
 * it.  ctx: none of the library's.
 */
bool launcher_elf_refuses(int fd, const char *file, bool by_other, char *why,
			  size_t n);

#endif
