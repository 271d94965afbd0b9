/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types that the compiler knew at allocation calls: the section
 * .debug_memmon, which the plugin for gcc writes.  It has no header.  Each
 * entry is: the return address of the call (8 bytes; 0 in code that the linker
 * removed), the size of the type (unsigned LEB128, 0 unknown), the kind (a
 * byte), the name, a NUL.
 */
#ifndef MEMMON_REDUCE_CALLTYPES_H
#define MEMMON_REDUCE_CALLTYPES_H

#include "reduce/binaries/debugfile.h"
#include "reduce/symbols/symbols_pool.h"

#include <stdbool.h>

struct calltype {
	uint64_t addr;	  /* return address, in the file */
	uint64_t size;	  /* bytes of the type; 0 unknown */
	const char *name; /* as in the source, "struct node"; NULL: not known
			   * here, perhaps in the caller */
};

/* All zero: no such section.  Sorted by address. */
struct calltypes {
	struct calltype *v;
	size_t n, room;
};

/*
 * Read the section of f, in the file itself or in its debug file; names go to
 * pool.  A damaged section is left out, and so is an address with several
 * types.
 */
void calltypes_read(struct calltypes *c, struct symbols_pool *pool,
		    struct debugfile *f);

/* The entry of the call that returns to the address, or NULL. */
const struct calltype *calltypes_find(const struct calltypes *c, uint64_t addr);

void calltypes_fini(struct calltypes *c);

#endif
