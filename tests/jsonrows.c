/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jsonrows: print figures from mpreduce's JSON, which is on standard input.
 *
 *	jsonrows TABLE [NAME=VALUE] MEMBER...
 *
 * TABLE is a member of the whole object: an array of objects, each of which is
 * a row, or an object, which is the only row.  Prints a line for each row, or
 * for each row whose member NAME is VALUE, with its members; a.b is the member
 * b of the object a.  Of an array of numbers it prints the sum, or, if `[]'
 * follows the name, the numbers with commas between them.  A member that is
 * missing or null is `-'.  The order of members doesn't matter.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32, NAME = 256 };

static const char *p; /* the next character */
static char **wanted; /* names of members */
static int nwanted;
static char *got[MOST];	   /* their values in the current row */
static char path[16][NAME]; /* names of the members that p is in */

static void
fail(const char *what)
{
	fprintf(stderr, "jsonrows: %s at: %.40s\n", what, p);
	exit(1);
}

static char
next(void)
{
	while (isspace((unsigned char)*p))
		p++;
	return *p;
}

static void
expect(char c)
{
	if (next() != c)
		fail("not JSON");
	p++;
}

/* Read a string into to; what doesn't fit is left out.  \u is kept as it is. */
static void
string(char *to, size_t room)
{
	size_t n = 0;

	for (expect('"'); *p && *p != '"'; p++) {
		if (*p == '\\' && p[1] != 'u')
			p++;
		if (n + 1 < room)
			to[n++] = *p;
	}
	to[n] = '\0';
	expect('"');
}

/* The place of the member that p is in, below a row, among those wanted. */
static int
place(int depth, const char *after)
{
	char name[16 * NAME] = "";
	size_t n = 0;

	for (int i = 0; i < depth; i++)
		n += (size_t)snprintf(name + n, sizeof name - n, "%s%s",
				      i ? "." : "", path[i]);
	snprintf(name + n, sizeof name - n, "%s", after);
	for (int i = 0; i < nwanted; i++)
		if (!strcmp(name, wanted[i]))
			return i;
	return -1;
}

static void
keep(int at, const char *text)
{
	if (at < 0)
		return;
	free(got[at]);
	got[at] = strdup(text);
}

static void value(int depth);

/* An array: its numbers, if it has any, are added up, and listed. */
static void
array(int depth)
{
	static char list[1 << 16];
	uint64_t sum = 0;
	size_t n = 0;
	char text[32];

	for (expect('['); next() != ']';) {
		if (isdigit((unsigned char)*p)) {
			sum += strtoull(p, NULL, 10);
			if (n < sizeof list - 32)
				n += (size_t)sprintf(
					list + n, "%s%.*s", n ? "," : "",
					(int)strspn(p, "0123456789"), p);
		}
		value(-1);
		if (next() == ',')
			p++;
	}
	p++;
	list[n] = '\0';
	sprintf(text, "%" PRIu64, sum);
	keep(depth < 0 ? -1 : place(depth, ""), text);
	keep(depth < 0 ? -1 : place(depth, "[]"), list);
}

static void
object(int depth)
{
	char name[NAME];

	for (expect('{'); next() != '}';) {
		string(depth < 0 ? name : path[depth], NAME);
		expect(':');
		value(depth < 0 || depth == 15 ? -1 : depth + 1);
		if (next() == ',')
			p++;
	}
	p++;
}

/* Read a value, which is the member path[depth - 1]; below 0: skip it. */
static void
value(int depth)
{
	char text[1 << 16];
	size_t n;

	switch (next()) {
	case '{':
		object(depth);
		return;
	case '[':
		array(depth);
		return;
	case '"':
		string(text, sizeof text);
		break;
	default:
		n = strspn(p, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
		if (!n)
			fail("not JSON");
		snprintf(text, sizeof text, "%.*s", (int)n, p);
		p += n;
		if (!strcmp(text, "null"))
			strcpy(text, "-");
	}
	if (depth > 0)
		keep(place(depth, ""), text);
}

/* Read a row; print it, if its first member wanted is `is', if that is set. */
static void
row(const char *is)
{
	for (int i = 0; i < nwanted; i++)
		keep(i, "-");
	object(0);
	if (is && strcmp(got[0], is) != 0)
		return;
	for (int i = is != NULL; i < nwanted; i++)
		printf("%s%c", got[i], i + 1 < nwanted ? ' ' : '\n');
}

static char *
input(void)
{
	size_t n = 0, room = 1 << 20, k;
	char *text = malloc(room + 1);

	while (text && (k = fread(text + n, 1, room - n, stdin)) > 0)
		if ((n += k) == room)
			text = realloc(text, (room *= 2) + 1);
	if (!text)
		exit(1);
	text[n] = '\0';
	return text;
}

int
main(int argc, char **argv)
{
	char name[NAME], *is = argc > 2 ? strchr(argv[2], '=') : NULL;

	if (argc < 3 || argc - 2 > MOST)
		return 2;
	if (is)
		*is++ = '\0';
	wanted = argv + 2;
	nwanted = argc - 2;
	p = input();
	for (expect('{'); next() != '}';) {
		string(name, sizeof name);
		expect(':');
		if (strcmp(name, argv[1]) != 0) {
			value(-1);
		} else if (next() == '{') {
			row(is);
		} else {
			for (expect('['); next() != ']';) {
				row(is);
				if (next() == ',')
					p++;
			}
			p++;
		}
		if (next() == ',')
			p++;
	}
	return 0;
}
