/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single instructions of x86-64. */
#include <capstone/capstone.h>

#include "reduce/infer/step.h"

#define XMM 17 /* DWARF's number of xmm0 */

/* DWARF's number of a general register or a part of it. */
static int
x86_general(unsigned reg)
{
	static const struct {
		unsigned short reg[4];
		int number;
	} names[] = {
		{ { X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL }, 0 },
		{ { X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL }, 1 },
		{ { X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL }, 2 },
		{ { X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL }, 3 },
		{ { X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL }, 4 },
		{ { X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL }, 5 },
		{ { X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL }, 6 },
		{ { X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL }, 7 },
		{ { X86_REG_AH, X86_REG_AH, X86_REG_AH, X86_REG_AH }, 0 },
		{ { X86_REG_DH, X86_REG_DH, X86_REG_DH, X86_REG_DH }, 1 },
		{ { X86_REG_CH, X86_REG_CH, X86_REG_CH, X86_REG_CH }, 2 },
		{ { X86_REG_BH, X86_REG_BH, X86_REG_BH, X86_REG_BH }, 3 },
	};
	size_t i, j;

	if (reg >= X86_REG_R8 && reg <= X86_REG_R15)
		return 8 + (int)(reg - X86_REG_R8);
	if (reg >= X86_REG_R8D && reg <= X86_REG_R15D)
		return 8 + (int)(reg - X86_REG_R8D);
	if (reg >= X86_REG_R8W && reg <= X86_REG_R15W)
		return 8 + (int)(reg - X86_REG_R8W);
	if (reg >= X86_REG_R8B && reg <= X86_REG_R15B)
		return 8 + (int)(reg - X86_REG_R8B);
	for (i = 0; i < sizeof names / sizeof *names; i++)
		for (j = 0; j < 4; j++)
			if (names[i].reg[j] == reg)
				return names[i].number;
	return GUESS_NOREG;
}

static int
x86_number_of(unsigned reg)
{
	if (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM15)
		return XMM + (int)(reg - X86_REG_XMM0);
	if (reg >= X86_REG_YMM0 && reg <= X86_REG_YMM15)
		return XMM + (int)(reg - X86_REG_YMM0);
	return x86_general(reg);
}

static bool
is_reg(const cs_x86_op *op, unsigned size)
{
	return op->type == X86_OP_REG && op->size == size;
}

static bool
is_mem(const cs_x86_op *op)
{
	return op->type == X86_OP_MEM;
}

static void
x86_mem_of(const cs_x86_op *op, struct guess_step *s)
{
	const x86_op_mem *m = &op->mem;

	s->width = op->size;
	s->mem.disp = m->disp;
	s->mem.known = m->segment == X86_REG_INVALID;
	if (m->base == X86_REG_RIP)
		s->mem.disp = (int64_t)((uint64_t)m->disp + s->next);
	else if (m->base != X86_REG_INVALID)
		s->mem.base = x86_general(m->base);
	if (m->index != X86_REG_INVALID && m->index != X86_REG_RIZ) {
		s->mem.index = x86_general(m->index);
		s->mem.scale = m->scale > 0 ? (unsigned)m->scale : 1;
	}
}

/* Note only the registers and the memory that the instruction writes. */
static void
x86_other(size_t handle, const cs_insn *in, struct guess_step *s)
{
	const cs_x86 *x = &in->detail->x86;
	uint8_t i;

	s->flags = true;
	guess_step_clobber(handle, in, x86_number_of, s);
	for (i = 0; i < x->op_count; i++) {
		if (!is_mem(&x->operands[i]) ||
		    !(x->operands[i].access & CS_AC_WRITE))
			continue;
		s->op = GUESS_OP_STORE;
		x86_mem_of(&x->operands[i], s);
	}
}

/* mov, movq and the moves of vectors; only the low 8 bytes count. */
static bool
x86_move(const cs_x86 *x, struct guess_step *s)
{
	const cs_x86_op *to = &x->operands[0], *from = &x->operands[1];

	if (x->op_count != 2)
		return false;
	if (is_mem(to)) {
		s->op = GUESS_OP_STORE;
		x86_mem_of(to, s);
		if (from->type == X86_OP_REG && from->size >= 8)
			s->src = x86_number_of(from->reg);
		s->constant = from->type == X86_OP_IMM && to->size == 8;
		s->number = s->constant ? from->imm : 0;
		return true;
	}
	/* Writing the low half of a register clears the high half. */
	if (to->type == X86_OP_REG && to->size >= 4 &&
	    from->type == X86_OP_IMM) {
		s->op = GUESS_OP_MOVE;
		s->dst = x86_number_of(to->reg);
		s->constant = true;
		s->number = to->size == 4 ? (int64_t)(uint32_t)from->imm
					  : from->imm;
		return true;
	}
	if (to->type != X86_OP_REG || to->size < 8)
		return false;
	s->dst = x86_number_of(to->reg);
	if (is_mem(from)) {
		s->op = GUESS_OP_LOAD;
		x86_mem_of(from, s);
		return true;
	}
	if (from->type != X86_OP_REG || from->size < 8)
		return false;
	s->op = GUESS_OP_MOVE;
	s->src = x86_number_of(from->reg);
	return true;
}

/* add, sub: a constant, or an index. */
static bool
x86_sum(const cs_x86 *x, bool minus, struct guess_step *s)
{
	const cs_x86_op *to = &x->operands[0], *from = &x->operands[1];

	if (x->op_count == 2 && is_mem(to) && to->size == 8 &&
	    from->type == X86_OP_IMM) {
		s->op = GUESS_OP_COUNT;
		x86_mem_of(to, s);
		s->number = minus ? -from->imm : from->imm;
		s->flags = true;
		return true;
	}
	if (x->op_count != 2 || !is_reg(to, 8))
		return false;
	s->mem.base = s->dst = x86_general(to->reg);
	s->mem.known = true;
	s->flags = true;
	if (from->type == X86_OP_IMM)
		s->mem.disp = minus ? -from->imm : from->imm;
	else if (is_reg(from, 8) && !minus)
		s->mem.index = x86_general(from->reg);
	else
		return false;
	s->op = GUESS_OP_ADDRESS;
	return true;
}

/* imul and shifts to the left, by constants. */
static bool
x86_times(const cs_x86 *x, bool shift, struct guess_step *s)
{
	const cs_x86_op *by = &x->operands[x->op_count ? x->op_count - 1 : 0];

	if (x->op_count < 2 || !is_reg(&x->operands[0], 8) ||
	    by->type != X86_OP_IMM || (shift && (by->imm < 0 || by->imm > 31)))
		return false;
	if (x->op_count == 3 && !is_reg(&x->operands[1], 8))
		return false;
	s->op = GUESS_OP_TIMES;
	s->dst = x86_general(x->operands[0].reg);
	s->src = x86_general(x->operands[x->op_count - 2].reg);
	s->mem.disp = shift ? INT64_C(1) << by->imm : by->imm;
	s->flags = true;
	return true;
}

/* cmov and the like. */
static bool
x86_either(const cs_x86 *x, struct guess_step *s)
{
	if (x->op_count != 2 || !is_reg(&x->operands[0], 8) ||
	    !is_reg(&x->operands[1], 8))
		return false;
	s->op = GUESS_OP_EITHER;
	s->dst = x86_general(x->operands[0].reg);
	s->src = x86_general(x->operands[1].reg);
	return true;
}

/* test r,r and cmp r/m,0. */
static bool
x86_test(const cs_x86 *x, bool compare, struct guess_step *s)
{
	const cs_x86_op *a = &x->operands[0], *b = &x->operands[1];

	if (x->op_count != 2)
		return false;
	if (compare ? b->type != X86_OP_IMM || b->imm != 0
		    : !is_reg(b, 8) || !is_reg(a, 8) || a->reg != b->reg)
		return false;
	if (is_mem(a) && a->size == 8)
		x86_mem_of(a, s);
	else if (is_reg(a, 8))
		s->src = x86_general(a->reg);
	else
		return false;
	s->op = GUESS_OP_TEST;
	return true;
}

static bool
push_pop(const cs_x86 *x, bool push, struct guess_step *s)
{
	const cs_x86_op *op = &x->operands[0];

	if (x->op_count != 1)
		return false;
	if (push) {
		s->op = GUESS_OP_STORE;
		s->src = is_reg(op, 8) ? x86_general(op->reg) : GUESS_NOREG;
		s->mem.disp = -8;
	} else if (is_reg(op, 8)) {
		s->op = GUESS_OP_LOAD;
		s->dst = x86_general(op->reg);
	} else {
		return false;
	}
	s->width = 8;
	s->mem.known = true;
	s->mem.base = 7;
	s->bump_reg = 7;
	s->bump = push ? -8 : 8;
	return true;
}

static void
x86_call(const cs_x86 *x, struct guess_step *s)
{
	const cs_x86_op *op = &x->operands[0];

	s->op = GUESS_OP_CALL;
	s->flags = true;
	if (x->op_count != 1)
		return;
	if (op->type == X86_OP_IMM)
		s->target = (uint64_t)op->imm;
	if (is_mem(op)) {
		x86_mem_of(op, s);
		s->slot = true;
	}
}

static void
jump(const cs_x86 *x, bool always, struct guess_step *s)
{
	const cs_x86_op *op = &x->operands[0];

	s->op = always ? GUESS_OP_JUMP : GUESS_OP_BRANCH;
	if (x->op_count != 1 || op->type != X86_OP_IMM) {
		s->op = GUESS_OP_STOP;
		if (x->op_count == 1 && is_mem(op)) {
			x86_mem_of(op, s);
			s->slot = true;
		}
		return;
	}
	s->target = (uint64_t)op->imm;
}

static bool
is_move(unsigned id)
{
	switch (id) {
	case X86_INS_MOV:
	case X86_INS_MOVQ:
	case X86_INS_MOVAPS:
	case X86_INS_MOVUPS:
	case X86_INS_MOVAPD:
	case X86_INS_MOVUPD:
	case X86_INS_MOVDQA:
	case X86_INS_MOVDQU:
	case X86_INS_MOVLPS:
	case X86_INS_MOVLPD:
	case X86_INS_VMOVQ:
	case X86_INS_VMOVAPS:
	case X86_INS_VMOVUPS:
	case X86_INS_VMOVDQA:
	case X86_INS_VMOVDQU:
		return true;
	default:
		return false;
	}
}

/* Decode jumps, calls and the like.  Returns whether it is one. */
static bool
x86_flow(const cs_insn *in, struct guess_step *s)
{
	const cs_x86 *x = &in->detail->x86;

	switch (in->id) {
	case X86_INS_CALL:
		x86_call(x, s);
		return true;
	case X86_INS_JMP:
		jump(x, true, s);
		return true;
	case X86_INS_RET:
		s->op = GUESS_OP_RETURN;
		return true;
	case X86_INS_UD2:
	case X86_INS_HLT:
	case X86_INS_INT3:
	case X86_INS_SYSENTER:
		s->op = GUESS_OP_STOP;
		return true;
	case X86_INS_JE:
		s->null = GUESS_NULL_TAKEN;
		break;
	case X86_INS_JNE:
		s->null = GUESS_NULL_FALLS;
		break;
	default:
		if (!x->op_count || x->operands[0].type != X86_OP_IMM ||
		    in->id < X86_INS_JAE || in->id > X86_INS_JS)
			return false;
	}
	jump(x, false, s);
	return true;
}

/* Decode other instructions with a known effect.  Returns whether it is one. */
static bool
x86_plain(const cs_insn *in, struct guess_step *s)
{
	const cs_x86 *x = &in->detail->x86;

	if (is_move(in->id))
		return x86_move(x, s);
	switch (in->id) {
	case X86_INS_NOP:
	case X86_INS_ENDBR64:
		return true;
	case X86_INS_LEA:
		if (x->op_count != 2 || !is_reg(&x->operands[0], 8))
			return false;
		s->op = GUESS_OP_ADDRESS;
		s->dst = x86_general(x->operands[0].reg);
		x86_mem_of(&x->operands[1], s);
		return true;
	case X86_INS_ADD:
	case X86_INS_SUB:
		return x86_sum(x, in->id == X86_INS_SUB, s);
	case X86_INS_CMOVA:
	case X86_INS_CMOVAE:
	case X86_INS_CMOVB:
	case X86_INS_CMOVBE:
	case X86_INS_CMOVE:
	case X86_INS_CMOVG:
	case X86_INS_CMOVGE:
	case X86_INS_CMOVL:
	case X86_INS_CMOVLE:
	case X86_INS_CMOVNE:
	case X86_INS_CMOVNS:
	case X86_INS_CMOVS:
		return x86_either(x, s);
	case X86_INS_IMUL:
	case X86_INS_SHL:
	case X86_INS_SAL:
		return x86_times(x, in->id != X86_INS_IMUL, s);
	case X86_INS_TEST:
	case X86_INS_CMP:
		return x86_test(x, in->id == X86_INS_CMP, s);
	case X86_INS_PUSH:
	case X86_INS_POP:
		return push_pop(x, in->id == X86_INS_PUSH, s);
	case X86_INS_PUNPCKLQDQ:
	case X86_INS_MOVHPS:
		/* The low half doesn't change. */
		return x->operands[0].type == X86_OP_REG;
	default:
		return false;
	}
}

const struct guess_decoder guess_step_x86 = { x86_flow, x86_plain, x86_other };
