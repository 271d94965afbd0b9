/* SPDX-License-Identifier: MIT */
/*
 * What is known of the process, and its clocks.
 */
#ifndef MEMMON_PROCESS_H
#define MEMMON_PROCESS_H

#include <time.h>

#include "monitor/base/internal.h"

/* What is known of the process.  Set in init and fork context, then read. */
struct mmi_process {
	long pid; /* 0 before our constructor ran */
	long ppid;
	bool child;	     /* another process has the plain file name */
	bool forked;	     /* counts start at a fork */
	bool secure;	     /* it has other rights than its user */
	unsigned own;	     /* the program's own functions: MONOUT_OWN_* */
	bool attached;	     /* this library came while it ran, */
	bool alone;	     /* and no other thread runs code of it yet */
	bool idle;	     /* so, and nobody is attached: it writes no file */
	uint64_t start;	     /* ns since 1970 */
	uint64_t mono;	     /* CLOCK_MONOTONIC then, ns */
	const char *exe;     /* path of the program's file, "" unknown */
	const char *cwd;     /* "" unknown */
	const char *pattern; /* of the data file's name */
	const char *follow;  /* of the programs that are recorded, "" all */
	const char *rank;    /* in a parallel job, as its launcher says */
	const char *job;     /* of these; NULL: not known */
	const char *command; /* arguments, each ended by NUL */
	size_t command_len;
	const char *settings; /* where attached: in place of the environment */
};
extern struct mmi_process mmi_process;

/* Ids and times; then, with the arguments of main(), all else.  ctx: init. */
void mmi_process_begin(void);
void mmi_process_look(int argc, char **argv);

/*
 * Is this process one to be recorded, as MEMMON_FOLLOW has it?  After
 * mmi_process_look().  ctx: init, fork.
 */
bool mmi_process_followed(void);

/*
 * This process was made by a fork that ran no handlers, or not yet: as in the
 * handler.  Defined in process/start.c.  ctx: hook.
 */
void mmi_process_forked(void);

/*
 * A variable of the environment, or, in a process that the library was loaded
 * into while it ran, of the settings that came with it: "NAME=VALUE", each
 * ended by NUL, and an empty one.  NULL: it isn't set.  ctx: init.
 */
const char *mmi_process_variable(const char *name);

/* The same of the environment alone.  ctx: init. */
const char *mmi_process_environment(const char *name);

/* The data file's name has the pattern that MEMMON_OUT says now.  ctx: init. */
void mmi_process_name(void);

/*
 * A number in an environment variable, with K, M or G after it or without.
 * False: it isn't set, or is none.  ctx: init.
 */
bool mmi_process_number(const char *name, unsigned long *n);

/* Does this process write files?  ctx: any. */
bool mmi_process_writes(void);

/*
 * The number n in decimal, and NUL: where that is.  `to' has room for 21.  ctx:
 * any.
 */
static inline char *
mmi_process_decimal(char *to, uint64_t n)
{
	char digits[20];
	unsigned k = 0;

	do
		digits[k++] = (char)('0' + n % 10);
	while (n /= 10);
	while (k > 0)
		*to++ = digits[--k];
	*to = '\0';
	return to;
}

/*
 * What is in a file of /proc, as "/proc/", 1234, "/stat": the bytes, with NUL
 * behind them, of which the file may have more than n - 1.  How many; -1 or
 * less if it can't be read.  ctx: slow.
 */
long mmi_process_file(const char *directory, long id, const char *name,
		      char *to, size_t n);

/*
 * A number in hexadecimal digits at *s, after blanks and maybe 0x, as /proc has
 * them; *s is behind it then.  ctx: any.
 */
uintptr_t mmi_process_hex(const char **s);

/*
 * Where the dynamic loader of this process is mapped; 0: there is none.  ctx:
 * slow.
 */
uintptr_t mmi_process_loader(void);

/* Bytes of a line of /proc/self/maps that are looked at. */
#define MMI_PROCESS_LINE 159u

/*
 * Give line(arg, text) the lines of a file, the first MMI_PROCESS_LINE bytes of
 * each, until it returns false.  buffer has n bytes for what is read.
 * False: it can't be opened or read to its end, or line() did.  ctx: slow.
 */
bool mmi_process_lines(const char *file, char *buffer, size_t n,
		       bool (*line)(void *arg, const char *text), void *arg);

/* The same of /proc/self/maps.  ctx: slow. */
bool mmi_process_maps(char *buffer, size_t n,
		      bool (*line)(void *arg, const char *text), void *arg);

/* A clock, in ns.  ctx: init, exit. */
uint64_t mmi_process_clock(clockid_t id);

/*
 * Reading the clock would end the process: time stands still.  Or, with false,
 * it goes on.  ctx: any.
 */
void mmi_process_clock_stop(bool stop);

#endif
