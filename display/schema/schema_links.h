/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the heap as a graph: fields, and functions that make rows. */
#ifndef MEMMON_SCHEMA_LINKS_H
#define MEMMON_SCHEMA_LINKS_H

#include "display/schema/schema.h"

enum {
	SCHEMA_ROOT_FIELDS = 7,
	SCHEMA_RETAINED_FIELDS = 5,
	SCHEMA_EDGE_FIELDS = 8,
	SCHEMA_STEP_FIELDS = 6,
	SCHEMA_HOLDING_FIELDS = 13
};

#define SCHEMA_ROOTS_IS "variables, stacks and others that hold blocks"
extern const struct schema_field schema_roots[SCHEMA_ROOT_FIELDS];
#define SCHEMA_RETAINED_IS "what live blocks retain, by call path"
extern const struct schema_field schema_retained[SCHEMA_RETAINED_FIELDS];
#define SCHEMA_EDGES_IS "pointers, by where they are and what they point to"
extern const struct schema_field schema_edges[SCHEMA_EDGE_FIELDS];
#define SCHEMA_STEPS_IS "for each call path the way from a root to a block"
extern const struct schema_field schema_steps[SCHEMA_STEP_FIELDS];

#define SCHEMA_HOLDINGS_IS \
	"who retains what, as a tree: a root, then what it holds"
extern const struct schema_field schema_holdings[SCHEMA_HOLDING_FIELDS];

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
