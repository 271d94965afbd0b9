/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes packed units (.dwp) apart again.
 *
 * Layout of the file: DWARF 5, section 7.3.5, and for DWARF 4 the GNU extension
 * that became it.  A unit's part of each section becomes a section of a small
 * file.  The small file also gets the strings that the unit's table of offsets
 * names.
 */
#include <stdlib.h>
#include <string.h>

#include "reduce/elf/elffile.h"
#include "reduce/base/sort.h"
#include "reduce/elf/section.h"
#include "reduce/dwo/dwo.h"
#include "reduce/dwo/dwp.h"

/* All units have at most BESIDES bytes and GROWTH times the file's size. */
#define GROWTH 16u
#define BESIDES (UINT64_C(1) << 24)

/* The most slots of the index to search for one unit. */
#define PROBES 4096u

#define COLUMNS 9u /* kinds of sections; numbered from 1 */

/* By column of version 5, and of older ones; NULL: not used. */
static const char *const names5[COLUMNS] = {
	[1] = ".debug_info.dwo",	[3] = ".debug_abbrev.dwo",
	[4] = ".debug_line.dwo",	[5] = ".debug_loclists.dwo",
	[6] = ".debug_str_offsets.dwo", [8] = ".debug_rnglists.dwo",
};
static const char *const names2[COLUMNS] = {
	[1] = ".debug_info.dwo",   [2] = ".debug_types.dwo",
	[3] = ".debug_abbrev.dwo", [4] = ".debug_line.dwo",
	[5] = ".debug_loc.dwo",	   [6] = ".debug_str_offsets.dwo",
};

enum { INFO = 1, TYPES = 2, ABBREV = 3, OFFSETS = 6 };

struct bytes {
	const unsigned char *p;
	size_t n;
};

/* An index.  It was checked to contain all of its tables. */
struct index {
	uint32_t version; /* 0 if there is none */
	uint32_t columns, units, slots;
	const unsigned char *hashes, *rows, *kinds, *offsets, *sizes;
};

struct dwp {
	struct owned memory;
	Elf *elf;
	struct bytes section[COLUMNS], strings;
	struct index index, types;
	struct type *type; /* type units, sorted */
	size_t ntypes;
	uint64_t left; /* bytes that further units may have */
};

/* A unit's parts of sections. */
struct unit {
	struct bytes part[COLUMNS];
	unsigned char *strings, *offsets, *info; /* changed copies */
	size_t nstrings;
};

/*
 * A type unit.  It was in a file together with a unit of code, and uses the
 * same table of offsets.
 */
struct type {
	struct bytes bytes;
	const unsigned char *offsets, *abbrev;
};

static uint32_t
u32(const unsigned char *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

static struct bytes
dwp_section(struct dwp *p, const char *name)
{
	Elf_Scn *scn = elffile_named(p->elf, name);
	Elf_Data *data = scn ? section_data(&p->memory, p->elf, scn) : NULL;
	struct bytes none = { 0 };

	if (!data || !data->d_buf)
		return none;
	return (struct bytes){ data->d_buf, data->d_size };
}

/* Take n items of `size' bytes from the front.  NULL: there are fewer. */
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

/* The unit's row, from 1; 0: not found. */
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

/* Set the parts of a row.  False: one isn't inside its section. */
static bool
row_sections(const struct dwp *p, const struct index *x, uint32_t row,
	     struct bytes *part)
{
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
		part[kind].p = p->section[kind].p + offset;
		part[kind].n = size;
	}
	return true;
}

SORT_BY(type_compare, struct type,
	SORT_UP(offsets) SORT_UP(abbrev) SORT_UP(bytes.p))

/* Read the type units.  Without memory for them they are left out. */
static void
types_read(struct dwp *p)
{
	struct bytes index = dwp_section(p, ".debug_tu_index");
	struct bytes part[COLUMNS];
	size_t kind = p->index.version == 5 ? INFO : TYPES;
	uint32_t row;

	if (!index.p || !index_read(&p->types, index) ||
	    p->types.version != p->index.version)
		return;
	p->type = calloc(p->types.units + (size_t)1, sizeof(*p->type));
	for (row = 1; p->type && row <= p->types.units; row++) {
		memset(part, 0, sizeof(part));
		if (!row_sections(p, &p->types, row, part) || !part[kind].n)
			continue;
		p->type[p->ntypes++] =
			(struct type){ part[kind], part[OFFSETS].p,
				       part[ABBREV].p };
	}
	if (p->type)
		SORT(p->type, p->ntypes, type_compare);
}

struct dwp *
dwp_open(const char *path)
{
	struct dwp *p;
	enum elffile_state state;
	const char *const *names;
	size_t i, size = 0;
	int fd;

	if (!elffile_is_regular(path))
		return NULL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->elf = elffile_open(path, &fd, &state);
	elffile_let_go(p->elf, fd);
	if (!p->elf ||
	    !index_read(&p->index, dwp_section(p, ".debug_cu_index"))) {
		dwp_free(p);
		return NULL;
	}
	names = p->index.version == 5 ? names5 : names2;
	for (i = 1; i < COLUMNS; i++)
		if (names[i])
			p->section[i] = dwp_section(p, names[i]);
	p->strings = dwp_section(p, ".debug_str.dwo");
	types_read(p);
	elf_rawfile(p->elf, &size);
	p->left = BESIDES + (uint64_t)size * GROWTH;
	return p;
}

void
dwp_free(struct dwp *p)
{
	if (!p)
		return;
	elf_end(p->elf);
	owned_free(&p->memory);
	free(p->type);
	free(p);
}

bool
dwp_has(const struct dwp *p, uint64_t id)
{
	return index_find(&p->index, id);
}

/* Bytes before the first offset: version 5 has a header. */
static size_t
offsets_head(const struct bytes *b)
{
	uint16_t version;

	if (b->n < 8 || u32(b->p) > b->n - 4)
		return 0;
	memcpy(&version, b->p + 4, sizeof(version));
	return version == 5 ? 8 : 0;
}

/* Take n bytes off the limit.  False: fewer are left. */
static bool
spend(struct dwp *p, uint64_t n)
{
	if (n > p->left)
		return false;
	p->left -= n;
	return true;
}

/* Copy the strings that the unit's offsets name, and change the offsets. */
static bool
unit_strings(struct dwp *p, struct unit *u)
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
	/* First add up their lengths, then copy them. */
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
	u->strings = calloc(n + 1, 1);
	if (!u->strings)
		return false;
	/* Another process may have changed the file meanwhile. */
	for (i = head; i + 4 <= b->n; i += 4) {
		from = u32(b->p + i);
		to = u32(u->offsets + i);
		if (to == UINT32_MAX || from >= p->strings.n)
			continue;
		length = p->strings.n - from;
		if (length > n - to)
			length = n - to;
		memcpy(u->strings + to, p->strings.p + from,
		       strnlen((const char *)p->strings.p + from, length));
	}
	u->nstrings = n;
	b->p = u->offsets;
	return true;
}

/* Append the unit's types to it, or, before version 5, put them in TYPES. */
static bool
unit_types(struct dwp *p, struct unit *u)
{
	struct bytes *to = &u->part[p->index.version == 5 ? INFO : TYPES];
	size_t low, end;
	uint64_t n;
	struct type key = { .offsets = u->part[OFFSETS].p,
			    .abbrev = u->part[ABBREV].p };

	if (to == &u->part[TYPES])
		*to = (struct bytes){ 0 };
	low = SORT_PLACE(i, p->ntypes, type_compare(&p->type[i], &key) < 0);
	n = to->n;
	for (end = low;
	     end < p->ntypes && p->type[end].offsets == key.offsets &&
	     p->type[end].abbrev == key.abbrev;
	     end++)
		n += p->type[end].bytes.n;
	if (end == low)
		return true;
	u->info = spend(p, n) ? malloc(n) : NULL;
	if (!u->info)
		return false;
	if (to->n)
		memcpy(u->info, to->p, to->n);
	for (n = to->n; low < end; low++) {
		memcpy(u->info + n, p->type[low].bytes.p, p->type[low].bytes.n);
		n += p->type[low].bytes.n;
	}
	*to = (struct bytes){ u->info, n };
	return true;
}

/* Write the unit's file.  Returns a descriptor, or -1. */
static int
unit_write(const struct dwp *p, const struct unit *u)
{
	const char *const *names = p->index.version == 5 ? names5 : names2;
	struct dwo_part part[COLUMNS + 1];
	size_t i, n = 0;

	for (i = 1; i < COLUMNS; i++)
		if (names[i] && u->part[i].n)
			part[n++] = (struct dwo_part){ names[i], u->part[i].p,
						       u->part[i].n };
	part[n++] =
		(struct dwo_part){ ".debug_str.dwo", u->strings, u->nstrings };
	return dwo_write(p->elf, part, n);
}

int
dwp_unit(struct dwp *p, uint64_t id)
{
	struct unit u = { 0 };
	uint32_t row = index_find(&p->index, id);
	uint64_t n = 0;
	int fd = -1;
	size_t i;

	if (!row || !row_sections(p, &p->index, row, u.part))
		return -1;
	for (i = 1; i < COLUMNS; i++)
		n += u.part[i].n;
	if (spend(p, n) && unit_types(p, &u) && unit_strings(p, &u))
		fd = unit_write(p, &u);
	free(u.strings);
	free(u.offsets);
	free(u.info);
	return fd;
}
