/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types by name, however that is written. */
#include "reduce/types/typenames.h"
#include "reduce/debuginfo/symbols_pool.h"
#include "reduce/guess/guess_name.h"
#include "reduce/types/exact.h"

#include <stdlib.h>
#include <string.h>

/* Behind the bracket that closes the one at s; its end if there is none. */
static const char *
close_bracket(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		depth += *s == '(' || *s == '<';
		depth -= *s == ')' || (*s == '>' && s[-1] != '-');
		if (!depth)
			return s + 1;
	}
	return s;
}

/* Does a word or number end before s? */
static bool
is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* Past blanks, and the suffix of a number that begins at start of s. */
static const char *
pass(const char *s, const char *start)
{
	const char *number = s;

	while (number > start && is_word(number[-1]))
		number--;
	if (number < s && *number >= '0' && *number <= '9')
		s += strspn(s, "uUlL");
	return s + strspn(s, " ");
}

/* The rest of the arguments of a template, up to the closing bracket. */
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
	static const char here[] = "{anonymous}",
			  there[] = "(anonymous namespace)";
	const char *w, *f;

	w = wanted = exact_bare(wanted);
	f = full;
	for (;;) {
		w = pass(w, wanted);
		f = pass(f, full);
		if (!strncmp(w, here, strlen(here)) &&
		    !strncmp(f, there, strlen(there))) {
			w += strlen(here);
			f += strlen(there);
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

/* No more names are compared with one. */
#define TRIES 1000

/* Of a name up to what may be written in several ways. */
static uint64_t
typenames_key(const char *name)
{
	static const char *const nameless[] = { "{anonymous}::",
						"(anonymous namespace)::" };
	size_t i, n;

	name = exact_bare(name);
	for (i = 0; i < 2; i++) {
		n = strlen(nameless[i]);
		if (!strncmp(name, nameless[i], n)) {
			name += n;
			i = (size_t)-1;
		}
	}
	return symbols_hash(SYMBOLS_HASH, name, strcspn(name, "<({ "));
}

int
typenames_add(struct typenames *t, const char *name, uint32_t number)
{
	uint64_t key = typenames_key(name);
	uint32_t i;

	if (t->n >= HASH_NONE || symbols_grow(&t->v, &t->room, t->n) < 0)
		return -1;
	i = hash_intern(&t->first, key, 0, 0, (uint32_t)t->n);
	if (i == HASH_NONE)
		return -1;
	t->v[t->n].name = name;
	t->v[t->n].clean = NULL;
	t->v[t->n].number = number;
	t->v[t->n].next = HASH_NONE;
	if (i < t->n) {
		t->v[t->n].next = t->v[i].next;
		t->v[i].next = (uint32_t)t->n;
	}
	t->n++;
	return 0;
}

const char *
typenames_clean(struct arena *a, const char *name)
{
	const char *clean = strchr(name, '<')
				    ? guess_name_clean(a, exact_bare(name))
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
