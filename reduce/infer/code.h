/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The code of a file: its bytes, its frames, and the functions that it calls.
 */
#ifndef MEMMON_REDUCE_GUESS_CODE_H
#define MEMMON_REDUCE_GUESS_CODE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/infer/step.h"

/* The canonical frame address, for code addresses from start to end. */
struct guess_cfa {
	uint64_t start, end;
	bool known;
	int reg;
	int64_t off; /* the frame address is reg + off */
};

struct guess_code {
	Elf *elf;
	enum guess_machine machine;
	Dwarf_CFI *eh;	  /* from .eh_frame; NULL: none, or not yet read */
	Dwarf_CFI *debug; /* from .debug_frame; not owned */
	bool looked;
	/* The first segment of code: its bytes, from `at' on. */
	const unsigned char *bytes;
	uint64_t at;
	size_t size;
	struct guess_cfa cfa; /* for the last address asked for */
};

/*
 * elf: the file that was run; dwarf: its debug information.  Returns whether
 * memmon understands code for this machine.  Call guess_code_fini() only after
 * true.
 */
bool guess_code_init(struct guess_code *c, Elf *elf, Dwarf *dwarf);
void guess_code_fini(struct guess_code *c);

/*
 * The bytes from the address on; *n gets their number.  NULL if there are none.
 */
const unsigned char *guess_code_at(const struct guess_code *c, uint64_t addr,
				   size_t *n);

/* The frame address at pc.  It is valid until the next call. */
const struct guess_cfa *guess_code_cfa(struct guess_code *c, uint64_t pc);

/*
 * The name of the function of another library that is called at the address
 * `target' (a stub), or by the pointer at the address `slot' if target is 0.
 * NULL if it is unknown, or the function is in this file.
 */
const char *guess_code_callee(const struct guess_code *c, uint64_t target,
			      uint64_t slot);

#endif
