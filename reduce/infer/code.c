/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of code, frames and stubs. */
#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/infer/code.h"
#include "reduce/dwarf/dies.h"

#define SEGMENTS 64	  /* of a program header table; more are ignored */
#define STUB 4		  /* the most instructions of a stub */
#define RELOCATIONS 65536 /* of a section; more are ignored */

/*
 * Find the segment that contains the address.  0: the first segment with code.
 */
static bool
find_segment(struct guess_code *c, uint64_t addr)
{
	size_t size, count, i;
	const char *file = elf_rawfile(c->elf, &size);
	GElf_Phdr ph;

	if (!file || elf_getphdrnum(c->elf, &count) != 0)
		return false;
	for (i = 0; i < count && i < SEGMENTS; i++) {
		if (!gelf_getphdr(c->elf, (int)i, &ph) || ph.p_type != PT_LOAD)
			continue;
		if (addr ? addr < ph.p_vaddr || addr - ph.p_vaddr >= ph.p_filesz
			 : !(ph.p_flags & PF_X))
			continue;
		if (ph.p_offset >= size)
			return false;
		c->bytes = (const unsigned char *)file + ph.p_offset;
		c->at = ph.p_vaddr;
		c->size = size - ph.p_offset;
		if (c->size > ph.p_filesz)
			c->size = ph.p_filesz;
		return true;
	}
	return false;
}

bool
guess_code_init(struct guess_code *c, Elf *elf, Dwarf *dwarf)
{
	GElf_Ehdr head;

	*c = (struct guess_code){ .elf = elf };
	if (!elf || !gelf_getehdr(elf, &head))
		return false;
	if (head.e_machine != EM_X86_64 && head.e_machine != EM_AARCH64)
		return false;
	if (head.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	c->machine =
		head.e_machine == EM_AARCH64 ? GUESS_AARCH64 : GUESS_X86_64;
	find_segment(c, 0);
	c->debug = dwarf ? dwarf_getcfi(dwarf) : NULL;
	return true;
}

void
guess_code_fini(struct guess_code *c)
{
	if (c->eh)
		dwarf_cfi_end(c->eh);
	c->eh = NULL;
}

const unsigned char *
guess_code_at(const struct guess_code *c, uint64_t addr, size_t *n)
{
	struct guess_code other;

	if (addr >= c->at && addr - c->at < c->size) {
		*n = c->size - (addr - c->at);
		return c->bytes + (addr - c->at);
	}
	other = *c;
	*n = 0;
	if (!find_segment(&other, addr) || addr < other.at ||
	    addr - other.at >= other.size)
		return NULL;
	*n = other.size - (addr - other.at);
	return other.bytes + (addr - other.at);
}

/* Set the frame address if it is a register plus a constant. */
static void
simple_cfa(Dwarf_Frame *frame, struct guess_cfa *cfa)
{
	struct dies_location at;
	Dwarf_Addr start, end;
	Dwarf_Op *ops;
	bool signal;
	size_t n;

	if (dwarf_frame_info(frame, &start, &end, &signal) < 0 || start >= end)
		return;
	cfa->start = start;
	cfa->end = end;
	if (dwarf_frame_cfa(frame, &ops, &n) != 0 || n != 1 ||
	    !dies_location(ops, n, &at) || at.where != DIES_MEMORY ||
	    at.reg >= GUESS_REGS)
		return;
	cfa->known = true;
	cfa->reg = (int)at.reg;
	cfa->off = at.off;
}

const struct guess_cfa *
guess_code_cfa(struct guess_code *c, uint64_t pc)
{
	Dwarf_Frame *frame = NULL;

	if (pc >= c->cfa.start && pc < c->cfa.end)
		return &c->cfa;
	c->cfa = (struct guess_cfa){ .start = pc, .end = pc + 1 };
	if (!c->looked)
		c->eh = dwarf_getcfi_elf(c->elf);
	c->looked = true;
	if ((c->eh && dwarf_cfi_addrframe(c->eh, pc, &frame) == 0) ||
	    (c->debug && dwarf_cfi_addrframe(c->debug, pc, &frame) == 0))
		simple_cfa(frame, &c->cfa);
	free(frame);
	return &c->cfa;
}

/*
 * The name of a relocation's symbol; table: the section that the relocations
 * link to.
 */
static const char *
symbol_name(const struct guess_code *c, size_t table, size_t i)
{
	Elf_Scn *scn = elf_getscn(c->elf, table);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Shdr sh;
	GElf_Sym sym;

	if (!data || !gelf_getshdr(scn, &sh) || i > INT32_MAX ||
	    !gelf_getsym(data, (int)i, &sym))
		return NULL;
	return elf_strptr(c->elf, sh.sh_link, sym.st_name);
}

/* The name of the function whose address the loader writes to `slot'. */
static const char *
slot_name(const struct guess_code *c, uint64_t slot)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	const Elf64_Rela *r;
	size_t n, i;

	while ((scn = elf_nextscn(c->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA ||
		    !(sh.sh_flags & SHF_ALLOC))
			continue;
		data = elf_getdata(scn, NULL);
		if (!data || !data->d_buf || data->d_type != ELF_T_RELA)
			continue;
		r = data->d_buf;
		n = data->d_size / sizeof *r;
		for (i = 0; i < n && i < RELOCATIONS; i++)
			if (r[i].r_offset == slot && ELF64_R_SYM(r[i].r_info))
				return symbol_name(c, sh.sh_link,
						   ELF64_R_SYM(r[i].r_info));
	}
	return NULL;
}

/*
 * The address of the pointer that a stub jumps through; 0 if it isn't a stub.
 */
static uint64_t
stub_slot(const struct guess_code *c, uint64_t target)
{
	const unsigned char *code;
	uint64_t pc = target, page = 0;
	struct guess_step s;
	size_t n;
	int i;

	code = guess_code_at(c, target, &n);
	for (i = 0; code && i < STUB; i++) {
		if (!guess_step(c->machine, code, n, pc, &s))
			return 0;
		code += s.next - pc;
		n -= s.next - pc;
		pc = s.next;
		if (s.op == GUESS_OP_ADDRESS && s.mem.base == GUESS_NOREG)
			page = (uint64_t)s.mem.disp;
		else if (s.op == GUESS_OP_LOAD && page)
			return page + (uint64_t)s.mem.disp;
		else if (s.op == GUESS_OP_STOP && s.slot &&
			 s.mem.base == GUESS_NOREG &&
			 s.mem.index == GUESS_NOREG)
			return (uint64_t)s.mem.disp;
		else if (s.op != GUESS_OP_OTHER)
			return 0;
	}
	return 0;
}

const char *
guess_code_callee(const struct guess_code *c, uint64_t target, uint64_t slot)
{
	if (target)
		slot = stub_slot(c, target);
	return slot ? slot_name(c, slot) : NULL;
}
