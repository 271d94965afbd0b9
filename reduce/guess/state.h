/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of registers and of the frame at an instruction. */
#ifndef MEMMON_REDUCE_GUESS_STATE_H
#define MEMMON_REDUCE_GUESS_STATE_H

#include "reduce/guess/code.h"

#define GUESS_SYMS 2048	  /* expressions */
#define GUESS_PATHS 8	  /* branches that wait to be followed */
#define GUESS_SEEN 1024	  /* a power of two */
#define GUESS_RANGES 8	  /* of a function's code */
#define GUESS_ARGS 6 /* of calls that are looked at */

/*
 * Added to offsets from the stack pointer in functions whose frame address goes
 * by another register: how far these slots of the frame are from the others
 * isn't known.
 */
#define GUESS_STACK (INT64_C(1) << 40)

enum guess_sym_kind {
	GUESS_SYM_NONE,	 /* not known */
	GUESS_SYM_VALUE, /* the result */
	GUESS_SYM_REG,	 /* of the register at pc; or else b */
	GUESS_SYM_FRAME, /* the address off from the frame's */
	GUESS_SYM_FIXED, /* the address off in the file */
	GUESS_SYM_PLUS,	 /* a + off */
	GUESS_SYM_SUM,	 /* a + b + off */
	GUESS_SYM_TIMES, /* a * off */
	GUESS_SYM_EITHER, /* a or b */
	GUESS_SYM_LOAD,	 /* what is at the address a, at pc; or else b */
	GUESS_SYM_RESULT /* of another call, of the function at off, 0: unknown;
			  * as what it is stored: a */
};

struct guess_sym {
	enum guess_sym_kind kind;
	int reg;
	uint16_t a, b; /* places of others; 0: unknown */
	int64_t off;
	uint64_t pc;
};

/* What becomes of the result behind the call. */
enum guess_event_kind {
	GUESS_EVENT_STORE,  /* it goes to the address `sym' */
	GUESS_EVENT_PASS,   /* it is an argument of a call */
	GUESS_EVENT_RETURN, /* the function returns it */
	GUESS_EVENT_NEAR    /* the function returns an address beside it */
};

struct guess_event {
	enum guess_event_kind kind;
	uint64_t pc, next;
	uint16_t sym;
	unsigned argument; /* which */
	bool last;	   /* what the call returns, the function does */
};

#define GUESS_SLOTS 24 /* of the frame that are remembered */
#define GUESS_VALUE 1  /* the result's place in sym[] of a flow */

struct guess_slot {
	int64_t at; /* from the frame's address */
	uint16_t sym;
};

struct guess_state {
	uint64_t pc;
	uint16_t reg[GUESS_REGS]; /* 0: not known */
	struct guess_slot slot[GUESS_SLOTS];
	unsigned nslots, oldest;
	uint16_t tested; /* what was compared with 0 */
};

struct guess_flow;

/* Who asks what becomes of the result; arg is theirs. */
struct guess_observer {
	/*
	 * The instruction is next, with what is known before it; regs: those
	 * that hold the result, a bit each.  False ends the walk.
	 */
	bool (*step)(void *arg, struct guess_flow *f,
		     const struct guess_step *s, uint64_t regs);
	/* Something becomes of it.  NULL: that isn't asked. */
	void (*event)(void *arg, const struct guess_event *e);
	void *arg;
};

/* A walk over a function's code. */
struct guess_flow {
	struct guess_code *code;
	const struct guess_observer *observer;
	struct {
		uint64_t low, high;
	} range[GUESS_RANGES]; /* of the function's code */
	unsigned nranges;
	struct guess_sym sym[GUESS_SYMS];
	size_t nsyms;
	struct guess_state now;
	struct guess_state wait[GUESS_PATHS];
	unsigned nwait;
	unsigned npaths;  /* branches followed so far */
	unsigned steps;	  /* instructions followed behind the call */
	uint64_t seen[GUESS_SEEN];
	uint64_t first, last; /* the least and largest address of those */
	bool reached;	  /* before the call: the code leads here */
	/* Of the call itself. */
	uint16_t argument[GUESS_ARGS];
	uint64_t call; /* its address; 0 not known */
	bool behind; /* it has been passed */
	uint64_t target, slot;
	const char *callee; /* of another module; NULL: not known */
};

/* An expression without the detours by registers and places of the frame. */
struct guess_value {
	enum guess_sym_kind kind; /* none of GUESS_SYM_PLUS */
	uint16_t sym;
	int64_t off; /* added to sym's; of a fixed or frame address, all */
};
struct guess_value guess_state_value(const struct guess_flow *f, uint16_t sym);

/* The address of the memory operand. */
uint16_t guess_state_address(struct guess_flow *f, struct guess_state *s,
			     const struct guess_mem *m);

/* What the call's i-th argument is as far as known. */
uint16_t guess_state_argument(const struct guess_flow *f,
			      const struct guess_state *s, unsigned i);

/* What was put in that place of the frame; 0: not known. */
uint16_t guess_state_saved(const struct guess_state *s, int64_t at);

/* What the register holds; as far as it isn't known, what it is called. */
uint16_t guess_state_reg(struct guess_flow *f, struct guess_state *s, int reg);

/* A constant, as an address in the file. */
uint16_t guess_state_number(struct guess_flow *f, int64_t number);

/* Forget the registers, a bit each. */
void guess_state_clobber(struct guess_state *s, uint64_t regs);

/* What is known behind a call that isn't the one in question. */
void guess_state_call(struct guess_flow *f, struct guess_state *s,
		      const struct guess_step *step);

/* `sym', or 0, is stored in the frame. */
void guess_state_slot(struct guess_state *s, int64_t at, unsigned width,
		      uint16_t sym);

/* What an instruction does that only works something out. */
void guess_state_work(struct guess_flow *f, struct guess_state *s,
		      const struct guess_step *step);

/* Both come together: s gets what is known of either. */
void guess_state_merge(struct guess_flow *f, struct guess_state *s,
		       const struct guess_state *other);

/* Tell the observer what becomes of the result, if it is there already. */
void guess_state_event(struct guess_flow *f, enum guess_event_kind kind,
		       const struct guess_step *step, uint16_t sym,
		       unsigned argument);

#endif
