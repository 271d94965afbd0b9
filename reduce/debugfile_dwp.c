/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units packed into one file (.dwp), taken apart again.
 *
 * Its layout: DWARF 5, section 7.3.5, and for DWARF 4 the GNU extension that
 * became it.  A unit's part of each section becomes a section of a small file,
 * with those of the strings that its table of offsets names.
 */
#define _GNU_SOURCE
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reduce/debugfile_parts.h"

/* All units together become at most so many times the file, and besides. */
#define GROWTH 16u
#define BESIDES (UINT64_C(1) << 24)

/* Slots of the index that are looked at for one unit. */
#define PROBES 4096u

#define COLUMNS 9u /* kinds of sections; numbered from 1 */

/* Of column k in version 5 and before; NULL: not of use. */
static const char *const names5[COLUMNS] = {
	[1] = ".debug_info.dwo",	[3] = ".debug_abbrev.dwo",
	[4] = ".debug_line.dwo",	[5] = ".debug_loclists.dwo",
	[6] = ".debug_str_offsets.dwo", [8] = ".debug_rnglists.dwo",
};
static const char *const names2[COLUMNS] = {
	[1] = ".debug_info.dwo", [2] = ".debug_types.dwo",
	[3] = ".debug_abbrev.dwo", [4] = ".debug_line.dwo",
	[5] = ".debug_loc.dwo",	 [6] = ".debug_str_offsets.dwo",
};

enum { OFFSETS = 6 };

struct bytes {
	const unsigned char *p;
	size_t n;
};

/* An index, checked: all of its tables are in it. */
struct index {
	uint32_t version; /* 0: there is none */
	uint32_t columns, units, slots;
	const unsigned char *hashes, *rows, *kinds, *offsets, *sizes;
};

struct debugfile_dwp {
	struct debugfile file; /* only for its memory */
	Elf *elf;
	struct bytes section[COLUMNS], strings;
	struct index index;
	uint64_t left; /* bytes that units may still have */
};

/* A unit's parts. */
struct unit {
	struct bytes part[COLUMNS];
	unsigned char *strings, *offsets; /* made anew */
	size_t nstrings;
};

static uint32_t
u32(const unsigned char *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

static struct bytes
section(struct debugfile_dwp *p, const char *name)
{
	Elf_Scn *scn = debugfile_named(p->elf, name);
	Elf_Data *data = scn ? debugfile_section(&p->file, p->elf, scn) : NULL;
	struct bytes none = { 0 };

	if (!data || !data->d_buf)
		return none;
	return (struct bytes){ data->d_buf, data->d_size };
}

/* Take n items of `size' bytes from the front.  NULL: they aren't there. */
static const unsigned char *
bite(struct bytes *b, uint64_t n, size_t size)
{
	const unsigned char *p = b->p;

	if (n > b->n / size)
		return NULL;
	b->p += n * size;
	b->n -= n * size;
	return p;
}

static bool
index_read(struct index *x, struct bytes b)
{
	const unsigned char *head = bite(&b, 4, 4);
	uint16_t five;
	uint64_t cells;

	if (!head)
		return false;
	memcpy(&five, head, sizeof(five));
	x->version = u32(head) == 2 ? 2 : five;
	x->columns = u32(head + 4);
	x->units = u32(head + 8);
	x->slots = u32(head + 12);
	if ((x->version != 2 && x->version != 5) || x->columns > COLUMNS ||
	    !x->slots || (x->slots & (x->slots - 1)))
		return false;
	cells = (uint64_t)x->units * x->columns;
	x->hashes = bite(&b, x->slots, 8);
	x->rows = x->hashes ? bite(&b, x->slots, 4) : NULL;
	x->kinds = x->rows ? bite(&b, x->columns, 4) : NULL;
	x->offsets = x->kinds ? bite(&b, cells, 4) : NULL;
	x->sizes = x->offsets ? bite(&b, cells, 4) : NULL;
	return x->sizes;
}

/* The unit's row, from 1; 0: it isn't there. */
static uint32_t
index_find(const struct index *x, uint64_t id)
{
	uint32_t mask = x->slots - 1, i = (uint32_t)id & mask, row, n;
	uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;
	uint64_t its;

	for (n = 0; n < PROBES && n <= mask; n++) {
		row = u32(x->rows + (size_t)i * 4);
		memcpy(&its, x->hashes + (size_t)i * 8, sizeof(its));
		if (!row)
			return 0;
		if (its == id)
			return row <= x->units ? row : 0;
		i = (i + step) & mask;
	}
	return 0;
}

struct debugfile_dwp *
debugfile_dwp_open(const char *path)
{
	struct debugfile_dwp *p;
	enum debugfile_state state;
	const char *const *names;
	size_t i, size = 0;
	int fd;

	if (!debugfile_is_regular(path))
		return NULL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->elf = debugfile_elf(path, &fd, &state);
	debugfile_let_go(p->elf, fd);
	if (!p->elf || !index_read(&p->index, section(p, ".debug_cu_index"))) {
		debugfile_dwp_free(p);
		return NULL;
	}
	names = p->index.version == 5 ? names5 : names2;
	for (i = 1; i < COLUMNS; i++)
		if (names[i])
			p->section[i] = section(p, names[i]);
	p->strings = section(p, ".debug_str.dwo");
	elf_rawfile(p->elf, &size);
	p->left = BESIDES + (uint64_t)size * GROWTH;
	return p;
}

void
debugfile_dwp_free(struct debugfile_dwp *p)
{
	if (!p)
		return;
	elf_end(p->elf);
	debugfile_close(&p->file);
	free(p);
}

bool
debugfile_dwp_has(const struct debugfile_dwp *p, uint64_t id)
{
	return index_find(&p->index, id);
}

/* The parts of a row.  Returns whether all are in their sections. */
static bool
unit_parts(const struct debugfile_dwp *p, uint32_t row, struct unit *u)
{
	const struct index *x = &p->index;
	size_t i, cell = (size_t)(row - 1) * x->columns;
	uint32_t kind, offset, size;

	for (i = 0; i < x->columns; i++, cell++) {
		kind = u32(x->kinds + i * 4);
		offset = u32(x->offsets + cell * 4);
		size = u32(x->sizes + cell * 4);
		if (!kind || kind >= COLUMNS || !p->section[kind].p)
			continue;
		if (offset > p->section[kind].n ||
		    size > p->section[kind].n - offset)
			return false;
		u->part[kind].p = p->section[kind].p + offset;
		u->part[kind].n = size;
	}
	return true;
}

/* Bytes before the first offset: version 5 has a head. */
static size_t
offsets_head(const struct bytes *b)
{
	uint16_t version;

	if (b->n < 8 || u32(b->p) > b->n - 4)
		return 0;
	memcpy(&version, b->p + 4, sizeof(version));
	return version == 5 ? 8 : 0;
}

/* Take n bytes of what may be taken.  Returns whether they may. */
static bool
spend(struct debugfile_dwp *p, uint64_t n)
{
	if (n > p->left)
		return false;
	p->left -= n;
	return true;
}

/* Copy the strings that the unit's offsets name, and number them anew. */
static bool
unit_strings(struct debugfile_dwp *p, struct unit *u)
{
	struct bytes *b = &u->part[OFFSETS];
	size_t head, i, n = 0, length;
	const unsigned char *end;
	uint32_t from, to;

	if (!b->n)
		return true;
	head = p->index.version == 5 ? offsets_head(b) : 0;
	u->offsets = malloc(b->n);
	if (!u->offsets)
		return false;
	memcpy(u->offsets, b->p, b->n);
	/* First their lengths, then themselves. */
	for (i = head; i + 4 <= b->n; i += 4) {
		from = u32(b->p + i);
		end = from < p->strings.n ? memchr(p->strings.p + from, '\0',
						   p->strings.n - from)
					  : NULL;
		length = end ? (size_t)(end - p->strings.p - from) + 1 : 0;
		if (!spend(p, length) || n + length > UINT32_MAX)
			return false;
		to = length ? (uint32_t)n : UINT32_MAX;
		memcpy(u->offsets + i, &to, sizeof(to));
		n += length;
	}
	u->strings = malloc(n + 1);
	if (!u->strings)
		return false;
	for (i = head; i + 4 <= b->n; i += 4) {
		to = u32(u->offsets + i);
		if (to != UINT32_MAX)
			strcpy((char *)u->strings + to,
			       (const char *)p->strings.p + u32(b->p + i));
	}
	u->nstrings = n;
	b->p = u->offsets;
	return true;
}

/* ----------------------------------------------------------- the file -- */

/* A file that is written: its sections' heads and their names. */
struct out {
	int fd;
	bool bad;
	uint64_t at;
	Elf64_Shdr head[COLUMNS + 3];
	unsigned n;
	char names[512];
	size_t nnames;
};

static void
put(struct out *o, const void *p, size_t n)
{
	const char *at = p;
	ssize_t done;

	while (n && !o->bad) {
		done = write(o->fd, at, n);
		o->bad = done <= 0;
		at += done > 0 ? done : 0;
		o->at += done > 0 ? (size_t)done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
}

static void
put_section(struct out *o, const char *name, const void *p, size_t n,
	    unsigned type)
{
	Elf64_Shdr *h = &o->head[o->n];

	if (!n || o->nnames + strlen(name) + 1 > sizeof(o->names))
		return;
	h->sh_name = (Elf64_Word)o->nnames;
	h->sh_type = type;
	h->sh_offset = o->at;
	h->sh_size = n;
	h->sh_addralign = 1;
	o->n++;
	strcpy(o->names + o->nnames, name);
	o->nnames += strlen(name) + 1;
	if (type == SHT_STRTAB)
		h->sh_size = o->nnames;
	put(o, p, h->sh_size);
}

static bool
put_unit(struct out *o, const struct debugfile_dwp *p, const struct unit *u)
{
	const char *const *names = p->index.version == 5 ? names5 : names2;
	static const char zero[8];
	Elf64_Ehdr eh = { 0 };
	GElf_Ehdr its;
	size_t i;

	if (!gelf_getehdr(p->elf, &its))
		return false;
	memcpy(eh.e_ident, its.e_ident, sizeof(eh.e_ident));
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_type = ET_REL;
	eh.e_machine = its.e_machine;
	eh.e_version = EV_CURRENT;
	eh.e_ehsize = sizeof(eh);
	eh.e_shentsize = sizeof(Elf64_Shdr);
	put(o, &eh, sizeof(eh));
	o->n = 1;
	o->nnames = 1;
	for (i = 1; i < COLUMNS; i++)
		if (names[i])
			put_section(o, names[i], u->part[i].p, u->part[i].n,
				    SHT_PROGBITS);
	put_section(o, ".debug_str.dwo", u->strings, u->nstrings, SHT_PROGBITS);
	put_section(o, ".shstrtab", o->names, sizeof(o->names), SHT_STRTAB);
	put(o, zero, (size_t)(-o->at & 7));
	eh.e_shoff = o->at;
	eh.e_shnum = (Elf64_Half)o->n;
	eh.e_shstrndx = (Elf64_Half)(o->n - 1);
	put(o, o->head, o->n * sizeof(o->head[0]));
	return !o->bad && pwrite(o->fd, &eh, sizeof(eh), 0) == sizeof(eh);
}

int
debugfile_dwp_unit(struct debugfile_dwp *p, uint64_t id)
{
	struct unit u = { 0 };
	struct out o = { .fd = -1 };
	uint32_t row = index_find(&p->index, id);
	uint64_t n = 0;
	size_t i;
	bool fine;

	if (!row || !unit_parts(p, row, &u))
		return -1;
	/* Of before version 5, types are in an index of their own. */
	u.part[2].n = 0;
	for (i = 1; i < COLUMNS; i++)
		n += u.part[i].n;
	fine = spend(p, n) && unit_strings(p, &u);
	if (fine)
		o.fd = memfd_create("unit", MFD_CLOEXEC);
	if (fine && o.fd >= 0)
		fine = put_unit(&o, p, &u);
	free(u.strings);
	free(u.offsets);
	if (!fine && o.fd >= 0)
		close(o.fd);
	return fine ? o.fd : -1;
}
