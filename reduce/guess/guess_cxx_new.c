/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a call's result is made into: the code behind the call is followed to
 * the constructor that is called for it, or was inlined there, or to the
 * virtual table that is put into it.
 */
#include "reduce/base/names.h"
#include "reduce/dies/dies.h"
#include "reduce/symbols/symbols_unit.h"
#include "reduce/guess/guess_cxx.h"
#include "reduce/guess/guess_cxx_hint.h"
#include "reduce/guess/guess_die.h"

#include <stdlib.h>
#include <string.h>

#define STEPS 300 /* instructions behind the call, */
#define ASIDE 80  /* and where a branch leads */

/* Is an object of the size, `at' bytes into the block, all that is in it? */
static bool
fits(const struct guess_walk *w, uint64_t size, int64_t at)
{
	uint64_t least = w->c->least, largest = w->c->largest;

	if (!size || at < 0)
		return false;
	if (w->asked == GUESS_ASKED_THROW)
		return at == 0;
	if (!least)
		return at == 0;
	if (w->asked == GUESS_ASKED_OBJECT || w->asked == GUESS_ASKED_ANY)
		return at == 0 && size == least && size == largest;
	/* The number of elements, for delete[]. */
	return at <= 64 && least >= (uint64_t)at &&
	       (least - (uint64_t)at) % size == 0 &&
	       (largest - (uint64_t)at) % size == 0;
}

static bool
take_class(struct guess_walk *w, const Dwarf_Die *class, int64_t at)
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
is_around(const struct guess_walk *w, const struct symbols_scope *scope)
{
	const struct symbols_place *p = w->c->place;
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
inlined(struct guess_walk *w, const struct symbols_scope *scope, bool touched,
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
		this = guess_constructor_this(&die, &w->now, w->pc, &off);
		if (this == GUESS_THIS_OTHER)
			continue;
		if (this == GUESS_THIS_UNKNOWN) {
			/* Without a size it might be any of the inner ones. */
			if (!w->c->least)
				return false;
			if (!touched || w->asked == GUESS_ASKED_THROW)
				continue;
			off = w->asked == GUESS_ASKED_ARRAY && at >= 8 ? 8 : 0;
		}
		if (take_class(w, &class, off))
			return true;
	}
	return false;
}

/* Is a constructor inlined there, that isn't around the call? */
static bool
is_constructing(const struct guess_walk *w, const struct symbols_scope *scope)
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
called(struct guess_walk *w, const struct guess_deed *d,
       const struct symbols_scope *scope)
{
	int first = guess_step_argument(w->code.machine, 0);
	const struct guess_value *this = &w->now.reg[first];
	struct guess_constructed of;

	if (this->kind != GUESS_VALUE_OBJECT || this->n < 0 || this->n > 64)
		return false;
	if (!guess_constructor_callee(w->c, &w->code, &d->step, &of))
		return false;
	/* Without a size it might be that of a base. */
	if (!w->c->least && is_constructing(w, scope))
		return false;
	if (of.known)
		return take_class(w, &of.class, this->n);
	if (!of.name)
		return false;
	/* One of another module. */
	if (guess_constructor_declared(w->c, w->unit, &of, &of.class))
		return take_class(w, &of.class, this->n);
	if (this->n || w->c->least || w->asked == GUESS_ASKED_ARRAY)
		return false;
	w->named = of.name;
	w->found = true;
	return true;
}

/* The virtual table that is put into the object. */
static void
virtual_table(struct guess_walk *w, const struct guess_deed *d)
{
	const char *name;

	if (w->asked == GUESS_ASKED_ARRAY || !d->touches || d->at != 0)
		return;
	name = guess_constructor_symbol(w->c, &w->code, &d->stored, "_ZTV");
	if (name)
		w->table = name;
}

/* What is thrown has its type beside it. */
static bool
thrown(struct guess_walk *w, const struct guess_deed *d)
{
	enum guess_machine m = w->code.machine;
	const struct guess_value *v = &w->now.reg[guess_step_argument(m, 0)];
	const char *name;

	if (v->kind != GUESS_VALUE_OBJECT || v->n)
		return false;
	name = guess_constructor_function(w->c, &w->code, &d->step);
	if (!name || (strcmp(name, "__cxa_throw") != 0 &&
		      strcmp(name, "__cxa_init_primary_exception") != 0))
		return false;
	w->table =
		guess_constructor_symbol(w->c, &w->code,
					 &w->now.reg[guess_step_argument(m, 1)],
					 "_ZTI");
	w->found = w->table != NULL;
	return w->found;
}

/* -------------------------------------------------------------- the walk -- */

static bool
is_inside(const struct guess_walk *w, uint64_t pc,
	  const struct symbols_scope **at)
{
	const struct symbols_scope *s;

	*at = s = symbols_unit_scope(w->unit, pc);
	while (s && s->inlined && s->parent)
		s = &w->unit->scopes[s->parent - 1];
	return s && s == w->root;
}

/* Is it going to be followed? */
static bool
is_queued(const struct guess_walk *w, uint64_t target)
{
	unsigned i;

	for (i = 0; i < w->nwait; i++)
		if (w->wait_pc[i] == target)
			return true;
	return false;
}

static void
branch(struct guess_walk *w, const struct guess_step *s)
{
	const struct symbols_scope *at;
	bool null = s->null != GUESS_NULL_NONE &&
		    (s->tests ? s->src >= 0 && w->now.reg[s->src].kind ==
						       GUESS_VALUE_OBJECT
			      : w->now.null);

	if (null) {
		w->pc = s->null == GUESS_NULL_FALLS ? s->target : s->next;
		return;
	}
	w->pc = s->next;
	if (w->nwait < GUESS_PATHS && !is_queued(w, s->target) &&
	    is_inside(w, s->target, &at)) {
		w->wait[w->nwait] = w->now;
		w->wait_pc[w->nwait++] = s->target;
	}
}

/* Go on behind the instruction.  Returns whether it goes on. */
static bool
go_on(struct guess_walk *w, const struct guess_deed *d)
{
	const struct guess_step *s = &d->step;

	guess_cxx_step(&w->code, &w->now, d);
	switch (s->op) {
	case GUESS_OP_JUMP:
		w->pc = s->target;
		return true;
	case GUESS_OP_BRANCH:
		branch(w, s);
		return true;
	case GUESS_OP_RETURN:
	case GUESS_OP_STOP:
		return false;
	default:
		w->pc = s->next;
		return true;
	}
}

static void
path(struct guess_walk *w)
{
	const struct symbols_scope *scope;
	struct guess_value second;
	struct guess_deed d;

	while (w->left && guess_cxx_holds(&w->now) &&
	       is_inside(w, w->pc, &scope) &&
	       guess_cxx_look(&w->code, &w->now, w->pc, &d)) {
		w->left--;
		if (inlined(w, scope, d.touches, d.at))
			return;
		virtual_table(w, &d);
		if (d.step.op == GUESS_OP_CALL || d.step.op == GUESS_OP_JUMP)
			if (called(w, &d, scope) ||
			    (w->asked == GUESS_ASKED_THROW && thrown(w, &d)))
				return;
		if (d.step.op == GUESS_OP_CALL)
			guess_hint_given(w, &d);
		guess_hint_put(w, &d);
		second = w->now.reg[guess_step_argument(w->code.machine, 1)];
		if (!go_on(w, &d))
			return;
		if (d.step.op == GUESS_OP_CALL)
			guess_hint_returned(w, &d, second);
	}
}

/* What registers hold that were set before the call, and stay. */
static void
lead_up(struct guess_walk *w, uint64_t from, uint64_t ra)
{
	struct guess_deed d = { 0 };
	uint64_t pc;

	for (pc = from; pc < ra; pc = d.step.next) {
		if (!guess_cxx_look(&w->code, &w->now, pc, &d))
			break;
		guess_cxx_step(&w->code, &w->now, &d);
	}
	if (pc != ra || d.step.op != GUESS_OP_CALL)
		memset(&w->now, 0, sizeof(w->now));
	else
		w->now.stack = 0;
}

/* The call itself: whom it asks for memory. */
static void
ask(struct guess_walk *w, uint64_t from, uint64_t ra)
{
	struct guess_deed d = { 0 };
	const char *name;
	uint64_t pc;

	w->asked = GUESS_ASKED_ANY;
	for (pc = from; pc < ra; pc = d.step.next)
		if (!guess_cxx_look(&w->code, &w->now, pc, &d))
			return;
	if (pc != ra || d.step.op != GUESS_OP_CALL)
		return;
	w->callee = name = guess_constructor_function(w->c, &w->code, &d.step);
	if (name && strncmp(name, "_Zna", 4) == 0)
		w->asked = GUESS_ASKED_ARRAY;
	else if (name && strncmp(name, "_Znw", 4) == 0)
		w->asked = GUESS_ASKED_OBJECT;
	else if (name && strcmp(name, "__cxa_allocate_exception") == 0)
		w->asked = GUESS_ASKED_THROW;
}

static enum guess_answer
answer(struct guess_walk *w, struct guess_type *t)
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
		size = w->asked == GUESS_ASKED_THROW ? 0 : size;
	}
	if (!name && w->hinted) {
		name = guess_die_name(w->c, &w->hint);
		size = dies_size(&w->hint);
	} else {
		w->confidence = GUESS_NEW;
	}
	if (name)
		answer = guess_cxx_found(w->c, name, size, w->confidence, t);
	t->open = false;
	arena_fini(&a);
	free(plain);
	return answer;
}

static void
run(struct guess_walk *w, uint64_t ra)
{
	uint64_t from =
		guess_constructor_ahead(w->c->place, w->root->entry, ra);
	unsigned i;

	ask(w, from, ra);
	lead_up(w, from, ra);
	w->now.reg[guess_step_result(w->code.machine)] =
		(struct guess_value){ .kind = GUESS_VALUE_OBJECT };
	w->pc = ra;
	w->left = STEPS;
	path(w);
	for (i = 0; i < w->nwait && !w->found && !w->hinted; i++) {
		w->now = w->wait[i];
		w->pc = w->wait_pc[i];
		w->left = ASIDE;
		path(w);
	}
}

enum guess_answer
guess_cxx_new(const struct guess_call *c, struct guess_type *t)
{
	static struct guess_walk w;
	const struct symbols_place *p = c->place;
	const struct symbols_scope *s;
	enum guess_answer said;

	memset(&w, 0, sizeof(w));
	w.c = c;
	w.unit = symbols_units_at(p->units, p->ra - 1);
	if (!w.unit)
		return GUESS_UNKNOWN;
	s = symbols_unit_scope(w.unit, p->ra - 1);
	while (s && s->inlined && s->parent)
		s = &w.unit->scopes[s->parent - 1];
	w.root = s;
	if (!s || s->inlined || s->entry >= p->ra)
		return GUESS_UNKNOWN;
	if (!guess_code_init(&w.code, p->elf, p->dwarf))
		return GUESS_UNKNOWN;
	run(&w, p->ra);
	if (!w.found && w.asked == GUESS_ASKED_ANY && w.callee &&
	    guess_cxx_function(c, w.callee, t) == GUESS_FOUND) {
		guess_code_fini(&w.code);
		return GUESS_FOUND;
	}
	if (!w.found && !w.table)
		guess_hint_around(&w);
	said = answer(&w, t);
	guess_code_fini(&w.code);
	return said;
}
