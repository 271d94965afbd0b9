/* SPDX-License-Identifier: MIT */
/*
 * Rules: the way from the frame of a return address to its caller's frame, if
 * the stack pointer and the frame pointer suffice.  Made from .eh_frame once
 * for each address, and stored for all threads.
 */
#ifndef MEMMON_RULES_H
#define MEMMON_RULES_H

#include "monitor/base/internal.h"
#include "monitor/chain/modules.h"

enum mmi_rule_kind {
	RULE_NONE,
	RULE_SP,    /* CFA = sp + offset */
	RULE_BP,    /* CFA = bp + offset */
	RULE_DEREF, /* CFA = the word at bp + offset */
	RULE_OUTERMOST,
	RULE_THOROUGH, /* for the thorough walk */
	RULE_STOP      /* no information */
};

/*
 * A rule in 64 bits, so that one store publishes it:
 *	cfa offset 24 (signed) | bp slot 12 (signed, / 8) | gen 8 | bp_at_bp 1 |
 *	kind 4 | tag 15
 * The bp slot is the place of the caller's frame pointer: offset from the CFA,
 * or from the frame's own bp if bp_at_bp; 0 means that it wasn't changed
 * (bp_at_bp with 0 means at bp itself).
 *
 * If return addresses have no fixed place (no ARCH_RA_AT), the slot is that of
 * the return address, and the other bit says that the caller's frame pointer is
 * right below it.
 */
#define RULE_CFA(v) ((intptr_t)(v) >> 40)
#define RULE_BP_SLOT(v) (((intptr_t)((v) << 24) >> 52) * 8)
#define RULE_BP_MASK (0xfffull << 28)
#define RULE_GEN(v) ((unsigned)((v) >> 20 & 0xff))
#define RULE_BP_AT_BP (1ull << 19)
#define RULE_KIND(v) ((unsigned)((v) >> 15 & 15))
/* Is it one of the first three kinds after RULE_NONE? */
#define RULE_IS_STEP(v) (RULE_KIND(v) - RULE_SP < 3u)
/* Is it RULE_SP? */
#define RULE_IS_SP(v) (((v)&15ull << 15) == (uint64_t)RULE_SP << 15)
/* The upper bits of the key. */
#define RULE_KEY_GEN(v) ((v) << (MMI_KEY_SHIFT - 20) & 0xffull << MMI_KEY_SHIFT)
#define RULE_TAG 0x7fffull

/*
 * For the kinds SP, BP and DEREF.  Is the caller's frame pointer on the stack?
 * Where, in a frame with this frame pointer and CFA?  Does the rule depend on
 * the frame's own frame pointer?  And where is the return address?
 */
#ifdef ARCH_RA_AT
static inline bool
mmi_rules_saves_bp(uint64_t v)
{
	return v & (RULE_BP_AT_BP | RULE_BP_MASK);
}

static inline uintptr_t
mmi_rules_bp_slot(uint64_t v, uintptr_t bp, uintptr_t cfa)
{
	return v & RULE_BP_AT_BP ? bp : cfa + (uintptr_t)RULE_BP_SLOT(v);
}

/* May the bp slot be outside the frame? */
static inline bool
mmi_rules_bp_outside(uint64_t v)
{
	return v & RULE_BP_AT_BP;
}

/* The first two of these for RULE_SP only. */
static inline bool
mmi_rules_sp_saves_bp(uint64_t v)
{
	return v & RULE_BP_MASK;
}

static inline uintptr_t
mmi_rules_sp_bp_slot(uint64_t v, uintptr_t cfa)
{
	return cfa + (uintptr_t)RULE_BP_SLOT(v);
}

static inline bool
mmi_rules_use_bp(uint64_t v)
{
	return RULE_KIND(v) != RULE_SP || v & RULE_BP_AT_BP;
}

static inline uintptr_t
mmi_rules_ra_slot(uint64_t v, uintptr_t cfa)
{
	(void)v;
	return cfa + (uintptr_t)(intptr_t)ARCH_RA_AT;
}
#else
static inline bool
mmi_rules_saves_bp(uint64_t v)
{
	return v & RULE_BP_AT_BP;
}

static inline uintptr_t
mmi_rules_ra_slot(uint64_t v, uintptr_t cfa)
{
	return cfa + (uintptr_t)RULE_BP_SLOT(v);
}

static inline uintptr_t
mmi_rules_bp_slot(uint64_t v, uintptr_t bp, uintptr_t cfa)
{
	(void)bp;
	return mmi_rules_ra_slot(v, cfa) - 8;
}

static inline bool
mmi_rules_bp_outside(uint64_t v)
{
	(void)v;
	return false;
}

static inline bool
mmi_rules_sp_saves_bp(uint64_t v)
{
	return mmi_rules_saves_bp(v);
}

static inline uintptr_t
mmi_rules_sp_bp_slot(uint64_t v, uintptr_t cfa)
{
	return mmi_rules_bp_slot(v, 0, cfa);
}

static inline bool
mmi_rules_use_bp(uint64_t v)
{
	return RULE_KIND(v) != RULE_SP;
}
#endif

#define MMI_RULES_BITS 16u

/*
 * Invariant: `rule' belongs to `key' while key isn't MMI_RULES_BUSY.  A writer
 * sets that.  A rule that was overwritten between a reader's two loads of the
 * key has another tag.
 */
struct mmi_rules_entry {
	uint64_t key; /* epoch above, address below */
	uint64_t rule;
};
#define MMI_RULES_BUSY 1ull
extern struct mmi_rules_entry mmi_rules[1u << MMI_RULES_BITS];

/*
 * The place of a key's rule.  Calls that are near each other in the program
 * have rules near each other, so little code needs few pages; return addresses
 * are two bytes apart or more.
 */
static inline struct mmi_rules_entry *
mmi_rules_at(uint64_t key)
{
	return &mmi_rules[(key >> 1 ^ key >> (MMI_RULES_BITS + 1)) &
			  ((1u << MMI_RULES_BITS) - 1)];
}

/* Keys with the same place have different tags. */
static inline uint64_t
mmi_rules_tag(uint64_t key)
{
	return key >> (MMI_RULES_BITS + 1) & RULE_TAG;
}

/* The upper bits of keys, above the address, for a state of modules.h. */
static inline uint64_t
mmi_rules_epoch(uint64_t state)
{
	return (state >> 16 & 0xffff) << 48;
}

/* Computes the rule, and stores it unless its place is being written. */
uint64_t mmi_rules_slow(uintptr_t pc, uint64_t key, uint64_t state);

/*
 * The rule for the return address pc, below 2^ARCH_ADDR_BITS; state and epoch:
 * see above.  Cost: three loads if it is stored, otherwise some hundred ns.
 * ctx: hook.
 */
static inline uint64_t
mmi_rules_get(uintptr_t pc, uint64_t state, uint64_t epoch)
{
	uint64_t key = epoch | pc, v;
	const struct mmi_rules_entry *e = mmi_rules_at(key);

	if (LIKELY(LOAD_ACQ(&e->key) == key)) {
		v = LOAD_ACQ(&e->rule);
		if (LIKELY(LOAD(&e->key) == key &&
			   (v & RULE_TAG) == mmi_rules_tag(key)))
			return v;
	}
	return mmi_rules_slow(pc, key, state);
}

#endif
