/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constructors, virtual tables and type information, and their classes. */
#ifndef MEMMON_REDUCE_GUESS_CONSTRUCTOR_H
#define MEMMON_REDUCE_GUESS_CONSTRUCTOR_H

#include "reduce/symbols/symbols_unit.h"
#include "reduce/infer/guess.h"
#include "reduce/infer/flow.h"

/* Is the function a constructor?  If so, *class gets its class's definition. */
bool guess_constructor_class(const struct guess_call *c, const Dwarf_Die *die,
			     Dwarf_Die *class);

/* The value of a function's `this' at an instruction. */
enum guess_this {
	GUESS_THIS_OBJECT, /* the object + off */
	GUESS_THIS_OTHER,
	GUESS_THIS_UNKNOWN
};
enum guess_this guess_constructor_this(const Dwarf_Die *scope,
				       const struct guess_flow *f,
				       int64_t *off);

/* A class whose constructor is called. */
struct guess_constructed {
	bool known;	  /* class is set */
	Dwarf_Die class;
	const char *name; /* otherwise its clean name, in the pool, */
	char base[128];	  /* and the same without scopes and template
			   * arguments */
};

/* Does the instruction call a constructor, or jump to one? */
bool guess_constructor_callee(const struct guess_call *c,
			      const struct guess_code *code,
			      const struct guess_step *s,
			      struct guess_constructed *of);

/*
 * Find the function whose code starts at the address.  False if it is unknown.
 */
bool guess_constructor_entry(const struct guess_call *c, uint64_t addr,
			     Dwarf_Die *function);

/* Find the type that a reference refers to.  False if it isn't a reference. */
bool guess_constructor_referred(const Dwarf_Die *type, Dwarf_Die *to);

/* Find the class in the unit.  Returns whether it was found. */
bool guess_constructor_declared(const struct guess_call *c,
				const struct symbols_unit *unit,
				const struct guess_constructed *of,
				Dwarf_Die *class);

/*
 * The linker's name of the function that is called at the address `target', or
 * by the pointer at `slot'.  NULL if it is unknown.
 */
const char *guess_constructor_function(const struct guess_call *c,
				       const struct guess_code *code,
				       uint64_t target, uint64_t slot);

/*
 * The symbol with the prefix for an expression: the symbol that contains the
 * address, or whose address the loader writes to the place that was read.  NULL
 * if there is none.
 */
const char *guess_constructor_symbol(const struct guess_call *c,
				     const struct guess_flow *f, uint16_t sym,
				     const char *prefix);

/* The class of a symbol "_ZTV..." or "_ZTI...", to be freed, or NULL. */
char *guess_constructor_plain(const char *symbol);

#endif
