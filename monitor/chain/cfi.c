/* SPDX-License-Identifier: MIT */
/* Call frame information: .eh_frame_hdr -> FDE -> the rules at an address. */
#include "monitor/chain/cfi.h"

#include <string.h>

/* Pointer encodings (LSB 5.0 core, 10.5.1). */
enum {
	PE_ABSPTR = 0x00,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_PCREL = 0x10,
	PE_DATAREL = 0x30,
	PE_OMIT = 0xff
};

/* Remembered rows nest at most this deep; compilers go one deep. */
#define MAX_REMEMBER 6

/* A decoded CIE. */
struct cie {
	const uint8_t *insn, *end; /* initial instructions */
	uint64_t code_align;
	int64_t data_align;
	uint8_t fde_enc;
	bool augmented;
	bool signal;
};

/* One run of the instructions. */
struct machine {
	struct mmi_cfi_row *row;
	const struct mmi_cfi_row *initial; /* NULL in the CIE */
	const struct cie *cie;
	uintptr_t loc, pc;
	unsigned nremember;
	struct mmi_cfi_row remember[MAX_REMEMBER];
};

const uint8_t *
mmi_cfi_uleb(const uint8_t *p, uint64_t *v)
{
	unsigned shift = 0;
	uint8_t b;

	*v = 0;
	do {
		b = *p++;
		if (shift < 64)
			*v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	return p;
}

const uint8_t *
mmi_cfi_sleb(const uint8_t *p, int64_t *v)
{
	uint64_t u = 0;
	unsigned shift = 0;
	uint8_t b;

	do {
		b = *p++;
		if (shift < 64)
			u |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	if (shift < 64 && (b & 0x40))
		u |= ~(uint64_t)0 << shift;
	*v = (int64_t)u;
	return p;
}

static inline uint64_t
load(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	memcpy(&v, p, n);
	return v;
}

/* Bytes of a pointer in encoding enc, 0 when it isn't of fixed size. */
static unsigned
encoded_size(uint8_t enc)
{
	switch (enc & 0x0f) {
	case PE_UDATA2:
	case PE_SDATA2:
		return 2;
	case PE_UDATA4:
	case PE_SDATA4:
		return 4;
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8:
		return 8;
	default:
		return 0;
	}
}

/* Reads a pointer; `data' is the base of PE_DATAREL. */
static bool
encoded_read(const uint8_t *p, uint8_t enc, const uint8_t *data, uintptr_t *v)
{
	unsigned n = encoded_size(enc);
	uint64_t u;

	if (!n)
		return false;
	u = load(p, n);
	if ((enc & 0x08) && n < 8)
		u = (uint64_t)((int64_t)(u << (64 - 8 * n)) >> (64 - 8 * n));
	switch (enc & 0x70) {
	case 0:
		break;
	case PE_PCREL:
		u += (uintptr_t)p;
		break;
	case PE_DATAREL:
		u += (uintptr_t)data;
		break;
	default:
		return false;
	}
	*v = u;
	return true;
}

/*
 * The FDE that may contain pc, by the sorted table of the header, and the start
 * of its function.
 */
static const uint8_t *
fde_search(uintptr_t pc, const uint8_t *hdr, uintptr_t *start)
{
	const uint8_t *p = hdr + 4, *table;
	uintptr_t count;
	uint32_t lo = 0, hi, mid;
	int64_t want = (int64_t)(pc - (uintptr_t)hdr);
	int32_t entry[2];

	if (hdr[0] != 1 || hdr[2] == PE_OMIT ||
	    hdr[3] != (PE_DATAREL | PE_SDATA4))
		return NULL;
	p += encoded_size(hdr[1]);
	if (!encoded_read(p, hdr[2], hdr, &count) || !count)
		return NULL;
	table = p + encoded_size(hdr[2]);
	hi = (uint32_t)count;
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		memcpy(entry, table + 8ull * mid, 8);
		if (entry[0] <= want)
			lo = mid;
		else
			hi = mid;
	}
	memcpy(entry, table + 8ull * lo, 8);
	*start = (uintptr_t)hdr + (uintptr_t)(intptr_t)entry[0];
	return entry[0] <= want ? hdr + entry[1] : NULL;
}

uintptr_t
mmi_cfi_function(uintptr_t pc, const uint8_t *eh_hdr)
{
	uintptr_t start;

	return eh_hdr && fde_search(pc, eh_hdr, &start) ? start : 0;
}

/* Few functions are longer than this. */
#define FUNCTION_MAX ((uintptr_t)1 << 22)

uint64_t
mmi_cfi_function_size(uintptr_t start, const uint8_t *eh_hdr)
{
	uintptr_t in = 0, out = FUNCTION_MAX, mid;

	if (mmi_cfi_function(start, eh_hdr) != start)
		return 0;
	while (out - in > 1) {
		mid = in + (out - in) / 2;
		if (mmi_cfi_function(start + mid, eh_hdr) == start)
			in = mid;
		else
			out = mid;
	}
	return out;
}

/* The augmentation string and its data. */
static bool
cie_augmentation(struct cie *c, const char *aug, const uint8_t *p)
{
	unsigned n;

	for (; *aug; aug++) {
		switch (*aug) {
		case 'R':
			c->fde_enc = *p++;
			break;
		case 'L':
			p++;
			break;
		case 'P':
			n = encoded_size(*p);
			if (!n)
				return false;
			p += 1 + n;
			break;
		case 'S':
			c->signal = true;
			break;
		case 'B': /* arm64: the key of signatures; a tagged stack */
		case 'G':
			break;
		default:
			return false;
		}
	}
	return true;
}

static bool
cie_read(const uint8_t *p, struct cie *c)
{
	uint32_t len = (uint32_t)load(p, 4);
	const char *aug = (const char *)p + 9;
	uint64_t u;

	/* No 64-bit lengths: no compiler writes them to .eh_frame. */
	if (len == 0xffffffffu || len < 9 || load(p + 4, 4) != 0 ||
	    (p[8] != 1 && p[8] != 3))
		return false;
	memset(c, 0, sizeof(*c));
	c->end = p + 4 + len;
	p = (const uint8_t *)aug + strlen(aug) + 1;
	p = mmi_cfi_uleb(p, &c->code_align);
	p = mmi_cfi_sleb(p, &c->data_align);
	p = mmi_cfi_uleb(p, &u);
	if (u != ARCH_RA)
		return false;
	if (*aug == 'z') {
		p = mmi_cfi_uleb(p, &u);
		c->augmented = true;
		if (!cie_augmentation(c, aug + 1, p))
			return false;
		p += u;
	} else if (*aug) {
		return false;
	}
	c->insn = p;
	return true;
}

static inline void
rule_set(struct machine *m, uint64_t reg, uint8_t how, int64_t off)
{
	/* Registers that aren't tracked (vectors) don't matter to a walk. */
	if (reg >= ARCH_NREG)
		return;
	m->row->reg[reg].how = how;
	m->row->reg[reg].off = (int32_t)off;
}

/*
 * An expression: stores its place relative to base, so that a rule stays small.
 */
static const uint8_t *
rule_expr(struct machine *m, const uint8_t *p, uint64_t reg, uint8_t how)
{
	int64_t off = p - m->row->base;
	uint64_t n;

	if (reg == ARCH_NREG) {
		m->row->cfa.how = how;
		m->row->cfa.off = (int32_t)off;
	} else {
		rule_set(m, reg, how, off);
	}
	p = mmi_cfi_uleb(p, &n);
	return p + n;
}

/* Advance the location; false when it passes pc: the row is complete. */
static inline bool
advance(struct machine *m, uint64_t delta)
{
	m->loc += delta * m->cie->code_align;
	return m->loc <= m->pc;
}

static inline void
cfa_set(struct machine *m, uint64_t reg, int64_t off)
{
	m->row->cfa.how = CFI_REGISTER;
	m->row->cfa.reg = (uint8_t)reg;
	m->row->cfa.off = (int32_t)off;
}

static void
restore(struct machine *m, uint64_t reg)
{
	if (reg >= ARCH_NREG)
		return;
	if (m->initial)
		m->row->reg[reg] = m->initial->reg[reg];
	else
		m->row->reg[reg] = (struct mmi_cfi_rule){ 0 };
}

/* DW_CFA_* with operands of their own that set the CFA.  NULL: another one. */
static const uint8_t *
step_cfa(struct machine *m, uint8_t op, const uint8_t *p)
{
	uint64_t reg, off;
	int64_t soff;

	switch (op) {
	case 0x0c: /* def_cfa */
		p = mmi_cfi_uleb(p, &reg);
		p = mmi_cfi_uleb(p, &off);
		cfa_set(m, reg, (int64_t)off);
		return p;
	case 0x0d: /* def_cfa_register */
		p = mmi_cfi_uleb(p, &reg);
		cfa_set(m, reg, m->row->cfa.off);
		return p;
	case 0x0e: /* def_cfa_offset */
		p = mmi_cfi_uleb(p, &off);
		m->row->cfa.off = (int32_t)off;
		return p;
	case 0x0f: /* def_cfa_expression */
		return rule_expr(m, p, ARCH_NREG, CFI_VAL_EXPR);
	case 0x12: /* def_cfa_sf */
		p = mmi_cfi_uleb(p, &reg);
		p = mmi_cfi_sleb(p, &soff);
		cfa_set(m, reg, soff * m->cie->data_align);
		return p;
	case 0x13: /* def_cfa_offset_sf */
		p = mmi_cfi_sleb(p, &soff);
		m->row->cfa.off = (int32_t)(soff * m->cie->data_align);
		return p;
	default:
		return NULL;
	}
}

/* DW_CFA_* that set the rule of a register.  NULL: another one. */
static const uint8_t *
step_register(struct machine *m, uint8_t op, const uint8_t *p)
{
	uint64_t reg, u;
	int64_t s;

	p = mmi_cfi_uleb(p, &reg);
	switch (op) {
	case 0x05: /* offset_extended */
	case 0x14: /* val_offset */
		p = mmi_cfi_uleb(p, &u);
		rule_set(m, reg, op == 0x05 ? CFI_OFFSET : CFI_VAL_OFFSET,
			 (int64_t)u * m->cie->data_align);
		return p;
	case 0x06: /* restore_extended */
		restore(m, reg);
		return p;
	case 0x07: /* undefined */
		rule_set(m, reg, CFI_UNDEFINED, 0);
		return p;
	case 0x08: /* same_value */
		rule_set(m, reg, CFI_SAME, 0);
		return p;
	case 0x09: /* register */
		p = mmi_cfi_uleb(p, &u);
		rule_set(m, reg, CFI_REGISTER, 0);
		if (reg < ARCH_NREG)
			m->row->reg[reg].reg = (uint8_t)u;
		return p;
	case 0x10: /* expression */
	case 0x16: /* val_expression */
		return rule_expr(m, p, reg < ARCH_NREG ? reg : ARCH_NREG + 1,
				 op == 0x10 ? CFI_EXPR : CFI_VAL_EXPR);
	case 0x11: /* offset_extended_sf */
	case 0x15: /* val_offset_sf */
		p = mmi_cfi_sleb(p, &s);
		rule_set(m, reg, op == 0x11 ? CFI_OFFSET : CFI_VAL_OFFSET,
			 s * m->cie->data_align);
		return p;
	case 0x2f: /* GNU_negative_offset_extended */
		p = mmi_cfi_uleb(p, &u);
		rule_set(m, reg, CFI_OFFSET, -(int64_t)u * m->cie->data_align);
		return p;
	default:
		return NULL;
	}
}

/*
 * All other DW_CFA_*.  *done: the location went past pc.  NULL: not understood.
 */
static const uint8_t *
step_other(struct machine *m, uint8_t op, const uint8_t *p, bool *done)
{
	const uint8_t *q;
	uintptr_t loc;
	uint64_t u;

	switch (op) {
	case 0x00: /* nop */
		return p;
	case 0x01: /* set_loc */
		if (!encoded_read(p, m->cie->fde_enc, NULL, &loc))
			return NULL;
		m->loc = loc;
		*done = loc > m->pc;
		return p + encoded_size(m->cie->fde_enc);
	case 0x02: /* advance_loc1 */
	case 0x03: /* advance_loc2 */
	case 0x04: /* advance_loc4 */
		u = 1u << (op - 2);
		*done = !advance(m, load(p, (unsigned)u));
		return p + u;
	case 0x0a: /* remember_state */
		if (m->nremember == MAX_REMEMBER)
			return NULL;
		m->remember[m->nremember++] = *m->row;
		return p;
	case 0x0b: /* restore_state */
		if (!m->nremember)
			return NULL;
		*m->row = m->remember[--m->nremember];
		return p;
	case 0x2c: /* AARCH64_negate_ra_state_with_pc */
	case 0x2d: /* AARCH64_negate_ra_state: see arch_strip() */
		return p;
	case 0x2e: /* GNU_args_size */
		return mmi_cfi_uleb(p, &u);
	default:
		q = step_cfa(m, op, p);
		return q ? q : step_register(m, op, p);
	}
}

static bool
machine_run(struct machine *m, const uint8_t *p, const uint8_t *end)
{
	bool done = false;
	uint64_t u;
	uint8_t op;

	while (p && p < end && !done) {
		op = *p++;
		switch (op & 0xc0) {
		case 0x40: /* advance_loc */
			done = !advance(m, op & 0x3f);
			break;
		case 0x80: /* offset */
			p = mmi_cfi_uleb(p, &u);
			rule_set(m, op & 0x3f, CFI_OFFSET,
				 (int64_t)u * m->cie->data_align);
			break;
		case 0xc0: /* restore */
			restore(m, op & 0x3f);
			break;
		default:
			p = step_other(m, op, p, &done);
		}
	}
	return p != NULL;
}

/* Run the CIE's instructions, then the FDE's up to pc. */
static bool
row_compute(const struct cie *c, const uint8_t *insn, const uint8_t *end,
	    uintptr_t start, uintptr_t pc, struct mmi_cfi_row *row)
{
	struct mmi_cfi_row initial;
	struct machine m;

	/* Not memset: `remember' is large and written before it is read. */
	m.row = row;
	m.initial = NULL;
	m.cie = c;
	m.loc = start;
	m.pc = UINTPTR_MAX;
	m.nremember = 0;
	if (!machine_run(&m, c->insn, c->end))
		return false;
	initial = *row;
	m.initial = &initial;
	m.loc = start;
	m.pc = pc;
	return machine_run(&m, insn, end);
}

bool
mmi_cfi_find(uintptr_t pc, const uint8_t *eh_hdr, struct mmi_cfi_row *row)
{
	const uint8_t *fde, *p;
	uintptr_t start = 0, range;
	struct cie c;
	uint32_t len;
	uint64_t u;

	fde = eh_hdr ? fde_search(pc, eh_hdr, &start) : NULL;
	if (!fde)
		return false;
	len = (uint32_t)load(fde, 4);
	if (len < 12 || len == 0xffffffffu ||
	    !cie_read(fde + 4 - (uint32_t)load(fde + 4, 4), &c))
		return false;
	p = fde + 8;
	if (!encoded_read(p, c.fde_enc, NULL, &start) ||
	    !encoded_read(p + encoded_size(c.fde_enc), c.fde_enc & 0x0f, NULL,
			  &range) ||
	    pc < start || pc - start >= range)
		return false;
	p += 2 * encoded_size(c.fde_enc);
	if (c.augmented) {
		p = mmi_cfi_uleb(p, &u);
		p += u;
	}
	memset(row, 0, sizeof(*row));
	row->base = eh_hdr;
	row->signal = c.signal;
	return row_compute(&c, p, fde + 4 + len, start, pc, row);
}

const uint8_t *
mmi_cfi_expr(const struct mmi_cfi_row *row, const struct mmi_cfi_rule *r,
	     uint64_t *n)
{
	return mmi_cfi_uleb(row->base + r->off, n);
}
