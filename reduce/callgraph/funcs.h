/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of a profile while its call paths are built.  Each (module,
 * function) is one function, even if names are equal.  With functions by line,
 * each (module, function, line of the call) is one.
 */
#ifndef MEMMON_REDUCE_FUNCS_H
#define MEMMON_REDUCE_FUNCS_H

#include "reduce/base/hash.h"
#include "reduce/callgraph/runtime.h"
#include "reduce/callgraph/suppress.h"
#include "reduce/symbols/lines.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/wrappers.h"
#include "reduce/monout/mon.h"
#include "reduce/model/result.h"

struct filter;

/* Details of a function that struct func doesn't have. */
struct funcs_detail {
	uint32_t module;     /* number in mon, 0: none */
	bool main;	     /* the program's main */
	bool start;	     /* in the C library, or a function where threads
			      * start */
	bool libc;	     /* its module is the C library */
	bool monitor;	     /* its module is libmemmon.so */
	bool known;	     /* its name is known */
	bool tried, wrapper; /* wrapper is valid if tried is set */
	uint32_t suppress;   /* number of its suppression, 0: none */
	unsigned filter;     /* bits of filter.h */
	enum runtime runtime;
};

/*
 * A function at an address: the physical function, or one that is inlined
 * there.
 */
struct funcs_call {
	uint32_t func;
	bool inlined;
	bool part;	   /* a part of the function, which the rest of it
			    * calls */
	const char *site;  /* "func+0xoff (file:line)"; NULL: not wanted */
	const char *file;  /* of the call; "" if unknown */
	unsigned line;	   /* of the call; 0 if unknown */
	uint32_t suppress; /* of the function, or of the file of the call */
	unsigned filter;   /* bits of filter.h, of the function and the call */
};

/* The caller owns it, and sets the first group of fields. */
struct funcs {
	struct arena *arena;	 /* holds all strings except names */
	struct symbols *symbols; /* module n of mon has number n - 1 there */
	const struct mon *mon;
	struct wrappers wrappers;
	bool offsets;			 /* make text for call sites */
	bool apart;			 /* call sites are separate, by
					  * address */
	bool by_line;			 /* each line of a function is one
					  * function */
	bool short_names;		 /* call sites get short names */
	const struct suppress *suppress; /* may be NULL */
	bool whole;			 /* the program is linked statically */
	struct filter *filter;		 /* may be NULL */
	bool filtered;			 /* the sites were filtered before */

	struct func *list;
	struct funcs_detail *detail; /* of each function in the list */
	size_t n, room, detail_room;
	struct funcs_call *calls; /* of the last address */
	size_t call_room;
	struct hash hash;
	struct hash wholes; /* functions, without their lines */
	unsigned nwholes;
	struct lines lines;
	const char **names; /* of modules; filled on demand */
};

/*
 * Find the functions at return address addr of a module of mon, the innermost
 * first.  *calls is valid until the next call.  Returns how many there are, at
 * least 1.
 */
size_t funcs_find(struct funcs *f, uint32_t module, uint64_t addr,
		  const struct funcs_call **calls);

/* Is one of the functions at the address the program's main? */
bool funcs_is_main(struct funcs *f, uint32_t module, uint64_t addr);

/* Is the function an allocation wrapper? */
bool funcs_is_wrapper(struct funcs *f, uint32_t func);

void funcs_fini(struct funcs *f);

#endif
