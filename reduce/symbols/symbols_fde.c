/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions from the tables for unwinding. */
#include "reduce/symbols/symbols_fde.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>

#include "reduce/binaries/debugfile.h"

/* The section that is being read. */
struct fde {
	const unsigned char *ident; /* of the ELF file */
	Elf_Data *data;
	uint64_t addr;	/* of its first byte in memory */
	size_t pointer; /* bytes of an address */
	/* The CIE of the last function's entry. */
	Dwarf_Off cie;
	bool known;
	int encoding; /* of its addresses; -1: not known */
};

/* Read a number of n bytes, signed or not, and move *p behind it. */
static bool
symbols_fde_take(const unsigned char **p, const unsigned char *end, size_t n,
		 bool sign, uint64_t *to)
{
	uint64_t v = 0;
	size_t i;

	if ((size_t)(end - *p) < n)
		return false;
	for (i = 0; i < n; i++)
		v |= (uint64_t)(*p)[i] << (8 * i);
	if (sign && n < 8 && v >> (8 * n - 1))
		v |= ~UINT64_C(0) << (8 * n);
	*p += n;
	*to = v;
	return true;
}

/* Read a number in the given encoding. */
static bool
symbols_fde_value(const struct fde *f, const unsigned char **p,
		  const unsigned char *end, unsigned encoding, uint64_t *to)
{
	switch (encoding & 15) {
	case DW_EH_PE_absptr:
		return symbols_fde_take(p, end, f->pointer, false, to);
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2:
		return symbols_fde_take(p, end, 2, encoding & 8, to);
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		return symbols_fde_take(p, end, 4, encoding & 8, to);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return symbols_fde_take(p, end, 8, encoding & 8, to);
	default:
		return false;
	}
}

/* The encoding of addresses in entries with this CIE; -1: not known. */
static int
encoding_of(const struct fde *f, const Dwarf_CIE *cie)
{
	const unsigned char *p = cie->augmentation_data, *end;
	const char *a = cie->augmentation;
	uint64_t ignored;
	unsigned of;

	if (!*a)
		return DW_EH_PE_absptr;
	if (*a++ != 'z' || !p)
		return -1;
	end = p + cie->augmentation_data_size;
	for (; *a; a++) {
		switch (*a) {
		case 'R':
			return p < end ? *p : -1;
		case 'L':
			p++;
			break;
		case 'P':
			of = p < end ? *p++ : DW_EH_PE_omit;
			if (!symbols_fde_value(f, &p, end, of, &ignored))
				return -1;
			break;
		case 'S':
		case 'B':
			break;
		default:
			return -1;
		}
	}
	return DW_EH_PE_absptr;
}

/* Find the encoding for entries with the CIE at the offset. */
static void
symbols_fde_base(struct fde *f, Dwarf_Off offset)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (f->known && f->cie == offset)
		return;
	f->known = true;
	f->cie = offset;
	f->encoding = -1;
	if (dwarf_next_cfi(f->ident, f->data, true, offset, &next, &entry) ==
		    0 &&
	    dwarf_cfi_cie_p(&entry))
		f->encoding = encoding_of(f, &entry.cie);
}

static void
symbols_fde_add(struct symbols_spans *s, struct fde *f, const Dwarf_FDE *fde)
{
	const unsigned char *p = fde->start, *first = f->data->d_buf;
	struct symbols_span span = { 0 };
	uint64_t size;

	symbols_fde_base(f, fde->CIE_pointer);
	if (f->encoding < 0 || p < first || p > first + f->data->d_size ||
	    (f->encoding & 0x70 & ~DW_EH_PE_pcrel) ||
	    (f->encoding & DW_EH_PE_indirect) ||
	    !symbols_fde_value(f, &p, fde->end, (unsigned)f->encoding,
			       &span.start) ||
	    !symbols_fde_value(f, &p, fde->end, f->encoding & 7, &size))
		return;
	if (f->encoding & DW_EH_PE_pcrel)
		span.start += f->addr + (uint64_t)(fde->start - first);
	if (size > UINT64_MAX - span.start)
		return;
	span.end = span.start + size;
	symbols_spans_add(s, span);
}

void
symbols_fde_load(struct symbols_spans *s, Elf *elf)
{
	Elf_Scn *scn = elffile_named(elf, ".eh_frame");
	struct fde f = { .pointer = 8 };
	Dwarf_CFI_Entry entry;
	Dwarf_Off at = 0, next;
	GElf_Shdr sh;

	f.ident = (const unsigned char *)elf_getident(elf, NULL);
	f.data = scn ? elf_rawdata(scn, NULL) : NULL;
	if (!f.ident || !f.data || !f.data->d_buf || !gelf_getshdr(scn, &sh) ||
	    f.ident[EI_DATA] != ELFDATA2LSB)
		return;
	f.addr = sh.sh_addr;
	if (f.ident[EI_CLASS] == ELFCLASS32)
		f.pointer = 4;
	while (dwarf_next_cfi(f.ident, f.data, true, at, &next, &entry) == 0 &&
	       next > at) {
		if (!dwarf_cfi_cie_p(&entry))
			symbols_fde_add(s, &f, &entry.fde);
		at = next;
	}
	symbols_spans_flatten(s);
}
