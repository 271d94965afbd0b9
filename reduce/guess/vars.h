/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the program calls the memory that code reads and writes: variables of a
 * function and those of the unit, by debug information, and members of what
 * they point to.
 */
#ifndef MEMMON_REDUCE_GUESS_VARS_H
#define MEMMON_REDUCE_GUESS_VARS_H

#include "reduce/symbols/symbols.h"
#include "reduce/guess/flow.h"

#define GUESS_VARS 1024	   /* of a function that are looked at */
#define GUESS_LOCATIONS 4096  /* where they are, of all */
#define GUESS_CALLS 256	   /* that are described */
#define GUESS_MEMBERS 4	   /* members at one offset: of unions */

struct guess_var {
	Dwarf_Die type;
	unsigned depth; /* of its block */
	bool own;	/* not of a function that was inlined further on */
	bool argument;
};

enum guess_location_kind { GUESS_LOCATION_REG, GUESS_LOCATION_MEMORY };

/* Where a variable, from the byte `at' on, is: at pcs from low to high. */
struct guess_location {
	uint64_t low, high;
	enum guess_location_kind kind;
	bool frame; /* off is from the frame's address, not from reg */
	int reg;
	int64_t off;
	uint64_t at;
	uint32_t var;
};

/* A call as described, by its return address. */
struct guess_callee {
	uint64_t ra;
	Dwarf_Die die;
};

struct guess_vars {
	struct guess_flow *flow;
	const struct symbols_debug *debug;
	uint64_t low, high; /* the code whose variables are looked at */
	struct guess_var var[GUESS_VARS];
	size_t nvars;
	struct guess_location at[GUESS_LOCATIONS];
	size_t nlocations;
	struct guess_callee call[GUESS_CALLS];
	size_t ncalls;
	/* How the function's frame base is found. */
	bool base_frame;
	int base_reg;
	int64_t base_off;
	unsigned left;	/* entries that may still be looked at */
	unsigned tries; /* and expressions */
};

/*
 * So many bytes into an object of that type, and any number of `stride' bytes
 * on, 0: none.
 */
struct guess_operand {
	Dwarf_Die type;
	int64_t off;
	uint64_t stride;
};

/* Begin with another call: what is looked at for each has an end. */
void guess_vars_start(void);

/* Find the variables at the addresses that the flow went through. */
void guess_vars_load(struct guess_vars *v, struct guess_flow *flow,
		     const struct symbols_debug *debug);

/*
 * What the expression points to; variables in the frame are those at pc.
 * Returns whether that is known.
 */
bool guess_vars_operand(struct guess_vars *v, uint16_t sym, uint64_t pc,
			struct guess_operand *operand);

/* The function that is called by the call that returns to ra; or NULL. */
Dwarf_Die *guess_vars_callee(struct guess_vars *v, uint64_t ra);

/* The type of parameter i, from 0, or `this'.  Returns whether there is one. */
bool guess_vars_parameter(const Dwarf_Die *function, unsigned i,
			  Dwarf_Die *type);

/* What the type points to; false: it's no pointer, or one to void. */
bool guess_vars_pointee(const Dwarf_Die *type, Dwarf_Die *to);

/*
 * The types of the members, no structs or arrays any more, that are at the
 * operand: in the object or in another of an array of them.  Returns how many.
 */
size_t guess_vars_members(const struct guess_operand *operand,
			  Dwarf_Die member[GUESS_MEMBERS]);

#endif
