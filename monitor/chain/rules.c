/* SPDX-License-Identifier: MIT */
/* Rules: made from .eh_frame, and stored. */
#include "monitor/chain/rules.h"

#include "monitor/base/table.h"
#include "monitor/chain/cfi.h"
#include "monitor/chain/generated.h"
#include "monitor/chain/walk.h"

MMI_TABLE struct mmi_rules_entry mmi_rules[1u << MMI_RULES_BITS];

/* An unpacked rule. */
struct rule {
	unsigned kind;
	bool bp_at_bp;
	bool nowhere; /* in no library */
	unsigned gen;
	int bp;	 /* bytes */
	int cfa; /* bytes */
};

static uint64_t
rule_pack(const struct rule *r, uint64_t key)
{
	return ((uint64_t)r->cfa & 0xffffff) << 40 |
	       ((uint64_t)(r->bp / 8) & 0xfff) << 28 |
	       (uint64_t)(r->gen & 0xff) << 20 |
	       (r->bp_at_bp ? RULE_BP_AT_BP : 0) | (uint64_t)r->kind << 15 |
	       mmi_rules_tag(key);
}

#ifdef ARCH_RA_AT
/* Can the quick walk find the return address and the caller's bp? */
static bool
rule_slots(const struct mmi_cfi_row *row, struct rule *r)
{
	const struct mmi_cfi_rule *bp = &row->reg[ARCH_FP];
	const uint8_t *e;
	uint64_t n;
	int64_t off;

	if (row->reg[ARCH_RA].off != ARCH_RA_AT)
		return false;
	switch (bp->how) {
	case CFI_SAME:
		return true;
	case CFI_OFFSET:
		r->bp = bp->off;
		return bp->off && bp->off % 8 == 0 && bp->off >= -16384 &&
		       bp->off < 16384;
	case CFI_EXPR: /* gcc's realigned frames: at bp + 0 */
		e = mmi_cfi_expr(row, bp, &n);
		if (n < 2 || e[0] != 0x70 + ARCH_FP ||
		    mmi_cfi_sleb(e + 1, &off) != e + n || off != 0)
			return false;
		r->bp_at_bp = true;
		return true;
	default:
		return false;
	}
}

/* Does a step by the stack pointer read only in the frame? */
static bool
rule_within(const struct rule *r)
{
	return r->cfa >= 8 && r->cfa % 8 == 0 && !r->bp_at_bp &&
	       (!r->bp || (r->bp <= -8 && r->bp >= -r->cfa));
}
#else
static bool
rule_slots(const struct mmi_cfi_row *row, struct rule *r)
{
	const struct mmi_cfi_rule *bp = &row->reg[ARCH_FP];
	int at = row->reg[ARCH_RA].off;

	r->bp = at;
	r->bp_at_bp = bp->how == CFI_OFFSET;
	return at <= -8 && at % 8 == 0 && at >= -16384 &&
	       (bp->how == CFI_SAME || (r->bp_at_bp && bp->off == at - 8));
}

static bool
rule_within(const struct rule *r)
{
	return r->cfa % 8 == 0 && r->bp - (r->bp_at_bp ? 8 : 0) >= -r->cfa;
}
#endif

/* Can the quick walk find the CFA? */
static bool
rule_cfa(const struct mmi_cfi_row *row, struct rule *r)
{
	const struct mmi_cfi_rule *cfa = &row->cfa;
	const uint8_t *e;
	uint64_t n;
	int64_t off = cfa->off;

	if (cfa->how == CFI_REGISTER) {
		r->kind = cfa->reg == ARCH_SP	 ? RULE_SP
			  : cfa->reg == ARCH_FP ? RULE_BP
						: RULE_THOROUGH;
	} else if (cfa->how == CFI_VAL_EXPR) {
		/* breg6 off; deref */
		e = mmi_cfi_expr(row, cfa, &n);
		if (n < 3 || e[0] != 0x70 + ARCH_FP || e[n - 1] != 0x06 ||
		    mmi_cfi_sleb(e + 1, &off) != e + n - 1)
			return false;
		r->kind = RULE_DEREF;
	} else {
		return false;
	}
	r->cfa = (int)off;
	return off >= -(1 << 23) && off < 1 << 23;
}

/*
 * Code without tables: generated code that is listed keeps frame pointers, and
 * so does the code between it and other code.
 */
static struct rule
rule_of_generated(uintptr_t pc, struct rule r)
{
	if (mmi_generated_any() && (!r.nowhere || mmi_generated_near(pc))) {
		r.kind = RULE_BP;
		r.cfa = 16;
		r.bp = -16;
	}
	return r;
}

/* The rule for the return address pc, from .eh_frame. */
static COLD struct rule
rule_compute(uintptr_t pc)
{
	struct rule r = { .kind = RULE_STOP };
	struct mmi_object o;
	struct mmi_cfi_row row;

	if (!mmi_modules_find(pc - 1, &o)) {
		r.nowhere = true;
		r.gen = mmi_generated_gen(pc);
		if (!mmi_walk_sigreturn(pc))
			return rule_of_generated(pc, r);
		r.kind = RULE_THOROUGH;
		return r;
	}
	r.gen = o.own ? MMI_GEN_OWN : o.gen;
	if (!mmi_cfi_find(pc - 1, o.eh_hdr, &row)) {
		/* A signal frame's FDE may start at pc itself. */
		if ((mmi_cfi_find(pc, o.eh_hdr, &row) && row.signal) ||
		    mmi_walk_sigreturn(pc))
			r.kind = RULE_THOROUGH;
		else if (o.loader)
			r.kind = RULE_OUTERMOST;
		else {
			/* If no call path gets beyond this, none may be known
			 * yet. */
			if (!mmi_generated_any())
				mmi_generated_gen(pc);
			r = rule_of_generated(pc, r);
		}
		return r;
	}
	if (row.reg[ARCH_RA].how == CFI_UNDEFINED) {
		r.kind = RULE_OUTERMOST;
		return r;
	}
	if (row.signal || row.reg[ARCH_RA].how != CFI_OFFSET ||
	    row.reg[ARCH_SP].how != CFI_SAME || !rule_cfa(&row, &r) ||
	    !rule_slots(&row, &r))
		r.kind = RULE_THOROUGH;
	/* The walk doesn't check these slots. */
	if (r.kind == RULE_SP && !rule_within(&r))
		r.kind = RULE_THOROUGH;
	return r;
}

COLD void
mmi_modules_wrapped(void)
{
	for (size_t i = 0; i < 1u << MMI_RULES_BITS; i++) {
		uint64_t key = LOAD(&mmi_rules[i].key);

		if (key && key != MMI_RULES_BUSY)
			CAS(&mmi_rules[i].key, &key, 0);
	}
}

COLD uint64_t
mmi_rules_slow(uintptr_t pc, uint64_t key, uint64_t state)
{
	struct rule r = rule_compute(pc);
	uint64_t v = rule_pack(&r, key);
	struct mmi_rules_entry *e = mmi_rules_at(key);
	uint64_t old = LOAD(&e->key);

	/*
	 * Code in no library may be in a library next time, without notice; and
	 * code without tables may be called by generated code.
	 */
	if (r.nowhere || (r.kind == RULE_STOP && !mmi_generated_any()))
		return v;
	if (LOAD(&mmi_modules_state) != state || old == MMI_RULES_BUSY ||
	    !CAS(&e->key, &old, MMI_RULES_BUSY))
		return v;
	STORE(&e->rule, v);
	STORE_REL(&e->key, key);
	return v;
}
