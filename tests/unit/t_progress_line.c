/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpreduce's progress line: its text on the terminal, and when it is written.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "display/text/progress_line.h"
#include "reduce/base/progress.h"
#include "tests/tap.h"

#define MS UINT64_C(1000000)

/* A terminal of 40 columns, and the text of its one line. */
static int master, slave;
static char screen[41];
static unsigned column, writes;

static int
open_terminal(void)
{
	struct winsize w = { .ws_row = 2, .ws_col = 40 };
	struct termios t;

	master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	if (master < 0 || grantpt(master) || unlockpt(master))
		return -1;
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0 || ioctl(slave, TIOCSWINSZ, &w) < 0 ||
	    tcgetattr(slave, &t) < 0)
		return -1;
	cfmakeraw(&t);
	memset(screen, ' ', 40);
	return tcsetattr(slave, TCSANOW, &t);
}

/* Reads the output; returns the line without trailing blanks. */
static const char *
look(void)
{
	static char line[41];
	char text[1000];
	ssize_t n, i;

	while ((n = read(master, text, sizeof text)) > 0) {
		writes++;
		for (i = 0; i < n; i++) {
			if (text[i] == '\r')
				column = 0;
			else if (column < 40)
				screen[column++] = text[i];
			else
				return "over the edge";
		}
	}
	memcpy(line, screen, sizeof line);
	for (i = 40; i > 0 && line[i - 1] == ' '; i--)
		;
	line[i] = '\0';
	return line;
}

static void
test_times(void)
{
	struct progress_line s;
	uint64_t i;

	is_int(progress_line_init(&s, slave, 5000 * MS), 1, "a terminal");
	for (i = 0; i < 1000; i++)
		progress_line_at(&s, (5000 + i) * MS, "going", i, 1000);
	is_str(look(), "", "nothing in the first second");
	progress_line_at(&s, 6000 * MS, "going", 340, 1000);
	is_str(look(), "mpreduce: going: 34%", "then it is there");
	writes = 0;
	for (i = 0; i < 200; i++)
		progress_line_at(&s, (6000 + i) * MS, "going", i, 1000);
	is_int(writes, 0, "it stays for a fifth of a second");
	progress_line_at(&s, 6200 * MS, "on", 999, 1000);
	is_str(look(), "mpreduce: on: 99%", "what is shorter takes its place");
	progress_line_at(&s, 6400 * MS, "no number", 5, 0);
	is_str(look(), "mpreduce: no number", "no percentage of nothing");
	progress_line_at(&s, 6600 * MS, "all", 7, 7);
	is_str(look(), "mpreduce: all: 100%", "all of it");
	progress_line_at(&s, 6601 * MS, NULL, 0, 0);
	is_str(look(), "", "gone when it is to go");
	is_int(column, 0, "the next text starts at the left");
	writes = 0;
	progress_line_at(&s, 6602 * MS, NULL, 0, 0);
	look();
	is_int(writes, 0, "nothing is erased twice");
	progress_line_at(&s, 6900 * MS, "back", 1, 2);
	is_str(look(), "mpreduce: back: 50%", "it may come back");
	progress_line_at(&s, 7000 * MS, NULL, 0, 0);
	is_str(look(), "", "and goes again");
}

static void
test_widths(void)
{
	struct winsize w = { .ws_row = 2, .ws_col = 5 };
	struct progress_line s;

	progress_line_init(&s, slave, 0);
	progress_line_at(&s, 2000 * MS,
			 "what is a good deal longer than the line", 1, 10);
	is_str(look(), "mpreduce: what is a good deal long: 10%",
	       "a long text is cut, the last column left free");
	progress_line_at(&s, 3000 * MS, NULL, 0, 0);
	is_str(look(), "", "and goes");
	ioctl(slave, TIOCSWINSZ, &w);
	progress_line_init(&s, slave, 0);
	writes = 0;
	progress_line_at(&s, 2000 * MS, "text", 1, 10);
	look();
	is_int(writes, 0, "nothing where there is no room");
}

/* What struct progress passes to its function. */
static char said[1000];

static void
say(void *arg, const char *what, uint64_t done, uint64_t of)
{
	char text[400];

	snprintf(text, sizeof text, "%s %ju/%ju;", what ? what : "-",
		 (uintmax_t)done, (uintmax_t)of);
	strncat(arg, text, sizeof said - strlen(said) - 1);
}

static void
test_progress(void)
{
	struct progress p = { .say = say, .arg = said }, none = { 0 };

	progress_start(&p, "reading", "/a/b\033[1m");
	progress_at(&p, 3, 10);
	progress_at(&p, 11, 10);
	progress_start(&p, "next", NULL);
	progress_erase(&p);
	is_str(said,
	       "reading b?[1m 0/0;reading b?[1m 3/10;reading b?[1m 10/10;"
	       "next 0/0;- 0/0;",
	       "what is passed on");
	progress_start(&none, "reading", NULL);
	progress_at(&none, 1, 2);
	progress_erase(&none);
	progress_start(NULL, "reading", NULL);
	progress_at(NULL, 1, 2);
	progress_erase(NULL);
	is_int(none.what[0], 0, "nobody to tell");
}

int
main(void)
{
	struct progress_line s;
	int fds[2];

	test_progress();
	if (pipe(fds) == 0)
		is_int(progress_line_init(&s, fds[1], 0), 0,
		       "a pipe is no terminal");
	if (open_terminal() < 0) {
		skip(16, "no pseudo terminal");
		return done_testing();
	}
	test_times();
	test_widths();
	return done_testing();
}
