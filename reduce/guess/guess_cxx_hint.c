/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What types a new object is given as, put into or returned as. */
#include "reduce/guess/guess_cxx_hint.h"
#include "reduce/dies/dies.h"
#include "reduce/guess/guess_die.h"
#include "reduce/guess/guess_vars.h"

#include <string.h>

/*
 * A pointer to that type is what it is given or returned as.  The first one
 * that fits is kept.
 */
static void
take_hint(struct guess_walk *w, const Dwarf_Die *pointer,
	  enum guess_confidence confidence)
{
	uint64_t size, least = w->c->least, largest = w->c->largest;
	Dwarf_Die to;

	if (w->hinted || !least || w->asked == GUESS_ASKED_THROW ||
	    !dies_pointee(pointer, &to) || !to.addr)
		return;
	size = dies_size(&to);
	/* Bytes are nothing yet. */
	if (size < 2 || least % size || largest % size)
		return;
	if (w->asked == GUESS_ASKED_OBJECT &&
	    (size != least || size != largest))
		return;
	w->hinted = true;
	w->hint = to;
	w->confidence = confidence;
}

/* What the parameters of a function are that it is given to. */
void
guess_hint_given(struct guess_walk *w, const struct guess_deed *d)
{
	const struct guess_value *v;
	struct guess_value in;
	Dwarf_Die function, type, of;
	unsigned i;

	if (!guess_constructor_entry(w->c, &d->step, &function))
		return;
	for (i = 0; i < 6; i++) {
		v = &w->now.reg[guess_step_argument(w->code.machine, i)];
		if (v->kind == GUESS_VALUE_FRAME)
			in = guess_cxx_saved(&w->now, v);
		else
			in = *v;
		if (in.kind != GUESS_VALUE_OBJECT || in.n ||
		    !guess_constructor_parameter(&function, i, &type))
			continue;
		/* A reference to where it is. */
		if (v->kind == GUESS_VALUE_FRAME &&
		    !guess_constructor_referred(&type, &of))
			continue;
		take_hint(w, v->kind == GUESS_VALUE_FRAME ? &of : &type,
			  GUESS_NEW);
	}
}

/* A pointer that was returned: to what type?  By reference, to that. */
void
guess_hint_returned(struct guess_walk *w, const struct guess_deed *d,
		    struct guess_value second)
{
	struct guess_value *v = &w->now.reg[guess_step_result(w->code.machine)];
	Dwarf_Die function, type, *to = &w->returned[w->nreturned];
	const char *name;

	if (!guess_constructor_entry(w->c, &d->step, &function))
		return;
	/* Placement new gives back what it was given. */
	name = dies_name(&function);
	if (name && strncmp(name, "operator new", 12) == 0 &&
	    second.kind == GUESS_VALUE_OBJECT)
		*v = second;
	if (w->nreturned == GUESS_RETURNED || v->kind != GUESS_VALUE_NONE ||
	    !dies_type(&function, &type))
		return;
	if (!guess_constructor_referred(&type, to) &&
	    (!dies_pointee(&type, to) || !to->addr))
		return;
	*v = (struct guess_value){ GUESS_VALUE_RETURNED, 0, w->nreturned++ };
}

/* The object's address goes to a member of what was returned. */
void
guess_hint_put(struct guess_walk *w, const struct guess_deed *d)
{
	struct guess_operand operand = { .stride = 0 };
	Dwarf_Die leaf[GUESS_LEAVES];

	if (d->step.op != GUESS_OP_STORE ||
	    d->stored.kind != GUESS_VALUE_OBJECT || d->stored.n ||
	    d->to.kind != GUESS_VALUE_RETURNED)
		return;
	operand.type = w->returned[d->to.base];
	operand.off = d->to.n;
	if (guess_vars_leaves(&operand, leaf) == 1)
		take_hint(w, &leaf[0], GUESS_VARIABLE);
}

/* What functions that were inlined around the call return. */
void
guess_hint_around(struct guess_walk *w)
{
	const struct symbols_place *p = w->c->place;
	Dwarf_Die type;
	size_t i;

	for (i = 0; i + 1 < p->n && w->asked == GUESS_ASKED_OBJECT; i++)
		if (dies_type(&p->die[i], &type))
			take_hint(w, &type, GUESS_RETURN);
}
