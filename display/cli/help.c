/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --help prints: one screen; mpreduce(1) has the rest. */
#include "display/cli/option.h"
#include "display/cli/options.h"

#include <stdio.h>
#include <string.h>

/* Where the second column begins, and where lines end. */
enum { HELP_SECOND = 41, HELP_WIDTH = 80, HELP_CELL = 256 };

const char options_usage[] =
	"usage: mpreduce [options] [executable [data-file ...]]\n"
	"       mpreduce [options] data-file ...\n";

static const char about[] =
	"What the data files (mon.out) say about the heap of executable "
	"(a.out).  A\n"
	"directory stands for the data files in it.  mpreduce(1) explains "
	"all of it.\n";

/* Append "-L, --leaks  not freed, by path"; returns whether it is complete. */
static bool
cell(char *to, const struct option_row *r)
{
	char *at = to + strlen(to);
	size_t room = HELP_CELL - (size_t)(at - to);
	int n = snprintf(at, room, "%s", *to ? ", " : "");

	if (r->letter)
		n += snprintf(at + n, room - (size_t)n, "-%c, ", r->letter);
	if (r->alias)
		n += snprintf(at + n, room - (size_t)n, "--%s%s, ", r->alias,
			      r->arg ? r->arg : "");
	n += snprintf(at + n, room - (size_t)n, "--%s%s", r->name,
		      r->arg ? r->arg : "");
	if (r->help && *r->help)
		snprintf(at + n, room - (size_t)n, "  %s", r->help);
	return r->help;
}

/* Print a cell; *column is where the line has got to, 0 at its start. */
static void
put(const char *text, int *column)
{
	int second = *column + 1 > HELP_SECOND ? *column + 2 : HELP_SECOND;

	if (*column && second + (int)strlen(text) <= HELP_WIDTH) {
		printf("%*s%s\n", second - *column, "", text);
		*column = 0;
		return;
	}
	*column = printf("%s  %s", *column ? "\n" : "", text) - !!*column;
}

void
help_print(bool version)
{
	static char room[1 << 15];
	char text[HELP_CELL] = "";
	int column = 0;

	if (version) {
		printf("mpreduce (memmon) %s\n", MEMMON_VERSION);
		return;
	}
	/* In one write, so that it's known why it fails. */
	setvbuf(stdout, room, _IOFBF, sizeof room);
	printf("%s%s\n", options_usage, about);
	for (size_t i = 0; i < option_nrows; i++) {
		const struct option_row *r = &option_rows[i];

		if (!r->name) {
			printf("%s%s\n", column ? "\n" : "", r->help);
			column = 0;
		} else if (cell(text, r)) {
			put(text, &column);
			*text = '\0';
		}
	}
	if (column)
		putchar('\n');
}

static const char *
some(const char *text)
{
	return text ? text : "";
}

void
help_list(void)
{
	const char *help;

	for (size_t i = 0; i < option_nrows; i++) {
		const struct option_row *r = &option_rows[i];
		const char letter[] = { r->letter, '\0' };

		if (!r->name)
			continue;
		/* What one row says is for those before it, too. */
		for (size_t k = i; !(help = option_rows[k].help); k++)
			;
		printf("%s\t%s\t%s\t%s\t%s\t%s\n", r->name, some(r->alias),
		       letter, some(r->arg), some(r->words), help);
	}
}
