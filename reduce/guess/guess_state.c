/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What instructions do to what is known. */
#include <string.h>

#include "reduce/guess/guess_state.h"

#define ALIASES 8 /* registers that a result goes through */

static uint16_t
sym_new(struct guess_flow *f, struct guess_sym sym)
{
	if (f->nsyms >= GUESS_SYMS)
		return 0;
	f->sym[f->nsyms] = sym;
	return (uint16_t)f->nsyms++;
}

static uint16_t
plus(struct guess_flow *f, uint16_t a, int64_t off)
{
	struct guess_sym sym = f->sym[a];

	if (!a || !off)
		return a;
	switch (sym.kind) {
	case GUESS_SYM_FRAME:
	case GUESS_SYM_FIXED:
	case GUESS_SYM_PLUS:
	case GUESS_SYM_SUM:
		sym.off = (int64_t)((uint64_t)sym.off + (uint64_t)off);
		if (sym.kind == GUESS_SYM_PLUS && !sym.off)
			return sym.a;
		return sym_new(f, sym);
	default:
		return sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_PLUS,
						      .a = a,
						      .off = off });
	}
}

uint16_t
guess_state_reg(struct guess_flow *f, struct guess_state *s, int reg)
{
	uint16_t known = reg == GUESS_NOREG ? 0 : s->reg[reg], used;

	if (reg == GUESS_NOREG)
		return 0;
	switch (f->sym[known].kind) {
	case GUESS_SYM_VALUE:
	case GUESS_SYM_FRAME:
	case GUESS_SYM_FIXED:
		return known;
	case GUESS_SYM_PLUS:
		if (f->sym[known].a == GUESS_VALUE)
			return known;
		break;
	default:
		break;
	}
	used = sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_REG,
					      .reg = reg,
					      .b = known,
					      .pc = s->pc });
	/* So that it's known for the same when it is used again. */
	if (!known)
		s->reg[reg] = used;
	return used;
}

static uint16_t
times(struct guess_flow *f, uint16_t a, int64_t by)
{
	if (!a || by == 1)
		return a;
	return sym_new(f, (struct guess_sym){
				  .kind = GUESS_SYM_TIMES, .a = a, .off = by });
}

static uint16_t
either(struct guess_flow *f, uint16_t a, uint16_t b)
{
	if (!a || !b || a == b)
		return a ? a : b;
	return sym_new(f, (struct guess_sym){
				  .kind = GUESS_SYM_EITHER, .a = a, .b = b });
}

/* What is added to in an address: a register, the frame, or nothing. */
static uint16_t
base_of(struct guess_flow *f, struct guess_state *s, const struct guess_mem *m)
{
	int stack = guess_step_stack(f->code->machine);
	const struct guess_cfa *cfa;
	struct guess_sym frame = { .kind = GUESS_SYM_FRAME };

	if (m->base != stack && m->base != guess_step_frame(f->code->machine))
		return guess_state_reg(f, s, m->base);
	cfa = guess_code_cfa(f->code, s->pc);
	if (cfa->known && cfa->reg == m->base)
		frame.off = -cfa->off;
	else if (cfa->known && m->base == stack)
		frame.off = GUESS_STACK;
	else
		return guess_state_reg(f, s, m->base);
	return sym_new(f, frame);
}

static uint16_t
address_of(struct guess_flow *f, struct guess_state *s,
	   const struct guess_mem *m)
{
	uint16_t base, index;

	if (!m->known)
		return 0;
	index = times(f, guess_state_reg(f, s, m->index), m->scale);
	if (m->base != GUESS_NOREG && m->base == m->index)
		return plus(f,
			    times(f, guess_state_reg(f, s, m->base),
				  (int64_t)m->scale + 1),
			    m->disp);
	/* Below the first page there is no object. */
	if (m->base == GUESS_NOREG && m->index != GUESS_NOREG && m->disp < 4096)
		return plus(f, index, m->disp);
	if (m->base == GUESS_NOREG)
		base = sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_FIXED,
						      .off = m->disp });
	else
		base = plus(f, base_of(f, s, m), m->disp);
	if (m->index == GUESS_NOREG)
		return base;
	return sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_SUM,
					      .a = base,
					      .b = index });
}

static struct guess_slot *
slot_of(struct guess_state *s, int64_t at)
{
	unsigned i;

	for (i = 0; i < s->nslots; i++)
		if (s->slot[i].at == at)
			return &s->slot[i];
	return NULL;
}

void
guess_state_slot(struct guess_state *s, int64_t at, unsigned width,
		 uint16_t sym)
{
	struct guess_slot *slot;
	unsigned i;

	for (i = 0; i < s->nslots; i++)
		if (s->slot[i].at < at + (width ? width : 8) &&
		    at < s->slot[i].at + 8)
			s->slot[i].sym = 0;
	if (!sym)
		return;
	slot = slot_of(s, at);
	if (!slot && s->nslots < GUESS_SLOTS)
		slot = &s->slot[s->nslots++];
	if (!slot) {
		/* The result's own places are kept. */
		do
			slot = &s->slot[s->oldest++ % GUESS_SLOTS];
		while (slot->sym == GUESS_VALUE && s->oldest % GUESS_SLOTS);
	}
	*slot = (struct guess_slot){ at, sym };
}

void
guess_state_event(struct guess_flow *f, enum guess_event_kind kind,
		  const struct guess_step *step, uint16_t sym,
		  unsigned argument)
{
	if (f->nevents >= GUESS_EVENTS || !f->behind)
		return;
	f->event[f->nevents++] = (struct guess_event){
		.kind = kind,
		.pc = step->pc,
		.next = step->next,
		.sym = sym,
		.argument = argument,
		.last = step->op == GUESS_OP_JUMP || step->op == GUESS_OP_STOP,
		.at = (uint16_t)f->ntrace,
	};
}

/* Another call's result is what it is stored as. */
static void
stored(struct guess_flow *f, uint16_t what, uint16_t at, uint64_t pc)
{
	int i;

	for (i = 0; i < ALIASES && f->sym[what].kind == GUESS_SYM_REG; i++)
		what = f->sym[what].b;
	if (f->sym[what].kind == GUESS_SYM_RESULT && !f->sym[what].a)
		f->sym[what].a =
			sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_LOAD,
						       .a = at,
						       .pc = pc });
}

/* What the registers hold after a call that isn't the one in question. */
void
guess_state_call(struct guess_flow *f, struct guess_state *s, uint64_t pc)
{
	enum guess_machine m = f->code->machine;

	guess_state_clobber(s, guess_step_scratch(m));
	s->reg[guess_step_result(m)] =
		sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_RESULT,
					       .pc = pc });
}

static void
store(struct guess_flow *f, struct guess_state *s,
      const struct guess_step *step, int src, int64_t by)
{
	uint16_t at = plus(f, address_of(f, s, &step->mem), by);
	uint16_t what = src == GUESS_NOREG ? 0 : s->reg[src];
	bool pair = by || step->src2 != GUESS_NOREG;

	if (what == GUESS_VALUE)
		guess_state_event(f, GUESS_EVENT_STORE, step, at, 0);
	stored(f, what, at, step->next);
	if (f->sym[at].kind == GUESS_SYM_FRAME)
		guess_state_slot(s, f->sym[at].off, pair ? 8 : step->width,
				 what);
}

static void
load(struct guess_flow *f, struct guess_state *s, const struct guess_step *step,
     int dst, int64_t by)
{
	struct guess_sym sym = { .kind = GUESS_SYM_LOAD, .pc = step->pc };
	struct guess_slot *slot;

	if (dst == GUESS_NOREG)
		return;
	sym.a = plus(f, address_of(f, s, &step->mem), by);
	slot = f->sym[sym.a].kind == GUESS_SYM_FRAME
		       ? slot_of(s, f->sym[sym.a].off)
		       : NULL;
	if (slot && slot->sym == GUESS_VALUE) {
		s->reg[dst] = GUESS_VALUE;
		return;
	}
	if (slot)
		sym.b = slot->sym;
	s->reg[dst] = sym.a || sym.b ? sym_new(f, sym) : 0;
}

/* A number is added to what is there. */
static void
count(struct guess_flow *f, struct guess_state *s,
      const struct guess_step *step)
{
	uint16_t at = address_of(f, s, &step->mem);
	struct guess_slot *slot;

	if (f->sym[at].kind != GUESS_SYM_FRAME)
		return;
	slot = slot_of(s, f->sym[at].off);
	if (slot)
		slot->sym = plus(f, slot->sym, step->number);
}

/* Note what is compared with 0. */
static void
test(struct guess_flow *f, struct guess_state *s, const struct guess_step *step)
{
	struct guess_slot *slot;
	uint16_t at;

	if (step->src != GUESS_NOREG) {
		s->tested = s->reg[step->src];
		return;
	}
	at = address_of(f, s, &step->mem);
	slot = f->sym[at].kind == GUESS_SYM_FRAME ? slot_of(s, f->sym[at].off)
						  : NULL;
	s->tested = slot ? slot->sym : 0;
}

void
guess_state_clobber(struct guess_state *s, uint64_t regs)
{
	int i;

	for (i = 0; regs && i < GUESS_REGS; i++)
		if (regs >> i & 1)
			s->reg[i] = 0;
}

void
guess_state_work(struct guess_flow *f, struct guess_state *s,
		 const struct guess_step *step)
{
	switch (step->op) {
	case GUESS_OP_MOVE:
		s->reg[step->dst] = guess_state_reg(f, s, step->src);
		break;
	case GUESS_OP_ADDRESS:
		s->reg[step->dst] = address_of(f, s, &step->mem);
		break;
	case GUESS_OP_TIMES:
		s->reg[step->dst] = times(f, guess_state_reg(f, s, step->src),
					  step->mem.disp);
		break;
	case GUESS_OP_EITHER:
		/* Of the result it would be hard to say which it is. */
		if (s->reg[step->dst] == GUESS_VALUE ||
		    s->reg[step->src] == GUESS_VALUE)
			s->reg[step->dst] = 0;
		else
			s->reg[step->dst] =
				either(f, guess_state_reg(f, s, step->dst),
				       guess_state_reg(f, s, step->src));
		break;
	case GUESS_OP_LOAD: {
		struct guess_state was = *s;

		load(f, s, step, step->dst, 0);
		if (step->dst2 != GUESS_NOREG) {
			load(f, &was, step, step->dst2, 8);
			s->reg[step->dst2] = was.reg[step->dst2];
		}
		break;
	}
	case GUESS_OP_STORE:
		store(f, s, step, step->src, 0);
		if (step->src2 != GUESS_NOREG)
			store(f, s, step, step->src2, 8);
		break;
	case GUESS_OP_COUNT:
		count(f, s, step);
		break;
	case GUESS_OP_TEST:
		test(f, s, step);
		break;
	default:
		break;
	}
	guess_state_clobber(s, step->clobbers);
	if (step->bump_reg != GUESS_NOREG)
		s->reg[step->bump_reg] =
			plus(f, s->reg[step->bump_reg], step->bump);
	if (step->flags)
		s->tested = 0;
}

void
guess_state_merge(struct guess_flow *f, struct guess_state *s,
		  const struct guess_state *other)
{
	unsigned i, j, n = 0;

	for (i = 0; i < GUESS_REGS; i++)
		s->reg[i] = either(f, s->reg[i], other->reg[i]);
	for (i = 0; i < s->nslots; i++)
		for (j = 0; j < other->nslots; j++)
			if (s->slot[i].at == other->slot[j].at &&
			    s->slot[i].sym == other->slot[j].sym)
				s->slot[n++] = s->slot[i];
	s->nslots = n;
	s->tested = 0;
}
