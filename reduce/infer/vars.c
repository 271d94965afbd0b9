/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find variables and their locations. */
#include <dwarf.h>
#include <string.h>

#include "reduce/infer/vars.h"
#include "reduce/dwarf/dies.h"

#define DEPTH 48       /* the deepest nesting of blocks */
#define ENTRIES 60000u /* the most entries of a function */
#define RANGES 1000    /* the most of a block, or of a location list */
#define LONG_EXPR 16   /* the most operations of a location */
#define PARAMETERS 64u /* the most entries before a parameter */

/* Find the range of the entry's code.  False if it has no code in v's range. */
static bool
overlaps(const struct guess_vars *v, Dwarf_Die *die, uint64_t *low,
	 uint64_t *high)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;
	bool any = false;
	int n = 0;

	*low = UINT64_MAX;
	*high = 0;
	while (n++ < RANGES &&
	       (next = dwarf_ranges(die, next, &base, &start, &end)) > 0) {
		any |= start < v->high && end > v->low;
		if (start < *low)
			*low = start;
		if (end > *high)
			*high = end;
	}
	return any;
}

/*
 * Read a location from the first operations.  Returns how many were used, or 0.
 */
static size_t
location_of(const struct guess_vars *v, const Dwarf_Op *op, size_t n,
	    struct guess_location *p)
{
	struct dies_location at;
	size_t used = dies_location(op, n, &at);

	if (!used || at.where == DIES_CFA || at.reg >= GUESS_REGS ||
	    (at.where == DIES_VALUE && at.off))
		return 0;
	p->kind = at.where == DIES_REGISTER || at.where == DIES_VALUE
			  ? GUESS_LOCATION_REG
			  : GUESS_LOCATION_MEMORY;
	p->reg = (int)at.reg;
	p->off = at.off;
	if (at.where != DIES_FRAME)
		return used;
	p->frame = v->base_frame;
	p->reg = v->base_reg;
	p->off += v->base_off;
	return p->frame || p->reg != GUESS_NOREG ? used : 0;
}

static void
add_location_piece(struct guess_vars *v, struct guess_location p)
{
	if (v->nlocations < GUESS_LOCATIONS && p.low < p.high)
		v->at[v->nlocations++] = p;
}

/* Add the locations of the whole variable, or of its pieces. */
static void
add_location(struct guess_vars *v, struct guess_location p, const Dwarf_Op *op,
	     size_t n)
{
	struct guess_location blank = p;
	size_t used;

	if (n > LONG_EXPR)
		return;
	while (n) {
		p = blank;
		used = op->atom == DW_OP_piece ? 0 : location_of(v, op, n, &p);
		if (used && used == n) {
			add_location_piece(v, p);
			return;
		}
		blank.at = p.at;
		if (used && op[used].atom == DW_OP_piece)
			add_location_piece(v, p);
		/* Go to the next piece. */
		while (n && op->atom != DW_OP_piece)
			op++, n--;
		if (!n)
			return;
		blank.at += op->number;
		op++, n--;
	}
}

/* low, high: the code of the variable's block. */
static void
add_variable(struct guess_vars *v, Dwarf_Die *die, unsigned depth, bool own,
	     uint64_t low, uint64_t high)
{
	struct guess_location p = { .var = (uint32_t)v->nvars };
	Dwarf_Addr base, start, end;
	Dwarf_Attribute a;
	ptrdiff_t next = 0;
	Dwarf_Op *op;
	size_t n, was = v->nlocations;
	int count = 0;

	if (v->nvars == GUESS_VARS || !dwarf_attr(die, DW_AT_location, &a) ||
	    !dies_type(die, &v->var[v->nvars].type))
		return;
	while (count++ < RANGES &&
	       (next = dwarf_getlocations(&a, next, &base, &start, &end, &op,
					  &n)) > 0) {
		bool always = start == 0 && end == UINT64_MAX;

		p.low = always ? low : start;
		p.high = always ? high : end;
		if (n && p.low < v->high && p.high > v->low)
			add_location(v, p, op, n);
	}
	if (v->nlocations == was)
		return;
	v->var[v->nvars].depth = depth;
	v->var[v->nvars].own = own;
	v->var[v->nvars].argument = dwarf_tag(die) == DW_TAG_formal_parameter;
	v->nvars++;
}

static void
add_call(struct guess_vars *v, Dwarf_Die *die)
{
	struct guess_callee *c = &v->call[v->ncalls];
	Dwarf_Attribute a;

	if (v->ncalls == GUESS_CALLS)
		return;
	if ((!dwarf_attr(die, DW_AT_call_return_pc, &a) &&
	     !dwarf_attr(die, DW_AT_low_pc, &a)) ||
	    dwarf_formaddr(&a, &c->ra) != 0)
		return;
	if ((dwarf_attr(die, DW_AT_call_origin, &a) ||
	     dwarf_attr(die, DW_AT_abstract_origin, &a)) &&
	    dwarf_formref_die(&a, &c->die))
		v->ncalls++;
}

/* Is it one of the functions around the call itself? */
static bool
is_ours(const struct guess_vars *v, const Dwarf_Die *die)
{
	size_t i;

	for (i = 0; i < v->debug->n; i++)
		if (v->debug->die[i].addr == die->addr)
			return true;
	return false;
}

static void
vars_scope(struct guess_vars *v, Dwarf_Die *die, unsigned depth, bool own,
	   uint64_t low, uint64_t high)
{
	struct dies_child c;
	uint64_t from, to;
	bool more;

	if (depth > DEPTH)
		return;
	for (more = dies_child(&c, die, &v->left); more; more = dies_next(&c)) {
		switch (dwarf_tag(&c.die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			add_variable(v, &c.die, depth, own, low, high);
			break;
		case DW_TAG_lexical_block:
			if (overlaps(v, &c.die, &from, &to))
				vars_scope(v, &c.die, depth + 1, own, from, to);
			break;
		case DW_TAG_inlined_subroutine:
			if (overlaps(v, &c.die, &from, &to))
				vars_scope(v, &c.die, depth + 1,
					   own && is_ours(v, &c.die), from, to);
			break;
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			add_call(v, &c.die);
			break;
		default:
			break;
		}
	}
}

static void
frame_base(struct guess_vars *v, Dwarf_Die *function)
{
	struct dies_location at;
	Dwarf_Attribute a;
	Dwarf_Op *op;
	size_t n;

	v->base_frame = false;
	v->base_reg = GUESS_NOREG;
	v->base_off = 0;
	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &a) ||
	    dwarf_getlocation(&a, &op, &n) != 0 || n != 1 ||
	    !dies_location(op, n, &at) || at.reg >= GUESS_REGS)
		return;
	if (at.where == DIES_CFA) {
		v->base_frame = true;
	} else if (at.where != DIES_FRAME) {
		v->base_reg = (int)at.reg;
		v->base_off = at.off;
	}
}

void
guess_vars_load(struct guess_vars *v, struct guess_flow *flow,
		const struct symbols_debug *debug)
{
	Dwarf_Die function = debug->die[debug->n - 1];
	uint64_t from, to;
	size_t i;

	v->flow = flow;
	v->debug = debug;
	v->nvars = v->nlocations = v->ncalls = 0;
	v->left = ENTRIES;
	v->low = flow->call ? flow->call : debug->ra;
	v->high = debug->ra + 1;
	/* From the lowest address that expressions use to the highest. */
	for (i = 2; i < flow->nsyms; i++)
		if (flow->sym[i].pc && flow->sym[i].pc < v->low)
			v->low = flow->sym[i].pc;
	if (flow->first < v->low)
		v->low = flow->first;
	if (flow->last >= v->high)
		v->high = flow->last + 1;
	frame_base(v, &function);
	if (overlaps(v, &function, &from, &to))
		vars_scope(v, &function, 0, true, from, to);
}

Dwarf_Die *
guess_vars_callee(struct guess_vars *v, uint64_t ra)
{
	size_t i;

	for (i = 0; i < v->ncalls; i++)
		if (v->call[i].ra == ra)
			return &v->call[i].die;
	return NULL;
}

/* Find parameter i among the children of the entry; *n counts parameters. */
static bool
parameter_of(const Dwarf_Die *die, unsigned i, unsigned *n, Dwarf_Die *found)
{
	static const int pack = DW_TAG_GNU_formal_parameter_pack;
	Dwarf_Die at = *die;
	unsigned left = PARAMETERS;
	struct dies_child c;
	bool more;

	for (more = dies_child(&c, die, &left); more; more = dies_next(&c)) {
		if (dwarf_tag(&c.die) == DW_TAG_formal_parameter &&
		    (*n)++ == i) {
			*found = c.die;
			return true;
		}
		/* Packs can't be nested. */
		if (dwarf_tag(&c.die) == pack && dwarf_tag(&at) != pack &&
		    parameter_of(&c.die, i, n, found))
			return true;
	}
	return false;
}

bool
guess_vars_parameter(const Dwarf_Die *function, unsigned i, Dwarf_Die *type)
{
	Dwarf_Die found;
	unsigned n = 0;

	return parameter_of(function, i, &n, &found) && dies_type(&found, type);
}
