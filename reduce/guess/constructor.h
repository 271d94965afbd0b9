/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constructors, virtual tables and types at run time, and whose they are. */
#ifndef MEMMON_REDUCE_GUESS_CONSTRUCTOR_H
#define MEMMON_REDUCE_GUESS_CONSTRUCTOR_H

#include "reduce/symbols/symbols_unit.h"
#include "reduce/guess/guess.h"
#include "reduce/guess/flow.h"

/* Is the function a constructor?  *class gets whose, where it is defined. */
bool guess_constructor_class(const struct guess_call *c, const Dwarf_Die *die,
			     Dwarf_Die *class);

/* What a function's `this' is, at an instruction. */
enum guess_this {
	GUESS_THIS_OBJECT, /* the object + off */
	GUESS_THIS_OTHER,
	GUESS_THIS_UNKNOWN
};
enum guess_this guess_constructor_this(const Dwarf_Die *scope,
				       const struct guess_flow *f,
				       int64_t *off);

/* The class whose constructor is called. */
struct guess_constructed {
	bool known;	  /* class is set */
	Dwarf_Die class;
	const char *name; /* else its clean name, in the pool, */
	char base[128];	  /* and that without what is around it */
};

/* Is it a call of a constructor, or a jump to one? */
bool guess_constructor_callee(const struct guess_call *c,
			      const struct guess_code *code,
			      const struct guess_step *s,
			      struct guess_constructed *of);

/* The function whose code starts at the address.  Is it known? */
bool guess_constructor_entry(const struct guess_call *c, uint64_t addr,
			     Dwarf_Die *function);

/* What a reference of that type refers to.  False if it isn't a reference. */
bool guess_constructor_referred(const Dwarf_Die *type, Dwarf_Die *to);

/* Find the class in the unit.  Returns whether it is there. */
bool guess_constructor_declared(const struct guess_call *c,
				const struct symbols_unit *unit,
				const struct guess_constructed *of,
				Dwarf_Die *class);

/*
 * The function that is called by way of the address `target' or the pointer at
 * `slot', as the linker calls it; NULL: not known.
 */
const char *guess_constructor_function(const struct guess_call *c,
				       const struct guess_code *code,
				       uint64_t target, uint64_t slot);

/*
 * The symbol that begins with the prefix whose address the expression is, or
 * lies in, or that the loader puts where it was read from.  NULL: none.
 */
const char *guess_constructor_symbol(const struct guess_call *c,
				     const struct guess_flow *f, uint16_t sym,
				     const char *prefix);

/* The class of a symbol "_ZTV..." or "_ZTI...", to be freed; or NULL. */
char *guess_constructor_plain(const char *symbol);

#endif
