/* SPDX-License-Identifier: MIT */
/*
 * Names of generated code: what is at addresses that are in no module, as
 * compilers at run time tell perf(1) of it, in /tmp/perf-PID.map or a jitdump
 * (jit-PID.dump).
 *
 * Code that replaces other code is of the next age at its addresses, which is
 * part of the keys of what calls from there, as a module's generation is: so
 * the two never mix, once the file says so. That is looked at now and then when
 * a chain has such an address, and when a data file is written.
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
	uint8_t put; /* 1: it goes into the data file */
	uint8_t named; /* 1: it is in a module, whose function at `start' is
			* called so */
	const char *name;
};

/* Ages of the code at one address; what comes later is of the last. */
#define MMI_GENERATED_AGES (MMI_GEN_NONE - MMI_GEN_OWN)

/* The generation for keys of the address, which is in no module.  ctx: slow. */
unsigned mmi_generated_gen(uintptr_t pc);

/* Read what has come meanwhile.  ctx: exit. */
void mmi_generated_look(void);

/* The code of a key; NULL: not known.  ctx: exit. */
struct mmi_generated *mmi_generated_of(uint64_t key);

/* Code i, from 0, of as many; NULL: no such.  ctx: exit. */
struct mmi_generated *mmi_generated_at(uint32_t i);

/*
 * What the code at `start' is called from now on.  Not more than one thread
 * calls it at a time.  False: there is no room for more.  ctx: slow.
 */
bool mmi_generated_add(uintptr_t start, uint64_t size, const char *name,
		       size_t length);

/* Is any known?  ctx: hook. */
extern HIDDEN uint32_t mmi_generated_n;
static inline bool
mmi_generated_any(void)
{
	return LOAD(&mmi_generated_n);
}

/*
 * Is the address within a gibibyte of code that is known?  Not all of it is
 * told of.  ctx: slow.
 */
bool mmi_generated_near(uintptr_t at);

/* The newest code there; NULL: none known.  ctx: slow. */
struct mmi_generated *mmi_generated_find(uintptr_t at);

/*
 * What no file tells: the name of a function of that size at `start', in a
 * module; or, not, of what has addresses that no code has.  The same again is
 * nothing.  ctx: hook.
 */
void mmi_generated_name(uintptr_t start, const char *name, size_t length,
			uint64_t size, bool function);

/* The named function that an address in a module is in; NULL: none. */
struct mmi_generated *mmi_generated_named(uintptr_t at); /* ctx: exit */
extern HIDDEN uint32_t mmi_generated_nnamed; /* how many are; atomic */

/*
 * Read more of the files; all: to the end. Not more than one thread calls it at
 * a time. Defined in generated_read.c. ctx: slow.
 */
void mmi_generated_read(bool all);

/* The child has files of its own.  ctx: fork. */
void mmi_generated_fork(void);

#endif
