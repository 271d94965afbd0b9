/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single instructions, put as far as it matters where an address goes: moves,
 * loads, stores, sums, calls and branches.  Registers go by DWARF's numbers.
 */
#ifndef MEMMON_REDUCE_GUESS_STEP_H
#define MEMMON_REDUCE_GUESS_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GUESS_REGS 40 /* numbers below it are told apart */
#define GUESS_NOREG (-1)

enum guess_machine { GUESS_X86_64, GUESS_AARCH64 };

enum guess_op {
	GUESS_OP_OTHER,   /* nothing but what it clobbers, and stores perhaps */
	GUESS_OP_MOVE,    /* dst = src, or GUESS_NOREG: something else */
	GUESS_OP_ADDRESS, /* dst = the address `mem' */
	GUESS_OP_TIMES,	  /* dst = src * mem.disp */
	GUESS_OP_EITHER,  /* dst = dst or src */
	GUESS_OP_LOAD,    /* dst = what is there */
	GUESS_OP_STORE,   /* src, or GUESS_NOREG: something else, goes there */
	GUESS_OP_COUNT,   /* what is there, of 8 bytes, += number */
	GUESS_OP_TEST,    /* src, or what is at mem, is compared with 0 */
	GUESS_OP_CALL,
	GUESS_OP_JUMP,
	GUESS_OP_BRANCH, /* perhaps to the target */
	GUESS_OP_RETURN,
	GUESS_OP_STOP /* where it goes on isn't known */
};

/* base + index * scale + disp, each part or none of them. */
struct guess_mem {
	int base;
	int index;
	unsigned scale;
	int64_t disp; /* the address, when there is no base */
	bool known;   /* false: an address nothing is known of */
};

/* What a branch tells of the value tested before it. */
enum guess_null {
	GUESS_NULL_NONE,
	GUESS_NULL_TAKEN, /* it is 0 where the branch is taken */
	GUESS_NULL_FALLS  /* it is 0 where it isn't */
};

struct guess_step {
	uint64_t pc, next;
	enum guess_op op;
	int dst, src;
	int src2, dst2; /* of pairs: the second one, 8 bytes on */
	struct guess_mem mem;
	unsigned width;	 /* bytes stored, 0 unknown */
	uint64_t target; /* of a call or branch; 0 unknown */
	bool slot;	 /* the target of the call is what is at mem */
	enum guess_null null;
	bool tests;	   /* a branch that does the test of src itself */
	bool flags;	   /* what was tested before is gone */
	bool constant;	   /* what moves or is stored is `number' */
	int64_t number;
	uint64_t clobbers; /* registers, a bit each, but dst */
	int64_t bump;	   /* added to bump_reg behind all else */
	int bump_reg;
};

/*
 * The instruction at pc, whose n bytes are at code.  Returns whether there is
 * one; its length is next - pc.
 */
bool guess_step(enum guess_machine m, const unsigned char *code, size_t n,
		uint64_t pc, struct guess_step *s);

/* How one machine's instructions are put, of a handle of capstone's. */
struct cs_insn;
struct guess_decoder {
	/* Is it a jump, a call and the like; or else one whose effect is told?
	 * Then *s has it. */
	bool (*flow)(const struct cs_insn *in, struct guess_step *s);
	bool (*plain)(const struct cs_insn *in, struct guess_step *s);
	/* Any other one. */
	void (*other)(size_t handle, const struct cs_insn *in,
		      struct guess_step *s);
};
extern const struct guess_decoder guess_step_x86, guess_step_arm64;

/* Note the registers that it writes, by number. */
void guess_step_clobber(size_t handle, const struct cs_insn *in,
			int (*number)(unsigned reg), struct guess_step *s);

/* The address of the pointer that a call goes by; 0: it isn't fixed. */
uint64_t guess_step_slot(const struct guess_step *s);

/* Registers that calls of functions don't keep, a bit each. */
uint64_t guess_step_scratch(enum guess_machine m);

/* Where a call's i-th argument is; GUESS_NOREG: not in a register. */
int guess_step_argument(enum guess_machine m, unsigned i);

/* Where results, the stack pointer and the frame pointer are. */
int guess_step_result(enum guess_machine m);
int guess_step_stack(enum guess_machine m);
int guess_step_frame(enum guess_machine m);

#endif
