/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single instructions, reduced to the effects on addresses: moves, loads,
 * stores, sums, calls and branches.  Registers have DWARF's numbers.
 */
#ifndef MEMMON_REDUCE_GUESS_STEP_H
#define MEMMON_REDUCE_GUESS_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GUESS_REGS 40 /* registers below this number are tracked */
#define GUESS_NOREG (-1)

enum guess_machine { GUESS_X86_64, GUESS_AARCH64 };

enum guess_op {
	GUESS_OP_OTHER,   /* only clobbers registers, and perhaps stores */
	GUESS_OP_MOVE,    /* dst = src; src GUESS_NOREG: another value */
	GUESS_OP_ADDRESS, /* dst = the address `mem' */
	GUESS_OP_TIMES,	  /* dst = src * mem.disp */
	GUESS_OP_EITHER,  /* dst = dst or src */
	GUESS_OP_LOAD,    /* dst = *mem */
	GUESS_OP_STORE,   /* *mem = src; src GUESS_NOREG: another value */
	GUESS_OP_COUNT,   /* *mem += number, with 8 bytes */
	GUESS_OP_TEST,    /* src, or *mem, is compared with 0 */
	GUESS_OP_CALL,
	GUESS_OP_JUMP,
	GUESS_OP_BRANCH, /* may go to the target */
	GUESS_OP_RETURN,
	GUESS_OP_STOP /* continues at an unknown address */
};

/* base + index * scale + disp, where parts may be missing. */
struct guess_mem {
	int base;
	int index;
	unsigned scale;
	int64_t disp; /* the whole address without a base */
	bool known;   /* false: an unknown address */
};

/* What a branch says about the value that was tested before it. */
enum guess_null {
	GUESS_NULL_NONE,
	GUESS_NULL_TAKEN, /* it is 0 if the branch is taken */
	GUESS_NULL_FALLS  /* it is 0 if the branch isn't taken */
};

struct guess_step {
	uint64_t pc, next;
	enum guess_op op;
	int dst, src;
	int src2, dst2; /* of a pair: the second register, at mem + 8 */
	struct guess_mem mem;
	unsigned width;	 /* bytes stored, 0: unknown */
	uint64_t target; /* of a call or branch; 0: unknown */
	bool slot;	 /* the call's target is *mem */
	enum guess_null null;
	bool tests;	   /* the branch tests src itself */
	bool flags;	   /* an earlier test is void now */
	bool constant;	   /* the value moved or stored is `number' */
	int64_t number;
	uint64_t clobbers; /* registers, a bit each, except dst */
	int64_t bump;	   /* added to bump_reg at the end */
	int bump_reg;
};

/*
 * Decode the instruction at pc, whose n bytes are at code.  Returns whether
 * there is one; its length is next - pc.
 */
bool guess_step(enum guess_machine m, const unsigned char *code, size_t n,
		uint64_t pc, struct guess_step *s);

/* A decoder for one machine's instructions; handle: of capstone. */
struct cs_insn;
struct guess_decoder {
	/*
	 * flow: is it a jump, a call or the like?  plain: is it another
	 * instruction with a known effect?  If so, *s is filled.
	 */
	bool (*flow)(const struct cs_insn *in, struct guess_step *s);
	bool (*plain)(const struct cs_insn *in, struct guess_step *s);
	/* Decode any other instruction. */
	void (*other)(size_t handle, const struct cs_insn *in,
		      struct guess_step *s);
};
extern const struct guess_decoder guess_step_x86, guess_step_arm64;

/*
 * Note the registers that the instruction writes; number() gives DWARF's
 * number.
 */
void guess_step_clobber(size_t handle, const struct cs_insn *in,
			int (*number)(unsigned reg), struct guess_step *s);

/* The address of the pointer that a call uses; 0 if it isn't fixed. */
uint64_t guess_step_slot(const struct guess_step *s);

/* Registers that called functions may change, a bit each. */
uint64_t guess_step_scratch(enum guess_machine m);

/*
 * The register of a call's i-th argument; GUESS_NOREG if it isn't in a
 * register.
 */
int guess_step_argument(enum guess_machine m, unsigned i);

/* The registers of the result, the stack pointer and the frame pointer. */
int guess_step_result(enum guess_machine m);
int guess_step_stack(enum guess_machine m);
int guess_step_frame(enum guess_machine m);

#endif
