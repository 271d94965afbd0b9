/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types by name, in any spelling. */
#include "reduce/types/typenames.h"
#include "reduce/base/names.h"

#include <stdlib.h>
#include <string.h>

/* The place after the bracket at s; the end if nothing closes it. */
static const char *
close_bracket(const char *s)
{
	const char *end = s + strlen(s);
	size_t n = names_bracket(s, end);

	return n ? s + n : end;
}

/* Skip blanks, and the suffix of a number in the text from start to s. */
static const char *
typenames_pass(const char *s, const char *start)
{
	const char *number = s;

	while (number > start && names_is_word(number[-1]))
		number--;
	if (number < s && *number >= '0' && *number <= '9')
		s += strspn(s, "uUlL");
	return s + strspn(s, " ");
}

/* Skip the rest of a template's arguments, up to the closing bracket. */
static const char *
pass_arguments(const char *s)
{
	while (*s && *s != '>')
		s = *s == '<' || *s == '(' ? close_bracket(s) : s + 1;
	return s;
}

bool
typenames_same(const char *wanted, const char *full)
{
	const char *w, *f;
	size_t n;

	w = wanted = names_type_bare(wanted);
	f = full;
	for (;;) {
		w = typenames_pass(w, wanted);
		f = typenames_pass(f, full);
		n = *w == '{' || *w == '<' || *w == '(' ? names_nameless(w) : 0;
		if (n && names_nameless(f)) {
			w += n;
			f += names_nameless(f);
		} else if (*w == '>' && *f == ',') {
			f = pass_arguments(f);
		} else if (*w == '(' && *f != '(') {
			w = close_bracket(w);
		} else if (*w != *f) {
			return false;
		} else if (!*w) {
			return true;
		} else {
			w++;
			f++;
		}
	}
}

/* The most names to compare with one. */
#define TRIES 1000

/* The hash of the part of a name that has only one spelling. */
static uint64_t
typenames_key(const char *name)
{
	size_t n;

	name = names_type_bare(name);
	while ((n = names_nameless(name)) && !strncmp(name + n, "::", 2))
		name += n + 2;
	return hash_bytes(HASH_BYTES, name, strcspn(name, "<({ "));
}

void
typenames_add(struct typenames *t, const char *name, uint32_t number)
{
	uint64_t key = typenames_key(name);
	uint32_t i;

	if (t->n >= HASH_NONE)
		heap_out();
	ARRAY_ROOM(t->v, t->room, t->n + 1);
	i = hash_intern(&t->first, key, 0, 0, (uint32_t)t->n);
	t->v[t->n].name = name;
	t->v[t->n].clean = NULL;
	t->v[t->n].number = number;
	t->v[t->n].next = HASH_NONE;
	if (i < t->n) {
		t->v[t->n].next = t->v[i].next;
		t->v[i].next = (uint32_t)t->n;
	}
	t->n++;
}

const char *
typenames_clean(struct arena *a, const char *name)
{
	const char *clean = strchr(name, '<')
				    ? names_type_clean(a, names_type_bare(name))
				    : NULL;

	return clean ? clean : "";
}

void
typenames_each(struct typenames *t, const char *wanted,
	       bool (*f)(uint32_t number, void *arg), void *arg)
{
	uint32_t i = hash_find(&t->first, typenames_key(wanted), 0, 0);
	const char *clean = typenames_clean(&t->arena, wanted);
	unsigned tries = 0;
	bool same;

	for (; i != HASH_NONE && tries++ < TRIES; i = t->v[i].next) {
		if (*clean && !t->v[i].clean)
			t->v[i].clean =
				typenames_clean(&t->arena, t->v[i].name);
		same = typenames_same(wanted, t->v[i].name) ||
		       (*clean && !strcmp(clean, t->v[i].clean));
		if (same && !f(t->v[i].number, arg))
			return;
	}
}

void
typenames_fini(struct typenames *t)
{
	hash_fini(&t->first);
	arena_fini(&t->arena);
	free(t->v);
	*t = (struct typenames){ 0 };
}
