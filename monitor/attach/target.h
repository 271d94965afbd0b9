/* SPDX-License-Identifier: MIT */
/* A process that memmon attaches to: its memory, modules and symbols. */
#ifndef MEMMON_TARGET_H
#define MEMMON_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A function that a module shows, by address. */
struct target_symbol {
	uintptr_t at;
	size_t size;
	const char *name;
};

enum target_kind {
	TARGET_OTHER,
	TARGET_LOADER,
	TARGET_LIBC,
	TARGET_MONITOR,	  /* libmemmon */
	TARGET_ALLOCATOR, /* a library that has malloc() */
};

struct target_module {
	enum target_kind kind;
	uintptr_t start, end; /* of all of it */
	uintptr_t bias;	      /* run-time address minus address in the file */
	char *path;
	unsigned long inode;
	char *names;
	struct target_symbol *symbol; /* by address */
	size_t nsymbols;
};

/* A mapping. */
struct target_map {
	uintptr_t start, end, offset;
	unsigned long inode;
	bool write, exec, stack;
	char *path; /* "" if there is none */
};

struct target {
	pid_t pid;
	unsigned long long started; /* clock ticks since the system's start */
	int mem; /* /proc/PID/mem, of the program that it ran when opened */
	struct target_map *map;
	size_t nmaps;
	struct target_module *module;
	size_t nmodules;
};

/*
 * What of a process is known by its files: true; or why it can't be attached
 * to, in why[n].
 */
bool target_look(pid_t pid, char *why, size_t n);

/*
 * A thread of the process that hasn't ended, its first one if possible; 0:
 * there is none, as of a zombie.
 */
pid_t target_thread(pid_t pid);

/*
 * When the process was started, in clock ticks since the system's start; 0: it
 * isn't known.
 */
unsigned long long target_started(pid_t pid);

/* Has the process ended?  A zombie has, and its number may be another's. */
bool target_ended(const struct target *t);

/* Does the process execute another program than when it was opened? */
bool target_replaced(const struct target *t);

/* Is the thread in a wait of the kernel's that no signal ends (state D)? */
bool target_waits(pid_t pid, pid_t tid);

/* Does the process share its memory with its parent, as after vfork(2)? */
bool target_borrows(pid_t pid);

/*
 * The file of the program that the process runs, also if the dynamic loader was
 * told to start it: a descriptor, or -1; its path as the process sees it in
 * path[n].
 */
int target_program(const struct target *t, char *path, size_t n);

/*
 * Does the process restrict its system calls more than this one, so that a call
 * that is made for it may end it?
 */
bool target_restricts(pid_t pid);

/*
 * May the process, with its user and groups, make files in a directory that is
 * `path' here?  0, or an error's number.
 */
int target_writes(pid_t pid, const char *path);

/*
 * Open its memory, and read what is mapped; target_read() reads that anew.
 * False, with errno.  target_close() gives all back.
 */
bool target_open(struct target *t, pid_t pid);
bool target_read(struct target *t);
void target_close(struct target *t);

/* Its memory: all n bytes, or false. */
bool target_get(const struct target *t, uintptr_t at, void *to, size_t n);
bool target_put(const struct target *t, uintptr_t at, const void *from,
		size_t n);

/* The module, or the mapping, that an address is in, or NULL. */
const struct target_module *target_module(const struct target *t, uintptr_t at);
const struct target_map *target_map(const struct target *t, uintptr_t at);

/* The first module of a kind, or NULL. */
const struct target_module *target_of(const struct target *t,
				      enum target_kind kind);

/* A function of the module by name: its address, or 0. */
uintptr_t target_find(const struct target_module *m, const char *name);

/* The function that has the address, or NULL. */
const struct target_symbol *target_name(const struct target_module *m,
					uintptr_t at);

/* The number that a file begins with, in decimal; or -1. */
long target_number(const char *file);

/* The process' number as it is to the process itself, in its namespace. */
long long target_own_pid(pid_t pid);

/* A number in a line "NAME:	NUMBER" of /proc/PID/status, or -1. */
long long target_status(pid_t pid, const char *name, int base);

#endif
