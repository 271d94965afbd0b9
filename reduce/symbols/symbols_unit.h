/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The units of a file's debug information: the unit of an address, and the
 * functions and inlined functions at the address.
 *
 * The entries of a unit are read when the first of its addresses is looked up,
 * and a second time when the enclosing entry of one is first asked for.
 */
#ifndef MEMMON_SYMBOLS_UNIT_H
#define MEMMON_SYMBOLS_UNIT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dwarf/scan.h"
#include "reduce/symbols/symbols_pool.h"
#include "reduce/symbols/symbols_span.h"
#include "reduce/symbols/symbols_within.h"

/* A function with code, or a place where one is inlined. */
struct symbols_scope {
	const void *addr; /* of the entry: symbols_unit_entry() */
	uint64_t entry;	  /* the start of its first range */
	uint32_t parent;  /* the enclosing scope, plus 1; 0: none */
	bool inlined;
};

struct symbols_unit {
	Dwarf_Die die;	/* has the line table */
	Dwarf_Die code; /* contains the functions: die, or of the .dwo */
	bool partial;	/* other units import it */
	bool copied;	/* its out-of-line copies are known */
	bool indexed;	/* scopes and pcs are filled */
	struct symbols_scope *scopes;
	size_t nscopes, scopes_room;
	struct symbols_spans pcs; /* addresses -> scopes */
	struct symbols_withins withins;
};

/* An out-of-line copy of a function that is inlined elsewhere. */
struct symbols_copy {
	uint64_t entry; /* its address */
	uint32_t unit;
	uint32_t next; /* another copy of the same function, plus 1 */
};

/* All zero: no units. */
struct symbols_units {
	struct symbols_unit *v;
	size_t n;
	size_t room;
	struct symbols_spans pcs; /* addresses -> units */
	struct hash by_cu;	  /* libdw's unit -> index in v */
	struct symbols_copy *copies;
	size_t ncopies;
	size_t copies_room;
	struct hash origins; /* abstract entry's address -> first copy */
	bool all;	     /* the copies of all units are known */
	uint64_t left;	     /* ranges that may still be taken */
	struct scan scan;
	uint64_t walks; /* over units, for tests */
};

/* Units that can't be read are left out. */
void symbols_units_load(struct symbols_units *u, Dwarf *dwarf);
void symbols_units_fini(struct symbols_units *u);

/* The unit of the address, indexed, or NULL. */
struct symbols_unit *symbols_units_at(struct symbols_units *u, uint64_t addr);

/* The innermost scope at the address, or NULL. */
const struct symbols_scope *symbols_unit_scope(const struct symbols_unit *unit,
					       uint64_t addr);

/*
 * Fill die[], which has room for `most', with the entries of the scopes at the
 * address: innermost first, the physical function last.  Returns their number.
 */
size_t symbols_unit_scopes(const struct symbols_unit *unit, uint64_t addr,
			   Dwarf_Die *die, size_t most);

/* The entry of a scope of the unit. */
Dwarf_Die symbols_unit_entry(const struct symbols_unit *unit,
			     const struct symbols_scope *scope);

/* The unit that the entry is in, not indexed, or NULL. */
struct symbols_unit *symbols_units_of(struct symbols_units *u,
				      const Dwarf_Die *die);

/* Find the copies in all units, unless that is done. */
void symbols_units_copies(struct symbols_units *u);

/*
 * Find the entry that encloses die: a namespace, class or function of the unit.
 * False: only the unit itself does.  in may be die.
 */
bool symbols_units_within(struct symbols_units *u, struct symbols_unit *unit,
			  const Dwarf_Die *die, Dwarf_Die *in);

/* Follow DW_AT_abstract_origin, or DW_AT_specification, to the end. */
Dwarf_Die symbols_unit_follow(const Dwarf_Die *die, unsigned attribute);

#endif
