/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of standard containers. */
#ifndef MEMMON_REDUCE_LINKS_NODES_H
#define MEMMON_REDUCE_LINKS_NODES_H

#include "reduce/model/result.h"

/* Is the block of a site libc++'s, rather than libstdc++'s? */
bool links_nodes_libcxx(const struct site *s);

/*
 * Name a pointer in a node or array of a standard container, by the site's
 * type: a link to another node, as ".left"; or ".first", ".second" or ".value"
 * of the element; "" if it isn't known which.  NULL: the type is no such part.
 */
const char *links_part(const struct site *s, uint64_t offset);

#endif
