/* SPDX-License-Identifier: MIT */
/* The thorough walk: interprets .eh_frame at every frame. */
#include "monitor/chain/walk.h"

#include <string.h>
#include <unistd.h>

#include "monitor/base/peek.h"
#include "monitor/chain/cfi.h"
#include "monitor/chain/expr.h"
#include "monitor/chain/generated.h"
#include "monitor/chain/modules.h"

/* No stack is longer than this. */
#define STACK_MAX ((uintptr_t)1 << 30)

extern void *__libc_stack_end; /* the main thread's; the loader sets it */

static COLD void
stack_find(struct mmi_thread *t)
{
	t->stack_hi = ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0) ==
				      ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0)
			      ? (uintptr_t)__libc_stack_end
			      : arch_tcb();
	t->stack_lo = t->stack_hi & ~(uintptr_t)(ARCH_PAGE - 1);
}

/*
 * sp is below the known part of the thread's own stack.  Is it on that stack?
 * Only if all pages between are readable.  Each page is checked once.
 */
static COLD bool
stack_grow(struct mmi_thread *t, uintptr_t sp)
{
	uintptr_t page = sp & ~(uintptr_t)(ARCH_PAGE - 1);

	if (sp < t->stack_gap || t->stack_hi - sp >= STACK_MAX)
		return false;
	while (t->stack_lo > page) {
		if (!mmi_peek_word(t->stack_lo - ARCH_PAGE)) {
			t->stack_gap = t->stack_lo;
			return false;
		}
		t->stack_lo -= ARCH_PAGE;
	}
	return true;
}

uintptr_t
mmi_walk_bound(struct mmi_thread *t, uintptr_t sp)
{
	if (UNLIKELY(!t->stack_hi))
		stack_find(t);
	if (LIKELY(sp < t->stack_hi &&
		   (sp >= t->stack_lo || stack_grow(t, sp))))
		return t->stack_hi;
	return (sp | (ARCH_PAGE - 1)) + 1;
}

bool
mmi_walk_extend(struct mmi_thread *t, uintptr_t addr, uintptr_t *hi)
{
	if (*hi == t->stack_hi || addr % 8 || addr < *hi ||
	    !mmi_peek_word(addr))
		return false;
	*hi = (addr | (ARCH_PAGE - 1)) + 1;
	return true;
}

/* The state of a thorough walk. */
struct walk {
	uintptr_t reg[ARCH_NREG];
	uint32_t valid;
	uintptr_t pc;
	uintptr_t lo, hi; /* memory known to be readable */
	bool exact;	  /* a signal interrupted at pc: no return address */
};

/* Makes [addr, addr + 8) readable; false: it isn't readable. */
static bool
walk_read(void *arg, uintptr_t addr, uint64_t *v)
{
	struct walk *w = arg;
	uintptr_t page = addr & ~(uintptr_t)(ARCH_PAGE - 1);

	if (addr % 8)
		return false;
	if (addr < w->lo || addr >= w->hi) {
		if (!mmi_peek_word(addr))
			return false;
		w->lo = page;
		w->hi = page + ARCH_PAGE;
	}
	*v = *(const uint64_t *)addr;
	return true;
}

static bool
walk_expr(struct walk *w, const struct mmi_cfi_row *row,
	  const struct mmi_cfi_rule *r, const uintptr_t *cfa, uint64_t *v)
{
	const uint8_t *p;
	uint64_t n;

	p = mmi_cfi_expr(row, r, &n);
	return mmi_expr_eval(p, n, w->reg, w->valid, cfa, walk_read, w, v);
}

static bool
walk_cfa(struct walk *w, const struct mmi_cfi_row *row, uintptr_t *cfa)
{
	uint64_t v;

	if (row->cfa.how == CFI_REGISTER) {
		if (row->cfa.reg >= ARCH_NREG ||
		    !(w->valid & 1u << row->cfa.reg))
			return false;
		*cfa = w->reg[row->cfa.reg] + (uintptr_t)(intptr_t)row->cfa.off;
		return true;
	}
	if (row->cfa.how != CFI_VAL_EXPR ||
	    !walk_expr(w, row, &row->cfa, NULL, &v))
		return false;
	*cfa = v;
	return true;
}

/* The caller's value of register i; false: not known. */
static bool
walk_register(struct walk *w, const struct mmi_cfi_row *row, unsigned i,
	      uintptr_t cfa, uint64_t *v)
{
	const struct mmi_cfi_rule *r = &row->reg[i];

	switch (r->how) {
	case CFI_SAME:
		*v = i == ARCH_SP ? cfa : w->reg[i];
		return i == ARCH_SP || (w->valid & 1u << i);
	case CFI_OFFSET:
		return walk_read(w, cfa + (uintptr_t)(intptr_t)r->off, v);
	case CFI_VAL_OFFSET:
		*v = cfa + (uintptr_t)(intptr_t)r->off;
		return true;
	case CFI_REGISTER:
		if (r->reg >= ARCH_NREG || !(w->valid & 1u << r->reg))
			return false;
		*v = w->reg[r->reg];
		return true;
	case CFI_EXPR:
		return walk_expr(w, row, r, &cfa, v) && walk_read(w, *v, v);
	case CFI_VAL_EXPR:
		return walk_expr(w, row, r, &cfa, v);
	default:
		return false;
	}
}

/* Goes to the caller. */
static bool
walk_step(struct walk *w, const struct mmi_cfi_row *row)
{
	uintptr_t caller[ARCH_NREG], cfa;
	uint32_t valid = 0;
	uint64_t v;

	if (!walk_cfa(w, row, &cfa))
		return false;
	for (unsigned i = 0; i < ARCH_NREG; i++)
		if (walk_register(w, row, i, cfa, &v)) {
			caller[i] = v;
			valid |= 1u << i;
		}
	if (!(valid & 1u << ARCH_RA) || !(valid & 1u << ARCH_SP))
		return false;
	/*
	 * Only a signal frame may lead to any other stack; code that a signal
	 * has interrupted may have nothing on the stack.
	 */
	if (!row->signal && caller[ARCH_SP] <= w->reg[ARCH_SP] &&
	    !(w->exact && row->reg[ARCH_RA].how == CFI_SAME &&
	      caller[ARCH_SP] == w->reg[ARCH_SP]))
		return false;
	for (unsigned i = 0; i < ARCH_NREG; i++)
		w->reg[i] = valid & 1u << i ? caller[i] : 0;
	w->valid = valid;
	w->exact = row->signal;
	w->pc = arch_strip(caller[ARCH_RA]);
	return true;
}

#ifdef ARCH_SIGRETURN
bool
mmi_walk_sigreturn(uintptr_t pc)
{
	uint64_t code;

	if (pc % 4 || !mmi_peek_word(pc & ~(uintptr_t)7) ||
	    !mmi_peek_word((pc + 4) & ~(uintptr_t)7))
		return false;
	memcpy(&code, (const void *)pc, sizeof(code));
	return code == ARCH_SIGRETURN;
}

/* Leaves a handler: reads the registers that the kernel saved. */
static bool
walk_signal(struct walk *w)
{
	uintptr_t at = w->reg[ARCH_SP] + ARCH_SIGNAL_REGISTERS;
	uint64_t v;

	if (!mmi_walk_sigreturn(w->pc))
		return false;
	for (unsigned i = 0; i < ARCH_NREG; i++) {
		if (!walk_read(w, at + 8 * i, &v))
			return false;
		w->reg[i] = v;
	}
	if (!walk_read(w, at + 8 * ARCH_NREG, &v))
		return false;
	w->pc = v;
	w->valid = ~0u;
	w->exact = true;
	return true;
}
#else
static bool
walk_signal(struct walk *w)
{
	(void)w;
	return false;
}
#endif

/*
 * The rules at the frame; *key: its key on the call path.  False: there are no
 * rules, and the call path ends here, in the regular way if *outermost.
 */
static bool
walk_row(struct walk *w, struct mmi_cfi_row *row, uint64_t *key,
	 bool *outermost, bool *own)
{
	uintptr_t pc = w->pc;
	struct mmi_object o;

	/* Call paths have return addresses: one more than the executed
	 * address. */
	*key = pc + w->exact;
	*own = false;
	if (!mmi_modules_find(*key - 1, &o)) {
		*key |= (uint64_t)mmi_generated_gen(*key) << MMI_KEY_SHIFT;
		return false;
	}
	*own = o.own;
	*key |= (uint64_t)o.gen << MMI_KEY_SHIFT;
	if (mmi_cfi_find(pc - !w->exact, o.eh_hdr, row)) {
		*outermost = row->reg[ARCH_RA].how == CFI_UNDEFINED;
		return true;
	}
	/* A signal frame's trampoline is returned to at its start. */
	if (!w->exact && mmi_cfi_find(pc, o.eh_hdr, row) && row->signal)
		return true;
	*outermost = o.loader;
	return false;
}

/* Starts at a frame further out: only these of its registers are known. */
static void
walk_from(struct walk *w, const struct arch_entry *e)
{
	w->exact = false;
	w->pc = e->pc;
	w->reg[ARCH_SP] = e->sp;
	w->reg[ARCH_FP] = e->bp;
	w->valid = 1u << ARCH_SP | 1u << ARCH_FP;
}

unsigned __attribute__((noinline))
mmi_walk_thorough(struct mmi_thread *t, const struct arch_entry *e,
		  unsigned *why)
{
	struct walk w = { .exact = true };
	struct mmi_cfi_row row;
	bool outermost = false, ours = !t->apart, own, found;
	uint64_t key;
	unsigned n = 0;

	if (ours)
		arch_registers(w.reg, &w.valid, &w.pc);
	else
		walk_from(&w, e);
	w.lo = w.reg[ARCH_SP];
	w.hi = mmi_walk_bound(t, w.lo);
	*why = 0;
	t->end_sp = e->sp;
	t->nfresh = t->nmet = 0;
	while (w.pc) {
		/* Our own frames are below the frame of the hook's caller. */
		if (ours && w.reg[ARCH_SP] >= e->sp) {
			if (w.reg[ARCH_SP] != e->sp)
				break;
			ours = false;
			w.pc = e->pc;
			w.exact = false;
		}
		if (!ours && n == t->limit) {
			*why = MONOUT_PC_CUT;
			return n;
		}
		if (w.pc >> ARCH_ADDR_BITS)
			break;
		found = walk_row(&w, &row, &key, &outermost, &own);
		if (!ours && !own) {
			t->chain[n++] = key;
			t->end_sp = w.reg[ARCH_SP];
		}
		if (outermost)
			return n;
		if ((!found || row.signal) && walk_signal(&w))
			continue;
		if (!found || !walk_step(&w, &row))
			break;
	}
	if (w.pc)
		*why = MONOUT_PC_STOPPED;
	if (!n)
		t->chain[n++] = e->pc;
	return n;
}

#define FRAMES_ASKED 64u

static void
walk_frames(struct walk *w, unsigned most,
	    bool (*f)(const struct mmi_walk_frame *f, void *arg), void *arg)
{
	bool outermost = false, found = true;
	struct mmi_walk_frame frame;
	struct mmi_cfi_row row;
	uint64_t key;

	for (unsigned n = 0; n < most && w->pc; n++) {
		if (w->pc >> ARCH_ADDR_BITS)
			return;
		found = walk_row(w, &row, &key, &outermost, &frame.own);
		frame.pc = w->pc - !w->exact;
		frame.sp = w->reg[ARCH_SP];
		frame.row = found ? &row : NULL;
		frame.signal = found ? row.signal : mmi_walk_sigreturn(w->pc);
		if (!f(&frame, arg) || outermost)
			return;
		if ((!found || row.signal) && walk_signal(w))
			continue;
		if (!found || !walk_step(w, &row))
			return;
	}
}

COLD void
mmi_walk_frames(const struct arch_entry *e,
		bool (*f)(const struct mmi_walk_frame *f, void *arg), void *arg)
{
	struct walk w = { .exact = false };

	walk_from(&w, e);
	walk_frames(&w, FRAMES_ASKED, f, arg);
}

COLD void
mmi_walk_thread(const struct mmi_walk_at *at, unsigned most,
		bool (*f)(const struct mmi_walk_frame *f, void *arg), void *arg)
{
	struct walk w = { .exact = true, .pc = at->pc, .valid = at->valid };

	memcpy(w.reg, at->reg, sizeof(w.reg));
	walk_frames(&w, most, f, arg);
}
