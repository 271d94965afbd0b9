/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --watch: the result of each look at a running program, how to print it, and
 * the terminal.
 */
#ifndef MEMMON_WATCH_H
#define MEMMON_WATCH_H

#include "display/settings/settings.h"
#include "display/tables/memory.h"
#include "reduce/profile/profile.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <termios.h>

/* The kinds of rows. */
enum watch_by { WATCH_SITES, WATCH_FUNCS, WATCH_TYPES, WATCH_NBY };

/* The orders of rows, largest first. */
enum watch_sort {
	WATCH_LIVE,  /* bytes live */
	WATCH_LAST,  /* growth of live bytes since the last look */
	WATCH_SINCE, /* growth since the first look */
	WATCH_RATE,  /* bytes allocated since the last look */
	WATCH_NSORT
};

struct watch_row {
	char *name;	      /* a path begins with the innermost function */
	struct amounts count; /* since the start of the program */
};

struct watch_rows {
	struct watch_row *row; /* by name, each name once */
	size_t n;
	bool known;
};

/*
 * The memory of a process, bytes, from the kernel: rss is all memory in RAM;
 * its parts are anonymous memory, memory of files, and shared memory.  known:
 * the process runs.
 */
struct watch_memory {
	bool known;
	uint64_t rss, anonymous, file, shared;
};

/* A look.  All zero: no look.  watch_look_fini() frees it. */
struct watch_look {
	bool there;
	struct watch_rows rows[WATCH_NBY];
	struct amounts all;
	uint64_t peak;		    /* bytes */
	uint64_t length;	    /* ns after start */
	struct watch_memory memory; /* of the process, now */
	/* RSS when it was last known; no parts: unknown. */
	struct memory_snapshot snapshot;
	struct memory_part part[MEMORY_KINDS];
	size_t nparts;
	const char *from; /* the time that length counts from: "the start" */
	uint64_t pid;
	char *program; /* its name */
	char *end;     /* how it ended; NULL: it runs, or that is unknown */
	bool incomplete;
};

/*
 * Fill *a from p.  types: types were looked for.  0, or -1 when out of memory;
 * call watch_look_fini() in both cases.
 */
int watch_look_init(struct watch_look *a, const struct profile *p,
		    const struct options *o, bool types);
void watch_look_fini(struct watch_look *a);

/* The row of that name, or NULL. */
const struct watch_row *watch_find(const struct watch_rows *r,
				   const char *name);

/* The content of the screen. */
struct watch_view {
	const struct options *o;
	const struct watch_look *first, *last, *now;
	enum watch_by by;
	enum watch_sort sort;
	size_t rows;  /* at most */
	size_t width; /* columns; 0: unlimited */
	bool human;
	bool keys; /* print which keys there are */
};

/* Print the view on out.  0, or -1 when out of memory. */
int watch_print(const struct watch_view *v, FILE *out);

/* Set *sort to the order that --sort names; false if no order has that name. */
bool watch_sort_of(const char *text, enum watch_sort *sort);

/* The terminal. */
struct watch_screen {
	bool on;     /* standard output is a terminal */
	bool keys;   /* standard input is one, too */
	bool held;   /* the alternate screen is shown */
	bool caught; /* signals are caught */
	struct termios was;
	sigset_t mask; /* the original mask */
	size_t rows, columns;
};

/* An event while waiting. */
enum watch_event {
	WATCH_TIME, /* the next look is due */
	WATCH_KEY,  /* *key was pressed */
	WATCH_SIZE, /* the screen's size changed */
	WATCH_STOP  /* a signal asks for the end */
};

/*
 * watch_screen_init() examines the terminal.  From watch_screen_hold() to
 * watch_screen_fini(), the terminal is in use and signals are blocked, except
 * in watch_screen_wait().  That function waits until `until' at the latest (ns,
 * by progress_line_clock()).  watch_screen_fini() restores the terminal.  It
 * returns the signal that ended the watch, or 0.
 */
void watch_screen_init(struct watch_screen *s);
void watch_screen_hold(struct watch_screen *s);
enum watch_event watch_screen_wait(struct watch_screen *s, uint64_t until,
				   char *key);
void watch_screen_leave(struct watch_screen *s);
int watch_screen_fini(struct watch_screen *s);

/* Show the lines of a text, as many as the screen has room for. */
void watch_screen_show(const struct watch_screen *s, const char *text);

/* --watch: look again and again, until a signal. */
int watch_run(const struct options *o, struct err *e);

#endif
