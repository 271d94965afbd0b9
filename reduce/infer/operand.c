/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find the object that an expression points to. */
#include <dwarf.h>
#include <string.h>

#include "reduce/dwarf/dies.h"
#include "reduce/infer/vars.h"

#define GLOBALS 200000u /* the most entries of a unit */
#define NESTED 24	/* the deepest nesting of expressions */
#define TRIES 200	/* the most expressions for one search */
#define LINEAR 10	/* the deepest nesting in indices */

static bool operand_of(struct guess_vars *v, uint16_t at, uint64_t pc,
		       unsigned depth, struct guess_operand *operand);

/* Find the type that the pointer at an operand points to. */
static bool
operand_loaded(const struct guess_operand *from, struct guess_operand *operand)
{
	Dwarf_Die member[GUESS_MEMBERS];
	size_t n = guess_vars_members(from, member), i;

	for (i = 0; i < n; i++) {
		if (guess_vars_pointee(&member[i], &operand->type)) {
			operand->off = 0;
			operand->stride = 0;
			return true;
		}
	}
	return false;
}

/* If two variables share a location, prefer the one of the inner block. */
static bool
operand_is_better(const struct guess_var *v, const struct guess_var *than)
{
	if (!than || v->own != than->own)
		return !than || v->own;
	return v->depth > than->depth;
}

/* Find what a register points to, by the variable in the register. */
static bool
operand_reg(struct guess_vars *v, int reg, uint64_t pc,
	    struct guess_operand *operand)
{
	const struct guess_var *best = NULL;
	struct guess_operand found;
	size_t i;

	for (i = 0; i < v->nlocations; i++) {
		const struct guess_location *p = &v->at[i];
		struct guess_operand from = { v->var[p->var].type,
					      (int64_t)p->at, 0 };

		if (p->kind == GUESS_LOCATION_REG && p->reg == reg &&
		    pc >= p->low && pc < p->high &&
		    operand_is_better(&v->var[p->var], best) &&
		    operand_loaded(&from, &found)) {
			best = &v->var[p->var];
			*operand = found;
		}
	}
	return best != NULL;
}

/* Turn an offset from a register into an offset from the frame address. */
static bool
from_frame(struct guess_vars *v, const struct guess_location *p, uint64_t pc,
	   int64_t *off)
{
	struct guess_code *code = v->flow->code;
	const struct guess_cfa *cfa = guess_code_cfa(code, pc);

	if (cfa->known && cfa->reg == p->reg)
		*off -= cfa->off;
	else if (cfa->known && p->reg == guess_step_stack(code->machine))
		*off += GUESS_STACK;
	else
		return false;
	return true;
}

/* Find the variable in the frame that contains the byte. */
static bool
operand_frame(struct guess_vars *v, int64_t off, uint64_t pc,
	      struct guess_operand *operand)
{
	const struct guess_var *best = NULL;
	size_t i;

	for (i = 0; i < v->nlocations; i++) {
		const struct guess_location *p = &v->at[i];
		const struct guess_var *var = &v->var[p->var];
		int64_t start = p->off;

		if (p->kind != GUESS_LOCATION_MEMORY ||
		    (pc && (pc < p->low || pc >= p->high)))
			continue;
		if (!p->frame && !from_frame(v, p, pc ? pc : p->low, &start))
			continue;
		start -= (int64_t)p->at;
		if (off < start ||
		    (uint64_t)(off - start) >= dies_size(&var->type) ||
		    !operand_is_better(var, best))
			continue;
		best = var;
		*operand = (struct guess_operand){ var->type, off - start, 0 };
	}
	return best != NULL;
}

/* The address of a variable of the unit.  False if it isn't fixed. */
static bool
fixed_address(Dwarf_Die *die, uint64_t *addr)
{
	Dwarf_Attribute a, b;
	Dwarf_Op *op;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &a) ||
	    dwarf_getlocation(&a, &op, &n) != 0 || n != 1)
		return false;
	if (op->atom == DW_OP_addr) {
		*addr = op->number;
		return true;
	}
	return (op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index) &&
	       dwarf_getlocation_attr(&a, op, &b) == 0 &&
	       dwarf_formaddr(&b, addr) == 0;
}

static bool
of_variables(Dwarf_Die *in, uint64_t addr, struct guess_operand *operand)
{
	unsigned left = GLOBALS;
	struct dies_child c;
	Dwarf_Die type;
	uint64_t start;
	bool more;

	for (more = dies_child(&c, in, &left); more; more = dies_next(&c)) {
		if (dwarf_tag(&c.die) != DW_TAG_variable ||
		    !fixed_address(&c.die, &start) || addr < start ||
		    !dies_type(&c.die, &type) ||
		    addr - start >= dies_size(&type))
			continue;
		*operand = (struct guess_operand){ type,
						   (int64_t)(addr - start), 0 };
		return true;
	}
	return false;
}

/* Search the variables of the unit, and static ones of the function. */
static bool
operand_fixed(struct guess_vars *v, uint64_t addr,
	      struct guess_operand *operand)
{
	Dwarf_Die unit = v->debug->unit;
	size_t i;

	for (i = 0; i < v->debug->n; i++) {
		Dwarf_Die function = v->debug->die[i];

		if (of_variables(&function, addr, operand))
			return true;
	}
	return of_variables(&unit, addr, operand);
}

/* Find the variable whose address the loader writes to `slot'. */
static bool
operand_slot(struct guess_vars *v, uint64_t slot, struct guess_operand *operand)
{
	const char *name = guess_code_callee(v->flow->code, 0, slot), *own;
	unsigned left = GLOBALS;
	struct dies_child c;
	Dwarf_Die type;
	bool more;

	if (!name)
		return false;
	for (more = dies_child(&c, &v->debug->unit, &left); more;
	     more = dies_next(&c)) {
		own = dwarf_diename(&c.die);
		if (dwarf_tag(&c.die) != DW_TAG_variable || !own ||
		    strcmp(own, name) != 0 || !dies_type(&c.die, &type))
			continue;
		*operand = (struct guess_operand){ type, 0, 0 };
		return true;
	}
	return false;
}

/* Find what a pointer in memory points to; sym->a is its address. */
static bool
operand_load(struct guess_vars *v, const struct guess_sym *sym, unsigned depth,
	     struct guess_operand *operand)
{
	const struct guess_sym *at = &v->flow->sym[sym->a];
	struct guess_operand from;

	if (operand_of(v, sym->a, sym->pc, depth + 1, &from) &&
	    operand_loaded(&from, operand))
		return true;
	return at->kind == GUESS_SYM_FIXED &&
	       operand_slot(v, (uint64_t)at->off, operand);
}

/* An index, as the code computes it: root * by + off. */
struct linear {
	uint16_t root;
	uint64_t by;
	uint64_t off;
};

static struct linear linear_of(const struct guess_vars *v, uint16_t at,
			       unsigned depth);

/*
 * If both have the same root, add them; otherwise use the common divisor of
 * their factors.
 */
static struct linear
linear_sum(const struct guess_vars *v, const struct guess_sym *sym,
	   unsigned depth)
{
	struct linear a = linear_of(v, sym->a, depth + 1);
	struct linear b = linear_of(v, sym->b, depth + 1);

	a.off += b.off + (uint64_t)sym->off;
	if (a.root && a.root == b.root) {
		a.by += b.by;
		return a;
	}
	while (b.by) {
		uint64_t rest = a.by % b.by;

		a.by = b.by;
		b.by = rest;
	}
	a.root = 0;
	return a;
}

static struct linear
linear_of(const struct guess_vars *v, uint16_t at, unsigned depth)
{
	const struct guess_sym *sym = &v->flow->sym[at];
	struct linear l = { at, 1, 0 };

	if (depth > LINEAR)
		return l;
	switch (sym->kind) {
	case GUESS_SYM_PLUS:
		l = linear_of(v, sym->a, depth + 1);
		l.off += (uint64_t)sym->off;
		return l;
	case GUESS_SYM_TIMES:
		l = linear_of(v, sym->a, depth + 1);
		l.by *= (uint64_t)sym->off;
		l.off *= (uint64_t)sym->off;
		return l;
	case GUESS_SYM_REG:
		return sym->b ? linear_of(v, sym->b, depth + 1) : l;
	case GUESS_SYM_SUM:
		return linear_sum(v, sym, depth);
	default:
		return l;
	}
}

/* One of the two is a pointer, the other an index. */
static bool
operand_sum(struct guess_vars *v, const struct guess_sym *sym, uint64_t pc,
	    unsigned depth, struct guess_operand *operand)
{
	uint16_t index = sym->b;
	struct linear l;

	if (!operand_of(v, sym->a, pc, depth + 1, operand)) {
		if (!operand_of(v, sym->b, pc, depth + 1, operand))
			return false;
		index = sym->a;
	}
	l = linear_of(v, index, 0);
	/* If there are two indices, the finer one counts. */
	if (!operand->stride || l.by < operand->stride)
		operand->stride = l.by;
	operand->off =
		(int64_t)((uint64_t)operand->off + (uint64_t)sym->off + l.off);
	return true;
}

static bool
operand_of(struct guess_vars *v, uint16_t at, uint64_t pc, unsigned depth,
	   struct guess_operand *operand)
{
	const struct guess_sym *sym = &v->flow->sym[at];

	if (depth > NESTED || !v->tries)
		return false;
	v->tries--;
	switch (sym->kind) {
	case GUESS_SYM_REG:
		return operand_reg(v, sym->reg, sym->pc, operand) ||
		       operand_of(v, sym->b, pc, depth + 1, operand);
	case GUESS_SYM_FRAME:
		return operand_frame(v, sym->off, pc, operand);
	case GUESS_SYM_FIXED:
		return operand_fixed(v, (uint64_t)sym->off, operand);
	case GUESS_SYM_PLUS:
		if (!operand_of(v, sym->a, pc, depth + 1, operand))
			return false;
		operand->off =
			(int64_t)((uint64_t)operand->off + (uint64_t)sym->off);
		return true;
	case GUESS_SYM_SUM:
		return operand_sum(v, sym, pc, depth, operand);
	case GUESS_SYM_LOAD:
		return operand_load(v, sym, depth, operand) ||
		       operand_of(v, sym->b, pc, depth + 1, operand);
	case GUESS_SYM_EITHER:
		return operand_of(v, sym->a, pc, depth + 1, operand) ||
		       operand_of(v, sym->b, pc, depth + 1, operand);
	case GUESS_SYM_RESULT:
		return operand_of(v, sym->a, pc, depth + 1, operand);
	default:
		return false;
	}
}

bool
guess_vars_operand(struct guess_vars *v, uint16_t sym, uint64_t pc,
		   struct guess_operand *operand)
{
	v->tries = TRIES;
	return operand_of(v, sym, pc, 0, operand);
}
