/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangling. */
#define _GNU_SOURCE
#include <libiberty/demangle.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/symbols/symbols_name.h"
#include "reduce/base/names.h"

/* Longer names aren't demangled: the time grows with the length. */
#define MANGLED_MAX 32768

/*
 * Names that would become longer than this aren't demangled, either.  A mangled
 * name of 200 bytes, whose parts each repeat the previous part twice, could
 * fill all memory.
 */
#define SHOWN_MAX 65536

/* The demangler's output so far. */
struct shown {
	jmp_buf full;
	size_t lead; /* length of the text before the mangled name */
	size_t n;
	char text[SHOWN_MAX];
};

/* The demanglers allocate only on the stack, so the jump is safe. */
static void
shown_add(const char *s, size_t n, void *to)
{
	struct shown *x = to;

	if (n > sizeof(x->text) - x->n)
		longjmp(x->full, 1);
	memcpy(x->text + x->n, s, n);
	x->n += n;
}

static bool
demangle_to(struct shown *x, const char *name)
{
	int options = DMGL_PARAMS | DMGL_ANSI;

	if (setjmp(x->full))
		return false;
	x->n = x->lead;
	if (rust_demangle_callback(name, options, shown_add, x))
		return true;
	x->n = x->lead;
	/* With this limit, the demangler refuses names above 1,024 bytes. */
	options |= DMGL_NO_RECURSE_LIMIT;
	return cplus_demangle_v3_callback(name, options, shown_add, x);
}

/*
 * A long name is demangled on a large stack, because the demangler calls itself
 * for each part.  A name of MANGLED_MAX bytes took 5.3 MB.
 */
enum { LONG_NAME = 1000, LONG_STACK = 32 << 20 };

struct apart {
	struct shown *x;
	const char *name;
	bool done;
};

static void *
demangle_thread(void *arg)
{
	struct apart *a = arg;

	a->done = demangle_to(a->x, a->name);
	return NULL;
}

/* False also when out of memory for the stack. */
static bool
demangle_apart(struct shown *x, const char *name)
{
	struct apart a = { x, name, false };
	pthread_attr_t attr;
	pthread_t thread;
	bool runs;

	if (strlen(name) <= LONG_NAME)
		return demangle_to(x, name);
	if (pthread_attr_init(&attr))
		return false;
	runs = !pthread_attr_setstacksize(&attr, LONG_STACK) &&
	       !pthread_create(&thread, &attr, demangle_thread, &a);
	pthread_attr_destroy(&attr);
	if (runs)
		pthread_join(thread, NULL);
	return a.done;
}

/*
 * Names of D: "_D4shop4makeFZv".  They can repeat parts of themselves.  Names
 * with very many repetitions aren't demangled.
 */
#define D_MAX 4096
#define D_AGAIN_MAX 24

static char *
demangle_d(const char *name)
{
	unsigned again = 0;
	char *text;

	if (strncmp(name, "_D", 2) != 0 || strlen(name) > D_MAX)
		return NULL;
	for (const char *p = name; (p = strchr(p, 'Q')); p++)
		again++;
	text = again <= D_AGAIN_MAX ? dlang_demangle(name, 0) : NULL;
	if (text && strlen(text) <= SHOWN_MAX)
		return text;
	free(text);
	return NULL;
}

/* A function in a Fortran module, by gfortran: "__shop_MOD_make". */
static char *
demangle_fortran(const char *name)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	const char *mod = strstr(name, "_MOD_");

	if (strncmp(name, "__", 2) != 0 || !mod || mod <= name + 2 ||
	    strspn(name + 2, word) != (size_t)(mod + 1 - name - 2) || !mod[5] ||
	    mod[5 + strspn(mod + 5, word)])
		return NULL;
	return heap_print("%.*s::%s", (int)(mod - name - 2), name + 2, mod + 5);
}

/*
 * The start of a name of C++ whose template arguments the demangler doesn't
 * understand, as libiberty's with generic lambdas: "std::call<...>".  What
 * follows the arguments of a scope is unknown: "std::vector<...>::...".
 */
static char *
demangle_start(const char *name)
{
	const char *end = name + strlen(name);
	char *text = NULL, *to;
	bool nested, any = false;

	if (strncmp(name, "_Z", 2) != 0)
		return NULL;
	text = heap_new(2 * strlen(name) + 16);
	to = text;
	name += 2;
	nested = *name == 'N';
	name += nested ? 1 + strspn(name + 1, "rVKRO") : 0;
	if (strncmp(name, "St", 2) == 0) {
		to = stpcpy(to, "std");
		name += 2;
	}
	while (*name >= '1' && *name <= '9') {
		size_t n = strtoul(name, (char **)&name, 10);

		if (n > (size_t)(end - name))
			break;
		to += sprintf(to, "%s%.*s", to > text ? "::" : "", (int)n,
			      name);
		name += n;
		any = true;
	}
	if (any && *name == 'I') {
		strcpy(to, nested ? "<...>::..." : "<...>");
		return text;
	}
	free(text);
	return NULL;
}

char *
symbols_demangle(const char *name)
{
	char *text;
	struct shown *x;

	if (strlen(name) > MANGLED_MAX)
		return NULL;
	if ((text = demangle_d(name)) || (text = demangle_fortran(name)))
		return text;
	x = heap_new(sizeof(*x));
	/* Some linkers put these characters before names. */
	x->lead = strspn(name, ".$");
	memcpy(x->text, name, x->lead);
	if (demangle_apart(x, name + x->lead))
		text = heap_part(x->text, x->n);
	else
		text = demangle_start(name);
	free(x);
	return text;
}

char *
symbols_coroutine(const char *type)
{
	static const char end[] = ".Frame";
	const char *at = type, *scope;
	size_t n = strlen(type), e = sizeof end - 1;
	char *mangled, *plain, *text = NULL;

	while ((scope = strstr(at, "::")))
		at = scope + 2;
	if (strncmp(at, "_Z", 2) != 0 || strlen(at) <= e ||
	    strcmp(type + n - e, end) != 0)
		return NULL;
	mangled = heap_part(at, strlen(at) - e);
	plain = symbols_demangle(mangled);
	if (plain)
		text = heap_print("frame of %s", plain);
	free(plain);
	free(mangled);
	return text;
}

/* name is interned. */
static const char *
demangle(struct symbols_names *s, const char *name)
{
	char *text = s->demangle ? symbols_demangle(name) : NULL;
	const char *shown = name;

	if (text)
		shown = symbols_pool_intern(&s->pool, text, strlen(text));
	free(text);
	return shown;
}

const char *
symbols_names_show(struct symbols_names *s, const char *name, size_t length)
{
	uint32_t i;

	name = symbols_pool_intern(&s->pool, name, names_linked(name, length));
	if (s->n >= HASH_NONE)
		heap_out();
	ARRAY_ROOM(s->shown, s->room, s->n + 1);
	i = hash_intern(&s->known, (uintptr_t)name, 0, 0, (uint32_t)s->n);
	if (i == s->n)
		s->shown[s->n++] = demangle(s, name);
	return s->shown[i];
}

const char *
symbols_names_plain(struct symbols_names *s, const char *name, size_t length)
{
	return symbols_pool_intern(&s->pool, name, names_linked(name, length));
}

void
symbols_names_fini(struct symbols_names *s)
{
	symbols_pool_fini(&s->pool);
	hash_fini(&s->known);
	free(s->shown);
	*s = (struct symbols_names){ 0 };
}
