/* SPDX-License-Identifier: MIT */
/*
 * Names of generated code: of code at addresses in no library.  Run-time
 * compilers list it for perf(1) in /tmp/perf-PID.map or a jitdump
 * (jit-PID.dump).
 *
 * Code that replaces other code is of the next age at its addresses.  Like a
 * library's generation, the age is part of the keys of calls from there, so the
 * two never mix once the file lists the new code.  The file is read now and
 * then when a call path has such an address, and when a data file is written.
 */
#ifndef MEMMON_GENERATED_H
#define MEMMON_GENERATED_H

#include "monitor/base/internal.h"

/* A piece of code, of that age, from 0. */
struct mmi_generated {
	uintptr_t start;
	uint32_t size;
	uint16_t length; /* of the name, which has no NUL */
	uint8_t age;
	uint8_t put; /* 1: it is in the data file */
	uint8_t named; /* 1: it is a function of a library, at `start' */
	const char *name;
};

/* Ages of the code at one address; later code has the last age. */
#define MMI_GENERATED_AGES (MMI_GEN_NONE - MMI_GEN_OWN)

/* The generation for keys of an address in no library.  ctx: slow. */
unsigned mmi_generated_gen(uintptr_t pc);

/* Reads the rest of the files.  ctx: exit. */
void mmi_generated_look(void);

/* The code of a key; NULL: not known.  ctx: exit. */
struct mmi_generated *mmi_generated_of(uint64_t key);

/* Code i, from 0; NULL: i is too large.  ctx: exit. */
struct mmi_generated *mmi_generated_at(uint32_t i);

/*
 * Sets the name of the code at `start' from now on.  Only one thread at a time
 * calls it.  False: the table is full.  ctx: slow.
 */
bool mmi_generated_add(uintptr_t start, uint64_t size, const char *name,
		       size_t length);

/* Is any generated code known?  ctx: hook. */
extern HIDDEN uint32_t mmi_generated_n;
static inline bool
mmi_generated_any(void)
{
	return LOAD(&mmi_generated_n);
}

/*
 * Is the address within a gibibyte of known generated code?  Some code may not
 * be listed.  ctx: slow.
 */
bool mmi_generated_near(uintptr_t at);

/* The newest code at an address; NULL: not known.  ctx: slow. */
struct mmi_generated *mmi_generated_find(uintptr_t at);

/*
 * Adds a name that no file lists: of a function (`function') of that size at
 * `start' in a library, or of a thing with addresses that no code has.  Does
 * nothing if the name is known already.  ctx: hook.
 */
void mmi_generated_name(uintptr_t start, const char *name, size_t length,
			uint64_t size, bool function);

/* The named function that contains an address in a library; NULL: none. */
struct mmi_generated *mmi_generated_named(uintptr_t at); /* ctx: exit */
extern HIDDEN uint32_t mmi_generated_nnamed; /* how many are; atomic */

/*
 * Reads more of the files; all: to the end.  Only one thread at a time calls
 * it.  Defined in generated_read.c.  ctx: slow.
 */
void mmi_generated_read(bool all);

/* The child has files of its own.  ctx: fork. */
void mmi_generated_fork(void);

#endif
