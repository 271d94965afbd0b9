/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Find the object that a call's result is made into.  The code after the call
 * is followed to the constructor that is called for it, or was inlined, or to
 * the virtual table that is stored in it.
 */
#include "reduce/base/names.h"
#include "reduce/dwarf/dies.h"
#include "reduce/symbols/symbols_unit.h"
#include "reduce/infer/cxx_call.h"
#include "reduce/infer/constructor.h"
#include "reduce/infer/die.h"
#include "reduce/infer/flow.h"
#include "reduce/infer/vars.h"

#include <stdlib.h>
#include <string.h>

/* The kind of allocation. */
enum asked { ASKED_OBJECT, ASKED_ARRAY, ASKED_THROW, ASKED_ANY };

struct walk {
	const struct guess_call *c;
	struct guess_code code;
	struct symbols_unit *unit;
	enum asked asked;
	const char *callee; /* the linker's name; NULL: unknown */
	struct guess_flow flow;
	/* The result: */
	bool found;
	Dwarf_Die class;   /* if it has an entry, */
	const char *table; /* or the linker's name of its virtual table, or
			    * of its type information */
	const char *named; /* or its own name */
	uint64_t size;
	/*
	 * The type with which it is passed or returned, used if nothing was
	 * found:
	 */
	bool hinted;
	Dwarf_Die hint;
	enum profile_confidence confidence;
};

/* Does an object of that size, `at' bytes into the block, fill the block? */
static bool
cxx_new_fits(const struct walk *w, uint64_t size, int64_t at)
{
	uint64_t least = w->c->least, largest = w->c->largest;

	if (!size || at < 0)
		return false;
	if (w->asked == ASKED_THROW)
		return at == 0;
	if (!least)
		return at == 0;
	if (w->asked == ASKED_OBJECT || w->asked == ASKED_ANY)
		return at == 0 && size == least && size == largest;
	/* The bytes before it hold the number of elements, for delete[]. */
	return at <= 64 && least >= (uint64_t)at &&
	       (least - (uint64_t)at) % size == 0 &&
	       (largest - (uint64_t)at) % size == 0;
}

static bool
take_class(struct walk *w, const Dwarf_Die *class, int64_t at)
{
	uint64_t size = dies_size(class);

	if (!cxx_new_fits(w, size, at))
		return false;
	w->class = *class;
	w->size = size;
	w->found = true;
	return true;
}

/* Does the scope contain the call itself? */
static bool
is_around(const struct walk *w, const struct symbols_scope *scope)
{
	const struct symbols_debug *p = w->c->debug;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->die[i].addr == scope->addr)
			return true;
	return false;
}

/*
 * Find the constructor whose inlined code is at pc: the outermost one whose
 * class fits.  touched: the instruction writes to the object, at offset `at'.
 */
static bool
inlined(struct walk *w, const struct symbols_scope *scope, bool touched,
	int64_t at)
{
	const struct symbols_scope *outer[DIES_PEEL];
	enum guess_this this;
	Dwarf_Die class, die;
	int64_t off;
	int n = 0;

	for (; scope && scope->inlined && n < DIES_PEEL;
	     scope = scope->parent ? &w->unit->scopes[scope->parent - 1] : NULL)
		if (!is_around(w, scope))
			outer[n++] = scope;
	while (n--) {
		die = symbols_unit_entry(w->unit, outer[n]);
		if (!guess_constructor_class(w->c, &die, &class))
			continue;
		this = guess_constructor_this(&die, &w->flow, &off);
		if (this == GUESS_THIS_OTHER)
			continue;
		if (this == GUESS_THIS_UNKNOWN) {
			/*
			 * Without a size, any of the inner constructors may be
			 * the right one.
			 */
			if (!w->c->least)
				return false;
			if (!touched || w->asked == ASKED_THROW)
				continue;
			off = w->asked == ASKED_ARRAY && at >= 8 ? 8 : 0;
		}
		if (take_class(w, &class, off))
			return true;
	}
	return false;
}

/* Is a constructor inlined there, except those around the call? */
static bool
is_constructing(const struct walk *w, const struct symbols_scope *scope)
{
	Dwarf_Die class, die;

	for (; scope && scope->inlined;
	     scope = scope->parent ? &w->unit->scopes[scope->parent - 1]
				   : NULL) {
		die = symbols_unit_entry(w->unit, scope);
		if (!is_around(w, scope) &&
		    guess_constructor_class(w->c, &die, &class))
			return true;
	}
	return false;
}

/* Is it a call of a constructor for the object? */
static bool
called(struct walk *w, const struct guess_step *s,
       const struct symbols_scope *scope)
{
	const struct guess_flow *f = &w->flow;
	struct guess_value this =
		guess_state_value(f, guess_state_argument(f, &f->now, 0));
	struct guess_constructed of;

	if (this.kind != GUESS_SYM_VALUE || this.off < 0 || this.off > 64)
		return false;
	if (!guess_constructor_callee(w->c, &w->code, s, &of))
		return false;
	/* Without a size, this may be the constructor of a base class. */
	if (!w->c->least && is_constructing(w, scope))
		return false;
	if (of.known)
		return take_class(w, &of.class, this.off);
	if (!of.name)
		return false;
	/* The constructor is in another library. */
	if (guess_constructor_declared(w->c, w->unit, &of, &of.class))
		return take_class(w, &of.class, this.off);
	if (this.off || w->c->least || w->asked == ASKED_ARRAY)
		return false;
	w->named = of.name;
	w->found = true;
	return true;
}

/* Note the virtual table that is stored in the object. */
static void
virtual_table(struct walk *w, uint16_t stored)
{
	const char *name =
		guess_constructor_symbol(w->c, &w->flow, stored, "_ZTV");

	if (name)
		w->table = name;
}

/*
 * Does the instruction throw the object?  Its type information is an argument.
 */
static bool
thrown(struct walk *w, const struct guess_step *s)
{
	const struct guess_flow *f = &w->flow;
	struct guess_value v =
		guess_state_value(f, guess_state_argument(f, &f->now, 0));
	const char *name;

	if (v.kind != GUESS_SYM_VALUE || v.off)
		return false;
	name = guess_constructor_function(w->c, &w->code, s->target,
					  guess_step_slot(s));
	if (!name || (strcmp(name, "__cxa_throw") != 0 &&
		      strcmp(name, "__cxa_init_primary_exception") != 0))
		return false;
	w->table = guess_constructor_symbol(w->c, f,
					    guess_state_argument(f, &f->now, 1),
					    "_ZTI");
	w->found = w->table != NULL;
	return w->found;
}

/* ------------------------------------------- functions that get it -- */

/*
 * Note the type of a pointer with which the result is passed or returned.  The
 * first one that fits is kept.
 */
static void
take_hint(struct walk *w, const Dwarf_Die *pointer,
	  enum profile_confidence confidence)
{
	uint64_t size, least = w->c->least, largest = w->c->largest;
	Dwarf_Die to;

	if (w->hinted || !least || w->asked == ASKED_THROW ||
	    !dies_pointee(pointer, &to) || !to.addr)
		return;
	size = dies_size(&to);
	/* A type of one byte says nothing. */
	if (size < 2 || least % size || largest % size)
		return;
	if (w->asked == ASKED_OBJECT && (size != least || size != largest))
		return;
	w->hinted = true;
	w->hint = to;
	w->confidence = confidence;
}

/* Use the types of the parameters of a function that gets the result. */
static void
hint_given(struct walk *w, const struct guess_step *s)
{
	struct guess_flow *f = &w->flow;
	struct guess_value v, in;
	Dwarf_Die function, type, of;
	bool place;
	unsigned i;

	if (!guess_constructor_entry(w->c, s->target, &function))
		return;
	for (i = 0; i < GUESS_ARGS; i++) {
		in = v = guess_state_value(f,
					   guess_state_argument(f, &f->now, i));
		place = v.kind == GUESS_SYM_FRAME;
		if (place)
			in = guess_state_value(f, guess_state_saved(&f->now,
								    v.off));
		if (in.kind != GUESS_SYM_VALUE || in.off ||
		    !guess_vars_parameter(&function, i, &type))
			continue;
		/*
		 * The parameter is a reference to the variable that holds the
		 * result.
		 */
		if (place && !guess_constructor_referred(&type, &of))
			continue;
		take_hint(w, place ? &of : &type, PROFILE_NEW);
	}
}

/*
 * The object's address is stored in a member of another function's result: use
 * the member's type.
 */
static void
hint_put(struct walk *w, const struct guess_value *what,
	 const struct guess_value *to)
{
	struct guess_operand operand = { .off = to->off };
	Dwarf_Die member[GUESS_MEMBERS], function, type;

	if (what->kind != GUESS_SYM_VALUE || what->off ||
	    to->kind != GUESS_SYM_RESULT ||
	    !guess_constructor_entry(w->c, (uint64_t)w->flow.sym[to->sym].off,
				     &function) ||
	    !dies_type(&function, &type))
		return;
	if (!guess_constructor_referred(&type, &operand.type) &&
	    (!dies_pointee(&type, &operand.type) || !operand.type.addr))
		return;
	if (guess_vars_members(&operand, member) == 1)
		take_hint(w, &member[0], PROFILE_VARIABLE);
}

/* Use the return types of functions that were inlined around the call. */
static void
hint_around(struct walk *w)
{
	const struct symbols_debug *p = w->c->debug;
	Dwarf_Die type;
	size_t i;

	for (i = 0; i + 1 < p->n && w->asked == ASKED_OBJECT; i++)
		if (dies_type(&p->die[i], &type))
			take_hint(w, &type, PROFILE_RETURN);
}

/* -------------------------------------------------------------- the walk -- */

/* Find out which function allocates. */
static void
cxx_new_ask(struct walk *w)
{
	const char *name =
		guess_constructor_function(w->c, &w->code, w->flow.target,
					   w->flow.slot);

	w->callee = name;
	if (!name)
		w->asked = ASKED_ANY;
	else if (strncmp(name, "_Zna", 4) == 0)
		w->asked = ASKED_ARRAY;
	else if (strncmp(name, "_Znw", 4) == 0)
		w->asked = ASKED_OBJECT;
	else if (strcmp(name, "__cxa_allocate_exception") == 0)
		w->asked = ASKED_THROW;
	else
		w->asked = ASKED_ANY;
}

/* Look at one instruction.  Returns whether to go on. */
static bool
cxx_new_look(void *arg, struct guess_flow *f, const struct guess_step *s,
	     uint64_t regs)
{
	struct walk *w = arg;
	const struct symbols_scope *scope = symbols_unit_scope(w->unit, s->pc);
	struct guess_value to = { .kind = GUESS_SYM_NONE }, what = to;
	uint16_t stored = 0;
	bool touched;

	(void)regs;
	/* Follow the other side of a branch only while nothing is known. */
	if (f->npaths && w->hinted)
		return false;
	if (!f->steps)
		cxx_new_ask(w);
	if (s->op == GUESS_OP_STORE) {
		to = guess_state_value(f, guess_state_address(f, &f->now,
							      &s->mem));
		if (s->src != GUESS_NOREG)
			stored = f->now.reg[s->src];
		else if (s->constant)
			stored = guess_state_number(f, s->number);
		what = guess_state_value(f, stored);
	}
	touched = to.kind == GUESS_SYM_VALUE;
	if (inlined(w, scope, touched, to.off))
		return false;
	if (touched && !to.off && w->asked != ASKED_ARRAY)
		virtual_table(w, stored);
	if (s->op == GUESS_OP_CALL || s->op == GUESS_OP_JUMP)
		if (called(w, s, scope) ||
		    (w->asked == ASKED_THROW && thrown(w, s)))
			return false;
	if (s->op == GUESS_OP_CALL)
		hint_given(w, s);
	hint_put(w, &what, &to);
	return true;
}

static enum guess_answer
cxx_new_answer(struct walk *w, struct guess_type *t)
{
	const char *name = NULL;
	struct arena a = { 0 };
	char *plain = NULL;
	enum guess_answer answer = GUESS_UNKNOWN;
	uint64_t size = w->c->least == w->c->largest ? w->c->least : 0;

	if (w->found && w->size) {
		name = guess_die_name(w->c, &w->class);
		size = w->size;
	} else if (w->named) {
		name = w->named;
		size = 0;
	} else if (w->table) {
		plain = guess_constructor_plain(w->table);
		name = plain ? names_type_clean(&a, plain) : NULL;
		/* The block also contains the header of the exception. */
		size = w->asked == ASKED_THROW ? 0 : size;
	}
	if (!name && w->hinted) {
		name = guess_die_name(w->c, &w->hint);
		size = dies_size(&w->hint);
	} else {
		w->confidence = PROFILE_NEW;
	}
	if (name)
		answer = guess_cxx_found(w->c, name, size, w->confidence, t);
	t->open = false;
	arena_fini(&a);
	free(plain);
	return answer;
}

/* How far to look. */
static const struct guess_reach reach = { 400, 400 };

enum guess_answer
guess_cxx_new(const struct guess_call *c, struct guess_type *t)
{
	static struct walk w;
	const struct guess_observer observer = { cxx_new_look, NULL, &w };
	const struct symbols_debug *p = c->debug;
	enum guess_answer said = GUESS_UNKNOWN;

	w = (struct walk){ .c = c, .asked = ASKED_ANY };
	w.unit = symbols_units_at(p->units, p->ra - 1);
	if (!w.unit || !guess_code_init(&w.code, p->elf, p->dwarf))
		return GUESS_UNKNOWN;
	if (guess_flow_run(&w.flow, &w.code, p, &reach, &observer)) {
		if (!w.found && w.asked == ASKED_ANY && w.callee)
			said = guess_cxx_function(c, w.callee, t);
		if (said != GUESS_FOUND) {
			if (!w.found && !w.table)
				hint_around(&w);
			said = cxx_new_answer(&w, t);
		}
	}
	guess_code_fini(&w.code);
	return said;
}
