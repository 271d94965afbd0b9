/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types of the results of calls, in C: choose among the types that are found.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/dwarf/dies.h"
#include "reduce/infer/die.h"
#include "reduce/infer/flow.h"
#include "reduce/infer/vars.h"

#define CANDIDATES 48
#define TRACE 400 /* instructions after the call */
#define EVENTS 64
#define MEMBERS 100000u /* the most members of a struct that are looked at */

/* How reliable a type is, the best first. */
enum weight {
	WEIGHT_STRONG, /* type of the variable that takes the result */
	WEIGHT_RETURN, /* return type of the function that returns the result */
	WEIGHT_WEAK,   /* type of a parameter that gets the result */
	WEIGHT_CHARS   /* a pointer to bytes takes it, or the member is
			* ambiguous */
};

/* How well the type fits the blocks' sizes, the best first. */
enum fit { FIT_EXACT, FIT_ARRAY, FIT_TAIL, FIT_LOOSE, FIT_NOT };

struct candidate {
	Dwarf_Die type;
	enum weight weight;
	enum profile_confidence confidence;
	unsigned order; /* instructions up to there */
};

/* An instruction that was followed, and the registers that hold the result. */
struct at {
	uint64_t pc;
	uint64_t regs; /* one bit for each register */
};

struct guess {
	const struct guess_call *c;
	struct guess_flow flow;
	struct at trace[TRACE];
	size_t ntrace;
	struct guess_event event[EVENTS];
	unsigned order[EVENTS]; /* instructions up to each event */
	size_t nevents;
	struct guess_vars vars;
	struct candidate v[CANDIDATES];
	size_t n;
	bool returned;	    /* the result is returned without a type */
	bool beside;	    /* an address beside the result is returned */
	bool handed_on;	    /* the result is returned, with a type or without */
	bool lost;	    /* it is stored somewhere without a name */
};

static bool
is_chars(const Dwarf_Die *type)
{
	Dwarf_Die at = *type;

	dies_peel(&at);
	return dwarf_tag(&at) == DW_TAG_base_type && dies_size(&at) == 1;
}

/* Add a candidate: a pointer of that type takes the result. */
static void
c_call_add(struct guess *g, const Dwarf_Die *pointer, enum weight weight,
	   enum profile_confidence confidence, unsigned order)
{
	struct candidate *c = &g->v[g->n];

	if (g->n == CANDIDATES || !guess_vars_pointee(pointer, &c->type))
		return;
	dies_unqualify(&c->type);
	c->weight = is_chars(&c->type) ? WEIGHT_CHARS : weight;
	c->confidence = confidence;
	c->order = order;
	g->n++;
}

static void
add_members(struct guess *g, const struct guess_operand *operand,
	    enum weight weight, unsigned order)
{
	Dwarf_Die member[GUESS_MEMBERS];
	size_t n = guess_vars_members(operand, member), i;

	for (i = 0; i < n; i++)
		c_call_add(g, &member[i], n > 1 ? WEIGHT_CHARS : weight,
			   PROFILE_VARIABLE, order);
}

/* Add the types of variables in registers that hold the result. */
static void
from_registers(struct guess *g)
{
	size_t i, t;

	for (i = 0; i < g->vars.nlocations; i++) {
		const struct guess_location *p = &g->vars.at[i];
		const struct guess_var *var = &g->vars.var[p->var];
		struct guess_operand operand = { var->type, (int64_t)p->at, 0 };

		if (p->kind != GUESS_LOCATION_REG)
			continue;
		for (t = 0; t < g->ntrace; t++)
			if (g->trace[t].pc >= p->low &&
			    g->trace[t].pc < p->high &&
			    (g->trace[t].regs >> p->reg & 1))
				break;
		if (t < g->ntrace)
			add_members(g, &operand,
				    var->own ? WEIGHT_STRONG : WEIGHT_WEAK,
				    (unsigned)t);
	}
}

static void
from_return(struct guess *g, unsigned order)
{
	const struct symbols_debug *p = g->c->debug;
	Dwarf_Die function = p->die[p->n - 1], type, to;
	size_t was = g->n;

	/* Candidates that remain there aren't the caller's. */
	if (!dies_type(&function, &type) || !dies_pointee(&type, &to))
		return;
	c_call_add(g, &type, WEIGHT_RETURN, PROFILE_RETURN, order);
	g->returned |= g->n == was;
	g->handed_on = true;
}

/*
 * The function returns an address beside the result.  If its return type is a
 * pointer to void or to bytes, the function is an allocator.  With another
 * type, the address is inside the block.
 */
static void
from_near(struct guess *g)
{
	const struct symbols_debug *p = g->c->debug;
	Dwarf_Die function = p->die[p->n - 1], type, to;

	g->beside |= dies_type(&function, &type) && dies_pointee(&type, &to) &&
		     (!to.addr || is_chars(&to));
}

/* The result is passed to another function. */
static void
from_argument(struct guess *g, const struct guess_event *e, unsigned order)
{
	Dwarf_Die *callee = guess_vars_callee(&g->vars, e->next), type;
	const char *name = callee ? dwarf_diename(callee) : NULL;

	if (name && e->last && e->argument == 0 &&
	    guess_flow_returns_first(name))
		from_return(g, order);
	else if (callee && guess_vars_parameter(callee, e->argument, &type))
		c_call_add(g, &type, WEIGHT_WEAK, PROFILE_VARIABLE, order);
}

static void
from_events(struct guess *g)
{
	struct guess_operand operand;
	size_t i;

	for (i = 0; i < g->nevents; i++) {
		const struct guess_event *e = &g->event[i];

		switch (e->kind) {
		case GUESS_EVENT_STORE:
			if (guess_vars_operand(&g->vars, e->sym, e->next,
					       &operand) ||
			    guess_vars_operand(&g->vars, e->sym, e->pc,
					       &operand))
				add_members(g, &operand, WEIGHT_STRONG,
					    g->order[i]);
			else
				g->lost = true;
			break;
		case GUESS_EVENT_RETURN:
			from_return(g, g->order[i]);
			break;
		case GUESS_EVENT_PASS:
			from_argument(g, e, g->order[i]);
			break;
		case GUESS_EVENT_NEAR:
			from_near(g);
			break;
		default:
			break;
		}
	}
}

/* Use the return type of the function that was called, and its arguments. */
static void
from_call(struct guess *g)
{
	Dwarf_Die *callee = guess_vars_callee(&g->vars, g->c->debug->ra);
	const char *name = g->flow.callee;
	struct candidate *c;
	struct guess_operand operand;
	Dwarf_Die type;

	if (callee && !name && dies_type(callee, &type))
		c_call_add(g, &type, WEIGHT_RETURN, PROFILE_RETURN, 0);
	if (!name && callee)
		name = dwarf_diename(callee);
	if (name && strstr(name, "realloc") && g->n < CANDIDATES &&
	    guess_vars_operand(&g->vars, g->flow.argument[0], g->flow.call,
			       &operand) &&
	    operand.off == 0 && !operand.stride) {
		c = &g->v[g->n++];
		c->type = operand.type;
		dies_unqualify(&c->type);
		c->weight = is_chars(&c->type) ? WEIGHT_CHARS : WEIGHT_WEAK;
		c->confidence = PROFILE_VARIABLE;
		c->order = 0;
	}
}

/* Does the struct end in an array of variable length? */
static bool
has_tail(const Dwarf_Die *type)
{
	Dwarf_Die at = *type, last, of;
	unsigned left = MEMBERS;
	struct dies_child c;
	bool any = false, more;

	dies_peel(&at);
	if (!dies_is_class(&at))
		return false;
	for (more = dies_child(&c, &at, &left); more; more = dies_next(&c)) {
		if (dwarf_tag(&c.die) != DW_TAG_member)
			continue;
		last = c.die;
		any = true;
	}
	if (!any || !dies_type(&last, &of))
		return false;
	dies_peel(&of);
	return dwarf_tag(&of) == DW_TAG_array_type;
}

static enum fit
fit_of(const struct guess *g, const struct candidate *c)
{
	uint64_t size = dies_size(&c->type);
	uint64_t least = g->c->least, largest = g->c->largest;
	Dwarf_Die at = c->type;
	bool is_new;

	if (!least || !largest || !size)
		return FIT_ARRAY;
	if (size == least && size == largest)
		return FIT_EXACT;
	/* If new allocates blocks of one size, the type has that size. */
	dies_peel(&at);
	is_new = g->flow.callee && strncmp(g->flow.callee, "_Znw", 4) == 0;
	if (is_new && least == largest && dies_is_class(&at))
		return FIT_NOT;
	if (least % size == 0 && largest % size == 0)
		return FIT_ARRAY;
	if (size > least || is_new)
		return FIT_NOT;
	if (has_tail(&at))
		return FIT_TAIL;
	dies_peel(&at);
	return dies_is_class(&at) && c->weight < WEIGHT_WEAK ? FIT_LOOSE
							     : FIT_NOT;
}

/* Is the first member or base class of the type, at any depth, the other? */
static bool
begins_with(const Dwarf_Die *type, const Dwarf_Die *other)
{
	Dwarf_Die at = *type, of = *other;
	unsigned left = MEMBERS;
	struct dies_child c;
	bool more;
	int i;

	dies_peel(&of);
	for (i = 0; i < DIES_PEEL; i++) {
		dies_peel(&at);
		if (i && at.addr == of.addr)
			return true;
		if (!dies_is_class(&at))
			return false;
		more = dies_child(&c, &at, &left);
		while (more && dwarf_tag(&c.die) != DW_TAG_member &&
		       dwarf_tag(&c.die) != DW_TAG_inheritance)
			more = dies_next(&c);
		if (!more || !dies_type(&c.die, &at))
			return false;
	}
	return false;
}

/* Is the first candidate the better guess? */
static bool
c_call_is_better(const struct candidate *a, enum fit fit,
		 const struct candidate *b, enum fit than)
{
	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (fit != FIT_EXACT && than != FIT_EXACT &&
	    begins_with(&a->type, &b->type))
		return true;
	if (fit != FIT_EXACT && than != FIT_EXACT &&
	    begins_with(&b->type, &a->type))
		return false;
	if (fit != than)
		return fit < than;
	/* The larger type contains more of the block. */
	if (fit == FIT_LOOSE && dies_size(&a->type) != dies_size(&b->type))
		return dies_size(&a->type) > dies_size(&b->type);
	return a->order < b->order;
}

static const struct candidate *
c_call_choose(const struct guess *g)
{
	const struct candidate *best = NULL;
	enum fit fit, best_fit = FIT_NOT;
	size_t i;

	for (i = 0; i < g->n; i++) {
		fit = fit_of(g, &g->v[i]);
		if (fit == FIT_NOT)
			continue;
		if (!best || c_call_is_better(&g->v[i], fit, best, best_fit)) {
			best = &g->v[i];
			best_fit = fit;
		}
	}
	return best;
}

/*
 * How far to look.  If the first reach doesn't settle the type, the second is
 * tried.
 */
static const struct guess_reach reaches[] = { { 64, 48 }, { 768, 300 } };

/* Is a longer look useless? */
static bool
is_settled(const struct guess *g, const struct guess_reach *r)
{
	const struct candidate *best = c_call_choose(g);

	if (best && best->weight <= WEIGHT_RETURN &&
	    fit_of(g, best) <= FIT_TAIL)
		return true;
	return !g->lost && g->ntrace < r->steps;
}

static bool
note_step(void *arg, struct guess_flow *f, const struct guess_step *s,
	  uint64_t regs)
{
	struct guess *g = arg;

	(void)f;
	if (g->ntrace == TRACE)
		return false;
	g->trace[g->ntrace++] = (struct at){ s->pc, regs };
	return true;
}

static void
note_event(void *arg, const struct guess_event *e)
{
	struct guess *g = arg;

	if (g->nevents == EVENTS)
		return;
	g->order[g->nevents] = (unsigned)g->ntrace;
	g->event[g->nevents++] = *e;
}

static bool
c_call_look(struct guess *g, struct guess_code *code,
	    const struct guess_reach *r)
{
	const struct guess_observer observer = { note_step, note_event, g };
	const struct symbols_debug *p = g->c->debug;

	g->n = g->ntrace = g->nevents = 0;
	g->returned = g->beside = g->handed_on = g->lost = false;
	if (!guess_flow_run(&g->flow, code, p, r, &observer))
		return false;
	guess_vars_load(&g->vars, &g->flow, p);
	from_registers(g);
	from_events(g);
	from_call(g);
	return true;
}

/* Is it a number, a pointer or the like? */
static bool
is_plain(const Dwarf_Die *type)
{
	Dwarf_Die at = *type;
	int tag = dwarf_tag(&at);

	return tag == DW_TAG_base_type || tag == DW_TAG_pointer_type ||
	       tag == DW_TAG_enumeration_type;
}

/*
 * May callers know the type better?  A struct that is returned may be the
 * beginning of a larger one.  If an address behind it is returned, it is the
 * header that an allocator keeps before its blocks.
 */
static bool
is_base(const struct guess *g, const struct candidate *c)
{
	Dwarf_Die at = c->type;

	if (c->weight == WEIGHT_CHARS && g->beside)
		return true;
	dies_peel(&at);
	if (g->beside && (is_plain(&at) || fit_of(g, c) == FIT_LOOSE))
		return true;
	return g->handed_on && dies_is_class(&at) && g->c->least &&
	       dies_size(&at) && fit_of(g, c) != FIT_EXACT &&
	       fit_of(g, c) != FIT_TAIL;
}

static enum guess_answer
c_call_answer(struct guess *g, struct guess_type *t)
{
	const struct candidate *best = c_call_choose(g);

	if (best && best->weight == WEIGHT_CHARS && g->returned)
		best = NULL;
	if (!best)
		return g->returned ? GUESS_PASS : GUESS_UNKNOWN;
	t->name = guess_die_name(g->c, &best->type);
	t->size = dies_size(&best->type);
	t->confidence = best->confidence;
	if (!t->name)
		return GUESS_UNKNOWN;
	return is_base(g, best) ? GUESS_PASS : GUESS_FOUND;
}

enum guess_answer
guess_c(const struct guess_call *c, struct guess_type *t)
{
	static struct guess g;
	struct guess_code code;
	bool known = false;
	size_t i;

	g.c = c;
	if (!c->debug->n ||
	    !guess_code_init(&code, c->debug->elf, c->debug->dwarf))
		return GUESS_UNKNOWN;
	guess_vars_start();
	for (i = 0; i < sizeof reaches / sizeof *reaches; i++) {
		known = c_call_look(&g, &code, &reaches[i]);
		if (!known || is_settled(&g, &reaches[i]))
			break;
	}
	guess_code_fini(&code);
	if (!known)
		return GUESS_UNKNOWN;
	return c_call_answer(&g, t);
}
