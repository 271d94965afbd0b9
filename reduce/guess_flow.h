/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the result of a call goes: the code behind the call is followed, some
 * of the code before it too, for addresses that are worked out there.
 *
 * What a register holds is an expression of what registers held and memory at
 * addresses of code; guess_vars.h knows what the program calls those.
 */
#ifndef MEMMON_REDUCE_GUESS_FLOW_H
#define MEMMON_REDUCE_GUESS_FLOW_H

#include "reduce/guess_code.h"

#define GUESS_SYMS 2048	  /* expressions */
#define GUESS_TRACE 400	  /* instructions behind the call */
#define GUESS_EVENTS 64
#define GUESS_ARGS 6 /* of calls that are looked at */

/*
 * Added to offsets from the stack pointer in functions whose frame address goes
 * by another register: they are places of the frame that lie nobody knows how
 * far from the others.
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
	GUESS_SYM_RESULT /* of another call; as what it is stored: a */
};

struct guess_sym {
	enum guess_sym_kind kind;
	int reg;
	uint16_t a, b; /* places of others; 0: unknown */
	int64_t off;
	uint64_t pc;
};

/* An instruction that was followed, and the registers that hold the result. */
struct guess_at {
	uint64_t pc;
	uint64_t regs; /* a bit each */
};

enum guess_event_kind {
	GUESS_EVENT_STORE,  /* the result goes to the address sym */
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
	uint16_t at;	   /* how many instructions were followed before */
};

struct guess_flow {
	struct guess_code *code;
	uint64_t low, high; /* the function's code, as far as it's followed */
	struct guess_sym sym[GUESS_SYMS];
	size_t nsyms;
	struct guess_at trace[GUESS_TRACE];
	size_t ntrace;
	struct guess_event event[GUESS_EVENTS];
	size_t nevents;
	/* Of the call itself. */
	uint16_t argument[GUESS_ARGS];
	uint64_t call; /* its address; 0 not known */
	bool behind; /* it has been passed */
	uint64_t target, slot;
	const char *callee; /* of another module; NULL: not known */
};

/*
 * Follow the result of the call that returns to ra, for `steps' instructions at
 * most.  low, high: the function's code; before: where to begin ahead of the
 * call, the start of an instruction, or ra.
 */
void guess_flow_run(struct guess_flow *f, struct guess_code *code, uint64_t low,
		    uint64_t high, uint64_t before, uint64_t ra,
		    unsigned steps);

/* Does the function of that name return its first argument? */
bool guess_flow_returns_first(const char *name);

#endif
