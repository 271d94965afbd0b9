/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open files with libbfd, which reads what libelf and libdw can't. */
#ifndef MEMMON_BFDFILE_H
#define MEMMON_BFDFILE_H

#include <bfd.h>
#include <libelf.h>

/*
 * Open the file that elf reads.  Its format isn't checked yet.  Close it with
 * bfd_close() before elf_end().  NULL if that fails.
 */
bfd *bfdfile_open(Elf *elf);

#endif
