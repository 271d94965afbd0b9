/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The effect of instructions on the known values. */
#include <string.h>

#include "reduce/infer/state.h"

#define ALIASES 12 /* limit of copies that a value goes through */

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
	/* Using it again must give the same expression. */
	if (!known)
		s->reg[reg] = used;
	return used;
}

static uint16_t
state_times(struct guess_flow *f, uint16_t a, int64_t by)
{
	if (!a || by == 1)
		return a;
	return sym_new(f, (struct guess_sym){
				  .kind = GUESS_SYM_TIMES, .a = a, .off = by });
}

uint16_t
guess_state_number(struct guess_flow *f, int64_t number)
{
	return sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_FIXED,
					      .off = number });
}

static uint16_t
state_either(struct guess_flow *f, uint16_t a, uint16_t b)
{
	if (!a || !b || a == b)
		return a ? a : b;
	return sym_new(f, (struct guess_sym){
				  .kind = GUESS_SYM_EITHER, .a = a, .b = b });
}

/* The base of an address: a register, the frame, or nothing. */
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

uint16_t
guess_state_address(struct guess_flow *f, struct guess_state *s,
		    const struct guess_mem *m)
{
	uint16_t base, index;

	if (!m->known)
		return 0;
	index = state_times(f, guess_state_reg(f, s, m->index), m->scale);
	if (m->base != GUESS_NOREG && m->base == m->index)
		return plus(f,
			    state_times(f, guess_state_reg(f, s, m->base),
					(int64_t)m->scale + 1),
			    m->disp);
	/* No object is below the first page. */
	if (m->base == GUESS_NOREG && m->index != GUESS_NOREG && m->disp < 4096)
		return plus(f, index, m->disp);
	if (m->base == GUESS_NOREG)
		base = guess_state_number(f, m->disp);
	else
		base = plus(f, base_of(f, s, m), m->disp);
	if (m->index == GUESS_NOREG)
		return base;
	return sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_SUM,
					      .a = base,
					      .b = index });
}

struct guess_value
guess_state_value(const struct guess_flow *f, uint16_t sym)
{
	struct guess_value v = { .sym = sym };
	const struct guess_sym *at = &f->sym[sym];
	int i;

	for (i = 0; i < ALIASES; i++, at = &f->sym[v.sym]) {
		bool alias =
			at->kind == GUESS_SYM_REG || at->kind == GUESS_SYM_LOAD;

		if (alias && at->b) {
			v.sym = at->b;
			continue;
		}
		if (at->kind != GUESS_SYM_PLUS)
			break;
		v.off = (int64_t)((uint64_t)v.off + (uint64_t)at->off);
		v.sym = at->a;
	}
	v.kind = at->kind == GUESS_SYM_PLUS ? GUESS_SYM_NONE : at->kind;
	if (v.kind == GUESS_SYM_FIXED || v.kind == GUESS_SYM_FRAME)
		v.off = (int64_t)((uint64_t)v.off + (uint64_t)at->off);
	return v;
}

static bool
is_result(const struct guess_flow *f, uint16_t sym)
{
	return guess_state_value(f, sym).kind == GUESS_SYM_VALUE;
}

uint16_t
guess_state_argument(const struct guess_flow *f, const struct guess_state *s,
		     unsigned i)
{
	int reg = guess_step_argument(f->code->machine, i);

	return reg == GUESS_NOREG ? 0 : s->reg[reg];
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

uint16_t
guess_state_saved(const struct guess_state *s, int64_t at)
{
	const struct guess_slot *slot = slot_of((struct guess_state *)s, at);

	return slot ? slot->sym : 0;
}

/* The slot of the frame at the address, or NULL. */
static struct guess_slot *
slot_at(const struct guess_flow *f, struct guess_state *s, uint16_t at)
{
	return f->sym[at].kind == GUESS_SYM_FRAME ? slot_of(s, f->sym[at].off)
						  : NULL;
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
		/* Slots that hold the result are kept. */
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
	struct guess_event e = {
		.kind = kind,
		.pc = step->pc,
		.next = step->next,
		.sym = sym,
		.argument = argument,
		.last = step->op == GUESS_OP_JUMP || step->op == GUESS_OP_STOP,
	};

	if (f->behind && f->observer->event)
		f->observer->event(f->observer->arg, &e);
}

/* If another call's result is stored, note where. */
static void
stored(struct guess_flow *f, uint16_t what, uint16_t at, uint64_t pc)
{
	struct guess_value v = guess_state_value(f, what);

	if (v.kind == GUESS_SYM_RESULT && !v.off && !f->sym[v.sym].a)
		f->sym[v.sym].a =
			sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_LOAD,
						       .a = at,
						       .pc = pc });
}

void
guess_state_call(struct guess_flow *f, struct guess_state *s,
		 const struct guess_step *step)
{
	enum guess_machine m = f->code->machine;

	guess_state_clobber(s, guess_step_scratch(m));
	s->reg[guess_step_result(m)] =
		sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_RESULT,
					       .off = (int64_t)step->target,
					       .pc = step->next });
}

static void
store(struct guess_flow *f, struct guess_state *s,
      const struct guess_step *step, int src, int64_t by)
{
	uint16_t at = plus(f, guess_state_address(f, s, &step->mem), by);
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
state_load(struct guess_flow *f, struct guess_state *s,
	   const struct guess_step *step, int dst, int64_t by)
{
	struct guess_sym sym = { .kind = GUESS_SYM_LOAD, .pc = step->pc };
	struct guess_slot *slot;

	if (dst == GUESS_NOREG)
		return;
	sym.a = plus(f, guess_state_address(f, s, &step->mem), by);
	slot = slot_at(f, s, sym.a);
	if (slot && slot->sym == GUESS_VALUE) {
		s->reg[dst] = GUESS_VALUE;
		return;
	}
	if (slot)
		sym.b = slot->sym;
	s->reg[dst] = sym.a || sym.b ? sym_new(f, sym) : 0;
}

/* Add a number to a slot. */
static void
state_count(struct guess_flow *f, struct guess_state *s,
	    const struct guess_step *step)
{
	struct guess_slot *slot =
		slot_at(f, s, guess_state_address(f, s, &step->mem));

	if (slot)
		slot->sym = plus(f, slot->sym, step->number);
}

/* Note the value that is compared with 0. */
static void
state_test(struct guess_flow *f, struct guess_state *s,
	   const struct guess_step *step)
{
	struct guess_slot *slot;

	if (step->src != GUESS_NOREG) {
		s->tested = s->reg[step->src];
		return;
	}
	slot = slot_at(f, s, guess_state_address(f, s, &step->mem));
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

static void
set(struct guess_state *s, int reg, uint16_t sym)
{
	if (reg != GUESS_NOREG)
		s->reg[reg] = sym;
}

void
guess_state_work(struct guess_flow *f, struct guess_state *s,
		 const struct guess_step *step)
{
	switch (step->op) {
	case GUESS_OP_MOVE:
		set(s, step->dst,
		    step->constant ? guess_state_number(f, step->number)
				   : guess_state_reg(f, s, step->src));
		break;
	case GUESS_OP_ADDRESS:
		set(s, step->dst, guess_state_address(f, s, &step->mem));
		break;
	case GUESS_OP_TIMES:
		set(s, step->dst,
		    state_times(f, guess_state_reg(f, s, step->src),
				step->mem.disp));
		break;
	case GUESS_OP_EITHER:
		/* The other value is NULL or a substitute for the result. */
		if (is_result(f, s->reg[step->src]))
			s->reg[step->dst] = s->reg[step->src];
		else if (!is_result(f, s->reg[step->dst]))
			s->reg[step->dst] =
				state_either(f,
					     guess_state_reg(f, s, step->dst),
					     guess_state_reg(f, s, step->src));
		break;
	case GUESS_OP_LOAD: {
		struct guess_state was = *s;

		state_load(f, s, step, step->dst, 0);
		if (step->dst2 != GUESS_NOREG) {
			state_load(f, &was, step, step->dst2, 8);
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
		state_count(f, s, step);
		break;
	case GUESS_OP_TEST:
		state_test(f, s, step);
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
		s->reg[i] = state_either(f, s->reg[i], other->reg[i]);
	for (i = 0; i < s->nslots; i++)
		for (j = 0; j < other->nslots; j++)
			if (s->slot[i].at == other->slot[j].at &&
			    s->slot[i].sym == other->slot[j].sym)
				s->slot[n++] = s->slot[i];
	s->nslots = n;
	s->tested = 0;
}
