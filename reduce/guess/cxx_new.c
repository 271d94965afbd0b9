/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a call's result is made into: the code behind the call is followed to
 * the constructor that is called for it, or was inlined there, or to the
 * virtual table that is put into it.
 */
#include "reduce/base/names.h"
#include "reduce/dies/dies.h"
#include "reduce/symbols/symbols_unit.h"
#include "reduce/guess/cxx_call.h"
#include "reduce/guess/constructor.h"
#include "reduce/guess/die.h"
#include "reduce/guess/flow.h"
#include "reduce/guess/vars.h"

#include <stdlib.h>
#include <string.h>

/* How the memory was asked for. */
enum asked { ASKED_OBJECT, ASKED_ARRAY, ASKED_THROW, ASKED_ANY };

struct walk {
	const struct guess_call *c;
	struct guess_code code;
	struct symbols_unit *unit;
	enum asked asked;
	const char *callee; /* as the linker calls it; NULL unknown */
	struct guess_flow flow;
	/* What was found. */
	bool found;
	Dwarf_Die class;   /* if there is an entry for it, */
	const char *table; /* or the linker's name of its virtual table, or of
			    * its type */
	const char *named; /* or its own name */
	uint64_t size;
	/* What it is given as, or returned as, in case nothing was found. */
	bool hinted;
	Dwarf_Die hint;
	enum profile_confidence confidence;
};

/* Is an object of the size, `at' bytes into the block, all that is in it? */
static bool
fits(const struct walk *w, uint64_t size, int64_t at)
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
	/* The number of elements, for delete[]. */
	return at <= 64 && least >= (uint64_t)at &&
	       (least - (uint64_t)at) % size == 0 &&
	       (largest - (uint64_t)at) % size == 0;
}

static bool
take_class(struct walk *w, const Dwarf_Die *class, int64_t at)
{
	uint64_t size = dies_size(class);

	if (!fits(w, size, at))
		return false;
	w->class = *class;
	w->size = size;
	w->found = true;
	return true;
}

/* Is the scope one that the call itself is in? */
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
 * The constructors that the code at pc was inlined of: the outermost that fits
 * what is `at' bytes into the object.  touched: that is written to.
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
			/* Without a size it might be any of the inner ones. */
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

/* Is a constructor inlined there, that isn't around the call? */
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

/* A call of a constructor for the object? */
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
	/* Without a size it might be that of a base. */
	if (!w->c->least && is_constructing(w, scope))
		return false;
	if (of.known)
		return take_class(w, &of.class, this.off);
	if (!of.name)
		return false;
	/* One of another module. */
	if (guess_constructor_declared(w->c, w->unit, &of, &of.class))
		return take_class(w, &of.class, this.off);
	if (this.off || w->c->least || w->asked == ASKED_ARRAY)
		return false;
	w->named = of.name;
	w->found = true;
	return true;
}

/* The virtual table that is put into the object. */
static void
virtual_table(struct walk *w, uint16_t stored)
{
	const char *name =
		guess_constructor_symbol(w->c, &w->flow, stored, "_ZTV");

	if (name)
		w->table = name;
}

/* What is thrown has its type beside it. */
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

/* -------------------------------------------- what it is handed to -- */

/*
 * A pointer to that type is what it is given or returned as.  The first one
 * that fits is kept.
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
	/* Bytes are nothing yet. */
	if (size < 2 || least % size || largest % size)
		return;
	if (w->asked == ASKED_OBJECT && (size != least || size != largest))
		return;
	w->hinted = true;
	w->hint = to;
	w->confidence = confidence;
}

/* What the parameters of a function are that it is given to. */
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
		/* A reference to where it is. */
		if (place && !guess_constructor_referred(&type, &of))
			continue;
		take_hint(w, place ? &of : &type, PROFILE_NEW);
	}
}

/*
 * The object's address goes to a member of what a function returned: of what it
 * returns a pointer or reference to.
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

/* What functions that were inlined around the call return. */
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

/* The call itself: whom it asks for memory. */
static void
ask(struct walk *w)
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

/* What an instruction does to the object.  Returns whether to go on. */
static bool
look(void *arg, struct guess_flow *f, const struct guess_step *s, uint64_t regs)
{
	struct walk *w = arg;
	const struct symbols_scope *scope = symbols_unit_scope(w->unit, s->pc);
	struct guess_value to = { .kind = GUESS_SYM_NONE }, what = to;
	uint16_t stored = 0;
	bool touched;

	(void)regs;
	/* Where else a branch leads matters if nothing is known yet. */
	if (f->npaths && w->hinted)
		return false;
	if (!f->steps)
		ask(w);
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
answer(struct walk *w, struct guess_type *t)
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
		/* There is more in the block than what is thrown. */
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

/* How far is looked. */
static const struct guess_reach reach = { 400, 400 };

enum guess_answer
guess_cxx_new(const struct guess_call *c, struct guess_type *t)
{
	static struct walk w;
	const struct guess_observer observer = { look, NULL, &w };
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
			said = answer(&w, t);
		}
	}
	guess_code_fini(&w.code);
	return said;
}
