/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What code does with a new object: single steps, with what registers and the
 * frame hold of it.
 */
#ifndef MEMMON_REDUCE_GUESS_CXX_CODE_H
#define MEMMON_REDUCE_GUESS_CXX_CODE_H

#include "reduce/guess/guess_code.h"

/* Places in the frame that are remembered. */
#define GUESS_SAVED 24

enum guess_value_kind {
	GUESS_VALUE_NONE,
	GUESS_VALUE_OBJECT, /* the object's address + n */
	GUESS_VALUE_FIXED,  /* n, an address in the file */
	GUESS_VALUE_LOADED, /* what is at the address n in the file */
	GUESS_VALUE_FRAME,  /* the address of a place in the frame */
	GUESS_VALUE_RETURNED /* what a function returned, + n */
};

/* A place in the frame goes by the register that it was put by, what was
 * returned by a number of the caller's. */
struct guess_value {
	enum guess_value_kind kind;
	int64_t n;
	int base; /* of those two */
};

struct guess_saved {
	struct guess_value place, value;
};

struct guess_held {
	struct guess_value reg[GUESS_REGS];
	struct guess_saved saved[GUESS_SAVED];
	unsigned nsaved, oldest;
	int64_t stack; /* of the stack pointer, from where it was */
	bool null;     /* it was tested whether the object is NULL */
};

/* What a step does to the object; the state is that before it. */
struct guess_deed {
	struct guess_step step;
	bool touches;		   /* it writes to the object, */
	int64_t at;		   /* so many bytes into it */
	struct guess_value stored; /* what is written, */
	struct guess_value to;	   /* and where, whatever that is */
};

/*
 * The instruction at pc and what it does, from what is held.  Returns whether
 * there is one.
 */
bool guess_cxx_look(const struct guess_code *code, const struct guess_held *h,
		    uint64_t pc, struct guess_deed *d);

/* The state after it; of a call, when it has returned. */
void guess_cxx_step(const struct guess_code *code, struct guess_held *h,
		    const struct guess_deed *d);

/* What is in that place of the frame. */
struct guess_value guess_cxx_saved(const struct guess_held *h,
				   const struct guess_value *place);

/* Does anything hold the object? */
bool guess_cxx_holds(const struct guess_held *h);

#endif
