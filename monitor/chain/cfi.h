/* SPDX-License-Identifier: MIT */
/*
 * Call frame information: how to get from one frame to its caller, as the
 * compiler wrote it to .eh_frame (DWARF 5 section 6.4; Linux Standard Base 5.0
 * core, chapter 10.6 for .eh_frame and .eh_frame_hdr).
 */
#ifndef MEMMON_CFI_H
#define MEMMON_CFI_H

#include "monitor/base/internal.h"

enum mmi_cfi_how {
	CFI_SAME,	/* the caller's value is still in the register */
	CFI_UNDEFINED,	/* unknown; return address: outermost frame */
	CFI_OFFSET,	/* in memory at CFA + off */
	CFI_VAL_OFFSET, /* is CFA + off */
	CFI_REGISTER,	/* in register `reg'; CFA: reg + off */
	CFI_EXPR,	/* in memory at the value of an expression */
	CFI_VAL_EXPR	/* is the value of an expression */
};

struct mmi_cfi_rule {
	uint8_t how; /* enum mmi_cfi_how */
	uint8_t reg;
	int32_t off; /* bytes; expressions: from `base' */
};

/* The rules that are valid at one address. */
struct mmi_cfi_row {
	const uint8_t *base; /* base of expressions' offsets */
	bool signal;	     /* a signal frame: its address is exact */
	struct mmi_cfi_rule cfa;
	struct mmi_cfi_rule reg[ARCH_NREG];
};

/*
 * Finds the rules for pc: a return address minus one, or the address itself in
 * a frame that a signal interrupted.  eh_hdr: the .eh_frame_hdr of its library.
 * False if there are no rules or they aren't understood.  ctx: slow;
 * signal-safe.
 */
bool mmi_cfi_find(uintptr_t pc, const uint8_t *eh_hdr, struct mmi_cfi_row *row);

/*
 * The start of the function of pc, by the sorted table of its library; 0: not
 * in the table.  Cost: a binary search.  ctx: slow; signal-safe.
 */
uintptr_t mmi_cfi_function(uintptr_t pc, const uint8_t *eh_hdr);

/* The size in bytes of the function that begins at start; 0: not known. */
uint64_t mmi_cfi_function_size(uintptr_t start, const uint8_t *eh_hdr);

/*
 * The length and the bytes of an expression, for its evaluation.  Returns its
 * start; *n: its length in bytes.
 */
const uint8_t *mmi_cfi_expr(const struct mmi_cfi_row *row,
			    const struct mmi_cfi_rule *r, uint64_t *n);

/* Read LEB128 numbers; return the address of the byte after.  ctx: any. */
const uint8_t *mmi_cfi_uleb(const uint8_t *p, uint64_t *v);
const uint8_t *mmi_cfi_sleb(const uint8_t *p, int64_t *v);

#endif
