/* SPDX-License-Identifier: MIT */
/* The properties of the process, and its clocks. */
#ifndef MEMMON_PROCESS_H
#define MEMMON_PROCESS_H

#include <time.h>

#include "monitor/base/internal.h"

/* The properties of the process.  Set in init and fork context, then read. */
struct mmi_process {
	long pid; /* 0 before our constructor ran */
	long ppid;
	bool child;	     /* another process has the plain file name */
	bool forked;	     /* counts start at a fork */
	bool secure;	     /* it has other rights than its user */
	unsigned own;	     /* the program's own functions: MONOUT_OWN_* */
	bool attached;	     /* loaded while it ran, and */
	bool alone;	     /* no other thread runs its code yet */
	bool idle;	     /* loaded, but not attached: writes no file */
	uint64_t start;	     /* ns since 1970 */
	uint64_t mono;	     /* CLOCK_MONOTONIC at that time, ns */
	const char *exe;     /* path of the program's file, "" unknown */
	const char *cwd;     /* "" unknown */
	const char *pattern; /* of the data file's name */
	const char *follow;  /* which programs to record, "" all */
	const char *rank;    /* in a parallel job, by its launcher */
	const char *job;     /* that job; NULL: not known */
	const char *command; /* arguments, each ended by NUL */
	size_t command_len;
	const char *settings; /* if attached: replaces the environment */
};
extern struct mmi_process mmi_process;

/*
 * begin: ids and times; look: everything else, with the arguments of main().
 * ctx: init.
 */
void mmi_process_begin(void);
void mmi_process_look(int argc, char **argv);

/*
 * Is this process to be recorded, by MEMMON_FOLLOW?  Call it after
 * mmi_process_look().  ctx: init, fork.
 */
bool mmi_process_followed(void);

/*
 * A fork that ran no handlers, or not yet, made this process: does what the
 * handler does.  Defined in process/start.c.  ctx: hook.
 */
void mmi_process_forked(void);

/*
 * A variable of the environment; or, if the library was loaded into a running
 * process, of the settings that came with it: "NAME=VALUE", each ended by NUL,
 * and an empty one at the end.  NULL: it isn't set.  ctx: init.
 */
const char *mmi_process_variable(const char *name);

/* The same for the environment only.  ctx: init. */
const char *mmi_process_environment(const char *name);

/*
 * Does a tool of valgrind run the program that keeps state for each mapped
 * byte, and searches all of it?  ctx: init, fork.
 */
bool mmi_process_searched(void);

/* Does a tool of valgrind replace malloc() by its own?  ctx: init. */
bool mmi_process_replaced(void);

/*
 * Does any tool of valgrind run the program?  It prints a line for each system
 * call that it doesn't know.  ctx: init.
 */
bool mmi_process_valgrind(void);

/* Gives the data file's name the present pattern of MEMMON_OUT.  ctx: init. */
void mmi_process_name(void);

/*
 * A number in an environment variable, maybe with K, M or G after it.  False:
 * it isn't set, or not a number.  ctx: init.
 */
bool mmi_process_number(const char *name, unsigned long *n);

/* Does this process write files?  ctx: any. */
bool mmi_process_writes(void);

/*
 * Writes the number n in decimal, and NUL; returns the address of the NUL.
 * `to' has room for 21.  ctx: any.
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
 * Reads a small file: at most n - 1 bytes, and NUL after them; the file may
 * have more.  Returns their number; -1 or less if the file can't be read.  ctx:
 * slow.
 */
long mmi_process_text(const char *path, char *to, size_t n);

/*
 * The same for a file of /proc, such as "/proc/", 1234, "/stat".
 */
long mmi_process_file(const char *directory, long id, const char *name,
		      char *to, size_t n);

/*
 * Reads a number in hexadecimal digits at *s, after blanks and maybe 0x, as in
 * /proc; moves *s after it.  ctx: any.
 */
uintptr_t mmi_process_hex(const char **s);

/*
 * The address of the dynamic loader in this process; 0: no loader.  ctx: slow.
 */
uintptr_t mmi_process_loader(void);

/* How many bytes of a line of /proc/self/maps are used. */
#define MMI_PROCESS_LINE 159u

/*
 * Calls line(arg, text) for the lines of a file, the first MMI_PROCESS_LINE
 * bytes of each, until line() returns false.  buffer has n bytes for reading.
 * False: the file can't be opened or read to its end, or line() returned false.
 * ctx: slow.
 */
bool mmi_process_lines(const char *file, char *buffer, size_t n,
		       bool (*line)(void *arg, const char *text), void *arg);

/* The same for /proc/self/maps.  ctx: slow. */
bool mmi_process_maps(char *buffer, size_t n,
		      bool (*line)(void *arg, const char *text), void *arg);

/* A clock, in ns.  ctx: init, exit. */
uint64_t mmi_process_clock(clockid_t id);

/*
 * true: reading the clock would end the process, so time stands still.  false:
 * time continues.  ctx: any.
 */
void mmi_process_clock_stop(bool stop);

#endif
