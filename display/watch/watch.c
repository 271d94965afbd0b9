/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --watch: look at a running program again and again. */
#define _GNU_SOURCE
#include "display/watch/watch.h"

#include "display/text/progress_line.h"
#include "reduce/base/clean.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The most failed reads in a row: while a program starts or ends, its file is
 * incomplete for a moment. */
enum { FAILURES = 5, ROWS = 20, AROUND = 7 };

/* The time until an incomplete file is read again, ns. */
#define AGAIN 100000000u

struct watch {
	const struct options *o;
	const char *exe;
	char *path; /* of the data file; from malloc() */
	struct profile_cache *cache;
	struct watch_screen screen;
	struct watch_look first, last, now;
	enum watch_by by;
	enum watch_sort sort;
	unsigned failures;
	bool waits; /* the message about waiting was printed */
};

/* -------------------------------------------------------------- operands -- */

/*
 * The data file that a process has mapped, from malloc(); NULL: none, or out of
 * memory.
 */
static char *
file_of(const char *pid)
{
	char name[64], *line = NULL, *path, *found = NULL;
	size_t room = 0;
	ssize_t n;
	FILE *f;

	snprintf(name, sizeof name, "/proc/%.20s/maps", pid);
	f = fopen(name, "re");
	while (f && !found && (n = getline(&line, &room, f)) > 0) {
		line[n - 1] = '\0';
		path = strchr(line, '/');
		/* Shared and writable mappings only: read no other files. */
		if (path && strstr(line, " rw-s ") && profile_is_data(path))
			found = strdup(path);
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

static bool
is_pid(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text) &&
	       access(text, F_OK) != 0;
}

/* Read operands: [executable] data-file, or a process.  0, or -1 with *e. */
static int
operands(struct watch *w, struct err *e)
{
	const char *const *v = w->o->files.item;
	size_t n = w->o->files.n;

	if (!n && access("a.out", F_OK) == 0)
		w->exe = "a.out";
	if (n == 2 || (n && !is_pid(v[0]) && access(v[0], F_OK) == 0 &&
		       !profile_is_data(v[0]))) {
		w->exe = *v++;
		n--;
	}
	if (n > 1)
		return err_set(e,
			       "--watch shows one program: give [executable] "
			       "and its data file, or its process id");
	if (!n || !is_pid(v[0])) {
		w->path = strdup(n ? v[0] : "mon.out");
		return w->path ? 0 : err_memory(e);
	}
	w->path = file_of(v[0]);
	if (w->path)
		return 0;
	return err_set(e,
		       "process %.20s has no readable data file; run it under "
		       "memmon as the same user, or attach by memmon -p",
		       v[0]);
}

static int
watch_check(struct watch *w, struct err *e)
{
	if (w->o->order && !watch_sort_of(w->o->order, &w->sort))
		return err_set(e,
			       "--sort=%.100s: the keys of --watch are live, "
			       "last, since and rate",
			       w->o->order);
	if (w->o->output || w->o->json)
		return err_set(e, "--watch writes only to standard output, and "
				  "not as JSON");
	return operands(w, e);
}

/* ----------------------------------------------------------------- looks -- */

/* The file doesn't exist yet: print that once.  Returns 1. */
static int
wait_for(struct watch *w)
{
	if (!w->waits) {
		clean_say("mpreduce", "%s does not exist yet; waiting",
			  w->path);
		w->waits = true;
	}
	return 1;
}

/* When the program ends, its image FILE.PID.live is replaced by FILE. */
static void
moved(struct watch *w)
{
	size_t n = strlen(w->path);
	char *path;

	if (n < 5 || strcmp(w->path + n - 5, ".live") != 0 ||
	    access(w->path, F_OK) == 0)
		return;
	for (n -= 5; n && isdigit((unsigned char)w->path[n - 1]); n--)
		;
	path = n > 1 ? strndup(w->path, n - 1) : NULL;
	if (!path)
		return;
	free(w->path);
	w->path = path;
}

/* Look once.  0; 1: the file is missing or incomplete; -1 with *e set. */
static int
watch_look_once(struct watch *w, struct err *e)
{
	struct profile_options read = w->o->read;
	struct watch_look now;
	/* The first look needs types, for growth since the watch began. */
	bool types = !w->now.there || w->by == WATCH_TYPES;
	struct profile p;
	int status;

	read.exe = w->exe;
	read.files = (const char *const *)&w->path;
	read.nfiles = 1;
	read.several = PROFILE_SUM;
	read.cache = w->cache;
	read.offsets = read.lines = read.sources = read.fields = false;
	read.waste = false;
	read.no_types = true;
	read.no_guess = !types;
	if (w->screen.held)
		read.progress = NULL;
	if (profile_read(&p, &read, e)) {
		if (!w->now.there && access(w->path, F_OK) && errno == ENOENT)
			return wait_for(w);
		moved(w);
		return ++w->failures < FAILURES ? 1 : -1;
	}
	w->failures = 0;
	for (size_t i = 0; i < p.nwarnings && !w->now.there; i++)
		clean_say("mpreduce", "%s", p.warnings[i]);
	status = watch_look_init(&now, &p, w->o, types);
	profile_fini(&p);
	if (status) {
		watch_look_fini(&now);
		return err_memory(e);
	}
	/* Keep the first look. */
	if (w->last.there && !w->first.there)
		w->first = w->last;
	else
		watch_look_fini(&w->last);
	w->last = w->now;
	w->now = now;
	return 0;
}

/* The first look.  Early on it is w->last or w->now. */
static const struct watch_look *
first(const struct watch *w)
{
	return w->first.there ? &w->first : w->last.there ? &w->last : &w->now;
}

static int
watch_show(const struct watch *w, struct err *e)
{
	const struct watch_screen *s = &w->screen;
	struct watch_view v = {
		.o = w->o,
		.first = first(w),
		.last = &w->last,
		.now = &w->now,
		.by = w->by,
		.sort = w->sort,
		.rows = w->o->top ? w->o->top : ROWS,
		.human = w->o->human || s->on,
		.keys = s->held && s->keys,
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int status;

	if (!out)
		return err_memory(e);
	if (s->held && !w->o->top)
		v.rows = s->rows > AROUND ? s->rows - AROUND : 1;
	status = watch_print(&v, out);
	if (fclose(out))
		status = -1;
	if (!status && s->held)
		watch_screen_show(s, text);
	else if (!status)
		fputs(text, stdout);
	free(text);
	return status ? err_memory(e) : 0;
}

/* Sleep until the next look is due, when no screen is held. */
static void
pause_until(uint64_t until)
{
	uint64_t now = progress_line_clock();
	struct timespec rest;

	if (now >= until)
		return;
	rest.tv_sec = (time_t)((until - now) / 1000000000u);
	rest.tv_nsec = (long)((until - now) % 1000000000u);
	nanosleep(&rest, NULL);
}

/* Do what a key asks for.  1: end; 0; -1 with *e set. */
static int
key(struct watch *w, char c, uint64_t *until, struct err *e)
{
	switch (c) {
	case 'q':
	case 'Q':
	case 4: /* ^D */
		return 1;
	case 's':
		w->sort = (enum watch_sort)((w->sort + 1) % WATCH_NSORT);
		return watch_show(w, e);
	case 't':
		w->by = (enum watch_by)((w->by + 1) % WATCH_NBY);
		/* Types are looked for only while they are shown. */
		if (!w->now.rows[w->by].known)
			*until = 0;
		return watch_show(w, e);
	case ' ':
		*until = 0;
		return 0;
	default:
		return 0;
	}
}

/* Wait for the next look.  1: end; 0; -1 with *e set. */
static int
wait_until(struct watch *w, uint64_t until, struct err *e)
{
	char c = 0;
	int status = 0;

	if (!w->screen.held) {
		pause_until(until);
		return 0;
	}
	while (!status) {
		switch (watch_screen_wait(&w->screen, until, &c)) {
		case WATCH_TIME:
			return 0;
		case WATCH_STOP:
			return 1;
		case WATCH_SIZE:
			status = watch_show(w, e);
			break;
		case WATCH_KEY:
		default:
			status = key(w, c, &until, e);
		}
	}
	return status;
}

/* Show the look.  1: it was the last; 0; -1 with *e set. */
static int
watch_seen(struct watch *w, size_t n, struct err *e)
{
	bool last = w->now.end || (w->o->times && n == w->o->times);

	if (w->screen.on && !w->screen.held && !last)
		watch_screen_hold(&w->screen);
	/* The last look stays on the original screen. */
	if (last)
		watch_screen_leave(&w->screen);
	if (n > 1 && !w->screen.on)
		putchar('\n');
	if (watch_show(w, e))
		return -1;
	/* End if the reader of the output has closed it. */
	return fflush(stdout) || last;
}

static int
again_and_again(struct watch *w, struct err *e)
{
	uint64_t step = (uint64_t)(w->o->watch * 1e9);
	uint64_t due = progress_line_clock();
	size_t n = 0;
	int status;

	for (;;) {
		status = watch_look_once(w, e);
		if (status < 0)
			return -1;
		if (status == 0) {
			status = watch_seen(w, ++n, e);
			if (status)
				return status < 0 ? -1 : 0;
			/* Don't catch up on looks that were missed. */
			due += step;
			if (due < progress_line_clock())
				due = progress_line_clock();
			status = wait_until(w, due, e);
		} else {
			status =
				wait_until(w, progress_line_clock() + AGAIN, e);
		}
		if (status)
			return status < 0 ? -1 : 0;
	}
}

int
watch_run(const struct options *o, struct err *e)
{
	struct watch w = { .o = o };
	int status = watch_check(&w, e), number = 0;

	if (!status) {
		w.cache = profile_cache_new();
		if (!w.cache)
			status = err_memory(e);
	}
	if (!status) {
		watch_screen_init(&w.screen);
		status = again_and_again(&w, e);
		number = watch_screen_fini(&w.screen);
	}
	watch_look_fini(&w.first);
	watch_look_fini(&w.last);
	watch_look_fini(&w.now);
	profile_cache_free(w.cache);
	free(w.path);
	/* Let the sender of the signal see its effect. */
	if (number && number != SIGINT)
		raise(number);
	return status;
}
