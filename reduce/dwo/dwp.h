/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units packed into one file (.dwp). */
#ifndef MEMMON_DWP_H
#define MEMMON_DWP_H

#include <stdbool.h>
#include <stdint.h>

struct dwp;

/* Open the file at the path; NULL if there is none.  Ends with dwp_free(). */
struct dwp *dwp_open(const char *path);
void dwp_free(struct dwp *p);

/* Does the file contain this unit? */
bool dwp_has(const struct dwp *p, uint64_t id);

/*
 * Make an ELF file in memory from this unit alone.  Returns a descriptor, to be
 * closed, or -1.
 */
int dwp_unit(struct dwp *p, uint64_t id);

#endif
