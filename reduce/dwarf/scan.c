/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk over raw entries (DWARF 5, sections 7.5.2 to 7.5.6).  libdw finds
 * units and abbreviations.  Each abbreviation is read once in a unit and
 * becomes a list of steps that skip the attributes.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/dwarf/scan.h"
#include "reduce/base/arena.h"

/* Lower abbreviation codes than this are found without a hash. */
#define SMALL 4096u

/*
 * No compiler gives an entry more attributes.  At such an entry the unit ends.
 */
#define ATTRIBUTES 1000u

/* How to skip one or more attributes. */
enum step {
	STEP_FIXED,  /* this number of bytes */
	STEP_LEB,    /* a number of variable length */
	STEP_STRING, /* a string that ends in NUL */
	STEP_BLOCK,  /* a length of this number of bytes, then the content */
	STEP_LONG,   /* a length of variable length, then the content */
	STEP_FORM,   /* the form comes first, then the value */
	STEP_BAD     /* an unknown form */
};

struct scan_step {
	enum step kind;
	uint32_t bytes;
};

struct scan_shape {
	int tag;
	unsigned has; /* SCAN_* */
	bool wanted;
	uint32_t first, n; /* the first of its steps, and how many */
};

/*
 * Read a number of variable length.  *at is past the end if the number has no
 * end.
 */
static uint64_t
read_leb(const unsigned char **at, const unsigned char *end)
{
	uint64_t n = 0;
	unsigned shift = 0;

	while (*at < end) {
		unsigned char byte = *(*at)++;

		if (shift < 64)
			n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			return n;
	}
	*at = end + 1;
	return 0;
}

/* ---------------------------------------------------------------- forms -- */

static struct scan_step
step_of_number(unsigned form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return (struct scan_step){ STEP_FIXED, 0 };
	case DW_FORM_data1:
	case DW_FORM_flag:
	case DW_FORM_ref1:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return (struct scan_step){ STEP_FIXED, 1 };
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return (struct scan_step){ STEP_FIXED, 2 };
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return (struct scan_step){ STEP_FIXED, 3 };
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
		return (struct scan_step){ STEP_FIXED, 4 };
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return (struct scan_step){ STEP_FIXED, 8 };
	case DW_FORM_data16:
		return (struct scan_step){ STEP_FIXED, 16 };
	default:
		return (struct scan_step){ STEP_BAD, 0 };
	}
}

static struct scan_step
step_of(const struct scan *s, unsigned form)
{
	switch (form) {
	case DW_FORM_addr:
		return (struct scan_step){ STEP_FIXED, s->addr_size };
	case DW_FORM_ref_addr:
		return (struct scan_step){ STEP_FIXED,
					   s->version < 3 ? s->addr_size
							  : s->offset_size };
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return (struct scan_step){ STEP_FIXED, s->offset_size };
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return (struct scan_step){ STEP_LEB, 0 };
	case DW_FORM_string:
		return (struct scan_step){ STEP_STRING, 0 };
	case DW_FORM_block1:
		return (struct scan_step){ STEP_BLOCK, 1 };
	case DW_FORM_block2:
		return (struct scan_step){ STEP_BLOCK, 2 };
	case DW_FORM_block4:
		return (struct scan_step){ STEP_BLOCK, 4 };
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return (struct scan_step){ STEP_LONG, 0 };
	case DW_FORM_indirect:
		return (struct scan_step){ STEP_FORM, 0 };
	default:
		return step_of_number(form);
	}
}

/* Take one step.  The unit ends at an unknown form. */
static void
step_take(struct scan *s, struct scan_step step)
{
	const unsigned char *nul;
	uint64_t n = step.bytes;
	uint32_t i;

	switch (step.kind) {
	case STEP_FIXED:
		break;
	case STEP_LEB:
		read_leb(&s->at, s->end);
		return;
	case STEP_STRING:
		nul = memchr(s->at, '\0', (size_t)(s->end - s->at));
		s->at = nul ? nul + 1 : s->end + 1;
		return;
	case STEP_BLOCK:
		/*
		 * In this machine's byte order, as everything that is read
		 * here.
		 */
		n = UINT64_MAX;
		if ((size_t)(s->end - s->at) < step.bytes)
			break;
		for (n = i = 0; i < step.bytes; i++)
			n |= (uint64_t)s->at[i] << 8 * i;
		s->at += step.bytes;
		break;
	case STEP_LONG:
		n = read_leb(&s->at, s->end);
		break;
	default:
		n = UINT64_MAX;
		break;
	}
	if (s->at > s->end || n > (size_t)(s->end - s->at))
		s->at = s->end + 1;
	else
		s->at += n;
}

static void
form_take(struct scan *s)
{
	struct scan_step step = step_of(s, (unsigned)read_leb(&s->at, s->end));

	/* A form that is itself indirect could go on forever. */
	if (s->at <= s->end && step.kind != STEP_FORM)
		step_take(s, step);
	else
		s->at = s->end + 1;
}

/* -------------------------------------------------------- abbreviations -- */

static unsigned
has_of(unsigned attribute)
{
	switch (attribute) {
	case DW_AT_low_pc:
	case DW_AT_ranges:
		return SCAN_CODE;
	case DW_AT_declaration:
		return SCAN_DECLARATION;
	case DW_AT_byte_size:
		return SCAN_SIZE;
	case DW_AT_abstract_origin:
		return SCAN_ORIGIN;
	default:
		return 0;
	}
}

/* Add a step.  Neighbouring attributes of fixed length become one step. */
static void
step_add(struct scan *s, struct scan_shape *shape, struct scan_step step)
{
	struct scan_step *last = shape->n ? &s->steps[s->nsteps - 1] : NULL;

	if (step.kind == STEP_FIXED && !step.bytes)
		return;
	if (step.kind == STEP_FIXED && last && last->kind == STEP_FIXED) {
		last->bytes += step.bytes;
		return;
	}
	ARRAY_ADD(s->steps, s->steps_room, s->nsteps, step);
	shape->n++;
}

/* Add the shape of the entry at `start', whose code is new. */
static void
shape_add(struct scan *s, const unsigned char *start)
{
	Dwarf_Die die = { .addr = (void *)start, .cu = s->cu };
	struct scan_shape shape = { .first = (uint32_t)s->nsteps };
	unsigned name, form;
	size_t i;

	if (s->nshapes >= HASH_NONE - 1 || s->nsteps >= UINT32_MAX - ATTRIBUTES)
		heap_out();
	ARRAY_ROOM(s->shapes, s->shapes_room, s->nshapes + 1);
	shape.tag = dwarf_tag(&die);
	shape.wanted = s->wanted(shape.tag);
	if (dwarf_haschildren(&die) > 0)
		shape.has = SCAN_CHILDREN;
	for (i = 0; shape.tag != DW_TAG_invalid; i++) {
		if (dwarf_getabbrevattr_data(die.abbrev, i, &name, &form, NULL,
					     NULL) != 0 ||
		    (!name && !form))
			break;
		shape.has |= has_of(name);
		step_add(s, &shape,
			 i < ATTRIBUTES ? step_of(s, form)
					: (struct scan_step){ STEP_BAD, 0 });
		if (i == ATTRIBUTES)
			break;
	}
	if (shape.tag == DW_TAG_invalid)
		step_add(s, &shape, (struct scan_step){ STEP_BAD, 0 });
	s->shapes[s->nshapes++] = shape;
}

/* Find or add the shape with that code. */
static uint32_t
shape_of(struct scan *s, uint64_t code, const unsigned char *start)
{
	uint32_t n;

	if (code < SMALL && s->small[code])
		return s->small[code] - 1;
	n = (uint32_t)s->nshapes;
	if (code >= SMALL) {
		n = hash_intern(&s->codes, code, 0, 0, n);
		if (n != s->nshapes)
			return n;
	}
	shape_add(s, start);
	if (code < SMALL)
		s->small[code] = n + 1;
	return n;
}

/* ----------------------------------------------------------------- unit -- */

/* Does the unit have an entry, or a part of one, at the offset? */
static bool
scan_is_inside(const Dwarf_Die *unit, Dwarf_Off offset, bool types)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(unit->cu);
	Dwarf_Die die;

	if (types)
		return dwarf_offdie_types(dwarf, offset, &die) &&
		       die.cu == unit->cu;
	return dwarf_offdie(dwarf, offset, &die) && die.cu == unit->cu;
}

/*
 * The length of the unit in bytes, from its own entry on.  The section may end
 * before the unit does.
 */
static size_t
unit_length(const Dwarf_Die *unit, unsigned version, unsigned type)
{
	Dwarf_Die at = *unit;
	Dwarf_Off entry = dwarf_dieoffset(&at), next, low, high;
	Dwarf_Off start = entry - dwarf_cuoffset(&at);
	bool types = type == DW_UT_type && version < 5;
	uint64_t signature;

	if (dwarf_next_unit(dwarf_cu_getdwarf(unit->cu), start, &next, NULL,
			    NULL, NULL, NULL, NULL, types ? &signature : NULL,
			    NULL) != 0 ||
	    next <= entry)
		return 0;
	if (scan_is_inside(unit, next - 1, types))
		return next - entry;
	for (low = entry, high = next - 1; low + 1 < high;) {
		Dwarf_Off middle = low + (high - low) / 2;

		if (scan_is_inside(unit, middle, types))
			low = middle;
		else
			high = middle;
	}
	return low + 1 - entry;
}

void
scan_start(struct scan *s, const Dwarf_Die *unit, bool (*wanted)(int tag))
{
	uint8_t addr_size, offset_size, type;
	Dwarf_Half version;

	s->wanted = wanted;
	s->cu = unit->cu;
	s->at = s->end = unit->addr;
	s->inside = 0;
	s->nshapes = s->nsteps = 0;
	hash_fini(&s->codes);
	if (!s->small)
		s->small = heap_new(SMALL * sizeof *s->small);
	memset(s->small, 0, SMALL * sizeof *s->small);
	if (dwarf_cu_info(unit->cu, &version, &type, NULL, NULL, NULL,
			  &addr_size, &offset_size) != 0)
		return;
	s->addr_size = addr_size;
	s->offset_size = offset_size;
	s->version = version;
	s->end = s->at + unit_length(unit, version, type);
}

/* Skip the attributes. */
static void
shape_pass(struct scan *s, const struct scan_shape *shape)
{
	const struct scan_step *step;
	uint32_t i;

	if (!shape->n)
		return;
	step = &s->steps[shape->first];
	for (i = 0; i < shape->n && s->at <= s->end; i++, step++) {
		if (step->kind == STEP_FIXED &&
		    step->bytes <= (size_t)(s->end - s->at))
			s->at += step->bytes;
		else if (step->kind == STEP_FORM)
			form_take(s);
		else
			step_take(s, *step);
	}
}

bool
scan_next(struct scan *s)
{
	while (s->at < s->end) {
		const unsigned char *start = s->at;
		uint64_t code = read_leb(&s->at, s->end);
		const struct scan_shape *shape;
		unsigned depth = s->inside;
		uint32_t n;

		if (s->at > s->end)
			break;
		if (!code) {
			/*
			 * The end of a list of children.  The last one ends the
			 * unit's own list.
			 */
			if (s->inside <= 1)
				break;
			s->inside--;
			continue;
		}
		n = shape_of(s, code, start);
		shape = &s->shapes[n];
		shape_pass(s, shape);
		if (s->at > s->end)
			break;
		s->seen++;
		s->inside += (shape->has & SCAN_CHILDREN) != 0;
		/* The unit's entry has no siblings. */
		if (!s->inside)
			s->at = s->end;
		if (depth >= SCAN_DEPTH)
			continue;
		s->addr[depth] = start;
		s->tag[depth] = shape->tag;
		if (!shape->wanted)
			continue;
		s->depth = depth;
		s->has = shape->has;
		return true;
	}
	s->at = s->end;
	return false;
}

Dwarf_Die
scan_die(const struct scan *s, unsigned depth)
{
	return (Dwarf_Die){ .addr = (void *)s->addr[depth], .cu = s->cu };
}

void
scan_fini(struct scan *s)
{
	hash_fini(&s->codes);
	free(s->shapes);
	free(s->steps);
	free(s->small);
	*s = (struct scan){ 0 };
}
