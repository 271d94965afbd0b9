/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of a profile while its chains are being made: each (module,
 * function) is one, whatever its name; or, when they are told apart by line,
 * each (module, function, line of the call).
 */
#ifndef MEMMON_REDUCE_FUNCS_H
#define MEMMON_REDUCE_FUNCS_H

#include "reduce/base/hash.h"
#include "reduce/callgraph/runtime.h"
#include "reduce/callgraph/suppress.h"
#include "reduce/symbols/lines.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/wrappers.h"
#include "reduce/file/mon.h"
#include "reduce/model/result.h"

struct filter;

/* What is known of a function besides struct func. */
struct funcs_detail {
	uint32_t module;     /* number in mon, 0 if there is none */
	bool main;	     /* the program's main */
	bool start;	     /* of the C library, or starts threads in it */
	bool libc;	     /* its module is the C library */
	bool monitor;	     /* its module is libmemmon.so */
	bool known;	     /* has a name */
	bool tried, wrapper; /* wrapper is valid when tried */
	uint32_t suppress;   /* number of what matches it, 0: nothing */
	unsigned filter;     /* bits of filter.h */
	enum runtime runtime;
};

/*
 * A function that an address is in: the physical one or one that is inlined
 * there.
 */
struct funcs_call {
	uint32_t func;
	bool inlined;
	bool part;	   /* of the function, called by the rest of it */
	const char *site;  /* "func+0xoff (file:line)"; NULL: not wanted */
	const char *file;  /* of the call, "" unknown */
	unsigned line;	   /* of the call, 0 unknown */
	uint32_t suppress; /* of the function, or of the call's file */
	unsigned filter;   /* bits of filter.h, of the function or call */
};

/* The caller owns it, and sets the first group of fields. */
struct funcs {
	struct arena *arena;	 /* gets all strings but names */
	struct symbols *symbols; /* module n of mon is n - 1 there */
	const struct mon *mon;
	struct wrappers wrappers;
	bool offsets;			 /* make the sites' text */
	bool apart;			 /* call sites, by address */
	bool by_line;			 /* a function for each of its lines */
	bool short_names;		 /* in it */
	const struct suppress *suppress; /* may be NULL */
	bool whole;			 /* mon is of a static program */
	struct filter *filter;		 /* may be NULL */
	bool filtered;			 /* sites have passed it already */

	struct func *list;
	struct funcs_detail *detail; /* of each */
	size_t n, room, detail_room;
	struct funcs_call *calls; /* of the last address */
	size_t call_room;
	struct hash hash;
	struct hash wholes; /* functions, however many lines they have */
	unsigned nwholes;
	struct lines lines;
	const char **names; /* of modules; made on demand */
};

/*
 * The functions at return address addr of a module of mon, the innermost first;
 * *calls lives until the next call.  Returns how many, at least 1, or 0 when
 * out of memory.
 */
size_t funcs_find(struct funcs *f, uint32_t module, uint64_t addr,
		  const struct funcs_call **calls);

/* Is one of the functions at that address the program's main? */
bool funcs_is_main(struct funcs *f, uint32_t module, uint64_t addr);

/* Is the function an allocation wrapper? */
bool funcs_is_wrapper(struct funcs *f, uint32_t func);

void funcs_fini(struct funcs *f);

#endif
