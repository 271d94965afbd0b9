/* SPDX-License-Identifier: MIT */
/* Call chains: the quick walk and the rules it remembers. */
#include "monitor/unwind.h"

#include <string.h>

#include "monitor/cfi.h"
#include "monitor/modules.h"
#include "monitor/walk.h"

/*
 * A rule in 64 bits, so that one store publishes it:
 *	kind 3 | bp_at_bp 1 | gen 8 | bp slot 12 (signed, / 8) |
 *	cfa offset 24 (signed) | own 1 | tag 15
 * The bp slot is where the caller's frame pointer is saved: offset from the
 * CFA, or from the frame's own bp when bp_at_bp; 0 means that it wasn't changed
 * (bp_at_bp with 0 means at bp itself).
 */
enum kind {
	RULE_NONE,
	RULE_SP,    /* CFA = sp + offset */
	RULE_BP,    /* CFA = bp + offset */
	RULE_DEREF, /* CFA = what is at bp + offset */
	RULE_OUTERMOST,
	RULE_THOROUGH, /* for the thorough walk */
	RULE_STOP      /* no information */
};

struct rule {
	unsigned kind;
	bool bp_at_bp;
	bool own; /* the monitor's: not part of the chain */
	unsigned gen;
	int bp;	 /* bytes */
	int cfa; /* bytes */
};

#define CACHE_BITS 16u
#define KEY_BUSY 1ull

/*
 * Invariant: `rule' belongs to `key' while key isn't KEY_BUSY.  A writer holds
 * KEY_BUSY; the tag in the rule tells a rule that was overwritten between a
 * reader's two loads of the key.
 */
static struct {
	uint64_t key; /* epoch above, address below */
	uint64_t rule;
} cache[1u << CACHE_BITS];

static inline uint64_t
cache_hash(uint64_t key)
{
	return key * 0x9e3779b97f4a7c15ull;
}

static inline uint64_t
rule_pack(const struct rule *r, uint64_t hash)
{
	return (uint64_t)r->kind << 61 | (uint64_t)r->bp_at_bp << 60 |
	       (uint64_t)(r->gen & 0xff) << 52 |
	       ((uint64_t)(r->bp / 8) & 0xfff) << 40 |
	       ((uint64_t)r->cfa & 0xffffff) << 16 | (uint64_t)r->own << 15 |
	       (hash & 0x7fff);
}

static inline struct rule
rule_unpack(uint64_t v)
{
	struct rule r;

	r.kind = (unsigned)(v >> 61);
	r.bp_at_bp = v >> 60 & 1;
	r.gen = v >> 52 & 0xff;
	r.bp = (int)((int64_t)(v << 12) >> 52) * 8;
	r.cfa = (int)((int64_t)(v << 24) >> 40);
	r.own = v >> 15 & 1;
	return r;
}

/* Can the caller's bp be had the quick way? */
static bool
rule_bp(const struct mmi_cfi_row *row, struct rule *r)
{
	const struct mmi_cfi_rule *bp = &row->reg[ARCH_RBP];
	const uint8_t *e;
	uint64_t n;
	int64_t off;

	switch (bp->how) {
	case CFI_SAME:
		return true;
	case CFI_OFFSET:
		r->bp = bp->off;
		return bp->off && bp->off % 8 == 0 && bp->off >= -16384 &&
		       bp->off < 16384;
	case CFI_EXPR: /* gcc's realigned frames: at bp + 0 */
		e = mmi_cfi_expr(row, bp, &n);
		if (n < 2 || e[0] != 0x70 + ARCH_RBP ||
		    mmi_cfi_sleb(e + 1, &off) != e + n || off != 0)
			return false;
		r->bp_at_bp = true;
		return true;
	default:
		return false;
	}
}

/* Can the CFA be had the quick way? */
static bool
rule_cfa(const struct mmi_cfi_row *row, struct rule *r)
{
	const struct mmi_cfi_rule *cfa = &row->cfa;
	const uint8_t *e;
	uint64_t n;
	int64_t off = cfa->off;

	if (cfa->how == CFI_REGISTER) {
		r->kind = cfa->reg == ARCH_RSP	 ? RULE_SP
			  : cfa->reg == ARCH_RBP ? RULE_BP
						 : RULE_THOROUGH;
	} else if (cfa->how == CFI_VAL_EXPR) {
		/* breg6 off; deref */
		e = mmi_cfi_expr(row, cfa, &n);
		if (n < 3 || e[0] != 0x70 + ARCH_RBP || e[n - 1] != 0x06 ||
		    mmi_cfi_sleb(e + 1, &off) != e + n - 1)
			return false;
		r->kind = RULE_DEREF;
	} else {
		return false;
	}
	r->cfa = (int)off;
	return off >= -(1 << 23) && off < 1 << 23;
}

/* The rule for the return address pc, from .eh_frame. */
static COLD struct rule
rule_compute(uintptr_t pc)
{
	struct rule r = { .kind = RULE_STOP };
	struct mmi_object o;
	struct mmi_cfi_row row;

	if (!mmi_modules_find(pc - 1, &o))
		return r;
	r.gen = o.gen;
	r.own = o.own;
	if (!mmi_cfi_find(pc - 1, o.eh_hdr, &row)) {
		/* A signal frame's FDE may start at pc itself. */
		if (mmi_cfi_find(pc, o.eh_hdr, &row) && row.signal)
			r.kind = RULE_THOROUGH;
		else if (o.loader)
			r.kind = RULE_OUTERMOST;
		return r;
	}
	if (row.reg[ARCH_RA].how == CFI_UNDEFINED) {
		r.kind = RULE_OUTERMOST;
		return r;
	}
	if (row.signal || row.reg[ARCH_RA].how != CFI_OFFSET ||
	    row.reg[ARCH_RA].off != -8 || row.reg[ARCH_RSP].how != CFI_SAME ||
	    !rule_cfa(&row, &r) || !rule_bp(&row, &r))
		r.kind = RULE_THOROUGH;
	return r;
}

/* Compute a rule and remember it, unless its place is being written. */
static COLD struct rule
rule_slow(uintptr_t pc, uint64_t key, uint64_t hash)
{
	struct rule r = rule_compute(pc);
	uint64_t *k = &cache[hash >> (64 - CACHE_BITS)].key;
	uint64_t old = LOAD(k);

	if (LOAD(&mmi_modules_closing) || old == KEY_BUSY)
		return r;
	if (!CAS(k, &old, KEY_BUSY))
		return r;
	STORE(&cache[hash >> (64 - CACHE_BITS)].rule, rule_pack(&r, hash));
	STORE_REL(k, key);
	return r;
}

/* Cost: two loads and a multiplication when the rule is remembered. */
static inline struct rule
rule_get(uintptr_t pc, uint64_t epoch)
{
	uint64_t key = (epoch & 0xffff) << ARCH_ADDR_BITS | pc;
	uint64_t hash = cache_hash(key);
	size_t i = hash >> (64 - CACHE_BITS);
	uint64_t v;

	if (LIKELY(LOAD_ACQ(&cache[i].key) == key)) {
		v = LOAD_ACQ(&cache[i].rule);
		if (LIKELY(LOAD(&cache[i].key) == key &&
			   (v & 0x7fff) == (hash & 0x7fff) &&
			   !LOAD(&mmi_modules_closing)))
			return rule_unpack(v);
	}
	return rule_slow(pc, key, hash);
}

/* State of a quick walk. */
struct quick {
	uintptr_t pc, sp, bp;
	uintptr_t hi; /* the stack may be read below this */
};

/* Go to the caller.  False: the thorough walk must have a look. */
static inline bool
quick_step(struct mmi_thread *t, struct quick *q, const struct rule *r)
{
	uintptr_t cfa;

	switch (r->kind) {
	case RULE_SP:
		cfa = q->sp + (uintptr_t)(intptr_t)r->cfa;
		break;
	case RULE_BP:
		cfa = q->bp + (uintptr_t)(intptr_t)r->cfa;
		break;
	case RULE_DEREF:
		cfa = q->bp + (uintptr_t)(intptr_t)r->cfa;
		if (cfa < q->sp || cfa % 8 ||
		    (cfa >= q->hi && !mmi_walk_extend(t, cfa, &q->hi)))
			return false;
		cfa = *(uintptr_t *)cfa;
		break;
	default:
		return false;
	}
	/* Frames lie above one another; only the first may have no size. */
	if (UNLIKELY(cfa <= q->sp || cfa % 8))
		return false;
	if (UNLIKELY(cfa > q->hi && !mmi_walk_extend(t, cfa - 8, &q->hi)))
		return false;
	if (r->bp_at_bp) {
		if (q->bp < q->sp || q->bp >= cfa || q->bp % 8 ||
		    q->hi != t->stack_hi)
			return false;
		q->bp = *(uintptr_t *)q->bp;
	} else if (r->bp) {
		if (r->bp > -8 || cfa + (uintptr_t)(intptr_t)r->bp < q->sp)
			return false;
		/* On a stack that isn't known page by page, one page only. */
		if (UNLIKELY(q->hi != t->stack_hi) &&
		    (cfa - 8) / ARCH_PAGE !=
			    (cfa + (uintptr_t)(intptr_t)r->bp) / ARCH_PAGE)
			return false;
		q->bp = *(uintptr_t *)(cfa + (uintptr_t)(intptr_t)r->bp);
	}
	q->pc = *(uintptr_t *)(cfa - 8);
	q->sp = cfa;
	return true;
}

unsigned
mmi_unwind(struct mmi_thread *t, const struct arch_entry *e,
	   enum mmi_unwind_end *end)
{
	uint64_t epoch = LOAD_ACQ(&mmi_modules_epoch);
	struct quick q = { e->pc, e->sp, e->bp, 0 };
	struct rule r;
	unsigned n = 0;

	q.hi = mmi_walk_bound(t, q.sp);
	*end = UNWIND_WHOLE;
	while (q.pc && q.pc >> ARCH_ADDR_BITS == 0) {
		if (UNLIKELY(n == t->limit)) {
			*end = UNWIND_CUT;
			return n;
		}
		r = rule_get(q.pc, epoch);
		t->chain[n] = q.pc | (uint64_t)r.gen << MMI_KEY_SHIFT;
		n += !r.own;
		if (r.kind == RULE_OUTERMOST)
			return n;
		if (UNLIKELY(r.kind == RULE_STOP)) {
			*end = UNWIND_STOPPED;
			return n;
		}
		if (UNLIKELY(!quick_step(t, &q, &r)))
			return mmi_walk_thorough(t, e, end);
	}
	if (q.pc)
		*end = UNWIND_STOPPED;
	return n;
}
