/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --help prints: one screen; mpreduce(1) has the rest. */
#include "display/cli/option.h"
#include "display/cli/options.h"
#include "display/grid/view.h"

#include <stdio.h>
#include <string.h>

/* The column where the second column of text begins. */
enum { HELP_SECOND = 33 };

const char options_usage[] =
	"usage: mpreduce [options] [executable [data-file ...]]\n"
	"       mpreduce [options] data-file ...\n";

static const char about[] =
	"Prints reports on the heap of a program from its data files "
	"(mon.out).\n"
	"A directory means the data files in it.  The manual is man "
	"mpreduce.\n";

/* Rows "NAME=WORD" are values of the option NAME, not options. */
static bool
is_option(const struct option_row *r)
{
	return r->name && !strchr(r->name, '=');
}

/* "[=N]", with the words of views: "[=N|reallocs]". */
static const char *
help_argument(const struct option_row *r, char *to, size_t room)
{
	char words[80];
	int n = r->arg ? (int)strlen(r->arg) - (*r->arg == '[') : 0;

	if (!*view_words(r->name, '|', words, sizeof words))
		return r->arg ? r->arg : "";
	snprintf(to, room, "%.*s%s]", n, r->arg, words + (n == 2));
	return to;
}

/* "  -L, --leaks[=KIND,...]   list what was not freed, by call path" */
static void
help_put(const struct option_row *r)
{
	char arg[160];
	int n = r->letter ? printf("  -%c, ", r->letter) : printf("      ");

	n += printf("--%s%s", r->name, help_argument(r, arg, sizeof arg));
	if (n > HELP_SECOND - 2)
		n = printf("\n") - 1;
	printf("%*s%s\n", HELP_SECOND - n, "", r->help);
}

void
help_print(bool version)
{
	static char room[1 << 15];

	if (version) {
		printf("mpreduce (memmon) %s\n", MEMMON_VERSION);
		return;
	}
	/* Write all at once, so that errno tells why a write fails. */
	setvbuf(stdout, room, _IOFBF, sizeof room);
	printf("%s%s\n", options_usage, about);
	for (size_t i = 0; i < option_nrows; i++) {
		const struct option_row *r = &option_rows[i];

		if (!r->name)
			printf("\n%s:\n", r->help);
		else if (is_option(r))
			help_put(r);
	}
}

void
help_list(void)
{
	for (size_t i = 0; i < option_nrows; i++) {
		const struct option_row *r = &option_rows[i];
		const char letter[] = { r->letter, '\0' };
		char arg[160], words[160];

		if (is_option(r))
			printf("%s\t\t%s\t%s\t%s\t%s\n", r->name, letter,
			       help_argument(r, arg, sizeof arg),
			       option_all_words(r, words, sizeof words),
			       r->help);
	}
}
