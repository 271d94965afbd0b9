/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short names, from the text that a demangler, or the compiler's debug
 * information, gives.
 */
#include "reduce/debuginfo/symbols_short.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Brackets in brackets; a name with more of them stays long. */
#define NESTED 256

struct shortened {
	const char *name;
	const char *in; /* what is next to be read */
	char *start;	/* where the name starts, behind "vtable for " */
	char *out;	/* what is next to be written */
	int angles;	/* open ones of Rust's "<T as Trait>::f" */
	bool converts;	/* within "operator unsigned long" */
	bool bad;	/* the brackets don't match */
};

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

static bool
starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

/*
 * Length of "operator" at s with its sign, or with the blank before a type or a
 * word; 0: no such thing.  before: the character before s.
 */
static size_t
operator_at(const char *s, char before)
{
	/* The longer ones before what they start with. */
	static const char *const signs[] = {
		"()", "[]", "->*", "->",    "<=>",  "<<=", ">>=", "<<", ">>",
		"<=", ">=", "==",  "!=",    "&&",   "||",  "++",  "--", "+=",
		"-=", "*=", "/=",  "%=",    "^=",   "&=",  "|=",  "<",	">",
		"+",  "-",  "*",   "/",	    "%",    "^",   "&",	  "|",	"~",
		"!",  "=",  ",",   "\"\" ", "\"\"", " ",
	};
	size_t i, n = strlen("operator");

	if (is_word(before) || !starts(s, "operator") || is_word(s[n]))
		return 0;
	for (i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (starts(s + n, signs[i]))
			return n + strlen(signs[i]);
	return n;
}

static char
closing(char c)
{
	return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '>';
}

/*
 * Behind the bracket that closes the one at s; NULL: none does.  Expressions
 * stand in parentheses, "((a)<(b))": there, these are no brackets.
 */
static const char *
behind(const char *s)
{
	char stack[NESTED];
	size_t depth = 0, n;
	const char *p = s;

	while (*p) {
		n = operator_at(p, p > s ? p[-1] : ' ');
		if (!n && p[0] == '-' && p[1] == '>')
			n = 2;
		if (n) {
			p += n;
			continue;
		}
		if (strchr("([{", *p) ||
		    (*p == '<' && !(p > s && p[-1] == ')' && p[1] == '('))) {
			if (depth == NESTED)
				return NULL;
			stack[depth++] = closing(*p);
		} else if (depth && (strchr(")]}", *p) ||
				     (*p == '>' && stack[depth - 1] == '>'))) {
			if (stack[--depth] != *p)
				return NULL;
			if (!depth)
				return p + 1;
		}
		p++;
	}
	return NULL;
}

static void
put(struct shortened *w, const char *s, size_t n)
{
	memcpy(w->out, s, n);
	w->out += n;
}

/* Copy n bytes as they are. */
static void
copy(struct shortened *w, size_t n)
{
	put(w, w->in, n);
	w->in += n;
}

/* Pass over a bracket and all in it, and write `instead'. */
static void
skip(struct shortened *w, const char *instead)
{
	const char *end = behind(w->in);

	w->bad = !end;
	if (!end)
		return;
	w->in = end;
	put(w, instead, strlen(instead));
}

/* "{lambda(int)#1}" as "{lambda()#1}"; "{unnamed type#1}" as it is. */
static void
braces(struct shortened *w)
{
	const char *end = behind(w->in);

	w->bad = !end;
	while (w->in < end && !w->bad) {
		if (*w->in == '<')
			skip(w, "");
		else if (*w->in == '(')
			skip(w, "()");
		else
			copy(w, 1);
	}
}

/* Pass over what may stand behind parameters. */
static void
qualifiers(struct shortened *w)
{
	static const char *const words[] = {
		" const", " volatile", " noexcept", " restrict", " &&", " &",
	};
	size_t i = 0, n;

	while (i < sizeof(words) / sizeof(*words)) {
		n = strlen(words[i]);
		if (starts(w->in, words[i]) && !is_word(w->in[n])) {
			w->in += n;
			i = 0;
		} else {
			i++;
		}
	}
}

/* At "(": parameters, or what belongs to the name.  before: it stands there. */
static void
parenthesis(struct shortened *w, char before)
{
	static const char nameless[] = "(anonymous namespace)";
	const char *end;

	w->converts = false;
	if (starts(w->in, nameless)) {
		copy(w, strlen(nameless));
	} else if (w->angles) {
		copy(w, 1);
	} else if (before == '.') {
		/* Go's methods: "main.(*T).f" */
		end = behind(w->in);
		w->bad = !end;
		copy(w, end ? (size_t)(end - w->in) : 0);
	} else if (w->out == w->start && (w->in[1] == '*' || w->in[1] == '&')) {
		/* "void (*f<int>(int))(char)": the name stands inside. */
		w->in += 2;
	} else {
		skip(w, "");
		qualifiers(w);
	}
}

/* At ")", which nothing before has opened: the end of such a name. */
static void
name_end(struct shortened *w)
{
	w->in++;
	while (!w->bad && (*w->in == '(' || *w->in == '['))
		skip(w, "");
}

/* At "<": template arguments, or a type of Rust's and what it is used as. */
static void
angle(struct shortened *w, char before)
{
	bool arguments =
		is_word(before) || strchr(":]})", before) || w->converts;

	if (arguments && !starts(w->in, "<impl ")) {
		skip(w, "<>");
		return;
	}
	w->angles++;
	copy(w, 1);
}

/* At a blank: what stands before it is the type of the result. */
static void
blank(struct shortened *w)
{
	if (w->angles || w->converts) {
		copy(w, 1);
		return;
	}
	w->out = w->start;
	w->in++;
}

/* n bytes of "operator" and what belongs to it. */
static void
operator_copy(struct shortened *w, size_t n)
{
	w->converts = w->in[n - 1] == ' ' && w->in[n - 2] != '"';
	copy(w, n);
	if (w->converts)
		return;
	if (w->in[0] == ' ' && w->in[1] == '<')
		copy(w, 1);
	if (w->in[0] == '<')
		skip(w, "<>");
}

static void
step(struct shortened *w)
{
	char before = w->in > w->name ? w->in[-1] : ' ';
	size_t n = operator_at(w->in, before);

	if (n)
		operator_copy(w, n);
	else if (*w->in == '(')
		parenthesis(w, before);
	else if (*w->in == ')' && !w->angles)
		name_end(w);
	else if (*w->in == '{')
		braces(w);
	else if (*w->in == '<')
		angle(w, before);
	else if (starts(w->in, "[abi:"))
		skip(w, "");
	else if (*w->in == ' ')
		blank(w);
	else if (starts(w->in, "->"))
		copy(w, 2);
	else if (*w->in == '>' && w->angles--)
		copy(w, 1);
	else
		copy(w, 1);
}

/* What the demangler puts before a name. */
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
	size_t i = 0;

	while (i < sizeof(words) / sizeof(*words)) {
		if (starts(w->in, words[i])) {
			copy(w, strlen(words[i]));
			i = 0;
		} else {
			i++;
		}
	}
	w->start = w->out;
}

void
symbols_shorten(const char *name, char *to)
{
	struct shortened w = { .name = name, .in = name, .out = to };

	prefixes(&w);
	/* "[module+0x12]" has no such parts. */
	while (*name != '[' && *w.in && !w.bad && !starts(w.in, " [clone "))
		step(&w);
	while (w.out > w.start && w.out[-1] == ' ')
		w.out--;
	if (w.bad || w.out == w.start || w.angles || *name == '[')
		memcpy(to, name, strlen(name) + 1);
	else
		*w.out = '\0';
}
