/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements of source, as they are found by line and column. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reduce/guess/source.h"
#include "tests/tap.h"

static const char source[] =
	"int a; /* ; */ b = malloc(sizeof(struct b)); c = 3;\n"
	"d =\n"
	"	malloc(10 * // ten; of them\n"
	"	       sizeof(int));\n"
	"if (x) { e = f(\"; }\", ';'); }\n"
	"\n"
	"for (i = 0; i < n; i++)\n"
	"	g[i] = calloc(1, sizeof *g[i]);\n"
	"last = malloc(3)";

static char path[] = "/tmp/guess-source.XXXXXX";

static const char *
statement(unsigned line, unsigned column)
{
	static char text[GUESS_STATEMENT];
	size_t from = 0, to = 0;

	if (!guess_source_statement(path, line, column, text))
		return "none";
	/* Blanks don't count. */
	for (; text[from]; from++)
		if (!strchr(" \t\n", text[from]))
			text[to++] = text[from];
	text[to] = '\0';
	return text;
}

int
main(void)
{
	FILE *f;
	int fd = mkstemp(path);

	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f || fputs(source, f) < 0 || fclose(f) != 0)
		return 1;
	is_str(statement(1, 20), "b=malloc(sizeof(structb));",
	       "the column tells which of a line");
	is_str(statement(1, 49), "c=3;", "the last of a line");
	is_str(statement(1, 0),
	       "inta;b=malloc(sizeof(structb));c=3;d=malloc("
	       "10*sizeof(int));",
	       "without a column: all of the line");
	is_str(statement(3, 2), "d=malloc(10*sizeof(int));",
	       "it begins and ends in other lines; comments are left out");
	is_str(statement(4, 9), "d=malloc(10*sizeof(int));", "its last line");
	is_str(statement(5, 11), "e=f(,);", "strings are left out");
	is_str(statement(8, 9), "g[i]=calloc(1,sizeof*g[i]);",
	       "what stands under a for");
	is_str(statement(9, 8), "last=malloc(3)", "the end of the file");
	is_str(statement(10, 1), "none", "a line behind it");
	is_str(statement(0, 0), "none", "no line");
	unlink(path);
	is_str(statement(9, 8), "last=malloc(3)",
	       "the file read last is remembered");
	strcpy(path, "/dev/zero");
	is_str(statement(1, 1), "none", "no regular file");
	strcpy(path, "/nowhere/at/all");
	is_str(statement(1, 1), "none", "no file");
	return done_testing();
}
