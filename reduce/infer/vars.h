/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of the memory that code reads and writes: variables of a function
 * and of the unit, by debug information, and members of the objects that they
 * point to.
 */
#ifndef MEMMON_REDUCE_GUESS_VARS_H
#define MEMMON_REDUCE_GUESS_VARS_H

#include "reduce/symbols/symbols.h"
#include "reduce/infer/flow.h"

#define GUESS_VARS 1024	   /* the most variables of a function */
#define GUESS_LOCATIONS 4096  /* the most locations, of all variables */
#define GUESS_CALLS 256	   /* the most described calls */
#define GUESS_MEMBERS 4	   /* the most members at one offset, in unions */

struct guess_var {
	Dwarf_Die type;
	unsigned depth; /* of its block */
	bool own;	/* its function contains the call */
	bool argument;
};

enum guess_location_kind { GUESS_LOCATION_REG, GUESS_LOCATION_MEMORY };

/*
 * The location of a variable, from its byte `at' on, for code from low to high.
 */
struct guess_location {
	uint64_t low, high;
	enum guess_location_kind kind;
	bool frame; /* off counts from the frame's address, not from reg */
	int reg;
	int64_t off;
	uint64_t at;
	uint32_t var;
};

/* A call described in debug information, by its return address. */
struct guess_callee {
	uint64_t ra;
	Dwarf_Die die;
};

struct guess_vars {
	struct guess_flow *flow;
	const struct symbols_debug *debug;
	uint64_t low, high; /* code whose variables are wanted */
	struct guess_var var[GUESS_VARS];
	size_t nvars;
	struct guess_location at[GUESS_LOCATIONS];
	size_t nlocations;
	struct guess_callee call[GUESS_CALLS];
	size_t ncalls;
	/* The function's frame base: */
	bool base_frame;
	int base_reg;
	int64_t base_off;
	unsigned left;	/* entries that may still be looked at */
	unsigned tries; /* expressions that may still be looked at */
};

/*
 * A place: off bytes into an object of that type, plus any multiple of stride
 * bytes.  stride 0: no multiple.
 */
struct guess_operand {
	Dwarf_Die type;
	int64_t off;
	uint64_t stride;
};

/* Start with a new call, with new limits on the work. */
void guess_vars_start(void);

/* Find the variables for the code that the flow went through. */
void guess_vars_load(struct guess_vars *v, struct guess_flow *flow,
		     const struct symbols_debug *debug);

/*
 * Find the object that the expression points to; pc: for variables in the
 * frame.  Returns whether it is known.
 */
bool guess_vars_operand(struct guess_vars *v, uint16_t sym, uint64_t pc,
			struct guess_operand *operand);

/* The function that is called by the call that returns to ra, or NULL. */
Dwarf_Die *guess_vars_callee(struct guess_vars *v, uint64_t ra);

/*
 * Find the type of parameter i, from 0; `this' counts.  Returns whether it
 * exists.
 */
bool guess_vars_parameter(const Dwarf_Die *function, unsigned i,
			  Dwarf_Die *type);

/*
 * Find the type that a pointer points to.  False if it isn't a pointer, or
 * points to void.
 */
bool guess_vars_pointee(const Dwarf_Die *type, Dwarf_Die *to);

/*
 * Find the types of the members at the operand, in the object or in another
 * element of an array of them.  Structs and arrays are resolved to their
 * members.  Returns how many there are.
 */
size_t guess_vars_members(const struct guess_operand *operand,
			  Dwarf_Die member[GUESS_MEMBERS]);

#endif
