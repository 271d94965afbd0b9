/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at a running program again and again: what was seen at each look, how
 * it is printed, and the terminal.
 */
#ifndef MEMMON_WATCH_H
#define MEMMON_WATCH_H

#include "display/tables/memory.h"
#include "display/text/settings.h"
#include "reduce/profile/profile.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <termios.h>

/* What the rows are of. */
enum watch_by { WATCH_SITES, WATCH_FUNCS, WATCH_TYPES, WATCH_NBY };

/* What they are sorted by, the largest first. */
enum watch_sort {
	WATCH_LIVE,  /* bytes live */
	WATCH_LAST,  /* growth of these since the last look */
	WATCH_SINCE, /* ... since the first one */
	WATCH_RATE,  /* bytes allocated since the last look */
	WATCH_NSORT
};

struct watch_row {
	char *name;	      /* of a path: the innermost function first */
	struct amounts count; /* since the program's start */
};

struct watch_rows {
	struct watch_row *row; /* by name, each name once */
	size_t n;
	bool known;
};

/*
 * The memory of a process, bytes, by the kernel: all that is in RAM, and what
 * adds up to it: of no file, of files, shared.  known: it runs.
 */
struct watch_memory {
	bool known;
	uint64_t rss, anonymous, file, shared;
};

/* A look.  All zero: there was none.  watch_look_fini() frees it. */
struct watch_look {
	bool there;
	struct watch_rows rows[WATCH_NBY];
	struct amounts all;
	uint64_t peak;		    /* bytes */
	uint64_t length;	    /* ns after start */
	struct watch_memory memory; /* of the process, now */
	/* What RSS was, when that was last seen; no parts: not known. */
	struct memory_snapshot snapshot;
	struct memory_part part[MEMORY_KINDS];
	size_t nparts;
	const char *from; /* what length is since: "the start" */
	uint64_t pid;
	char *program; /* its name */
	char *end;     /* how it ended; NULL: it runs, as far as is known */
	bool incomplete;
};

/*
 * Fill *a from p.  types: its types were looked for.  0, or -1 when out of
 * memory; watch_look_fini() in any case.
 */
int watch_look_init(struct watch_look *a, const struct profile *p,
		    const struct options *o, bool types);
void watch_look_fini(struct watch_look *a);

/* The row of that name, or NULL. */
const struct watch_row *watch_find(const struct watch_rows *r,
				   const char *name);

/* What is on the screen. */
struct watch_view {
	const struct options *o;
	const struct watch_look *first, *last, *now;
	enum watch_by by;
	enum watch_sort sort;
	size_t rows;  /* at most */
	size_t width; /* columns; 0: as many as it takes */
	bool human;
	bool keys; /* say which there are */
};

/* Print it on out.  0, or -1 when out of memory. */
int watch_print(const struct watch_view *v, FILE *out);

/* The order that --sort names; false if none is called so. */
bool watch_sort_of(const char *text, enum watch_sort *sort);

/* The terminal. */
struct watch_screen {
	bool on;     /* standard output is one */
	bool keys;   /* standard input as well */
	bool held;   /* it shows the other screen */
	bool caught; /* signals are */
	struct termios was;
	sigset_t mask; /* of before */
	size_t rows, columns;
};

/* What has happened in the meantime. */
enum watch_event {
	WATCH_TIME, /* it is time for the next look */
	WATCH_KEY,  /* *key was pressed */
	WATCH_SIZE, /* the screen has another size */
	WATCH_STOP  /* a signal asks for the end */
};

/*
 * watch_screen_init() finds out what there is; from watch_screen_hold() until
 * watch_screen_fini() the terminal is in use, and signals wait for
 * watch_screen_wait(), which waits until `until' at most (ns, as
 * progress_line_clock() has them).  watch_screen_fini() gives it back, and
 * returns the signal that was the end, or 0.
 */
void watch_screen_init(struct watch_screen *s);
void watch_screen_hold(struct watch_screen *s);
enum watch_event watch_screen_wait(struct watch_screen *s, uint64_t until,
				   char *key);
void watch_screen_leave(struct watch_screen *s);
int watch_screen_fini(struct watch_screen *s);

/* Show a text of whole lines, as much of it as there is room for. */
void watch_screen_show(const struct watch_screen *s, const char *text);

/* --watch: again and again, until a signal. */
int watch_run(const struct options *o, struct err *e);

#endif
