/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files for libbfd, which reads what libelf and libdw can't. */
#ifndef MEMMON_BFDFILE_H
#define MEMMON_BFDFILE_H

#include <bfd.h>
#include <libelf.h>

/*
 * The file that elf reads, to be closed by bfd_close() before elf is ended;
 * its format isn't checked yet.  NULL: it can't be.
 */
bfd *bfdfile_open(Elf *elf);

#endif
