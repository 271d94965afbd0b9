/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shorter names: see names_shorten(). */
#include "reduce/base/names.h"
#include "reduce/base/str.h"

#include <string.h>

struct shortened {
	const char *name;
	const char *in;	 /* the next character to read */
	const char *end; /* end of the name */
	char *start;	 /* start of the name in the output, after "vtable
			  * for " */
	char *out;	 /* where the next character is written */
	const char *arguments; /* written for template arguments */
	int angles;	       /* open brackets of Rust's "<T as Trait>::f" */
	bool type;	       /* not a function's name */
	bool converts;	       /* within "operator unsigned long" */
	bool bad;	       /* the brackets don't match */
};

/* The end of the bracket that opens at s; NULL if it isn't closed. */
static const char *
behind(const struct shortened *w, const char *s)
{
	size_t n = names_bracket(s, w->end);

	return n ? s + n : NULL;
}

static void
names_short_put(struct shortened *w, const char *s, size_t n)
{
	memcpy(w->out, s, n);
	w->out += n;
}

/* Copy n bytes unchanged. */
static void
names_short_copy(struct shortened *w, size_t n)
{
	names_short_put(w, w->in, n);
	w->in += n;
}

/* Skip a bracket and all in it, and write `instead'. */
static void
skip(struct shortened *w, const char *instead)
{
	const char *end = behind(w, w->in);

	w->bad = !end;
	if (!end)
		return;
	w->in = end;
	names_short_put(w, instead, strlen(instead));
}

/*
 * Write "{lambda(int)#1}" as "{lambda()#1}", and "{unnamed type#1}" unchanged.
 */
static void
braces(struct shortened *w)
{
	const char *end = behind(w, w->in);

	w->bad = !end;
	while (w->in < end && !w->bad) {
		if (*w->in == '<')
			skip(w, "");
		else if (*w->in == '(')
			skip(w, "()");
		else
			names_short_copy(w, 1);
	}
}

/* At "(": parameters, or a part of the name.  before: the character before. */
static void
parenthesis(struct shortened *w, char before)
{
	size_t nameless = names_nameless(w->in);
	const char *end;

	w->converts = false;
	if (nameless) {
		names_short_copy(w, nameless);
	} else if (w->angles || w->type) {
		names_short_copy(w, 1);
	} else if (before == '.') {
		/* Go's methods: "main.(*T).f" */
		end = behind(w, w->in);
		w->bad = !end;
		names_short_copy(w, end ? (size_t)(end - w->in) : 0);
	} else if (w->out == w->start && (w->in[1] == '*' || w->in[1] == '&')) {
		/* "void (*f<int>(int))(char)": the name is inside. */
		w->in += 2;
	} else {
		skip(w, "");
		w->in += names_qualifiers(w->in);
	}
}

/*
 * At ")" without an opening bracket: the end of a name such as the one above.
 */
static void
name_end(struct shortened *w)
{
	w->in++;
	while (!w->bad && (*w->in == '(' || *w->in == '['))
		skip(w, "");
}

/* At "<": template arguments, or a Rust type with its trait. */
static void
angle(struct shortened *w, char before)
{
	bool arguments =
		names_is_word(before) || strchr(":]})", before) || w->converts;

	if (arguments && !str_starts(w->in, "<impl ")) {
		skip(w, w->arguments);
		return;
	}
	w->angles++;
	names_short_copy(w, 1);
}

/* At a blank: the text so far is the result type. */
static void
blank(struct shortened *w)
{
	if (w->angles || w->converts || w->type) {
		names_short_copy(w, 1);
		return;
	}
	w->out = w->start;
	w->in++;
}

/* Copy n bytes of "operator" and what belongs to it. */
static void
operator_copy(struct shortened *w, size_t n)
{
	w->converts = w->in[n - 1] == ' ' && w->in[n - 2] != '"';
	names_short_copy(w, n);
	if (w->converts)
		return;
	if (w->in[0] == ' ' && w->in[1] == '<') {
		names_short_put(w, w->in, *w->arguments ? 1 : 0);
		w->in++;
	}
	if (w->in[0] == '<')
		skip(w, w->arguments);
}

static void
names_short_step(struct shortened *w)
{
	char before = w->in > w->name ? w->in[-1] : ' ';
	size_t n = names_operator(w->in, before);

	if (n)
		operator_copy(w, n);
	else if (*w->in == '(')
		parenthesis(w, before);
	else if (*w->in == ')' && !w->angles && !w->type)
		name_end(w);
	else if (*w->in == '{')
		braces(w);
	else if (*w->in == '<')
		angle(w, before);
	else if (str_starts(w->in, "[abi:"))
		skip(w, "");
	else if (*w->in == ' ')
		blank(w);
	else if (str_starts(w->in, "->"))
		names_short_copy(w, 2);
	else if (*w->in == '>' && w->angles--)
		names_short_copy(w, 1);
	else
		names_short_copy(w, 1);
}

/* Copy the words that the demangler writes before a name. */
static void
prefixes(struct shortened *w)
{
	static const char *const words[] = {
		"vtable for ",
		"VTT for ",
		"typeinfo for ",
		"typeinfo name for ",
		"guard variable for ",
		"non-virtual thunk to ",
		"virtual thunk to ",
		"covariant return thunk to ",
		"TLS init function for ",
		"TLS wrapper function for ",
	};
	size_t n;

	while ((n = STR_PREFIX(w->in, words)))
		names_short_copy(w, n);
	w->start = w->out;
}

void
names_shorten(const char *name, enum names_form form, char *to)
{
	struct shortened w = { .name = name,
			       .in = name,
			       .end = name + strlen(name),
			       .out = to,
			       .arguments = form == NAMES_SHORT ? "<>" : "",
			       .type = form == NAMES_TYPE };

	prefixes(&w);
	/* "[module+0x12]" has no such parts. */
	while (*name != '[' && *w.in && !w.bad && !str_starts(w.in, " [clone "))
		names_short_step(&w);
	while (w.out > w.start && w.out[-1] == ' ')
		w.out--;
	if (w.bad || w.out == w.start || w.angles || *name == '[')
		memcpy(to, name, strlen(name) + 1);
	else
		*w.out = '\0';
}
