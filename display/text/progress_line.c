/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line about mpreduce's progress, on a terminal. */
#include "display/text/progress_line.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_FIRST 1000000000u /* ns until the line first appears */
#define PROGRESS_NEXT 200000000u	 /* ns between updates */
#define PROGRESS_COLUMNS 80u	 /* if the terminal's width is unknown */
#define PROGRESS_MOST 500u

uint64_t
progress_line_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int
progress_line_init(struct progress_line *s, int fd, uint64_t now)
{
	struct winsize w;

	*s = (struct progress_line){ .fd = fd, .start = now };
	if (!isatty(fd))
		return 0;
	s->columns = PROGRESS_COLUMNS;
	if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col)
		s->columns = w.ws_col;
	if (s->columns > PROGRESS_MOST)
		s->columns = PROGRESS_MOST;
	return 1;
}

static void
progress_line_write(const struct progress_line *s, const char *text, size_t n)
{
	ssize_t written = write(s->fd, text, n);

	(void)written;
}

/* Calls only write(): it may run in a signal handler. */
static void
progress_line_erase(struct progress_line *s)
{
	char text[PROGRESS_MOST + 2];

	if (!s->shown)
		return;
	text[0] = '\r';
	memset(text + 1, ' ', s->shown);
	text[s->shown + 1] = '\r';
	progress_line_write(s, text, s->shown + 2);
	s->shown = 0;
}

static void
progress_line_show(struct progress_line *s, const char *what,
		   const char *percent)
{
	char text[PROGRESS_MOST + 2];
	size_t most = s->columns - 1, end = strlen(percent), n;

	/* Keep the last column free: the terminal might begin a line. */
	if (end >= most)
		return;
	n = (size_t)snprintf(text, most - end + 2, "\rmpreduce: %s", what);
	if (n > most - end + 1)
		n = most - end + 1;
	memcpy(text + n, percent, end);
	n += end;
	end = n;
	/* The previous text may be longer. */
	while (n - 1 < s->shown)
		text[n++] = ' ';
	progress_line_write(s, text, n);
	s->shown = (unsigned)end - 1;
}

void
progress_line_at(struct progress_line *s, uint64_t now, const char *what,
		 uint64_t done, uint64_t of)
{
	char percent[32] = "";

	if (!what) {
		progress_line_erase(s);
		return;
	}
	if (now - s->start < PROGRESS_FIRST ||
	    (s->last && now - s->last < PROGRESS_NEXT))
		return;
	s->last = now;
	if (of)
		snprintf(percent, sizeof percent, ": %u%%",
			 (unsigned)((double)done * 100 / (double)of));
	progress_line_show(s, what, percent);
}

void
progress_line_say(void *arg, const char *what, uint64_t done, uint64_t of)
{
	progress_line_at(arg, what ? progress_line_clock() : 0, what, done, of);
}
