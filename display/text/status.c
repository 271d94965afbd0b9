/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far mpreduce is, on a terminal. */
#include "display/text/status.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define STATUS_FIRST 1000000000u /* ns, until the line is first shown */
#define STATUS_NEXT 200000000u	 /* and from one to the next */
#define STATUS_COLUMNS 80u	 /* if the terminal doesn't tell */
#define STATUS_MOST 500u

uint64_t
status_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int
status_init(struct status_line *s, int fd, uint64_t now)
{
	struct winsize w;

	*s = (struct status_line){ .fd = fd, .start = now };
	if (!isatty(fd))
		return 0;
	s->columns = STATUS_COLUMNS;
	if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col)
		s->columns = w.ws_col;
	if (s->columns > STATUS_MOST)
		s->columns = STATUS_MOST;
	return 1;
}

static void
status_write(const struct status_line *s, const char *text, size_t n)
{
	ssize_t written = write(s->fd, text, n);

	(void)written;
}

/* Nothing but write(): it may be a signal handler. */
static void
status_erase(struct status_line *s)
{
	char text[STATUS_MOST + 2];

	if (!s->shown)
		return;
	text[0] = '\r';
	memset(text + 1, ' ', s->shown);
	text[s->shown + 1] = '\r';
	status_write(s, text, s->shown + 2);
	s->shown = 0;
}

static void
status_show(struct status_line *s, const char *what, const char *percent)
{
	char text[STATUS_MOST + 2];
	size_t most = s->columns - 1, end = strlen(percent), n;

	/* The last column stays free, lest the terminal begin a line. */
	if (end >= most)
		return;
	n = (size_t)snprintf(text, most - end + 2, "\rmpreduce: %s", what);
	if (n > most - end + 1)
		n = most - end + 1;
	memcpy(text + n, percent, end);
	n += end;
	end = n;
	/* What was there before may be longer. */
	while (n - 1 < s->shown)
		text[n++] = ' ';
	status_write(s, text, n);
	s->shown = (unsigned)end - 1;
}

void
status_at(struct status_line *s, uint64_t now, const char *what, uint64_t done,
	  uint64_t of)
{
	char percent[32] = "";

	if (!what) {
		status_erase(s);
		return;
	}
	if (now - s->start < STATUS_FIRST ||
	    (s->last && now - s->last < STATUS_NEXT))
		return;
	s->last = now;
	if (of)
		snprintf(percent, sizeof percent, ": %u%%",
			 (unsigned)((double)done * 100 / (double)of));
	status_show(s, what, percent);
}

void
status_say(void *arg, const char *what, uint64_t done, uint64_t of)
{
	status_at(arg, what ? status_now() : 0, what, done, of);
}
