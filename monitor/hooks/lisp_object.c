/* SPDX-License-Identifier: MIT */
/* Objects of ECL: names. */
#ifndef MEMMON_STATIC

#include "monitor/hooks/lisp_object.h"

int mmi_lisp_symbol;

/* The text of a string; 0: not a string.  Characters above 126 become "?". */
static size_t
string_text(uintptr_t o, char *to, size_t n)
{
	int type = lisp_type(o);
	const char *bytes;
	const uint32_t *wide;
	size_t length;

	if (type != LISP_STRING && type != LISP_BASE_STRING)
		return 0;
	length = lisp_word(o, 3);
	if (length > n)
		length = n;
	bytes = (const char *)lisp_word(o, 4);
	wide = (const uint32_t *)bytes;
	for (size_t i = 0; i < length; i++)
		if (type == LISP_BASE_STRING)
			to[i] = bytes[i];
		else
			to[i] = wide[i] < 127 ? (char)wide[i] : '?';
	return length;
}

/* PACKAGE:NAME; symbols of Lisp itself have no package in front. */
static size_t
symbol_text(uintptr_t o, char *to, size_t n)
{
	static const char lisp[] = "COMMON-LISP";
	uintptr_t package = lisp_word(o, 6);
	size_t k = 0;

	/* In versions before C names. */
	if (lisp_type(package) != LISP_PACKAGE)
		package = lisp_word(o, 5);
	if (lisp_type(package) == LISP_PACKAGE)
		k = string_text(lisp_word(package, 1), to, n);
	if (k == sizeof(lisp) - 1) {
		for (k = 0; k < sizeof(lisp) - 1 && to[k] == lisp[k]; k++)
			;
		k = k == sizeof(lisp) - 1 ? 0 : sizeof(lisp) - 1;
	}
	if (k && k < n)
		to[k++] = ':';
	return k + string_text(lisp_word(o, 4), to + k, n - k);
}

/* A list of symbols: (A B). */
static size_t
list_text(uintptr_t o, char *to, size_t n)
{
	const uintptr_t *cell;
	size_t k = 0;

	if (n < 8)
		return 0;
	for (unsigned i = 0; i < 4 && (o & 3) == 1 && o > 65536 && k + 2 < n;
	     i++) {
		cell = (const uintptr_t *)(o - 1);
		to[k++] = i ? ' ' : '(';
		k += mmi_lisp_name(cell[0], to + k, n - k - 1);
		o = cell[1];
	}
	to[k++] = ')';
	return k;
}

size_t
mmi_lisp_name(uintptr_t name, char *to, size_t n)
{
	if ((name & 3) == 1 && name > 65536)
		return list_text(name, to, n);
	if (lisp_type(name) == LISP_SYMBOL)
		return symbol_text(name, to, n);
	return string_text(name, to, n);
}

const char *
mmi_lisp_type_name(int number)
{
	static const char *const first[] = {
		[LISP_CONS] = "CONS",
		[LISP_BIGNUM] = "BIGNUM",
		[LISP_RATIO] = "RATIO",
		[LISP_SINGLE] = "SINGLE-FLOAT",
		[LISP_DOUBLE] = "DOUBLE-FLOAT",
		[LISP_LONG] = "LONG-FLOAT",
		[LISP_COMPLEX] = "COMPLEX",
		[LISP_COMPLEX + 1] = "COMPLEX-SINGLE-FLOAT",
		[LISP_COMPLEX + 2] = "COMPLEX-DOUBLE-FLOAT",
		[LISP_COMPLEX + 3] = "COMPLEX-LONG-FLOAT",
	};
	static const char *const then[LISP_OTHERS] = {
		[LISP_SYMBOL] = "SYMBOL",
		[LISP_PACKAGE] = "PACKAGE",
		[LISP_HASHTABLE] = "HASH-TABLE",
		[LISP_ARRAY] = "ARRAY",
		[LISP_VECTOR] = "VECTOR",
		[LISP_STRING] = "STRING",
		[LISP_BASE_STRING] = "BASE-STRING",
		[LISP_BITVECTOR] = "BIT-VECTOR",
		[LISP_STREAM] = "STREAM",
		[LISP_RANDOM] = "RANDOM-STATE",
		[LISP_READTABLE] = "READTABLE",
		[LISP_PATHNAME] = "PATHNAME",
		[LISP_BYTECODES] = "INTERPRETED-FUNCTION",
		[LISP_BCLOSURE] = "CLOSURE",
		[LISP_CFUN] = "COMPILED-FUNCTION",
		[LISP_CFUNFIXED] = "COMPILED-FUNCTION",
		[LISP_CCLOSURE] = "CLOSURE",
		[LISP_INSTANCE] = "INSTANCE",
	};
	unsigned i = (unsigned)(number - mmi_lisp_symbol);

	if (number >= mmi_lisp_symbol)
		return i < LISP_OTHERS ? then[i] : "SYSTEM";
	return number > 0 && (unsigned)number < sizeof(first) / sizeof(*first)
		       ? first[number]
		       : NULL;
}

#endif
