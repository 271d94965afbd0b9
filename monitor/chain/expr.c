/* SPDX-License-Identifier: MIT */
/* DWARF expressions in call frame information. */
#include "monitor/chain/expr.h"

#include <string.h>

#include "monitor/chain/cfi.h"

#define STACK 16u
#define MAX_OPS 200u /* no loop may run forever */

struct eval {
	uint64_t stack[STACK];
	unsigned sp;
	const uintptr_t *reg;
	uint32_t valid;
	mmi_expr_read *read;
	void *arg;
};

static bool
push(struct eval *e, uint64_t v)
{
	if (e->sp == STACK)
		return false;
	e->stack[e->sp++] = v;
	return true;
}

static bool
push_reg(struct eval *e, uint64_t r, int64_t off)
{
	uint64_t v;

	if (arch_other_register(r, &v))
		return push(e, v + (uint64_t)off);
	if (r >= ARCH_NREG || !(e->valid & 1u << r))
		return false;
	return push(e, e->reg[r] + (uint64_t)off);
}

/* A constant of n bytes, sign-extended when s. */
static bool
push_const(struct eval *e, const uint8_t **p, unsigned n, bool s)
{
	uint64_t v = 0;

	memcpy(&v, *p, n);
	*p += n;
	if (s && n < 8)
		v = (uint64_t)((int64_t)(v << (64 - 8 * n)) >> (64 - 8 * n));
	return push(e, v);
}

/*
 * Operations on the two topmost values: b below a.  False: another operation.
 */
static bool
binary(uint8_t op, uint64_t b, uint64_t a, uint64_t *v)
{
	switch (op) {
	case 0x1a:
		*v = b & a;
		return true;
	case 0x1c:
		*v = b - a;
		return true;
	case 0x1e:
		*v = b * a;
		return true;
	case 0x21:
		*v = b | a;
		return true;
	case 0x22:
		*v = b + a;
		return true;
	case 0x24:
		*v = a < 64 ? b << a : 0;
		return true;
	case 0x25:
		*v = a < 64 ? b >> a : 0;
		return true;
	case 0x26:
		*v = (uint64_t)((int64_t)b >> (a < 64 ? a : 63));
		return true;
	case 0x27:
		*v = b ^ a;
		return true;
	case 0x29:
		*v = b == a;
		return true;
	case 0x2a:
		*v = (int64_t)b >= (int64_t)a;
		return true;
	case 0x2b:
		*v = (int64_t)b > (int64_t)a;
		return true;
	case 0x2c:
		*v = (int64_t)b <= (int64_t)a;
		return true;
	case 0x2d:
		*v = (int64_t)b < (int64_t)a;
		return true;
	case 0x2e:
		*v = b != a;
		return true;
	default:
		return false;
	}
}

/* Operations that move values on the stack. */
static bool
shuffle(struct eval *e, uint8_t op)
{
	uint64_t v;

	switch (op) {
	case 0x06: /* deref */
		if (!e->sp || !e->read(e->arg, e->stack[e->sp - 1], &v))
			return false;
		e->stack[e->sp - 1] = v;
		return true;
	case 0x12: /* dup */
		return e->sp && push(e, e->stack[e->sp - 1]);
	case 0x13: /* drop */
		return e->sp && e->sp--;
	case 0x14: /* over */
		return e->sp > 1 && push(e, e->stack[e->sp - 2]);
	case 0x16: /* swap */
		if (e->sp < 2)
			return false;
		v = e->stack[e->sp - 1];
		e->stack[e->sp - 1] = e->stack[e->sp - 2];
		e->stack[e->sp - 2] = v;
		return true;
	default:
		if (e->sp < 2 ||
		    !binary(op, e->stack[e->sp - 2], e->stack[e->sp - 1], &v))
			return false;
		e->stack[--e->sp - 1] = v;
		return true;
	}
}

/* One operation with operands. */
static bool
step(struct eval *e, uint8_t op, const uint8_t **p)
{
	uint64_t u;
	int64_t s;
	int16_t skip;

	if (op >= 0x30 && op <= 0x4f) /* lit0-31 */
		return push(e, op - 0x30u);
	if (op >= 0x70 && op <= 0x8f) { /* breg0-31 */
		*p = mmi_cfi_sleb(*p, &s);
		return push_reg(e, op - 0x70u, s);
	}
	if (op >= 0x08 && op <= 0x0f) /* const1u, 1s, 2u ... 8s */
		return push_const(e, p, 1u << (op - 0x08) / 2, op & 1);
	switch (op) {
	case 0x03:
		return push_const(e, p, 8, false); /* addr */
	case 0x10:
		*p = mmi_cfi_uleb(*p, &u);
		return push(e, u);
	case 0x11:
		*p = mmi_cfi_sleb(*p, &s);
		return push(e, (uint64_t)s);
	case 0x23: /* plus_uconst */
		*p = mmi_cfi_uleb(*p, &u);
		if (!e->sp)
			return false;
		e->stack[e->sp - 1] += u;
		return true;
	case 0x28: /* bra */
	case 0x2f: /* skip */
		memcpy(&skip, *p, 2);
		*p += 2;
		if (op == 0x28 && !e->sp)
			return false;
		if (op == 0x2f || e->stack[--e->sp])
			*p += skip;
		return true;
	case 0x92: /* bregx */
		*p = mmi_cfi_uleb(*p, &u);
		*p = mmi_cfi_sleb(*p, &s);
		return push_reg(e, u, s);
	case 0x96:
		return true; /* nop */
	default:
		return shuffle(e, op);
	}
}

bool
mmi_expr_eval(const uint8_t *p, uint64_t n, const uintptr_t *reg,
	      uint32_t valid, const uintptr_t *init, mmi_expr_read *read,
	      void *arg, uint64_t *v)
{
	const uint8_t *start = p, *end = p + n;
	struct eval e;
	unsigned ops = 0;

	e.sp = 0;
	e.reg = reg;
	e.valid = valid;
	e.read = read;
	e.arg = arg;
	if (init)
		push(&e, *init);
	while (p >= start && p < end) {
		uint8_t op = *p++;

		if (++ops > MAX_OPS || !step(&e, op, &p))
			return false;
	}
	if (!e.sp)
		return false;
	*v = e.stack[e.sp - 1];
	return true;
}
