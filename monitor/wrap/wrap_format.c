/* SPDX-License-Identifier: MIT */
/* Parses formats of printf() and scanf() to find the pointers among
 * arguments. */
#include "monitor/wrap/wrap.h"

#include "monitor/wrap/wrap_format.h"
#include "monitor/access/handed.h"

/* Number of arguments to take if their places are unknown. */
#define SOME 8

/* A conversion; the arguments before its own are already taken. */
struct conversion {
	char length; /* 0, h, H for hh, l, or L for long double and long long */
	char kind;   /* the letter; 0: unknown */
	bool star;   /* scanf: not assigned; printf: see limit */
	bool memory; /* scanf: %ms */
	long limit;  /* precision or width; -1: none */
};

static bool
is_one_of(char c, const char *set)
{
	return c && NEXT(strchrnul)(set, c)[0];
}

static const char *
digits(const char *p, long *n)
{
	for (*n = 0; *p >= '0' && *p <= '9'; p++)
		*n = *n < 1l << 30 ? 10 * *n + (*p - '0') : *n;
	return p;
}

static const char *
length(const char *p, struct conversion *c)
{
	c->length = 0;
	for (; is_one_of(*p, "hlLqjzt"); p++)
		c->length = *p == 'h'	? (c->length == 'h' ? 'H' : 'h')
			    : *p == 'l' ? (c->length == 'l' ? 'L' : 'l')
			    : *p == 'L' || *p == 'q' ? 'L'
						     : 'l';
	return p;
}

/* The places of its arguments are unknown. */
static void
hand_over(va_list ap)
{
	for (int i = 0; i < SOME; i++)
		mmi_handed_block(va_arg(ap, void *), NULL);
}

static void
read_string(const void *s, const struct conversion *c)
{
	const wchar_t *w = s;
	size_t n = 0;

	if (!s)
		return;
	if (c->kind == 'S' || c->length == 'l') {
		while ((c->limit < 0 || n < (size_t)c->limit) && w[n])
			n++;
		mmi_wrap_read(s, (n + (c->limit < 0)) * sizeof(*w));
		return;
	}
	mmi_wrap_read(s, c->limit < 0 ? mmi_wrap_size(s)
				      : mmi_wrap_size_max(s, (size_t)c->limit));
}

static size_t
number_size(const struct conversion *c)
{
	return c->length == 'H' ? 1 : c->length == 'h' ? 2 : c->length ? 8 : 4;
}

/*
 * Takes the argument of a conversion, and those of its width and precision.  A
 * va_list parameter is a pointer; in a struct it keeps its own type.
 */
struct arguments {
	va_list ap;
};

/* After '%': flags, width, precision.  NULL: arguments are named by place. */
static const char *
print_start(const char *p, struct arguments *a, struct conversion *c)
{
	long n;

	while (is_one_of(*p, "-+ #0'I"))
		p++;
	c->limit = -1;
	if (*p == '*') {
		(void)va_arg(a->ap, int);
		p++;
	}
	p = digits(p, &n);
	if (*p == '$')
		return NULL;
	if (*p != '.')
		return p;
	if (*++p == '*') {
		c->limit = va_arg(a->ap, int);
		p = digits(p + 1, &n);
		return *p == '$' ? NULL : p;
	}
	return digits(p, &c->limit);
}

/* Takes the printed argument.  False: the remaining arguments are unknown. */
static bool
print_one(struct arguments *a, const struct conversion *c)
{
	void *p;

	if (is_one_of(c->kind, "%m"))
		return true;
	if (is_one_of(c->kind, "eEfFgGaA")) {
		if (c->length == 'L')
			(void)va_arg(a->ap, long double);
		else
			(void)va_arg(a->ap, double);
		return true;
	}
	if (is_one_of(c->kind, "diouxXcC")) {
		if (number_size(c) == 8)
			(void)va_arg(a->ap, long);
		else
			(void)va_arg(a->ap, int);
		return true;
	}
	if (!is_one_of(c->kind, "sSpn"))
		return false;
	p = va_arg(a->ap, void *);
	if (c->kind == 'n')
		mmi_wrap_write(p, number_size(c));
	else if (c->kind != 'p')
		read_string(p, c);
	return true;
}

void
mmi_wrap_printed(const char *format, va_list ap)
{
	struct conversion c = { 0 };
	struct arguments a;
	const char *p = format;

	mmi_wrap_read(format, mmi_wrap_size(format));
	va_copy(a.ap, ap);
	while (p && (p = NEXT(strchrnul)(p, '%'))[0]) {
		p = print_start(p + 1, &a, &c);
		if (!p)
			break;
		p = length(p, &c);
		c.kind = *p;
		if (!c.kind || !print_one(&a, &c))
			break;
		p++;
	}
	va_end(a.ap);
	if (!p)
		hand_over(ap);
}

/* After '%': whether the result is stored, width.  NULL as above. */
static const char *
scan_start(const char *p, struct conversion *c)
{
	c->star = *p == '*';
	p = digits(p + c->star, &c->limit);
	if (*p == '$')
		return NULL;
	while (is_one_of(*p, "'I"))
		p++;
	c->memory = *p == 'm';
	return p + c->memory;
}

/* The end of a set of characters; p points to the first one. */
static const char *
set_end(const char *p)
{
	if (*p == '^')
		p++;
	if (*p == ']')
		p++;
	return NEXT(strchrnul)(p, ']');
}

/* A conversion was stored at p. */
static void
scan_one(void *p, const struct conversion *c)
{
	bool wide = c->length == 'l' || c->kind == 'S' || c->kind == 'C';
	size_t unit = wide ? sizeof(wchar_t) : 1;
	char **s = p;

	if (!is_one_of(c->kind, "cCsS[")) {
		mmi_wrap_write(p, is_one_of(c->kind, "eEfFgGaA")
					  ? c->length == 'L' ? 16
					    : c->length	     ? 8
							     : 4
				  : c->kind == 'p' ? 8
						   : number_size(c));
	} else if (c->memory) {
		mmi_wrap_write(s, sizeof(*s));
		mmi_handed_block(*s, NULL);
	} else if (c->kind == 'c' || c->kind == 'C') {
		mmi_wrap_write(p, unit * (c->limit ? (size_t)c->limit : 1));
	} else if (wide) {
		mmi_handed_block(p, NULL);
	} else {
		mmi_wrap_write(p, mmi_wrap_size(p));
	}
}

void
mmi_wrap_scanned(const char *format, va_list ap, int n)
{
	struct conversion c = { 0 };
	struct arguments a;
	const char *p = format;

	mmi_wrap_read(format, mmi_wrap_size(format));
	va_copy(a.ap, ap);
	while (p && n > 0 && (p = NEXT(strchrnul)(p, '%'))[0]) {
		p = scan_start(p + 1, &c);
		if (!p)
			break;
		p = length(p, &c);
		c.kind = *p;
		if (c.kind == '[')
			p = set_end(p + 1);
		if (!*p || !c.kind)
			break;
		p++;
		if (c.kind == '%' || c.star)
			continue;
		scan_one(va_arg(a.ap, void *), &c);
		n -= c.kind != 'n';
	}
	va_end(a.ap);
	if (!p)
		hand_over(ap);
}
