/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of single units, in memory, for libdw to open. */
#ifndef MEMMON_DWO_H
#define MEMMON_DWO_H

#include <libelf.h>
#include <stddef.h>

/* A section of a file to write. */
struct dwo_part {
	const char *name;
	const void *p;
	size_t n; /* bytes; 0 if there is none */
};

/*
 * A file in memory with n sections, for the machine of the file `like'.
 * Returns a descriptor, to be closed, or -1.
 */
int dwo_write(Elf *like, const struct dwo_part *part, size_t n);

/*
 * Make a file in memory from a unit's file, so that libdw can read all of it.
 * Returns a descriptor, to be closed; -1: libdw can read the file as it is, or
 * the file can't be read.
 */
int dwo_open(const char *path);

#endif
