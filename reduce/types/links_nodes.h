/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of standard containers. */
#ifndef MEMMON_REDUCE_LINKS_NODES_H
#define MEMMON_REDUCE_LINKS_NODES_H

#include "reduce/model/result.h"

/* Is the site's block one of libc++?  If not, it is one of libstdc++. */
bool links_nodes_libcxx(const struct site *s);

/*
 * Name a pointer in a node or array of a standard container, by the site's
 * type: a link to another node, for example ".left"; or ".first", ".second" or
 * ".value" of the element; "" if it isn't known which.  NULL: another type.
 */
const char *links_part(const struct site *s, uint64_t offset);

#endif
