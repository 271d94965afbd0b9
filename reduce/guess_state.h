/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of registers and of the frame at an instruction. */
#ifndef MEMMON_REDUCE_GUESS_STATE_H
#define MEMMON_REDUCE_GUESS_STATE_H

#include "reduce/guess_flow.h"

#define GUESS_SLOTS 12 /* of the frame that are remembered */
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

/* What the register holds; as far as it isn't known, what it is called. */
uint16_t guess_state_reg(struct guess_flow *f, struct guess_state *s, int reg);

/* Forget the registers, a bit each. */
void guess_state_clobber(struct guess_state *s, uint64_t regs);

/* What is known behind a call of another function, that returns to pc. */
void guess_state_call(struct guess_flow *f, struct guess_state *s, uint64_t pc);

/* `sym', or 0, is stored in the frame. */
void guess_state_slot(struct guess_state *s, int64_t at, unsigned width,
		      uint16_t sym);

/* What an instruction does that only works something out. */
void guess_state_work(struct guess_flow *f, struct guess_state *s,
		      const struct guess_step *step);

/* Both come together: s gets what is known of either. */
void guess_state_merge(struct guess_flow *f, struct guess_state *s,
		       const struct guess_state *other);

/* Note that something becomes of the result, if it is there already. */
void guess_state_event(struct guess_flow *f, enum guess_event_kind kind,
		       const struct guess_step *step, uint16_t sym,
		       unsigned argument);

#endif
