/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of a file: its bytes, where its frames are, whom it calls. */
#ifndef MEMMON_REDUCE_GUESS_CODE_H
#define MEMMON_REDUCE_GUESS_CODE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/guess/step.h"

/* Where the canonical frame address is, at addresses from start to end. */
struct guess_cfa {
	uint64_t start, end;
	bool known;
	int reg;
	int64_t off; /* it is reg + off */
};

struct guess_code {
	Elf *elf;
	enum guess_machine machine;
	Dwarf_CFI *eh;	  /* of .eh_frame; NULL: none, or not looked for */
	Dwarf_CFI *debug; /* of .debug_frame; not owned */
	bool looked;
	/* The first segment of code: its bytes, from `at' on. */
	const unsigned char *bytes;
	uint64_t at;
	size_t size;
	struct guess_cfa cfa; /* the last one asked for */
};

/*
 * elf: the file that was run; dwarf: its debug information.  Returns whether
 * it is for a machine whose code is understood; fini after true only.
 */
bool guess_code_init(struct guess_code *c, Elf *elf, Dwarf *dwarf);
void guess_code_fini(struct guess_code *c);

/* The bytes from the address on, *n of them; NULL: none. */
const unsigned char *guess_code_at(const struct guess_code *c, uint64_t addr,
				   size_t *n);

/* The frame address at pc; it lives until the next call. */
const struct guess_cfa *guess_code_cfa(struct guess_code *c, uint64_t pc);

/*
 * The name of the function of another module that is called by way of the
 * address `target' (a stub) or of the pointer at the address `slot'; 0: not
 * by that.  NULL: it isn't known, or no such function.
 */
const char *guess_code_callee(const struct guess_code *c, uint64_t target,
			      uint64_t slot);

#endif
