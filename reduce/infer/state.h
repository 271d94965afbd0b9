/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The known values of registers and of the frame, at an instruction. */
#ifndef MEMMON_REDUCE_GUESS_STATE_H
#define MEMMON_REDUCE_GUESS_STATE_H

#include "reduce/infer/code.h"

#define GUESS_SYMS 2048	  /* expressions */
#define GUESS_PATHS 8	  /* branches that wait to be followed */
#define GUESS_SEEN 1024	  /* must be a power of two */
#define GUESS_RANGES 8	  /* parts of a function's code */
#define GUESS_ARGS 6 /* arguments of a call that are looked at */

/*
 * Added to offsets from the stack pointer if the function's frame address is
 * known by another register, because these slots have an unknown distance from
 * the others.
 */
#define GUESS_STACK (INT64_C(1) << 40)

enum guess_sym_kind {
	GUESS_SYM_NONE,	 /* unknown */
	GUESS_SYM_VALUE, /* the result */
	GUESS_SYM_REG,	 /* the register's value at pc; else b */
	GUESS_SYM_FRAME, /* the frame's address + off */
	GUESS_SYM_FIXED, /* the address off in the file */
	GUESS_SYM_PLUS,	 /* a + off */
	GUESS_SYM_SUM,	 /* a + b + off */
	GUESS_SYM_TIMES, /* a * off */
	GUESS_SYM_EITHER, /* a or b */
	GUESS_SYM_LOAD,	 /* the value at the address a, at pc; else b */
	GUESS_SYM_RESULT /* result of another call, of the function at off
			  * (0: unknown); a: the address at which it is
			  * stored */
};

struct guess_sym {
	enum guess_sym_kind kind;
	int reg;
	uint16_t a, b; /* numbers of other expressions; 0: unknown */
	int64_t off;
	uint64_t pc;
};

/* Events of the result after the call. */
enum guess_event_kind {
	GUESS_EVENT_STORE,  /* it is stored at the address `sym' */
	GUESS_EVENT_PASS,   /* it is an argument of a call */
	GUESS_EVENT_RETURN, /* the function returns it */
	GUESS_EVENT_NEAR    /* the function returns an address beside it */
};

struct guess_event {
	enum guess_event_kind kind;
	uint64_t pc, next;
	uint16_t sym;
	unsigned argument; /* which */
	bool last;	   /* the function returns what this call returns */
};

#define GUESS_SLOTS 24 /* slots of the frame that are remembered */
#define GUESS_VALUE 1  /* number of the result in sym[] of a flow */

struct guess_slot {
	int64_t at; /* offset from the frame's address */
	uint16_t sym;
};

struct guess_state {
	uint64_t pc;
	uint16_t reg[GUESS_REGS]; /* 0: unknown */
	struct guess_slot slot[GUESS_SLOTS];
	unsigned nslots, oldest;
	uint16_t tested; /* the value that was compared with 0 */
};

struct guess_flow;

/* Asks about the result; arg belongs to the observer. */
struct guess_observer {
	/*
	 * Called before each instruction, with the state before it.  regs: the
	 * registers that hold the result, a bit each.  False ends the walk.
	 */
	bool (*step)(void *arg, struct guess_flow *f,
		     const struct guess_step *s, uint64_t regs);
	/* Called for each event of the result.  May be NULL. */
	void (*event)(void *arg, const struct guess_event *e);
	void *arg;
};

/* A walk over a function's code. */
struct guess_flow {
	struct guess_code *code;
	const struct guess_observer *observer;
	struct {
		uint64_t low, high;
	} range[GUESS_RANGES]; /* code of the function */
	unsigned nranges;
	struct guess_sym sym[GUESS_SYMS];
	size_t nsyms;
	struct guess_state now;
	struct guess_state wait[GUESS_PATHS];
	unsigned nwait;
	unsigned npaths;  /* branches followed so far */
	unsigned steps;	  /* instructions followed after the call */
	uint64_t seen[GUESS_SEEN];
	uint64_t first, last; /* lowest and highest address of these */
	bool reached;	  /* before the call: the code reaches this point */
	/* The call itself: */
	uint16_t argument[GUESS_ARGS];
	uint64_t call; /* its address; 0: unknown */
	bool behind; /* the walk has passed it */
	uint64_t target, slot;
	const char *callee; /* if in another library; NULL: unknown */
};

/*
 * The value of an expression, without the registers and slots it passed
 * through.
 */
struct guess_value {
	enum guess_sym_kind kind; /* never GUESS_SYM_PLUS */
	uint16_t sym;
	int64_t off; /* added to sym's value; for a fixed or frame address,
		      * the whole offset */
};
struct guess_value guess_state_value(const struct guess_flow *f, uint16_t sym);

/* The address of a memory operand, as an expression. */
uint16_t guess_state_address(struct guess_flow *f, struct guess_state *s,
			     const struct guess_mem *m);

/* The call's i-th argument, or 0 if unknown. */
uint16_t guess_state_argument(const struct guess_flow *f,
			      const struct guess_state *s, unsigned i);

/* The value stored in that slot of the frame; 0: unknown. */
uint16_t guess_state_saved(const struct guess_state *s, int64_t at);

/*
 * The value of the register.  Unless it is the result or an address, the
 * expression also names the register, so that a variable in it can be found.
 */
uint16_t guess_state_reg(struct guess_flow *f, struct guess_state *s, int reg);

/* A constant, as an address in the file. */
uint16_t guess_state_number(struct guess_flow *f, int64_t number);

/* Forget the values of these registers, a bit each. */
void guess_state_clobber(struct guess_state *s, uint64_t regs);

/* Set the state after a call, other than the one in question. */
void guess_state_call(struct guess_flow *f, struct guess_state *s,
		      const struct guess_step *step);

/* Store `sym', or 0 for unknown, in the frame. */
void guess_state_slot(struct guess_state *s, int64_t at, unsigned width,
		      uint16_t sym);

/* Apply an instruction that only computes, loads or stores. */
void guess_state_work(struct guess_flow *f, struct guess_state *s,
		      const struct guess_step *step);

/* Two paths meet: s gets the values that are known on either. */
void guess_state_merge(struct guess_flow *f, struct guess_state *s,
		       const struct guess_state *other);

/* Inform the observer of an event, if the walk has passed the call. */
void guess_state_event(struct guess_flow *f, enum guess_event_kind kind,
		       const struct guess_step *step, uint16_t sym,
		       unsigned argument);

#endif
