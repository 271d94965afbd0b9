/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single instructions of AArch64. */
#include <capstone/capstone.h>

#include "reduce/infer/step.h"

/* DWARF's number of a general register. */
static int
arm64_general(unsigned reg)
{
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return (int)(reg - ARM64_REG_X0);
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
		return (int)(reg - ARM64_REG_W0);
	switch (reg) {
	case ARM64_REG_X29:
		return 29;
	case ARM64_REG_X30:
		return 30;
	case ARM64_REG_SP:
	case ARM64_REG_WSP:
		return 31;
	default:
		return GUESS_NOREG;
	}
}

/* A register of 8 bytes, except the one that is always 0. */
static int
wide(const cs_arm64_op *op)
{
	if (op->type != ARM64_OP_REG ||
	    (op->reg >= ARM64_REG_W0 && op->reg <= ARM64_REG_W30))
		return GUESS_NOREG;
	return arm64_general(op->reg);
}

static bool
is_vector(const cs_arm64_op *op)
{
	return op->type == ARM64_OP_REG &&
	       arm64_general(op->reg) == GUESS_NOREG &&
	       op->reg != ARM64_REG_XZR && op->reg != ARM64_REG_WZR;
}

/* The factor that multiplies the operand's register. */
static unsigned
scale_of(const cs_arm64_op *op)
{
	bool left = op->shift.type == ARM64_SFT_LSL || op->ext;

	return left && op->shift.value < 16 ? 1u << op->shift.value : 1;
}

static void
arm64_mem_of(const cs_arm64_op *op, struct guess_step *s)
{
	s->mem.base = arm64_general(op->mem.base);
	s->mem.disp = op->mem.disp;
	s->mem.known = s->mem.base != GUESS_NOREG;
	if (op->mem.index != ARM64_REG_INVALID) {
		s->mem.index = arm64_general(op->mem.index);
		s->mem.scale = scale_of(op);
	}
}

/* Note only the registers that the instruction writes. */
static void
arm64_other(size_t handle, const cs_insn *in, struct guess_step *s)
{
	const cs_arm64 *x = &in->detail->arm64;

	guess_step_clobber(handle, in, arm64_general, s);
	/* Most instructions write their first operand. */
	if (x->op_count && x->operands[0].type == ARM64_OP_REG &&
	    arm64_general(x->operands[0].reg) != GUESS_NOREG)
		s->clobbers |= UINT64_C(1) << arm64_general(x->operands[0].reg);
	s->flags = x->update_flags;
}

/*
 * Loads and stores of a register at [base, disp] or [base, index], and the two
 * forms that change the base: [base, disp]! and [base], disp.
 */
static bool
memory(const cs_arm64 *x, unsigned pair, bool store, struct guess_step *s)
{
	const cs_arm64_op *op = x->operands, *mem = &op[1 + pair];
	unsigned n = 2 + pair;

	if (x->op_count < n || mem->type != ARM64_OP_MEM)
		return false;
	s->op = store ? GUESS_OP_STORE : GUESS_OP_LOAD;
	arm64_mem_of(mem, s);
	s->width = is_vector(&op[0]) ? 0 : 8u << pair;
	if (store) {
		s->src = wide(&op[0]);
		s->src2 = pair ? wide(&op[1]) : GUESS_NOREG;
	} else {
		s->dst = arm64_general(op[0].type == ARM64_OP_REG ? op[0].reg
								  : 0);
		s->dst2 = pair ? wide(&op[1]) : GUESS_NOREG;
	}
	if (x->op_count > n && op[n].type == ARM64_OP_IMM) {
		s->bump_reg = s->mem.base;
		s->bump = op[n].imm;
	} else if (x->writeback) {
		s->bump_reg = s->mem.base;
		s->bump = s->mem.disp;
	}
	return true;
}

static bool
arm64_sum(const cs_arm64 *x, bool minus, struct guess_step *s)
{
	const cs_arm64_op *op = x->operands;

	if (x->op_count != 3 || wide(&op[0]) == GUESS_NOREG ||
	    wide(&op[1]) == GUESS_NOREG)
		return false;
	s->dst = wide(&op[0]);
	s->mem.base = wide(&op[1]);
	s->mem.known = true;
	if (op[2].type == ARM64_OP_IMM) {
		int64_t by = op[2].imm;

		if (op[2].shift.type == ARM64_SFT_LSL && op[2].shift.value < 32)
			by *= INT64_C(1) << op[2].shift.value;
		s->mem.disp = minus ? -by : by;
	} else if (op[2].type == ARM64_OP_REG && !minus) {
		s->mem.index = arm64_general(op[2].reg);
		s->mem.scale = scale_of(&op[2]);
	} else {
		return false;
	}
	s->op = GUESS_OP_ADDRESS;
	s->flags = x->update_flags;
	return true;
}

static bool
arm64_move(const cs_arm64 *x, struct guess_step *s)
{
	if (x->op_count != 2 || wide(&x->operands[0]) == GUESS_NOREG ||
	    wide(&x->operands[1]) == GUESS_NOREG)
		return false;
	s->op = GUESS_OP_MOVE;
	s->dst = wide(&x->operands[0]);
	s->src = wide(&x->operands[1]);
	return true;
}

/* A shift to the left, by a constant. */
static bool
shift(const cs_arm64 *x, struct guess_step *s)
{
	const cs_arm64_op *op = x->operands;

	if (x->op_count != 3 || wide(&op[0]) == GUESS_NOREG ||
	    wide(&op[1]) == GUESS_NOREG || op[2].type != ARM64_OP_IMM ||
	    op[2].imm < 0 || op[2].imm > 31)
		return false;
	s->op = GUESS_OP_TIMES;
	s->dst = wide(&op[0]);
	s->src = wide(&op[1]);
	s->mem.disp = INT64_C(1) << op[2].imm;
	return true;
}

static bool
arm64_page(const cs_arm64 *x, struct guess_step *s)
{
	if (x->op_count != 2 || x->operands[1].type != ARM64_OP_IMM)
		return false;
	s->op = GUESS_OP_ADDRESS;
	s->dst = arm64_general(x->operands[0].reg);
	s->mem.known = true;
	s->mem.disp = x->operands[1].imm;
	return true;
}

static bool
arm64_test(const cs_arm64 *x, struct guess_step *s)
{
	if (x->op_count != 2 || wide(&x->operands[0]) == GUESS_NOREG ||
	    x->operands[1].type != ARM64_OP_IMM || x->operands[1].imm != 0)
		return false;
	s->op = GUESS_OP_TEST;
	s->src = wide(&x->operands[0]);
	return true;
}

static void
arm64_branch(const cs_arm64 *x, struct guess_step *s)
{
	const cs_arm64_op *last =
		&x->operands[x->op_count ? x->op_count - 1 : 0];

	s->op = GUESS_OP_BRANCH;
	if (!x->op_count || last->type != ARM64_OP_IMM)
		s->op = GUESS_OP_STOP;
	else
		s->target = (uint64_t)last->imm;
}

/* b, b.eq and the like, cbz, cbnz, tbz, tbnz, bl, ret ... */
static bool
arm64_flow(const cs_insn *in, struct guess_step *s)
{
	const cs_arm64 *x = &in->detail->arm64;

	switch (in->id) {
	case ARM64_INS_B:
		arm64_branch(x, s);
		if (s->op != GUESS_OP_BRANCH)
			return true;
		if (x->cc == ARM64_CC_EQ)
			s->null = GUESS_NULL_TAKEN;
		else if (x->cc == ARM64_CC_NE)
			s->null = GUESS_NULL_FALLS;
		else if (x->cc == ARM64_CC_INVALID || x->cc == ARM64_CC_AL)
			s->op = GUESS_OP_JUMP;
		return true;
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
		arm64_branch(x, s);
		s->src = wide(&x->operands[0]);
		s->tests = true;
		s->null = in->id == ARM64_INS_CBZ ? GUESS_NULL_TAKEN
						  : GUESS_NULL_FALLS;
		return true;
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
		arm64_branch(x, s);
		return true;
	case ARM64_INS_BL:
	case ARM64_INS_BLR:
		s->op = GUESS_OP_CALL;
		if (x->op_count && x->operands[0].type == ARM64_OP_IMM)
			s->target = (uint64_t)x->operands[0].imm;
		return true;
	case ARM64_INS_RET:
		s->op = GUESS_OP_RETURN;
		return true;
	case ARM64_INS_BR:
	case ARM64_INS_BRK:
		s->op = GUESS_OP_STOP;
		return true;
	default:
		return false;
	}
}

static bool
arm64_plain(const cs_insn *in, struct guess_step *s)
{
	const cs_arm64 *x = &in->detail->arm64;

	switch (in->id) {
	case ARM64_INS_NOP:
		return true;
	case ARM64_INS_MOV:
		return arm64_move(x, s);
	case ARM64_INS_ADD:
	case ARM64_INS_SUB:
		return arm64_sum(x, in->id == ARM64_INS_SUB, s);
	case ARM64_INS_LSL:
		return shift(x, s);
	case ARM64_INS_ADR:
	case ARM64_INS_ADRP:
		return arm64_page(x, s);
	case ARM64_INS_CMP:
		return arm64_test(x, s);
	case ARM64_INS_LDR:
	case ARM64_INS_LDUR:
		return wide(&x->operands[0]) != GUESS_NOREG &&
		       memory(x, 0, false, s);
	case ARM64_INS_LDP:
		return wide(&x->operands[0]) != GUESS_NOREG &&
		       memory(x, 1, false, s);
	case ARM64_INS_STR:
	case ARM64_INS_STUR:
	case ARM64_INS_STRB:
	case ARM64_INS_STRH:
	case ARM64_INS_STURB:
	case ARM64_INS_STURH:
		return memory(x, 0, true, s);
	case ARM64_INS_STP:
		return memory(x, 1, true, s);
	default:
		return false;
	}
}

const struct guess_decoder guess_step_arm64 = { arm64_flow, arm64_plain,
						arm64_other };
