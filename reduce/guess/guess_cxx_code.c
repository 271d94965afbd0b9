/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What code does with a new object. */
#include "reduce/guess/guess_cxx_code.h"

#include <string.h>

/* Further into an object nothing is looked at. */
#define FAR (INT64_C(1) << 32)

static struct guess_value
plus(struct guess_value v, int64_t n)
{
	/* What is behind a symbol's address still goes by the symbol. */
	if (v.kind == GUESS_VALUE_NONE || v.kind == GUESS_VALUE_LOADED)
		return v;
	v.n = (int64_t)((uint64_t)v.n + (uint64_t)n);
	if (v.kind == GUESS_VALUE_OBJECT && (v.n > FAR || v.n < -FAR))
		v.kind = GUESS_VALUE_NONE;
	return v;
}

/* The address, if it is the object's, in the frame or one in the file. */
static struct guess_value
address(const struct guess_code *code, const struct guess_held *h,
	const struct guess_mem *m, int64_t by)
{
	struct guess_value v = { .kind = GUESS_VALUE_NONE };
	int stack = guess_step_stack(code->machine);

	if (!m->known || m->index != GUESS_NOREG || m->base >= GUESS_REGS)
		return v;
	if (m->base == GUESS_NOREG) {
		v.kind = GUESS_VALUE_FIXED;
	} else {
		v = h->reg[m->base];
		if (v.kind == GUESS_VALUE_NONE &&
		    (m->base == stack ||
		     m->base == guess_step_frame(code->machine)))
			v = (struct guess_value){ GUESS_VALUE_FRAME,
						  m->base == stack ? h->stack
								   : 0,
						  m->base };
	}
	return plus(plus(v, m->disp), by);
}

static bool
same_place(const struct guess_value *a, const struct guess_value *b)
{
	return a->base == b->base && a->n == b->n;
}

static void
save(struct guess_held *h, const struct guess_value *place,
     struct guess_value v)
{
	struct guess_saved *to = NULL;
	unsigned i;

	if (place->kind != GUESS_VALUE_FRAME)
		return;
	for (i = 0; i < h->nsaved && !to; i++)
		if (same_place(&h->saved[i].place, place))
			to = &h->saved[i];
	if (!to && v.kind == GUESS_VALUE_NONE)
		return;
	if (!to && h->nsaved < GUESS_SAVED)
		to = &h->saved[h->nsaved++];
	if (!to)
		to = &h->saved[h->oldest++ % GUESS_SAVED];
	*to = (struct guess_saved){ *place, v };
}

struct guess_value
guess_cxx_saved(const struct guess_held *h, const struct guess_value *place)
{
	unsigned i;

	for (i = 0; i < h->nsaved; i++)
		if (same_place(&h->saved[i].place, place))
			return h->saved[i].value;
	return (struct guess_value){ .kind = GUESS_VALUE_NONE };
}

static struct guess_value
of_reg(const struct guess_held *h, int reg)
{
	struct guess_value none = { .kind = GUESS_VALUE_NONE };

	return reg >= 0 && reg < GUESS_REGS ? h->reg[reg] : none;
}

static void
set(struct guess_held *h, int reg, struct guess_value v)
{
	if (reg >= 0 && reg < GUESS_REGS)
		h->reg[reg] = v;
}

bool
guess_cxx_look(const struct guess_code *code, const struct guess_held *h,
	       uint64_t pc, struct guess_deed *d)
{
	const unsigned char *bytes;
	struct guess_value at;
	size_t n;

	*d = (struct guess_deed){ 0 };
	bytes = guess_code_at(code, pc, &n);
	if (!bytes || !guess_step(code->machine, bytes, n, pc, &d->step))
		return false;
	if (d->step.op != GUESS_OP_STORE)
		return true;
	at = address(code, h, &d->step.mem, 0);
	d->touches = at.kind == GUESS_VALUE_OBJECT;
	d->at = at.n;
	d->to = at;
	d->stored = of_reg(h, d->step.src);
	if (d->step.src == GUESS_NOREG && d->step.constant)
		d->stored = (struct guess_value){ .kind = GUESS_VALUE_FIXED,
						  .n = d->step.number };
	return true;
}

static void
load(const struct guess_code *code, struct guess_held *h,
     const struct guess_step *s, int dst, int64_t by)
{
	struct guess_value v = address(code, h, &s->mem, by);

	if (v.kind == GUESS_VALUE_FIXED)
		v.kind = GUESS_VALUE_LOADED;
	else if (v.kind == GUESS_VALUE_FRAME)
		v = guess_cxx_saved(h, &v);
	else
		v.kind = GUESS_VALUE_NONE;
	set(h, dst, v);
}

static void
store(const struct guess_code *code, struct guess_held *h,
      const struct guess_step *s, int src, int64_t by)
{
	struct guess_value at = address(code, h, &s->mem, by);

	save(h, &at, of_reg(h, src));
}

static void
clobber(struct guess_held *h, uint64_t regs)
{
	int i;

	for (i = 0; i < GUESS_REGS; i++)
		if (regs >> i & 1)
			h->reg[i].kind = GUESS_VALUE_NONE;
}

void
guess_cxx_step(const struct guess_code *code, struct guess_held *h,
	       const struct guess_deed *d)
{
	const struct guess_step *s = &d->step;
	int stack = guess_step_stack(code->machine);

	switch (s->op) {
	case GUESS_OP_MOVE:
		if (s->src == GUESS_NOREG && s->constant)
			set(h, s->dst,
			    (struct guess_value){ .kind = GUESS_VALUE_FIXED,
						  .n = s->number });
		else
			set(h, s->dst, of_reg(h, s->src));
		break;
	case GUESS_OP_ADDRESS:
		if (s->dst == stack && s->mem.base == stack && s->mem.known)
			h->stack += s->mem.disp;
		else
			set(h, s->dst, address(code, h, &s->mem, 0));
		break;
	case GUESS_OP_EITHER:
		if (of_reg(h, s->src).kind == GUESS_VALUE_OBJECT)
			set(h, s->dst, of_reg(h, s->src));
		break;
	case GUESS_OP_TIMES:
		set(h, s->dst, of_reg(h, GUESS_NOREG));
		break;
	case GUESS_OP_LOAD:
		load(code, h, s, s->dst, 0);
		if (s->dst2 != GUESS_NOREG)
			load(code, h, s, s->dst2, 8);
		break;
	case GUESS_OP_STORE:
		store(code, h, s, s->src, 0);
		if (s->src2 != GUESS_NOREG)
			store(code, h, s, s->src2, 8);
		break;
	case GUESS_OP_TEST:
		h->null = of_reg(h, s->src).kind == GUESS_VALUE_OBJECT;
		break;
	case GUESS_OP_CALL:
		clobber(h, guess_step_scratch(code->machine));
		break;
	default:
		break;
	}
	if (s->flags && s->op != GUESS_OP_TEST)
		h->null = false;
	clobber(h, s->clobbers);
	if (s->bump_reg == stack)
		h->stack += s->bump;
	else if (s->bump_reg != GUESS_NOREG)
		set(h, s->bump_reg, plus(of_reg(h, s->bump_reg), s->bump));
}

bool
guess_cxx_holds(const struct guess_held *h)
{
	unsigned i;

	for (i = 0; i < GUESS_REGS; i++)
		if (h->reg[i].kind == GUESS_VALUE_OBJECT)
			return true;
	for (i = 0; i < h->nsaved; i++)
		if (h->saved[i].value.kind == GUESS_VALUE_OBJECT)
			return true;
	return false;
}
