/* SPDX-License-Identifier: MIT */
/* What the launcher has to know of a program before it runs it. */
#ifndef MEMMON_LAUNCHER_ELF_H
#define MEMMON_LAUNCHER_ELF_H

struct launcher_elf {
	char sanitizer[64];   /* library of one that it needs, or "" */
	int own_malloc;	      /* does the executable define malloc()? */
	int static_sanitizer; /* and does it come with a sanitizer? */
};

/*
 * Read the dynamic section of the x86-64 program at descriptor fd, where its
 * section headers tell of one: without them nothing is found.  ctx: none of the
 * library's.
 */
void launcher_elf_read(int fd, struct launcher_elf *what);

#endif
