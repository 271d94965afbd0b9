/* SPDX-License-Identifier: MIT */
/* Objects of ECL 16 to 24, and their layout in memory.  All ctx: hook. */
#ifndef MEMMON_LISP_OBJECT_H
#define MEMMON_LISP_OBJECT_H

#include "monitor/base/internal.h"

/* Numbers of types: first those before symbols, then those from symbols on. */
enum {
	LISP_CONS = 1,
	LISP_BIGNUM = 4,
	LISP_RATIO,
	LISP_SINGLE,
	LISP_DOUBLE,
	LISP_LONG,
	LISP_COMPLEX,
};
enum {
	LISP_SYMBOL,
	LISP_PACKAGE,
	LISP_HASHTABLE,
	LISP_ARRAY,
	LISP_VECTOR,
	LISP_STRING,
	LISP_BASE_STRING,
	LISP_BITVECTOR,
	LISP_STREAM,
	LISP_RANDOM,
	LISP_READTABLE,
	LISP_PATHNAME,
	LISP_BYTECODES,
	LISP_BCLOSURE,
	LISP_CFUN,
	LISP_CFUNFIXED,
	LISP_CCLOSURE,
	LISP_INSTANCE,
	LISP_OTHERS /* and more: threads, locks and such */
};

/* The number of the type of symbols: builds of ECL differ; 0: not known yet. */
extern HIDDEN int mmi_lisp_symbol;

/* The address of an object; 0: it is an immediate value. */
static inline uintptr_t
lisp_address(uintptr_t o)
{
	return o & 3 || o < 65536 || o >> ARCH_ADDR_BITS ? 0 : o;
}

/* Word i of an object; word 0 contains its type. */
static inline uintptr_t
lisp_word(uintptr_t o, unsigned i)
{
	return ((const uintptr_t *)o)[i];
}

/* Its type, counted from that of symbols; less than 0: another type. */
static inline int
lisp_type(uintptr_t o)
{
	return lisp_address(o) ? *(const int8_t *)o - mmi_lisp_symbol : -1;
}

/*
 * The name of a function or a class: a symbol with its package, or a list such
 * as (SETF NAME).  Writes at most n bytes to `to' and returns how many; 0: no
 * name.
 */
size_t mmi_lisp_name(uintptr_t name, char *to, size_t n);

/* The name of a type by its number; NULL: not known. */
const char *mmi_lisp_type_name(int number);

#endif
