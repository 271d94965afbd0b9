/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What depends on whether standard output is a terminal: see options.h. */
#include "display/cli/options.h"
#include "display/cli/option.h"
#include "display/query/query.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The usual width, the least that is assumed, and the longest line. */
enum { COLUMNS_USUAL = 80, COLUMNS_LEAST = 40, COLUMNS_MOST = 10000 };

/* The least and the largest height, lines. */
enum { LINES_LEAST = 20, LINES_MOST = 40 };

/* A size of the terminal: from the environment, or n from the kernel. */
static size_t
size(const char *name, long n, long usual, long least, long most)
{
	const char *text = getenv(name);
	long told = text ? strtol(text, NULL, 10) : 0;

	if (told > 0)
		n = told;
	if (n <= 0)
		n = usual;
	return (size_t)(n < least ? least : n > most ? most : n);
}

static void
screen_sizes(struct options *o, bool terminal)
{
	struct winsize w = { 0 };

	if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w))
		w = (struct winsize){ 0 };
	o->screen_width = size("COLUMNS", w.ws_col, COLUMNS_USUAL,
			       COLUMNS_LEAST, COLUMNS_MOST);
	/* less(1) ends by itself if a line is free beside its prompt. */
	o->screen_lines = size("LINES", w.ws_row, LINES_MOST + 2,
			       LINES_LEAST + 2, LINES_MOST + 2 - terminal) -
			  2;
}

bool
screen_is_plain(void)
{
	const char *term = getenv("TERM");

	return !term || !*term || strcmp(term, "dumb") == 0;
}

/* NO_COLOR as in https://no-color.org. */
static bool
coloured(const struct options *o)
{
	const char *no = getenv("NO_COLOR");

	if (o->say_colour != OPTIONS_AUTO)
		return o->say_colour == OPTIONS_YES;
	return o->screen && !(no && *no) && !screen_is_plain();
}

/* Is the output for people? */
static bool
readable(const struct options *o)
{
	return !o->format && !o->json && !o->list && !o->info &&
	       o->watch <= 0 && !query_wanted(o);
}

/*
 * Are only tables printed?  Functions keep their whole names in data for other
 * programs, and in --diff, where names distinguish functions of two builds.
 */
static bool
screen_tables(const struct options *o)
{
	return readable(o) && !o->html && !o->sum && !o->diff && !o->common;
}

/* Does a given option ask for the usual tables? */
static bool
screen_usual(const bool *given)
{
	for (size_t i = 0; i < option_nrows; i++)
		if (given[i] && option_rows[i].usual)
			return true;
	return false;
}

/* Is the summary the only table? */
static bool
screen_alone(const struct options *o)
{
	for (size_t i = 0; i < option_nrows; i++) {
		const struct option_row *r = &option_rows[i];

		if (r->table && r->on != offsetof(struct options, summary) &&
		    *(const bool *)((const char *)o + r->on))
			return false;
	}
	return o->summary;
}

static bool
screen_either(enum options_say say, bool otherwise)
{
	return say == OPTIONS_AUTO ? otherwise : say == OPTIONS_YES;
}

void
screen_choose(struct options *o, const bool *given)
{
	bool terminal = isatty(STDOUT_FILENO) &&
			(!o->output || !strcmp(o->output, "-"));
	bool brief, whole, own = o->say_own == OPTIONS_YES;
	bool watching = terminal && o->watch > 0;

	o->screen = terminal && readable(o);
	screen_sizes(o, terminal);
	o->colour = coloured(o);
	if (o->read.each_thread && screen_tables(o) && !o->chosen && !o->full) {
		o->prolog = o->leaks = o->bins = o->direct = o->graph = false;
		o->threads = o->chosen = true;
	}
	if (o->screen && screen_tables(o) && !o->chosen && !o->full &&
	    !screen_usual(given)) {
		o->prolog = o->leaks = o->bins = o->direct = o->graph = false;
		o->summary = true;
	}
	brief = o->screen || screen_alone(o);
	o->brief = screen_either(o->say_brief, brief);
	o->human = screen_either(o->say_human, brief);
	o->read.short_names =
		screen_either(o->say_short,
			      watching || ((brief || own) && screen_tables(o)));
	o->width = o->screen_width;
	/* The paper's tables and options about frames need whole call paths. */
	whole = o->full || o->read.frames || o->read.offsets || o->read.lines;
	o->own_paths =
		screen_either(o->say_own,
			      !whole && (watching ||
					 (o->screen && screen_tables(o))));
	o->own_diff =
		screen_either(o->say_own, o->screen && !o->full && !o->html);
}
