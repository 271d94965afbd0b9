/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single instructions: code for all machines. */
#include <capstone/capstone.h>

#include "reduce/infer/step.h"

/* A disassembler, kept for later calls. */
struct disassembler {
	csh handle;
	cs_insn *in;
	bool failed;
};

static struct disassembler disassemblers[2];

static struct disassembler *
disassembler_of(enum guess_machine m)
{
	struct disassembler *d = &disassemblers[m == GUESS_AARCH64];
	cs_err bad;

	if (d->in || d->failed)
		return d->failed ? NULL : d;
	d->failed = true;
	bad = m == GUESS_AARCH64
		      ? cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &d->handle)
		      : cs_open(CS_ARCH_X86, CS_MODE_64, &d->handle);
	if (bad != CS_ERR_OK)
		return NULL;
	cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	d->in = cs_malloc(d->handle);
	d->failed = !d->in;
	return d->in ? d : NULL;
}

void
guess_step_clobber(size_t handle, const struct cs_insn *in,
		   int (*number)(unsigned reg), struct guess_step *s)
{
	cs_regs read, write;
	uint8_t nread, nwrite, i;
	int n;

	if (cs_regs_access(handle, in, read, &nread, write, &nwrite) != 0)
		return;
	for (i = 0; i < nwrite; i++) {
		n = number(write[i]);
		if (n != GUESS_NOREG)
			s->clobbers |= UINT64_C(1) << n;
	}
}

bool
guess_step(enum guess_machine m, const unsigned char *code, size_t n,
	   uint64_t pc, struct guess_step *s)
{
	const struct guess_decoder *of =
		m == GUESS_AARCH64 ? &guess_step_arm64 : &guess_step_x86;
	struct disassembler *d = disassembler_of(m);
	struct guess_step blank;
	uint64_t at = pc;

	*s = (struct guess_step){ .pc = pc,
				  .dst = GUESS_NOREG,
				  .src = GUESS_NOREG,
				  .src2 = GUESS_NOREG,
				  .dst2 = GUESS_NOREG,
				  .bump_reg = GUESS_NOREG };
	s->mem.base = s->mem.index = GUESS_NOREG;
	s->mem.scale = 1;
	if (!d || !cs_disasm_iter(d->handle, &code, &n, &at, d->in))
		return false;
	s->next = at;
	blank = *s;
	if (of->flow(d->in, s) || of->plain(d->in, s))
		return true;
	*s = blank;
	of->other(d->handle, d->in, s);
	return true;
}

uint64_t
guess_step_slot(const struct guess_step *s)
{
	return s->slot && s->mem.base == GUESS_NOREG &&
			       s->mem.index == GUESS_NOREG
		       ? (uint64_t)s->mem.disp
		       : 0;
}

uint64_t
guess_step_scratch(enum guess_machine m)
{
	/* x0 to x18, x30; all except rbx, rbp, rsp, r12 to r15. */
	return m == GUESS_AARCH64 ? UINT64_C(0x4007ffff) : ~UINT64_C(0xf0c8);
}

int
guess_step_argument(enum guess_machine m, unsigned i)
{
	static const int x86[] = { 5, 4, 1, 2, 8, 9 };

	if (m == GUESS_AARCH64)
		return i < 8 ? (int)i : GUESS_NOREG;
	return i < sizeof x86 / sizeof *x86 ? x86[i] : GUESS_NOREG;
}

int
guess_step_result(enum guess_machine m)
{
	(void)m;
	return 0;
}

int
guess_step_stack(enum guess_machine m)
{
	return m == GUESS_AARCH64 ? 31 : 7;
}

int
guess_step_frame(enum guess_machine m)
{
	return m == GUESS_AARCH64 ? 29 : 6;
}
