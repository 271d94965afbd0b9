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
	CFI_UNDEFINED,	/* not known; of the return address: outermost */
	CFI_OFFSET,	/* in memory at CFA + off */
	CFI_VAL_OFFSET, /* is CFA + off */
	CFI_REGISTER,	/* in register `reg'; of the CFA: reg + off */
	CFI_EXPR,	/* in memory at the value of an expression */
	CFI_VAL_EXPR	/* is the value of an expression */
};

struct mmi_cfi_rule {
	uint8_t how; /* enum mmi_cfi_how */
	uint8_t reg;
	int32_t off; /* bytes; of an expression: from `base' */
};

/* The rules that hold at one address. */
struct mmi_cfi_row {
	const uint8_t *base; /* what expressions' offsets start from */
	bool signal;	     /* a signal frame: its address is exact */
	struct mmi_cfi_rule cfa;
	struct mmi_cfi_rule reg[ARCH_NREG];
};

/*
 * Find the rules for pc: a return address minus one, or the address itself in a
 * frame that a signal interrupted.  eh_hdr: the .eh_frame_hdr of its module.
 * False when there are none or they aren't understood.  ctx: slow; signal-safe.
 */
bool mmi_cfi_find(uintptr_t pc, const uint8_t *eh_hdr, struct mmi_cfi_row *row);

/*
 * Where the function of pc begins, as the sorted table of its module has it; 0:
 * it has none.  Cost: a binary search.  ctx: slow; signal-safe.
 */
uintptr_t mmi_cfi_function(uintptr_t pc, const uint8_t *eh_hdr);

/* How many bytes has the function that begins at start?  0: not known. */
uint64_t mmi_cfi_function_size(uintptr_t start, const uint8_t *eh_hdr);

/*
 * An expression as its length and its bytes, for those who evaluate it.
 * Returns its start; *n gets its length in bytes.
 */
const uint8_t *mmi_cfi_expr(const struct mmi_cfi_row *row,
			    const struct mmi_cfi_rule *r, uint64_t *n);

/* LEB128 numbers; each returns the byte after.  ctx: any. */
const uint8_t *mmi_cfi_uleb(const uint8_t *p, uint64_t *v);
const uint8_t *mmi_cfi_sleb(const uint8_t *p, int64_t *v);

#endif
