/* SPDX-License-Identifier: MIT */
/* A process that memmon attaches to: its memory, libraries and symbols. */
#ifndef MEMMON_TARGET_H
#define MEMMON_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A function that a library exports, with its address. */
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
	uintptr_t start, end; /* of the whole library */
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
	char *path; /* "": none */
};

struct target {
	pid_t pid;
	unsigned long long started; /* clock ticks since the system's start */
	int mem; /* /proc/PID/mem, for its program when opened */
	struct target_map *map;
	size_t nmaps;
	struct target_module *module;
	size_t nmodules;
};

/*
 * Can memmon attach to the process, by its files in /proc?  If not, why[n] says
 * why.
 */
bool target_look(pid_t pid, char *why, size_t n);

/*
 * A thread of the process that hasn't ended, its first one if possible; 0:
 * none, for example in a zombie.
 */
pid_t target_thread(pid_t pid);

/*
 * When the process was started, in clock ticks since the system's start; 0:
 * unknown.
 */
unsigned long long target_started(pid_t pid);

/* Has the process ended?  True for a zombie, or if its number was reused. */
bool target_ended(const struct target *t);

/* Does the process execute another program than when it was opened? */
bool target_replaced(const struct target *t);

/* Is the thread in an uninterruptible wait in the kernel (state D)? */
bool target_waits(pid_t pid, pid_t tid);

/* Does the process share its memory with its parent, as after vfork(2)? */
bool target_borrows(pid_t pid);

/*
 * Opens the file of the program that the process runs, also if the dynamic
 * loader was told to start it.  Returns a descriptor, or -1; path[n] receives
 * the path as the process sees it.
 */
int target_program(const struct target *t, char *path, size_t n);

/*
 * Does the process restrict its system calls more than this process does?  Then
 * a call that is made for it may kill it.
 */
bool target_restricts(pid_t pid);

/*
 * May the process, with its user and groups, make files in the directory `path'
 * of this process? 0, or an error number.
 */
int target_writes(pid_t pid, const char *path);

/*
 * Opens its memory, and reads its mappings; target_read() reads the mappings
 * again.  False, with errno.  target_close() frees all of it.
 */
bool target_open(struct target *t, pid_t pid);
bool target_read(struct target *t);
void target_close(struct target *t);

/* Reads or writes its memory: all n bytes, or false. */
bool target_get(const struct target *t, uintptr_t at, void *to, size_t n);
bool target_put(const struct target *t, uintptr_t at, const void *from,
		size_t n);

/* The library, or the mapping, that contains an address; or NULL. */
const struct target_module *target_module(const struct target *t, uintptr_t at);
const struct target_map *target_map(const struct target *t, uintptr_t at);

/* The first library of a kind, or NULL. */
const struct target_module *target_of(const struct target *t,
				      enum target_kind kind);

/* The address of a library's function by name, or 0. */
uintptr_t target_find(const struct target_module *m, const char *name);

/* The function at this address, or NULL. */
const struct target_symbol *target_name(const struct target_module *m,
					uintptr_t at);

/* The decimal number at the start of a file; or -1. */
long target_number(const char *file);

/* The process's number in its own namespace. */
long long target_own_pid(pid_t pid);

/* A number in a line "NAME:	NUMBER" of /proc/PID/status, or -1. */
long long target_status(pid_t pid, const char *name, int base);

#endif
