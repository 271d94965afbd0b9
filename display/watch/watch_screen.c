/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal of --watch: see watch.h. */
#define _GNU_SOURCE
#include "display/watch/watch.h"

#include "display/text/progress_line.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Show the alternate screen, without a cursor; and go back. */
#define HOLD "\033[?1049h\033[?25l"
#define LEAVE "\033[?25h\033[?1049l"

#define NS 1000000000u

static volatile sig_atomic_t ended_by, resized, halted;

static void
on_signal(int number)
{
	if (number == SIGWINCH || number == SIGCONT)
		resized = 1;
	else if (number == SIGTSTP)
		halted = 1;
	else
		ended_by = number;
}

static void
watch_screen_put(const char *text, size_t n)
{
	ssize_t done;

	while (n) {
		done = write(STDOUT_FILENO, text, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return;
		text += done;
		n -= (size_t)done;
	}
}

static void
watch_screen_measure(struct watch_screen *s)
{
	struct winsize w;

	s->rows = 24;
	s->columns = 80;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row && w.ws_col) {
		s->rows = w.ws_row;
		s->columns = w.ws_col;
	}
}

void
watch_screen_init(struct watch_screen *s)
{
	const char *term = getenv("TERM");

	*s = (struct watch_screen){ .on = isatty(STDOUT_FILENO) };
	if (!term || !*term || !strcmp(term, "dumb"))
		s->on = false;
	s->keys = s->on && tcgetattr(STDIN_FILENO, &s->was) == 0;
	watch_screen_measure(s);
}

static struct watch_screen *holding; /* what exit() gives back */

static void
watch_screen_exit(void)
{
	if (holding)
		watch_screen_leave(holding);
}

/* Set up the terminal; signals are caught already. */
static void
watch_screen_take(struct watch_screen *s)
{
	static bool registered;
	struct termios t = s->was;

	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	if (s->keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &t);
	watch_screen_put(HOLD, sizeof HOLD - 1);
	s->held = true;
	holding = s;
	if (!registered)
		atexit(watch_screen_exit);
	registered = true;
}

void
watch_screen_leave(struct watch_screen *s)
{
	if (!s->held)
		return;
	watch_screen_put(LEAVE, sizeof LEAVE - 1);
	if (s->keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &s->was);
	s->held = false;
	holding = NULL;
}

static const int caught[] = { SIGINT,  SIGTERM,  SIGHUP, SIGQUIT,
			      SIGTSTP, SIGWINCH, SIGCONT };

void
watch_screen_hold(struct watch_screen *s)
{
	struct sigaction on = { .sa_handler = on_signal };
	sigset_t all;

	sigemptyset(&all);
	for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
		sigaddset(&all, caught[i]);
	sigprocmask(SIG_BLOCK, &all, &s->mask);
	s->caught = true;
	for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
		struct sigaction was;

		/* The parent process wants it to ignore the signal. */
		if (sigaction(caught[i], NULL, &was) == 0 &&
		    was.sa_handler == SIG_IGN)
			continue;
		sigaction(caught[i], &on, NULL);
	}
	watch_screen_take(s);
}

int
watch_screen_fini(struct watch_screen *s)
{
	watch_screen_leave(s);
	for (size_t i = 0; s->caught && i < sizeof caught / sizeof *caught;
	     i++) {
		struct sigaction was;

		if (sigaction(caught[i], NULL, &was) == 0 &&
		    was.sa_handler == on_signal)
			signal(caught[i], SIG_DFL);
	}
	if (s->caught)
		sigprocmask(SIG_SETMASK, &s->mask, NULL);
	return ended_by;
}

/* Stop as ^Z asks, with the original terminal, and continue later. */
static void
halt(struct watch_screen *s)
{
	halted = 0;
	watch_screen_leave(s);
	raise(SIGSTOP);
	watch_screen_take(s);
	resized = 1;
}

enum watch_event
watch_screen_wait(struct watch_screen *s, uint64_t until, char *key)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	struct timespec rest;
	sigset_t open = s->mask;
	uint64_t now;
	int n;

	for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
		sigdelset(&open, caught[i]);
	for (;;) {
		now = progress_line_clock();
		now = until > now ? until - now : 0;
		rest.tv_sec = (time_t)(now / NS);
		rest.tv_nsec = (long)(now % NS);
		n = ppoll(&in, s->keys ? 1 : 0, &rest, &open);
		if (ended_by)
			return WATCH_STOP;
		if (halted)
			halt(s);
		if (resized) {
			resized = 0;
			watch_screen_measure(s);
			return WATCH_SIZE;
		}
		if (n == 0)
			return WATCH_TIME;
		if (n < 0)
			continue;
		if (read(STDIN_FILENO, key, 1) == 1)
			return WATCH_KEY;
		/* Standard input has ended. */
		s->keys = false;
	}
}

/* The number of bytes, out of n, that fit into the columns. */
static size_t
watch_screen_fit(const char *line, size_t n, size_t columns)
{
	size_t i, used = 0;

	for (i = 0; i < n; i++) {
		used += ((unsigned char)line[i] & 0xc0) != 0x80;
		if (used > columns)
			break;
	}
	return i;
}

void
watch_screen_show(const struct watch_screen *s, const char *text)
{
	size_t n, row, length = 0;
	char *out;

	out = malloc(strlen(text) + 16 * s->rows + 64);
	if (!out)
		return;
	length += (size_t)sprintf(out, "\033[H");
	for (row = 0; *text && row < s->rows; row++) {
		n = strcspn(text, "\n");
		memcpy(out + length, text,
		       watch_screen_fit(text, n, s->columns));
		length += watch_screen_fit(text, n, s->columns);
		length += (size_t)sprintf(out + length, "\033[K%s",
					  row + 1 < s->rows ? "\r\n" : "");
		text += n + (text[n] == '\n');
	}
	length += (size_t)sprintf(out + length, "\033[J");
	watch_screen_put(out, length);
	free(out);
}
