/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap as a graph, with the names of variables and members. */
#ifndef MEMMON_REDUCE_LINKS_H
#define MEMMON_REDUCE_LINKS_H

#include "reduce/model/stages.h"
#include "reduce/binaries/exe.h"

/*
 * Set p->links from m, which is merged, and whose sites are p's already.  x
 * knows the modules' files.  members: also find names of members.
 */
void links_make(struct profile *p, const struct mon *m, const struct exe *x,
		bool members);

#endif
