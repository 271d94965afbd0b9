/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the heap as a graph: fields, and functions that make rows. */
#ifndef MEMMON_SCHEMA_LINKS_H
#define MEMMON_SCHEMA_LINKS_H

#include "display/schema/schema.h"

/* An edge, or a step of a path; UINT64_MAX is unknown or none. */
struct schema_edge {
	const char *root, *member;
	uint64_t holder, offset, site, step, pointers, bytes;
	uint64_t interior;
};

struct schema_holding {
	const char *root;
	uint64_t parent, depth, site, blocks, bytes;
	uint64_t rest_blocks, rest_bytes, all_blocks, all_bytes, unread, last;
};
schema_maker schema_edges_make, schema_steps_make, schema_holdings_make;

#endif
